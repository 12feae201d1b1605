/*
 * additive_problem.h: additive attention from the bytes of a fuzzer.
 */
#ifndef ATTN_FUZZ_ADDITIVE_PROBLEM_H
#define ATTN_FUZZ_ADDITIVE_PROBLEM_H

#include "attn.h"
#include "fuzz.h"

static inline attn_additive read_problem(fuzz_input *input) {
    attn_additive a = {.n_q = fuzz_size(input, 0),
                       .n_k = fuzz_size(input, 0),
                       .d_q = fuzz_size(input, 1),
                       .d_k = fuzz_size(input, 1),
                       .d_v = fuzz_size(input, 0),
                       .d_hidden = fuzz_size(input, 1)};
    const uint8_t options = fuzz_byte(input);
    a.causal = options % 3;
    a.query = fuzz_floats(input, (size_t)a.n_q * a.d_q);
    a.key = fuzz_floats(input, (size_t)a.n_k * a.d_k);
    a.value = fuzz_floats(input, (size_t)a.n_k * a.d_v);
    a.query_weight = fuzz_floats(input, (size_t)a.d_hidden * a.d_q);
    a.key_weight = fuzz_floats(input, (size_t)a.d_hidden * a.d_k);
    a.score_weight = fuzz_floats(input, a.d_hidden);
    if (options & 16)
        a.bias = fuzz_floats(input, a.d_hidden);
    if (options & 32) {
        const size_t pairs = (size_t)a.n_q * a.n_k;
        float *mask = fuzz_floats(input, pairs);
        for (size_t i = 0; i < pairs; i++)
            if (mask[i] > 2.0F)
                mask[i] = -INFINITY;
        a.mask = mask;
    }
    return a;
}

#endif
