/*
 * unit_rows.c: rows brought to length 1, for cosine similarity, and the gradient, in float64.
 */
#include "attn.h"
#include "f32x4.h"

#include <stddef.h>

ATTN_SMALL void attn_unit_rows_forward(const float *x, uint32_t rows, uint32_t d, float *unit) {
    for (uint32_t i = 0; i < rows; i++) {
        const float *row = x + (size_t)i * d;
        double square = 0;
        for (uint32_t c = 0; c < d; c++)
            square += (double)row[c] * (double)row[c];
        const double norm = __builtin_sqrt(square), clamped = norm < 1e-12 ? 1e-12 : norm;
        for (uint32_t c = 0; c < d; c++)
            unit[(size_t)i * d + c] = (float)((double)row[c] / clamped);
    }
}

/* u = x / |x|: d_x = (d_u - u (u . d_u)) / |x|, in float64; of one row. */
static ATTN_SMALL void unit_row_backward(const float *x, const float *d_unit, uint32_t d,
                                         float *d_x) {
    double square = 0, along = 0; /* |x|^2 and x . d_u */
    int any = 0;
    for (uint32_t c = 0; c < d; c++) {
        square += (double)x[c] * (double)x[c];
        along += (double)x[c] * (double)d_unit[c];
        any |= d_unit[c] != 0; /* NaN, too */
    }
    const double norm = __builtin_sqrt(square);
    const int clamped = norm < 1e-12;
    const double per_x = clamped ? 0 : along / square, divisor = clamped ? 1e-12 : norm;
    for (uint32_t c = 0; c < d; c++)
        d_x[c] = any ? (float)(((double)d_unit[c] - (double)x[c] * per_x) / divisor) : 0;
}

ATTN_SMALL void attn_unit_rows_backward(const float *x, const float *d_unit, uint32_t rows,
                                        uint32_t d, float *d_x) {
    for (size_t i = 0; i < rows; i++)
        unit_row_backward(x + i * d, d_unit + i * d, d, d_x + i * d);
}
