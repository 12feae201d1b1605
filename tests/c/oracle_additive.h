/*
 * oracle_additive.h: additive attention and its gradient in float64.
 */
#ifndef ATTN_TEST_ORACLE_ADDITIVE_H
#define ATTN_TEST_ORACLE_ADDITIVE_H

#include "oracle.h"

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

/* What it shares with dot-product attention after the scores. */
ORACLE_STATIC attn_attention oracle_additive_head(const attn_additive *a) {
    return (attn_attention){.value = a->value,
                            .mask = a->mask,
                            .window = a->window,
                            .sink = a->sink,
                            .n_q = a->n_q,
                            .n_k = a->n_k,
                            .d_v = a->d_v};
}

/* As attn_additive_forward. */
ORACLE_STATIC void oracle_additive(const attn_additive *a, const oracle_results *r) {
    const attn_attention h = oracle_additive_head(a);
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
    const attn_attention h = oracle_additive_head(a);
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

/* Adds the part of the score of query i and key j to all gradients but that of the values.
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
    const size_t n_q = a->n_q, n_k = a->n_k;
    const attn_attention h = oracle_additive_head(a);
    const oracle_results r = oracle_new_results(n_q, n_k, a->d_v);
    double *terms = doubles(n_q * n_k), *d_scores = doubles(n_q * n_k);
    oracle_additive(a, &r);
    if (absolute) {
        oracle_additive_terms(a, terms);
        oracle_masked_terms(&h, &r, terms);
    }
    oracle_attend_backward(&h, &r, d_output, absolute, terms, d_scores, g->value, g->sink);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            if (oracle_sees(&h, i, j))
                oracle_additive_pair_backward(a, i, j, d_scores[i * n_k + j], absolute, g);
    oracle_free_results(r);
    free(terms);
    free(d_scores);
}

#endif
