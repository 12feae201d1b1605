/*
 * visible.h: which keys a query may attend to. A position that may not be attended
 * touches nothing, whatever it holds: its score is replaced, not added to.
 */
#ifndef ATTN_VISIBLE_H
#define ATTN_VISIBLE_H

#include "attn.h"

#include <math.h> /* INFINITY; no function of libm is called */
#include <stddef.h>

#define VISIBLE_INLINE static inline __attribute__((unused))

typedef struct {
    const float *mask; /* [n_q, n_k] or null */
    uint32_t n_q, n_k;
    attn_causal causal;
} visibility;

/* The number of leading keys that causality lets query i see; grows with i. */
VISIBLE_INLINE uint32_t visible_keys(const visibility *v, uint32_t i) {
    int64_t count = v->n_k;
    if (v->causal == ATTN_CAUSAL_UPPER_LEFT)
        count = (int64_t)i + 1;
    else if (v->causal == ATTN_CAUSAL_LOWER_RIGHT)
        count = (int64_t)i + 1 + v->n_k - v->n_q;
    count = count < 0 ? 0 : count;
    return count < v->n_k ? (uint32_t)count : v->n_k;
}

VISIBLE_INLINE int may_attend(const visibility *v, uint32_t i, uint32_t j) {
    return j < visible_keys(v, i) &&
           (v->mask == NULL || v->mask[(size_t)i * v->n_k + j] != -INFINITY);
}

/* row [n_k]: adds the mask, makes -Infinity what query i may not attend to. */
VISIBLE_INLINE void restrict_row(float *row, const visibility *v, uint32_t i) {
    const uint32_t visible = visible_keys(v, i);
    const float *mask = v->mask == NULL ? NULL : v->mask + (size_t)i * v->n_k;
    for (uint32_t j = 0; mask != NULL && j < visible; j++)
        row[j] = mask[j] == -INFINITY ? -INFINITY : row[j] + mask[j];
    for (uint32_t j = visible; j < v->n_k; j++)
        row[j] = -INFINITY;
}

#endif
