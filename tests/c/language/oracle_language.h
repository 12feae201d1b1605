/*
 * oracle_language.h: the language model and its parts in float64, written to be read.
 */
#ifndef ATTN_TEST_ORACLE_LANGUAGE_H
#define ATTN_TEST_ORACLE_LANGUAGE_H

#include "language/language.h"
#include "oracle.h"

/* ---- parts ---------------------------------------------------------------------------- */

/* y [d] = the layer norm of x [d]. */
ORACLE_STATIC void oracle_layer_norm(const double *x, const double *weight, const double *bias,
                                     size_t d, double *y) {
    double mean = 0, variance = 0;
    for (size_t j = 0; j < d; j++)
        mean += x[j] / (double)d;
    for (size_t j = 0; j < d; j++)
        variance += (x[j] - mean) * (x[j] - mean) / (double)d;
    for (size_t j = 0; j < d; j++)
        y[j] = (x[j] - mean) / sqrt(variance + 1e-5) * weight[j] + bias[j];
}

/* x [d] becomes its norm by the root mean square. */
ORACLE_STATIC void oracle_rms_norm(double *x, const double *weight, size_t d) {
    double square = 0;
    for (size_t j = 0; j < d; j++)
        square += x[j] * x[j] / (double)d;
    for (size_t j = 0; j < d; j++)
        x[j] *= weight[j] / sqrt(square + 1e-6);
}

ORACLE_STATIC double oracle_gelu(double u) {
    const double z = sqrt(2 / 3.14159265358979323846) * (u + 0.044715 * u * u * u);
    return u / (1 + exp(-2 * z));
}

/* -log softmax(logits [columns])[target]. */
ORACLE_STATIC double oracle_cross_entropy(const double *logits, size_t columns, size_t target) {
    double maximum = -(double)INFINITY, sum = 0;
    for (size_t j = 0; j < columns; j++)
        maximum = fmax(maximum, logits[j]);
    for (size_t j = 0; j < columns; j++)
        sum += exp(logits[j] - maximum);
    return maximum + log(sum) - logits[target];
}

/* y [d_out] += weight [d_out, d_in] x. */
ORACLE_STATIC void oracle_add_linear(const double *x, const double *weight, size_t d_in,
                                     size_t d_out, double *y) {
    for (size_t i = 0; i < d_out; i++)
        for (size_t j = 0; j < d_in; j++)
            y[i] += weight[i * d_in + j] * x[j];
}

/* ---- the model -------------------------------------------------------------------------- */

/* Adds the attention of one head to heads [n, width]; queries, keys and values likewise. */
ORACLE_STATIC void oracle_causal_head(const double *query, const double *key, const double *value,
                                      size_t n, size_t width, size_t d_key, double scale,
                                      double *heads) {
    for (size_t i = 0; i < n; i++) {
        double weight[64], sum = 0, maximum = -(double)INFINITY;
        for (size_t j = 0; j <= i; j++) {
            weight[j] = 0;
            for (size_t c = 0; c < d_key; c++)
                weight[j] += scale * query[i * width + c] * key[j * width + c];
            maximum = fmax(maximum, weight[j]);
        }
        for (size_t j = 0; j <= i; j++)
            sum += weight[j] = exp(weight[j] - maximum);
        for (size_t j = 0; j <= i; j++)
            for (size_t c = 0; c < d_key; c++)
                heads[i * width + c] += weight[j] / sum * value[j * width + c];
    }
}

