/*
 * additive_fuzz.c: both forms of additive attention with any shape, mask, window,
 * sink and numbers, against the oracle.
 */
#include "additive_input.h"

typedef struct {
    float *output, *lse, *weights, *scores;
} results;

static results run(const attn_additive *a, int pairwise) {
    const size_t pairs = (size_t)a->n_q * a->n_k;
    const results r = {fuzz_memory((size_t)a->n_q * a->d_v), fuzz_memory(a->n_q),
                       fuzz_memory(pairs), fuzz_memory(pairs)};
    void *scratch = fuzz_scratch(attn_additive_forward_scratch(a));
    const attn_status status =
        pairwise ? attn_additive_pairwise_forward(a, r.output, r.lse, r.weights, r.scores, scratch)
                 : attn_additive_forward(a, r.output, r.lse, r.weights, r.scores, scratch);
    FUZZ_CHECK(status == ATTN_OK);
    return r;
}

static void compare_with_oracle(const attn_additive *a, const results *r) {
    const size_t pairs = (size_t)a->n_q * a->n_k, outputs = (size_t)a->n_q * a->d_v;
    const oracle_results exact = oracle_new_results(a->n_q, a->n_k, a->d_v);
    oracle_additive(a, &exact);
    const oracle_magnitudes magnitude = oracle_magnitude_additive(a, &exact);
    fuzz_compare("output", r->output, exact.output, outputs, fuzz_unit * magnitude.output);
    fuzz_compare("lse", r->lse, exact.lse, a->n_q, fuzz_unit * magnitude.lse);
    fuzz_compare("weights", r->weights, exact.weights, pairs, fuzz_unit * magnitude.weights);
    fuzz_compare("scores", r->scores, exact.scores, pairs, fuzz_unit * magnitude.scores);
    oracle_free_results(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const int pairwise = fuzz_byte(&input) & 1;
    attn_additive a = read_additive(&input);
    const results r = run(&a, pairwise);
    if (!input.wild)
        compare_with_oracle(&a, &r);
    input.wild = 1;
    spoil_hidden_keys(&input, &a);
    const results spoilt = run(&a, pairwise);
    fuzz_same(spoilt.output, r.output, (size_t)a.n_q * a.d_v);
    fuzz_same(spoilt.lse, r.lse, a.n_q);
    fuzz_same(spoilt.weights, r.weights, (size_t)a.n_q * a.n_k);
    return fuzz_end();
}
