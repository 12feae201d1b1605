/*
 * identity.c: one hash per group of functions over hundreds of shapes, to hold all
 * builds of the library to the same bits.
 *
 * Shapes and inputs follow from the number of the shape alone. Every float of every
 * result enters the hash (FNV-1a, 64 bits, by bytes, lowest first); NaN enters as
 * 0x7fc00000, because payloads are not promised. No libc, so the file compiles for
 * every target, with the sources of the library, c/[a-z]*.c c/language/[a-z]*.c:
 *
 *   cc -DIDENTITY_MAIN -Ic tests/c/identity.c SOURCES -lm   prints `group hash` lines
 *   emcc -Ic tests/c/identity.c SOURCES -sEXPORTED_FUNCTIONS=_identity_hash,...
 *
 * and wasm2js of the latter without -msimd128. See identity_hash for how to call it.
 */
#include "language/identity_language.h"

/* Writes the hash of `group` over shapes 0 ... shapes - 1 to hash[0] (low) and
 * hash[1] (high). memory: 16-byte aligned, IDENTITY_BYTES suffice. Returns 1, or 0
 * if there is no such group, memory is short or a function refused its input. */
uint32_t identity_hash(uint32_t group, uint32_t shapes, uint32_t hash[2], void *memory,
                       uint32_t bytes);

/* The number of groups, 0 ... identity_groups() - 1. */
uint32_t identity_groups(void);

enum { IDENTITY_BYTES = 1 << 22 };

/* ---- groups ---------------------------------------------------------------------- */

static void hash_softmax(state *s) {
    const uint32_t rows = size(s, 0, 5), columns = dimension(s);
    const size_t count = (size_t)rows * columns;
    const float *x = inputs(s, count);
    float *weights = allocate_floats(s, count), *logs = allocate_floats(s, count);
    float *lse = allocate_floats(s, rows);
    if (s->failed)
        return;
    expect(s, attn_softmax_forward(x, rows, columns, temperature(s), weights) == ATTN_OK);
    expect(s, attn_log_softmax_forward(x, rows, columns, temperature(s), logs) == ATTN_OK);
    expect(s, attn_log_sum_exp_forward(x, rows, columns, temperature(s), lse) == ATTN_OK);
    add_floats(s, weights, count);
    add_floats(s, logs, count);
    add_floats(s, lse, rows);
}

static void hash_softmax_gradient(state *s) {
    const uint32_t rows = size(s, 0, 3), columns = size(s, 1, 40);
    const size_t count = (size_t)rows * columns;
    float *weights = inputs(s, count), *d_x = allocate_floats(s, count);
    float *jacobian = allocate_floats(s, count * columns);
    const float *d_weights = normals(s, count, 1.0f);
    if (s->failed)
        return;
    expect(s, attn_softmax_forward(weights, rows, columns, 1.0f, weights) == ATTN_OK);
    expect(s, attn_softmax_backward(weights, d_weights, rows, columns, temperature(s), d_x) ==
                  ATTN_OK);
    expect(s, attn_softmax_jacobian(weights, rows, columns, temperature(s), jacobian) == ATTN_OK);
    add_floats(s, d_x, count);
    add_floats(s, jacobian, count * columns);
}

/* Causality, by the shape. */
static attn_window some_window(const state *s, uint32_t n_q, uint32_t n_k) {
    attn_window w = {0, -1, s->shape % 3 == 0 ? -1 : 0, n_k};
    if (s->shape % 3 == 2)
        w.offset = (int32_t)n_k - (int32_t)n_q;
    return w;
}

static attn_attention some_attention(const state *s, uint32_t n_q, uint32_t n_k, uint32_t d_k,
                                     uint32_t d_v) {
    return (attn_attention){.n_q = n_q,
                            .n_k = n_k,
                            .d_k = d_k,
                            .d_v = d_v,
                            .n_all = n_q,
                            .window = some_window(s, n_q, n_k),
                            .scale = 0.3f,
                            .sink = -INFINITY};
}

