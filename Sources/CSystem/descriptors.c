#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int csystem_pipe(int fds[2]) {
#if defined(__linux__)
    return pipe2(fds, O_CLOEXEC) == 0 ? 0 : -errno;
#else
    if (pipe(fds) != 0) return -errno;
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

int csystem_nonblocking_pipe(int fds[2]) {
#if defined(__linux__)
    return pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno;
#else
    int result = csystem_pipe(fds);
    if (result < 0) return result;
    csystem_set_nonblocking(fds[0], 1);
    csystem_set_nonblocking(fds[1], 1);
    return 0;
#endif
}

int csystem_readable(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -errno;
}

int csystem_set_nonblocking(int fd, int on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return fcntl(fd, F_SETFL, flags) == 0 ? 0 : -errno;
}

rlim_t csystem_original_descriptor_limit;

int csystem_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
    rlim_t old = limit.rlim_cur;
    rlim_t most = limit.rlim_max < CSYSTEM_MOST_DESCRIPTORS ? limit.rlim_max : CSYSTEM_MOST_DESCRIPTORS;
    if (old >= most) return 0;
    limit.rlim_cur = most;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
    csystem_original_descriptor_limit = old;
    return 0;
}

long csystem_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
    return limit.rlim_cur > CSYSTEM_MOST_DESCRIPTORS ? CSYSTEM_MOST_DESCRIPTORS : (long)limit.rlim_cur;
}

int csystem_can_open(int count) {
    int fds[64], opened = 0;
    if (count > 64) count = 64;
    /* One call of poll(2) tells which of the lowest numbers are free; it fails if the limit is lower. */
    struct pollfd numbers[64];
    for (int fd = 0; fd < 64; fd++) numbers[fd] = (struct pollfd){.fd = fd};
    if (poll(numbers, 64, 0) >= 0) {
        int vacant = 0;
        for (int fd = 0; fd < 64; fd++) vacant += (numbers[fd].revents & POLLNVAL) != 0;
        if (vacant >= count) return 1;
    }
    while (opened < count && (fds[opened] = fcntl(0, F_DUPFD_CLOEXEC, 3)) >= 0) opened++;
    for (int index = 0; index < opened; index++) close(fds[index]);
    return opened == count;
}

int csystem_fill_standard_descriptors(void) {
    int fd;
    do {
        /* Not for writing, so that output of a command that nobody takes fails; the host opens its output again. */
        fd = open("/dev/null", O_RDONLY);
        if (fd < 0) return -errno;
    } while (fd < 3);
    close(fd);
    return 0;
}

int csystem_open_output(int fd, struct csystem_output *output) {
    struct stat status;
    if (fstat(fd, &status) != 0) return -errno;
    int own = -1;
    output->is_pipe = S_ISFIFO(status.st_mode);
    output->kind = CSYSTEM_OUTPUT_NONBLOCKING;
    if (S_ISSOCK(status.st_mode)) {
        output->kind = CSYSTEM_OUTPUT_SOCKET;
    } else if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) {
        output->kind = CSYSTEM_OUTPUT_FILE;
    } else {
        /* O_NONBLOCK is a property of the open file description, which others may share, so a new
           description is opened. */
#if defined(__linux__)
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
#endif
        if (own < 0) output->kind = CSYSTEM_OUTPUT_ATOMIC;
    }
    if (own < 0) own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return -errno;
    output->fd = own;
    return 0;
}

/* The number of bytes to write to a pipe at once: as many whole lines as certainly fit. */
static size_t writable_prefix(const struct csystem_output *output, const char *bytes, size_t count) {
    size_t most = PIPE_BUF;
    if (count <= most) return count;
#if defined(__linux__)
    int unread;
    if (output->is_pipe && ioctl(output->fd, FIONREAD, &unread) == 0 && unread == 0) {
        int room = fcntl(output->fd, F_GETPIPE_SZ);
        if (room > PIPE_BUF) most = (size_t)room;
    }
#endif
    if (count <= most) return count;
    for (size_t end = most; end > 0; end--)
        if (bytes[end - 1] == '\n') return end;
    return most;
}

ssize_t csystem_output_write(const struct csystem_output *output, const void *bytes, size_t count) {
    if (output->is_pipe || output->kind == CSYSTEM_OUTPUT_ATOMIC) count = writable_prefix(output, bytes, count);
    ssize_t written;
    do {
        written = output->kind == CSYSTEM_OUTPUT_SOCKET ? send(output->fd, bytes, count, MSG_DONTWAIT)
                                                        : write(output->fd, bytes, count);
    } while (written < 0 && errno == EINTR);
    if (written >= 0) return written;
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
}

int csystem_lock(int fd, int exclusive, int blocking) {
    int operation = (exclusive ? LOCK_EX : LOCK_SH) | (blocking ? 0 : LOCK_NB);
    int result;
    do {
        result = flock(fd, operation);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : -errno;
}

int csystem_unlock(int fd) { return flock(fd, LOCK_UN) == 0 ? 0 : -errno; }
