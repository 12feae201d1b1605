/*
 * attention_backward_stages.h: the inner steps of attention_backward.c, beside its products: on
 * one chunk of keys against a block of queries, and on the panels that the products read.
 */
#ifndef ATTN_ATTENTION_BACKWARD_STAGES_H
#define ATTN_ATTENTION_BACKWARD_STAGES_H

#include "gemm_kernel.h"

enum { CHUNK_KEYS = GEMM_ROWS == 4 ? 112 : 144 };

/* ---- strips: [rows][CHUNK_KEYS], of which `keys`, a multiple of 16, are in use ------------- */

/* maximum [rows] = the larger of itself and the scores of its row. */
void raise_maxima(const float *scores, uint32_t rows, uint32_t keys, float *maximum);

/* scores become weights, exp(score - maximum); adds weights to sum [rows] and weights *
 * gradients to weighted [rows]. */
void weigh_rows(float *scores, const float *gradients, uint32_t rows, uint32_t keys,
                const float *maximum, float *sum, float *weighted);

/* Gradients of weights become those of scores, weight * (gradient - mean [rows]). */
void differentiate_scores(const float *weights, float *gradients, uint32_t rows, uint32_t keys,
                          const float *mean);

/* x *= y. */
void multiply_rows(float *x, const float *y, uint32_t rows, uint32_t keys);

/* ---- panels: [columns / 8][rows][8] -------------------------------------------------------- */

/* Multiplies row r by factors[r]. */
void scale_panels(float *panels, uint32_t rows, uint32_t columns, const float *factors);

/* Replaces numbers that are not finite by 0 and marks their rows in hidden [rows]. Returns whether
 * there were any. */
int hide_panel_rows(float *panels, uint32_t rows, uint32_t columns, uint8_t *hidden);

#endif