static void hash_attention(state *s) {
    const uint32_t n_q = dimension(s), n_k = dimension(s);
    const uint32_t d_k = dimension(s), d_v = size(s, 0, 40);
    const float *query = inputs(s, (size_t)n_q * d_k), *key = inputs(s, (size_t)n_k * d_k);
    const float *value = inputs(s, (size_t)n_k * d_v);
    const float *mask = some_mask(s, (size_t)n_q * n_k);
    float *output = allocate_floats(s, (size_t)n_q * d_v), *lse = allocate_floats(s, n_q);
    attn_attention a = some_attention(s, n_q, n_k, d_k, d_v);
    a.query = query, a.key = key, a.value = value, a.mask = mask;
    const attn_attention_results results = {.output = output, .lse = lse};
    void *scratch = allocate(s, attn_attention_forward_scratch(&a, 0));
    if (s->failed)
        return;
    expect(s, attn_attention_forward(&a, &results, scratch) == ATTN_OK);
    add_floats(s, output, (size_t)n_q * d_v);
    add_floats(s, lse, n_q);
}

static void hash_attention_weights(state *s) {
    const uint32_t n_q = dimension(s), n_k = dimension(s), d_k = dimension(s);
    const size_t pairs = (size_t)n_q * n_k;
    const float *query = inputs(s, (size_t)n_q * d_k), *key = inputs(s, (size_t)n_k * d_k);
    const float *mask = some_mask(s, pairs);
    float *scores = allocate_floats(s, pairs), *weights = allocate_floats(s, pairs);
    attn_attention a = some_attention(s, n_q, n_k, d_k, 0);
    a.query = query, a.key = key, a.mask = mask;
    const attn_attention_results results = {.scores = scores, .weights = weights};
    void *scratch = allocate(s, attn_attention_forward_scratch(&a, 1));
    if (s->failed)
        return;
    expect(s, attn_attention_forward(&a, &results, scratch) == ATTN_OK);
    add_floats(s, scores, pairs);
    add_floats(s, weights, pairs);
}

static void hash_attention_gradient(state *s) {
    const uint32_t n_q = dimension(s), n_k = dimension(s);
    const uint32_t d_k = dimension(s), d_v = size(s, 0, 40);
    const size_t queries = (size_t)n_q * d_k, keys = (size_t)n_k * d_k, values = (size_t)n_k * d_v;
    const float *query = inputs(s, queries), *key = inputs(s, keys), *value = inputs(s, values);
    const float *d_output = normals(s, (size_t)n_q * d_v, 1.0f);
    const float *mask = some_mask(s, (size_t)n_q * n_k);
    float *d_query = allocate_floats(s, queries); /* d_key and d_value are added to */
    float *d_key = normals(s, keys, 1.0f), *d_value = normals(s, values, 1.0f);
    attn_attention a = some_attention(s, n_q, n_k, d_k, d_v);
    a.query = query, a.key = key, a.value = value, a.mask = mask;
    void *scratch = allocate(s, attn_attention_backward_scratch(&a));
    double d_scale = 0.5, d_sink = 0;
    const attn_attention_gradient gradient = {d_query, d_key, d_value, &d_scale, &d_sink};
    if (s->failed)
        return;
    expect(s, attn_attention_backward(&a, d_output, &gradient, scratch) == ATTN_OK);
    add_floats(s, d_query, queries);
    add_floats(s, d_key, keys);
    add_floats(s, d_value, values);
    add_doubles(s, &d_scale, 1);
    attn_unit_rows_backward(query, d_query, n_q, d_k, d_query);
    add_floats(s, d_query, queries);
}

typedef attn_status additive_form(const attn_additive *, float *, float *, float *, float *,
                                  void *);

static attn_additive some_additive(state *s) {
    attn_additive a = {.n_q = size(s, 1, 40),
                       .n_k = dimension(s),
                       .d_q = size(s, 1, 20),
                       .d_k = size(s, 1, 20),
                       .d_v = size(s, 0, 20),
                       .d_hidden = size(s, 1, 40)};
    const size_t pairs = (size_t)a.n_q * a.n_k;
    a.query = inputs(s, (size_t)a.n_q * a.d_q);
    a.key = inputs(s, (size_t)a.n_k * a.d_k);
    a.value = inputs(s, (size_t)a.n_k * a.d_v);
    a.query_weight = normals(s, (size_t)a.d_hidden * a.d_q, 0.5f);
    a.key_weight = normals(s, (size_t)a.d_hidden * a.d_k, 0.5f);
    a.score_weight = normals(s, a.d_hidden, 1.0f);
    a.bias = s->shape % 2 ? normals(s, a.d_hidden, 1.0f) : NULL;
    a.mask = some_mask(s, pairs);
    a.window = some_window(s, a.n_q, a.n_k);
    a.sink = -INFINITY;
    return a;
}

