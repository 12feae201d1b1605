/* attention_backward_hidden_test.c: numbers that are not finite reach the gradients of rows that
 * may attend to them and no others. */
#include "harness.h"

#include "attention_backward.h"
#include "attn.h"

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

TEST_MAIN
