/*
 * attention_backward_fuzz.c: attn_attention_backward with any shape, mask, causal
 * option and numbers, against the oracle.
 */
#include "attention_input.h"

typedef struct {
    float *d_query, *d_key, *d_value;
    double d_scale;
} gradients;

static gradients run(const attention_input *p) {
    gradients g = {.d_query = fuzz_memory((size_t)p->n_q * p->d_k),
                   .d_key = fuzz_zeros((size_t)p->n_k * p->d_k),
                   .d_value = fuzz_zeros((size_t)p->n_k * p->d_v)};
    void *scratch = fuzz_scratch(attn_attention_backward_scratch(p->n_q, p->n_k, p->d_k, p->d_v));
    FUZZ_CHECK(attn_attention_backward(p->query, p->key, p->value, p->mask, p->d_output, p->n_q,
                                       p->n_k, p->d_k, p->d_v, p->scale, p->causal, g.d_query,
                                       g.d_key, g.d_value, &g.d_scale, scratch) == ATTN_OK);
    return g;
}

static void compare_with_oracle(const attention_input *p, const gradients *g) {
    const size_t queries = (size_t)p->n_q * p->d_k, keys = (size_t)p->n_k * p->d_k;
    const size_t values = (size_t)p->n_k * p->d_v;
    double *d_query = fuzz_doubles(queries), *d_key = fuzz_doubles(keys);
    double *d_value = fuzz_doubles(values), d_scale;
    oracle_attention_backward(p->query, p->key, p->value, p->mask, p->d_output, p->n_q, p->n_k,
                              p->d_k, p->d_v, (double)p->scale, p->causal, d_query, d_key, d_value,
                              &d_scale);
    const oracle_gradient_magnitudes magnitude = oracle_magnitude_attention_backward(
        p->query, p->key, p->value, p->mask, p->d_output, p->n_q, p->n_k, p->d_k, p->d_v,
        (double)p->scale, p->causal);
    fuzz_compare("d_query", g->d_query, d_query, queries, fuzz_unit * magnitude.query);
    fuzz_compare("d_key", g->d_key, d_key, keys, fuzz_unit * magnitude.key);
    fuzz_compare("d_value", g->d_value, d_value, values, fuzz_unit * magnitude.value);
    fuzz_close("d_scale", 0, g->d_scale, d_scale, fuzz_unit * magnitude.scale);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const attention_input p = read_attention(&input);
    const gradients g = run(&p);
    if (!input.wild)
        compare_with_oracle(&p, &g);
    input.wild = 1;
    spoil_hidden_keys(&input, &p);
    const gradients spoilt = run(&p);
    fuzz_same(spoilt.d_query, g.d_query, (size_t)p.n_q * p.d_k);
    fuzz_same(spoilt.d_key, g.d_key, (size_t)p.n_k * p.d_k);
    fuzz_same(spoilt.d_value, g.d_value, (size_t)p.n_k * p.d_v);
    return fuzz_end();
}
