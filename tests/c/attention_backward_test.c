/* attention_backward_test.c: gradients against the float64 oracle, and the oracle against finite
 * differences. */
#include "harness.h"

#include "attention_backward.h"
#include "attn.h"

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
    oracle_attention(call, &r);
    const double sum = oracle_loss(call, &r, d_output);
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
