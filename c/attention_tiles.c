/*
 * attention_tiles.c: attention in tiles of eight queries, with an online softmax (papers: attn.h).
 *
 * Eight queries at a time meet the keys in blocks of about 256, whose scores, 8 kB, stay in the
 * first-level cache (attention_stages.c). Blocks come in chunks that meet all queries while they
 * stay in the second-level cache; between chunks a query keeps its output, maximum and sum. A
 * block's sum over keys begins at 0 and is then added: 256 + n / 256 roundings in a row, not n.
 * From 48 queries on packing keys and values pays (n = 512: 8 % faster).
 * Weights come from the same product: a block's exponentials are stored as rows while they are in
 * cache, and rescaled from the block's maximum to the last one when all keys are done.
 * A window skips the blocks that none of the eight queries sees.
 * A position that may not be attended is replaced, not added to: its score is -Infinity, and a
 * value that is not finite is 0 in a copy and added for the queries that see it (visible.h).
 * Measurements: tests/bench/NOTES.md.
 */
#include "attention_call.h"

#include "check.h"
#include "softmax.h"
#include "vmath.h"

#include <float.h>

/* ---- a chunk of keys ------------------------------------------------------------------ */

/* Keys first ... first + count - 1, which all queries meet before the next chunk. */
typedef struct {
    uint32_t first, count;
    const float *keys; /* [count][key_stride], or in panels */
    visible_values values;
    int packed;          /* whether keys and values are in panels, values as [d_v] rows */
    uint32_t step, next; /* floats from value to value, and skipped from panel to panel */
} chunk;

/* A call, and the chunk at hand. */
typedef struct {
    const attn_attention *a;
    const visibility *visible;
    const attention_wanted *wanted;
    const attention_scratch *scratch;
    int again; /* whether keys and values are in panels from an earlier call */
    chunk chunk;
} forward;

/* Prepares the values of a chunk and decides whether it is packed. */
static ATTN_SMALL void begin_values(forward *f) {
    chunk *c = &f->chunk;
    const uint32_t d_v = f->wanted->d_v;
    const float *value = c->values.given + (size_t)c->first * d_v;
    prepare_values(&c->values, f->visible, c->first, c->count);
    c->step = c->values.stride;
    c->next = 0;
    c->packed = packs(f->a) && c->values.hidden_count == 0;
    if (c->packed) {
        if (!f->again)
            gemm_pack(c->values.copy, GEMM_PANEL_ROWS, value, d_v, 1, c->count, d_v, 1.0f);
        c->values.rows = c->values.copy;
        c->step = GEMM_PANEL_ROWS;
        c->next = GEMM_PANEL_ROWS * (c->count - 1);
    } else if (d_v % 4 != 0 && c->values.rows != c->values.copy) {
        memcpy(c->values.copy, value, (size_t)c->count * d_v * sizeof(float));
        c->values.rows = c->values.copy;
    }
}

/* Prepares the rows of a chunk. For many queries they are packed; else they are copied where tiles
 * cannot read them in place: rows that collide in the cache, values to hide, and values whose last
 * tile would end beyond them. */
static ATTN_SMALL void begin_chunk(forward *f) {
    chunk *c = &f->chunk;
    const uint32_t d_k = f->a->d_k, stride = f->scratch->key_stride;
    const float *key = f->a->key + (size_t)c->first * d_k;
    float *keys = f->scratch->keys;
    begin_values(f);
    if (c->packed && !f->again)
        gemm_pack(keys, GEMM_PANEL_ROWS, key, c->count, d_k, d_k, 1, 1.0f);
    for (size_t j = 0; stride != d_k && j < c->count; j++)
        memcpy(keys + j * stride, key + j * d_k, d_k * sizeof(float));
    c->keys = c->packed || stride != d_k ? keys : key;
}

/* ---- eight queries ------------------------------------------------------------------------ */

