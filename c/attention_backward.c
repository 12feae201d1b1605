/*
 * attention_backward.c: the gradient of scaled dot-product attention, and of unit rows.
 *
 * With S = scale Q K^T (+ mask), P = softmax(S), O = P V and a loss whose gradient with
 * respect to O is dO (Dao et al., "FlashAttention", 2022, appendix B):
 *   dV = P^T dO,  dP = dO V^T,  dS = P * (dP - rowsum(P * dP)),
 *   dQ = scale dS K,  dK = scale dS^T Q,  dscale = sum(dS * Q K^T).
 *
 * How it is built, and why:
 *   - A block of queries meets all keys before anything is differentiated, so the
 *     forward pass need not have run: five products, 10 n_q n_k d flop. Recomputing P
 *     block by block from the log-sum-exp takes a forward pass first, 14 n_q n_k d. The
 *     price is two strips of [block][n_k] numbers.
 *   - Nothing is transposed but inputs. The strips are held in chunks of keys,
 *     [chunk][query][key]. One operand of the tile (gemm_kernel.h) is read number by
 *     number, so it may run either way: dK and dV, sums over queries, read a strip down
 *     its columns, dQ, a sum over keys, along its rows.
 *   - A chunk's row of 112 numbers is 7 cache lines: an odd number, so the lines of a
 *     column spread over all sets of the cache. With 128 they would share an eighth.
 *   - P is never divided by its sums: e^(S - max) goes into dV and dS, and the inverse
 *     sums into the other operand, O(block d) multiplications. dscale = sum(Q * dS K) is
 *     O(n d) likewise.
 *   - Sums over queries and keys are taken block by block and chunk by chunk: n / 64 + 64
 *     roundings in a row instead of n.
 *   - The stages are functions of their own, called once a chunk, so that an engine can
 *     replace its first, slow translation while a long call runs.
 *   - What may not be attended has score -Infinity and weight 0, and 0 times any finite
 *     number is nothing. Numbers that are not finite are packed as 0 where sums run over
 *     rows, and added by add_hidden where they may be seen.
 */
#include "attn.h"
#include "check.h"
#include "gemm_kernel.h"
#include "visible.h"
#include "vmath.h"

#include <float.h>

enum { BLOCK_QUERIES = 64, CHUNK_KEYS = 112 };

#define STAGE static __attribute__((noinline))

/* ---- stages: one chunk of at most 112 keys against a block of queries --------------
 * A strip's chunk is [rows][112]; `rows` is a multiple of 4 and `keys` of 16. */

/* product [rows][keys] = a [rows / 4][depth][4] times b [keys / 8][depth][8]. */
STAGE void multiply(const float *a, const float *b, uint32_t depth, uint32_t rows, uint32_t keys,
                    float *product) {
    for (uint32_t j = 0; j < keys; j += GEMM_COLUMNS) {
        const float *panel = a;
        for (uint32_t i = 0; i < rows; i += GEMM_ROWS) {
            float *to = product + (size_t)i * CHUNK_KEYS + j;
            f32x4 tile[8];
            gemm_tile(panel, GEMM_ROWS, b, depth, tile);
            for (size_t r = 0; r < 8; r += 2) {
                f32x4_store(to, tile[r]);
                f32x4_store(to + 4, tile[r + 1]);
                to += CHUNK_KEYS;
            }
            panel += (size_t)depth * GEMM_ROWS;
        }
        b += (size_t)depth * GEMM_COLUMNS;
    }
}

