/*
 * linear.c: the linear map of a layer, as torch.nn.Linear, and its gradient.
 */
#include "attn.h"
#include "f32x4.h"
#include "gemm.h"

ATTN_SMALL uint32_t attn_linear_scratch(uint32_t n, uint32_t d_in, uint32_t d_out) {
    const uint32_t widest = d_in > d_out ? d_in : d_out; /* of the three products */
    return gemm_scratch(widest, n > widest ? n : widest);
}

ATTN_SMALL void attn_linear_forward(const float *x, const float *weight, const float *bias,
                                    uint32_t n, uint32_t d_in, uint32_t d_out, float *y,
                                    void *scratch) {
    gemm_linear(x, weight, bias, n, d_in, d_out, y, d_out, scratch);
}

static const float one = 1.0f;

/* d_x = d_y weight; d_weight = d_y^T x; d_bias = column sums of d_y. */
ATTN_SMALL void attn_linear_backward(const float *x, const float *weight, const float *d_y,
                                     uint32_t n, uint32_t d_in, uint32_t d_out, float *d_x,
                                     float *d_weight, float *d_bias, void *scratch) {
    gemm(n, d_in, d_out, (gemm_matrix){d_y, d_out, 1}, (gemm_matrix){weight, d_in, 1}, d_x, d_in,
         scratch);
    gemm(d_out, d_in, n, (gemm_matrix){d_y, 1, d_out}, (gemm_matrix){x, d_in, 1}, d_weight, d_in,
         scratch);
    if (d_bias != NULL) /* with strides of 0, `one` is a row of ones */
        gemm(1, d_out, n, (gemm_matrix){&one, 0, 0}, (gemm_matrix){d_y, d_out, 1}, d_bias, d_out,
             scratch);
}
