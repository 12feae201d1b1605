/*
 * additive.h: additive attention up to its weights, which the output and the gradient share.
 * additive.c explains how it works.
 */
#ifndef ATTN_ADDITIVE_H
#define ATTN_ADDITIVE_H

#include "attn.h"
#include "visible.h"

enum {
    ADDITIVE_BLOCK = 32, /* queries at a time */
    ADDITIVE_UNITS = 16, /* hidden units in the lanes of a direct score */
};

/* One call. The caller sets a, pairwise, the results that it wants and, if it needs the output,
 * the given values; additive_begin sets the rest. Projections are [rows][hidden]; the hidden units
 * beyond d_hidden are 0 and have the score weight 0. */
typedef struct {
    const attn_additive *a;
    visibility visible;
    float *output, *lse, *weights, *scores; /* weights and scores may be null */
    uint32_t hidden;                        /* d_hidden rounded up to 16 */
    int pairwise;
    /* scratch of both forms */
    float *energies;     /* [32][n_k], masked scores and then weights */
    float *score_weight; /* [hidden] */
    visible_values values;
    void *gemm_scratch;
    /* scratch of the factored form */
    float *keys;          /* [n_k][hidden] */
    float *key_panels;    /* [n_k / 8][hidden][8], e^2b */
    uint32_t *large_keys; /* marked, large_key_count of them */
    float *queries;       /* [32][hidden] */
    float *query_powers;  /* [32][hidden], e^-2a */
    float *numerators;    /* [32][hidden], -2 v e^-2a */
    int query_is_large[ADDITIVE_BLOCK];
    uint32_t large_key_count;
    float score_weight_sum;
    int score_weight_is_extreme;
    /* scratch of the pairwise form */
    float *query_weight_panels, *key_weight_panels; /* [hidden / 16][d][16] */
    float *bias, *no_bias;                          /* [hidden] */
} additive_call;

/* Returns the number of queries in the first block, the largest. */
static inline uint32_t additive_block(const attn_additive *a) {
    return a->n_q < ADDITIVE_BLOCK ? a->n_q : ADDITIVE_BLOCK;
}

/* Returns the bytes of scratch for any product of the forward pass and the gradient. */
uint32_t additive_gemm_scratch(const attn_additive *a);

/* Returns the first error in shapes, options and sizes of the call, or ATTN_OK. */
attn_status additive_check(const attn_additive *a, int wants_matrix);

/* Lays out attn_additive_forward_scratch bytes and prepares the numbers that all queries share. */
void additive_begin(additive_call *f, void *scratch);

/* Returns the weights [rows][n_k], and lse [rows], of queries i0 ... i0 + rows - 1, at most 32; 0
 * where a query may not attend, unless its row is NaN. Leaves the queries' projections in
 * f->queries. */
float *additive_weigh(additive_call *f, uint32_t i0, uint32_t rows, float *lse);

/* powers[h] = e^(factor row[h]); where row[h] is beyond 15 or NaN, a harmless number takes its
 * place. Returns whether any row[h] was. powers may be row; n is a multiple of 4. */
int additive_exponentials(const float *row, uint32_t n, float factor, float *powers);

#endif
