/* additive_test.c: c/additive.c, both forms, against the float64 oracle, on guarded memory. */
#include "harness.h"

#include "additive_problem.h"
#include "attn.h"

typedef attn_status (*form)(const attn_additive *, float *, float *, float *, float *, void *);
static const form forms[2] = {attn_additive_forward, attn_additive_pairwise_forward};

typedef struct {
    float *output, *lse, *weights, *scores;
} results;

static results results_of(const attn_additive *a) {
    const size_t pairs = (size_t)a->n_q * a->n_k;
    return (results){guarded_floats((size_t)a->n_q * a->d_v), guarded_floats(a->n_q),
                     guarded_floats(pairs), guarded_floats(pairs)};
}

static results run(form forward, const attn_additive *a) {
    const results r = results_of(a);
    void *scratch = guarded_bytes(attn_additive_forward_scratch(a), 64);
    CHECK(forward(a, r.output, r.lse, r.weights, r.scores, scratch) == ATTN_OK);
    return r;
}

/* Within 8 * 2^-24 * magnitude of the oracle, the bound of tests/golden/README.md. */
static void check_against_oracle(const attn_additive *a, const results *r) {
    const size_t pairs = (size_t)a->n_q * a->n_k, outputs = (size_t)a->n_q * a->d_v;
    const oracle_results exact = oracle_new_results(a->n_q, a->n_k, a->d_v);
    oracle_additive(a, &exact);
    const oracle_magnitudes largest = oracle_magnitude_additive(a, &exact);
    const double unit = 8 * 0x1p-24;
    CHECK_ALL_CLOSE(r->scores, exact.scores, pairs, unit * largest.scores);
    CHECK_ALL_CLOSE(r->weights, exact.weights, pairs, unit * largest.weights);
    CHECK_ALL_CLOSE(r->output, exact.output, outputs, unit * largest.output);
    CHECK_ALL_CLOSE(r->lse, exact.lse, a->n_q, unit * largest.lse);
    oracle_free_results(exact);
}

static void check_both(const attn_additive *a) {
    for (int i = 0; i < 2; i++) {
        const results r = run(forms[i], a);
        check_against_oracle(a, &r);
    }
}

/* ---- against the oracle ------------------------------------------------------------ */

TEST("both forms follow float64 for every small shape") { check_small_shapes(check_both); }

TEST("every number of hidden units works") { check_every_hidden_size(check_both); }

TEST("several blocks of queries and many keys") {
    const attn_additive a = problem(70, 131, 12, 12, 9, 24, 1);
    check_both(&a);
}

TEST("outputs keep their accuracy over thousands of keys") {
    attn_additive a = problem(3, 4096, 2, 2, 2, 2, 1);
    a.value = guarded_equal((size_t)4096 * 2, 0.7f);
    a.score_weight = guarded_equal(2, 0);
    check_both(&a);
}

TEST("scores keep their accuracy over thousands of hidden units") {
    attn_additive a = problem(2, 9, 3, 3, 1, 2048, 1);
    a.score_weight = guarded_equal(2048, 0.3f);
    check_both(&a);
}

TEST("the bias belongs to the argument of tanh") {
    attn_additive a = problem(5, 11, 3, 3, 4, 7, 1);
    a.bias = guarded_normals(7, 5, 2);
    check_both(&a);
}

TEST("projections of every size are right, small, mixed and saturated") {
    check_every_size_of_projections(check_both);
}

/* ---- where the factored form has to change its way -------------------------------------- */

TEST("large projections of opposite sign cancel as they should, at the boundary and far beyond") {
    static const float sizes[] = {0.0f,  9.0f,  14.9999f, 15.0f,  15.00001f, 16.0f, 22.0f,
                                  44.4f, 45.0f, 88.0f,    200.0f, 1e4f,      1e10f, 1e38f};
    enum { N = 14 };
    float query[N], key[2 * N];
    for (int i = 0; i < N; i++) {
        query[i] = sizes[i];
        key[2 * i] = -sizes[i];
        key[2 * i + 1] = -sizes[i] * 0.999f - 0.3f;
    }
    const attn_additive a = bare(query, N, key, 2 * N);
    for (int k = 0; k < 2; k++) {
        const results r = run(forms[k], &a);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 2 * N; j++)
                CHECK_CLOSE(r.scores[i * 2 * N + j], tanh((double)(query[i] + key[j])), 4e-7);
    }
}

TEST("score weights too large for the shared division are right too") {
    attn_additive a = problem(4, 9, 3, 3, 2, 6, 1);
    float *score_weight = guarded_normals(6, 1, 1e25);
    a.score_weight = score_weight;
    check_both(&a);
    for (int h = 0; h < 6; h++)
        score_weight[h] = (score_weight[h] * 1e-35f) * 1e-20f;
    check_both(&a);
}

