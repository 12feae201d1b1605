/*
 * vmath.h: exponential, logarithm and the functions made of them, four floats at a time.
 *
 * Written on f32x4.h alone, without libm, so every build gives the same bits.
 * Bounds are in ulp (spacing of float32 at the exact value) and hold for the
 * builds that do not fuse multiply-add; tests/c/vmath_*_test.c enforce them, over
 * every float32 with the argument `exhaustive`.
 *
 * Why constants are in memory: V8 materialises v128.const again at each use, also
 * inside loops; a splat load from memory costs nothing beside the arithmetic
 * (1.31 against .75 ns for an exp). The pointer is made opaque or LLVM would see
 * through it and put the constants back. Why four vectors in stages: each constant
 * is loaded once for 16 numbers, and four independent chains hide the latency of
 * one another (.49 ns).
 */
#ifndef ATTN_VMATH_H
#define ATTN_VMATH_H

#include "f32x4.h"

/* The same pointer, about whose target the compiler knows nothing. */
ATTN_INLINE const float *vmath_opaque(const float *constants) {
    __asm__("" : "+r"(constants));
    return constants;
}

/* ---- exp --------------------------------------------------------------------
 * e^x = 2^n e^r with n = round(x / ln 2), r = x - n ln 2. Rounding to an integer:
 * adding 1.5 * 2^23 leaves the nearest integer (ties to even) in the low bits of
 * the sum. Coefficients: tests/c/exp_coefficients.js.
 */

/* Indices into the constants of an exponential. */
enum {
    VMATH_LOW,    /* arguments are clamped to [low, high] */
    VMATH_HIGH,   /* (the second has no use for high) */
    VMATH_LOG2E,  /* */
    VMATH_MAGIC,  /* 1.5 * 2^23 + the bias of the exponent */
    VMATH_LN2_HI, /* ln 2 = hi + lo; hi has 15 bits, so n * hi is exact */
    VMATH_LN2_LO, /* */
    VMATH_C0,     /* polynomial, lowest first */
    VMATH_EXP_CONSTANTS = VMATH_C0 + 7
};

/* Twice the bias: the result is scaled by two powers of two, so that subnormals and
 * numbers up to FLT_MAX come out. Beyond the clamps the result is 0 or infinity. */
static const float vmath_exp_constants[VMATH_EXP_CONSTANTS] = {
    -104.0f, 89.0f,          0x1.715476p0f,  0x1.8p23f + 254, 0x1.62e4p-1f,   0x1.7f7d1cp-20f, 1.0f,
    1.0f,    0x1.fffff8p-2f, 0x1.55548ep-3f, 0x1.555b98p-5f,  0x1.123bdap-7f, 0x1.685168p-10f};

/* For arguments that were multiplied by log2 e: 2^y = 2^n 2^f. */
static const float vmath_exp2_constants[VMATH_EXP_CONSTANTS] = {
    -127.0f,       0.0f,          0x1.715476p0f,  0x1.8p23f + 127, 0.0f,           0.0f,
    1.0f,          0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af76p-5f,  0x1.3b30a6p-7f, 0x1.5f0b8cp-10f,
    0x1.3f9bcp-13f};

/* result[i] = c0 + r (c1 + r (c2 + ... + r c6)), in Estrin's form but for the last
 * step: adding c0 = 1 at the end rounds once at full size. */
ATTN_INLINE void vmath_exp_polynomial(const f32x4 *r, f32x4 *result, int count, const float *c) {
    f32x4 square[4], low[4], middle[4], high[4];
    c += VMATH_C0;
    for (int i = 0; i < count; i++)
        square[i] = f32x4_mul(r[i], r[i]);
    for (int i = 0; i < count; i++)
        high[i] = f32x4_madd(f32x4_load_splat(c + 6), r[i], f32x4_load_splat(c + 5));
    for (int i = 0; i < count; i++)
        middle[i] = f32x4_madd(f32x4_load_splat(c + 4), r[i], f32x4_load_splat(c + 3));
    for (int i = 0; i < count; i++)
        middle[i] = f32x4_madd(high[i], square[i], middle[i]);
    for (int i = 0; i < count; i++)
        low[i] = f32x4_madd(f32x4_load_splat(c + 2), r[i], f32x4_load_splat(c + 1));
    for (int i = 0; i < count; i++)
        low[i] = f32x4_madd(middle[i], square[i], low[i]);
    for (int i = 0; i < count; i++)
        result[i] = f32x4_madd(low[i], r[i], f32x4_load_splat(c));
}

