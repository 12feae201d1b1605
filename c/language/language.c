/*
 * language.c: the model of language.h, its gradient and a step of its training.
 *
 * Forward alone keeps one layer, whose memory the next one takes over; for the gradient every layer
 * keeps its own. All memory is laid out by one function, which also computes the size of scratch.
 */
#include "language.h"

#include "../check.h"
#include "../f32x4.h"
#include "layer.h"

#include <math.h> /* INFINITY; no function of libm is called */

/* Everything that a call needs. */
typedef struct {
    language_run run;
    const attn_text *text;
    int keeps;    /* whether layers keep what backward needs */
    void *layers; /* of language_kept, layer_bytes each */
    uint64_t layer_bytes;
    float *last;           /* [rows, d_model], after the last layer */
    float *y, *statistics; /* of the last norm */
    float *logits;         /* [rows, vocabulary], then weights and gradients */
    float *d_x;            /* [rows, d_model] */
} working;

/* ---- memory ---------------------------------------------------------------------------- */

/* Lays out what a layer keeps, at `memory`; null gives the size alone. */
static ATTN_SMALL uint64_t lay_out_layer(language_kept *k, const language_run *run, int keeps,
                                         void *memory) {
    const uint32_t rows = run->rows, d = run->model->d_model, width = run->width;
    float **const of_model[4] = {&k->x, &k->middle, &k->y1, &k->y2};
    float **const of_heads[4] = {&k->query, &k->key, &k->value, &k->heads};
    uint64_t bytes = 0;
    for (int i = 0; i < 4; i++) {
        *of_model[i] = check_array(&bytes, memory, rows, d);
        *of_heads[i] = check_array(&bytes, memory, rows, width);
    }
    for (int i = 0; i < 2; i++)
        k->raw[i] = run->model->query_key_norm ? check_array(&bytes, memory, rows, width) : NULL;
    k->statistics1 = check_array(&bytes, memory, rows, 2);
    k->statistics2 = check_array(&bytes, memory, rows, 2);
    k->active = check_array(&bytes, memory, rows, run->hidden);
    k->slope = keeps ? check_array(&bytes, memory, rows, run->hidden) : NULL;
    return bytes;
}

static uint64_t larger_of_linear(uint64_t least, uint32_t n, uint32_t d_in, uint32_t d_out) {
    return check_larger(least, attn_linear_scratch(n, d_in, d_out));
}

/* Lays out the scratch that belongs to functions of other files. */
static ATTN_SMALL void lay_out_stages(language_run *run, int keeps, uint64_t *bytes,
                                      void *scratch) {
    const attn_language *m = run->model;
    const uint32_t rows = run->rows, d = m->d_model;
    const attn_attention a = {
        .n_q = run->n, .n_k = run->n, .d_k = m->d_key, .d_v = m->d_key, .n_all = run->n};
    uint64_t products = larger_of_linear(0, rows, d, run->parts * run->width);
    products = larger_of_linear(products, rows, d, run->hidden);
    products = larger_of_linear(products, rows, d, m->vocabulary);
    uint64_t attention = attn_attention_forward_scratch(&a, 0);
    if (keeps)
        attention = check_larger(attention, attn_attention_backward_scratch(&a));
    run->products = check_array(bytes, scratch, products / sizeof(float), 1);
    run->attention = check_array(bytes, scratch, attention / sizeof(float) + 1, 1);
    run->sums = check_array(bytes, scratch, 1, check_larger(2 * (uint64_t)d, m->d_key));
}

/* Returns the bytes of all scratch; null gives the size alone. Sizes are checked before. */
static ATTN_SMALL uint64_t lay_out(working *w, const attn_language *m, const attn_text *text,
                                   int keeps, void *scratch) {
    const uint32_t rows = text->batch * text->n, d = m->d_model;
    uint64_t bytes = 0;
    *w = (working){.text = text, .keeps = keeps};
    w->run = (language_run){.model = m,
                            .batch = text->batch,
                            .n = text->n,
                            .rows = rows,
                            .width = m->heads * m->d_key,
                            .parts = language_parts(m),
                            .hidden = 4 * d};
    language_run *run = &w->run;
    lay_out_stages(run, keeps, &bytes, scratch);
    run->narrow = check_array(&bytes, scratch, rows, d);
    run->mixed = check_array(&bytes, scratch, rows, run->parts * (uint64_t)run->width);
    for (int i = 0; i < 4; i++)
        run->head[i] = check_array(&bytes, scratch, text->n, m->d_key);
    w->last = check_array(&bytes, scratch, rows, d);
    w->y = check_array(&bytes, scratch, rows, d);
    w->statistics = check_array(&bytes, scratch, rows, 2);
    if (keeps) {
        run->wide = check_array(&bytes, scratch, rows, run->hidden);
        run->d_heads = check_array(&bytes, scratch, rows, run->width);
        w->logits = check_array(&bytes, scratch, rows, m->vocabulary);
        w->d_x = check_array(&bytes, scratch, rows, d);
    }
    language_kept first;
    w->layers = check_array(&bytes, scratch, 0, 0);
    w->layer_bytes = lay_out_layer(&first, run, keeps, NULL);
    return bytes + check_product(w->layer_bytes, keeps ? m->layers : 1);
}

