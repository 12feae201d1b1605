/*
 * language.h: a small language model and its training, as exported to WebAssembly in a module
 * beside the kernel. This header is the manual; the conventions are those of attn.h.
 *
 * The model is a transformer of pre-norm blocks (Radford et al., "Language models are unsupervised
 * multitask learners", 2019), with the embedding of tokens as its last map, too:
 *   x = token[t] + position[i];  in every layer
 *   x += output_weight . heads(norm1(x));  x += down_weight gelu(up_weight norm2(x) + up_bias) +
 *   down_bias;  then logits = norm(x) token^T.
 * Queries, keys and values are causal attention's, of heads with d_key numbers each. Three variants
 * may be combined: keys serve as values, as they are projected, and there is no value_weight;
 * queries and keys are normalised by their root mean square; each head learns its scale.
 *
 * A batch is [batch, n] tokens, n <= context; N = batch * n below. A target of -1 is ignored.
 */
#ifndef ATTN_LANGUAGE_H
#define ATTN_LANGUAGE_H

#include "../attn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- layer_norm.c ---------------------------------------------------------
 * Layer normalisation (Ba, Kiros & Hinton, "Layer normalization", 2016) of rows of d numbers,
 * variance + 1e-5.
 */

/* y [rows, d] = (x - mean) * inverse * weight + bias, weight [d], bias [d]. statistics [rows, 2]
 * = mean and inverse = 1 / sqrt(variance + 1e-5) of each row. */
void attn_layer_norm_forward(const float *x, const float *weight, const float *bias, uint32_t rows,
                             uint32_t d, float *y, float *statistics);

/* Bytes of scratch for attn_layer_norm_backward. */
uint32_t attn_layer_norm_backward_scratch(uint32_t d);

/* d_x [rows, d] is added to, d_weight [d] and d_bias [d] are written. */
void attn_layer_norm_backward(const float *x, const float *weight, const float *statistics,
                              const float *d_y, uint32_t rows, uint32_t d, float *d_x,
                              float *d_weight, float *d_bias, void *scratch);

/* ---- rms_norm.c -----------------------------------------------------------
 * Normalisation by the root mean square (Zhang & Sennrich, "Root mean square layer normalization",
 * 2019) of rows of d numbers, mean square + 1e-6.
 */

/* y [rows, d] = x / sqrt(mean of x^2 + 1e-6) * weight, weight [d]; may be x. */
void attn_rms_norm_forward(const float *x, const float *weight, uint32_t rows, uint32_t d,
                           float *y);

/* d_x [rows, d] is written, may be d_y; d_weight [d] is added to. sums [d] is scratch. */
void attn_rms_norm_backward(const float *x, const float *weight, const float *d_y, uint32_t rows,
                            uint32_t d, float *d_x, float *d_weight, float *sums);

/* ---- gelu.c ---------------------------------------------------------------
 * The Gaussian error linear unit in its tanh form (Hendrycks & Gimpel, "Gaussian error linear
 * units", 2016): gelu(u) = u (1 + tanh z) / 2, z = sqrt(2 / pi) (u + 0.044715 u^3).
 */

/* y [rows, columns] = gelu(x + bias), bias [columns]; slope [rows, columns] = gelu'(x + bias) may
 * be null. x may be y, or slope. Error: 4 * 2^-24 of max(|x + bias|, 1). */
void attn_gelu_forward(const float *x, const float *bias, uint32_t rows, uint32_t columns, float *y,
                       float *slope);

/* d_x [count] = d_y * slope; may be d_y. */
void attn_gelu_backward(const float *slope, const float *d_y, uint32_t count, float *d_x);

/* ---- embedding.c ----------------------------------------------------------
 * Embeddings of tokens and of their places. Tokens are trusted.
 */

/* x [batch, n, d] = token [vocabulary, d] of each + position [n, d]. */
void attn_embedding_forward(const float *token, const float *position, const uint32_t *tokens,
                            uint32_t batch, uint32_t n, uint32_t d, float *x);

/* d_token [vocabulary, d] and d_position [n, d] are added to. */
void attn_embedding_backward(const uint32_t *tokens, const float *d_x, uint32_t batch, uint32_t n,
                             uint32_t d, float *d_token, float *d_position);

/* ---- cross_entropy.c ------------------------------------------------------
 * The mean over rows of -log softmax(logits)[target]; a row whose target is -1 does not count.
 * Other targets are trusted.
 */

