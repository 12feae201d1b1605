/* attention_statistics_test.c: statistics and maps of attention against the float64 oracle, and
 * moments of scores. */
#include "harness.h"

#include "attention_forward.h"
#include "attn.h"
#include "oracle_statistics.h"

static const char *const names[STATISTICS] = {"entropy",         "effective_keys", "jacobian_trace",
                                              "largest_weight",  "largest_score",  "score_mean",
                                              "score_deviation", "visible_keys",   "first_weight",
                                              "previous_weight", "sink_weight"};

/* All statistics of n_q queries, in order. */
typedef union {
    attn_statistics fields;
    float *all[STATISTICS];
} statistics;

static statistics make_statistics(uint32_t n_q) {
    statistics s;
    for (int k = 0; k < STATISTICS; k++)
        s.all[k] = guarded_floats(n_q);
    return s;
}

static attn_status look(const attn_attention *a, attn_attention_results r, const statistics *s,
                        const attn_attention_map *map) {
    const uint32_t bytes = attn_attention_statistics_forward_scratch(a, r.weights != NULL);
    return attn_attention_statistics_forward(a, &r, s == NULL ? NULL : &s->fields, map,
                                             guarded_bytes(bytes, 16));
}

static void check_same(const statistics *x, const statistics *y, uint32_t n_q) {
    for (int k = 0; k < STATISTICS; k++)
        if (x->all[k] != NULL && y->all[k] != NULL)
            CHECK_SAME_FLOATS(x->all[k], y->all[k], n_q);
}

/* ---- statistics ------------------------------------------------------------------------- */

static void check_rows(const attn_attention *a, const statistics *s) {
    const oracle_results exact = oracle_new_results(a->n_q, a->n_k, a->d_v);
    oracle_attention(a, &exact);
    const oracle_magnitudes largest = oracle_magnitude_attention(a, &exact);
    for (size_t i = 0; i < a->n_q; i++) {
        const oracle_row row = oracle_statistics(a, &exact, largest, i);
        for (int k = 0; k < STATISTICS; k++)
            check_close(__FILE__, __LINE__, names[k], (double)s->all[k][i], row.exact[k],
                        LIMIT * 0x1p-24 * row.magnitude[k]);
    }
    oracle_free_results(exact);
}

/* Statistics alone, and beside all results, which have the bits of a call without statistics. */
static void check_statistics(shape s) {
    const size_t pairs = (size_t)s.n_q * s.n_k, outputs = (size_t)s.n_q * s.d_v;
    const arrays a = make_arrays(s), b = make_arrays(s);
    const attn_attention call = attention_of(s, a);
    const statistics alone = make_statistics(s.n_q), beside = make_statistics(s.n_q);
    CHECK(look(&call, (attn_attention_results){0}, &alone, NULL) == ATTN_OK);
    check_rows(&call, &alone);
    CHECK(look(&call,
               (attn_attention_results){.output = a.output,
                                        .lse = a.lse,
                                        .scores = a.scores,
                                        .masked = a.masked,
                                        .weights = a.weights},
               &beside, NULL) == ATTN_OK);
    check_same(&alone, &beside, s.n_q);
    CHECK(run(&call, (attn_attention_results){.output = b.output,
                                              .lse = b.lse,
                                              .scores = b.scores,
                                              .masked = b.masked,
                                              .weights = b.weights}) == ATTN_OK);
    CHECK_SAME_FLOATS(a.output, b.output, outputs);
    CHECK_SAME_FLOATS(a.lse, b.lse, s.n_q);
    CHECK_SAME_FLOATS(a.scores, b.scores, pairs);
    CHECK_SAME_FLOATS(a.masked, b.masked, pairs);
    CHECK_SAME_FLOATS(a.weights, b.weights, pairs);
}

