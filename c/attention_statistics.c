/*
 * attention_statistics.c: what weights are like, from blocks of scores while they are in cache.
 *
 * An online softmax carries, beside sum Z = sum e of e = exp(s - m), B = sum e (m - s) and Q = sum
 * e^2. When the maximum rises from m to m', with r = exp(m - m'):
 *   Z' = r Z,  B' = r (B + (m' - m) Z),  Q' = r^2 Q.
 * Then entropy = P ln Z + B / Z, sum p^2 = Q / Z^2. Every term is at least 0: nothing cancels.
 * Scores have a mean and squares about it for each block, and blocks are merged (Chan, Golub &
 * LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979).
 * A block's sums are float32, in runs of 32 keys; sums of blocks are float64.
 */
#include "attention_call.h"
#include "vmath.h"

#include <math.h> /* INFINITY, NAN; no function of libm is called */

enum { RUN = 32 }; /* keys that are summed before they are added to the block's sum */

/* Differences from the maximum count as at most this: beyond 104 the exponential is 0, and 0 times
 * Infinity, of a key that is not seen, would be NaN. */
static const float MOST_BELOW = 256.0f;

/* The sums of one block, [8] each. */
typedef struct {
    float below[QUERIES], squares[QUERIES], largest[QUERIES];
} weight_sums;

typedef struct {
    float count[QUERIES];
    float center[QUERIES];                        /* near the mean */
    float differences[QUERIES], squares[QUERIES]; /* from the center */
} score_sums;

ATTN_SMALL void begin_measures(measures *m) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < QUERIES; i++)
        m->largest[i] = m->first[i] = m->previous[i] = -INFINITY;
}

/* ---- one block ------------------------------------------------------------------------------ */

/* Sums over four queries, `half` 0 or 4. */
static ATTN_STAGE void sum_weights(const float *scores, const float *exponentials, uint32_t count,
                                   const float *maximum, int half, weight_sums *sums) {
    const f32x4 most = f32x4_splat(MOST_BELOW), zero = f32x4_splat(0);
    const f32x4 top = f32x4_load(maximum + half);
    f32x4 below = zero, squares = zero, largest = f32x4_splat(-INFINITY);
    for (uint32_t j = 0, end; j < count; j = end) {
        f32x4 run_below = zero, run_squares = zero;
        end = count - j < RUN ? count : j + RUN;
        for (size_t k = (size_t)j * QUERIES + (size_t)half; k < (size_t)end * QUERIES;
             k += QUERIES) {
            const f32x4 score = f32x4_load(scores + k), e = f32x4_load(exponentials + k);
            largest = f32x4_pmax(largest, score);
            run_below = f32x4_madd(e, f32x4_pmin(f32x4_sub(top, score), most), run_below);
            run_squares = f32x4_madd(e, e, run_squares);
        }
        below = f32x4_add(below, run_below);
        squares = f32x4_add(squares, run_squares);
    }
    f32x4_store(sums->below + half, below);
    f32x4_store(sums->squares + half, squares);
    f32x4_store(sums->largest + half, largest);
}

/* Counts the scores above -Infinity of four queries, and sums differences from about their mean. */
static ATTN_STAGE void sum_scores(const float *scores, uint32_t count, int half, score_sums *sums) {
    const f32x4 hidden = f32x4_splat(-INFINITY), zero = f32x4_splat(0), one = f32x4_splat(1);
    const size_t first = (size_t)half, last = (size_t)count * QUERIES;
    f32x4 total = zero, seen = zero, differences = zero, squares = zero;
    for (size_t k = first; k < last; k += QUERIES) {
        const f32x4 score = f32x4_load(scores + k);
        const i32x4 is_hidden = f32x4_eq(score, hidden);
        total = f32x4_add(total, f32x4_select(is_hidden, zero, score));
        seen = f32x4_add(seen, f32x4_select(is_hidden, zero, one));
    }
    const f32x4 center = f32x4_div(total, f32x4_pmax(seen, one));
    for (size_t j = 0, end; j < count; j = end) {
        f32x4 run = zero;
        end = count - j < RUN ? count : j + RUN;
        for (size_t k = j * QUERIES + first; k < end * QUERIES; k += QUERIES) {
            const f32x4 score = f32x4_load(scores + k);
            const f32x4 difference =
                f32x4_select(f32x4_eq(score, hidden), zero, f32x4_sub(score, center));
            differences = f32x4_add(differences, difference);
            run = f32x4_madd(difference, difference, run);
        }
        squares = f32x4_add(squares, run);
    }
    f32x4_store(sums->count + half, seen);
    f32x4_store(sums->center + half, center);
    f32x4_store(sums->differences + half, differences);
    f32x4_store(sums->squares + half, squares);
}

