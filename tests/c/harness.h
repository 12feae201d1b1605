/*
 * harness.h: checks, guarded memory and random input for the native tests.
 *
 *   TEST("a row of equal numbers has equal weights") {
 *       float *x = guarded_floats(5);
 *       ...
 *       CHECK(status == ATTN_OK);
 *       CHECK_CLOSE(weights[0], 0.2, 1e-7);
 *   }
 *   TEST_MAIN
 *
 * Tests register themselves and run in the order of the file. Memory from the
 * guarded_ functions ends where an unmapped page begins, so touching one float
 * past the end is a fault; 64 bytes before it are checked when the test ends,
 * and then it is released. The program prints `N passed, N failed` and exits
 * with 1 if any failed. A first argument of `exhaustive` sets `exhaustive`.
 */
#ifndef ATTN_TEST_HARNESS_H
#define ATTN_TEST_HARNESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif

/* Under a tool that watches for it, guarded memory counts as never written. */
#if defined(HARNESS_MSAN)
#include <sanitizer/msan_interface.h>
#define HARNESS_FORGET(memory, bytes) __msan_allocated_memory(memory, bytes)
#elif defined(HARNESS_VALGRIND)
#include <valgrind/memcheck.h>
#define HARNESS_FORGET(memory, bytes) ((void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes))
#else
#define HARNESS_FORGET(memory, bytes) ((void)0)
#define HARNESS_READS_AS_NAN
#endif

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HARNESS_STATIC static __attribute__((unused))

/* ---- checks ------------------------------------------------------------- */

enum { MESSAGES_PER_TEST = 10 };

static int exhaustive;
static unsigned failed_checks; /* in the test that runs */

