/*
 * attention_problem.h: inputs for the tests of dot-product attention, forward and backward, and
 * the shapes that both are tried on.
 */
#ifndef ATTN_TEST_ATTENTION_PROBLEM_H
#define ATTN_TEST_ATTENTION_PROBLEM_H

#include "attn.h"
#include "harness.h"
#include "oracle_attention.h"

enum { LIMIT = 8 }; /* times 2^-24 * magnitude, as tests/golden/README.md has it */

/* Options beside causality and mask. */
typedef struct {
    const char *name;
    float softcap;               /* 0 for none */
    float sink;                  /* 0 for none */
    int32_t left, right, offset; /* in place of causality, unless all are 0 */
    uint32_t padding;            /* keys at the end, unless there are fewer */
} variant;

typedef struct {
    uint32_t n_q, n_k, d_k, d_v;
    causality causal;
    int masked;
    double deviation; /* of the entries of query and key */
    variant with;
} shape;

/* One call: inputs, and the results of the direction that a test is about. */
typedef struct {
    float *query, *key, *value, *mask, *d_output; /* mask null unless masked */
    float scale;
    float *output, *lse, *weights, *scores, *capped, *masked; /* forward */
    float *d_query, *d_key, *d_value;                         /* backward */
    double d_scale, d_sink;
} arrays;

static const variant variants[] = {
    {.name = "softcap", .softcap = 1.5F},
    {.name = "sink", .sink = 0.75F},
    {.name = "window", .left = 2, .right = 1},
    {.name = "left window", .left = 5, .right = -1, .offset = 3},
    {.name = "right window, behind", .left = -1, .right = 2, .offset = -4},
    {.name = "diagonal", .offset = 1},
    {.name = "padding", .padding = 3},
    {.name = "all", .softcap = 2, .sink = -1, .left = 9, .right = 0, .offset = 2, .padding = 1},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* The window of a shape. */
HARNESS_STATIC attn_window window_of(shape s) {
    attn_window w = causal_window(s.causal, s.n_q, s.n_k);
    if (s.with.left != 0 || s.with.right != 0 || s.with.offset != 0)
        w = (attn_window){s.with.offset, s.with.left, s.with.right, s.n_k};
    w.key_count = s.with.padding < s.n_k ? s.n_k - s.with.padding : s.n_k;
    return w;
}

HARNESS_STATIC attn_attention attention_of(shape s, arrays a) {
    return (attn_attention){.query = a.query,
                            .key = a.key,
                            .value = a.value,
                            .mask = a.mask,
                            .n_q = s.n_q,
                            .n_k = s.n_k,
                            .d_k = s.d_k,
                            .d_v = s.d_v,
                            .n_all = s.n_q,
                            .window = window_of(s),
                            .scale = a.scale,
                            .softcap = s.with.softcap,
                            .sink = s.with.sink != 0 ? s.with.sink : -INFINITY};
}

/* Normal inputs; a mask forbids every third position and adds to the rest. */
HARNESS_STATIC arrays make_inputs(shape s) {
    arrays a = {.scale = 1 / sqrtf((float)s.d_k)};
    a.query = guarded_normals((size_t)s.n_q * s.d_k, 1, s.deviation);
    a.key = guarded_normals((size_t)s.n_k * s.d_k, 2, s.deviation);
    a.value = guarded_normals((size_t)s.n_k * s.d_v, 3, 1);
    a.d_output = guarded_normals((size_t)s.n_q * s.d_v, 6, 1);
    if (s.masked) {
        uint64_t state = 4;
        a.mask = guarded_normals((size_t)s.n_q * s.n_k, 5, 1);
        for (size_t i = 0; i < (size_t)s.n_q * s.n_k; i++)
            if (next_random(&state) % 3 == 0)
                a.mask[i] = -INFINITY;
    }
    return a;
}

/* Runs `check` masked and not, with each kind of causality and each variant. */
HARNESS_STATIC void check_all_kinds(void (*check)(shape), uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                    uint32_t d_v) {
    for (int kind = 0; kind < 6 + VARIANTS; kind++) {
        const unsigned before = failed_checks;
        shape s = {n_q, n_k, d_k, d_v, (causality)(kind % 3), kind / 3 == 1 || kind == 13, 1, {0}};
        if (kind >= 6)
            s.with = variants[kind - 6];
        check(s);
        if (failed_checks > before)
            printf("    at n_q %u, n_k %u, d_k %u, d_v %u, causal %d, masked %d, %s\n", n_q, n_k,
                   d_k, d_v, (int)s.causal, s.masked, kind < 6 ? "plain" : s.with.name);
        release_guarded();
    }
}

/* Runs `check` on sizes around those of vectors and tiles, with d_v below d_v_end. */
HARNESS_STATIC void check_small_shapes(void (*check)(shape), uint32_t d_v_end) {
    static const uint32_t sizes[] = {0, 1, 3, 4, 7, 8, 9, 17};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (uint32_t d = 1; d <= 9; d += 2)
                check_all_kinds(check, sizes[i], sizes[j], d, (d * 5 + sizes[j]) % d_v_end);
}

#endif
