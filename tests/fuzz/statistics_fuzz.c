/*
 * statistics_fuzz.c: the functions of stats.c with any shape and numbers, against sums in float64.
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t rows = fuzz_size(&input, 0) % 48, columns = fuzz_size(&input, 0);
    const uint32_t count = rows * columns;
    const float *x = fuzz_floats(&input, count);
    float *entropy = fuzz_memory(rows);
    double *squares = fuzz_doubles(rows);
    attn_entropy_forward(x, rows, columns, entropy);
    attn_sum_of_squares(x, rows, columns, squares);
    for (uint32_t i = 0; i < rows; i++) {
        check_entropy(x + (size_t)i * columns, columns, entropy[i]);
        check_squares(x + (size_t)i * columns, columns, squares[i]);
    }
    return fuzz_end();
}
