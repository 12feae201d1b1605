/*
 * fuzz.h: turns the bytes of a fuzzer into shapes, options and numbers.
 *
 * A call is made from the bytes; when they end, a generator seeded with all of them continues, so
 * that a dozen bytes fill large arrays. Tame input has numbers in [-4, 4) and is compared with the
 * float64 oracle. Wild input mixes in any bit pattern, also NaN, infinities and subnormals, and is
 * checked against the promises that attn.h makes for those.
 */
#ifndef ATTN_FUZZ_H
#define ATTN_FUZZ_H

#include "oracle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_STATIC static __attribute__((unused))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double fuzz_unit = 8 * 0x1p-24; /* times a magnitude: tests/golden/README.md */

/* ---- input ---------------------------------------------------------------- */

typedef struct {
    const uint8_t *next, *end;
    uint64_t state; /* of the generator */
    int wild;
} fuzz_input;

FUZZ_STATIC uint8_t fuzz_byte(fuzz_input *input) {
    if (input->next < input->end)
        return *input->next++;
    input->state = input->state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    return (uint8_t)(input->state >> 56);
}

/* The first byte decides whether numbers are wild. */
FUZZ_STATIC fuzz_input fuzz_begin(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0xCBF29CE484222325u, 0};
    for (size_t i = 0; i < size; i++)
        input.state = (input.state ^ data[i]) * 0x100000001B3u; /* FNV-1a */
    input.wild = size > 0 && (fuzz_byte(&input) & 1);
    return input;
}

FUZZ_STATIC uint32_t fuzz_word(fuzz_input *input) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | fuzz_byte(input);
    return word;
}

/* A size in [least, 200], most of them small. */
FUZZ_STATIC uint32_t fuzz_size(fuzz_input *input, uint32_t least) {
    const uint32_t b = fuzz_byte(input);
    const uint32_t size = b < 192 ? b % 10 : b < 240 ? b % 48 : 48 + 10 * (b - 240);
    return size < least ? least : size;
}

/* Halves the largest of the sizes. */
FUZZ_STATIC void fuzz_halve(uint32_t *const sizes[], size_t count) {
    uint32_t *largest = sizes[0];
    for (size_t i = 1; i < count; i++)
        largest = *sizes[i] > *largest ? sizes[i] : largest;
    *largest /= 2;
}

