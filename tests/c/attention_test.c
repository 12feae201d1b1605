/* attention_test.c: attention against the float64 oracle, its options, and refusals. */
#include "harness.h"

#include "attention_forward.h"
#include "attn.h"
#include "f32x4.h"

/* ---- results ------------------------------------------------------------------------ */

/* Runs with all results, compares them with the oracle, and with the bits of runs with fewer. */
static void check_against_oracle(shape s) {
    const size_t n = (size_t)s.n_q * s.n_k, outputs = (size_t)s.n_q * s.d_v;
    const arrays a = make_arrays(s), b = make_arrays(s);
    const attn_attention call = attention_of(s, a);
    const oracle_results exact = oracle_new_results(s.n_q, s.n_k, s.d_v);
    oracle_attention(&call, &exact);
    const oracle_magnitudes magnitude = oracle_magnitude_attention(&call, &exact);
    CHECK(run(&call, (attn_attention_results){.output = a.output,
                                              .lse = a.lse,
                                              .scores = a.scores,
                                              .capped = a.capped,
                                              .masked = a.masked,
                                              .weights = a.weights}) == ATTN_OK);
    CHECK_ALL_CLOSE(a.output, exact.output, outputs, LIMIT * 0x1p-24 * magnitude.output);
    CHECK_ALL_CLOSE(a.lse, exact.lse, s.n_q, LIMIT * 0x1p-24 * magnitude.lse);
    CHECK_ALL_CLOSE(a.weights, exact.weights, n, LIMIT * 0x1p-24 * magnitude.weights);
    CHECK_ALL_CLOSE(a.scores, exact.scores, n, LIMIT * 0x1p-24 * magnitude.scores);
    CHECK_ALL_CLOSE(a.capped, exact.capped, n, LIMIT * 0x1p-24 * magnitude.capped);
    CHECK_ALL_CLOSE(a.masked, exact.masked, n, LIMIT * 0x1p-24 * magnitude.capped);
    CHECK(run_forward(s, b) == ATTN_OK);
    CHECK(run_weights(s, b, NULL, b.weights) == ATTN_OK);
    CHECK(run_weights(s, b, b.scores, NULL) == ATTN_OK);
    CHECK(run(&call, (attn_attention_results){.masked = b.masked}) == ATTN_OK);
    CHECK_SAME_FLOATS(b.output, a.output, outputs);
    CHECK_SAME_FLOATS(b.lse, a.lse, s.n_q);
    CHECK_SAME_FLOATS(b.weights, a.weights, n);
    CHECK_SAME_FLOATS(b.scores, a.scores, n);
    CHECK_SAME_FLOATS(b.masked, a.masked, n);
    oracle_free_results(exact);
}

TEST("small shapes agree with the oracle, masked or not, causal or not") {
    check_small_shapes(check_against_oracle, 7);
}

TEST("shapes beyond a block and a chunk of keys agree with the oracle") {
    check_all_kinds(check_against_oracle, 10, 49, 768, 64);
    check_all_kinds(check_against_oracle, 20, 128, 64, 33);
    check_all_kinds(check_against_oracle, 9, 257, 16, 8);
    check_all_kinds(check_against_oracle, 67, 265, 5, 6);
    check_all_kinds(check_against_oracle, 130, 265, 5, 6);    /* packed in fused builds, too */
    check_all_kinds(check_against_oracle, 13, 300, 600, 500); /* a chunk is one block here */
    check_all_kinds(check_against_oracle, 300, 13, 5, 130);
    check_all_kinds(check_against_oracle, 21, 5000, 30, 3); /* two chunks */
    check_all_kinds(check_against_oracle, 9, 140, 1024,
                    1024); /* rows so far apart that they are copied */
}

/* Moves a call on to queries i and the next ones, at most 16. */
static void move_part(attn_attention *part, const attn_attention *call, uint32_t i) {
    part->n_q = call->n_q - i < 16 ? call->n_q - i : 16;
    part->query = call->query + (size_t)i * call->d_k;
    part->mask = call->mask == NULL ? NULL : call->mask + (size_t)i * call->n_k;
    part->window.offset = call->window.offset + (int32_t)i;
}

/* Results of 16 queries at a time: each part on its own, as if there were no more, or `again` with
 * one scratch. */
