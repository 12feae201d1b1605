/*
 * attention.c: scaled dot-product attention in tiles, with an online softmax (papers: attn.h).
 *
 * Eight queries at a time meet the keys in blocks of about 256, whose scores, 8 kB, stay in the
 * first-level cache (attention_stages.c). Blocks come in chunks that meet all queries while they
 * stay in the second-level cache. Between chunks a query keeps its output, its maximum (in lse)
 * and its sum. A block's sum over keys begins at 0 and is then added: 256 + n / 256 roundings in
 * a row, not n. From 48 queries on packing keys and values pays (n = 512: 8 % faster). Up to
 * four queries take their own way over rows in place, because they would leave lanes empty.
 * Scores stay in natural units: in units of log2 e, scores of 3e38 would overflow.
 * A position that may not be attended is replaced, not added to: its score is -Infinity, and a
 * value that is not finite is 0 in a copy and added for those who see it (visible.h).
 * Measurements: tests/bench/NOTES.md.
 */
#include "attention_stages.h"
#include "attn.h"
#include "check.h"
#include "gemm.h"
#include "softmax.h"
#include "visible.h"
#include "vmath.h"

#include <float.h>

enum {
    BLOCK_KEYS = GEMM_ROWS == 4 ? 256 : 264, /* whole panels */
    CHUNK_FLOATS = 4 * 264 * 128,            /* four blocks of 264 keys with d = 64 */
    ALONE_QUERIES = 4,                       /* up to so few go alone, */
    ALONE_KEYS = 16,                         /* from so many keys on */
    MANY_QUERIES = F32X4_FUSED ? 128 : 48    /* from here on packing pays */
};

/* ---- forward ---------------------------------------------------------------------- */

/* One call of attn_attention_forward. */
typedef struct {
    visibility visible;
    const float *query, *key;
    uint32_t d_k, d_v, key_stride;
    float scale;
    float *output, *lse;
    visible_values values;
    /* scratch */
    float *keys;             /* [chunk][key_stride], or packed, if need be */
    float *queries;          /* [d_k][8], times scale */
    float *outputs;          /* [d_v][8], before division by the sums */
    float *scores;           /* [BLOCK_KEYS][8]; at least [n_k] for few queries */
    float *masks;            /* [BLOCK_KEYS][8] */
    float *sums;             /* [n_q], between chunks */
    uint32_t first, count;   /* the chunk: keys first ... first + count - 1 */
    const float *chunk_keys; /* [count][key_stride], or in panels */
    int packed;              /* whether keys and values are in panels, values as [d_v] rows */
    uint32_t step, next;     /* floats from value to value, and skipped from panel to panel */
} forward;

/* Returns the number of keys in a chunk: whole blocks that CHUNK_FLOATS hold, at least one. */
static ATTN_SMALL uint32_t keys_of_chunk(uint32_t n_k, uint32_t d_k, uint32_t d_v) {
    const uint64_t floats = (uint64_t)d_k + d_v;
    const uint64_t blocks = CHUNK_FLOATS / BLOCK_KEYS / floats;
    const uint64_t keys = (blocks > 0 ? blocks : 1) * BLOCK_KEYS;
    return (uint32_t)(n_k < keys ? n_k : keys);
}

/* Returns the floats from row to row where tiles read them. Rows of whole 4 kB are copied, 64
 * bytes further apart, because they would share one set of the first-level cache. */
ATTN_INLINE uint32_t row_stride(uint32_t d) { return d % 1024 == 0 ? d + 16 : d; }

/* Whether chunks are packed, unless values must be hidden. */
ATTN_INLINE int packs(const forward *f) { return f->visible.n_q >= MANY_QUERIES; }

/* Lays out scratch; returns the bytes. */
static ATTN_SMALL uint64_t take_scratch(forward *f, void *scratch) {
    const uint32_t chunk = keys_of_chunk(f->visible.n_k, f->d_k, f->d_v);
    const uint64_t tiles = gemm_panel_rows(chunk);
    const uint32_t few = f->visible.n_q > ALONE_QUERIES ? 0 : f->visible.n_k;
    uint64_t bytes = 0;
    f->key_stride = packs(f) ? f->d_k : row_stride(f->d_k);
    f->values.stride = packs(f) ? f->d_v : row_stride(f->d_v);
    f->keys = check_array(&bytes, scratch, packs(f) || f->key_stride != f->d_k ? tiles : 0,
                          f->key_stride);
    f->values.copy = check_array(&bytes, scratch, chunk, gemm_panel_rows(f->values.stride));
    f->values.hidden = (uint32_t *)check_array(&bytes, scratch, chunk, 1);
    f->queries = check_array(&bytes, scratch, f->d_k, QUERIES);
    f->outputs = check_array(&bytes, scratch, check_round_up(f->d_v, 4), QUERIES);
    f->scores = check_array(&bytes, scratch, BLOCK_KEYS + few / QUERIES, QUERIES);
    f->masks = check_array(&bytes, scratch, BLOCK_KEYS, QUERIES);
    f->sums = check_array(&bytes, scratch, f->visible.n_q, 1);
    return bytes;
}

