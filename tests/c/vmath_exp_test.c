/* vmath_exp_test.c: the exponentials against long double, over a sample or every float32. */
#include "harness.h"

#include "vmath.h"

static float exp_lane(float x) { return F32X4_LANE(vmath_exp(f32x4_splat(x)), 3); }

static float exp_nonpositive_lane(float x) {
    f32x4 v[4] = {f32x4_splat(x), f32x4_splat(x), f32x4_splat(x), f32x4_splat(x)}, power[4];
    float powers[16];
    vmath_exp_split_4(v, power);
    for (int i = 0; i < 4; i++)
        f32x4_store(powers + 4 * (size_t)i, power[i]);
    vmath_exp_join_4(v, powers);
    return F32X4_LANE(v[2], 1);
}

static float float_from_bits(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

/* 1 in `exhaustive`, else a prime that meets every exponent some thousand times. */
static uint32_t sample_step(void) { return exhaustive ? 1 : 2003; }

static void check_exp_ulp(uint32_t first, uint32_t last, double limit) {
    double worst = 0;
    float worst_x = 0;
    for (uint64_t bits = first; bits <= last; bits += sample_step()) {
        const float x = float_from_bits(bits);
        const double ulp = ulp_error(exp_lane(x), expl((long double)x));
        if (ulp > worst) {
            worst = ulp;
            worst_x = x;
        }
    }
    if (worst > limit)
        check_failed(__FILE__, __LINE__, "exp(%a) is %.4f ulp off, limit %.4f", (double)worst_x,
                     worst, limit);
}

TEST("exp is within .9 ulp for every positive number") {
    check_exp_ulp(0x00000000, 0x7f800000, 0.9);
}

TEST("exp is within .9 ulp for every negative number, subnormal results included") {
    check_exp_ulp(0x80000000, 0xff800000, 0.9);
}

TEST("exp meets its special values") {
    const float x[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 88.8f, -104, 1e30f, -1e30f};
    const float expected[] = {1, 1, INFINITY, 0, NAN, INFINITY, 0, INFINITY, 0};
    for (int i = 0; i < 9; i++) {
        const float actual = exp_lane(x[i]);
        CHECK_SAME_FLOATS(&actual, expected + i, 1);
    }
}

TEST("exp for numbers up to 0 is within 1 + 1.25 |x| ulp and within 1.1 * 2^-24") {
    for (uint64_t bits = 0x80000000; bits <= 0xff800000; bits += sample_step()) {
        const float x = float_from_bits(bits), actual = exp_nonpositive_lane(x);
        const long double exact = expl((long double)x);
        if (fabsl((long double)actual - exact) > 1.1L * 0x1p-24L)
            check_failed(__FILE__, __LINE__, "exp(%a) is %La off", (double)x,
                         (long double)actual - exact);
        if (x > -87.0f && ulp_error(actual, exact) > 1.0 - 1.25 * (double)x)
            check_failed(__FILE__, __LINE__, "exp(%a) is %.3f ulp off", (double)x,
                         ulp_error(actual, exact));
    }
}

TEST("exp for numbers up to 0 is exactly 1 at 0 and 0 far below, and keeps NaN") {
    const float x[] = {0, -0.0f, -INFINITY, -88.5f, -1e30f, -3.4e38f, NAN};
    const float expected[] = {1, 1, 0, 0, 0, 0, NAN};
    for (int i = 0; i < 7; i++) {
        const float actual = exp_nonpositive_lane(x[i]);
        CHECK_SAME_FLOATS(&actual, expected + i, 1);
    }
}

TEST_MAIN
