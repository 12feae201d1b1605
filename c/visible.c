/* visible.c: which keys a query may attend to. */
#include "visible.h"

#include "check.h"
#include "f32x4.h"

ATTN_SMALL attn_status check_head(uint32_t n_q, uint32_t n_k, uint32_t d_k, uint32_t d_v,
                                  attn_causal causal, int matrix, uint32_t scratch) {
    if (d_k == 0)
        return ATTN_ERROR_SHAPE;
    if ((uint32_t)causal > ATTN_CAUSAL_LOWER_RIGHT)
        return ATTN_ERROR_OPTION;
    const int fits = check_fits(n_q, d_k) && check_fits(n_k, d_k) && check_fits(n_q, d_v) &&
                     check_fits(n_k, d_v) && (!matrix || check_fits(n_q, n_k)) &&
                     scratch != ATTN_TOO_LARGE;
    return fits ? ATTN_OK : ATTN_ERROR_CAPACITY;
}

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
