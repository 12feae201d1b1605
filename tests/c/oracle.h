/*
 * oracle.h: every formula of attn.h in float64, naive and written to be read.
 *
 * Shapes are those of attn.h; results are double. The oracle_magnitude_
 * functions give the largest entry of the same formula with every term replaced
 * by its absolute value (first-order propagation of rounding): a float32 result
 * belongs within a small multiple of 2^-24 * magnitude, also where the result
 * itself is tiny through cancellation. tests/golden/README.md says 8.
 */
#ifndef ATTN_TEST_ORACLE_H
#define ATTN_TEST_ORACLE_H

#include "attn.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define ORACLE_STATIC static __attribute__((unused))

ORACLE_STATIC double *doubles(size_t count) {
    double *x = calloc(count > 0 ? count : 1, sizeof *x);
    if (x == NULL)
        abort();
    return x;
}

/* ---- softmax ---------------------------------------------------------------- */

/* NaN if there is one, -Infinity for no numbers. */
ORACLE_STATIC double oracle_max(const double *x, size_t n) {
    double max = -(double)INFINITY;
    for (size_t j = 0; j < n; j++)
        max = isnan(x[j]) || x[j] > max ? x[j] : max; /* NaN > max is false: NaN stays */
    return max;
}

/* log sum_j exp(x[j]), [n]. */
ORACLE_STATIC double oracle_log_sum_exp(const double *x, size_t n) {
    const double max = oracle_max(x, n);
    double sum = 0;
    if (!isfinite(max))
        return max;
    for (size_t j = 0; j < n; j++)
        sum += exp(x[j] - max);
    return max + log(sum);
}

/* weights = softmax(x), [n]; 0 for a row of -Infinity; NaN for a row with NaN or +Infinity. */
ORACLE_STATIC void oracle_softmax(const double *x, size_t n, double *weights) {
    const double max = oracle_max(x, n);
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += weights[j] = max == -(double)INFINITY ? 0 : exp(x[j] - max);
    for (size_t j = 0; j < n; j++)
        weights[j] = sum == 0 ? 0 : weights[j] / sum;
}

/* d_x_i = sum_j d_weights_j * d weights_j / d x_i, the definition, O(n^2). */
ORACLE_STATIC void oracle_softmax_backward(const double *weights, const double *d_weights, size_t n,
                                           double temperature, double *d_x) {
    for (size_t i = 0; i < n; i++) {
        d_x[i] = 0;
        for (size_t j = 0; j < n; j++)
            d_x[i] += d_weights[j] * weights[j] * ((i == j ? 1 : 0) - weights[i]) / temperature;
    }
}

/* ---- which keys a query may attend to --------------------------------------- */

ORACLE_STATIC int oracle_may_attend(const float *mask, uint32_t causal, size_t n_q, size_t n_k,
                                    size_t i, size_t j) {
    const int64_t last = (int64_t)i + (int64_t)n_k - (int64_t)n_q;
    if (causal == ATTN_CAUSAL_UPPER_LEFT && j > i)
        return 0;
    if (causal == ATTN_CAUSAL_LOWER_RIGHT && (int64_t)j > last)
        return 0;
    return mask == NULL || mask[i * n_k + j] != -INFINITY;
}

/* From scores to the rest, shared by dot-product and additive attention.
 * scores [n_q, n_k] in; output [n_q, d_v], lse [n_q], weights [n_q, n_k] out. */
