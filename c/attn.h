/*
 * attn.h: attention, softmax and the additive baseline, as exported to
 * WebAssembly. This header is the manual.
 *
 * Conventions
 *   - Matrices are row-major float32 without padding: [rows, columns] in a
 *     comment means rows * columns consecutive floats. Functions work on one
 *     head; batches and heads are the caller's loop over consecutive matrices.
 *   - Memory comes from the caller. A function that needs working memory has a
 *     sibling `..._scratch` that returns the number of bytes; scratch must be aligned
 *     to 16 bytes (64 is faster), and holds nothing between calls.
 *   - Inputs are never written. Outputs must not overlap inputs, each other or
 *     scratch, except where a comment allows it.
 *   - No function allocates, prints or keeps state, so calls on separate memory
 *     may run at the same time.
 *   - Functions with impossible arguments return an attn_status, and after an error
 *     nothing has been written. Pointers are trusted, and not null, even to arrays
 *     without elements, except where a comment allows it.
 *   - NaN in, NaN out, in the rows it touches; a position that may not be
 *     attended touches nothing, even where it is NaN or infinite.
 *   - Same input, same bits, in every build but the relaxed one (f32x4.h), from a
 *     compiler that computes as written: gcc and clang with -ffp-contract=off,
 *     on 32-bit x86 with -msse2 -mfpmath=sse as well. -ffast-math is refused.
 *   - exp is within 0.9 ulp of the exact value, log within 0.83, tanh within 1.32,
 *     for every float32 (`./build.sh exhaustive`); softmax takes a cheaper exp of
 *     x <= 0, within 1.1 * 2^-24 of it. vmath.h has the details.
 */
#ifndef ATTN_H
#define ATTN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ATTN_OK = 0,
    ATTN_ERROR_SHAPE = 1,    /* a size that must be positive is zero */
    ATTN_ERROR_CAPACITY = 2, /* an array would not fit in 2^32 bytes */
    ATTN_ERROR_OPTION = 3    /* an enum or number outside its range */
} attn_status;

/* Returned by a `..._scratch` function when the size exceeds 2^32 bytes. */
#define ATTN_TOO_LARGE UINT32_MAX

/* Which keys a query may attend to, besides the mask. Query i stands at p = i + offset among the
 * keys and sees key j if p - left <= j <= p + right and j < key_count: causal attention is right =
 * 0, with offset n_k - n_q if the last query is to see the last key; keys from key_count on are
 * padding. -1 for left or right is no limit. A window costs the keys that it sees, O(n_q (left +
 * right)), not O(n_q n_k). Other negative limits, and key_count > n_k, are ATTN_ERROR_OPTION. */
typedef struct {
    int32_t offset, left, right;
    uint32_t key_count;
} attn_window;

/* ---- softmax.c ------------------------------------------------------------
 * Every function works on `rows` independent rows of `columns` numbers; either
 * may be 0. temperature must be positive and finite (ATTN_ERROR_OPTION). The
 * maximum is subtracted before dividing by the temperature, so no finite row
 * overflows. A row of -Infinity throughout has softmax 0 and lse -Infinity.
 */

/* weights[i][j] = exp(x[i][j] / T) / sum_k exp(x[i][k] / T); may alias x. */
attn_status attn_softmax_forward(const float *x, uint32_t rows, uint32_t columns, float temperature,
                                 float *weights);

/* log of the above, computed as (x - max) / T - log(sum); may alias x. */
attn_status attn_log_softmax_forward(const float *x, uint32_t rows, uint32_t columns,
                                     float temperature, float *log_weights);

/* lse[i] = log sum_j exp(x[i][j] / T), [rows]. */
attn_status attn_log_sum_exp_forward(const float *x, uint32_t rows, uint32_t columns,
                                     float temperature, float *lse);

/* Vector-Jacobian product in O(columns) a row, from the weights of the forward
 * pass: d_x = weights * (d_weights - sum(weights * d_weights)) / T; may alias d_weights. */
attn_status attn_softmax_backward(const float *weights, const float *d_weights, uint32_t rows,
                                  uint32_t columns, float temperature, float *d_x);

/* jacobian[r][i][j] = weights_i * (delta_ij - weights_j) / T, [rows, columns, columns]. */
attn_status attn_softmax_jacobian(const float *weights, uint32_t rows, uint32_t columns,
                                  float temperature, float *jacobian);

