#include "CContract.h"

/* #embed is C23; clang accepts it in gnu2x too, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openrpc[] = {
#embed "../../protocol/openrpc.json"
};

static const unsigned char destination_openrpc[] = {
#embed "../../protocol/destination.openrpc.json"
};

static const unsigned char extension_openrpc[] = {
#embed "../../protocol/extension.openrpc.json"
};

static const unsigned char personalization_openrpc[] = {
#embed "../../protocol/personalization.openrpc.json"
};

static const unsigned char source_openrpc[] = {
#embed "../../protocol/source.openrpc.json"
};

static const unsigned char notifications_page[] = {
#embed "../../protocol/reference/notifications.md"
};

static const unsigned char bundles_page[] = {
#embed "../../protocol/reference/bundles.md"
};

struct ccontract_document ccontract_notifications_page(void) {
    return (struct ccontract_document){notifications_page, sizeof notifications_page};
}

struct ccontract_document ccontract_bundles_page(void) {
    return (struct ccontract_document){bundles_page, sizeof bundles_page};
}

struct ccontract_document ccontract_openrpc(void) {
    return (struct ccontract_document){openrpc, sizeof openrpc};
}

struct ccontract_document ccontract_extension_openrpc(void) {
    return (struct ccontract_document){extension_openrpc, sizeof extension_openrpc};
}

struct ccontract_document ccontract_destination_openrpc(void) {
    return (struct ccontract_document){destination_openrpc, sizeof destination_openrpc};
}

struct ccontract_document ccontract_personalization_openrpc(void) {
    return (struct ccontract_document){personalization_openrpc, sizeof personalization_openrpc};
}

struct ccontract_document ccontract_source_openrpc(void) {
    return (struct ccontract_document){source_openrpc, sizeof source_openrpc};
}