ATTN_SMALL uint32_t attn_attention_forward_scratch(uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                                   uint32_t d_v) {
    forward f = {.visible = {.n_q = n_q, .n_k = n_k}, .d_k = d_k, .d_v = d_v};
    return d_k == 0 ? 0 : check_scratch(take_scratch(&f, NULL));
}

/* Prepares the rows of a chunk. For many queries they are packed; else they are copied where tiles
 * cannot read them in place: rows that collide in the cache, values to hide, and values whose last
 * tile would end beyond them. */
static ATTN_SMALL void begin_chunk(forward *f) {
    const uint32_t d_k = f->d_k;
    const float *key = f->key + (size_t)f->first * d_k;
    const float *value = f->values.given + (size_t)f->first * f->d_v;
    take_values(&f->values, &f->visible, f->first, f->count);
    f->step = f->values.stride;
    f->next = 0;
    f->packed = packs(f) && f->values.hidden_count == 0;
    if (f->packed) {
        gemm_pack(f->keys, GEMM_PANEL_ROWS, key, f->count, d_k, d_k, 1, 1.0f);
        gemm_pack(f->values.copy, GEMM_PANEL_ROWS, value, f->d_v, 1, f->count, f->d_v, 1.0f);
        f->values.rows = f->values.copy;
        f->step = GEMM_PANEL_ROWS;
        f->next = GEMM_PANEL_ROWS * (f->count - 1);
    } else if (f->d_v % 4 != 0 && f->values.rows != f->values.copy) {
        memcpy(f->values.copy, value, (size_t)f->count * f->d_v * sizeof(float));
        f->values.rows = f->values.copy;
    }
    for (size_t j = 0; f->key_stride != d_k && j < f->count; j++)
        memcpy(f->keys + j * f->key_stride, key + j * d_k, d_k * sizeof(float));
    f->chunk_keys = f->packed || f->key_stride != d_k ? f->keys : key;
}

/* Computes scores of keys begin ... begin + count - 1 of the chunk, which are whole tiles or the
 * rest of the chunk. */
static ATTN_SMALL void score_part(const forward *f, uint32_t begin, uint32_t count, float *scores,
                                  float *maximum) {
    const float *keys = f->chunk_keys + (size_t)begin * f->key_stride;
    if (f->packed)
        score_panels(keys, f->queries, f->d_k, count, scores, maximum);
    else
        score_keys(keys, f->key_stride, f->count - begin, f->queries, f->d_k, count, scores,
                   maximum);
}

/* Computes scores of keys begin ... begin + padded - 1 of the chunk and their maxima: first the
 * tiles that all queries may attend to, then the others, whose maxima are known only after
 * restrict_keys. */
static ATTN_SMALL void score_block(const forward *f, running_softmax *s, uint32_t i0, uint32_t rows,
                                   uint32_t begin, uint32_t padded, const int32_t *visible) {
    const uint32_t n_k = f->visible.n_k, first = f->first + begin, all = (uint32_t)visible[0];
    const float *mask = f->visible.mask;
    uint32_t open =
        mask != NULL || all < first ? 0 : (all - first) / GEMM_PANEL_ROWS * GEMM_PANEL_ROWS;
    open = open < padded ? open : padded;
    memcpy(s->new_maximum, s->maximum, sizeof s->maximum);
    memcpy(s->rescale, s->maximum, sizeof s->maximum);
    score_part(f, begin, open, f->scores, s->new_maximum);
    if (open == padded)
        return;
    float *scores = f->scores + (size_t)open * QUERIES;
    score_part(f, begin + open, padded - open, scores, s->rescale); /* weigh_keys overwrites it */
    if (mask != NULL)
        gemm_pack(f->masks, QUERIES, mask + (size_t)i0 * n_k + first, rows, n_k,
                  n_k - first < padded ? n_k - first : padded, 1, 1.0f);
    restrict_keys(scores, mask != NULL ? f->masks : NULL, first + open, padded - open, visible,
                  s->new_maximum);
}

/* Attends to one block, keys begin ... begin + count - 1 of the chunk. `visible` is the number of
 * keys that each query may see. */
