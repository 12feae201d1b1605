/*
 * additive_backward.c: the gradient of additive attention.
 *
 * With a = W q, b = U k + bias, T_ij = tanh(a_i + b_j), E = v . T, P = softmax(E), O = P V:
 *   dV = P^T dO,  dP = dO V^T,  dE = P * (dP - rowsum(P * dP)),  dv = sum_ij dE_ij T_ij,
 *   da_i = sum_j dE_ij v * (1 - T_ij^2),  db_j = sum_i dE_ij v * (1 - T_ij^2).
 * T is never kept. A block of 32 queries meets all keys: first its weights and dE, then tiles of
 * 32 x 64 pairs and 8 hidden units, where T is computed again. With p = e^-2a, k = e^2b and
 * x = p + k, T = 1 - 2 p / x and 1 - T^2 = 4 p k / x^2, which keeps its digits when |T| is near 1;
 * so dv = sum dE - 2 sum dE p / x, and all dE sum to -d_sink (0 without a sink). Products begin
 * with dE (p / x), at most e^30 dE; dE / x^2 would overflow. Pairs that additive.c marks are
 * differentiated apart, with z = e^-2|a + b|. Sums are taken tile by tile: n / 32 roundings in a
 * row, not n. Numbers that are not finite never meet the zeros of hidden positions.
 */
#include "additive.h"
#include "check.h"
#include "gemm.h"
#include "gemm_kernel.h"
#include "vmath.h"

enum {
    TILE_KEYS = 64,
    UNITS = 8, /* hidden units of a tile */
};

/* "units" is d_hidden rounded up to 8. Sums that await the factor 4 v are in groups of 8
 * units, [units / 8][rows][8]. */
typedef struct {
    additive_call forward;
    const attn_additive_gradient *gradient;
    const float *d_output;
    uint32_t units;
    float *d_scores;       /* [32][n_k]; with respect to weights at first */
    float *d_outputs;      /* [32][d_v], 0 where not finite */
    float *key_powers;     /* [units / 8][n_k][8], e^2b */
    float *d_keys;         /* [units / 8][n_k][8], sums */
    float *d_queries;      /* [units / 8][32][8], sums */
    float *d_score_weight; /* [units], sums of dE p / x */
    float *product;        /* [n_k][d_v], [d_hidden][d_q] or [d_hidden][d_k]: to be added */
    float *column_sums;    /* [d_hidden] */
    uint8_t *seen_keys;    /* [n_k], 1 for those that some query may attend to */
    void *gemm_scratch, *forward_scratch;
    /* the block: queries first ... first + rows - 1, and keys begin ... end - 1 that some see */
    uint32_t first, rows, begin, end;
    double d_sink;
    float *weights; /* [rows][n_k] */
    float lse[ADDITIVE_BLOCK];
    uint8_t seeing_queries[ADDITIVE_BLOCK]; /* 1 for those that may attend to some key */
} backward;

/* ---- pairs ---------------------------------------------------------------- */

/* From |a + b| = 32 on, 1 - T^2 < 2^-90 counts as 0: subnormal numbers would be slow. */
static const float largest_sum = 32.0f;

ATTN_INLINE void add_vector(float *sums, f32x4 x) {
    f32x4_store(sums, f32x4_add(f32x4_load(sums), x));
}

/* Eight hidden units of rows x keys pairs, keys <= 64: query_powers [8], rows `stride`
 * apart, key_powers [keys][8], d_scores [rows][n_k]. Adds dE p k / x^2 to d_queries
 * [rows][8] and d_keys [keys][8], dE p / x to d_score_weight [8]. */
