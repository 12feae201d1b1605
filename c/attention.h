/*
 * attention.h: one call of attn_attention_forward. attention.c prepares it for one of three:
 * attention_tiles.c, eight queries at a time; attention_alone.c, up to four queries, one by one;
 * attention_scores.c, scores without weights. They know neither attention.c nor each other.
 */
#ifndef ATTN_ATTENTION_H
#define ATTN_ATTENTION_H

#include "attention_stages.h"
#include "attn.h"
#include "visible.h"

enum {
    BLOCK_KEYS = GEMM_ROWS == 4 ? 256 : 264, /* whole panels */
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
    uint32_t chunk, blocks;        /* keys of a chunk; blocks of all keys, at most one too many */
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
 * head. */
ATTN_INLINE int packs(const forward *f) {
    return f->visible.n_q >= MANY_QUERIES || f->a->n_all >= MANY_QUERIES;
}

/* Computes all queries of a call one by one. */
void attend_alone(const forward *f);

/* Computes the scores of all pairs as a product. */
void multiply_keys(forward *f);

/* Computes eight queries at a time. */
void attend_tiles(forward *f);

#endif