ORACLE_STATIC void oracle_attend(const double *scores, const float *value, const float *mask,
                                 uint32_t causal, size_t n_q, size_t n_k, size_t d_v,
                                 double *output, double *lse, double *weights) {
    double *masked = doubles(n_k);
    for (size_t i = 0; i < n_q; i++) {
        double *w = weights + i * n_k;
        for (size_t j = 0; j < n_k; j++) {
            const int may = oracle_may_attend(mask, causal, n_q, n_k, i, j);
            const double added = mask == NULL ? 0 : (double)mask[i * n_k + j];
            masked[j] = may ? scores[i * n_k + j] + added : -(double)INFINITY;
        }
        lse[i] = oracle_log_sum_exp(masked, n_k);
        oracle_softmax(masked, n_k, w);
        for (size_t c = 0; c < d_v; c++) {
            output[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                if (oracle_may_attend(mask, causal, n_q, n_k, i, j))
                    output[i * d_v + c] += w[j] * (double)value[j * d_v + c];
        }
    }
    free(masked);
}

/* ---- dot-product attention ---------------------------------------------------- */

/* scores = scale * query key^T, [n_q, n_k]. */
ORACLE_STATIC void oracle_dot_scores(const float *query, const float *key, size_t n_q, size_t n_k,
                                     size_t d_k, double scale, double *scores) {
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            double sum = 0;
            for (size_t c = 0; c < d_k; c++)
                sum += (double)query[i * d_k + c] * (double)key[j * d_k + c];
            scores[i * n_k + j] = scale * sum;
        }
}

/* As attn_attention_forward and attn_attention_weights together. */
ORACLE_STATIC void oracle_attention(const float *query, const float *key, const float *value,
                                    const float *mask, size_t n_q, size_t n_k, size_t d_k,
                                    size_t d_v, double scale, uint32_t causal, double *output,
                                    double *lse, double *weights, double *scores) {
    oracle_dot_scores(query, key, n_q, n_k, d_k, scale, scores);
    oracle_attend(scores, value, mask, causal, n_q, n_k, d_v, output, lse, weights);
}

typedef struct {
    double scores, weights, output, lse;
} oracle_magnitudes;

/* score_terms [n_q, n_k]: each score with its terms made absolute; weights as
 * oracle_attend gives them. Positions that may not be attended have weight 0. */
