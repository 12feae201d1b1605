/*
 * additive_backward.h: calls of attn_additive_backward, on guarded memory.
 */
#ifndef ATTN_TEST_ADDITIVE_BACKWARD_H
#define ATTN_TEST_ADDITIVE_BACKWARD_H

#include "additive_problem.h"

enum { ARRAYS = 7, WRITTEN = 3 }; /* the first three are written, the others added to */

static const char *const names[ARRAYS] = {"query",      "key",          "value", "query weight",
                                          "key weight", "score weight", "bias"};

typedef struct {
    size_t counts[ARRAYS];
} sizes;

HARNESS_STATIC sizes sizes_of(const attn_additive *a) {
    return (sizes){{(size_t)a->n_q * a->d_q, (size_t)a->n_k * a->d_k, (size_t)a->n_k * a->d_v,
                    (size_t)a->d_hidden * a->d_q, (size_t)a->d_hidden * a->d_k, a->d_hidden,
                    a->d_hidden}};
}

typedef struct {
    float *arrays[ARRAYS];
    double *sink;
} results;

HARNESS_STATIC attn_additive_gradient gradient_of(const results *r) {
    float *const *x = r->arrays;
    return (attn_additive_gradient){x[0], x[1], x[2], x[3], x[4], x[5], x[6], r->sink};
}

/* NaN where results are written, 0 where they are added to. */
HARNESS_STATIC results empty_results(const attn_additive *a) {
    const sizes size = sizes_of(a);
    results r = {.sink = guarded_bytes(sizeof(double), 8)};
    *r.sink = 0;
    for (int k = 0; k < ARRAYS; k++) {
        r.arrays[k] = guarded_floats(size.counts[k]);
        if (k >= WRITTEN)
            memset(r.arrays[k], 0, size.counts[k] * sizeof(float));
    }
    return r;
}

HARNESS_STATIC void run_into(const attn_additive *a, const float *d_output, const results *r) {
    const attn_additive_gradient gradient = gradient_of(r);
    void *scratch = guarded_bytes(attn_additive_backward_scratch(a), 64);
    CHECK(attn_additive_backward(a, d_output, &gradient, scratch) == ATTN_OK);
}

HARNESS_STATIC results run(const attn_additive *a, const float *d_output) {
    const results r = empty_results(a);
    run_into(a, d_output, &r);
    return r;
}

HARNESS_STATIC float *some_gradient(const attn_additive *a) {
    return guarded_normals((size_t)a->n_q * a->d_v, 4711, 1);
}

#endif
