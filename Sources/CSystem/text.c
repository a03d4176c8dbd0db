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
            /* E2 also begins U+2028, at which some line readers split. */
            if (mark < 0x20 || mark == 0xE2) return -1;
            *end++ = '\\';
            *end++ = mark;
        }
    }
    *seen = all;
    return end - quoted;
}
