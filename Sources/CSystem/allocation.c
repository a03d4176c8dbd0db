#include "CSystem.h"

#include <pthread.h>
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

/* The greatest number of bytes that a list keeps. */
enum { capacity = 128 << 10 };

struct block {
    struct block *next;
};

static _Thread_local struct {
    struct block *first;
    unsigned count;
} lists[classes];

/* Gives the blocks of a thread back when it ends. */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static _Thread_local int is_registered;

static void empty_lists(void *unused) {
    (void)unused;
    is_registered = 0;
    for (int class = 0; class < classes; class++) {
        while (lists[class].first != NULL) {
            struct block *block = lists[class].first;
            lists[class].first = block->next;
            free(block);
        }
        lists[class].count = 0;
    }
}

static void make_key(void) { pthread_key_create(&key, empty_lists); }

static void register_thread(void) {
    pthread_once(&key_once, make_key);
    is_registered = pthread_setspecific(key, lists) == 0;
}

void *csystem_recycling_malloc(size_t size) {
    if (size < smallest) size = smallest;
    const size_t class = (size - offset + step - 1) / step;
    if (class < classes && lists[class].first != NULL) {
        struct block *block = lists[class].first;
        lists[class].first = block->next;
        lists[class].count--;
        return block;
    }
    return malloc(size);
}

void csystem_recycling_free(void *memory) {
    if (memory == NULL) return;
    const size_t size = usable_size(memory);
    const size_t class = size < smallest ? classes : (size - offset) / step;
    if (class >= classes || lists[class].count * size >= capacity) {
        free(memory);
        return;
    }
    if (!is_registered) register_thread();
    struct block *block = memory;
    block->next = lists[class].first;
    lists[class].first = block;
    lists[class].count++;
}
