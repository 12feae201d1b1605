/* additive_backward_test.c: c/additive_backward.c against the float64 oracle, on guarded
 * memory, and the oracle against central differences of the forward pass. */
#include "harness.h"

#include "additive_backward.h"
#include "attn.h"

/* ---- against the oracle ---------------------------------------------------------------- */

/* arrays [ARRAYS] and the sink. */
static oracle_additive_gradient oracle_arrays(const attn_additive *a, double *arrays[ARRAYS + 1]) {
    const sizes size = sizes_of(a);
    for (int k = 0; k < ARRAYS; k++)
        arrays[k] = doubles(size.counts[k]);
    arrays[ARRAYS] = doubles(1);
    return (oracle_additive_gradient){arrays[0], arrays[1], arrays[2], arrays[3],
                                      arrays[4], arrays[5], arrays[6], arrays[ARRAYS]};
}

/* Within 8 * 2^-24 * the largest magnitude of each array; the slope of tanh is 0 beyond
 * |x| = 32. */
static void check_against_oracle(const attn_additive *a, const float *d_output,
                                 const results *actual) {
    const sizes size = sizes_of(a);
    double *expected[ARRAYS + 1], *terms[ARRAYS + 1];
    const oracle_additive_gradient gradient = oracle_arrays(a, expected);
    const oracle_additive_gradient magnitude = oracle_arrays(a, terms);
    oracle_additive_backward(a, d_output, 0, &gradient);
    oracle_additive_backward(a, d_output, 1, &magnitude);
    for (int k = 0; k < ARRAYS; k++) {
        const double largest = oracle_largest(terms[k], size.counts[k]);
        check_all_close(__FILE__, __LINE__, names[k], actual->arrays[k], expected[k],
                        size.counts[k], 8 * 0x1p-24 * largest + 1e-24);
        free(expected[k]);
        free(terms[k]);
    }
    CHECK_CLOSE(*actual->sink, *expected[ARRAYS], 8 * 0x1p-24 * *terms[ARRAYS]);
    free(expected[ARRAYS]);
    free(terms[ARRAYS]);
}

static void check(const attn_additive *a) {
    const float *d_output = some_gradient(a);
    const results r = run(a, d_output);
    check_against_oracle(a, d_output, &r);
}

/* sum(output * d_output) by the oracle. */
static double loss(const attn_additive *a, const float *d_output) {
    const oracle_results r = oracle_new_results(a->n_q, a->n_k, a->d_v);
    const attn_attention h = oracle_additive_head(a);
    oracle_additive(a, &r);
    const double sum = oracle_loss(&h, &r, d_output);
    oracle_free_results(r);
    return sum;
}

TEST("the oracle agrees with central differences of the forward pass") {
    for (int causal = 0; causal <= 2; causal++) {
        attn_additive a = problem(4, 5, 3, 2, 3, 4, 1);
        float *bias = guarded_normals(4, 5, 1), *d_output = some_gradient(&a);
        a.bias = bias;
        a.window = causal_window((causality)causal, 4, 5);
        a.sink = causal == 2 ? 0.5f : -INFINITY;
        a.mask = causal == 1 ? NULL : some_mask(4, 5);
        /* Written to here alone; they come from guarded_normals. */
        float *inputs[ARRAYS] = {(float *)(uintptr_t)a.query,
                                 (float *)(uintptr_t)a.key,
                                 (float *)(uintptr_t)a.value,
                                 (float *)(uintptr_t)a.query_weight,
                                 (float *)(uintptr_t)a.key_weight,
                                 (float *)(uintptr_t)a.score_weight,
                                 bias};
        const sizes size = sizes_of(&a);
        double *expected[ARRAYS + 1];
        const oracle_additive_gradient gradient = oracle_arrays(&a, expected);
        oracle_additive_backward(&a, d_output, 0, &gradient);
        for (int k = 0; k < ARRAYS; k++) {
            for (size_t e = 0; e < size.counts[k]; e++) {
                const float x = inputs[k][e], above = x + 0x1p-12f, below = x - 0x1p-12f;
                inputs[k][e] = above;
                const double after = loss(&a, d_output);
                inputs[k][e] = below;
                const double before = loss(&a, d_output);
                inputs[k][e] = x;
                CHECK_CLOSE((after - before) / ((double)above - (double)below), expected[k][e],
                            1e-6);
            }
            free(expected[k]);
        }
        a.sink += 0x1p-12f; /* -Infinity stays, with a gradient of 0 */
        const double after = loss(&a, d_output);
        a.sink -= 0x1p-11f;
        CHECK_CLOSE((after - loss(&a, d_output)) * 0x1p11, *expected[ARRAYS], 1e-6);
        free(expected[ARRAYS]);
    }
}

TEST("gradients follow float64 for every small shape") { check_small_shapes(check); }

TEST("every number of hidden units works") { check_every_hidden_size(check); }

TEST("several blocks of queries, tiles of keys and runs of rows") {
    const attn_additive a = problem(70, 131, 12, 11, 9, 24, 1),
                        one_query = problem(1, 300, 3, 3, 3, 9, 1);
    check(&a);
    check(&one_query);
}

TEST("the bias moves the argument of tanh, and its gradient exists without it") {
    attn_additive a = problem(5, 11, 3, 3, 4, 7, 1);
    check(&a);
    a.bias = guarded_normals(7, 5, 2);
    check(&a);
}

TEST("projections of every size are right, small, mixed and saturated") {
    check_every_size_of_projections(check);
}

TEST("mask and causal rules follow float64, for more and for fewer keys than queries") {
    check_every_visibility(check, 3);
}

