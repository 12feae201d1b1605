/*
 * attention_backward.c: the gradient of scaled dot-product attention, and of unit rows.
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
#include "attn.h"
#include "check.h"
#include "gemm_kernel.h"
#include "softmax.h"
#include "visible.h"

#include <float.h>

enum {
    BLOCK_QUERIES = GEMM_ROWS == 4 ? 56 : 54,
    CHUNK_KEYS = GEMM_ROWS == 4 ? 112 : 144,
    WIDE_BLOCK_KEYS = 2048 /* up to here a block has twice the queries */
};

/* ---- stages: one chunk of keys against a block of queries -----------------------------
 * A strip's chunk is [rows][CHUNK_KEYS]; `keys` is a multiple of 16. Beside the products, which are
 * gemm_rows, only `weigh` takes much time (4 % of the whole), so only it is compiled for speed.
 */

/* maximum [rows] = the larger of itself and the scores of its row. */
static ATTN_SMALL void raise_maxima(const float *scores, uint32_t rows, uint32_t keys,
                                    float *maximum) {
    for (uint32_t i = 0; i < rows; i++) {
        f32x4 low = f32x4_load_splat(maximum + i), high = low;
        for (uint32_t j = 0; j < keys; j += 8) {
            low = f32x4_pmax(low, f32x4_load(scores + j)); /* passes over NaN; exp does not */
            high = f32x4_pmax(high, f32x4_load(scores + j + 4));
        }
        maximum[i] = f32x4_max_lane(f32x4_pmax(low, high));
        scores += CHUNK_KEYS;
    }
}

/* scores become weights, exp(score - maximum); adds weights to sum [rows] and weights *
 * gradients to weighted [rows]. */
