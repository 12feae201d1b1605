/*
 * rotary.c: rotary position embedding (Su et al.: attn.h).
 *
 * The angles, p base^(-2 i / d), and their sines and cosines are computed in float64 from the
 * four operations alone, because engines and C libraries differ in sin, cos and pow. Series are
 * those of Taylor: with arguments reduced to |x| <= pi/4, ln 2 / 2 and so on, the first term left
 * out is below 2^-56 of the sum. A turn is then rounded to float32 once.
 */
#include "attn.h"
#include "check.h"
#include "f32x4.h"

#include <math.h> /* INFINITY; no function of libm is called */

/* ---- float64 without libm ------------------------------------------------------------------ */

static const double magic = 0x1.8p52; /* adding it rounds to an integer, ties to even */

/* ln x for x >= 1: x = 2^k m with sqrt(1/2) <= m < sqrt 2, and ln m = 2 artanh(s). */
static ATTN_SMALL double log_of(double x) {
    int k = 0;
    while (x >= 0x1.6a09e667f3bcdp0) { /* sqrt 2 */
        x *= 0.5;
        k++;
    }
    const double s = (x - 1) / (x + 1), square = s * s;
    double sum = 0;
    for (int n = 21; n > 0; n -= 2)
        sum = sum * square + 1.0 / n;
    return 2 * s * sum + (double)k * 0x1.62e42fefa39efp-1; /* ln 2 */
}

/* e^x for -1000 < x <= 0: x = k ln 2 + r, ln 2 in two parts. */
static ATTN_SMALL double exp_of(double x) {
    const double k = (x * 0x1.71547652b82fep0 + magic) - magic;
    const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    double sum = 1;
    for (int n = 14; n > 0; n--)
        sum = 1 + sum * r / n;
    for (int i = (int)k; i < 0; i++)
        sum *= 0.5;
    return sum;
}

/* The sum of the alternating series of sin or cos, which begin with x and 1: each term is the one
 * before times -x^2 / (n (n + 1)). */
static double series(double first, double square, int n) {
    double sum = 1;
    for (int last = n + 16; last >= n; last -= 2)
        sum = 1 - sum * square / (last * (last + 1));
    return first * sum;
}

/* turn[0] = cos angle, turn[1] = sin angle, |angle| <= 2^30: the nearest quarter turn is taken off
 * in three parts of pi / 2, whose products with it are exact (Cody & Waite, 1980). */
static ATTN_SMALL void turn_by(double angle, float turn[2]) {
    const double quarters = (angle * 0x1.45f306dc9c883p-1 + magic) - magic;
    double r = angle - quarters * 0x1.921fb4p0;
    r -= quarters * 0x1.4442dp-24;
    r -= quarters * 0x1.8469898cc517p-48;
    const double sine = series(r, r * r, 2), cosine = series(1, r * r, 1);
    const uint32_t quarter = (uint32_t)(int32_t)quarters & 3;
    const double c = quarter & 1 ? sine : cosine, s = quarter & 1 ? cosine : sine;
    turn[0] = (float)(quarter == 1 || quarter == 2 ? -c : c);
    turn[1] = (float)(quarter >= 2 ? -s : s);
}

/* ---- turns ---------------------------------------------------------------------------------- */

static const double largest_angle = 0x1p30;

/* Returns whether all positions are numbers within the largest angle, which the first pair has. */
static ATTN_SMALL int are_positions(const double *positions, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!(positions[i] >= -largest_angle && positions[i] <= largest_angle))
            return 0;
    return 1;
}

ATTN_SMALL attn_status attn_rotary_turns(const double *positions, uint32_t n, uint32_t d,
                                         double base, float *turns) {
    if (d % 2 != 0)
        return ATTN_ERROR_SHAPE;
    if (!check_fits(n, d))
        return ATTN_ERROR_CAPACITY;
    if (!(base >= 1 && base <= 0x1p1000) || !are_positions(positions, n))
        return ATTN_ERROR_OPTION;
    const double log_base = log_of(base);
    for (uint32_t i = 0; i < d / 2; i++) {
        const double frequency = exp_of(-2.0 * i / d * log_base);
        for (size_t p = 0; p < n; p++)
            turn_by(positions[p] * frequency, turns + (p * (d / 2) + i) * 2);
    }
    return ATTN_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Turns one row. The columns of a pair are `apart` columns apart, pairs `step` columns. */
static ATTN_SMALL void turn_row(const float *x, const float *turns, uint32_t pairs, uint32_t step,
                                uint32_t apart, float sign, float *y) {
    for (size_t i = 0; i < pairs; i++, turns += 2) {
        const float a = x[i * step], b = x[i * step + apart];
        const float cosine = turns[0], sine = sign * turns[1];
        y[i * step] = a * cosine - b * sine;
        y[i * step + apart] = b * cosine + a * sine;
    }
}

ATTN_SMALL attn_status attn_rotary_forward(const float *x, const float *turns, uint32_t count,
                                           uint32_t n, uint32_t d, attn_pairing pairing,
                                           uint32_t inverse, float *y) {
    const uint32_t pairs = d / 2;
    const int halves = pairing == ATTN_PAIR_HALVES;
    if (d % 2 != 0)
        return ATTN_ERROR_SHAPE;
    if ((uint32_t)pairing > ATTN_PAIR_NEIGHBOURS)
        return ATTN_ERROR_OPTION;
    if (!check_fits(check_product(count, n), d))
        return ATTN_ERROR_CAPACITY;
    for (size_t row = 0; row < (size_t)count * n; row++)
        turn_row(x + row * d, turns + row % n * d, pairs, halves ? 1 : 2, halves ? pairs : 1,
                 inverse ? -1.0f : 1.0f, y + row * d);
    return ATTN_OK;
}
