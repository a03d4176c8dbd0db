#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int csystem_open_unnamed(const char *folder, mode_t mode) {
#if defined(O_TMPFILE)
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    return fd >= 0 ? fd : -errno;
#else
    (void)folder, (void)mode;
    return -ENOTSUP;
#endif
}

int csystem_name_file(int fd, const char *path) {
#if defined(O_TMPFILE)
    char own[40];
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
#else
    (void)fd, (void)path;
    return -ENOTSUP;
#endif
}

int csystem_free_space(int fd, off_t start, off_t count) {
#if defined(__linux__)
    return fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, start, count) == 0 ? 0 : -errno;
#else
    (void)fd, (void)start, (void)count;
    return -ENOTSUP;
#endif
}