static ATTN_STAGE void weigh(float *scores, const float *gradients, uint32_t rows, uint32_t keys,
                             const float *maximum, float *sum, float *weighted) {
    float shift[8], sums[8];
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 largest = f32x4_load_splat(maximum + i);
        f32x4 products = f32x4_splat(0), w[4];
        f32x4_store(shift, largest);
        f32x4_store(shift + 4, largest);
        softmax_exp(scores, keys, shift, scores, sums);
        for (uint32_t j = 0; j < keys; j += 16) {
            for (size_t k = 0; k < 4; k++)
                w[k] = f32x4_load(scores + j + 4 * k);
            w[0] = f32x4_mul(w[0], f32x4_load(gradients + j));
            for (size_t k = 1; k < 4; k++)
                w[0] = f32x4_madd(w[k], f32x4_load(gradients + j + 4 * k), w[0]);
            products = f32x4_add(products, w[0]);
        }
        sum[i] += f32x4_sum(f32x4_add(f32x4_load(sums), f32x4_load(sums + 4)));
        weighted[i] += f32x4_sum(products);
        scores += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

/* Gradients of weights become those of scores, weight * (gradient - mean [rows]). */
static ATTN_SMALL void differentiate_scores(const float *weights, float *gradients, uint32_t rows,
                                            uint32_t keys, const float *mean) {
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 shift = f32x4_load_splat(mean + i);
        for (uint32_t j = 0; j < keys; j += 4)
            f32x4_store(gradients + j, f32x4_mul(f32x4_sub(f32x4_load(gradients + j), shift),
                                                 f32x4_load(weights + j)));
        weights += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

/* ---- one call ------------------------------------------------------------------------ */

typedef struct {
    visibility visible;
    const float *query, *key, *value, *d_output;
    uint32_t d_k, d_v;
    float scale;
    float *d_query, *d_key, *d_value;
    double d_scale;
    int restricted; /* by a mask or causality */
    /* scratch; "rows" are those of the block */
    float *weights;   /* [chunks][rows][CHUNK_KEYS], scores at first */
    float *gradients; /* [chunks][rows][CHUNK_KEYS], with respect to weights, then to scores */
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
    /* the block: queries first ... first + rows - 1; none of them sees more than `keys` keys */
    uint32_t first, rows, keys;
    int any_lost; /* a row whose mean is not finite */
} backward;

typedef struct {
    uint32_t first, count, padded; /* keys; padded to a multiple of 16 */
    float *weights, *gradients;
} chunk;

/* Queries of a block, at most CHUNK_KEYS. */
static ATTN_SMALL uint32_t block_queries(uint32_t n_q, uint32_t n_k) {
    const uint32_t most = n_k > WIDE_BLOCK_KEYS ? BLOCK_QUERIES : 2 * BLOCK_QUERIES;
    return n_q < most ? n_q : most;
}

/* ---- a block ----------------------------------------------------------------------------- */

static ATTN_SMALL chunk chunk_at(const backward *b, uint32_t first) {
    const uint32_t left = b->keys - first;
    chunk c = {.first = first, .count = left < CHUNK_KEYS ? left : CHUNK_KEYS};
    c.padded = (uint32_t)check_round_up(c.count, 16);
    c.weights = b->weights + (size_t)first * b->rows;
    c.gradients = b->gradients + (size_t)first * b->rows;
    return c;
}

/* Adds the mask to the scores of row i; where the mask or causality forbids, scores become
 * -Infinity and gradients 0. */
static ATTN_SMALL void restrict_scores(const backward *b, const chunk *c, uint32_t i) {
    static const float nothing[4] = {0, 0, 0, 0};
    const visibility *v = &b->visible;
    const uint32_t visible = visible_keys(v, b->first + i);
    const f32x4 forbidden = f32x4_splat(-INFINITY);
    float *score = c->weights + (size_t)i * CHUNK_KEYS;
    float *gradient = c->gradients + (size_t)i * CHUNK_KEYS;
    for (uint32_t j = c->first; j < c->first + c->padded; j += 4) {
        const uint32_t left = visible > j ? visible - j : 0;
        const float *from =
            v->mask == NULL ? nothing : v->mask + (size_t)(b->first + i) * v->n_k + j;
        f32x4 added = forbidden;
        if (left >= 4)
            added = f32x4_load(from);
        else if (left > 0)
            added = f32x4_load_part(from, left, -INFINITY);
        const i32x4 never = f32x4_eq(added, forbidden);
        f32x4_store(score, f32x4_select(never, forbidden, f32x4_add(f32x4_load(score), added)));
        f32x4_store(gradient, f32x4_select(never, f32x4_splat(0), f32x4_load(gradient)));
        score += 4;
        gradient += 4;
    }
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

/* Scores, their maxima, and gradients with respect to weights. */
static ATTN_SMALL void score_chunk(const backward *b, const chunk *c) {
    multiply_chunk(b, c, b->scaled, b->key, b->d_k, c->weights);
    multiply_chunk(b, c, b->d_rows, b->value, b->d_v, c->gradients);
    if (b->visible.mask != NULL || c->first + c->padded > visible_keys(&b->visible, b->first))
        for (uint32_t i = 0; i < b->rows; i++)
            restrict_scores(b, c, i);
    raise_maxima(c->weights, b->rows, c->padded, b->maximum);
}

static ATTN_SMALL int is_finite(float x) { return x - x == 0; }

/* From sums to inverse sums and means; 0 for a row that attends nowhere. */
static ATTN_SMALL void finish_rows(backward *b) {
    b->any_lost = 0;
    for (uint32_t i = 0; i < b->rows; i++) {
        b->inverse[i] = b->inverse[i] == 0 ? 0 : 1 / b->inverse[i];
        b->mean[i] *= b->inverse[i];
        b->any_lost |= b->restricted && !is_finite(b->mean[i]);
    }
}

/* Multiplies row r of panels [columns / 8][rows][8] by factors[r]. */
static ATTN_SMALL void scale_rows(float *panels, uint32_t rows, uint32_t columns,
                                  const float *factors) {
    for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS)
        for (uint32_t r = 0; r < rows; r++) {
            const f32x4 factor = f32x4_load_splat(factors + r);
            f32x4_store(panels, f32x4_mul(f32x4_load(panels), factor));
            f32x4_store(panels + 4, f32x4_mul(f32x4_load(panels + 4), factor));
            panels += GEMM_COLUMNS;
        }
}

/* Replaces numbers that are not finite in panels [columns / 8][rows][8] by 0 and marks their rows.
 * Returns whether there were any. */
static ATTN_SMALL int hide_rows(float *panels, uint32_t rows, uint32_t columns, uint8_t *hidden) {
    int any = 0;
    memset(hidden, 0, rows);
    for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS)
        for (uint32_t r = 0; r < rows; r++)
            for (int half = 0; half < 2; half++) {
                const f32x4 x = f32x4_load(panels);
                const i32x4 finite = f32x4_eq(f32x4_sub(x, x), f32x4_splat(0));
                if (i32x4_any(i32x4_xor(finite, i32x4_splat(-1)))) {
                    f32x4_store(panels, f32x4_select(finite, x, f32x4_splat(0)));
                    hidden[r] = 1;
                    any = 1;
                }
                panels += 4;
            }
    return any;
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
        scale_rows(panels, rows, columns, factors);
    x->any_hidden = restricted && hide_rows(panels, rows, columns, x->hidden);
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
    const uint32_t d_k = b->d_k, stride = (uint32_t)check_pad(d_k, GEMM_COLUMNS);
    operand keys;
    differentiate_scores(c->weights, c->gradients, b->rows, c->padded, b->mean);
    if (b->any_lost)
        clear_forbidden(b, c);
    add_over_queries(b, c, c->weights, d_outputs, b->d_value);
    add_over_queries(b, c, c->gradients, queries, b->d_key);
    pack_rows(&keys, b->key + (size_t)c->first * d_k, c->count, d_k, 1.0f, NULL, b->panels,
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
    const size_t d_k = b->d_k, stride = check_pad(d_k, GEMM_COLUMNS);
    for (uint32_t i = 0; i < b->rows; i++) {
        const float *sums = b->d_queries + i * stride, *query = b->query + (b->first + i) * d_k;
        float *d_query = b->d_query + (b->first + i) * d_k;
        const float factor = b->scale * b->inverse[i];
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
    const uint32_t d_k = b->d_k;
    const float *query = b->query + (size_t)first * d_k;
    b->first = first;
    b->rows = block_queries(b->visible.n_q - first, b->visible.n_k);
    b->keys = visible_keys(&b->visible, first + b->rows - 1); /* no row sees more */
    gemm_pack(b->scaled, GEMM_PANEL_ROWS, query, b->rows, d_k, d_k, 1, b->scale);
    gemm_pack(b->d_rows, GEMM_PANEL_ROWS, b->d_output + (size_t)first * b->d_v, b->rows, b->d_v,
              b->d_v, 1, 1.0f);
    memset(b->d_queries, 0, check_pad(d_k, GEMM_COLUMNS) * b->rows * sizeof(float));
    for (uint32_t i = 0; i < b->rows; i++) {
        b->maximum[i] = -FLT_MAX;
        b->inverse[i] = b->mean[i] = 0;
    }
}

static ATTN_SMALL void differentiate_block(backward *b, uint32_t first) {
    operand queries, d_outputs;
    begin_block(b, first);
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        score_chunk(b, &c);
    }
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        weigh(c.weights, c.gradients, b->rows, c.padded, b->maximum, b->inverse, b->mean);
    }
    finish_rows(b);
    pack_rows(&queries, b->query + (size_t)first * b->d_k, b->rows, b->d_k, b->scale, b->inverse,
              b->queries, b->restricted);
    pack_rows(&d_outputs, b->d_output + (size_t)first * b->d_v, b->rows, b->d_v, 1.0f, b->inverse,
              b->d_outputs, b->restricted);
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        accumulate_chunk(b, &c, &queries, &d_outputs);
    }
    store_queries(b);
}

