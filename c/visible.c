/* visible.c: which keys a query may attend to. */
#include "visible.h"

#include "f32x4.h"

ATTN_SMALL uint32_t visible_keys(const visibility *v, uint32_t i) {
    int64_t count = v->n_k;
    if (v->causal == ATTN_CAUSAL_UPPER_LEFT)
        count = (int64_t)i + 1;
    else if (v->causal == ATTN_CAUSAL_LOWER_RIGHT)
        count = (int64_t)i + 1 + v->n_k - v->n_q;
    count = count < 0 ? 0 : count;
    return count < v->n_k ? (uint32_t)count : v->n_k;
}

ATTN_SMALL int may_attend(const visibility *v, uint32_t i, uint32_t j) {
    return j < visible_keys(v, i) &&
           (v->mask == NULL || v->mask[(size_t)i * v->n_k + j] != -INFINITY);
}

ATTN_SMALL void restrict_row(float *row, const visibility *v, uint32_t i) {
    const uint32_t visible = visible_keys(v, i);
    const float *mask = v->mask == NULL ? NULL : v->mask + (size_t)i * v->n_k;
    for (uint32_t j = 0; mask != NULL && j < visible; j++)
        row[j] = mask[j] == -INFINITY ? -INFINITY : row[j] + mask[j];
    for (uint32_t j = visible; j < v->n_k; j++)
        row[j] = -INFINITY;
}

ATTN_SMALL void add_nonfinite(float *sums, size_t stride, const float *numbers, uint32_t columns,
                              float weight) {
    for (uint32_t c = 0; c < columns; c++)
        if (numbers[c] - numbers[c] != 0.0f)
            sums[c * stride] += weight * numbers[c];
}