static ATTN_SMALL void differentiate_tile(const float *query_powers, size_t stride,
                                          const float *key_powers, const float *d_scores,
                                          size_t n_k, uint32_t rows, uint32_t keys,
                                          float *d_queries, float *d_keys, float *d_score_weight) {
    const f32x4 one = f32x4_splat(1);
    float sums[TILE_KEYS * UNITS];
    memset(sums, 0, sizeof sums);
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 p0 = f32x4_load(query_powers), p1 = f32x4_load(query_powers + 4);
        f32x4 q0 = f32x4_splat(0), q1 = q0, v0 = q0, v1 = q0;
        const float *power = key_powers;
        float *sum = sums;
        for (uint32_t j = 0; j < keys; j++) {
            const f32x4 d = f32x4_load_splat(d_scores + j);
            const f32x4 k0 = f32x4_load(power), k1 = f32x4_load(power + 4);
            const f32x4 x0 = f32x4_add(p0, k0), x1 = f32x4_add(p1, k1);
            const f32x4 inverse = f32x4_div(one, f32x4_mul(x0, x1));
            const f32x4 i0 = f32x4_mul(x1, inverse), i1 = f32x4_mul(x0, inverse);
            const f32x4 g0 = f32x4_mul(d, f32x4_mul(p0, i0)), g1 = f32x4_mul(d, f32x4_mul(p1, i1));
            const f32x4 u0 = f32x4_mul(g0, i0), u1 = f32x4_mul(g1, i1);
            v0 = f32x4_add(v0, g0);
            v1 = f32x4_add(v1, g1);
            q0 = f32x4_madd(u0, k0, q0);
            q1 = f32x4_madd(u1, k1, q1);
            add_vector(sum, u0);
            add_vector(sum + 4, u1);
            power += UNITS;
            sum += UNITS;
        }
        add_vector(d_queries, q0);
        add_vector(d_queries + 4, q1);
        add_vector(d_score_weight, v0);
        add_vector(d_score_weight + 4, v1);
        query_powers += stride;
        d_scores += n_k;
        d_queries += UNITS;
    }
    for (uint32_t k = 0; k < keys * UNITS; k += 4)
        add_vector(d_keys + k, f32x4_mul(f32x4_load(sums + k), f32x4_load(key_powers + k)));
}

/* Does the same for one pair, row i of the block and key j, from its sum of projections x, with
 * z = e^-2|x|. */
static ATTN_SMALL void differentiate_pair(backward *b, uint32_t i, uint32_t j, float d_score) {
    const additive_call *f = &b->forward;
    const float *query = f->queries + (size_t)i * f->hidden;
    const float *key = f->keys + (size_t)j * f->hidden;
    const f32x4 d = f32x4_splat(d_score), zero = f32x4_splat(0), one = f32x4_splat(1);
    const f32x4 limit = f32x4_splat(largest_sum);
    for (uint32_t h = 0; h < b->units; h += 4) {
        float *d_query = b->d_queries + (h / UNITS * (size_t)b->rows + i) * UNITS + h % UNITS;
        float *d_key = b->d_keys + (h / UNITS * (size_t)f->a->n_k + j) * UNITS + h % UNITS;
        const f32x4 x = f32x4_add(f32x4_load(query + h), f32x4_load(key + h));
        const f32x4 size = f32x4_pmin(f32x4_abs(x), limit); /* NaN stays */
        f32x4 z = vmath_exp(f32x4_mul(size, f32x4_splat(-2)));
        z = f32x4_select(f32x4_eq(size, limit), zero, z);
        const f32x4 r = f32x4_div(one, f32x4_add(one, z)), rest = f32x4_mul(z, r);
        const f32x4 u = f32x4_mul(f32x4_mul(d, r), rest);
        const f32x4 g = f32x4_mul(d, f32x4_select(f32x4_lt(zero, x), rest, r));
        add_vector(d_query, u);
        add_vector(d_key, u);
        add_vector(b->d_score_weight + h, g);
    }
}

