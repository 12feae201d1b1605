/*
 * unit_rows_fuzz.c: attn_unit_rows_forward and attn_unit_rows_backward with any shape, scale
 * and numbers, against the oracle.
 */
#include "attn.h"
#include "fuzz.h"
#include "oracle_attention.h"

static double norm_of(const double *x, uint32_t d) {
    double square = 0;
    for (uint32_t c = 0; c < d; c++)
        square += x[c] * x[c];
    return sqrt(square);
}

/* Compares one row. The library computes in float64 too, so only the last rounding and cancellation
 * count. */
static void compare_row(const float *x, const float *d_unit, uint32_t d, const float *unit,
                        const float *d_x) {
    double *x64 = fuzz_doubles(d), *d64 = fuzz_doubles(d), *exact = fuzz_doubles(d);
    double terms = 0;
    for (uint32_t c = 0; c < d; c++) {
        x64[c] = (double)x[c];
        d64[c] = (double)d_unit[c];
        terms += fabs(d64[c]);
    }
    oracle_unit_row(x64, d, exact);
    for (uint32_t c = 0; c < d; c++)
        fuzz_close("unit", c, (double)unit[c], exact[c], 0x1p-24 * fabs(exact[c]) + 0x1p-149);
    oracle_unit_row_backward(x64, d64, d, exact);
    const double cancelled = 1e-14 * terms / fmax(norm_of(x64, d), 1e-12);
    for (uint32_t c = 0; c < d; c++)
        fuzz_close("d_x", c, (double)d_x[c], exact[c],
                   0x1p-23 * fabs(exact[c]) + cancelled + 0x1p-149);
}

/* Rows with no gradient, which must get none, are every fourth. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t rows = fuzz_size(&input, 0) % 13, d = fuzz_size(&input, 0) % 48;
    const float scale = ldexpf(1, (int8_t)fuzz_byte(&input) / 2);
    float *x = fuzz_floats(&input, (size_t)rows * d), *d_unit = fuzz_memory((size_t)rows * d);
    float *unit = fuzz_memory((size_t)rows * d), *d_x = fuzz_memory((size_t)rows * d);
    for (size_t e = 0; e < (size_t)rows * d; e++) {
        x[e] *= scale;
        d_unit[e] = e / d % 4 == 3 ? 0 : fuzz_float(&input);
    }
    attn_unit_rows_forward(x, rows, d, unit);
    attn_unit_rows_backward(x, d_unit, rows, d, d_x);
    const size_t kept = fuzz_block_count;
    for (size_t i = 0; i < rows; i++) {
        if (!input.wild)
            compare_row(x + i * d, d_unit + i * d, d, unit + i * d, d_x + i * d);
        for (size_t c = 0; i % 4 == 3 && c < d; c++)
            FUZZ_CHECK(d_x[i * d + c] == 0);
        fuzz_release(kept);
    }
    attn_unit_rows_backward(x, d_unit, rows, d, d_unit);
    fuzz_same(d_unit, d_x, (size_t)rows * d);
    return fuzz_end();
}
