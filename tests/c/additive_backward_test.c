/* additive_backward_test.c: c/additive_backward.c against the float64 oracle, on guarded
 * memory, and the oracle against central differences of the forward pass. */
#include "harness.h"

#include "additive_problem.h"
#include "attn.h"
#include "oracle.h"

/* ---- problems and results -------------------------------------------------------------- */

enum { ARRAYS = 7, WRITTEN = 3 }; /* the first three are written, the others added to */

static const char *const names[ARRAYS] = {"query",      "key",          "value", "query weight",
                                          "key weight", "score weight", "bias"};

typedef struct {
    size_t counts[ARRAYS];
} sizes;

static sizes sizes_of(const attn_additive *a) {
    return (sizes){{(size_t)a->n_q * a->d_q, (size_t)a->n_k * a->d_k, (size_t)a->n_k * a->d_v,
                    (size_t)a->d_hidden * a->d_q, (size_t)a->d_hidden * a->d_k, a->d_hidden,
                    a->d_hidden}};
}

typedef struct {
    float *arrays[ARRAYS];
    double *sink;
} results;

static attn_additive_gradient gradient_of(const results *r) {
    float *const *x = r->arrays;
    return (attn_additive_gradient){x[0], x[1], x[2], x[3], x[4], x[5], x[6], r->sink};
}

/* NaN where results are written, 0 where they are added to. */
static results empty_results(const attn_additive *a) {
    const sizes size = sizes_of(a);
    results r = {.sink = guarded_bytes(sizeof(double), 8)};
    *r.sink = 0;
    for (int k = 0; k < ARRAYS; k++) {
        r.arrays[k] = guarded_floats(size.counts[k]);
        if (k >= WRITTEN)
            memset(r.arrays[k], 0, size.counts[k] * sizeof(float));
    }
    return r;
}

static void run_into(const attn_additive *a, const float *d_output, const results *r) {
    const attn_additive_gradient gradient = gradient_of(r);
    void *scratch = guarded_bytes(attn_additive_backward_scratch(a), 64);
    CHECK(attn_additive_backward(a, d_output, &gradient, scratch) == ATTN_OK);
}

static results run(const attn_additive *a, const float *d_output) {
    const results r = empty_results(a);
    run_into(a, d_output, &r);
    return r;
}

static float *some_gradient(const attn_additive *a) {
    return guarded_normals((size_t)a->n_q * a->d_v, 4711, 1);
}

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
        double largest = 0;
        for (size_t e = 0; e < size.counts[k]; e++)
            largest = fmax(largest, terms[k][e]);
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
    double sum = 0;
    oracle_additive(a, &r);
    for (size_t e = 0; e < (size_t)a->n_q * a->d_v; e++)
        sum += r.output[e] * (double)d_output[e];
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

/* ---- hidden positions ---------------------------------------------------------------------- */

/* Equal results, but for the sign of zeros: 0 times a number has that of the number. */
static void check_equal(const results *actual, const results *expected, const sizes *size) {
    for (int k = 0; k < ARRAYS; k++)
        for (size_t e = 0; e < size->counts[k]; e++)
            if (!(actual->arrays[k][e] == expected->arrays[k][e]))
                check_failed(__FILE__, __LINE__, "gradient of %s [%zu] is %g, expected %g",
                             names[k], e, (double)actual->arrays[k][e],
                             (double)expected->arrays[k][e]);
}

static const float *with_rows(const float *x, uint32_t rows, uint32_t d, uint32_t first,
                              uint32_t end, float held) {
    float *copy = guarded_floats((size_t)rows * d);
    memcpy(copy, x, (size_t)rows * d * sizeof *x);
    for (size_t e = (size_t)first * d; e < (size_t)end * d; e++)
        copy[e] = held;
    return copy;
}

TEST("keys, values and queries that take part in no pair touch nothing, whatever they hold") {
    static const float held[] = {NAN, INFINITY, -INFINITY, 1e38f, 0.0f};
    attn_additive a = problem(6, 21, 3, 4, 5, 6, 1);
    const sizes size = sizes_of(&a);
    float *mask = guarded_floats(6 * 21);
    for (int i = 0; i < 6 * 21; i++) /* query 2 is dead, and keys 13 ... 17 */
        mask[i] = (i % 21 >= 13 && i % 21 < 18) || i / 21 == 2 ? -INFINITY : 0.5f;
    a.mask = mask;
    const float *d_output = some_gradient(&a);
    const results before = run(&a, d_output);
    for (int k = 0; k < 5; k++) {
        attn_additive other = a;
        other.key = with_rows(a.key, 21, 4, 13, 18, held[k]);
        other.value = with_rows(a.value, 21, 5, 13, 18, held[k]);
        other.query = with_rows(a.query, 6, 3, 2, 3, held[k]);
        const results after = run(&other, with_rows(d_output, 6, 5, 2, 3, held[k]));
        check_equal(&after, &before, &size);
    }
    for (int e = 2 * 3; e < 3 * 3; e++)
        CHECK(before.arrays[0][e] == 0);
    for (int e = 13 * 4; e < 18 * 4; e++)
        CHECK(before.arrays[1][e] == 0);
    for (int e = 13 * 5; e < 18 * 5; e++)
        CHECK(before.arrays[2][e] == 0);
}

