#include "CContract.h"

/* #embed is C23; clang takes it in gnu2x too and says so. */
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char ccontract_openrpc[] = {
#embed "../../protocol/openrpc.json"
};
const size_t ccontract_openrpc_size = sizeof ccontract_openrpc;

const unsigned char ccontract_extension_openrpc[] = {
#embed "../../protocol/extension.openrpc.json"
};
const size_t ccontract_extension_openrpc_size = sizeof ccontract_extension_openrpc;
