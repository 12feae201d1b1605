/* attention_backward_test.c: gradients against the float64 oracle, the oracle against
 * finite differences, hidden positions that must stay hidden, and symmetries. */
#include "harness.h"

#include "attention_problem.h"
#include "attn.h"
#include "oracle.h"

/* ---- one call --------------------------------------------------------------------- */

/* Gradients to be added to begin at 0. */
static void fresh_gradients(shape s, arrays *a) {
    a->d_query = guarded_floats((size_t)s.n_q * s.d_k);
    a->d_key = guarded_floats((size_t)s.n_k * s.d_k);
    a->d_value = guarded_floats((size_t)s.n_k * s.d_v);
    memset(a->d_key, 0, (size_t)s.n_k * s.d_k * sizeof(float));
    memset(a->d_value, 0, (size_t)s.n_k * s.d_v * sizeof(float));
    a->d_scale = a->d_sink = 0;
}

static arrays make_arrays(shape s) {
    arrays a = make_inputs(s);
    fresh_gradients(s, &a);
    return a;
}

static attn_status run_backward(shape s, arrays *a) {
    const attn_attention call = attention_of(s, *a);
    const attn_attention_gradient g = {a->d_query, a->d_key, a->d_value, &a->d_scale, &a->d_sink};
    void *scratch = guarded_bytes(attn_attention_backward_scratch(&call), 16);
    return attn_attention_backward(&call, a->d_output, &g, scratch);
}

/* Runs once more with the same inputs and fresh results. */
static arrays run_again(shape s, arrays a) {
    fresh_gradients(s, &a);
    CHECK(run_backward(s, &a) == ATTN_OK);
    return a;
}

static void check_against_oracle(shape s) {
    const size_t queries = (size_t)s.n_q * s.d_k, keys = (size_t)s.n_k * s.d_k;
    const size_t values = (size_t)s.n_k * s.d_v;
    const double unit = LIMIT * 0x1p-24;
    arrays a = make_arrays(s);
    const attn_attention call = attention_of(s, a);
    oracle_gradient exact = oracle_new_gradient(&call), terms = oracle_new_gradient(&call);
    oracle_attention_backward(&call, a.d_output, 0, &exact);
    oracle_attention_backward(&call, a.d_output, 1, &terms);
    CHECK(run_backward(s, &a) == ATTN_OK);
    CHECK_ALL_CLOSE(a.d_query, exact.query, queries, unit * oracle_largest(terms.query, queries));
    CHECK_ALL_CLOSE(a.d_key, exact.key, keys, unit * oracle_largest(terms.key, keys));
    CHECK_ALL_CLOSE(a.d_value, exact.value, values, unit * oracle_largest(terms.value, values));
    CHECK_CLOSE(a.d_scale, exact.scale, unit * terms.scale);
    CHECK_CLOSE(a.d_sink, exact.sink, unit * terms.sink);
    oracle_free_gradient(exact);
    oracle_free_gradient(terms);
}

/* ---- the oracle ----------------------------------------------------------------------- */

/* sum(output * d_output) in float64. */
static double loss(const attn_attention *call, const float *d_output) {
    const oracle_results r = oracle_new_results(call->n_q, call->n_k, call->d_v);
    double sum = 0;
    oracle_attention(call, &r);
    for (size_t e = 0; e < (size_t)call->n_q * call->d_v; e++)
        sum += r.output[e] * (double)d_output[e];
    oracle_free_results(r);
    return sum;
}

/* Each of count gradients against the change of the loss when its x moves by 2^-10. */
static void check_differences(const attn_attention *call, const float *d_output, float *x,
                              const double *gradient, size_t count) {
    for (size_t e = 0; e < count; e++) {
        const float middle = x[e], above = middle + 0x1p-10F, below = middle - 0x1p-10F;
        x[e] = above;
        double change = loss(call, d_output);
        x[e] = below;
        change -= loss(call, d_output);
        x[e] = middle;
        CHECK_CLOSE(change / ((double)above - (double)below), gradient[e], 1e-5);
    }
}

static void check_oracle(shape s) {
    const arrays a = make_arrays(s);
    attn_attention call = attention_of(s, a);
    oracle_gradient g = oracle_new_gradient(&call);
    oracle_attention_backward(&call, a.d_output, 0, &g);
    check_differences(&call, a.d_output, a.query, g.query, (size_t)s.n_q * s.d_k);
    check_differences(&call, a.d_output, a.key, g.key, (size_t)s.n_k * s.d_k);
    check_differences(&call, a.d_output, a.value, g.value, (size_t)s.n_k * s.d_v);
    check_differences(&call, a.d_output, &call.scale, &g.scale, 1);
    if (s.with.sink != 0)
        check_differences(&call, a.d_output, &call.sink, &g.sink, 1);
    oracle_free_gradient(g);
}

