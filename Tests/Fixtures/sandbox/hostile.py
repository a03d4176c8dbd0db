"""An extension that attempts what its sandbox forbids, each attempt by the name in the title of a notification.

It answers a call with the text "achieved", or with the name of the error that the system gave. The members of userInfo
name what it attacks: files, and a process with sockets (victim.py).
"""

import ctypes
import errno
import json
import os
import shutil
import signal
import socket
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
    "limit a process": try_limits,
    "pin a process": lambda info: os.sched_setaffinity(int(info["pid"]), os.sched_getaffinity(0)),
    "escape by two forks": try_double_fork,
    "let another program read": try_program,
    "connect to a port": lambda info: connect(socket.AF_INET, ("127.0.0.1", int(info["port"]))),
    "send a datagram": lambda info: connect(socket.AF_INET, ("127.0.0.1", 9), socket.SOCK_DGRAM),
    "listen at a port": listen,
    "connect to a socket of a process": lambda info: connect(socket.AF_UNIX, info["socket"]),
    "connect to an abstract socket": lambda info: connect(socket.AF_UNIX, "\0" + info["abstract socket"]),
    "connect to the control socket": lambda info: connect(socket.AF_UNIX, info["control socket"]),
    "ask the kernel about routes": lambda info: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "write a huge file": try_huge_file,
    "share memory by a file": try_shared_memory,
    "share memory by a number": try_system_v,
    "make a message queue": try_queue,
    "run a program from memory": try_memory_program,
    "use io_uring": try_ring,
    "enter a namespace": try_namespace,
    "make a child in a namespace": try_child_namespace,
    "use the kernel's keyring": try_keyring,
}

# What its sandbox allows.
ALLOWED = {
    "copy its own folder": lambda info: shutil.copytree(os.getcwd(), os.path.join(tempfile.gettempdir(), "copy")),
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
