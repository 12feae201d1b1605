/*
 * softmax.c: softmax of rows, its logarithm, log-sum-exp, gradient and Jacobian.
 *
 * A row takes three passes: its maximum; exponentials and their sum; division. A running maximum
 * would save a pass and compute a second exponential wherever the maximum rises.
 * Exponentials are the work: 64 columns go through the first half of the exponential before any
 * goes through the second, because both together need more registers than there are (5 % faster).
 * Passes are functions that are called once a row or more often, so that an engine can replace
 * its first, slow translation while a long call runs.
 * Sums of 64 columns are added with compensation, so that the error does not grow with the row:
 * small terms beside a large one all round the same way. It costs 2 %.
 * Measurements: tests/bench/NOTES.md.
 */
#include "softmax.h"

#include "attn.h"
#include "check.h"
#include "vmath.h"

enum {
    WIDE = 16,    /* columns that one call of the exponential serves */
    PART = 32,    /* floats that its first half leaves for the second */
    CHUNK = 64,   /* columns summed without compensation */
    PIECE = 1024, /* columns of a call; pieces are summed in float64 */
};

static const float infinity = __builtin_inff();

static ATTN_SMALL attn_status check_rows(uint32_t rows, uint64_t columns, float temperature) {
    if (!check_fits(rows, columns))
        return ATTN_ERROR_CAPACITY;
    return temperature > 0.0f && temperature < infinity ? ATTN_OK : ATTN_ERROR_OPTION;
}

/* ---- pieces of a row ------------------------------------------------------------
 * Where speed matters a row is taken 16 columns at a time, and its last, partial 16 go by way of a
 * buffer; elsewhere 4 at a time. `left` is the number of columns left in the row.
 */

static ATTN_SMALL void copy(float *x, uint32_t left, const float *buffer) {
    for (uint32_t i = 0; i < left; i += 4)
        f32x4_store_up_to(x + i, left - i, f32x4_load(buffer + i));
}

/* Copies the `left` columns of x to buffer [16], followed by `rest`. */
static ATTN_SMALL const float *pad(const float *x, uint32_t left, float rest, float *buffer) {
    for (uint32_t i = 0; i < WIDE; i += 4)
        f32x4_store(buffer + i,
                    i < left ? f32x4_load_up_to(x + i, left - i, rest) : f32x4_splat(rest));
    return buffer;
}

ATTN_INLINE void load_16(const float *x, uint32_t left, float rest, f32x4 v[4]) {
    float buffer[WIDE];
    const float *from = left >= WIDE ? x : pad(x, left, rest, buffer);
    for (size_t i = 0; i < 4; i++)
        v[i] = f32x4_load(from + 4 * i);
}

/* Returns the largest number; NaN does not count, so -Infinity where there is nothing else. */
static ATTN_STAGE float row_max(const float *x, uint32_t columns) {
    f32x4 max[4], v[4];
    for (int i = 0; i < 4; i++)
        max[i] = f32x4_splat(-infinity);
    for (uint32_t j = 0; j < columns; j += WIDE) {
        load_16(x + j, columns - j, -infinity, v);
        for (int i = 0; i < 4; i++)
            max[i] = f32x4_pmax(max[i], v[i]);
    }
    return f32x4_max_lane(f32x4_pmax(f32x4_pmax(max[0], max[2]), f32x4_pmax(max[1], max[3])));
}

/* sum += x; keeps the rounding error in excess for the next time (Kahan 1965). */
ATTN_INLINE void add_compensated(f32x4 *sum, f32x4 *excess, f32x4 x) {
    const f32x4 wanted = f32x4_sub(x, *excess), next = f32x4_add(*sum, wanted);
    *excess = f32x4_sub(f32x4_sub(next, *sum), wanted);
    *sum = next;
}

/* ---- the exponentials of a chunk ---------------------------------------------------- */

/* Lowers `count` columns by the shifts and leaves both halves' numbers in parts [count / 16][32].
 */