/* maximum [rows] = the larger of itself and the scores of its row. */
STAGE void raise_maxima(const float *scores, uint32_t rows, uint32_t keys, float *maximum) {
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

/* sum plus the products of 16 weights with 16 gradients. */
ATTN_INLINE f32x4 add_products(const f32x4 w[4], const float *gradients, f32x4 sum) {
    f32x4 products = f32x4_mul(w[0], f32x4_load(gradients));
    for (int i = 1; i < 4; i++)
        products = f32x4_madd(w[i], f32x4_load(gradients + (size_t)i * 4), products);
    return f32x4_add(sum, products);
}

/* scores become weights, exp(score - maximum); adds weights to sum [rows] and weights *
 * gradients to weighted [rows]. */
STAGE void weigh(float *scores, const float *gradients, uint32_t rows, uint32_t keys,
                 const float *maximum, float *sum, float *weighted) {
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 largest = f32x4_load_splat(maximum + i);
        f32x4 total = f32x4_splat(0), products = f32x4_splat(0);
        for (uint32_t j = 0; j < keys; j += 16) {
            f32x4 w[4];
            for (size_t k = 0; k < 4; k++)
                w[k] = f32x4_sub(f32x4_load(scores + j + 4 * k), largest);
            vmath_exp_nonpositive_4(w);
            for (size_t k = 0; k < 4; k++)
                f32x4_store(scores + j + 4 * k, w[k]);
            total = f32x4_add(total, f32x4_add(f32x4_add(w[0], w[2]), f32x4_add(w[1], w[3])));
            products = add_products(w, gradients + j, products);
        }
        sum[i] += f32x4_sum(total);
        weighted[i] += f32x4_sum(products);
        scores += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

/* Gradients of weights become those of scores: weight * (gradient - mean [rows]). */
STAGE void differentiate_scores(const float *weights, float *gradients, uint32_t rows,
                                uint32_t keys, const float *mean) {
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 of_row = f32x4_load_splat(mean + i);
        for (uint32_t j = 0; j < keys; j += 4)
            f32x4_store(gradients + j, f32x4_mul(f32x4_load(weights + j),
                                                 f32x4_sub(f32x4_load(gradients + j), of_row)));
        weights += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

/* Adds a tile to rows `stride` apart. */
ATTN_INLINE void add_tile(const f32x4 tile[8], float *sums, size_t stride) {
    for (size_t r = 0; r < 8; r += 2) {
        f32x4_store(sums, f32x4_add(f32x4_load(sums), tile[r]));
        f32x4_store(sums + 4, f32x4_add(f32x4_load(sums + 4), tile[r + 1]));
        sums += stride;
    }
}

/* Adds the rows and columns of a tile that exist. */
static ATTN_SMALL void add_edge(const float *tile, float *sums, size_t stride, uint32_t rows,
                                uint32_t columns) {
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t c = 0; c < columns; c++)
            sums[i * stride + c] += tile[i * GEMM_COLUMNS + c];
}

/* sums [keys][columns] += strip^T panels, for the strip's first `rows` rows, however many,
 * `keys` keys, however many, and panels [columns / 8][rows][8]. */
STAGE void add_over_queries(const float *strip, const float *panels, uint32_t rows, uint32_t keys,
                            uint32_t columns, float *sums) {
    for (uint32_t j = 0; j < keys; j += GEMM_ROWS)
        for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS) {
            float *to = sums + (size_t)j * columns + c;
            f32x4 tile[8];
            gemm_tile(strip + j, CHUNK_KEYS, panels + (size_t)c * rows, rows, tile);
            if (j + GEMM_ROWS <= keys && c + GEMM_COLUMNS <= columns) {
                add_tile(tile, to, columns);
            } else {
                float edge[GEMM_ROWS * GEMM_COLUMNS];
                for (size_t k = 0; k < 8; k++)
                    f32x4_store(edge + 4 * k, tile[k]);
                add_edge(edge, to, columns, keys - j < GEMM_ROWS ? keys - j : GEMM_ROWS,
                         columns - c < GEMM_COLUMNS ? columns - c : GEMM_COLUMNS);
            }
        }
}

/* sums [rows][columns] += strip panels, for `keys` keys, however many, and panels
 * [columns / 8][keys][8]; columns a multiple of 8. */
STAGE void add_over_keys(const float *strip, const float *panels, uint32_t rows, uint32_t keys,
                         uint32_t columns, float *sums) {
    for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS) {
        for (uint32_t i = 0; i < rows; i += GEMM_ROWS) {
            f32x4 tile[8];
            gemm_tile_strided(strip + (size_t)i * CHUNK_KEYS, CHUNK_KEYS, 1, panels, keys, tile);
            add_tile(tile, sums + (size_t)i * columns + c, columns);
        }
        panels += (size_t)keys * GEMM_COLUMNS;
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
    /* scratch; "rows" is the block's, padded to a multiple of 4 */
    float *weights;        /* [chunks][rows][112], scores at first */
    float *gradients;      /* [chunks][rows][112], with respect to weights, then to scores */
    float *query_lanes;    /* [rows / 4][d_k][4], times scale */
    float *d_output_lanes; /* [rows / 4][d_v][4] */
    float *queries;        /* [d_k / 8][rows][8], times scale and inverse sum */
    float *d_outputs;      /* [d_v / 8][rows][8], times inverse sum */
    float *d_queries;      /* [rows][d_k padded to 8], before scale and inverse sum */
    float *panels;         /* of keys or values of one chunk */
    float *maximum;        /* [rows], of scores */
    float *inverse;        /* [rows], 1 / sum of weights; the sum at first */
    float *mean;           /* [rows], of gradients under the weights */
    uint8_t *hidden;       /* [112] of keys, [64] of queries, [64] of d_outputs */
    /* the block: queries first ... first + rows - 1, whom causality lets see `keys` keys */
    uint32_t first, rows, padded, keys;
    int any_lost; /* a row whose mean is not finite */
} backward;

typedef struct {
    uint32_t first, count, padded; /* keys; padded to a multiple of 16 */
    float *weights, *gradients;
} chunk;

/* ---- a block ----------------------------------------------------------------------------- */

static ATTN_SMALL chunk chunk_at(const backward *b, uint32_t first) {
    const uint32_t left = b->keys - first;
    chunk c = {.first = first, .count = left < CHUNK_KEYS ? left : CHUNK_KEYS};
    c.padded = (uint32_t)check_round_up(c.count, 16);
    c.weights = b->weights + (size_t)first * b->padded;
    c.gradients = b->gradients + (size_t)first * b->padded;
    return c;
}

/* panels [padded / 8][d][8] of rows of d numbers. */
static ATTN_SMALL void pack_chunk(const backward *b, const chunk *c, const float *rows,
                                  uint32_t d) {
    const size_t written = check_pad(c->count, GEMM_COLUMNS) * d;
    gemm_pack(b->panels, GEMM_COLUMNS, rows + (size_t)c->first * d, c->count, d, d, 1, 1.0f);
    memset(b->panels + written, 0, ((size_t)c->padded * d - written) * sizeof(float));
}

/* Makes -Infinity the scores of row i that the mask or causality forbids, and adds the
 * mask to others. */
static ATTN_SMALL void restrict_scores(const backward *b, const chunk *c, uint32_t i) {
    const visibility *v = &b->visible;
    const f32x4 forbidden = f32x4_splat(-INFINITY);
    float *scores = c->weights + (size_t)i * CHUNK_KEYS;
    uint32_t count = visible_keys(v, b->first + i);
    count = count < c->first ? 0 : count - c->first;
    count = count < c->count ? count : c->count;
    const float *mask = v->mask;
    if (mask != NULL)
        mask += (size_t)(b->first + i) * v->n_k + c->first;
    for (uint32_t j = 0; mask != NULL && j < count; j += 4) {
        const f32x4 added =
            count - j < 4 ? f32x4_load_part(mask + j, count - j, 0) : f32x4_load(mask + j);
        const f32x4 score = f32x4_add(f32x4_load(scores + j), added);
        f32x4_store(scores + j, f32x4_select(f32x4_eq(added, forbidden), forbidden, score));
    }
    for (uint32_t j = count; j < c->padded; j++)
        scores[j] = -INFINITY;
}

/* Scores, their maxima, and gradients with respect to weights. */
static ATTN_SMALL void score_chunk(const backward *b, const chunk *c) {
    pack_chunk(b, c, b->key, b->d_k);
    multiply(b->query_lanes, b->panels, b->d_k, b->padded, c->padded, c->weights);
    if (b->visible.mask != NULL || c->first + c->padded > visible_keys(&b->visible, b->first))
        for (uint32_t i = 0; i < b->rows; i++)
            restrict_scores(b, c, i);
    raise_maxima(c->weights, b->padded, c->padded, b->maximum);
    pack_chunk(b, c, b->value, b->d_v);
    multiply(b->d_output_lanes, b->panels, b->d_v, b->padded, c->padded, c->gradients);
}

static ATTN_SMALL int is_finite(float x) { return x - x == 0; }

/* Makes 0 what row i of a strip's chunk holds where it may not attend. */
static ATTN_SMALL void clear_forbidden(const backward *b, const chunk *c, uint32_t i) {
    for (uint32_t j = 0; j < c->count; j++)
        if (!may_attend(&b->visible, b->first + i, c->first + j))
            c->gradients[(size_t)i * CHUNK_KEYS + j] = 0;
}

/* Row i's weighted sum of gradients again, of those alone that it may attend to: weights
 * of 0 do not keep out what is not finite. The order of the sum is that of weigh. */
static ATTN_SMALL float recover_mean(const backward *b, uint32_t i) {
    float sum = 0;
    for (uint32_t first = 0; first < b->keys; first += CHUNK_KEYS) {
        const chunk c = chunk_at(b, first);
        const float *weights = c.weights + (size_t)i * CHUNK_KEYS;
        f32x4 products = f32x4_splat(0);
        clear_forbidden(b, &c, i);
        for (uint32_t j = 0; j < c.padded; j += 16) {
            f32x4 w[4];
            for (size_t k = 0; k < 4; k++)
                w[k] = f32x4_load(weights + j + 4 * k);
            products = add_products(w, c.gradients + (size_t)i * CHUNK_KEYS + j, products);
        }
        sum += f32x4_sum(products);
    }
    return sum;
}

/* From sums to inverse sums and means; 0 for a row that attends nowhere. */
static ATTN_SMALL void finish_rows(backward *b) {
    b->any_lost = 0;
    for (uint32_t i = 0; i < b->rows; i++) {
        if (b->restricted && !is_finite(b->mean[i]))
            b->mean[i] = recover_mean(b, i);
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

/* Replaces what is not finite in panels [columns / 8][rows][8] by 0, and notes its rows;
 * returns whether there was any. */
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
    uint8_t *hidden; /* [rows], 1 where something not finite was packed as 0 */
    int any_hidden;
} operand;

/* Packs rows of numbers times scale and factors. */
static ATTN_SMALL void pack_rows(operand *x, uint32_t rows, int restricted) {
    gemm_pack(x->panels, GEMM_COLUMNS, x->numbers, x->columns, 1, rows, x->columns, x->scale);
    if (x->factors != NULL)
        scale_rows(x->panels, rows, x->columns, x->factors);
    x->any_hidden = restricted && hide_rows(x->panels, rows, x->columns, x->hidden);
}

/* What pack_rows hid of query i or key j, times their weight in strip, if i may attend to
 * j; added to the sum of the other. */
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

/* Gradients with respect to scores, and what the chunk adds to all results. */
static ATTN_SMALL void accumulate_chunk(const backward *b, const chunk *c, const operand *queries,
                                        const operand *d_outputs) {
    const uint32_t d_k = b->d_k, d_v = b->d_v, stride = (uint32_t)check_pad(d_k, GEMM_COLUMNS);
    float *d_key = b->d_key + (size_t)c->first * d_k;
    float *d_value = b->d_value + (size_t)c->first * d_v;
    operand keys = {b->key + (size_t)c->first * d_k, d_k, 1.0f, NULL, b->panels, b->hidden, 0};
    differentiate_scores(c->weights, c->gradients, b->padded, c->padded, b->mean);
    for (uint32_t i = 0; b->any_lost && i < b->rows; i++)
        clear_forbidden(b, c, i);
    add_over_queries(c->weights, d_outputs->panels, b->rows, c->count, d_v, d_value);
    add_hidden(b, c, c->weights, d_outputs, d_value, d_v);
    add_over_queries(c->gradients, queries->panels, b->rows, c->count, d_k, d_key);
    add_hidden(b, c, c->gradients, queries, d_key, d_k);
    pack_rows(&keys, c->count, b->restricted);
    add_over_keys(c->gradients, keys.panels, b->padded, c->count, stride, b->d_queries);
    add_hidden(b, c, c->gradients, &keys, b->d_queries, stride);
}

/* q . (dS K), four sums side by side. */
static ATTN_SMALL double dot(const float *x, const float *y, uint32_t d) {
    double sum[4] = {0, 0, 0, 0};
    for (uint32_t c = 0; c < d; c++)
        sum[c % 4] += (double)x[c] * (double)y[c];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* Writes the block's rows of d_query and adds to d_scale. */
static ATTN_SMALL void store_queries(backward *b) {
    const size_t d_k = b->d_k, stride = check_pad(d_k, GEMM_COLUMNS);
    for (uint32_t i = 0; i < b->rows; i++) {
        const float *sums = b->d_queries + i * stride, *query = b->query + (b->first + i) * d_k;
        const float factor = b->scale * b->inverse[i];
        float *d_query = b->d_query + (b->first + i) * d_k;
        for (uint32_t c = 0; c < d_k; c++)
            d_query[c] = sums[c] * factor + 0.0f; /* no -0 where a query attends nowhere */
        if (b->inverse[i] != 0)
            b->d_scale += dot(query, sums, b->d_k) * (double)b->inverse[i];
    }
}

/* Sets up queries first ... first + 63, or what is left of them. */
static ATTN_SMALL void begin_block(backward *b, uint32_t first) {
    const uint32_t d_k = b->d_k, d_v = b->d_v, left = b->visible.n_q - first;
    b->first = first;
    b->rows = left < BLOCK_QUERIES ? left : BLOCK_QUERIES;
    b->padded = (uint32_t)check_round_up(b->rows, GEMM_ROWS);
    b->keys = visible_keys(&b->visible, first + b->rows - 1); /* no row sees more */
    gemm_pack(b->query_lanes, GEMM_ROWS, b->query + (size_t)first * d_k, b->rows, d_k, d_k, 1,
              b->scale);
    gemm_pack(b->d_output_lanes, GEMM_ROWS, b->d_output + (size_t)first * d_v, b->rows, d_v, d_v, 1,
              1.0f);
    memset(b->d_queries, 0, check_pad(d_k, GEMM_COLUMNS) * b->padded * sizeof(float));
    for (uint32_t i = 0; i < b->padded; i++) {
        b->maximum[i] = -FLT_MAX;
        b->inverse[i] = b->mean[i] = 0;
    }
}

static ATTN_SMALL void differentiate_block(backward *b, uint32_t first) {
    begin_block(b, first);
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        score_chunk(b, &c);
    }
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        weigh(c.weights, c.gradients, b->padded, c.padded, b->maximum, b->inverse, b->mean);
    }
    finish_rows(b);
    operand queries = {b->query + (size_t)first * b->d_k,
                       b->d_k,
                       b->scale,
                       b->inverse,
                       b->queries,
                       b->hidden + CHUNK_KEYS,
                       0};
    operand d_outputs = {
        b->d_output + (size_t)first * b->d_v,   b->d_v, 1.0f, b->inverse, b->d_outputs,
        b->hidden + CHUNK_KEYS + BLOCK_QUERIES, 0};
    pack_rows(&queries, b->rows, b->restricted);
    pack_rows(&d_outputs, b->rows, b->restricted);
    for (uint32_t key = 0; key < b->keys; key += CHUNK_KEYS) {
        const chunk c = chunk_at(b, key);
        accumulate_chunk(b, &c, &queries, &d_outputs);
    }
    store_queries(b);
}

/* ---- interface --------------------------------------------------------------------------- */

enum { HIDDEN_FLOATS = (CHUNK_KEYS + 2 * BLOCK_QUERIES) / sizeof(float) };

/* Rows of a block and numbers in a row of a strip, padded. */
static ATTN_SMALL void strip_shape(uint32_t n_q, uint32_t n_k, uint32_t *rows, uint64_t *keys) {
    const uint32_t most = n_q < BLOCK_QUERIES ? n_q : BLOCK_QUERIES;
    *rows = (uint32_t)check_round_up(most, GEMM_ROWS);
    *keys = ((uint64_t)n_k + CHUNK_KEYS - 1) / CHUNK_KEYS * CHUNK_KEYS;
}

ATTN_SMALL uint32_t attn_attention_backward_scratch(uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                                    uint32_t d_v) {
    const uint64_t keys_wide = check_round_up(d_k, GEMM_COLUMNS);
    const uint64_t values_wide = check_round_up(d_v, GEMM_COLUMNS);
    uint32_t rows;
    uint64_t keys;
    if (d_k == 0)
        return 0;
    strip_shape(n_q, n_k, &rows, &keys);
    return check_scratch(
        2 * check_floats(keys, rows) + check_floats(d_k, rows) + check_floats(d_v, rows) +
        2 * check_floats(keys_wide, rows) + check_floats(values_wide, rows) +
        check_floats(keys_wide > values_wide ? keys_wide : values_wide, CHUNK_KEYS) +
        3 * check_floats(rows, 1) + check_floats(HIDDEN_FLOATS, 1));
}

static ATTN_SMALL void take_scratch(backward *b, void *scratch) {
    const size_t keys_wide = check_pad(b->d_k, GEMM_COLUMNS);
    const size_t values_wide = check_pad(b->d_v, GEMM_COLUMNS);
    uint32_t rows;
    uint64_t keys;
    strip_shape(b->visible.n_q, b->visible.n_k, &rows, &keys);
    b->weights = check_take(&scratch, (size_t)keys, rows);
    b->gradients = check_take(&scratch, (size_t)keys, rows);
    b->query_lanes = check_take(&scratch, b->d_k, rows);
    b->d_output_lanes = check_take(&scratch, b->d_v, rows);
    b->queries = check_take(&scratch, keys_wide, rows);
    b->d_queries = check_take(&scratch, keys_wide, rows);
    b->d_outputs = check_take(&scratch, values_wide, rows);
    b->panels = check_take(&scratch, keys_wide > values_wide ? keys_wide : values_wide, CHUNK_KEYS);
    b->maximum = check_take(&scratch, rows, 1);
    b->inverse = check_take(&scratch, rows, 1);
    b->mean = check_take(&scratch, rows, 1);
    b->hidden = (uint8_t *)check_take(&scratch, HIDDEN_FLOATS, 1);
}

static ATTN_SMALL attn_status check_arguments(uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                              uint32_t d_v, const float *mask, attn_causal causal) {
    if (d_k == 0)
        return ATTN_ERROR_SHAPE;
    if ((uint32_t)causal > ATTN_CAUSAL_LOWER_RIGHT)
        return ATTN_ERROR_OPTION;
    if (!check_fits(n_q, d_k) || !check_fits(n_k, d_k) || !check_fits(n_q, d_v) ||
        !check_fits(n_k, d_v) || (mask != NULL && !check_fits(n_q, n_k)) ||
        attn_attention_backward_scratch(n_q, n_k, d_k, d_v) == ATTN_TOO_LARGE)
        return ATTN_ERROR_CAPACITY;
    return ATTN_OK;
}

ATTN_SMALL attn_status attn_attention_backward(const float *query, const float *key,
                                               const float *value, const float *mask,
                                               const float *d_output, uint32_t n_q, uint32_t n_k,
                                               uint32_t d_k, uint32_t d_v, float scale,
                                               attn_causal causal, float *d_query, float *d_key,
                                               float *d_value, double *d_scale, void *scratch) {
    const attn_status status = check_arguments(n_q, n_k, d_k, d_v, mask, causal);
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
    take_scratch(&b, scratch);
    for (uint32_t first = 0; first < n_q; first += BLOCK_QUERIES)
        differentiate_block(&b, first);
    *d_scale += b.d_scale;
    return ATTN_OK;
}

/* ---- unit rows --------------------------------------------------------------------------- */

/* u = x / |x|: d_x = (d_u - u (u . d_u)) / |x|, in float64. */
ATTN_SMALL void attn_unit_rows_backward(const float *x, const float *d_unit, uint32_t rows,
                                        uint32_t d, float *d_x) {
    for (size_t start = 0; start < (size_t)rows * d; start += d) {
        double square = 0, along = 0; /* |x|^2 and x . d_u */
        for (size_t c = start; c < start + d; c++) {
            square += (double)x[c] * (double)x[c];
            along += (double)x[c] * (double)d_unit[c];
        }
        const double norm = __builtin_sqrt(square);
        const int clamped = norm < 1e-12;
        const double per_x = clamped ? 0 : along / square, divisor = clamped ? 1e-12 : norm;
        for (size_t c = start; c < start + d; c++)
            d_x[c] = (float)(((double)d_unit[c] - (double)x[c] * per_x) / divisor);
    }
}
