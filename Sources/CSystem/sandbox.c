#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#if defined(__linux__)
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock, from the kernel's include/uapi/linux/landlock.h: headers of older systems lack the later versions. The
   numbers of system calls above 423 are the same on all processors. */
enum { SYS_CREATE_RULESET = 444, SYS_ADD_RULE = 445, SYS_RESTRICT_SELF = 446 };
struct ruleset {
    uint64_t files, network, scopes;
};
struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));
struct port_rule {
    uint64_t allowed, port;
};
enum { RULE_PATH = 1, RULE_PORT = 2, CONNECT_TCP = 2, BIND_TCP = 1, SCOPE_ABSTRACT_SOCKETS = 1, SCOPE_SIGNALS = 2 };
#define RIGHT(number) (UINT64_C(1) << (number))
#define EXECUTE RIGHT(0)
#define WRITE_FILE RIGHT(1)
#define READ_FILE RIGHT(2)
#define READ_FOLDER RIGHT(3)
/* Removing and making, except of devices and sockets: folders, files, folders, files, pipes, links. */
#define CHANGE_FOLDER (RIGHT(4) | RIGHT(5) | RIGHT(7) | RIGHT(8) | RIGHT(10) | RIGHT(12) | MOVE)
#define MOVE RIGHT(13)
#define TRUNCATE RIGHT(14)
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE)

/* The rights that a version of Landlock handles, of 16. */
static uint64_t handled(int version) {
    return version >= 5 ? RIGHT(16) - 1 : version >= 3 ? RIGHT(15) - 1 : version == 2 ? RIGHT(14) - 1 : RIGHT(13) - 1;
}

int csystem_landlock_version(void) {
    long version = syscall(SYS_CREATE_RULESET, NULL, 0, 1 /* the version */);
    return version < 0 ? 0 : (int)version;
}

int csystem_has_seccomp(void) {
    /* Without a filter to read, a kernel that has seccomp fails with EFAULT. */
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT;
}

