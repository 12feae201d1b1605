/*
 * adamw.c: the norm of a gradient, and a step of AdamW.
 */
#include "../f32x4.h"
#include "language.h"

#include <stddef.h>

ATTN_STAGE void attn_gradient_norm(const float *gradients, uint32_t count, double *norm) {
    double sum[4] = {0, 0, 0, 0};
    uint32_t i = 0;
    for (; count - i >= 4; i += 4)
        for (uint32_t k = 0; k < 4; k++)
            sum[k] += (double)gradients[i + k] * (double)gradients[i + k];
    for (; i < count; i++)
        sum[0] += (double)gradients[i] * (double)gradients[i];
    *norm = __builtin_sqrt((sum[0] + sum[2]) + (sum[1] + sum[3]));
}

/* Returns 1 - base^exponent, by squares. */
static ATTN_SMALL double less_power(double base, uint32_t exponent) {
    double power = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1)
            power *= base;
    return 1 - power;
}

/* The numbers of a step that are the same for all parameters. */
typedef struct {
    float factor;             /* of gradients, which clips them */
    float beta1, rest1;       /* rest = 1 - beta */
    float beta2, rest2, kept; /* kept of parameters, 1 - rate * decay */
    float step;               /* rate / (1 - beta1^t) */
    float correction;         /* 1 / sqrt(1 - beta2^t) */
    float epsilon;
} constants;

static ATTN_STAGE void move(const constants *c, const float *gradients, uint32_t count,
                            float *parameters, float *first, float *second) {
    for (uint32_t i = 0; i < count; i += 4) {
        const uint32_t left = count - i;
        const f32x4 g =
            f32x4_mul(f32x4_load_up_to(gradients + i, left, 0), f32x4_load_splat(&c->factor));
        const f32x4 m =
            f32x4_madd(f32x4_load_up_to(first + i, left, 0), f32x4_load_splat(&c->beta1),
                       f32x4_mul(g, f32x4_load_splat(&c->rest1)));
        const f32x4 v =
            f32x4_madd(f32x4_load_up_to(second + i, left, 0), f32x4_load_splat(&c->beta2),
                       f32x4_mul(f32x4_mul(g, g), f32x4_load_splat(&c->rest2)));
        const f32x4 root = f32x4_madd(f32x4_sqrt(v), f32x4_load_splat(&c->correction),
                                      f32x4_load_splat(&c->epsilon));
        const f32x4 change = f32x4_div(f32x4_mul(m, f32x4_load_splat(&c->step)), root);
        const f32x4 kept =
            f32x4_mul(f32x4_load_up_to(parameters + i, left, 0), f32x4_load_splat(&c->kept));
        f32x4_store_up_to(first + i, left, m);
        f32x4_store_up_to(second + i, left, v);
        f32x4_store_up_to(parameters + i, left, f32x4_sub(kept, change));
    }
}

ATTN_SMALL void attn_adamw_step(const attn_adamw *o, const float *gradients, double norm,
                                uint32_t count, float *parameters, float *first, float *second) {
    const double clip = (double)o->clip, less1 = less_power((double)o->beta1, o->step);
    const constants c = {
        .factor = clip > 0 && norm > clip ? (float)(clip / norm) : 1,
        .beta1 = o->beta1,
        .rest1 = 1 - o->beta1,
        .beta2 = o->beta2,
        .rest2 = 1 - o->beta2,
        .kept = (float)(1 - (double)o->rate * (double)o->decay),
        .step = (float)((double)o->rate / less1),
        .correction = (float)(1 / __builtin_sqrt(less_power((double)o->beta2, o->step))),
        .epsilon = o->epsilon,
    };
    move(&c, gradients, count, parameters, first, second);
}
