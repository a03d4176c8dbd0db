#ifndef PUSHHOST_CSYSTEM_H
#define PUSHHOST_CSYSTEM_H

#include <stddef.h>
#include <sys/types.h>

/* What Swift's Glibc and Darwin modules hide or what must not run Swift code:
   spawning, signal handlers, locks. Functions return -errno on failure. */

/* A pipe whose ends are closed on exec; fds[0] is read, fds[1] is written. */
int csystem_pipe(int fds[2]);

/* How many bytes a pipe holds that were not read yet, or -errno. */
int csystem_readable(int fd);

/* Writes a text as it stands within quotes of JSON, into room for twice its length, and the bits that any
   byte of it has. Gives the length, or -1 where an escape is needed that has more than a backslash and a letter. */
long csystem_quote(const unsigned char *text, size_t count, unsigned char *quoted, unsigned char *seen);

/* Sets or clears O_NONBLOCK of the open file description. */
int csystem_set_nonblocking(int fd, int on);

/* Raises our soft limit of open descriptors to the hard one, at most CSYSTEM_MOST_DESCRIPTORS.
   Children that csystem_spawn starts without a limit of their own get the old one back. */
#define CSYSTEM_MOST_DESCRIPTORS 65536
int csystem_raise_descriptor_limit(void);

/* The soft limit of open descriptors, or -errno. */
long csystem_descriptor_limit(void);

/* Whether so many more descriptors, at most 64, can be opened now. */
int csystem_can_open(int count);

/* Makes descriptors 0 to 2 exist: /dev/null stands in for a missing one. */
int csystem_fill_standard_descriptors(void);

/* A descriptor of our own, closed on exec, that writes where `fd` writes. */
enum csystem_output_kind {
    CSYSTEM_OUTPUT_NONBLOCKING, /* write(2) never blocks */
    CSYSTEM_OUTPUT_SOCKET,      /* send(2) with MSG_DONTWAIT never blocks */
    CSYSTEM_OUTPUT_FILE,        /* a regular file: write(2) does not wait for a reader */
    CSYSTEM_OUTPUT_ATOMIC,      /* at most PIPE_BUF bytes when poll(2) says writable */
};
struct csystem_output {
    int fd;
    enum csystem_output_kind kind;
    /* Whether it leads into a pipe. */
    int is_pipe;
};
int csystem_open_output(int fd, struct csystem_output *output);

/* Writes what goes without blocking: the count, 0 when nothing goes now, or -errno. A line of at most
   PIPE_BUF bytes goes into a pipe whole or not at all, so that whoever reads late finds no half one. */
ssize_t csystem_output_write(const struct csystem_output *output, const void *bytes, size_t count);

/* Keeps our memory and environment from other processes of our user: on Linux they
   can neither read /proc/<pid>/environ nor attach to us, and there are no core dumps.
   Does nothing where a debugger started us. Children that exec are as they ever were. */
int csystem_hide_memory(void);

/* Takes (or, with blocking 0, tries to take) a whole-file lock with flock(2). */
int csystem_lock(int fd, int exclusive, int blocking);
int csystem_unlock(int fd);

/* A new file without a name, open for writing, in a folder: it is gone when its descriptor is closed, and a process that
   is killed leaves nothing. -errno if the system or the file system has no such files. */
int csystem_open_unnamed(const char *folder, mode_t mode);

/* Gives such a file a name, which must be free. */
int csystem_name_file(int fd, const char *path);

/* Ignores SIGPIPE and turns SIGCHLD, SIGHUP, SIGINT and SIGTERM into bytes, the
   signals' numbers, on the descriptor that is returned. Once a process. */
int csystem_signal_descriptor(void);

struct csystem_spawn {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    int input, output, error;
    /* The greatest number of open descriptors; 0 stands for the limit that we were started with. */
    unsigned files;
};

/* Starts a child as leader of a process group of its own, in its directory, with
   default signals, without any descriptor but 0 to 2 and without core dumps; on
   Linux it is killed when the thread that called this ends. Returns its pid, or
   -errno of the first step that failed; the child is then gone and reaped. */
pid_t csystem_spawn(const struct csystem_spawn *spawn);

/* Makes descendants that lose their parent our children, where the system can (Linux). */
void csystem_adopt_orphans(void);

/* Our children, adopted ones too, at most `count` of them; their number, or -errno. */
int csystem_children(pid_t *pids, int count);

/* A child that ended and is not reaped yet, or 0. */
pid_t csystem_ended_child(void);

/* Starts a process that outlives us and then kills every process group that it was
   told of, and every process whose environment holds the entry `marker`. It holds
   no descriptor but its end of a pipe. Returns the other end, closed on exec, or
   -errno; `guardian` gets the process's number. */
int csystem_guardian(const char *marker, pid_t *guardian);

/* Tells the guardian of a new group; with a negative number that the group is gone. */
int csystem_guard(int fd, pid_t group);

/* What a process and its descendants use now. */
struct csystem_usage {
    unsigned long long resident;     /* bytes of memory */
    unsigned long long milliseconds; /* of processor time, of ended descendants too */
    int processes;
};
/* 0, or -errno: -ENOSYS where the system does not tell. It stops counting once there are more processes than
   that, so that a swarm costs no more; with 0 it counts all. */
int csystem_read_usage(pid_t pid, int most, struct csystem_usage *usage);

#endif
