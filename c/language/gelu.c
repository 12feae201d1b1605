/*
 * gelu.c: the Gaussian error linear unit in its tanh form, and its gradient.
 *
 * (1 + tanh z) / 2 = 1 / (1 + e^-2z) = s, from e = e^-|2z|, which softmax_exp computes fast: s =
 * 1 / (1 + e), or e / (1 + e) where z < 0. Forward computes the slope, too, while the parts are at
 * hand: gelu' = s + u s (1 - s) 2 z', and backward is one product.
 */
#include "../check.h"
#include "../f32x4.h"
#include "../softmax.h"
#include "../vmath.h"
#include "language.h"

/* Columns at a time, whose exponentials stay in the first-level cache. */
enum { PIECE = 256 };

enum { LINEAR, CUBIC, THREE_CUBIC, ONE, CONSTANTS };

/* 2 sqrt(2 / pi), times 0.044715, times 3. */
static const float constants[CONSTANTS] = {1.5957691216057308f, 0.07135481627f, 0.21406444881f,
                                           1.0f};

/* u [count] = x + bias, below = -|2z|. */
static ATTN_STAGE void prepare(const float *x, const float *bias, uint32_t count, float *u,
                               float *below) {
    const float *c = vmath_opaque(constants);
    for (uint32_t j = 0; j < count; j += 4) {
        const uint32_t left = count - j;
        const f32x4 sum =
            f32x4_add(f32x4_load_up_to(x + j, left, 0), f32x4_load_up_to(bias + j, left, 0));
        const f32x4 factor = f32x4_madd(f32x4_mul(sum, sum), f32x4_load_splat(c + CUBIC),
                                        f32x4_load_splat(c + LINEAR));
        f32x4_store(u + j, sum);
        f32x4_store(below + j, f32x4_neg(f32x4_abs(f32x4_mul(sum, factor))));
    }
}

/* y = u s, and the slope if wanted, from e. */
static ATTN_STAGE void finish(const float *u, const float *e, uint32_t count, float *y,
                              float *slope) {
    const float *c = vmath_opaque(constants);
    for (uint32_t j = 0; j < count; j += 4) {
        const f32x4 x = f32x4_load(u + j), power = f32x4_load(e + j);
        const f32x4 one = f32x4_load_splat(c + ONE);
        const f32x4 large = f32x4_div(one, f32x4_add(one, power));
        const f32x4 small = f32x4_mul(power, large);
        const i32x4 negative = f32x4_lt(x, f32x4_splat(0));
        const f32x4 s = f32x4_select(negative, small, large);
        f32x4_store_up_to(y + j, count - j, f32x4_mul(x, s));
        if (slope == NULL)
            continue;
        const f32x4 steep = f32x4_madd(f32x4_mul(x, x), f32x4_load_splat(c + THREE_CUBIC),
                                       f32x4_load_splat(c + LINEAR));
        const f32x4 both = f32x4_mul(f32x4_mul(small, large), f32x4_mul(x, steep));
        /* Where e is 0 the slope is s, also if x is so large that steep is infinite. */
        const i32x4 flat = f32x4_eq(power, f32x4_splat(0));
        const f32x4 sum = f32x4_select(flat, s, f32x4_add(s, both));
        f32x4_store_up_to(slope + j, count - j, sum);
    }
}

ATTN_SMALL void attn_gelu_forward(const float *x, const float *bias, uint32_t rows,
                                  uint32_t columns, float *y, float *slope) {
    static const float zero[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    float u[PIECE], e[PIECE], sums[8];
    for (size_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j += PIECE) {
            const size_t at = i * columns + j;
            const uint32_t count = columns - j < PIECE ? columns - j : PIECE;
            prepare(x + at, bias + j, count, u, e);
            softmax_exp(e, count, zero, e, sums);
            finish(u, e, count, y + at, slope == NULL ? NULL : slope + at);
        }
}

ATTN_SMALL void attn_gelu_backward(const float *slope, const float *d_y, uint32_t count,
                                   float *d_x) {
    for (uint32_t i = 0; i < count; i += 4) {
        const uint32_t left = count - i;
        f32x4_store_up_to(
            d_x + i, left,
            f32x4_mul(f32x4_load_up_to(d_y + i, left, 0), f32x4_load_up_to(slope + i, left, 0)));
    }
}
