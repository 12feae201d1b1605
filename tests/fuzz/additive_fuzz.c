/*
 * additive_fuzz.c: both forms of additive attention with any shape, mask,
 * causal option and numbers, against the oracle.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "additive_problem.h"
#include "attn.h"
#include "fuzz.h"
#include "oracle.h"

typedef struct {
    float *output, *lse, *weights, *scores;
} results;

static results allocate_results(const attn_additive *a) {
    const size_t pairs = (size_t)a->n_q * a->n_k;
    return (results){fuzz_memory((size_t)a->n_q * a->d_v * sizeof(float)),
                     fuzz_memory(a->n_q * sizeof(float)), fuzz_memory(pairs * sizeof(float)),
                     fuzz_memory(pairs * sizeof(float))};
}

static void compare_with_oracle(const attn_additive *a, const results *r) {
    const size_t pairs = (size_t)a->n_q * a->n_k, outputs = (size_t)a->n_q * a->d_v;
    double *output = doubles(outputs), *lse = doubles(a->n_q);
    double *weights = doubles(pairs), *scores = doubles(pairs);
    oracle_additive(a, output, lse, weights, scores);
    const oracle_magnitudes magnitude = oracle_magnitude_additive(a, weights, lse);
    const double unit = 8 * 0x1p-24;
    fuzz_compare("output", r->output, output, outputs, unit * magnitude.output);
    fuzz_compare("lse", r->lse, lse, a->n_q, unit * magnitude.lse);
    fuzz_compare("weights", r->weights, weights, pairs, unit * magnitude.weights);
    fuzz_compare("scores", r->scores, scores, pairs, unit * magnitude.scores);
    free(output);
    free(lse);
    free(weights);
    free(scores);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0};
    const uint8_t mode = fuzz_byte(&input);
    input.wild = mode & 1;
    const attn_additive a = read_problem(&input);
    const results r = allocate_results(&a);
    void *scratch = fuzz_scratch(attn_additive_forward_scratch(&a));
    const attn_status status =
        (mode & 2)
            ? attn_additive_pairwise_forward(&a, r.output, r.lse, r.weights, r.scores, scratch)
            : attn_additive_forward(&a, r.output, r.lse, r.weights, r.scores, scratch);
    if (status != ATTN_OK)
        abort();
    if (!input.wild)
        compare_with_oracle(&a, &r);
    const void *all[] = {a.query,      a.key,          a.value, a.mask,   a.query_weight,
                         a.key_weight, a.score_weight, a.bias,  r.output, r.lse,
                         r.weights,    r.scores,       scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free((void *)(uintptr_t)all[i]);
    return 0;
}