static void hash_additive_form(state *s, additive_form *forward) {
    const attn_additive a = some_additive(s);
    const size_t pairs = (size_t)a.n_q * a.n_k, outputs = (size_t)a.n_q * a.d_v;
    float *output = allocate_floats(s, outputs), *lse = allocate_floats(s, a.n_q);
    float *weights = allocate_floats(s, pairs), *scores = allocate_floats(s, pairs);
    void *scratch = allocate(s, attn_additive_forward_scratch(&a));
    if (s->failed)
        return;
    expect(s, forward(&a, output, lse, weights, scores, scratch) == ATTN_OK);
    add_floats(s, output, outputs);
    add_floats(s, lse, a.n_q);
    add_floats(s, weights, pairs);
    add_floats(s, scores, pairs);
}

static void hash_additive(state *s) { hash_additive_form(s, attn_additive_forward); }
static void hash_pairwise(state *s) { hash_additive_form(s, attn_additive_pairwise_forward); }

static void hash_additive_gradient(state *s) {
    const attn_additive a = some_additive(s);
    const size_t counts[7] = {(size_t)a.n_q * a.d_q,
                              (size_t)a.n_k * a.d_k,
                              (size_t)a.n_k * a.d_v,
                              (size_t)a.d_hidden * a.d_q,
                              (size_t)a.d_hidden * a.d_k,
                              a.d_hidden,
                              a.d_hidden};
    const float *d_output = inputs(s, (size_t)a.n_q * a.d_v);
    float *d[7]; /* the last four are added to */
    for (int k = 0; k < 7; k++)
        d[k] = normals(s, counts[k], 1.0f);
    void *scratch = allocate(s, attn_additive_backward_scratch(&a));
    if (s->failed)
        return;
    const attn_additive_gradient gradient = {d[0], d[1], d[2], d[3], d[4], d[5], d[6], NULL};
    expect(s, attn_additive_backward(&a, d_output, &gradient, scratch) == ATTN_OK);
    for (int k = 0; k < 7; k++)
        add_floats(s, d[k], counts[k]);
}

static void hash_random(state *s) {
    const uint32_t count = dimension(s);
    float *x = allocate_floats(s, count);
    if (s->failed)
        return;
    attn_random_normal(s->shape, 2, 3, 4, count, 0.25f, 3.0f, x);
    add_floats(s, x, count);
    attn_random_uniform(s->shape, 2, 3, 4, count, -1.0f, 3.0f, x);
    add_floats(s, x, count);
}

static void hash_stats(state *s) {
    const uint32_t rows = size(s, 0, 5), columns = dimension(s);
    const size_t count = (size_t)rows * columns;
    float *p = inputs(s, count), *entropy = allocate_floats(s, rows);
    double *squares = allocate(s, rows * sizeof(double));
    if (s->failed)
        return;
    attn_softmax_forward(p, rows, columns, 1.0f, p);
    attn_entropy_forward(p, rows, columns, entropy);
    attn_sum_of_squares(p, rows, columns, squares);
    add_floats(s, entropy, rows);
    add_doubles(s, squares, rows);
}

static void hash_rows(state *s) {
    const uint32_t rows = size(s, 0, 5), columns = dimension(s);
    const size_t count = (size_t)rows * columns;
    const float *x = inputs(s, count);
    float *result = allocate_floats(s, count);
    if (s->failed)
        return;
    attn_unit_rows_forward(x, rows, columns, result);
    add_floats(s, result, count);
    attn_round_float16(x, (uint32_t)count, result);
    add_floats(s, result, count);
    attn_round_bfloat16(x, (uint32_t)count, result);
    add_floats(s, result, count);
    attn_softmax_float16(x, rows, columns, s->shape % 2, result);
    add_floats(s, result, count);
}

