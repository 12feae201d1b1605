/*
 * oracle_numbers.h: linear maps, rotary turns, 16-bit formats and random numbers in float64.
 */
#ifndef ATTN_TEST_ORACLE_NUMBERS_H
#define ATTN_TEST_ORACLE_NUMBERS_H

#include "oracle.h"

/* ---- linear maps --------------------------------------------------------------------- */

/* sum_k a[i, k] b[k, j] and the same of absolute values, by strides. */
ORACLE_STATIC void oracle_product(size_t m, size_t n, size_t k, const float *a, size_t a_row,
                                  size_t a_col, const float *b, size_t b_row, size_t b_col,
                                  double *c, double *magnitude) {
    *magnitude = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0, terms = 0;
            for (size_t l = 0; l < k; l++) {
                const double term =
                    (double)a[i * a_row + l * a_col] * (double)b[l * b_row + j * b_col];
                sum += term;
                terms += fabs(term);
            }
            c[i * n + j] = sum;
            *magnitude = fmax(*magnitude, terms);
        }
}

/* ---- rotary embedding ------------------------------------------------------------------ */

/* As attn_rotary_turns. */
ORACLE_STATIC void oracle_rotary_turns(const double *positions, size_t n, size_t d, double base,
                                       double *turns) {
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d / 2; i++) {
            const long double frequency =
                powl((long double)base, -2.0L * (long double)i / (long double)d);
            const long double angle = (long double)positions[p] * frequency;
            turns[p * d + 2 * i] = (double)cosl(angle);
            turns[p * d + 2 * i + 1] = (double)sinl(angle);
        }
}

/* Number e of attn_rotary_forward, from the turns. */
ORACLE_STATIC double oracle_rotary(const float *x, const float *turns, size_t n, size_t d,
                                   attn_pairing pairing, int inverse, size_t e) {
    const size_t row = e / d, c = e % d, half = d / 2;
    const size_t pair = pairing == ATTN_PAIR_HALVES ? c % half : c / 2;
    const int second = pairing == ATTN_PAIR_HALVES ? c >= half : c % 2 == 1;
    const size_t other = pairing == ATTN_PAIR_HALVES ? (c + half) % d : c ^ 1;
    const double cosine = (double)turns[(row % n) * d + 2 * pair];
    const double sine = (double)turns[(row % n) * d + 2 * pair + 1];
    const double sign = second != inverse ? 1 : -1;
    return (double)x[e] * cosine + sign * sine * (double)x[row * d + other];
}

/* ---- 16-bit formats ------------------------------------------------------------------ */

typedef struct {
    int significant, least_exponent, greatest_exponent; /* of normal numbers */
} oracle_format;

ORACLE_STATIC const oracle_format oracle_float16 = {11, -14, 15}, oracle_bfloat16 = {8, -126, 127};

/* By the definition: the multiple of the spacing that is nearest, even on a tie. */
ORACLE_STATIC double oracle_round(oracle_format f, double x) {
    if (x == 0 || !isfinite(x))
        return x;
    int exponent;
    frexp(x, &exponent);
    exponent = exponent - 1 < f.least_exponent ? f.least_exponent : exponent - 1;
    const double spacing = ldexp(1, exponent - f.significant + 1);
    const double y = nearbyint(x / spacing) * spacing;
    return fabs(y) >= ldexp(1, f.greatest_exponent + 1) ? copysign((double)INFINITY, x) : y;
}

/* Every step in double, rounded by the definition; returns the sum. */
ORACLE_STATIC double oracle_softmax_float16(const float *x, size_t n, int subtract_max,
                                            double *weights) {
    const oracle_format f = oracle_float16;
    double largest = -(double)INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        largest = fmax(largest, oracle_round(f, (double)x[j]));
    for (size_t j = 0; j < n; j++) {
        const double shifted = oracle_round(f, (double)x[j]) - (subtract_max ? largest : 0);
        weights[j] = oracle_round(f, exp(oracle_round(f, shifted)));
        sum = oracle_round(f, sum + weights[j]);
    }
    for (size_t j = 0; j < n; j++)
        weights[j] = oracle_round(f, weights[j] / sum);
    return sum;
}

/* ---- random numbers ------------------------------------------------------------------ */

/* Philox4x32-10 as its paper has it, in integers. */
ORACLE_STATIC void oracle_philox(const uint32_t counter[4], const uint32_t key[2],
                                 uint32_t words[4]) {
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        const uint64_t first = (uint64_t)0xD2511F53 * c[0], third = (uint64_t)0xCD9E8D57 * c[2];
        c[0] = (uint32_t)(third >> 32) ^ c[1] ^ k[0];
        c[2] = (uint32_t)(first >> 32) ^ c[3] ^ k[1];
        c[1] = (uint32_t)third;
        c[3] = (uint32_t)first;
        k[0] += 0x9E3779B9;
        k[1] += 0xBB67AE85;
    }
    for (int i = 0; i < 4; i++)
        words[i] = c[i];
}

/* Number i of a seed and a stream; source holds the two words of each. */
ORACLE_STATIC double oracle_uniform(const uint32_t source[4], uint32_t i) {
    const uint32_t counter[4] = {i / 4, 0, source[2], source[3]};
    uint32_t words[4];
    oracle_philox(counter, source, words);
    return (double)(words[i % 4] >> 8) * 0x1p-24;
}

/* Box-Muller on a pair of words: 31 bits of radius, rounded to float32, and 32 of angle. */
ORACLE_STATIC double oracle_normal(const uint32_t source[4], uint32_t i) {
    const uint32_t counter[4] = {i / 4, 0, source[2], source[3]};
    uint32_t words[4];
    oracle_philox(counter, source, words);
    const uint32_t *pair = words + (i % 4 / 2) * 2;
    const float u = ((float)(pair[0] >> 1) + 0.5F) * 0x1p-31F;
    const double radius = sqrt(-2 * log((double)u));
    const double angle = (double)pair[1] * 0x1p-31 * acos(-1.0);
    return radius * (i % 2 == 0 ? cos(angle) : sin(angle));
}

#endif