TEST("the oracle's gradients are those of finite differences") {
    check_all_kinds(check_oracle, 5, 6, 4, 3);
}

/* ---- results ------------------------------------------------------------------------ */

TEST("small shapes agree with the oracle, masked or not, causal or not") {
    check_small_shapes(check_against_oracle, 10);
}

TEST("shapes beyond a block of queries and a chunk of keys agree with the oracle") {
    check_all_kinds(check_against_oracle, 10, 49, 768, 64);
    check_all_kinds(check_against_oracle, 56, 112, 16, 8);
    check_all_kinds(check_against_oracle, 112, 112, 8, 9);
    check_all_kinds(check_against_oracle, 113, 113, 16, 24);
    check_all_kinds(check_against_oracle, 57, 2049, 3,
                    5); /* beyond 2048 keys blocks are of 56 queries */
    check_all_kinds(check_against_oracle, 70, 121, 64, 33);
    check_all_kinds(check_against_oracle, 150, 240, 5, 70);
    check_all_kinds(check_against_oracle, 300, 13, 33, 9);
    check_all_kinds(check_against_oracle, 3, 1200, 20, 7);
}

TEST("scores so large that one key takes all agree with the oracle") {
    check_against_oracle((shape){70, 200, 64, 16, ATTEND_ALL, 0, 4, {0}});
    check_against_oracle((shape){70, 200, 64, 16, CAUSAL_LOWER_RIGHT, 1, 12, {0}});
}

TEST("sums over many queries and keys stay within the limit") {
    check_against_oracle((shape){1, 20000, 8, 8, ATTEND_ALL, 0, 1, {0}});
    check_against_oracle((shape){20000, 1, 8, 8, ATTEND_ALL, 0, 1, {0}});
    check_against_oracle((shape){600, 700, 8, 4, ATTEND_ALL, 0, 2, {0}});
}

TEST("results are added to d_key, d_value and d_scale, and written to d_query") {
    const shape s = {67, 115, 12, 10, CAUSAL_LOWER_RIGHT, 1, 1, {0}};
    arrays first = make_arrays(s);
    CHECK(run_backward(s, &first) == ATTN_OK);
    arrays twice = run_again(s, first);
    CHECK(run_backward(s, &twice) == ATTN_OK);
    CHECK_SAME_FLOATS(twice.d_query, first.d_query, 67 * 12);
    for (int e = 0; e < 115 * 12; e++)
        CHECK_CLOSE(twice.d_key[e], 2 * first.d_key[e], 1e-6);
    for (int e = 0; e < 115 * 10; e++)
        CHECK_CLOSE(twice.d_value[e], 2 * first.d_value[e], 1e-6);
    CHECK(twice.d_scale == 2 * first.d_scale);
}

TEST("inputs keep their bits") {
    const shape s = {66, 20, 5, 6, ATTEND_ALL, 1, 1, {0}};
    arrays a = make_arrays(s);
    const arrays fresh = make_arrays(s);
    CHECK(run_backward(s, &a) == ATTN_OK);
    CHECK_SAME_FLOATS(a.query, fresh.query, 66 * 5);
    CHECK_SAME_FLOATS(a.key, fresh.key, 20 * 5);
    CHECK_SAME_FLOATS(a.value, fresh.value, 20 * 6);
    CHECK_SAME_FLOATS(a.d_output, fresh.d_output, 66 * 6);
    CHECK_SAME_FLOATS(a.mask, fresh.mask, 66 * 20);
}

/* ---- symmetries ------------------------------------------------------------ */

TEST("gradients of scores sum to 0 in each row, so gradients of keys sum to 0") {
    const shape s = {90, 130, 8, 6, CAUSAL_UPPER_LEFT, 1, 1, {0}};
    arrays a = make_arrays(s);
    CHECK(run_backward(s, &a) == ATTN_OK);
    for (int c = 0; c < 8; c++) {
        double sum = 0;
        for (int j = 0; j < 130; j++)
            sum += (double)a.d_key[j * 8 + c];
        CHECK_CLOSE(sum, 0, 2e-5);
    }
}

