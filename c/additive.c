/*
 * additive.c: additive attention, factored and per pair: score = v . tanh(W q + U k + b)
 * (Bahdanau et al.: attn.h).
 *
 * The factored form computes each projection once, a = W q and b = U k + b, and its exponential.
 * Then tanh(a + b) = 1 - 2 e^-2a / (e^-2a + e^2b) is a sum and a division, and the score is
 * sum(v) + sum(-2 v e^-2a / (e^-2a + e^2b)). One division serves two hidden units of a pair:
 * v/x + w/y = (v y + w x) / (x y). It costs 2.2 times the dot product; with a tanh for each pair
 * and unit it would be 32 times.
 * That is right while |a|, |b| <= 15 and the largest |v| is from 1e-10 to 1e10: x y is from 4 e^-60
 * to 4 e^60. A query or key beyond 15 (or NaN) is marked and gets harmless exponentials; its
 * scores are computed again with the tanh of vmath.h. So the form that a score takes depends on
 * its query, its key and v alone. Measurements: tests/bench/NOTES.md.
 */
#include "additive.h"

#include "check.h"
#include "gemm.h"
#include "gemm_kernel.h"
#include "softmax.h"
#include "vmath.h"

enum {
    BLOCK_QUERIES = ADDITIVE_BLOCK,
    KEYS = 8, /* in the lanes of a panel */
    UNITS = ADDITIVE_UNITS,
    CHAIN = 64, /* hidden units of a score summed one after another; these sums are then added */
};

static const float largest_projection = 15.0f, largest_score_weight = 1e10f;

/* ---- memory --------------------------------------------------------------- */

/* Returns the number of keys whose values may be copied: all where some may have to be hidden. */
static ATTN_SMALL uint32_t copied_keys(const attn_additive *a) {
    return a->mask != NULL || a->window.left >= 0 || a->window.right >= 0 ? a->n_k : 0;
}

ATTN_SMALL uint32_t additive_gemm_scratch(const attn_additive *a) {
    uint64_t most = check_larger(a->n_k, check_larger(a->d_v, a->d_hidden));
    most = check_larger(check_larger(most, ADDITIVE_BLOCK), check_larger(a->d_q, a->d_k));
    return gemm_scratch((uint32_t)most, (uint32_t)most);
}

/* Sets hidden, lays out scratch and returns its size in bytes; null gives the sizes alone. */
static ATTN_SMALL uint64_t lay_out_scratch(additive_call *f, void *scratch) {
    const attn_additive *a = f->a;
    const uint32_t block = additive_block(a), copied = copied_keys(a);
    const uint64_t hidden = check_round_up(a->d_hidden, UNITS);
    const uint64_t rows = f->pairwise ? 1 : check_larger(block, KEYS),
                   keys = f->pairwise ? 1 : a->n_k;
    uint64_t bytes = 0;
    f->hidden = (uint32_t)hidden;
    f->energies = check_array(&bytes, scratch, block, a->n_k);
    f->score_weight = check_array(&bytes, scratch, 1, hidden);
    f->values.copy = check_array(&bytes, scratch, copied, a->d_v);
    f->values.hidden = (uint32_t *)check_array(&bytes, scratch, copied, 1);
    f->queries = check_array(&bytes, scratch, rows, hidden);
    f->keys = check_array(&bytes, scratch, keys, hidden);
    if (f->pairwise) {
        f->bias = check_array(&bytes, scratch, 1, hidden);
        f->no_bias = check_array(&bytes, scratch, 1, hidden);
        f->query_weight_panels = check_array(&bytes, scratch, hidden, a->d_q);
        f->key_weight_panels = check_array(&bytes, scratch, hidden, a->d_k);
    } else {
        f->key_panels = check_array(&bytes, scratch, check_round_up(a->n_k, KEYS), hidden);
        f->large_keys = (uint32_t *)check_array(&bytes, scratch, a->n_k, 1);
        f->query_powers = check_array(&bytes, scratch, 2 * rows, hidden);
        f->numerators = f->query_powers + rows * hidden;
    }
    f->gemm_scratch = check_array(&bytes, scratch, 0, 0);
    return bytes + additive_gemm_scratch(a);
}