/* Merges the scores of a block with those before. */
static ATTN_SMALL void merge_scores(measures *m, const score_sums *sums) {
    for (int i = 0; i < QUERIES; i++) {
        const double count = (double)sums->count[i], all = m->count[i] + count;
        if (count == 0)
            continue;
        const double shift = (double)sums->differences[i] / count;
        const double spread = (double)sums->squares[i] - count * shift * shift;
        const double further = (double)sums->center[i] + shift - m->mean[i];
        m->mean[i] += further * (count / all);
        m->spread[i] += spread + further * further * (m->count[i] * count / all);
        m->count[i] = all;
    }
}

/* Remembers the scores of key 0 and of the key before each query's place. */
static ATTN_SMALL void note_places(const attn_attention *a, measures *m, uint32_t i0,
                                   uint32_t first, uint32_t count, const float *scores) {
    for (size_t i = 0; i < QUERIES; i++) {
        const int64_t previous = (int64_t)i0 + (int64_t)i + a->window.offset - 1 - first;
        if (first == 0)
            m->first[i] = scores[i];
        if (previous >= 0 && previous < count)
            m->previous[i] = scores[(size_t)previous * QUERIES + i];
    }
}

ATTN_SMALL void measure_block(const attn_attention *a, const attn_statistics *wanted, measures *m,
                              uint32_t i0, uint32_t first, uint32_t count, const float *scores,
                              const float *exponentials, const running_softmax *s,
                              const float *before) {
    weight_sums weights;
    score_sums seen;
    for (int half = 0; half < QUERIES; half += 4)
        sum_weights(scores, exponentials, count, s->maximum, half, &weights);
    for (int i = 0; i < QUERIES; i++) {
        const double rescale = (double)s->rescale[i];
        const double rise = (double)s->maximum[i] - (double)before[i];
        m->below[i] = rescale * (m->below[i] + rise * m->sum[i]) + (double)weights.below[i];
        m->squares[i] = rescale * rescale * m->squares[i] + (double)weights.squares[i];
        m->sum[i] = rescale * m->sum[i] + (double)s->added[i];
        m->largest[i] = weights.largest[i] > m->largest[i] ? weights.largest[i] : m->largest[i];
    }
    note_places(a, m, i0, first, count, scores);
    if (wanted->visible_keys == NULL && wanted->score_mean == NULL &&
        wanted->score_deviation == NULL)
        return;
    for (int half = 0; half < QUERIES; half += 4)
        sum_scores(scores, count, half, &seen);
    merge_scores(m, &seen);
}

/* ---- results -------------------------------------------------------------------------------- */

static ATTN_SMALL void store(float *to, uint32_t i, double x) {
    if (to != NULL)
        to[i] = (float)x;
}

/* Returns ln x: the logarithm of the nearest float32 and of the rest, which is 1 within 2^-24. */
static ATTN_SMALL double log_of(double x) {
    const float near = (float)x;
    return (double)vmath_log_scalar(near) + (x - (double)near) / (double)near;
}

static ATTN_SMALL double exp_of(float x) {
    return (double)F32X4_LANE(vmath_exp(f32x4_splat(x)), 0);
}

/* Stores the statistics of query i, lane `lane` of its group, whose sink has the exponential
 * `sink`. */
static ATTN_SMALL void store_query(const attn_statistics *to, const measures *m, uint32_t i,
                                   uint32_t lane, float maximum, double sink) {
    const double sum = m->sum[lane], all = sum + sink;
    const double inverse = all == 0 ? 0 : 1 / all;
    const double weight = sum * inverse, squares = m->squares[lane] * inverse * inverse;
    const double trace = weight - squares, poison = 0 * sum;
    store(to->entropy, i, sum == 0 ? 0 : weight * log_of(all) + m->below[lane] * inverse);
    store(to->effective_keys, i, squares == 0 ? 0 : 1 / squares);
    store(to->jacobian_trace, i, trace < 0 ? 0 : trace);
    store(to->largest_weight, i, exp_of(m->largest[lane] - maximum) * inverse);
    store(to->largest_score, i, (double)m->largest[lane] + poison);
    store(to->score_mean, i, m->count[lane] == 0 ? (double)NAN : m->mean[lane]);
    store(to->score_deviation, i, __builtin_sqrt(m->spread[lane] / m->count[lane]));
    store(to->visible_keys, i, m->count[lane]);
    store(to->first_weight, i, exp_of(m->first[lane] - maximum) * inverse);
    store(to->previous_weight, i, exp_of(m->previous[lane] - maximum) * inverse);
    store(to->sink_weight, i, sink * inverse);
}

ATTN_SMALL void store_measures(const attn_attention *a, const attn_statistics *to,
                               const measures *m, uint32_t i0, uint32_t rows,
                               const running_softmax *s) {
    for (uint32_t lane = 0; lane < rows; lane++)
        store_query(to, m, i0 + lane, lane, s->maximum[lane], exp_of(a->sink - s->maximum[lane]));
}
