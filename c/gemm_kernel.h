/*
 * gemm_kernel.h: the register tile under every matrix product, and its panels.
 *
 * A tile is 4 x 8: four rows, two vectors of four columns, eight accumulators.
 *   - 8 accumulators + 2 vectors of b + 4 splats of a, which V8 before 13 loads at the
 *     beginning of a step, are 14 of the 15 registers that V8 gives out on x86, so no
 *     engine spills. The tile alone, depth 64, on a Xeon, in % of the peak of multiply
 *     and add (simd) and of fused multiply-add (relaxed):
 *
 *                      Node 20  Node 22  Node 24  Chromium 156  Firefox 153
 *       4 x 8 simd       101      102      103        111           106
 *       4 x 8 relaxed     88       90       86         88           101
 *       6 x 8 relaxed     66       62       98         94           110
 *
 *     Eight chains of an operation that takes four cycles only just fill two ports:
 *     12 accumulators are better where all registers are used well (V8 from 13 on), and slower
 *     than without fusion where they spill.
 *   - One step of the sum an iteration, loads at constant offsets from two
 *     pointers. Unrolling by hand lets LLVM reorder loads, and V8 then spills (a
 *     factor of 2 to 3); V8 unrolls the one-step loop by itself.
 *   - a is read by splat loads, which cost no more than plain ones.
 *
 * A panel holds a few rows (or columns) of a matrix, step after step of the sum:
 * [depth][width], width 4 for a and 8 for b. Packing pads the last panel with
 * zeros, so the kernel knows no edges and nothing is read past an end.
 */
#ifndef ATTN_GEMM_KERNEL_H
#define ATTN_GEMM_KERNEL_H

#include "f32x4.h"

#include <stddef.h>

enum { GEMM_ROWS = 4, GEMM_COLUMNS = 8 };

/* c[2 i + h] = sum over k of a[k][i] * b[k][4 h .. 4 h + 3], k in index order, for
 * a [depth][4], consecutive steps a_step floats apart, and b [depth][8]. */
ATTN_INLINE void gemm_tile(const float *a, size_t a_step, const float *b, uint32_t depth,
                           f32x4 c[8]) {
    f32x4 c0 = f32x4_splat(0), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0, c6 = c0, c7 = c0;
    for (uint32_t k = 0; k < depth; k++) {
        const f32x4 left = f32x4_load(b), right = f32x4_load(b + 4);
        const f32x4 a0 = f32x4_load_splat(a);
        c0 = f32x4_madd(a0, left, c0);
        c1 = f32x4_madd(a0, right, c1);
        const f32x4 a1 = f32x4_load_splat(a + 1);
        c2 = f32x4_madd(a1, left, c2);
        c3 = f32x4_madd(a1, right, c3);
        const f32x4 a2 = f32x4_load_splat(a + 2);
        c4 = f32x4_madd(a2, left, c4);
        c5 = f32x4_madd(a2, right, c5);
        const f32x4 a3 = f32x4_load_splat(a + 3);
        c6 = f32x4_madd(a3, left, c6);
        c7 = f32x4_madd(a3, right, c7);
        a += a_step;
        b += GEMM_COLUMNS;
    }
    c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3;
    c[4] = c4, c[5] = c5, c[6] = c6, c[7] = c7;
}

/* Packs lanes x depth numbers times factor into panels of width 4 or 8:
 *   panels[lane / width][k][lane % width] = factor * source[lane * lane_stride + k * step_stride],
 * 0 for the lanes that the last panel has too many. */
void gemm_pack(float *panels, uint32_t width, const float *source, uint32_t lanes,
               size_t lane_stride, uint32_t depth, size_t step_stride, float factor);

/* Copies those rows and columns of a whole tile that belong to c; strides of rows. */
void gemm_copy_edge(const float *tile, size_t tile_stride, float *c, size_t c_stride, uint32_t rows,
                    uint32_t columns);

/* c [rows][columns], at most 4 rows c_stride apart, is a^T b, or has that added to it, for
 * a [depth][4] with steps a_step apart and b [columns / 8][depth][8]. */
void gemm_rows(const float *a, size_t a_step, const float *b, uint32_t depth, uint32_t rows,
               uint32_t columns, int add, float *c, size_t c_stride);

#endif
