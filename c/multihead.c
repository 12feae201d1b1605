/*
 * multihead.c: what surrounds attention in a multi-head layer (Vaswani et al.,
 * 2017, §3.2.2): linear maps, and the two orders of the same numbers, [n, heads *
 * d] as projections give it and [heads, n, d] as attention takes it. The layer
 * itself is these and attention.c, composed by the caller.
 */
#include "attn.h"
#include "check.h"
#include "f32x4.h"
#include "gemm.h"

ATTN_SMALL uint32_t attn_linear_scratch(uint32_t n, uint32_t d_in, uint32_t d_out) {
    const uint32_t forward = gemm_scratch(n, d_out, d_in), x = gemm_scratch(n, d_in, d_out);
    const uint32_t weight = gemm_scratch(d_out, d_in, n), backward = x > weight ? x : weight;
    return forward > backward ? forward : backward;
}

ATTN_SMALL void attn_linear_forward(const float *x, const float *weight, const float *bias,
                                    uint32_t n, uint32_t d_in, uint32_t d_out, float *y,
                                    void *scratch) {
    gemm_linear(x, weight, bias, n, d_in, d_out, y, d_out, scratch);
}

/* d_x = d_y weight; d_weight = d_y^T x; d_bias = column sums of d_y. */
ATTN_SMALL void attn_linear_backward(const float *x, const float *weight, const float *d_y,
                                     uint32_t n, uint32_t d_in, uint32_t d_out, float *d_x,
                                     float *d_weight, float *d_bias, void *scratch) {
    gemm(n, d_in, d_out, (gemm_matrix){d_y, d_out, 1}, (gemm_matrix){weight, d_in, 1}, d_x, d_in,
         scratch);
    gemm(d_out, d_in, n, (gemm_matrix){d_y, 1, d_out}, (gemm_matrix){x, d_in, 1}, d_weight, d_in,
         scratch);
    if (d_bias == NULL)
        return;
    memset(d_bias, 0, (size_t)d_out * sizeof *d_bias);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < d_out; j++)
            d_bias[j] += d_y[(size_t)i * d_out + j];
}

ATTN_SMALL void attn_split_heads(const float *x, uint32_t n, uint32_t heads, uint32_t d,
                                 float *split) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t h = 0; h < heads; h++)
            memcpy(split + ((size_t)h * n + i) * d, x + ((size_t)i * heads + h) * d,
                   (size_t)d * sizeof *x);
}

ATTN_SMALL void attn_merge_heads(const float *split, uint32_t n, uint32_t heads, uint32_t d,
                                 float *x) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t h = 0; h < heads; h++)
            memcpy(x + ((size_t)i * heads + h) * d, split + ((size_t)h * n + i) * d,
                   (size_t)d * sizeof *x);
}
