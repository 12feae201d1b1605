/*
 * linear_test.c: linear maps and their gradients against float64 sums.
 */
#include "harness.h"

#include "attn.h"
#include "oracle_numbers.h"

static void *linear_scratch(uint32_t n, uint32_t d_in, uint32_t d_out) {
    return guarded_bytes(attn_linear_scratch(n, d_in, d_out), 16);
}

static void check_linear(uint32_t n, uint32_t d_in, uint32_t d_out) {
    const float *x = guarded_normals((size_t)n * d_in, 1, 1);
    const float *weight = guarded_normals((size_t)d_out * d_in, 2, 1);
    const float *bias = guarded_normals(d_out, 3, 1);
    const float *d_y = guarded_normals((size_t)n * d_out, 4, 1);
    float *y = guarded_floats((size_t)n * d_out), *d_x = guarded_floats((size_t)n * d_in);
    float *d_weight = guarded_floats((size_t)d_out * d_in), *d_bias = guarded_floats(d_out);
    void *scratch = linear_scratch(n, d_in, d_out);
    attn_linear_forward(x, weight, bias, n, d_in, d_out, y, scratch);
    attn_linear_backward(x, weight, d_y, n, d_in, d_out, d_x, d_weight, d_bias, scratch);

    double magnitude, *exact = doubles((size_t)(n + d_out + 1) * (d_in + d_out + 1));
    oracle_product(n, d_out, d_in, x, d_in, 1, weight, 1, d_in, exact, &magnitude);
    for (size_t i = 0; i < (size_t)n * d_out; i++)
        exact[i] += (double)bias[i % d_out];
    CHECK_ALL_CLOSE(y, exact, (size_t)n * d_out, 8 * 0x1p-24 * (magnitude + 4));
    oracle_product(n, d_in, d_out, d_y, d_out, 1, weight, d_in, 1, exact, &magnitude);
    CHECK_ALL_CLOSE(d_x, exact, (size_t)n * d_in, 8 * 0x1p-24 * magnitude);
    oracle_product(d_out, d_in, n, d_y, 1, d_out, x, d_in, 1, exact, &magnitude);
    CHECK_ALL_CLOSE(d_weight, exact, (size_t)d_out * d_in, 8 * 0x1p-24 * magnitude);
    const float one = 1;
    oracle_product(d_out, 1, n, d_y, 1, d_out, &one, 0, 0, exact, &magnitude);
    CHECK_ALL_CLOSE(d_bias, exact, d_out, 8 * 0x1p-24 * magnitude);
    free(exact);
    release_guarded();
}

TEST("a linear map and its gradients agree with float64 for any shape") {
    const uint32_t sizes[] = {0, 1, 3, 4, 5, 8, 17, 33, 64};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; k < count; k++)
                check_linear(sizes[i], sizes[j], sizes[k]);
}

TEST("gradients of a map's parameters keep their accuracy over thousands of rows") {
    check_linear(5000, 3, 2);
    enum { N = 5000 };
    const float weight = 1;
    const float *thirds = guarded_equal(N, 1 / 3.0f);
    float *d_x = guarded_floats(N), d_weight, d_bias;
    attn_linear_backward(thirds, &weight, thirds, N, 1, 1, d_x, &d_weight, &d_bias,
                         linear_scratch(N, 1, 1));
    const double third = (double)thirds[0];
    CHECK_CLOSE(d_bias, N * third, 64 * 0x1p-24 * N * third);
    CHECK_CLOSE(d_weight, N * third * third, 64 * 0x1p-24 * N * third * third);
}

TEST("without a bias nothing is added and no gradient of it is written") {
    const float x[] = {1, 2}, weight[] = {3, 4, 5, 6}, d_y[] = {1, -1};
    float y[2], d_x[2], d_weight[4];
    void *scratch = linear_scratch(1, 2, 2);
    attn_linear_forward(x, weight, NULL, 1, 2, 2, y, scratch);
    CHECK(y[0] == 11 && y[1] == 17);
    attn_linear_backward(x, weight, d_y, 1, 2, 2, d_x, d_weight, NULL, scratch);
    CHECK(d_x[0] == -2 && d_x[1] == -2);
    CHECK(d_weight[0] == 1 && d_weight[1] == 2 && d_weight[2] == -1 && d_weight[3] == -2);
}

TEST_MAIN