TEST("a vector added to all keys changes no gradient") {
    const shape s = {20, 130, 8, 6, ATTEND_ALL, 1, 1, {0}};
    arrays a = make_arrays(s);
    CHECK(run_backward(s, &a) == ATTN_OK);
    for (int e = 0; e < 130 * 8; e++)
        a.key[e] += (float)(e % 8) / 4;
    const arrays moved = run_again(s, a);
    for (int e = 0; e < 20 * 8; e++)
        CHECK_CLOSE(moved.d_query[e], a.d_query[e], 2e-5);
    for (int e = 0; e < 130 * 8; e++)
        CHECK_CLOSE(moved.d_key[e], a.d_key[e], 2e-5);
    for (int e = 0; e < 130 * 6; e++)
        CHECK_CLOSE(moved.d_value[e], a.d_value[e], 2e-5);
    CHECK_CLOSE(moved.d_scale, a.d_scale, 2e-4);
}

TEST("keys and values in another order have their gradients in that order") {
    const shape s = {20, 131, 8, 6, ATTEND_ALL, 0, 1, {0}};
    arrays a = make_arrays(s);
    CHECK(run_backward(s, &a) == ATTN_OK);
    arrays b = a;
    b.key = guarded_floats(131 * 8);
    b.value = guarded_floats(131 * 6);
    for (int j = 0; j < 131; j++) { /* 7 and 131 have no common divisor */
        memcpy(b.key + j * 8, a.key + j * 7 % 131 * 8, 8 * sizeof(float));
        memcpy(b.value + j * 6, a.value + j * 7 % 131 * 6, 6 * sizeof(float));
    }
    b = run_again(s, b);
    for (int j = 0; j < 131; j++)
        for (int c = 0; c < 8; c++) {
            CHECK_CLOSE(b.d_key[j * 8 + c], a.d_key[j * 7 % 131 * 8 + c], 1e-5);
            if (c < 6)
                CHECK_CLOSE(b.d_value[j * 6 + c], a.d_value[j * 7 % 131 * 6 + c], 1e-5);
        }
    for (int e = 0; e < 20 * 8; e++)
        CHECK_CLOSE(b.d_query[e], a.d_query[e], 1e-5);
}

TEST("one key takes all weight: its value's gradient is the sum of d_output, the rest is 0") {
    const shape s = {9, 1, 5, 3, ATTEND_ALL, 0, 1, {0}};
    arrays a = make_arrays(s);
    CHECK(run_backward(s, &a) == ATTN_OK);
    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int i = 0; i < 9; i++)
            sum += (double)a.d_output[i * 3 + c];
        CHECK_CLOSE(a.d_value[c], sum, 1e-6);
    }
    for (int e = 0; e < 9 * 5; e++)
        CHECK(a.d_query[e] == 0);
    for (int e = 0; e < 5; e++)
        CHECK(a.d_key[e] == 0);
    CHECK(a.d_scale == 0);
}

/* ---- NaN and Infinity ------------------------------------------------------------------ */

typedef enum { QUERY, KEY, VALUE, D_OUTPUT } input;

/* The row of one of the inputs, and its length. */
static float *input_row(shape s, const arrays *a, input which, uint32_t row, uint32_t *length) {
    *length = which == QUERY || which == KEY ? s.d_k : s.d_v;
    float *const inputs[] = {a->query, a->key, a->value, a->d_output};
    return inputs[which] + (size_t)row * *length;
}

/* Spoils one row of one input. Rows of results that it cannot reach must keep their bits; rows that
 * it reaches must not be finite. A row of a key or value reaches the queries that may attend to it,
 * and a query that is reached reaches all keys that it may attend to. d_value does not depend on
 * values. */
