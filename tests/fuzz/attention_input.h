/*
 * attention_input.h: dot-product attention from the bytes of a fuzzer.
 */
#ifndef ATTN_FUZZ_ATTENTION_INPUT_H
#define ATTN_FUZZ_ATTENTION_INPUT_H

#include "attn.h"
#include "fuzz.h"
#include "oracle_attention.h"

/* Room for more than a block of 56 queries and a chunk of 128 keys, when rows are short. */
FUZZ_STATIC void read_shape(fuzz_input *input, attn_attention *a) {
    uint32_t *const sizes[] = {&a->n_q, &a->n_k, &a->d_k, &a->d_v};
    for (int i = 0; i < 4; i++)
        *sizes[i] = fuzz_size(input, i == 2);
    while ((uint64_t)a->n_q * a->n_k * (a->d_k + a->d_v) > 1 << 14)
        fuzz_halve(sizes, 4);
}

FUZZ_STATIC attn_attention read_attention(fuzz_input *input) {
    attn_attention a = {0};
    read_shape(input, &a);
    const uint8_t options = fuzz_byte(input);
    a.n_all = a.n_q + options % 8;
    a.window = fuzz_window(input, a.n_q, a.n_k);
    a.scale = (options & 16) ? 1.0F : fuzz_float(input) * 0.25F;
    a.softcap = (options & 64) ? fabsf(fuzz_tame(input)) : 0;
    a.sink = fuzz_sink(input);
    a.query = fuzz_floats(input, (size_t)a.n_q * a.d_k);
    a.key = fuzz_floats(input, (size_t)a.n_k * a.d_k);
    a.value = fuzz_floats(input, (size_t)a.n_k * a.d_v);
    if (options & 32)
        a.mask = fuzz_mask(input, (size_t)a.n_q * a.n_k);
    return a;
}

/* Other keys and values where no query may attend. */
FUZZ_STATIC void spoil_hidden_keys(fuzz_input *input, attn_attention *a) {
    a->key = fuzz_spoil_hidden(input, a->mask, a->window, a->n_q, a->n_k, a->key, a->d_k);
    a->value = fuzz_spoil_hidden(input, a->mask, a->window, a->n_q, a->n_k, a->value, a->d_v);
}

#endif
