/* additive_backward_hidden_test.c: queries, keys and values that take part in no pair change no
 * gradient, and numbers that are not finite reach no others. */
#include "harness.h"

#include "additive_backward.h"
#include "attn.h"

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

TEST("keys, values and queries that take part in no pair touch nothing, even NaN and infinities") {
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

TEST_MAIN
