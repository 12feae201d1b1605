/*
 * softmax_fuzz.c: the functions on rows (softmax.c, stats.c) with any shape,
 * temperature and numbers; softmax and log-sum-exp against the oracle.
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "attn.h"
#include "fuzz.h"
#include "oracle.h"

static void compare_row(const float *x, uint32_t columns, double temperature, const float *weights,
                        const float *lse) {
    double *z = doubles(columns), *exact = doubles(columns);
    double largest = 0;
    for (uint32_t j = 0; j < columns; j++) {
        z[j] = (double)x[j] / temperature;
        largest = fmax(largest, fabs(z[j]));
    }
    oracle_softmax(z, columns, exact);
    const double exact_lse = oracle_log_sum_exp(z, columns);
    fuzz_compare("weights", weights, exact, columns, 8 * 0x1p-24 * (2 + largest));
    fuzz_compare("lse", lse, &exact_lse, 1, 8 * 0x1p-24 * (2 + largest));
    free(z);
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, data + size, 0};
    input.wild = fuzz_byte(&input) & 1;
    const uint32_t rows = fuzz_size(&input, 0), columns = fuzz_size(&input, 0);
    const float temperature = (float)(1 + fuzz_byte(&input)) / 64.0F;
    const size_t count = (size_t)rows * columns;
    float *x = fuzz_floats(&input, count);
    float *weights = fuzz_memory(count * sizeof *weights);
    float *gradient = fuzz_memory(count * sizeof *gradient);
    float *jacobian = fuzz_memory(count * columns * sizeof *jacobian);
    float *lse = fuzz_memory(rows * sizeof *lse);
    double *squares = fuzz_memory(rows * sizeof *squares);
    double moments[6];
    if (attn_softmax_forward(x, rows, columns, temperature, weights) != ATTN_OK ||
        attn_log_softmax_forward(x, rows, columns, temperature, gradient) != ATTN_OK ||
        attn_log_sum_exp_forward(x, rows, columns, temperature, lse) != ATTN_OK ||
        attn_softmax_jacobian(weights, rows, columns, temperature, jacobian) != ATTN_OK)
        abort();
    for (uint32_t i = 0; !input.wild && columns > 0 && i < rows; i++)
        compare_row(x + (size_t)i * columns, columns, (double)temperature,
                    weights + (size_t)i * columns, lse + i);
    if (attn_softmax_backward(weights, x, rows, columns, temperature, gradient) != ATTN_OK)
        abort();
    attn_entropy_forward(weights, rows, columns, lse);
    attn_sum_of_squares(weights, rows, columns, squares);
    attn_describe(x, (uint32_t)count, moments);
    void *all[] = {x, weights, gradient, jacobian, lse, squares};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return 0;
}
