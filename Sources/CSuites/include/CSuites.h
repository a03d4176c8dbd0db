/* Wraps functions of SQLite that Swift cannot call: with a variable number of arguments, or of a file's methods. */

#ifndef CSUITES_H
#define CSUITES_H

#include <stddef.h>

/* Keeps SQLite from checkpointing and removing the write-ahead log when this connection closes, even if it is the
   last one. Returns SQLite's result code. */
int csuites_keep_log_on_close(void *connection);

/* Syncs the write-ahead log that this connection has open, unless the log is empty. Returns SQLite's result code. */
int csuites_sync_log(void *connection);

/* Lets SQLite take and give back memory with other functions than malloc and free, and not count it, which takes a
   mutex for each block. Must be called before SQLite is used; returns SQLite's result code. */
int csuites_use_memory(void *(*allocate)(size_t), void (*release)(void *), size_t (*size)(void *));

#endif
