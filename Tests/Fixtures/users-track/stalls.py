"""How connections end, and requests that stall until a test releases them or their client disconnects."""

import selectors
import socket
import struct
import threading


def reset_on_close(connection):
    """Makes the end of a connection a reset, which may overtake data sent before."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def resets_on_close(connection):
    try:
        return struct.unpack("ii", connection.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8))[0] != 0
    except OSError:
        return False


class Stalls:
    """The stalled requests, each with a pipe that releases it."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.lock = threading.Lock()
        self.waiting = []

    def release(self):
        """Releases all requests that are stalled now; returns their number."""
        with self.lock:
            released, self.waiting = self.waiting, []
        for bell in released:
            bell.close()
        return len(released)

    def wait(self, connection):
        """Whether the request continues; False if its client disconnected."""
        bell, ring = socket.socketpair()
        with self.lock:
            self.waiting.append(ring)
        self.ledger.stall(+1)
        try:
            with bell, selectors.DefaultSelector() as selector:
                selector.register(bell, selectors.EVENT_READ)
                selector.register(connection, selectors.EVENT_READ)
                while True:
                    ready = {key.fileobj for key, _ in selector.select()}
                    # Disconnection is checked first: if it came before the release, both are ready here.
                    if connection in ready:
                        if not connection.recv(1, socket.MSG_PEEK):
                            return False
                        # The next request has already arrived, so a disconnection cannot be seen any more.
                        selector.unregister(connection)
                    if bell in ready:
                        return True
        except OSError:
            return False
        finally:
            self.ledger.stall(-1)
            with self.lock:
                if ring in self.waiting:
                    self.waiting.remove(ring)
            ring.close()
