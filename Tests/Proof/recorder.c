/*
 * LD_PRELOAD: records what a host does with files below PROOF_ROOT, and what it reads from stdin and writes to stdout.
 *
 * All processes append to the log PROOF_LOG, so its order is the order of the calls: a call is in the log before it
 * returns, and a line to stdout before it is written. A sync does not reach the disk; its begin and its end are in the
 * log, with a pause of up to PROOF_PAUSE microseconds between them, in which other threads and processes go on.
 * SIGUSR2 kills a process as SIGKILL does, but never between a call and its note, so the log has all that was done.
 * The log's index (-shm) is no part of the log, because a power loss leaves nothing that may be relied on in it.
 *
 * PROOF_FAIL=n,m makes m syncs from the nth on fail. PROOF_BREAK plants a broken promise, which the proof must find:
 *   no-sync         no sync of a file reaches the disk
 *   no-log-sync     no sync of a write-ahead log does
 *   no-folder-sync  no sync of a folder does
 *   no-revoke       after a sync that failed, the writes up to the next one do not reach the disk
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 4096, LOG_DESCRIPTOR = 600 };

struct event {
    uint32_t size;
    uint32_t kind;
    uint32_t process;
    uint32_t thread;
    int64_t descriptor;
    int64_t number;
};

/* What a descriptor leads to: nothing of interest, a file, a write-ahead log, a folder. */
enum { OTHER, FILE_BELOW, LOG_BELOW, FOLDER_BELOW };

static int log_descriptor = -1;
static char root[PATH_MAX];
static size_t root_length;
static const char *broken = "";
static unsigned pause_limit;
static long fail_first, fail_count;
static atomic_long syncs;
static struct stat output;
static atomic_char kinds[FILES];
static atomic_char mute[FILES];

/* How many threads are in a call that is not in the log yet, and whether the process is to be killed. */
static atomic_int busy, is_dying;

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void leave(void) {
    int error = errno;
    if (atomic_fetch_sub(&busy, 1) == 1 && is_dying) die();
    errno = error;
}

static void enter(void) {
    atomic_fetch_add(&busy, 1);
    if (!is_dying) return;
    leave();
    for (;;) pause();
}

static void asked_to_die(int signal) {
    (void)signal;
    is_dying = 1;
    if (busy == 0) die();
}

#define REAL(result, name, ...) \
    static result (*real_##name)(__VA_ARGS__); \
    if (!real_##name) real_##name = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("PROOF_LOG"), *folder = getenv("PROOF_ROOT"), *text;
    if (!path || !folder) return;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    log_descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, LOG_DESCRIPTOR);
    syscall(SYS_close, descriptor);
    root_length = strlen(folder);
    if (log_descriptor < 0 || root_length >= sizeof root || fstat(1, &output) != 0) abort();
    memcpy(root, folder, root_length + 1);
    if ((text = getenv("PROOF_BREAK"))) broken = text;
    if ((text = getenv("PROOF_PAUSE"))) pause_limit = (unsigned)atoi(text);
    struct sigaction action = {.sa_handler = asked_to_die, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    if ((text = getenv("PROOF_FAIL"))) sscanf(text, "%ld,%ld", &fail_first, &fail_count);
}

/* Appends one event; the call to the kernel keeps events of several processes apart. */
static void note(char kind, int descriptor, int64_t number, const void *first, size_t count, const void *second, size_t more) {
    int error = errno;
    struct event event = {(uint32_t)(count + more), (uint32_t)kind, (uint32_t)getpid(), (uint32_t)gettid(), descriptor, number};
    struct iovec parts[] = {{&event, sizeof event}, {(void *)first, count}, {(void *)second, more}};
    if (syscall(SYS_writev, log_descriptor, parts, 3) != (long)(sizeof event + count + more)) abort();
    errno = error;
}

static void note_path(char kind, int descriptor, int64_t number, const char *path) {
    note(kind, descriptor, number, path, strlen(path), NULL, 0);
}

static int is_below(const char *path) {
    return log_descriptor >= 0 && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || !path[root_length]);
}

