/*
 * layer.c: one block of the model: attention and two linear maps around gelu, each behind
 * a layer norm and added to the residual stream. Linear maps take all tokens of a batch at once,
 * attention one head of one text.
 */
#include "layer.h"

#include "../f32x4.h"
#include "../vmath.h"

#include <math.h> /* INFINITY; no function of libm is called */

language_places language_layer_places(const attn_language *m) {
    const size_t d = m->d_model, width = (size_t)m->heads * m->d_key, hidden = 4 * d;
    language_places p = {.norm1_weight = 0, .norm1_bias = d, .mixed_weight = 2 * d};
    p.gains = p.mixed_weight + language_parts(m) * width * d;
    p.log_scale = p.gains + (m->query_key_norm ? 2 * (size_t)m->d_key : 0);
    p.output_weight = p.log_scale + (m->learned_scale ? m->heads : 0);
    p.norm2_weight = p.output_weight + d * width;
    p.norm2_bias = p.norm2_weight + d;
    p.up_weight = p.norm2_bias + d;
    p.up_bias = p.up_weight + hidden * d;
    p.down_weight = p.up_bias + hidden;
    p.down_bias = p.down_weight + d * hidden;
    p.end = p.down_bias + d;
    return p;
}

/* ---- rows ------------------------------------------------------------------------------ */

/* to [rows, d], rows to_stride apart, = from. */
static ATTN_STAGE void copy_rows(const float *from, size_t from_stride, uint32_t rows, uint32_t d,
                                 float *to, size_t to_stride) {
    for (uint32_t i = 0; i < rows; i++, from += from_stride, to += to_stride)
        for (uint32_t j = 0; j < d; j += 4)
            f32x4_store_up_to(to + j, d - j, f32x4_load_up_to(from + j, d - j, 0));
}

/* y [rows, d] = a + b + bias, bias [d] or null; y may be a. */
static ATTN_STAGE void add_rows(const float *a, const float *b, const float *bias, uint32_t rows,
                                uint32_t d, float *y) {
    for (uint32_t i = 0; i < rows; i++, a += d, b += d, y += d)
        for (uint32_t j = 0; j < d; j += 4) {
            const uint32_t left = d - j;
            f32x4 sum =
                f32x4_add(f32x4_load_up_to(a + j, left, 0), f32x4_load_up_to(b + j, left, 0));
            if (bias != NULL)
                sum = f32x4_add(sum, f32x4_load_up_to(bias + j, left, 0));
            f32x4_store_up_to(y + j, left, sum);
        }
}

/* ---- attention -------------------------------------------------------------------------- */

ATTN_SMALL float language_layer_scale(const attn_language *m, const float *parameters, uint32_t h) {
    if (!m->learned_scale)
        return m->scale;
    const float logarithm = parameters[language_layer_places(m).log_scale + h];
    return F32X4_LANE(vmath_exp(f32x4_splat(logarithm)), 0);
}

/* Returns the attention of head h of text b. */
static ATTN_SMALL attn_attention attention_of(const language_run *run, const language_kept *kept,
                                              const float *parameters, uint32_t b, uint32_t h) {
    const attn_language *m = run->model;
    const size_t first = ((size_t)b * m->heads + h) * run->n * m->d_key;
    return (attn_attention){.query = kept->query + first,
                            .key = kept->key + first,
                            .value = kept->value + first,
                            .n_q = run->n,
                            .n_k = run->n,
                            .d_k = m->d_key,
                            .d_v = m->d_key,
                            .n_all = run->n,
                            .window = {0, -1, 0, run->n},
                            .scale = language_layer_scale(m, parameters, h),
                            .sink = -INFINITY};
}

/* Copies head h of text b from side by side, `width` floats a row, to [n, d_key], or back. */
static ATTN_SMALL void take_head(const language_run *run, const float *side, size_t width,
                                 uint32_t b, uint32_t h, float *head) {
    const uint32_t d_key = run->model->d_key;
    copy_rows(side + (size_t)b * run->n * width + (size_t)h * d_key, width, run->n, d_key, head,
              d_key);
}
static ATTN_SMALL void put_head(const language_run *run, const float *head, uint32_t b, uint32_t h,
                                float *side, size_t width) {
    const uint32_t d_key = run->model->d_key;
    copy_rows(head, d_key, run->n, d_key, side + (size_t)b * run->n * width + (size_t)h * d_key,
              width);
}

/* Returns where the gain of queries, k = 0, or of keys, k = 1, is among the parameters. */
static ATTN_SMALL size_t gain_place(const attn_language *m, uint32_t k) {
    return language_layer_places(m).gains + (size_t)k * m->d_key;
}

static ATTN_SMALL void attend(const language_run *run, const language_kept *kept,
                              const float *parameters, uint32_t b, uint32_t h) {
    const attn_language *m = run->model;
    const size_t width = run->width;
    const attn_attention a = attention_of(run, kept, parameters, b, h);
    const attn_attention_results results = {.output = run->head[0]};
    const size_t first = (size_t)(a.query - kept->query);
    float *const parts[3] = {kept->query, kept->key, kept->value};
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t part = k < run->parts ? k : 1; /* keys that serve as values */
        const int is_normed = k < 2 && m->query_key_norm;
        float *const head = parts[k] + first, *const raw = is_normed ? kept->raw[k] + first : head;
        take_head(run, run->mixed + part * width, run->parts * width, b, h, raw);
        if (is_normed)
            attn_rms_norm_forward(raw, parameters + gain_place(m, k), run->n, m->d_key, head);
    }
    attn_attention_forward(&a, &results, run->attention);
    put_head(run, run->head[0], b, h, kept->heads, width);
}