TEST("the shared division neither overflows nor underflows at its limits") {
    static const float weights[] = {1, 1},
                       score_weights[][2] = {
                           {1e10f, -1e10f}, {1e-10f, 1e-10f}, {1e25f, 1e25f}, {1e-25f, 1e-25f}};
    float sizes[] = {-15, -14.5f, 0, 15};
    attn_additive a = bare(sizes, 4, sizes, 4);
    a.query_weight = a.key_weight = weights;
    a.d_hidden = 2;
    for (int k = 0; k < 4; k++) {
        a.score_weight = score_weights[k];
        const double v = (double)a.score_weight[0], sum = v + (double)a.score_weight[1];
        const results r = run(attn_additive_forward, &a);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                CHECK_CLOSE(r.scores[i * 4 + j], sum * tanh((double)(sizes[i] + sizes[j])),
                            4e-7 * v);
    }
}

TEST("a score does not depend on other queries and keys, to the last bit") {
    attn_additive a = problem(10, 20, 4, 4, 3, 8, 2);
    const results before = run(forms[0], &a);
    float *key = guarded_floats(80), *query = guarded_floats(40);
    memcpy(key, a.key, 80 * sizeof *key);
    memcpy(query, a.query, 40 * sizeof *query);
    key[4 * 9] = 1e5f, key[4 * 10] = NAN;
    query[4 * 3] = 1e5f, query[4 * 4] = NAN;
    a.key = key;
    a.query = query;
    const results after = run(forms[0], &a);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 20; j++)
            if (i != 3 && i != 4 && j != 9 && j != 10)
                CHECK(before.scores[i * 20 + j] == after.scores[i * 20 + j]);
}

/* ---- masks ---------------------------------------------------------------------------------- */

TEST("mask and causal rules follow float64, for more and for fewer keys than queries") {
    check_every_visibility(check_both, 1);
}

/* Changes the keys from `first` on: only their scores may change. */
static void check_untouched(attn_additive a, uint32_t first, float held) {
    const size_t keys = (size_t)a.n_k * a.d_k, values = (size_t)a.n_k * a.d_v;
    for (int k = 0; k < 2; k++) {
        const results before = run(forms[k], &a);
        attn_additive other = a;
        float *key = guarded_floats(keys), *value = guarded_floats(values);
        memcpy(key, a.key, keys * sizeof *key);
        memcpy(value, a.value, values * sizeof *value);
        for (size_t i = (size_t)first * a.d_k; i < keys; i++)
            key[i] = held;
        for (size_t i = (size_t)first * a.d_v; i < values; i++)
            value[i] = held;
        other.key = key;
        other.value = value;
        const results after = run(forms[k], &other);
        CHECK_SAME_FLOATS(after.output, before.output, (size_t)a.n_q * a.d_v);
        CHECK_SAME_FLOATS(after.weights, before.weights, (size_t)a.n_q * a.n_k);
        CHECK_SAME_FLOATS(after.lse, before.lse, a.n_q);
    }
}

TEST("a position that may not be attended touches nothing, even NaN and infinities") {
    static const float held[] = {NAN, INFINITY, -INFINITY, 1e38f, 0.0f};
    attn_additive masked = problem(6, 21, 3, 4, 5, 6, 1), causal = masked, windowed = masked;
    float *mask = guarded_floats(6 * 21);
    for (int i = 0; i < 6 * 21; i++)
        mask[i] = i % 21 >= 13 ? -INFINITY : 0.5f;
    masked.mask = mask;
    causal.window = causal_window(CAUSAL_UPPER_LEFT, 6, 21);
    windowed.window = (attn_window){2, 3, 1, 21};
    for (int i = 0; i < 5; i++) {
        check_untouched(masked, 13, held[i]);
        check_untouched(causal, 6, held[i]);
        check_untouched(windowed, 9, held[i]);
    }
}

TEST("a value that is not finite reaches the queries that may attend to it, and only their "
     "outputs") {
    attn_additive a = problem(4, 4, 3, 3, 2, 4, 1);
    float *value = guarded_normals(8, 3, 1);
    value[2 * 2] = INFINITY; /* of key 2, column 0 */
    value[2 * 3 + 1] = NAN;  /* of key 3, column 1 */
    a.value = value;
    a.window.right = 0;
    for (int k = 0; k < 2; k++) {
        const results r = run(forms[k], &a);
        for (int i = 0; i < 4; i++) {
            CHECK(i < 2 ? isfinite(r.output[2 * i]) : isinf(r.output[2 * i]));
            CHECK(i < 3 ? isfinite(r.output[2 * i + 1]) : isnan(r.output[2 * i + 1]));
        }
    }
}

