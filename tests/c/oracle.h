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

typedef enum { ATTEND_ALL, CAUSAL_UPPER_LEFT, CAUSAL_LOWER_RIGHT } causality;

/* The window of causal attention: query i sees j <= i, or j <= i + n_k - n_q. */
ORACLE_STATIC attn_window causal_window(causality causal, uint32_t n_q, uint32_t n_k) {
    const int32_t right = causal == ATTEND_ALL ? -1 : 0;
    const int32_t offset = causal == CAUSAL_LOWER_RIGHT ? (int32_t)n_k - (int32_t)n_q : 0;
    return (attn_window){offset, -1, right, n_k};
}

ORACLE_STATIC int oracle_may_attend(const float *mask, attn_window w, size_t n_k, size_t i,
                                    size_t j) {
    const int64_t from_query = (int64_t)j - ((int64_t)i + w.offset);
    if (j >= w.key_count || (w.left >= 0 && from_query < -w.left) ||
        (w.right >= 0 && from_query > w.right))
        return 0;
    return mask == NULL || mask[i * n_k + j] != -INFINITY;
}

/* The parts of attention after its scores, which dot-product and additive attention share. */
typedef struct {
    const float *value, *mask;
    attn_window window;
    double softcap, sink; /* 0 and -Infinity for none */
    size_t n_q, n_k, d_v;
} oracle_head;

/* [n_q, d_v], [n_q], and [n_q, n_k] each. */
typedef struct {
    double *output, *lse, *scores, *capped, *masked, *weights;
} oracle_results;

ORACLE_STATIC oracle_results oracle_new_results(size_t n_q, size_t n_k, size_t d_v) {
    return (oracle_results){doubles(n_q * d_v), doubles(n_q),       doubles(n_q * n_k),
                            doubles(n_q * n_k), doubles(n_q * n_k), doubles(n_q * n_k)};
}

