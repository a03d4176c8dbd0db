#include "CSystem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int signal_pipe[2] = {-1, -1};

static void tell(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe holds enough bytes to wake the loop, so one more may be lost. */
    ssize_t ignored = write(signal_pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

int csystem_signal_descriptor(void) {
    int result = csystem_pipe(signal_pipe);
    if (result < 0) return result;
    csystem_set_nonblocking(signal_pipe[0], 1);
    csystem_set_nonblocking(signal_pipe[1], 1);

    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    if (sigaction(SIGPIPE, &action, NULL) != 0) return -errno;
    /* A file that may not grow is the error EFBIG of a write, and not our end. */
    if (sigaction(SIGXFSZ, &action, NULL) != 0) return -errno;
    action.sa_handler = tell;
    /* Without SA_NOCLDSTOP: a child that is stopped is news too. */
    action.sa_flags = SA_RESTART;
    const int told[] = {SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    for (size_t index = 0; index < sizeof told / sizeof told[0]; index++) {
        struct sigaction old;
        /* nohup and background jobs of a shell start us with a signal ignored; that stays. */
        if (sigaction(told[index], NULL, &old) != 0) return -errno;
        if (old.sa_handler == SIG_IGN && told[index] != SIGCHLD) continue;
        if (sigaction(told[index], &action, NULL) != 0) return -errno;
    }
    return signal_pipe[0];
}
