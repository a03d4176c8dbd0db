#include "CSuites.h"

#include <sqlite3.h>
#include <stddef.h>

int csuites_keep_log_on_close(void *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}
