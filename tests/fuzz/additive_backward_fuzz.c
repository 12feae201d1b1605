/*
 * additive_backward_fuzz.c: the gradient of additive attention with any shape, mask, window,
 * sink and numbers, against the oracle.
 */
#include "additive_input.h"

enum { ARRAYS = 7, OF_BIAS = 6 };

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

/* Returns the gradient of the sink. */
static double run(const attn_additive *a, const float *d_output, int wants_bias,
                  const size_t counts[ARRAYS], float *d[ARRAYS]) {
    double d_sink = 0;
    for (int k = 0; k < ARRAYS; k++)
        d[k] = fuzz_zeros(counts[k]);
    const attn_additive_gradient gradient = {
        d[0], d[1], d[2], d[3], d[4], d[5], wants_bias ? d[OF_BIAS] : NULL, &d_sink};
    void *scratch = fuzz_scratch(attn_additive_backward_scratch(a));
    FUZZ_CHECK(attn_additive_backward(a, d_output, &gradient, scratch) == ATTN_OK);
    return d_sink;
}

/* The oracle's gradient, and that of the sink; absolute: its magnitudes. */
static double run_oracle(const attn_additive *a, const float *d_output, int absolute,
                         const size_t counts[ARRAYS], double *results[ARRAYS]) {
    double d_sink = 0;
    for (int k = 0; k < ARRAYS; k++)
        results[k] = fuzz_doubles(counts[k]);
    const oracle_additive_gradient gradient = {results[0], results[1], results[2], results[3],
                                               results[4], results[5], results[6], &d_sink};
    oracle_additive_backward(a, d_output, absolute, &gradient);
    return d_sink;
}

static void compare_with_oracle(const attn_additive *a, const float *d_output, int arrays,
                                const size_t counts[ARRAYS], float *const actual[ARRAYS],
                                double d_sink) {
    double *expected[ARRAYS], *magnitudes[ARRAYS];
    const double sink = run_oracle(a, d_output, 0, counts, expected);
    fuzz_close("d_sink", 0, d_sink, sink,
               fuzz_unit * run_oracle(a, d_output, 1, counts, magnitudes));
    for (int k = 0; k < arrays; k++) {
        double largest = 0;
        for (size_t e = 0; e < counts[k]; e++)
            largest = fmax(largest, magnitudes[k][e]);
        /* A slope of tanh below 2^-90 counts as 0. */
        fuzz_compare(names[k], actual[k], expected[k], counts[k], fuzz_unit * largest + 1e-20);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const int wants_bias = fuzz_byte(&input) & 1, arrays = wants_bias ? ARRAYS : ARRAYS - 1;
    attn_additive a = read_additive(&input);
    const float *d_output = fuzz_floats(&input, (size_t)a.n_q * a.d_v);
    size_t counts[ARRAYS];
    float *d[ARRAYS], *spoilt[ARRAYS];
    read_counts(&a, counts);
    const double d_sink = run(&a, d_output, wants_bias, counts, d);
    if (!input.wild)
        compare_with_oracle(&a, d_output, arrays, counts, d, d_sink);
    input.wild = 1;
    spoil_hidden_keys(&input, &a);
    run(&a, d_output, wants_bias, counts, spoilt);
    for (int k = 0; k < arrays; k++)
        fuzz_same(spoilt[k], d[k], counts[k]);
    return fuzz_end();
}
