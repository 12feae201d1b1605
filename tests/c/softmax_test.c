/* softmax_test.c: c/softmax.c against the float64 oracle, on guarded memory. */
#include "harness.h"

#include "attn.h"
#include "oracle.h"

static const double unit = 0x1p-24; /* half the spacing of float32 at 1 */

/* ---- forward against the oracle --------------------------------------------------- */

/* One row through all three functions. */
static void check_row(const float *x, uint32_t n, float temperature) {
    double *z = doubles(n), *weights = doubles(n), *logs = doubles(n);
    for (uint32_t j = 0; j < n; j++)
        z[j] = (double)x[j] / (double)temperature;
    const double lse = oracle_log_sum_exp(z, n);
    oracle_softmax(z, n, weights);
    double largest = 0, deepest = fabs(lse);
    for (uint32_t j = 0; j < n; j++) {
        logs[j] = z[j] == -(double)INFINITY ? z[j] : z[j] - lse;
        logs[j] = (double)(float)logs[j]; /* overflows as float32 does */
        largest = fmax(largest, weights[j]);
        deepest = fmax(deepest, isfinite(logs[j]) ? fabs(logs[j]) : 0);
        deepest = fmax(deepest, isfinite(z[j]) ? fabs(z[j]) : 0);
    }
    float *w = guarded_floats(n), *l = guarded_floats(n), *s = guarded_floats(1);
    CHECK(attn_softmax_forward(x, 1, n, temperature, w) == ATTN_OK);
    CHECK(attn_log_softmax_forward(x, 1, n, temperature, l) == ATTN_OK);
    CHECK(attn_log_sum_exp_forward(x, 1, n, temperature, s) == ATTN_OK);
    CHECK_ALL_CLOSE(w, weights, n, 6 * unit * largest);
    CHECK_ALL_CLOSE(l, logs, n, 4 * unit * fmax(deepest, 1));
    CHECK_CLOSE(s[0], (float)lse, 4 * unit * fmax(deepest, 1));
    free(z);
    free(weights);
    free(logs);
}

TEST("softmax, its logarithm and log-sum-exp follow float64 for every length and temperature") {
    static const float temperatures[] = {1.0f, 0.25f, 0.3f, 7.0f, 1e-3f, 1e4f};
    for (uint32_t n = 0; n <= 70; n++)
        for (int t = 0; t < 6; t++)
            check_row(guarded_normals(n, n, 3.0), n, temperatures[t]);
}

TEST("rows of thousands keep their accuracy") {
    static const uint32_t lengths[] = {1000, 1024, 1025, 4099, 100003};
    for (int i = 0; i < 5; i++)
        check_row(guarded_normals(lengths[i], 5, 1.0), lengths[i], 1.0f);
}

TEST("a saturated row keeps weights down to 2^-126") {
    const float x[4] = {80.0f, 0.0f, -10.0f, 79.0f};
    check_row(x, 4, 1.0f);
    float w[4];
    attn_softmax_forward(x, 1, 4, 1.0f, w);
    CHECK_CLOSE(w[1] / expf(-80.0f) * (1 + expf(-1.0f)), 1, 1e-5);
}

/* ---- many rows ------------------------------------------------------------------------ */

TEST("rows are independent of one another") {
    enum { ROWS = 5, COLUMNS = 19 };
    float *x = guarded_normals(ROWS * COLUMNS, 3, 2.0), *all = guarded_floats(ROWS * COLUMNS);
    attn_softmax_forward(x, ROWS, COLUMNS, 0.7f, all);
    for (int i = 0; i < ROWS; i++) {
        float *one = guarded_floats(COLUMNS);
        attn_softmax_forward(x + i * COLUMNS, 1, COLUMNS, 0.7f, one);
        CHECK_SAME_FLOATS(one, all + i * COLUMNS, COLUMNS);
    }
}

TEST("softmax and its logarithm may be written over their input") {
    enum { N = 37 };
    float *x = guarded_normals(N, 4, 2.0), *apart = guarded_floats(N), *over = guarded_floats(N);
    memcpy(over, x, N * sizeof *x);
    attn_softmax_forward(x, 1, N, 2.0f, apart);
    attn_softmax_forward(over, 1, N, 2.0f, over);
    CHECK_SAME_FLOATS(over, apart, N);
    memcpy(over, x, N * sizeof *x);
    attn_log_softmax_forward(x, 1, N, 2.0f, apart);
    attn_log_softmax_forward(over, 1, N, 2.0f, over);
    CHECK_SAME_FLOATS(over, apart, N);
}

