/*
 * layer_norm.c: layer normalisation and its gradient.
 *
 * With u = (x - mean) * inverse and y = u * weight + bias:
 *   d_u = d_y * weight,  d_x = inverse * (d_u - mean(d_u) - u * mean(d_u * u)).
 * The sums over rows are taken in runs of 128 rows that are added up in order, as in gemm.c.
 */
#include "../check.h"
#include "../f32x4.h"
#include "language.h"

static const float epsilon = 1e-5f;

enum { RUN = 128 };

/* Computes mean and inverse of one row. */
static ATTN_STAGE void describe_row(const float *x, uint32_t d, float statistics[2]) {
    f32x4 sum = f32x4_splat(0), squares = f32x4_splat(0);
    for (uint32_t j = 0; j < d; j += 4)
        sum = f32x4_add(sum, f32x4_load_up_to(x + j, d - j, 0));
    const float mean = f32x4_sum(sum) / (float)d;
    for (uint32_t j = 0; j < d; j += 4) {
        const f32x4 away = f32x4_sub(f32x4_load_up_to(x + j, d - j, mean), f32x4_splat(mean));
        squares = f32x4_madd(away, away, squares);
    }
    statistics[0] = mean;
    statistics[1] = 1 / __builtin_sqrtf(f32x4_sum(squares) / (float)d + epsilon);
}

/* Returns u of four columns. */
ATTN_INLINE f32x4 unit(const float *x, uint32_t left, const float statistics[2]) {
    const f32x4 mean = f32x4_splat(statistics[0]);
    return f32x4_mul(f32x4_sub(f32x4_load_up_to(x, left, statistics[0]), mean),
                     f32x4_splat(statistics[1]));
}

static ATTN_STAGE void scale_row(const float *x, const float *weight, const float *bias, uint32_t d,
                                 const float statistics[2], float *y) {
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = unit(x + j, left, statistics);
        f32x4_store_up_to(y + j, left,
                          f32x4_madd(u, f32x4_load_up_to(weight + j, left, 0),
                                     f32x4_load_up_to(bias + j, left, 0)));
    }
}

ATTN_SMALL void attn_layer_norm_forward(const float *x, const float *weight, const float *bias,
                                        uint32_t rows, uint32_t d, float *y, float *statistics) {
    for (size_t i = 0; d > 0 && i < rows; i++) {
        describe_row(x + i * d, d, statistics + 2 * i);
        scale_row(x + i * d, weight, bias, d, statistics + 2 * i, y + i * d);
    }
}

/* ---- gradient ------------------------------------------------------------------------ */

/* Adds to d_x [d], and d_y * u and d_y to sums [2, d]. */
static ATTN_STAGE void differentiate_row(const float *x, const float *weight,
                                         const float statistics[2], const float *d_y, uint32_t d,
                                         float *d_x, float *sums) {
    f32x4 sum = f32x4_splat(0), along = f32x4_splat(0);
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = unit(x + j, left, statistics), dy = f32x4_load_up_to(d_y + j, left, 0);
        const f32x4 d_u = f32x4_mul(dy, f32x4_load_up_to(weight + j, left, 0));
        sum = f32x4_add(sum, d_u);
        along = f32x4_madd(d_u, u, along);
        f32x4_store_up_to(sums + j, left, f32x4_madd(dy, u, f32x4_load_up_to(sums + j, left, 0)));
        f32x4_store_up_to(sums + d + j, left,
                          f32x4_add(dy, f32x4_load_up_to(sums + d + j, left, 0)));
    }
    const f32x4 mean = f32x4_splat(f32x4_sum(sum) / (float)d);
    const f32x4 slope = f32x4_splat(f32x4_sum(along) / (float)d);
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        const f32x4 u = unit(x + j, left, statistics), dy = f32x4_load_up_to(d_y + j, left, 0);
        const f32x4 d_u = f32x4_mul(dy, f32x4_load_up_to(weight + j, left, 0));
        const f32x4 rest = f32x4_sub(f32x4_sub(d_u, mean), f32x4_mul(u, slope));
        f32x4_store_up_to(
            d_x + j, left,
            f32x4_madd(f32x4_splat(statistics[1]), rest, f32x4_load_up_to(d_x + j, left, 0)));
    }
}

ATTN_SMALL uint32_t attn_layer_norm_backward_scratch(uint32_t d) {
    return check_scratch(check_floats(2, d));
}

ATTN_SMALL void attn_layer_norm_backward(const float *x, const float *weight,
                                         const float *statistics, const float *d_y, uint32_t rows,
                                         uint32_t d, float *d_x, float *d_weight, float *d_bias,
                                         void *scratch) {
    float *sums = scratch;
    memset(d_weight, 0, d * sizeof(float));
    memset(d_bias, 0, d * sizeof(float));
    for (size_t i = 0; d > 0 && i < rows;) {
        const size_t end = rows - i < RUN ? rows : i + RUN;
        memset(sums, 0, (size_t)d * 2 * sizeof(float));
        for (; i < end; i++)
            differentiate_row(x + i * d, weight, statistics + 2 * i, d_y + i * d, d, d_x + i * d,
                              sums);
        for (size_t j = 0; j < d; j++) {
            d_weight[j] += sums[j];
            d_bias[j] += sums[d + j];
        }
    }
}