ORACLE_STATIC oracle_magnitudes oracle_attend_magnitudes(const double *score_terms,
                                                         const double *weights, const double *lse,
                                                         const float *value, const float *mask,
                                                         size_t n_q, size_t n_k, size_t d_v) {
    oracle_magnitudes largest = {0, 0, 0, 0};
    double *terms = doubles(n_k);
    for (size_t i = 0; i < n_q; i++) {
        const double *w = weights + i * n_k;
        double mean = 0;
        for (size_t j = 0; j < n_k; j++) {
            const double added = mask == NULL ? 0 : (double)mask[i * n_k + j];
            terms[j] = score_terms[i * n_k + j] + (isfinite(added) ? fabs(added) : 0);
            mean += w[j] * terms[j];
            largest.scores = fmax(largest.scores, terms[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            largest.weights = fmax(largest.weights, w[j] * (2 + terms[j] + mean));
        for (size_t c = 0; c < d_v; c++) {
            double sum = 0;
            for (size_t j = 0; j < n_k; j++)
                if (w[j] > 0)
                    sum += w[j] * (2 + terms[j] + mean) * fabs((double)value[j * d_v + c]);
            largest.output = fmax(largest.output, sum);
        }
        if (isfinite(lse[i]))
            largest.lse = fmax(largest.lse, fabs(lse[i]) + 1 + mean);
    }
    free(terms);
    return largest;
}

/* weights and lse as oracle_attention gives them. */
ORACLE_STATIC oracle_magnitudes oracle_magnitude_attention(
    const float *query, const float *key, const float *value, const float *mask, size_t n_q,
    size_t n_k, size_t d_k, size_t d_v, double scale, const double *weights, const double *lse) {
    double *terms = doubles(n_q * n_k);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_k; c++)
                terms[i * n_k + j] +=
                    fabs(scale * (double)query[i * d_k + c] * (double)key[j * d_k + c]);
    const oracle_magnitudes largest =
        oracle_attend_magnitudes(terms, weights, lse, value, mask, n_q, n_k, d_v);
    free(terms);
    return largest;
}

/* ---- gradient of dot-product attention -------------------------------------------- */

/* d_weights [n_k] of query i = d_output_i . value_j where it may attend, else 0. absolute:
 * every term made absolute. */
ORACLE_STATIC void oracle_d_weights(const float *value, const float *mask, const float *d_output,
                                    size_t n_q, size_t n_k, size_t d_v, uint32_t causal, size_t i,
                                    int absolute, double *d_weights) {
    for (size_t j = 0; j < n_k; j++) {
        d_weights[j] = 0;
        for (size_t c = 0; c < d_v && oracle_may_attend(mask, causal, n_q, n_k, i, j); c++) {
            const double term = (double)d_output[i * d_v + c] * (double)value[j * d_v + c];
            d_weights[j] += absolute ? fabs(term) : term;
        }
    }
}

/* As attn_attention_backward, except that all results are written. */
ORACLE_STATIC void oracle_attention_backward(const float *query, const float *key,
                                             const float *value, const float *mask,
                                             const float *d_output, size_t n_q, size_t n_k,
                                             size_t d_k, size_t d_v, double scale, uint32_t causal,
                                             double *d_query, double *d_key, double *d_value,
                                             double *d_scale) {
    double *output = doubles(n_q * d_v), *lse = doubles(n_q), *d_weights = doubles(n_k);
    double *weights = doubles(n_q * n_k), *scores = doubles(n_q * n_k);
    oracle_attention(query, key, value, mask, n_q, n_k, d_k, d_v, scale, causal, output, lse,
                     weights, scores);
    for (size_t e = 0; e < n_q * d_k; e++)
        d_query[e] = 0;
    for (size_t e = 0; e < n_k * d_k; e++)
        d_key[e] = 0;
    for (size_t e = 0; e < n_k * d_v; e++)
        d_value[e] = 0;
    *d_scale = 0;
    for (size_t i = 0; i < n_q; i++) {
        const double *w = weights + i * n_k;
        double mean = 0;
        oracle_d_weights(value, mask, d_output, n_q, n_k, d_v, causal, i, 0, d_weights);
        for (size_t j = 0; j < n_k; j++)
            mean += w[j] * d_weights[j];
        for (size_t j = 0; j < n_k; j++) {
            if (!oracle_may_attend(mask, causal, n_q, n_k, i, j))
                continue;
            const double d_score = w[j] * (d_weights[j] - mean);
            for (size_t c = 0; c < d_k; c++) {
                const double q = (double)query[i * d_k + c], k = (double)key[j * d_k + c];
                d_query[i * d_k + c] += scale * d_score * k;
                d_key[j * d_k + c] += scale * d_score * q;
                *d_scale += d_score * q * k;
            }
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += w[j] * (double)d_output[i * d_v + c];
        }
    }
    free(output);
    free(lse);
    free(d_weights);
    free(weights);
    free(scores);
}

typedef struct {
    double query, key, value, scale;
} oracle_gradient_magnitudes;

/* Of finite inputs. Weights err by 2 + |score terms| + their mean to first order, and so
 * do the gradients of scores, whose two terms do not cancel here. */
ORACLE_STATIC oracle_gradient_magnitudes oracle_magnitude_attention_backward(
    const float *query, const float *key, const float *value, const float *mask,
    const float *d_output, size_t n_q, size_t n_k, size_t d_k, size_t d_v, double scale,
    uint32_t causal) {
    double *output = doubles(n_q * d_v), *lse = doubles(n_q), *d_weights = doubles(n_k);
    double *weights = doubles(n_q * n_k), *scores = doubles(n_q * n_k), *terms = doubles(n_k);
    double *d_query = doubles(d_k), *d_key = doubles(n_k * d_k), *d_value = doubles(n_k * d_v);
    oracle_gradient_magnitudes largest = {0, 0, 0, 0};
    oracle_attention(query, key, value, mask, n_q, n_k, d_k, d_v, scale, causal, output, lse,
                     weights, scores);
    for (size_t i = 0; i < n_q; i++) {
        const double *w = weights + i * n_k;
        double mean_terms = 0, mean = 0;
        oracle_d_weights(value, mask, d_output, n_q, n_k, d_v, causal, i, 1, d_weights);
        for (size_t j = 0; j < n_k; j++) {
            const double added = mask == NULL ? 0 : (double)mask[i * n_k + j];
            terms[j] = isfinite(added) ? fabs(added) : 0;
            for (size_t c = 0; c < d_k; c++)
                terms[j] += fabs(scale * (double)query[i * d_k + c] * (double)key[j * d_k + c]);
            mean_terms += w[j] * terms[j];
            mean += w[j] * d_weights[j];
        }
        for (size_t c = 0; c < d_k; c++)
            d_query[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            const double weight = w[j] * (2 + terms[j] + mean_terms);
            const double d_score = weight * (d_weights[j] + mean);
            for (size_t c = 0; c < d_k; c++) {
                const double q = fabs((double)query[i * d_k + c]);
                const double k = fabs((double)key[j * d_k + c]);
                d_query[c] += fabs(scale) * d_score * k;
                d_key[j * d_k + c] += fabs(scale) * d_score * q;
                largest.scale += d_score * q * k;
            }
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += weight * fabs((double)d_output[i * d_v + c]);
        }
        for (size_t c = 0; c < d_k; c++)
            largest.query = fmax(largest.query, d_query[c]);
    }
    for (size_t e = 0; e < n_k * d_k; e++)
        largest.key = fmax(largest.key, d_key[e]);
    for (size_t e = 0; e < n_k * d_v; e++)
        largest.value = fmax(largest.value, d_value[e]);
    double *all[] = {output, lse, d_weights, weights, scores, terms, d_query, d_key, d_value};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    return largest;
}

/* ---- gradient of unit rows ---------------------------------------------------------- */

/* unit = x / max(|x|, 1e-12), one row. */
ORACLE_STATIC void oracle_unit_row(const double *x, size_t d, double *unit) {
    double square = 0;
    for (size_t c = 0; c < d; c++)
        square += x[c] * x[c];
    for (size_t c = 0; c < d; c++)
        unit[c] = x[c] / fmax(sqrt(square), 1e-12);
}

/* d_x_i = sum_j d_unit_j (delta_ij - unit_i unit_j) / |x|, the whole Jacobian. */
ORACLE_STATIC void oracle_unit_row_backward(const double *x, const double *d_unit, size_t d,
                                            double *d_x) {
    double square = 0;
    for (size_t c = 0; c < d; c++)
        square += x[c] * x[c];
    const double norm = sqrt(square);
    for (size_t i = 0; i < d; i++) {
        d_x[i] = 0;
        for (size_t j = 0; j < d; j++)
            d_x[i] += norm < 1e-12 ? (i == j) * d_unit[j] / 1e-12
                                   : d_unit[j] * ((i == j) - x[i] * x[j] / square) / norm;
    }
}

/* ---- additive attention --------------------------------------------------------- */

/* projected = x weight^T (+ bias), [n, d_hidden]; absolute: every term made absolute. */
ORACLE_STATIC void oracle_project(const float *x, const float *weight, const float *bias, size_t n,
                                  size_t d, size_t d_hidden, int absolute, double *projected) {
    for (size_t i = 0; i < n; i++)
        for (size_t h = 0; h < d_hidden; h++) {
            double sum = bias == NULL ? 0 : (double)bias[h];
            sum = absolute ? fabs(sum) : sum;
            for (size_t c = 0; c < d; c++) {
                const double term = (double)weight[h * d + c] * (double)x[i * d + c];
                sum += absolute ? fabs(term) : term;
            }
            projected[i * d_hidden + h] = sum;
        }
}

/* scores[i][j] = score_weight . tanh(query_weight q_i + key_weight k_j + bias), [n_q, n_k]. */
ORACLE_STATIC void oracle_additive_scores(const attn_additive *a, double *scores) {
    const size_t hidden = a->d_hidden;
    double *query = doubles(a->n_q * hidden), *key = doubles(a->n_k * hidden);
    oracle_project(a->query, a->query_weight, NULL, a->n_q, a->d_q, hidden, 0, query);
    oracle_project(a->key, a->key_weight, a->bias, a->n_k, a->d_k, hidden, 0, key);
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++) {
            double sum = 0;
            for (size_t h = 0; h < hidden; h++)
                sum +=
                    (double)a->score_weight[h] * tanh(query[i * hidden + h] + key[j * hidden + h]);
            scores[i * a->n_k + j] = sum;
        }
    free(query);
    free(key);
}

/* As attn_additive_forward. */
ORACLE_STATIC void oracle_additive(const attn_additive *a, double *output, double *lse,
                                   double *weights, double *scores) {
    oracle_additive_scores(a, scores);
    oracle_attend(scores, a->value, a->mask, a->causal, a->n_q, a->n_k, a->d_v, output, lse,
                  weights);
}

/* Each score with its terms made absolute, [n_q, n_k]: to first order it errs by |v| (1 +
 * |pre-activation terms| * (1 - tanh^2)). */
ORACLE_STATIC void oracle_additive_terms(const attn_additive *a, double *terms) {
    const size_t hidden = a->d_hidden;
    double *query = doubles(a->n_q * hidden), *key = doubles(a->n_k * hidden);
    double *query_terms = doubles(a->n_q * hidden), *key_terms = doubles(a->n_k * hidden);
    oracle_project(a->query, a->query_weight, NULL, a->n_q, a->d_q, hidden, 0, query);
    oracle_project(a->key, a->key_weight, a->bias, a->n_k, a->d_k, hidden, 0, key);
    oracle_project(a->query, a->query_weight, NULL, a->n_q, a->d_q, hidden, 1, query_terms);
    oracle_project(a->key, a->key_weight, a->bias, a->n_k, a->d_k, hidden, 1, key_terms);
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++)
            for (size_t h = 0; h < hidden; h++) {
                const double t = tanh(query[i * hidden + h] + key[j * hidden + h]);
                const double argument = query_terms[i * hidden + h] + key_terms[j * hidden + h];
                terms[i * a->n_k + j] +=
                    fabs((double)a->score_weight[h]) * (1 + argument * (1 - t * t));
            }
    free(query);
    free(key);
    free(query_terms);
    free(key_terms);
}