/* Differentiates the pairs of row i whose query or key is marked, and makes their dE 0. */
static ATTN_SMALL void differentiate_marked(backward *b, uint32_t i) {
    const additive_call *f = &b->forward;
    const int all = f->query_is_large[i];
    const uint32_t count = all ? b->end - b->begin : f->large_key_count;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t j = all ? b->begin + k : f->large_keys[k];
        float *d_score = b->d_scores + (size_t)i * f->a->n_k + j;
        if (j >= b->begin && j < b->end && *d_score != 0) {
            differentiate_pair(b, i, j, *d_score);
            *d_score = 0;
        }
    }
}

static ATTN_SMALL void differentiate_tiles(backward *b) {
    const additive_call *f = &b->forward;
    const size_t n_k = f->a->n_k;
    for (uint32_t j = b->begin; j < b->end; j += TILE_KEYS)
        for (uint32_t h = 0; h < b->units; h += UNITS) {
            const size_t group = h * n_k + (size_t)j * UNITS;
            differentiate_tile(
                f->query_powers + h, f->hidden, b->key_powers + group, b->d_scores + j, n_k,
                b->rows, b->end - j < TILE_KEYS ? b->end - j : TILE_KEYS,
                b->d_queries + (size_t)h * b->rows, b->d_keys + group, b->d_score_weight + h);
        }
}

/* ---- scores and values ---------------------------------------------------- */

/* Makes weights and gradients 0 where a query may not attend; marks queries and keys of the other
 * pairs. */
static ATTN_SMALL void clear_forbidden(backward *b) {
    const visibility *v = &b->forward.visible;
    const size_t start = (size_t)b->first * v->n_k;
    size_t k = 0;
    for (uint32_t i = 0; i < b->rows; i++) {
        const uint32_t begin = first_key(v, b->first + i), end = end_key(v, b->first + i);
        for (uint32_t j = 0; j < v->n_k; j++, k++)
            if (j >= begin && j < end && (v->mask == NULL || v->mask[start + k] != -INFINITY))
                b->seen_keys[j] = b->seeing_queries[i] = 1;
            else
                b->weights[k] = b->d_scores[k] = 0;
    }
}

/* Copies the block's rows of d_output, with 0 for numbers that are not finite. Those are added
 * here, with their weights, to the gradients of the values that their query may attend to. */
static ATTN_SMALL void copy_finite_outputs(backward *b) {
    const additive_call *f = &b->forward;
    const uint32_t n_k = f->a->n_k, d_v = f->a->d_v;
    const float *d_output = b->d_output + (size_t)b->first * d_v;
    float *copy = b->d_outputs;
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t c = 0; c < d_v; c++) {
            const float d = *d_output++;
            *copy = d - d == 0 ? d : 0;
            if (*copy++ == d)
                continue;
            for (uint32_t j = b->begin; j < b->end; j++)
                if (may_attend(&f->visible, b->first + i, j))
                    b->gradient->value[(size_t)j * d_v + c] += b->weights[(size_t)i * n_k + j] * d;
        }
}

static ATTN_SMALL void add(float *sums, const float *x, size_t count) {
    for (size_t k = 0; k < count; k++)
        sums[k] += x[k];
}

/* Adds the block's part of the gradient of the sink: its weight times minus the mean of the
 * gradients of weights. */
static ATTN_SMALL void differentiate_sink(backward *b) {
    const attn_additive *a = b->forward.a;
    for (uint32_t i = 0; i < b->rows && a->sink > -INFINITY; i++) {
        const float *w = b->weights + (size_t)i * a->n_k, *d = b->d_scores + (size_t)i * a->n_k;
        const f32x4 power = vmath_exp(f32x4_splat(a->sink - b->lse[i]));
        double mean = 0;
        for (uint32_t j = b->begin; j < b->end; j++)
            mean += (double)w[j] * (double)d[j];
        b->d_sink -= (double)F32X4_LANE(power, 0) * mean;
    }
}

/* Computes weights, their gradients, their part in the gradients of the values, and the gradients
 * of scores. */
