/*
 * attention_map.c: weights pooled over blocks of queries and keys, from tiles that come a second
 * time, when each query's maximum and sum are known. Keys of one column are summed in lanes, one
 * a query; cells are float64 and added to in the order of the tiles.
 */
#include "attention_call.h"
#include "softmax.h"

/* Returns the block of `blocks` over n that has element i: block b begins at floor(b n / blocks).
 */
static ATTN_SMALL uint32_t block_of(uint32_t i, uint32_t n, uint32_t blocks) {
    return (uint32_t)((((uint64_t)i + 1) * blocks - 1) / n);
}

/* Adds exponentials [count][8] of one column to [8], or raises it to them. */
static ATTN_STAGE void pool_keys(const float *exponentials, uint32_t count, uint32_t largest,
                                 float *pooled) {
    for (int half = 0; half < QUERIES; half += 4) {
        f32x4 all = f32x4_load(exponentials + half);
        for (size_t j = 1; j < count; j++) {
            const f32x4 e = f32x4_load(exponentials + j * QUERIES + half);
            all = largest ? f32x4_pmax(all, e) : f32x4_add(all, e);
        }
        f32x4_store(pooled + half, all);
    }
}

/* Adds weights [rows] to the cells of a column, or raises cells to them; NaN stays. */
static ATTN_SMALL void add_to_cells(const attn_attention_map *map, const uint32_t *row,
                                    uint32_t rows, uint32_t column, const float *pooled,
                                    const double *inverse) {
    for (uint32_t i = 0; i < rows; i++) {
        /* 0 stays 0 in a row of NaN: a key that is not seen is not touched. */
        const double weight = pooled[i] == 0 ? 0 : (double)pooled[i] * inverse[i];
        double *cell = map->cells + (size_t)row[i] * map->columns + column;
        if (!map->largest)
            *cell += weight;
        else if (!(weight <= *cell))
            *cell = weight;
    }
}

ATTN_SMALL void pool_block(const attn_attention *a, const attn_attention_map *map, uint32_t i0,
                           uint32_t rows, uint32_t first, uint32_t count, float *scores,
                           const running_softmax *s) {
    const uint32_t n_k = a->n_k, n_q = all_queries(a), end = first + count;
    uint32_t row[QUERIES], column = block_of(first, n_k, map->columns);
    float pooled[QUERIES];
    double inverse[QUERIES];
    softmax_exp(scores, gemm_tile_rows(count) * QUERIES, s->maximum, scores, pooled);
    for (uint32_t i = 0; i < rows; i++) {
        row[i] = block_of(map->first + i0 + i, n_q, map->rows);
        inverse[i] = s->sum[i] == 0 ? 0 : 1 / (double)s->sum[i];
    }
    for (uint32_t j = first, next; j < end; j = next, column++) {
        const uint32_t stop = (uint32_t)(((uint64_t)column + 1) * n_k / map->columns);
        next = stop < end ? stop : end;
        pool_keys(scores + (size_t)(j - first) * QUERIES, next - j, map->largest, pooled);
        add_to_cells(map, row, rows, column, pooled, inverse);
    }
}