/* Queries i0 ... i0 + rows - 1; the lanes after them repeat the last one. */
typedef struct {
    running_softmax s;
    uint32_t i0, rows;
    key_range seen;
    uint32_t low, high; /* keys that some query sees, from a whole panel on */
    int begun;          /* whether there is an output of earlier blocks */
} group;

static ATTN_SMALL void begin_group(const forward *f, group *g, uint32_t i0) {
    const uint32_t left = f->visible->n_q - i0;
    g->i0 = i0;
    g->rows = left < QUERIES ? left : QUERIES;
    for (uint32_t i = 0; i < QUERIES; i++) {
        const uint32_t query = i0 + (i < g->rows ? i : g->rows - 1);
        g->seen.begin[i] = (int32_t)first_key(f->visible, query);
        g->seen.end[i] = (int32_t)end_key(f->visible, query);
    }
    g->low = (uint32_t)g->seen.begin[0] / GEMM_PANEL_ROWS * GEMM_PANEL_ROWS;
    g->high = (uint32_t)g->seen.end[QUERIES - 1];
    g->high = (uint32_t)g->seen.begin[0] < g->high ? g->high : g->low;
    g->begun = g->low < f->chunk.first && g->low < g->high;
}

/* Returns the maxima [8] at which the weights of a block were stored. */
static float *maxima_of(const forward *f, const group *g, uint32_t block) {
    return f->scratch->block_maxima +
           ((size_t)g->i0 / QUERIES * f->scratch->blocks + block) * QUERIES;
}

/* Returns the statistics of the queries so far. */
static measures *measures_of(const forward *f, const group *g) {
    return f->scratch->measures + g->i0 / QUERIES;
}

/* ---- scores of a block ------------------------------------------------------------------ */

/* Computes scores of keys begin ... begin + count - 1, which are whole tiles or the rest of the
 * chunk. */
static ATTN_SMALL void score_part(const forward *f, uint32_t begin, uint32_t count, float *scores,
                                  float *maximum) {
    const attention_scratch *memory = f->scratch;
    const uint32_t in_chunk = begin - f->chunk.first;
    const float *keys = f->chunk.keys + (size_t)in_chunk * memory->key_stride;
    if (f->chunk.packed)
        score_panels(keys, memory->queries, f->a->d_k, count, scores, maximum);
    else
        score_keys(keys, memory->key_stride, f->chunk.count - in_chunk, memory->queries, f->a->d_k,
                   count, scores, maximum);
}

/* Stores the block's scores, keys begin ... end - 1, as rows of a matrix [n_q][n_k], if any. */
static ATTN_SMALL void store_matrix(const forward *f, const group *g, uint32_t begin, uint32_t end,
                                    const float *scores, float *matrix) {
    static const float ones[QUERIES] = {1, 1, 1, 1, 1, 1, 1, 1};
    const size_t n_k = f->visible->n_k;
    if (matrix != NULL)
        store_rows(scores, ones, g->rows, end - begin, matrix + g->i0 * n_k + begin, n_k);
}

/* Finds the keys of a block whose maxima the product can take: whole tiles that all queries see;
 * none with a mask, or where options shape scores. */
static ATTN_SMALL void find_open(const forward *f, const group *g, uint32_t begin, uint32_t end,
                                 uint32_t *open, uint32_t *close) {
    const uint32_t from = (uint32_t)g->seen.begin[QUERIES - 1], to = (uint32_t)g->seen.end[0];
    const uint32_t last = to < end ? to : end;
    *open = *close = begin;
    if (f->visible->mask != NULL || shapes_scores(f->a) || last <= begin || from >= last)
        return;
    if (from > begin)
        *open = begin + (uint32_t)gemm_panel_rows(from - begin);
    *close = begin + (last - begin) / GEMM_PANEL_ROWS * GEMM_PANEL_ROWS;
    if (*close < *open)
        *close = *open = begin;
}

/* Computes scores of keys begin ... end - 1, whole tiles from begin on, stores the matrices before
 * softmax, and raises the new maximum: by the product for keys that all queries see, by
 * restrict_keys for the others (for whole blocks at once, causal attention to 128 keys takes 4 to 8
 * % longer). */