TEST("NaN in a query or in a mask makes its row NaN, in a key all rows") {
    for (int k = 0; k < 2; k++) {
        attn_additive a = problem(9, 10, 3, 3, 2, 5, 1);
        float *query = guarded_normals(27, 1, 1), *key = guarded_normals(30, 2, 1);
        a.query = query;
        query[3 * 4] = NAN;
        const results of_query = run(forms[k], &a);
        for (int i = 0; i < 18; i++)
            CHECK(isnan(of_query.output[i]) == (i / 2 == 4));
        query[3 * 4] = 0;
        a.key = key;
        key[3 * 7 + 1] = NAN;
        const results of_key = run(forms[k], &a);
        for (int i = 0; i < 18; i++)
            CHECK(isnan(of_key.output[i]));
        key[3 * 7 + 1] = 0;
        float *mask = guarded_floats(90);
        for (int i = 0; i < 90; i++)
            mask[i] = i == 25 ? NAN : 0;
        a.mask = mask;
        const results of_mask = run(forms[k], &a);
        for (int i = 0; i < 18; i++)
            CHECK(isnan(of_mask.output[i]) == (i / 2 == 2));
    }
}

/* ---- optional results and empty sizes -------------------------------------------------- */

TEST("output and lse are the same bits with and without weights and scores") {
    for (int causal = 0; causal <= 2; causal++) {
        attn_additive a = problem(40, 45, 5, 5, 7, 9, 1);
        a.window = causal_window((causality)causal, 40, 45);
        for (int k = 0; k < 2; k++) {
            const results all = run(forms[k], &a), bare_results = results_of(&a);
            void *scratch = guarded_bytes(attn_additive_forward_scratch(&a), 16);
            forms[k](&a, bare_results.output, bare_results.lse, NULL, NULL, scratch);
            CHECK_SAME_FLOATS(bare_results.output, all.output, 40 * 7);
            CHECK_SAME_FLOATS(bare_results.lse, all.lse, 40);
            forms[k](&a, bare_results.output, bare_results.lse, NULL, bare_results.scores, scratch);
            CHECK_SAME_FLOATS(bare_results.scores, all.scores, 40 * 45);
            CHECK_SAME_FLOATS(bare_results.output, all.output, 40 * 7);
        }
    }
}

TEST("a block of queries that sees fewer keys stays within the scratch of all") {
    const attn_additive a = problem(960, 1000, 2, 2, 72, 3, 1);
    attn_additive causal = a;
    causal.window.right = 0;
    run(forms[0], &causal);
}

TEST("no queries, no keys and no value columns are fine") {
    attn_additive a = problem(3, 4, 2, 2, 2, 3, 1);
    for (int k = 0; k < 2; k++) {
        attn_additive none = a;
        none.n_q = 0;
        run(forms[k], &none);
        none = a;
        none.d_v = 0;
        const results no_columns = run(forms[k], &none);
        CHECK(isfinite(no_columns.lse[2]));
        none = a;
        none.n_k = none.window.key_count = 0;
        const results no_keys = run(forms[k], &none);
        for (int i = 0; i < 6; i++)
            CHECK(no_keys.output[i] == 0.0f);
        for (int i = 0; i < 3; i++)
            CHECK(no_keys.lse[i] == -INFINITY);
    }
}

TEST("impossible shapes and options are refused, and nothing is written") {
    const attn_additive good = problem(2, 2, 2, 2, 2, 2, 1);
    for (int k = 0; k < 2; k++) {
        attn_additive a[7] = {good, good, good, good, good, good, good};
        static const attn_status expected[7] = {
            ATTN_ERROR_SHAPE,    ATTN_ERROR_SHAPE,    ATTN_ERROR_SHAPE,   ATTN_ERROR_OPTION,
            ATTN_ERROR_CAPACITY, ATTN_ERROR_CAPACITY, ATTN_ERROR_CAPACITY};
        a[0].d_q = 0;
        a[1].d_k = 0;
        a[2].d_hidden = 0;
        a[3].window.left = -2;
        a[4].n_k = UINT32_MAX;
        a[5].d_hidden = UINT32_MAX;
        a[6].n_q = a[6].n_k = 1u << 20;
        for (int i = 0; i < 7; i++) {
            float untouched[4] = {9, 9, 9, 9};
            CHECK(forms[k](&a[i], untouched, untouched, untouched, untouched, untouched) ==
                  expected[i]);
            for (int j = 0; j < 4; j++)
                CHECK(untouched[j] == 9.0f);
        }
        CHECK(attn_additive_forward_scratch(&a[4]) == ATTN_TOO_LARGE);
        CHECK(attn_additive_forward_scratch(&a[0]) == 0);
    }
}

TEST("scratch grows with n, not with n squared") {
    attn_additive a = problem(1, 1, 64, 64, 64, 64, 1);
    a.n_q = a.n_k = 65536;
    CHECK(attn_additive_forward_scratch(&a) < 65536u * 64 * 4 * 4);
}

TEST_MAIN