static ATTN_SMALL void attend_block(const forward *f, running_softmax *s, uint32_t i0,
                                    uint32_t rows, uint32_t begin, uint32_t count,
                                    const int32_t *visible) {
    const uint32_t padded = gemm_tile_rows(count), first = f->first + begin;
    score_block(f, s, i0, rows, begin, padded, visible);
    weigh_keys(f->scores, padded, s);
    add_values(f->values.rows + (size_t)begin * f->step, f->next, f->step, f->scores, count,
               first > 0 ? s->rescale : NULL, (uint32_t)check_pad(f->d_v, 4), f->outputs);
    for (uint32_t i = 0; i < rows && f->values.hidden_count > 0; i++)
        add_hidden_values(&f->values, &f->visible, i0 + i, first, count, f->scores + i, QUERIES,
                          f->outputs + i, QUERIES);
}

/* Loads the state of queries i0 ... i0 + rows - 1 as the last chunk left it. `end` is the number
 * of keys that they see in this chunk: their first block writes outputs, so none need zeros. */
static ATTN_SMALL void load_state(const forward *f, running_softmax *s, uint32_t i0, uint32_t rows,
                                  uint32_t end) {
    for (uint32_t i = 0; i < QUERIES; i++) {
        s->maximum[i] = i < rows && f->first > 0 ? f->lse[i0 + i] : -FLT_MAX;
        s->sum[i] = i < rows && f->first > 0 ? f->sums[i0 + i] : 0;
    }
    if (f->first > 0)
        gemm_pack(f->outputs, QUERIES, f->output + (size_t)i0 * f->d_v, rows, f->d_v, f->d_v, 1,
                  1.0f);
    else if (end == 0)
        memset(f->outputs, 0, check_pad(f->d_v, 4) * QUERIES * sizeof(float));
}

/* Stores the state for the next chunk, or after the last chunk divides by the sums. */
static ATTN_SMALL void store_state(const forward *f, const running_softmax *s, uint32_t i0,
                                   uint32_t rows) {
    const int last = f->first + f->count == f->visible.n_k;
    float factor[QUERIES], lse[QUERIES], *output = f->output + (size_t)i0 * f->d_v;
    for (int half = 0; half < QUERIES; half += 4) {
        const f32x4 sum = f32x4_load(s->sum + half), one = f32x4_splat(1);
        const i32x4 nowhere = f32x4_eq(sum, f32x4_splat(0));
        const f32x4 inverse = f32x4_select(nowhere, f32x4_splat(0), f32x4_div(one, sum));
        const f32x4 log_sum = f32x4_add(f32x4_load(s->maximum + half), vmath_log(sum));
        const f32x4 of_row = f32x4_select(nowhere, f32x4_splat(-INFINITY), log_sum);
        f32x4_store(factor + half, last ? inverse : one);
        f32x4_store(lse + half, last ? of_row : f32x4_load(s->maximum + half));
    }
    store_outputs(f->outputs, factor, rows, f->d_v, output);
    for (uint32_t i = 0; i < rows; i++) {
        f->lse[i0 + i] = lse[i];
        f->sums[i0 + i] = s->sum[i];
    }
}

/* Up to eight queries against the chunk. */
static ATTN_SMALL void attend_queries(const forward *f, uint32_t i0) {
    const uint32_t n_q = f->visible.n_q, rows = n_q - i0 < QUERIES ? n_q - i0 : QUERIES;
    int32_t visible[QUERIES];
    running_softmax s;
    for (uint32_t i = 0; i < QUERIES; i++)
        visible[i] = (int32_t)visible_keys(&f->visible, i0 + (i < rows ? i : rows - 1));
    uint32_t end = (uint32_t)visible[QUERIES - 1]; /* no query of the eight sees more */
    end = end > f->first ? end - f->first : 0;
    end = end < f->count ? end : f->count;
    load_state(f, &s, i0, rows, end);
    if (end > 0)
        gemm_pack(f->queries, QUERIES, f->query + (size_t)i0 * f->d_k, rows, f->d_k, f->d_k, 1,
                  f->scale);
    for (uint32_t begin = 0; begin < end; begin += BLOCK_KEYS)
        attend_block(f, &s, i0, rows, begin, end - begin < BLOCK_KEYS ? end - begin : BLOCK_KEYS,
                     visible);
    store_state(f, &s, i0, rows);
}

