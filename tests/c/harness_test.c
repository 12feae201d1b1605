/* harness_test.c: the harness catches the mistakes that it is there to catch. */
#include "harness.h"

#include "oracle.h"

#include <signal.h>
#include <sys/wait.h>

/* Whether `act` on x ends in a fault, in a child process. */
static int faults(void (*act)(volatile float *), float *x) {
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        act(x);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void read_last(volatile float *x) { (void)x[6]; }
static void read_past(volatile float *x) { (void)x[7]; }
static void write_past(volatile float *x) { x[7] = 1; }

TEST("one float past the end of guarded memory faults, the last one does not") {
    float *x = guarded_floats(7);
    CHECK(!faults(read_last, x));
    CHECK(faults(read_past, x));
    CHECK(faults(write_past, x));
}

TEST("a write before guarded memory is noticed") {
    float *x = guarded_floats(7);
    const guarded_block *block = &guarded_blocks[guarded_count - 1];
    const float before = x[-1];
    CHECK(guard_is_whole(block));
    x[-1] = 0;
    CHECK(!guard_is_whole(block));
    x[-1] = before;
}

TEST("guarded memory keeps its alignment") {
    for (size_t bytes = 0; bytes < 130; bytes += 13)
        CHECK((uintptr_t)guarded_bytes(bytes, 64) % 64 == 0);
}

#ifdef HARNESS_READS_AS_NAN
TEST("guarded memory starts as NaN") {
    for (size_t count = 1; count < 33; count++)
        CHECK(isnan(guarded_floats(count)[count - 1]));
}
#endif

TEST("closeness treats NaN and infinities as numbers") {
    CHECK(is_close((double)NAN, (double)NAN, 0));
    CHECK(!is_close((double)NAN, 1, 1e9));
    CHECK(!is_close(1, (double)NAN, 1e9));
    CHECK(is_close(-(double)INFINITY, -(double)INFINITY, 0));
    CHECK(!is_close((double)INFINITY, 1, 1e9));
}

TEST("ulp errors are measured in float32 spacing at the exact value") {
    CHECK(ulp_error(1.0f, 1.0L) == 0.0);
    CHECK_CLOSE(ulp_error(0x1.000002p0f, 1.0L), 1.0, 0);
    CHECK_CLOSE(ulp_error(0x1p-149f, 0.0L), 1.0, 0);
    CHECK(ulp_error(INFINITY, 1e39L) == 0.0);
    CHECK(isinf(ulp_error(INFINITY, 1e30L)));
    CHECK(isinf(ulp_error(-INFINITY, 1e39L)));
    CHECK(isinf(ulp_error(1.0f, (long double)NAN)));
}

TEST("the oracle's softmax and its gradient agree with finite differences") {
    const double x[3] = {0.3, -1.2, 2.0}, d[3] = {1, -2, 0.5}, step = 1e-6;
    double w[3], up[3], dx[3];
    oracle_softmax(x, 3, w);
    oracle_softmax_backward(w, d, 3, 1, dx);
    for (int i = 0; i < 3; i++) {
        double moved[3] = {x[0], x[1], x[2]}, slope = 0;
        moved[i] += step;
        oracle_softmax(moved, 3, up);
        for (int j = 0; j < 3; j++)
            slope += d[j] * (up[j] - w[j]) / step;
        CHECK_CLOSE(dx[i], slope, 1e-5);
    }
}

TEST_MAIN