/* ---- stats.c --------------------------------------------------------------
 * Sums are float64, in index order.
 */

/* entropy[i] = -sum_j p[i][j] ln p[i][j] (nats), with 0 ln 0 = 0; [rows]. */
void attn_entropy_forward(const float *p, uint32_t rows, uint32_t columns, float *entropy);

/* sum_of_squares[i] = sum_j p[i][j]^2, [rows], as float64. */
void attn_sum_of_squares(const float *p, uint32_t rows, uint32_t columns, double *sum_of_squares);

/* ---- random.c -------------------------------------------------------------
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3", 2011). Key = seed; counter = (block number, stream), where block
 * b gives numbers 4b .. 4b+3: number i depends on seed, stream and i alone.
 */

/* x[i] uniform on [low, high), 24 bits each. */
void attn_random_uniform(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                         uint32_t stream_high, uint32_t n, float low, float high, float *x);

/* x[i] normal: Box-Muller on pairs of words, with this library's log, sin and cos. */
void attn_random_normal(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                        uint32_t stream_high, uint32_t n, float mean, float std, float *x);

/* ---- attention.c ----------------------------------------------------------
 * Scaled dot-product attention (Vaswani et al., "Attention is all you need",
 * 2017), one head, tiled with an online softmax (Milakov & Gimelshein, "Online
 * normalizer calculation for softmax", 2018; Dao et al., "FlashAttention",
 * 2022): without matrices among the results the n_q x n_k matrix never exists.
 *   scores = scale * query key^T;  capped = softcap tanh(scores / softcap), or scores;
 *   masked = capped + mask, -Infinity where the mask or the window forbids;
 *   weights = exp(masked) / (exp(sink) + sum_j exp(masked_j));  output = weights value;
 *   lse = log(exp(sink) + sum_j exp(masked_j)).
 * A query that may attend nowhere gives weights and output 0, and lse = sink.
 *
 * Queries are independent: a call on rows i0 ... i0 + n_q - 1 of a head, i0 a multiple of 8, with
 * offset raised by i0, gives the bits of the call on all of them, if n_all is the same. So a
 * caller that copies matrices out needs memory for some of their rows only. If these calls follow
 * each other with one scratch, all but the first may set `again`: keys and values that are packed
 * already are not packed once more.
 */
typedef struct {
    const float *query, *key, *value; /* [n_q, d_k], [n_k, d_k], [n_k, d_v] */
    const float *mask;                /* [n_q, n_k], added to capped, -Infinity forbids; or null */
    uint32_t n_q, n_k, d_k, d_v;      /* d_k = 0 is ATTN_ERROR_SHAPE, the others may be 0 */
    uint32_t n_all;                   /* queries of the head, of which these are n_q */
    uint32_t again; /* 1: scratch is as the call before on the same head left it */
    attn_window window;
    float scale;
    float softcap; /* 0 for none; positive and finite, or ATTN_ERROR_OPTION */
    float sink;    /* a logit without value (Xiao et al., "Efficient streaming language models with
                    * attention sinks", 2024); -INFINITY for none */
} attn_attention;

/* The results that a caller wants; each pointer may be null. Without output `value` is not read,
 * and without output, lse, weights and mean no exponential is computed. */
typedef struct {
    float *output, *lse;                       /* [n_q, d_v], [n_q] */
    float *scores, *capped, *masked, *weights; /* [n_q, n_k]; scores and capped of all pairs */
    float *mean;                               /* [n_q, n_k], += share * weights, which it needs */
    float share;                               /* 1 / heads, for the mean over heads */
} attn_attention_results;

/* Bytes of scratch for attn_attention_forward: O(n_q + d_k + d_v) for any n_k, n_k floats for n_all
 * <= 4, and n_q n_k / 256 floats with weights (1 or 0). */
uint32_t attn_attention_forward_scratch(const attn_attention *a, uint32_t with_weights);

/* Cost: 2 n_q n_k (d_k + d_v) flop and n_q n_k exponentials, for the pairs that the window sees;
 * with weights up to a quarter more time. The bits of each result do not depend on the others.
 * Error: below 1 (output, weights), 2 (lse) and 3 (scores) times 2^-24 * magnitude on the golden
 * vectors, magnitude as tests/golden/README.md defines it; over 100 000 keys of values uniform in
 * [0, 1) 9 (output), of equal values 250. scale * query must be a normal float, and values are
 * summed before they are divided by the sum of their weights: n_k * max |value|, in the gradient
 * n_k * max |d_output value^T|, must stay below 3.4e38. */
