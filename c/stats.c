/*
 * stats.c: entropy and sum of squares. Sums are float64 in index order, in plain loops:
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