TEST("statistics of small shapes agree with the oracle, and leave other results as they are") {
    static const uint32_t sizes[] = {0, 1, 3, 8, 17};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (uint32_t d = 1; d <= 5; d += 2)
                check_all_kinds(check_statistics, sizes[i], sizes[j], d, (d * 5 + sizes[j]) % 7);
}

TEST("statistics beyond a block, a chunk and the queries from which keys are packed agree") {
    check_all_kinds(check_statistics, 3, 40, 8, 4); /* these queries go alone */
    check_all_kinds(check_statistics, 9, 257, 16, 8);
    check_all_kinds(check_statistics, 130, 265, 5, 6);
    check_all_kinds(check_statistics, 13, 300, 600, 500);
    check_all_kinds(check_statistics, 21, 5000, 30, 3);
}

TEST("wide scores keep their statistics") {
    const shape s = {.n_q = 20, .n_k = 300, .d_k = 16, .d_v = 2, .deviation = 5};
    check_statistics(s);
}

TEST("each statistic has the same bits alone, and of 16 queries at a time") {
    for (int kind = 0; kind < VARIANTS; kind++) {
        shape s = {.n_q = 53, .n_k = 290, .d_k = 6, .deviation = 1, .with = variants[kind]};
        s.masked = kind % 2;
        const arrays a = make_inputs(s);
        const attn_attention call = attention_of(s, a);
        const statistics all = make_statistics(s.n_q), parts = make_statistics(s.n_q);
        CHECK(look(&call, (attn_attention_results){0}, &all, NULL) == ATTN_OK);
        for (int k = 0; k < STATISTICS; k++) {
            statistics one = {.fields = {0}};
            one.all[k] = guarded_floats(s.n_q);
            CHECK(look(&call, (attn_attention_results){0}, &one, NULL) == ATTN_OK);
            check_same(&one, &all, s.n_q);
        }
        for (uint32_t i = 0; i < s.n_q; i += 16) {
            statistics part = parts;
            attn_attention some = call;
            some.n_q = s.n_q - i < 16 ? s.n_q - i : 16;
            some.query += (size_t)i * s.d_k;
            some.mask = call.mask == NULL ? NULL : call.mask + (size_t)i * s.n_k;
            some.window.offset += (int32_t)i;
            for (int k = 0; k < STATISTICS; k++)
                part.all[k] += i;
            CHECK(look(&some, (attn_attention_results){0}, &part, NULL) == ATTN_OK);
        }
        check_same(&all, &parts, s.n_q);
        release_guarded();
    }
}

TEST("a position that may not be attended touches no statistic, nor map") {
    const shape s = {.n_q = 12, .n_k = 12, .d_k = 3, .causal = CAUSAL_LOWER_RIGHT, .deviation = 1};
    const arrays a = make_inputs(s);
    const attn_attention call = attention_of(s, a);
    const statistics x = make_statistics(s.n_q), y = make_statistics(s.n_q);
    double cells[2][12] = {{0}};
    const attn_attention_map maps[] = {{.cells = cells[0], .rows = 1, .columns = 12},
                                       {.cells = cells[1], .rows = 1, .columns = 12}};
    CHECK(look(&call, (attn_attention_results){0}, &x, &maps[0]) == ATTN_OK);
    a.key[11 * 3 + 1] = NAN; /* the last query alone sees it */
    CHECK(look(&call, (attn_attention_results){0}, &y, &maps[1]) == ATTN_OK);
    check_same(&x, &y, 11);
    for (int k = 0; k < STATISTICS; k++)
        CHECK(isnan(y.all[k][11]) || k == VISIBLE_KEYS);
    for (int j = 0; j < 12; j++)
        CHECK(isnan(cells[1][j]) && !isnan(cells[0][j])); /* the row of NaN sees all keys */
}

