#ifndef PUSHHOST_CPICTURES_H
#define PUSHHOST_CPICTURES_H

#include <stddef.h>

/* Sources/CPictures/page/pictures.html, byte for byte as it was when the program was built. */
const unsigned char *cpictures_page(void);
size_t cpictures_size(void);

#endif
