/*
 * attention_stages.c: the inner steps of attention.c, where it spends its time.
 *
 * Eight queries fill the lanes of two vectors, so scores are held transposed, [key][8]: maxima,
 * sums and rescaling go down a column and nothing is ever added across lanes. Both products,
 * scores = keys queries^T and output^T = values^T weights^T, are tiles of gemm_kernel.h.
 * The running maximum is taken while scores are in registers. It begins at -FLT_MAX, so
 * -Infinity minus -Infinity cannot arise, and a row that attends nowhere has the sum 0.
 * Each step is a function that is called once a block and never inlined: a long first call can
 * then move on to the engine's optimised code (n = 4096: 1.1 times the steady time, not 2 to 4).
 */
#include "attention_stages.h"

#include "softmax.h"
#include "vmath.h"

#include <math.h> /* INFINITY; no function of libm is called */

/* ---- scores ------------------------------------------------------------------------------- */

/* Raises maximum [8] to a tile of scores, of `height` keys. */
ATTN_INLINE void raise_maximum(uint32_t height, const f32x4 *tile, float *maximum) {
    f32x4 low = f32x4_load(maximum), high = f32x4_load(maximum + 4);
    for (size_t i = 0; i < (size_t)2 * height; i += 2) {
        low = f32x4_pmax(low, tile[i]); /* passes over NaN; exp does not */
        high = f32x4_pmax(high, tile[i + 1]);
    }
    f32x4_store(maximum, low);
    f32x4_store(maximum + 4, high);
}

ATTN_INLINE void store_tile(uint32_t height, const f32x4 *tile, float *to) {
    for (size_t i = 0; i < (size_t)2 * height; i++)
        f32x4_store(to + 4 * i, tile[i]);
}

/* score_keys by tiles of `height` rows, a constant. */
ATTN_INLINE void score_tiles(uint32_t height, const float *keys, size_t stride, uint32_t left,
                             const float *queries, uint32_t d_k, uint32_t count, float *scores,
                             float *maximum) {
    for (uint32_t j = 0; j < count; j += height) {
        f32x4 tile[2 * GEMM_ROWS];
        gemm_tile(height, left - j, keys + j * stride, stride, 1, queries, d_k, tile);
        store_tile(height, tile, scores + (size_t)j * QUERIES);
        raise_maximum(height, tile, maximum);
    }
}

static ATTN_STAGE void score_whole(const float *keys, size_t stride, uint32_t left,
                                   const float *queries, uint32_t d_k, uint32_t count,
                                   float *scores, float *maximum) {
    score_tiles(GEMM_ROWS, keys, stride, left, queries, d_k, count, scores, maximum);
}

static ATTN_STAGE void score_short(const float *keys, size_t stride, uint32_t left,
                                   const float *queries, uint32_t d_k, uint32_t count,
                                   float *scores, float *maximum) {
    score_tiles(GEMM_SHORT_ROWS, keys, stride, left, queries, d_k, count, scores, maximum);
}

ATTN_SMALL void score_keys(const float *keys, size_t stride, uint32_t left, const float *queries,
                           uint32_t d_k, uint32_t count, float *scores, float *maximum) {
    const uint32_t last = gemm_short_rows(count), whole = count - last;
    score_whole(keys, stride, left, queries, d_k, whole, scores, maximum);
    if (last > 0)
        score_short(keys + whole * stride, stride, left - whole, queries, d_k, last,
                    scores + (size_t)whole * QUERIES, maximum);
}

ATTN_SMALL int shapes_scores(const attn_attention *a) { return a->softcap > 0; }

ATTN_SMALL void shape_scores(const attn_attention *a, float *scores, float *slopes, size_t count) {
    const f32x4 cap = f32x4_splat(a->softcap), one = f32x4_splat(1);
    if (!shapes_scores(a))
        return;
    for (size_t k = 0; k < count; k += 4) {
        const f32x4 t = vmath_tanh(f32x4_div(f32x4_load(scores + k), cap));
        const f32x4 slope = f32x4_mul(f32x4_sub(one, t), f32x4_add(one, t));
        f32x4_store(scores + k, f32x4_mul(cap, t));
        if (slopes != NULL)
            f32x4_store(slopes + k, f32x4_select(f32x4_eq(t, t), slope, f32x4_splat(0)));
    }
}