static int has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length >= end && strcmp(path + length - end, suffix) == 0;
}

static int kind_of(int descriptor) {
    return log_descriptor >= 0 && descriptor >= 0 && descriptor < FILES ? kinds[descriptor] : OTHER;
}

/* Files and their names */

static int opened(int descriptor, const char *path, int flags) {
    if (descriptor < 0 || descriptor >= FILES || !is_below(path) || has_suffix(path, "-shm")) return descriptor;
    struct stat status;
    int error = errno;
    int is_folder = fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
    errno = error;
    kinds[descriptor] = is_folder ? FOLDER_BELOW : has_suffix(path, "-wal") ? LOG_BELOW : FILE_BELOW;
    mute[descriptor] = 0;
    note_path('O', descriptor, flags, path);
    return descriptor;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        enter(); \
        int result = opened(real_##name(path, flags, mode), path, flags); \
        leave(); \
        return result; \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(int, name, int, const char *, int, ...); \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        enter(); \
        int result = opened(real_##name(folder, path, flags, mode), path, flags); \
        leave(); \
        return result; \
    }
OPENAT(openat)
OPENAT(openat64)

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
    REAL(int, close, int);
    if (kind_of(descriptor) != OTHER) {
        kinds[descriptor] = OTHER;
        note('C', descriptor, 0, NULL, 0, NULL, 0);
    }
    return real_close(descriptor);
}

/* Otherwise the descriptor's number, used again for something else, would still be taken for the folder. */
int closedir(DIR *folder) {
    REAL(int, closedir, DIR *);
    int descriptor = dirfd(folder);
    if (kind_of(descriptor) != OTHER) {
        kinds[descriptor] = OTHER;
        note('C', descriptor, 0, NULL, 0, NULL, 0);
    }
    return real_closedir(folder);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    enter();
    int result = real_unlink(path);
    if (result == 0 && is_below(path)) note_path('U', -1, 0, path);
    leave();
    return result;
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    enter();
    int result = real_unlinkat(folder, path, flags);
    if (result == 0 && is_below(path)) note_path('U', -1, 0, path);
    leave();
    return result;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    enter();
    int result = real_mkdir(path, mode);
    if (result == 0 && is_below(path)) note_path('M', -1, 0, path);
    leave();
    return result;
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    enter();
    int result = real_rename(from, to);
    if (result == 0 && is_below(to)) note('R', -1, 0, from, strlen(from) + 1, to, strlen(to));
    leave();
    return result;
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    enter();
    int result = real_link(from, to);
    if (result == 0 && is_below(to)) note('L', -1, 0, from, strlen(from) + 1, to, strlen(to));
    leave();
    return result;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    enter();
    int result = real_linkat(from_folder, from, to_folder, to, flags);
    if (result == 0 && is_below(to)) note('L', -1, 0, from, strlen(from) + 1, to, strlen(to));
    leave();
    return result;
}

/* Contents */

static void note_write(int descriptor, int64_t offset, const void *bytes, ssize_t count) {
    if (count > 0 && !mute[descriptor]) note('W', descriptor, offset, bytes, (size_t)count, NULL, 0);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    REAL(ssize_t, read, int, void *, size_t);
    ssize_t result = real_read(descriptor, bytes, count);
    if (descriptor == 0 && result > 0 && log_descriptor >= 0) note('I', 0, 0, bytes, (size_t)result, NULL, 0);
    return result;
}

/* Whether a descriptor is stdout, which the host opens again. */
static int is_output(int descriptor) {
    struct stat status;
    return log_descriptor >= 0 && kind_of(descriptor) == OTHER && fstat(descriptor, &status) == 0
        && status.st_ino == output.st_ino && status.st_dev == output.st_dev;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    if (is_output(descriptor)) note('P', descriptor, 0, bytes, count, NULL, 0);
    int is_recorded = kind_of(descriptor) != OTHER;
    if (is_recorded) enter();
    ssize_t result = real_write(descriptor, bytes, count);
    int error = errno;
    // What was not written of a line is taken back.
    if (is_output(descriptor) && result < (ssize_t)count) {
        note('Q', descriptor, (int64_t)count - (result < 0 ? 0 : result), NULL, 0, NULL, 0);
    }
    errno = error;
    if (!is_recorded) return result;
    if (result > 0) note_write(descriptor, lseek(descriptor, 0, SEEK_CUR) - result, bytes, result);
    errno = error;
    leave();
    return result;
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    if (kind_of(descriptor) == OTHER && !is_output(descriptor)) return real_writev(descriptor, parts, number);
    ssize_t sum = 0;
    for (int i = 0; i < number; i++) {
        ssize_t count = write(descriptor, parts[i].iov_base, parts[i].iov_len);
        if (count < 0) return sum > 0 ? sum : count;
        sum += count;
        if ((size_t)count < parts[i].iov_len) break;
    }
    return sum;
}

#define PWRITE(name, type) \
    ssize_t name(int descriptor, const void *bytes, size_t count, type offset) { \
        REAL(ssize_t, name, int, const void *, size_t, type); \
        enter(); \
        ssize_t result = real_##name(descriptor, bytes, count, offset); \
        if (kind_of(descriptor) != OTHER) note_write(descriptor, offset, bytes, result); \
        leave(); \
        return result; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, type) \
    int name(int descriptor, type size) { \
        REAL(int, name, int, type); \
        enter(); \
        int result = real_##name(descriptor, size); \
        if (result == 0 && kind_of(descriptor) != OTHER) note('T', descriptor, size, NULL, 0, NULL, 0); \
        leave(); \
        return result; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define ALLOCATE(name, type) \
    int name(int descriptor, int mode, type offset, type length) { \
        REAL(int, name, int, int, type, type); \
        enter(); \
        int result = real_##name(descriptor, mode, offset, length); \
        if (result == 0 && mode == 0 && kind_of(descriptor) != OTHER) \
            note('A', descriptor, offset + length, NULL, 0, NULL, 0); \
        leave(); \
        return result; \
    }
ALLOCATE(fallocate, off_t)
ALLOCATE(fallocate64, off64_t)

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    REAL(int, posix_fallocate, int, off_t, off_t);
    enter();
    int result = real_posix_fallocate(descriptor, offset, length);
    if (result == 0 && kind_of(descriptor) != OTHER) note('A', descriptor, offset + length, NULL, 0, NULL, 0);
    leave();
    return result;
}

/* Syncs */

static int is_swallowed(int kind) {
    if (kind == FOLDER_BELOW) return strcmp(broken, "no-folder-sync") == 0;
    return strcmp(broken, "no-sync") == 0 || (kind == LOG_BELOW && strcmp(broken, "no-log-sync") == 0);
}

static int synced(int descriptor) {
    static _Thread_local unsigned random;
    if (!random) random = (unsigned)gettid() | 1;
    int kind = kind_of(descriptor);
    long number = ++syncs;
    int fails = number >= fail_first && number < fail_first + fail_count;
    if (is_swallowed(kind)) return 0;
    note('S', descriptor, 0, NULL, 0, NULL, 0);
    random = random * 1103515245u + 12345u;
    if (pause_limit) usleep(random / 65536u % pause_limit);
    note('E', descriptor, fails ? EIO : 0, NULL, 0, NULL, 0);
    mute[descriptor] = fails && strcmp(broken, "no-revoke") == 0;
    if (!fails) return 0;
    errno = EIO;
    return -1;
}

#define SYNC(name) \
    int name(int descriptor) { \
        REAL(int, name, int); \
        return kind_of(descriptor) == OTHER ? real_##name(descriptor) : synced(descriptor); \
    }
SYNC(fsync)
SYNC(fdatasync)
