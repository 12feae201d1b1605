/*
 * vmath.c: exponential, logarithm and tanh of one vector. The coefficients come from
 * tests/c/coefficients.js.
 */
#include "vmath.h"

/* ---- exp --------------------------------------------------------------------
 * e^x = 2^n e^r with n = round(x / ln 2), r = x - n ln 2. Rounding to an integer:
 * adding 1.5 * 2^23 leaves the nearest integer (ties to even) in the low bits of
 * the sum.
 */

/* Twice the bias: the result is scaled by two powers of two, so that subnormals and
 * numbers up to FLT_MAX come out. Beyond the clamps the result is 0 or infinity. */
static const float exp_constants[VMATH_EXP_CONSTANTS] = {
    [VMATH_MIN] = -104.0f,
    [VMATH_MAX] = 89.0f,
    [VMATH_LOG2E] = 0x1.715476p0f,
    [VMATH_MAGIC] = 0x1.8p23f + 254,
    [VMATH_LN2_HI] = 0x1.62e4p-1f,
    [VMATH_LN2_LO] = 0x1.7f7d1cp-20f,
    [VMATH_ONE] = 1.0f,
    [VMATH_C2] = 0x1.fffff8p-2f,
    [VMATH_C3] = 0x1.55548ep-3f,
    [VMATH_C4] = 0x1.555b98p-5f,
    [VMATH_C5] = 0x1.123bdap-7f,
    [VMATH_C6] = 0x1.685168p-10f,
};

ATTN_SMALL f32x4 vmath_exp(f32x4 x) {
    const float *c = vmath_opaque(exp_constants);
    const f32x4 magic = f32x4_load_splat(c + VMATH_MAGIC);
    x = f32x4_pmax(x, f32x4_load_splat(c + VMATH_MIN)); /* NaN stays */
    x = f32x4_pmin(x, f32x4_load_splat(c + VMATH_MAX));
    f32x4 n = f32x4_madd(x, f32x4_load_splat(c + VMATH_LOG2E), magic);
    /* n + 254 as a sum of two biased exponents. */
    const i32x4 half = i32x4_shr(f32x4_bits(n), 1);
    const i32x4 other = i32x4_sub(f32x4_bits(n), half);
    n = f32x4_sub(n, magic);
    /* r = x - n hi, which is exact, - n lo. */
    x = f32x4_sub(x, f32x4_mul(n, f32x4_load_splat(c + VMATH_LN2_HI)));
    const f32x4 low = f32x4_mul(n, f32x4_load_splat(c + VMATH_LN2_LO));
    const f32x4 r = f32x4_sub(x, low);
    /* q = c2 + c3 r + ... + c6 r^4 in Estrin's form. */
    const f32x4 square = f32x4_mul(r, r);
    f32x4 q = f32x4_madd(f32x4_load_splat(c + VMATH_C5), r, f32x4_load_splat(c + VMATH_C4));
    q = f32x4_madd(f32x4_load_splat(c + VMATH_C6), square, q);
    const f32x4 p23 = f32x4_madd(f32x4_load_splat(c + VMATH_C3), r, f32x4_load_splat(c + VMATH_C2));
    q = f32x4_madd(q, square, p23);
    /* 1 + r + r^2 q, smallest terms first. */
    q = f32x4_sub(f32x4_mul(square, q), low);
    x = f32x4_add(f32x4_load_splat(c + VMATH_ONE), f32x4_add(x, q));
    x = f32x4_mul(x, f32x4_from_bits(i32x4_shl(half, 23)));
    return f32x4_mul(x, f32x4_from_bits(i32x4_shl(other, 23)));
}

/* ---- log --------------------------------------------------------------------
 * log x = k log 2 + log(1 + f) with sqrt(1/2) <= 1 + f < sqrt 2, and
 * log(1 + f) = f - f^2/2 + f^3 P(f).
 */

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

/* ---- tanh -------------------------------------------------------------------
 * Below 0.625, tanh x = x + x^3 P(x^2); from there 1 - 2 / (1 + e^2x), where the
 * quotient is under one half, so its error counts less than half in the result.
 */

enum { TANH_SMALL, TANH_ONE, TANH_TWO, TANH_P /* lowest first */, TANH_CONSTANTS = TANH_P + 5 };

static const float tanh_constants[TANH_CONSTANTS] = {
    0.625f,         1.0f,           2.0f,           -0x1.555532p-2f,
    0x1.1106fep-3f, -0x1.b8378p-5f, 0x1.52095ep-6f, -0x1.7567ecp-8f};

/* x + x^3 P(x^2), x >= 0. */
ATTN_INLINE f32x4 tanh_small(f32x4 x, const float *c) {
    const float *p = c + TANH_P;
    const f32x4 z = f32x4_mul(x, x);
    f32x4 sum = f32x4_madd(f32x4_load_splat(p + 4), z, f32x4_load_splat(p + 3));
    sum = f32x4_madd(sum, z, f32x4_load_splat(p + 2));
    sum = f32x4_madd(sum, z, f32x4_load_splat(p + 1));
    sum = f32x4_madd(sum, z, f32x4_load_splat(p));
    return f32x4_madd(f32x4_mul(x, z), sum, x);
}

f32x4 vmath_tanh(f32x4 x) {
    const float *c = vmath_opaque(tanh_constants);
    const f32x4 one = f32x4_load_splat(c + TANH_ONE), two = f32x4_load_splat(c + TANH_TWO);
    const f32x4 size = f32x4_abs(x);
    const f32x4 power = vmath_exp(f32x4_mul(size, two));
    const f32x4 large = f32x4_sub(one, f32x4_div(two, f32x4_add(one, power)));
    const i32x4 is_small = f32x4_lt(size, f32x4_load_splat(c + TANH_SMALL));
    const f32x4 result = f32x4_select(is_small, tanh_small(size, c), large);
    const i32x4 sign = i32x4_xor(f32x4_bits(x), f32x4_bits(size));
    return f32x4_from_bits(i32x4_or(f32x4_bits(result), sign));
}
