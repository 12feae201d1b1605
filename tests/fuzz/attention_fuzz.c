/*
 * attention_fuzz.c: attn_attention_forward and attn_attention_weights with any
 * shape, mask, causal option and numbers, against the oracle.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "attn.h"
#include "fuzz.h"
#include "oracle.h"

typedef struct {
    uint32_t n_q, n_k, d_k, d_v;
    attn_causal causal;
    float scale;
    float *query, *key, *value, *mask;
} problem;

static problem read_problem(fuzz_input *input) {
    problem p = {.n_q = fuzz_size(input, 0),
                 .n_k = fuzz_size(input, 0),
                 .d_k = fuzz_size(input, 1),
                 .d_v = fuzz_size(input, 0)};
    const uint8_t options = fuzz_byte(input);
    p.causal = (attn_causal)(options % 3);
    p.scale = (options & 16) ? 1.0F : 0.25F;
    p.query = fuzz_floats(input, (size_t)p.n_q * p.d_k);
    p.key = fuzz_floats(input, (size_t)p.n_k * p.d_k);
    p.value = fuzz_floats(input, (size_t)p.n_k * p.d_v);
    if (options & 32) {
        p.mask = fuzz_floats(input, (size_t)p.n_q * p.n_k);
        for (size_t i = 0; i < (size_t)p.n_q * p.n_k; i++)
            if (p.mask[i] > 2.0F)
                p.mask[i] = -INFINITY;
    }
    return p;
}

static void compare_with_oracle(const problem *p, const float *output, const float *lse,
                                const float *scores, const float *weights) {
    const size_t pairs = (size_t)p->n_q * p->n_k, outputs = (size_t)p->n_q * p->d_v;
    double *exact_output = doubles(outputs), *exact_lse = doubles(p->n_q);
    double *exact_weights = doubles(pairs), *exact_scores = doubles(pairs);
    oracle_attention(p->query, p->key, p->value, p->mask, p->n_q, p->n_k, p->d_k, p->d_v,
                     (double)p->scale, p->causal, exact_output, exact_lse, exact_weights,
                     exact_scores);
    const oracle_magnitudes magnitude =
        oracle_magnitude_attention(p->query, p->key, p->value, p->mask, p->n_q, p->n_k, p->d_k,
                                   p->d_v, (double)p->scale, exact_weights, exact_lse);
    const double unit = 8 * 0x1p-24;
    fuzz_compare("output", output, exact_output, outputs, unit * magnitude.output);
    fuzz_compare("lse", lse, exact_lse, p->n_q, unit * magnitude.lse);
    fuzz_compare("scores", scores, exact_scores, pairs, unit * magnitude.scores);
    fuzz_compare("weights", weights, exact_weights, pairs, unit * magnitude.weights);
    free(exact_output);
    free(exact_lse);
    free(exact_weights);
    free(exact_scores);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0};
    input.wild = fuzz_byte(&input) & 1;
    const problem p = read_problem(&input);
    const size_t pairs = (size_t)p.n_q * p.n_k;
    float *output = fuzz_memory((size_t)p.n_q * p.d_v * sizeof *output);
    float *lse = fuzz_memory(p.n_q * sizeof *lse);
    float *scores = fuzz_memory(pairs * sizeof *scores);
    float *weights = fuzz_memory(pairs * sizeof *weights);
    void *scratch = fuzz_scratch(attn_attention_forward_scratch(p.n_q, p.n_k, p.d_k, p.d_v));
    void *more = fuzz_scratch(attn_attention_weights_scratch(p.n_q, p.n_k, p.d_k));
    if (attn_attention_forward(p.query, p.key, p.value, p.mask, p.n_q, p.n_k, p.d_k, p.d_v, p.scale,
                               p.causal, output, lse, scratch) != ATTN_OK ||
        attn_attention_weights(p.query, p.key, p.mask, p.n_q, p.n_k, p.d_k, p.scale, p.causal,
                               scores, weights, more) != ATTN_OK)
        abort();
    if (!input.wild)
        compare_with_oracle(&p, output, lse, scores, weights);
    void *all[] = {p.query, p.key, p.value, p.mask, output, lse, scores, weights, scratch, more};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return 0;
}