static int open_place(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

/* Opens what is at a path, and nothing if a link is on the way, so that the place is the one that was decided about: a
   program that writes there can put a link in its place at any moment. Each kernel that has Landlock has this call. */
static int open_real_place(const char *path) {
    const struct {
        uint64_t flags, mode, resolve;
    } how = {O_PATH | O_CLOEXEC, 0, 4 /* RESOLVE_NO_SYMLINKS */};
    return (int)syscall(437 /* openat2 */, AT_FDCWD, path, &how, sizeof how);
}

/* Allows accesses below an open place, or to a file, and closes it. A path that is missing or cannot be opened, for
   which the descriptor is negative, gives no access. */
static int allow(int ruleset, int version, int place, uint64_t rights) {
    if (place < 0) return 0;
    struct path_rule rule = {.parent = place};
    struct stat status;
    if (fstat(rule.parent, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= OF_FILES;
    rule.allowed = rights & handled(version);
    int result = (int)syscall(SYS_ADD_RULE, ruleset, RULE_PATH, &rule, 0);
    int error = errno;
    close(rule.parent);
    errno = error;
    return result;
}

static int restrict_files(const struct csystem_sandbox *sandbox) {
    int version = csystem_landlock_version();
    if (version == 0) return 0;
    struct ruleset rules = {.files = handled(version)};
    if (version >= 4 && sandbox->port_count > 0) rules.network = CONNECT_TCP | BIND_TCP;
    if (version >= 6) rules.scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return -1;
    uint64_t reading = READ_FILE | READ_FOLDER | EXECUTE;
    for (const char *const *path = sandbox->readable; *path != NULL; path++)
        if (allow(ruleset, version, open_place(*path), reading) < 0) return -1;
    for (const char *const *path = sandbox->resolved; *path != NULL; path++)
        if (allow(ruleset, version, open_real_place(*path), reading) < 0) return -1;
    uint64_t writing = READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | CHANGE_FOLDER;
    for (const char *const *path = sandbox->writable; *path != NULL; path++)
        if (allow(ruleset, version, open_place(*path), writing) < 0) return -1;
    for (const char *const *path = sandbox->devices; *path != NULL; path++)
        if (allow(ruleset, version, open_place(*path), READ_FILE | WRITE_FILE | TRUNCATE) < 0) return -1;
    for (size_t index = 0; rules.network != 0 && index < sandbox->port_count; index++) {
        struct port_rule rule = {.allowed = CONNECT_TCP, .port = sandbox->ports[index]};
        if (syscall(SYS_ADD_RULE, ruleset, RULE_PORT, &rule, 0) < 0) return -1;
    }
    if (syscall(SYS_RESTRICT_SELF, ruleset, 0) < 0) return -1;
    close(ruleset);
    return 0;
}

/* A filter of system calls while it is written. */
struct filter {
    struct sock_filter code[512];
    unsigned short count;
};

static void emit(struct filter *filter, struct sock_filter code) { filter->code[filter->count++] = code; }

#define LOAD(place) ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place))
#define LOW_HALF(number) (offsetof(struct seccomp_data, args[number]))
#define HIGH_HALF(number) (LOW_HALF(number) + 4)
#define IF_EQUAL(value, yes, no) ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no))
#define IF_ANY_BIT(bits, yes, no) ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no))
#define IF_FROM(value) ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, 0))
#define FAIL(error) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error)))
#define NO_ERROR 0
#define ALLOW ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))

/* Returns from a system call without making it. */
static void refuse(struct filter *filter, unsigned number, unsigned error) {
    emit(filter, IF_EQUAL(number, 0, 1));
    emit(filter, FAIL(error));
}

/* System calls that a filter refuses, in the order of their numbers. */
struct refusals {
    struct {
        unsigned short number, error;
    } calls[128];
    size_t count;
};

static void add(struct refusals *refusals, const unsigned short *numbers, size_t size, unsigned short error) {
    for (size_t index = 0; index < size / sizeof *numbers; index++) {
        size_t place = refusals->count++;
        for (; place > 0 && refusals->calls[place - 1].number > numbers[index]; place--)
            refusals->calls[place] = refusals->calls[place - 1];
        refusals->calls[place].number = numbers[index];
        refusals->calls[place].error = error;
    }
}

/* Ends the filter with a search by halves: the kernel runs it once for each number when it is installed. */
static void refuse_all(struct filter *filter, const struct refusals *refusals, size_t start, size_t end) {
    if (end - start <= 3) {
        for (; start < end; start++) refuse(filter, refusals->calls[start].number, refusals->calls[start].error);
        return emit(filter, ALLOW);
    }
    size_t middle = start + (end - start) / 2;
    struct sock_filter *jump = &filter->code[filter->count];
    emit(filter, IF_FROM(refusals->calls[middle].number));
    refuse_all(filter, refusals, start, middle);
    jump->jt = (unsigned char)(&filter->code[filter->count] - jump - 1);
    refuse_all(filter, refusals, middle, end);
}

/* Fails a system call unless the lower half of its first argument is 0, for the process itself. */
static void refuse_unless_own(struct filter *filter, unsigned number) {
    emit(filter, IF_EQUAL(number, 0, 4));
    emit(filter, LOAD(LOW_HALF(0)));
    emit(filter, IF_EQUAL(0, 1, 0));
    emit(filter, FAIL(EPERM));
    emit(filter, ALLOW);
}

/* Fails a system call unless its first arguments are this kind and 0: the process itself, not its group or its user. */
static void refuse_unless_process(struct filter *filter, unsigned number, unsigned kind) {
    emit(filter, IF_EQUAL(number, 0, 6));
    emit(filter, LOAD(LOW_HALF(0)));
    emit(filter, IF_EQUAL(kind, 0, 2));
    emit(filter, LOAD(LOW_HALF(1)));
    emit(filter, IF_EQUAL(0, 1, 0));
    emit(filter, FAIL(EPERM));
    emit(filter, ALLOW);
}

/* Fails a call that sets the times of a path to the present, for which the times are a null pointer, and ignores it for
   other times and for a descriptor. Python's Path.touch and Ruby's FileUtils.touch make a missing file only if that
   fails, the latter only with this error. */
static void refuse_touch(struct filter *filter, unsigned number, unsigned path, unsigned times) {
    emit(filter, IF_EQUAL(number, 0, 10));
    emit(filter, LOAD(LOW_HALF(path)));
    emit(filter, IF_EQUAL(0, 0, 2));
    emit(filter, LOAD(HIGH_HALF(path)));
    emit(filter, IF_EQUAL(0, 5, 0));
    emit(filter, LOAD(LOW_HALF(times)));
    emit(filter, IF_EQUAL(0, 0, 3));
    emit(filter, LOAD(HIGH_HALF(times)));
    emit(filter, IF_EQUAL(0, 0, 1));
    emit(filter, FAIL(ENOENT));
    emit(filter, FAIL(NO_ERROR));
}

/* Calls that act on other processes, on the system, or with which a process gets around the rules for files. */
static const unsigned short refused_calls[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, 438 /* pidfd_getfd */, 440 /* process_madvise */,
    448 /* process_mrelease */, SYS_migrate_pages, SYS_move_pages,
    SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428 /* open_tree */,
    429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */,
    442 /* mount_setattr */, 467 /* open_tree_attr */,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init, SYS_open_by_handle_at, SYS_name_to_handle_at,
    SYS_inotify_add_watch /* which tells the names of files in any folder */, SYS_quotactl, 443 /* quotactl_fd */,
    SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
    SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup,
    SYS_memfd_create, 447 /* memfd_secret */,
    /* Who makes no memory, semaphores and queues may still use those of others: /proc/sysvipc lists their numbers. */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    468 /* file_getattr */, 469 /* file_setattr */,
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/* Programs and the C library have other ways for what is not implemented. */
static const unsigned short missing_calls[] = {
    425, 426, 427 /* io_uring, which gets around a filter of calls */, 435 /* clone3, whose flags lie in memory */,
};

/* Calls that change the mode and the owner of a file, which Landlock does not check. They succeed without an effect, as
   those for times do: who copies a file or a folder makes these calls last, and takes an error of them for a failed
   copy. */
static const unsigned short ignored_calls[] = {
    SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat,
#if defined(__x86_64__)
    SYS_chmod, SYS_chown, SYS_lchown,
#endif
};

/* Calls that change attributes of a file, which Landlock does not check either: as on a file system that has none. */
static const unsigned short unsupported_calls[] = {
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    463 /* setxattrat */, 466 /* removexattrat */,
};

/* Requests that change a file of the user through a descriptor that may only be read, or make and remove parts of a
   file system in a folder that may only be read; Landlock checks only those to devices. */
static const unsigned refused_requests[] = {
    TIOCSTI, 0x40086602 /* FS_IOC_SETFLAGS */, 0x401C5820 /* FS_IOC_FSSETXATTR */,
    0x40806685 /* FS_IOC_ENABLE_VERITY */, 0x40087602 /* FS_IOC_SETVERSION */, 0x40086604 /* EXT4_IOC_SETVERSION */,
    0x800C6613 /* FS_IOC_SET_ENCRYPTION_POLICY */,
    /* BTRFS_IOC_ SNAP_CREATE, SNAP_CREATE_V2, SUBVOL_CREATE, SUBVOL_CREATE_V2, SNAP_DESTROY, SNAP_DESTROY_V2,
       SUBVOL_SETFLAGS, SET_RECEIVED_SUBVOL */
    0x50009401, 0x50009417, 0x5000940E, 0x50009418, 0x5000940F, 0x5000943F, 0x4008941A, 0xC0C89425,
};

static void refuse_requests(struct filter *filter) {
    const unsigned char count = sizeof refused_requests / sizeof *refused_requests;
    emit(filter, IF_EQUAL(SYS_ioctl, 0, count + 3));
    emit(filter, LOAD(LOW_HALF(1)));
    for (unsigned char index = 0; index < count; index++)
        emit(filter, IF_EQUAL(refused_requests[index], count - index, 0));
    emit(filter, ALLOW);
    emit(filter, FAIL(EPERM));
}

/* Fails a system call if a flag is set in an argument. */
static void refuse_flag(struct filter *filter, unsigned number, unsigned argument, unsigned flag, unsigned error) {
    emit(filter, IF_EQUAL(number, 0, 4));
    emit(filter, LOAD(LOW_HALF(argument)));
    emit(filter, IF_ANY_BIT(flag, 0, 1));
    emit(filter, FAIL(error));
    emit(filter, ALLOW);
}

#define MASK_TYPE ((struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF))

/* Only pairs of connected sockets: one for datagrams sends to every socket of a file, whomever it is connected with. */
static void restrict_pairs(struct filter *filter) {
    emit(filter, IF_EQUAL(SYS_socketpair, 0, 8));
    emit(filter, LOAD(LOW_HALF(0)));
    emit(filter, IF_EQUAL(AF_UNIX, 0, 4));
    emit(filter, LOAD(LOW_HALF(1)));
    emit(filter, MASK_TYPE);
    emit(filter, IF_EQUAL(SOCK_STREAM, 2, 0));
    emit(filter, IF_EQUAL(SOCK_SEQPACKET, 1, 0));
    emit(filter, FAIL(EACCES));
    emit(filter, ALLOW);
}

/* Only internet sockets for TCP and UDP, and the questions about routes with which names are resolved. Landlock knows
   the ports of no other protocol, such as those of MPTCP, which connects with servers of TCP. */
static void restrict_sockets(struct filter *filter, int has_network) {
    if (!has_network) return refuse(filter, SYS_socket, EACCES);
    emit(filter, IF_EQUAL(SYS_socket, 0, 18));
    emit(filter, LOAD(LOW_HALF(0)));
    emit(filter, IF_EQUAL(AF_NETLINK, 0, 3));
    emit(filter, LOAD(LOW_HALF(2)));
    emit(filter, IF_EQUAL(0 /* NETLINK_ROUTE */, 12, 0));
    emit(filter, FAIL(EACCES));
    emit(filter, IF_EQUAL(AF_INET, 1, 0));
    emit(filter, IF_EQUAL(AF_INET6, 0, 10));
    emit(filter, LOAD(LOW_HALF(1)));
    emit(filter, MASK_TYPE);
    emit(filter, IF_EQUAL(SOCK_STREAM, 1, 0));
    emit(filter, IF_EQUAL(SOCK_DGRAM, 0, 6));
    emit(filter, LOAD(LOW_HALF(2)));
    emit(filter, IF_EQUAL(0 /* that of the type */, 3, 0));
    emit(filter, IF_EQUAL(IPPROTO_TCP, 2, 0));
    emit(filter, IF_EQUAL(IPPROTO_UDP, 1, 0));
    emit(filter, FAIL(EACCES));
    emit(filter, ALLOW);
    emit(filter, FAIL(EACCES));
}

/* Refuses what uses a port without the calls that Landlock checks: to connect while data is sent, which fails as on a
   system that has switched that off, and to listen without a choice of the port. */
static void restrict_ports(struct filter *filter) {
    const unsigned fast_open = 0x20000000; /* MSG_FASTOPEN */
    refuse_flag(filter, SYS_sendto, 3, fast_open, EOPNOTSUPP);
    refuse_flag(filter, SYS_sendmsg, 2, fast_open, EOPNOTSUPP);
    refuse_flag(filter, SYS_sendmmsg, 3, fast_open, EOPNOTSUPP);
    refuse(filter, SYS_listen, EACCES);
}

static int restrict_calls(const struct csystem_sandbox *sandbox) {
    struct filter filter;
    filter.count = 0;
    emit(&filter, LOAD(offsetof(struct seccomp_data, arch)));
#if defined(__x86_64__)
    emit(&filter, IF_EQUAL(AUDIT_ARCH_X86_64, 1, 0));
#elif defined(__aarch64__)
    emit(&filter, IF_EQUAL(AUDIT_ARCH_AARCH64, 1, 0));
#else
#error "The processor's number for seccomp is missing."
#endif
    emit(&filter, FAIL(ENOSYS));
    emit(&filter, LOAD(offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
    /* The calls of x32 have other numbers. */
    emit(&filter, IF_ANY_BIT(0x40000000, 0, 1));
    emit(&filter, FAIL(ENOSYS));
#endif
    restrict_sockets(&filter, sandbox->has_network);
    restrict_pairs(&filter);
    if (sandbox->port_count > 0) restrict_ports(&filter);
    const unsigned short of_processes[] = {SYS_prlimit64, SYS_sched_setscheduler, SYS_sched_setparam,
                                           SYS_sched_setaffinity, SYS_sched_setattr};
    for (size_t index = 0; index < sizeof of_processes / sizeof *of_processes; index++)
        refuse_unless_own(&filter, of_processes[index]);
    refuse_unless_process(&filter, SYS_setpriority, PRIO_PROCESS);
    refuse_unless_process(&filter, SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */);
    emit(&filter, IF_EQUAL(SYS_clone, 0, 4));
    emit(&filter, LOAD(LOW_HALF(0)));
    emit(&filter, IF_ANY_BIT(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
                             | CLONE_NEWNET, 0, 1));
    emit(&filter, FAIL(EPERM));
    emit(&filter, ALLOW);
    refuse_requests(&filter);
    refuse_touch(&filter, SYS_utimensat, 1, 2);
#if defined(__x86_64__)
    refuse_touch(&filter, SYS_utime, 0, 1);
    refuse_touch(&filter, SYS_utimes, 0, 1);
    refuse_touch(&filter, SYS_futimesat, 1, 2);
#endif
    struct refusals refusals;
    refusals.count = 0;
    /* A jump of the search reaches over half of them. */
    _Static_assert(sizeof refused_calls + sizeof missing_calls + sizeof ignored_calls + sizeof unsupported_calls
                       <= sizeof refusals.calls / 2, "the refused calls have no room");
    add(&refusals, refused_calls, sizeof refused_calls, EPERM);
    add(&refusals, missing_calls, sizeof missing_calls, ENOSYS);
    add(&refusals, ignored_calls, sizeof ignored_calls, NO_ERROR);
    add(&refusals, unsupported_calls, sizeof unsupported_calls, ENOTSUP);
    refuse_all(&filter, &refusals, 0, refusals.count);
    struct sock_fprog program = {.len = filter.count, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Gives up root's privileges, among them to read the environment of each process in /proc. It keeps those to read files, which
   Landlock restricts, as files of another user are bundles too. Without root there are none to give up. */
static int drop_privileges(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0) return -1;
    const uint32_t kept = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) {
        uint32_t mask = half == 0 ? kept : 0;
        sets[half].permitted &= mask;
        sets[half].effective &= mask;
        sets[half].inheritable &= mask;
    }
    return (int)syscall(SYS_capset, &header, sets);
}

int csystem_enter_sandbox(const struct csystem_sandbox *sandbox) {
    const struct rlimit size = {sandbox->file_size, sandbox->file_size};
    if (setrlimit(RLIMIT_FSIZE, &size) != 0) return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno == EINVAL ? 0 : -1;
    if (drop_privileges() != 0 || restrict_files(sandbox) != 0) return -1;
    return csystem_has_seccomp() ? restrict_calls(sandbox) : 0;
}

#else

int csystem_landlock_version(void) { return 0; }
int csystem_has_seccomp(void) { return 0; }
int csystem_enter_sandbox(const struct csystem_sandbox *sandbox) {
    (void)sandbox;
    return 0;
}

#endif
