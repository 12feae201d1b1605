/* visible.c: which keys a query may attend to, and values that some queries may not see. */
#include "visible.h"

#include "check.h"
#include "f32x4.h"

ATTN_SMALL int check_window(const attn_window *window, uint32_t n_k) {
    return window->left >= -1 && window->right >= -1 && window->key_count <= n_k;
}

ATTN_SMALL attn_status check_attention(const attn_attention *a, const visibility *v, int matrix,
                                       uint32_t scratch) {
    const uint32_t n_q = a->n_q, n_k = a->n_k, d_k = a->d_k, d_v = a->d_v;
    if (d_k == 0)
        return ATTN_ERROR_SHAPE;
    if (!(a->softcap >= 0 && a->softcap < INFINITY && a->sink < INFINITY) ||
        !check_window(&v->window, n_k))
        return ATTN_ERROR_OPTION;
    const int fits = check_fits(n_q, d_k) && check_fits(n_k, d_k) && check_fits(n_q, d_v) &&
                     check_fits(n_k, d_v) && (!(matrix || a->mask) || check_fits(n_q, n_k)) &&
                     scratch != ATTN_TOO_LARGE;
    return fits ? ATTN_OK : ATTN_ERROR_CAPACITY;
}

/* Returns `key` moved into 0 ... key_count. */
static uint32_t clamp_key(const visibility *v, int64_t key) {
    const uint32_t most = v->window.key_count;
    return key < 0 ? 0 : key < most ? (uint32_t)key : most;
}

ATTN_SMALL uint32_t first_key(const visibility *v, uint32_t i) {
    const attn_window *w = &v->window;
    return w->left < 0 ? 0 : clamp_key(v, (int64_t)i + w->offset - w->left);
}

ATTN_SMALL uint32_t end_key(const visibility *v, uint32_t i) {
    const attn_window *w = &v->window;
    return w->right < 0 ? w->key_count : clamp_key(v, (int64_t)i + w->offset + w->right + 1);
}

ATTN_SMALL int hides_keys(const visibility *v) {
    return v->mask != NULL || v->window.left >= 0 || v->window.right >= 0;
}

ATTN_SMALL int may_attend(const visibility *v, uint32_t i, uint32_t j) {
    return j >= first_key(v, i) && j < end_key(v, i) &&
           (v->mask == NULL || v->mask[(size_t)i * v->n_k + j] != -INFINITY);
}

ATTN_SMALL void restrict_row(float *row, const visibility *v, uint32_t i) {
    const uint32_t first = first_key(v, i), end = end_key(v, i);
    const float *mask = v->mask == NULL ? NULL : v->mask + (size_t)i * v->n_k;
    for (uint32_t j = 0; j < first; j++)
        row[j] = -INFINITY;
    for (uint32_t j = first; mask != NULL && j < end; j++)
        row[j] = mask[j] == -INFINITY ? -INFINITY : row[j] + mask[j];
    for (uint32_t j = end; j < v->n_k; j++)
        row[j] = -INFINITY;
}

ATTN_SMALL void prepare_values(visible_values *x, const visibility *v, uint32_t first,
                               uint32_t count) {
    const int hiding = hides_keys(v), copied = x->stride != x->d_v;
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
