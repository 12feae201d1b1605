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

TEST_MAIN
