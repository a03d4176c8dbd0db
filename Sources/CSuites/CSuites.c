#include "CSuites.h"

#include <sqlite3.h>
#include <string.h>

int csuites_keep_log_on_close(void *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

int csuites_sync_log(void *connection) {
    sqlite3_file *log = NULL;
    const int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (result != SQLITE_OK) return result;
    if (log == NULL || log->pMethods == NULL) return SQLITE_OK;
    sqlite3_int64 size = 0;
    const int sized = log->pMethods->xFileSize(log, &size);
    return sized != SQLITE_OK || size == 0 ? sized : log->pMethods->xSync(log, SQLITE_SYNC_FULL);
}

static void *(*allocate_memory)(size_t);
static void (*release_memory)(void *);
static size_t (*size_of_memory)(void *);

static void *allocate(int size) { return allocate_memory((size_t)size); }
static void release_block(void *memory) { release_memory(memory); }
static int size_of(void *memory) { return memory == NULL ? 0 : (int)size_of_memory(memory); }
static void *resize(void *memory, int size) {
    const int old = size_of(memory);
    void *resized = allocate(size);
    if (resized == NULL) return NULL;
    memcpy(resized, memory, (size_t)(old < size ? old : size));
    release_memory(memory);
    return resized;
}
static int round_up(int size) { return (size + 7) & ~7; }
static int begin(void *unused) { (void)unused; return SQLITE_OK; }
static void end(void *unused) { (void)unused; }

int csuites_use_memory(void *(*allocator)(size_t), void (*release)(void *), size_t (*size)(void *)) {
    static const sqlite3_mem_methods methods = {allocate, release_block, resize, size_of, round_up, begin, end, NULL};
    allocate_memory = allocator;
    release_memory = release;
    size_of_memory = size;
    const int result = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return result == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) : result;
}
