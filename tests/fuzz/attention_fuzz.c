/*
 * attention_fuzz.c: attn_attention_forward with any shape, mask, window, cap, sink and numbers,
 * against the oracle; all results, then some of them.
 */
#include "attention_input.h"

static attn_attention_results run(const attn_attention *a, int wanted) {
    const size_t pairs = (size_t)a->n_q * a->n_k;
    const attn_attention_results r = {.output = (wanted & 1) ? fuzz_memory((size_t)a->n_q * a->d_v)
                                                             : NULL,
                                      .lse = (wanted & 2) ? fuzz_memory(a->n_q) : NULL,
                                      .scores = (wanted & 4) ? fuzz_memory(pairs) : NULL,
                                      .capped = (wanted & 8) ? fuzz_memory(pairs) : NULL,
                                      .masked = (wanted & 16) ? fuzz_memory(pairs) : NULL,
                                      .weights = (wanted & 96) ? fuzz_memory(pairs) : NULL,
                                      .mean = (wanted & 64) ? fuzz_zeros(pairs) : NULL,
                                      .share = 0.5F};
    void *scratch = fuzz_scratch(attn_attention_forward_scratch(a, r.weights != NULL));
    FUZZ_CHECK(attn_attention_forward(a, &r, scratch) == ATTN_OK);
    return r;
}

static void compare_with_oracle(const attn_attention *a, const attn_attention_results *r) {
    const size_t pairs = (size_t)a->n_q * a->n_k;
    const oracle_results exact = oracle_new_results(a->n_q, a->n_k, a->d_v);
    oracle_attention(a, &exact);
    const oracle_magnitudes magnitude = oracle_magnitude_attention(a, &exact);
    fuzz_compare("output", r->output, exact.output, (size_t)a->n_q * a->d_v,
                 fuzz_unit * magnitude.output);
    fuzz_compare("lse", r->lse, exact.lse, a->n_q, fuzz_unit * magnitude.lse);
    fuzz_compare("scores", r->scores, exact.scores, pairs, fuzz_unit * magnitude.scores);
    fuzz_compare("capped", r->capped, exact.capped, pairs, fuzz_unit * magnitude.capped);
    fuzz_compare("masked", r->masked, exact.masked, pairs, fuzz_unit * magnitude.capped);
    fuzz_compare("weights", r->weights, exact.weights, pairs, fuzz_unit * magnitude.weights);
    for (size_t e = 0; e < pairs; e++)
        exact.weights[e] *= 0.5;
    fuzz_compare("mean", r->mean, exact.weights, pairs, fuzz_unit * magnitude.weights);
    oracle_free_results(exact);
}

static void same(const float *some, const float *all, size_t count) {
    if (some != NULL)
        fuzz_same(some, all, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const int wanted = fuzz_byte(&input);
    attn_attention a = read_attention(&input);
    const size_t pairs = (size_t)a.n_q * a.n_k;
    const attn_attention_results all = run(&a, 127);
    if (!input.wild)
        compare_with_oracle(&a, &all);
    const attn_attention_results some = run(&a, wanted);
    same(some.scores, all.scores, pairs);
    same(some.capped, all.capped, pairs);
    input.wild = 1;
    spoil_hidden_keys(&input, &a);
    const attn_attention_results spoilt = run(&a, wanted);
    same(spoilt.output, all.output, (size_t)a.n_q * a.d_v);
    same(spoilt.lse, all.lse, a.n_q);
    same(spoilt.masked, all.masked, pairs);
    same(spoilt.weights, all.weights, pairs);
    same(spoilt.mean, all.mean, pairs);
    return fuzz_end();
}
