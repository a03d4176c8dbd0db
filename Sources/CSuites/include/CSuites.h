/* What Swift cannot call of SQLite: functions with a variable number of arguments. */

#ifndef CSUITES_H
#define CSUITES_H

/* Makes the end of a connection leave the write-ahead log as it is, though it may be the last one.
   Returns SQLite's result code. */
int csuites_keep_log_on_close(void *connection);

#endif
