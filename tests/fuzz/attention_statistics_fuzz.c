/*
 * attention_statistics_fuzz.c: statistics, maps and moments of any attention against the oracle;
 * numbers that no query may see change nothing.
 */
#include "attention_input.h"
#include "oracle_statistics.h"

/* All statistics, in order. */
typedef union {
    attn_statistics fields;
    float *all[STATISTICS];
} statistics;

typedef struct {
    statistics of;
    attn_attention_map map;
} looked;

static looked look(const attn_attention *a, const attn_attention_map *shape, int with_output) {
    looked l = {.map = *shape};
    for (int k = 0; k < STATISTICS; k++)
        l.of.all[k] = fuzz_memory(a->n_q);
    l.map.cells = fuzz_doubles((size_t)shape->rows * shape->columns);
    const attn_attention_results results = {
        .output = with_output ? fuzz_memory((size_t)a->n_q * a->d_v) : NULL};
    void *scratch = fuzz_scratch(attn_attention_statistics_forward_scratch(a, 0));
    FUZZ_CHECK(attn_attention_statistics_forward(
                   a, &results, &l.of.fields, shape->rows > 0 ? &l.map : NULL, scratch) == ATTN_OK);
    return l;
}

static void compare_with_oracle(const attn_attention *a, const looked *l) {
    const oracle_results exact = oracle_new_results(a->n_q, a->n_k, a->d_v);
    const size_t cells = (size_t)l->map.rows * l->map.columns;
    double *expected = fuzz_doubles(cells);
    oracle_attention(a, &exact);
    const oracle_magnitudes largest = oracle_magnitude_attention(a, &exact);
    for (size_t i = 0; i < a->n_q; i++) {
        const oracle_row row = oracle_statistics(a, &exact, largest, i);
        for (int k = 0; k < STATISTICS; k++)
            if (k != EFFECTIVE_KEYS || row.exact[k] < 1e9) /* else a sink has nearly everything */
                fuzz_close("statistic", (size_t)k, (double)l->of.all[k][i], row.exact[k],
                           fuzz_unit * row.magnitude[k]);
    }
    oracle_pool(exact.weights, a->n_q, a->n_k, l->map.rows, l->map.columns, l->map.largest == 1,
                expected);
    for (size_t e = 0; e < cells; e++)
        fuzz_close("map", e, l->map.cells[e], expected[e],
                   fuzz_unit * (1 + 2 * largest.capped) * (1 + expected[e]));
    oracle_free_results(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_begin(data, size);
    const uint8_t options = fuzz_byte(&input);
    attn_attention a = read_attention(&input);
    attn_attention_map map = {.largest = options & 1};
    a.n_all = a.n_q;
    if (a.n_q > 0 && a.n_k > 0) {
        map.rows = 1 + fuzz_byte(&input) % a.n_q;
        map.columns = 1 + fuzz_byte(&input) % a.n_k;
    }
    const looked before = look(&a, &map, options & 2);
    if (!input.wild)
        compare_with_oracle(&a, &before);
    double moments[5];
    FUZZ_CHECK(attn_score_moments(a.query, a.n_q, a.key, a.n_k, a.d_k, moments,
                                  fuzz_scratch(attn_score_moments_scratch(a.d_k))) == ATTN_OK);
    input.wild = 1;
    spoil_hidden_keys(&input, &a);
    const looked after = look(&a, &map, options & 2);
    for (int k = 0; k < STATISTICS; k++)
        fuzz_same(after.of.all[k], before.of.all[k], a.n_q);
    for (size_t e = 0; e < (size_t)map.rows * map.columns; e++)
        FUZZ_CHECK(after.map.cells[e] == before.map.cells[e] ||
                   (isnan(after.map.cells[e]) && isnan(before.map.cells[e])));
    return fuzz_end();
}
