/*
 * attention.c: one call of attn_attention_forward: its checks, its scratch, and its way: query by
 * query, as one product of matrices, or in tiles of eight queries (attention_call.h).
 */
#include "attention_call.h"

#include "check.h"

/* How one tile flows. [a][b] is in memory row by row, [a, b] in the caller's matrices.
 *
 * Forward (attention_tiles.c): 8 queries, one a lane, meet the keys block by block, 256 at a time.
 *   1. gemm_pack      queries [d_k][8] = (scale * query [8, d_k])^T
 *   for each block:
 *   2. score_block    scores [256][8] = key [256, d_k] queries, shaped and masked: -Infinity
 *                     where a query may not attend; new maximum [8]
 *   3. weigh_keys     rescale [8] = exp(maximum - new maximum); scores become weights
 *                     exp(score - new maximum); sum [8] = rescale * sum + column sums of weights
 *   4. add_values     outputs [d_v][8] = rescale * outputs + value [256, d_v]^T weights
 *   after the last:
 *   5. finish         output [8, d_v] = (outputs / sum)^T; lse [8] = maximum + log(sum)
 *
 * Backward (attention_backward.c): up to 112 queries, the rows, meet the keys in chunks of 112. All
 * chunks take one step before any takes the next, so that softmax is complete when it is undone.
 *   1. score_chunk    weights [rows][112] = scale * query key^T, scores as above; maximum [rows];
 *                     gradients [rows][112] = d_output [rows, d_v] value [112, d_v]^T
 *   2. weigh_rows     weights = exp(scores - maximum); sum [rows] and mean [rows] of gradients
 *   3. finish_rows    inverse [rows] = 1 / sum; mean *= inverse
 *   4. accumulate_chunk, undoing 4, 3 and 2 of the forward pass:
 *                     d_value [112, d_v] += weights^T (inverse * d_output)
 *                     gradients = weights * (gradients - mean), times the slopes of scores
 *                     d_key [112, d_k] += gradients^T (scale * inverse * query)
 *                     d_queries [rows][d_k] += gradients key
 *   5. store_queries  d_query [rows, d_k] = scale * inverse * d_queries */

/* ---- which way ------------------------------------------------------------------------------ */

enum {
    ALONE_QUERIES = 4, /* the most queries that go alone, */
    ALONE_KEYS = 16    /* and the fewest keys that they meet */
};

/* Returns whether queries go alone, because few would leave lanes empty. A part of many queries
 * goes the way of the whole. Scores without an output never go alone, so that further keys leave
 * the bits of a score as they are. */
static ATTN_SMALL int is_alone(const attn_attention *a) {
    return all_queries(a) <= ALONE_QUERIES && a->n_k >= ALONE_KEYS && a->mask == NULL &&
           a->d_v > 0 && ((a->d_k | a->d_v) & 3) == 0;
}

/* Returns whether scores are the only result, of enough queries for packed keys. */
static ATTN_SMALL int is_product(const attn_attention *a, const attention_wanted *w) {
    const attn_attention_results *r = w->results;
    return packs(a) && !w->weighs && r->scores != NULL && r->capped == NULL && r->masked == NULL;
}

/* ---- memory --------------------------------------------------------------------------------- */

enum { CHUNK_FLOATS = 4 * 264 * 128 }; /* four blocks of 264 keys with d = 64 */

/* Returns the number of keys in a chunk: whole blocks that CHUNK_FLOATS hold, at least one. Keys
 * without values get a quarter: whoever asks for statistics saves memory, and is not slower. */
static ATTN_SMALL uint32_t keys_of_chunk(uint32_t n_k, uint32_t d_k, uint32_t d_v) {
    const uint64_t floats = (uint64_t)d_k + d_v;
    const uint64_t blocks = CHUNK_FLOATS / BLOCK_KEYS / floats / (d_v > 0 ? 1 : 4);
    const uint64_t keys = (blocks > 0 ? blocks : 1) * BLOCK_KEYS;
    return (uint32_t)(n_k < keys ? n_k : keys);
}

/* Returns the floats from row to row where tiles read them. Rows of whole 4 kB are copied, 64
 * bytes further apart, because they would share one set of the first-level cache. */
ATTN_INLINE uint32_t row_stride(uint32_t d) { return d % 1024 == 0 ? d + 16 : d; }

