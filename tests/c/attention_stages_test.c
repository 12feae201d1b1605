/* attention_stages_test.c: what results hide of the stages, on guarded memory. */
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

TEST("a softcap is its definition, passes NaN on, and has a slope of 0 there") {
    enum { COUNT = 3 * QUERIES };
    float *scores = guarded_normals(COUNT, 1, 8), *slopes = guarded_equal(COUNT, 7), before[COUNT];
    scores[5] = NAN;
    memcpy(before, scores, sizeof before);
    shape_scores(&(attn_attention){.softcap = 2.5F}, scores, slopes, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const double t = tanh((double)before[i] / 2.5);
        CHECK_CLOSE(scores[i], 2.5 * t, 1e-6);
        CHECK_CLOSE(slopes[i], i == 5 ? 0 : 1 - t * t, 1e-6);
    }
    memcpy(before, scores, sizeof before);
    shape_scores(&(attn_attention){.softcap = 0}, scores, NULL, COUNT);
    CHECK_SAME_FLOATS(scores, before, COUNT);
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
