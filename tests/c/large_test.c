/* large_test.c: shapes of hundreds and thousands, too large for oracles and fuzzers. Calls must
 * stay within their guarded memory and write every result. */
#include "harness.h"

#include "additive_problem.h"
#include "attn.h"

#ifdef HARNESS_READS_AS_NAN
enum { SHAPES = 150 };
#else
enum { SHAPES = 15 }; /* under tools that are many times slower */
#endif
enum { WORK = 20000000 }; /* the most products of a query and a key */

static uint32_t drawn(uint64_t *state, const uint32_t *from, uint32_t count) {
    return from[next_random(state) % count];
}

/* Sizes on both sides of the borders of tiles, blocks and chunks. */
static attn_additive drawn_problem(uint64_t *state) {
    static const uint32_t queries[] = {1, 33, 57, 113, 130, 500, 1030, 2100};
    static const uint32_t keys[] = {33, 130, 500, 1030, 2100, 2735, 4099, 5500};
    static const uint32_t columns[] = {1, 2, 4, 9, 16, 17, 64, 72, 130};
    uint32_t n_q, n_k, d_q, d_k, d_v, d_hidden;
    do {
        n_q = drawn(state, queries, 8), n_k = drawn(state, keys, 8);
        d_q = drawn(state, columns, 9), d_k = drawn(state, columns, 9);
        d_v = drawn(state, columns, 9), d_hidden = drawn(state, columns, 9);
    } while ((uint64_t)n_q * n_k * (d_k + d_v + d_hidden) > WORK);
    attn_additive a = problem(n_q, n_k, d_q, d_k, d_v, d_hidden, 1);
    const uint32_t options = drawn(state, (const uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8);
    a.window = causal_window((causality)(options % 3), n_q, n_k);
    a.mask = options / 3 == 1 ? some_mask(n_q, n_k) : NULL;
    if (options == 6)
        a.window = (attn_window){(int32_t)n_k / 2, 70, 30, n_k - n_k / 5};
    if (options == 7)
        a.sink = 1;
    return a;
}

static attn_attention dot_product(const attn_additive *a, const float *query) {
    attn_attention head = oracle_additive_head(a);
    head.query = query, head.key = a->key;
    head.d_k = a->d_k, head.n_all = a->n_q;
    head.scale = 0.1f, head.softcap = a->sink > 0 ? 3.0f : 0.0f;
    return head;
}

static void expect_written(const char *name, const float *x, size_t count, const attn_additive *a) {
    size_t unwritten = 0; /* guarded memory reads as NaN */
    for (size_t i = 0; i < count; i++)
        unwritten += x[i] != x[i];
    if (unwritten > 0)
        check_failed(__FILE__, __LINE__, "%zu of %zu of %s not written: %u x %u, d_v %u, right %d",
                     unwritten, count, name, a->n_q, a->n_k, a->d_v, a->window.right);
}

static float *zeros(size_t count) {
    return memset(guarded_floats(count), 0, count * sizeof(float));
}

TEST("dot-product attention and its gradient stay within their memory") {
    uint64_t state = 1;
    for (int i = 0; i < SHAPES; i++) {
        const attn_additive a = drawn_problem(&state);
        const size_t outputs = (size_t)a.n_q * a.d_v, queries = (size_t)a.n_q * a.d_k;
        const float *query = guarded_normals(queries, 1, 1);
        float *output = guarded_floats(outputs), *lse = guarded_floats(a.n_q);
        float *d_query = guarded_floats(queries);
        float *d_key = zeros((size_t)a.n_k * a.d_k), *d_value = zeros((size_t)a.n_k * a.d_v);
        const size_t pairs = (size_t)a.n_q * a.n_k;
        float *weights = i % 5 == 0 ? guarded_floats(pairs) : NULL;
        double sums[2] = {0, 0};
        const attn_attention call = dot_product(&a, query);
        const attn_attention_results results = {.output = output, .lse = lse, .weights = weights};
        void *scratch = guarded_bytes(attn_attention_forward_scratch(&call, weights != NULL), 64);
        CHECK(attn_attention_forward(&call, &results, scratch) == ATTN_OK);
        expect_written("output", output, outputs, &a);
        expect_written("lse", lse, a.n_q, &a);
        expect_written("weights", weights, weights != NULL ? pairs : 0, &a);
        const attn_attention_gradient gradient = {d_query, d_key, d_value, sums, sums + 1};
        scratch = guarded_bytes(attn_attention_backward_scratch(&call), 64);
        CHECK(attn_attention_backward(&call, output, &gradient, scratch) == ATTN_OK);
        expect_written("d_query", d_query, queries, &a);
        release_guarded();
    }
}

TEST("additive attention and its gradient stay within their memory") {
    uint64_t state = 2;
    for (int i = 0; i < SHAPES; i++) {
        const attn_additive a = drawn_problem(&state);
        const size_t outputs = (size_t)a.n_q * a.d_v, queries = (size_t)a.n_q * a.d_q;
        float *output = guarded_floats(outputs), *lse = guarded_floats(a.n_q);
        void *scratch = guarded_bytes(attn_additive_forward_scratch(&a), 64);
        CHECK(attn_additive_forward(&a, output, lse, NULL, NULL, scratch) == ATTN_OK);
        expect_written("output", output, outputs, &a);
        expect_written("lse", lse, a.n_q, &a);
        const size_t keys = (size_t)a.n_k * a.d_k, values = (size_t)a.n_k * a.d_v;
        const attn_additive_gradient gradient = {guarded_floats(queries),
                                                 guarded_floats(keys),
                                                 guarded_floats(values),
                                                 zeros((size_t)a.d_hidden * a.d_q),
                                                 zeros((size_t)a.d_hidden * a.d_k),
                                                 zeros(a.d_hidden),
                                                 zeros(a.d_hidden),
                                                 NULL};
        scratch = guarded_bytes(attn_additive_backward_scratch(&a), 64);
        CHECK(attn_additive_backward(&a, output, &gradient, scratch) == ATTN_OK);
        expect_written("query", gradient.query, queries, &a);
        expect_written("key", gradient.key, keys, &a);
        expect_written("value", gradient.value, values, &a);
        release_guarded();
    }
}

TEST_MAIN
