/*
 * refusals_fuzz.c: every function that returns an attn_status, and every `..._scratch`, with sizes
 * anywhere in 32 bits, options and temperatures of any value. An impossible call is refused with a
 * status whose reason holds, and nothing is written.
 */
#include "attn.h"
#include "fuzz.h"
#include "language/language.h"

/* Why a call may be refused. */
typedef struct {
    int shape, option, capacity;
} reasons;

static int is_too_large(uint64_t rows, uint64_t columns) {
    return (long double)rows * (long double)columns * 4 > 0x1p32L;
}

static _Alignas(16) float written[16]; /* must not be written to; holds 5 */

static void fill_written(void) {
    for (int i = 0; i < 16; i++)
        written[i] = 5;
}

static void check_refused(attn_status status, reasons why) {
    FUZZ_CHECK((status == ATTN_ERROR_SHAPE && why.shape) ||
               (status == ATTN_ERROR_OPTION && why.option) ||
               (status == ATTN_ERROR_CAPACITY && why.capacity));
    for (int i = 0; i < 16; i++)
        FUZZ_CHECK(written[i] == 5);
}

static int is_refused(reasons why) { return why.shape || why.option || why.capacity; }

/* Small, near a power of two, or anything. */
static uint32_t any_size(fuzz_input *input) {
    const uint8_t kind = fuzz_byte(input);
    if (kind < 64)
        return kind % 9;
    if (kind < 192)
        return ((uint32_t)1 << kind % 32) + kind / 32 % 3 - 1;
    return fuzz_word(input);
}

static void check_scratch(uint32_t bytes) {
    FUZZ_CHECK(bytes == ATTN_TOO_LARGE || bytes % 64 == 0);
}

static void refuse_softmax(fuzz_input *input) {
    const uint32_t rows = any_size(input), columns = any_size(input);
    const float t = fuzz_bits(input), x[1] = {0};
    reasons why = {.option = !(t > 0 && isfinite(t)), .capacity = is_too_large(rows, columns)};
    if (is_refused(why)) {
        check_refused(attn_softmax_forward(x, rows, columns, t, written), why);
        check_refused(attn_log_softmax_forward(x, rows, columns, t, written), why);
        check_refused(attn_log_sum_exp_forward(x, rows, columns, t, written), why);
        check_refused(attn_softmax_backward(x, x, rows, columns, t, written), why);
    }
    why.capacity = (long double)rows * columns * columns * 4 > 0x1p32L;
    if (is_refused(why))
        check_refused(attn_softmax_jacobian(x, rows, columns, t, written), why);
}

static int is_bad_window(attn_window w, uint32_t n_k) {
    return w.left < -1 || w.right < -1 || w.key_count > n_k;
}

static attn_window any_window(fuzz_input *input, uint32_t n_k) {
    const uint8_t kind = fuzz_byte(input);
    return (attn_window){(int32_t)fuzz_word(input), kind & 1 ? (int32_t)fuzz_word(input) : -1,
                         kind & 2 ? (int32_t)fuzz_word(input) : -1,
                         kind & 4 ? any_size(input) : n_k};
}

static void refuse_attention(fuzz_input *input) {
    const float x[1] = {0};
    attn_attention a = {.query = x, .key = x, .value = x, .sink = fuzz_bits(input)};
    uint32_t *const sizes[] = {&a.n_q, &a.n_k, &a.d_k, &a.d_v};
    for (int i = 0; i < 4; i++)
        *sizes[i] = any_size(input);
    const uint8_t options = fuzz_byte(input);
    a.mask = (options & 1) ? x : NULL;
    a.softcap = (options & 2) ? fuzz_bits(input) : 0;
    a.window = any_window(input, a.n_k);
    float *w = written, *matrix = (options & 4) ? w + 2 : NULL;
    void *scratch = w + 4;
    double *sums = (void *)(w + 6);
    const attn_attention_results results = {
        .output = w, .lse = w + 1, .weights = matrix, .mean = (options & 8) ? w + 3 : NULL};
    const attn_attention_gradient gradient = {w, w + 1, w + 2, sums, sums};
    const uint32_t forward = attn_attention_forward_scratch(&a, matrix != NULL);
    const uint32_t backward = attn_attention_backward_scratch(&a);
    check_scratch(forward);
    check_scratch(backward);
    const int pairs = is_too_large(a.n_q, a.n_k);
    const int inputs = is_too_large(a.n_q, a.d_k) || is_too_large(a.n_k, a.d_k) ||
                       is_too_large(a.n_q, a.d_v) || is_too_large(a.n_k, a.d_v) ||
                       (a.mask != NULL && pairs);
    const int option = is_bad_window(a.window, a.n_k) ||
                       !(a.softcap >= 0 && a.softcap < INFINITY) || !(a.sink < INFINITY);
    reasons why = {a.d_k == 0, option || (results.mean != NULL && matrix == NULL),
                   inputs || (matrix != NULL && pairs) || forward == ATTN_TOO_LARGE};
    if (is_refused(why))
        check_refused(attn_attention_forward(&a, &results, scratch), why);
    why.option = option;
    why.capacity = inputs || backward == ATTN_TOO_LARGE;
    if (is_refused(why))
        check_refused(attn_attention_backward(&a, x, &gradient, scratch), why);
}

