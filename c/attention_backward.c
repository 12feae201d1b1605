/*
 * attention_backward.c: the gradient of scaled dot-product attention.
 *
 * With S = scale Q K^T (+ mask), P = softmax(S), O = P V and dO (Dao et al., "FlashAttention",
 * 2022, appendix B): dV = P^T dO,  dP = dO V^T,  dS = P * (dP - rowsum(P * dP)),
 * dQ = scale dS K,  dK = scale dS^T Q,  dscale = sum(dS * Q K^T).
 *
 * A block of queries meets all keys before anything is differentiated, so no forward pass is
 * needed: 10 n_q n_k d flop, not 14. The price is two strips [block][n_k], held in chunks of
 * keys, so that one function, gemm_rows, makes all five products. A row of a chunk is an odd
 * number of cache lines, so its columns spread over the sets of the cache. P is never divided by
 * its sums: inverse sums go into the other operand. Sums over queries and keys are taken block by
 * block, so that rounding errors do not grow with n. 90 % of the peak of multiply and add;
 * measurements: tests/bench/NOTES.md.
 */
#include "attention_backward_stages.h"
#include "attention_stages.h"
#include "attn.h"
#include "check.h"
#include "gemm_kernel.h"
#include "visible.h"
#include "vmath.h"

#include <float.h>

enum {
    BLOCK_QUERIES = GEMM_ROWS == 4 ? 56 : 54,
    WIDE_BLOCK_KEYS = 2048 /* up to here a block has twice the queries */
};

/* ---- one call ------------------------------------------------------------------------ */

typedef struct {
    const attn_attention *a;
    visibility visible; /* of a */
    const float *d_output;
    const attn_attention_gradient *gradient;
    double d_scale, d_sink;
    int restricted; /* whether some query may not attend to some key */
    /* scratch; "rows" are those of the block */
    float *weights;   /* [chunks][rows][CHUNK_KEYS], scores at first */
    float *gradients; /* [chunks][rows][CHUNK_KEYS], with respect to weights, then to scores */
    float *slopes;    /* [chunks][rows][CHUNK_KEYS], where options shape scores */
    float *scaled;    /* [rows][d_k], queries times scale, in panels */
    float *d_rows;    /* [rows][d_v], gradients of outputs, in panels */
    float *panel;     /* of rows of gradients of scores */
    float *queries;   /* [d_k / 8][rows][8], times scale and inverse sum */
    float *d_outputs; /* [d_v / 8][rows][8], times inverse sum */
    float *d_queries; /* [rows][d_k padded to 8], before scale and inverse sum */
    float *panels;    /* [CHUNK_KEYS] rows of keys or values, of one chunk */
    float *maximum;   /* [rows], of scores */
    float *inverse;   /* [rows], 1 / sum of weights; the sum at first */
    float *mean;      /* [rows], of gradients under the weights */
    /* the block: queries first ... first + rows - 1, and keys begin ... end - 1 that some see */
    uint32_t first, rows, begin, end;
    int any_lost; /* a row whose mean is not finite */
} backward;

typedef struct {
    uint32_t first, count, padded; /* keys; padded to a multiple of 16 */
    float *weights, *gradients, *slopes;
} chunk;

/* Returns the number of queries in a block, at most CHUNK_KEYS. */
static ATTN_SMALL uint32_t block_queries(uint32_t n_q, uint32_t n_k) {
    const uint32_t most = n_k > WIDE_BLOCK_KEYS ? BLOCK_QUERIES : 2 * BLOCK_QUERIES;
    return n_q < most ? n_q : most;
}

/* ---- a block ----------------------------------------------------------------------------- */