static void check_containment(shape s, arrays a, input which, uint32_t row, float spoilt) {
    const arrays clean = run_again(s, a);
    uint32_t length;
    float *spot = input_row(s, &a, which, row, &length), kept[64];
    memcpy(kept, spot, length * sizeof(float));
    for (uint32_t c = 0; c < length; c++)
        spot[c] = spoilt;
    const arrays b = run_again(s, a);
    memcpy(spot, kept, length * sizeof(float));
    int *reached = calloc(s.n_q + s.n_k, sizeof *reached), *keys = reached + s.n_q, any = 0;
    for (uint32_t i = 0; i < s.n_q; i++) {
        int sees = 0;
        for (uint32_t j = 0; j < s.n_k; j++) {
            const int here = which == QUERY || which == D_OUTPUT ? i == row : j == row;
            sees |= here && oracle_may_attend(a.mask, window_of(s), s.n_k, i, j);
        }
        reached[i] = sees;
        any |= sees;
        for (uint32_t j = 0; sees && j < s.n_k; j++)
            keys[j] |= oracle_may_attend(a.mask, window_of(s), s.n_k, i, j);
    }
    for (uint32_t i = 0; i < s.n_q; i++)
        if (reached[i])
            CHECK(!isfinite(b.d_query[i * s.d_k]));
        else
            CHECK_SAME_FLOATS(b.d_query + i * s.d_k, clean.d_query + i * s.d_k, s.d_k);
    for (uint32_t j = 0; j < s.n_k; j++) {
        if (keys[j])
            CHECK(!isfinite(b.d_key[j * s.d_k]));
        else
            CHECK_SAME_FLOATS(b.d_key + j * s.d_k, clean.d_key + j * s.d_k, s.d_k);
        if (keys[j] && which != VALUE)
            CHECK(!isfinite(b.d_value[j * s.d_v]));
        else
            CHECK_SAME_FLOATS(b.d_value + j * s.d_v, clean.d_value + j * s.d_v, s.d_v);
    }
    CHECK(any ? !isfinite(b.d_scale) : b.d_scale == clean.d_scale);
    free(reached);
}

static void check_all_containment(shape s, arrays a, uint32_t query, uint32_t key) {
    check_containment(s, a, QUERY, query, NAN);
    check_containment(s, a, KEY, key, NAN);
    check_containment(s, a, VALUE, key, NAN);
    check_containment(s, a, D_OUTPUT, query, NAN);
}

TEST("NaN reaches all rows that may attend to it and no other, under causality") {
    const shape upper = {80, 130, 6, 5, CAUSAL_UPPER_LEFT, 0, 1, {0}};
    const shape lower = {130, 120, 6, 5, CAUSAL_LOWER_RIGHT, 0, 1, {0}};
    const arrays a = make_arrays(upper), b = make_arrays(lower);
    check_all_containment(upper, a, 79, 79);  /* the last query, and the last key it sees */
    check_all_containment(upper, a, 70, 129); /* a key that no query sees */
    check_all_containment(upper, a, 3, 40);
    check_all_containment(lower, b, 5, 119); /* a query that sees no key */
    check_all_containment(lower, b, 12, 3);
}

TEST("NaN reaches all rows that may attend to it and no other, under a mask") {
    const shape s = {70, 130, 6, 5, ATTEND_ALL, 1, 1, {0}};
    arrays a = make_arrays(s);
    for (int j = 0; j < 130; j++)
        a.mask[33 * 130 + j] = -INFINITY; /* query 33 attends nowhere */
    for (int i = 0; i < 70; i++)
        a.mask[i * 130 + 120] = -INFINITY; /* no query attends to key 120 */
    check_all_containment(s, a, 33, 120);
    check_all_containment(s, a, 69, 129);
    check_all_containment(s, a, 0, 0);
}

TEST("NaN reaches all rows that may attend to it and no other, under windows and a softcap") {
    shape s = {80, 130, 6, 5, ATTEND_ALL, 0, 1, {.left = 7, .right = 3, .offset = 20}};
    arrays a = make_arrays(s);
    check_all_containment(s, a, 60, 84);
    check_all_containment(s, a, 0, 129); /* a key that no query sees */
    s.with.softcap = 2;
    s.with.sink = 0.5F;
    check_all_containment(s, a, 60, 84);
    check_all_containment(s, a, 79, 12);
    s.with.padding = 40; /* query 79 sees none of the others */
    check_all_containment(s, a, 79, 100);
}

TEST("infinities that may not be attended touch nothing") {
    const shape s = {70, 130, 6, 5, CAUSAL_UPPER_LEFT, 1, 1, {0}};
    arrays a = make_arrays(s);
    for (int j = 0; j < 130; j++)
        a.mask[33 * 130 + j] = -INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        check_containment(s, a, QUERY, 33, (float)sign * INFINITY);
        check_containment(s, a, D_OUTPUT, 33, (float)sign * INFINITY);
        check_containment(s, a, KEY, 100, (float)sign * INFINITY);
        check_containment(s, a, VALUE, 100, (float)sign * INFINITY);
        check_containment(s, a, VALUE, 40, (float)sign * INFINITY);
    }
}