/* Returns what layer l keeps. */
static ATTN_SMALL language_kept kept_of(const working *w, uint32_t l) {
    language_kept kept;
    const size_t place = w->keeps ? (size_t)(l * w->layer_bytes) : 0;
    lay_out_layer(&kept, &w->run, w->keeps, (char *)w->layers + place);
    return kept;
}

/* ---- checks ------------------------------------------------------------------------------ */

/* Returns the number of parameters; CHECK_LIMIT or more where there are too many. */
static ATTN_SMALL uint64_t count_of(const attn_language *m) {
    const uint64_t d = m->d_model, width = check_product(m->heads, m->d_key);
    const uint64_t square = check_product(check_product(d, 8), d);
    const uint64_t gains = m->query_key_norm ? 2 * (uint64_t)m->d_key : 0;
    const uint64_t scales = m->learned_scale ? m->heads : 0;
    const uint64_t layer = check_product(check_product(width, language_parts(m) + 1), d) + square +
                           9 * d + gains + scales;
    return check_product((uint64_t)m->vocabulary + m->context, d) +
           check_product(m->layers, layer) + 2 * d;
}

ATTN_SMALL uint32_t attn_language_count(const attn_language *m) {
    const uint64_t count = count_of(m);
    return count <= ATTN_TOO_LARGE / sizeof(float) ? (uint32_t)count : ATTN_TOO_LARGE;
}

static ATTN_SMALL uint32_t scratch_of(const attn_language *m, const attn_text *text, int keeps) {
    working w;
    const uint64_t rows = (uint64_t)text->batch * text->n;
    if (attn_language_count(m) == ATTN_TOO_LARGE || !check_fits(rows, m->d_model))
        return ATTN_TOO_LARGE;
    return check_scratch(lay_out(&w, m, text, keeps, NULL));
}

ATTN_SMALL uint32_t attn_language_forward_scratch(const attn_language *m, const attn_text *text) {
    return scratch_of(m, text, 0);
}

ATTN_SMALL uint32_t attn_language_step_scratch(const attn_language *m, const attn_text *text) {
    return scratch_of(m, text, 1);
}

/* Returns whether all tokens, and targets if any, are in the vocabulary. */
static ATTN_SMALL int is_known(const attn_language *m, const attn_text *text) {
    for (size_t i = 0; i < (size_t)text->batch * text->n; i++) {
        const int32_t target = text->targets == NULL ? -1 : text->targets[i];
        if (text->tokens[i] >= m->vocabulary || target < -1 ||
            (target >= 0 && (uint32_t)target >= m->vocabulary))
            return 0;
    }
    return 1;
}

/* Returns the first error of a call, or ATTN_OK; lays out scratch. */
static ATTN_SMALL attn_status begin(working *w, const attn_language *m, const attn_text *text,
                                    int keeps, void *scratch) {
    if (m->vocabulary == 0 || m->context == 0 || m->d_model == 0 || m->layers == 0 ||
        m->heads == 0 || m->d_key == 0)
        return ATTN_ERROR_SHAPE;
    if (scratch_of(m, text, keeps) == ATTN_TOO_LARGE)
        return ATTN_ERROR_CAPACITY;
    if (text->n > m->context || (keeps && text->targets == NULL) || !is_known(m, text))
        return ATTN_ERROR_OPTION;
    lay_out(w, m, text, keeps, scratch);
    return ATTN_OK;
}

/* ---- forward ----------------------------------------------------------------------------- */

/* Returns where the parameters of layer l begin; those of the last norm for l = layers. */
static ATTN_SMALL size_t layer_place(const attn_language *m, uint32_t l) {
    const size_t embeddings = ((size_t)m->vocabulary + m->context) * m->d_model;
    return embeddings + l * language_layer_places(m).end;
}

ATTN_SMALL void attn_language_scales(const attn_language *m, const float *parameters,
                                     float *scales) {
    for (uint32_t l = 0; l < m->layers; l++)
        for (uint32_t h = 0; h < m->heads; h++)
            *scales++ = language_layer_scale(m, parameters + layer_place(m, l), h);
}

/* Returns where layer l reads the residual stream. */
static ATTN_SMALL float *stream(const working *w, uint32_t l) {
    return l == w->run.model->layers ? w->last : kept_of(w, l).x;
}

static ATTN_SMALL void embed(const working *w, const float *parameters) {
    const attn_language *m = w->run.model;
    const float *position = parameters + (size_t)m->vocabulary * m->d_model;
    attn_embedding_forward(parameters, position, w->text->tokens, w->run.batch, w->run.n,
                           m->d_model, stream(w, 0));
}