static ATTN_SMALL void score_block(const forward *f, group *g, uint32_t begin, uint32_t end) {
    const attn_attention_results *r = f->wanted->results;
    const attention_scratch *memory = f->scratch;
    const uint32_t padded = gemm_tile_rows(end - begin), n_k = f->visible->n_k;
    const float *mask = f->visible->mask, *masks = mask != NULL ? memory->masks : NULL;
    running_softmax *s = &g->s;
    float *tail = memory->scores, unused[QUERIES];
    uint32_t open, close;
    find_open(f, g, begin, end, &open, &close);
    memcpy(s->new_maximum, s->maximum, sizeof s->maximum);
    memcpy(unused, s->maximum, sizeof s->maximum);
    score_part(f, begin, open - begin, memory->scores, unused);
    tail += (size_t)(open - begin) * QUERIES;
    score_part(f, open, close - open, tail, s->new_maximum);
    tail += (size_t)(close - open) * QUERIES;
    score_part(f, close, padded - (close - begin), tail, unused);
    store_matrix(f, g, begin, end, memory->scores, r->scores);
    shape_scores(f->a, memory->scores, NULL, (size_t)padded * QUERIES);
    store_matrix(f, g, begin, end, memory->scores, r->capped);
    if (mask != NULL)
        gemm_pack(memory->masks, QUERIES, mask + (size_t)g->i0 * n_k + begin, g->rows, n_k,
                  n_k - begin < padded ? n_k - begin : padded, 1, 1.0f);
    restrict_keys(memory->scores, masks, begin, open - begin, &g->seen, s->new_maximum);
    restrict_keys(tail, masks, close, padded - (close - begin), &g->seen, s->new_maximum);
    store_matrix(f, g, begin, end, memory->scores, r->masked);
}

/* ---- weights and output of a block --------------------------------------------------------- */

/* Weighs keys begin ... end - 1, whose scores are at `scores`, and adds their values. */
static ATTN_SMALL void weigh_block(const forward *f, group *g, uint32_t begin, uint32_t end,
                                   float *scores) {
    const attn_statistics *statistics = f->wanted->statistics;
    const attn_attention_results *r = f->wanted->results;
    const chunk *c = &f->chunk;
    const uint32_t count = end - begin;
    const float *values = c->values.rows + (size_t)(begin - c->first) * c->step;
    float *weights = statistics != NULL ? f->scratch->exponentials : scores, before[QUERIES];
    memcpy(before, g->s.maximum, sizeof before);
    weigh_keys(scores, gemm_tile_rows(count), &g->s, weights);
    if (statistics != NULL && !g->begun)
        begin_measures(measures_of(f, g));
    if (statistics != NULL)
        measure_block(f->a, statistics, measures_of(f, g), g->i0, begin, count, scores, weights,
                      &g->s, before);
    store_matrix(f, g, begin, end, weights, r->weights);
    if (r->weights != NULL)
        memcpy(maxima_of(f, g, begin / BLOCK_KEYS), g->s.maximum, sizeof g->s.maximum);
    add_values(values, c->next, c->step, weights, count, g->begun ? g->s.rescale : NULL,
               (uint32_t)check_pad(f->wanted->d_v, 4), f->scratch->outputs);
    for (uint32_t i = 0; i < g->rows && c->values.hidden_count > 0; i++)
        add_hidden_values(&c->values, f->visible, g->i0 + i, begin, count, weights + i, QUERIES,
                          f->scratch->outputs + i, QUERIES);
    g->begun = 1;
}

/* Attends to keys begin ... end - 1 of one block, begin a multiple of a panel. */
static ATTN_SMALL void attend_block(const forward *f, group *g, uint32_t begin, uint32_t end) {
    const uint32_t low = g->low > begin ? g->low : begin, high = g->high < end ? g->high : end;
    float *scores = f->scratch->scores + (size_t)(low - begin) * QUERIES;
    score_block(f, g, begin, end);
    if (f->wanted->weighs && low < high)
        weigh_block(f, g, low, high, scores);
    else if (f->wanted->map != NULL && low < high)
        pool_block(f->a, f->wanted->map, g->i0, g->rows, low, high - low, scores, &g->s);
}

