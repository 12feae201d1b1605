/*
 * vmath.h: exponential, logarithm, tanh, sine and cosine, four floats at a time.
 *
 * Written on f32x4.h alone, without libm, so that every build gives the same bits. Bounds are in
 * ulp (the spacing of float32 at the exact value) and hold for the builds that do not fuse
 * multiply-add; tests/c/vmath_*_test.c enforce them, over every float32 with `exhaustive`.
 *
 * Constants are in memory, behind an opaque pointer: V8 materialises v128.const at each use, also
 * inside loops, and a splat load is free beside the arithmetic (0.75 ns an exp, not 1.31). Where
 * exponentials are the work, four vectors go through them in stages that share these loads;
 * softmax_exp of softmax.h is the one place. Elsewhere there is one call a vector.
 */
#ifndef ATTN_VMATH_H
#define ATTN_VMATH_H

#include "f32x4.h"

#include <stddef.h>

/* Returns the same pointer, but the compiler cannot see its target any more. */
ATTN_INLINE const float *vmath_opaque(const float *constants) {
    __asm__("" : "+r"(constants));
    return constants;
}

/* ---- exp --------------------------------------------------------------------
 * Coefficients: tests/c/coefficients.js.
 */

/* e^x for every float: subnormal results, 0, Infinity, NaN. Within .9 ulp. */
f32x4 vmath_exp(f32x4 x);

/* Indices into the constants of an exponential. */
enum {
    VMATH_MIN, /* arguments are clamped to [min, max] */
    VMATH_MAX,
    VMATH_LOG2E,
    VMATH_MAGIC,  /* 1.5 * 2^23 + the bias of the exponent */
    VMATH_LN2_HI, /* ln 2 = hi + lo; hi has 15 bits, so n * hi is exact */
    VMATH_LN2_LO,
    VMATH_ONE,
    VMATH_C1, /* polynomial; of e^r, 1 */
    VMATH_C2,
    VMATH_C3,
    VMATH_C4,
    VMATH_C5,
    VMATH_C6,
    VMATH_EXP_CONSTANTS
};

/* For 2^y, y = x log2 e <= 0. */
static const float vmath_exp2_constants[VMATH_EXP_CONSTANTS] = {
    [VMATH_MIN] = -88.03f, /* -127 / log2 e */
    [VMATH_LOG2E] = 0x1.715476p0f, [VMATH_MAGIC] = 0x1.8p23f + 127, [VMATH_C1] = 0x1.62e43p-1f,
    [VMATH_C2] = 0x1.ebfbd8p-3f,   [VMATH_C3] = 0x1.c6af76p-5f,     [VMATH_C4] = 0x1.3b30a6p-7f,
    [VMATH_C5] = 0x1.5f0b8cp-10f,  [VMATH_C6] = 0x1.3f9bcp-13f,
};

/* e^x of numbers x <= 0, as softmax needs it, with 8 operations fewer than vmath_exp. The argument
 * is rounded when it is multiplied by log2 e, so the error is 1 + 1.25 |x| ulp, but at most
 * 1.1 * 2^-24 in absolute terms, and the largest weight is 1. Results below 2^-126.5 are 0;
 * -Infinity gives 0, NaN NaN. It comes in two halves, because both together need more registers
 * than there are (up to a seventh of the time). */

/* The first half: x[i] = f and power[i] = 2^n, with x log2 e = n + f, |f| <= 1/2. */
ATTN_INLINE void vmath_exp_split_4(f32x4 x[4], f32x4 power[4]) {
    const float *c = vmath_opaque(vmath_exp2_constants);
    for (int i = 0; i < 4; i++)
        x[i] = f32x4_pmax(x[i], f32x4_load_splat(c + VMATH_MIN)); /* NaN stays */
    f32x4_finish_4(x);
#if F32X4_FUSED
    for (int i = 0; i < 4; i++) {
        power[i] =
            f32x4_madd(x[i], f32x4_load_splat(c + VMATH_LOG2E), f32x4_load_splat(c + VMATH_MAGIC));
        x[i] = f32x4_madd(x[i], f32x4_load_splat(c + VMATH_LOG2E),
                          f32x4_sub(f32x4_load_splat(c + VMATH_MAGIC), power[i]));
    }
#else
    f32x4 n[4];
    for (int i = 0; i < 4; i++)
        x[i] = f32x4_mul(x[i], f32x4_load_splat(c + VMATH_LOG2E));
    f32x4_finish_4(x);
    for (int i = 0; i < 4; i++)
        power[i] = f32x4_add(x[i], f32x4_load_splat(c + VMATH_MAGIC));
    f32x4_finish_4(power);
    for (int i = 0; i < 4; i++)
        n[i] = f32x4_sub(power[i], f32x4_load_splat(c + VMATH_MAGIC));
    f32x4_finish_4(n);
    for (int i = 0; i < 4; i++)
        x[i] = f32x4_sub(x[i], n[i]);
    f32x4_finish_4(x);
#endif
    for (int i = 0; i < 4; i++)
        power[i] = f32x4_from_bits(i32x4_shl(f32x4_bits(power[i]), 23)); /* 0 for n = -127 */
}