static void run_parts(const attn_attention *call, const arrays *to, int again) {
    attn_attention part = *call;
    move_part(&part, call, 0);
    part.n_all = again ? call->n_q : 16;
    const uint32_t sizes[] = {attn_attention_forward_scratch(&part, 1),
                              attn_attention_forward_scratch(&part, 0)};
    void *shared[] = {guarded_bytes(sizes[0], 16), guarded_bytes(sizes[1], 16)};
    for (uint32_t i = 0; i < call->n_q; i += 16) {
        const size_t row = (size_t)i * call->n_k;
        const attn_attention_results results[] = {{.output = to->output + (size_t)i * call->d_v,
                                                   .lse = to->lse + i,
                                                   .weights = to->weights + row},
                                                  {.scores = to->scores + row}};
        move_part(&part, call, i);
        part.again = again && i > 0;
        for (int k = 0; k < 2; k++)
            CHECK((again ? attn_attention_forward(&part, &results[k], shared[k])
                         : run(&part, results[k])) == ATTN_OK);
    }
}

/* Attention of all queries, then of 16 at a time. */
static void check_parts(shape s, int hidden) {
    const size_t pairs = (size_t)s.n_q * s.n_k;
    const arrays a = make_arrays(s);
    for (uint32_t j = 0; hidden && j < s.n_k; j += 5)
        a.value[(size_t)j * s.d_v + j % s.d_v] = j % 2 == 0 ? INFINITY : NAN;
    const attn_attention call = attention_of(s, a);
    CHECK(run(&call,
              (attn_attention_results){
                  .output = a.output, .lse = a.lse, .scores = a.scores, .weights = a.weights}) ==
          ATTN_OK);
    for (int again = 0; again < 2; again++) {
        const arrays b = make_arrays(s);
        run_parts(&call, &b, again);
        CHECK_SAME_FLOATS(a.output, b.output, (size_t)s.n_q * s.d_v);
        CHECK_SAME_FLOATS(a.lse, b.lse, s.n_q);
        CHECK_SAME_FLOATS(a.weights, b.weights, pairs);
        CHECK_SAME_FLOATS(a.scores, b.scores, pairs);
    }
    release_guarded();
}

TEST("many queries, which get packed keys and values, have the bits of few") {
    const uint32_t many = F32X4_FUSED ? 128 : 48, block = F32X4_FUSED ? 264 : 256;
    const uint32_t keys[] = {1, 3, block - 1, block, block + 3, 530};
    for (uint32_t n_q = many - 8; n_q <= many + 8; n_q += 8)
        for (int i = 0; i < 6; i++)
            for (int masked = 0; masked < 2; masked++) {
                check_parts((shape){n_q, keys[i], 13, 7, ATTEND_ALL, masked, 1, {0}}, 0);
                check_parts((shape){n_q, keys[i], 64, 36, ATTEND_ALL, masked, 1, {0}}, masked);
            }
    check_parts((shape){many + 16, 3000, 64, 30, ATTEND_ALL, 1, 1, {0}}, 1); /* three chunks */
    check_parts((shape){many + 24, 130, 1024, 1024, ATTEND_ALL, 0, 1, {0}}, 0);
    for (int v = 0; v < VARIANTS; v++) {
        check_parts((shape){many + 16, 600, 8, 12, ATTEND_ALL, v % 2, 1, variants[v]}, v % 2);
        check_parts((shape){20, 2, 8, 12, ATTEND_ALL, 0, 1, variants[v]}, 0);
        check_parts((shape){18, 40, 8, 12, ATTEND_ALL, 0, 1, variants[v]}, 0); /* 2 are left */
    }
    check_parts((shape){many + 24, 20, 2, 0, ATTEND_ALL, 0, 1, {0}}, 0);
}

TEST("few queries, whose lanes are columns, agree with the oracle") {
    const uint32_t keys[] = {0, 1, 2, 3, 4, 5, 127, 128, 130, 261, 1500};
    for (uint32_t n_q = 1; n_q <= 5; n_q++)
        for (int i = 0; i < 11; i++)
            for (uint32_t d = 4; d <= 20; d += 8)
                check_all_kinds(check_against_oracle, n_q, keys[i], d, 24 - d);
    check_all_kinds(check_against_oracle, 1, 4000, 64, 64);
    check_all_kinds(check_against_oracle, 2, 50, 8, 0);
}

TEST("scores so large that one key takes all agree with the oracle") {
    check_against_oracle((shape){16, 200, 64, 16, ATTEND_ALL, 0, 4, {0}});
    check_against_oracle((shape){16, 200, 64, 16, CAUSAL_LOWER_RIGHT, 1, 12, {0}});
}

