/*
 * layer.h: one block of the model of language.h, forward and backward, and its places in
 * memory.
 */
#ifndef ATTN_LAYER_H
#define ATTN_LAYER_H

#include "language.h"

#include <stddef.h>

/* A call: sizes, and working memory that all layers share. */
typedef struct {
    const attn_language *model;
    uint32_t batch, n;
    uint32_t rows, width, hidden; /* batch * n, heads * d_key, 4 d_model */
    uint32_t parts;               /* language_parts */
    float *narrow;                /* [rows, d_model] */
    float *mixed;   /* [rows, parts width]: queries, keys and values side by side, or gradients */
    float *wide;    /* [rows, hidden], gradients */
    float *d_heads; /* [rows, width] */
    float *head[4]; /* [n, d_key] each: output, or the gradients of output, query, key, value */
    void *products, *attention, *sums; /* scratch of linear maps, attention and norms */
} language_run;

/* What a layer keeps from forward to backward. */
typedef struct {
    float *x, *middle; /* [rows, d_model], before the layer and after attention */
    float *y1, *y2, *statistics1, *statistics2; /* of its norms: [rows, d_model] and [rows, 2] */
    float *query, *key, *value;                 /* [batch, heads, n, d_key] */
    float *raw[2]; /* like query and key, before they are normalised; null where they are not */
    float *heads;  /* [rows, width], outputs of attention side by side */
    float *active, *slope; /* [rows, hidden], of gelu; slope may be null */
} language_kept;

/* Where the parameters of a layer are, from its first one on. */
typedef struct {
    size_t norm1_weight, norm1_bias, mixed_weight;
    size_t gains;     /* [2, d_key], of normalised queries and keys */
    size_t log_scale; /* [heads], where scales are learned */
    size_t output_weight, norm2_weight, norm2_bias;
    size_t up_weight, up_bias, down_weight, down_bias, end;
} language_places;

/* Returns how many vectors a head computes of a token: query, key and, unless it is the key, value.
 */
static inline uint32_t language_parts(const attn_language *m) { return m->keys_as_values ? 2 : 3; }

language_places language_layer_places(const attn_language *m);

/* Returns the scale of head h, from the parameters of its layer. */
float language_layer_scale(const attn_language *m, const float *parameters, uint32_t h);

/* next [rows, d_model] = the layer of kept.x, may be kept.x. */
void language_layer_forward(const language_run *run, const language_kept *kept,
                            const float *parameters, float *next);

/* d_x [rows, d_model], the gradient with respect to the layer's result, becomes that with respect
 * to kept.x; gradients of the parameters are written. */
void language_layer_backward(const language_run *run, const language_kept *kept,
                             const float *parameters, float *d_x, float *gradients);

#endif
