/*
 * attention_scores.c: scores that are wanted without any other result. They are one matrix product,
 * whose tiles write rows of the result at once: the way by eight queries, which weights need,
 * transposes them (n = 512: 8 % slower). The sums are the same, and so are the bits.
 */
#include "attention_call.h"
#include "check.h"

/* Computes scores [n_q][count], rows n_k apart, of keys that are packed as columns. */
static ATTN_SMALL void multiply_chunk(const attn_attention *a, const attention_scratch *s,
                                      uint32_t count, float *scores) {
    const uint32_t d = a->d_k, n_q = a->n_q;
    for (uint32_t i = 0; i < n_q; i += GEMM_PANEL_ROWS) {
        const uint32_t rows = n_q - i < GEMM_PANEL_ROWS ? n_q - i : GEMM_PANEL_ROWS;
        gemm_pack(s->queries, GEMM_PANEL_ROWS, a->query + (size_t)i * d, rows, d, d, 1, a->scale);
        for (uint32_t r = 0; r < rows; r += GEMM_ROWS)
            gemm_rows(s->queries + r, GEMM_PANEL_ROWS, s->keys, d, rows - r, count, 0,
                      scores + (size_t)(i + r) * a->n_k, a->n_k);
    }
}

ATTN_SMALL void multiply_keys(const attn_attention *a, const attention_scratch *s, float *scores) {
    const uint32_t d = a->d_k, n_k = a->n_k;
    for (uint32_t first = 0, count; first < n_k; first += count) {
        count = n_k - first < s->chunk ? n_k - first : s->chunk;
        if (!(a->again && count == n_k))
            gemm_pack(s->keys, GEMM_COLUMNS, a->key + (size_t)first * d, count, d, d, 1, 1.0f);
        multiply_chunk(a, s, count, scores + first);
    }
}