ATTN_SMALL uint32_t attn_additive_forward_scratch(const attn_additive *a) {
    additive_call factored = {.a = a}, pairwise = {.a = a, .pairwise = 1};
    if (a->d_q == 0 || a->d_k == 0 || a->d_hidden == 0)
        return 0;
    return check_scratch(
        check_larger(lay_out_scratch(&factored, NULL), lay_out_scratch(&pairwise, NULL)));
}

/* padded [hidden] = x [d_hidden], then zeros. */
static ATTN_SMALL void pad(const float *x, uint32_t d_hidden, float *padded, uint32_t hidden) {
    for (uint32_t h = 0; h < hidden; h++)
        padded[h] = x != NULL && h < d_hidden ? x[h] : 0.0f;
}

/* ---- one score with a direct tanh ----------------------------------------- */

/* sum of score_weight * tanh(query + key), [hidden] each. */
static ATTN_STAGE float direct_score(const float *query, const float *key,
                                     const float *score_weight, uint32_t hidden) {
    f32x4 sum = f32x4_splat(0.0f), t[4];
    for (uint32_t h = 0; h < hidden; h += UNITS) {
        for (size_t i = 0; i < 4; i++)
            t[i] = f32x4_mul(
                f32x4_load(score_weight + h + 4 * i),
                vmath_tanh(f32x4_add(f32x4_load(query + h + 4 * i), f32x4_load(key + h + 4 * i))));
        sum = f32x4_add(sum, f32x4_add(f32x4_add(t[0], t[2]), f32x4_add(t[1], t[3])));
    }
    return f32x4_sum(sum);
}

/* ---- factored: exponentials of projections -------------------------------- */

/* projected [n][hidden] = x [n][d] weight^T + bias. */
static ATTN_SMALL void project(const additive_call *f, const float *x, uint32_t n, uint32_t d,
                               const float *weight, const float *bias, float *projected) {
    const uint32_t d_hidden = f->a->d_hidden;
    gemm_linear(x, weight, bias, n, d, d_hidden, projected, f->hidden, f->gemm_scratch);
    for (uint32_t i = 0; i < n; i++, projected += f->hidden)
        for (uint32_t h = d_hidden; h < f->hidden; h++)
            projected[h] = 0.0f;
}

ATTN_STAGE int additive_exponentials(const float *row, uint32_t hidden, float factor,
                                     float *powers) {
    const f32x4 largest = f32x4_splat(largest_projection);
    const f32x4 smallest = f32x4_neg(largest);
    i32x4 small = i32x4_splat(-1);
    for (uint32_t h = 0; h < hidden; h += 4) {
        const f32x4 x = f32x4_load(row + h);
        const f32x4 inside = f32x4_pmin(f32x4_pmax(smallest, x), largest); /* NaN: smallest */
        small = i32x4_and(small, f32x4_le(f32x4_abs(x), largest));
        f32x4_store(powers + h, vmath_exp(f32x4_mul(inside, f32x4_splat(factor))));
    }
    return i32x4_any(i32x4_xor(small, i32x4_splat(-1)));
}

static ATTN_SMALL void prepare_score_weight(additive_call *f) {
    const attn_additive *a = f->a;
    double sum = 0.0;
    float largest = 0.0f;
    pad(a->score_weight, a->d_hidden, f->score_weight, f->hidden);
    for (uint32_t h = 0; h < a->d_hidden; h++) {
        const float size = __builtin_fabsf(a->score_weight[h]);
        sum += (double)a->score_weight[h];
        largest = size > largest ? size : largest; /* NaN makes every score NaN anyway */
    }
    f->score_weight_is_extreme =
        largest > largest_score_weight || (largest > 0 && largest < 1 / largest_score_weight);
    f->score_weight_sum = (float)sum;
}

static ATTN_SMALL void prepare_keys(additive_call *f) {
    const attn_additive *a = f->a;
    const uint32_t hidden = f->hidden;
    float *powers = f->query_powers; /* free until the first block of queries */
    project(f, a->key, a->n_k, a->d_k, a->key_weight, a->bias, f->keys);
    f->large_key_count = 0;
    for (uint32_t j = 0; j < a->n_k; j += KEYS) {
        const uint32_t count = a->n_k - j < KEYS ? a->n_k - j : KEYS;
        for (uint32_t i = 0; i < count; i++)
            if (additive_exponentials(f->keys + (size_t)(j + i) * hidden, hidden, 2.0f,
                                      powers + (size_t)i * hidden))
                f->large_keys[f->large_key_count++] = j + i;
        gemm_pack(f->key_panels + (size_t)j * hidden, KEYS, powers, count, hidden, hidden, 1, 1.0f);
    }
}