TEST("no rows and no columns are fine; log-sum-exp of nothing is -Infinity") {
    float lse[3] = {1, 1, 1}, no[1] = {0};
    CHECK(attn_softmax_forward(no, 0, 7, 1.0f, no) == ATTN_OK);
    CHECK(attn_softmax_forward(no, 3, 0, 1.0f, no) == ATTN_OK);
    CHECK(attn_log_softmax_forward(no, 3, 0, 1.0f, no) == ATTN_OK);
    CHECK(attn_softmax_backward(no, no, 3, 0, 1.0f, no) == ATTN_OK);
    CHECK(attn_softmax_jacobian(no, 3, 0, 1.0f, no) == ATTN_OK);
    CHECK(attn_log_sum_exp_forward(no, 3, 0, 1.0f, lse) == ATTN_OK);
    for (int i = 0; i < 3; i++)
        CHECK(lse[i] == -INFINITY);
}

/* ---- numbers at the edge of the format -------------------------------------------------- */

TEST("rows of +-FLT_MAX do not overflow, below and above temperature 1") {
    const float max = 0x1.fffffep127f;
    const float x[5] = {max, -max, 0.0f, max / 2, max};
    check_row(x, 5, 1.0f);
    check_row(x, 5, 1e-3f);
    check_row(x, 5, 1e38f);
    check_row(x, 5, 3e38f);
}

TEST("subnormal temperatures and inputs are numbers like others") {
    const float x[3] = {0x1p-149f, 0.0f, 0x1p-148f};
    check_row(x, 3, 0x1p-149f);
    check_row(x, 3, 1.0f);
}

TEST("-Infinity has weight 0 beside finite numbers") {
    const float x[6] = {-INFINITY, 1.0f, -INFINITY, 2.0f, 0.0f, -INFINITY};
    check_row(x, 6, 1.0f);
    check_row(x, 6, 3.0f);
}

TEST("a row of -Infinity has softmax 0 and log-sum-exp -Infinity") {
    for (uint32_t n = 1; n <= 35; n++) {
        float *x = guarded_floats(n), *w = guarded_floats(n), *l = guarded_floats(n), lse;
        for (uint32_t j = 0; j < n; j++)
            x[j] = -INFINITY;
        attn_softmax_forward(x, 1, n, 2.0f, w);
        attn_log_softmax_forward(x, 1, n, 1.0f, l);
        attn_log_sum_exp_forward(x, 1, n, 2.0f, &lse);
        CHECK(lse == -INFINITY);
        for (uint32_t j = 0; j < n; j++)
            CHECK(w[j] == 0.0f && l[j] == -INFINITY);
    }
}

TEST("NaN makes its row NaN and no other") {
    enum { N = 21 };
    for (int at = 0; at < N; at++) {
        float *x = guarded_normals(3 * N, 6, 1.0), *w = guarded_floats(3 * N), lse[3];
        for (int j = 0; j < N; j++)
            x[N + j] = at % 2 ? x[N + j] : -INFINITY; /* the rest of the row */
        x[N + at] = NAN;
        attn_softmax_forward(x, 3, N, 1.0f, w);
        attn_log_sum_exp_forward(x, 3, N, 1.0f, lse);
        CHECK(!isnan(lse[0]) && isnan(lse[1]) && !isnan(lse[2]));
        for (int j = 0; j < 3 * N; j++)
            CHECK(isnan(w[j]) == (j / N == 1));
        attn_log_softmax_forward(x, 3, N, 1.0f, w);
        for (int j = 0; j < 3 * N; j++)
            CHECK(isnan(w[j]) == (j / N == 1));
    }
}

TEST("+Infinity has log-sum-exp +Infinity, and no softmax") {
    const float x[5] = {0.0f, INFINITY, 2.0f, -INFINITY, 1.0f};
    const float with_nan[2] = {INFINITY, NAN};
    float w[5], lse;
    attn_log_sum_exp_forward(x, 1, 5, 1.0f, &lse);
    CHECK(lse == INFINITY);
    attn_log_sum_exp_forward(with_nan, 1, 2, 1.0f, &lse);
    CHECK(isnan(lse));
    attn_softmax_forward(x, 1, 5, 1.0f, w);
    for (int j = 0; j < 5; j++)
        CHECK(isnan(w[j]));
}

/* ---- gradient ------------------------------------------------------------------------------ */

