#include "CSystem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable_size malloc_size
#else
#include <malloc.h>
#define usable_size malloc_usable_size
#endif

/* Class c has blocks of 16 (c + 1) bytes, and a share of the arena, from which its blocks are cut once. */
enum { step = 16, classes = 64, share = 128 << 10 };

static _Alignas(16) char arena[classes][share];
static atomic_size_t cut[classes];

struct block {
    struct block *next;
};

/* Blocks of the arena that are free. */
static _Thread_local struct block *lists[classes];

/* Where in the arena a block is; at least its size for a block of malloc. */
static size_t position(const void *memory) { return (uintptr_t)memory - (uintptr_t)arena; }

static void *cut_block(size_t class, size_t size) {
    const size_t length = step * (class + 1);
    if (atomic_load(&cut[class]) + length > share) return malloc(size);
    const size_t start = atomic_fetch_add(&cut[class], length);
    return start + length > share ? malloc(size) : arena[class] + start;
}

void *csystem_recycling_malloc(size_t size) {
    const size_t class = size == 0 ? 0 : (size - 1) / step;
    if (class >= classes) return malloc(size);
    struct block *block = lists[class];
    if (block == NULL) return cut_block(class, size);
    lists[class] = block->next;
    return block;
}

void csystem_recycling_free(void *memory) {
    if (position(memory) >= sizeof arena) {
        free(memory);
        return;
    }
    const size_t class = position(memory) / share;
    struct block *block = memory;
    block->next = lists[class];
    lists[class] = block;
}

size_t csystem_recycling_size(void *memory) {
    return position(memory) < sizeof arena ? step * (position(memory) / share + 1) : usable_size(memory);
}
