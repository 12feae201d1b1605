/*
 * gemm.c: the matrix product: packing, blocking and edges around the tile of gemm_kernel.h.
 *
 * b is packed one block of columns at a time, 256 kB, which stays in the second-level cache; each
 * panel of rows of a is packed once a block and meets all of it.
 * A sum of k steps is taken in runs of about the root of k, which are added up: the rounding
 * error of one chain would grow with k (6e-4 for 100 000 equal weights). Runs depend on k alone,
 * and so do the bits.
 * Packing transposes squares of four by shuffles. Where a square lacks lanes it repeats others:
 * filling with zeros, number by number, is 10 % slower for seven queries.
 * Measurements: tests/bench/NOTES.md.
 */
#include "gemm.h"

#include "check.h"
#include "gemm_kernel.h"

/* ---- packing ------------------------------------------------------------------ */

/* Packs up to four lanes of any depth from four on; lanes are rows in memory, so squares are
 * transposed. The last lane takes the place of missing ones. */
static ATTN_STAGE void pack_squares(float *panel, uint32_t width, const float *source,
                                    uint32_t lanes, size_t lane_stride, uint32_t depth,
                                    float factor) {
    const f32x4 factors = f32x4_splat(factor);
    const size_t second = lanes > 1 ? lane_stride : 0, third = lanes > 2 ? lane_stride : 0;
    const size_t step[4] = {second, third, lanes > 3 ? lane_stride : 0, 0};
    for (uint32_t next = 0; next < depth; next += 4) {
        const uint32_t k = next < depth - 4 ? next : depth - 4; /* the last ones twice */
        const float *from = source + k;
        float *to = panel + (size_t)k * width;
        f32x4 r[4];
        for (int i = 0; i < 4; from += step[i++])
            r[i] = f32x4_mul(f32x4_load(from), factors);
        f32x4_transpose(r);
        for (int i = 0; i < 4; i++, to += width)
            f32x4_store(to, r[i]);
    }
}

/* Packs up to four lanes of any strides; the first lane takes the place of missing ones. */
static void pack_scalar(float *panel, uint32_t width, const float *source, uint32_t lanes,
                        size_t lane_stride, uint32_t depth, size_t step_stride, float factor) {
    for (uint32_t k = 0; k < depth; k++) {
        for (uint32_t lane = 0; lane < 4; lane++)
            panel[lane] = source[lane < lanes ? lane * lane_stride : 0] * factor;
        panel += width;
        source += step_stride;
    }
}

/* Packs one vector's width of a panel: up to four lanes over the whole depth. */
ATTN_INLINE void pack_lanes(float *panel, uint32_t width, const float *source, uint32_t lanes,
                            size_t lane_stride, uint32_t depth, size_t step_stride, float factor) {
    if (lanes >= 4 && lane_stride == 1) {
        const f32x4 factors = f32x4_splat(factor);
        for (uint32_t k = 0; k < depth; k++, panel += width, source += step_stride)
            f32x4_store(panel, f32x4_mul(f32x4_load(source), factors));
    } else if (step_stride == 1 && depth >= 4) {
        pack_squares(panel, width, source, lanes, lane_stride, depth, factor);
    } else {
        pack_scalar(panel, width, source, lanes, lane_stride, depth, step_stride, factor);
    }
}

ATTN_SMALL void gemm_pack(float *panels, uint32_t width, const float *source, uint32_t lanes,
                          size_t lane_stride, uint32_t depth, size_t step_stride, float factor) {
    for (uint32_t first = 0; first < lanes; first += width) {
        for (uint32_t lane = first; lane < first + width; lane += 4) {
            const uint32_t left = lane < lanes ? lanes - lane : 0;
            const float *from = left > 0 ? source + lane * lane_stride : source;
            float *to = panels + (lane - first);
            pack_lanes(to, width, from, left, lane_stride, depth, step_stride, factor);
        }
        panels += (size_t)depth * width;
    }
}

/* ---- product -------------------------------------------------------------------- */

/* Of b, packed at a time. */
enum { BLOCK_FLOATS = 65536 };

/* Steps of the sum in one chain, at least 1. */
static ATTN_SMALL uint32_t run_length(uint32_t k) {
    uint32_t run = 128;
    while (run < BLOCK_FLOATS / GEMM_COLUMNS && run * run < k)
        run *= 2;
    return k > run ? run : k + (k == 0);
}

ATTN_SMALL uint32_t gemm_scratch(uint32_t n, uint32_t k) {
    const uint32_t run = run_length(k), all = BLOCK_FLOATS / run;
    const uint32_t floats =
        (n > all ? BLOCK_FLOATS : n * run) + run * (GEMM_COLUMNS + GEMM_PANEL_ROWS);
    return (uint32_t)check_pad(floats * sizeof(float) + 64, 64); /* the ends of two arrays */
}

/* Copies, or adds, those rows and columns of a whole tile that belong to c. */
static ATTN_SMALL void copy_edge(const float *tile, float *c, size_t c_stride, uint32_t rows,
                                 uint32_t columns, int add) {
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            const float x = tile[i * GEMM_COLUMNS + j];
            c[i * c_stride + j] = add ? c[i * c_stride + j] + x : x;
        }
}