ATTN_SMALL void restrict_keys(float *scores, const float *mask, uint32_t first, uint32_t count,
                              const key_range *seen, float *maximum) {
    const f32x4 forbidden = f32x4_splat(-INFINITY);
    /* Where all are seen the bounds are left alone: a mask on 2048 keys takes 0.97 of the time. */
    int bounded = 0;
    for (int i = 0; i < QUERIES; i++)
        bounded |= seen->begin[i] > (int32_t)first || seen->end[i] < (int32_t)(first + count);
    for (int half = 0; half < QUERIES; half += 4) {
        const i32x4 begin = i32x4_load(seen->begin + half), end = i32x4_load(seen->end + half);
        f32x4 largest = f32x4_load(maximum + half);
        for (size_t j = 0; j < count; j++) {
            const i32x4 key = i32x4_splat((int32_t)(first + j));
            f32x4 score = f32x4_load(scores + j * QUERIES + half);
            if (mask != NULL) {
                const f32x4 added = f32x4_load(mask + j * QUERIES + half);
                score =
                    f32x4_select(f32x4_eq(added, forbidden), forbidden, f32x4_add(score, added));
            }
            if (bounded) {
                score = f32x4_select(i32x4_lt(key, end), score, forbidden);
                score = f32x4_select(i32x4_lt(key, begin), forbidden, score);
            }
            f32x4_store(scores + j * QUERIES + half, score);
            largest = f32x4_pmax(largest, score);
        }
        f32x4_store(maximum + half, largest);
    }
}

/* ---- weights -------------------------------------------------------------------------------- */

ATTN_SMALL void weigh_keys(const float *scores, uint32_t count, running_softmax *s,
                           float *weights) {
    float unused[QUERIES];
    softmax_exp(scores, count * QUERIES, s->new_maximum, weights, s->added);
    for (int i = 0; i < 2 * QUERIES; i += 4)
        f32x4_store(s->rescale + i, f32x4_load(s->maximum + i % QUERIES));
    softmax_exp(s->rescale, 2 * QUERIES, s->new_maximum, s->rescale, unused);
    memcpy(s->maximum, s->new_maximum, sizeof s->maximum);
    for (int half = 0; half < QUERIES; half += 4)
        f32x4_store(s->sum + half,
                    f32x4_madd(f32x4_load(s->sum + half), f32x4_load(s->rescale + half),
                               f32x4_load(s->added + half)));
}

/* ---- outputs -------------------------------------------------------------------------------- */

/* add_values by tiles of `height` columns, a constant, and raises maximum [8], if any, to them. */
ATTN_INLINE void add_tiles(uint32_t height, const float *values, size_t next, size_t stride,
                           const float *weights, uint32_t count, const float *rescale, uint32_t d_v,
                           float *output, float *maximum) {
    size_t hop = next;
    for (uint32_t c = 0; c < d_v; c += height) {
        f32x4 tile[2 * GEMM_ROWS];
        gemm_tile(height, height, values, 1, stride, weights, count, tile);
        if (rescale != NULL) {
            const f32x4 low = f32x4_load(rescale), high = f32x4_load(rescale + 4);
            for (size_t i = 0; i < (size_t)2 * height; i += 2) {
                tile[i] = f32x4_madd(f32x4_load(output + 4 * i), low, tile[i]);
                tile[i + 1] = f32x4_madd(f32x4_load(output + 4 * i + 4), high, tile[i + 1]);
            }
        }
        store_tile(height, tile, output);
        if (maximum != NULL)
            raise_maximum(height, tile, maximum);
        hop = GEMM_PANEL_ROWS == GEMM_ROWS ? next : hop ^ next; /* after every other tile of six */
        values += height + hop;
        output += (size_t)height * QUERIES;
    }
}

static ATTN_STAGE void add_whole(const float *values, size_t next, size_t stride,
                                 const float *weights, uint32_t count, const float *rescale,
                                 uint32_t d_v, float *output, float *maximum) {
    add_tiles(GEMM_ROWS, values, next, stride, weights, count, rescale, d_v, output, maximum);
}

static ATTN_STAGE void add_short(const float *values, size_t stride, const float *weights,
                                 uint32_t count, const float *rescale, uint32_t d_v, float *output,
                                 float *maximum) {
    add_tiles(GEMM_SHORT_ROWS, values, 0, stride, weights, count, rescale, d_v, output, maximum);
}

ATTN_SMALL void score_panels(const float *panels, const float *queries, uint32_t d_k,
                             uint32_t count, float *scores, float *maximum) {
    const uint32_t last = gemm_short_rows(count), whole = count - last;
    add_whole(panels, (size_t)GEMM_PANEL_ROWS * (d_k - 1), GEMM_PANEL_ROWS, queries, d_k, NULL,
              whole, scores, maximum);
    if (last > 0)
        add_short(gemm_panel_row(panels, d_k, whole), GEMM_PANEL_ROWS, queries, d_k, NULL, last,
                  scores + (size_t)whole * QUERIES, maximum);
}

ATTN_SMALL void add_values(const float *values, size_t next, size_t stride, const float *weights,
                           uint32_t count, const float *rescale, uint32_t d_v, float *output) {
    const uint32_t last = gemm_short_rows(d_v), whole = d_v - last;
    add_whole(values, next, stride, weights, count, rescale, whole, output, NULL);
    if (last > 0)
        add_short(values + whole + whole / GEMM_PANEL_ROWS * next, stride, weights, count, rescale,
                  last, output + (size_t)whole * QUERIES, NULL);
}