static void hash_linear(state *s) {
    const uint32_t n = size(s, 0, 30), d_in = dimension(s), d_out = dimension(s);
    const size_t in = (size_t)n * d_in, out = (size_t)n * d_out, weights = (size_t)d_in * d_out;
    const float *x = inputs(s, in), *weight = normals(s, weights, 0.3f);
    const float *bias = normals(s, d_out, 1.0f), *d_y = normals(s, out, 1.0f);
    float *y = allocate_floats(s, out), *d_x = allocate_floats(s, in);
    float *d_weight = allocate_floats(s, weights), *d_bias = allocate_floats(s, d_out);
    void *scratch = allocate(s, attn_linear_scratch(n, d_in, d_out));
    if (s->failed)
        return;
    attn_linear_forward(x, weight, bias, n, d_in, d_out, y, scratch);
    attn_linear_backward(x, weight, d_y, n, d_in, d_out, d_x, d_weight, d_bias, scratch);
    add_floats(s, y, out);
    add_floats(s, d_x, in);
    add_floats(s, d_weight, weights);
    add_floats(s, d_bias, d_out);
}

/* Windows, padding, caps and sinks, forward and backward, with all results. */
static void hash_attention_options(state *s) {
    const uint32_t n_q = dimension(s), n_k = dimension(s), d_k = dimension(s), d_v = size(s, 0, 40);
    const size_t queries = (size_t)n_q * d_k, keys = (size_t)n_k * d_k, values = (size_t)n_k * d_v;
    const size_t pairs = (size_t)n_q * n_k, outputs = (size_t)n_q * d_v;
    attn_attention a = some_attention(s, n_q, n_k, d_k, d_v);
    a.window = (attn_window){(int32_t)size(s, 0, 40) - 20, (int32_t)size(s, 0, 40) - 1,
                             (int32_t)size(s, 0, 20) - 1, n_k - size(s, 0, n_k / 4)};
    a.softcap = s->shape % 2 ? 1.5f : 0;
    a.sink = s->shape % 5 ? 0.5f : -INFINITY;
    a.query = inputs(s, queries), a.key = inputs(s, keys), a.value = inputs(s, values);
    a.mask = some_mask(s, pairs);
    float *output = allocate_floats(s, outputs), *lse = allocate_floats(s, n_q), *matrices[5];
    for (int k = 0; k < 5; k++)
        matrices[k] = normals(s, pairs, 1.0f); /* the last, the mean, is added to */
    const attn_attention_results results = {output,      lse,         matrices[0], matrices[1],
                                            matrices[2], matrices[3], matrices[4], 0.25f};
    const float *d_output = normals(s, outputs, 1.0f);
    float *d_query = allocate_floats(s, queries), *d_key = normals(s, keys, 1.0f);
    float *d_value = normals(s, values, 1.0f);
    double d_scale = 0.5, d_sink = 0.25;
    const attn_attention_gradient gradient = {d_query, d_key, d_value, &d_scale, &d_sink};
    void *scratch = allocate(s, attn_attention_forward_scratch(&a, 1));
    void *other = allocate(s, attn_attention_backward_scratch(&a));
    if (s->failed)
        return;
    expect(s, attn_attention_forward(&a, &results, scratch) == ATTN_OK);
    expect(s, attn_attention_backward(&a, d_output, &gradient, other) == ATTN_OK);
    add_floats(s, output, outputs);
    add_floats(s, lse, n_q);
    for (int k = 0; k < 5; k++)
        add_floats(s, matrices[k], pairs);
    add_floats(s, d_query, queries);
    add_floats(s, d_key, keys);
    add_floats(s, d_value, values);
    add_doubles(s, &d_scale, 1);
    add_doubles(s, &d_sink, 1);
}

/* Statistics beside an output or not, a map, and moments of the scores. */
static void hash_attention_statistics(state *s) {
    const uint32_t n_q = dimension(s), n_k = dimension(s), d_k = dimension(s), d_v = size(s, 0, 20);
    const uint32_t columns = size(s, 1, n_k), rows = size(s, 1, n_q);
    attn_attention a = some_attention(s, n_q, n_k, d_k, d_v);
    a.softcap = s->shape % 2 ? 1.5f : 0;
    a.sink = s->shape % 5 ? -INFINITY : 0.5f;
    a.query = inputs(s, (size_t)n_q * d_k), a.key = inputs(s, (size_t)n_k * d_k);
    a.value = inputs(s, (size_t)n_k * d_v);
    a.mask = some_mask(s, (size_t)n_q * n_k);
    float *output = allocate_floats(s, (size_t)n_q * d_v), *of[11];
    double *cells = allocate(s, (size_t)rows * columns * sizeof *cells), moments[5];
    for (int k = 0; k < 11; k++)
        of[k] = allocate_floats(s, n_q);
    void *scratch = allocate(s, attn_attention_statistics_forward_scratch(&a, 0));
    void *other = allocate(s, attn_score_moments_scratch(d_k));
    if (s->failed)
        return;
    const attn_attention_results results = {.output = s->shape % 3 ? output : NULL};
    const attn_statistics statistics = {of[0], of[1], of[2], of[3], of[4], of[5],
                                        of[6], of[7], of[8], of[9], of[10]};
    const attn_attention_map map = {cells, rows, columns, 0, s->shape % 2};
    memset(cells, 0, (size_t)rows * columns * sizeof *cells);
    expect(s,
           attn_attention_statistics_forward(&a, &results, &statistics, &map, scratch) == ATTN_OK);
    expect(s, attn_score_moments(a.query, n_q, a.key, n_k, d_k, moments, other) == ATTN_OK);
    for (int k = 0; k < 11; k++)
        add_floats(s, of[k], n_q);
    add_doubles(s, cells, (size_t)rows * columns);
    add_doubles(s, moments, 5);
}