ORACLE_STATIC void oracle_free_results(oracle_results r) {
    double *all[] = {r.output, r.lse, r.scores, r.capped, r.masked, r.weights};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

ORACLE_STATIC int oracle_sees(const oracle_head *h, size_t i, size_t j) {
    return oracle_may_attend(h->mask, h->window, h->n_k, i, j);
}

/* The mask of a pair, 0 where there is none or it forbids. */
ORACLE_STATIC double oracle_added(const oracle_head *h, size_t i, size_t j) {
    const double added = h->mask == NULL ? 0 : (double)h->mask[i * h->n_k + j];
    return added == -(double)INFINITY ? 0 : added;
}

/* From r->scores to the rest. The sink is one key more, without value. */
ORACLE_STATIC void oracle_attend(const oracle_head *h, const oracle_results *r) {
    const size_t n_k = h->n_k, d_v = h->d_v;
    double *row = doubles(n_k + 1), *w = doubles(n_k + 1);
    for (size_t i = 0; i < h->n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            const double score = r->scores[i * n_k + j];
            const double capped = h->softcap > 0 ? h->softcap * tanh(score / h->softcap) : score;
            r->capped[i * n_k + j] = capped;
            row[j] = oracle_sees(h, i, j) ? capped + oracle_added(h, i, j) : -(double)INFINITY;
            r->masked[i * n_k + j] = row[j];
        }
        row[n_k] = h->sink;
        r->lse[i] = oracle_log_sum_exp(row, n_k + 1);
        oracle_softmax(row, n_k + 1, w);
        for (size_t j = 0; j < n_k; j++)
            r->weights[i * n_k + j] = w[j];
        for (size_t c = 0; c < d_v; c++) {
            r->output[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                if (oracle_sees(h, i, j))
                    r->output[i * d_v + c] += w[j] * (double)h->value[j * d_v + c];
        }
    }
    free(row);
    free(w);
}

typedef struct {
    double scores, capped, weights, output, lse;
} oracle_magnitudes;

/* terms [n_q, n_k]: each score with its terms made absolute; r as oracle_attend gives it. A cap
 * passes an error of the score on with its slope, and adds one of the capped score. Positions that
 * may not be attended have weight 0. */
ORACLE_STATIC void oracle_masked_terms(const oracle_head *h, const oracle_results *r,
                                       double *terms) {
    for (size_t i = 0; i < h->n_q; i++)
        for (size_t j = 0; j < h->n_k; j++) {
            double *term = terms + i * h->n_k + j;
            const double capped = r->capped[i * h->n_k + j], t = capped / h->softcap;
            if (h->softcap > 0)
                *term = *term * (1 - t * t) + 2 * fabs(capped);
            const double added = oracle_added(h, i, j);
            *term += isfinite(added) ? fabs(added) : 0;
        }
}

ORACLE_STATIC oracle_magnitudes oracle_attend_magnitudes(const oracle_head *h,
                                                         const oracle_results *r, double *terms) {
    const size_t n_k = h->n_k;
    oracle_magnitudes largest = {0, 0, 0, 0, 0};
    for (size_t e = 0; e < h->n_q * n_k; e++)
        largest.scores = fmax(largest.scores, terms[e]);
    oracle_masked_terms(h, r, terms);
    const double sunk = isfinite(h->sink) ? fabs(h->sink) : 0;
    for (size_t i = 0; i < h->n_q; i++) {
        const double *w = r->weights + i * n_k, *term = terms + i * n_k;
        double mean = sunk;
        for (size_t j = 0; j < n_k; j++) {
            mean += w[j] * term[j];
            largest.capped = fmax(largest.capped, term[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            largest.weights = fmax(largest.weights, w[j] * (2 + term[j] + mean));
        for (size_t c = 0; c < h->d_v; c++) {
            double sum = 0;
            for (size_t j = 0; j < n_k; j++)
                if (w[j] > 0)
                    sum += w[j] * (2 + term[j] + mean) * fabs((double)h->value[j * h->d_v + c]);
            largest.output = fmax(largest.output, sum);
        }
        if (isfinite(r->lse[i]))
            largest.lse = fmax(largest.lse, fabs(r->lse[i]) + 1 + mean);
    }
    return largest;
}

/* ---- dot-product attention ---------------------------------------------------- */

ORACLE_STATIC oracle_head oracle_head_of(const attn_attention *a) {
    return (oracle_head){a->value,        a->mask, a->window, (double)a->softcap,
                         (double)a->sink, a->n_q,  a->n_k,    a->d_v};
}

/* scores = scale * query key^T, [n_q, n_k]; absolute: every term made absolute. */
ORACLE_STATIC void oracle_dot_scores(const attn_attention *a, int absolute, double *scores) {
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++) {
            double sum = 0;
            for (size_t c = 0; c < a->d_k; c++) {
                const double term = (double)a->scale * (double)a->query[i * a->d_k + c] *
                                    (double)a->key[j * a->d_k + c];
                sum += absolute ? fabs(term) : term;
            }
            scores[i * a->n_k + j] = sum;
        }
}

/* As attn_attention_forward. */
ORACLE_STATIC void oracle_attention(const attn_attention *a, const oracle_results *r) {
    const oracle_head h = oracle_head_of(a);
    oracle_dot_scores(a, 0, r->scores);
    oracle_attend(&h, r);
}

/* r as oracle_attention gives it. */
ORACLE_STATIC oracle_magnitudes oracle_magnitude_attention(const attn_attention *a,
                                                           const oracle_results *r) {
    const oracle_head h = oracle_head_of(a);
    double *terms = doubles((size_t)a->n_q * a->n_k);
    oracle_dot_scores(a, 1, terms);
    const oracle_magnitudes largest = oracle_attend_magnitudes(&h, r, terms);
    free(terms);
    return largest;
}

/* ---- gradient of dot-product attention -------------------------------------------- */

/* d_weights [n_k] of query i = d_output_i . value_j where it may attend, else 0. absolute:
 * every term made absolute. */
ORACLE_STATIC void oracle_d_weights(const oracle_head *h, const float *d_output, size_t i,
                                    int absolute, double *d_weights) {
    for (size_t j = 0; j < h->n_k; j++) {
        d_weights[j] = 0;
        for (size_t c = 0; c < h->d_v && oracle_sees(h, i, j); c++) {
            const double term = (double)d_output[i * h->d_v + c] * (double)h->value[j * h->d_v + c];
            d_weights[j] += absolute ? fabs(term) : term;
        }
    }
}

/* As attn_attention_gradient, in float64. */
typedef struct {
    double *query, *key, *value, scale, sink;
} oracle_gradient;

ORACLE_STATIC oracle_gradient oracle_new_gradient(const attn_attention *a) {
    return (oracle_gradient){doubles((size_t)a->n_q * a->d_k), doubles((size_t)a->n_k * a->d_k),
                             doubles((size_t)a->n_k * a->d_v), 0, 0};
}

ORACLE_STATIC void oracle_free_gradient(oracle_gradient g) {
    free(g.query);
    free(g.key);
    free(g.value);
}

/* What the score of query i and key j adds to the gradients. */
ORACLE_STATIC void oracle_pair_backward(const attn_attention *a, size_t i, size_t j, double d_score,
                                        int absolute, oracle_gradient *g) {
    const size_t d_k = a->d_k;
    const double scale = (double)a->scale;
    for (size_t c = 0; c < d_k; c++) {
        const double q = (double)a->query[i * d_k + c], k = (double)a->key[j * d_k + c];
        g->query[i * d_k + c] += absolute ? fabs(scale * d_score * k) : scale * d_score * k;
        g->key[j * d_k + c] += absolute ? fabs(scale * d_score * q) : scale * d_score * q;
        g->scale += absolute ? fabs(d_score * q * k) : d_score * q * k;
    }
}

/* As attn_attention_backward; everything is added to. absolute: every term made absolute, with
 * first-order factors: the magnitudes of finite inputs. Weights err by 2 + |score terms| + their
 * mean, and so do the gradients of scores, whose two terms do not cancel then; the slope of a cap
 * by 1 and twice the terms of the argument. */
ORACLE_STATIC void oracle_attention_backward(const attn_attention *a, const float *d_output,
                                             int absolute, oracle_gradient *g) {
    const size_t n_k = a->n_k, d_v = a->d_v;
    const oracle_head h = oracle_head_of(a);
    const oracle_results r = oracle_new_results(a->n_q, n_k, d_v);
    double *terms = doubles(a->n_q * n_k), *raw = doubles(a->n_q * n_k), *d_weights = doubles(n_k);
    oracle_attention(a, &r);
    if (absolute) {
        oracle_dot_scores(a, 1, raw);
        oracle_dot_scores(a, 1, terms);
        oracle_masked_terms(&h, &r, terms);
    }
    for (size_t i = 0; i < a->n_q; i++) {
        const double *w = r.weights + i * n_k, *term = terms + i * n_k;
        double mean_term = absolute && isfinite(h.sink) ? fabs(h.sink) : 0, mean = 0;
        oracle_d_weights(&h, d_output, i, absolute, d_weights);
        for (size_t j = 0; j < n_k; j++) {
            mean_term += w[j] * term[j];
            mean += w[j] * d_weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            if (!oracle_sees(&h, i, j))
                continue;
            const double weight = absolute ? w[j] * (2 + term[j] + mean_term) : w[j];
            const double t = h.softcap > 0 ? r.capped[i * n_k + j] / h.softcap : 0;
            double slope = 1 - t * t;
            if (absolute && h.softcap > 0)
                slope += 1 + 2 * slope * raw[i * n_k + j] / h.softcap;
            const double d_score = weight * (absolute ? d_weights[j] + mean : d_weights[j] - mean);
            oracle_pair_backward(a, i, j, d_score * slope, absolute, g);
            for (size_t c = 0; c < d_v; c++) {
                const double d = (double)d_output[i * d_v + c];
                g->value[j * d_v + c] += weight * (absolute ? fabs(d) : d);
            }
        }
        if (isfinite(h.sink))
            g->sink += exp(h.sink - r.lse[i]) * mean * (absolute ? 3 + mean_term : -1);
    }
    oracle_free_results(r);
    free(terms);
    free(raw);
    free(d_weights);
}

ORACLE_STATIC double oracle_largest(const double *x, size_t count) {
    double largest = 0;
    for (size_t e = 0; e < count; e++)
        largest = fmax(largest, x[e]);
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

ORACLE_STATIC oracle_head oracle_additive_head(const attn_additive *a) {
    return (oracle_head){a->value, a->mask, a->window, 0, (double)a->sink, a->n_q, a->n_k, a->d_v};
}

/* As attn_additive_forward. */
ORACLE_STATIC void oracle_additive(const attn_additive *a, const oracle_results *r) {
    const oracle_head h = oracle_additive_head(a);
    oracle_additive_scores(a, r->scores);
    oracle_attend(&h, r);
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
                                                          const oracle_results *r) {
    const oracle_head h = oracle_additive_head(a);
    double *terms = doubles((size_t)a->n_q * a->n_k);
    oracle_additive_terms(a, terms);
    const oracle_magnitudes largest = oracle_attend_magnitudes(&h, r, terms);
    free(terms);
    return largest;
}

/* ---- gradient of additive attention ------------------------------------------------- */

/* As attn_additive_gradient, in float64. */
typedef struct {
    double *query, *key, *value, *query_weight, *key_weight, *score_weight, *bias, *sink;
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
    const oracle_head h = oracle_additive_head(a);
    const oracle_results r = oracle_new_results(n_q, n_k, d_v);
    double *terms = doubles(n_q * n_k), *d_weights = doubles(n_k);
    oracle_additive(a, &r);
    if (absolute) {
        oracle_additive_terms(a, terms);
        oracle_masked_terms(&h, &r, terms);
    }
    for (size_t i = 0; i < n_q; i++) {
        const double *w = r.weights + i * n_k, *term = terms + i * n_k;
        double mean_term = absolute && isfinite(h.sink) ? fabs(h.sink) : 0, mean = 0;
        oracle_d_weights(&h, d_output, i, absolute, d_weights);
        for (size_t j = 0; j < n_k; j++) {
            mean_term += w[j] * term[j];
            mean += w[j] * d_weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            if (!oracle_sees(&h, i, j))
                continue;
            const double weight = absolute ? w[j] * (2 + term[j] + mean_term) : w[j];
            for (size_t c = 0; c < d_v; c++) {
                const double d = (double)d_output[i * d_v + c];
                g->value[j * d_v + c] += weight * (absolute ? fabs(d) : d);
            }
            const double d_score = weight * (absolute ? d_weights[j] + mean : d_weights[j] - mean);
            oracle_additive_pair_backward(a, i, j, d_score, absolute, g);
        }
        if (isfinite(h.sink))
            *g->sink += exp(h.sink - r.lse[i]) * mean * (absolute ? 3 + mean_term : -1);
    }
    oracle_free_results(r);
    free(terms);
    free(d_weights);
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

/* ---- rotary embedding ------------------------------------------------------------------ */

/* As attn_rotary_turns. */
ORACLE_STATIC void oracle_rotary_turns(const double *positions, size_t n, size_t d, double base,
                                       double *turns) {
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d / 2; i++) {
            const long double frequency =
                powl((long double)base, -2.0L * (long double)i / (long double)d);
            const long double angle = (long double)positions[p] * frequency;
            turns[p * d + 2 * i] = (double)cosl(angle);
            turns[p * d + 2 * i + 1] = (double)sinl(angle);
        }
}

/* Number e of attn_rotary_forward, from the turns. */
ORACLE_STATIC double oracle_rotary(const float *x, const float *turns, size_t n, size_t d,
                                   attn_pairing pairing, int inverse, size_t e) {
    const size_t row = e / d, c = e % d, half = d / 2;
    const size_t pair = pairing == ATTN_PAIR_HALVES ? c % half : c / 2;
    const int second = pairing == ATTN_PAIR_HALVES ? c >= half : c % 2 == 1;
    const size_t other = pairing == ATTN_PAIR_HALVES ? (c + half) % d : c ^ 1;
    const double cosine = (double)turns[(row % n) * d + 2 * pair];
    const double sine = (double)turns[(row % n) * d + 2 * pair + 1];
    const double sign = second != inverse ? 1 : -1;
    return (double)x[e] * cosine + sign * sine * (double)x[row * d + other];
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