/* ---- factored: scores ----------------------------------------------------- */

/* scores of `count` <= 8 keys, the lanes of panel [hidden][8], for one query. */
ATTN_INLINE void score_lanes(const float *panel, const float *query_powers, const float *numerators,
                             uint32_t d_hidden, f32x4 sum[2]) {
    sum[0] = sum[1] = f32x4_splat(0.0f);
    for (uint32_t h = 0; h < d_hidden;) {
        const uint32_t end = d_hidden - h < CHAIN ? d_hidden : h + CHAIN;
        f32x4 chain[2] = {f32x4_splat(0.0f), f32x4_splat(0.0f)};
        for (; h < end; h += 2, panel += (size_t)2 * KEYS) {
            const f32x4 power = f32x4_load_splat(query_powers + h),
                        next_power = f32x4_load_splat(query_powers + h + 1);
            const f32x4 v = f32x4_load_splat(numerators + h),
                        w = f32x4_load_splat(numerators + h + 1);
            for (size_t i = 0; i < 2; i++) {
                const f32x4 x = f32x4_add(f32x4_load(panel + 4 * i), power);
                const f32x4 y = f32x4_add(f32x4_load(panel + KEYS + 4 * i), next_power);
                const f32x4 both = f32x4_madd(w, x, f32x4_mul(v, y));
                chain[i] = f32x4_add(chain[i], f32x4_div(both, f32x4_mul(x, y)));
            }
        }
        for (size_t i = 0; i < 2; i++)
            sum[i] = f32x4_add(sum[i], chain[i]);
    }
}

/* energies [rows][n_k] from column j on, for the `count` <= 8 keys of a panel. */
static ATTN_STAGE void score_panel(const additive_call *f, const float *panel, uint32_t count,
                                   uint32_t rows, float *energies) {
    const f32x4 score_weight_sum = f32x4_splat(f->score_weight_sum);
    for (uint32_t i = 0; i < rows; i++, energies += f->a->n_k) {
        f32x4 sum[2];
        score_lanes(panel, f->query_powers + (size_t)i * f->hidden,
                    f->numerators + (size_t)i * f->hidden, f->a->d_hidden, sum);
        float edge[KEYS], *to = count == KEYS ? energies : edge;
        f32x4_store(to, f32x4_add(sum[0], score_weight_sum));
        f32x4_store(to + 4, f32x4_add(sum[1], score_weight_sum));
        if (to == edge)
            memcpy(energies, edge, count * sizeof(float));
    }
}

/* Computes again, with a direct tanh, the scores of marked queries and keys begin ... end - 1. */
static ATTN_SMALL void correct_scores(const additive_call *f, uint32_t rows, uint32_t begin,
                                      uint32_t end, float *energies) {
    for (uint32_t i = 0; i < rows; i++, energies += f->a->n_k) {
        const float *query = f->queries + (size_t)i * f->hidden;
        const int all = f->query_is_large[i] || f->score_weight_is_extreme;
        const uint32_t count = all ? end - begin : f->large_key_count;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t j = all ? begin + k : f->large_keys[k];
            if (j >= begin && j < end)
                energies[j] = direct_score(query, f->keys + (size_t)j * f->hidden, f->score_weight,
                                           f->hidden);
        }
    }
}

