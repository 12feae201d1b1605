/*
 * softmax.c: softmax of rows, its logarithm, log-sum-exp, gradient and Jacobian.
 *
 * Three passes over a row: maximum; exponentials and their sum; division. A row is
 * a function of its own, called often, so that an engine can replace its first,
 * slow translation (PERFORMANCE: "let V8 tier up").
 */
#include "softmax.h"

#include "attn.h"
#include "check.h"
#include "vmath.h"

enum {
    WIDE = 16,   /* columns that one call of the exponential serves */
    CHUNK = 1024 /* columns summed in float32; chunks are summed in float64 */
};

static const float infinity = __builtin_inff();

static attn_status check_rows(uint32_t rows, uint64_t columns, float temperature) {
    if (!check_fits(rows, columns))
        return ATTN_ERROR_CAPACITY;
    return temperature > 0.0f && temperature < infinity ? ATTN_OK : ATTN_ERROR_OPTION;
}

/* ---- pieces of a row ------------------------------------------------------------ */

/* x[0..3], or the `left` < 4 that there are and then `rest`. */
ATTN_INLINE f32x4 load_up_to_4(const float *x, uint32_t left, float rest) {
    return left >= 4 ? f32x4_load(x) : f32x4_load_part(x, left, rest);
}

ATTN_INLINE void store_up_to_4(float *x, uint32_t left, f32x4 v) {
    if (left >= 4)
        f32x4_store(x, v);
    else
        f32x4_store_part(x, left, v);
}

/* The same for 16; vectors that do not exist are `rest`. */
ATTN_INLINE void load_up_to_16(const float *x, uint32_t left, float rest, f32x4 v[4]) {
    for (uint32_t i = 0; i < 4; i++)
        v[i] = left >= WIDE   ? f32x4_load(x + 4 * i)
               : left > 4 * i ? load_up_to_4(x + 4 * i, left - 4 * i, rest)
                              : f32x4_splat(rest);
}

ATTN_INLINE void store_up_to_16(float *x, uint32_t left, const f32x4 v[4]) {
    for (uint32_t i = 0; i < 4; i++)
        if (left > 4 * i)
            store_up_to_4(x + 4 * i, left - 4 * i, v[i]);
}

ATTN_INLINE float sum_of_4(const f32x4 v[4]) {
    return f32x4_sum(f32x4_add(f32x4_add(v[0], v[2]), f32x4_add(v[1], v[3])));
}

/* The largest number; NaN does not count, so -Infinity where nothing else is. */
static float row_max(const float *x, uint32_t columns) {
    f32x4 max[4], v[4];
    for (int i = 0; i < 4; i++)
        max[i] = f32x4_splat(-infinity);
    for (uint32_t j = 0; j < columns; j += WIDE) {
        load_up_to_16(x + j, columns - j, -infinity, v);
        for (int i = 0; i < 4; i++)
            max[i] = f32x4_pmax(max[i], v[i]);
    }
    return f32x4_max_lane(f32x4_pmax(f32x4_pmax(max[0], max[2]), f32x4_pmax(max[1], max[3])));
}

/* How a row becomes arguments of the exponential: (x - max) / T <= 0. Above T = 1,
 * all three are halved first, or x - max might overflow where the quotient does not;
 * below, a difference that overflows has a weight of 0 anyway. */
typedef struct {
    f32x4 factor, shift, divisor;
    int plain; /* T = 1: the difference is all */
} scaling;

/* A row of -Infinity is shifted by 0 instead: its exponentials are 0, not NaN. */
static scaling scaling_of(float max, float temperature) {
    const float factor = temperature > 1.0f ? 0.5f : 1.0f;
    const float shift = max == -infinity ? 0.0f : max * factor;
    return (scaling){f32x4_splat(factor), f32x4_splat(shift), f32x4_splat(temperature * factor),
                     temperature == 1.0f};
}

ATTN_INLINE f32x4 argument(f32x4 x, const scaling *s) {
    if (s->plain)
        return f32x4_sub(x, s->shift);
    return f32x4_div(f32x4_sub(f32x4_mul(x, s->factor), s->shift), s->divisor);
}

/* The sum of exp(argument) over up to 1024 columns; also stored unless null. */
ATTN_INLINE float chunk_exp(const float *x, uint32_t columns, scaling s, float *exponentials) {
    f32x4 sum[4], v[4];
    for (int i = 0; i < 4; i++)
        sum[i] = f32x4_splat(0.0f);
    for (uint32_t j = 0; j < columns; j += WIDE) {
        load_up_to_16(x + j, columns - j, -infinity, v);
        for (int i = 0; i < 4; i++)
            v[i] = argument(v[i], &s);
        vmath_exp_nonpositive_4(v);
        for (int i = 0; i < 4; i++)
            sum[i] = f32x4_add(sum[i], v[i]);
        if (exponentials)
            store_up_to_16(exponentials + j, columns - j, v);
    }
    return sum_of_4(sum);
}

ATTN_INLINE float row_exp(const float *x, uint32_t columns, scaling s, float *exponentials) {
    double sum = 0.0;
    for (uint32_t j = 0; j < columns; j += CHUNK) {
        const uint32_t count = columns - j < CHUNK ? columns - j : CHUNK;
        sum += (double)chunk_exp(x + j, count, s, exponentials ? exponentials + j : 0);
    }
    return (float)sum;
}

/* ---- forward ---------------------------------------------------------------------- */

/* Log-sum-exp of a row from its maximum and the sum of its exponentials. */
static float log_sum_exp_of(float max, float sum, float temperature) {
    const float shift = max == -infinity ? 0.0f : max / temperature;
    return shift + vmath_log_scalar(sum);
}

