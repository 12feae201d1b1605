/*
 * half.c: 16-bit formats, by rounding float32 to the nearest value of the format, ties to even
 * (IEEE 754-2008, section 4.3.1). An operation in such a format is one in float32 and a rounding.
 * For +, -, *, / of fp16 that is exact: 24 >= 2 * 11 + 2 bits make double rounding harmless
 * (Figueroa, "When is double rounding innocuous?", 1995).
 */
#include "attn.h"
#include "vmath.h"

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns a NaN that 16 bits hold; the upper half of another NaN may be an infinity. */
static float not_a_number(void) { return float_of(0x7fc00000U); }

/* Rounds away the low `dropped` bits, to nearest, ties to even; a carry into the exponent is
 * right. */
static uint32_t round_bits(uint32_t bits, uint32_t dropped) {
    const uint32_t unit = 1U << dropped;
    const uint32_t odd = bits >> dropped & 1U;
    return (bits + unit / 2 - 1 + odd) & ~(unit - 1);
}

/* fp16 has 11 significant bits, normal from 2^-14, infinity from 65520. */
static ATTN_SMALL float round_float16(float x) {
    const float magnitude = x < 0 ? -x : x;
    if (!(magnitude < 65520.0F))
        return magnitude >= 65520.0F ? x * float_of(0x7f800000U) : not_a_number();
    if (magnitude >= 0x1p-14F)
        return float_of(round_bits(bits_of(x), 13));
    /* Near 0.75 floats are 2^-24 apart, as subnormal fp16 are. */
    const float rounded = (magnitude + 0.75F) - 0.75F;
    return float_of(bits_of(rounded) | (bits_of(x) & 0x80000000U));
}

/* bfloat16 is the upper half of a float32. */
static ATTN_SMALL float round_bfloat16(float x) {
    return x != x ? not_a_number() : float_of(round_bits(bits_of(x), 16));
}

ATTN_SMALL void attn_round_float16(const float *x, uint32_t n, float *rounded) {
    for (uint32_t i = 0; i < n; i++)
        rounded[i] = round_float16(x[i]);
}

ATTN_SMALL void attn_round_bfloat16(const float *x, uint32_t n, float *rounded) {
    for (uint32_t i = 0; i < n; i++)
        rounded[i] = round_bfloat16(x[i]);
}

/* Returns the largest fp16 value of a row; -Infinity for no numbers. NaN never wins. */
static float largest_float16(const float *x, uint32_t n) {
    float largest = -float_of(0x7f800000U);
    for (uint32_t j = 0; j < n; j++) {
        const float rounded = round_float16(x[j]);
        largest = rounded > largest ? rounded : largest;
    }
    return largest;
}

/* Computes one row of attn_softmax_float16. */
static ATTN_SMALL void softmax_float16_row(const float *x, uint32_t n, uint32_t subtract_max,
                                           float *weights) {
    const float infinity = float_of(0x7f800000U);
    const float largest = subtract_max ? largest_float16(x, n) : 0;
    float sum = 0;
    for (uint32_t j = 0; j < n; j++) {
        const float from_largest = round_float16(x[j]) - (largest == -infinity ? 0 : largest);
        const f32x4 power = vmath_exp(f32x4_splat(round_float16(from_largest)));
        weights[j] = round_float16(F32X4_LANE(power, 0));
        sum = round_float16(sum + weights[j]);
    }
    const int attends_nowhere = subtract_max && largest == -infinity && sum == 0;
    for (uint32_t j = 0; j < n; j++)
        weights[j] = attends_nowhere ? 0 : round_float16(weights[j] / sum);
}

ATTN_SMALL void attn_softmax_float16(const float *x, uint32_t rows, uint32_t columns,
                                     uint32_t subtract_max, float *weights) {
    for (uint32_t i = 0; i < rows; i++)
        softmax_float16_row(x + (size_t)i * columns, columns, subtract_max,
                            weights + (size_t)i * columns);
}