TEST("equal scores have the entropy and the effective number of keys of their count") {
    enum { N = 100000 };
    const float *query = guarded_equal(2, 1), *key = guarded_equal(N, 1);
    const attn_attention a = {.query = query,
                              .key = key,
                              .n_q = 2,
                              .n_k = N,
                              .d_k = 1,
                              .n_all = 2,
                              .window = {0, -1, -1, N},
                              .scale = 1e6F,
                              .sink = -INFINITY};
    const statistics s = make_statistics(2);
    CHECK(look(&a, (attn_attention_results){0}, &s, NULL) == ATTN_OK);
    CHECK_CLOSE(s.fields.entropy[1], log(N), 0x1p-21);
    CHECK_CLOSE(s.fields.effective_keys[1], N, N * 0x1p-22);
    CHECK_CLOSE(s.fields.score_mean[1], 1e6, 0);
    CHECK(s.fields.score_deviation[1] == 0);
    CHECK(s.fields.visible_keys[1] == N);
}

/* ---- maps --------------------------------------------------------------------------------- */

/* Compares maps of some sizes with the oracle. */
static void check_maps(shape s) {
    const size_t pairs = (size_t)s.n_q * s.n_k;
    const arrays a = make_inputs(s);
    const attn_attention call = attention_of(s, a);
    const uint32_t rows[] = {1, (s.n_q + 2) / 3, s.n_q}, columns[] = {s.n_k, (s.n_k + 1) / 2, 1};
    const oracle_results exact = oracle_new_results(s.n_q, s.n_k, s.d_v);
    oracle_attention(&call, &exact);
    const oracle_magnitudes magnitude = oracle_magnitude_attention(&call, &exact);
    double *cells = doubles(pairs), *expected = doubles(pairs);
    for (uint32_t k = 0; k < 6 && pairs > 0; k++) {
        const size_t size = (size_t)rows[k % 3] * columns[k % 3];
        const double block = (double)pairs / (double)size;
        const attn_attention_map map = {cells, rows[k % 3], columns[k % 3], 0, k / 3};
        memset(cells, 0, size * sizeof *cells);
        oracle_pool(exact.weights, s.n_q, s.n_k, rows[k % 3], columns[k % 3], k / 3 == 1, expected);
        CHECK(look(&call, (attn_attention_results){0}, NULL, &map) == ATTN_OK);
        for (size_t e = 0; e < size; e++)
            CHECK_CLOSE(cells[e], expected[e],
                        LIMIT * 0x1p-24 * (k < 3 ? block + 1 : 1) * (1 + 2 * magnitude.capped));
    }
    free(cells);
    free(expected);
    oracle_free_results(exact);
}

TEST("weights pooled over blocks agree with the oracle, summed or the largest") {
    check_all_kinds(check_maps, 1, 1, 2, 0);
    check_all_kinds(check_maps, 3, 40, 8, 4);
    check_all_kinds(check_maps, 13, 7, 3, 2);
    check_all_kinds(check_maps, 60, 300, 5, 3);
    check_all_kinds(check_maps, 9, 4500, 30, 3);
}

TEST("maps of 16 queries at a time are those of all, beside an output or not") {
    const shape s = {.n_q = 41, .n_k = 70, .d_k = 4, .d_v = 3, .deviation = 1};
    const arrays a = make_arrays(s);
    const attn_attention call = attention_of(s, a);
    double whole[5 * 7] = {0}, parts[5 * 7] = {0};
    attn_attention_map map = {.cells = whole, .rows = 5, .columns = 7};
    CHECK(look(&call, (attn_attention_results){.output = a.output}, NULL, &map) == ATTN_OK);
    map.cells = parts;
    for (uint32_t i = 0; i < s.n_q; i += 16) {
        attn_attention some = call;
        some.n_q = s.n_q - i < 16 ? s.n_q - i : 16;
        some.query += (size_t)i * s.d_k;
        map.first = i;
        CHECK(look(&some, (attn_attention_results){0}, NULL, &map) == ATTN_OK);
    }
    CHECK(memcmp(whole, parts, sizeof whole) == 0);
}

