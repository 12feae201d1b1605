/*
 * attention.h: one call of attn_attention_forward, which attention.c computes in tiles of eight
 * queries, attention_alone.c for up to four, query by query, and attention_scores.c without
 * weights.
 */
#ifndef ATTN_ATTENTION_H
#define ATTN_ATTENTION_H

#include "attention_stages.h"
#include "attn.h"
#include "visible.h"

enum {
    BLOCK_KEYS = GEMM_ROWS == 4 ? 256 : 264, /* whole panels */
    CHUNK_FLOATS = 4 * 264 * 128,            /* four blocks of 264 keys with d = 64 */
    ALONE_QUERIES = 4,                       /* the most queries that go alone, */
    ALONE_KEYS = 16,                         /* and the fewest keys that they meet */
    MANY_QUERIES = F32X4_FUSED ? 128 : 48    /* from here on packing pays */
};

/* Queries side by side: in lanes, or in a panel of attention_scores.c. */
enum { QUERY_LANES = GEMM_PANEL_ROWS > GEMM_COLUMNS ? GEMM_PANEL_ROWS : GEMM_COLUMNS };

typedef struct {
    const attn_attention *a;
    const attn_attention_results *results;
    visibility visible;
    uint32_t d_k, d_v, key_stride; /* d_v 0 without output */
    int weighs;                    /* whether results need exponentials */
    visible_values values;
    /* scratch */
    float *keys;             /* [chunk][key_stride], or packed, if need be */
    float *queries;          /* [d_k][QUERY_LANES], times scale */
    float *outputs;          /* [d_v][8], before division by the sums */
    float *scores;           /* [BLOCK_KEYS][8]; at least [n_k] for queries alone */
    float *masks;            /* [BLOCK_KEYS][8] */
    float *maxima;           /* [n_q], between chunks */
    float *sums;             /* [n_q], between chunks */
    float *block_maxima;     /* [n_q / 8][blocks][8], at which a block's weights were stored */
    uint32_t first, count;   /* the chunk: keys first ... first + count - 1 */
    const float *chunk_keys; /* [count][key_stride], or in panels */
    int packed;              /* whether keys and values are in panels, values as [d_v] rows */
    int again;               /* whether they are so from an earlier call */
    uint32_t step, next;     /* floats from value to value, and skipped from panel to panel */
} forward;

/* Returns whether chunks are packed, unless values must be hidden; the same for all parts of a
 * head.
 */
ATTN_INLINE int packs(const forward *f) {
    return f->visible.n_q >= MANY_QUERIES || f->a->n_all >= MANY_QUERIES;
}

/* Returns whether scores are the only result, of enough queries for packed keys. */
int is_product(const forward *f);

/* Computes the scores of such a call, a chunk of keys at a time. */
void multiply_keys(forward *f, uint32_t chunk);

/* Returns whether queries go alone, because few would leave lanes empty. A part of many queries
 * goes the way of the whole. Scores without an output never go alone, so that further keys leave
 * the bits of a score as they are. */
int is_alone(const forward *f);

/* Computes all queries of a call whose queries go alone. */
void attend_alone(const forward *f);

/* row [columns] = x before begin and from end on. */
void fill_outside(float *row, uint32_t begin, uint32_t end, uint32_t columns, float x);

/* sums [columns] += factor * x. */
void add_scaled(const float *x, uint32_t columns, float factor, float *sums);

#endif
