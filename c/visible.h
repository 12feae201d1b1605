/*
 * visible.h: which keys a query may attend to. A position that may not be attended touches
 * nothing, not even with NaN in its value: its score is replaced, not added to.
 */
#ifndef ATTN_VISIBLE_H
#define ATTN_VISIBLE_H

#include "attn.h"

#include <math.h> /* INFINITY; no function of libm is called */
#include <stddef.h>

typedef struct {
    const float *mask; /* [n_q, n_k] or null */
    uint32_t n_q, n_k;
    attn_window window;
} visibility;

/* Returns the first error in shapes and options of a call, or ATTN_OK. `matrix` is 1 where there
 * is an array [n_q, n_k] beside the mask; `scratch` is the result of the `..._scratch` function. */
attn_status check_attention(const attn_attention *a, const visibility *v, int matrix,
                            uint32_t scratch);

/* Returns whether the window is one that attn.h allows. */
int check_window(const attn_window *window, uint32_t n_k);

/* The window lets query i see the keys from first_key on, before end_key; first_key <= end_key, and
 * both grow with i. */
uint32_t first_key(const visibility *v, uint32_t i);
uint32_t end_key(const visibility *v, uint32_t i);

/* Returns whether some query may not attend to some key before key_count. */
int hides_keys(const visibility *v);

/* Returns whether query i may attend to key j. */
int may_attend(const visibility *v, uint32_t i, uint32_t j);

/* Adds the mask to row [n_k] and makes scores -Infinity that query i may not attend to. */
void restrict_row(float *row, const visibility *v, uint32_t i);

/* The values of some keys. A number that is not finite must not meet the weight 0 of a query that
 * may not attend to it: it is 0 in the rows that sums run over, and is added to the sums of the
 * queries that may. The caller sets the fields before `rows`. */
typedef struct {
    const float *given; /* [n_k][d_v] */
    uint32_t d_v;
    uint32_t stride;  /* floats from row to row of a copy */
    float *copy;      /* scratch, [keys][stride] */
    uint32_t *hidden; /* scratch, [keys] */
    const float *rows;
    uint32_t hidden_count; /* keys in hidden: those with a value that is not finite */
} visible_values;

/* Sets rows to the values of keys first ... first + count - 1: a copy if numbers must be hidden or
 * stride is not d_v. */
void prepare_values(visible_values *x, const visibility *v, uint32_t first, uint32_t count);

/* Adds the hidden numbers of keys first ... first + count - 1 to the sums [d_v] of query i, which
 * are stride apart; the keys' weights are weight_stride apart. */
void add_hidden_values(const visible_values *x, const visibility *v, uint32_t i, uint32_t first,
                       uint32_t count, const float *weights, size_t weight_stride, float *sums,
                       size_t stride);

#endif
