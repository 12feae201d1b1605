/*
 * embedding.c: embeddings of tokens and places, and their gradient, in the order of the text.
 */
#include "../f32x4.h"
#include "language.h"

#include <stddef.h>

/* y [d] = a + b. */
static ATTN_STAGE void add(const float *a, const float *b, uint32_t d, float *y) {
    for (uint32_t j = 0; j < d; j += 4) {
        const uint32_t left = d - j;
        f32x4_store_up_to(
            y + j, left,
            f32x4_add(f32x4_load_up_to(a + j, left, 0), f32x4_load_up_to(b + j, left, 0)));
    }
}

ATTN_SMALL void attn_embedding_forward(const float *token, const float *position,
                                       const uint32_t *tokens, uint32_t batch, uint32_t n,
                                       uint32_t d, float *x) {
    for (uint32_t b = 0; b < batch; b++)
        for (size_t i = 0; i < n; i++, x += d)
            add(token + (size_t)*tokens++ * d, position + i * d, d, x);
}

ATTN_SMALL void attn_embedding_backward(const uint32_t *tokens, const float *d_x, uint32_t batch,
                                        uint32_t n, uint32_t d, float *d_token, float *d_position) {
    for (uint32_t b = 0; b < batch; b++)
        for (size_t i = 0; i < n; i++, d_x += d) {
            float *row = d_token + (size_t)*tokens++ * d;
            add(row, d_x, d, row);
            add(d_position + i * d, d_x, d, d_position + i * d);
        }
}
