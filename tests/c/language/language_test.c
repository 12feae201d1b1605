/* The language model: logits, loss, gradients, training, and the calls that it refuses. */
#include "harness.h"
#include "oracle_language.h"

typedef struct {
    attn_language model;
    uint32_t batch, n;
} problem;

static const problem problems[] = {
    {{7, 5, 4, 2, 2, 3, 0.6f, 0, 0, 0}, 2, 4},   {{9, 6, 6, 1, 1, 10, 1, 0, 0, 0}, 2, 5},
    {{12, 5, 8, 3, 2, 4, 0.25f, 0, 0, 0}, 1, 5}, {{3, 1, 1, 1, 1, 1, 1, 0, 0, 0}, 3, 1},
    {{5, 9, 3, 2, 3, 1, 1, 0, 0, 0}, 2, 9},      {{17, 20, 5, 2, 1, 5, 0.4f, 0, 0, 0}, 3, 19},
    {{12, 5, 4, 2, 2, 3, 0.6f, 1, 0, 0}, 2, 5},  {{8, 7, 6, 1, 3, 5, 0.4f, 1, 0, 0}, 2, 7},
    {{9, 6, 5, 2, 2, 7, 1, 0, 1, 0}, 2, 6},      {{8, 7, 6, 2, 3, 4, 1, 0, 0, 1}, 2, 7},
    {{7, 9, 2, 1, 2, 9, 0.3f, 1, 1, 1}, 2, 8},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static attn_text text_of(const problem *p, uint64_t seed) {
    const size_t count = (size_t)p->batch * p->n;
    uint32_t *tokens = guarded_bytes(count * sizeof *tokens, sizeof *tokens);
    int32_t *targets = guarded_bytes(count * sizeof *targets, sizeof *targets);
    for (size_t i = 0; i < count; i++) {
        tokens[i] = (uint32_t)(next_random(&seed) % p->model.vocabulary);
        targets[i] = (int32_t)(next_random(&seed) % (p->model.vocabulary + 1)) - 1;
    }
    targets[0] = 0;
    return (attn_text){tokens, targets, p->batch, p->n};
}

static void *forward_scratch(const problem *p, const attn_text *t) {
    return guarded_bytes(attn_language_forward_scratch(&p->model, t), 16);
}

static void *step_scratch(const problem *p, const attn_text *t) {
    return guarded_bytes(attn_language_step_scratch(&p->model, t), 16);
}

TEST("logits are those of float64") {
    for (size_t k = 0; k < PROBLEMS; k++) {
        const problem *p = problems + k;
        const attn_text t = text_of(p, k);
        const size_t count = attn_language_count(&p->model);
        const size_t results = (size_t)p->batch * p->n * p->model.vocabulary;
        float *parameters = guarded_normals(count, k, 0.4), *logits = guarded_floats(results);
        double *wide = doubles(count), *expected = doubles(results);
        for (size_t i = 0; i < count; i++)
            wide[i] = (double)parameters[i];
        oracle_language(&p->model, wide, &t, expected);
        CHECK(attn_language_forward(&p->model, parameters, &t, logits, NULL, NULL, NULL,
                                    forward_scratch(p, &t)) == ATTN_OK);
        CHECK_ALL_CLOSE(logits, expected, results, p->model.d_model == 1 ? 1e-3 : 1e-5);
        free(wide), free(expected);
    }
}

TEST("the loss and its gradient are those of differences in float64") {
    for (size_t k = 0; k < PROBLEMS; k++) {
        const problem *p = problems + k;
        const attn_text t = text_of(p, k);
        const uint32_t count = attn_language_count(&p->model);
        float *parameters = guarded_normals(count, k, 0.4), *gradients = guarded_floats(count);
        double *expected = doubles(count), *wide = doubles(count), loss;
        for (size_t i = 0; i < count; i++)
            wide[i] = (double)parameters[i];
        CHECK(attn_language_gradient(&p->model, parameters, &t, gradients, &loss,
                                     step_scratch(p, &t)) == ATTN_OK);
        oracle_language_gradient(&p->model, parameters, &t, count, expected);
        CHECK_CLOSE(loss, oracle_language(&p->model, wide, &t, NULL), 2e-6);
        /* With a d_model of 1 a norm divides 0 by the root of 1e-5, and its gradient is 0. */
        CHECK_ALL_CLOSE(gradients, expected, count, p->model.d_model == 1 ? 1e-3 : 4e-6);
        free(expected), free(wide);
    }
}

TEST("queries, keys and values give the weights that a layer attends with") {
    const problem *p = problems;
    const attn_language *m = &p->model;
    const attn_text t = text_of(p, 1);
    const uint32_t count = attn_language_count(m), rows = p->batch * p->n;
    const size_t size = (size_t)m->layers * rows * m->heads * m->d_key;
    float *parameters = guarded_normals(count, 1, 0.4), *logits = guarded_floats(rows * 7);
    float *alone = guarded_floats(rows * 7), *parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = guarded_floats(size);
    void *scratch = forward_scratch(p, &t);
    attn_language_forward(m, parameters, &t, logits, parts[0], parts[1], parts[2], scratch);
    attn_language_forward(m, parameters, &t, alone, NULL, NULL, NULL, scratch);
    CHECK_SAME_FLOATS(logits, alone, rows * 7);
    /* The first query of the last head of the second text, from its definition. */
    double x[4], y[4], sum = 0;
    const float *norm = parameters + (7 + 5) * 4, *weight = norm + 8 + (size_t)3 * 4;
    double norms[4], biases[4];
    for (size_t j = 0; j < 4; j++) {
        x[j] = (double)parameters[t.tokens[4] * 4 + j] + (double)parameters[7 * 4 + j];
        norms[j] = (double)norm[j], biases[j] = (double)norm[4 + j];
    }
    oracle_layer_norm(x, norms, biases, 4, y);
    for (size_t j = 0; j < 4; j++)
        sum += (double)weight[j] * y[j];
    CHECK_CLOSE(parts[0][((size_t)1 * 2 + 1) * 4 * 3], sum, 1e-6);
    attn_language_forward(m, parameters, &t, NULL, parts[0], parts[1], parts[2], scratch);
}

TEST("scales are those of the model, or each head's own, e to its logarithm") {
    attn_language m = problems[0].model;
    for (m.learned_scale = 0; m.learned_scale < 2; m.learned_scale++) {
        float *parameters = guarded_normals(attn_language_count(&m), 1, 0.4);
        float *scales = guarded_floats(4);
        attn_language_scales(&m, parameters, scales);
        /* Before a layer's log_scale: embeddings, norm1, queries, keys and values. */
        const size_t layer = (attn_language_count(&m) - (7 + 5 + 2) * 4) / 2;
        for (size_t i = 0; i < 4; i++) {
            const size_t place = (7 + 5) * 4 + i / 2 * layer + (size_t)2 * 4 + 3 * 6 * 4 + i % 2;
            CHECK_CLOSE(scales[i], m.learned_scale ? exp((double)parameters[place]) : (double)0.6f,
                        2e-7);
        }
    }
}

TEST("a later token changes nothing before it") {
    const problem *p = problems + 5;
    const attn_text t = text_of(p, 1);
    const uint32_t count = attn_language_count(&p->model), last = p->n - 1;
    const size_t results = (size_t)p->batch * p->n * p->model.vocabulary;
    float *parameters = guarded_normals(count, 1, 0.4), *logits = guarded_floats(results);
    float *others = guarded_floats(results);
    void *scratch = forward_scratch(p, &t);
    attn_language_forward(&p->model, parameters, &t, logits, NULL, NULL, NULL, scratch);
    uint32_t tokens[57];
    memcpy(tokens, t.tokens, sizeof tokens);
    tokens[last] = (tokens[last] + 1) % p->model.vocabulary;
    const attn_text changed = {tokens, NULL, t.batch, t.n};
    attn_language_forward(&p->model, parameters, &changed, others, NULL, NULL, NULL, scratch);
    CHECK_SAME_FLOATS(others, logits, last * p->model.vocabulary);
    CHECK(memcmp(others, logits, (last + 1) * p->model.vocabulary * sizeof *logits) != 0);
}

/* The memory of a training. */
static attn_training training_of(uint32_t count) {
    return (attn_training){guarded_normals(count, 1, 0.3), guarded_floats(count),
                           guarded_equal(count, 0), guarded_equal(count, 0)};
}

TEST("a step is the gradient and AdamW, at once or in halves, and a training of 100 steps learns "
     "its text") {
    const problem *p = problems + 2;
    const attn_text t = text_of(p, 1);
    const uint32_t count = attn_language_count(&p->model);
    const attn_training a = training_of(count), b = training_of(count), c = training_of(count);
    attn_adamw o = {0.02f, 0.9f, 0.99f, 1e-8f, 0.01f, 1, 0};
    void *scratch = step_scratch(p, &t);
    double results[2], loss, norm, first = 0;
    for (o.step = 1; o.step <= 100; o.step++) {
        CHECK(attn_language_step(&p->model, &o, &a, &t, results, scratch) == ATTN_OK);
        attn_language_gradient(&p->model, b.parameters, &t, b.gradients, &loss, scratch);
        attn_gradient_norm(b.gradients, count, &norm);
        attn_adamw_step(&o, b.gradients, norm, count, b.parameters, b.first, b.second);
        CHECK(results[0] == loss && results[1] == norm);
        memcpy(c.gradients, b.gradients, count * sizeof *c.gradients);
        attn_language_update(&p->model, &o, &c, loss, &norm);
        CHECK(results[1] == norm);
        first = o.step == 1 ? loss : first;
    }
    CHECK_SAME_FLOATS(a.parameters, b.parameters, count);
    CHECK_SAME_FLOATS(a.parameters, c.parameters, count);
    CHECK(results[0] < first / 20);
}

TEST("a loss that is no number leaves the parameters and moments as they were") {
    const problem *p = problems;
    const attn_text t = text_of(p, 1);
    const uint32_t count = attn_language_count(&p->model);
    const attn_training a = training_of(count);
    const attn_adamw o = {0.02f, 0.9f, 0.99f, 1e-8f, 0.01f, 1, 1};
    float *before = guarded_floats(count);
    double results[2];
    a.parameters[t.tokens[0] * p->model.d_model] = NAN;
    memcpy(before, a.parameters, count * sizeof *before);
    CHECK(attn_language_step(&p->model, &o, &a, &t, results, step_scratch(p, &t)) == ATTN_OK);
    CHECK(isnan(results[0]));
    CHECK_SAME_FLOATS(a.parameters, before, count);
    for (uint32_t i = 0; i < count; i++)
        CHECK(a.first[i] == 0 && a.second[i] == 0);
}

TEST("no text has no loss, and zeros as gradients") {
    const attn_language m = problems[0].model;
    const uint32_t tokens[1] = {0}, count = attn_language_count(&m);
    const int32_t targets[1] = {0};
    for (uint32_t batch = 0; batch < 2; batch++) {
        const attn_text t = {tokens, targets, batch, 1 - batch};
        float *parameters = guarded_normals(count, 1, 1), *gradients = guarded_floats(count);
        double loss;
        void *scratch = guarded_bytes(attn_language_step_scratch(&m, &t), 16);
        CHECK(attn_language_gradient(&m, parameters, &t, gradients, &loss, scratch) == ATTN_OK);
        CHECK(loss == 0);
        for (uint32_t i = 0; i < count; i++)
            CHECK(gradients[i] == 0);
    }
}

TEST("impossible calls are refused, and nothing is written") {
    const attn_language m = problems[0].model;
    const uint32_t good[4] = {0, 1, 2, 6}, bad[4] = {0, 1, 2, 7};
    const int32_t targets[4] = {-1, 6, 0, 1}, beyond[4] = {-1, 7, 0, 1}, below[4] = {-2, 6, 0, 1};
    const attn_text t = {good, targets, 1, 4}, no_targets = {good, NULL, 1, 4};
    const attn_text texts[4] = {
        {bad, targets, 1, 4}, {good, beyond, 1, 4}, {good, below, 1, 4}, {good, targets, 1, 6}};
    float p[1] = {0}, written[1] = {5};
    double loss = 5;
    for (int i = 0; i < 4; i++)
        CHECK(attn_language_gradient(&m, p, texts + i, written, &loss, p) == ATTN_ERROR_OPTION);
    CHECK(attn_language_gradient(&m, p, &no_targets, written, &loss, p) == ATTN_ERROR_OPTION);
    for (int i = 0; i < 6; i++) {
        attn_language empty = m;
        uint32_t *const sizes[6] = {&empty.vocabulary, &empty.context, &empty.d_model,
                                    &empty.layers,     &empty.heads,   &empty.d_key};
        *sizes[i] = 0;
        CHECK(attn_language_gradient(&empty, p, &t, written, &loss, p) == ATTN_ERROR_SHAPE);
        CHECK(attn_language_forward(&empty, p, &t, written, NULL, NULL, NULL, p) ==
              ATTN_ERROR_SHAPE);
        *sizes[i] = UINT32_MAX;
        if (i == 1) /* the context alone takes 2^36 bytes */
            CHECK(attn_language_count(&empty) == ATTN_TOO_LARGE);
        CHECK(attn_language_step_scratch(&empty, &t) == ATTN_TOO_LARGE);
        CHECK(attn_language_gradient(&empty, p, &t, written, &loss, p) == ATTN_ERROR_CAPACITY);
    }
    const attn_text long_text = {good, targets, UINT32_MAX, 4};
    CHECK(attn_language_forward_scratch(&m, &long_text) == ATTN_TOO_LARGE);
    CHECK(attn_language_forward(&m, p, &long_text, written, NULL, NULL, NULL, p) ==
          ATTN_ERROR_CAPACITY);
    CHECK(written[0] == 5 && loss == 5);
}

TEST_MAIN
