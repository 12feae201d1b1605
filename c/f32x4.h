/*
 * f32x4.h: four floats at a time. The only file with code for one kind of machine.
 *
 * Every algorithm of the library is written once on these operations. They are implemented twice:
 * with wasm_simd128.h where the compiler targets simd128, and with GCC/Clang vector extensions
 * elsewhere (native builds, and the build without SIMD that wasm2js turns into JavaScript). Both
 * give the same bits, NaN payloads excepted, because each operation on a lane is one IEEE 754
 * operation with one rounding:
 *   - f32x4_madd is a multiply and an add, two roundings; only the relaxed build fuses them;
 *   - pmin and pmax are the "pseudo" forms of WebAssembly, a < b ? b : a, which keep their first
 *     operand when either is NaN;
 *   - f32x4_sum adds lanes in the order (0 + 2) + (1 + 3).
 */
#ifndef ATTN_F32X4_H
#define ATTN_F32X4_H

#include <float.h>
#include <stdint.h>
#include <string.h>

/* attn.h lists the compiler options that the library needs; these are the ones visible from here.
 */
#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "attention-lab: NaN, infinities and the order of sums matter; compile without -ffast-math"
#elif FLT_EVAL_METHOD != 0
#error "attention-lab: floats must be computed as floats; on 32-bit x86 add -msse2 -mfpmath=sse"
#endif
#ifdef __clang__ /* gcc takes -ffp-contract=off alone */
#pragma STDC FP_CONTRACT OFF
#endif

#define ATTN_INLINE static inline __attribute__((always_inline, unused))

/* Marks functions that run seldom: compiled small rather than fast, and never inlined. */
#ifdef __clang__
#define ATTN_SMALL __attribute__((noinline, minsize))
#else
#define ATTN_SMALL __attribute__((noinline))
#endif

/* Marks the stages in which a computation spends its time: compiled fast, and never inlined, so
 * that an engine can replace the first, slow translation of a stage while a long call runs. */
#define ATTN_STAGE __attribute__((noinline))

/* Whether f32x4_madd is one operation. Native tests set it, to cover the relaxed build's code. */
#ifndef F32X4_FUSED
#ifdef __wasm_relaxed_simd__
#define F32X4_FUSED 1
#else
#define F32X4_FUSED 0
#endif
#endif

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

typedef v128_t f32x4;
typedef v128_t i32x4;

ATTN_INLINE f32x4 f32x4_load(const float *p) { return wasm_v128_load(p); }
ATTN_INLINE void f32x4_store(float *p, f32x4 a) { wasm_v128_store(p, a); }
ATTN_INLINE f32x4 f32x4_load_splat(const float *p) { return wasm_v128_load32_splat(p); }
ATTN_INLINE f32x4 f32x4_splat(float a) { return wasm_f32x4_splat(a); }
ATTN_INLINE f32x4 f32x4_make(float a, float b, float c, float d) {
    return wasm_f32x4_make(a, b, c, d);
}

ATTN_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return wasm_f32x4_add(a, b); }
ATTN_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return wasm_f32x4_sub(a, b); }
ATTN_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return wasm_f32x4_mul(a, b); }
ATTN_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return wasm_f32x4_div(a, b); }
ATTN_INLINE f32x4 f32x4_sqrt(f32x4 a) { return wasm_f32x4_sqrt(a); }
ATTN_INLINE f32x4 f32x4_abs(f32x4 a) { return wasm_f32x4_abs(a); }
ATTN_INLINE f32x4 f32x4_neg(f32x4 a) { return wasm_f32x4_neg(a); }
ATTN_INLINE f32x4 f32x4_pmin(f32x4 a, f32x4 b) { return wasm_f32x4_pmin(a, b); }
ATTN_INLINE f32x4 f32x4_pmax(f32x4 a, f32x4 b) { return wasm_f32x4_pmax(a, b); }

ATTN_INLINE i32x4 f32x4_lt(f32x4 a, f32x4 b) { return wasm_f32x4_lt(a, b); }
ATTN_INLINE i32x4 f32x4_le(f32x4 a, f32x4 b) { return wasm_f32x4_le(a, b); }
ATTN_INLINE i32x4 f32x4_eq(f32x4 a, f32x4 b) { return wasm_f32x4_eq(a, b); }
/* Lanes of a where mask is all ones, of b where it is all zeros. */
ATTN_INLINE f32x4 f32x4_select(i32x4 mask, f32x4 a, f32x4 b) {
    return wasm_v128_bitselect(a, b, mask);
}

