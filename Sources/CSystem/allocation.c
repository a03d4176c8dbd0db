#include "CSystem.h"

#include <stdlib.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable_size malloc_size
#else
#include <malloc.h>
#define usable_size malloc_usable_size
#endif

/* Class c has blocks of at least 16 c + 8 bytes, the sizes in which glibc's malloc hands out memory; its smallest block
   has 24 bytes. */
enum { step = 16, offset = 8, smallest = 24, classes = 64 };

/* The greatest number of bytes that the lists of a thread keep: the trees of two batches for a destination, each of a
   thousand records, whose blocks are of few sizes. */
enum { capacity = 4 << 20 };

struct block {
    struct block *next;
};

static _Thread_local struct {
    struct block *lists[classes];
    size_t kept;
} freed;

void *csystem_recycling_malloc(size_t size) {
    if (size < smallest) size = smallest;
    const size_t class = (size - offset + step - 1) / step;
    if (class >= classes || freed.lists[class] == NULL) return malloc(size);
    struct block *block = freed.lists[class];
    freed.lists[class] = block->next;
    freed.kept -= class * step + offset;
    return block;
}

void csystem_recycling_free(void *memory) {
    if (memory == NULL) return;
    const size_t size = usable_size(memory);
    const size_t class = size < smallest ? classes : (size - offset) / step;
    if (class >= classes || freed.kept >= capacity) {
        free(memory);
        return;
    }
    struct block *block = memory;
    block->next = freed.lists[class];
    freed.lists[class] = block;
    freed.kept += class * step + offset;
}