/* Returns the chunk that begins with key `first`. */
static ATTN_SMALL chunk chunk_at(const backward *b, uint32_t first) {
    const uint32_t left = b->end - first;
    const size_t strip = (size_t)(first - b->begin) * b->rows;
    chunk c = {.first = first, .count = left < CHUNK_KEYS ? left : CHUNK_KEYS};
    c.padded = (uint32_t)check_round_up(c.count, 16);
    c.weights = b->weights + strip;
    c.gradients = b->gradients + strip;
    c.slopes = b->slopes + strip;
    return c;
}

/* Adds the mask to the scores of row i; where the mask or the window forbids, scores become
 * -Infinity and gradients 0. */
static ATTN_SMALL void restrict_scores(const backward *b, const chunk *c, uint32_t i) {
    static const float nothing[4] = {0, 0, 0, 0};
    const visibility *v = &b->visible;
    const uint32_t begin = first_key(v, b->first + i), end = end_key(v, b->first + i);
    const f32x4 forbidden = f32x4_splat(-INFINITY);
    const i32x4 first_seen = i32x4_splat((int32_t)begin);
    float *score = c->weights + (size_t)i * CHUNK_KEYS;
    float *gradient = c->gradients + (size_t)i * CHUNK_KEYS;
    for (uint32_t j = c->first; j < c->first + c->padded; j += 4) {
        const uint32_t left = end > j ? end - j : 0;
        const float *from =
            v->mask == NULL ? nothing : v->mask + (size_t)(b->first + i) * v->n_k + j;
        f32x4 added = forbidden;
        if (left >= 4)
            added = f32x4_load(from);
        else if (left > 0)
            added = f32x4_load_part(from, left, -INFINITY);
        const i32x4 keys = i32x4_add(i32x4_splat((int32_t)j), i32x4_make(0, 1, 2, 3));
        const i32x4 never = i32x4_or(f32x4_eq(added, forbidden), i32x4_lt(keys, first_seen));
        f32x4_store(score, f32x4_select(never, forbidden, f32x4_add(f32x4_load(score), added)));
        f32x4_store(gradient, f32x4_select(never, f32x4_splat(0), f32x4_load(gradient)));
        score += 4;
        gradient += 4;
    }
}

/* Returns whether the block's queries see all keys of the chunk, padding too. */
static ATTN_SMALL int sees_all(const backward *b, const chunk *c) {
    const visibility *v = &b->visible;
    return v->mask == NULL && c->first + c->padded <= end_key(v, b->first) &&
           c->first >= first_key(v, b->first + b->rows - 1);
}

/* strip's chunk [rows][padded] = queries [rows][d], in panels, times numbers [n_k][d]. */
static ATTN_SMALL void multiply_chunk(const backward *b, const chunk *c, const float *queries,
                                      const float *numbers, uint32_t d, float *strip) {
    const size_t written = check_pad(c->count, GEMM_COLUMNS) * d;
    gemm_pack(b->panels, GEMM_COLUMNS, numbers + (size_t)c->first * d, c->count, d, d, 1, 1.0f);
    memset(b->panels + written, 0, ((size_t)c->padded * d - written) * sizeof(float));
    for (uint32_t i = 0; i < b->rows; i += GEMM_ROWS)
        gemm_rows(gemm_panel_row(queries, d, i), GEMM_PANEL_ROWS, b->panels, d, b->rows - i,
                  c->padded, 0, strip + (size_t)i * CHUNK_KEYS, CHUNK_KEYS);
}

/* Computes scores, their maxima, and gradients with respect to weights. */
static ATTN_SMALL void score_chunk(const backward *b, const chunk *c) {
    multiply_chunk(b, c, b->scaled, b->a->key, b->a->d_k, c->weights);
    multiply_chunk(b, c, b->d_rows, b->a->value, b->a->d_v, c->gradients);
    if (shapes_scores(b->a))
        for (size_t i = 0; i < (size_t)b->rows * CHUNK_KEYS; i += CHUNK_KEYS)
            shape_scores(b->a, c->weights + i, c->slopes + i, c->padded);
    if (!sees_all(b, c))
        for (uint32_t i = 0; i < b->rows; i++)
            restrict_scores(b, c, i);
    raise_maxima(c->weights, b->rows, c->padded, b->maximum);
}

