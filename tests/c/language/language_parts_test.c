/* The parts of the language model: both norms, gelu, embeddings, cross-entropy and AdamW. */
#include "harness.h"
#include "language/language.h"
#include "oracle_language.h"

static double *widened(const float *x, size_t count) {
    double *wide = doubles(count);
    for (size_t i = 0; i < count; i++)
        wide[i] = (double)x[i];
    return wide;
}

/* ---- layer norm ------------------------------------------------------------------------- */

static const uint32_t widths[] = {1, 2, 3, 4, 6, 7, 8, 13, 64, 130};

TEST("a layer norm is that of float64 for any width") {
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const uint32_t d = widths[w], rows = 5;
        float *x = guarded_normals(rows * d, w, 3), *weight = guarded_normals(d, w + 20, 1);
        float *bias = guarded_normals(d, w + 40, 1), *y = guarded_floats(rows * d);
        float *statistics = guarded_floats(2 * rows);
        attn_layer_norm_forward(x, weight, bias, rows, d, y, statistics);
        double *wide = widened(x, rows * d), *weights = widened(weight, d);
        double *biases = widened(bias, d), *expected = doubles(d);
        for (size_t i = 0; i < rows; i++) {
            oracle_layer_norm(wide + i * d, weights, biases, d, expected);
            CHECK_ALL_CLOSE(y + i * d, expected, d, d == 1 ? 1e-3 : 3e-6);
        }
        free(wide), free(weights), free(biases), free(expected);
    }
}

/* sum of d_y * layer norm of a row. */
static double normed_sum(const double *x, const double *weight, const double *bias,
                         const float *d_y, size_t d) {
    double *y = doubles(d), sum = 0;
    oracle_layer_norm(x, weight, bias, d, y);
    for (size_t j = 0; j < d; j++)
        sum += (double)d_y[j] * y[j];
    free(y);
    return sum;
}

/* The difference of normed_sum over all rows when *number moves by a step to either side. */
static double difference(double *number, const double *x, const double *weight, const double *bias,
                         const float *d_y, size_t rows, size_t d) {
    const double step = 1e-6, before = *number;
    double sum = 0;
    for (int side = 1; side >= -1; side -= 2) {
        *number = before + side * step;
        for (size_t i = 0; i < rows; i++)
            sum += side * normed_sum(x + i * d, weight, bias, d_y + i * d, d);
    }
    *number = before;
    return sum / (2 * step);
}

TEST("the gradient of a layer norm is that of differences, and d_x is added to") {
    const uint32_t rows = 3, d = 7;
    float *x = guarded_normals(rows * d, 1, 2), *weight = guarded_normals(d, 2, 1);
    float *bias = guarded_normals(d, 3, 1), *d_y = guarded_normals(rows * d, 4, 1);
    float *y = guarded_floats(rows * d), *statistics = guarded_floats(2 * rows);
    float *d_x = guarded_equal(rows * d, 0.5f), *d_weight = guarded_floats(d);
    float *d_bias = guarded_floats(d);
    void *scratch = guarded_bytes(attn_layer_norm_backward_scratch(d), 16);
    attn_layer_norm_forward(x, weight, bias, rows, d, y, statistics);
    attn_layer_norm_backward(x, weight, statistics, d_y, rows, d, d_x, d_weight, d_bias, scratch);
    double *wide = widened(x, rows * d), *weights = widened(weight, d), *biases = widened(bias, d);
    for (size_t i = 0; i < rows * d; i++)
        CHECK_CLOSE(d_x[i], 0.5 + difference(wide + i, wide, weights, biases, d_y, rows, d), 2e-6);
    for (size_t j = 0; j < d; j++) {
        CHECK_CLOSE(d_weight[j], difference(weights + j, wide, weights, biases, d_y, rows, d),
                    2e-6);
        CHECK_CLOSE(d_bias[j], difference(biases + j, wide, weights, biases, d_y, rows, d), 2e-6);
    }
    free(wide), free(weights), free(biases);
}

