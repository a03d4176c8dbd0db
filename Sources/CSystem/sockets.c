#define _GNU_SOURCE
#include "CSystem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
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

static int open_socket(int domain, int type, int is_blocking) {
#if defined(__linux__)
    int fd = socket(domain, type | SOCK_CLOEXEC | (is_blocking ? 0 : SOCK_NONBLOCK), 0);
    return fd >= 0 ? fd : -errno;
#else
    int fd = socket(domain, type, 0);
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
    int fd = open_socket(AF_UNIX, SOCK_STREAM, 0);
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

int csystem_accept_any(int listener) {
#if defined(__linux__)
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return fd >= 0 ? fd : -errno;
#else
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) return -errno;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    csystem_set_nonblocking(fd, 1);
    return fd;
#endif
}

int csystem_accept(int listener, uid_t *user) {
    int fd = csystem_accept_any(listener);
    if (fd < 0) return fd;
    int result = get_user(fd, user);
    if (result == 0) return fd;
    close(fd);
    return result;
}

int csystem_connect(const char *path, int milliseconds) {
    struct sockaddr_un address;
    int result = set_address(&address, path);
    if (result != 0) return result;
    int fd = open_socket(AF_UNIX, SOCK_STREAM, 1);
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

int csystem_listen_loopback(unsigned short *port, int backlog) {
    int fd = open_socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return fd;
    /* A port whose last user has ended is free at once. */
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        int result = -errno;
        close(fd);
        return result;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

/* Elsewhere SIGPIPE is ignored by csystem_signal_descriptor. */
#if defined(MSG_NOSIGNAL)
#define SEND_FLAGS (MSG_DONTWAIT | MSG_NOSIGNAL)
#else
#define SEND_FLAGS MSG_DONTWAIT
#endif

ssize_t csystem_send(int fd, const void *bytes, size_t count) {
    ssize_t sent = send(fd, bytes, count, SEND_FLAGS);
    return sent >= 0 ? sent : -errno;
}

int csystem_end_output(int fd) { return shutdown(fd, SHUT_WR) == 0 ? 0 : -errno; }

int csystem_open_datagram(void) { return open_socket(AF_UNIX, SOCK_DGRAM, 0); }

int csystem_send_datagram(int fd, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address;
    int result = set_address(&address, path);
    if (result != 0) return result;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    if (path[0] == '@') {
        /* An abstract address begins with a null byte, and its length counts. */
#if defined(__linux__)
        address.sun_path[0] = 0;
#else
        return -EAFNOSUPPORT;
#endif
    } else {
        size += 1;
    }
    ssize_t sent = sendto(fd, bytes, count, SEND_FLAGS, (struct sockaddr *)&address, size);
    return sent >= 0 ? 0 : -errno;
}
