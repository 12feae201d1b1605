/*
 * oracle_statistics.h: statistics of the rows of weights, and weights pooled over blocks, in
 * float64, from whole matrices.
 */
#ifndef ATTN_TEST_ORACLE_STATISTICS_H
#define ATTN_TEST_ORACLE_STATISTICS_H

#include "oracle_attention.h"

enum {
    ENTROPY,
    EFFECTIVE_KEYS,
    JACOBIAN_TRACE,
    LARGEST_WEIGHT,
    LARGEST_SCORE,
    SCORE_MEAN,
    SCORE_DEVIATION,
    VISIBLE_KEYS,
    FIRST_WEIGHT,
    PREVIOUS_WEIGHT,
    SINK_WEIGHT,
    STATISTICS
};

/* Statistics of one query, and how far float32 may be from each, in 2^-24. */
typedef struct {
    double exact[STATISTICS], magnitude[STATISTICS];
} oracle_row;

/* Returns the statistics of query i, from r as oracle_attention gives it. `largest` as
 * oracle_magnitude_attention gives it: a score errs by largest.capped, and so does the logarithm of
 * a weight, twice. */
ORACLE_STATIC oracle_row oracle_statistics(const attn_attention *a, const oracle_results *r,
                                           oracle_magnitudes largest, size_t i) {
    const size_t n_k = a->n_k;
    const double *p = r->weights + i * n_k, *s = r->masked + i * n_k;
    const int64_t previous = (int64_t)i + a->window.offset - 1;
    double sum = 0, squares = 0, entropy = 0, top = 0, count = 0, total = 0, spread = 0;
    double largest_score = -(double)INFINITY;
    for (size_t j = 0; j < n_k; j++) {
        sum += p[j];
        squares += p[j] * p[j];
        entropy -= p[j] > 0 ? p[j] * log(p[j]) : 0;
        top = fmax(top, p[j]);
        largest_score = fmax(largest_score, s[j]);
        count += s[j] != -(double)INFINITY;
        total += s[j] != -(double)INFINITY ? s[j] : 0;
    }
    for (size_t j = 0; j < n_k; j++)
        spread += s[j] != -(double)INFINITY ? (s[j] - total / count) * (s[j] - total / count) : 0;
    const double weight = 1 + 2 * largest.capped, score = 1 + largest.capped;
    const double effective = squares > 0 ? 1 / squares : 0;
    return (oracle_row){.exact = {entropy, effective, sum - squares, top, largest_score,
                                  total / count, sqrt(spread / count), count, n_k > 0 ? p[0] : 0,
                                  previous >= 0 && previous < (int64_t)n_k ? p[previous] : 0,
                                  isfinite((double)a->sink) ? exp((double)a->sink - r->lse[i]) : 0},
                        .magnitude = {(1 + entropy) * weight, effective * 2 * weight, 3 * weight,
                                      weight, score, score, score, 0, weight, weight, weight}};
}

/* cells [rows, columns] = sums of weights [n_q, n_k], or the largest of each block. */
ORACLE_STATIC void oracle_pool(const double *weights, size_t n_q, size_t n_k, size_t rows,
                               size_t columns, int largest, double *cells) {
    for (size_t b = 0; b < rows; b++)
        for (size_t c = 0; c < columns; c++) {
            double *cell = cells + b * columns + c;
            *cell = 0;
            for (size_t i = b * n_q / rows; i < (b + 1) * n_q / rows; i++)
                for (size_t j = c * n_k / columns; j < (c + 1) * n_k / columns; j++) {
                    const double p = weights[i * n_k + j];
                    *cell = largest ? fmax(*cell, p) : *cell + p;
                }
        }
}

#endif