TEST("an infinite d_output reaches, with its sign, the values its query may attend to and no "
     "other") {
    for (int sign = -1; sign <= 1; sign += 2) {
        const shape s = {130, 130, 5, 3, CAUSAL_UPPER_LEFT, 0, 1, {0}};
        arrays a = make_arrays(s);
        a.d_output[33 * 3 + 2] = (float)sign * INFINITY;
        CHECK(run_backward(s, &a) == ATTN_OK);
        for (int j = 0; j < 130; j++) {
            CHECK(isfinite(a.d_value[j * 3]) && isfinite(a.d_value[j * 3 + 1]));
            if (j <= 33)
                CHECK(a.d_value[j * 3 + 2] == (float)sign * INFINITY);
            else
                CHECK(isfinite(a.d_value[j * 3 + 2]));
        }
    }
}

TEST("without a mask NaN in one row of d_output keeps to its query") {
    const shape s = {70, 20, 6, 5, ATTEND_ALL, 0, 1, {0}};
    const arrays a = make_arrays(s);
    check_all_containment(s, a, 66, 3);
}

TEST("a query that attends nowhere has gradient 0, not -0, and takes part in none") {
    const shape s = {3, 20, 6, 5, ATTEND_ALL, 1, 1, {0}};
    arrays a = make_arrays(s);
    a.scale = -1;
    for (int e = 0; e < 60; e++)
        a.mask[e] = -INFINITY;
    const arrays b = run_again(s, a);
    const float zeros[120] = {0};
    CHECK_SAME_FLOATS(b.d_query, zeros, 18);
    CHECK_SAME_FLOATS(b.d_key, zeros, 120);
    CHECK_SAME_FLOATS(b.d_value, zeros, 100);
    CHECK(b.d_scale == 0);
}

/* ---- errors ------------------------------------------------------------------------------ */

TEST("impossible shapes and options are refused and nothing is written") {
    static const float x[1] = {0};
    const uint32_t huge = 1u << 16;
    const uint32_t shapes[][4] = {{1, 1, 0, 1},        {huge, 1, huge, 1}, {1, huge, huge, 1},
                                  {huge, 1, 1, huge},  {1, huge, 1, huge}, {huge, huge, 1, 1},
                                  {64, 1u << 24, 1, 1}};
    float out[1] = {5};
    double sums[2] = {6, 7};
    char scratch[1];
    const attn_attention_gradient g = {out, out, out, sums, sums + 1};
    attn_attention a = {.query = x, .key = x, .value = x, .mask = x, .window = {0, -1, -1, 1}};
    a.sink = -INFINITY;
    for (int i = 0; i < 7; i++) {
        a.n_q = shapes[i][0], a.n_k = shapes[i][1], a.d_k = shapes[i][2], a.d_v = shapes[i][3];
        CHECK(attn_attention_backward(&a, x, &g, scratch) ==
              (i == 0 ? ATTN_ERROR_SHAPE : ATTN_ERROR_CAPACITY));
    }
    a.n_q = a.n_k = a.d_k = a.d_v = 1;
    a.softcap = NAN;
    CHECK(attn_attention_backward(&a, x, &g, scratch) == ATTN_ERROR_OPTION);
    CHECK(out[0] == 5 && sums[0] == 6 && sums[1] == 7);
}

static uint32_t scratch_of(uint32_t n_q, uint32_t n_k, uint32_t d_k, uint32_t d_v) {
    const attn_attention a = {.n_q = n_q, .n_k = n_k, .d_k = d_k, .d_v = d_v};
    return attn_attention_backward_scratch(&a);
}

TEST("scratch is O(56 n), O(112 n) for short sequences, and ATTN_TOO_LARGE when it does not fit") {
    CHECK(scratch_of(2048, 2048, 64, 64) <= 17u * 2048 * 64);
    CHECK(scratch_of(4096, 4096, 64, 64) <= 2u * 4096 * 64 * 4);
    CHECK(scratch_of(65536, 65536, 64, 64) <= 2u * 65536 * 64 * 4);
    CHECK(scratch_of(1, 65536, 64, 64) <= 9u * 65536 * 4);
    CHECK(scratch_of(64, UINT32_MAX, 1, 1) == ATTN_TOO_LARGE);
    CHECK(scratch_of(1, 1, UINT32_MAX, 1) == ATTN_TOO_LARGE);
    CHECK(scratch_of(1, 1, 1, UINT32_MAX) == ATTN_TOO_LARGE);
}

TEST_MAIN
