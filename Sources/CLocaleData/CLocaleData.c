// The data of all languages (ICU) in a program that is linked statically, without any language in it.
//
// Only the libraries for the database and the preview's server import all of Foundation, whose static library has 31 MB
// of such data; no program here formats a date or a number for a language. ICU supports a program without data: a lookup
// fails as for an unknown language. The linker takes this symbol, and so leaves the library's out. Where Foundation is a
// shared library, it uses its own data.
//
// The layout is that of a "common data" file of ICU with no item. The number in the name is the release of ICU in the
// toolchain: with another one, the library's data is linked again, and CI reports the size.

#include <stdint.h>

struct empty_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t information_size, reserved_word;
    uint8_t is_big_endian, charset_family, size_of_char, reserved_byte;
    uint8_t data_format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t count, reserved;
    uint32_t entries[4];
};

_Alignas(16) const struct empty_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .information_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_char = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