/* gemm_rows where tiles of six leave at most four rows. */
static ATTN_STAGE void short_rows(const float *a, size_t a_step, const float *b, uint32_t depth,
                                  uint32_t rows, uint32_t columns, int add, float *c,
                                  size_t c_stride) {
    float edge[GEMM_SHORT_ROWS * GEMM_COLUMNS];
    for (uint32_t j = 0; j < columns; j += GEMM_COLUMNS) {
        const uint32_t left = columns - j < GEMM_COLUMNS ? columns - j : GEMM_COLUMNS;
        f32x4 tile[2 * GEMM_ROWS];
        gemm_tile(GEMM_SHORT_ROWS, GEMM_SHORT_ROWS, a, 1, a_step, b, depth, tile);
        for (size_t i = 0; i < (size_t)2 * GEMM_SHORT_ROWS; i++)
            f32x4_store(edge + 4 * i, tile[i]);
        copy_edge(edge, c + j, c_stride, rows, left, add);
        b += (size_t)depth * GEMM_COLUMNS;
    }
}

/* Keeps its number of rows as it came: clamped at the top, a gradient is 10 % slower in Firefox. */
ATTN_STAGE void gemm_rows(const float *a, size_t a_step, const float *b, uint32_t depth,
                          uint32_t rows, uint32_t columns, int add, float *c, size_t c_stride) {
    float edge[GEMM_ROWS * GEMM_COLUMNS];
    if (GEMM_ROWS > GEMM_SHORT_ROWS && rows <= GEMM_SHORT_ROWS) {
        short_rows(a, a_step, b, depth, rows, columns, add, c, c_stride);
        return;
    }
    for (uint32_t j = 0; j < columns; j += GEMM_COLUMNS) {
        const uint32_t left = columns - j < GEMM_COLUMNS ? columns - j : GEMM_COLUMNS;
        const int whole = rows >= GEMM_ROWS && left == GEMM_COLUMNS;
        const size_t stride = whole ? c_stride : GEMM_COLUMNS;
        float *to = whole ? c + j : edge;
        f32x4 tile[2 * GEMM_ROWS];
        gemm_tile(GEMM_ROWS, GEMM_ROWS, a, 1, a_step, b, depth, tile);
        for (int i = 0; i < 2 * GEMM_ROWS; i += 2) {
            if (add && whole) {
                tile[i] = f32x4_add(f32x4_load(to), tile[i]);
                tile[i + 1] = f32x4_add(f32x4_load(to + 4), tile[i + 1]);
            }
            f32x4_store(to, tile[i]);
            f32x4_store(to + 4, tile[i + 1]);
            to += stride;
        }
        if (!whole)
            copy_edge(edge, c + j, c_stride, rows < GEMM_ROWS ? rows : GEMM_ROWS, left, add);
        b += (size_t)depth * GEMM_COLUMNS;
    }
}

ATTN_SMALL void gemm_scaled(uint32_t m, uint32_t n, uint32_t k, float factor, gemm_matrix a,
                            gemm_matrix b, float *c, uint32_t c_stride_row, void *scratch) {
    const uint32_t most = run_length(k), all = BLOCK_FLOATS / most & ~(GEMM_COLUMNS - 1U);
    const uint32_t block = n < all ? (uint32_t)check_pad(n, GEMM_COLUMNS) : all;
    float *a_panel = check_allocate(&scratch, most, GEMM_PANEL_ROWS);
    float *b_panels = check_allocate(&scratch, most, block);
    for (uint32_t j = 0, columns; j < n; j += columns) {
        uint32_t start = 0;
        columns = n - j < block ? n - j : block;
        do { /* once where k = 0 */
            const uint32_t run = k - start < most ? k - start : most;
            const float *a_run = a.data + (size_t)start * a.stride_column;
            const float *b_run =
                b.data + (size_t)start * b.stride_row + (size_t)j * b.stride_column;
            gemm_pack(b_panels, GEMM_COLUMNS, b_run, columns, b.stride_column, run, b.stride_row,
                      1.0f);
            for (uint32_t i = 0; i < m; i += GEMM_PANEL_ROWS) {
                const uint32_t rows = m - i < GEMM_PANEL_ROWS ? m - i : GEMM_PANEL_ROWS;
                gemm_pack(a_panel, GEMM_PANEL_ROWS, a_run + (size_t)i * a.stride_row, rows,
                          a.stride_row, run, a.stride_column, factor);
                for (uint32_t r = 0; r < rows; r += GEMM_ROWS)
                    gemm_rows(a_panel + r, GEMM_PANEL_ROWS, b_panels, run, rows - r, columns,
                              start > 0, c + (size_t)(i + r) * c_stride_row + j, c_stride_row);
            }
            start += run;
        } while (start < k);
    }
}

ATTN_SMALL void gemm_linear(const float *x, const float *weight, const float *bias, uint32_t n,
                            uint32_t d_in, uint32_t d_out, float *y, uint32_t y_stride,
                            void *scratch) {
    gemm(n, d_out, d_in, (gemm_matrix){x, d_in, 1}, (gemm_matrix){weight, 1, d_in}, y, y_stride,
         scratch);
    for (uint32_t i = 0; bias != NULL && i < n; i++, y += y_stride)
        for (uint32_t j = 0; j < d_out; j++)
            y[j] += bias[j];
}
