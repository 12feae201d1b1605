/*
 * attention_forward.h: calls of attn_attention_forward, on guarded memory.
 */
#ifndef ATTN_TEST_ATTENTION_FORWARD_H
#define ATTN_TEST_ATTENTION_FORWARD_H

#include "attention_problem.h"

HARNESS_STATIC arrays make_arrays(shape s) {
    const size_t pairs = (size_t)s.n_q * s.n_k;
    arrays a = make_inputs(s);
    a.output = guarded_floats((size_t)s.n_q * s.d_v);
    a.lse = guarded_floats(s.n_q);
    a.weights = guarded_floats(pairs);
    a.scores = guarded_floats(pairs);
    a.capped = guarded_floats(pairs);
    a.masked = guarded_floats(pairs);
    return a;
}

HARNESS_STATIC attn_status run(const attn_attention *a, attn_attention_results r) {
    void *scratch = guarded_bytes(attn_attention_forward_scratch(a, r.weights != NULL), 16);
    return attn_attention_forward(a, &r, scratch);
}

/* Output and log-sum-exp alone. */
HARNESS_STATIC attn_status run_forward(shape s, arrays a) {
    const attn_attention call = attention_of(s, a);
    return run(&call, (attn_attention_results){.output = a.output, .lse = a.lse});
}

/* Weights and scores alone, either of which may be null. */
HARNESS_STATIC attn_status run_weights(shape s, arrays a, float *scores, float *weights) {
    const attn_attention call = attention_of(s, a);
    return run(&call, (attn_attention_results){.scores = scores, .weights = weights});
}

#endif