ATTN_INLINE void split_chunk(const float *from, uint32_t count, f32x4 low, f32x4 high,
                             float *part) {
    const float *end = from + count;
    f32x4 v[4], power[4];
    do {
        v[0] = f32x4_sub(f32x4_load(from), low);
        v[1] = f32x4_sub(f32x4_load(from + 4), high);
        v[2] = f32x4_sub(f32x4_load(from + 8), low);
        v[3] = f32x4_sub(f32x4_load(from + 12), high);
        vmath_exp_split_4(v, power);
        for (size_t i = 0; i < 4; i++) {
            f32x4_store(part + 4 * i, v[i]);
            f32x4_store(part + WIDE + 4 * i, power[i]);
        }
        from += WIDE;
        part += PART;
    } while (from < end);
}

/* Writes exponentials from parts, `step` floats on for each 16, and adds them to *low and *high. */
ATTN_INLINE void join_chunk(const float *half, const float *end, float *to, size_t step, f32x4 *low,
                            f32x4 *high) {
    f32x4 v[4];
    do {
        for (size_t i = 0; i < 4; i++)
            v[i] = f32x4_load(half + 4 * i);
        vmath_exp_join_4(v, half + WIDE);
        *low = f32x4_add(*low, f32x4_add(v[0], v[2]));
        *high = f32x4_add(*high, f32x4_add(v[1], v[3]));
        for (size_t i = 0; i < 4; i++)
            f32x4_store(to + 4 * i, v[i]);
        half += PART;
        to += step;
    } while (half < end);
}

/* The one copy of the exponential of x <= 0, also for attention: three would take 1.4 kB more. The
 * inner loops have no branches: with null for terms they are written over the parts, as are the
 * last columns, which come padded. */
ATTN_STAGE void softmax_exp(const float *x, uint32_t columns, const float shift[8], float *terms,
                            float sums[8]) {
    const f32x4 low = f32x4_load(shift), high = f32x4_load(shift + 4);
    const f32x4 zero = f32x4_splat(0.0f);
    f32x4 sum_low = zero, sum_high = zero, excess_low = zero, excess_high = zero;
    float parts[CHUNK / WIDE * PART];
    for (uint32_t j = 0, count; j < columns; j += count) {
        const uint32_t left = columns - j;
        const int whole = left >= WIDE;
        count = left >= CHUNK ? CHUNK : whole ? left & ~(uint32_t)(WIDE - 1) : WIDE;
        f32x4 chunk_low = zero, chunk_high = zero;
        const float *from = whole ? x + j : pad(x + j, left, -infinity, parts);
        float *to = whole && terms ? terms + j : parts;
        const size_t step = whole && terms ? WIDE : 0;
        split_chunk(from, count, low, high, parts);
        join_chunk(parts, parts + (size_t)count / WIDE * PART, to, step, &chunk_low, &chunk_high);
        add_compensated(&sum_low, &excess_low, chunk_low);
        add_compensated(&sum_high, &excess_high, chunk_high);
        if (!whole && terms)
            copy(terms + j, left, parts);
    }
    f32x4_store(sums, sum_low);
    f32x4_store(sums + 4, sum_high);
}

/* ---- one row -------------------------------------------------------------------------- */

/* Returns the shift of a row. A row of -Infinity is not shifted: its exponentials are 0, not NaN.
 */
static ATTN_SMALL float shift_of(float max) { return max == -infinity ? 0.0f : max; }

/* Arguments of the exponential, (x - max) / T <= 0, minus a number, for a row. Above T = 1,
 * all three are halved first, or x - max might overflow where the quotient does not;
 * below, a difference that overflows has a weight of 0 anyway. */