TEST("a mask of the lowest finite number everywhere is not a mask of -Infinity") {
    const shape s = {3, 5, 4, 2, ATTEND_ALL, 1, 1, {0}};
    const arrays a = make_arrays(s);
    for (int i = 0; i < 15; i++)
        a.mask[i] = -3.40282347e38f;
    CHECK(run_forward(s, a) == ATTN_OK);
    for (int c = 0; c < 2; c++) {
        double mean = 0;
        for (int j = 0; j < 5; j++)
            mean += (double)a.value[j * 2 + c] / 5;
        CHECK_CLOSE(a.output[c], mean, 1e-6);
    }
}

TEST("scores of 1e38 do not overflow the softmax") {
    const shape s = {2, 3, 1, 1, ATTEND_ALL, 0, 1, {0}};
    const arrays a = make_arrays(s);
    a.query[0] = 1e19f, a.query[1] = -1e19f;
    a.key[0] = 1e19f, a.key[1] = -1e19f, a.key[2] = 0;
    CHECK(run_forward(s, a) == ATTN_OK);
    CHECK(a.output[0] == a.value[0]);
    CHECK(a.output[1] == a.value[1]);
    CHECK(a.lse[0] == 1e19f * 1e19f);
}

/* ---- weights and scores --------------------------------------------------------------- */

TEST("the mean of weights adds a share of each head, which needs them") {
    const shape s = {11, 37, 8, 4, ATTEND_ALL, 0, 1, {0}},
                few = {3, 37, 8, 4, ATTEND_ALL, 0, 1, {0}};
    for (int k = 0; k < 2; k++) {
        const arrays a = make_arrays(k == 0 ? s : few);
        const attn_attention call = attention_of(k == 0 ? s : few, a);
        const size_t pairs = (size_t)call.n_q * call.n_k;
        float *mean = guarded_equal(pairs, 2);
        CHECK(run(&call, (attn_attention_results){
                             .weights = a.weights, .mean = mean, .share = 0.25F}) == ATTN_OK);
        for (size_t e = 0; e < pairs; e++)
            CHECK_CLOSE(mean[e], 2 + 0.25 * (double)a.weights[e], 2e-7);
    }
}

/* ---- windows, padding and sinks --------------------------------------------------------- */

/* A call has the bits of another, from the same inputs. */
static void check_same_calls(shape s, arrays x, const attn_attention *a, const attn_attention *b) {
    const arrays y = make_arrays(s);
    CHECK(run(a, (attn_attention_results){
                     .output = x.output, .lse = x.lse, .weights = x.weights}) == ATTN_OK);
    CHECK(run(b, (attn_attention_results){
                     .output = y.output, .lse = y.lse, .weights = y.weights}) == ATTN_OK);
    CHECK_SAME_FLOATS(y.output, x.output, (size_t)s.n_q * s.d_v);
    CHECK_SAME_FLOATS(y.lse, x.lse, s.n_q);
    CHECK_SAME_FLOATS(y.weights, x.weights, (size_t)s.n_q * s.n_k);
}

TEST("a window as wide as the keys is none, and keys that are padding are as if they were not") {
    for (uint32_t n_q = 3; n_q <= 51; n_q += 24) {
        const shape s = {n_q, 300, 8, 12, ATTEND_ALL, 0, 1, {0}};
        const arrays x = make_arrays(s);
        const attn_attention a = attention_of(s, x);
        attn_attention wide = a, padded = a, shorter = a;
        wide.window.left = wide.window.right = 300;
        check_same_calls(s, x, &a, &wide);
        padded.window.key_count = shorter.window.key_count = shorter.n_k = 270;
        const arrays y = make_arrays(s);
        for (uint32_t e = 270 * 12; e < 300 * 12; e++)
            y.value[e] = NAN;
        padded.value = y.value;
        CHECK(run(&padded, (attn_attention_results){.output = x.output, .lse = x.lse}) == ATTN_OK);
        CHECK(run(&shorter, (attn_attention_results){.output = y.output, .lse = y.lse}) == ATTN_OK);
        CHECK_SAME_FLOATS(y.output, x.output, (size_t)n_q * 12);
        CHECK_SAME_FLOATS(y.lse, x.lse, n_q);
    }
}

