#ifndef PUSHHOST_CPREVIEW_H
#define PUSHHOST_CPREVIEW_H

#include <stddef.h>

/* A file of Sources/CPreview/page, byte for byte as it was when the program was built. */
struct cpreview_file {
    /* Its address below the token; that of the page is empty. */
    const char *name;
    const char *type;
    const unsigned char *bytes;
    size_t size;
};

/* The file of a name; NULL if the page has none. */
const struct cpreview_file *cpreview_file(const char *name);

#endif