attn_status attn_attention_forward(const attn_attention *a, const attn_attention_results *results,
                                   void *scratch);

/* ---- attention_statistics.c, attention_map.c --------------------------------
 * What the weights of a head are like, from the same tiles and without the n_q x n_k matrix. With
 * p the weights of a query, which sum to P = 1, or less with a sink, 0 for a query that sees no
 * key: entropy = -sum p ln p (nats) = P (lse - m) + sum p (m - s), m the largest of scores s and
 * sink: every term is at least 0, so nothing cancels; effective_keys = 1 / sum p^2, 0 for no key;
 * jacobian_trace = P - sum p^2, of softmax; largest_weight, largest_score (as softmax sees it,
 * -Infinity for no key); score_mean, score_deviation (population) of the scores that it sees, NaN
 * for no key; visible_keys, the number of its scores above -Infinity; first_weight, of key 0;
 * previous_weight, of key i + offset - 1, 0 if there is none; sink_weight = exp(sink - lse).
 */
typedef struct {
    float *entropy, *effective_keys, *jacobian_trace; /* [n_q] each; each may be null */
    float *largest_weight, *largest_score, *score_mean, *score_deviation, *visible_keys;
    float *first_weight, *previous_weight, *sink_weight;
} attn_statistics;

/* Weights pooled over blocks of queries and keys: block b of `rows` over n queries has those from
 * floor(b n / rows) on, likewise for keys. rows is 1 ... n_all, columns 1 ... n_k, else
 * ATTN_ERROR_OPTION. */
typedef struct {
    double *cells;          /* [rows, columns]: += the sum of a block's weights */
    uint32_t rows, columns; /* of n_all queries and n_k keys */
    uint32_t first;         /* query of the head that is query 0 of the call */
    uint32_t largest;       /* 1: cells become the largest weight instead, at least what they are */
} attn_attention_map;

/* Bytes of scratch for attn_attention_statistics_forward: those of attn_attention_forward, 15 n_q
 * floats, and 256 * 8 floats. */
uint32_t attn_attention_statistics_forward_scratch(const attn_attention *a, uint32_t with_weights);

/* attn_attention_forward that also gives statistics and a map, each of which may be null. The bits
 * of each do not depend on what else is wanted.
 * Cost: beside that of the scores and exponentials 6 flop a pair, 8 more for mean and deviation.
 * The map takes a second product. Where up to 4 queries have an output (attention_alone.c),
 * statistics take a product of their own.
 * Error, in 2^-24 * max(1, |exact|), on the golden vectors: entropy 7.5, effective_keys 17,
 * jacobian_trace 4.2, largest_score 5.1, the others and the cells of maps 3.1; it grows with that
 * of the scores. Squares of scores from 1e18 on overflow: their deviation is Infinity or NaN. Where
 * a sink leaves no key 1e-19 of the weight, effective_keys is 0. */
attn_status attn_attention_statistics_forward(const attn_attention *a,
                                              const attn_attention_results *results,
                                              const attn_statistics *statistics,
                                              const attn_attention_map *map, void *scratch);

/* ---- score_moments.c --------------------------------------------------------
 * Scores q_i . k_j of all pairs by second moments: their mean of squares is tr(M_q M_k), M = x^T x
 * / n, their mean that of the queries times that of the keys. No independence is assumed.
 */

/* moments = mean and deviation (population) of all q . k, the effective dimension tr M_q tr M_k /
 * tr(M_q M_k), and the roots of tr M_q / d and tr M_k / d. From moments about the means, whose
 * terms are at least 0: the deviation has no cancellation. NaN where n_q or n_k is 0.
 * Cost: 2 (n_q + n_k) d^2 flop in float64, in a fixed order. */
attn_status attn_score_moments(const float *query, uint32_t n_q, const float *key, uint32_t n_k,
                               uint32_t d, double moments[5], void *scratch);

/* Bytes of scratch for attn_score_moments: 2 d (d + 2) float64. */
uint32_t attn_score_moments_scratch(uint32_t d);

/* ---- unit_rows.c ----------------------------------------------------------
 * Rows of length 1, for cosine similarity (Henry et al., "Query-key normalization
 * for transformers", 2020).
 */