TEST("a query that sees nothing has weights and output 0, and the sink as its log-sum-exp") {
    shape s = {9, 20, 8, 4, ATTEND_ALL, 0, 1, {.sink = 0.5F, .left = 0, .offset = -5}};
    for (; s.n_q > 0; s.n_q -= 6) { /* nine, then three alone */
        const arrays a = make_arrays(s);
        CHECK(run_forward(s, a) == ATTN_OK);
        CHECK(run_weights(s, a, NULL, a.weights) == ATTN_OK);
        for (int i = 0; i < 3; i++)
            CHECK(a.lse[i] == 0.5F);
        for (int e = 0; e < 3 * 20; e++)
            CHECK(a.weights[e] == 0 && a.output[e % 12] == 0);
        if (s.n_q < 6)
            break;
    }
}

TEST("a cap far above the scores is none, and a tiny one makes weights equal") {
    const shape s = {20, 40, 8, 4, ATTEND_ALL, 0, 1, {.softcap = 1e9F}};
    shape tiny = s;
    tiny.with.softcap = 1e-9F;
    const arrays a = make_arrays(s);
    CHECK(run_weights(s, a, a.scores, a.weights) == ATTN_OK);
    shape none = s;
    none.with.softcap = 0;
    CHECK(run_weights(none, a, NULL, a.masked) == ATTN_OK);
    for (int e = 0; e < 800; e++)
        CHECK_CLOSE(a.weights[e], a.masked[e], 2e-6);
    CHECK(run_weights(tiny, a, NULL, a.weights) == ATTN_OK);
    for (int e = 0; e < 800; e++)
        CHECK_CLOSE(a.weights[e], 1.0 / 40, 1e-8);
}

/* ---- errors ------------------------------------------------------------------------------ */

TEST("impossible shapes and options are refused and nothing is written") {
    static const float x[4] = {0};
    attn_attention good = {.query = x, .key = x, .value = x, .window = {0, -1, -1, 1}};
    good.n_q = good.n_k = good.d_k = good.d_v = good.n_all = 1;
    attn_attention a[12];
    for (int i = 0; i < 12; i++)
        a[i] = good;
    a[0].d_k = 0;
    a[1].window.left = -2;
    a[2].window.right = -2;
    a[3].window.key_count = 2;
    a[4].softcap = -1;
    a[5].softcap = INFINITY;
    a[6].softcap = NAN;
    a[7].sink = INFINITY;
    a[8].sink = NAN;
    a[9].n_q = 1u << 31;
    a[10].n_k = a[10].d_v = 1u << 16;
    a[11].n_q = a[11].n_k = 1u << 16;
    for (int i = 0; i < 12; i++) {
        float r[8] = {5, 5, 5, 5, 5, 5, 5, 5};
        const attn_attention_results results = {r, r + 1, r + 2, r + 3, r + 4, r + 5, r + 6, 1};
        const attn_status expected = i == 0  ? ATTN_ERROR_SHAPE
                                     : i < 9 ? ATTN_ERROR_OPTION
                                             : ATTN_ERROR_CAPACITY;
        CHECK(attn_attention_forward(&a[i], &results, r) == expected);
        for (int k = 0; k < 8; k++)
            CHECK(r[k] == 5);
    }
    float mean[1] = {5};
    const attn_attention_results no_weights = {.mean = mean};
    CHECK(attn_attention_forward(&good, &no_weights, mean) == ATTN_ERROR_OPTION);
    a[11].mask = x;
    const attn_attention_results lse = {.lse = mean};
    CHECK(attn_attention_forward(&a[11], &lse, mean) == ATTN_ERROR_CAPACITY);
    CHECK(mean[0] == 5);
}

TEST("scratch is O(n d), and ATTN_TOO_LARGE when it does not fit") {
    attn_attention a = {.n_q = 4096, .n_k = 4096, .d_k = 64, .d_v = 64};
    CHECK(attn_attention_forward_scratch(&a, 0) <= 2u * 4096 * 64 * 4);
    CHECK(attn_attention_forward_scratch(&a, 1) <= 4u * 4096 * 64 * 4);
    a.n_q = a.n_k = 65536;
    CHECK(attn_attention_forward_scratch(&a, 0) < 2u * 65536 * 64 * 4);
    const attn_attention large[] = {{.n_q = 1, .n_k = 1, .d_k = UINT32_MAX, .d_v = 1},
                                    {.n_q = UINT32_MAX, .n_k = 1, .d_k = 1, .d_v = 1},
                                    {.n_q = 1, .n_k = 1, .d_k = 1, .d_v = UINT32_MAX}};
    for (int i = 0; i < 3; i++)
        CHECK(attn_attention_forward_scratch(&large[i], 0) == ATTN_TOO_LARGE);
}

TEST_MAIN
