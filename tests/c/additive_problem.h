/*
 * additive_problem.h: inputs for the tests of additive attention, forward and backward.
 */
#ifndef ATTN_TEST_ADDITIVE_PROBLEM_H
#define ATTN_TEST_ADDITIVE_PROBLEM_H

#include "attn.h"
#include "harness.h"
#include "oracle_additive.h"

/* Unit-variance input; weights are scaled so that projections have the given deviation. */
HARNESS_STATIC attn_additive problem(uint32_t n_q, uint32_t n_k, uint32_t d_q, uint32_t d_k,
                                     uint32_t d_v, uint32_t d_hidden, double deviation) {
    const uint64_t seed = 1000 * n_q + 100 * n_k + 10 * d_q + d_hidden;
    const attn_additive a = {
        .query = guarded_normals((size_t)n_q * d_q, seed + 1, 1),
        .key = guarded_normals((size_t)n_k * d_k, seed + 2, 1),
        .value = guarded_normals((size_t)n_k * d_v, seed + 3, 1),
        .query_weight =
            guarded_normals((size_t)d_hidden * d_q, seed + 4, deviation / sqrt((double)d_q)),
        .key_weight =
            guarded_normals((size_t)d_hidden * d_k, seed + 5, deviation / sqrt((double)d_k)),
        .score_weight = guarded_normals(d_hidden, seed + 6, 1),
        .n_q = n_q,
        .n_k = n_k,
        .d_q = d_q,
        .d_k = d_k,
        .d_v = d_v,
        .d_hidden = d_hidden,
        .window = {0, -1, -1, n_k},
        .sink = -INFINITY,
    };
    return a;
}

/* mask [n_q, n_k]: some added numbers, some -Infinity. */
HARNESS_STATIC const float *some_mask(uint32_t n_q, uint32_t n_k) {
    float *mask = guarded_normals((size_t)n_q * n_k, 77, 1);
    for (size_t i = 0; i < (size_t)n_q * n_k; i++)
        mask[i] = i % 3 == 1 ? -INFINITY : mask[i];
    return mask;
}

/* ---- the problems that forward and backward tests share -------------------------------- */

typedef void (*additive_check)(const attn_additive *);

HARNESS_STATIC void check_small_shapes(additive_check check) {
    for (uint32_t d = 1; d <= 21; d += 4)
        for (uint32_t n = 1; n <= 19; n += 3) {
            const attn_additive a = problem(n, 20 - n, d, d + 1, d % 5 + 1, 22 - d, 1);
            check(&a);
        }
}

HARNESS_STATIC void check_every_hidden_size(additive_check check) {
    for (uint32_t hidden = 1; hidden <= 35; hidden++) {
        const attn_additive a = problem(3, 9, 4, 5, 2, hidden, 1);
        check(&a);
    }
}

HARNESS_STATIC void check_every_size_of_projections(additive_check check) {
    static const double deviations[] = {1e-3, 0.1, 3, 5, 8, 20, 100, 1e4};
    for (int i = 0; i < 8; i++) {
        const attn_additive a = problem(9, 17, 6, 5, 3, 12, deviations[i]);
        check(&a);
    }
}

/* Masked or not, each kind of causality, windows, padding and a sink; more and fewer keys than
 * queries. */
HARNESS_STATIC void check_every_visibility(additive_check check, double deviation) {
    for (uint32_t n_k = 3; n_k <= 67; n_k += 32) {
        const attn_window windows[] = {causal_window(ATTEND_ALL, 37, n_k),
                                       causal_window(CAUSAL_UPPER_LEFT, 37, n_k),
                                       causal_window(CAUSAL_LOWER_RIGHT, 37, n_k),
                                       {2, 4, 1, n_k},
                                       {-3, -1, 2, n_k},
                                       {0, 3, -1, n_k - 2}};
        for (int kind = 0; kind < 6; kind++)
            for (int masked = 0; masked <= 1; masked++) {
                attn_additive a = problem(37, n_k, 4, 3, 6, 5, deviation);
                a.window = windows[kind];
                a.sink = kind % 2 ? 0.5f : -INFINITY;
                a.mask = masked ? some_mask(37, n_k) : NULL;
                check(&a);
            }
    }
}

/* One hidden unit: query and key are the projections themselves. */
HARNESS_STATIC attn_additive bare(const float *query, uint32_t n_q, const float *key,
                                  uint32_t n_k) {
    static const float one[1] = {1};
    const attn_additive a = {.query = query,
                             .key = key,
                             .value = key,
                             .query_weight = one,
                             .key_weight = one,
                             .score_weight = one,
                             .n_q = n_q,
                             .n_k = n_k,
                             .d_q = 1,
                             .d_k = 1,
                             .d_v = 1,
                             .d_hidden = 1,
                             .window = {0, -1, -1, n_k},
                             .sink = -INFINITY};
    return a;
}

#endif
