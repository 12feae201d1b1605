/* attention_stages_test.c: each stage against its definition, on guarded memory. */
#include "harness.h"

#include "attention_stages.h"
#include "check.h"

#include <float.h>

enum { DEPTH = 5 };

/* scores [count][8] of keys and queries, from the sums' definition; *magnitude of |terms|. */
static double score_of(const float *keys, const float *queries, uint32_t j, int lane,
                       double *magnitude) {
    double sum = *magnitude = 0;
    for (uint32_t k = 0; k < DEPTH; k++) {
        const double term =
            (double)keys[j * DEPTH + k] * (double)queries[k * QUERIES + (uint32_t)lane];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

/* Scores of `left` keys, of which `count` are computed, and their maxima. */
static void check_scores(const float *keys, const float *queries, uint32_t left, uint32_t count,
                         const float *scores, const float *maximum) {
    for (int lane = 0; lane < QUERIES; lane++) {
        float largest = 0.5f;
        for (uint32_t j = 0; j < count; j++) {
            const float score = scores[j * QUERIES + (uint32_t)lane];
            if (j < left) {
                double magnitude;
                const double exact = score_of(keys, queries, j, lane, &magnitude);
                CHECK_CLOSE(score, exact, 8 * 0x1p-24 * magnitude);
            }
            largest = score > largest ? score : largest;
        }
        CHECK_SAME_FLOATS(maximum + lane, &largest, 1);
    }
}

TEST("scores are those of the definition, for rows any distance apart, and raise maxima") {
    for (uint32_t n = 1; n <= 20; n++) {
        const uint32_t tiles = gemm_tile_rows(n);
        const float *keys = guarded_normals((size_t)n * DEPTH, n, 1);
        const float *queries = guarded_normals((size_t)DEPTH * QUERIES, n + 50, 1);
        float *scores = guarded_floats((size_t)tiles * QUERIES), maximum[QUERIES];
        float *apart = guarded_floats((size_t)n * (DEPTH + 3));
        float *same = guarded_floats((size_t)tiles * QUERIES);
        for (int lane = 0; lane < QUERIES; lane++)
            maximum[lane] = 0.5f;
        score_keys(keys, DEPTH, n, queries, DEPTH, tiles, scores, maximum);
        check_scores(keys, queries, n, tiles, scores, maximum);
        for (uint32_t j = 0; j < n; j++)
            memcpy(apart + (size_t)j * (DEPTH + 3), keys + (size_t)j * DEPTH, DEPTH * sizeof *keys);
        score_keys(apart, DEPTH + 3, n, queries, DEPTH, tiles, same, maximum);
        CHECK_SAME_FLOATS(scores, same, (size_t)n * QUERIES);
        float *panels = guarded_floats((size_t)gemm_panel_rows(n) * DEPTH);
        float raised[QUERIES], largest[QUERIES];
        for (int lane = 0; lane < QUERIES; lane++)
            raised[lane] = -FLT_MAX;
        gemm_pack(panels, GEMM_PANEL_ROWS, keys, n, DEPTH, DEPTH, 1, 1.0f);
        score_panels(panels, queries, DEPTH, tiles, same, raised);
        CHECK_SAME_FLOATS(scores, same, (size_t)n * QUERIES);
        for (uint32_t j = 0; j < tiles * QUERIES; j++)
            largest[j % QUERIES] = j < QUERIES ? same[j] : fmaxf(largest[j % QUERIES], same[j]);
        CHECK_SAME_FLOATS(raised, largest, QUERIES);
        release_guarded();
    }
}

TEST("every forbidden score becomes -Infinity; the mask is added to the others") {
    enum { COUNT = 6, FIRST = 10 };
    float *scores = guarded_floats((size_t)COUNT * QUERIES), *mask = guarded_normals(48, 7, 1);
    float maximum[QUERIES];
    key_range seen;
    for (int i = 0; i < COUNT * QUERIES; i++)
        scores[i] = i % 5 == 0 ? NAN : i % 7 == 0 ? INFINITY : (float)i;
    for (int i = 0; i < COUNT * QUERIES; i++)
        mask[i] = i % 5 == 0 || i % 7 == 0 ? -INFINITY : mask[i];
    for (int lane = 0; lane < QUERIES; lane++) {
        seen.begin[lane] = FIRST + lane / 4;
        seen.end[lane] = FIRST + lane;
        maximum[lane] = -FLT_MAX;
    }
    restrict_keys(scores, mask, FIRST, COUNT, &seen, maximum);
    for (int lane = 0; lane < QUERIES; lane++) {
        float largest = -FLT_MAX;
        for (int j = 0; j < COUNT; j++) {
            const int i = j * QUERIES + lane, unseen = j >= lane || j < lane / 4;
            const int forbidden = unseen || i % 5 == 0 || i % 7 == 0;
            const float expected = forbidden ? -INFINITY : (float)i + mask[i];
            CHECK_SAME_FLOATS(scores + i, &expected, 1);
            largest = expected > largest ? expected : largest;
        }
        CHECK_SAME_FLOATS(maximum + lane, &largest, 1);
    }
}

TEST("the running softmax of two blocks is that of all keys") {
    enum { HALF = 6 };
    float *scores = guarded_normals((size_t)2 * HALF * QUERIES, 3, 4);
    running_softmax s;
    double sum[QUERIES] = {0}, largest[QUERIES];
    for (int lane = 0; lane < QUERIES; lane++) {
        s.maximum[lane] = -FLT_MAX;
        s.sum[lane] = 0;
        largest[lane] = -(double)INFINITY;
        for (int j = 0; j < 2 * HALF; j++)
            largest[lane] = fmax(largest[lane], (double)scores[j * QUERIES + lane]);
        for (int j = 0; j < 2 * HALF; j++)
            sum[lane] += exp((double)scores[j * QUERIES + lane] - largest[lane]);
    }
    for (int block = 0; block < 2; block++) {
        float *part = scores + (size_t)block * HALF * QUERIES;
        memcpy(s.new_maximum, s.maximum, sizeof s.maximum);
        for (int i = 0; i < HALF * QUERIES; i++)
            s.new_maximum[i % QUERIES] = fmaxf(s.new_maximum[i % QUERIES], part[i]);
        weigh_keys(part, HALF, &s, part);
    }
    CHECK_ALL_CLOSE(s.maximum, largest, QUERIES, 0);
    for (int lane = 0; lane < QUERIES; lane++)
        CHECK_CLOSE(s.sum[lane], sum[lane], 16 * 0x1p-24 * sum[lane]);
}

TEST("values are added under their weights, to an output that is rescaled if there is one") {
    enum { COUNT = 7 };
    for (uint32_t d_v = 4; d_v <= 28; d_v += 4) {
        const float *values = guarded_normals((size_t)COUNT * d_v, d_v, 1);
        const float *weights = guarded_normals((size_t)COUNT * QUERIES, d_v + 50, 1);
        const float *rescale = guarded_normals(QUERIES, d_v + 90, 1);
        float *output = guarded_floats((size_t)d_v * QUERIES);
        float *panels = guarded_floats((size_t)COUNT * gemm_panel_rows(d_v));
        float *same = guarded_floats((size_t)d_v * QUERIES);
        const size_t next = (size_t)GEMM_PANEL_ROWS * (COUNT - 1);
        gemm_pack(panels, GEMM_PANEL_ROWS, values, d_v, 1, COUNT, d_v, 1.0f);
        for (uint32_t n = COUNT - 2; n <= COUNT; n++) {
            add_values(values, 0, d_v, weights, n, NULL, d_v, output);
            add_values(values, 0, d_v, weights, n, rescale, d_v, output);
            add_values(panels, next, GEMM_PANEL_ROWS, weights, n, NULL, d_v, same);
            add_values(panels, next, GEMM_PANEL_ROWS, weights, n, rescale, d_v, same);
            CHECK_SAME_FLOATS(output, same, (size_t)d_v * QUERIES);
        }
        for (uint32_t c = 0; c < d_v; c++)
            for (uint32_t lane = 0; lane < QUERIES; lane++) {
                double sum = 0, magnitude = 0;
                for (uint32_t j = 0; j < COUNT; j++) {
                    const double term =
                        (double)weights[j * QUERIES + lane] * (double)values[j * d_v + c];
                    sum += term;
                    magnitude += fabs(term);
                }
                CHECK_CLOSE(output[c * QUERIES + lane], sum * (1 + (double)rescale[lane]),
                            20 * 0x1p-24 * magnitude * (1 + fabs((double)rescale[lane])));
            }
    }
}

TEST("a softcap is its definition, and passes NaN on") {
    float *scores = guarded_normals((size_t)3 * QUERIES, 1, 8), before[3 * QUERIES];
    scores[5] = NAN;
    memcpy(before, scores, sizeof before);
    cap_keys(scores, 3, 2.5F);
    for (int i = 0; i < 3 * QUERIES; i++)
        CHECK_CLOSE(scores[i], 2.5 * tanh((double)before[i] / 2.5), 1e-6);
}

TEST("outputs are stored as rows any distance apart, and -0 as 0") {
    for (uint32_t rows = 1; rows <= QUERIES; rows++)
        for (uint32_t d_v = 1; d_v <= 9; d_v++) {
            const size_t stride = d_v + rows % 3;
            float *outputs = guarded_normals(check_pad(d_v, 4) * QUERIES, d_v, 1);
            const float *factor = guarded_normals(QUERIES, rows, 1);
            float *output = guarded_equal((rows - 1) * stride + d_v, 7);
            outputs[0] = 0 * -factor[0];
            store_rows(outputs, factor, rows, d_v, output, stride);
            for (uint32_t i = 0; i < rows; i++)
                for (uint32_t c = 0; c < stride && i * stride + c < (rows - 1) * stride + d_v;
                     c++) {
                    const float expected =
                        c < d_v ? outputs[c * QUERIES + i] * factor[i] + 0.0f : 7;
                    CHECK_SAME_FLOATS(output + i * stride + c, &expected, 1);
                }
            release_guarded();
        }
}

TEST_MAIN