/* x [n, d] becomes the result of a layer with parameters p; returns where the next ones begin. */
ORACLE_STATIC const double *oracle_layer(const attn_language *m, const double *p, size_t n,
                                         double *x) {
    const size_t d = m->d_model, width = (size_t)m->heads * m->d_key;
    const size_t parts = m->keys_as_values ? 2 : 3;
    const double *norm1 = p, *mixed = p + 2 * d, *gains = mixed + parts * width * d;
    const double *log_scale = gains + (m->query_key_norm ? 2 * m->d_key : 0);
    const double *output = log_scale + (m->learned_scale ? m->heads : 0);
    const double *norm2 = output + d * width, *up = norm2 + 2 * d, *up_bias = up + 4 * d * d;
    const double *down = up_bias + 4 * d, *down_bias = down + 4 * d * d;
    double *y = doubles(n * d), *part[3], *heads = doubles(n * width), *wide = doubles(4 * d);
    memset(heads, 0, n * width * sizeof *heads);
    for (size_t i = 0; i < n; i++)
        oracle_layer_norm(x + i * d, norm1, norm1 + d, d, y + i * d);
    for (size_t k = 0; k < 3; k++) {
        part[k] = doubles(n * width);
        memset(part[k], 0, n * width * sizeof **part);
        for (size_t i = 0; i < n; i++)
            oracle_add_linear(y + i * d, mixed + (k < parts ? k : 1) * width * d, d, width,
                              part[k] + i * width);
    }
    for (size_t k = 0; m->query_key_norm && k < 2; k++)
        for (size_t i = 0; i < n * m->heads; i++)
            oracle_rms_norm(part[k] + i * m->d_key, gains + k * m->d_key, m->d_key);
    for (size_t h = 0; h < m->heads; h++) {
        const size_t at = h * m->d_key;
        const double scale = m->learned_scale ? exp(log_scale[h]) : (double)m->scale;
        oracle_causal_head(part[0] + at, part[1] + at, part[2] + at, n, width, m->d_key, scale,
                           heads + at);
    }
    for (size_t i = 0; i < n; i++) {
        oracle_add_linear(heads + i * width, output, width, d, x + i * d);
        oracle_layer_norm(x + i * d, norm2, norm2 + d, d, y);
        memcpy(wide, up_bias, 4 * d * sizeof *wide);
        oracle_add_linear(y, up, d, 4 * d, wide);
        for (size_t j = 0; j < 4 * d; j++)
            wide[j] = oracle_gelu(wide[j]);
        for (size_t j = 0; j < d; j++)
            x[i * d + j] += down_bias[j];
        oracle_add_linear(wide, down, 4 * d, d, x + i * d);
    }
    for (size_t k = 0; k < 3; k++)
        free(part[k]);
    free(y), free(heads), free(wide);
    return down_bias + d;
}

/* Returns the loss, 0 without targets; logits [batch, n, vocabulary] may be null. */
ORACLE_STATIC double oracle_language(const attn_language *m, const double *p, const attn_text *t,
                                     double *logits) {
    const size_t d = m->d_model, n = t->n, vocabulary = m->vocabulary;
    double *x = doubles(n * d), *y = doubles(d), *row = doubles(vocabulary), loss = 0;
    size_t counted = 0;
    for (size_t b = 0; b < t->batch; b++) {
        const double *next = p + (vocabulary + m->context) * d;
        for (size_t i = 0; i < n * d; i++)
            x[i] = p[t->tokens[b * n + i / d] * d + i % d] + p[vocabulary * d + i];
        for (size_t l = 0; l < m->layers; l++)
            next = oracle_layer(m, next, n, x);
        for (size_t i = 0; i < n; i++) {
            const int32_t target = t->targets == NULL ? -1 : t->targets[b * n + i];
            oracle_layer_norm(x + i * d, next, next + d, d, y);
            memset(row, 0, vocabulary * sizeof *row);
            oracle_add_linear(y, p, d, vocabulary, row);
            if (logits != NULL)
                memcpy(logits + (b * n + i) * vocabulary, row, vocabulary * sizeof *row);
            if (target >= 0) {
                loss += oracle_cross_entropy(row, vocabulary, (size_t)target);
                counted++;
            }
        }
    }
    free(x), free(y), free(row);
    return counted > 0 ? loss / (double)counted : 0;
}

/* gradients [count] of the loss, by central differences. */
ORACLE_STATIC void oracle_language_gradient(const attn_language *m, const float *parameters,
                                            const attn_text *t, size_t count, double *gradients) {
    const double step = 1e-5;
    double *p = doubles(count);
    for (size_t i = 0; i < count; i++)
        p[i] = (double)parameters[i];
    for (size_t i = 0; i < count; i++) {
        const double x = p[i];
        p[i] = x + step;
        const double above = oracle_language(m, p, t, NULL);
        p[i] = x - step;
        gradients[i] = (above - oracle_language(m, p, t, NULL)) / (2 * step);
        p[i] = x;
    }
    free(p);
}

#endif
