#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* The soft limit of descriptors before it was raised; 0 if it was not raised. */
extern rlim_t csystem_original_descriptor_limit;

struct child {
    const struct csystem_spawn *spawn;
    pid_t parent;
    /* Where it writes the error number of the step that failed. */
    int failure;
};

/* Runs in the child, up to exec. Only async-signal-safe calls are allowed, because the child has the parent's memory,
   or a copy of it, in which another thread may hold any lock. */
static int run_child(void *argument) {
    const struct csystem_spawn *spawn = ((struct child *)argument)->spawn;
    int failure = ((struct child *)argument)->failure;
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* The parent died before prctl. In a namespace of its own a process sees none, and the keeper looks for it. */
    if (getppid() != 0 && getppid() != ((struct child *)argument)->parent) _exit(127);
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

/* Runs a child that shares our memory until it runs a program or ends, and for which this thread stands still until then:
   a copy of a large process takes longer than all the rest, and slows us down for as long as it is there. */
static pid_t start_here(struct child *child) {
#if defined(__linux__) && !__has_feature(thread_sanitizer)
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    static _Alignas(16) char stack[64 << 10];
    sigset_t all, before;
    sigfillset(&all);
    pthread_mutex_lock(&turn);
    /* No handler of ours may run on its stack. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(run_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, child);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_unlock(&turn);
    return pid < 0 ? -error : pid;
#else
    /* ThreadSanitizer gives up when processes share memory. */
    pid_t pid = fork();
    if (pid == 0) run_child(child);
    return pid < 0 ? -errno : pid;
#endif
}

static pid_t start(struct child *child, pid_t *keeper) {
    *keeper = 0;
    pid_t pid = child->spawn->sandbox != NULL ? csystem_start_apart(run_child, child, keeper) : -ENOTSUP;
    return pid != -ENOTSUP ? pid : start_here(child);
}

pid_t csystem_spawn(const struct csystem_spawn *spawn, pid_t *keeper) {
    int failure[2];
    int result = csystem_pipe(failure);
    if (result < 0) return result;
    struct child made = {spawn, getpid(), failure[1]};
    pid_t child = start(&made, keeper);
    close(failure[1]);
    if (child < 0) {
        close(failure[0]);
        return child;
    }
    setpgid(child, child); /* in the parent too, so that the group exists no matter which process runs first */
    int error = 0;
    ssize_t count;
    do {
        count = read(failure[0], &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    close(failure[0]);
    if (count == 0) return child;
    if (*keeper > 0) kill(*keeper, SIGKILL);
    csystem_reap(child);
    csystem_reap(*keeper);
    *keeper = 0;
    return count == sizeof error ? -error : -EIO;
}

void csystem_reap(pid_t pid) {
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

int csystem_process_descriptor(pid_t pid) {
#ifdef __linux__
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *pass_gate(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

int csystem_try_threads(void) {
    pthread_t threads[4];
    int count = 0, error = 0;
    pthread_mutex_lock(&gate);
    while (count < 4 && !(error = pthread_create(&threads[count], NULL, pass_gate, NULL))) count++;
    pthread_mutex_unlock(&gate);
    while (count > 0) pthread_join(threads[--count], NULL);
    return error;
}
