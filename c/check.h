/*
 * check.h: arithmetic on sizes that cannot overflow.
 *
 * Every size is computed in uint64_t and saturates at CHECK_LIMIT = 2^33, which is more than any
 * array may hold (2^32 bytes). So 2^30 saturated sizes can be added before a sum could wrap, and
 * a size that is too large stays too large.
 */
#ifndef ATTN_CHECK_H
#define ATTN_CHECK_H

#include "attn.h"

#include <stddef.h>

#define CHECK_INLINE static inline __attribute__((unused))
#define CHECK_LIMIT ((uint64_t)1 << 33)

/* a * b, at most CHECK_LIMIT, and CHECK_LIMIT where a factor alone is too large for memory. There
 * is no division of 64 bits, which costs JavaScript, the fallback, more than a small attention
 * does. */
CHECK_INLINE uint64_t check_product(uint64_t a, uint64_t b) {
    if ((a | b) >> 32 != 0)
        return a != 0 && b != 0 ? CHECK_LIMIT : 0;
    return a * b < CHECK_LIMIT ? a * b : CHECK_LIMIT;
}

CHECK_INLINE uint64_t check_larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* n rounded up to a multiple of step, a power of two. */
CHECK_INLINE uint64_t check_round_up(uint64_t n, uint64_t step) {
    return (n + step - 1) & ~(step - 1);
}

/* check_round_up of a size that is known to fit in memory. */
CHECK_INLINE size_t check_pad(size_t n, size_t step) { return (n + step - 1) & ~(step - 1); }

/* Returns the bytes of a [rows, columns] array of floats, rounded up to 64: scratch is a row of
 * such arrays, so each begins as well aligned as the first. */
CHECK_INLINE uint64_t check_floats(uint64_t rows, uint64_t columns) {
    return check_round_up(check_product(check_product(rows, columns), sizeof(float)), 64);
}

/* Returns whether a [rows, columns] array of floats fits in 2^32 bytes. */
CHECK_INLINE int check_fits(uint64_t rows, uint64_t columns) {
    return check_product(check_product(rows, columns), sizeof(float)) <= (uint64_t)1 << 32;
}

/* Returns the result of a `..._scratch` function for a sum of the sizes above. */
CHECK_INLINE uint32_t check_scratch(uint64_t bytes) {
    return bytes < ATTN_TOO_LARGE ? (uint32_t)bytes : ATTN_TOO_LARGE;
}

/* Allocates [rows, columns] floats, rounded up to 64 bytes, at scratch + *bytes, and adds their
 * size to *bytes. With null for scratch, a function that lays out scratch computes its size. */
static __attribute__((noinline, unused)) float *check_array(uint64_t *bytes, void *scratch,
                                                            uint64_t rows, uint64_t columns) {
    float *array = (float *)((uintptr_t)scratch + (uintptr_t)*bytes);
    *bytes += check_floats(rows, columns);
    return array;
}

/* Allocates [rows, columns] floats, check_floats bytes of them, at *scratch, and moves it on. */
CHECK_INLINE float *check_allocate(void **scratch, size_t rows, size_t columns) {
    float *array = *scratch;
    *scratch = (char *)*scratch + check_pad(rows * columns * sizeof(float), 64);
    return array;
}

#endif
