/*
 * language_parts_fuzz.c: both norms, gelu, embeddings, cross-entropy and AdamW with any shape and
 * numbers, against the oracle.
 */
#include "../fuzz.h"
#include "language/oracle_language.h"

static double *widened(const float *x, size_t count) {
    double *wide = fuzz_doubles(count);
    for (size_t i = 0; i < count; i++)
        wide[i] = (double)x[i];
    return wide;
}

static void fuzz_norm(fuzz_input *input) {
    const uint32_t rows = fuzz_size(input, 0) % 20, d = fuzz_size(input, 1);
    const size_t count = (size_t)rows * d;
    const float *x = fuzz_floats(input, count), *d_y = fuzz_floats(input, count);
    const float *weight = fuzz_floats(input, d), *bias = fuzz_floats(input, d);
    float *y = fuzz_memory(count), *statistics = fuzz_memory((size_t)rows * 2);
    float *d_x = fuzz_zeros(count), *d_weight = fuzz_memory(d), *d_bias = fuzz_memory(d);
    void *scratch = fuzz_scratch(attn_layer_norm_backward_scratch(d));
    attn_layer_norm_forward(x, weight, bias, rows, d, y, statistics);
    attn_layer_norm_backward(x, weight, statistics, d_y, rows, d, d_x, d_weight, d_bias, scratch);
    double *wide = widened(x, count), *weights = widened(weight, d), *biases = widened(bias, d);
    double *expected = fuzz_doubles(d);
    for (size_t i = 0; !input->wild && i < rows; i++) {
        oracle_layer_norm(wide + i * d, weights, biases, d, expected);
        /* Equal numbers, whose spread is rounding, divide it by the root of 1e-5. */
        fuzz_compare("y", y + i * d, expected, d, 0x1p-24 * 4 * 4 * 320 * 8);
    }
    for (size_t j = 0; !input->wild && j < d; j++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i++)
            sum += (double)d_y[i * d + j];
        fuzz_close("d_bias", j, (double)d_bias[j], sum, 1e-5 * rows);
    }
}

static void fuzz_rms_norm(fuzz_input *input) {
    const uint32_t rows = fuzz_size(input, 0) % 20, d = fuzz_size(input, 1);
    const size_t count = (size_t)rows * d;
    const float *x = fuzz_floats(input, count), *weight = fuzz_floats(input, d);
    float *y = fuzz_memory(count), *d_x = fuzz_floats(input, count);
    float *d_weight = fuzz_zeros(d), *sums = fuzz_memory(d);
    attn_rms_norm_forward(x, weight, rows, d, y);
    double *expected = widened(x, count), *weights = widened(weight, d);
    for (size_t i = 0; !input->wild && i < rows; i++) {
        oracle_rms_norm(expected + i * d, weights, d);
        fuzz_compare("y", y + i * d, expected + i * d, d, 0x1p-24 * 4 * 8);
    }
    double *d_y = widened(d_x, count), along = 0, size = 0;
    attn_rms_norm_backward(x, weight, d_x, rows, d, d_x, d_weight, sums);
    /* The norm is linear in its weights. */
    for (size_t i = 0; i < count; i++) {
        along += d_y[i] * expected[i];
        size += fabs(d_y[i] * expected[i]);
    }
    for (size_t j = 0; j < d; j++)
        along -= (double)d_weight[j] * weights[j];
    if (!input->wild)
        fuzz_close("weights", 0, along, 0, 1e-5 * (1 + size));
}

static void fuzz_gelu(fuzz_input *input) {
    const uint32_t rows = fuzz_size(input, 0) % 9, columns = 3 * fuzz_size(input, 0);
    const size_t count = (size_t)rows * columns;
    const float *x = fuzz_floats(input, count), *bias = fuzz_floats(input, columns);
    float *y = fuzz_memory(count), *slope = fuzz_memory(count), *d_x = fuzz_memory(count);
    attn_gelu_forward(x, bias, rows, columns, y, slope);
    attn_gelu_backward(slope, y, (uint32_t)count, d_x);
    for (size_t i = 0; i < count; i++) {
        const double u = (double)(x[i] + bias[i % columns]);
        if (!input->wild)
            fuzz_close("y", i, (double)y[i], oracle_gelu(u), 4 * 0x1p-24 * fmax(1, fabs(u)));
        FUZZ_CHECK(isnan(u) == isnan(y[i]) || isinf(u));
    }
}

