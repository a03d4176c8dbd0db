#ifndef PUSHHOST_CJANSSON_SHIM_H
#define PUSHHOST_CJANSSON_SHIM_H

#include <jansson.h>
#include <string.h>

/* json_typeof is a macro, which Swift does not import. */
static inline json_type cjansson_typeof(const json_t *value) { return json_typeof(value); }

/* A name in UTF-8. */
struct cjansson_name {
    const char *bytes;
    size_t count;
};

/* The index of a name in a list, or the size of the list if it is not there. */
static inline size_t cjansson_index(const struct cjansson_name *names, size_t size, const char *bytes, size_t count) {
    size_t index = 0;
    while (index < size && (names[index].count != count || memcmp(names[index].bytes, bytes, count) != 0)) index++;
    return index;
}

/* Finds the members of an object that have a name in a list, in one pass over the object: a look-up in Jansson's table
   hashes the name, which costs more than comparing it with the few names of an object. Sets each of the values to the
   member of that name, or to NULL. Returns the number of members found. */
static inline size_t cjansson_find(
    json_t *object, const struct cjansson_name *names, size_t size, json_t **values
) {
    size_t found = 0;
    for (size_t index = 0; index < size; index++) values[index] = NULL;
    for (void *member = json_object_iter(object); member != NULL; member = json_object_iter_next(object, member)) {
        const char *name = json_object_iter_key(member);
        size_t index = cjansson_index(names, size, name, json_object_iter_key_len(member));
        if (index == size) continue;
        values[index] = json_object_iter_value(member);
        found++;
    }
    return found;
}

#endif