static ATTN_SMALL int is_finite(float x) { return x - x == 0; }

/* Turns sums into inverse sums and means, 0 for a row that attends nowhere, and adds to d_sink. */
static ATTN_SMALL void finish_rows(backward *b) {
    b->any_lost = 0;
    for (uint32_t i = 0; i < b->rows; i++) {
        const float sink = F32X4_LANE(vmath_exp(f32x4_splat(b->a->sink - b->maximum[i])), 0);
        b->inverse[i] = b->inverse[i] == 0 ? 0 : 1 / (b->inverse[i] + sink);
        b->mean[i] *= b->inverse[i];
        if (sink > 0)
            b->d_sink -= (double)(sink * b->inverse[i]) * (double)b->mean[i];
        b->any_lost |= b->restricted && !is_finite(b->mean[i]);
    }
}

/* The rows of numbers that a sum runs over, packed as panels [columns / 8][rows][8]. */
typedef struct {
    const float *numbers; /* [rows][columns] */
    uint32_t columns;
    float scale;
    const float *factors; /* [rows], of queries; null for keys */
    float *panels;
    uint8_t hidden[CHUNK_KEYS]; /* rows in which a number that is not finite was packed as 0 */
    int any_hidden;
} operand;

/* Packs numbers [rows][columns] times scale and factors. */
static ATTN_SMALL void pack_rows(operand *x, const float *numbers, uint32_t rows, uint32_t columns,
                                 float scale, const float *factors, float *panels, int restricted) {
    x->numbers = numbers;
    x->columns = columns;
    x->scale = scale;
    x->factors = factors;
    x->panels = panels;
    gemm_pack(panels, GEMM_COLUMNS, numbers, columns, 1, rows, columns, scale);
    if (factors != NULL)
        scale_panels(panels, rows, columns, factors);
    x->any_hidden = restricted && hide_panel_rows(panels, rows, columns, x->hidden);
}

/* Adds the numbers that pack_rows hid in query i or key j, times the pair's weight in strip, to the
 * sums of the other, if i may attend to j. */
static ATTN_SMALL void add_hidden(const backward *b, const chunk *c, const float *strip,
                                  const operand *x, float *sums, uint32_t stride) {
    const int by_key = x->factors == NULL;
    for (uint32_t i = 0; x->any_hidden && i < b->rows; i++)
        for (uint32_t j = 0; j < c->count; j++) {
            const uint32_t from = by_key ? j : i, to = by_key ? i : j;
            if (!x->hidden[from] || !may_attend(&b->visible, b->first + i, c->first + j))
                continue;
            for (uint32_t k = 0; k < x->columns; k++) {
                float number = x->numbers[(size_t)from * x->columns + k] * x->scale;
                number = by_key ? number : number * x->factors[i];
                if (!is_finite(number))
                    sums[(size_t)to * stride + k] += strip[(size_t)i * CHUNK_KEYS + j] * number;
            }
        }
}

/* Makes 0 the gradients of scores that are NaN only because a weight of 0 was multiplied by a
 * mean that is not finite. */
static ATTN_SMALL void clear_forbidden(const backward *b, const chunk *c) {
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t j = 0; j < c->count; j++)
            if (!may_attend(&b->visible, b->first + i, c->first + j))
                c->gradients[(size_t)i * CHUNK_KEYS + j] = 0;
}

/* sums [keys][columns] += strip^T x. */
static ATTN_SMALL void add_over_queries(const backward *b, const chunk *c, const float *strip,
                                        const operand *x, float *sums) {
    const uint32_t columns = x->columns;
    sums += (size_t)c->first * columns;
    for (uint32_t j = 0; j < c->count; j += GEMM_ROWS)
        gemm_rows(strip + j, CHUNK_KEYS, x->panels, b->rows, c->count - j, columns, 1,
                  sums + (size_t)j * columns, columns);
    add_hidden(b, c, strip, x, sums, columns);
}

