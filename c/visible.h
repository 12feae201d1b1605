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

/* The values of some keys. One that is not finite cannot be multiplied by the weight 0 of a query
 * that may not attend to it: it is 0 in the rows that sums run over, and added to the sums of those
 * that may. The caller sets what stands before `rows`. */
typedef struct {
    const float *given; /* [n_k][d_v] */
    uint32_t d_v;
    uint32_t stride;  /* floats from row to row of a copy */
    float *copy;      /* scratch, [keys][stride]; needed where not all may attend to all, too */
    uint32_t *hidden; /* scratch, [keys] */
    const float *rows;
    uint32_t hidden_count; /* keys, in hidden, that have a value that is not finite */
} visible_values;

/* Sets rows to those of keys first ... first + count - 1: a copy if need be, or if stride is not
 * d_v. */
void take_values(visible_values *x, const visibility *v, uint32_t first, uint32_t count);

/* Adds to sums [d_v], stride apart, of query i what is hidden of keys first ... first + count - 1,
 * whose weights are weight_stride apart. */
void add_hidden_values(const visible_values *x, const visibility *v, uint32_t i, uint32_t first,
                       uint32_t count, const float *weights, size_t weight_stride, float *sums,
                       size_t stride);

#endif