TEST("gradients of a layer norm's parameters keep their accuracy over 100 000 rows") {
    const uint32_t rows = 100000, d = 4;
    float *x = guarded_normals(rows * d, 1, 1), *weight = guarded_equal(d, 1);
    float *bias = guarded_equal(d, 0), *d_y = guarded_equal(rows * d, 0.1f);
    float *y = guarded_floats(rows * d), *statistics = guarded_floats(2 * rows);
    float *d_x = guarded_equal(rows * d, 0), *d_weight = guarded_floats(d);
    float *d_bias = guarded_floats(d);
    void *scratch = guarded_bytes(attn_layer_norm_backward_scratch(d), 16);
    attn_layer_norm_forward(x, weight, bias, rows, d, y, statistics);
    attn_layer_norm_backward(x, weight, statistics, d_y, rows, d, d_x, d_weight, d_bias, scratch);
    for (size_t j = 0; j < d; j++)
        CHECK_CLOSE(d_bias[j], rows * (double)0.1f, rows * 1e-6); /* one chain: 2e-4 */
}

TEST("a layer norm of no rows writes zeros as gradients of its parameters, one of no columns "
     "nothing") {
    float x[1] = {0}, weight[2] = {1, 1}, d_weight[2] = {5, 5}, d_bias[2] = {5, 5};
    _Alignas(16) float scratch[16];
    attn_layer_norm_forward(x, weight, weight, 0, 2, x, x);
    attn_layer_norm_backward(x, weight, x, x, 0, 2, x, d_weight, d_bias, scratch);
    CHECK(d_weight[0] == 0 && d_weight[1] == 0 && d_bias[0] == 0 && d_bias[1] == 0);
    d_weight[0] = 5;
    attn_layer_norm_forward(x, weight, weight, 3, 0, x, d_weight);
    attn_layer_norm_backward(x, weight, x, x, 3, 0, x, d_weight, d_bias, scratch);
    CHECK(d_weight[0] == 5 && x[0] == 0);
}

TEST("NaN in a row of a layer norm stays in that row") {
    float x[6] = {1, 2, 3, 4, NAN, 6}, weight[3] = {1, 1, 1}, bias[3] = {0, 0, 0}, y[6], s[4];
    attn_layer_norm_forward(x, weight, bias, 2, 3, y, s);
    for (int j = 0; j < 3; j++) {
        CHECK(isfinite(y[j]));
        CHECK(isnan(y[3 + j]));
    }
}

/* ---- norm by the root mean square --------------------------------------------------------- */

TEST("a norm by the root mean square is that of float64 for any width, also in place") {
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const uint32_t d = widths[w], rows = 5;
        float *x = guarded_normals(rows * d, w, 3), *weight = guarded_normals(d, w + 20, 1);
        float *y = guarded_floats(rows * d);
        attn_rms_norm_forward(x, weight, rows, d, y);
        double *expected = widened(x, rows * d), *weights = widened(weight, d);
        for (size_t i = 0; i < rows; i++)
            oracle_rms_norm(expected + i * d, weights, d);
        CHECK_ALL_CLOSE(y, expected, rows * d, 1e-6);
        attn_rms_norm_forward(x, weight, rows, d, x);
        CHECK_SAME_FLOATS(x, y, rows * d);
        free(expected), free(weights);
    }
}

/* The sum of d_y * the norm of rows of x. */
static double rms_normed_sum(const double *x, const double *weight, const float *d_y, size_t rows,
                             size_t d) {
    double *y = doubles(rows * d), sum = 0;
    memcpy(y, x, rows * d * sizeof *y);
    for (size_t i = 0; i < rows; i++)
        oracle_rms_norm(y + i * d, weight, d);
    for (size_t i = 0; i < rows * d; i++)
        sum += (double)d_y[i] * y[i];
    free(y);
    return sum;
}

