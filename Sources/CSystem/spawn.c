#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* The soft limit of descriptors before it was raised; 0 if it was not raised. */
extern rlim_t csystem_original_descriptor_limit;

/* Runs in the child, up to exec. Only async-signal-safe calls are allowed, because the child has a copy of the parent's
   memory, in which another thread may hold any lock. */
static void run_child(const struct csystem_spawn *spawn, pid_t parent, int failure, int start) {
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* the parent died before prctl */
    char byte;
    while (start >= 0 && read(start, &byte, 1) < 0 && errno == EINTR) {
    }
#else
    (void)parent;
    (void)start;
#endif
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    if (dup2(spawn->input, 0) < 0 || dup2(spawn->output, 1) < 0 || dup2(spawn->error, 2) < 0) goto failed;
    /* The others are closed now, not at exec: a sandbox needs a few below the child's limit. */
    if (failure != 3 && dup2(failure, 3) < 0) goto failed;
    failure = 3;
    if (fcntl(failure, F_SETFD, FD_CLOEXEC) < 0) goto failed;
#if defined(__linux__)
    if (syscall(SYS_close_range, 4, ~0U, 0) != 0)
#endif
        for (int fd = 4; fd < CSYSTEM_MOST_DESCRIPTORS; fd++) close(fd);
    const struct rlimit none_dumped = {0, 0};
    setrlimit(RLIMIT_CORE, &none_dumped);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) goto failed;
    if (spawn->files > 0) {
        if (files.rlim_max > spawn->files) files.rlim_max = spawn->files;
        files.rlim_cur = files.rlim_max;
    } else if (csystem_original_descriptor_limit > 0) {
        files.rlim_cur = csystem_original_descriptor_limit;
    }
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) goto failed;
    if (chdir(spawn->directory) != 0) goto failed;
    if (spawn->sandbox != NULL && csystem_enter_sandbox(spawn->sandbox) != 0) goto failed;
    execve(spawn->path, spawn->arguments, spawn->environment);
failed:;
    int error = errno;
    ssize_t ignored = write(failure, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* Lets a child that waits begin, once its folder in /proc is open, if there is one. Returns 0 or -errno. */
static int begin(pid_t child, int start, int *folder) {
#if defined(__linux__)
    char path[32];
    snprintf(path, sizeof path, "/proc/%d", (int)child);
    *folder = open(path, O_PATH | O_CLOEXEC);
    if (*folder < 0 && errno != ENOENT) return -errno;
#else
    (void)child;
    (void)folder;
#endif
    return write(start, "", 1) == 1 ? 0 : -errno;
}

static void close_both(const int ends[2]) {
    for (int end = 0; end < 2; end++)
        if (ends[end] >= 0) close(ends[end]);
}

pid_t csystem_spawn(const struct csystem_spawn *spawn, int *folder) {
    *folder = -1;
    int failure[2], start[2] = {-1, -1};
    int result = csystem_pipe(failure);
    if (result < 0) return result;
    if (spawn->sandbox != NULL && (result = csystem_pipe(start)) < 0) {
        close_both(failure);
        return result;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) run_child(spawn, parent, failure[1], start[0]);
    if (child < 0) {
        result = -errno;
        close_both(failure);
        close_both(start);
        return result;
    }
    close(failure[1]);
    setpgid(child, child); /* in the parent too, so that the group exists no matter which process runs first */
    int error = spawn->sandbox == NULL ? 0 : -begin(child, start[1], folder);
    close_both(start);
    if (error == 0) {
        ssize_t count;
        do {
            count = read(failure[0], &error, sizeof error);
        } while (count < 0 && errno == EINTR);
        if (count != 0 && count != sizeof error) error = EIO;
    } else {
        kill(child, SIGKILL);
    }
    close(failure[0]);
    if (error == 0) return child;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    if (*folder >= 0) close(*folder);
    *folder = -1;
    return -error;
}

int csystem_process_descriptor(pid_t pid) {
#ifdef __linux__
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}
