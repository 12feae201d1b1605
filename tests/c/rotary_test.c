/* rotary_test.c: rotary position embedding against the oracle. */
#include "harness.h"

#include "attn.h"
#include "oracle_numbers.h"

enum { N = 40 };

/* Turns of N positions and pairs of d columns within the bound of attn.h. */
static void check_turns(const double *positions, uint32_t d, double base) {
    float *turns = guarded_floats((size_t)N * d);
    double *exact = doubles((size_t)N * d);
    oracle_rotary_turns(positions, N, d, base, exact);
    CHECK(attn_rotary_turns(positions, N, d, base, turns) == ATTN_OK);
    for (size_t e = 0; e < (size_t)N * d; e++) {
        int exponent;
        frexp(exact[e], &exponent);
        const double angle = fmax(1, fabs(positions[e / d])); /* of the first pair, the largest */
        CHECK_CLOSE(turns[e], exact[e], 0.51 * ldexp(1, exponent - 24) + 0x1p-49 * angle);
    }
    free(exact);
    release_guarded();
}

TEST("turns are sines and cosines of float64 angles, at all positions and bases") {
    static const double bases[] = {1, 2, 500, 10000, 500000, 1e6, 1e300};
    uint64_t state = 1;
    double positions[N];
    for (int b = 0; b < 7; b++)
        for (uint32_t d = 2; d <= 130; d += 32)
            for (int kind = 0; kind < 3; kind++) {
                for (int i = 0; i < N; i++) {
                    const double size = exp2(30 * next_uniform(&state));
                    positions[i] = kind == 0 ? i : kind == 1 ? floor(size) : -size;
                }
                check_turns(positions, d, bases[b]);
            }
}

TEST("position 0 turns nothing, and the last position that is allowed is turned") {
    const double positions[4] = {0, -0.0, 0x1p30, -0x1p30};
    float turns[16];
    CHECK(attn_rotary_turns(positions, 4, 4, 10000, turns) == ATTN_OK);
    for (int e = 0; e < 8; e++)
        CHECK(turns[e] == (e % 2 == 0 ? 1 : 0));
    CHECK_CLOSE(turns[8], cos(0x1p30), 1e-6);
    CHECK_CLOSE(turns[13], -sin(0x1p30), 1e-6);
}

TEST("rows are turned by the definition in both pairings, and back") {
    for (uint32_t d = 0; d <= 34; d += 2)
        for (int kind = 0; kind < 4; kind++) {
            const attn_pairing pairing = (attn_pairing)(kind % 2);
            const size_t count = (size_t)3 * 5 * d;
            const float *x = guarded_normals(count, d, 1);
            float *turns = guarded_floats((size_t)5 * d), *y = guarded_floats(count);
            const double positions[5] = {0, 1, 5, 1000, -3};
            CHECK(attn_rotary_turns(positions, 5, d, 100, turns) == ATTN_OK);
            CHECK(attn_rotary_forward(x, turns, 3, 5, d, pairing, kind > 1, y) == ATTN_OK);
            for (size_t e = 0; e < count; e++)
                CHECK_CLOSE(y[e], oracle_rotary(x, turns, 5, d, pairing, kind > 1, e), 1e-6);
            CHECK(attn_rotary_forward(y, turns, 3, 5, d, pairing, kind <= 1, y) == ATTN_OK);
            for (size_t e = 0; e < count; e++)
                CHECK_CLOSE(y[e], x[e], 2e-6);
            release_guarded();
        }
}

TEST("impossible shapes and options are refused and nothing is written") {
    const double one[1] = {1}, far[1] = {0x1.1p30}, nowhere[1] = {(double)NAN};
    const float x[1] = {0};
    float y[1] = {5};
    CHECK(attn_rotary_turns(one, 1, 3, 10000, y) == ATTN_ERROR_SHAPE);
    CHECK(attn_rotary_turns(one, 1u << 16, 1u << 16, 10000, y) == ATTN_ERROR_CAPACITY);
    CHECK(attn_rotary_turns(one, 1, 2, 0.5, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_turns(one, 1, 2, 0x1p1001, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_turns(one, 1, 2, (double)NAN, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_turns(far, 1, 2, 10000, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_turns(nowhere, 1, 2, 10000, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_forward(x, x, 1, 1, 3, ATTN_PAIR_HALVES, 0, y) == ATTN_ERROR_SHAPE);
    CHECK(attn_rotary_forward(x, x, 1, 1, 2, (attn_pairing)2, 0, y) == ATTN_ERROR_OPTION);
    CHECK(attn_rotary_forward(x, x, 1u << 16, 1u << 8, 1u << 8, ATTN_PAIR_HALVES, 0, y) ==
          ATTN_ERROR_CAPACITY);
    CHECK(y[0] == 5);
}

TEST_MAIN
