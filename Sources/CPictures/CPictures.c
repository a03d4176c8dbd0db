#include "CPictures.h"

/* #embed is C23; clang accepts it in gnu2x too, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "page/pictures.html"
};

const unsigned char *cpictures_page(void) { return page; }

size_t cpictures_size(void) { return sizeof page; }