/* ---- interface --------------------------------------------------------------------------- */

/* Lays out scratch; returns the bytes. */
static ATTN_SMALL uint64_t take_scratch(backward *b, uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                        uint32_t d_v, void *scratch) {
    const uint32_t rows = block_queries(n_q, n_k);
    const uint64_t keys = ((uint64_t)n_k + CHUNK_KEYS - 1) / CHUNK_KEYS * CHUNK_KEYS;
    const uint64_t k = check_round_up(d_k, GEMM_COLUMNS), v = check_round_up(d_v, GEMM_COLUMNS);
    const uint64_t packed = gemm_panel_rows(rows);
    uint64_t bytes = 0;
    b->weights = check_array(&bytes, scratch, rows, keys);
    b->gradients = check_array(&bytes, scratch, rows, keys);
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

ATTN_SMALL uint32_t attn_attention_backward_scratch(uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                                    uint32_t d_v) {
    backward b;
    return check_scratch(take_scratch(&b, n_q, n_k, d_k, d_v, NULL));
}

ATTN_SMALL attn_status attn_attention_backward(const float *query, const float *key,
                                               const float *value, const float *mask,
                                               const float *d_output, uint32_t n_q, uint32_t n_k,
                                               uint32_t d_k, uint32_t d_v, float scale,
                                               attn_causal causal, float *d_query, float *d_key,
                                               float *d_value, double *d_scale, void *scratch) {
    const attn_status status = check_head(n_q, n_k, d_k, d_v, causal, mask != NULL,
                                          attn_attention_backward_scratch(n_q, n_k, d_k, d_v));
    if (status != ATTN_OK)
        return status;
    backward b = {.visible = {mask, n_q, n_k, causal},
                  .query = query,
                  .key = key,
                  .value = value,
                  .d_output = d_output,
                  .d_k = d_k,
                  .d_v = d_v,
                  .scale = scale,
                  .d_query = d_query,
                  .d_key = d_key,
                  .d_value = d_value,
                  .d_scale = 0,
                  .restricted = mask != NULL || causal != ATTN_ATTEND_ALL};
    take_scratch(&b, n_q, n_k, d_k, d_v, scratch);
    for (uint32_t first = 0; first < n_q; first += b.rows)
        differentiate_block(&b, first);
    *d_scale += b.d_scale;
    return ATTN_OK;
}

/* ---- unit rows --------------------------------------------------------------------------- */

/* u = x / |x|: d_x = (d_u - u (u . d_u)) / |x|, in float64; of one row. */
static ATTN_SMALL void unit_row_backward(const float *x, const float *d_unit, uint32_t d,
                                         float *d_x) {
    double square = 0, along = 0; /* |x|^2 and x . d_u */
    int any = 0;
    for (uint32_t c = 0; c < d; c++) {
        square += (double)x[c] * (double)x[c];
        along += (double)x[c] * (double)d_unit[c];
        any |= d_unit[c] != 0; /* NaN, too */
    }
    const double norm = __builtin_sqrt(square);
    const int clamped = norm < 1e-12;
    const double per_x = clamped ? 0 : along / square, divisor = clamped ? 1e-12 : norm;
    for (uint32_t c = 0; c < d; c++)
        d_x[c] = any ? (float)(((double)d_unit[c] - (double)x[c] * per_x) / divisor) : 0;
}

ATTN_SMALL void attn_unit_rows_backward(const float *x, const float *d_unit, uint32_t rows,
                                        uint32_t d, float *d_x) {
    for (size_t i = 0; i < rows; i++)
        unit_row_backward(x + i * d, d_unit + i * d, d, d_x + i * d);
}
