/*
 * random.c: uniform and normal numbers from Philox4x32-10 (random.h).
 *
 * Thirty-two numbers are made at a time, two sets of four blocks of the cipher: each round waits
 * for its products, and each set fills the gaps of the other (3.5 ns a uniform number, one set
 * 4.3). No operation is fused in any build, so the relaxed build gives the same numbers.
 */
#include "random.h"

#include "attn.h"
#include "vmath.h"

enum { SETS = 2, SET_NUMBERS = 16, NUMBERS = SETS * SET_NUMBERS };

/* words[s][i] = word i of the blocks 4 s + first ... 4 s + first + 3. */
static ATTN_STAGE void draw(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                            uint32_t stream_high, uint32_t first, i32x4 words[SETS][4]) {
    i32x4 local[SETS][4];
    for (int set = 0; set < SETS; set++) {
        const i32x4 block = i32x4_splat((int32_t)first + 4 * set);
        local[set][0] = i32x4_add(block, i32x4_make(0, 1, 2, 3));
        local[set][1] = i32x4_splat(0); /* numbers are counted in 32 bits, so blocks need 30 */
        local[set][2] = i32x4_splat((int32_t)stream_low);
        local[set][3] = i32x4_splat((int32_t)stream_high);
    }
    random_philox(local, SETS, seed_low, seed_high);
    memcpy(words, local, sizeof local);
}

/* numbers[4 b + i] = lane b of v[i], the order of the blocks; at most `left` of them. */
static ATTN_STAGE void store_set(f32x4 v[4], float *numbers, uint32_t left) {
    float all[SET_NUMBERS];
    float *to = left >= SET_NUMBERS ? numbers : all;
    f32x4_transpose(v);
    for (size_t i = 0; i < 4; i++)
        f32x4_store(to + 4 * i, v[i]);
    if (to == all)
        memcpy(numbers, all, left * sizeof *all);
}

/* ---- uniform ---------------------------------------------------------------------- */

/* The float before x, finite; -2^-149 before 0. */
static float float_below(float x) {
    uint32_t bits;
    if (x == 0.0f)
        return -0x1p-149f;
    memcpy(&bits, &x, sizeof bits);
    bits = x > 0.0f ? bits - 1 : bits + 1; /* unsigned: NaN may have no next */
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* v[i] = low + u 2 half, u uniform on [0, 1), at most largest. The half width is added twice, as
 * the width may exceed FLT_MAX. */
static ATTN_SMALL void uniform_set(const i32x4 words[4], float low, float half, float largest,
                                   f32x4 v[4]) {
    for (int i = 0; i < 4; i++) {
        const f32x4 bits = f32x4_from_i32(i32x4_shr(words[i], 8));
        const f32x4 step = f32x4_mul(f32x4_splat(half), f32x4_mul(bits, f32x4_splat(0x1p-24f)));
        const f32x4 x = f32x4_add(f32x4_add(f32x4_splat(low), step), step);
        v[i] = f32x4_pmin(x, f32x4_splat(largest));
    }
}

/* ---- normal ------------------------------------------------------------------------- */

/* Box & Muller, "A note on the generation of random normal deviates", 1958: two
 * independent normal numbers from a uniform radius and a uniform angle. The radius
 * comes from 31 bits, so its tail ends at sqrt(-2 log 2^-32) = 6.66. */
static ATTN_STAGE void box_muller(const i32x4 words[2], f32x4 numbers[2]) {
    const f32x4 bits = f32x4_from_i32(i32x4_shr(words[0], 1));
    const f32x4 u =
        f32x4_mul(f32x4_add(bits, f32x4_splat(0.5f)), f32x4_splat(0x1p-31f)); /* in (0, 1] */
    const f32x4 radius = f32x4_sqrt(f32x4_mul(vmath_log(u), f32x4_splat(-2.0f)));
    f32x4 sine, cosine;
    vmath_sin_cos_turn(words[1], &sine, &cosine);
    numbers[0] = f32x4_mul(radius, cosine);
    numbers[1] = f32x4_mul(radius, sine);
}

static ATTN_SMALL void normal_set(const i32x4 words[4], float mean, float std, f32x4 v[4]) {
    box_muller(words, v);
    box_muller(words + 2, v + 2);
    for (int i = 0; i < 4; i++)
        v[i] = vmath_step(v[i], f32x4_splat(std), f32x4_splat(mean));
}

/* ---- interface ---------------------------------------------------------------------- */

/* Normal numbers of mean `origin` and standard deviation `scale` where largest is NaN. */
static ATTN_SMALL void fill(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                            uint32_t stream_high, uint32_t n, float origin, float scale,
                            float largest, float *x) {
    for (uint32_t i = 0; i < n; i += NUMBERS) {
        i32x4 words[SETS][4];
        draw(seed_low, seed_high, stream_low, stream_high, i / 4, words);
        for (uint32_t set = i; set < n && set < i + NUMBERS; set += SET_NUMBERS) {
            f32x4 v[4];
            const i32x4 *w = words[(set - i) / SET_NUMBERS];
            if (largest != largest)
                normal_set(w, origin, scale, v);
            else
                uniform_set(w, origin, scale, largest, v);
            store_set(v, x + set, n - set);
        }
    }
}

ATTN_SMALL void attn_random_uniform(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                                    uint32_t stream_high, uint32_t n, float low, float high,
                                    float *x) {
    const float below = float_below(high);
    fill(seed_low, seed_high, stream_low, stream_high, n, low, high * 0.5f - low * 0.5f,
         low < below ? below : low, x); /* rounding may reach high */
}

ATTN_SMALL void attn_random_normal(uint32_t seed_low, uint32_t seed_high, uint32_t stream_low,
                                   uint32_t stream_high, uint32_t n, float mean, float std,
                                   float *x) {
    fill(seed_low, seed_high, stream_low, stream_high, n, mean, std, __builtin_nanf(""), x);
}
