#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int set_address(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    return 0;
}

static int open_socket(int is_blocking) {
#if defined(__linux__)
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (is_blocking ? 0 : SOCK_NONBLOCK), 0);
    return fd >= 0 ? fd : -errno;
#else
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return -errno;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (!is_blocking) csystem_set_nonblocking(fd, 1);
    return fd;
#endif
}

int csystem_longest_socket_path(void) { return (int)sizeof((struct sockaddr_un *)0)->sun_path - 1; }

int csystem_listen(const char *provisional, const char *path, int backlog) {
    struct sockaddr_un address;
    int result = set_address(&address, path);
    if (result == 0) result = set_address(&address, provisional);
    if (result != 0) return result;
    int fd = open_socket(0);
    if (fd < 0) return fd;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        result = -errno;
        close(fd);
        return result;
    }
    if (listen(fd, backlog) != 0 || rename(provisional, path) != 0) {
        result = -errno;
        unlink(provisional);
        close(fd);
        return result;
    }
    return fd;
}

static int get_user(int fd, uid_t *user) {
#if defined(__linux__)
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -errno;
    *user = peer.uid;
    return 0;
#else
    gid_t group;
    return getpeereid(fd, user, &group) == 0 ? 0 : -errno;
#endif
}

int csystem_accept(int listener, uid_t *user) {
#if defined(__linux__)
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return -errno;
#else
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) return -errno;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    csystem_set_nonblocking(fd, 1);
#endif
    int result = get_user(fd, user);
    if (result == 0) return fd;
    close(fd);
    return result;
}

int csystem_connect(const char *path, int milliseconds) {
    struct sockaddr_un address;
    int result = set_address(&address, path);
    if (result != 0) return result;
    int fd = open_socket(1);
    if (fd < 0) return fd;
    /* On Linux connect(2) waits for room in the queue of the listener, at most this long. */
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    do {
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
    } while (result != 0 && errno == EINTR);
    if (result == 0) result = csystem_set_nonblocking(fd, 1);
    else result = -errno;
    if (result == 0) return fd;
    close(fd);
    return result;
}