ORACLE_STATIC oracle_magnitudes oracle_magnitude_additive(const attn_additive *a,
                                                          const double *weights,
                                                          const double *lse) {
    double *terms = doubles((size_t)a->n_q * a->n_k);
    oracle_additive_terms(a, terms);
    const oracle_magnitudes largest =
        oracle_attend_magnitudes(terms, weights, lse, a->value, a->mask, a->n_q, a->n_k, a->d_v);
    free(terms);
    return largest;
}

/* ---- gradient of additive attention ------------------------------------------------- */

/* As attn_additive_gradient, in float64. */
typedef struct {
    double *query, *key, *value, *query_weight, *key_weight, *score_weight, *bias;
} oracle_additive_gradient;

/* What the score of query i and key j adds to all gradients but that of the values.
 * absolute: every term made absolute, with first-order factors for the error of tanh (1 +
 * argument * slope) and of its slope 1 - tanh^2 (slope * (1 + 2 argument)). */
ORACLE_STATIC void oracle_additive_pair_backward(const attn_additive *a, size_t i, size_t j,
                                                 double d_score, int absolute,
                                                 const oracle_additive_gradient *g) {
    const float *q = a->query + i * a->d_q, *k = a->key + j * a->d_k;
    for (size_t h = 0; h < a->d_hidden; h++) {
        const float *from_q = a->query_weight + h * a->d_q, *from_k = a->key_weight + h * a->d_k;
        double argument = a->bias == NULL ? 0 : (double)a->bias[h], terms = fabs(argument);
        for (size_t c = 0; c < a->d_q; c++) {
            argument += (double)from_q[c] * (double)q[c];
            terms += fabs((double)from_q[c] * (double)q[c]);
        }
        for (size_t c = 0; c < a->d_k; c++) {
            argument += (double)from_k[c] * (double)k[c];
            terms += fabs((double)from_k[c] * (double)k[c]);
        }
        const double slope = 1 / (cosh(argument) * cosh(argument));
        const double t = absolute ? 1 + terms * slope : tanh(argument);
        double d_argument = d_score * (double)a->score_weight[h] * slope;
        d_argument = absolute ? fabs(d_argument) * (1 + 2 * terms) : d_argument;
        g->score_weight[h] += d_score * t;
        g->bias[h] += d_argument;
        for (size_t c = 0; c < a->d_q; c++) {
            const double x = (double)q[c], w = (double)from_q[c];
            g->query[i * a->d_q + c] += d_argument * (absolute ? fabs(w) : w);
            g->query_weight[h * a->d_q + c] += d_argument * (absolute ? fabs(x) : x);
        }
        for (size_t c = 0; c < a->d_k; c++) {
            const double x = (double)k[c], w = (double)from_k[c];
            g->key[j * a->d_k + c] += d_argument * (absolute ? fabs(w) : w);
            g->key_weight[h * a->d_k + c] += d_argument * (absolute ? fabs(x) : x);
        }
    }
}

