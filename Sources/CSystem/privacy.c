#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Whether a debugger traces us. It sees our memory anyway, and hiding it would stop a debugger without root privileges. */
static int is_traced(void) {
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    char text[1024];
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0) return 0;
    text[length] = 0;
    /* A line break in the name of the program is escaped. */
    const char *line = strstr(text, "\nTracerPid:");
    return line != NULL && strtol(line + strlen("\nTracerPid:"), NULL, 10) != 0;
}
#endif

int csystem_hide_memory(void) {
#if defined(__linux__)
    if (!is_traced() && prctl(PR_SET_DUMPABLE, 0) != 0) return -errno;
#endif
    return 0;
}
