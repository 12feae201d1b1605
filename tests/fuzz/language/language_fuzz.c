/*
 * language_fuzz.c: the language model with any small sizes, tokens and targets, against the oracle:
 * the loss, and the gradient along a random direction. Wild parameters must not trap, and a loss
 * that is no number must leave them alone.
 */
#include "../fuzz.h"
#include "language/oracle_language.h"

static attn_text fuzz_text(fuzz_input *input, const attn_language *m) {
    const uint32_t batch = fuzz_size(input, 0) % 4, n = fuzz_size(input, 0) % (m->context + 1);
    const uint32_t rows = batch * n;
    uint32_t *tokens = fuzz_keep(calloc(rows + 1, sizeof *tokens));
    int32_t *targets = fuzz_keep(calloc(rows + 1, sizeof *targets));
    for (uint32_t i = 0; i < rows; i++) {
        tokens[i] = fuzz_word(input) % m->vocabulary;
        targets[i] = (int32_t)(fuzz_word(input) % (m->vocabulary + 1)) - 1;
    }
    return (attn_text){tokens, targets, batch, n};
}

/* Parameters around 0, small enough for float32 to follow float64. */
static float *fuzz_parameters(fuzz_input *input, uint32_t count) {
    float *parameters = fuzz_floats(input, count);
    for (uint32_t i = 0; i < count; i++)
        parameters[i] *= input->wild ? 1 : 0.2F;
    return parameters;
}

/* Compares the loss, and gradients . direction with a difference along it. */
static void compare(fuzz_input *input, const attn_language *m, const attn_text *t, uint32_t count,
                    const float *parameters, const float *gradients, double loss) {
    const double step = 1e-6;
    double *sides[2] = {fuzz_doubles(count), fuzz_doubles(count)}, slope = 0, size = 0;
    double *wide = fuzz_doubles(count);
    for (uint32_t i = 0; i < count; i++) {
        const double direction = (double)fuzz_tame(input);
        wide[i] = (double)parameters[i];
        sides[0][i] = wide[i] - step * direction;
        sides[1][i] = wide[i] + step * direction;
        slope += (double)gradients[i] * direction;
        size += fabs((double)gradients[i] * direction);
    }
    const double expected =
        (oracle_language(m, sides[1], t, NULL) - oracle_language(m, sides[0], t, NULL)) /
        (2 * step);
    fuzz_close("loss", 0, loss, oracle_language(m, wide, t, NULL), 1e-3 * (1 + loss));
    fuzz_close("slope", 0, slope, expected, 2e-2 * (1 + size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint32_t sizes[6] = {1 + fuzz_size(&input, 0) % 20, 1 + fuzz_size(&input, 0) % 20,
                               2 + fuzz_size(&input, 0) % 9,  1 + fuzz_size(&input, 0) % 3,
                               1 + fuzz_size(&input, 0) % 3,  1 + fuzz_size(&input, 0) % 9};
    const float scale = (float)(fuzz_byte(&input) % 9) * 0.125F;
    const uint32_t variants = fuzz_byte(&input);
    const attn_language m = {sizes[0],          sizes[1],         sizes[2], sizes[3],
                             sizes[4],          sizes[5],         scale,    variants & 1,
                             variants >> 1 & 1, variants >> 2 & 1};
    const attn_text t = fuzz_text(&input, &m);
    const uint32_t count = attn_language_count(&m);
    float *parameters = fuzz_parameters(&input, count), *gradients = fuzz_memory(count);
    float *logits = fuzz_memory((size_t)t.batch * t.n * m.vocabulary);
    const attn_training training = {parameters, fuzz_memory(count), fuzz_zeros(count),
                                    fuzz_zeros(count)};
    const attn_adamw o = {0.01F, 0.9F, 0.99F, 1e-8F, 0.01F, 1, 1 + fuzz_byte(&input)};
    void *forward = fuzz_scratch(attn_language_forward_scratch(&m, &t));
    void *step = fuzz_scratch(attn_language_step_scratch(&m, &t));
    double loss, results[2];
    FUZZ_CHECK(attn_language_forward(&m, parameters, &t, logits, NULL, NULL, NULL, forward) ==
               ATTN_OK);
    FUZZ_CHECK(attn_language_gradient(&m, parameters, &t, gradients, &loss, step) == ATTN_OK);
    const uint32_t heads = m.layers * m.heads;
    float *scales = fuzz_memory(heads);
    attn_language_scales(&m, parameters, scales);
    for (uint32_t i = 0; i < heads; i++)
        FUZZ_CHECK(m.learned_scale ? scales[i] >= 0 || isnan(scales[i]) : scales[i] == m.scale);
    if (!input.wild)
        compare(&input, &m, &t, count, parameters, gradients, loss);
    float *before = fuzz_memory(count);
    memcpy(before, parameters, count * sizeof *before);
    FUZZ_CHECK(attn_language_step(&m, &o, &training, &t, results, step) == ATTN_OK);
    FUZZ_CHECK(results[0] == loss || (isnan(results[0]) && isnan(loss)));
    fuzz_same(training.gradients, gradients, count);
    if (!isfinite(results[0] + results[1]))
        fuzz_same(parameters, before, count);
    const attn_training halves = {before, gradients, fuzz_zeros(count), fuzz_zeros(count)};
    attn_language_update(&m, &o, &halves, loss, results);
    fuzz_same(before, parameters, count);
    return fuzz_end();
}
