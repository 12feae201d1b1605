/*
 * score_moments.c: mean and deviation of the scores of all pairs, without a pair. With covariances
 * C about the means q and k, the variance of all q_i . k_j is tr(C_q C_k) + q^T C_k q + k^T C_q k.
 * Sums are float64, in index order.
 */
#include "attn.h"
#include "check.h"
#include "f32x4.h"

/* One side: its rows, and scratch for its moments. */
typedef struct {
    const float *x; /* [n, d] */
    uint32_t n, d;
    double *mean;       /* [d] */
    double *difference; /* [d]: of a row from the mean */
    double *covariance; /* [d, d] */
} side;

ATTN_SMALL uint32_t attn_score_moments_scratch(uint32_t d) {
    return check_scratch(2 * check_floats((uint64_t)d + 2, check_product(2, d)));
}

/* Allocates the moments of a side at *scratch and moves it on. */
static ATTN_SMALL void allocate_side(side *s, void **scratch) {
    s->mean = (void *)check_allocate(scratch, (size_t)s->d + 2, (size_t)2 * s->d);
    s->difference = s->mean + s->d;
    s->covariance = s->difference + s->d;
}

static ATTN_SMALL void find_mean(const side *s) {
    for (size_t c = 0; c < s->d; c++)
        s->mean[c] = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t c = 0; c < s->d; c++)
            s->mean[c] += (double)s->x[i * s->d + c];
    for (size_t c = 0; c < s->d; c++)
        s->mean[c] /= s->n;
}

/* sums [n] += factor * x [n], in vectors of the compiler. */
static ATTN_STAGE void add_multiple(double *restrict sums, double factor, const double *restrict x,
                                    size_t n) {
    for (size_t c = 0; c < n; c++)
        sums[c] += factor * x[c];
}

/* Finds the upper triangle of the covariance. */
static ATTN_SMALL void find_covariance(const side *s) {
    const size_t d = s->d;
    for (size_t c = 0; c < d * d; c++)
        s->covariance[c] = 0;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t c = 0; c < d; c++)
            s->difference[c] = (double)s->x[i * d + c] - s->mean[c];
        for (size_t a = 0; a < d; a++)
            add_multiple(s->covariance + a * d + a, s->difference[a], s->difference + a, d - a);
    }
    for (size_t c = 0; c < d * d; c++)
        s->covariance[c] /= s->n;
}

/* Returns the sum of squares of the entries a row, tr M. */
static ATTN_SMALL double trace_of(const side *s) {
    double trace = 0;
    for (size_t c = 0; c < s->d; c++)
        trace += s->covariance[c * s->d + c] + s->mean[c] * s->mean[c];
    return trace;
}

/* Returns the variance of all scores. */
static ATTN_SMALL double variance_of(const side *q, const side *k) {
    const size_t d = q->d;
    double variance = 0;
    for (size_t a = 0; a < d; a++)
        for (size_t b = a; b < d; b++) {
            const double cq = q->covariance[a * d + b], ck = k->covariance[a * d + b];
            const double term =
                cq * ck + q->mean[a] * q->mean[b] * ck + k->mean[a] * k->mean[b] * cq;
            variance += a == b ? term : 2 * term;
        }
    return variance < 0 ? 0 : variance;
}

ATTN_SMALL attn_status attn_score_moments(const float *query, uint32_t n_q, const float *key,
                                          uint32_t n_k, uint32_t d, double moments[5],
                                          void *scratch) {
    side q = {.x = query, .n = n_q, .d = d}, k = {.x = key, .n = n_k, .d = d};
    double mean = 0;
    if (d == 0)
        return ATTN_ERROR_SHAPE;
    if (!check_fits(n_q, d) || !check_fits(n_k, d) ||
        attn_score_moments_scratch(d) == ATTN_TOO_LARGE)
        return ATTN_ERROR_CAPACITY;
    allocate_side(&q, &scratch);
    allocate_side(&k, &scratch);
    find_mean(&q);
    find_covariance(&q);
    find_mean(&k);
    find_covariance(&k);
    for (size_t c = 0; c < d; c++)
        mean += q.mean[c] * k.mean[c];
    const double variance = variance_of(&q, &k), trace_q = trace_of(&q), trace_k = trace_of(&k);
    moments[0] = mean;
    moments[1] = __builtin_sqrt(variance);
    moments[2] = trace_q * trace_k / (variance + mean * mean);
    moments[3] = __builtin_sqrt(trace_q / d);
    moments[4] = __builtin_sqrt(trace_k / d);
    return ATTN_OK;
}