/* ---- state between chunks, and results ------------------------------------------------------ */

/* Loads the state of the queries as earlier chunks left it, for a map as all of them did. */
static ATTN_SMALL void load_state(const forward *f, group *g) {
    const attention_scratch *memory = f->scratch;
    const uint32_t d_v = f->wanted->d_v;
    const float sink = f->a->sink;
    for (uint32_t i = 0; i < QUERIES; i++) {
        const int begun = (g->begun || f->wanted->map != NULL) && i < g->rows;
        g->s.maximum[i] = begun ? memory->maxima[g->i0 + i] : sink < -FLT_MAX ? -FLT_MAX : sink;
        g->s.sum[i] = begun ? memory->sums[g->i0 + i] : sink < -FLT_MAX ? 0.0f : 1.0f;
    }
    if (g->begun && d_v > 0)
        gemm_pack(memory->outputs, QUERIES, f->wanted->results->output + (size_t)g->i0 * d_v,
                  g->rows, d_v, d_v, 1, 1.0f);
}

/* Stores the outputs times factor, and the state for the next chunk. */
static ATTN_SMALL void store_state(const forward *f, const group *g, const float *factor) {
    const attention_scratch *memory = f->scratch;
    const uint32_t d_v = f->wanted->d_v;
    if (d_v > 0)
        store_rows(memory->outputs, factor, g->rows, d_v,
                   f->wanted->results->output + (size_t)g->i0 * d_v, d_v);
    for (uint32_t i = 0; i < g->rows; i++) {
        memory->maxima[g->i0 + i] = g->s.maximum[i];
        memory->sums[g->i0 + i] = g->s.sum[i];
    }
}

/* Brings the weights of all blocks to the last maximum and divides by the sum; 0 where no query of
 * the eight sees, or NaN in a row of NaN. */
static ATTN_SMALL void finish_weights(const forward *f, const group *g, const float *inverse) {
    const attn_attention_results *r = f->wanted->results;
    const uint32_t n_k = f->visible->n_k;
    float *rows = r->weights + (size_t)g->i0 * n_k, factor[QUERIES];
    for (uint32_t begin = g->low, end; begin < g->high; begin = end) {
        const float *maximum = maxima_of(f, g, begin / BLOCK_KEYS);
        end = (begin / BLOCK_KEYS + 1) * BLOCK_KEYS;
        end = end < g->high ? end : g->high;
        for (int i = 0; i < QUERIES; i += 4) {
            const f32x4 below = f32x4_sub(f32x4_load(maximum + i), f32x4_load(g->s.maximum + i));
            f32x4_store(factor + i, f32x4_mul(vmath_exp(below), f32x4_load(inverse + i)));
        }
        for (uint32_t i = 0; i < g->rows; i++)
            multiply_row(rows + (size_t)i * n_k + begin, end - begin, factor[i]);
    }
    for (uint32_t i = 0; i < g->rows; i++)
        fill_outside(rows + (size_t)i * n_k, g->low, g->high, n_k, 0.0f * inverse[i]);
    for (uint32_t i = 0; i < g->rows && r->mean != NULL; i++)
        add_scaled(rows + (size_t)i * n_k, n_k, r->share, r->mean + (size_t)(g->i0 + i) * n_k);
}

