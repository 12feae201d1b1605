/* visible.c: which keys a query may attend to, and values that may not reach everybody. */
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

ATTN_SMALL void take_values(visible_values *x, const visibility *v, uint32_t first,
                            uint32_t count) {
    const int hiding = v->mask != NULL || v->causal != ATTN_ATTEND_ALL,
              copied = x->stride != x->d_v;
    const float *given = x->given + (size_t)first * x->d_v, *row = given;
    float *to = x->copy;
    x->hidden_count = 0;
    for (uint32_t j = first; (hiding || copied) && j < first + count; j++) {
        int any = 0;
        for (uint32_t c = 0; c < x->d_v; c += 4) {
            f32x4 value = f32x4_load_up_to(row + c, x->d_v - c, 0);
            const i32x4 finite = f32x4_eq(f32x4_sub(value, value), f32x4_splat(0));
            if (hiding && i32x4_any(i32x4_xor(finite, i32x4_splat(-1)))) {
                value = f32x4_select(finite, value, f32x4_splat(0));
                any = 1;
            }
            f32x4_store_up_to(to + c, x->d_v - c, value);
        }
        if (any)
            x->hidden[x->hidden_count++] = j;
        row += x->d_v;
        to += x->stride;
    }
    x->rows = copied || x->hidden_count > 0 ? x->copy : given;
}

ATTN_SMALL void add_hidden_values(const visible_values *x, const visibility *v, uint32_t i,
                                  uint32_t first, uint32_t count, const float *weights,
                                  size_t weight_stride, float *sums, size_t stride) {
    for (uint32_t k = 0; k < x->hidden_count; k++) {
        const uint32_t j = x->hidden[k];
        if (j - first >= count || !may_attend(v, i, j)) /* unsigned: below first, too */
            continue;
        const float weight = weights[(j - first) * weight_stride];
        const float *value = x->given + (size_t)j * x->d_v;
        for (uint32_t c = 0; c < x->d_v; c++)
            if (value[c] - value[c] != 0)
                sums[c * stride] += weight * value[c];
    }
}
