/* random_test.c: c/random.c against published vectors and the distributions themselves. */
#include "harness.h"

#include "attn.h"
#include "oracle_numbers.h"
#include "random.h"

/* ---- the generator ------------------------------------------------------------ */

static void philox_once(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4]) {
    i32x4 words[1][4];
    for (int i = 0; i < 4; i++)
        words[0][i] = i32x4_splat((int32_t)counter[i]);
    random_philox(words, 1, key[0], key[1]);
    for (int i = 0; i < 4; i++) {
        int32_t lanes[4];
        i32x4_store(lanes, words[0][i]);
        result[i] = (uint32_t)lanes[2];
    }
}

TEST("Philox4x32-10 gives the known answers of Random123") {
    static const uint32_t known[3][10] = {
        /* counter, key, result: kat_vectors of Random123 */
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t result[4];
        philox_once(known[i], known[i] + 4, result);
        CHECK(memcmp(result, known[i] + 6, sizeof result) == 0);
        oracle_philox(known[i], known[i] + 4, result);
        CHECK(memcmp(result, known[i] + 6, sizeof result) == 0);
    }
}

TEST("wide products are those of 64-bit integers, with all carries") {
    static const uint32_t edge[6] = {0, 1, 0xffff, 0x10000, 0xffff0001, 0xffffffff};
    uint64_t state = 7;
    for (int i = 0; i < 1000; i++) {
        const uint32_t a = i < 36 ? edge[i / 6] : (uint32_t)next_random(&state);
        const uint32_t b = i < 36 ? edge[i % 6] : (uint32_t)next_random(&state);
        i32x4 low, high;
        u32x4_mul_wide(i32x4_splat((int32_t)a), i32x4_splat((int32_t)b), &low, &high);
        int32_t l[4], h[4];
        i32x4_store(l, low);
        i32x4_store(h, high);
        const uint64_t product = (uint64_t)a * b;
        CHECK((uint32_t)l[1] == (uint32_t)product);
        CHECK((uint32_t)h[3] == product >> 32);
    }
}

TEST("number i is word i % 4 of block i / 4, its key the seed, its upper counter the stream") {
    float *x = guarded_floats(50);
    attn_random_uniform(11, 22, 33, 44, 50, 0.0f, 1.0f, x);
    const uint32_t source[4] = {11, 22, 33, 44};
    for (uint32_t i = 0; i < 50; i++)
        CHECK((double)x[i] == oracle_uniform(source, i));
}

/* ---- prefixes ------------------------------------------------------------------- */

TEST("the first numbers do not depend on the count") {
    float *all_normal = guarded_floats(70), *all_uniform = guarded_floats(70);
    attn_random_normal(1, 2, 3, 4, 70, 0.5f, 2.0f, all_normal);
    attn_random_uniform(1, 2, 3, 4, 70, -1.0f, 2.0f, all_uniform);
    for (uint32_t n = 0; n < 70; n++) {
        float *x = guarded_floats(n);
        attn_random_normal(1, 2, 3, 4, n, 0.5f, 2.0f, x);
        CHECK_SAME_FLOATS(x, all_normal, n);
        attn_random_uniform(1, 2, 3, 4, n, -1.0f, 2.0f, x);
        CHECK_SAME_FLOATS(x, all_uniform, n);
    }
}

