/*
 * rotary_fuzz.c: rotary embedding with any shape, positions, base and numbers, against the oracle.
 */
#include "attn.h"
#include "fuzz.h"
#include "oracle_numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t n = fuzz_size(&input, 0) % 30, d = 2 * (fuzz_size(&input, 0) % 20);
    const uint32_t count = fuzz_size(&input, 0) % 4, options = fuzz_byte(&input);
    const attn_pairing pairing = (attn_pairing)(options & 1);
    const double base = ldexp(1 + fuzz_byte(&input) / 256.0, fuzz_byte(&input) % 40);
    const size_t numbers = (size_t)count * n * d;
    const float *x = fuzz_floats(&input, numbers);
    float *turns = fuzz_memory((size_t)n * d), *y = fuzz_memory(numbers);
    double *positions = fuzz_doubles(n), *exact = fuzz_doubles((size_t)n * d);
    for (uint32_t i = 0; i < n; i++)
        positions[i] = ldexp((double)fuzz_tame(&input), fuzz_byte(&input) % 28);
    FUZZ_CHECK(attn_rotary_turns(positions, n, d, base, turns) == ATTN_OK);
    oracle_rotary_turns(positions, n, d, base, exact);
    fuzz_compare("turns", turns, exact, (size_t)n * d, 0x1p-20);
    FUZZ_CHECK(attn_rotary_forward(x, turns, count, n, d, pairing, options & 2, y) == ATTN_OK);
    for (size_t e = 0; !input.wild && e < numbers; e++) {
        const double expected = oracle_rotary(x, turns, n, d, pairing, (options & 2) != 0, e);
        fuzz_close("y", e, (double)y[e], expected, 0x1p-20);
    }
    return fuzz_end();
}