TEST("the gradient of a norm by the root mean square is that of differences, and d_weight is added "
     "to") {
    const uint32_t rows = 3, d = 7;
    const double step = 1e-6;
    float *x = guarded_normals(rows * d, 1, 2), *weight = guarded_normals(d, 2, 1);
    float *d_y = guarded_normals(rows * d, 4, 1), *d_weight = guarded_equal(d, 0.5f);
    float *d_x = guarded_floats(rows * d), *sums = guarded_floats(d);
    for (uint32_t j = 0; j < d; j++)
        x[d + j] *= 1e-3f; /* where 1e-6 counts */
    attn_rms_norm_backward(x, weight, d_y, rows, d, d_x, d_weight, sums);
    double *wide = widened(x, rows * d), *weights = widened(weight, d);
    for (size_t i = 0; i < rows * d + d; i++) {
        double *const number = i < rows * d ? wide + i : weights + (i - rows * d), before = *number;
        *number = before + step;
        const double above = rms_normed_sum(wide, weights, d_y, rows, d);
        *number = before - step;
        const double slope = (above - rms_normed_sum(wide, weights, d_y, rows, d)) / (2 * step);
        *number = before;
        if (i < rows * d)
            CHECK_CLOSE(d_x[i], slope, 3e-6 * fmax(1, fabs(slope)));
        else
            CHECK_CLOSE(d_weight[i - rows * d], 0.5 + slope, 3e-6);
    }
    attn_rms_norm_backward(x, weight, d_y, rows, d, d_y, d_weight, sums);
    CHECK_SAME_FLOATS(d_y, d_x, rows * d);
    free(wide), free(weights);
}

TEST("NaN in a row of a norm by the root mean square stays in that row, and zeros stay zeros") {
    float x[6] = {0, 0, 0, 4, NAN, 6}, weight[3] = {1, 1, 1}, y[6];
    attn_rms_norm_forward(x, weight, 2, 3, y);
    for (int j = 0; j < 3; j++) {
        CHECK(y[j] == 0);
        CHECK(isnan(y[3 + j]));
    }
}

/* ---- gelu --------------------------------------------------------------------------------- */

/* The derivative of oracle_gelu. */
static double gelu_slope(double u) {
    const double c = sqrt(2 / 3.14159265358979323846);
    const double z = c * (u + 0.044715 * u * u * u), s = 1 / (1 + exp(-2 * z));
    return s + 2 * u * s * (1 - s) * c * (1 + 3 * 0.044715 * u * u);
}

TEST("gelu and its slope are those of float64, over 30 000 numbers from -15 to 15") {
    const uint32_t columns = 301, rows = 100;
    float *x = guarded_floats(rows * columns), *bias = guarded_normals(columns, 1, 0.1);
    float *y = guarded_floats(rows * columns), *slope = guarded_floats(rows * columns);
    for (uint32_t i = 0; i < rows * columns; i++)
        x[i] = -15 + (float)i * 0.001f;
    attn_gelu_forward(x, bias, rows, columns, y, slope);
    for (uint32_t i = 0; i < rows * columns; i++) {
        const double u = (double)(x[i] + bias[i % columns]);
        CHECK_CLOSE(y[i], oracle_gelu(u), 4 * 0x1p-24 * fmax(1, fabs(u)));
        CHECK_CLOSE(slope[i], gelu_slope(u), 8 * 0x1p-24);
    }
}

TEST("gelu of large numbers is the number or 0, with slope 1 or 0") {
    const float x[6] = {-1e30f, -200, 200, 1e30f, 0, -0.0f}, bias[6] = {0, 0, 0, 0, 0, 0};
    const float expected[6] = {0, 0, 200, 1e30f, 0, 0}, slopes[6] = {0, 0, 1, 1, 0.5f, 0.5f};
    float y[6], slope[6];
    attn_gelu_forward(x, bias, 1, 6, y, slope);
    for (int i = 0; i < 6; i++) {
        CHECK(y[i] == expected[i]);
        CHECK(slope[i] == slopes[i]);
    }
}