TEST("another seed or stream gives other numbers") {
    static const uint32_t sources[5][4] = {
        {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    float x[5][8];
    for (int i = 0; i < 5; i++) {
        const uint32_t *s = sources[i];
        attn_random_normal(s[0], s[1], s[2], s[3], 8, 0.0f, 1.0f, x[i]);
        for (int j = 0; j < i; j++)
            for (int k = 0; k < 8; k++)
                CHECK(x[i][k] != x[j][k]);
    }
}

/* ---- uniform ---------------------------------------------------------------------- */

TEST("uniform numbers stay in [low, high), however wide or narrow it is") {
    static const float range[][2] = {{0.0f, 1.0f},
                                     {-1.0f, 1.0f},
                                     {1.0f, 0x1.000002p0f},
                                     {0x1p24f, 0x1.000002p24f},
                                     {-0x1.fffffep127f, 0x1.fffffep127f},
                                     {-0x1p-149f, 0.0f},
                                     {0.0f, 0x1p-149f},
                                     {-3.0f, -1.0f},
                                     {0x1p20f, 0x1.00001p20f},    /* 8 numbers; rounding reaches */
                                     {-0x1.00001p20f, -0x1p20f}}; /* the end in one of 16 */
    enum { N = 10000 };
    float *x = guarded_floats(N);
    for (size_t r = 0; r < sizeof range / sizeof *range; r++) {
        attn_random_uniform(5, 0, (uint32_t)r, 0, N, range[r][0], range[r][1], x);
        int outside = 0;
        for (int i = 0; i < N; i++)
            outside += !(x[i] >= range[r][0] && x[i] < range[r][1]);
        CHECK(outside == 0);
    }
}

TEST("an empty range gives its lower end") {
    float x[5];
    attn_random_uniform(5, 0, 0, 0, 5, 2.0f, 2.0f, x);
    for (int i = 0; i < 5; i++)
        CHECK(x[i] == 2.0f);
}

static int ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) times the largest distance between the distributions (Kolmogorov,
 * Smirnov): above 1.95 in one of a thousand samples. */
static double kolmogorov(float *x, size_t n, double (*distribution)(double)) {
    double distance = 0;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; i++) {
        const double p = distribution((double)x[i]);
        distance = fmax(distance, fabs(p - (double)i / (double)n));
        distance = fmax(distance, fabs(p - (double)(i + 1) / (double)n));
    }
    return distance * sqrt((double)n);
}

static double uniform_distribution(double x) { return x; }
static double normal_distribution(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }

enum { SAMPLE = 1000000 };

TEST("uniform numbers are uniform") {
    float *x = guarded_floats(SAMPLE);
    attn_random_uniform(2024, 0, 0, 0, SAMPLE, 0.0f, 1.0f, x);
    CHECK(kolmogorov(x, SAMPLE, uniform_distribution) < 1.95);
}

/* ---- normal ------------------------------------------------------------------------- */

TEST("normal numbers follow the normal distribution, tails included") {
    float *x = guarded_floats(SAMPLE);
    attn_random_normal(7, 0, 0, 0, SAMPLE, 0.0f, 1.0f, x);
    CHECK(kolmogorov(x, SAMPLE, normal_distribution) < 1.95);
    for (double threshold = 3.0; threshold < 4.6; threshold += 0.5) {
        double beyond = 0;
        for (int i = 0; i < SAMPLE; i++)
            beyond += fabs((double)x[i]) > threshold;
        const double expected = SAMPLE * erfc(threshold * 0.7071067811865476);
        CHECK_CLOSE(beyond, expected, 4 * sqrt(expected));
    }
}

TEST("a normal number is the Box-Muller transform of its two words") {
    float *x = guarded_floats(64);
    attn_random_normal(3, 1, 4, 1, 64, 10.0f, 3.0f, x);
    const uint32_t source[4] = {3, 1, 4, 1};
    for (uint32_t i = 0; i < 64; i++)
        CHECK_CLOSE(x[i], 10 + 3 * oracle_normal(source, i), 1e-5);
}

TEST("mean and deviation scale the standard numbers") {
    float *standard = guarded_floats(33), *x = guarded_floats(33);
    attn_random_normal(8, 0, 0, 0, 33, 0.0f, 1.0f, standard);
    attn_random_normal(8, 0, 0, 0, 33, -4.0f, 0.25f, x);
    for (int i = 0; i < 33; i++)
        CHECK(x[i] == standard[i] * 0.25f + -4.0f);
    attn_random_normal(8, 0, 0, 0, 33, 2.0f, 0.0f, x);
    for (int i = 0; i < 33; i++)
        CHECK(x[i] == 2.0f);
}

TEST_MAIN
