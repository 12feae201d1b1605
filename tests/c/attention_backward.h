/*
 * attention_backward.h: calls of attn_attention_backward, on guarded memory.
 */
#ifndef ATTN_TEST_ATTENTION_BACKWARD_H
#define ATTN_TEST_ATTENTION_BACKWARD_H

#include "attention_problem.h"

/* Gradients to be added to begin at 0. */
HARNESS_STATIC void fresh_gradients(shape s, arrays *a) {
    a->d_query = guarded_floats((size_t)s.n_q * s.d_k);
    a->d_key = guarded_floats((size_t)s.n_k * s.d_k);
    a->d_value = guarded_floats((size_t)s.n_k * s.d_v);
    memset(a->d_key, 0, (size_t)s.n_k * s.d_k * sizeof(float));
    memset(a->d_value, 0, (size_t)s.n_k * s.d_v * sizeof(float));
    a->d_scale = a->d_sink = 0;
}

HARNESS_STATIC arrays make_arrays(shape s) {
    arrays a = make_inputs(s);
    fresh_gradients(s, &a);
    return a;
}

HARNESS_STATIC attn_status run_backward(shape s, arrays *a) {
    const attn_attention call = attention_of(s, *a);
    const attn_attention_gradient g = {a->d_query, a->d_key, a->d_value, &a->d_scale, &a->d_sink};
    void *scratch = guarded_bytes(attn_attention_backward_scratch(&call), 16);
    return attn_attention_backward(&call, a->d_output, &g, scratch);
}

/* Runs once more with the same inputs and fresh results. */
HARNESS_STATIC arrays run_again(shape s, arrays a) {
    fresh_gradients(s, &a);
    CHECK(run_backward(s, &a) == ATTN_OK);
    return a;
}

#endif