/* As attn_additive_backward; everything is added to. absolute: every term made absolute,
 * with first-order factors: the magnitudes of finite inputs, entry by entry. */
ORACLE_STATIC void oracle_additive_backward(const attn_additive *a, const float *d_output,
                                            int absolute, const oracle_additive_gradient *g) {
    const size_t n_q = a->n_q, n_k = a->n_k, d_v = a->d_v;
    double *output = doubles(n_q * d_v), *lse = doubles(n_q), *d_weights = doubles(n_k);
    double *weights = doubles(n_q * n_k), *scores = doubles(n_q * n_k);
    double *terms = doubles(n_q * n_k);
    oracle_additive(a, output, lse, weights, scores);
    if (absolute)
        oracle_additive_terms(a, terms);
    for (size_t i = 0; i < n_q; i++) {
        double *w = weights + i * n_k, *term = terms + i * n_k, mean_term = 0, mean = 0;
        oracle_d_weights(a->value, a->mask, d_output, n_q, n_k, d_v, a->causal, i, absolute,
                         d_weights);
        for (size_t j = 0; j < n_k; j++) {
            const double added = a->mask == NULL ? 0 : fabs((double)a->mask[i * n_k + j]);
            term[j] += absolute && isfinite(added) ? added : 0;
            mean_term += w[j] * term[j];
            mean += w[j] * d_weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            if (!oracle_may_attend(a->mask, a->causal, n_q, n_k, i, j))
                continue;
            const double weight = absolute ? w[j] * (2 + term[j] + mean_term) : w[j];
            for (size_t c = 0; c < d_v; c++) {
                const double d = (double)d_output[i * d_v + c];
                g->value[j * d_v + c] += weight * (absolute ? fabs(d) : d);
            }
            const double d_score = weight * (absolute ? d_weights[j] + mean : d_weights[j] - mean);
            oracle_additive_pair_backward(a, i, j, d_score, absolute, g);
        }
    }
    double *all[] = {output, lse, d_weights, weights, scores, terms};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

/* ---- linear maps --------------------------------------------------------------------- */

/* sum_k a[i, k] b[k, j] and the same of absolute values, by strides. */
ORACLE_STATIC void oracle_product(size_t m, size_t n, size_t k, const float *a, size_t a_row,
                                  size_t a_col, const float *b, size_t b_row, size_t b_col,
                                  double *c, double *magnitude) {
    *magnitude = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0, terms = 0;
            for (size_t l = 0; l < k; l++) {
                const double term =
                    (double)a[i * a_row + l * a_col] * (double)b[l * b_row + j * b_col];
                sum += term;
                terms += fabs(term);
            }
            c[i * n + j] = sum;
            *magnitude = fmax(*magnitude, terms);
        }
}