/* weights [rows, columns] = softmax(logits); may be logits. *loss = the mean, summed in float64 in
 * the order of the rows; 0 where no row counts. */
void attn_cross_entropy_forward(const float *logits, const int32_t *targets, uint32_t rows,
                                uint32_t columns, float *weights, double *loss);

/* d_logits [rows, columns] = (weights - 1 at the target) / rows that count, 0 in others; may be
 * weights. */
void attn_cross_entropy_backward(const float *weights, const int32_t *targets, uint32_t rows,
                                 uint32_t columns, float *d_logits);

/* ---- adamw.c --------------------------------------------------------------
 * AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization", 2019) on gradients whose
 * norm is clipped.
 */
typedef struct {
    float rate, beta1, beta2, epsilon, decay;
    float clip;    /* the largest norm of the gradient; 0 for none */
    uint32_t step; /* of the training, from 1 on */
} attn_adamw;

/* *norm = sqrt(sum of squares) of gradients [count], in float64. */
void attn_gradient_norm(const float *gradients, uint32_t count, double *norm);

/* Moves parameters [count], and first and second [count], the moments, which begin at 0. */
void attn_adamw_step(const attn_adamw *o, const float *gradients, double norm, uint32_t count,
                     float *parameters, float *first, float *second);

/* ---- language.c -----------------------------------------------------------
 * The whole model. Its parameters are one array, matrices [out, in] as in torch.nn.Linear:
 *   token [vocabulary, d_model], position [context, d_model];
 *   in every layer norm1 weight and bias [d_model]; query_weight, key_weight and value_weight
 *   [heads d_key, d_model]; query_norm and key_norm weight [d_key], if they are normalised;
 *   log_scale [heads], if scales are learned; output_weight [d_model, heads d_key];
 *   norm2 weight and bias [d_model]; up_weight [4 d_model, d_model], up_bias [4 d_model];
 *   down_weight [d_model, 4 d_model], down_bias [d_model];
 *   the last norm's weight and bias [d_model].
 */
typedef struct {
    uint32_t vocabulary, context, d_model, layers, heads, d_key; /* 0 is ATTN_ERROR_SHAPE */
    float scale; /* of the scores; without effect where scales are learned */
    uint32_t keys_as_values, query_key_norm, learned_scale; /* 0 or 1 */
} attn_language;

/* Tokens below vocabulary; targets too, or -1, and null where there are none. Others are
 * ATTN_ERROR_OPTION, as is n > context. */
typedef struct {
    const uint32_t *tokens; /* [batch, n] */
    const int32_t *targets; /* [batch, n] */
    uint32_t batch, n;
} attn_text;

/* Returns the number of parameters, or ATTN_TOO_LARGE. */
uint32_t attn_language_count(const attn_language *m);

/* scales [layers, heads] = the scale of each head, e^log_scale where it is learned. */
void attn_language_scales(const attn_language *m, const float *parameters, float *scales);

/* Bytes of scratch for attn_language_forward, whatever it returns. */
uint32_t attn_language_forward_scratch(const attn_language *m, const attn_text *text);

/* logits [batch, n, vocabulary], or null; query, key and value [layers, batch, heads, n, d_key] as
 * attention takes them, or null all three. */
attn_status attn_language_forward(const attn_language *m, const float *parameters,
                                  const attn_text *text, float *logits, float *query, float *key,
                                  float *value, void *scratch);

/* Bytes of scratch for the two functions below: what the layers keep from forward to backward. */
uint32_t attn_language_step_scratch(const attn_language *m, const attn_text *text);

/* *loss = the cross-entropy of targets; gradients [count] are written. */
attn_status attn_language_gradient(const attn_language *m, const float *parameters,
                                   const attn_text *text, float *gradients, double *loss,
                                   void *scratch);

/* Each [count]; live from step to step. */
typedef struct {
    float *parameters, *gradients, *first, *second;
} attn_training;

/* The second half of a step, on gradients that are given. *norm is theirs; parameters and moments
 * move only if it and the loss are finite. */
void attn_language_update(const attn_language *m, const attn_adamw *o, const attn_training *t,
                          double loss, double *norm);

/* One step of training. results [2] = the loss and the norm of the gradient, before the step. If
 * either is not finite, nothing but gradients and results is written.
 * Cost: 6 N flop for each weight, 14 N n heads d_key for attention. */
attn_status attn_language_step(const attn_language *m, const attn_adamw *o, const attn_training *t,
                               const attn_text *text, double *results, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