/* The second half: x[i] = 2^f 2^n, from the powers of the first. */
ATTN_INLINE void vmath_exp_join_4(f32x4 x[4], const float powers[16]) {
    const float *c = vmath_opaque(vmath_exp2_constants);
    f32x4 q[4];
    for (int i = 0; i < 4; i++)
        q[i] = f32x4_load_splat(c + VMATH_C6);
    for (int k = VMATH_C5; k >= (F32X4_FUSED ? VMATH_C1 : VMATH_C2); k--) {
        for (int i = 0; i < 4; i++)
            q[i] = f32x4_madd(q[i], x[i], f32x4_load_splat(c + k));
        f32x4_finish_4(q);
    }
    for (int i = 0; i < 4; i++) {
        const f32x4 power = f32x4_load(powers + 4 * (size_t)i);
#if F32X4_FUSED
        x[i] = f32x4_madd(q[i], f32x4_mul(x[i], power), power);
#else /* 1.05 * 2^-24 at worst; as above 1.21 */
        const f32x4 linear = f32x4_mul(f32x4_load_splat(c + VMATH_C1), x[i]);
        q[i] = f32x4_madd(q[i], f32x4_mul(x[i], x[i]), linear);
        x[i] = f32x4_madd(q[i], power, power);
#endif
    }
}

/* ---- log ---------------------------------------------------------------------- */

/* a * b + c with two roundings in every build: log, sin and cos make the random numbers, which
 * are the same in the relaxed build. */
ATTN_INLINE f32x4 vmath_step(f32x4 a, f32x4 b, f32x4 c) { return f32x4_add(f32x4_mul(a, b), c); }

/* log x for every float, at most 0.83 ulp: log 0 = -Infinity, NaN below 0. */
f32x4 vmath_log(f32x4 x);

/* One number: as vmath_log. */
ATTN_INLINE float vmath_log_scalar(float x) { return F32X4_LANE(vmath_log(f32x4_splat(x)), 0); }

/* ---- tanh -----------------------------------------------------------------------*/

/* tanh x for every float, at most 1.32 ulp. */
f32x4 vmath_tanh(f32x4 x);

/* ---- sin and cos -----------------------------------------------------------------
 * Of `turn`, an unsigned fraction of a full turn in units of 2^-32: the nearest
 * quarter turn and the signed rest t pi/4, |t| <= 1, are exact in integers.
 */

enum {
    VMATH_TURN_UNIT, /* 2^-31 */
    VMATH_TURN_ONE,
    VMATH_TURN_SIN,                      /* sin(t pi/4) = t P(t^2), lowest first */
    VMATH_TURN_COS = VMATH_TURN_SIN + 4, /* cos(t pi/4) = 1 + t^2 P(t^2) */
    VMATH_TURN_CONSTANTS = VMATH_TURN_COS + 4
};

static const float vmath_turn_constants[VMATH_TURN_CONSTANTS] = {0x1p-31f,         1.0f,
                                                                 0x1.921fb6p-1f,   -0x1.4abbeep-4f,
                                                                 0x1.466be6p-9f,   -0x1.2f7c3ep-15f,
                                                                 -0x1.3bd3ccp-2f,  0x1.03c1b6p-6f,
                                                                 -0x1.55b684p-12f, 0x1.d61e28p-19f};

/* c0 + c1 z + c2 z^2 + c3 z^3. */
ATTN_INLINE f32x4 vmath_turn_polynomial(f32x4 z, const float *c) {
    f32x4 sum = vmath_step(f32x4_load_splat(c + 3), z, f32x4_load_splat(c + 2));
    sum = vmath_step(sum, z, f32x4_load_splat(c + 1));
    return vmath_step(sum, z, f32x4_load_splat(c));
}

/* sine = sin(2 pi turn / 2^32), cosine likewise; each at most 2^-23 off. */
ATTN_INLINE void vmath_sin_cos_turn(i32x4 turn, f32x4 *sine, f32x4 *cosine) {
    const float *c = vmath_opaque(vmath_turn_constants);
    const i32x4 quarter = i32x4_shr(i32x4_add(turn, i32x4_splat(1 << 29)), 30);
    const f32x4 t =
        f32x4_mul(f32x4_from_i32(i32x4_shl(turn, 2)), f32x4_load_splat(c + VMATH_TURN_UNIT));
    const f32x4 z = f32x4_mul(t, t);
    const f32x4 s = f32x4_mul(t, vmath_turn_polynomial(z, c + VMATH_TURN_SIN));
    const f32x4 cos_rest = vmath_turn_polynomial(z, c + VMATH_TURN_COS);
    const f32x4 k = vmath_step(z, cos_rest, f32x4_load_splat(c + VMATH_TURN_ONE));
    const i32x4 one = i32x4_splat(1), two = i32x4_splat(2);
    const i32x4 swap = i32x4_sub(i32x4_splat(0), i32x4_and(quarter, one));
    /* Bit 1 of the quarter, moved to the sign: sine is negative in quarters 2 and 3,
     * cosine in 1 and 2. */
    const i32x4 sine_sign = i32x4_shl(i32x4_and(quarter, two), 30);
    const i32x4 cosine_sign = i32x4_shl(i32x4_and(i32x4_add(quarter, one), two), 30);
    *sine = f32x4_from_bits(i32x4_xor(f32x4_bits(f32x4_select(swap, k, s)), sine_sign));
    *cosine = f32x4_from_bits(i32x4_xor(f32x4_bits(f32x4_select(swap, s, k)), cosine_sign));
}

#endif
