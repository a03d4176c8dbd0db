#ifndef PUSHHOST_CSYSTEM_H
#define PUSHHOST_CSYSTEM_H

#include <stddef.h>
#include <sys/types.h>

/* System calls that are not available in Swift's Glibc and Darwin modules, and code that must not be Swift: the child's
   side of fork, and signal handlers. Unless stated otherwise, functions return -errno on failure. */

/* Creates a pipe whose ends are closed on exec: fds[0] for reading, fds[1] for writing. */
int csystem_pipe(int fds[2]);

/* The same, and neither end blocks. */
int csystem_nonblocking_pipe(int fds[2]);

/* The number of unread bytes in a pipe, or -errno. */
int csystem_readable(int fd);

/* Writes a text as it appears between quotes in JSON to `quoted`, which has room for twice its length, and the
   bitwise OR of its bytes to `seen`. Returns the length, or -1 if the text needs an escape of more than two bytes. */
long csystem_quote(const unsigned char *text, size_t count, unsigned char *quoted, unsigned char *seen);

/* Sets or clears O_NONBLOCK of the open file description. */
int csystem_set_nonblocking(int fd, int on);

/* Raises our soft limit of open descriptors to the hard limit, at most to CSYSTEM_MOST_DESCRIPTORS.
   Children that csystem_spawn starts without a limit of their own get the old limit. */
#define CSYSTEM_MOST_DESCRIPTORS 65536
int csystem_raise_descriptor_limit(void);

/* The soft limit of open descriptors, or -errno. */
long csystem_descriptor_limit(void);

/* Whether `count` more descriptors, at most 64, can be opened now. */
int csystem_can_open(int count);

/* Starts four threads at once and waits for their ends. Returns 0, or why that is not possible. */
int csystem_try_threads(void);

/* Opens /dev/null in place of each missing one of the descriptors 0 to 2. */
int csystem_fill_standard_descriptors(void);

/* Opens a new descriptor, closed on exec, that writes to the same file as `fd`. The kind determines how to write to it
   without blocking. */
enum csystem_output_kind {
    CSYSTEM_OUTPUT_NONBLOCKING, /* write(2) never blocks */
    CSYSTEM_OUTPUT_SOCKET,      /* send(2) with MSG_DONTWAIT never blocks */
    CSYSTEM_OUTPUT_FILE,        /* a regular file: write(2) does not wait for a reader */
    CSYSTEM_OUTPUT_ATOMIC,      /* at most PIPE_BUF bytes when poll(2) says writable */
};
struct csystem_output {
    int fd;
    enum csystem_output_kind kind;
    /* Whether it is a pipe. */
    int is_pipe;
};
int csystem_open_output(int fd, struct csystem_output *output);

/* Writes as much as possible without blocking. Returns the number of bytes, 0 if none can be written now, or -errno.
   A line of at most PIPE_BUF bytes is written to a pipe completely or not at all, so that a late reader never finds
   half a line. */
ssize_t csystem_output_write(const struct csystem_output *output, const void *bytes, size_t count);

/* Keeps our memory and environment from other processes of our user: on Linux they
   can neither read /proc/<pid>/environ nor attach to us, and there are no core dumps.
   Does nothing if a debugger started us. Children that exec are not affected. */
int csystem_hide_memory(void);

/* Acquires a lock on a whole file with flock(2); if `blocking` is 0, fails with -EWOULDBLOCK instead of waiting. */
int csystem_lock(int fd, int exclusive, int blocking);
int csystem_unlock(int fd);

/* Opens a new file without a name for writing. It disappears when its descriptor is closed, so a process that is
   killed leaves nothing. Fails if the system or the file system of the folder does not support such files. */
int csystem_open_unnamed(const char *folder, mode_t mode);

/* Gives such a file a name; fails with -EEXIST if the path exists. */
int csystem_name_file(int fd, const char *path);

/* Gives the space of a part of a file back to the file system; the size stays, and the part reads as zeros. Fails if the
   system or the file system cannot do that. */
int csystem_free_space(int fd, off_t start, off_t count);

/* Ignores SIGPIPE and SIGXFSZ, and turns SIGCHLD, SIGHUP, SIGINT and SIGTERM into bytes, the
   signals' numbers, on the descriptor that is returned. Unblocks these signals, which a parent may have blocked.
   Must be called at most once in a process. */