static ATTN_SMALL void row_arguments(const float *x, uint32_t columns, float max, float temperature,
                                     float minus, float *arguments) {
    const float factor = temperature > 1.0f ? 0.5f : 1.0f;
    const float shift = shift_of(max) * factor, divisor = temperature * factor;
    const f32x4 factors = f32x4_splat(factor), shifts = f32x4_splat(shift);
    const f32x4 divisors = f32x4_splat(divisor), subtracted = f32x4_splat(minus);
    uint32_t j = 0;
    for (; j + 4 <= columns; j += 4) {
        const f32x4 from_max = f32x4_sub(f32x4_mul(f32x4_load(x + j), factors), shifts);
        f32x4_store(arguments + j, f32x4_sub(f32x4_div(from_max, divisors), subtracted));
    }
    for (; j < columns; j++)
        arguments[j] = (x[j] * factor - shift) / divisor - minus;
}

/* Returns the sum of the exponentials of a row's arguments; terms receive them, unless null. */
static ATTN_SMALL float row_exp(const float *x, uint32_t columns, float max, float temperature,
                                float *terms) {
    const int plain = temperature == 1.0f; /* the difference is all */
    double sum = 0.0;
    float shift[8], sums[8];
    f32x4_store(shift, f32x4_splat(plain ? shift_of(max) : 0.0f));
    f32x4_store(shift + 4, f32x4_load(shift));
    for (uint32_t j = 0; j < columns; j += PIECE) {
        float arguments[PIECE];
        const uint32_t count = columns - j < PIECE ? columns - j : PIECE;
        if (!plain)
            row_arguments(x + j, count, max, temperature, 0.0f, arguments);
        softmax_exp(plain ? x + j : arguments, count, shift, terms ? terms + j : 0, sums);
        sum += (double)f32x4_sum(f32x4_add(f32x4_load(sums), f32x4_load(sums + 4)));
    }
    return (float)sum;
}

/* ---- forward ---------------------------------------------------------------------- */

/* Returns the log-sum-exp of a row from its maximum and the sum of its exponentials. */
static ATTN_SMALL float log_sum_exp_of(float max, float sum, float temperature) {
    return shift_of(max) / temperature + vmath_log_scalar(sum);
}

ATTN_SMALL void multiply_row(float *x, uint32_t columns, float factor) {
    uint32_t j = 0;
    for (; j + 4 <= columns; j += 4)
        f32x4_store(x + j, f32x4_mul(f32x4_load(x + j), f32x4_splat(factor)));
    for (; j < columns; j++)
        x[j] *= factor;
}

ATTN_SMALL void softmax_row(const float *x, uint32_t columns, float temperature, float sink,
                            float *weights, float *lse) {
    const float largest = row_max(x, columns), max = largest < sink ? sink : largest;
    const f32x4 sink_term = vmath_exp(f32x4_splat(sink - shift_of(max)));
    const float sum = row_exp(x, columns, max, temperature, weights) + F32X4_LANE(sink_term, 0);
    multiply_row(weights, columns, sum == 0.0f ? 0.0f : 1.0f / sum);
    if (lse)
        *lse = log_sum_exp_of(max, sum, temperature);
}

ATTN_SMALL attn_status attn_softmax_forward(const float *x, uint32_t rows, uint32_t columns,
                                            float temperature, float *weights) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        softmax_row(x + i * columns, columns, temperature, -infinity, weights + i * columns, 0);
    return status;
}

static ATTN_SMALL void log_softmax_row(const float *x, uint32_t columns, float temperature,
                                       float *log_weights) {
    const float max = row_max(x, columns);
    const float sum = row_exp(x, columns, max, temperature, 0);
    /* Without a finite maximum the sum is 0 (or NaN): -Infinity stays -Infinity. */
    const float log_sum = max == -infinity ? sum : vmath_log_scalar(sum);
    row_arguments(x, columns, max, temperature, log_sum, log_weights);
}

ATTN_SMALL attn_status attn_log_softmax_forward(const float *x, uint32_t rows, uint32_t columns,
                                                float temperature, float *log_weights) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        log_softmax_row(x + i * columns, columns, temperature, log_weights + i * columns);
    return status;
}