/* A call like that of refuse_attention, with statistics and a map of any size. */
static void refuse_statistics(fuzz_input *input) {
    const float x[1] = {0};
    attn_attention a = {.query = x, .key = x, .value = x, .sink = fuzz_bits(input)};
    uint32_t *const sizes[] = {&a.n_q, &a.n_k, &a.d_k, &a.d_v, &a.n_all};
    for (int i = 0; i < 5; i++)
        *sizes[i] = any_size(input);
    const uint8_t options = fuzz_byte(input);
    a.window = any_window(input, a.n_k);
    float *w = written, *matrix = (options & 1) ? w : NULL;
    double *numbers = (void *)(w + 4);
    const attn_attention_results results = {.weights = matrix};
    const attn_statistics statistics = {.entropy = w + 1, .score_mean = w + 2};
    const attn_attention_map map = {numbers, any_size(input), any_size(input), any_size(input),
                                    options >> 2 & 1};
    const uint32_t scratch = attn_attention_statistics_forward_scratch(&a, matrix != NULL);
    const uint64_t all = a.n_all > a.n_q ? a.n_all : a.n_q;
    const int bad_map = map.rows == 0 || map.rows > all || map.columns == 0 ||
                        map.columns > a.n_k || (uint64_t)map.first + a.n_q > all;
    const int has_map = (options & 2) != 0;
    check_scratch(scratch);
    reasons why = {
        a.d_k == 0, is_bad_window(a.window, a.n_k) || !(a.sink < INFINITY) || (has_map && bad_map),
        is_too_large(a.n_q, a.d_k) || is_too_large(a.n_k, a.d_k) || is_too_large(a.n_q, a.d_v) ||
            is_too_large(a.n_k, a.d_v) || (matrix != NULL && is_too_large(a.n_q, a.n_k)) ||
            (has_map && is_too_large(map.rows, 2 * (uint64_t)map.columns)) ||
            scratch == ATTN_TOO_LARGE};
    if (is_refused(why))
        check_refused(attn_attention_statistics_forward(&a, &results, &statistics,
                                                        has_map ? &map : NULL, w + 6),
                      why);
    const uint32_t moments = attn_score_moments_scratch(a.d_k);
    check_scratch(moments);
    why.option = 0;
    why.capacity =
        is_too_large(a.n_q, a.d_k) || is_too_large(a.n_k, a.d_k) || moments == ATTN_TOO_LARGE;
    if (is_refused(why))
        check_refused(attn_score_moments(x, a.n_q, x, a.n_k, a.d_k, numbers, w + 6), why);
}

static void refuse_rotary(fuzz_input *input) {
    const uint32_t n = any_size(input), d = any_size(input), count = any_size(input);
    const uint32_t pairing = any_size(input);
    const double base = (double)fuzz_bits(input), position[1] = {0};
    const float x[1] = {0};
    reasons why = {d % 2 != 0, !(base >= 1 && base < (double)INFINITY), is_too_large(n, d)};
    if (is_refused(why))
        check_refused(attn_rotary_turns(position, n, d, base, written), why);
    why.option = pairing > ATTN_PAIR_NEIGHBOURS;
    why.capacity = (long double)count * n * d * 4 > 0x1p32L;
    if (is_refused(why))
        check_refused(attn_rotary_forward(x, x, count, n, d, (attn_pairing)pairing, 0, written),
                      why);
}