ATTN_INLINE f32x4 f32x4_from_bits(i32x4 a) { return a; }
ATTN_INLINE i32x4 f32x4_bits(f32x4 a) { return a; }
ATTN_INLINE f32x4 f32x4_from_i32(i32x4 a) { return wasm_f32x4_convert_i32x4(a); }

ATTN_INLINE i32x4 i32x4_load(const int32_t *p) { return wasm_v128_load(p); }
ATTN_INLINE void i32x4_store(int32_t *p, i32x4 a) { wasm_v128_store(p, a); }
ATTN_INLINE i32x4 i32x4_splat(int32_t a) { return wasm_i32x4_splat(a); }
ATTN_INLINE i32x4 i32x4_load_splat(const int32_t *p) { return wasm_v128_load32_splat(p); }
ATTN_INLINE i32x4 i32x4_make(int32_t a, int32_t b, int32_t c, int32_t d) {
    return wasm_i32x4_make(a, b, c, d);
}
ATTN_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return wasm_i32x4_add(a, b); }
ATTN_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return wasm_i32x4_sub(a, b); }
ATTN_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return wasm_v128_and(a, b); }
ATTN_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return wasm_v128_or(a, b); }
ATTN_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return wasm_v128_xor(a, b); }
ATTN_INLINE i32x4 i32x4_lt(i32x4 a, i32x4 b) { return wasm_i32x4_lt(a, b); }
ATTN_INLINE i32x4 i32x4_shl(i32x4 a, uint32_t bits) { return wasm_i32x4_shl(a, bits); }
/* Logical right shift. */
ATTN_INLINE i32x4 i32x4_shr(i32x4 a, uint32_t bits) { return wasm_u32x4_shr(a, bits); }
ATTN_INLINE int i32x4_any(i32x4 mask) { return wasm_v128_any_true(mask); }
/* The 64-bit products of unsigned lanes, low and high halves. */
ATTN_INLINE void u32x4_mul_wide(i32x4 a, i32x4 b, i32x4 *low, i32x4 *high) {
    const v128_t first = wasm_u64x2_extmul_low_u32x4(a, b);
    const v128_t last = wasm_u64x2_extmul_high_u32x4(a, b);
    *low = wasm_i32x4_shuffle(first, last, 0, 2, 4, 6);
    *high = wasm_i32x4_shuffle(first, last, 1, 3, 5, 7);
}

#define F32X4_LANE(a, lane) wasm_f32x4_extract_lane(a, lane)
/* Lanes i..j of the concatenation of a and b (0-3 name a, 4-7 name b). */
#define F32X4_SHUFFLE(a, b, i, j, k, l) wasm_i32x4_shuffle(a, b, i, j, k, l)

#else /* vector extensions */

#include <math.h>

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t attn_u32x4 __attribute__((vector_size(16)));

/* For WebAssembly, clang by itself would keep the loop, and in it whole vectors in memory: that
 * took the JavaScript made of it twice the time. */
#ifdef __wasm__
#define ATTN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ATTN_UNROLL
#endif
#define ATTN_LANES(expression) ATTN_UNROLL for (int lane = 0; lane < 4; lane++) expression