HARNESS_STATIC __attribute__((format(printf, 3, 4))) void check_failed(const char *file, int line,
                                                                       const char *format, ...) {
    failed_checks++;
    if (failed_checks > MESSAGES_PER_TEST)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("    %s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

/* Within tolerance; infinities equal, NaN with NaN. */
HARNESS_STATIC int is_close(double actual, double expected, double tolerance) {
    if (isnan(expected) || isnan(actual))
        return isnan(expected) && isnan(actual);
    return actual == expected || fabs(actual - expected) <= tolerance;
}

HARNESS_STATIC void check_close(const char *file, int line, const char *what, double actual,
                                double expected, double tolerance) {
    if (!is_close(actual, expected, tolerance))
        check_failed(file, line, "%s is %.9g, expected %.9g within %.3g", what, actual, expected,
                     tolerance);
}

HARNESS_STATIC void check_all_close(const char *file, int line, const char *what,
                                    const float *actual, const double *expected, size_t count,
                                    double tolerance) {
    for (size_t i = 0; i < count; i++)
        if (!is_close((double)actual[i], expected[i], tolerance)) {
            check_failed(file, line, "%s[%zu] is %.9g, expected %.9g within %.3g", what, i,
                         (double)actual[i], expected[i], tolerance);
            return;
        }
}

/* Equal bits, except that any NaN equals any other. */
HARNESS_STATIC void check_same_floats(const char *file, int line, const char *what,
                                      const float *actual, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (memcmp(actual + i, expected + i, sizeof *actual) != 0 &&
            !(isnan(actual[i]) && isnan(expected[i]))) {
            check_failed(file, line, "%s[%zu] is %a, expected exactly %a", what, i,
                         (double)actual[i], (double)expected[i]);
            return;
        }
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            check_failed(__FILE__, __LINE__, "%s", #condition);                                    \
    } while (0)
#define CHECK_CLOSE(actual, expected, tolerance)                                                   \
    check_close(__FILE__, __LINE__, #actual, (double)(actual), (double)(expected), tolerance)
/* float actual[count] against double expected[count]. */
#define CHECK_ALL_CLOSE(actual, expected, count, tolerance)                                        \
    check_all_close(__FILE__, __LINE__, #actual, actual, expected, count, tolerance)
/* float arrays, bit for bit. */
#define CHECK_SAME_FLOATS(actual, expected, count)                                                 \
    check_same_floats(__FILE__, __LINE__, #actual, actual, expected, count)

/* |actual - exact| in units of the spacing of float32 at exact; subnormals have
 * the spacing 2^-149. 0 for equal infinities and for NaN with NaN. */
HARNESS_STATIC double ulp_error(float actual, long double exact) {
    if (isnan(exact) || isnan(actual))
        return isnan(exact) && isnan(actual) ? 0.0 : (double)INFINITY;
    if (isinf(actual)) /* right when exact rounds to infinity */
        return isinf((float)exact) && signbit(actual) == signbit(exact) ? 0.0 : (double)INFINITY;
    int exponent;
    frexpl(exact, &exponent);
    if (exact == 0.0L || exponent < -125)
        exponent = -125;
    return (double)fabsl(ldexpl((long double)actual - exact, 24 - exponent));
}

/* ---- guarded memory ------------------------------------------------------- */

enum { GUARD_BEFORE = 64, GUARDED_MAX = 4096, SPARE_PAGES = 16 };
static const unsigned char guard_byte = 0xA5;

/* Mappings of few pages that earlier tests released, by their number of readable pages; each begins
 * with the address of the next. To unmap and map 180 000 blocks took half of a test's time. */
static unsigned char *spare_maps[SPARE_PAGES];

/* Returns memory of `pages` pages before an unmapped one. */
HARNESS_STATIC unsigned char *map_guarded(size_t pages, size_t page) {
    if (pages < SPARE_PAGES && spare_maps[pages] != NULL) {
        unsigned char *map = spare_maps[pages];
        memcpy(&spare_maps[pages], map, sizeof spare_maps[pages]);
        return map;
    }
    unsigned char *map =
        mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map + pages * page, page, PROT_NONE) != 0) {
        printf("no guarded memory left\n");
        exit(2);
    }
    return map;
}

HARNESS_STATIC void unmap_guarded(unsigned char *map, size_t pages, size_t page) {
    if (pages >= SPARE_PAGES) {
        munmap(map, (pages + 1) * page);
        return;
    }
    memcpy(map, &spare_maps[pages], sizeof spare_maps[pages]);
    spare_maps[pages] = map;
}

typedef struct {
    unsigned char *map, *start, *end; /* start..end is the caller's */
    size_t mapped;
} guarded_block;

static guarded_block guarded_blocks[GUARDED_MAX];
static size_t guarded_count;

/* `bytes` of memory, aligned, whose end is at most alignment - 1 bytes before an
 * unmapped page; filled with bytes that read as NaN. Lives until the test ends. */
HARNESS_STATIC void *guarded_bytes(size_t bytes, size_t alignment) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t readable = (bytes + alignment + GUARD_BEFORE + page - 1) / page * page;
    if (guarded_count == GUARDED_MAX) {
        printf("more than %d guarded blocks\n", GUARDED_MAX);
        exit(2);
    }
    unsigned char *map = map_guarded(readable / page, page);
    unsigned char *start = map + (readable - bytes) / alignment * alignment;
    memset(map, guard_byte, readable);
    memset(start, 0xFF, bytes);
    HARNESS_FORGET(start, bytes);
    guarded_blocks[guarded_count++] = (guarded_block){map, start, start + bytes, readable + page};
    return start;
}

/* count floats, the last one against the unmapped page. */
HARNESS_STATIC float *guarded_floats(size_t count) {
    return guarded_bytes(count * sizeof(float), sizeof(float));
}

HARNESS_STATIC int guard_is_whole(const guarded_block *block) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (const unsigned char *p = block->start - GUARD_BEFORE; p < block->start; p++)
        if (*p != guard_byte)
            return 0;
    for (const unsigned char *p = block->end; p < block->map + block->mapped - page; p++)
        if (*p != guard_byte)
            return 0;
    return 1;
}

HARNESS_STATIC void release_guarded(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    while (guarded_count > 0) {
        const guarded_block *block = &guarded_blocks[--guarded_count];
        if (!guard_is_whole(block))
            check_failed(__FILE__, __LINE__, "memory around a block of %td bytes was overwritten",
                         block->end - block->start);
        unmap_guarded(block->map, block->mapped / page - 1, page);
    }
}

/* ---- input ---------------------------------------------------------------- */

/* splitmix64 (Steele, Lea & Flood, 2014): independent of the library under test. */
HARNESS_STATIC uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform on (0, 1). */
HARNESS_STATIC double next_uniform(uint64_t *state) {
    return ((double)(next_random(state) >> 12) + 0.5) * 0x1p-52;
}

HARNESS_STATIC void fill_normal(float *x, size_t count, uint64_t seed, double deviation) {
    for (size_t i = 0; i < count; i++) {
        const double radius = sqrt(-2.0 * log(next_uniform(&seed)));
        x[i] = (float)(deviation * radius * cos(6.283185307179586 * next_uniform(&seed)));
    }
}

/* count normal numbers in guarded memory. */
HARNESS_STATIC float *guarded_normals(size_t count, uint64_t seed, double deviation) {
    float *x = guarded_floats(count);
    fill_normal(x, count, seed, deviation);
    return x;
}

/* Floats that are all x. */
HARNESS_STATIC float *guarded_equal(size_t count, float x) {
    float *floats = guarded_floats(count);
    for (size_t i = 0; i < count; i++)
        floats[i] = x;
    return floats;
}

/* ---- running ---------------------------------------------------------------- */

typedef struct {
    const char *title;
    void (*run)(void);
} test_case;

enum { TESTS_MAX = 256 };
static test_case test_cases[TESTS_MAX];
static unsigned test_count;

HARNESS_STATIC void add_test(const char *title, void (*run)(void)) {
    if (test_count == TESTS_MAX)
        abort();
    test_cases[test_count++] = (test_case){title, run};
}

#define HARNESS_JOIN_(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN_(a, b)
#define HARNESS_TEST(title, run, add)                                                              \
    static void run(void);                                                                         \
    static __attribute__((constructor)) void add(void) { add_test(title, run); }                   \
    static void run(void)
#define TEST(title) HARNESS_TEST(title, HARNESS_JOIN(run_, __LINE__), HARNESS_JOIN(add_, __LINE__))

HARNESS_STATIC int run_tests(int argc, char **argv) {
    unsigned failed = 0;
    exhaustive = argc > 1 && strcmp(argv[1], "exhaustive") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (unsigned i = 0; i < test_count; i++) {
        failed_checks = 0;
        test_cases[i].run();
        release_guarded();
        if (failed_checks > 0) {
            failed++;
            printf("  FAILED (%u checks): %s\n", failed_checks, test_cases[i].title);
        }
    }
    printf("%u passed, %u failed\n", test_count - failed, failed);
    return failed > 0;
}

#define TEST_MAIN                                                                                  \
    int main(int argc, char **argv) { return run_tests(argc, argv); }

#endif