static void refuse_additive(fuzz_input *input) {
    const float x[1] = {0};
    attn_additive a = {.query = x, .key = x, .value = x, .sink = fuzz_bits(input)};
    a.query_weight = a.key_weight = a.score_weight = x;
    uint32_t *const sizes[] = {&a.n_q, &a.n_k, &a.d_q, &a.d_k, &a.d_v, &a.d_hidden};
    for (int i = 0; i < 6; i++)
        *sizes[i] = any_size(input);
    const uint8_t options = fuzz_byte(input);
    a.mask = (options & 1) ? x : NULL;
    a.window = any_window(input, a.n_k);
    float *w = written, *matrix = (options & 2) ? w : NULL;
    void *scratch = w + 4;
    const attn_additive_gradient gradient = {w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, NULL};
    const uint32_t forward = attn_additive_forward_scratch(&a);
    const uint32_t backward = attn_additive_backward_scratch(&a);
    check_scratch(forward);
    check_scratch(backward);
    const int pairs = is_too_large(a.n_q, a.n_k);
    const int arrays = is_too_large(a.n_q, a.d_q) || is_too_large(a.n_k, a.d_k) ||
                       is_too_large(a.n_k, a.d_v) || is_too_large(a.n_q, a.d_v) ||
                       is_too_large(a.d_hidden, a.d_q) || is_too_large(a.d_hidden, a.d_k) ||
                       (a.mask != NULL && pairs) || forward == ATTN_TOO_LARGE;
    reasons why = {a.d_q == 0 || a.d_k == 0 || a.d_hidden == 0,
                   is_bad_window(a.window, a.n_k) || !(a.sink < INFINITY),
                   arrays || (matrix != NULL && pairs)};
    if (is_refused(why)) {
        check_refused(attn_additive_forward(&a, w, w + 1, matrix, NULL, scratch), why);
        check_refused(attn_additive_pairwise_forward(&a, w, w + 1, NULL, matrix, scratch), why);
    }
    why.capacity = arrays || backward == ATTN_TOO_LARGE;
    if (is_refused(why))
        check_refused(attn_additive_backward(&a, x, &gradient, scratch), why);
}

static void refuse_language(fuzz_input *input) {
    const uint32_t variants = fuzz_byte(input);
    attn_language m = {.scale = 1,
                       .keys_as_values = variants & 1,
                       .query_key_norm = variants >> 1 & 1,
                       .learned_scale = variants >> 2 & 1};
    uint32_t *const sizes[] = {&m.vocabulary, &m.context, &m.d_model,
                               &m.layers,     &m.heads,   &m.d_key};
    for (int i = 0; i < 6; i++)
        *sizes[i] = any_size(input);
    /* One token, or more than memory holds, so that the text is read in bounds. */
    const uint32_t token[1] = {fuzz_byte(input)};
    const int32_t target[1] = {(int8_t)fuzz_byte(input)};
    const uint32_t batch = fuzz_byte(input) & 1 ? UINT32_MAX : 1;
    const attn_text t = {token, (fuzz_byte(input) & 3) ? target : NULL, batch, 1};
    const uint32_t count = attn_language_count(&m), forward = attn_language_forward_scratch(&m, &t);
    const uint32_t step = attn_language_step_scratch(&m, &t);
    check_scratch(forward);
    check_scratch(step);
    const int empty = m.vocabulary == 0 || m.context == 0 || m.d_model == 0 || m.layers == 0 ||
                      m.heads == 0 || m.d_key == 0;
    const int is_known = token[0] < m.vocabulary;
    const int has_target = t.targets != NULL && target[0] >= -1 &&
                           (target[0] == -1 || (uint32_t)target[0] < m.vocabulary);
    const float x[1] = {0};
    double loss = 0;
    reasons why = {empty, !is_known || (t.targets != NULL && !has_target),
                   count == ATTN_TOO_LARGE || forward == ATTN_TOO_LARGE};
    if (is_refused(why))
        check_refused(attn_language_forward(&m, x, &t, written, NULL, NULL, NULL, written), why);
    why.option = !is_known || !has_target;
    why.capacity = count == ATTN_TOO_LARGE || step == ATTN_TOO_LARGE;
    if (is_refused(why))
        check_refused(attn_language_gradient(&m, x, &t, written, &loss, written), why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    fill_written();
    check_scratch(attn_linear_scratch(any_size(&input), any_size(&input), any_size(&input)));
    switch (fuzz_byte(&input) % 6) {
    case 0:
        refuse_softmax(&input);
        break;
    case 1:
        refuse_attention(&input);
        break;
    case 2:
        refuse_rotary(&input);
        break;
    case 3:
        refuse_language(&input);
        break;
    case 4:
        refuse_additive(&input);
        break;
    default:
        refuse_statistics(&input);
    }
    return fuzz_end();
}