TEST("the gradient follows float64 for every length and temperature") {
    static const float temperatures[] = {1.0f, 0.3f, 7.0f};
    for (uint32_t n = 0; n <= 70; n++)
        for (int t = 0; t < 3; t++) {
            float *x = guarded_normals(n, n, 2.0), *d = guarded_normals(n, 100 + n, 1.0);
            float *w = guarded_floats(n), *d_x = guarded_floats(n);
            double *w64 = doubles(n), *d64 = doubles(n), *expected = doubles(n);
            attn_softmax_forward(x, 1, n, temperatures[t], w);
            for (uint32_t j = 0; j < n; j++) {
                w64[j] = (double)w[j];
                d64[j] = (double)d[j];
            }
            oracle_softmax_backward(w64, d64, n, (double)temperatures[t], expected);
            CHECK(attn_softmax_backward(w, d, 1, n, temperatures[t], d_x) == ATTN_OK);
            CHECK_ALL_CLOSE(d_x, expected, n, 16 * unit / (double)temperatures[t]);
            free(w64);
            free(d64);
            free(expected);
        }
}

TEST("the gradient keeps its accuracy in rows of many thousands") {
    enum { N = 243000 };
    const float p = 1.0f / N;
    const float *w = guarded_equal(N, p), *d = guarded_equal(N, 1);
    float *d_x = guarded_floats(N);
    CHECK(attn_softmax_backward(w, d, 1, N, 1.0f, d_x) == ATTN_OK);
    const double exact = (double)p * (1 - N * (double)p);
    CHECK_CLOSE(d_x[0], exact, 16 * unit * (double)p);
}

TEST("the Jacobian times a vector is the gradient, and its rows sum to zero") {
    enum { ROWS = 2 };
    for (uint32_t n = 1; n <= 21; n++) {
        float *x = guarded_normals(ROWS * n, n, 1.5), *w = guarded_floats(ROWS * n);
        float *d = guarded_normals(ROWS * n, 50 + n, 1.0), *d_x = guarded_floats(ROWS * n);
        float *jacobian = guarded_floats(ROWS * n * n);
        attn_softmax_forward(x, ROWS, n, 0.5f, w);
        attn_softmax_backward(w, d, ROWS, n, 0.5f, d_x);
        CHECK(attn_softmax_jacobian(w, ROWS, n, 0.5f, jacobian) == ATTN_OK);
        for (uint32_t i = 0; i < ROWS * n; i++) {
            double product = 0, sum = 0;
            for (uint32_t j = 0; j < n; j++) {
                product += (double)jacobian[i * n + j] * (double)d[i / n * n + j];
                sum += (double)jacobian[i * n + j];
            }
            CHECK_CLOSE(d_x[i], product, 32 * unit);
            CHECK_CLOSE(sum, 0, 32 * unit);
        }
    }
}

/* ---- refusals ------------------------------------------------------------------------------ */

TEST("a temperature that is not positive and finite is refused, and nothing is written") {
    static const float bad[] = {0.0f, -0.0f, -1.0f, NAN, INFINITY, -INFINITY};
    const float x[2] = {1, 2};
    for (int i = 0; i < 6; i++) {
        float y[4] = {9, 9, 9, 9};
        CHECK(attn_softmax_forward(x, 1, 2, bad[i], y) == ATTN_ERROR_OPTION);
        CHECK(attn_log_softmax_forward(x, 1, 2, bad[i], y) == ATTN_ERROR_OPTION);
        CHECK(attn_log_sum_exp_forward(x, 1, 2, bad[i], y) == ATTN_ERROR_OPTION);
        CHECK(attn_softmax_backward(x, x, 1, 2, bad[i], y) == ATTN_ERROR_OPTION);
        CHECK(attn_softmax_jacobian(x, 1, 2, bad[i], y) == ATTN_ERROR_OPTION);
        for (int j = 0; j < 4; j++)
            CHECK(y[j] == 9.0f);
    }
}

TEST("arrays beyond 2^32 bytes are refused") {
    const float x[1] = {0};
    float y[1];
    CHECK(attn_softmax_forward(x, 1u << 16, 1u << 15, 1.0f, y) == ATTN_ERROR_CAPACITY);
    CHECK(attn_log_softmax_forward(x, UINT32_MAX, UINT32_MAX, 1.0f, y) == ATTN_ERROR_CAPACITY);
    CHECK(attn_log_sum_exp_forward(x, 1u << 31, 1, 1.0f, y) == ATTN_ERROR_CAPACITY);
    CHECK(attn_softmax_backward(x, x, 1u << 16, 1u << 15, 1.0f, y) == ATTN_ERROR_CAPACITY);
    CHECK(attn_softmax_jacobian(x, 2, 1u << 15, 1.0f, y) == ATTN_ERROR_CAPACITY);
}

TEST_MAIN