/* One query against all keys that it may attend to, without mask. */
static ATTN_SMALL void attend_alone(const forward *f, uint32_t i) {
    const uint32_t d_v = f->d_v, d_k = f->d_k, n = visible_keys(&f->visible, i);
    float *output = f->output + (size_t)i * d_v, *sums = f->outputs;
    memset(f->queries, 0, d_k * sizeof(float));
    memset(output, 0, d_v * sizeof(float));
    add_row(f->query + (size_t)i * d_k, f->scale, d_k, f->queries);
    score_row(f->queries, f->key, n, d_k, f->scores);
    softmax_row(f->scores, n, 1.0f, f->scores, f->lse + i);
    for (uint32_t j = 0, end; j < n; j = end) {
        end = n - j < BLOCK_KEYS ? n : j + BLOCK_KEYS;
        const uint32_t whole = (end - j) & ~3U;
        memset(sums, 0, d_v * sizeof(float));
        add_rows(f->values.given + (size_t)j * d_v, f->scores + j, whole, d_v, sums);
        for (j += whole; j < end; j++)
            add_row(f->values.given + (size_t)j * d_v, f->scores[j], d_v, sums);
        add_row(sums, 1.0f, d_v, output);
    }
}

ATTN_SMALL attn_status attn_attention_forward(const float *query, const float *key,
                                              const float *value, const float *mask, uint32_t n_q,
                                              uint32_t n_k, uint32_t d_k, uint32_t d_v, float scale,
                                              attn_causal causal, float *output, float *lse,
                                              void *scratch) {
    const attn_status status = check_head(n_q, n_k, d_k, d_v, causal, mask != NULL,
                                          attn_attention_forward_scratch(n_q, n_k, d_k, d_v));
    if (status != ATTN_OK)
        return status;
    forward f = {.visible = {mask, n_q, n_k, causal},
                 .query = query,
                 .key = key,
                 .values = {.given = value, .d_v = d_v},
                 .d_k = d_k,
                 .d_v = d_v,
                 .scale = scale,
                 .output = output,
                 .lse = lse};
    take_scratch(&f, scratch);
    if (n_q <= ALONE_QUERIES && n_k >= ALONE_KEYS && mask == NULL && ((d_k | d_v) & 3) == 0) {
        for (uint32_t i = 0; i < n_q; i++)
            attend_alone(&f, i);
        return ATTN_OK;
    }
    const uint32_t chunk = keys_of_chunk(n_k, d_k, d_v);
    do {
        f.count = n_k - f.first < chunk ? n_k - f.first : chunk;
        begin_chunk(&f);
        for (uint32_t i = 0; i < n_q; i += QUERIES)
            attend_queries(&f, i);
        f.first += f.count;
    } while (f.first < n_k);
    return ATTN_OK;
}

/* ---- weights and scores ------------------------------------------------------------ */

ATTN_SMALL uint32_t attn_attention_weights_scratch(uint32_t n_k, uint32_t d_k) {
    return gemm_scratch(n_k, d_k);
}

ATTN_SMALL attn_status attn_attention_weights(const float *query, const float *key,
                                              const float *mask, uint32_t n_q, uint32_t n_k,
                                              uint32_t d_k, float scale, attn_causal causal,
                                              float *scores, float *weights, void *scratch) {
    const visibility visible = {mask, n_q, n_k, causal};
    const attn_status status = check_head(n_q, n_k, d_k, 0, causal, 1, 0);
    if (status != ATTN_OK)
        return status;
    float *product = weights != NULL ? weights : scores;
    if (product == NULL)
        return ATTN_OK;
    gemm_scaled(n_q, n_k, d_k, scale, (gemm_matrix){query, d_k, 1}, (gemm_matrix){key, 1, d_k},
                product, n_k, scratch);
    if (weights == NULL)
        return ATTN_OK;
    if (scores != NULL)
        memcpy(scores, weights, (size_t)n_q * n_k * sizeof(float));
    for (uint32_t i = 0; i < n_q; i++)
        restrict_row(weights + (size_t)i * n_k, &visible, i);
    return attn_softmax_forward(weights, n_q, n_k, 1.0f, weights);
}

/* ---- unit rows ------------------------------------------------------------------------ */

ATTN_SMALL void attn_unit_rows_forward(const float *x, uint32_t rows, uint32_t d, float *unit) {
    for (uint32_t i = 0; i < rows; i++) {
        const float *row = x + (size_t)i * d;
        double square = 0;
        for (uint32_t c = 0; c < d; c++)
            square += (double)row[c] * (double)row[c];
        const double norm = __builtin_sqrt(square), clamped = norm < 1e-12 ? 1e-12 : norm;
        for (uint32_t c = 0; c < d; c++)
            unit[(size_t)i * d + c] = (float)((double)row[c] / clamped);
    }
}
