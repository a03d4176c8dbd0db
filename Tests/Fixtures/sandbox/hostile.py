"""An extension that attempts what its sandbox forbids, each attempt by the name in the title of a notification.

It answers a call with the text "achieved", or with the name of the error that the system gave. The members of userInfo
name what it attacks: files, and a process with sockets (victim.py).
"""

import ctypes
import errno
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """A system call by its number, which is the same on all processors for those above 423."""
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return result


def function(name, *arguments):
    """A function of the C library that returns a negative number and sets errno."""
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def number(x86, other):
    return x86 if os.uname().machine == "x86_64" else other


def read(path):
    with open(path, "rb") as file:
        assert file.read(), "it is empty"


def write(path):
    with open(path, "w") as file:
        file.write("hostile")


def one_of(names, name):
    if name not in names:
        raise OSError(errno.ENOENT, "it is not listed")
    return name


def changed(before, after):
    """The sandbox ignores a change of a file's status: the call succeeds without an effect."""
    if before == after:
        raise OSError(errno.EPERM, "it has no effect")


def unless_refused(*actions):
    """Fails if the system refuses each action. They change nothing, so any other error shows that nothing stops one."""
    for action in actions:
        try:
            action()
        except OSError as error:
            if error.errno in (errno.EPERM, errno.EACCES):
                refusal = error
                continue
        return
    raise refusal


def try_mode(info):
    before = os.stat(info["secret"]).st_mode
    os.chmod(info["secret"], before ^ 0o100)
    changed(before, os.stat(info["secret"]).st_mode)


def try_own_mode(_):
    with open(sys.argv[0]) as own:
        before = os.fstat(own.fileno()).st_mode
        os.fchmod(own.fileno(), before ^ 0o001)
        changed(before, os.fstat(own.fileno()).st_mode)


def try_times(info):
    before = os.stat(info["secret"]).st_mtime
    os.utime(info["secret"], (1, before - 60))
    changed(before, os.stat(info["secret"]).st_mtime)


def try_times_by_descriptor(_):
    with open(sys.argv[0]) as own:
        before = os.fstat(own.fileno())
        os.utime(own.fileno(), ns=(1, before.st_mtime_ns - 60))
        after = os.fstat(own.fileno())
        # The host must not take the program for another one.
        os.utime(own.fileno(), ns=(before.st_atime_ns, before.st_mtime_ns))
        changed(before.st_mtime_ns, after.st_mtime_ns)


def try_flags(_):
    """A file that it may only read: sets the flags that it has, and asks for what is not possible with a file."""
    with open(sys.argv[0]) as own:

        def copy(read, write, size):
            return lambda: fcntl.ioctl(own, write, fcntl.ioctl(own, read, bytes(size)))

        # BTRFS_IOC_...
        subvolumes = [0x50009401, 0x50009417, 0x5000940E, 0x50009418, 0x5000940F, 0x5000943F, 0x4008941A, 0xC0C89425]
        unless_refused(
            copy(0x80086601, 0x40086602, 8),  # FS_IOC_SETFLAGS
            copy(0x801C581F, 0x401C5820, 28),  # FS_IOC_FSSETXATTR
            copy(0x80087601, 0x40087602, 8),  # FS_IOC_SETVERSION
            lambda: fcntl.ioctl(own, 0x40806685, bytes(128)),  # FS_IOC_ENABLE_VERITY
            lambda: fcntl.ioctl(own, 0x800C6613, bytes(12)),  # FS_IOC_SET_ENCRYPTION_POLICY
            *[lambda request=request: fcntl.ioctl(own, request, bytearray(4096)) for request in subvolumes],
        )


def try_rename(info):
    os.rename(info["secret"], os.path.join(tempfile.gettempdir(), "taken"))


def try_hard_link(info):
    os.link(info["secret"], os.path.join(tempfile.gettempdir(), "linked"))
    read(os.path.join(tempfile.gettempdir(), "linked"))


