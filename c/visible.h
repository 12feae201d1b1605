/*
 * visible.h: which keys a query may attend to. A position that may not be attended
 * touches nothing, whatever it holds: its score is replaced, not added to.
 */
#ifndef ATTN_VISIBLE_H
#define ATTN_VISIBLE_H

#include "attn.h"

#include <math.h> /* INFINITY; no function of libm is called */
#include <stddef.h>

typedef struct {
    const float *mask; /* [n_q, n_k] or null */
    uint32_t n_q, n_k;
    attn_causal causal;
} visibility;

/* What is wrong with the shapes and options of one head of attention, if anything: `matrix` is
 * whether there is an array [n_q, n_k], `scratch` what a `..._scratch` function said. */
attn_status check_head(uint32_t n_q, uint32_t n_k, uint32_t d_k, uint32_t d_v, attn_causal causal,
                       int matrix, uint32_t scratch);

/* The number of leading keys that causality lets query i see; grows with i. */
uint32_t visible_keys(const visibility *v, uint32_t i);

int may_attend(const visibility *v, uint32_t i, uint32_t j);

/* row [n_k]: adds the mask, makes -Infinity what query i may not attend to. */
void restrict_row(float *row, const visibility *v, uint32_t i);

/* sums[c * stride] += weight * numbers[c] for those of the numbers [columns] that are not
 * finite, which could not be multiplied by the weight 0 of where one may not attend. */
void add_nonfinite(float *sums, size_t stride, const float *numbers, uint32_t columns,
                   float weight);

#endif
