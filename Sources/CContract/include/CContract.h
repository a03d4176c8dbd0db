#ifndef PUSHHOST_CCONTRACT_H
#define PUSHHOST_CCONTRACT_H

#include <stddef.h>

/* A document of protocol/, byte for byte as it was when the program was built. */
struct ccontract_document {
    const unsigned char *bytes;
    size_t size;
};

struct ccontract_document ccontract_openrpc(void);
struct ccontract_document ccontract_extension_openrpc(void);
struct ccontract_document ccontract_destination_openrpc(void);
struct ccontract_document ccontract_personalization_openrpc(void);
struct ccontract_document ccontract_source_openrpc(void);
/* The pages that explain the findings of checks. */
struct ccontract_document ccontract_notifications_page(void);
struct ccontract_document ccontract_bundles_page(void);

#endif
