/*
 * vmath_log_tanh_test.c: log, tanh, sin and cos of c/vmath.h against long double.
 * With the argument `exhaustive`, over every float32 instead of every 4001st.
 */
#include "harness.h"

#include "vmath.h"

typedef float (*function)(float);
typedef long double (*exact_function)(long double);

static float one_tanh(float x) { return F32X4_LANE(vmath_tanh(f32x4_splat(x)), 3); }

static float float_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The largest error over the floats whose bits lie in [first, last]. */
static double worst_ulp(const char *name, function f, exact_function exact, uint32_t first,
                        uint32_t last) {
    const uint32_t step = exhaustive || last - first < 4001 ? 1 : 4001;
    double worst = 0;
    float worst_x = 0;
    for (uint64_t bits = first; bits <= last; bits += step) {
        const float x = float_of_bits((uint32_t)bits);
        const double error = ulp_error(f(x), exact((long double)x));
        if (error > worst) {
            worst = error;
            worst_x = x;
        }
    }
    printf("    %s: at most %.4f ulp, at %a\n", name, worst, (double)worst_x);
    return worst;
}

enum { ZERO = 0, INFINITY_BITS = 0x7f800000, NEGATIVE = (int)-0x7fffffff - 1 };

TEST("log is within 0.83 ulp for every positive float") {
    CHECK(worst_ulp("log", vmath_log_scalar, logl, 1, INFINITY_BITS) <= 0.83);
}

TEST("log near 1 keeps its relative accuracy") {
    CHECK(worst_ulp("log near 1", vmath_log_scalar, logl, 0x3f7fff00, 0x3f800100) <= 0.83);
}

TEST("log of zero is -Infinity, of negative numbers and NaN NaN, of Infinity Infinity") {
    CHECK(vmath_log_scalar(0.0f) == -INFINITY);
    CHECK(vmath_log_scalar(-0.0f) == -INFINITY);
    CHECK(isnan(vmath_log_scalar(-0x1p-149f)));
    CHECK(isnan(vmath_log_scalar(-INFINITY)));
    CHECK(isnan(vmath_log_scalar(NAN)));
    CHECK(vmath_log_scalar(INFINITY) == INFINITY);
    CHECK(vmath_log_scalar(1.0f) == 0.0f);
}

TEST("tanh is within 1.32 ulp for every float") {
    CHECK(worst_ulp("tanh x > 0", one_tanh, tanhl, ZERO, INFINITY_BITS) <= 1.32);
    CHECK(worst_ulp("tanh x < 0", one_tanh, tanhl, (uint32_t)NEGATIVE,
                    (uint32_t)NEGATIVE + INFINITY_BITS) <= 1.32);
}

TEST("tanh is odd, keeps the sign of zero, saturates at 1 and passes NaN on") {
    CHECK(!signbit(one_tanh(0.0f)) && one_tanh(0.0f) == 0.0f);
    CHECK(signbit(one_tanh(-0.0f)) && one_tanh(-0.0f) == 0.0f);
    CHECK(one_tanh(-0x1p-149f) == -0x1p-149f);
    CHECK(one_tanh(20.0f) == 1.0f);
    CHECK(one_tanh(-INFINITY) == -1.0f);
    CHECK(one_tanh(INFINITY) == 1.0f);
    CHECK(isnan(one_tanh(NAN)));
    for (float x = 0x1p-126f; x < 100.0f; x *= 1.37f)
        CHECK(one_tanh(-x) == -one_tanh(x));
}

TEST("sin and cos of a turn are within 2^-23 and lie in [-1, 1]") {
    const uint32_t step = exhaustive ? 3 : 40009;
    double worst = 0, largest = 0;
    for (uint64_t turn = 0; turn <= UINT32_MAX; turn += step) {
        const long double angle = (long double)turn * 0x1p-31L * acosl(-1.0L);
        f32x4 sine, cosine;
        vmath_sin_cos_turn(i32x4_splat((int32_t)(uint32_t)turn), &sine, &cosine);
        const float s = F32X4_LANE(sine, 0), c = F32X4_LANE(cosine, 0);
        worst = fmax(worst, (double)fabsl((long double)s - sinl(angle)));
        worst = fmax(worst, (double)fabsl((long double)c - cosl(angle)));
        largest = fmax(largest, fmax(fabs((double)s), fabs((double)c)));
    }
    printf("    sin, cos: at most %.3f * 2^-24 off\n", worst * 0x1p24);
    CHECK(worst <= 0x1p-23);
    CHECK(largest <= 1.0);
}

TEST("sin and cos are exact at the quarter turns") {
    const float expected[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        f32x4 sine, cosine;
        vmath_sin_cos_turn(i32x4_splat((int32_t)(quarter << 30)), &sine, &cosine);
        CHECK(F32X4_LANE(sine, 0) == expected[quarter][0]);
        CHECK(F32X4_LANE(cosine, 0) == expected[quarter][1]);
    }
}

TEST_MAIN
