/*
 * cross_entropy.c: the mean cross-entropy of rows of logits, and its gradient.
 */
#include "../softmax.h"
#include "language.h"

#include "../f32x4.h"

#include <math.h> /* INFINITY; no function of libm is called */
#include <stddef.h>

/* Returns the number of rows that count. */
static uint32_t counted(const int32_t *targets, uint32_t rows) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows; i++)
        count += targets[i] >= 0;
    return count;
}

ATTN_SMALL void attn_cross_entropy_forward(const float *logits, const int32_t *targets,
                                           uint32_t rows, uint32_t columns, float *weights,
                                           double *loss) {
    const uint32_t count = counted(targets, rows);
    double sum = 0;
    for (size_t i = 0; i < rows; i++) {
        const float *row = logits + i * columns;
        const float correct = targets[i] >= 0 ? row[targets[i]] : 0;
        float lse = 0;
        softmax_row(row, columns, 1, -INFINITY, weights + i * columns, &lse);
        if (targets[i] >= 0)
            sum += (double)lse - (double)correct;
    }
    *loss = count > 0 ? sum / count : 0;
}

ATTN_SMALL void attn_cross_entropy_backward(const float *weights, const int32_t *targets,
                                            uint32_t rows, uint32_t columns, float *d_logits) {
    const uint32_t count = counted(targets, rows);
    const float share = 1 / (float)(count + (count == 0));
    if (d_logits != weights)
        memcpy(d_logits, weights, (size_t)rows * columns * sizeof *weights);
    for (size_t i = 0; i < rows; i++) {
        float *row = d_logits + i * columns;
        if (targets[i] < 0) {
            memset(row, 0, columns * sizeof *row);
            continue;
        }
        row[targets[i]] -= 1;
        multiply_row(row, columns, share);
    }
}
