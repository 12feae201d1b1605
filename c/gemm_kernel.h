/*
 * gemm_kernel.h: the register tile under every matrix product, and the panels that it reads.
 *
 * A tile is 4 x 8: four rows of a, two vectors of b, eight accumulators. They reach 89 to 98 % of
 * the peak. With fused multiply-add a tile is 6 x 8, which is a tenth faster than 4 x 8 in Chromium
 * 156 and Node 26 on an Intel Xeon, and a quarter slower in Node 20, whose V8 spills.
 * A panel holds a few rows (or columns) of a matrix, step after step of the sum:
 * [depth][width]. Width is 8 for b; for a it is 4, a tile's rows, or 12, the rows of two tiles of
 * six, because rows are packed by squares of four. Packing fills up the last panel, so the tile
 * has no edges in b and reads nothing past an end. Rows that packed tiles of six cannot take
 * evenly are one or two tiles of four.
 * The loop takes one step of the sum an iteration: unrolled by hand, V8 spills (2 to 3 times
 * slower). Measurements, and why the loop is written as it is: tests/bench/NOTES.md.
 */
#ifndef ATTN_GEMM_KERNEL_H
#define ATTN_GEMM_KERNEL_H

#include "check.h"
#include "f32x4.h"

#include <stddef.h>

#define GEMM_ROWS (F32X4_FUSED ? 6 : 4)

enum {
    GEMM_COLUMNS = 8,
    GEMM_SHORT_ROWS = 4,
    GEMM_PANEL_ROWS = GEMM_ROWS == 4 ? 4 : 12 /* in a panel of a: whole tiles, whole vectors */
};

/* c[2 i + h] = sum over k of a[i a_row + k a_step] * b[k][4 h .. 4 h + 3], k in index order, for a
 * constant number of rows and b [depth][8]. If a has fewer rows, `left` >= 1, its first row takes
 * the place of missing ones. */
ATTN_INLINE void gemm_tile(uint32_t rows, uint32_t left, const float *a, size_t a_row,
                           size_t a_step, const float *b, uint32_t depth, f32x4 c[2 * GEMM_ROWS]) {
    size_t row[GEMM_ROWS];
    f32x4 sum[2 * GEMM_ROWS];
    for (uint32_t i = 0; i < rows; i++)
        row[i] = (i < left ? i : 0) * a_row;
    for (uint32_t i = 0; i < 2 * rows; i++)
        sum[i] = f32x4_splat(0);
#if F32X4_FUSED
    for (uint32_t k = 0; k < depth; k++) {
        const f32x4 low = f32x4_load(b), high = f32x4_load(b + 4);
        for (uint32_t i = 0; i < rows; i++) {
            const f32x4 factor = f32x4_load_splat(a + row[i]);
            sum[2 * i] = f32x4_madd(factor, low, sum[2 * i]);
            sum[2 * i + 1] = f32x4_madd(factor, high, sum[2 * i + 1]);
        }
        a += a_step;
        b += GEMM_COLUMNS;
    }
#else
    b += (size_t)depth * GEMM_COLUMNS;
    for (int32_t k = -(int32_t)(depth * GEMM_COLUMNS); k != 0; k += GEMM_COLUMNS) {
        const f32x4 low = f32x4_load(b + k), high = f32x4_load(b + k + 4);
        f32x4 factor[GEMM_ROWS];
        for (uint32_t i = 0; i < rows; i++) {
            factor[i] = f32x4_load_splat(a + row[i]);
            sum[2 * i] = f32x4_madd(factor[i], low, sum[2 * i]);
        }
        for (uint32_t i = 0; i < rows; i++)
            sum[2 * i + 1] = f32x4_madd(factor[i], high, sum[2 * i + 1]);
        a += a_step;
    }
#endif
    memcpy(c, sum, 2 * rows * sizeof *c);
}

/* Returns the rows that tiles compute for n rows. Tiles of six and four make any even number,
 * unless a tile of four would lie in two panels. */
ATTN_INLINE uint32_t gemm_tile_rows(uint32_t n) {
    const uint32_t even = n + n % 2;
    return GEMM_ROWS == 4 ? (n + 3) & ~3U : even % GEMM_PANEL_ROWS == 2 ? even + 2 : even;
}

/* Returns the number of these, the last ones, that go to short tiles: as few as possible. */
ATTN_INLINE uint32_t gemm_short_rows(uint32_t rows) {
    return GEMM_ROWS == 4 ? 0 : GEMM_SHORT_ROWS * rows % GEMM_PANEL_ROWS;
}

/* Returns the rows of all panels of a for n rows. */
ATTN_INLINE uint64_t gemm_panel_rows(uint64_t n) {
    return (n + GEMM_PANEL_ROWS - 1) / GEMM_PANEL_ROWS * GEMM_PANEL_ROWS;
}

/* Returns the place in panels of a where row i, the first of a tile, begins. */
ATTN_INLINE const float *gemm_panel_row(const float *panels, uint32_t depth, uint32_t i) {
    const size_t in_panel = i % GEMM_PANEL_ROWS;
    return panels + (i - in_panel) * depth + in_panel;
}

/* Packs lanes x depth numbers times factor into panels whose width is a multiple of 4:
 *   panels[lane / width][k][lane % width] = factor * source[lane * lane_stride + k * step_stride].
 * Lanes that the last panel has too many repeat others. */
void gemm_pack(float *panels, uint32_t width, const float *source, uint32_t lanes,
               size_t lane_stride, uint32_t depth, size_t step_stride, float factor);

/* Writes a b to c [rows][columns], rows c_stride apart, or adds it if `add`; a is [depth][rows],
 * a_step floats from step to step, b [columns / 8][depth][8]. Takes at most GEMM_ROWS rows; of
 * fewer it reads a whole tile. */
void gemm_rows(const float *a, size_t a_step, const float *b, uint32_t depth, uint32_t rows,
               uint32_t columns, int add, float *c, size_t c_stride);

#endif