/* x[i] = e^x[i] in place, count <= 4 vectors. */
ATTN_INLINE void vmath_exp_vectors(f32x4 *x, int count) {
    const float *c = vmath_opaque(vmath_exp_constants);
    f32x4 r[4], n[4];
    i32x4 half[4], other[4];
    for (int i = 0; i < count; i++) {
        x[i] = f32x4_pmax(x[i], f32x4_load_splat(c + VMATH_LOW)); /* NaN stays */
        x[i] = f32x4_pmin(x[i], f32x4_load_splat(c + VMATH_HIGH));
    }
    for (int i = 0; i < count; i++)
        n[i] = f32x4_add(f32x4_mul(x[i], f32x4_load_splat(c + VMATH_LOG2E)),
                         f32x4_load_splat(c + VMATH_MAGIC));
    for (int i = 0; i < count; i++) { /* n + 254 as a sum of two biased exponents */
        const i32x4 sum = f32x4_bits(n[i]);
        half[i] = i32x4_shr(sum, 1);
        other[i] = i32x4_shl(i32x4_sub(sum, half[i]), 23);
        half[i] = i32x4_shl(half[i], 23);
        n[i] = f32x4_sub(n[i], f32x4_load_splat(c + VMATH_MAGIC));
    }
    for (int i = 0; i < count; i++) {
        r[i] = f32x4_sub(x[i], f32x4_mul(n[i], f32x4_load_splat(c + VMATH_LN2_HI)));
        r[i] = f32x4_sub(r[i], f32x4_mul(n[i], f32x4_load_splat(c + VMATH_LN2_LO)));
    }
    vmath_exp_polynomial(r, x, count, c);
    for (int i = 0; i < count; i++)
        x[i] = f32x4_mul(f32x4_mul(x[i], f32x4_from_bits(half[i])), f32x4_from_bits(other[i]));
}

/* e^x for every float: subnormal results, 0, Infinity, NaN. */
ATTN_INLINE f32x4 vmath_exp(f32x4 x) {
    vmath_exp_vectors(&x, 1);
    return x;
}

/* The same for four vectors in place: the fast way through an array. */
ATTN_INLINE void vmath_exp_4(f32x4 x[4]) { vmath_exp_vectors(x, 4); }

/* e^x in place for x <= 0, as softmax needs it: 9 operations fewer than vmath_exp.
 * The argument is rounded when it is multiplied by log2 e, so the error is 1 ulp
 * + |x| / 2 ulp: in absolute terms always below 2^-24, which is what matters beside
 * a largest weight of 1. Results below 2^-126 are 0; -Infinity gives 0, NaN NaN. */
ATTN_INLINE void vmath_exp_nonpositive_4(f32x4 x[4]) {
    const float *c = vmath_opaque(vmath_exp2_constants);
    f32x4 f[4], power[4];
    for (int i = 0; i < 4; i++)
        x[i] = f32x4_pmax(f32x4_mul(x[i], f32x4_load_splat(c + VMATH_LOG2E)),
                          f32x4_load_splat(c + VMATH_LOW)); /* NaN stays */
    for (int i = 0; i < 4; i++) {
        const f32x4 n = f32x4_add(x[i], f32x4_load_splat(c + VMATH_MAGIC));
        power[i] = f32x4_from_bits(i32x4_shl(f32x4_bits(n), 23)); /* 2^-127 is 0 */
        f[i] = f32x4_sub(x[i], f32x4_sub(n, f32x4_load_splat(c + VMATH_MAGIC)));
    }
    vmath_exp_polynomial(f, x, 4, c);
    for (int i = 0; i < 4; i++)
        x[i] = f32x4_mul(x[i], power[i]);
}

/* ---- log, tanh, sin and cos (below this line) ------------------------------- */

#endif
