#include "CSystem.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

int csystem_adopt_orphans(void) {
#if defined(__linux__)
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
#else
    return 0;
#endif
}
