/*
 * attention_backward_fuzz.c: attn_attention_backward and attn_unit_rows_backward with
 * any shape, mask, causal option and numbers, against the oracle.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "attn.h"
#include "fuzz.h"
#include "oracle.h"

typedef struct {
    uint32_t n_q, n_k, d_k, d_v;
    attn_causal causal;
    float scale;
    float *query, *key, *value, *mask, *d_output;
} problem;

typedef struct {
    float *d_query, *d_key, *d_value;
    double d_scale;
} gradients;

/* Up to 80 queries and 160 keys: more than a block and a chunk. */
static problem read_problem(fuzz_input *input) {
    problem p = {.n_q = 2 * fuzz_size(input, 0),
                 .n_k = 4 * fuzz_size(input, 0),
                 .d_k = fuzz_size(input, 1),
                 .d_v = fuzz_size(input, 0)};
    const uint8_t options = fuzz_byte(input);
    p.causal = (attn_causal)(options % 3);
    p.scale = (options & 16) ? 1.0F : 0.25F;
    p.n_q -= p.n_q > 0 && (options & 64);
    p.n_k -= p.n_k > 0 && (options & 128);
    p.query = fuzz_floats(input, (size_t)p.n_q * p.d_k);
    p.key = fuzz_floats(input, (size_t)p.n_k * p.d_k);
    p.value = fuzz_floats(input, (size_t)p.n_k * p.d_v);
    p.d_output = fuzz_floats(input, (size_t)p.n_q * p.d_v);
    if (options & 32) {
        p.mask = fuzz_floats(input, (size_t)p.n_q * p.n_k);
        for (size_t i = 0; i < (size_t)p.n_q * p.n_k; i++)
            if (p.mask[i] > 2.0F)
                p.mask[i] = -INFINITY;
    }
    return p;
}

static float *zeros(size_t count) {
    float *x = fuzz_memory(count * sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = 0;
    return x;
}

static void compare_with_oracle(const problem *p, const gradients *g) {
    const size_t queries = (size_t)p->n_q * p->d_k, keys = (size_t)p->n_k * p->d_k;
    const size_t values = (size_t)p->n_k * p->d_v;
    double *d_query = doubles(queries), *d_key = doubles(keys), *d_value = doubles(values);
    double d_scale;
    oracle_attention_backward(p->query, p->key, p->value, p->mask, p->d_output, p->n_q, p->n_k,
                              p->d_k, p->d_v, (double)p->scale, p->causal, d_query, d_key, d_value,
                              &d_scale);
    const oracle_gradient_magnitudes magnitude = oracle_magnitude_attention_backward(
        p->query, p->key, p->value, p->mask, p->d_output, p->n_q, p->n_k, p->d_k, p->d_v,
        (double)p->scale, p->causal);
    const double unit = 8 * 0x1p-24;
    fuzz_compare("d_query", g->d_query, d_query, queries, unit * magnitude.query);
    fuzz_compare("d_key", g->d_key, d_key, keys, unit * magnitude.key);
    fuzz_compare("d_value", g->d_value, d_value, values, unit * magnitude.value);
    if (fabs(g->d_scale - d_scale) > unit * magnitude.scale)
        abort();
    free(d_query);
    free(d_key);
    free(d_value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0};
    input.wild = fuzz_byte(&input) & 1;
    const problem p = read_problem(&input);
    gradients g = {.d_query = fuzz_memory((size_t)p.n_q * p.d_k * sizeof(float)),
                   .d_key = zeros((size_t)p.n_k * p.d_k),
                   .d_value = zeros((size_t)p.n_k * p.d_v)};
    float *d_unit = fuzz_memory((size_t)p.n_q * p.d_k * sizeof(float));
    void *scratch = fuzz_scratch(attn_attention_backward_scratch(p.n_q, p.n_k, p.d_k, p.d_v));
    if (attn_attention_backward(p.query, p.key, p.value, p.mask, p.d_output, p.n_q, p.n_k, p.d_k,
                                p.d_v, p.scale, p.causal, g.d_query, g.d_key, g.d_value, &g.d_scale,
                                scratch) != ATTN_OK)
        abort();
    if (!input.wild)
        compare_with_oracle(&p, &g);
    attn_unit_rows_backward(p.query, g.d_query, p.n_q, p.d_k, d_unit);
    void *all[] = {p.query,   p.key,   p.value,   p.mask, p.d_output,
                   g.d_query, g.d_key, g.d_value, d_unit, scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return 0;
}
