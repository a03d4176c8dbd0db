#ifndef PUSHHOST_CTEMPLATES_H
#define PUSHHOST_CTEMPLATES_H

#include <stddef.h>

/* A file of plugins/kits/templates, or a kit, byte for byte as it was when the program was built. */
struct ctemplates_file {
    /* The path in that folder; a kit has the folder of its language. */
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

const struct ctemplates_file *ctemplates_files(void);
size_t ctemplates_count(void);

#endif
