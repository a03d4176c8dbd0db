#include "CSystem.h"

long csystem_quote(const unsigned char *text, size_t count, unsigned char *quoted, unsigned char *seen) {
    unsigned char all = 0;
    unsigned char *end = quoted;
    for (const unsigned char *next = text; next < text + count; next++) {
        unsigned char byte = *next;
        all |= byte;
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0xE2) {
            *end++ = byte;
        } else {
            unsigned char mark = byte == '\t' ? 't' : byte == '\r' ? 'r' : byte;
            /* U+2028 and U+2029, at which some readers split lines, begin with E2 and need longer escapes. */
            if (mark < 0x20 || mark == 0xE2) return -1;
            *end++ = '\\';
            *end++ = mark;
        }
    }
    *seen = all;
    return end - quoted;
}
