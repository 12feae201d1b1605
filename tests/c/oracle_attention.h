/*
 * oracle_attention.h: dot-product attention and its gradient, and unit rows, in float64.
 */
#ifndef ATTN_TEST_ORACLE_ATTENTION_H
#define ATTN_TEST_ORACLE_ATTENTION_H

#include "oracle.h"

/* ---- dot-product attention ---------------------------------------------------- */

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
    oracle_dot_scores(a, 0, r->scores);
    oracle_attend(a, r);
}

/* r as oracle_attention gives it. */
ORACLE_STATIC oracle_magnitudes oracle_magnitude_attention(const attn_attention *a,
                                                           const oracle_results *r) {
    double *terms = doubles((size_t)a->n_q * a->n_k);
    oracle_dot_scores(a, 1, terms);
    const oracle_magnitudes largest = oracle_attend_magnitudes(a, r, terms);
    free(terms);
    return largest;
}

/* ---- gradient of dot-product attention -------------------------------------------- */

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

/* Adds the part of the score of query i and key j to the gradients. */
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
 * first-order factors: the magnitudes of finite inputs. */
ORACLE_STATIC void oracle_attention_backward(const attn_attention *a, const float *d_output,
                                             int absolute, oracle_gradient *g) {
    const size_t n_k = a->n_k;
    const oracle_results r = oracle_new_results(a->n_q, n_k, a->d_v);
    double *terms = doubles(a->n_q * n_k), *raw = doubles(a->n_q * n_k);
    double *d_scores = doubles(a->n_q * n_k);
    oracle_attention(a, &r);
    if (absolute) {
        oracle_dot_scores(a, 1, raw);
        oracle_dot_scores(a, 1, terms);
        oracle_masked_terms(a, &r, terms);
    }
    oracle_attend_backward(a, &r, d_output, absolute, terms, d_scores, g->value, &g->sink);
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            const size_t pair = i * n_k + j;
            const double slope = oracle_slope(a, r.capped[pair], absolute, raw[pair]);
            if (oracle_sees(a, i, j))
                oracle_pair_backward(a, i, j, d_scores[pair] * slope, absolute, g);
        }
    oracle_free_results(r);
    free(terms);
    free(raw);
    free(d_scores);
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

#endif
