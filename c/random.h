/*
 * random.h: the generator under attn_random_uniform and attn_random_normal.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * 2011): a block cipher of ten rounds on a counter of four words, as in the authors' library
 * Random123. Here it runs on sets of four counters at once.
 */
#ifndef ATTN_RANDOM_H
#define ATTN_RANDOM_H

#include "f32x4.h"

/* From section 4.3 of the paper: two multipliers, and the increments of the two halves of the key
 * each round (golden ratio, sqrt 3 - 1). In memory for the reason that vmath.h gives. */
static const int32_t random_constants[4] = {(int32_t)0xD2511F53, (int32_t)0xCD9E8D57,
                                            (int32_t)0x9E3779B9, (int32_t)0xBB67AE85};

/* words[s][i] holds word i of the four counters of set s; in place. With one set the processor
 * waits for each product; two sets fill each other's gaps. */
ATTN_INLINE void random_philox(i32x4 words[][4], int sets, uint32_t key_low, uint32_t key_high) {
    const int32_t *constants = random_constants;
    __asm__("" : "+r"(constants));
    i32x4 low_key = i32x4_splat((int32_t)key_low), high_key = i32x4_splat((int32_t)key_high);
    for (int round = 0; round < 10; round++) {
        for (int s = 0; s < sets; s++) {
            i32x4 *w = words[s], low_0, high_0, low_1, high_1;
            u32x4_mul_wide(w[0], i32x4_load_splat(constants), &low_0, &high_0);
            u32x4_mul_wide(w[2], i32x4_load_splat(constants + 1), &low_1, &high_1);
            w[0] = i32x4_xor(i32x4_xor(high_1, w[1]), low_key);
            w[2] = i32x4_xor(i32x4_xor(high_0, w[3]), high_key);
            w[1] = low_1;
            w[3] = low_0;
        }
        low_key = i32x4_add(low_key, i32x4_load_splat(constants + 2));
        high_key = i32x4_add(high_key, i32x4_load_splat(constants + 3));
    }
}

#endif