TEST("a map with an empty block, or beyond the head, is refused") {
    const shape s = {.n_q = 4, .n_k = 6, .d_k = 4, .deviation = 1};
    const attn_attention call = attention_of(s, make_inputs(s));
    double cells[24] = {0};
    const attn_attention_map wrong[] = {{cells, 0, 1, 0, 0},
                                        {cells, 1, 0, 0, 0},
                                        {cells, 5, 1, 0, 0},
                                        {cells, 1, 7, 0, 0},
                                        {cells, 1, 1, 1, 0}};
    for (int k = 0; k < 5; k++)
        CHECK(look(&call, (attn_attention_results){0}, NULL, &wrong[k]) == ATTN_ERROR_OPTION);
}

/* ---- moments of scores -------------------------------------------------------------------- */

static void check_moments(uint32_t n_q, uint32_t n_k, uint32_t d, float shift) {
    float *query = guarded_normals((size_t)n_q * d, 1, 1);
    float *key = guarded_normals((size_t)n_k * d, 2, 2);
    double moments[5], mean = 0, spread = 0, squares[2] = {0, 0};
    const double pairs = (double)n_q * n_k;
    for (size_t e = 0; e < (size_t)n_q * d; e++)
        query[e] += shift;
    for (size_t e = 0; e < (size_t)n_k * d; e++)
        key[e] -= shift;
    double *scores = doubles((size_t)n_q * n_k);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            for (size_t c = 0; c < d; c++)
                scores[i * n_k + j] += (double)query[i * d + c] * (double)key[j * d + c];
            mean += scores[i * n_k + j] / pairs;
        }
    for (size_t e = 0; e < (size_t)n_q * n_k; e++)
        spread += (scores[e] - mean) * (scores[e] - mean) / pairs;
    for (size_t e = 0; e < (size_t)n_q * d; e++)
        squares[0] += (double)query[e] * (double)query[e] / n_q;
    for (size_t e = 0; e < (size_t)n_k * d; e++)
        squares[1] += (double)key[e] * (double)key[e] / n_k;
    void *scratch = guarded_bytes(attn_score_moments_scratch(d), 16);
    CHECK(attn_score_moments(query, n_q, key, n_k, d, moments, scratch) == ATTN_OK);
    CHECK_CLOSE(moments[0], mean, 1e-11 * (1 + fabs(mean)));
    CHECK_CLOSE(moments[1], sqrt(spread), 1e-9 * sqrt(spread));
    CHECK_CLOSE(moments[2], squares[0] * squares[1] / (spread + mean * mean), 1e-9 * d);
    CHECK_CLOSE(moments[3], sqrt(squares[0] / d), 1e-12 * moments[3]);
    CHECK_CLOSE(moments[4], sqrt(squares[1] / d), 1e-12 * moments[4]);
    free(scores);
    release_guarded();
}

TEST("moments of queries and keys give mean and deviation of the scores of all pairs") {
    check_moments(1, 1, 3, 0);
    check_moments(5, 7, 1, 0.5F);
    check_moments(40, 30, 16, 0);
    check_moments(40, 30, 16, 1000); /* a mean of 16 million beside a deviation of 9000 */
    check_moments(33, 65, 64, 0.25F);
}

TEST("moments without a query are NaN, and without a column an error") {
    double moments[5];
    const float x[2] = {1, 2};
    CHECK(attn_score_moments(x, 0, x, 2, 1, moments, guarded_bytes(4096, 16)) == ATTN_OK);
    for (int k = 0; k < 4; k++)
        CHECK(isnan(moments[k]));
    CHECK(attn_score_moments(x, 2, x, 2, 0, moments, NULL) == ATTN_ERROR_SHAPE);
    CHECK(attn_score_moments_scratch(1u << 16) == ATTN_TOO_LARGE);
}

TEST_MAIN