int csystem_signal_descriptor(void);

/* Ends the process with 128 plus the first signal's number a second after a second signal that asks it to end, also
   while it waits for the disk. */
void csystem_end_on_second_signal(void);

/* The first of the signals of csystem_signal_descriptor that asked the process to end; 0 before it. */
int csystem_ending_signal(void);

/* Waits until a descriptor has input or is at its end. Returns 1; 0 if one of the signals of csystem_signal_descriptor
   asked the process to end; or a negative error number. */
int csystem_await_input(int fd);

/* Turns SIGWINCH into a byte on that descriptor too. */
int csystem_report_window_size(void);

/* What a child may do. Each list of paths ends with a null pointer; a path that is missing gives no access. */
struct csystem_sandbox {
    /* Folders and files to read and execute, and those to write too. */
    const char *const *readable, *const *writable;
    /* More to read and execute: paths without links, which give no access if one has a link when the child starts. */
    const char *const *resolved;
    /* Device files to read and write. */
    const char *const *devices;
    /* Whether it may have internet sockets; and the only ports to which it may connect by TCP, or none for all. */
    int has_network;
    const unsigned short *ports;
    size_t port_count;
    /* The greatest size of a file that it writes, in bytes. */
    unsigned long long file_size;
};

/* The version of Landlock, which restricts files, TCP, signals and abstract sockets; 0 without it. */
int csystem_landlock_version(void);

/* Whether system calls can be filtered. */
int csystem_has_seccomp(void);

/* Whether a child can be started in a namespace of processes, as the first start showed; before it, this is tried. */
int csystem_can_hide_processes(void);

/* Starts a child that calls a function, which must not return, in a namespace of processes, with a /proc that shows only
   its own. Only async-signal-safe calls are allowed there. Returns its pid, or -errno: -ENOTSUP where the system refuses
   such namespaces, as it did at the first start, and everywhere but on Linux. `keeper` is the first process of the
   namespace, a child too, which must be killed when the child has ended: with it all processes of the namespace end. Both
   are killed when the thread that called this ends. */
pid_t csystem_start_apart(int (*run)(void *), void *argument, pid_t *keeper);

/* Enters a sandbox for good, as far as the system has the means. Makes only async-signal-safe calls. Returns 0, or -1
   with errno. */
int csystem_enter_sandbox(const struct csystem_sandbox *sandbox);

struct csystem_spawn {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    int input, output, error;
    /* The greatest number of open descriptors; 0 means the limit that we were started with. */
    unsigned files;
    /* NULL for none. */
    const struct csystem_sandbox *sandbox;
};

/* Starts a child as the leader of a new process group, in its directory, with
   default signal handlers, with only the descriptors 0 to 2, without core dumps and in its sandbox; on
   Linux it is killed when the thread that called this ends. Returns its pid, or
   -errno of the first step that failed; the child is then gone and reaped. `keeper` is that of csystem_start_apart in a
   sandbox, where the system allows it, and 0 otherwise. */
pid_t csystem_spawn(const struct csystem_spawn *spawn, pid_t *keeper);

/* Waits for the end of a child, and reaps it; nothing for 0. */
void csystem_reap(pid_t pid);

/* A descriptor that becomes readable when a child ends; -1 where there is none, as on macOS. */
int csystem_process_descriptor(pid_t pid);

/* Makes this process the parent of descendants whose parent ends (Linux only). */
void csystem_adopt_orphans(void);

/* Lists the children of a process, of which ours include adopted ones, at most `count`. Returns their number, or -errno;
   only ours are known on macOS. */
int csystem_children(pid_t pid, pid_t *pids, int count);

/* The identifier of a child that ended and was not reaped yet, or 0. */
pid_t csystem_ended_child(void);

/* Starts a guardian process. When we end, it kills every process group that csystem_guard added, and every process
   whose environment holds the entry `marker`. Its only descriptor is its end of a pipe. Returns the other end, closed
   on exec, or -errno; `guardian` receives the process identifier. */
int csystem_guardian(const char *marker, pid_t *guardian);

/* Adds a process group to those that the guardian kills; a negative number removes the group. */
int csystem_guard(int fd, pid_t group);

/* The greatest length of the path of a socket in bytes. */
int csystem_longest_socket_path(void);

