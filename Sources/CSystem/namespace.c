#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A namespace of processes ends with its first process, which ignores signals and inherits the orphans. A program that
   was written for neither must not be it, so a keeper is: it waits until it is killed.

   Three processes make the two. A helper enters the new namespaces, which only its children get, and makes them as its
   siblings: both are children of the host, which so gets their numbers, ends and signals as without a namespace.

   All share the host's memory, as those of posix_spawn do: a copy costs more than the rest, and a keeper with one would
   hold it for as long as it lives. Therefore the host's thread stands still until the others have left its stacks, and no
   signal handler runs in them. */

static int write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t count = write(fd, text, strlen(text));
    int error = errno;
    close(fd);
    errno = error;
    return count < 0 ? -1 : 0;
}

/* Makes a user the same one in the new user namespace of this process, which needs no privileges for that. */
static int map_user(uid_t user, gid_t group) {
    /* The files of a process that hides its memory belong to root. For this moment other processes of the user can read
       the memory, which is the host's. */
    int is_hidden = prctl(PR_GET_DUMPABLE) != 1;
    if (is_hidden) prctl(PR_SET_DUMPABLE, 1);
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    int result = write_file("/proc/self/uid_map", users);
    if (result == 0) result = write_file("/proc/self/setgroups", "deny");
    if (result == 0) result = write_file("/proc/self/gid_map", groups);
    int error = errno;
    if (is_hidden) prctl(PR_SET_DUMPABLE, 0);
    errno = error;
    return result;
}

/* Enters a new namespace of mounts, and makes one of processes for the children: as root directly, as another user in a
   new user namespace, where the system allows that. */
static int enter_namespaces(void) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWNS | CLONE_NEWPID) == 0) return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL);
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) != 0) return -1;
    return map_user(user, group);
}

/* Runs as the first process of the namespace. It never returns, so that the next keeper may use its stack. */
static int keep(void *ignored) {
    (void)ignored;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    prctl(PR_SET_NAME, "pushhost-keeper");
    signal(SIGCHLD, SIG_IGN); /* orphans that end leave nothing to reap */
    /* The end of the pipe tells the helper that we are ready. */
    if (chdir("/") != 0 || syscall(SYS_close_range, 0, ~0U, 0) != 0) _exit(127);
    /* Not pause(): the C library would mark the host's thread, whose storage we share. */
    for (;;) syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
}

/* Shows the processes of our namespace in /proc, and of these the ones that we may trace: not the keeper. */
static int mount_processes(void) {
    return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2");
}

/* What the helper makes, and of what. */
struct start {
    int (*run)(void *);
    void *argument;
    pid_t host, keeper, child;
    int error;
    /* Whether the namespaces failed, and not the start of a process. */
    int is_refused;
};

static int run_child(void *argument) {
    struct start *start = argument;
    if (mount_processes() == 0) return start->run(start->argument);
    start->error = errno;
    start->is_refused = 1;
    _exit(127);
}

static _Alignas(16) char helpers_stack[16 << 10], keepers_stack[16 << 10], childs_stack[64 << 10];
#define TOP(stack) ((stack) + sizeof(stack))

static int help(void *argument) {
    struct start *start = argument;
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) goto failed;
    start->is_refused = enter_namespaces() != 0;
    if (start->is_refused) goto failed;
    /* The kernel notes their numbers before they run, so that the host knows them even if somebody kills us now. */
    const int flags = CLONE_VM | CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD;
    if (clone(keep, TOP(keepers_stack), flags, NULL, &start->keeper) < 0) goto failed;
    /* Returns when the child runs a program or has ended. */
    if (clone(run_child, TOP(childs_stack), flags | CLONE_VFORK, start, &start->child) < 0) start->error = errno;
    char none;
    close(ready[1]);
    while (read(ready[0], &none, 1) < 0 && errno == EINTR) {
    }
    /* The host died before it could end the keeper. */
    if (getppid() != start->host) kill(start->keeper, SIGKILL);
    _exit(0);
failed:
    start->error = errno;
    _exit(0);
}

/* What the first attempt to make the namespaces showed; the children of a host that may make them always may. */
static _Atomic enum { UNTRIED, ALLOWED, REFUSED } namespaces;

pid_t csystem_start_apart(int (*run)(void *), void *argument, pid_t *keeper) {
    static pthread_mutex_t stacks = PTHREAD_MUTEX_INITIALIZER;
#if __has_feature(thread_sanitizer)
    /* It gives up when processes share memory. */
    namespaces = REFUSED;
#endif
    if (namespaces == REFUSED) return -ENOTSUP;
    struct start start = {.run = run, .argument = argument, .host = getpid()};
    sigset_t all, before;
    sigfillset(&all);
    pthread_mutex_lock(&stacks);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t helper = clone(help, TOP(helpers_stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
    int error = helper < 0 ? errno : start.error;
    int status = 0;
    while (helper > 0 && waitpid(helper, &status, 0) < 0 && errno == EINTR) {
    }
    int is_started = error == 0 && status == 0 && start.child > 0;
    if (!is_started) {
        /* If somebody killed the helper, the others may still use our memory. The keeper ends after the child was reaped. */
        if (start.child > 0) kill(start.child, SIGKILL);
        if (start.keeper > 0) kill(start.keeper, SIGKILL);
        csystem_reap(start.child);
        csystem_reap(start.keeper);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_unlock(&stacks);
    if (is_started) {
        namespaces = ALLOWED;
        *keeper = start.keeper;
        return start.child;
    }
    /* Nothing is noted under valgrind, which ends the helper. */
    int is_unknown = error == 0 && start.keeper == 0;
    if ((start.is_refused || is_unknown) && namespaces == UNTRIED) namespaces = REFUSED;
    return namespaces == REFUSED ? -ENOTSUP : error == 0 ? -EIO : -error;
}

static int end_at_once(void *ignored) {
    (void)ignored;
    _exit(0);
}

int csystem_can_hide_processes(void) {
    pid_t keeper, child;
    if (namespaces == UNTRIED && (child = csystem_start_apart(end_at_once, NULL, &keeper)) > 0) {
        kill(keeper, SIGKILL);
        csystem_reap(child);
        csystem_reap(keeper);
    }
    return namespaces == ALLOWED;
}

#else

pid_t csystem_start_apart(int (*run)(void *), void *argument, pid_t *keeper) {
    (void)run, (void)argument, (void)keeper;
    return -ENOTSUP;
}
int csystem_can_hide_processes(void) { return 0; }

#endif