/* Lays out scratch and returns its size in bytes; null gives the size alone. */
static ATTN_SMALL uint64_t lay_out_scratch(attention_scratch *s, const attn_attention *a,
                                           int with_weights, int with_statistics, void *scratch) {
    const uint32_t chunk = keys_of_chunk(a->n_k, a->d_k, a->d_v);
    const uint64_t tiles = check_round_up(gemm_panel_rows(chunk), GEMM_COLUMNS);
    const uint64_t groups = check_round_up(a->n_q, QUERIES);
    uint64_t bytes = 0;
    s->chunk = chunk;
    s->blocks = a->n_k / BLOCK_KEYS + 1;
    s->key_stride = packs(a) ? a->d_k : row_stride(a->d_k);
    s->value_stride = packs(a) ? a->d_v : row_stride(a->d_v);
    s->keys = check_array(&bytes, scratch, packs(a) || s->key_stride != a->d_k ? tiles : 0,
                          s->key_stride);
    s->values = check_array(&bytes, scratch, chunk, gemm_panel_rows(s->value_stride));
    s->hidden = (uint32_t *)check_array(&bytes, scratch, chunk, 1);
    s->queries = check_array(&bytes, scratch, a->d_k, QUERY_LANES);
    s->outputs = check_array(&bytes, scratch, check_round_up(a->d_v, 4), QUERIES);
    s->scores =
        check_array(&bytes, scratch, BLOCK_KEYS + (is_alone(a) ? a->n_k : 0) / QUERIES, QUERIES);
    s->masks = check_array(&bytes, scratch, BLOCK_KEYS, QUERIES);
    s->maxima = check_array(&bytes, scratch, a->n_q, 1);
    s->sums = check_array(&bytes, scratch, a->n_q, 1);
    s->block_maxima = check_array(&bytes, scratch, with_weights ? s->blocks : 0, groups);
    s->exponentials = check_array(&bytes, scratch, with_statistics ? BLOCK_KEYS : 0, QUERIES);
    s->measures = (void *)check_array(&bytes, scratch, with_statistics ? groups / QUERIES : 0,
                                      sizeof(measures) / sizeof(float));
    return bytes;
}

static ATTN_SMALL uint32_t scratch_of(const attn_attention *a, int with_weights,
                                      int with_statistics) {
    attention_scratch s;
    return a->d_k == 0 ? 0
                       : check_scratch(lay_out_scratch(&s, a, with_weights, with_statistics, NULL));
}

ATTN_SMALL uint32_t attn_attention_forward_scratch(const attn_attention *a, uint32_t with_weights) {
    return scratch_of(a, with_weights != 0, 0);
}

ATTN_SMALL uint32_t attn_attention_statistics_forward_scratch(const attn_attention *a,
                                                              uint32_t with_weights) {
    return scratch_of(a, with_weights != 0, 1);
}

/* ---- one call ------------------------------------------------------------------------------- */

/* Returns whether a map has blocks that are not empty, and cells that fit. */
static ATTN_SMALL attn_status check_map(const attn_attention *a, const attn_attention_map *map) {
    const int is_filled = map->rows > 0 && map->rows <= all_queries(a) && map->columns > 0 &&
                          map->columns <= a->n_k && map->first <= all_queries(a) - a->n_q;
    if (!is_filled)
        return ATTN_ERROR_OPTION;
    return check_fits(map->rows, (uint64_t)2 * map->columns) ? ATTN_OK : ATTN_ERROR_CAPACITY;
}

/* Returns the first error of a call, or ATTN_OK. */
static ATTN_SMALL attn_status check(const attention_call *c, const attn_attention_results *r,
                                    const attn_attention_map *map, int with_statistics) {
    const int matrix =
        r->scores != NULL || r->capped != NULL || r->masked != NULL || r->weights != NULL;
    const attn_status status = check_attention(
        c->a, &c->visible, matrix, scratch_of(c->a, r->weights != NULL, with_statistics));
    if (status == ATTN_OK && r->mean != NULL && r->weights == NULL)
        return ATTN_ERROR_OPTION;
    if (status == ATTN_OK && map != NULL)
        return check_map(c->a, map);
    return status;
}

/* Returns what results need: values for an output, and exponentials. */
static ATTN_SMALL attention_wanted want(const attn_attention *a, const attn_attention_results *r) {
    return (attention_wanted){
        .results = r,
        .d_v = r->output != NULL ? a->d_v : 0,
        .weighs = r->output != NULL || r->lse != NULL || r->weights != NULL,
    };
}

static const attn_attention_results no_results = {0};

/* Computes results with statistics, and then, as it needs maxima and sums, the map. */
static ATTN_SMALL void look(const attention_call *c, const attn_attention_results *results,
                            const attn_statistics *statistics, const attn_attention_map *map,
                            const attention_scratch *s) {
    attention_wanted first = want(c->a, results), second = want(c->a, &no_results);
    first.statistics = statistics;
    first.weighs = 1;
    attend_tiles(c, &first, s);
    second.map = map;
    if (map != NULL)
        attend_tiles(c, &second, s);
}

ATTN_SMALL attn_status attn_attention_statistics_forward(const attn_attention *a,
                                                         const attn_attention_results *results,
                                                         const attn_statistics *statistics,
                                                         const attn_attention_map *map,
                                                         void *scratch) {
    const int looks = statistics != NULL || map != NULL, alone = is_alone(a);
    const attention_call c = {a, {a->mask, a->n_q, a->n_k, a->window}};
    const attn_status status = check(&c, results, map, looks);
    if (status != ATTN_OK)
        return status;
    const attention_wanted w = want(a, results);
    attention_scratch s;
    lay_out_scratch(&s, a, results->weights != NULL, looks, scratch);
    if (alone)
        attend_alone(&c, &w, &s);
    else if (!looks && is_product(a, &w))
        multiply_keys(a, &s, results->scores);
    else if (!looks)
        attend_tiles(&c, &w, &s);
    if (looks)
        look(&c, alone ? &no_results : results, statistics, map, &s);
    return ATTN_OK;
}

ATTN_SMALL attn_status attn_attention_forward(const attn_attention *a,
                                              const attn_attention_results *results,
                                              void *scratch) {
    return attn_attention_statistics_forward(a, results, NULL, NULL, scratch);
}
