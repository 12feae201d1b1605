/*
 * attention_backward_fuzz.c: attn_attention_backward with any shape, mask, window, cap, sink and
 * numbers, against the oracle.
 */
#include "attention_input.h"

typedef struct {
    float *d_query, *d_key, *d_value;
    double d_scale, d_sink;
} gradients;

static gradients run(const attn_attention *a, const float *d_output) {
    gradients g = {.d_query = fuzz_memory((size_t)a->n_q * a->d_k),
                   .d_key = fuzz_zeros((size_t)a->n_k * a->d_k),
                   .d_value = fuzz_zeros((size_t)a->n_k * a->d_v)};
    const attn_attention_gradient to = {g.d_query, g.d_key, g.d_value, &g.d_scale, &g.d_sink};
    void *scratch = fuzz_scratch(attn_attention_backward_scratch(a));
    FUZZ_CHECK(attn_attention_backward(a, d_output, &to, scratch) == ATTN_OK);
    return g;
}

static void compare_with_oracle(const attn_attention *a, const float *d_output,
                                const gradients *g) {
    const size_t queries = (size_t)a->n_q * a->d_k, keys = (size_t)a->n_k * a->d_k;
    const size_t values = (size_t)a->n_k * a->d_v;
    oracle_gradient exact = oracle_new_gradient(a), terms = oracle_new_gradient(a);
    oracle_attention_backward(a, d_output, 0, &exact);
    oracle_attention_backward(a, d_output, 1, &terms);
    fuzz_compare("d_query", g->d_query, exact.query, queries,
                 fuzz_unit * oracle_largest(terms.query, queries));
    fuzz_compare("d_key", g->d_key, exact.key, keys, fuzz_unit * oracle_largest(terms.key, keys));
    fuzz_compare("d_value", g->d_value, exact.value, values,
                 fuzz_unit * oracle_largest(terms.value, values));
    fuzz_close("d_scale", 0, g->d_scale, exact.scale, fuzz_unit * terms.scale);
    fuzz_close("d_sink", 0, g->d_sink, exact.sink, fuzz_unit * terms.sink);
    oracle_free_gradient(exact);
    oracle_free_gradient(terms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    attn_attention a = read_attention(&input);
    const float *d_output = fuzz_floats(&input, (size_t)a.n_q * a.d_v);
    const gradients g = run(&a, d_output);
    if (!input.wild)
        compare_with_oracle(&a, d_output, &g);
    input.wild = 1;
    spoil_hidden_keys(&input, &a);
    const gradients spoilt = run(&a, d_output);
    fuzz_same(spoilt.d_query, g.d_query, (size_t)a.n_q * a.d_k);
    fuzz_same(spoilt.d_key, g.d_key, (size_t)a.n_k * a.d_k);
    fuzz_same(spoilt.d_value, g.d_value, (size_t)a.n_k * a.d_v);
    return fuzz_end();
}