/* store_rows of less than four columns. */
static ATTN_SMALL void store_narrow(const float *from, const float *factor, uint32_t rows,
                                    uint32_t columns, float *to, size_t stride) {
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t c = 0; c < columns; c++)
            to[i * stride + c] = from[c * QUERIES + i] * factor[i] + 0.0f;
}

/* Transposes squares of four. Where columns or rows do not fill one, the last come twice: edges by
 * way of a buffer are 10 % slower for n = 7. Rows are stored from the last on, so that a row which
 * is written twice ends with its own numbers. */
ATTN_STAGE void store_rows(const float *from, const float *factor, uint32_t rows, uint32_t columns,
                           float *to, size_t stride) {
    if (columns < 4) {
        store_narrow(from, factor, rows, columns, to, stride);
        return;
    }
    for (uint32_t half = 0; half < rows; half += 4) {
        const uint32_t lanes = rows - half < 4 ? rows - half : 4;
        const f32x4 factors = f32x4_load(factor + half), zero = f32x4_splat(0);
        const size_t last = (lanes - 1) * stride;
        const size_t third = lanes > 2 ? 2 * stride : last, second = lanes > 1 ? stride : 0;
        float *rows_to = to + half * stride;
        for (uint32_t next = 0; next < columns; next += 4) {
            const uint32_t c = next < columns - 4 ? next : columns - 4;
            const float *square = from + (size_t)c * QUERIES + half;
            f32x4 r[4];
            for (int k = 0; k < 4; k++, square += QUERIES)
                r[k] = f32x4_madd(f32x4_load(square), factors, zero);
            f32x4_transpose(r);
            f32x4_store(rows_to + c + last, r[3]);
            f32x4_store(rows_to + c + third, r[2]);
            f32x4_store(rows_to + c + second, r[1]);
            f32x4_store(rows_to + c, r[0]);
        }
    }
}

/* ---- a single query -------------------------------------------------------------------------- */

/* Takes four keys at a time, and each of the last ones four times. */
ATTN_STAGE void score_row(const float *query, const float *keys, uint32_t count, uint32_t d,
                          float *scores) {
    for (uint32_t j = 0, next; j < count; j = next) {
        const size_t step = count - j < 4 ? 0 : d;
        f32x4 sum[4];
        for (int k = 0; k < 4; k++)
            sum[k] = f32x4_splat(0);
        for (uint32_t c = 0; c < d; c += 4)
            for (size_t k = 0; k < 4; k++)
                sum[k] = f32x4_madd(f32x4_load(query + c), f32x4_load(keys + c + k * step), sum[k]);
        f32x4_transpose(sum);
        f32x4_store(scores + j, f32x4_add(f32x4_add(sum[0], sum[2]), f32x4_add(sum[1], sum[3])));
        next = step == 0 ? j + 1 : j + 4;
        keys += (size_t)(next - j) * d;
    }
}

ATTN_STAGE void add_rows(const float *values, const float *weights, uint32_t count, uint32_t d,
                         float *sums) {
    for (uint32_t j = 0; j < count; j += 4) {
        const f32x4 w0 = f32x4_load_splat(weights + j), w1 = f32x4_load_splat(weights + j + 1);
        const f32x4 w2 = f32x4_load_splat(weights + j + 2), w3 = f32x4_load_splat(weights + j + 3);
        for (uint32_t c = 0; c < d; c += 4) {
            const float *value = values + c;
            f32x4 sum = f32x4_madd(w0, f32x4_load(value), f32x4_load(sums + c));
            sum = f32x4_madd(w1, f32x4_load(value + d), sum);
            sum = f32x4_madd(w2, f32x4_load(value + (size_t)2 * d), sum);
            f32x4_store(sums + c, f32x4_madd(w3, f32x4_load(value + (size_t)3 * d), sum));
        }
        values += (size_t)4 * d;
    }
}

ATTN_SMALL void add_row(const float *x, float factor, uint32_t d, float *sums) {
    for (uint32_t c = 0; c < d; c += 4)
        f32x4_store(sums + c,
                    f32x4_madd(f32x4_splat(factor), f32x4_load(x + c), f32x4_load(sums + c)));
}

/* ---- rows of results ---------------------------------------------------------------------- */

ATTN_SMALL void fill_outside(float *row, uint32_t begin, uint32_t end, uint32_t columns, float x) {
    for (uint32_t j = 0; j < begin; j++)
        row[j] = x;
    for (uint32_t j = end; j < columns; j++)
        row[j] = x;
}

ATTN_SMALL void add_scaled(const float *x, uint32_t columns, float factor, float *sums) {
    const f32x4 factors = f32x4_splat(factor);
    for (uint32_t j = 0; j < columns; j += 4) {
        const f32x4 sum = f32x4_load_up_to(sums + j, columns - j, 0);
        const f32x4 term = f32x4_load_up_to(x + j, columns - j, 0);
        f32x4_store_up_to(sums + j, columns - j, f32x4_madd(term, factors, sum));
    }
}
