/*
 * identity_state.h: the hash of one shape of identity.c, its memory, sizes and inputs.
 */
#ifndef ATTN_TEST_IDENTITY_STATE_H
#define ATTN_TEST_IDENTITY_STATE_H

#include "attn.h"

#include <math.h> /* INFINITY, NAN; no function of libm is called */
#include <stddef.h>
#include <string.h>

#define IDENTITY_STATIC static __attribute__((unused))

/* ---- state of one shape ------------------------------------------------------ */

typedef struct {
    uint64_t hash;
    unsigned char *next, *end; /* free memory */
    uint32_t shape, draws;     /* the shape, and random arrays drawn for it */
    uint32_t sizes;            /* state of the generator of sizes */
    int failed;
} state;

IDENTITY_STATIC void add_word(state *s, uint32_t word) {
    for (int i = 0; i < 4; i++, word >>= 8)
        s->hash = (s->hash ^ (word & 0xff)) * 0x100000001b3u;
}

IDENTITY_STATIC void add_floats(state *s, const float *x, size_t count) {
    for (size_t i = 0; i < count && !s->failed; i++) {
        uint32_t word;
        memcpy(&word, x + i, sizeof word);
        add_word(s, x[i] != x[i] ? 0x7fc00000 : word);
    }
}

IDENTITY_STATIC void add_doubles(state *s, const double *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, x + i, sizeof word);
        add_word(s, x[i] != x[i] ? 0 : (uint32_t)word);
        add_word(s, x[i] != x[i] ? 0x7ff80000 : (uint32_t)(word >> 32));
    }
}

IDENTITY_STATIC void expect(state *s, int condition) {
    if (!condition)
        s->failed = 1;
}

/* Allocates memory aligned to 16; returns the same memory to all callers when there is too little.
 */
IDENTITY_STATIC void *allocate(state *s, size_t bytes) {
    unsigned char *memory = s->next;
    bytes = (bytes + 15) & ~(size_t)15;
    expect(s, bytes <= (size_t)(s->end - s->next));
    if (!s->failed)
        s->next += bytes;
    return memory;
}

IDENTITY_STATIC float *allocate_floats(state *s, size_t count) {
    return allocate(s, count * sizeof(float));
}

/* ---- shapes and inputs --------------------------------------------------------- */

/* From low to high; a linear congruential generator (Numerical Recipes). */
IDENTITY_STATIC uint32_t size(state *s, uint32_t low, uint32_t high) {
    s->sizes = s->sizes * 1664525u + 1013904223u;
    return low + (s->sizes >> 8) % (high - low + 1);
}

/* Most sizes are small; some are next to a multiple of 8, where tiles end. */
IDENTITY_STATIC uint32_t dimension(state *s) {
    const uint32_t kind = size(s, 0, 9);
    if (kind < 6)
        return size(s, 1, 20);
    return kind < 9 ? 8 * size(s, 1, 12) + size(s, 0, 2) - 1 : size(s, 100, 300);
}

IDENTITY_STATIC float *normals(state *s, size_t count, float deviation) {
    float *x = allocate_floats(s, count);
    if (!s->failed)
        attn_random_normal(s->shape, 1, s->draws++, 0, (uint32_t)count, 0.0f, deviation, x);
    return x;
}

/* Normal numbers; in every fourth shape some are from the edges of float32. */
IDENTITY_STATIC float *inputs(state *s, size_t count) {
    static const float deviations[4] = {1.0f, 0.1f, 8.0f, 1.0f};
    static const float edges[8] = {0.0f,      -0.0f, 0x1p-149f, -0x1p-130f,
                                   -INFINITY, NAN,   1e38f,     -1e38f};
    float *x = normals(s, count, deviations[s->shape % 4]);
    for (int i = 0; s->shape % 4 == 3 && count > 0 && !s->failed && i < 4; i++)
        x[size(s, 0, (uint32_t)count - 1)] = edges[size(s, 0, 7)];
    return x;
}

/* A mask for two shapes in three, else null. */
IDENTITY_STATIC const float *some_mask(state *s, size_t count) {
    if (s->shape % 3 == 0)
        return NULL;
    float *mask = normals(s, count, 1.0f);
    for (size_t i = 0; i < count && !s->failed; i++)
        if (mask[i] < -0.7f)
            mask[i] = -INFINITY;
    return mask;
}

IDENTITY_STATIC float temperature(const state *s) {
    static const float temperatures[5] = {1.0f, 0.5f, 3.0f, 0.01f, 1e4f};
    return temperatures[s->shape % 5];
}

#endif
