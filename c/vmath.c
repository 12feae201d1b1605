/*
 * vmath.c: the logarithm.
 *
 * log x = k log 2 + log(1 + f) with sqrt(1/2) <= 1 + f < sqrt 2, and
 * log(1 + f) = f - f^2/2 + f^3 P(f). Coefficients: tests/c/coefficients.js.
 */
#include "vmath.h"

enum {
    SUBNORMAL, /* below it, x is scaled by 2^23 and 23 is taken from k */
    SCALE,
    SHIFT,
    ONE,
    HALF,
    LN2_HI, /* hi has 15 bits, so k * hi is exact */
    LN2_LO,
    P, /* lowest first */
    CONSTANTS = P + 9
};

static const float constants[CONSTANTS] = {0x1p-126f,
                                           0x1p23f,
                                           23.0f,
                                           1.0f,
                                           0.5f,
                                           0x1.62e4p-1f,
                                           0x1.7f7d1cp-20f,
                                           0x1.555546p-2f,
                                           -0x1.00000ap-2f,
                                           0x1.99a546p-3f,
                                           -0x1.555ae4p-3f,
                                           0x1.232cfap-3f,
                                           -0x1.fc4dap-4f,
                                           0x1.e7a54ep-4f,
                                           -0x1.dd651p-4f,
                                           0x1.11c874p-4f};

/* Splits x, normal and positive, into f (in place) and the returned k. */
ATTN_INLINE f32x4 split(f32x4 *x, const float *c) {
    const i32x4 root_half = i32x4_splat(0x3f3504f3); /* sqrt(1/2) */
    const i32x4 above = i32x4_sub(f32x4_bits(*x), root_half);
    /* 128 makes the exponent positive for the logical shift. */
    const i32x4 k = i32x4_shr(i32x4_add(above, i32x4_splat(128 << 23)), 23);
    const i32x4 mantissa = i32x4_add(i32x4_and(above, i32x4_splat(0x7fffff)), root_half);
    *x = f32x4_sub(f32x4_from_bits(mantissa), f32x4_load_splat(c + ONE));
    return f32x4_from_i32(i32x4_sub(k, i32x4_splat(128)));
}

/* f^3 P(f), Estrin's form. */
ATTN_INLINE f32x4 polynomial(f32x4 f, f32x4 square, const float *c) {
    const float *p = c + P;
    const f32x4 fourth = f32x4_mul(square, square);
    const f32x4 p01 = vmath_step(f32x4_load_splat(p + 1), f, f32x4_load_splat(p));
    const f32x4 p23 = vmath_step(f32x4_load_splat(p + 3), f, f32x4_load_splat(p + 2));
    const f32x4 p45 = vmath_step(f32x4_load_splat(p + 5), f, f32x4_load_splat(p + 4));
    const f32x4 p67 = vmath_step(f32x4_load_splat(p + 7), f, f32x4_load_splat(p + 6));
    const f32x4 low = vmath_step(p23, square, p01);
    f32x4 high = vmath_step(p67, square, p45);
    high = vmath_step(f32x4_load_splat(p + 8), fourth, high);
    return f32x4_mul(f32x4_mul(f, square), vmath_step(high, fourth, low));
}

f32x4 vmath_log(f32x4 x) {
    const float *c = vmath_opaque(constants);
    const f32x4 zero = f32x4_splat(0.0f), infinity = f32x4_splat(__builtin_inff());
    const i32x4 subnormal = f32x4_lt(x, f32x4_load_splat(c + SUBNORMAL));
    f32x4 f = f32x4_select(subnormal, f32x4_mul(x, f32x4_load_splat(c + SCALE)), x);
    f32x4 k = split(&f, c);
    k = f32x4_sub(k, f32x4_select(subnormal, f32x4_load_splat(c + SHIFT), zero));
    const f32x4 square = f32x4_mul(f, f);
    f32x4 rest = polynomial(f, square, c);
    rest = vmath_step(k, f32x4_load_splat(c + LN2_LO), rest);
    rest = f32x4_sub(rest, f32x4_mul(square, f32x4_load_splat(c + HALF)));
    f32x4 result = f32x4_add(f32x4_mul(k, f32x4_load_splat(c + LN2_HI)), f32x4_add(f, rest));
    result = f32x4_select(f32x4_lt(x, infinity), result, x); /* Infinity and NaN */
    const f32x4 of_zero = f32x4_neg(infinity), of_negative = f32x4_splat(__builtin_nanf(""));
    const f32x4 special = f32x4_select(f32x4_eq(x, zero), of_zero, of_negative);
    return f32x4_select(f32x4_le(x, zero), special, result);
}
