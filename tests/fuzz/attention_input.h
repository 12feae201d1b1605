/*
 * attention_input.h: dot-product attention from the bytes of a fuzzer.
 */
#ifndef ATTN_FUZZ_ATTENTION_INPUT_H
#define ATTN_FUZZ_ATTENTION_INPUT_H

#include "attn.h"
#include "fuzz.h"

typedef struct {
    uint32_t n_q, n_k, d_k, d_v;
    attn_causal causal;
    float scale;
    float *query, *key, *value, *mask, *d_output; /* mask null or [n_q, n_k] */
} attention_input;

/* Room for more than a block of 56 queries and a chunk of 128 keys, when rows are short. */
FUZZ_STATIC void read_shape(fuzz_input *input, attention_input *p) {
    uint32_t *const sizes[] = {&p->n_q, &p->n_k, &p->d_k, &p->d_v};
    for (int i = 0; i < 4; i++)
        *sizes[i] = fuzz_size(input, i == 2);
    while ((uint64_t)p->n_q * p->n_k * (p->d_k + p->d_v) > 1 << 14)
        fuzz_halve(sizes, 4);
}

FUZZ_STATIC attention_input read_attention(fuzz_input *input) {
    attention_input p = {0};
    read_shape(input, &p);
    const uint8_t options = fuzz_byte(input);
    p.causal = (attn_causal)(options % 3);
    p.scale = (options & 16) ? 1.0F : fuzz_float(input) * 0.25F;
    p.query = fuzz_floats(input, (size_t)p.n_q * p.d_k);
    p.key = fuzz_floats(input, (size_t)p.n_k * p.d_k);
    p.value = fuzz_floats(input, (size_t)p.n_k * p.d_v);
    p.d_output = fuzz_floats(input, (size_t)p.n_q * p.d_v);
    if (options & 32)
        p.mask = fuzz_mask(input, (size_t)p.n_q * p.n_k);
    return p;
}

/* Other keys and values where no query may attend. */
FUZZ_STATIC void spoil_hidden_keys(fuzz_input *input, const attention_input *p) {
    fuzz_spoil_hidden(input, p->mask, p->causal, p->n_q, p->n_k, p->key, p->d_k);
    fuzz_spoil_hidden(input, p->mask, p->causal, p->n_q, p->n_k, p->value, p->d_v);
}

#endif
