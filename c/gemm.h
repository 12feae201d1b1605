/*
 * gemm.h: the single-precision matrix product, on matrices anywhere in memory.
 */
#ifndef ATTN_GEMM_H
#define ATTN_GEMM_H

#include "f32x4.h"

/* A matrix anywhere in memory, transposed or not: element (i, j) is
 * data[i * stride_row + j * stride_column]. */
typedef struct {
    const float *data;
    uint32_t stride_row, stride_column; /* in elements */
} gemm_matrix;

/* Returns the bytes of scratch for gemm with b [k, n]: at most 280 kB for k up to 2^14, 920 kB for
 * any k. Scratch for k steps is enough for fewer. */
uint32_t gemm_scratch(uint32_t n, uint32_t k);

/* c [m, n] (rows c_stride_row apart) = factor * a [m, k] b [k, n].
 * Sums run over k in index order, in runs of at least 128 that are added up in order. c must not
 * overlap a, b or scratch. */
void gemm_scaled(uint32_t m, uint32_t n, uint32_t k, float factor, gemm_matrix a, gemm_matrix b,
                 float *c, uint32_t c_stride_row, void *scratch);

/* The same with factor 1. */
ATTN_INLINE void gemm(uint32_t m, uint32_t n, uint32_t k, gemm_matrix a, gemm_matrix b, float *c,
                      uint32_t c_stride_row, void *scratch) {
    gemm_scaled(m, n, k, 1.0f, a, b, c, c_stride_row, scratch);
}

/* y [n, d_out] (rows y_stride apart) = x [n, d_in] weight^T + bias, weight [d_out, d_in] and
 * bias [d_out] or null. Scratch of gemm (d_out, d_in). */
void gemm_linear(const float *x, const float *weight, const float *bias, uint32_t n, uint32_t d_in,
                 uint32_t d_out, float *y, uint32_t y_stride, void *scratch);

#endif
