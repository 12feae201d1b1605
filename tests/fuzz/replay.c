/*
 * replay.c: feeds a corpus to a fuzz target without a fuzzer. The corpus, from standard input,
 * has one input a line, in hexadecimal (corpus.js).
 */
#include "fuzz.h"

static unsigned nibble(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

int main(void) {
    char line[8192];
    unsigned inputs = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        const size_t size = strspn(line, "0123456789abcdef") / 2;
        uint8_t *data = malloc(size > 0 ? size : 1);
        if (data == NULL)
            return 2;
        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)(nibble(line[2 * i]) << 4 | nibble(line[2 * i + 1]));
        LLVMFuzzerTestOneInput(data, size);
        free(data);
        inputs++;
    }
    printf("%u inputs\n", inputs);
    return inputs == 0; /* a corpus that is missing has not passed */
}