static ATTN_SMALL void differentiate_scores(backward *b) {
    const attn_additive *a = b->forward.a;
    const uint32_t n_k = a->n_k, d_v = a->d_v;
    b->weights = additive_weigh(&b->forward, b->first, b->rows, b->lse);
    attn_linear_forward(b->d_output + (size_t)b->first * d_v, a->value, NULL, b->rows, d_v, n_k,
                        b->d_scores, b->gemm_scratch);
    clear_forbidden(b);
    copy_finite_outputs(b);
    gemm(b->end - b->begin, d_v, b->rows, (gemm_matrix){b->weights + b->begin, 1, n_k},
         (gemm_matrix){b->d_outputs, d_v, 1}, b->product, d_v, b->gemm_scratch);
    add(b->gradient->value + (size_t)b->begin * d_v, b->product, (size_t)(b->end - b->begin) * d_v);
    differentiate_sink(b);
    attn_softmax_backward(b->weights, b->d_scores, b->rows, n_k, 1.0f, b->d_scores);
    if (hides_keys(&b->forward.visible) || a->window.key_count < n_k)
        clear_forbidden(b); /* in rows of NaN */
}

/* ---- weights -------------------------------------------------------------- */

/* Differentiates one of the two linear maps: from sums [units / 8][rows][8] the gradients of its
 * projections [rows][d_hidden], and from those the gradients of x [rows][d], its weight
 * [d_hidden][d] and bias. Only rows that take part in a pair count. */
static ATTN_SMALL void differentiate_linear(const backward *b, const float *sums, uint32_t rows,
                                            const uint8_t *takes_part, float *d_projected,
                                            const float *x, const float *weight, uint32_t d,
                                            float *d_x, float *d_weight, float *d_bias) {
    const uint32_t d_hidden = b->forward.a->d_hidden;
    float *to = d_projected;
    for (size_t i = 0; i < rows; i++)
        for (uint32_t h = 0; h < d_hidden; h++)
            *to++ = 4 * sums[(h / UNITS * (size_t)rows + i) * UNITS + h % UNITS] *
                    b->forward.score_weight[h];
    memset(d_x, 0, (size_t)rows * d * sizeof(float));
    for (size_t i = 0, count; i < rows; i += count) {
        for (count = 0; i + count < rows && takes_part[i + count];)
            count++;
        if (count == 0) {
            count = 1;
            continue;
        }
        attn_linear_backward(x + i * d, weight, d_projected + i * d_hidden, (uint32_t)count, d,
                             d_hidden, d_x + i * d, b->product, b->column_sums, b->gemm_scratch);
        add(d_weight, b->product, (size_t)d_hidden * d);
        if (d_bias != NULL)
            add(d_bias, b->column_sums, d_hidden);
    }
}

/* ---- one call ------------------------------------------------------------- */

static ATTN_SMALL void differentiate_block(backward *b) {
    const attn_additive *a = b->forward.a;
    const attn_additive_gradient *g = b->gradient;
    const size_t start = (size_t)b->first * a->d_q;
    b->begin = first_key(&b->forward.visible, b->first);
    b->end = end_key(&b->forward.visible, b->first + b->rows - 1);
    memset(b->seeing_queries, 0, sizeof b->seeing_queries);
    memset(b->d_score_weight, 0, (size_t)b->units * (1 + b->rows) * sizeof(float));
    differentiate_scores(b);
    for (uint32_t i = 0; i < b->rows; i++)
        differentiate_marked(b, i);
    differentiate_tiles(b);
    for (uint32_t h = 0; h < a->d_hidden; h++)
        g->score_weight[h] -= 2 * b->d_score_weight[h];
    differentiate_linear(b, b->d_queries, b->rows, b->seeing_queries, b->forward.queries,
                         a->query + start, a->query_weight, a->d_q, g->query + start,
                         g->query_weight, NULL);
}

/* ---- interface ------------------------------------------------------------ */

