#include "CSystem.h"

#include <errno.h>
#include <stdio.h>
#if defined(__linux__)
#include <sys/prctl.h>

/* Whether a debugger traces us. It sees our memory anyway, and hiding it would stop a debugger without root privileges. */
static int is_traced(void) {
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL) return 0;
    char line[256];
    int tracer = 0;
    while (tracer == 0 && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "TracerPid: %d", &tracer) == 1) break;
    fclose(status);
    return tracer != 0;
}
#endif

int csystem_hide_memory(void) {
#if defined(__linux__)
    if (!is_traced() && prctl(PR_SET_DUMPABLE, 0) != 0) return -errno;
#endif
    return 0;
}
