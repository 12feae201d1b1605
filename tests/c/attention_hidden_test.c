/* attention_hidden_test.c: numbers that are not finite reach the rows that may attend to them and
 * no others. */
#include "harness.h"

#include "attention_forward.h"
#include "attn.h"

/* ---- NaN and Infinity ------------------------------------------------------------------ */

TEST("NaN in a query, key or value that is attended reaches exactly its rows") {
    const shape s = {19, 140, 5, 6, ATTEND_ALL, 0, 1, {0}};
    const arrays a = make_arrays(s);
    a.query[11 * 5 + 2] = NAN;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int i = 0; i < 19; i++) {
        CHECK(!isnan(a.lse[i]) == (i != 11));
        for (int c = 0; c < 6; c++)
            CHECK(!isnan(a.output[i * 6 + c]) == (i != 11));
    }
    a.query[11 * 5 + 2] = 0;
    a.value[133 * 6 + 4] = NAN;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int i = 0; i < 19 * 6; i++)
        CHECK(!isnan(a.output[i]) == (i % 6 != 4));
    a.key[7 * 5] = NAN;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int i = 0; i < 19 * 6; i++)
        CHECK(isnan(a.output[i]));
}

/* Runs s with finite inputs, then with the keys and values of `bad` spoilt. Rows that may not
 * attend there must keep their bits. */
static void check_hidden(shape s, const uint32_t *bad, int bad_count, float spoilt) {
    arrays a = make_arrays(s);
    for (uint32_t i = 0; a.mask != NULL && i < s.n_q; i += 2)
        for (int b = 0; b < bad_count; b++)
            a.mask[i * s.n_k + bad[b]] = -INFINITY;
    CHECK(run_forward(s, a) == ATTN_OK);
    CHECK(run_weights(s, a, NULL, a.weights) == ATTN_OK);
    arrays b = a;
    b.output = guarded_floats((size_t)s.n_q * s.d_v);
    b.lse = guarded_floats(s.n_q);
    b.weights = guarded_floats((size_t)s.n_q * s.n_k);
    for (int k = 0; k < bad_count; k++) {
        for (uint32_t c = 0; c < s.d_k; c++)
            a.key[bad[k] * s.d_k + c] = spoilt;
        for (uint32_t c = 0; c < s.d_v; c += 2)
            a.value[bad[k] * s.d_v + c] = spoilt;
    }
    CHECK(run_forward(s, b) == ATTN_OK);
    CHECK(run_weights(s, b, NULL, b.weights) == ATTN_OK);
    for (uint32_t i = 0; i < s.n_q; i++) {
        int sees = 0;
        for (int k = 0; k < bad_count; k++)
            sees |= oracle_may_attend(a.mask, window_of(s), s.n_k, i, bad[k]);
        if (sees) {
            CHECK(isnan(b.output[i * s.d_v]));
            CHECK(isnan(b.lse[i]) && isnan(b.weights[i * s.n_k]));
            continue;
        }
        CHECK_SAME_FLOATS(b.output + i * s.d_v, a.output + i * s.d_v, s.d_v);
        CHECK_SAME_FLOATS(b.lse + i, a.lse + i, 1);
        CHECK_SAME_FLOATS(b.weights + i * s.n_k, a.weights + i * s.n_k, s.n_k);
    }
}

TEST("a key and value that may not be attended touch nothing, even NaN and infinities") {
    const uint32_t middle[] = {3, 77, 130}, last[] = {150};
    const float spoilt[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        check_hidden((shape){151, 151, 6, 5, CAUSAL_UPPER_LEFT, 0, 1, {0}}, last, 1, spoilt[i]);
        check_hidden((shape){40, 151, 6, 5, CAUSAL_LOWER_RIGHT, 0, 1, {0}}, last, 1, spoilt[i]);
        check_hidden((shape){21, 151, 6, 5, ATTEND_ALL, 1, 1, {0}}, middle, 3, NAN);
    }
}

TEST("values that are not finite are added for the queries that may attend to them") {
    const shape s = {10, 12, 4, 6, CAUSAL_UPPER_LEFT, 0, 1, {0}};
    const arrays a = make_arrays(s);
    a.value[3 * 6 + 1] = INFINITY;
    a.value[5 * 6 + 2] = -INFINITY;
    a.value[7 * 6 + 1] = NAN;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int i = 0; i < 10; i++) {
        CHECK((isnan(a.output[i * 6 + 1]) != 0) == (i >= 7));
        CHECK((isinf(a.output[i * 6 + 1]) != 0) == (i >= 3 && i < 7));
        CHECK((isinf(a.output[i * 6 + 2]) != 0) == (i >= 5));
        CHECK(isfinite(a.output[i * 6]));
    }
}

TEST("a window hides keys and values that are not finite from those that do not see them") {
    const shape s = {90, 600, 8, 12, ATTEND_ALL, 0, 1, {.left = 20, .right = 3, .offset = 300}};
    const arrays a = make_arrays(s), b = make_arrays(s);
    CHECK(run_forward(s, a) == ATTN_OK);
    CHECK(run_weights(s, a, NULL, a.weights) == ATTN_OK);
    b.key[340 * 8] = NAN;
    b.value[340 * 12] = b.value[0] = b.value[599 * 12] = INFINITY;
    CHECK(run_forward(s, b) == ATTN_OK);
    CHECK(run_weights(s, b, NULL, b.weights) == ATTN_OK);
    for (uint32_t i = 0; i < 90; i++)
        if (oracle_may_attend(NULL, window_of(s), 600, i, 340)) {
            CHECK(isnan(b.output[i * 12]) && isnan(b.lse[i]) && isnan(b.weights[i * 600]));
        } else {
            CHECK_SAME_FLOATS(b.output + i * 12, a.output + i * 12, 12);
            CHECK_SAME_FLOATS(b.weights + i * 600, a.weights + i * 600, 600);
        }
}

TEST_MAIN
