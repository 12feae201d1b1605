/*
 * gemm_kernel.h: the register tile under every matrix product, and its panels.
 *
 * A tile is 4 x 8: four rows, two vectors of four columns, eight accumulators; with fused
 * multiply-add 6 x 8, twelve.
 *   - 8 accumulators + 2 vectors of b + 4 splats of a, which V8 before 13 loads at the
 *     beginning of a step, are 14 of the 15 registers that V8 gives out on x86, so no
 *     engine spills; 12 with 2 and 1 are all of them. The tile alone, depth 64, on a Xeon,
 *     in % of the peak of multiply and add (simd) and of fused multiply-add (relaxed):
 *
 *                      Node 20  Node 22  Node 24  Chromium 156  Firefox 153
 *       4 x 8 simd       101      102      103        111           106
 *       4 x 8 relaxed     88       90       86         88           101
 *       6 x 8 relaxed     66       62       98         94           110
 *
 *     Eight chains of an operation that takes four cycles only just fill two ports; 12
 *     accumulators fill them where all registers are used well (V8 from 13 on). Without
 *     fusion the product needs a sixteenth register, and something spills.
 *   - What tiles of six cannot take evenly are one or two tiles of four, so that 64 rows cost 64,
 *     and 8 rows 8 (n = 8, d = 512: .95 to 1.00 of the time).
 *   - One step of the sum an iteration. Unrolling by hand lets LLVM reorder loads, and V8 then
 *     spills (a factor of 2 to 3); V8 itself repeats a loop of less than 80 operations two to four
 *     times. Without fusion the offset into b is the only counter, and counts up to 0, and a step
 *     multiplies by one vector of b, then by the other: on a Zen 4 forward and gradient take .96 to
 *     .97 of the time with a counter, two pointers and products row by row in Node 26, .92 to .97
 *     in Node 20, .88 to .92 in Firefox. With fusion that order makes V8 spill (half the speed),
 *     and the offset costs Firefox 8 %.
 *   - Without fusion instructions and loads are the limit, six loads beside sixteen operations. On
 *     a Zen 5 a tile took 89 % of the peak in V8; the same step in assembler, four times an
 *     iteration, takes 94 to 96, with the rows' loads left out all of it. Tiles of five rows were
 *     .98 to 1.00 of the speed there, and spill before V8 13.
 *   - So where there are many, rows are packed for tiles, and a step of a finds them at fixed
 *     distances from one pointer. Along rows where they are it computes an address for each, and
 *     V8 does not repeat the loop (80 % of the peak of a Zen 4, packed 92); down columns where they
 *     are, lines 256 bytes apart share few sets of a cache of 32 kB (78 against 90). Forward takes
 *     .90 to .92 of the time, a gradient .95. Fused, on a Xeon: the tile 93 to 96 and 98 %, forward
 *     .95 to .97 of the time, with d = 1024 .81, a gradient .93 to .95; on a Zen 4
 *     forward 1.00 to 1.03, with d = 1024 .94.
 *
 * A panel holds a few rows (or columns) of a matrix, step after step of the sum:
 * [depth][width], width 8 for b; for a 4, a tile's, or 12, those of two tiles of six, because rows
 * are packed by squares of four. Packing fills up the last panel, so the tile knows no edges of b
 * and nothing is read past an end.
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
 * constant number of rows and b [depth][8]. Of a there may be fewer rows, `left` of them, at least
 * 1: the first takes the others' place. */
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

/* Rows that tiles compute for n rows: of six and four, any even number, save where in panels a tile
 * of four would lie in two of them. */
ATTN_INLINE uint32_t gemm_tile_rows(uint32_t n) {
    const uint32_t even = n + n % 2;
    return GEMM_ROWS == 4 ? (n + 3) & ~3U : even % GEMM_PANEL_ROWS == 2 ? even + 2 : even;
}

/* How many of these, the last ones, are for short tiles: as few as can be. */
ATTN_INLINE uint32_t gemm_short_rows(uint32_t rows) {
    return GEMM_ROWS == 4 ? 0 : GEMM_SHORT_ROWS * rows % GEMM_PANEL_ROWS;
}

/* Rows of all panels of a for n rows. */
ATTN_INLINE uint64_t gemm_panel_rows(uint64_t n) {
    return (n + GEMM_PANEL_ROWS - 1) / GEMM_PANEL_ROWS * GEMM_PANEL_ROWS;
}

/* Where row i, the first of a tile, begins in panels of a. */
ATTN_INLINE const float *gemm_panel_row(const float *panels, uint32_t depth, uint32_t i) {
    const size_t in_panel = i % GEMM_PANEL_ROWS;
    return panels + (i - in_panel) * depth + in_panel;
}

/* Packs lanes x depth numbers times factor into panels whose width is a multiple of 4:
 *   panels[lane / width][k][lane % width] = factor * source[lane * lane_stride + k * step_stride].
 * The lanes that the last panel has too many hold what others hold. */
void gemm_pack(float *panels, uint32_t width, const float *source, uint32_t lanes,
               size_t lane_stride, uint32_t depth, size_t step_stride, float factor);

/* c [rows][columns], rows c_stride apart, is a b, or has that added to it, for a [depth][rows],
 * a_step floats from step to step, and b [columns / 8][depth][8]. Of more than GEMM_ROWS rows only
 * so many are taken; of fewer, as many as a tile has are read. */
void gemm_rows(const float *a, size_t a_step, const float *b, uint32_t depth, uint32_t rows,
               uint32_t columns, int add, float *c, size_t c_stride);

#endif