TEST("gelu gives the same bits in place and without a slope, and NaN for NaN") {
    const uint32_t columns = 259;
    float *x = guarded_normals(2 * columns, 1, 2), *bias = guarded_normals(columns, 2, 1);
    float *y = guarded_floats(2 * columns), *slope = guarded_floats(2 * columns);
    float *same = guarded_floats(2 * columns);
    x[7] = NAN;
    memcpy(same, x, 2 * columns * sizeof *x);
    attn_gelu_forward(x, bias, 2, columns, y, slope);
    attn_gelu_forward(same, bias, 2, columns, same, NULL);
    CHECK_SAME_FLOATS(same, y, 2 * columns);
    CHECK(isnan(y[7]) && isnan(slope[7]) && isfinite(y[6]) && isfinite(y[8]));
    attn_gelu_forward(x, bias, 2, columns, same, x);
    CHECK_SAME_FLOATS(x, slope, 2 * columns);
    attn_gelu_backward(slope, y, 2 * columns, same);
    attn_gelu_backward(slope, y, 2 * columns, y);
    CHECK_SAME_FLOATS(same, y, 2 * columns);
}

/* ---- embedding ------------------------------------------------------------------------------ */

TEST("embeddings are the sums of rows, and their gradients the sums over places") {
    const uint32_t vocabulary = 4, d = 5, batch = 2, n = 3, tokens[6] = {3, 0, 3, 1, 3, 0};
    float *token = guarded_normals(vocabulary * d, 1, 1), *position = guarded_normals(n * d, 2, 1);
    float *x = guarded_floats(batch * n * d), *d_x = guarded_normals(batch * n * d, 3, 1);
    float *d_token = guarded_equal(vocabulary * d, 1), *d_position = guarded_equal(n * d, 2);
    attn_embedding_forward(token, position, tokens, batch, n, d, x);
    attn_embedding_backward(tokens, d_x, batch, n, d, d_token, d_position);
    for (uint32_t i = 0; i < batch * n * d; i++)
        CHECK(x[i] == token[tokens[i / d] * d + i % d] + position[i % (n * d)]);
    for (uint32_t i = 0; i < vocabulary * d; i++) {
        double sum = 1;
        for (uint32_t place = 0; place < batch * n; place++)
            sum += tokens[place] == i / d ? (double)d_x[place * d + i % d] : 0;
        CHECK_CLOSE(d_token[i], sum, 1e-6);
    }
    for (uint32_t i = 0; i < n * d; i++)
        CHECK_CLOSE(d_position[i], 2 + (double)d_x[i] + (double)d_x[n * d + i], 1e-6);
}

/* ---- cross-entropy --------------------------------------------------------------------------- */

TEST("the cross-entropy and its gradient are those of float64, over targets that are not -1") {
    const uint32_t rows = 6, columns = 37;
    const int32_t targets[6] = {3, -1, 36, 0, -1, 17};
    float *logits = guarded_normals(rows * columns, 1, 4);
    float *weights = guarded_floats(rows * columns), *d_logits = guarded_floats(rows * columns);
    double loss, expected = 0;
    attn_cross_entropy_forward(logits, targets, rows, columns, weights, &loss);
    attn_cross_entropy_backward(weights, targets, rows, columns, d_logits);
    double *wide = widened(logits, rows * columns);
    for (uint32_t i = 0; i < rows; i++) {
        if (targets[i] < 0) {
            for (uint32_t j = 0; j < columns; j++)
                CHECK(d_logits[i * columns + j] == 0);
            continue;
        }
        const double *row = wide + i * columns;
        const double minus_log = oracle_cross_entropy(row, columns, (size_t)targets[i]);
        expected += minus_log / 4;
        for (uint32_t j = 0; j < columns; j++) {
            const double p = exp(row[j] - row[targets[i]] - minus_log);
            CHECK_CLOSE(d_logits[i * columns + j], (p - (j == (uint32_t)targets[i])) / 4, 1e-7);
        }
    }
    CHECK_CLOSE(loss, expected, 1e-6);
    free(wide);
}

