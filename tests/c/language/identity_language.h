/*
 * identity_language.h: the groups of identity.c that hash the language model and its parts.
 */
#ifndef ATTN_TEST_IDENTITY_LANGUAGE_H
#define ATTN_TEST_IDENTITY_LANGUAGE_H

#include "../identity_state.h"
#include "language/language.h"

/* The parts of the language model. */
IDENTITY_STATIC void hash_language_parts(state *s) {
    const uint32_t rows = size(s, 0, 20), d = dimension(s);
    const size_t count = (size_t)rows * d;
    const float *x = inputs(s, count), *d_y = normals(s, count, 1.0f);
    const float *weight = normals(s, d, 1.0f), *bias = normals(s, d, 1.0f);
    float *y = allocate_floats(s, count), *statistics = allocate_floats(s, (size_t)rows * 2);
    float *d_x = normals(s, count, 1.0f), *slope = allocate_floats(s, count);
    float *d_weight = allocate_floats(s, d), *d_bias = allocate_floats(s, d);
    float *first = allocate_floats(s, count), *second = allocate_floats(s, count);
    void *scratch = allocate(s, attn_layer_norm_backward_scratch(d));
    const attn_adamw o = {0.01f, 0.9f, 0.99f, 1e-8f, 0.1f, s->shape % 2 ? 0.5f : 0, s->shape};
    double norm = 0;
    if (s->failed)
        return;
    attn_layer_norm_forward(x, weight, bias, rows, d, y, statistics);
    attn_layer_norm_backward(x, weight, statistics, d_y, rows, d, d_x, d_weight, d_bias, scratch);
    add_floats(s, y, count);
    add_floats(s, d_x, count);
    add_floats(s, d_weight, d);
    add_floats(s, d_bias, d);
    attn_rms_norm_forward(x, weight, rows, d, y);
    attn_rms_norm_backward(x, weight, d_y, rows, d, d_x, d_weight, d_bias);
    add_floats(s, y, count);
    add_floats(s, d_x, count);
    add_floats(s, d_weight, d);
    attn_gelu_forward(x, bias, rows, d, y, slope);
    attn_gelu_backward(slope, d_y, (uint32_t)count, d_x);
    add_floats(s, y, count);
    add_floats(s, d_x, count);
    memset(first, 0, count * sizeof *first);
    memset(second, 0, count * sizeof *second);
    attn_gradient_norm(d_y, (uint32_t)count, &norm);
    attn_adamw_step(&o, d_y, norm, (uint32_t)count, y, first, second);
    add_doubles(s, &norm, 1);
    add_floats(s, y, count);
    add_floats(s, first, count);
    add_floats(s, second, count);
}

/* The ends of the language model: embeddings of tokens, and the loss. */
IDENTITY_STATIC void hash_language_ends(state *s) {
    const uint32_t rows = size(s, 1, 20), columns = dimension(s);
    const size_t count = (size_t)rows * columns;
    const float *x = inputs(s, count), *position = normals(s, count, 1.0f);
    float *y = allocate_floats(s, 2 * count), *d_x = normals(s, count, 1.0f);
    uint32_t *tokens = allocate(s, 2 * rows * sizeof *tokens);
    int32_t *targets = allocate(s, rows * sizeof *targets);
    double loss;
    if (s->failed)
        return;
    for (uint32_t i = 0; i < 2 * rows; i++)
        tokens[i] = size(s, 0, rows - 1);
    for (uint32_t i = 0; i < rows; i++)
        targets[i] = (int32_t)size(s, 0, columns) - 1;
    attn_embedding_forward(x, position, tokens, 2, rows, columns, y);
    add_floats(s, y, 2 * count);
    attn_embedding_backward(tokens, y, 2, rows, columns, d_x, d_x);
    add_floats(s, d_x, count);
    attn_cross_entropy_forward(x, targets, rows, columns, y, &loss);
    attn_cross_entropy_backward(y, targets, rows, columns, y);
    add_doubles(s, &loss, 1);
    add_floats(s, y, count);
}

/* Forward, gradient and a step of a small model. */
IDENTITY_STATIC void hash_language(state *s) {
    const attn_language m = {size(s, 1, 40),
                             size(s, 1, 20),
                             size(s, 1, 20),
                             size(s, 1, 3),
                             size(s, 1, 3),
                             size(s, 1, 12),
                             0.1f * (float)size(s, 1, 10),
                             s->shape & 1,
                             s->shape >> 1 & 1,
                             s->shape >> 2 & 1};
    const uint32_t batch = size(s, 0, 3), n = size(s, 0, m.context), rows = batch * n;
    const uint32_t count = attn_language_count(&m);
    const size_t parts = (size_t)m.layers * rows * m.heads * m.d_key;
    uint32_t *tokens = allocate(s, rows * sizeof *tokens);
    int32_t *targets = allocate(s, rows * sizeof *targets);
    const attn_text t = {tokens, targets, batch, n};
    const attn_adamw o = {0.01f, 0.9f, 0.99f, 1e-8f, 0.01f, 1, s->shape};
    float *part[4] = {normals(s, count, 0.4f), normals(s, count, 0.1f), normals(s, count, 0.1f),
                      inputs(s, count)};
    const attn_training training = {part[0], part[3], part[1], part[2]};
    float *logits = allocate_floats(s, (size_t)rows * m.vocabulary), *vectors[3];
    float *scales = allocate_floats(s, (size_t)m.layers * m.heads);
    for (int k = 0; k < 3; k++)
        vectors[k] = allocate_floats(s, parts);
    void *forward = allocate(s, attn_language_forward_scratch(&m, &t));
    void *step = allocate(s, attn_language_step_scratch(&m, &t));
    double results[2];
    if (s->failed)
        return;
    for (uint32_t i = 0; i < rows; i++) {
        tokens[i] = size(s, 0, m.vocabulary - 1);
        targets[i] = (int32_t)size(s, 0, m.vocabulary) - 1;
    }
    for (uint32_t i = 0; i < count; i++) /* the second moment is no less than 0 */
        part[2][i] = part[2][i] < 0 ? -part[2][i] : part[2][i];
    attn_language_scales(&m, part[0], scales);
    add_floats(s, scales, (size_t)m.layers * m.heads);
    expect(s, attn_language_forward(&m, part[0], &t, logits, vectors[0], vectors[1], vectors[2],
                                    forward) == ATTN_OK);
    expect(s, attn_language_step(&m, &o, &training, &t, results, step) == ATTN_OK);
    expect(s, attn_language_gradient(&m, part[0], &t, part[3], results + 1, step) == ATTN_OK);
    attn_language_update(&m, &o, &training, results[1], results);
    add_floats(s, logits, (size_t)rows * m.vocabulary);
    for (int k = 0; k < 3; k++)
        add_floats(s, vectors[k], parts);
    add_doubles(s, results, 2);
    for (int k = 0; k < 4; k++)
        add_floats(s, part[k], count);
}

#endif
