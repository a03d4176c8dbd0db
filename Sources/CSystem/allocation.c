#include "CSystem.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define usable_size malloc_size
#else
#include <malloc.h>
#define usable_size malloc_usable_size
#endif

/* Class c has blocks of 16 (c + 1) bytes, and a share of the arena, from which its blocks are cut once. A share holds the
   values of one type in the trees of two batches for a destination. */
enum { step = 16, classes = 64, share = 1 << 20 };

static _Alignas(16) char arena[classes][share];

struct block {
    struct block *next;
};

/* Blocks of the arena that are free: those that a thread freed, and those of threads that have ended. */
static _Thread_local struct block *lists[classes];
static struct block *left_over[classes];

/* The number of bytes of each share that were cut. */
static size_t cut[classes];

/* Protects what threads share; read without it only to see whether anything is left. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static _Thread_local int has_end;

/* Leaves the lists of a thread that ends to the others. */
static void leave_lists(void *unused) {
    (void)unused;
    has_end = 0;
    pthread_mutex_lock(&mutex);
    for (size_t class = 0; class < classes; class++) {
        while (lists[class] != NULL) {
            struct block *block = lists[class];
            lists[class] = block->next;
            block->next = left_over[class];
            __atomic_store_n(&left_over[class], block, __ATOMIC_RELAXED);
        }
    }
    pthread_mutex_unlock(&mutex);
}

static void make_key(void) { pthread_key_create(&key, leave_lists); }

static void prepare_end(void) {
    pthread_once(&key_once, make_key);
    has_end = pthread_setspecific(key, lists) == 0;
}

/* Where in the arena a block is; at least its size for a block of malloc. */
static size_t position(const void *memory) { return (uintptr_t)memory - (uintptr_t)arena; }

/* Cuts a few blocks from a share, as a list; NULL if nothing is left. */
static struct block *cut_blocks(size_t class) {
    const size_t length = step * (class + 1);
    size_t start = cut[class];
    struct block *first = NULL;
    for (int count = 0; count < 16 && start + length <= share; count++, start += length) {
        struct block *block = (struct block *)(arena[class] + start);
        block->next = first;
        first = block;
    }
    __atomic_store_n(&cut[class], start, __ATOMIC_RELAXED);
    return first;
}

/* A block for a thread whose list is empty. */
static void *new_block(size_t class, size_t size) {
    if (__atomic_load_n(&cut[class], __ATOMIC_RELAXED) + step * (class + 1) > share &&
        __atomic_load_n(&left_over[class], __ATOMIC_RELAXED) == NULL)
        return malloc(size);
    if (!has_end) prepare_end();
    pthread_mutex_lock(&mutex);
    struct block *block = cut_blocks(class);
    if (block == NULL) {
        block = left_over[class];
        __atomic_store_n(&left_over[class], NULL, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&mutex);
    if (block == NULL) return malloc(size);
    lists[class] = block->next;
    return block;
}

void *csystem_recycling_malloc(size_t size) {
    const size_t class = size == 0 ? 0 : (size - 1) / step;
    if (class >= classes) return malloc(size);
    struct block *block = lists[class];
    if (block == NULL) return new_block(class, size);
    lists[class] = block->next;
    return block;
}

void csystem_recycling_free(void *memory) {
    if (position(memory) >= sizeof arena) {
        free(memory);
        return;
    }
    const size_t class = position(memory) / share;
    if (lists[class] == NULL && !has_end) prepare_end();
    struct block *block = memory;
    block->next = lists[class];
    lists[class] = block;
}

size_t csystem_recycling_size(void *memory) {
    return position(memory) < sizeof arena ? step * (position(memory) / share + 1) : usable_size(memory);
}
