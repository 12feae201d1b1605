/* attention_test.c: attention against the float64 oracle, and hidden positions that must stay
 * hidden. */
#include "harness.h"

#include "attention_problem.h"
#include "attn.h"
#include "f32x4.h"
#include "oracle.h"

/* ---- one call --------------------------------------------------------------------- */

static arrays make_arrays(shape s) {
    arrays a = make_inputs(s);
    a.output = guarded_floats((size_t)s.n_q * s.d_v);
    a.lse = guarded_floats(s.n_q);
    a.weights = guarded_floats((size_t)s.n_q * s.n_k);
    a.scores = guarded_floats((size_t)s.n_q * s.n_k);
    return a;
}

static attn_status run_forward(shape s, arrays a) {
    void *scratch = guarded_bytes(attn_attention_forward_scratch(s.n_q, s.n_k, s.d_k, s.d_v), 16);
    return attn_attention_forward(a.query, a.key, a.value, a.mask, s.n_q, s.n_k, s.d_k, s.d_v,
                                  a.scale, s.causal, a.output, a.lse, scratch);
}

static attn_status run_weights(shape s, arrays a, float *scores, float *weights) {
    void *scratch = guarded_bytes(attn_attention_weights_scratch(s.n_k, s.d_k), 16);
    return attn_attention_weights(a.query, a.key, a.mask, s.n_q, s.n_k, s.d_k, a.scale, s.causal,
                                  scores, weights, scratch);
}

/* Runs both functions and compares all four results with the oracle. */
static void check_against_oracle(shape s) {
    const size_t n = (size_t)s.n_q * s.n_k, outputs = (size_t)s.n_q * s.d_v;
    const arrays a = make_arrays(s);
    double *output = doubles(outputs), *lse = doubles(s.n_q), *weights = doubles(n),
           *scores = doubles(n);
    oracle_attention(a.query, a.key, a.value, a.mask, s.n_q, s.n_k, s.d_k, s.d_v, (double)a.scale,
                     s.causal, output, lse, weights, scores);
    const oracle_magnitudes magnitude = oracle_magnitude_attention(
        a.query, a.key, a.value, a.mask, s.n_q, s.n_k, s.d_k, s.d_v, (double)a.scale, weights, lse);
    CHECK(run_forward(s, a) == ATTN_OK);
    CHECK(run_weights(s, a, a.scores, a.weights) == ATTN_OK);
    CHECK_ALL_CLOSE(a.output, output, outputs, LIMIT * 0x1p-24 * magnitude.output);
    CHECK_ALL_CLOSE(a.lse, lse, s.n_q, LIMIT * 0x1p-24 * magnitude.lse);
    CHECK_ALL_CLOSE(a.weights, weights, n, LIMIT * 0x1p-24 * magnitude.weights);
    CHECK_ALL_CLOSE(a.scores, scores, n, LIMIT * 0x1p-24 * magnitude.scores);
    free(output);
    free(lse);
    free(weights);
    free(scores);
}

/* ---- results ------------------------------------------------------------------------ */

TEST("small shapes agree with the oracle, masked or not, causal or not") {
    check_small_shapes(check_against_oracle, 7);
}

TEST("shapes beyond a block and a chunk of keys agree with the oracle") {
    check_all_kinds(check_against_oracle, 10, 49, 768, 64);
    check_all_kinds(check_against_oracle, 20, 128, 64, 33);
    check_all_kinds(check_against_oracle, 9, 257, 16, 8);
    check_all_kinds(check_against_oracle, 67, 265, 5, 6);
    check_all_kinds(check_against_oracle, 13, 300, 600, 500); /* a chunk is one block here */
    check_all_kinds(check_against_oracle, 300, 13, 5, 130);
    check_all_kinds(check_against_oracle, 21, 5000, 30, 3); /* two chunks */
    check_all_kinds(check_against_oracle, 9, 140, 1024,
                    1024); /* rows so far apart that they are copied */
}

/* Attention of all queries, then of 16 at a time. */
static void check_parts(shape s, int hidden) {
    arrays a = make_arrays(s);
    float *parts = guarded_floats((size_t)s.n_q * s.d_v), *lse = guarded_floats(s.n_q);
    for (uint32_t j = 0; hidden && j < s.n_k; j += 5)
        a.value[(size_t)j * s.d_v + j % s.d_v] = j % 2 == 0 ? INFINITY : NAN;
    CHECK(run_forward(s, a) == ATTN_OK);
    arrays part = a;
    shape few = s;
    for (uint32_t i = 0; i < s.n_q; i += few.n_q) {
        few.n_q = s.n_q - i < 16 ? s.n_q - i : 16;
        part.query = a.query + (size_t)i * s.d_k;
        part.mask = a.mask == NULL ? NULL : a.mask + (size_t)i * s.n_k;
        part.output = parts + (size_t)i * s.d_v;
        part.lse = lse + i;
        CHECK(run_forward(few, part) == ATTN_OK);
    }
    CHECK_SAME_FLOATS(a.output, parts, (size_t)s.n_q * s.d_v);
    CHECK_SAME_FLOATS(a.lse, lse, s.n_q);
    release_guarded();
}

