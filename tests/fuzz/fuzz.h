/*
 * fuzz.h: turns the bytes of a fuzzer into shapes, options and numbers.
 *
 * A wild input takes its floats as raw bit patterns, so any NaN, infinity or
 * subnormal occurs and only memory safety is judged; a tame input takes multiples
 * of 1/32 in [-4, 4) and is compared with the float64 oracle.
 */
#ifndef ATTN_FUZZ_H
#define ATTN_FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *next, *end;
    int wild;
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *input) {
    return input->next < input->end ? *input->next++ : 0;
}

/* A size in [least, 40]. */
static inline uint32_t fuzz_size(fuzz_input *input, uint32_t least) {
    return least + fuzz_byte(input) % (41 - least);
}

static inline float fuzz_float(fuzz_input *input) {
    if (!input->wild)
        return (float)((int8_t)fuzz_byte(input)) / 32.0F;
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | fuzz_byte(input);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Exactly as long as asked for, so that AddressSanitizer sees every step outside. */
static inline void *fuzz_memory(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL)
        abort();
    return memory;
}

static inline float *fuzz_floats(fuzz_input *input, size_t count) {
    float *x = fuzz_memory(count * sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = fuzz_float(input);
    return x;
}

/* Scratch is aligned to 16 bytes, as attn.h asks. */
static inline void *fuzz_scratch(uint32_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, 16, bytes > 0 ? bytes : 1) != 0)
        abort();
    return memory;
}

static inline void fuzz_compare(const char *what, const float *actual, const double *expected,
                                size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        const double difference = fabs((double)actual[i] - expected[i]);
        if ((double)actual[i] == expected[i] || difference <= tolerance)
            continue;
        fprintf(stderr, "%s[%zu] is %.9g, expected %.9g within %.3g\n", what, i, (double)actual[i],
                expected[i], tolerance);
        abort();
    }
}

#endif
