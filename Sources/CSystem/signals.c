#include "CSystem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sysexits.h>
#include <unistd.h>

static int signal_pipe[2] = {-1, -1};

/* The first signal that asks the process to end; 0 before it. */
static volatile sig_atomic_t ending_signal = 0;
/* Whether further signals only wake the event loop. */
static volatile sig_atomic_t is_patient = 1;

static void write_signal_number(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe wakes the event loop anyway, so this byte may be lost. Without the pipe, nothing would wake it. */
    if (write(signal_pipe[1], &byte, 1) < 0 && errno != EAGAIN) _exit(EX_OSERR);
    if (number != SIGCHLD && number != SIGWINCH) {
        if (!ending_signal) {
            ending_signal = number;
        } else if (!is_patient) {
            /* Not again at each further signal, which would postpone the end. */
            is_patient = 1;
            alarm(1);
        }
    }
    errno = saved;
}

int csystem_signal_descriptor(void) {
    int result = csystem_nonblocking_pipe(signal_pipe);
    if (result < 0) return result;

    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    if (sigaction(SIGPIPE, &action, NULL) != 0) return -errno;
    /* A write to a file that may not grow then fails with EFBIG instead of ending the process. */
    if (sigaction(SIGXFSZ, &action, NULL) != 0) return -errno;
    action.sa_handler = write_signal_number;
    /* Without SA_NOCLDSTOP, because stopped children must be noticed too. */
    action.sa_flags = SA_RESTART;
    const int reported[] = {SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    /* A parent that starts this process in a thread that blocks signals leaves them blocked. */
    sigset_t unblocked;
    sigemptyset(&unblocked);
    for (size_t index = 0; index < sizeof reported / sizeof reported[0]; index++) {
        sigaddset(&unblocked, reported[index]);
    }
    sigaddset(&unblocked, SIGALRM);
    sigaddset(&unblocked, SIGWINCH);
    for (size_t index = 0; index < sizeof reported / sizeof reported[0]; index++) {
        struct sigaction old;
        /* nohup and shells start background processes with ignored signals, which must stay ignored. */
        if (sigaction(reported[index], &action, &old) != 0) return -errno;
        if (old.sa_handler == SIG_IGN && reported[index] != SIGCHLD) sigaction(reported[index], &old, NULL);
    }
    if (pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL) != 0) return -errno;
    return signal_pipe[0];
}

int csystem_ending_signal(void) { return ending_signal; }

int csystem_await_input(int fd) {
    if (fd >= FD_SETSIZE) return 1;
    /* A signal between the look at the variable and the wait must not be missed, so it comes within the wait. */
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGHUP);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    int result;
    do {
        fd_set reading;
        FD_ZERO(&reading);
        FD_SET(fd, &reading);
        result = ending_signal ? 0 : pselect(fd + 1, &reading, NULL, NULL, NULL, &before);
    } while (result < 0 && errno == EINTR);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result < 0 ? -errno : result;
}

static void end_now(int number) {
    (void)number;
    _exit(128 + ending_signal);
}

void csystem_end_on_second_signal(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = end_now;
    sigaction(SIGALRM, &action, NULL);
    is_patient = 0;
}

int csystem_report_window_size(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = write_signal_number;
    action.sa_flags = SA_RESTART;
    return sigaction(SIGWINCH, &action, NULL) == 0 ? 0 : -errno;
}