TEST("many queries, which get packed keys and values, have the bits of few") {
    const uint32_t many = F32X4_FUSED ? 128 : 48, block = F32X4_FUSED ? 264 : 256;
    const uint32_t keys[] = {1, 3, block - 1, block, block + 3, 530};
    for (uint32_t n_q = many - 8; n_q <= many + 8; n_q += 8)
        for (int i = 0; i < 6; i++)
            for (int masked = 0; masked < 2; masked++) {
                check_parts((shape){n_q, keys[i], 13, 7, ATTN_ATTEND_ALL, masked, 1}, 0);
                check_parts((shape){n_q, keys[i], 64, 36, ATTN_ATTEND_ALL, masked, 1}, masked);
            }
    check_parts((shape){many + 16, 3000, 64, 30, ATTN_ATTEND_ALL, 1, 1}, 1); /* three chunks */
    check_parts((shape){many + 24, 130, 1024, 1024, ATTN_ATTEND_ALL, 0, 1}, 0);
    check_parts((shape){many + 24, 20, 2, 0, ATTN_ATTEND_ALL, 0, 1}, 0);
}

TEST("few queries, whose lanes are columns, agree with the oracle") {
    const uint32_t keys[] = {0, 1, 2, 3, 4, 5, 127, 128, 130, 261, 1500};
    for (uint32_t n_q = 1; n_q <= 5; n_q++)
        for (int i = 0; i < 11; i++)
            for (uint32_t d = 4; d <= 20; d += 8)
                check_all_kinds(check_against_oracle, n_q, keys[i], d, 24 - d);
    check_all_kinds(check_against_oracle, 1, 4000, 64, 64);
    check_all_kinds(check_against_oracle, 2, 50, 8, 0);
}

TEST("scores so large that one key takes all agree with the oracle") {
    check_against_oracle((shape){16, 200, 64, 16, ATTN_ATTEND_ALL, 0, 4});
    check_against_oracle((shape){16, 200, 64, 16, ATTN_CAUSAL_LOWER_RIGHT, 1, 12});
}

TEST("without keys the output is 0 and the log-sum-exp -Infinity") {
    const shape s = {5, 0, 3, 6, ATTN_ATTEND_ALL, 0, 1};
    const arrays a = make_arrays(s);
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int i = 0; i < 30; i++)
        CHECK(a.output[i] == 0);
    for (int i = 0; i < 5; i++)
        CHECK(a.lse[i] == -INFINITY);
}

TEST("a mask of the lowest finite number everywhere is not a mask of -Infinity") {
    const shape s = {3, 5, 4, 2, ATTN_ATTEND_ALL, 1, 1};
    const arrays a = make_arrays(s);
    for (int i = 0; i < 15; i++)
        a.mask[i] = -3.40282347e38f;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int c = 0; c < 2; c++) {
        double mean = 0;
        for (int j = 0; j < 5; j++)
            mean += (double)a.value[j * 2 + c] / 5;
        CHECK_CLOSE(a.output[c], mean, 1e-6);
    }
}

TEST("scores of 1e38 do not overflow the softmax") {
    const shape s = {2, 3, 1, 1, ATTN_ATTEND_ALL, 0, 1};
    const arrays a = make_arrays(s);
    a.query[0] = 1e19f, a.query[1] = -1e19f;
    a.key[0] = 1e19f, a.key[1] = -1e19f, a.key[2] = 0;
    CHECK(run_forward(s, a) == ATTN_OK);
    CHECK(a.output[0] == a.value[0]);
    CHECK(a.output[1] == a.value[1]);
    CHECK(a.lse[0] == 1e19f * 1e19f);
}

/* ---- NaN and Infinity ------------------------------------------------------------------ */

