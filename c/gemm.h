/*
 * gemm.h: single-precision matrix product on packed panels.
 */
#ifndef ATTN_GEMM_H
#define ATTN_GEMM_H

#include <stdint.h>

/* A matrix anywhere in memory, transposed or not: element (i, j) is
 * data[i * stride_row + j * stride_column]. */
typedef struct {
    const float *data;
    uint32_t stride_row, stride_column; /* in elements */
} gemm_matrix;

/* Bytes of scratch for gemm, or ATTN_TOO_LARGE. */
uint32_t gemm_scratch(uint32_t m, uint32_t n, uint32_t k);

/* c [m, n] (rows c_stride_row apart) = a [m, k] b [k, n].
 * Sums run over k in index order. c must not overlap a, b or scratch. */
void gemm(uint32_t m, uint32_t n, uint32_t k, gemm_matrix a, gemm_matrix b, float *c,
          uint32_t c_stride_row, void *scratch);

/* The same with every element of a first multiplied by factor. */
void gemm_scaled(uint32_t m, uint32_t n, uint32_t k, float factor, gemm_matrix a, gemm_matrix b,
                 float *c, uint32_t c_stride_row, void *scratch);

/* y [n, d_out] (rows y_stride apart) = x [n, d_in] weight^T + bias, weight [d_out, d_in] and
 * bias [d_out] or null. Scratch of gemm (n, d_out, d_in). */
void gemm_linear(const float *x, const float *weight, const float *bias, uint32_t n, uint32_t d_in,
                 uint32_t d_out, float *y, uint32_t y_stride, void *scratch);

#endif
