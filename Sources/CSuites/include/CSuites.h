/* Wraps functions of SQLite that Swift cannot call because they have a variable number of arguments. */

#ifndef CSUITES_H
#define CSUITES_H

/* Keeps SQLite from checkpointing and removing the write-ahead log when this connection closes, even if it is the
   last one. Returns SQLite's result code. */
int csuites_keep_log_on_close(void *connection);

#endif
