/*
 * additive_input.h: additive attention from the bytes of a fuzzer.
 */
#ifndef ATTN_FUZZ_ADDITIVE_INPUT_H
#define ATTN_FUZZ_ADDITIVE_INPUT_H

#include "attn.h"
#include "fuzz.h"
#include "oracle_additive.h"

/* Room for more than a block of 32 queries and a tile of 64 keys, when rows are short. */
FUZZ_STATIC void read_shape(fuzz_input *input, attn_additive *a) {
    uint32_t *const sizes[] = {&a->n_q, &a->n_k, &a->d_v, &a->d_q, &a->d_k, &a->d_hidden};
    for (int i = 0; i < 6; i++)
        *sizes[i] = fuzz_size(input, i >= 3);
    while ((uint64_t)a->n_q * a->n_k * (a->d_hidden * (a->d_q + a->d_k) + a->d_v) > 1 << 15)
        fuzz_halve(sizes, 6);
}

FUZZ_STATIC attn_additive read_additive(fuzz_input *input) {
    attn_additive a = {0};
    read_shape(input, &a);
    const uint8_t options = fuzz_byte(input);
    a.window = fuzz_window(input, a.n_q, a.n_k);
    a.sink = fuzz_sink(input);
    a.query = fuzz_floats(input, (size_t)a.n_q * a.d_q);
    a.key = fuzz_floats(input, (size_t)a.n_k * a.d_k);
    a.value = fuzz_floats(input, (size_t)a.n_k * a.d_v);
    a.query_weight = fuzz_floats(input, (size_t)a.d_hidden * a.d_q);
    a.key_weight = fuzz_floats(input, (size_t)a.d_hidden * a.d_k);
    a.score_weight = fuzz_floats(input, a.d_hidden);
    if (options & 16)
        a.bias = fuzz_floats(input, a.d_hidden);
    if (options & 32)
        a.mask = fuzz_mask(input, (size_t)a.n_q * a.n_k);
    return a;
}

/* Other keys and values where no query may attend. */
FUZZ_STATIC void spoil_hidden_keys(fuzz_input *input, attn_additive *a) {
    a->key = fuzz_spoil_hidden(input, a->mask, a->window, a->n_q, a->n_k, a->key, a->d_k);
    a->value = fuzz_spoil_hidden(input, a->mask, a->window, a->n_q, a->n_k, a->value, a->d_v);
}

#endif