static void fuzz_embedding(fuzz_input *input) {
    const uint32_t vocabulary = fuzz_size(input, 1), d = fuzz_size(input, 0);
    const uint32_t batch = fuzz_size(input, 0) % 4, n = fuzz_size(input, 0) % 20;
    const size_t count = (size_t)batch * n * d;
    uint32_t *tokens = fuzz_keep(calloc((size_t)batch * n + 1, sizeof *tokens));
    for (uint32_t i = 0; i < batch * n; i++)
        tokens[i] = fuzz_word(input) % vocabulary;
    const float *token = fuzz_floats(input, (size_t)vocabulary * d);
    const float *position = fuzz_floats(input, (size_t)n * d);
    float *x = fuzz_memory(count);
    float *d_token = fuzz_zeros((size_t)vocabulary * d), *d_position = fuzz_zeros((size_t)n * d);
    attn_embedding_forward(token, position, tokens, batch, n, d, x);
    attn_embedding_backward(tokens, x, batch, n, d, d_token, d_position);
    double sums[2] = {0, 0};
    for (size_t i = 0; i < (size_t)vocabulary * d; i++)
        sums[0] += (double)d_token[i];
    for (size_t i = 0; i < (size_t)n * d; i++)
        sums[1] += (double)d_position[i];
    if (!input->wild)
        fuzz_close("sum", 0, sums[0], sums[1], 1e-3 * (1 + (double)count));
}

static void fuzz_cross_entropy(fuzz_input *input) {
    const uint32_t rows = fuzz_size(input, 0) % 30, columns = fuzz_size(input, 1);
    const size_t count = (size_t)rows * columns;
    const float *logits = fuzz_floats(input, count);
    int32_t *targets = fuzz_keep(calloc(rows + 1, sizeof *targets));
    float *weights = fuzz_memory(count), *d_logits = fuzz_memory(count);
    double *wide = widened(logits, count), loss, expected = 0;
    uint32_t counted = 0;
    for (uint32_t i = 0; i < rows; i++) {
        targets[i] = (int32_t)(fuzz_word(input) % (columns + 1)) - 1;
        counted += targets[i] >= 0;
        if (targets[i] >= 0)
            expected +=
                oracle_cross_entropy(wide + (size_t)i * columns, columns, (size_t)targets[i]);
    }
    attn_cross_entropy_forward(logits, targets, rows, columns, weights, &loss);
    attn_cross_entropy_backward(weights, targets, rows, columns, d_logits);
    if (input->wild)
        return;
    fuzz_close("loss", 0, loss, counted > 0 ? expected / counted : 0, 1e-5);
    for (size_t i = 0; i < rows; i++) {
        double sum = 0; /* of a row's gradient */
        for (size_t j = 0; j < columns; j++)
            sum += (double)d_logits[i * columns + j];
        fuzz_close("sum", i, sum, 0, 1e-5);
    }
}

static void fuzz_adamw(fuzz_input *input) {
    const uint32_t count = fuzz_size(input, 0);
    const attn_adamw o = {0.01F, 0.9F, 0.99F, 1e-8F, 0.5F, (float)(fuzz_byte(input) % 3), 1};
    const float *g = fuzz_floats(input, count), *before = fuzz_floats(input, count);
    float *x = fuzz_memory(count), *first = fuzz_zeros(count), *second = fuzz_zeros(count);
    double norm;
    memcpy(x, before, count * sizeof *x);
    attn_gradient_norm(g, count, &norm);
    attn_adamw_step(&o, g, norm, count, x, first, second);
    for (uint32_t i = 0; !input->wild && i < count; i++) { /* a first step moves by the rate */
        const double kept = (double)before[i] * (1 - 0.01 * 0.5);
        const double clipped = (double)g[i] * (o.clip > 0 ? fmin(1, (double)o.clip / norm) : 1);
        const double sign = g[i] == 0 ? 0 : clipped / (fabs(clipped) + 1e-8);
        fuzz_close("x", i, (double)x[i], kept - 0.01 * sign, 1e-5);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    void (*const parts[])(fuzz_input *) = {fuzz_norm,          fuzz_gelu,  fuzz_embedding,
                                           fuzz_cross_entropy, fuzz_adamw, fuzz_rms_norm};
    parts[fuzz_byte(&input) % 6](&input);
    return fuzz_end();
}
