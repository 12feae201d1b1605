/*
 * attention_scores.c: scores that are wanted without any other result. They are one matrix product,
 * whose tiles write rows of the result at once: the way by eight queries, which weights need,
 * transposes them (n = 512: 8 % slower). The sums are the same, and so are the bits.
 */
#include "attention.h"
#include "check.h"

/* Computes scores of the chunk, whose keys are packed as columns. */
static ATTN_SMALL void multiply_chunk(const forward *f) {
    const uint32_t d = f->d_k, n_q = f->visible.n_q, n_k = f->visible.n_k;
    for (uint32_t i = 0; i < n_q; i += GEMM_PANEL_ROWS) {
        const uint32_t rows = n_q - i < GEMM_PANEL_ROWS ? n_q - i : GEMM_PANEL_ROWS;
        gemm_pack(f->queries, GEMM_PANEL_ROWS, f->a->query + (size_t)i * d, rows, d, d, 1,
                  f->a->scale);
        for (uint32_t r = 0; r < rows; r += GEMM_ROWS)
            gemm_rows(f->queries + r, GEMM_PANEL_ROWS, f->keys, d, rows - r, f->count, 0,
                      f->results->scores + (size_t)(i + r) * n_k + f->first, n_k);
    }
}

ATTN_SMALL void multiply_keys(forward *f) {
    const uint32_t d = f->d_k, n_k = f->visible.n_k;
    for (f->first = 0; f->first < n_k; f->first += f->count) {
        f->count = n_k - f->first < f->chunk ? n_k - f->first : f->chunk;
        if (!(f->a->again && f->count == n_k))
            gemm_pack(f->keys, GEMM_COLUMNS, f->a->key + (size_t)f->first * d, f->count, d, d, 1,
                      1.0f);
        multiply_chunk(f);
    }
}
