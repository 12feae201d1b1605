/*
 * softmax_fuzz.c: the functions of softmax.c with any shape, temperature and numbers,
 * against the oracle.
 */
#include "attn.h"
#include "fuzz.h"

typedef struct {
    uint32_t rows, columns;
    float temperature;
    const float *x, *d_weights;
    float *weights, *logs, *lse, *d_x, *jacobian;
} problem;

/* Room for more than a chunk of 1024 columns. */
static problem read_problem(fuzz_input *input) {
    problem p = {.rows = fuzz_size(input, 0), .columns = fuzz_size(input, 0)};
    const uint8_t times = fuzz_byte(input);
    p.columns *= times >= 240 ? 8 : 1;
    while ((uint64_t)p.rows * p.columns * p.columns > 1 << 14 && p.rows > 1)
        p.rows /= 2;
    p.temperature = (float)(1 + fuzz_byte(input)) / 64.0F;
    const size_t count = (size_t)p.rows * p.columns;
    p.x = fuzz_floats(input, count);
    p.d_weights = fuzz_floats(input, count);
    p.weights = fuzz_memory(count);
    p.logs = fuzz_memory(count);
    p.lse = fuzz_memory(p.rows);
    p.d_x = fuzz_memory(count);
    p.jacobian = p.columns <= 200 ? fuzz_memory(count * p.columns) : NULL;
    return p;
}

static void run(const problem *p) {
    const uint32_t rows = p->rows, columns = p->columns;
    FUZZ_CHECK(attn_softmax_forward(p->x, rows, columns, p->temperature, p->weights) == ATTN_OK);
    FUZZ_CHECK(attn_log_softmax_forward(p->x, rows, columns, p->temperature, p->logs) == ATTN_OK);
    FUZZ_CHECK(attn_log_sum_exp_forward(p->x, rows, columns, p->temperature, p->lse) == ATTN_OK);
    FUZZ_CHECK(attn_softmax_backward(p->weights, p->d_weights, rows, columns, p->temperature,
                                     p->d_x) == ATTN_OK);
    FUZZ_CHECK(p->jacobian == NULL ||
               attn_softmax_jacobian(p->weights, rows, columns, p->temperature, p->jacobian) ==
                   ATTN_OK);
}

static void compare_row(const problem *p, uint32_t row) {
    const uint32_t n = p->columns;
    const size_t first = (size_t)row * n;
    const double temperature = (double)p->temperature;
    double *z = fuzz_doubles(n), *weights = fuzz_doubles(n), *d_weights = fuzz_doubles(n);
    double *d_x = fuzz_doubles(n), *logs = fuzz_doubles(n), largest = 2;
    for (uint32_t j = 0; j < n; j++) {
        z[j] = (double)p->x[first + j] / temperature;
        d_weights[j] = (double)p->d_weights[first + j];
        largest = fmax(largest, 2 + fabs(z[j]));
    }
    const double lse = oracle_log_sum_exp(z, n);
    oracle_softmax(z, n, weights);
    oracle_softmax_backward(weights, d_weights, n, temperature, d_x);
    for (uint32_t j = 0; j < n; j++)
        logs[j] = z[j] - lse;
    fuzz_compare("weights", p->weights + first, weights, n, fuzz_unit * largest);
    fuzz_compare("log weights", p->logs + first, logs, n, 2 * fuzz_unit * largest);
    fuzz_close("lse", row, (double)p->lse[row], lse, fuzz_unit * largest);
    fuzz_compare("d_x", p->d_x + first, d_x, n, 8 * fuzz_unit * largest / temperature);
    for (uint32_t j = 0; p->jacobian != NULL && j < n; j++)
        for (uint32_t k = 0; k < n; k++)
            fuzz_close("jacobian", j, (double)p->jacobian[(first + j) * n + k],
                       weights[j] * ((j == k) - weights[k]) / temperature,
                       2 * fuzz_unit * largest / temperature);
}

/* The rows that hold NaN are NaN throughout, and a row without NaN and +Infinity is not. */
static void check_special(const problem *p, uint32_t row) {
    const size_t first = (size_t)row * p->columns;
    int nan = 0, infinite = 0;
    for (uint32_t j = 0; j < p->columns; j++) {
        nan |= isnan(p->x[first + j]);
        infinite |= p->x[first + j] == INFINITY;
    }
    FUZZ_CHECK(isnan(p->lse[row]) == nan);
    for (uint32_t j = 0; j < p->columns; j++) {
        FUZZ_CHECK(isnan(p->weights[first + j]) == (nan || infinite));
        FUZZ_CHECK(!nan || isnan(p->logs[first + j]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const problem p = read_problem(&input);
    run(&p);
    const size_t kept = fuzz_block_count;
    for (uint32_t i = 0; i < p.rows; i++) {
        if (input.wild)
            check_special(&p, i);
        else if (p.columns > 0)
            compare_row(&p, i);
        fuzz_release(kept);
    }
    return fuzz_end();
}
