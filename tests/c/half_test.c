/*
 * half_test.c: rounding to 16-bit formats against their definition.
 */
#include "harness.h"

#include "attn.h"
#include "oracle_numbers.h"

typedef struct {
    const char *name;
    const oracle_format *of;
    void (*round)(const float *x, uint32_t n, float *rounded);
} format;

static const format formats[] = {
    {"fp16", &oracle_float16, attn_round_float16},
    {"bfloat16", &oracle_bfloat16, attn_round_bfloat16},
};

static float rounded(const format *f, float x) {
    float y;
    f->round(&x, 1, &y);
    return y;
}

static void check_rounding(const format *f, float x) {
    const float y = rounded(f, x);
    const double exact = oracle_round(*f->of, (double)x);
    if (isnan(x) ? !isnan(y) : (double)y != exact || signbit(y) != signbit(x))
        check_failed(__FILE__, __LINE__, "%s of %a is %a, expected %a", f->name, (double)x,
                     (double)y, exact);
}

TEST("a float rounds to the nearest value of the format, ties to even") {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += exhaustive ? 1 : 4093) {
            const uint32_t low = (uint32_t)bits;
            float x;
            memcpy(&x, &low, sizeof x);
            check_rounding(&formats[k], x);
        }
}

TEST("ties, carries, subnormals, overflow and special values round as defined") {
    const float ugly[] = {
        0.0F,       -0.0F,     65504.0F,     65519.996F,   65520.0F,    -65520.0F,      1e38F,
        3.4e38F,    INFINITY,  -INFINITY,    NAN,          0x1p-24F,    0x1p-25F,       0x1.8p-24F,
        0x1.8p-25F, -0x1p-25F, 0x1.ffcp-15F, 0x1.ffep-15F, 0x1.002p0F,  0x1.006p0F,     0x1.ffep0F,
        0x1p-149F,  0x1.01p0F, 0x1.03p0F,    0x1.ffp127F,  0x1.fep127F, 0x1.fffffep127F};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        for (size_t i = 0; i < sizeof ugly / sizeof *ugly; i++)
            check_rounding(&formats[k], ugly[i]);
}

TEST("softmax in fp16 rounds after every step") {
    const uint32_t n = 64;
    double expected[64];
    for (uint64_t seed = 1; seed <= 50; seed++)
        for (int subtract_max = 0; subtract_max < 2; subtract_max++) {
            const float *x = guarded_normals(n, seed, seed % 2 == 0 ? 8 : 2);
            float *weights = guarded_floats(n);
            attn_softmax_float16(x, 1, n, (uint32_t)subtract_max, weights);
            oracle_softmax_float16(x, n, subtract_max, expected);
            /* exp itself may fall on the other side of a tie: one spacing of fp16 */
            for (uint32_t j = 0; j < n; j++)
                CHECK_CLOSE(weights[j], expected[j], 0x1p-10 * expected[j] + 0x1p-24);
        }
}

TEST("without subtracting the maximum exp overflows above 11.0898 and the row is NaN") {
    const float below[] = {11.0859375F, 0}, above[] = {11.09375F, 0};
    float *weights = guarded_floats(2);
    attn_softmax_float16(below, 1, 2, 0, weights);
    CHECK(isfinite(weights[0]) && isfinite(weights[1]));
    attn_softmax_float16(above, 1, 2, 0, weights);
    CHECK(isnan(weights[0]));
    attn_softmax_float16(above, 1, 2, 1, weights);
    CHECK(weights[0] == 1.0F);
}

TEST("after subtraction a weight is exactly 0 below max - 17.33") {
    const float x[] = {0, -17.3125F, -17.34375F};
    float *weights = guarded_floats(3);
    attn_softmax_float16(x, 1, 3, 1, weights);
    CHECK(weights[1] > 0);
    CHECK(weights[2] == 0);
}

TEST("a row of -Infinity has weights 0, rows are independent, no rows is no work") {
    const float x[] = {-INFINITY, -INFINITY, 0, 0, NAN, 0, NAN, -INFINITY};
    float *weights = guarded_floats(8);
    attn_softmax_float16(x, 4, 2, 1, weights);
    CHECK(weights[0] == 0 && weights[1] == 0);
    CHECK(weights[2] == 0.5F && weights[3] == 0.5F);
    CHECK(isnan(weights[4]) && isnan(weights[5]) && isnan(weights[6]) && isnan(weights[7]));
    attn_softmax_float16(x, 0, 2, 1, weights);
    attn_softmax_float16(x, 2, 0, 1, weights);
}

TEST("a NaN is rounded to one whose upper half is not an infinity") {
    const uint32_t bits = 0x7f800001;
    float x, rounded[2];
    memcpy(&x, &bits, sizeof x);
    attn_round_float16(&x, 1, rounded);
    attn_round_bfloat16(&x, 1, rounded + 1);
    for (int i = 0; i < 2; i++) {
        uint32_t held;
        memcpy(&held, rounded + i, sizeof held);
        CHECK((held & 0x7fffffff) == 0x7fc00000);
    }
}

TEST_MAIN
