/* gemm_test.c: the matrix product against float64, for every tail and both strides. */
#include "harness.h"

#include "attn.h"
#include "gemm.h"
#include "gemm_kernel.h"

typedef struct {
    uint32_t m, n, k;
    int a_transposed, b_transposed;
    float factor;
} product;

/* |c - a b| <= (k + 2) 2^-24 sum |a b|, row tails and everything beside c untouched. */
static void check_product_of(product p) {
    const uint32_t gap = 3, row = p.n + gap;
    const float *a = guarded_normals((size_t)p.m * p.k, 1, 1);
    const float *b = guarded_normals((size_t)p.k * p.n, 2, 1);
    const size_t c_count = (size_t)p.m * row - (p.m > 0 ? gap : 0);
    float *c = guarded_floats(c_count);
    void *scratch = guarded_bytes(gemm_scratch(p.n, p.k), 16);
    const gemm_matrix left = {a, p.a_transposed ? 1 : p.k, p.a_transposed ? p.m : 1};
    const gemm_matrix right = {b, p.b_transposed ? 1 : p.n, p.b_transposed ? p.k : 1};
    for (size_t i = 0; i < c_count; i++)
        c[i] = 1234;
    if (p.factor == 1)
        gemm(p.m, p.n, p.k, left, right, c, row, scratch);
    else
        gemm_scaled(p.m, p.n, p.k, p.factor, left, right, c, row, scratch);
    for (uint32_t i = 0; i < p.m; i++)
        for (uint32_t j = 0; j < row && (size_t)i * row + j < c_count; j++) {
            double sum = 0, magnitude = 0;
            for (uint32_t k = 0; k < p.k && j < p.n; k++) {
                const double term = (double)p.factor *
                                    (double)a[i * left.stride_row + k * left.stride_column] *
                                    (double)b[k * right.stride_row + j * right.stride_column];
                sum += term;
                magnitude += fabs(term);
            }
            CHECK_CLOSE(c[(size_t)i * row + j], j < p.n ? sum : 1234,
                        (p.k + 2) * 0x1p-24 * magnitude);
        }
}

TEST("the product is right for every combination of tails and strides") {
    for (uint32_t m = 0; m <= 13; m += m < 7 ? 1 : 2) /* tiles of 4 or 6 rows */
        for (uint32_t n = 0; n <= 17; n += n < 9 ? 1 : 4)
            for (uint32_t k = 0; k <= 9; k += k < 5 ? 1 : 2)
                for (int transposed = 0; transposed < 4; transposed++) {
                    check_product_of((product){m, n, k, transposed & 1, transposed >> 1, 1});
                    release_guarded();
                }
}

TEST("a product of several blocks of columns and runs of steps is right") {
    check_product_of((product){6, 70, 2001, 0, 1, 1});
    check_product_of((product){5, 29, 9000, 0, 0, 0.25f});
    check_product_of((product){2, 530, 129, 1, 0, 1});
    check_product_of((product){7, 9, 128, 1, 1, 1});
}

TEST("the rounding error of a long sum grows with the root of its length") {
    for (uint32_t k = 1000; k <= 1000000; k *= 10) {
        const float tenth = 0.1f;
        float sum;
        void *scratch = guarded_bytes(gemm_scratch(1, k), 16);
        gemm(1, 1, k, (gemm_matrix){&tenth, 0, 0}, (gemm_matrix){&tenth, 0, 0}, &sum, 1, scratch);
        const double exact = (double)k * (double)tenth * (double)tenth;
        CHECK_CLOSE(sum, exact, 4 * sqrt((double)k) * 0x1p-24 * exact);
    }
}

TEST("numbers that are not finite stay in their row and column") {
    float a[6] = {1, 2, NAN, 4, 5, 6}, b[6] = {1, 2, 3, 4, INFINITY, 6}, c[9];
    void *scratch = guarded_bytes(gemm_scratch(3, 2), 16);
    gemm(3, 3, 2, (gemm_matrix){a, 2, 1}, (gemm_matrix){b, 3, 1}, c, 3, scratch);
    const float expected[9] = {9, INFINITY, 15, NAN, NAN, NAN, 29, INFINITY, 51};
    CHECK_SAME_FLOATS(c, expected, 9);
}

TEST("scratch is bounded for all sizes") {
    CHECK(gemm_scratch(UINT32_MAX, 1 << 14) <= 280000);
    CHECK(gemm_scratch(UINT32_MAX, UINT32_MAX) <= 920000);
}

TEST("scratch for a product is enough for one of fewer columns or steps") {
    for (uint32_t n = 1; n <= 4000; n = n * 3 + 1)
        for (uint32_t k = 0; k <= 17000; k++) {
            CHECK(gemm_scratch(n, k + 1) >= gemm_scratch(n, k));
            CHECK(gemm_scratch(n + 1, k) >= gemm_scratch(n, k));
        }
}

TEST_MAIN
