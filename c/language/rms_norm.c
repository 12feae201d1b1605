/*
 * rms_norm.c: normalisation by the root mean square, and its gradient.
 *
 * With u = x * inverse, inverse = 1 / sqrt(mean(x^2) + 1e-6), and y = u * weight:
 *   d_u = d_y * weight,  d_x = inverse * (d_u - u * mean(d_u * u)).
 */
#include "../check.h"
#include "../f32x4.h"
#include "language.h"

static const float epsilon = 1e-6f;

static ATTN_STAGE float inverse_of(const float *x, uint32_t d) {
    f32x4 squares = f32x4_splat(0);
    for (uint32_t j = 0; j < d; j += 4) {
        const f32x4 four = f32x4_load_up_to(x + j, d - j, 0);
        squares = f32x4_madd(four, four, squares);
    }
    return 1 / __builtin_sqrtf(f32x4_sum(squares) / (float)d + epsilon);
}

static ATTN_STAGE void scale_row(const float *x, const float *weight, uint32_t d, float inverse,
                                 float *y) {
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = f32x4_mul(f32x4_load_up_to(x + j, left, 0), f32x4_splat(inverse));
        f32x4_store_up_to(y + j, left, f32x4_mul(u, f32x4_load_up_to(weight + j, left, 0)));
    }
}

ATTN_SMALL void attn_rms_norm_forward(const float *x, const float *weight, uint32_t rows,
                                      uint32_t d, float *y) {
    for (size_t i = 0; d > 0 && i < rows; i++)
        scale_row(x + i * d, weight, d, inverse_of(x + i * d, d), y + i * d);
}

/* ---- gradient ------------------------------------------------------------------------ */

/* Writes d_x [d], and adds d_y * u to sums [d]. */
static ATTN_STAGE void differentiate_row(const float *x, const float *weight, float inverse,
                                         const float *d_y, uint32_t d, float *d_x, float *sums) {
    f32x4 along = f32x4_splat(0);
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = f32x4_mul(f32x4_load_up_to(x + j, left, 0), f32x4_splat(inverse));
        const f32x4 by_u = f32x4_mul(f32x4_load_up_to(d_y + j, left, 0), u);
        along = f32x4_madd(by_u, f32x4_load_up_to(weight + j, left, 0), along);
        f32x4_store_up_to(sums + j, left, f32x4_add(by_u, f32x4_load_up_to(sums + j, left, 0)));
    }
    const f32x4 slope = f32x4_splat(f32x4_sum(along) / (float)d);
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = f32x4_mul(f32x4_load_up_to(x + j, left, 0), f32x4_splat(inverse));
        const f32x4 d_u =
            f32x4_mul(f32x4_load_up_to(d_y + j, left, 0), f32x4_load_up_to(weight + j, left, 0));
        f32x4_store_up_to(d_x + j, left,
                          f32x4_mul(f32x4_splat(inverse), f32x4_sub(d_u, f32x4_mul(u, slope))));
    }
}

ATTN_SMALL void attn_rms_norm_backward(const float *x, const float *weight, const float *d_y,
                                       uint32_t rows, uint32_t d, float *d_x, float *d_weight,
                                       float *sums) {
    memset(sums, 0, d * sizeof(float));
    for (size_t i = 0; d > 0 && i < rows; i++)
        differentiate_row(x + i * d, weight, inverse_of(x + i * d, d), d_y + i * d, d, d_x + i * d,
                          sums);
    for (size_t j = 0; j < d; j++)
        d_weight[j] += sums[j];
}