/* Any bit pattern. */
FUZZ_STATIC float fuzz_bits(fuzz_input *input) {
    const uint32_t bits = fuzz_word(input);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* In [-4, 4), 16 bits of it, so that products and sums have to be rounded. */
FUZZ_STATIC float fuzz_tame(fuzz_input *input) {
    const int32_t high = (int8_t)fuzz_byte(input);
    return (float)(high * 256 + fuzz_byte(input)) * 0x1p-13F;
}

FUZZ_STATIC float fuzz_float(fuzz_input *input) {
    static const float special[] = {0.0F,      -0.0F,     INFINITY,        -INFINITY,        NAN,
                                    0x1p-149F, 0x1p-126F, 0x1.fffffep127F, -0x1.fffffep127F, 1e38F,
                                    -1e38F,    0x1p-75F};
    const uint8_t kind = input->wild ? fuzz_byte(input) : 255;
    if (kind < sizeof special / sizeof *special)
        return special[kind];
    return kind < 48 ? fuzz_bits(input) : fuzz_tame(input);
}

/* ---- memory, given back by fuzz_end ------------------------------------------ */

enum { FUZZ_BLOCKS = 64 };
static void *fuzz_blocks[FUZZ_BLOCKS];
static size_t fuzz_block_count;

FUZZ_STATIC void *fuzz_keep(void *block) {
    if (block == NULL || fuzz_block_count == FUZZ_BLOCKS)
        abort();
    return fuzz_blocks[fuzz_block_count++] = block;
}

/* Exactly `count` floats, so that a sanitizer sees every step outside. */
FUZZ_STATIC float *fuzz_memory(size_t count) {
    return fuzz_keep(malloc(count > 0 ? count * sizeof(float) : 1));
}

/* Scratch as attn.h requires it: aligned to 16 bytes, of any content. */
FUZZ_STATIC void *fuzz_scratch(uint32_t bytes) {
    if (bytes % 64 != 0)
        abort();
    return fuzz_keep(aligned_alloc(16, bytes > 0 ? bytes : 16));
}

FUZZ_STATIC double *fuzz_doubles(size_t count) { return fuzz_keep(doubles(count)); }

FUZZ_STATIC float *fuzz_zeros(size_t count) {
    return fuzz_keep(calloc(count > 0 ? count : 1, sizeof(float)));
}

FUZZ_STATIC float *fuzz_floats(fuzz_input *input, size_t count) {
    float *x = fuzz_memory(count);
    for (size_t i = 0; i < count; i++)
        x[i] = fuzz_float(input);
    return x;
}

/* Numbers to add to scores; a quarter forbids. */
FUZZ_STATIC float *fuzz_mask(fuzz_input *input, size_t count) {
    float *mask = fuzz_floats(input, count);
    for (size_t i = 0; i < count; i++)
        if (mask[i] > 2.0F)
            mask[i] = -INFINITY;
    return mask;
}

/* Any window, offset and padding, half of the time none; causal one time in four. */
FUZZ_STATIC attn_window fuzz_window(fuzz_input *input, uint32_t n_q, uint32_t n_k) {
    const uint8_t kind = fuzz_byte(input);
    attn_window w = causal_window((causality)(kind % 4 == 3 ? 0 : kind % 4), n_q, n_k);
    if (kind & 64) {
        w.left = (int32_t)fuzz_size(input, 0) - 1;
        w.right = (int32_t)fuzz_size(input, 0) - 1;
        w.offset = (int8_t)fuzz_byte(input);
        w.key_count = n_k - fuzz_size(input, 0) % (n_k + 1);
    }
    return w;
}

/* A sink, half of the time. */
FUZZ_STATIC float fuzz_sink(fuzz_input *input) {
    const float sink = (fuzz_byte(input) & 1) ? fuzz_float(input) : -INFINITY;
    return sink < INFINITY ? sink : -INFINITY;
}

/* Returns x [n_k, columns] with other numbers in those rows that no query may attend to. */
FUZZ_STATIC const float *fuzz_spoil_hidden(fuzz_input *input, const float *mask, attn_window window,
                                           size_t n_q, size_t n_k, const float *x, size_t columns) {
    float *copy = memcpy(fuzz_memory(n_k * columns), x, n_k * columns * sizeof(float));
    for (size_t j = 0; j < n_k; j++) {
        int hidden = 1;
        for (size_t i = 0; i < n_q; i++)
            hidden &= !oracle_may_attend(mask, window, n_k, i, j);
        for (size_t c = 0; hidden && c < columns; c++)
            copy[j * columns + c] = fuzz_float(input);
    }
    return copy;
}

/* Gives back all but the first `kept` blocks. */
FUZZ_STATIC void fuzz_release(size_t kept) {
    while (fuzz_block_count > kept)
        free(fuzz_blocks[--fuzz_block_count]);
}

FUZZ_STATIC int fuzz_end(void) {
    fuzz_release(0);
    return 0;
}

/* ---- checks ------------------------------------------------------------------ */

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Within tolerance; infinities equal, NaN where NaN is expected. */
/* Weights below 2^-126 are 0, and a result is off by as much times what they would have weighed:
 * numbers of this input, below 2^16. */
static const double fuzz_least = 0x1p-110;

FUZZ_STATIC void fuzz_close(const char *what, size_t i, double actual, double expected,
                            double tolerance) {
    if (actual == expected || fabs(actual - expected) <= tolerance + fuzz_least ||
        (isnan(actual) && isnan(expected)))
        return;
    fprintf(stderr, "%s[%zu] is %.9g, expected %.9g within %.3g\n", what, i, actual, expected,
            tolerance);
    abort();
}

FUZZ_STATIC void fuzz_compare(const char *what, const float *actual, const double *expected,
                              size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++)
        fuzz_close(what, i, (double)actual[i], expected[i], tolerance);
}

/* Equal bits, but any NaN equals any other. */
FUZZ_STATIC void fuzz_same(const float *actual, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(memcmp(actual + i, expected + i, sizeof *actual) == 0 ||
                   (isnan(actual[i]) && isnan(expected[i])));
}

#endif