/* Divides by the sums, after the last chunk, and stores the results. */
static ATTN_SMALL void finish(const forward *f, const group *g) {
    const attn_attention_results *r = f->wanted->results;
    const attn_statistics *statistics = f->wanted->statistics;
    float inverse[QUERIES], lse[QUERIES];
    for (int half = 0; half < QUERIES; half += 4) {
        const f32x4 sum = f32x4_load(g->s.sum + half);
        const i32x4 nowhere = f32x4_eq(sum, f32x4_splat(0));
        const f32x4 log_sum = f32x4_add(f32x4_load(g->s.maximum + half), vmath_log(sum));
        f32x4_store(inverse + half,
                    f32x4_select(nowhere, f32x4_splat(0), f32x4_div(f32x4_splat(1), sum)));
        f32x4_store(lse + half, f32x4_select(nowhere, f32x4_splat(-INFINITY), log_sum));
    }
    if (!g->begun)
        memset(f->scratch->outputs, 0, check_pad(f->wanted->d_v, 4) * QUERIES * sizeof(float));
    store_state(f, g, inverse);
    if (r->lse != NULL)
        memcpy(r->lse + g->i0, lse, g->rows * sizeof *lse);
    if (r->weights != NULL)
        finish_weights(f, g, inverse);
    if (statistics != NULL && !g->begun)
        begin_measures(measures_of(f, g));
    if (statistics != NULL)
        store_measures(f->a, statistics, measures_of(f, g), g->i0, g->rows, &g->s);
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Returns whether scores of all pairs are wanted, also of those that the window does not see. */
static int wants_all(const attention_wanted *w) {
    return w->results->scores != NULL || w->results->capped != NULL;
}

/* Attends from up to eight queries to the chunk; `last` marks the last chunk. */
static ATTN_SMALL void attend_queries(const forward *f, uint32_t i0, int last) {
    const attn_attention *a = f->a;
    const attn_attention_results *r = f->wanted->results;
    static const float ones[QUERIES] = {1, 1, 1, 1, 1, 1, 1, 1};
    const uint32_t chunk_end = f->chunk.first + f->chunk.count, n_k = f->visible->n_k;
    group g;
    begin_group(f, &g, i0);
    const int all = wants_all(f->wanted);
    uint32_t begin = all || g.low < f->chunk.first ? f->chunk.first : g.low;
    const uint32_t end = all || g.high > chunk_end ? chunk_end : g.high;
    for (uint32_t i = 0; r->masked != NULL && f->chunk.first == 0 && !all && i < g.rows; i++)
        fill_outside(r->masked + (size_t)(i0 + i) * n_k, g.low, g.high, n_k, -INFINITY);
    if (begin >= end && !last)
        return;
    load_state(f, &g);
    if (begin < end)
        gemm_pack(f->scratch->queries, QUERIES, a->query + (size_t)i0 * a->d_k, g.rows, a->d_k,
                  a->d_k, 1, a->scale);
    for (uint32_t next; begin < end; begin = next) {
        next = (begin / BLOCK_KEYS + 1) * BLOCK_KEYS;
        next = next < end ? next : end;
        attend_block(f, &g, begin, next);
    }
    if (!f->wanted->weighs)
        return;
    if (last)
        finish(f, &g);
    else if (g.begun)
        store_state(f, &g, ones);
}

ATTN_SMALL void attend_tiles(const attention_call *call, const attention_wanted *w,
                             const attention_scratch *s) {
    const attn_attention *a = call->a;
    forward f = {a, &call->visible, w, s, .again = 0, .chunk = {.first = 0}};
    chunk *c = &f.chunk;
    const uint32_t keys = wants_all(w) ? a->n_k : a->window.key_count;
    f.again = (a->again || w->map != NULL) && keys <= s->chunk && !hides_keys(f.visible);
    c->values = (visible_values){.given = w->d_v > 0 ? a->value : a->key,
                                 .d_v = w->d_v,
                                 .stride = w->d_v > 0 ? s->value_stride : 0,
                                 .copy = s->values,
                                 .hidden = s->hidden};
    do {
        c->count = keys - c->first < s->chunk ? keys - c->first : s->chunk;
        begin_chunk(&f);
        for (uint32_t i = 0; i < a->n_q; i += QUERIES)
            attend_queries(&f, i, c->first + c->count == keys);
        c->first += c->count;
    } while (c->first < keys);
}