static void hash_rotary(state *s) {
    const uint32_t n = size(s, 0, 30), heads = size(s, 1, 4), d = 2 * size(s, 0, 40);
    const size_t count = (size_t)heads * n * d;
    const float *x = inputs(s, count);
    double *positions = allocate(s, n * sizeof *positions);
    float *turns = allocate_floats(s, (size_t)n * d), *y = allocate_floats(s, count);
    if (s->failed)
        return;
    for (uint32_t i = 0; i < n; i++)
        positions[i] = ((double)size(s, 0, 1u << 20) - 1000) * (s->shape % 3 ? 1 : 0.37);
    expect(s, attn_rotary_turns(positions, n, d, s->shape % 2 ? 10000 : 500, turns) == ATTN_OK);
    expect(s, attn_rotary_forward(x, turns, heads, n, d, (attn_pairing)(s->shape % 2),
                                  s->shape % 4 > 1, y) == ATTN_OK);
    add_floats(s, turns, (size_t)n * d);
    add_floats(s, y, count);
}

typedef struct {
    const char *name;
    void (*hash)(state *);
} hash_group;

static const hash_group groups[] = {
    {"softmax", hash_softmax},
    {"softmax_gradient", hash_softmax_gradient},
    {"attention", hash_attention},
    {"attention_weights", hash_attention_weights},
    {"additive", hash_additive},
    {"additive_pairwise", hash_pairwise},
    {"random", hash_random},
    {"stats", hash_stats},
    {"rows", hash_rows},
    {"linear", hash_linear},
    {"attention_gradient", hash_attention_gradient},
    {"additive_gradient", hash_additive_gradient},
    {"attention_options", hash_attention_options},
    {"rotary", hash_rotary},
    {"language_parts", hash_language_parts},
    {"language_ends", hash_language_ends},
    {"language", hash_language},
    {"attention_statistics", hash_attention_statistics},
};

uint32_t identity_groups(void) { return sizeof groups / sizeof *groups; }

uint32_t identity_hash(uint32_t group, uint32_t shapes, uint32_t hash[2], void *memory,
                       uint32_t bytes) {
    state s = {.hash = 0xcbf29ce484222325u};
    if (group >= identity_groups())
        return 0;
    for (s.shape = 0; s.shape < shapes && !s.failed; s.shape++) {
        s.next = memory;
        s.end = s.next + bytes;
        s.draws = 0;
        s.sizes = s.shape * 2654435761u + group;
        groups[group].hash(&s);
    }
    hash[0] = (uint32_t)s.hash;
    hash[1] = (uint32_t)(s.hash >> 32);
    return !s.failed;
}

#ifdef IDENTITY_MAIN
#include <stdio.h>
#include <stdlib.h>

/* `identity [shapes]`: one line per group, its name, hash and number of shapes. */
int main(int argc, char **argv) {
    const uint32_t shapes = argc > 1 ? (uint32_t)atoi(argv[1]) : 200;
    void *memory = malloc(IDENTITY_BYTES);
    for (uint32_t g = 0; g < identity_groups(); g++) {
        uint32_t hash[2];
        if (memory == NULL || !identity_hash(g, shapes, hash, memory, IDENTITY_BYTES))
            return 1;
        printf("%s %08x%08x %u\n", groups[g].name, hash[1], hash[0], shapes);
    }
    free(memory);
    return 0;
}
#endif