static ATTN_SMALL void multiply_tokens(const working *w, const float *parameters, float *logits) {
    const attn_language *m = w->run.model;
    const float *norm = parameters + layer_place(m, m->layers);
    attn_layer_norm_forward(w->last, norm, norm + m->d_model, w->run.rows, m->d_model, w->y,
                            w->statistics);
    attn_linear_forward(w->y, parameters, NULL, w->run.rows, m->d_model, m->vocabulary, logits,
                        w->run.products);
}

ATTN_SMALL attn_status attn_language_forward(const attn_language *m, const float *parameters,
                                             const attn_text *text, float *logits, float *query,
                                             float *key, float *value, void *scratch) {
    working w;
    const attn_status status = begin(&w, m, text, 0, scratch);
    if (status != ATTN_OK)
        return status;
    embed(&w, parameters);
    for (uint32_t l = 0; l < m->layers; l++) {
        const size_t place = (size_t)l * w.run.rows * w.run.width;
        language_kept kept = kept_of(&w, l);
        if (query != NULL) {
            kept.query = query + place;
            kept.key = key + place;
            kept.value = value + place;
        }
        language_layer_forward(&w.run, &kept, parameters + layer_place(m, l), stream(&w, l + 1));
    }
    if (logits != NULL)
        multiply_tokens(&w, parameters, logits);
    return ATTN_OK;
}

/* ---- training ---------------------------------------------------------------------------- */

/* Computes the loss, and leaves in w->logits its gradient. */
static ATTN_SMALL void differentiate_loss(const working *w, double *loss) {
    const uint32_t rows = w->run.rows, vocabulary = w->run.model->vocabulary;
    const int32_t *targets = w->text->targets;
    attn_cross_entropy_forward(w->logits, targets, rows, vocabulary, w->logits, loss);
    attn_cross_entropy_backward(w->logits, targets, rows, vocabulary, w->logits);
}

/* Undoes multiply_tokens: w->d_x and the gradients of the last norm and of tokens are written. */
static ATTN_SMALL void multiply_tokens_backward(const working *w, const float *parameters,
                                                float *gradients) {
    const attn_language *m = w->run.model;
    const size_t norm = layer_place(m, m->layers), d = m->d_model;
    attn_linear_backward(w->y, parameters, w->logits, w->run.rows, m->d_model, m->vocabulary,
                         w->run.narrow, gradients, NULL, w->run.products);
    memset(w->d_x, 0, w->run.rows * d * sizeof(float));
    attn_layer_norm_backward(w->last, parameters + norm, w->statistics, w->run.narrow, w->run.rows,
                             m->d_model, w->d_x, gradients + norm, gradients + norm + d,
                             w->run.sums);
}

static ATTN_SMALL void embed_backward(const working *w, float *gradients) {
    const attn_language *m = w->run.model;
    float *position = gradients + (size_t)m->vocabulary * m->d_model;
    memset(position, 0, (size_t)m->context * m->d_model * sizeof(float));
    attn_embedding_backward(w->text->tokens, w->d_x, w->run.batch, w->run.n, m->d_model, gradients,
                            position);
}

ATTN_SMALL attn_status attn_language_gradient(const attn_language *m, const float *parameters,
                                              const attn_text *text, float *gradients, double *loss,
                                              void *scratch) {
    working w;
    const attn_status status = begin(&w, m, text, 1, scratch);
    if (status != ATTN_OK)
        return status;
    embed(&w, parameters);
    for (uint32_t l = 0; l < m->layers; l++) {
        const language_kept kept = kept_of(&w, l);
        language_layer_forward(&w.run, &kept, parameters + layer_place(m, l), stream(&w, l + 1));
    }
    multiply_tokens(&w, parameters, w.logits);
    differentiate_loss(&w, loss);
    multiply_tokens_backward(&w, parameters, gradients);
    for (uint32_t l = m->layers; l-- > 0;) {
        const language_kept kept = kept_of(&w, l);
        const size_t place = layer_place(m, l);
        language_layer_backward(&w.run, &kept, parameters + place, w.d_x, gradients + place);
    }
    embed_backward(&w, gradients);
    return ATTN_OK;
}

ATTN_SMALL void attn_language_update(const attn_language *m, const attn_adamw *o,
                                     const attn_training *t, double loss, double *norm) {
    const uint32_t count = attn_language_count(m);
    attn_gradient_norm(t->gradients, count, norm);
    if (loss + *norm < (double)INFINITY)
        attn_adamw_step(o, t->gradients, *norm, count, t->parameters, t->first, t->second);
}

ATTN_SMALL attn_status attn_language_step(const attn_language *m, const attn_adamw *o,
                                          const attn_training *t, const attn_text *text,
                                          double *results, void *scratch) {
    const attn_status status =
        attn_language_gradient(m, t->parameters, text, t->gradients, results, scratch);
    if (status == ATTN_OK)
        attn_language_update(m, o, t, results[0], results + 1);
    return status;
}