static ATTN_SMALL int has_nan(const float *x, uint32_t columns) {
    for (uint32_t j = 0; j < columns; j++)
        if (x[j] != x[j])
            return 1;
    return 0;
}

static ATTN_SMALL float log_sum_exp_row(const float *x, uint32_t columns, float temperature) {
    const float max = row_max(x, columns);
    if (max == infinity) /* max - max would be NaN */
        return has_nan(x, columns) ? __builtin_nanf("") : infinity;
    return log_sum_exp_of(max, row_exp(x, columns, max, temperature, 0), temperature);
}

ATTN_SMALL attn_status attn_log_sum_exp_forward(const float *x, uint32_t rows, uint32_t columns,
                                                float temperature, float *lse) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++)
        lse[i] = log_sum_exp_row(x + i * columns, columns, temperature);
    return status;
}

/* ---- gradient ----------------------------------------------------------------------- */

/* Returns the dot product of two rows. */
static ATTN_STAGE float row_dot(const float *a, const float *b, uint32_t columns) {
    const f32x4 zero = f32x4_splat(0.0f);
    f32x4 total = zero, excess = zero, u[4], v[4];
    for (uint32_t j = 0, end; j < columns; j = end) {
        end = columns - j < CHUNK ? columns : j + CHUNK;
        f32x4 sum[4] = {zero, zero, zero, zero};
        for (; j < end; j += WIDE) {
            load_16(a + j, columns - j, 0.0f, u);
            load_16(b + j, columns - j, 0.0f, v);
            for (int i = 0; i < 4; i++)
                sum[i] = f32x4_madd(u[i], v[i], sum[i]);
        }
        add_compensated(&total, &excess,
                        f32x4_add(f32x4_add(sum[0], sum[2]), f32x4_add(sum[1], sum[3])));
    }
    return f32x4_sum(total);
}

/* d_x = weights * (d_weights - mean) / T, d_weights null for -0 throughout. */
static ATTN_SMALL void differentiate_row(const float *weights, const float *d_weights,
                                         uint32_t columns, float mean, float temperature,
                                         float *d_x) {
    const f32x4 means = f32x4_splat(mean), divisor = f32x4_splat(temperature);
    uint32_t j = 0;
    for (; j + 4 <= columns; j += 4) {
        const f32x4 d = d_weights ? f32x4_load(d_weights + j) : f32x4_splat(-0.0f);
        const f32x4 product = f32x4_mul(f32x4_load(weights + j), f32x4_sub(d, means));
        f32x4_store(d_x + j, f32x4_div(product, divisor));
    }
    for (; j < columns; j++)
        d_x[j] = weights[j] * ((d_weights ? d_weights[j] : -0.0f) - mean) / temperature;
}

ATTN_SMALL attn_status attn_softmax_backward(const float *weights, const float *d_weights,
                                             uint32_t rows, uint32_t columns, float temperature,
                                             float *d_x) {
    const attn_status status = check_rows(rows, columns, temperature);
    for (size_t i = 0; status == ATTN_OK && i < rows; i++) {
        const float mean = row_dot(weights, d_weights, columns);
        differentiate_row(weights, d_weights, columns, mean, temperature, d_x);
        weights += columns;
        d_weights += columns;
        d_x += columns;
    }
    return status;
}

ATTN_SMALL attn_status attn_softmax_jacobian(const float *weights, uint32_t rows, uint32_t columns,
                                             float temperature, float *jacobian) {
    const attn_status status = check_rows(rows, check_product(columns, columns), temperature);
    for (size_t row = 0; status == ATTN_OK && row < rows; row++) {
        for (uint32_t i = 0; i < columns; i++) {
            const float p_i = weights[i];
            differentiate_row(weights, 0, columns, p_i, temperature, jacobian);
            jacobian[i] = p_i * (1.0f - p_i) / temperature;
            jacobian += columns;
        }
        weights += columns;
    }
    return status;
}
