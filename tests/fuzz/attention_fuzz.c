/*
 * attention_fuzz.c: attn_attention_forward and attn_attention_weights with any
 * shape, mask, causal option and numbers, against the oracle.
 */
#include "attention_input.h"

typedef struct {
    float *output, *lse, *scores, *weights;
} results;

static results run(const attention_input *p) {
    const size_t pairs = (size_t)p->n_q * p->n_k;
    const results r = {fuzz_memory((size_t)p->n_q * p->d_v), fuzz_memory(p->n_q),
                       fuzz_memory(pairs), fuzz_memory(pairs)};
    void *scratch = fuzz_scratch(attn_attention_forward_scratch(p->n_q, p->n_k, p->d_k, p->d_v));
    FUZZ_CHECK(attn_attention_forward(p->query, p->key, p->value, p->mask, p->n_q, p->n_k, p->d_k,
                                      p->d_v, p->scale, p->causal, r.output, r.lse,
                                      scratch) == ATTN_OK);
    scratch = fuzz_scratch(attn_attention_weights_scratch(p->n_k, p->d_k));
    FUZZ_CHECK(attn_attention_weights(p->query, p->key, p->mask, p->n_q, p->n_k, p->d_k, p->scale,
                                      p->causal, r.scores, r.weights, scratch) == ATTN_OK);
    return r;
}

static void compare_with_oracle(const attention_input *p, const results *r) {
    const size_t pairs = (size_t)p->n_q * p->n_k, outputs = (size_t)p->n_q * p->d_v;
    double *output = fuzz_doubles(outputs), *lse = fuzz_doubles(p->n_q);
    double *weights = fuzz_doubles(pairs), *scores = fuzz_doubles(pairs);
    oracle_attention(p->query, p->key, p->value, p->mask, p->n_q, p->n_k, p->d_k, p->d_v,
                     (double)p->scale, p->causal, output, lse, weights, scores);
    const oracle_magnitudes magnitude =
        oracle_magnitude_attention(p->query, p->key, p->value, p->mask, p->n_q, p->n_k, p->d_k,
                                   p->d_v, (double)p->scale, weights, lse);
    fuzz_compare("output", r->output, output, outputs, fuzz_unit * magnitude.output);
    fuzz_compare("lse", r->lse, lse, p->n_q, fuzz_unit * magnitude.lse);
    fuzz_compare("scores", r->scores, scores, pairs, fuzz_unit * magnitude.scores);
    fuzz_compare("weights", r->weights, weights, pairs, fuzz_unit * magnitude.weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const attention_input p = read_attention(&input);
    const results r = run(&p);
    if (!input.wild)
        compare_with_oracle(&p, &r);
    input.wild = 1;
    spoil_hidden_keys(&input, &p);
    const results spoilt = run(&p);
    fuzz_same(spoilt.output, r.output, (size_t)p.n_q * p.d_v);
    fuzz_same(spoilt.lse, r.lse, p.n_q);
    fuzz_same(spoilt.weights, r.weights, (size_t)p.n_q * p.n_k);
    return fuzz_end();
}