/* Computes gradients with respect to scores and adds the chunk's part to all results. */
static ATTN_SMALL void accumulate_chunk(const backward *b, const chunk *c, const operand *queries,
                                        const operand *d_outputs) {
    const uint32_t d_k = b->a->d_k, stride = (uint32_t)check_pad(d_k, GEMM_COLUMNS);
    operand keys;
    differentiate_scores(c->weights, c->gradients, b->rows, c->padded, b->mean);
    if (shapes_scores(b->a))
        multiply_rows(c->gradients, c->slopes, b->rows, c->padded);
    if (b->any_lost)
        clear_forbidden(b, c);
    add_over_queries(b, c, c->weights, d_outputs, b->gradient->value);
    add_over_queries(b, c, c->gradients, queries, b->gradient->key);
    pack_rows(&keys, b->a->key + (size_t)c->first * d_k, c->count, d_k, 1.0f, NULL, b->panels,
              b->restricted);
    for (uint32_t i = 0; i < b->rows; i += GEMM_ROWS) {
        const uint32_t left = b->rows - i, in_panel = i % GEMM_PANEL_ROWS;
        if (in_panel == 0)
            gemm_pack(b->panel, GEMM_PANEL_ROWS, c->gradients + (size_t)i * CHUNK_KEYS,
                      left < GEMM_PANEL_ROWS ? left : GEMM_PANEL_ROWS, CHUNK_KEYS, c->count, 1,
                      1.0f);
        gemm_rows(b->panel + in_panel, GEMM_PANEL_ROWS, keys.panels, c->count, left, stride, 1,
                  b->d_queries + (size_t)i * stride, stride);
    }
    add_hidden(b, c, c->gradients, &keys, b->d_queries, stride);
}

/* Writes the block's rows of d_query and adds to d_scale. */
static ATTN_SMALL void store_queries(backward *b) {
    const size_t d_k = b->a->d_k, stride = check_pad(d_k, GEMM_COLUMNS);
    for (uint32_t i = 0; i < b->rows; i++) {
        const float *sums = b->d_queries + i * stride, *query = b->a->query + (b->first + i) * d_k;
        float *d_query = b->gradient->query + (b->first + i) * d_k;
        const float factor = b->a->scale * b->inverse[i];
        double along = 0;
        for (uint32_t c = 0; c < d_k; c++) {
            d_query[c] = sums[c] * factor + 0.0f; /* no -0 where a query attends nowhere */
            along += (double)query[c] * (double)sums[c];
        }
        if (b->inverse[i] != 0)
            b->d_scale += along * (double)b->inverse[i];
    }
}

/* Sets up the block of queries that begins with `first`. */
static ATTN_SMALL void begin_block(backward *b, uint32_t first) {
    const uint32_t d_k = b->a->d_k;
    const float *query = b->a->query + (size_t)first * d_k;
    b->first = first;
    b->rows = block_queries(b->visible.n_q - first, b->visible.n_k);
    b->begin = first_key(&b->visible, first);
    b->end = end_key(&b->visible, first + b->rows - 1);
    gemm_pack(b->scaled, GEMM_PANEL_ROWS, query, b->rows, d_k, d_k, 1, b->a->scale);
    gemm_pack(b->d_rows, GEMM_PANEL_ROWS, b->d_output + (size_t)first * b->a->d_v, b->rows,
              b->a->d_v, b->a->d_v, 1, 1.0f);
    memset(b->d_queries, 0, check_pad(d_k, GEMM_COLUMNS) * b->rows * sizeof(float));
    for (uint32_t i = 0; i < b->rows; i++) {
        b->maximum[i] = b->a->sink < -FLT_MAX ? -FLT_MAX : b->a->sink;
        b->inverse[i] = b->mean[i] = 0;
    }
}

