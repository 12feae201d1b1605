/*
 * attention_alone.c: attention of up to four queries, one after the other: they would leave lanes
 * of the tiles empty. Columns are in the lanes instead, and keys and values are read in place
 * (decoding, one query and 4096 keys: 32 GB/s of keys and values, in tiles 6).
 */
#include "attention.h"
#include "check.h"
#include "softmax.h"

/* Stores scores of keys begin ... end - 1 as row i of a matrix [n_q][n_k], if any. */
static ATTN_SMALL void store_row(const forward *f, uint32_t i, uint32_t begin, uint32_t end,
                                 float *matrix) {
    if (matrix != NULL)
        memcpy(matrix + (size_t)i * f->a->n_k + begin, f->scores + begin,
               (end - begin) * sizeof(float));
}

/* Computes the scores of query i, of all keys if `all`, and the matrices before softmax. */
static ATTN_SMALL void score_alone(const forward *f, uint32_t i, uint32_t begin, uint32_t end,
                                   int all) {
    const attn_attention *a = f->a;
    const uint32_t first = all ? 0 : begin, last = all ? a->n_k : end;
    float *scores = f->scores + first;
    memset(f->queries, 0, a->d_k * sizeof(float));
    add_row(a->query + (size_t)i * a->d_k, a->scale, a->d_k, f->queries);
    score_row(f->queries, a->key + (size_t)first * a->d_k, last - first, a->d_k, scores);
    store_row(f, i, first, last, f->results->scores);
    if (a->softcap > 0)
        cap_keys(scores, (uint32_t)check_pad(last - first, QUERIES) / QUERIES, a->softcap);
    store_row(f, i, first, last, f->results->capped);
    store_row(f, i, begin, end, f->results->masked);
    if (f->results->masked != NULL)
        fill_outside(f->results->masked + (size_t)i * a->n_k, begin, end, a->n_k, -INFINITY);
}

/* output = weights values of keys begin ... end - 1. */
static ATTN_SMALL void output_alone(const forward *f, uint32_t i, uint32_t begin, uint32_t end) {
    const uint32_t d_v = f->d_v;
    const float *values = f->values.given;
    float *output = f->results->output + (size_t)i * d_v, *sums = f->outputs;
    memset(output, 0, d_v * sizeof(float));
    for (uint32_t j = begin, stop; j < end; j = stop) {
        stop = end - j < BLOCK_KEYS ? end : j + BLOCK_KEYS;
        const uint32_t whole = (stop - j) & ~3U;
        memset(sums, 0, d_v * sizeof(float));
        add_rows(values + (size_t)j * d_v, f->scores + j, whole, d_v, sums);
        for (j += whole; j < stop; j++)
            add_row(values + (size_t)j * d_v, f->scores[j], d_v, sums);
        add_row(sums, 1.0f, d_v, output);
    }
}

/* Writes the weights of query i, 0 (or NaN in a row of NaN) for keys that it does not see. */
static ATTN_SMALL void weights_alone(const forward *f, uint32_t i, uint32_t begin, uint32_t end) {
    const uint32_t n_k = f->a->n_k;
    float *weights = f->results->weights + (size_t)i * n_k;
    store_row(f, i, begin, end, f->results->weights);
    fill_outside(weights, begin, end, n_k, begin < end ? 0.0f * f->scores[begin] : 0.0f);
    if (f->results->mean != NULL)
        add_scaled(weights, n_k, f->results->share, f->results->mean + (size_t)i * n_k);
}

ATTN_SMALL void attend_alone(const forward *f) {
    const attn_attention_results *r = f->results;
    for (uint32_t i = 0; i < f->a->n_q; i++) {
        const uint32_t begin = first_key(&f->visible, i), end = end_key(&f->visible, i);
        float *scores = f->scores + begin;
        score_alone(f, i, begin, end, r->scores != NULL || r->capped != NULL);
        if (!f->weighs)
            continue;
        softmax_row(scores, end - begin, 1.0f, f->a->sink, scores,
                    r->lse != NULL ? r->lse + i : NULL);
        if (r->weights != NULL)
            weights_alone(f, i, begin, end);
        if (f->d_v > 0)
            output_alone(f, i, begin, end);
    }
}
