#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <poll.h>
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
   siblings: both are children of the host, which so gets their numbers, ends and signals as without a namespace. They
   share the helper's memory, a copy of the host's, so that memory is copied only once. */

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
    /* The files of a process that hides its memory belong to root. */
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

/* Runs as the first process of the namespace. */
static int keep(void *host) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct pollfd end = {.fd = *(int *)host};
    if (poll(&end, 1, 0) != 0) _exit(127); /* the host died before prctl */
    setsid();
    prctl(PR_SET_NAME, "pushhost-keeper");
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    signal(SIGCHLD, SIG_IGN); /* orphans that end leave nothing to reap */
    if (chdir("/") != 0 || syscall(SYS_close_range, 0, ~0U, 0) != 0) _exit(127);
    for (;;) pause();
}

/* Shows the processes of our namespace in /proc, and of these the ones that we may trace: not the keeper. */
static int mount_processes(void) {
    return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2");
}

struct child {
    int (*run)(void *);
    void *argument;
    int error;
};

static int run_child(void *argument) {
    struct child *child = argument;
    if (mount_processes() == 0) return child->run(child->argument);
    child->error = errno;
    _exit(127);
}

/* What the helper made, and the error with which it failed or 0. */
struct made {
    pid_t keeper, child;
    int error;
};

static void make(struct made *made, struct child *child, int host) {
    _Alignas(16) static char keepers_stack[16 << 10], childs_stack[64 << 10];
    int ready[2] = {-1, -1};
    if (pipe2(ready, O_CLOEXEC) == 0 && enter_namespaces() == 0)
        made->keeper = clone(keep, keepers_stack + sizeof keepers_stack, CLONE_VM | CLONE_PARENT | SIGCHLD, &host);
    /* Returns when the child runs a program or has ended. */
    if (made->keeper > 0)
        made->child = clone(run_child, childs_stack + sizeof childs_stack, CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD,
                            child);
    made->error = made->keeper <= 0 || made->child <= 0 ? errno : child->error;
    /* The keeper closes its copy when it is ready: until then it uses our memory and looks for the host. */
    char none;
    close(ready[1]);
    while (made->keeper > 0 && read(ready[0], &none, 1) < 0 && errno == EINTR) {
    }
}

pid_t csystem_start_apart(int (*run)(void *), void *argument, pid_t *keeper) {
    int report[2];
    int result = csystem_pipe(report);
    if (result < 0) return result;
    struct made made = {0};
    pid_t helper = fork();
    if (helper == 0) {
        close(report[0]);
        struct child child = {run, argument, 0};
        make(&made, &child, report[1]);
        ssize_t ignored = write(report[1], &made, sizeof made);
        (void)ignored;
        _exit(0);
    }
    int fork_error = errno;
    close(report[1]);
    ssize_t count = 0;
    while (helper > 0 && (count = read(report[0], &made, sizeof made)) < 0 && errno == EINTR) {
    }
    close(report[0]);
    csystem_reap(helper);
    if (helper < 0) return -fork_error;
    if (count == sizeof made && made.error == 0) {
        *keeper = made.keeper;
        return made.child;
    }
    if (made.keeper > 0) kill(made.keeper, SIGKILL);
    csystem_reap(made.child);
    csystem_reap(made.keeper);
    return count == sizeof made ? -made.error : -EIO;
}

static int try_mounting(void *ignored) {
    (void)ignored;
    int result = mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL);
    _exit(result == 0 && mount_processes() == 0 ? 0 : 1);
}

int csystem_can_hide_processes(void) {
    _Alignas(16) char stack[16 << 10];
    /* Without a copy of our memory, which costs more than the rest: we stand still until it ends. */
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_NEWNS | CLONE_NEWPID | SIGCHLD;
    pid_t child = clone(try_mounting, stack + sizeof stack, flags, NULL);
    if (child < 0) child = clone(try_mounting, stack + sizeof stack, flags | CLONE_NEWUSER, NULL);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

#else

pid_t csystem_start_apart(int (*run)(void *), void *argument, pid_t *keeper) {
    (void)run, (void)argument, (void)keeper;
    return -ENOSYS;
}
int csystem_can_hide_processes(void) { return 0; }

#endif
