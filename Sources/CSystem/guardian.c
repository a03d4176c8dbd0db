#define _GNU_SOURCE
#include "CSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static pid_t *groups;
static size_t group_count, group_room;

/* Adds a process group, or removes one whose number is negative. */
static void update_groups(pid_t group) {
    for (size_t index = 0; index < group_count; index++) {
        if (groups[index] != (group < 0 ? -group : group)) continue;
        if (group < 0) groups[index] = groups[--group_count];
        return;
    }
    if (group < 0) return;
    if (group_count == group_room) {
        size_t room = group_room == 0 ? 64 : 2 * group_room;
        pid_t *more = realloc(groups, room * sizeof *groups);
        if (more == NULL) return;
        groups = more;
        group_room = room;
    }
    groups[group_count++] = group;
}

#if defined(__linux__)
/* Whether the environment with which a process was started holds the entry. */
static int is_marked(const char *pid, const char *marker) {
    char path[64], text[4096];
    size_t length = strlen(marker) + 1, kept = 0;
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t count;
    int found = 0;
    /* The end of each chunk is kept, because the entry may lie across two. */
    while (!found && (count = read(fd, text + kept, sizeof text - kept)) > 0) {
        size_t filled = kept + (size_t)count;
        found = memmem(text, filled, marker, length) != NULL;
        kept = filled < length ? filled : length - 1;
        memmove(text, text + filled - kept, kept);
    }
    close(fd);
    return found;
}

/* Kills processes that left their group, which are found by their environment. It repeats, because they may fork in the
   meantime. */
static void kill_marked(const char *marker) {
    for (int round = 0; round < 8; round++) {
        DIR *processes = opendir("/proc");
        if (processes == NULL) return;
        int killed = 0;
        for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
            if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !is_marked(entry->d_name, marker)) continue;
            if (kill(atoi(entry->d_name), SIGKILL) == 0) killed = 1;
        }
        closedir(processes);
        if (!killed) return;
    }
}
#endif

/* Reads process groups until the pipe is closed, which means that the host has ended, and kills them. */
static void guard(int fd, const char *marker) {
    pid_t named[64];
    for (;;) {
        ssize_t count = read(fd, named, sizeof named);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        /* Numbers are written one at a time, and a pipe does not split such short writes. */
        for (size_t index = 0; index < (size_t)count / sizeof *named; index++) update_groups(named[index]);
    }
    for (size_t index = 0; index < group_count; index++) kill(-groups[index], SIGKILL);
#if defined(__linux__)
    kill_marked(marker);
#else
    (void)marker;
#endif
}

int csystem_guardian(const char *marker, pid_t *guardian) {
    int ends[2];
    int result = csystem_pipe(ends);
    if (result < 0) return result;
    pid_t child = fork();
    if (child != 0) {
        int fork_error = errno;
        close(ends[0]);
        if (child < 0) close(ends[1]);
        if (child > 0) csystem_set_nonblocking(ends[1], 1);
        *guardian = child;
        return child < 0 ? -fork_error : ends[1];
    }
    /* A session of its own: Ctrl-C and a hangup of the host's terminal must not end it. */
    setsid();
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    const int ignored[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
    for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) signal(ignored[index], SIG_IGN);
#if defined(__linux__)
    prctl(PR_SET_NAME, "pushhost-guard");
#endif
    /* All other descriptors are closed: a reader that waits for the end of one of the host's pipes must not wait for us. */
    dup2(ends[0], 0);
#if defined(__linux__)
    if (syscall(SYS_close_range, 1, ~0U, 0) != 0)
#endif
        for (int fd = 1; fd < CSYSTEM_MOST_DESCRIPTORS; fd++) close(fd);
    if (chdir("/") != 0) _exit(1);
    guard(0, marker);
    _exit(0);
}

int csystem_guard(int fd, pid_t group) {
    return write(fd, &group, sizeof group) == sizeof group ? 0 : -errno;
}