/* Creates a socket that accepts connections at a path. It gets its name only when it accepts connections: a socket
   with that name that refuses them is one of a process that ended. `provisional` is its name until then. Returns a
   nonblocking descriptor, or -errno: -ENAMETOOLONG if a path is too long. */
int csystem_listen(const char *provisional, const char *path, int backlog);

/* Accepts a connection. Returns a nonblocking descriptor, closed on exec, or -errno: -EAGAIN if there is none;
   `user` receives the effective user of the process that connected. */
int csystem_accept(int listener, uid_t *user);

/* Connects to a socket, and waits at most so long. Returns a nonblocking descriptor, closed on exec, or -errno:
   -ECONNREFUSED if no process accepts connections there, -EAGAIN after the time. */
int csystem_connect(const char *path, int milliseconds);

/* Listens at a port of the IPv4 loopback interface; 0 is any free port, and `port` receives the one in use. Returns a
   nonblocking descriptor, closed on exec, or -errno. */
int csystem_listen_loopback(unsigned short *port, int backlog);

/* Accepts a connection of any user. Returns a nonblocking descriptor, closed on exec, or -errno. */
int csystem_accept_any(int listener);

/* Writes to a socket without blocking and without SIGPIPE. Returns the number of bytes, or -errno. */
ssize_t csystem_send(int fd, const void *bytes, size_t count);

/* Ends the stream to the other end of a socket, from which more can be read. */
int csystem_end_output(int fd);

/* Opens a socket for datagrams to Unix addresses: nonblocking and closed on exec. Returns a descriptor, or -errno. */
int csystem_open_datagram(void);

/* Sends a datagram without blocking: to a path, or to the abstract address (Linux only) after an `@` in front. Returns
   0, or -errno: -EAGAIN if the receiver's queue is full, -ENAMETOOLONG if the address is too long. */
int csystem_send_datagram(int fd, const char *address, const void *bytes, size_t count);

/* Memory in bytes that lies in no file, which is what iOS counts; all 0 if it was not asked for. */
struct csystem_heap {
    unsigned long long all;  /* that of all processes now */
    unsigned long long own;  /* that of the first process now */
    unsigned long long peak; /* the most that the first process ever had */
    unsigned long long high; /* the most resident memory that it ever had: if it rose, `peak` is new */
};
/* The current resource usage of a process and its descendants. */
struct csystem_usage {
    unsigned long long resident;     /* bytes of memory */
    unsigned long long milliseconds; /* of processor time, including ended descendants */
    int processes;
    struct csystem_heap heap;
};
/* Returns 0, or -errno: -ENOSYS if the system does not report it. Counting stops once there are more than `most`
   processes, which bounds its cost; 0 means no limit. The heap costs as much again, so it is read only if wanted. */
int csystem_read_usage(pid_t pid, int most, int wants_heap, struct csystem_usage *usage);

/* What changes when a process runs: its own processor time and page faults, those of the children that it waited for, its
   threads and its memory. Two equal readings say that it did next to nothing in between. */
struct csystem_activity {
    unsigned long long values[7];
};
/* Returns 0, or -errno: -ENOSYS if the system does not report it. It reads one file. */
int csystem_read_activity(pid_t pid, struct csystem_activity *activity);

/* malloc and free for many small blocks that live for a short time. Blocks of up to 1,024 bytes are cut from an arena of
   64 MiB, where their address tells their size, and are kept in lists of the thread that frees them. If the arena has no
   block of a size left, malloc makes it. Blocks of malloc may be passed to this free, but not the other way round. */
void *csystem_recycling_malloc(size_t size);
void csystem_recycling_free(void *memory);
/* The number of bytes that fit in a block. */
size_t csystem_recycling_size(void *memory);

/* A watch: one descriptor that poll(2) reports as readable while any descriptor that was added to it is, or is at its end.
   So many descriptors cost a poll no more than one. `tag` identifies the descriptor in csystem_watch_ready, which returns
   the number of tags it stored. A descriptor that is closed leaves the watch by itself. */
int csystem_watch_open(void);
int csystem_watch_add(int watch, int fd, int tag);
void csystem_watch_remove(int watch, int fd);
int csystem_watch_ready(int watch, int *tags, int capacity);

#endif
