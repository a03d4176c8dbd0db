#ifndef PUSHHOST_CPREVIEW_H
#define PUSHHOST_CPREVIEW_H

#include <stddef.h>

/* A file of Sources/CPreview/page, byte for byte as it was when the program was built. */
struct cpreview_file {
    const unsigned char *bytes;
    size_t size;
};

struct cpreview_file cpreview_html(void);
struct cpreview_file cpreview_style(void);
struct cpreview_file cpreview_script(void);

#endif