TEST("the cross-entropy gives the same bits in place, and 0 where no row counts") {
    const int32_t targets[2] = {1, 4}, none[2] = {-1, -1};
    float *logits = guarded_normals(10, 1, 2), *weights = guarded_floats(10);
    float *d_logits = guarded_floats(10);
    double loss, again;
    attn_cross_entropy_forward(logits, targets, 2, 5, weights, &loss);
    attn_cross_entropy_backward(weights, targets, 2, 5, d_logits);
    attn_cross_entropy_forward(logits, targets, 2, 5, logits, &again);
    attn_cross_entropy_backward(logits, targets, 2, 5, logits);
    CHECK(loss == again);
    CHECK_SAME_FLOATS(logits, d_logits, 10);
    attn_cross_entropy_forward(logits, none, 2, 5, weights, &loss);
    attn_cross_entropy_backward(weights, none, 2, 5, d_logits);
    CHECK(loss == 0);
    for (int i = 0; i < 10; i++)
        CHECK(d_logits[i] == 0);
}

/* ---- AdamW -------------------------------------------------------------------------------------
 */

TEST("steps of AdamW are those of float64, with a clipped gradient or not") {
    for (int clipped = 0; clipped < 2; clipped++) {
        const uint32_t count = 23;
        attn_adamw o = {0.01f, 0.9f, 0.99f, 1e-8f, 0.1f, clipped ? 0.5f : 0, 0};
        float *x = guarded_normals(count, 1, 1), *g = guarded_floats(count);
        float *m = guarded_equal(count, 0), *v = guarded_equal(count, 0);
        double *wide = widened(x, count), first[23] = {0}, second[23] = {0}, norm;
        for (o.step = 1; o.step <= 20; o.step++) {
            double squares = 0;
            fill_normal(g, count, o.step, 1);
            for (uint32_t i = 0; i < count; i++)
                squares += (double)g[i] * (double)g[i];
            attn_gradient_norm(g, count, &norm);
            CHECK_CLOSE(norm, sqrt(squares), 1e-12);
            attn_adamw_step(&o, g, norm, count, x, m, v);
            const double factor = clipped ? 0.5 / sqrt(squares) : 1;
            const double beta1 = (double)o.beta1, beta2 = (double)o.beta2, rate = (double)o.rate;
            for (uint32_t i = 0; i < count; i++) {
                const double gradient = (double)g[i] * factor;
                first[i] = beta1 * first[i] + (1 - beta1) * gradient;
                second[i] = beta2 * second[i] + (1 - beta2) * gradient * gradient;
                const double mean = first[i] / (1 - pow(beta1, o.step));
                const double spread = sqrt(second[i] / (1 - pow(beta2, o.step)));
                wide[i] -= rate * ((double)o.decay * wide[i] + mean / (spread + 1e-8));
            }
        }
        CHECK_ALL_CLOSE(x, wide, count, 2e-6);
        free(wide);
    }
}

TEST("parameters with no gradient decay, and no others move") {
    const attn_adamw o = {0.5f, 0.9f, 0.99f, 1e-8f, 0.25f, 1, 1};
    float x[5] = {1, 2, -4, 0, 8}, g[5] = {0}, m[5] = {0}, v[5] = {0};
    double norm;
    attn_gradient_norm(g, 5, &norm);
    attn_adamw_step(&o, g, norm, 5, x, m, v);
    CHECK(norm == 0);
    CHECK(x[0] == 0.875f && x[1] == 1.75f && x[2] == -3.5f && x[3] == 0 && x[4] == 7);
}

TEST_MAIN
