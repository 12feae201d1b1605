/*
 * stats.c: entropy, sum of squares and moments. Sums are float64 in index order, in plain loops:
 * the additions of one sum wait for each other anyway.
 */
#include "attn.h"
#include "vmath.h"

#include <stddef.h>

/* Returns -p ln p of four numbers, 0 at 0. */
ATTN_INLINE f32x4 information(f32x4 p) {
    const i32x4 is_zero = f32x4_eq(p, f32x4_splat(0.0f));
    return f32x4_select(is_zero, f32x4_splat(0.0f), f32x4_neg(f32x4_mul(p, vmath_log(p))));
}

ATTN_SMALL void attn_entropy_forward(const float *p, uint32_t rows, uint32_t columns,
                                     float *entropy) {
    for (size_t i = 0; i < rows; i++, p += columns) {
        double sum = 0.0;
        for (uint32_t j = 0; j < columns; j += 4) {
            float terms[4];
            f32x4_store(terms, information(f32x4_load_up_to(p + j, columns - j, 0.0f)));
            for (uint32_t k = 0; k < 4; k++)
                sum += (double)terms[k]; /* those beyond the row are 0 */
        }
        entropy[i] = (float)sum;
    }
}

ATTN_SMALL void attn_sum_of_squares(const float *p, uint32_t rows, uint32_t columns,
                                    double *sum_of_squares) {
    for (size_t i = 0; i < rows; i++, p += columns) {
        double sum = 0.0;
        for (size_t j = 0; j < columns; j++)
            sum += (double)p[j] * (double)p[j];
        sum_of_squares[i] = sum;
    }
}

/* Computes mean, minimum and maximum; NaN anywhere makes all three NaN. */
static ATTN_SMALL void describe_range(const float *x, uint32_t n, double moments[6]) {
    double sum = 0.0, min = (double)x[0], max = (double)x[0];
    for (size_t i = 0; i < n; i++) {
        const double v = (double)x[i];
        sum += v;
        min = v < min || v != v ? v : min;
        max = v > max || v != v ? v : max;
    }
    moments[0] = sum / n;
    moments[4] = min;
    moments[5] = max;
}

/* Computes variance, skewness and excess kurtosis about moments[0]. */
static ATTN_SMALL void describe_shape(const float *x, uint32_t n, double moments[6]) {
    double second = 0.0, third = 0.0, fourth = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = (double)x[i] - moments[0], square = d * d;
        second += square;
        third += square * d;
        fourth += square * square;
    }
    second /= n;
    moments[1] = second;
    moments[2] = third / n / (second * __builtin_sqrt(second)); /* 0 / 0 for variance 0 */
    moments[3] = fourth / n / (second * second) - 3.0;
}

ATTN_SMALL void attn_describe(const float *x, uint32_t n, double moments[6]) {
    for (int i = 0; i < 6; i++)
        moments[i] = __builtin_nan("");
    if (n == 0)
        return;
    describe_range(x, n, moments);
    describe_shape(x, n, moments);
}
