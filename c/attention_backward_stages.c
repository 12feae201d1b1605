/*
 * attention_backward_stages.c: the inner steps of attention_backward.c. Only `weigh_rows` is
 * compiled for speed: the others take little time beside the products, it takes 4 % of the whole.
 */
#include "attention_backward_stages.h"

#include "f32x4.h"
#include "softmax.h"
#include "vmath.h"

/* ---- strips ------------------------------------------------------------------------------- */

ATTN_SMALL void raise_maxima(const float *scores, uint32_t rows, uint32_t keys, float *maximum) {
    for (uint32_t i = 0; i < rows; i++) {
        f32x4 low = f32x4_load_splat(maximum + i), high = low;
        for (uint32_t j = 0; j < keys; j += 8) {
            low = f32x4_pmax(low, f32x4_load(scores + j)); /* passes over NaN; exp does not */
            high = f32x4_pmax(high, f32x4_load(scores + j + 4));
        }
        maximum[i] = f32x4_max_lane(f32x4_pmax(low, high));
        scores += CHUNK_KEYS;
    }
}

ATTN_STAGE void weigh_rows(float *scores, const float *gradients, uint32_t rows, uint32_t keys,
                           const float *maximum, float *sum, float *weighted) {
    float shift[8], sums[8];
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 largest = f32x4_load_splat(maximum + i);
        f32x4 products = f32x4_splat(0), w[4];
        f32x4_store(shift, largest);
        f32x4_store(shift + 4, largest);
        softmax_exp(scores, keys, shift, scores, sums);
        for (uint32_t j = 0; j < keys; j += 16) {
            for (size_t k = 0; k < 4; k++)
                w[k] = f32x4_load(scores + j + 4 * k);
            w[0] = f32x4_mul(w[0], f32x4_load(gradients + j));
            for (size_t k = 1; k < 4; k++)
                w[0] = f32x4_madd(w[k], f32x4_load(gradients + j + 4 * k), w[0]);
            products = f32x4_add(products, w[0]);
        }
        sum[i] += f32x4_sum(f32x4_add(f32x4_load(sums), f32x4_load(sums + 4)));
        weighted[i] += f32x4_sum(products);
        scores += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

ATTN_SMALL void differentiate_scores(const float *weights, float *gradients, uint32_t rows,
                                     uint32_t keys, const float *mean) {
    for (uint32_t i = 0; i < rows; i++) {
        const f32x4 shift = f32x4_load_splat(mean + i);
        for (uint32_t j = 0; j < keys; j += 4)
            f32x4_store(gradients + j, f32x4_mul(f32x4_sub(f32x4_load(gradients + j), shift),
                                                 f32x4_load(weights + j)));
        weights += CHUNK_KEYS;
        gradients += CHUNK_KEYS;
    }
}

ATTN_SMALL void multiply_rows(float *x, const float *y, uint32_t rows, uint32_t keys) {
    for (uint32_t i = 0; i < rows; i++, x += CHUNK_KEYS, y += CHUNK_KEYS)
        for (uint32_t j = 0; j < keys; j += 4)
            f32x4_store(x + j, f32x4_mul(f32x4_load(x + j), f32x4_load(y + j)));
}

/* ---- panels ------------------------------------------------------------------------------- */

ATTN_SMALL void scale_panels(float *panels, uint32_t rows, uint32_t columns, const float *factors) {
    for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS)
        for (uint32_t r = 0; r < rows; r++) {
            const f32x4 factor = f32x4_load_splat(factors + r);
            f32x4_store(panels, f32x4_mul(f32x4_load(panels), factor));
            f32x4_store(panels + 4, f32x4_mul(f32x4_load(panels + 4), factor));
            panels += GEMM_COLUMNS;
        }
}

ATTN_SMALL int hide_panel_rows(float *panels, uint32_t rows, uint32_t columns, uint8_t *hidden) {
    int any = 0;
    memset(hidden, 0, rows);
    for (uint32_t c = 0; c < columns; c += GEMM_COLUMNS)
        for (uint32_t r = 0; r < rows; r++)
            for (int half = 0; half < 2; half++) {
                const f32x4 x = f32x4_load(panels);
                const i32x4 finite = f32x4_eq(f32x4_sub(x, x), f32x4_splat(0));
                if (i32x4_any(i32x4_xor(finite, i32x4_splat(-1)))) {
                    f32x4_store(panels, f32x4_select(finite, x, f32x4_splat(0)));
                    hidden[r] = 1;
                    any = 1;
                }
                panels += 4;
            }
    return any;
}
