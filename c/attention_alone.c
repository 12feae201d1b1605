/*
 * attention_alone.c: attention of up to four queries, one after the other: they would leave lanes
 * of the tiles empty. Columns are in the lanes instead, and keys and values are read in place
 * (decoding, one query and 4096 keys: 32 GB/s of keys and values, in tiles 6).
 */
#include "attention_call.h"
#include "check.h"
#include "softmax.h"

/* Stores scores of keys begin ... end - 1 as row i of a matrix [n_q][n_k], if any. */
static ATTN_SMALL void store_row(const float *scores, uint32_t i, uint32_t begin, uint32_t end,
                                 uint32_t n_k, float *matrix) {
    if (matrix != NULL)
        memcpy(matrix + (size_t)i * n_k + begin, scores + begin, (end - begin) * sizeof(float));
}

/* Computes the scores of query i, of all keys if a result has them, and the matrices before
 * softmax. */
static ATTN_SMALL void score_alone(const attn_attention *a, const attn_attention_results *r,
                                   const attention_scratch *s, uint32_t i, uint32_t begin,
                                   uint32_t end) {
    const int all = r->scores != NULL || r->capped != NULL;
    const uint32_t first = all ? 0 : begin, last = all ? a->n_k : end;
    float *scores = s->scores + first;
    memset(s->queries, 0, a->d_k * sizeof(float));
    add_row(a->query + (size_t)i * a->d_k, a->scale, a->d_k, s->queries);
    score_row(s->queries, a->key + (size_t)first * a->d_k, last - first, a->d_k, scores);
    store_row(s->scores, i, first, last, a->n_k, r->scores);
    shape_scores(a, scores, NULL, check_pad(last - first, QUERIES));
    store_row(s->scores, i, first, last, a->n_k, r->capped);
    store_row(s->scores, i, begin, end, a->n_k, r->masked);
    if (r->masked != NULL)
        fill_outside(r->masked + (size_t)i * a->n_k, begin, end, a->n_k, -INFINITY);
}

/* output [d_v] = weights values of keys begin ... end - 1; sums [d_v] is scratch. */
static ATTN_SMALL void output_alone(const attn_attention *a, const float *weights, uint32_t begin,
                                    uint32_t end, float *sums, float *output) {
    const uint32_t d_v = a->d_v;
    memset(output, 0, d_v * sizeof(float));
    for (uint32_t j = begin, stop; j < end; j = stop) {
        stop = end - j < BLOCK_KEYS ? end : j + BLOCK_KEYS;
        const uint32_t whole = (stop - j) & ~3U;
        memset(sums, 0, d_v * sizeof(float));
        add_rows(a->value + (size_t)j * d_v, weights + j, whole, d_v, sums);
        for (j += whole; j < stop; j++)
            add_row(a->value + (size_t)j * d_v, weights[j], d_v, sums);
        add_row(sums, 1.0f, d_v, output);
    }
}

/* Writes the weights of query i, 0 (or NaN in a row of NaN) for keys that it does not see. */
static ATTN_SMALL void weights_alone(const float *scores, const attn_attention_results *r,
                                     uint32_t i, uint32_t begin, uint32_t end, uint32_t n_k) {
    float *weights = r->weights + (size_t)i * n_k;
    store_row(scores, i, begin, end, n_k, r->weights);
    fill_outside(weights, begin, end, n_k, begin < end ? 0.0f * scores[begin] : 0.0f);
    if (r->mean != NULL)
        add_scaled(weights, n_k, r->share, r->mean + (size_t)i * n_k);
}

ATTN_SMALL void attend_alone(const attention_call *c, const attention_wanted *w,
                             const attention_scratch *s) {
    const attn_attention *a = c->a;
    const attn_attention_results *r = w->results;
    for (uint32_t i = 0; i < a->n_q; i++) {
        const uint32_t begin = first_key(&c->visible, i), end = end_key(&c->visible, i);
        float *scores = s->scores + begin;
        score_alone(a, r, s, i, begin, end);
        if (!w->weighs)
            continue;
        softmax_row(scores, end - begin, 1.0f, a->sink, scores, r->lse != NULL ? r->lse + i : NULL);
        if (r->weights != NULL)
            weights_alone(s->scores, r, i, begin, end, a->n_k);
        if (r->output != NULL)
            output_alone(a, s->scores, begin, end, s->outputs, r->output + (size_t)i * a->d_v);
    }
}
