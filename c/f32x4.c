/* f32x4.c: vectors at the end of an array. */
#include "f32x4.h"

/* Not by way of an array: a wide load behind narrow stores to the same place stalls. */
ATTN_SMALL f32x4 f32x4_load_part(const float *p, uint32_t count, float rest) {
    const float second = count > 1 ? p[1] : rest, third = count > 2 ? p[2] : rest;
    return f32x4_make(p[0], second, third, rest);
}

ATTN_SMALL void f32x4_store_part(float *p, uint32_t count, f32x4 a) {
    p[0] = F32X4_LANE(a, 0);
    if (count > 1)
        p[1] = F32X4_LANE(a, 1);
    if (count > 2)
        p[2] = F32X4_LANE(a, 2);
}
