/* unit_rows_test.c: rows of length 1 and their gradient, against the oracle. */
#include "harness.h"

#include "attn.h"
#include "oracle_attention.h"

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

TEST("the gradient of unit rows agrees with the Jacobian and with finite differences") {
    for (size_t d = 1; d <= 9; d++) {
        float *x = guarded_normals(3 * d, d, 2), *d_unit = guarded_normals(3 * d, d + 50, 1);
        float *d_x = guarded_floats(3 * d);
        attn_unit_rows_backward(x, d_unit, 3, (uint32_t)d, d_x);
        for (size_t r = 0; r < 3; r++) {
            double row[9], d_row[9], expected[9], unit[9];
            for (size_t c = 0; c < d; c++) {
                row[c] = (double)x[r * d + c];
                d_row[c] = (double)d_unit[r * d + c];
            }
            oracle_unit_row_backward(row, d_row, d, expected);
            for (size_t c = 0; c < d; c++) {
                double slope = 0;
                for (int sign = -1; sign <= 1; sign += 2) {
                    row[c] += sign * 1e-5;
                    oracle_unit_row(row, d, unit);
                    row[c] = (double)x[r * d + c];
                    for (size_t k = 0; k < d; k++)
                        slope += sign * unit[k] * d_row[k] / 2e-5;
                }
                CHECK_CLOSE(expected[c], slope, 1e-7);
                CHECK_CLOSE(d_x[r * d + c], expected[c], 1e-7 * fabs(expected[c]) + 1e-14);
            }
        }
    }
}

TEST("below 1e-12 the length is a constant; NaN keeps to its row, and to none that has no "
     "gradient") {
    float x[12] = {0, 0, 0, 1e-13f, 0, 0, 3, 4, 0, NAN, 1, 1};
    float d[12] = {1, -2, 0, 3e-12f, 2, 0, 5, 0, 10, 1, 1, 1};
    attn_unit_rows_backward(x, d, 4, 3, d);
    const double expected[9] = {1e12, -2e12, 0, 3, 2e12, 0, 0.64, -0.48, 2};
    for (int e = 0; e < 9; e++)
        CHECK_CLOSE(d[e], expected[e], 1e-6 * fabs(expected[e]));
    CHECK(isnan(d[9]) && isnan(d[10]) && isnan(d[11]));
    float x_bad[6] = {NAN, 1, INFINITY, 3e38F, 3e38F, 1}, nothing[6] = {0, -0.0F, 0, 0, 0, 0};
    const float zeros[6] = {0};
    attn_unit_rows_backward(x_bad, nothing, 2, 3, nothing);
    CHECK_SAME_FLOATS(nothing, zeros, 6);
    attn_unit_rows_backward(x, d, 4, 0, d);
    attn_unit_rows_backward(x, d, 0, 3, d);
}

TEST_MAIN
