#ifndef PUSHHOST_CCONTRACT_H
#define PUSHHOST_CCONTRACT_H

#include <stddef.h>

/* The documents of protocol/, byte for byte as they were when the program was built. */
extern const unsigned char ccontract_openrpc[];
extern const size_t ccontract_openrpc_size;
extern const unsigned char ccontract_extension_openrpc[];
extern const size_t ccontract_extension_openrpc_size;

#endif