/* Computes the gradients of the block of queries that begins with `first`. */
static ATTN_SMALL void differentiate_block(backward *b, uint32_t first) {
    operand queries, d_outputs;
    begin_block(b, first);
    for (uint32_t key = b->begin; key < b->end; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        score_chunk(b, &c);
    }
    for (uint32_t key = b->begin; key < b->end; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        weigh_rows(c.weights, c.gradients, b->rows, c.padded, b->maximum, b->inverse, b->mean);
    }
    finish_rows(b);
    pack_rows(&queries, b->a->query + (size_t)first * b->a->d_k, b->rows, b->a->d_k, b->a->scale,
              b->inverse, b->queries, b->restricted);
    pack_rows(&d_outputs, b->d_output + (size_t)first * b->a->d_v, b->rows, b->a->d_v, 1.0f,
              b->inverse, b->d_outputs, b->restricted);
    for (uint32_t key = b->begin; key < b->end; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        accumulate_chunk(b, &c, &queries, &d_outputs);
    }
    store_queries(b);
}

/* ---- interface --------------------------------------------------------------------------- */

/* Lays out scratch and returns its size in bytes; null gives the size alone. */
static ATTN_SMALL uint64_t lay_out_scratch(backward *b, const attn_attention *a, void *scratch) {
    const uint32_t rows = block_queries(a->n_q, a->n_k), d_k = a->d_k, d_v = a->d_v;
    const uint64_t keys = ((uint64_t)a->n_k + CHUNK_KEYS - 1) / CHUNK_KEYS * CHUNK_KEYS;
    const uint64_t k = check_round_up(d_k, GEMM_COLUMNS), v = check_round_up(d_v, GEMM_COLUMNS);
    const uint64_t packed = gemm_panel_rows(rows);
    uint64_t bytes = 0;
    b->weights = check_array(&bytes, scratch, rows, keys);
    b->gradients = check_array(&bytes, scratch, rows, keys);
    b->slopes = check_array(&bytes, scratch, shapes_scores(a) ? rows : 0, keys);
    b->scaled = check_array(&bytes, scratch, packed, d_k);
    b->d_rows = check_array(&bytes, scratch, packed, d_v);
    b->panel = check_array(&bytes, scratch, CHUNK_KEYS, GEMM_PANEL_ROWS);
    b->queries = check_array(&bytes, scratch, rows, k);
    b->d_outputs = check_array(&bytes, scratch, rows, v);
    b->d_queries = check_array(&bytes, scratch, rows, k);
    b->panels = check_array(&bytes, scratch, CHUNK_KEYS, k > v ? k : v);
    b->maximum = check_array(&bytes, scratch, rows, 1);
    b->inverse = check_array(&bytes, scratch, rows, 1);
    b->mean = check_array(&bytes, scratch, rows, 1);
    return bytes;
}

ATTN_SMALL uint32_t attn_attention_backward_scratch(const attn_attention *a) {
    backward b;
    return check_scratch(lay_out_scratch(&b, a, NULL));
}

ATTN_SMALL attn_status attn_attention_backward(const attn_attention *a, const float *d_output,
                                               const attn_attention_gradient *gradient,
                                               void *scratch) {
    backward b = {.a = a,
                  .visible = {a->mask, a->n_q, a->n_k, a->window},
                  .d_output = d_output,
                  .gradient = gradient};
    const attn_status status =
        check_attention(a, &b.visible, 0, attn_attention_backward_scratch(a));
    if (status != ATTN_OK)
        return status;
    b.restricted = hides_keys(&b.visible);
    lay_out_scratch(&b, a, scratch);
    for (uint32_t first = 0; first < a->n_q; first += b.rows)
        differentiate_block(&b, first);
    *gradient->scale += b.d_scale;
    *gradient->sink += b.d_sink;
    return ATTN_OK;
}