/* energies [rows][n_k], columns begin ... end - 1, for queries i0 ... */
static ATTN_SMALL void score_factored(additive_call *f, uint32_t i0, uint32_t rows, uint32_t begin,
                                      uint32_t end, float *energies) {
    const attn_additive *a = f->a;
    project(f, a->query + (size_t)i0 * a->d_q, rows, a->d_q, a->query_weight, NULL, f->queries);
    for (uint32_t i = 0; i < rows; i++)
        f->query_is_large[i] =
            additive_exponentials(f->queries + (size_t)i * f->hidden, f->hidden, -2.0f,
                                  f->query_powers + (size_t)i * f->hidden);
    for (uint32_t k = 0; k < rows * f->hidden; k++)
        f->numerators[k] = -2.0f * f->score_weight[k % f->hidden] * f->query_powers[k];
    begin = begin / KEYS * KEYS; /* a whole panel */
    for (uint32_t j = begin; j < end; j += KEYS)
        score_panel(f, f->key_panels + (size_t)j * f->hidden, end - j < KEYS ? end - j : KEYS, rows,
                    energies + j);
    correct_scores(f, rows, begin, end, energies);
}

/* ---- pairwise ------------------------------------------------------------- */

static ATTN_SMALL void prepare_pairwise(additive_call *f) {
    const attn_additive *a = f->a;
    pad(a->score_weight, a->d_hidden, f->score_weight, f->hidden);
    pad(a->bias, a->d_hidden, f->bias, f->hidden);
    pad(NULL, 0, f->no_bias, f->hidden);
    gemm_pack(f->query_weight_panels, UNITS, a->query_weight, a->d_hidden, a->d_q, a->d_q, 1, 1.0f);
    gemm_pack(f->key_weight_panels, UNITS, a->key_weight, a->d_hidden, a->d_k, a->d_k, 1, 1.0f);
}

/* projected [hidden] = bias + x [d] times panels [hidden / 16][d][16]. */
static ATTN_STAGE void project_one(const float *panels, const float *x, uint32_t d,
                                   const float *bias, float *projected, uint32_t hidden) {
    for (uint32_t h = 0; h < hidden; h += UNITS) {
        f32x4 s0 = f32x4_load(bias + h), s1 = f32x4_load(bias + h + 4);
        f32x4 s2 = f32x4_load(bias + h + 8), s3 = f32x4_load(bias + h + 12);
        for (uint32_t c = 0; c < d; c++, panels += UNITS) {
            const f32x4 factor = f32x4_load_splat(x + c);
            s0 = f32x4_madd(f32x4_load(panels), factor, s0);
            s1 = f32x4_madd(f32x4_load(panels + 4), factor, s1);
            s2 = f32x4_madd(f32x4_load(panels + 8), factor, s2);
            s3 = f32x4_madd(f32x4_load(panels + 12), factor, s3);
        }
        f32x4_store(projected + h, s0);
        f32x4_store(projected + h + 4, s1);
        f32x4_store(projected + h + 8, s2);
        f32x4_store(projected + h + 12, s3);
    }
}

static ATTN_SMALL void score_pairwise(const additive_call *f, uint32_t i0, uint32_t rows,
                                      uint32_t begin, uint32_t end, float *energies) {
    const attn_additive *a = f->a;
    for (uint32_t i = i0; i < i0 + rows; i++, energies += a->n_k)
        for (uint32_t j = begin; j < end; j++) {
            project_one(f->query_weight_panels, a->query + (size_t)i * a->d_q, a->d_q, f->bias,
                        f->queries, f->hidden);
            project_one(f->key_weight_panels, a->key + (size_t)j * a->d_k, a->d_k, f->no_bias,
                        f->keys, f->hidden);
            if (f->hidden > a->d_hidden) {
                /* Padding units: 0 times an infinite entry is NaN. */
                memset(f->queries + a->d_hidden, 0, (f->hidden - a->d_hidden) * sizeof(float));
                memset(f->keys + a->d_hidden, 0, (f->hidden - a->d_hidden) * sizeof(float));
            }
            energies[j] = direct_score(f->queries, f->keys, f->score_weight, f->hidden);
        }
}

/* ---- forward -------------------------------------------------------------- */

ATTN_SMALL float *additive_weigh(additive_call *f, uint32_t i0, uint32_t rows, float *lse) {
    const uint32_t n_k = f->a->n_k;
    const int all = f->scores != NULL;
    const uint32_t begin = all ? 0 : first_key(&f->visible, i0);
    const uint32_t end = all ? n_k : end_key(&f->visible, i0 + rows - 1);
    float *energies = f->weights != NULL ? f->weights + (size_t)i0 * n_k : f->energies;
    if (f->pairwise)
        score_pairwise(f, i0, rows, begin, end, energies);
    else
        score_factored(f, i0, rows, begin, end, energies);
    if (f->scores != NULL)
        memcpy(f->scores + (size_t)i0 * n_k, energies, (size_t)rows * n_k * sizeof(float));
    for (uint32_t i = 0; i < rows; i++) {
        float *row = energies + (size_t)i * n_k;
        restrict_row(row, &f->visible, i0 + i);
        softmax_row(row, n_k, 1.0f, f->a->sink, row, lse + i);
    }
    return energies;
}

