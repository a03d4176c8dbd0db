#include "CSystem.h"

/* For each byte: 0 if it stands for itself, what follows the backslash if it is escaped, or 1 if two bytes do not suffice.
   U+2028 and U+2029, at which some readers split lines, begin with E2 and need longer escapes. */
static const unsigned char marks[256] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 't', 1, 1, 1, 'r', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['"'] = '"', ['\\'] = '\\', [0xE2] = 1,
};

long csystem_quote(const unsigned char *text, size_t count, unsigned char *quoted, unsigned char *seen) {
    unsigned char all = 0;
    unsigned char *end = quoted;
    for (const unsigned char *next = text, *last = text + count; next < last; next++) {
        const unsigned char byte = *next, mark = marks[byte];
        all |= byte;
        if (mark == 0) {
            *end++ = byte;
            continue;
        }
        if (mark == 1) return -1;
        end[0] = '\\';
        end[1] = mark;
        end += 2;
    }
    *seen = all;
    return end - quoted;
}