ATTN_INLINE f32x4 f32x4_load(const float *p) {
    f32x4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
ATTN_INLINE void f32x4_store(float *p, f32x4 a) { memcpy(p, &a, sizeof a); }
ATTN_INLINE f32x4 f32x4_splat(float a) { return (f32x4){a, a, a, a}; }
ATTN_INLINE f32x4 f32x4_load_splat(const float *p) { return f32x4_splat(*p); }
ATTN_INLINE f32x4 f32x4_make(float a, float b, float c, float d) { return (f32x4){a, b, c, d}; }

ATTN_INLINE f32x4 f32x4_add(f32x4 a, f32x4 b) { return a + b; }
ATTN_INLINE f32x4 f32x4_sub(f32x4 a, f32x4 b) { return a - b; }
ATTN_INLINE f32x4 f32x4_mul(f32x4 a, f32x4 b) { return a * b; }
ATTN_INLINE f32x4 f32x4_div(f32x4 a, f32x4 b) { return a / b; }
ATTN_INLINE f32x4 f32x4_sqrt(f32x4 a) {
    f32x4 r;
    ATTN_LANES(r[lane] = __builtin_sqrtf(a[lane]);)
    return r;
}
ATTN_INLINE f32x4 f32x4_from_bits(i32x4 a) { return (f32x4)a; }
ATTN_INLINE i32x4 f32x4_bits(f32x4 a) { return (i32x4)a; }
ATTN_INLINE f32x4 f32x4_abs(f32x4 a) { return (f32x4)((i32x4)a & 0x7fffffff); }
ATTN_INLINE f32x4 f32x4_neg(f32x4 a) { return -a; }
ATTN_INLINE f32x4 f32x4_pmin(f32x4 a, f32x4 b) {
    f32x4 r;
    ATTN_LANES(r[lane] = b[lane] < a[lane] ? b[lane] : a[lane];)
    return r;
}
ATTN_INLINE f32x4 f32x4_pmax(f32x4 a, f32x4 b) {
    f32x4 r;
    ATTN_LANES(r[lane] = a[lane] < b[lane] ? b[lane] : a[lane];)
    return r;
}

ATTN_INLINE i32x4 f32x4_lt(f32x4 a, f32x4 b) { return (i32x4)(a < b); }
ATTN_INLINE i32x4 f32x4_le(f32x4 a, f32x4 b) { return (i32x4)(a <= b); }
ATTN_INLINE i32x4 f32x4_eq(f32x4 a, f32x4 b) { return (i32x4)(a == b); }
/* Lanes of a where mask is all ones, of b where it is all zeros. */
ATTN_INLINE f32x4 f32x4_select(i32x4 mask, f32x4 a, f32x4 b) {
    f32x4 r;
    ATTN_LANES(r[lane] = mask[lane] ? a[lane] : b[lane];)
    return r;
}
ATTN_INLINE f32x4 f32x4_from_i32(i32x4 a) {
    f32x4 r;
    ATTN_LANES(r[lane] = (float)a[lane];)
    return r;
}

ATTN_INLINE i32x4 i32x4_load(const int32_t *p) {
    i32x4 a;
    memcpy(&a, p, sizeof a);
    return a;
}
ATTN_INLINE void i32x4_store(int32_t *p, i32x4 a) { memcpy(p, &a, sizeof a); }
ATTN_INLINE i32x4 i32x4_splat(int32_t a) { return (i32x4){a, a, a, a}; }
ATTN_INLINE i32x4 i32x4_load_splat(const int32_t *p) { return i32x4_splat(*p); }
ATTN_INLINE i32x4 i32x4_make(int32_t a, int32_t b, int32_t c, int32_t d) {
    return (i32x4){a, b, c, d};
}
/* Unsigned inside: integer lanes wrap, as they do in WebAssembly. */
ATTN_INLINE i32x4 i32x4_add(i32x4 a, i32x4 b) { return (i32x4)((attn_u32x4)a + (attn_u32x4)b); }
ATTN_INLINE i32x4 i32x4_sub(i32x4 a, i32x4 b) { return (i32x4)((attn_u32x4)a - (attn_u32x4)b); }
ATTN_INLINE i32x4 i32x4_and(i32x4 a, i32x4 b) { return a & b; }
ATTN_INLINE i32x4 i32x4_or(i32x4 a, i32x4 b) { return a | b; }
ATTN_INLINE i32x4 i32x4_xor(i32x4 a, i32x4 b) { return a ^ b; }
ATTN_INLINE i32x4 i32x4_lt(i32x4 a, i32x4 b) { return (i32x4)(a < b); }
ATTN_INLINE i32x4 i32x4_shl(i32x4 a, uint32_t bits) { return (i32x4)((attn_u32x4)a << bits); }
/* Logical right shift. */
ATTN_INLINE i32x4 i32x4_shr(i32x4 a, uint32_t bits) { return (i32x4)((attn_u32x4)a >> bits); }
ATTN_INLINE int i32x4_any(i32x4 mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
/* The 64-bit products of unsigned lanes, low and high halves; by halves of 16 bits,
 * because wasm2js has no 64-bit integers. */
ATTN_INLINE void u32x4_mul_wide(i32x4 a, i32x4 b, i32x4 *low, i32x4 *high) {
    const attn_u32x4 x = (attn_u32x4)a, y = (attn_u32x4)b;
    const attn_u32x4 x_low = x & 0xffff, x_high = x >> 16, y_low = y & 0xffff, y_high = y >> 16;
    const attn_u32x4 middle = x_high * y_low + ((x_low * y_low) >> 16);
    const attn_u32x4 carry = x_low * y_high + (middle & 0xffff);
    *low = (i32x4)(x * y);
    *high = (i32x4)(x_high * y_high + (middle >> 16) + (carry >> 16));
}

#define F32X4_LANE(a, lane) ((a)[lane])
/* Lanes i..j of the concatenation of a and b (0-3 name a, 4-7 name b). */
#ifdef __clang__
#define F32X4_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define F32X4_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (i32x4){i, j, k, l})
#endif

#endif

/* a * b + c: two roundings, one in the relaxed build. */
ATTN_INLINE f32x4 f32x4_madd(f32x4 a, f32x4 b, f32x4 c) {
#if !F32X4_FUSED
    return f32x4_add(f32x4_mul(a, b), c);
#elif defined(__wasm_relaxed_simd__)
    return wasm_f32x4_relaxed_madd(a, b, c);
#else
    ATTN_LANES(c[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);)
    return c;
#endif
}

/* Computes all four before any operation that needs one of them: left alone, LLVM puts one vector's
 * operations behind another's, and the processor waits (softmax in Chromium: 4 to 7 % longer).
 * Clang 19 takes no vectors here and loses only the order. */
ATTN_INLINE void f32x4_finish_4(f32x4 x[4]) {
#if defined(__wasm_simd128__) && __clang_major__ < 19
    for (int i = 0; i < 4; i++)
        __asm__ volatile("" : "+r"(x[i]));
#else
    (void)x;
#endif
}

/* (0 + 2) + (1 + 3): the one order of reduction in the library. */
ATTN_INLINE float f32x4_sum(f32x4 a) {
    return (F32X4_LANE(a, 0) + F32X4_LANE(a, 2)) + (F32X4_LANE(a, 1) + F32X4_LANE(a, 3));
}

/* Maximum of the lanes; a NaN lane may or may not win. */
ATTN_INLINE float f32x4_max_lane(f32x4 a) {
    a = f32x4_pmax(a, F32X4_SHUFFLE(a, a, 2, 3, 0, 1));
    a = f32x4_pmax(a, F32X4_SHUFFLE(a, a, 1, 0, 3, 2));
    return F32X4_LANE(a, 0);
}

/* Loads the first 1 <= count < 4 floats at p, with `rest` in the lanes after them. In f32x4.c,
 * because a call is smaller. */
f32x4 f32x4_load_part(const float *p, uint32_t count, float rest);

/* Stores the first 1 <= count < 4 lanes of a. */
void f32x4_store_part(float *p, uint32_t count, f32x4 a);

/* The same where count may be 4 or more, for all four lanes. */
ATTN_INLINE f32x4 f32x4_load_up_to(const float *p, uint32_t count, float rest) {
    return count >= 4 ? f32x4_load(p) : f32x4_load_part(p, count, rest);
}
ATTN_INLINE void f32x4_store_up_to(float *p, uint32_t count, f32x4 a) {
    if (count >= 4)
        f32x4_store(p, a);
    else
        f32x4_store_part(p, count, a);
}

/* Transposes the 4x4 block whose rows are r[0..3]. */
ATTN_INLINE void f32x4_transpose(f32x4 r[4]) {
    const f32x4 a = F32X4_SHUFFLE(r[0], r[1], 0, 4, 1, 5);
    const f32x4 b = F32X4_SHUFFLE(r[0], r[1], 2, 6, 3, 7);
    const f32x4 c = F32X4_SHUFFLE(r[2], r[3], 0, 4, 1, 5);
    const f32x4 d = F32X4_SHUFFLE(r[2], r[3], 2, 6, 3, 7);
    r[0] = F32X4_SHUFFLE(a, c, 0, 1, 4, 5);
    r[1] = F32X4_SHUFFLE(a, c, 2, 3, 6, 7);
    r[2] = F32X4_SHUFFLE(b, d, 0, 1, 4, 5);
    r[3] = F32X4_SHUFFLE(b, d, 2, 3, 6, 7);
}

#endif
