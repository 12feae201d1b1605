/*
 * attention_stages.h: the inner steps of attention, on numbers that are already laid out for them:
 * one block of keys against eight queries, and all keys against a single query.
 */
#ifndef ATTN_ATTENTION_STAGES_H
#define ATTN_ATTENTION_STAGES_H

#include "attn.h"
#include "gemm_kernel.h"

/* Queries of a block, one in each lane of two vectors. */
enum { QUERIES = GEMM_COLUMNS };

/* The running softmax of eight queries. */
typedef struct {
    float maximum[QUERIES];     /* of the scores so far, at least -FLT_MAX */
    float sum[QUERIES];         /* of exp(score - maximum) */
    float new_maximum[QUERIES]; /* including the block's */
    float rescale[2 * QUERIES]; /* exp(maximum of before - maximum); twice, for softmax_exp */
    float added[QUERIES];       /* what the last block added to the sum */
} running_softmax;

/* The keys that each of eight queries sees: from begin on, before end. Both grow with the query. */
typedef struct {
    int32_t begin[QUERIES], end[QUERIES];
} key_range;

/* ---- any scores ----------------------------------------------------------------------------- */

/* Returns whether an option changes scores before the mask. */
int shapes_scores(const attn_attention *a);

/* Changes scores [count] as options say, count a multiple of 4: to softcap tanh(score / softcap).
 * slopes, if any, = the derivative, 1 - tanh^2, but 0 for NaN, which may be hidden; if it is not,
 * the weights of its row are NaN anyway. */
void shape_scores(const attn_attention *a, float *scores, float *slopes, size_t count);

/* ---- eight queries ----------------------------------------------------------------------- */

/* scores [count][8] = keys against queries [d_k][8]; raises maximum [8] to them. Rows of keys are
 * stride floats apart. There are at most `left` of them, and count is that number in whole tiles:
 * scores beyond `left` are arbitrary. */
void score_keys(const float *keys, size_t stride, uint32_t left, const float *queries, uint32_t d_k,
                uint32_t count, float *scores, float *maximum);

/* The same with keys in panels. */
void score_panels(const float *panels, const float *queries, uint32_t d_k, uint32_t count,
                  float *scores, float *maximum);

/* Adds mask [count][8], if any, to the scores of keys first ... first + count - 1, and makes
 * scores -Infinity that the mask forbids or that are not seen; raises maximum to them. */
void restrict_keys(float *scores, const float *mask, uint32_t first, uint32_t count,
                   const key_range *seen, float *maximum);

/* weights [count][8] = exp(score - new maximum), count a multiple of 2, may alias scores; moves the
 * running softmax on to the new maximum and adds the block to its sum. */
void weigh_keys(const float *scores, uint32_t count, running_softmax *s, float *weights);

/* output [d_v][8] = rescale * output + values^T weights [count][8], d_v a multiple of 4. Rows of
 * values are stride floats apart, and `next` is 0; or columns of n >= count values are in panels:
 * stride is GEMM_PANEL_ROWS, and `next` (n - 1) times that, from a panel's first step to the next
 * panel. Without rescale (null) there is no output yet. */
void add_values(const float *values, size_t next, size_t stride, const float *weights,
                uint32_t count, const float *rescale, uint32_t d_v, float *output);

/* to [rows][columns], rows stride apart, = factor [8] * from [columns][8], transposed. Adds 0,
 * which makes -0 a +0: its sign could betray a value that no query may attend to. */
void store_rows(const float *from, const float *factor, uint32_t rows, uint32_t columns, float *to,
                size_t stride);

/* ---- a single query; d is a multiple of 4 ------------------------------------------------- */

/* scores [count] = keys [count][d] query; writes up to three numbers more. */
void score_row(const float *query, const float *keys, uint32_t count, uint32_t d, float *scores);

/* sums [d] += weights [count] values [count][d], count a multiple of 4. */
void add_rows(const float *values, const float *weights, uint32_t count, uint32_t d, float *sums);

/* sums [d] += factor * x. */
void add_row(const float *x, float factor, uint32_t d, float *sums);

/* ---- rows of results ---------------------------------------------------------------------- */

/* row [columns] = x before begin and from end on. */
void fill_outside(float *row, uint32_t begin, uint32_t end, uint32_t columns, float x);

/* sums [columns] += factor * x. */
void add_scaled(const float *x, uint32_t columns, float factor, float *sums);

#endif
