/*
 * attention.h: one call of attn_attention_forward. attention.c prepares it for one of three:
 * attention_tiles.c, eight queries at a time; attention_alone.c, up to four queries, one by one;
 * attention_scores.c, scores without weights. They know neither attention.c nor each other. Tiles
 * give their scores and weights to attention_statistics.c and attention_map.c on their way.
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

/* What statistics carry of eight queries from block to block; e = exp(score - maximum). */
typedef struct {
    double sum[QUERIES], below[QUERIES]; /* of e, of e (maximum - score) */
    double squares[QUERIES];             /* of e^2 */
    double count[QUERIES];               /* of scores that are seen, */
    double mean[QUERIES];                /* their mean, */
    double spread[QUERIES];              /* the sum of squares about it */
    float largest[QUERIES];              /* score */
    float first[QUERIES];                /* score of key 0, -Infinity if it is not seen, */
    float previous[QUERIES];             /* and of the key before the query's place */
} measures;

typedef struct {
    const attn_attention *a;
    const attn_attention_results *results;
    const attn_statistics *statistics; /* null for none */
    const attn_attention_map *map;     /* null for none; else maxima and sums are known */
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
    float *exponentials;     /* [BLOCK_KEYS][8], beside scores; for statistics, like */
    measures *measures;      /* [n_q / 8] */
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

/* Begins the statistics of eight queries. */
void begin_measures(measures *m);

/* Adds keys first ... first + count - 1 to the statistics of queries i0 ... i0 + 7, from their
 * scores and exponentials [count][8]. s has moved on to them; before [8] was its maximum. */
void measure_block(const forward *f, measures *m, uint32_t i0, uint32_t first, uint32_t count,
                   const float *scores, const float *exponentials, const running_softmax *s,
                   const float *before);

/* Stores the statistics of queries i0 ... i0 + rows - 1. */
void store_measures(const forward *f, const measures *m, uint32_t i0, uint32_t rows,
                    const running_softmax *s);

/* Adds the weights of queries i0 ... i0 + rows - 1 and keys first ... first + count - 1 to the map.
 * s has their maxima and sums. scores [count][8], padded to whole tiles, become exponentials. */
void pool_block(const forward *f, uint32_t i0, uint32_t rows, uint32_t first, uint32_t count,
                float *scores, const running_softmax *s);

#endif