/* ---- 16-bit formats ------------------------------------------------------------------ */

typedef struct {
    int significant, least_exponent, greatest_exponent; /* of normal numbers */
} oracle_format;

ORACLE_STATIC const oracle_format oracle_float16 = {11, -14, 15}, oracle_bfloat16 = {8, -126, 127};

/* By the definition: the multiple of the spacing that is nearest, even on a tie. */
ORACLE_STATIC double oracle_round(oracle_format f, double x) {
    if (x == 0 || !isfinite(x))
        return x;
    int exponent;
    frexp(x, &exponent);
    exponent = exponent - 1 < f.least_exponent ? f.least_exponent : exponent - 1;
    const double spacing = ldexp(1, exponent - f.significant + 1);
    const double y = nearbyint(x / spacing) * spacing;
    return fabs(y) >= ldexp(1, f.greatest_exponent + 1) ? copysign((double)INFINITY, x) : y;
}

/* Every step in double, rounded by the definition; returns the sum. */
ORACLE_STATIC double oracle_softmax_float16(const float *x, size_t n, int subtract_max,
                                            double *weights) {
    const oracle_format f = oracle_float16;
    double largest = -(double)INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        largest = fmax(largest, oracle_round(f, (double)x[j]));
    for (size_t j = 0; j < n; j++) {
        const double shifted = oracle_round(f, (double)x[j]) - (subtract_max ? largest : 0);
        weights[j] = oracle_round(f, exp(oracle_round(f, shifted)));
        sum = oracle_round(f, sum + weights[j]);
    }
    for (size_t j = 0; j < n; j++)
        weights[j] = oracle_round(f, weights[j] / sum);
    return sum;
}