def try_symbolic_link(info):
    link = os.path.join(tempfile.gettempdir(), "link")
    os.symlink(info["secret"], link)
    read(link)


def try_double_fork(info):
    """A grandchild in a session of its own, whose parent has ended."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try:
                read(info["secret"])
                os.write(writer, b"0")
            except OSError as error:
                os.write(writer, str(error.errno).encode())
        os._exit(0)
    os.close(writer)
    os.wait()
    code = int(os.read(reader, 16))
    if code:
        raise OSError(code, "in the grandchild")


def try_program(info):
    """Another program, which has no sandbox of its own."""
    run = subprocess.run(["cat", info["secret"]], capture_output=True)
    if run.returncode:
        assert b"denied" in run.stderr, run.stderr
        raise OSError(errno.EACCES, "cat")


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as end:
        end.connect(address)
        if kind == socket.SOCK_DGRAM:
            end.send(b"hostile")


def listen(_):
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        end.listen()


FAST_OPEN = 0x20000000


def send_opening(info):
    with socket.socket() as end:
        end.sendto(b"hostile", FAST_OPEN, ("127.0.0.1", int(info["other port"])))


def send_message_opening(info):
    with socket.socket() as end:
        end.sendmsg([b"hostile"], [], FAST_OPEN, ("127.0.0.1", int(info["other port"])))


def send_messages_opening(info):
    port = struct.pack("!H", int(info["other port"]))
    address = struct.pack("=H", socket.AF_INET) + port + bytes([127, 0, 0, 1]) + bytes(8)
    parts = [ctypes.create_string_buffer(address, 16), ctypes.create_string_buffer(b"hostile", 7)]
    parts.append(ctypes.create_string_buffer(struct.pack("PN", ctypes.addressof(parts[1]), 7)))
    name, _, data = map(ctypes.addressof, parts)
    message = ctypes.create_string_buffer(struct.pack("PI4xPNPNi4xI4x", name, 16, data, 1, 0, 0, 0, 0))
    with socket.socket() as end:
        function("sendmmsg", end.fileno(), message, 1, FAST_OPEN)


def try_other_protocol(info):
    """MPTCP, which connects with a server of TCP."""
    try:
        end = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
    except OSError as error:
        if error.errno in (errno.EPROTONOSUPPORT, errno.EINVAL, errno.ENOPROTOOPT):
            return  # This kernel has no MPTCP, and nothing else prevents it.
        raise
    with end:
        end.connect(("127.0.0.1", int(info["other port"])))


def listen_somewhere(_):
    with socket.socket() as end:
        end.listen()


def try_datagram_pair(info):
    ours, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, other:
        ours.sendto(b"hostile", info["datagram socket"])


def vector(address, count):
    return (ctypes.c_size_t * 2)(address, count)


def try_read_memory(info):
    copy = ctypes.create_string_buffer(6)
    local, remote = vector(ctypes.addressof(copy), 6), vector(int(info["address"]), 6)
    call(number(310, 270), int(info["pid"]), local, 1, remote, 1, 0)
    assert copy.raw == b"secret"


def try_memory_file(info):
    with open(f"/proc/{info['pid']}/mem", "rb") as file:
        file.seek(int(info["address"]))
        assert file.read(6) == b"secret"


def try_trace(info):
    pid = int(info["pid"])
    call(number(101, 117), 16, pid, 0, 0)
    os.waitpid(pid, 0)
    call(number(101, 117), 17, pid, 0, 0)


def try_take_descriptor(info):
    descriptor = os.pidfd_open(int(info["pid"]))
    os.close(call(438, descriptor, int(info["descriptor"]), 0))


def try_priority(info):
    os.setpriority(os.PRIO_PROCESS, int(info["pid"]), 19)


def try_group_priority(_):
    os.setpriority(os.PRIO_PGRP, 0, os.getpriority(os.PRIO_PGRP, 0))


def try_group_disk_priority(_):
    call(number(251, 30), 2, 0, 0)


def try_limits(info):
    import resource

    resource.prlimit(int(info["pid"]), resource.RLIMIT_CORE, (0, 0))


def try_huge_file(_):
    # The signal would end the process; an error is easier to report.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(65):
            file.write(bytes(1 << 20))
        file.flush()


def try_execute(info):
    subprocess.run([info["program"]], check=True)


def try_memory_program(_):
    descriptor = os.memfd_create("hostile")
    with open("/bin/true", "rb") as file:
        os.write(descriptor, file.read())
    subprocess.run([f"/proc/self/fd/{descriptor}"], pass_fds=[descriptor], check=True)


def try_watch(info):
    function("inotify_add_watch", function("inotify_init1", 0), info["home"].encode(), 0x100)


def try_shared_memory(_):
    write("/dev/shm/pushhost-hostile")
    os.unlink("/dev/shm/pushhost-hostile")


def try_system_v(_):
    identifier = function("shmget", 0, 4096, 0o1600)
    function("shmctl", identifier, 0, None)


def try_attach_memory(info):
    libc.shmat.restype = ctypes.c_void_p
    address = libc.shmat(int(info["memory"]), None, 0o10000)
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "shmat")
    assert ctypes.string_at(address, 6) == b"secret"


def try_system_v_numbers(_):
    """Calls that use what another program made; no number is -1."""
    unless_refused(
        lambda: function("shmctl", -1, 0, None),
        lambda: function("semctl", -1, 0, 0),
        lambda: function("semop", -1, None, 0),
        lambda: function("semtimedop", -1, None, 0, None),
        lambda: function("msgctl", -1, 0, None),
        lambda: function("msgsnd", -1, None, 0, 0),
        lambda: function("msgrcv", -1, None, 0, 0, 0),
        lambda: function("mq_unlink", b"/pushhost-hostile-missing"),
    )


def try_queue(_):
    function("mq_open", b"/pushhost-hostile", os.O_CREAT | os.O_RDWR, 0o600, None)
    function("mq_unlink", b"/pushhost-hostile")


def try_ring(_):
    os.close(call(425, 1, ctypes.create_string_buffer(120)))


def try_namespace(_):
    """In a child, since a process that has threads cannot enter one."""
    child = os.fork()
    if child == 0:
        os._exit(0 if libc.unshare(0x10000000) == 0 else ctypes.get_errno())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, "unshare")


def try_keyring(_):
    call(number(248, 217), b"user", b"pushhost-hostile", b"x", 1, -2)


def try_child_namespace(_):
    """A child that is made in a user namespace."""
    child = call(number(56, 220), 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


ATTEMPTS = {
    "read a file of the home folder": lambda info: read(info["secret"]),
    "list the home folder": lambda info: os.listdir(info["home"]),
    "make a file in the home folder": lambda info: write(os.path.join(info["home"], ".profile")),
    "write to a file": lambda info: write(info["victim file"]),
    "truncate a file": lambda info: os.truncate(info["victim file"], 0),
    "delete a file": lambda info: os.unlink(info["victim file"]),
    "make a folder": lambda info: os.mkdir(os.path.join(info["home"], "hostile")),
    "take a file away": try_rename,
    "link to a file": try_hard_link,
    "follow a symbolic link of its own": try_symbolic_link,
    "read a suite": lambda info: read(info["suite"]),
    "read another bundle": lambda info: read(info["other bundle"]),
    "write to its own bundle": lambda info: write(os.path.join(os.getcwd(), "hostile")),
    "write beside its temporary folder": lambda info: write(os.path.join(info["temporary"], "hostile")),
    "change a mode": try_mode,
    "change the mode of its own program": try_own_mode,
    "change times": try_times,
    "change times by a descriptor": try_times_by_descriptor,
    "change flags": try_flags,
    "set an attribute": lambda info: os.setxattr(info["secret"], "user.hostile", b"x"),
    "watch a folder": try_watch,
    "run a program of the home folder": try_execute,
    "list the processes": lambda info: os.stat(os.path.join("/proc", one_of(os.listdir("/proc"), info["pid"]))),
    "read the arguments of a process": lambda info: read(f"/proc/{info['pid']}/cmdline"),
    "read the environment of a process": lambda info: read(f"/proc/{info['pid']}/environ"),
    "see which files a process has open": lambda info: os.readlink(f"/proc/{info['pid']}/fd/0"),
    "see where a process works": lambda info: os.readlink(f"/proc/{info['pid']}/cwd"),
    "read the memory of a process": try_read_memory,
    "open the memory of a process": try_memory_file,
    "trace a process": try_trace,
    "take a descriptor of a process": try_take_descriptor,
    "signal a process": lambda info: os.kill(int(info["pid"]), signal.SIGCONT),
    "slow a process down": try_priority,
    "slow its group down": try_group_priority,
    "slow the disk of its group down": try_group_disk_priority,
    "limit a process": try_limits,
    "pin a process": lambda info: os.sched_setaffinity(int(info["pid"]), os.sched_getaffinity(0)),
    "escape by two forks": try_double_fork,
    "let another program read": try_program,
    "connect to a port": lambda info: connect(socket.AF_INET, ("127.0.0.1", int(info["port"]))),
    "connect to another port": lambda info: connect(socket.AF_INET, ("127.0.0.1", int(info["other port"]))),
    "connect to another port by sending": send_opening,
    "connect to another port by sending a message": send_message_opening,
    "connect to another port by sending messages": send_messages_opening,
    "connect to another port by another protocol": try_other_protocol,
    "send a datagram": lambda info: connect(socket.AF_INET, ("127.0.0.1", 9), socket.SOCK_DGRAM),
    "listen at a port": listen,
    "listen at a port of the system's choice": listen_somewhere,
    "send to a socket of a process by a pair": try_datagram_pair,
    "connect to a socket of a process": lambda info: connect(socket.AF_UNIX, info["socket"]),
    "connect to an abstract socket": lambda info: connect(socket.AF_UNIX, "\0" + info["abstract socket"]),
    "connect to the control socket": lambda info: connect(socket.AF_UNIX, info["control socket"]),
    "ask the kernel about routes": lambda info: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "write a huge file": try_huge_file,
    "share memory by a file": try_shared_memory,
    "share memory by a number": try_system_v,
    "attach memory of a process": try_attach_memory,
    "use memory, semaphores and queues of others": try_system_v_numbers,
    "make a message queue": try_queue,
    "run a program from memory": try_memory_program,
    "use io_uring": try_ring,
    "enter a namespace": try_namespace,
    "make a child in a namespace": try_child_namespace,
    "use the kernel's keyring": try_keyring,
}

def touch(_):
    """Makes a file that does not exist, and touches it again."""
    file = pathlib.Path(tempfile.gettempdir(), "touched")
    for _ in range(2):
        file.touch()
        assert file.exists(), "it was not made"
    with file.open() as descriptor:
        os.utime(descriptor.fileno())


# What its sandbox allows.
ALLOWED = {
    "copy its own folder": lambda info: shutil.copytree(os.getcwd(), os.path.join(tempfile.gettempdir(), "copy")),
    "touch a file": touch,
    "set the time of its own program to now": lambda info: os.utime(sys.argv[0]),
}


def attempt(notification):
    content = notification["request"]["content"]
    try:
        (ATTEMPTS | ALLOWED)[content["title"]](content["userInfo"])
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "achieved"


def main():
    if len(sys.argv) > 1:
        return print(json.dumps(list(ATTEMPTS)))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = {"version": "1.0"} if message["method"] == "activate" else {}
        if message["method"] == "didReceive":
            result = {"view": {"type": "text", "text": attempt(message["params"])}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


main()
