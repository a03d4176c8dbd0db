#ifndef PUSHHOST_CJANSSON_SHIM_H
#define PUSHHOST_CJANSSON_SHIM_H

#include <jansson.h>
#include <string.h>

/* json_typeof is a macro, which Swift does not import. */
static inline json_type cjansson_typeof(const json_t *value) { return json_typeof(value); }

#endif