/* Computes queries i0 ... i0 + rows - 1, from scores to output. */
static ATTN_SMALL void attend_queries(additive_call *f, uint32_t i0, uint32_t rows) {
    const uint32_t n_k = f->a->n_k, d_v = f->a->d_v;
    const uint32_t begin = first_key(&f->visible, i0);
    const uint32_t end = end_key(&f->visible, i0 + rows - 1);
    const float *weights = additive_weigh(f, i0, rows, f->lse + i0);
    float *output = f->output + (size_t)i0 * d_v;
    gemm(rows, d_v, end - begin, (gemm_matrix){weights + begin, n_k, 1},
         (gemm_matrix){f->values.rows + (size_t)begin * d_v, d_v, 1}, output, d_v, f->gemm_scratch);
    for (uint32_t i = 0; i < rows; i++)
        add_hidden_values(&f->values, &f->visible, i0 + i, 0, n_k, weights + (size_t)i * n_k, 1,
                          output + (size_t)i * d_v, 1);
}

ATTN_SMALL attn_status additive_check(const attn_additive *a, int wants_matrix) {
    if (a->d_q == 0 || a->d_k == 0 || a->d_hidden == 0)
        return ATTN_ERROR_SHAPE;
    if (!check_window(&a->window, a->n_k) || !(a->sink < INFINITY))
        return ATTN_ERROR_OPTION;
    const int fits = check_fits(a->n_q, a->d_q) && check_fits(a->n_k, a->d_k) &&
                     check_fits(a->n_k, a->d_v) && check_fits(a->n_q, a->d_v) &&
                     check_fits(a->d_hidden, a->d_q) && check_fits(a->d_hidden, a->d_k) &&
                     (!wants_matrix || check_fits(a->n_q, a->n_k)) &&
                     attn_additive_forward_scratch(a) != ATTN_TOO_LARGE;
    return fits ? ATTN_OK : ATTN_ERROR_CAPACITY;
}

ATTN_SMALL void additive_begin(additive_call *f, void *scratch) {
    const attn_additive *a = f->a;
    f->visible = (visibility){a->mask, a->n_q, a->n_k, a->window};
    lay_out_scratch(f, scratch);
    if (f->pairwise) {
        prepare_pairwise(f);
    } else {
        prepare_score_weight(f);
        prepare_keys(f);
    }
}

static ATTN_SMALL attn_status run(const attn_additive *a, float *output, float *lse, float *weights,
                                  float *scores, void *scratch, int pairwise) {
    additive_call f = {.a = a,
                       .output = output,
                       .lse = lse,
                       .weights = weights,
                       .scores = scores,
                       .pairwise = pairwise};
    const int wants_matrix = a->mask != NULL || weights != NULL || scores != NULL;
    const attn_status status = additive_check(a, wants_matrix);
    if (status != ATTN_OK)
        return status;
    additive_begin(&f, scratch);
    f.values.given = a->value;
    f.values.d_v = f.values.stride = a->d_v;
    prepare_values(&f.values, &f.visible, 0, a->n_k);
    for (uint32_t i = 0; i < a->n_q; i += BLOCK_QUERIES)
        attend_queries(&f, i, a->n_q - i < BLOCK_QUERIES ? a->n_q - i : BLOCK_QUERIES);
    return ATTN_OK;
}

attn_status attn_additive_forward(const attn_additive *a, float *output, float *lse, float *weights,
                                  float *scores, void *scratch) {
    return run(a, output, lse, weights, scores, scratch, 0);
}

attn_status attn_additive_pairwise_forward(const attn_additive *a, float *output, float *lse,
                                           float *weights, float *scores, void *scratch) {
    return run(a, output, lse, weights, scores, scratch, 1);
}
