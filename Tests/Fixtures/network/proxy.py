#!/usr/bin/env python3
"""Forwards connections on this machine, as a network that can be cut.

proxy.py TARGET [PORT]    prints its port, and forwards each connection to the port TARGET, or to host:port

SIGSTOP cuts the network: connections stay open, nothing is answered, and whatever is sent is lost, if SIGKILL follows.
Ends with its input, so with whoever started it.
"""

import os
import selectors
import socket
import sys
import threading


def forward(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def connect(client, target):
    try:
        server = socket.create_connection(target)
    except OSError:
        client.close()
        return
    for end in (client, server):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for pair in ((client, server), (server, client)):
        threading.Thread(target=forward, args=pair, daemon=True).start()


def main():
    host, _, target = sys.argv[1].rpartition(":")
    target, port = (host or "127.0.0.1", int(target)), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with socket.create_server(("127.0.0.1", port), reuse_port=False) as listener:
        print(listener.getsockname()[1], flush=True)
        with selectors.DefaultSelector() as ready:
            ready.register(listener, selectors.EVENT_READ)
            ready.register(sys.stdin.fileno(), selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    if key.fileobj is not listener:
                        os._exit(0)
                    connect(listener.accept()[0], target)


if __name__ == "__main__":
    main()
