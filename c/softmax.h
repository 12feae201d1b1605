/*
 * softmax.h: the parts of the softmax family that attention shares.
 */
#ifndef ATTN_SOFTMAX_H
#define ATTN_SOFTMAX_H

#include <stdint.h>

/* terms [columns] = exp(x[i] - shift[i % 8]) of differences that are at most 0, may alias x or be
 * null; sums[k] = the sum of those with i % 8 = k. */
void softmax_exp(const float *x, uint32_t columns, const float shift[8], float *terms,
                 float sums[8]);

/* weights = softmax(x / temperature), [columns], may alias x; *lse = its log-sum-exp unless null.
 * sink, -Infinity for none, is one more entry of the row at temperature 1, without weight. As
 * attn_softmax_forward and attn_log_sum_exp_forward, but a row with +Infinity has the lse NaN. */
void softmax_row(const float *x, uint32_t columns, float temperature, float sink, float *weights,
                 float *lse);

/* x [columns] *= factor. */
void multiply_row(float *x, uint32_t columns, float factor);

#endif
