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
 *   - What is left of rows after whole tiles of six, if at most four, is a tile of four, so
 *     that 64 rows cost 64.
 *   - One step of the sum an iteration, from two pointers that move. Unrolling by hand lets LLVM
 *     reorder loads, and V8 then spills (a factor of 2 to 3); V8 unrolls the one-step loop by
 *     itself. An index times the step in place of the pointer is 7 to 13 % slower.
 *   - a is read by splat loads, which cost no more than plain ones, and where it is, along its
 *     rows or down its columns: finding the rows takes as long as reading a panel (within 1 %).
 *
 * A panel holds a few rows (or columns) of a matrix, step after step of the sum:
 * [depth][width], width GEMM_ROWS for a and 8 for b. Packing pads the last panel with
 * zeros, as far as its tile reads, so the tile knows no edges and nothing is read past an end.
 */
#ifndef ATTN_GEMM_KERNEL_H
#define ATTN_GEMM_KERNEL_H

#include "check.h"
#include "f32x4.h"

#include <stddef.h>

#define GEMM_ROWS (F32X4_FUSED ? 6 : 4)

enum { GEMM_COLUMNS = 8, GEMM_SHORT_ROWS = 4 };

/* c[2 i + h] = sum over k of a[row[i] + k a_step] * b[k][4 h .. 4 h + 3], k in index order, for a
 * constant number of rows, anywhere beside one another, and b [depth][8]. */
ATTN_INLINE void gemm_tile_of_rows(uint32_t rows, const float *a, const size_t *row, size_t a_step,
                                   const float *b, uint32_t depth, f32x4 *c) {
    f32x4 sum[2 * GEMM_ROWS];
    for (uint32_t i = 0; i < 2 * rows; i++)
        sum[i] = f32x4_splat(0);
    for (uint32_t k = 0; k < depth; k++) {
        const f32x4 left = f32x4_load(b), right = f32x4_load(b + 4);
        for (uint32_t i = 0; i < rows; i++) {
            const f32x4 factor = f32x4_load_splat(a + row[i]);
            sum[2 * i] = f32x4_madd(factor, left, sum[2 * i]);
            sum[2 * i + 1] = f32x4_madd(factor, right, sum[2 * i + 1]);
        }
        a += a_step;
        b += GEMM_COLUMNS;
    }
    memcpy(c, sum, 2 * rows * sizeof *c);
}

/* The same for rows a_row floats apart. */
ATTN_INLINE void gemm_tile(uint32_t rows, const float *a, size_t a_row, size_t a_step,
                           const float *b, uint32_t depth, f32x4 c[2 * GEMM_ROWS]) {
    size_t row[GEMM_ROWS];
    for (uint32_t i = 0; i < rows; i++)
        row[i] = i * a_row;
    gemm_tile_of_rows(rows, a, row, a_step, b, depth, c);
}

/* Four numbers of each of two lanes of a panel, transposed. */
ATTN_INLINE void gemm_store_pairs(float *panel, f32x4 first, f32x4 second) {
    const f32x4 low = F32X4_SHUFFLE(first, second, 0, 4, 1, 5);
    const f32x4 high = F32X4_SHUFFLE(first, second, 2, 6, 3, 7);
    f32x4_store_first_pair(panel, low);
    f32x4_store_last_pair(panel + GEMM_ROWS, low);
    f32x4_store_first_pair(panel + (size_t)2 * GEMM_ROWS, high);
    f32x4_store_last_pair(panel + (size_t)3 * GEMM_ROWS, high);
}

/* n rounded up to whole tiles. */
ATTN_INLINE uint64_t gemm_whole_rows(uint64_t n) {
    return GEMM_ROWS == 4 ? check_round_up(n, 4) : (n + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS;
}

/* How many of n rows are left for a short tile at the end: 0 to 4. */
ATTN_INLINE uint32_t gemm_short_rows(uint32_t n) {
    const uint32_t last = n % GEMM_ROWS;
    return GEMM_ROWS > GEMM_SHORT_ROWS && last <= GEMM_SHORT_ROWS ? last : 0;
}

/* Rows of the last of whole tiles that a short one does without. */
ATTN_INLINE uint32_t gemm_spare_rows(uint32_t n) {
    return gemm_short_rows(n) > 0 ? GEMM_ROWS - GEMM_SHORT_ROWS : 0;
}

/* Rows that tiles compute for n rows. */
ATTN_INLINE uint32_t gemm_tile_rows(uint32_t n) {
    return (uint32_t)gemm_whole_rows(n) - gemm_spare_rows(n);
}

/* Rows of the next tile where `left` rows, at least 1, are left. */
ATTN_INLINE uint32_t gemm_height(uint32_t left) {
    return left <= GEMM_SHORT_ROWS ? GEMM_SHORT_ROWS : GEMM_ROWS;
}

/* Packs lanes x depth numbers times factor into panels of width GEMM_ROWS or a multiple of 4:
 *   panels[lane / width][k][lane % width] = factor * source[lane * lane_stride + k * step_stride],
 * 0 for the lanes that the last panel has too many; a short one's fifth and sixth are not written.
 */
void gemm_pack(float *panels, uint32_t width, const float *source, uint32_t lanes,
               size_t lane_stride, uint32_t depth, size_t step_stride, float factor);

/* c [rows][columns], at most GEMM_ROWS rows c_stride apart, is a b, or has that added to it, for
 * a [rows of the tile][depth], a_row and a_step floats apart, and b [columns / 8][depth][8]. */
void gemm_rows(const float *a, size_t a_row, size_t a_step, const float *b, uint32_t depth,
               uint32_t rows, uint32_t columns, int add, float *c, size_t c_stride);

#endif