/* ---- saturation -------------------------------------------------------------------------- */

/* One query at x and two keys, one unit, of which the first key is at `first`; the second sees the
 * other side of 0, so weights near 1/2 stay known. */
static void check_slope(float x, float first, float d) {
    const float query[1] = {x}, key[2] = {first, -x}, value[2] = {1, 0}, d_output[1] = {d};
    attn_additive a = bare(query, 1, key, 2);
    a.value = value;
    const results r = run(&a, d_output);
    const double sum = (double)x + (double)first, score = tanh(sum);
    const double w = 1 / (1 + exp(-score)), d_score = w * (1 - w) * (double)d;
    const double d_key = fabs(sum) < 32 ? d_score / (cosh(sum) * cosh(sum)) : 0;
    const double subnormal = d < 1 ? 0x1p-149 * exp(30) : 0; /* before it is multiplied by e^2b */
    CHECK_CLOSE(r.arrays[1][0], d_key, 3e-6 * d_key + subnormal);
    CHECK_CLOSE(r.arrays[0][0], d_key - d_score, 3e-6 * d_score);
}

TEST("the slope of tanh keeps its digits where tanh is near 1, on both ways to it") {
    static const float sizes_tried[] = {0.0f,  5.0f,   10.0f, 14.9999f, 15.0f, 15.00001f,
                                        15.5f, 15.99f, 16.0f, 20.0f,    1e4f,  1e30f};
    static const float gradients[] = {1, 1e-18f, 1e18f};
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const float x = (float)sign * sizes_tried[i];
                check_slope(x, x, gradients[k]);
                check_slope(x, -x, gradients[k]);
            }
}

/* ---- accumulation -------------------------------------------------------------------------- */

TEST("gradients of weights are added to, the others written") {
    const attn_additive a = problem(40, 21, 4, 5, 3, 6, 1);
    const sizes size = sizes_of(&a);
    const float *d_output = some_gradient(&a);
    const results once = run(&a, d_output), twice = run(&a, d_output);
    run_into(&a, d_output, &twice);
    for (int k = 0; k < ARRAYS; k++)
        for (size_t e = 0; e < size.counts[k]; e++)
            CHECK_CLOSE(twice.arrays[k][e], (k < WRITTEN ? 1.0f : 2.0f) * once.arrays[k][e], 1e-5);
}

TEST("the other gradients are the same bits without one of the bias") {
    attn_additive a = problem(40, 21, 4, 5, 3, 6, 1);
    a.bias = guarded_normals(6, 3, 1);
    const sizes size = sizes_of(&a);
    const float *d_output = some_gradient(&a);
    const results all = run(&a, d_output);
    results without = empty_results(&a);
    without.arrays[6] = NULL;
    run_into(&a, d_output, &without);
    for (int k = 0; k < 6; k++)
        CHECK_SAME_FLOATS(without.arrays[k], all.arrays[k], size.counts[k]);
}

/* ---- empty sizes and refusals ---------------------------------------------------------- */

TEST("no queries, no keys and no value columns give gradients 0") {
    const attn_additive a = problem(3, 4, 2, 2, 2, 3, 1);
    for (int k = 0; k < 3; k++) {
        attn_additive none = a;
        none.n_q = k == 0 ? 0 : a.n_q;
        none.n_k = none.window.key_count = k == 1 ? 0 : a.n_k;
        none.d_v = k == 2 ? 0 : a.d_v;
        const sizes size = sizes_of(&none);
        const results r = run(&none, some_gradient(&none));
        for (int n = 0; n < ARRAYS; n++)
            for (size_t e = 0; e < size.counts[n]; e++)
                CHECK(r.arrays[n][e] == 0);
    }
}

TEST("impossible shapes and options are refused, and nothing is written") {
    const attn_additive good = problem(2, 2, 2, 2, 2, 2, 1);
    attn_additive a[7] = {good, good, good, good, good, good, good};
    static const attn_status expected[7] = {
        ATTN_ERROR_SHAPE,    ATTN_ERROR_SHAPE,    ATTN_ERROR_SHAPE,   ATTN_ERROR_OPTION,
        ATTN_ERROR_CAPACITY, ATTN_ERROR_CAPACITY, ATTN_ERROR_CAPACITY};
    a[0].d_q = 0;
    a[1].d_k = 0;
    a[2].d_hidden = 0;
    a[3].sink = INFINITY;
    a[4].n_k = UINT32_MAX;
    a[5].d_hidden = UINT32_MAX;
    a[6].n_k = 22u << 20; /* fits the forward pass, but not the gradient */
    for (int i = 0; i < 7; i++) {
        float u[4] = {9, 9, 9, 9};
        const attn_additive_gradient gradient = {u, u, u, u, u, u, u, NULL};
        CHECK(attn_additive_backward(&a[i], u, &gradient, u) == expected[i]);
        for (int j = 0; j < 4; j++)
            CHECK(u[j] == 9.0f);
        if (expected[i] != ATTN_ERROR_OPTION)
            CHECK(attn_additive_backward_scratch(&a[i]) == (i < 3 ? 0 : ATTN_TOO_LARGE));
    }
    CHECK(attn_additive_forward_scratch(&a[6]) != ATTN_TOO_LARGE);
}

TEST("scratch grows with n, not with n squared") {
    attn_additive a = problem(1, 1, 64, 64, 64, 64, 1);
    a.n_q = a.n_k = 65536;
    CHECK(attn_additive_backward_scratch(&a) < 65536u * 64 * 4 * 8);
}

TEST_MAIN
