#include "CPreview.h"

/* #embed is C23; clang accepts it in gnu2x too, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/preview.html"
};

static const unsigned char style[] = {
#embed "page/preview.css"
};

static const unsigned char script[] = {
#embed "page/preview.js"
};

struct cpreview_file cpreview_html(void) { return (struct cpreview_file){html, sizeof html}; }

struct cpreview_file cpreview_style(void) { return (struct cpreview_file){style, sizeof style}; }

struct cpreview_file cpreview_script(void) { return (struct cpreview_file){script, sizeof script}; }
