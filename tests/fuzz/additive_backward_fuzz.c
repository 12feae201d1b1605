/*
 * additive_backward_fuzz.c: the gradient of additive attention with any shape, mask,
 * causal option and numbers, against the oracle.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "additive_problem.h"
#include "attn.h"
#include "fuzz.h"
#include "oracle.h"

enum { ARRAYS = 7, WRITTEN = 3 }; /* the first three are written, the others added to */

static const char *const names[ARRAYS] = {
    "d_query", "d_key", "d_value", "d_query_weight", "d_key_weight", "d_score_weight", "d_bias"};

static void read_counts(const attn_additive *a, size_t counts[ARRAYS]) {
    const size_t sizes[ARRAYS] = {(size_t)a->n_q * a->d_q,
                                  (size_t)a->n_k * a->d_k,
                                  (size_t)a->n_k * a->d_v,
                                  (size_t)a->d_hidden * a->d_q,
                                  (size_t)a->d_hidden * a->d_k,
                                  a->d_hidden,
                                  a->d_hidden};
    memcpy(counts, sizes, sizeof sizes);
}

/* The oracle's gradient; absolute: its magnitudes. */
static void run_oracle(const attn_additive *a, const float *d_output, int absolute,
                       const size_t counts[ARRAYS], double *results[ARRAYS]) {
    for (int k = 0; k < ARRAYS; k++)
        results[k] = doubles(counts[k]);
    const oracle_additive_gradient gradient = {results[0], results[1], results[2], results[3],
                                               results[4], results[5], results[6]};
    oracle_additive_backward(a, d_output, absolute, &gradient);
}

static void compare_with_oracle(const attn_additive *a, const float *d_output,
                                const size_t counts[ARRAYS], float *const actual[ARRAYS]) {
    double *expected[ARRAYS], *magnitudes[ARRAYS];
    run_oracle(a, d_output, 0, counts, expected);
    run_oracle(a, d_output, 1, counts, magnitudes);
    for (int k = 0; k < ARRAYS; k++) {
        double largest = 0;
        for (size_t e = 0; e < counts[k]; e++)
            largest = fmax(largest, magnitudes[k][e]);
        /* A slope of tanh below 2^-90 counts as 0. */
        fuzz_compare(names[k], actual[k], expected[k], counts[k], 8 * 0x1p-24 * largest + 1e-20);
        free(expected[k]);
        free(magnitudes[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0};
    input.wild = fuzz_byte(&input) & 1;
    const attn_additive a = read_problem(&input);
    float *d_output = fuzz_floats(&input, (size_t)a.n_q * a.d_v);
    size_t counts[ARRAYS];
    float *d[ARRAYS];
    read_counts(&a, counts);
    for (int k = 0; k < ARRAYS; k++) {
        d[k] = fuzz_memory(counts[k] * sizeof(float));
        if (k >= WRITTEN)
            memset(d[k], 0, counts[k] * sizeof(float));
    }
    const attn_additive_gradient gradient = {d[0], d[1], d[2], d[3], d[4], d[5], d[6]};
    void *scratch = fuzz_scratch(attn_additive_backward_scratch(&a));
    if (attn_additive_backward(&a, d_output, &gradient, scratch) != ATTN_OK)
        abort();
    if (!input.wild)
        compare_with_oracle(&a, d_output, counts, d);
    const void *inputs[] = {a.query,      a.key,          a.value, a.mask,   a.query_weight,
                            a.key_weight, a.score_weight, a.bias,  d_output, scratch};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        free((void *)(uintptr_t)inputs[i]);
    for (int k = 0; k < ARRAYS; k++)
        free(d[k]);
    return 0;
}
