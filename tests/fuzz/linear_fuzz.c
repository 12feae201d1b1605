/*
 * linear_fuzz.c: linear maps and their gradients, with any shape and numbers, against float64.
 */
#include "attn.h"
#include "fuzz.h"
#include "oracle_numbers.h"

typedef struct {
    uint32_t n, d_in, d_out;
    const float *x, *weight, *bias, *d_y;
    float *y, *d_x, *d_weight, *d_bias; /* d_bias and bias may be null */
} problem;

/* A few are wider than one block of packed columns, 65536 / d_in. */
static problem read_problem(fuzz_input *input) {
    problem p = {0};
    uint32_t *const sizes[] = {&p.n, &p.d_in, &p.d_out};
    for (int i = 0; i < 3; i++)
        *sizes[i] = fuzz_size(input, 0);
    const uint8_t options = fuzz_byte(input);
    while ((uint64_t)p.n * p.d_in * p.d_out > 1 << 15)
        fuzz_halve(sizes, 3);
    if (options == 255) {
        p.n %= 3;
        p.d_in = 330 + p.d_in % 8;
        p.d_out = 200 + p.d_out % 16;
    }
    p.x = fuzz_floats(input, (size_t)p.n * p.d_in);
    p.weight = fuzz_floats(input, (size_t)p.d_out * p.d_in);
    p.d_y = fuzz_floats(input, (size_t)p.n * p.d_out);
    p.bias = (options & 32) ? fuzz_floats(input, p.d_out) : NULL;
    p.y = fuzz_memory((size_t)p.n * p.d_out);
    p.d_x = fuzz_memory((size_t)p.n * p.d_in);
    p.d_weight = fuzz_memory((size_t)p.d_out * p.d_in);
    p.d_bias = (options & 64) ? fuzz_memory(p.d_out) : NULL;
    return p;
}

static void compare_with_oracle(const problem *p) {
    const uint32_t n = p->n, d_in = p->d_in, d_out = p->d_out;
    const float one = 1;
    const size_t outer = n > d_out ? n : d_out, inner = d_in > d_out ? d_in : d_out;
    double magnitude, *exact = fuzz_doubles(outer * inner);
    oracle_product(n, d_out, d_in, p->x, d_in, 1, p->weight, 1, d_in, exact, &magnitude);
    for (size_t i = 0; p->bias != NULL && i < (size_t)n * d_out; i++)
        exact[i] += (double)p->bias[i % d_out];
    fuzz_compare("y", p->y, exact, (size_t)n * d_out, fuzz_unit * (magnitude + 4));
    oracle_product(n, d_in, d_out, p->d_y, d_out, 1, p->weight, d_in, 1, exact, &magnitude);
    fuzz_compare("d_x", p->d_x, exact, (size_t)n * d_in, fuzz_unit * magnitude);
    oracle_product(d_out, d_in, n, p->d_y, 1, d_out, p->x, d_in, 1, exact, &magnitude);
    fuzz_compare("d_weight", p->d_weight, exact, (size_t)d_out * d_in, fuzz_unit * magnitude);
    oracle_product(d_out, 1, n, p->d_y, 1, d_out, &one, 0, 0, exact, &magnitude);
    fuzz_compare("d_bias", p->d_bias, exact, p->d_bias != NULL ? d_out : 0, fuzz_unit * magnitude);
}

static void check_linear(fuzz_input *input) {
    const problem p = read_problem(input);
    void *scratch = fuzz_scratch(attn_linear_scratch(p.n, p.d_in, p.d_out));
    attn_linear_forward(p.x, p.weight, p.bias, p.n, p.d_in, p.d_out, p.y, scratch);
    attn_linear_backward(p.x, p.weight, p.d_y, p.n, p.d_in, p.d_out, p.d_x, p.d_weight, p.d_bias,
                         scratch);
    if (!input->wild)
        compare_with_oracle(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    check_linear(&input);
    return fuzz_end();
}