static ATTN_SMALL uint64_t product_count(const attn_additive *a) {
    return check_larger(check_product(a->n_k, a->d_v),
                        check_product(a->d_hidden, check_larger(a->d_q, a->d_k)));
}

/* Lays out scratch and returns its size in bytes; null gives the size alone. */
static ATTN_SMALL uint64_t lay_out_scratch(backward *b, void *scratch) {
    const attn_additive *a = b->forward.a;
    const uint64_t rows = additive_block(a), units = check_round_up(a->d_hidden, UNITS);
    uint64_t bytes = 0;
    b->units = (uint32_t)units;
    b->d_scores = check_array(&bytes, scratch, rows, a->n_k);
    b->d_outputs = check_array(&bytes, scratch, rows, a->d_v);
    b->key_powers = check_array(&bytes, scratch, units, a->n_k);
    b->d_keys = check_array(&bytes, scratch, units, a->n_k);
    b->column_sums = check_array(&bytes, scratch, units, 1);
    b->d_score_weight = check_array(&bytes, scratch, units, 1 + rows);
    b->d_queries = b->d_score_weight + units; /* zeroed together */
    b->product = check_array(&bytes, scratch, product_count(a), 1);
    b->seen_keys = (uint8_t *)check_array(&bytes, scratch, a->n_k, 1);
    b->gemm_scratch = check_array(&bytes, scratch, additive_gemm_scratch(a) / sizeof(float), 1);
    b->forward_scratch = check_array(&bytes, scratch, 0, 0);
    return bytes + attn_additive_forward_scratch(a);
}

ATTN_SMALL uint32_t attn_additive_backward_scratch(const attn_additive *a) {
    backward b = {.forward = {.a = a}};
    return attn_additive_forward_scratch(a) == 0 ? 0 : check_scratch(lay_out_scratch(&b, NULL));
}

/* Prepares the numbers that all queries share: projections of keys, their exponentials, sums. */
static ATTN_SMALL void begin(backward *b) {
    const additive_call *f = &b->forward;
    const attn_additive *a = f->a;
    const uint32_t count = b->units * a->n_k;
    additive_begin(&b->forward, b->forward_scratch);
    gemm_pack(b->key_powers, UNITS, f->keys, b->units, 1, a->n_k, f->hidden, 1.0f);
    additive_exponentials(b->key_powers, count, 2.0f, b->key_powers);
    memset(b->d_keys, 0, count * sizeof(float));
    memset(b->seen_keys, 0, a->n_k);
    memset(b->gradient->value, 0, (size_t)a->n_k * a->d_v * sizeof(float));
}

ATTN_SMALL attn_status attn_additive_backward(const attn_additive *a, const float *d_output,
                                              const attn_additive_gradient *gradient,
                                              void *scratch) {
    backward b = {.forward = {.a = a}, .gradient = gradient, .d_output = d_output};
    const attn_status status = additive_check(a, a->mask != NULL);
    if (status != ATTN_OK)
        return status;
    if (attn_additive_backward_scratch(a) == ATTN_TOO_LARGE)
        return ATTN_ERROR_CAPACITY;
    lay_out_scratch(&b, scratch);
    begin(&b);
    for (; b.first < a->n_q; b.first += ADDITIVE_BLOCK) {
        const uint32_t left = a->n_q - b.first;
        b.rows = left < ADDITIVE_BLOCK ? left : ADDITIVE_BLOCK;
        differentiate_block(&b);
    }
    differentiate_linear(&b, b.d_keys, a->n_k, b.seen_keys, b.forward.keys, a->key, a->key_weight,
                         a->d_k, gradient->key, gradient->key_weight, gradient->bias);
    for (uint32_t h = 0; h < a->d_hidden; h++)
        gradient->score_weight[h] -= (float)b.d_sink; /* the sum of all dE */
    if (gradient->sink != NULL)
        *gradient->sink += b.d_sink;
    return ATTN_OK;
}
