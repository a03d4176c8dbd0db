"""A process that a hostile extension attacks: its memory, its descriptors and its sockets are open to all of its user.

It prints what attackers need to know as a line of JSON, and ends with its stdin.
"""

import ctypes
import json
import os
import socket
import sys
import threading

folder = sys.argv[1]
# PR_SET_PTRACER: any process of the user may trace this one, also where only parents may.
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1 & (1 << 64) - 1), 0, 0, 0)
secret = ctypes.create_string_buffer(b"secret")


def share_memory():
    """Shared memory with the secret, which the kernel removes when this process ends, however it does."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    identifier = libc.shmget(0, 4096, 0o1600)
    ctypes.memmove(libc.shmat(identifier, None, 0), secret, 6)
    libc.shmctl(identifier, 0, None)
    return identifier


def serve(family, address):
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind(address)
    listener.listen(64)

    def accept():
        while True:
            listener.accept()[0].close()

    threading.Thread(target=accept, daemon=True).start()
    return listener


def receive(address):
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(address)

    def take():
        while True:
            receiver.recv(64)

    threading.Thread(target=take, daemon=True).start()


port = serve(socket.AF_INET, ("127.0.0.1", 0))
other_port = serve(socket.AF_INET, ("127.0.0.1", 0))
path = os.path.join(folder, "s")
serve(socket.AF_UNIX, path)
receive(os.path.join(folder, "d"))
name = f"pushhost-victim-{os.getpid()}"
serve(socket.AF_UNIX, "\0" + name)
print(
    json.dumps(
        {
            "pid": str(os.getpid()),
            "address": str(ctypes.addressof(secret)),
            "descriptor": str(port.fileno()),
            "port": str(port.getsockname()[1]),
            "other port": str(other_port.getsockname()[1]),
            "socket": path,
            "datagram socket": os.path.join(folder, "d"),
            "abstract socket": name,
            "memory": str(share_memory()),
        }
    ),
    flush=True,
)
sys.stdin.read()