/* unit[i] = x[i] / max(|x[i]|, 1e-12), rows of length d. */
void attn_unit_rows_forward(const float *x, uint32_t rows, uint32_t d, float *unit);

/* From d_unit, the gradient with respect to the result of attn_unit_rows_forward for x
 * [rows, d]: d_x = (d_unit - unit (unit . d_unit)) / |x|, or d_unit / 1e-12 where
 * |x| < 1e-12. A row whose d_unit is 0, because no query may attend to it, gets 0,
 * even where x is NaN. d_x may be d_unit. Computed in float64 and rounded once. */
void attn_unit_rows_backward(const float *x, const float *d_unit, uint32_t rows, uint32_t d,
                             float *d_x);

/* ---- attention_backward.c ---------------------------------------------------
 * Gradients of L = sum(output * d_output) for one head of attn_attention_forward,
 * which need not have run; d_output [n_q, d_v]. A position that may not be attended
 * contributes nothing, even where it is NaN or infinite.
 */

/* Bytes of scratch for attn_attention_backward: two strips of min(n_q, 112) * n_k floats, of
 * min(n_q, 56) * n_k with more than 2048 keys, a third with a softcap, and O(d_k + d_v). */
uint32_t attn_attention_backward_scratch(const attn_attention *a);

/* query is written. The others are added to, so that query heads may share keys and values: set
 * them to 0 first. scale and sink, one number each, are summed in float64. */
typedef struct {
    float *query, *key, *value; /* [n_q, d_k], [n_k, d_k], [n_k, d_v] */
    double *scale, *sink;
} attn_attention_gradient;

/* Cost: n_q n_k (6 d_k + 4 d_v) flop and n_q n_k exponentials, for the pairs that the window sees.
 */
attn_status attn_attention_backward(const attn_attention *a, const float *d_output,
                                    const attn_attention_gradient *gradient, void *scratch);

/* ---- additive.c -----------------------------------------------------------
 * Additive attention (Bahdanau, Cho & Bengio, "Neural machine translation by
 * jointly learning to align and translate", 2015), one head:
 *   scores[i][j] = score_weight . tanh(query_weight q_i + key_weight k_j + bias)
 *   query [n_q, d_q], key [n_k, d_k], value [n_k, d_v], mask as above;
 *   query_weight [d_hidden, d_q], key_weight [d_hidden, d_k],
 *   score_weight [d_hidden], bias [d_hidden] or null.
 * d_q, d_k or d_hidden = 0 is ATTN_ERROR_SHAPE. weights and scores [n_q, n_k] may be null; output
 * [n_q, d_v] and lse [n_q] may not. There is no softcap: scores are at most sum |score_weight|.
 */
typedef struct {
    const float *query, *key, *value, *mask;
    const float *query_weight, *key_weight, *score_weight, *bias;
    uint32_t n_q, n_k, d_q, d_k, d_v, d_hidden;
    attn_window window;
    float sink; /* as in attn_attention */
} attn_additive;

/* Bytes of scratch for both functions below: O(n_k * (d_hidden + d_v) + d_hidden * (d_q + d_k))
 * and 32 rows of n_k scores; never n_q x n_k. */
uint32_t attn_additive_forward_scratch(const attn_additive *a);

/* Factored: each projection once; 2 (n_q d_q + n_k d_k) d_hidden flop, then
 * n_q n_k d_hidden tanh. Scores are within 3 * 2^-24 of the sum of |score_weight|
 * and of the terms of the arguments (random, up to 2048 hidden units; 6 where arguments
 * are nearly 0, 7 where all score weights are equal; the bound of the tests is 8; 18
 * where all hidden units are alike). */
attn_status attn_additive_forward(const attn_additive *a, float *output, float *lse, float *weights,
                                  float *scores, void *scratch);

/* As written in textbooks: both projections again for every pair,
 * 2 n_q n_k (d_q + d_k) d_hidden flop. Here for comparison. */
attn_status attn_additive_pairwise_forward(const attn_additive *a, float *output, float *lse,
                                           float *weights, float *scores, void *scratch);

/* ---- additive_backward.c ---------------------------------------------------
 * Gradients of L = sum(output * d_output) for one head of attn_additive_forward, which
 * need not have run: shapes, mask, window and errors as there; d_output [n_q, d_v]. A position
 * that may not be attended contributes nothing, even where it is NaN or infinite.
 */

