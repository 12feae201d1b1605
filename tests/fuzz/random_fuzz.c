/*
 * random_fuzz.c: uniform and normal numbers of any seed, stream, range and count, against
 * Philox in integers and the formulas in float64.
 */
#include "attn.h"
#include "fuzz.h"
#include "oracle_numbers.h"

/* Numbers of [low, high), that within rounding are low + u (high - low). */
static void check_uniform(const uint32_t s[4], uint32_t n, float low, float high) {
    float *x = fuzz_memory(n);
    attn_random_uniform(s[0], s[1], s[2], s[3], n, low, high, x);
    if (!(low < high) || isinf(low) || isinf(high))
        return;
    const double width = (double)high - (double)low;
    const double largest = fmax(fabs((double)low), fabs((double)high));
    for (uint32_t i = 0; i < n; i++) {
        FUZZ_CHECK(x[i] >= low && x[i] < high);
        fuzz_close("uniform", i, (double)x[i], (double)low + width * oracle_uniform(s, i),
                   4 * 0x1p-24 * largest + 4 * 0x1p-149);
    }
}

static void check_normal(const uint32_t s[4], uint32_t n, float mean, float std, int wild) {
    float *x = fuzz_memory(n);
    attn_random_normal(s[0], s[1], s[2], s[3], n, mean, std, x);
    for (uint32_t i = 0; !wild && i < n; i++)
        fuzz_close("normal", i, (double)x[i], (double)mean + (double)std * oracle_normal(s, i),
                   2e-6 * fabs((double)std) + 0x1p-22);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t n = fuzz_size(&input, 0);
    const float first = fuzz_float(&input), second = fuzz_float(&input);
    uint32_t source[4];
    for (int i = 0; i < 4; i++)
        source[i] = fuzz_word(&input);
    check_uniform(source, n, first, second);
    check_normal(source, n, first, second, input.wild);
    return fuzz_end();
}
