#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

int csystem_hide(void) {
#if defined(__linux__)
    return prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : -errno;
#else
    return 0;
#endif
}