/* Gradients of gains and of the logarithms of scales are added to. */
static ATTN_SMALL void attend_backward(const language_run *run, const language_kept *kept,
                                       const float *parameters, uint32_t b, uint32_t h,
                                       float *gradients) {
    const attn_language *m = run->model;
    const size_t width = run->width, count = (size_t)run->n * m->d_key;
    const attn_attention a = attention_of(run, kept, parameters, b, h);
    const size_t first = (size_t)(a.query - kept->query);
    double d_scale = 0, d_sink = 0;
    const attn_attention_gradient gradient = {run->head[1], run->head[2], run->head[3], &d_scale,
                                              &d_sink};
    take_head(run, run->d_heads, width, b, h, run->head[0]);
    memset(run->head[2], 0, count * sizeof(float));
    memset(run->head[3], 0, count * sizeof(float));
    attn_attention_backward(&a, run->head[0], &gradient, run->attention);
    if (m->learned_scale)
        gradients[language_layer_places(m).log_scale + h] += (float)(d_scale * (double)a.scale);
    for (uint32_t k = 0; m->query_key_norm && k < 2; k++) {
        float *const d_head = run->head[k + 1];
        attn_rms_norm_backward(kept->raw[k] + first, parameters + gain_place(m, k), d_head, run->n,
                               m->d_key, d_head, gradients + gain_place(m, k), run->sums);
    }
    if (run->parts == 2)
        add_rows(run->head[2], run->head[3], NULL, run->n, m->d_key, run->head[2]);
    for (uint32_t k = 0; k < run->parts; k++)
        put_head(run, run->head[k + 1], b, h, run->mixed + k * width, run->parts * width);
}

/* ---- the layer --------------------------------------------------------------------------- */

ATTN_SMALL void language_layer_forward(const language_run *run, const language_kept *kept,
                                       const float *parameters, float *next) {
    const uint32_t rows = run->rows, d = run->model->d_model, width = run->width;
    const language_places p = language_layer_places(run->model);
    /* 1. norm, 2. queries, keys and values, 3. attention, 4. output */
    attn_layer_norm_forward(kept->x, parameters + p.norm1_weight, parameters + p.norm1_bias, rows,
                            d, kept->y1, kept->statistics1);
    attn_linear_forward(kept->y1, parameters + p.mixed_weight, NULL, rows, d, run->parts * width,
                        run->mixed, run->products);
    for (uint32_t b = 0; b < run->batch; b++)
        for (uint32_t h = 0; h < run->model->heads; h++)
            attend(run, kept, parameters, b, h);
    attn_linear_forward(kept->heads, parameters + p.output_weight, NULL, rows, width, d,
                        run->narrow, run->products);
    add_rows(kept->x, run->narrow, NULL, rows, d, kept->middle);
    /* 5. norm, 6. up, 7. gelu, 8. down */
    attn_layer_norm_forward(kept->middle, parameters + p.norm2_weight, parameters + p.norm2_bias,
                            rows, d, kept->y2, kept->statistics2);
    attn_linear_forward(kept->y2, parameters + p.up_weight, NULL, rows, d, run->hidden,
                        kept->active, run->products);
    attn_gelu_forward(kept->active, parameters + p.up_bias, rows, run->hidden, kept->active,
                      kept->slope);
    attn_linear_forward(kept->active, parameters + p.down_weight, NULL, rows, run->hidden, d,
                        run->narrow, run->products);
    add_rows(kept->middle, run->narrow, parameters + p.down_bias, rows, d, next);
}

ATTN_SMALL void language_layer_backward(const language_run *run, const language_kept *kept,
                                        const float *parameters, float *d_x, float *gradients) {
    const uint32_t rows = run->rows, d = run->model->d_model, width = run->width;
    const language_places p = language_layer_places(run->model);
    /* 8. down, 7. gelu, 6. up, 5. norm */
    attn_linear_backward(kept->active, parameters + p.down_weight, d_x, rows, run->hidden, d,
                         run->wide, gradients + p.down_weight, gradients + p.down_bias,
                         run->products);
    attn_gelu_backward(kept->slope, run->wide, rows * run->hidden, run->wide);
    attn_linear_backward(kept->y2, parameters + p.up_weight, run->wide, rows, d, run->hidden,
                         run->narrow, gradients + p.up_weight, gradients + p.up_bias,
                         run->products);
    attn_layer_norm_backward(kept->middle, parameters + p.norm2_weight, kept->statistics2,
                             run->narrow, rows, d, d_x, gradients + p.norm2_weight,
                             gradients + p.norm2_bias, run->sums);
    /* 4. output, 3. attention, 2. queries, keys and values, 1. norm */
    attn_linear_backward(kept->heads, parameters + p.output_weight, d_x, rows, width, d,
                         run->d_heads, gradients + p.output_weight, NULL, run->products);
    memset(gradients + p.gains, 0, (p.output_weight - p.gains) * sizeof(float));
    for (uint32_t b = 0; b < run->batch; b++)
        for (uint32_t h = 0; h < run->model->heads; h++)
            attend_backward(run, kept, parameters, b, h, gradients);
    attn_linear_backward(kept->y1, parameters + p.mixed_weight, run->mixed, rows, d,
                         run->parts * width, run->narrow, gradients + p.mixed_weight, NULL,
                         run->products);
    attn_layer_norm_backward(kept->x, parameters + p.norm1_weight, kept->statistics1, run->narrow,
                             rows, d, d_x, gradients + p.norm1_weight, gradients + p.norm1_bias,
                             run->sums);
}
