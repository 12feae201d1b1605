/*
 * statistics_fuzz.c: the functions of stats.c with any shape and numbers, against sums in
 * float64 and long double.
 */
#include "attn.h"
#include "fuzz.h"

static void check_entropy(const float *p, uint32_t n, float entropy) {
    double expected = 0, terms = 0;
    for (uint32_t j = 0; j < n; j++) {
        const double x = (double)p[j], information = x == 0 ? 0 : -x * log(x);
        expected += information;
        terms += fabs(information);
    }
    fuzz_close("entropy", n, (double)entropy, (double)(float)expected, 0x1p-22 * terms + 0x1p-149);
}

static void check_squares(const float *p, uint32_t n, double sum) {
    double expected = 0;
    for (uint32_t j = 0; j < n; j++)
        expected += (double)p[j] * (double)p[j];
    fuzz_close("sum of squares", n, sum, expected, 0);
}

/* Of finite numbers that are not all but equal. */
static void check_moments(const float *x, uint32_t n, const double moments[6]) {
    long double mean = 0, second = 0, third = 0, fourth = 0;
    double least = (double)INFINITY, greatest = -(double)INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        mean += (long double)x[i] / n;
        least = fmin(least, (double)x[i]);
        greatest = fmax(greatest, (double)x[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const long double d = (long double)x[i] - mean;
        second += d * d / n;
        third += d * d * d / n;
        fourth += d * d * d * d / n;
    }
    const double skewness = (double)(third / second / sqrtl(second));
    const double kurtosis = (double)(fourth / second / second) - 3;
    fuzz_close("mean", n, moments[0], (double)mean, 1e-12);
    fuzz_close("variance", n, moments[1], (double)second, 1e-12);
    fuzz_close("min", n, moments[4], least, 0);
    fuzz_close("max", n, moments[5], greatest, 0);
    if (least == greatest)
        FUZZ_CHECK(isnan(moments[2]) && isnan(moments[3]));
    else {
        fuzz_close("skewness", n, moments[2], skewness, 1e-8 * (1 + fabs(skewness)));
        fuzz_close("kurtosis", n, moments[3], kurtosis, 1e-8 * (1 + fabs(kurtosis)));
    }
}

/* One NaN makes all moments NaN, and nothing else does so to the range. */
static void check_special(const float *x, uint32_t n, const double moments[6]) {
    int nan = n == 0;
    for (uint32_t i = 0; i < n; i++)
        nan |= isnan(x[i]);
    for (int i = 0; i < 6; i++)
        FUZZ_CHECK(!nan || isnan(moments[i]));
    FUZZ_CHECK(nan || moments[4] <= moments[5]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t rows = fuzz_size(&input, 0) % 48, columns = fuzz_size(&input, 0);
    const uint32_t count = rows * columns;
    const float *x = fuzz_floats(&input, count);
    float *entropy = fuzz_memory(rows);
    double *squares = fuzz_doubles(rows), moments[6];
    attn_entropy_forward(x, rows, columns, entropy);
    attn_sum_of_squares(x, rows, columns, squares);
    attn_describe(x, count, moments);
    for (uint32_t i = 0; i < rows; i++) {
        check_entropy(x + (size_t)i * columns, columns, entropy[i]);
        check_squares(x + (size_t)i * columns, columns, squares[i]);
    }
    check_special(x, count, moments);
    if (!input.wild && count > 0)
        check_moments(x, count, moments);
    return fuzz_end();
}