TEST("NaN in a query, key or value that is attended reaches exactly its rows") {
    const shape s = {19, 140, 5, 6, ATTN_ATTEND_ALL, 0, 1};
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
            sees |= oracle_may_attend(a.mask, s.causal, s.n_q, s.n_k, i, bad[k]);
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

TEST("a key and value that may not be attended touch nothing, whatever they hold") {
    const uint32_t middle[] = {3, 77, 130}, last[] = {150};
    const float spoilt[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        check_hidden((shape){151, 151, 6, 5, ATTN_CAUSAL_UPPER_LEFT, 0, 1}, last, 1, spoilt[i]);
        check_hidden((shape){40, 151, 6, 5, ATTN_CAUSAL_LOWER_RIGHT, 0, 1}, last, 1, spoilt[i]);
        check_hidden((shape){21, 151, 6, 5, ATTN_ATTEND_ALL, 1, 1}, middle, 3, NAN);
    }
}

TEST("values that are not finite are added for the queries that may attend to them") {
    const shape s = {10, 12, 4, 6, ATTN_CAUSAL_UPPER_LEFT, 0, 1};
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

/* ---- weights and scores --------------------------------------------------------------- */

TEST("weights sum to 1, and each result may be left out") {
    const shape s = {7, 333, 64, 1, ATTN_ATTEND_ALL, 0, 1};
    const arrays a = make_arrays(s);
    float *alone = guarded_floats(7 * 333);
    CHECK(run_weights(s, a, a.scores, a.weights) == ATTN_OK);
    for (int i = 0; i < 7; i++) {
        double sum = 0;
        for (int j = 0; j < 333; j++)
            sum += (double)a.weights[i * 333 + j];
        CHECK_CLOSE(sum, 1, 1e-6);
    }
    CHECK(run_weights(s, a, NULL, alone) == ATTN_OK);
    CHECK_SAME_FLOATS(alone, a.weights, 7 * 333);
    CHECK(run_weights(s, a, alone, NULL) == ATTN_OK);
    CHECK_SAME_FLOATS(alone, a.scores, 7 * 333);
    CHECK(run_weights(s, a, NULL, NULL) == ATTN_OK);
}

/* ---- errors ------------------------------------------------------------------------------ */

TEST("impossible shapes are refused and nothing is written") {
    float x[4] = {0}, output[1] = {5}, lse[1] = {6};
    char scratch[1];
    CHECK(attn_attention_forward(x, x, x, NULL, 1, 1, 0, 1, 1, ATTN_ATTEND_ALL, output, lse,
                                 scratch) == ATTN_ERROR_SHAPE);
    CHECK(attn_attention_forward(x, x, x, NULL, 1, 1, 1, 1, 1, (attn_causal)3, output, lse,
                                 scratch) == ATTN_ERROR_OPTION);
    CHECK(attn_attention_forward(x, x, x, NULL, 1u << 31, 1, 1, 1, 1, ATTN_ATTEND_ALL, output, lse,
                                 scratch) == ATTN_ERROR_CAPACITY);
    CHECK(attn_attention_forward(x, x, x, NULL, 1, 1u << 16, 1, 1u << 16, 1, ATTN_ATTEND_ALL,
                                 output, lse, scratch) == ATTN_ERROR_CAPACITY);
    CHECK(attn_attention_forward(x, x, x, x, 1u << 16, 1u << 16, 1, 1, 1, ATTN_ATTEND_ALL, output,
                                 lse, scratch) == ATTN_ERROR_CAPACITY);
    CHECK(attn_attention_weights(x, x, NULL, 1u << 16, 1u << 16, 1, 1, ATTN_ATTEND_ALL, output,
                                 output, scratch) == ATTN_ERROR_CAPACITY);
    CHECK(attn_attention_weights(x, x, NULL, 1, 1, 0, 1, ATTN_ATTEND_ALL, output, output,
                                 scratch) == ATTN_ERROR_SHAPE);
    CHECK(output[0] == 5 && lse[0] == 6);
}

TEST("scratch is O(n d), and ATTN_TOO_LARGE when it does not fit") {
    CHECK(attn_attention_forward_scratch(4096, 4096, 64, 64) <= 2u * 4096 * 64 * 4);
    CHECK(attn_attention_forward_scratch(65536, 65536, 64, 64) < 2u * 65536 * 64 * 4);
    CHECK(attn_attention_forward_scratch(1, 1, UINT32_MAX, 1) == ATTN_TOO_LARGE);
    CHECK(attn_attention_forward_scratch(UINT32_MAX, 1, 1, 1) == ATTN_TOO_LARGE);
    CHECK(attn_attention_forward_scratch(1, 1, 1, UINT32_MAX) == ATTN_TOO_LARGE);
}

/* ---- unit rows --------------------------------------------------------------------------- */

TEST("unit rows have length 1, tiny ones are divided by 1e-12, NaN keeps to its row") {
    float x[12] = {3, 4, 0, 0, 0, 0, 1e-20f, 0, 0, NAN, 1, 1}, unit[12];
    attn_unit_rows_forward(x, 4, 3, unit);
    const float expected[9] = {0.6f, 0.8f, 0, 0, 0, 0, 1e-8f, 0, 0};
    CHECK_SAME_FLOATS(unit, expected, 9);
    CHECK(isnan(unit[9]) && isnan(unit[10]) && isnan(unit[11]));
    float large[2] = {3e38f, 3e38f};
    attn_unit_rows_forward(large, 1, 2, large);
    CHECK_CLOSE(large[0], 0.70710678, 1e-7);
}

TEST_MAIN
