/*
 * attention_call.h: one call of attn_attention_forward in parts: what the caller gave, what is
 * wanted, and scratch. attention.c prepares them for one of three: attention_tiles.c, eight queries
 * at a time; attention_alone.c, up to four queries, one by one; attention_scores.c, scores without
 * weights. They know neither attention.c nor each other. Tiles give their scores and weights to
 * attention_statistics.c and attention_map.c on their way.
 */
#ifndef ATTN_ATTENTION_CALL_H
#define ATTN_ATTENTION_CALL_H

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

/* What the caller gave. */
typedef struct {
    const attn_attention *a;
    visibility visible; /* of a */
} attention_call;

/* What is computed from it. */
typedef struct {
    const attn_attention_results *results;
    const attn_statistics *statistics; /* null for none */
    const attn_attention_map *map;     /* null for none; else maxima and sums are known */
    uint32_t d_v;                      /* of the output; 0 without one */
    int weighs;                        /* whether results need exponentials */
} attention_wanted;

/* Working memory. */
typedef struct {
    uint32_t chunk, blocks;            /* keys of a chunk; blocks of all keys, or one more */
    uint32_t key_stride, value_stride; /* floats from row to row where tiles read them */
    float *keys;                       /* [chunk][key_stride], or packed, if need be */
    float *values;                     /* [chunk][value_stride], likewise */
    uint32_t *hidden;                  /* [chunk], keys with values that are not finite */
    float *queries;                    /* [d_k][QUERY_LANES], times scale */
    float *outputs;                    /* [d_v][8], before division by the sums */
    float *scores;                     /* [BLOCK_KEYS][8]; at least [n_k] for queries alone */
    float *masks;                      /* [BLOCK_KEYS][8] */
    float *maxima, *sums;              /* [n_q], between chunks */
    float *block_maxima;               /* [n_q / 8][blocks][8], at which weights were stored */
    float *exponentials;               /* [BLOCK_KEYS][8], beside scores; for statistics, like */
    measures *measures;                /* [n_q / 8] */
} attention_scratch;

/* Returns the queries of the head, of which a call may have a part. */
ATTN_INLINE uint32_t all_queries(const attn_attention *a) {
    return a->n_all > a->n_q ? a->n_all : a->n_q;
}

/* Returns whether keys and values are packed, unless values must be hidden; the same for all parts
 * of a head. */
ATTN_INLINE int packs(const attn_attention *a) { return all_queries(a) >= MANY_QUERIES; }

/* Computes all queries of a call one by one. */
void attend_alone(const attention_call *c, const attention_wanted *w, const attention_scratch *s);

/* Computes the scores of all pairs, [n_q][n_k], as a product. */
void multiply_keys(const attn_attention *a, const attention_scratch *s, float *scores);

/* Computes eight queries at a time. */
void attend_tiles(const attention_call *c, const attention_wanted *w, const attention_scratch *s);

/* Begins the statistics of eight queries. */
void begin_measures(measures *m);

/* Adds keys first ... first + count - 1 to the statistics of queries i0 ... i0 + 7, from their
 * scores and exponentials [count][8]. s has moved on to them; before [8] was its maximum. */
void measure_block(const attn_attention *a, const attn_statistics *wanted, measures *m, uint32_t i0,
                   uint32_t first, uint32_t count, const float *scores, const float *exponentials,
                   const running_softmax *s, const float *before);

/* Stores the statistics of queries i0 ... i0 + rows - 1. */
void store_measures(const attn_attention *a, const attn_statistics *to, const measures *m,
                    uint32_t i0, uint32_t rows, const running_softmax *s);

/* Adds the weights of queries i0 ... i0 + rows - 1 and keys first ... first + count - 1 to the map.
 * s has their maxima and sums. scores [count][8], padded to whole tiles, become exponentials. */
void pool_block(const attn_attention *a, const attn_attention_map *map, uint32_t i0, uint32_t rows,
                uint32_t first, uint32_t count, float *scores, const running_softmax *s);

#endif