__attribute__((noinline)) void softmax_row(const float *x, uint32_t columns, float temperature,
                                           float *weights, float *lse) {
    const float max = row_max(x, columns);
    const float sum = row_exp(x, columns, scaling_of(max, temperature), weights);
    const f32x4 inverse = f32x4_splat(sum == 0.0f ? 0.0f : 1.0f / sum);
    for (uint32_t j = 0; j < columns; j += 4) {
        const f32x4 e = load_up_to_4(weights + j, columns - j, 0.0f);
        store_up_to_4(weights + j, columns - j, f32x4_mul(e, inverse));
    }
    if (lse)
        *lse = log_sum_exp_of(max, sum, temperature);
}

attn_status attn_softmax_forward(const float *x, uint32_t rows, uint32_t columns, float temperature,
                                 float *weights) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        softmax_row(x + i * columns, columns, temperature, weights + i * columns, 0);
    return status;
}

static __attribute__((noinline)) void log_softmax_row(const float *x, uint32_t columns,
                                                      float temperature, float *log_weights) {
    const scaling s = scaling_of(row_max(x, columns), temperature);
    const f32x4 log_sum = f32x4_splat(vmath_log_scalar(row_exp(x, columns, s, 0)));
    /* A row of -Infinity has the sum 0: -Infinity - -Infinity is not a logarithm. */
    const f32x4 least = f32x4_pmax(log_sum, f32x4_splat(0.0f));
    for (uint32_t j = 0; j < columns; j += 4) {
        const f32x4 v = argument(load_up_to_4(x + j, columns - j, 0.0f), &s);
        store_up_to_4(log_weights + j, columns - j, f32x4_sub(v, least));
    }
}

attn_status attn_log_softmax_forward(const float *x, uint32_t rows, uint32_t columns,
                                     float temperature, float *log_weights) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        log_softmax_row(x + i * columns, columns, temperature, log_weights + i * columns);
    return status;
}

static int has_nan(const float *x, uint32_t columns) {
    for (uint32_t j = 0; j < columns; j++)
        if (x[j] != x[j])
            return 1;
    return 0;
}

static __attribute__((noinline)) float log_sum_exp_row(const float *x, uint32_t columns,
                                                       float temperature) {
    const float max = row_max(x, columns);
    if (max == infinity) /* max - max would be NaN */
        return has_nan(x, columns) ? __builtin_nanf("") : infinity;
    const float sum = row_exp(x, columns, scaling_of(max, temperature), 0);
    return log_sum_exp_of(max, sum, temperature);
}

attn_status attn_log_sum_exp_forward(const float *x, uint32_t rows, uint32_t columns,
                                     float temperature, float *lse) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        lse[i] = log_sum_exp_row(x + i * columns, columns, temperature);
    return status;
}

/* ---- gradient ----------------------------------------------------------------------- */

static float row_dot(const float *a, const float *b, uint32_t columns) {
    f32x4 sum[4], u[4], v[4];
    for (int i = 0; i < 4; i++)
        sum[i] = f32x4_splat(0.0f);
    for (uint32_t j = 0; j < columns; j += WIDE) {
        load_up_to_16(a + j, columns - j, 0.0f, u);
        load_up_to_16(b + j, columns - j, 0.0f, v);
        for (int i = 0; i < 4; i++)
            sum[i] = f32x4_madd(u[i], v[i], sum[i]);
    }
    return sum_of_4(sum);
}

static __attribute__((noinline)) void softmax_backward_row(const float *weights,
                                                           const float *d_weights, uint32_t columns,
                                                           float temperature, float *d_x) {
    const f32x4 dot = f32x4_splat(row_dot(weights, d_weights, columns));
    const f32x4 divisor = f32x4_splat(temperature);
    for (uint32_t j = 0; j < columns; j += 4) {
        const f32x4 w = load_up_to_4(weights + j, columns - j, 0.0f);
        const f32x4 d = load_up_to_4(d_weights + j, columns - j, 0.0f);
        const f32x4 d_argument = f32x4_mul(w, f32x4_sub(d, dot));
        store_up_to_4(d_x + j, columns - j, f32x4_div(d_argument, divisor));
    }
}

attn_status attn_softmax_backward(const float *weights, const float *d_weights, uint32_t rows,
                                  uint32_t columns, float temperature, float *d_x) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        softmax_backward_row(weights + i * columns, d_weights + i * columns, columns, temperature,
                             d_x + i * columns);
    return status;
}

/* jacobian [columns, columns] of one row of weights. */
static __attribute__((noinline)) void softmax_jacobian_row(const float *weights, uint32_t columns,
                                                           float temperature, float *jacobian) {
    const f32x4 divisor = f32x4_splat(temperature);
    for (size_t i = 0; i < columns; i++, jacobian += columns) {
        const f32x4 minus_p = f32x4_splat(-weights[i]);
        for (uint32_t j = 0; j < columns; j += 4) {
            const f32x4 w = load_up_to_4(weights + j, columns - j, 0.0f);
            store_up_to_4(jacobian + j, columns - j, f32x4_div(f32x4_mul(minus_p, w), divisor));
        }
        jacobian[i] = weights[i] * (1.0f - weights[i]) / temperature;
    }
}

attn_status attn_softmax_jacobian(const float *weights, uint32_t rows, uint32_t columns,
                                  float temperature, float *jacobian) {
    const attn_status status = check_rows(rows, check_product(columns, columns), temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        softmax_jacobian_row(weights + i * columns, columns, temperature,
                             jacobian + i * columns * columns);
    return status;
}