/* Each has the shape of the array of its name. */
typedef struct {
    float *query, *key, *value;                             /* written */
    float *query_weight, *key_weight, *score_weight, *bias; /* added to; bias or null */
    double *sink;                                           /* added to; one number, or null */
} attn_additive_gradient;

/* Bytes of scratch for attn_additive_backward: O(n_k (d_hidden + d_v)), as much as one of
 * the weights, and two strips of min(n_q, 32) * n_k floats. */
uint32_t attn_additive_backward_scratch(const attn_additive *a);

/* The gradients of query, key and value are written. Those of the weights and the bias,
 * which all heads share, are added to: set them to 0 before the first head. gradient->bias may be
 * given where a->bias is null.
 * Cost: that of attn_additive_forward, 20 n_q n_k d_hidden flop, 4 n_q n_k d_v, and twice
 * its projections. Error: below 2 times 2^-24 * magnitude; that of score_weight may be
 * 2^-24 * sum |d_scores| besides, which shows where all projections are nearly 0. */
attn_status attn_additive_backward(const attn_additive *a, const float *d_output,
                                   const attn_additive_gradient *gradient, void *scratch);

/* ---- half.c ---------------------------------------------------------------
 * 16-bit formats: float32 values rounded to the nearest of the format, ties to
 * even, overflow to infinity. The results are floats that the format holds. x
 * and the result may be the same array.
 */

/* fp16: 11 significant bits, subnormal below 2^-14, largest value 65504. */
void attn_round_float16(const float *x, uint32_t n, float *rounded);

/* bfloat16: 8 significant bits, the exponents of float32. */
void attn_round_bfloat16(const float *x, uint32_t n, float *rounded);

/* Softmax of [rows, columns] with x, x - max, exp, the running sum and the
 * quotient each rounded to fp16; subtract_max 0 leaves out the second. */
void attn_softmax_float16(const float *x, uint32_t rows, uint32_t columns, uint32_t subtract_max,
                          float *weights);

/* ---- linear.c -------------------------------------------------------------
 * Linear maps and their gradients. Sizes may be 0.
 */

/* Bytes of scratch for both functions below. */
uint32_t attn_linear_scratch(uint32_t n, uint32_t d_in, uint32_t d_out);

/* y = x weight^T + bias, as torch.nn.Linear: x [n, d_in], weight [d_out, d_in],
 * bias [d_out] or null, y [n, d_out]. */
void attn_linear_forward(const float *x, const float *weight, const float *bias, uint32_t n,
                         uint32_t d_in, uint32_t d_out, float *y, void *scratch);

/* From d_y [n, d_out]: d_x = d_y weight, d_weight = d_y^T x, d_bias = the column
 * sums of d_y (or null). */
void attn_linear_backward(const float *x, const float *weight, const float *d_y, uint32_t n,
                          uint32_t d_in, uint32_t d_out, float *d_x, float *d_weight, float *d_bias,
                          void *scratch);

/* ---- rotary.c -------------------------------------------------------------
 * Rotary position embedding (Su et al., "RoFormer", 2021): the pair i of a row at position p is
 * turned by the angle p * base^(-2 i / d). Angles, sines and cosines are float64 without libm, so
 * that they have the same bits everywhere.
 */

/* Which columns of a row are a pair. */
typedef enum {
    ATTN_PAIR_HALVES = 0,    /* i and i + d / 2 */
    ATTN_PAIR_NEIGHBOURS = 1 /* 2 i and 2 i + 1 */
} attn_pairing;

/* turns [n, d / 2, 2] = cosine and sine of each angle, for positions [n]. d must be even
 * (ATTN_ERROR_SHAPE), base from 1 to 2^1000 and no position beyond 2^30 (ATTN_ERROR_OPTION).
 * Error: below 0.51 ulp + 2^-49 max(1, |angle|). */
attn_status attn_rotary_turns(const double *positions, uint32_t n, uint32_t d, double base,
                              float *turns);

/* y [count, n, d] = x [count, n, d] with row i of each matrix turned by turns[i], backwards if
 * `inverse`, which is the gradient. y may be x. */
attn_status attn_rotary_forward(const float *x, const float *turns, uint32_t count, uint32_t n,
                                uint32_t d, attn_pairing pairing, uint32_t inverse, float *y);

#ifdef __cplusplus
}
#endif

#endif
