/*
 * oracle.h: the formulas that softmax and both kinds of attention share, in float64, naive and
 * written to be read. oracle_attention.h, oracle_additive.h and oracle_numbers.h have the others.
 *
 * Shapes are those of attn.h; results are double. The oracle_magnitude_
 * functions give the largest entry of the same formula with every term replaced
 * by its absolute value (first-order propagation of rounding): a float32 result
 * belongs within a small multiple of 2^-24 * magnitude, also where the result
 * itself is tiny through cancellation. tests/golden/README.md sets 8.
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

ORACLE_STATIC int oracle_sees(const attn_attention *h, size_t i, size_t j) {
    return oracle_may_attend(h->mask, h->window, h->n_k, i, j);
}

/* The mask of a pair, 0 where there is none or it forbids. */
ORACLE_STATIC double oracle_added(const attn_attention *h, size_t i, size_t j) {
    const double added = h->mask == NULL ? 0 : (double)h->mask[i * h->n_k + j];
    return added == -(double)INFINITY ? 0 : added;
}

/* The derivative of a capped score. absolute: with its error, 1 and twice the terms of its
 * argument, which raw has. */
ORACLE_STATIC double oracle_slope(const attn_attention *h, double capped, int absolute,
                                  double raw) {
    const double cap = (double)h->softcap, t = cap > 0 ? capped / cap : 0, slope = 1 - t * t;
    return absolute && cap > 0 ? slope + 1 + 2 * slope * raw / cap : slope;
}

/* From r->scores to the rest, which dot-product and additive attention share. The sink is one key
 * more, without value. */
ORACLE_STATIC void oracle_attend(const attn_attention *h, const oracle_results *r) {
    const size_t n_k = h->n_k, d_v = h->d_v;
    double *row = doubles(n_k + 1), *w = doubles(n_k + 1);
    for (size_t i = 0; i < h->n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            const double score = r->scores[i * n_k + j], cap = (double)h->softcap;
            const double capped = cap > 0 ? cap * tanh(score / cap) : score;
            r->capped[i * n_k + j] = capped;
            row[j] = oracle_sees(h, i, j) ? capped + oracle_added(h, i, j) : -(double)INFINITY;
            r->masked[i * n_k + j] = row[j];
        }
        row[n_k] = (double)h->sink;
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
ORACLE_STATIC void oracle_masked_terms(const attn_attention *h, const oracle_results *r,
                                       double *terms) {
    for (size_t i = 0; i < h->n_q; i++)
        for (size_t j = 0; j < h->n_k; j++) {
            double *term = terms + i * h->n_k + j;
            const double capped = r->capped[i * h->n_k + j];
            if (h->softcap > 0)
                *term = *term * oracle_slope(h, capped, 0, 0) + 2 * fabs(capped);
            const double added = oracle_added(h, i, j);
            *term += isfinite(added) ? fabs(added) : 0;
        }
}

ORACLE_STATIC oracle_magnitudes oracle_attend_magnitudes(const attn_attention *h,
                                                         const oracle_results *r, double *terms) {
    const size_t n_k = h->n_k;
    oracle_magnitudes largest = {0, 0, 0, 0, 0};
    for (size_t e = 0; e < h->n_q * n_k; e++)
        largest.scores = fmax(largest.scores, terms[e]);
    oracle_masked_terms(h, r, terms);
    const double sunk = isfinite(h->sink) ? (double)fabsf(h->sink) : 0;
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

/* ---- gradients ------------------------------------------------------------------ */

/* d_weights [n_k] of query i = d_output_i . value_j where it may attend, else 0. absolute:
 * every term made absolute. */
ORACLE_STATIC void oracle_d_weights(const attn_attention *h, const float *d_output, size_t i,
                                    int absolute, double *d_weights) {
    for (size_t j = 0; j < h->n_k; j++) {
        d_weights[j] = 0;
        for (size_t c = 0; c < h->d_v && oracle_sees(h, i, j); c++) {
            const double term = (double)d_output[i * h->d_v + c] * (double)h->value[j * h->d_v + c];
            d_weights[j] += absolute ? fabs(term) : term;
        }
    }
}

/* From r, which oracle_attend gives: d_scores [n_q, n_k] = the gradients with respect to capped
 * scores; adds to d_value [n_k, d_v] and d_sink. absolute: every term made absolute, with
 * first-order factors, from terms [n_q, n_k] of oracle_masked_terms. Weights err by 2 + |score
 * terms| + their mean, and so do the gradients of scores, whose two terms do not cancel then. */
ORACLE_STATIC void oracle_attend_backward(const attn_attention *h, const oracle_results *r,
                                          const float *d_output, int absolute, const double *terms,
                                          double *d_scores, double *d_value, double *d_sink) {
    const size_t n_k = h->n_k, d_v = h->d_v;
    double *d_weights = doubles(n_k);
    for (size_t i = 0; i < h->n_q; i++) {
        const double *w = r->weights + i * n_k, *term = terms + i * n_k;
        double mean_term = absolute && isfinite(h->sink) ? (double)fabsf(h->sink) : 0;
        double mean = 0, mean_error = 0; /* the second from the arguments of the weights */
        oracle_d_weights(h, d_output, i, absolute, d_weights);
        for (size_t j = 0; j < n_k; j++) {
            mean_term += w[j] * term[j];
            mean += w[j] * d_weights[j];
            mean_error += w[j] * term[j] * d_weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            if (!oracle_sees(h, i, j))
                continue;
            const double weight = absolute ? w[j] * (2 + term[j] + mean_term) : w[j];
            d_scores[i * n_k + j] = weight * (absolute ? d_weights[j] + mean : d_weights[j] - mean);
            for (size_t c = 0; c < d_v; c++) {
                const double d = (double)d_output[i * d_v + c];
                d_value[j * d_v + c] += weight * (absolute ? fabs(d) : d);
            }
        }
        if (isfinite(h->sink))
            *d_sink += exp((double)h->sink - r->lse[i]) *
                       (absolute ? (3 + mean_term) * mean + mean_error : -mean);
    }
    free(d_weights);
}

/* sum(output * d_output), whose gradients the backward functions compute. */
ORACLE_STATIC double oracle_loss(const attn_attention *h, const oracle_results *r,
                                 const float *d_output) {
    double sum = 0;
    for (size_t e = 0; e < (size_t)h->n_q * h->d_v; e++)
        sum += r->output[e] * (double)d_output[e];
    return sum;
}

ORACLE_STATIC double oracle_largest(const double *x, size_t count) {
    double largest = 0;
    for (size_t e = 0; e < count; e++)
        largest = fmax(largest, x[e]);
    return largest;
}

#endif