/* ---- random numbers ------------------------------------------------------------------ */

/* Philox4x32-10 as its paper has it, in integers. */
ORACLE_STATIC void oracle_philox(const uint32_t counter[4], const uint32_t key[2],
                                 uint32_t words[4]) {
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        const uint64_t first = (uint64_t)0xD2511F53 * c[0], third = (uint64_t)0xCD9E8D57 * c[2];
        c[0] = (uint32_t)(third >> 32) ^ c[1] ^ k[0];
        c[2] = (uint32_t)(first >> 32) ^ c[3] ^ k[1];
        c[1] = (uint32_t)third;
        c[3] = (uint32_t)first;
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    for (int i = 0; i < 4; i++)
        words[i] = c[i];
}

/* Number i of a seed and a stream; source holds the two words of each. */
ORACLE_STATIC double oracle_uniform(const uint32_t source[4], uint32_t i) {
    const uint32_t counter[4] = {i / 4, 0, source[2], source[3]};
    uint32_t words[4];
    oracle_philox(counter, source, words);
    return (double)(words[i % 4] >> 8) * 0x1p-24;
}

/* Box-Muller on a pair of words: 31 bits of radius, rounded to float32, and 32 of angle. */
ORACLE_STATIC double oracle_normal(const uint32_t source[4], uint32_t i) {
    const uint32_t counter[4] = {i / 4, 0, source[2], source[3]};
    uint32_t words[4];
    oracle_philox(counter, source, words);
    const uint32_t *pair = words + (i % 4 / 2) * 2;
    const float u = ((float)(pair[0] >> 1) + 0.5F) * 0x1p-31F;
    const double radius = sqrt(-2 * log((double)u));
    const double angle = (double)pair[1] * 0x1p-31 * acos(-1.0);
    return radius * (i % 2 == 0 ? cos(angle) : sin(angle));
}

#endif
