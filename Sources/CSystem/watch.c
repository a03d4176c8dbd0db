#include "CSystem.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

/* The greatest number of descriptors that one call reports. */
enum { most = 64 };

#ifdef __linux__

#include <sys/epoll.h>

int csystem_watch_open(void) {
    const int watch = epoll_create1(EPOLL_CLOEXEC);
    return watch < 0 ? -errno : watch;
}

int csystem_watch_add(int watch, int fd, int tag) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = tag}};
    return epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

void csystem_watch_remove(int watch, int fd) { epoll_ctl(watch, EPOLL_CTL_DEL, fd, NULL); }

int csystem_watch_ready(int watch, int *tags, int capacity) {
    struct epoll_event events[most];
    const int count = epoll_wait(watch, events, capacity < most ? capacity : most, 0);
    for (int index = 0; index < count; index++) tags[index] = events[index].data.fd;
    return count < 0 ? 0 : count;
}

#else

#include <fcntl.h>
#include <sys/event.h>
#include <sys/time.h>

int csystem_watch_open(void) {
    const int watch = kqueue();
    if (watch < 0) return -errno;
    fcntl(watch, F_SETFD, FD_CLOEXEC);
    return watch;
}

static int change(int watch, int fd, int flags, int tag) {
    struct kevent event;
    EV_SET(&event, fd, EVFILT_READ, flags, 0, 0, (void *)(intptr_t)tag);
    return kevent(watch, &event, 1, NULL, 0, NULL) < 0 ? -errno : 0;
}

int csystem_watch_add(int watch, int fd, int tag) { return change(watch, fd, EV_ADD, tag); }

void csystem_watch_remove(int watch, int fd) { change(watch, fd, EV_DELETE, 0); }

int csystem_watch_ready(int watch, int *tags, int capacity) {
    struct kevent events[most];
    const struct timespec now = {0, 0};
    const int count = kevent(watch, NULL, 0, events, capacity < most ? capacity : most, &now);
    for (int index = 0; index < count; index++) tags[index] = (int)(intptr_t)events[index].udata;
    return count < 0 ? 0 : count;
}

#endif