TEST("a dead query and a dead key have gradient 0 though weights are NaN") {
    attn_additive a = problem(3, 4, 2, 2, 2, 3, 1);
    float *mask = guarded_floats(12);
    for (int i = 0; i < 12; i++)
        mask[i] = i / 4 == 1 || i % 4 == 2 ? -INFINITY : 0;
    a.mask = mask;
    a.query_weight = a.key_weight = a.score_weight = with_rows(a.key_weight, 3, 2, 0, 3, NAN);
    const results r = run(&a, some_gradient(&a));
    for (int e = 0; e < 6; e++)
        CHECK(isnan(r.arrays[0][e]) == (e / 2 != 1));
    for (int e = 0; e < 8; e++)
        CHECK(isnan(r.arrays[1][e]) == (e / 2 != 2));
}

TEST("a number that is not finite reaches the pairs that see it and no others") {
    static const float held[] = {NAN, INFINITY};
    enum { N = 40 };
    attn_additive a = problem(N, N, 3, 3, 2, 4, 1);
    a.window.right = 0;
    const float *d_output = some_gradient(&a);
    const results before = run(&a, d_output);
    for (int k = 0; k < 2; k++) {
        /* Row 35 of d_output: query 35 and keys up to 35. */
        const results of_output = run(&a, with_rows(d_output, N, 2, 35, 36, held[k]));
        for (int e = 0; e < N * 3; e++) {
            CHECK(isnan(of_output.arrays[0][e]) == (e / 3 == 35));
            CHECK(isnan(of_output.arrays[1][e]) == (e / 3 <= 35));
        }
        for (int e = 0; e < N * 2; e++)
            CHECK(isfinite(of_output.arrays[2][e]) == (e / 2 > 35));
        CHECK_SAME_FLOATS(of_output.arrays[0], before.arrays[0], 35 * 3);
        CHECK_SAME_FLOATS(of_output.arrays[1] + 36 * 3, before.arrays[1] + 36 * 3, 4 * 3);
        CHECK_SAME_FLOATS(of_output.arrays[2] + 36 * 2, before.arrays[2] + 36 * 2, 4 * 2);
        CHECK(isnan(of_output.arrays[5][0]) && isnan(of_output.arrays[4][0]));
        /* Value 35: queries from 35 on, and through them keys of any number. */
        attn_additive other = a;
        other.value = with_rows(a.value, N, 2, 35, 36, held[k]);
        const results of_value = run(&other, d_output);
        for (int e = 0; e < N * 3; e++)
            CHECK(isnan(of_value.arrays[0][e]) == (e / 3 >= 35));
        CHECK_SAME_FLOATS(of_value.arrays[0], before.arrays[0], 35 * 3);
        CHECK_SAME_FLOATS(of_value.arrays[2], before.arrays[2], N * 2);
    }
}

TEST("NaN in a query or key makes NaN the gradients of its pairs") {
    attn_additive a = problem(9, 10, 3, 3, 2, 5, 1);
    const float *d_output = some_gradient(&a);
    attn_additive other = a;
    other.window = a.window = (attn_window){1, -1, 0, 10}; /* key j for query i when j <= i + 1 */
    const results before = run(&a, d_output);
    other.query = with_rows(a.query, 9, 3, 4, 5, NAN);
    const results of_query = run(&other, d_output);
    for (int e = 0; e < 27; e++)
        CHECK(isnan(of_query.arrays[0][e]) == (e / 3 == 4));
    for (int e = 0; e < 30; e++)
        CHECK(isnan(of_query.arrays[1][e]) == (e / 3 <= 5));
    CHECK_SAME_FLOATS(of_query.arrays[1] + 18, before.arrays[1] + 18, 12);
    CHECK_SAME_FLOATS(of_query.arrays[2] + 12, before.arrays[2] + 12, 8);
    other.query = a.query;
    other.key = with_rows(a.key, 10, 3, 6, 7, NAN);
    const results of_key = run(&other, d_output);
    for (int e = 0; e < 27; e++)
        CHECK(isnan(of_key.arrays[0][e]) == (e / 3 >= 5));
    CHECK_SAME_FLOATS(of_key.arrays[0], before.arrays[0], 15);
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
