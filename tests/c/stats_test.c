/* stats_test.c: c/stats.c against float64 and closed forms. */
#include "harness.h"

#include "attn.h"
#include "oracle.h"

/* ---- entropy -------------------------------------------------------------------- */

TEST("the entropy of n equal weights is ln n") {
    for (uint32_t n = 1; n <= 40; n++) {
        float *p = guarded_floats(n), entropy;
        for (uint32_t j = 0; j < n; j++)
            p[j] = 1.0f / (float)n;
        attn_entropy_forward(p, 1, n, &entropy);
        CHECK_CLOSE(entropy, log(n), 4e-7);
    }
}

TEST("entropy follows float64 row by row") {
    enum { ROWS = 7, COLUMNS = 33 };
    float *p = guarded_floats(ROWS * COLUMNS), *entropy = guarded_floats(ROWS);
    uint64_t seed = 12;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        p[i] = (float)exp(-40 * next_uniform(&seed));
    attn_entropy_forward(p, ROWS, COLUMNS, entropy);
    for (int i = 0; i < ROWS; i++) {
        double expected = 0, size = 0;
        for (int j = i * COLUMNS; j < (i + 1) * COLUMNS; j++) {
            expected -= (double)p[j] * log((double)p[j]);
            size += (double)p[j] * fabs(log((double)p[j]));
        }
        CHECK_CLOSE(entropy[i], expected, 0x1p-23 * size);
    }
}

TEST("0 ln 0 is 0, a certain outcome has no entropy, and subnormals count") {
    const float certain[5] = {0, 1, 0, -0.0f, 0}, tiny[1] = {0x1p-140f};
    float entropy = 9;
    attn_entropy_forward(certain, 1, 5, &entropy);
    CHECK(entropy == 0.0f);
    attn_entropy_forward(tiny, 1, 1, &entropy);
    CHECK_CLOSE(entropy, 0x1p-140 * 140 * log(2), 0x1p-149);
    attn_entropy_forward(tiny, 1, 0, &entropy);
    CHECK(entropy == 0.0f);
}

TEST("entropy of NaN and of negative numbers is NaN, in their row only") {
    const float p[6] = {0.5f, NAN, 0.5f, 0.5f, 0.5f, -0.5f};
    float entropy[3];
    attn_entropy_forward(p, 3, 2, entropy);
    CHECK(isnan(entropy[0]) && !isnan(entropy[1]) && isnan(entropy[2]));
}

/* ---- sum of squares ---------------------------------------------------------------- */

TEST("the sum of squares is a float64 sum in index order") {
    enum { ROWS = 3, COLUMNS = 1001 };
    float *p = guarded_normals(ROWS * COLUMNS, 8, 1.0);
    double sums[ROWS];
    attn_sum_of_squares(p, ROWS, COLUMNS, sums);
    for (int i = 0; i < ROWS; i++) {
        double expected = 0;
        for (int j = 0; j < COLUMNS; j++)
            expected += pow((double)p[i * COLUMNS + j], 2);
        CHECK(sums[i] == expected);
    }
    attn_sum_of_squares(p, 2, 0, sums);
    CHECK(sums[0] == 0 && sums[1] == 0);
}

/* ---- moments -------------------------------------------------------------------------- */

enum { MEAN, VARIANCE, SKEWNESS, KURTOSIS, MINIMUM, MAXIMUM };

TEST("the moments of a small set are those worked out by hand") {
    const float x[4] = {1, 2, 3, 10};
    double m[6];
    attn_describe(x, 4, m);
    CHECK_CLOSE(m[MEAN], 4, 0);
    CHECK_CLOSE(m[VARIANCE], 12.5, 0);
    CHECK_CLOSE(m[SKEWNESS], 45 / pow(12.5, 1.5), 1e-15);
    CHECK_CLOSE(m[KURTOSIS], 348.5 / 156.25 - 3, 1e-15);
    CHECK_CLOSE(m[MINIMUM], 1, 0);
    CHECK_CLOSE(m[MAXIMUM], 10, 0);
}

TEST("moments follow long double for numbers far from zero") {
    enum { N = 5000 };
    float *x = guarded_normals(N, 9, 0.25);
    long double sum = 0, second = 0, third = 0, fourth = 0;
    for (int i = 0; i < N; i++) {
        x[i] += 1000.0f;
        sum += (long double)x[i] / N;
    }
    for (int i = 0; i < N; i++) {
        const long double d = (long double)x[i] - sum;
        second += d * d / N;
        third += d * d * d / N;
        fourth += d * d * d * d / N;
    }
    double m[6];
    attn_describe(x, N, m);
    CHECK_CLOSE(m[MEAN], (double)sum, 1e-10);
    CHECK_CLOSE(m[VARIANCE], (double)second, 1e-12);
    CHECK_CLOSE(m[SKEWNESS], (double)(third / powl(second, 1.5L)), 1e-9);
    CHECK_CLOSE(m[KURTOSIS], (double)(fourth / (second * second) - 3), 1e-9);
}

TEST("nothing has no moments") {
    double m[6] = {0};
    attn_describe(NULL, 0, m);
    for (int i = 0; i < 6; i++)
        CHECK(isnan(m[i]));
}

TEST("equal numbers have variance 0 and neither skewness nor kurtosis") {
    float x[10];
    for (int i = 0; i < 10; i++)
        x[i] = 0.1f;
    double m[6];
    attn_describe(x, 10, m);
    CHECK(m[MEAN] == (double)0.1f && m[VARIANCE] == 0);
    CHECK(isnan(m[SKEWNESS]) && isnan(m[KURTOSIS]));
    CHECK(m[MINIMUM] == (double)0.1f && m[MAXIMUM] == (double)0.1f);
}

TEST("one NaN makes every moment NaN, wherever it stands") {
    for (int at = 0; at < 3; at++) {
        float x[3] = {1, 2, 3};
        double m[6];
        x[at] = NAN;
        attn_describe(x, 3, m);
        for (int i = 0; i < 6; i++)
            CHECK(isnan(m[i]));
    }
}

TEST("an infinite number is the range's end and has no variance") {
    const float x[3] = {1, -INFINITY, 3};
    double m[6];
    attn_describe(x, 3, m);
    CHECK(m[MEAN] == -(double)INFINITY && m[MINIMUM] == -(double)INFINITY && m[MAXIMUM] == 3);
    CHECK(isnan(m[VARIANCE]));
}

TEST("numbers as large and as small as float32 has do not overflow or vanish") {
    const float large[2] = {0x1.fffffep127f, -0x1.fffffep127f}, small[2] = {0x1p-149f, 0};
    double m[6];
    attn_describe(large, 2, m);
    CHECK_CLOSE(m[VARIANCE] / 0x1p256, 1, 1e-6);
    CHECK_CLOSE(m[KURTOSIS], -2, 1e-12);
    attn_describe(small, 2, m);
    CHECK(m[VARIANCE] == 0x1p-300);
    CHECK_CLOSE(m[KURTOSIS], -2, 1e-12);
}

TEST_MAIN
