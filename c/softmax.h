/*
 * softmax.h: the row under the softmax family, for those who hold a row of scores.
 */
#ifndef ATTN_SOFTMAX_H
#define ATTN_SOFTMAX_H

#include <stdint.h>

/* weights = softmax(x / temperature), [columns], may alias x; *lse = its log-sum-exp
 * unless null. As attn_softmax_forward and attn_log_sum_exp_forward say, except that
 * a row with +Infinity has the lse NaN. */
void softmax_row(const float *x, uint32_t columns, float temperature, float *weights, float *lse);

#endif
