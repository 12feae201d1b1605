/*
 * half_fuzz.c: rounding to 16-bit formats and softmax in fp16 with any numbers, against the
 * definition in float64.
 */
#include "attn.h"
#include "fuzz.h"
#include "oracle_numbers.h"

static void check_rounding(oracle_format format, const float *x, const float *rounded, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        fuzz_close("rounded", i, (double)rounded[i], oracle_round(format, (double)x[i]), 0);
        FUZZ_CHECK(isnan(x[i]) || signbit(rounded[i]) == signbit(x[i]));
    }
}

/* An exp on the other side of a tie moves the sum by a spacing or two of fp16. */
static void check_softmax(const float *x, uint32_t n, int subtract_max, const float *weights) {
    double *expected = fuzz_doubles(n);
    const double sum = oracle_softmax_float16(x, n, subtract_max, expected);
    if (sum > 65000 && isfinite(sum))
        return; /* one spacing further it is infinite */
    for (uint32_t j = 0; j < n; j++)
        fuzz_close("weights", j, (double)weights[j], expected[j],
                   0x1p-8 * expected[j] + 4 * 0x1p-24);
}

static void run_rounding(fuzz_input *input) {
    const uint32_t n = fuzz_size(input, 0);
    float *x = fuzz_memory(n), *rounded = fuzz_memory(n);
    for (uint32_t i = 0; i < n; i++)
        x[i] = fuzz_bits(input);
    attn_round_float16(x, n, rounded);
    check_rounding(oracle_float16, x, rounded, n);
    attn_round_bfloat16(x, n, rounded);
    check_rounding(oracle_bfloat16, x, rounded, n);
    attn_round_bfloat16(x, n, x);
    fuzz_same(x, rounded, n);
}

static void run_softmax(fuzz_input *input) {
    const uint32_t rows = fuzz_size(input, 0) % 13, columns = fuzz_size(input, 0);
    const uint8_t options = fuzz_byte(input);
    float *x = fuzz_floats(input, (size_t)rows * columns);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        x[i] *= (options & 2) ? 4.0F : 1.0F;
    float *weights = fuzz_memory((size_t)rows * columns);
    attn_softmax_float16(x, rows, columns, options & 1, weights);
    const size_t kept = fuzz_block_count;
    for (size_t i = 0; !input->wild && i < rows; i++) {
        check_softmax(x + i * columns, columns, options & 1, weights + i * columns);
        fuzz_release(kept);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    if (fuzz_byte(&input) & 1)
        run_rounding(&input);
    else
        run_softmax(&input);
    return fuzz_end();
}
