"""Compares the formulas for bytes with a real server: publishes records and asks for the size of the stream."""

import json
import socket

import formulas
from inputs import DEFAULTS

STREAM = "FLEET_MEASURE"
COUNT = 1_000


class Connection:
    """A connection that speaks NATS' protocol."""

    def __init__(self, port, address="127.0.0.1"):
        self.socket = socket.create_connection((address, port), timeout=30)
        self.file = self.socket.makefile("rb")
        self.file.readline()
        self.send(b'CONNECT {"verbose":false,"headers":true}\r\nSUB _INBOX.> 1\r\n')

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        """Returns the next message, and how many bytes it took."""
        while True:
            line = self.file.readline()
            if line == b"PING\r\n":
                self.send(b"PONG\r\n")
            elif line.startswith(b"MSG "):
                count = int(line.split()[-1]) + 2
                return json.loads(self.file.read(count)), len(line) + count
            elif not line or line.startswith(b"-ERR"):
                raise SystemExit(f"the server says: {line.decode().strip() or 'nothing'}")

    def ask(self, subject, body=None):
        data = json.dumps(body).encode() if body else b""
        self.send(f"PUB $JS.API.{subject} _INBOX.x {len(data)}\r\n".encode() + data + b"\r\n")
        reply = self.receive()[0]
        if "error" in reply:
            raise SystemExit(f"{subject}: {reply['error']['description']}")
        return reply


def run(port):
    """Prints each size; returns 1 if a formula is wrong."""
    server = Connection(port)
    subjects = [f"{STREAM}.*.{number}" for number in range(16)]
    settings = {"name": STREAM, "subjects": subjects, "storage": "file", "retention": "limits"}
    server.ask(f"STREAM.CREATE.{STREAM}", {**settings, "discard": "new", "num_replicas": 1})
    try:
        return compare(server)
    finally:
        server.ask(f"STREAM.DELETE.{STREAM}")


def compare(server):
    i = DEFAULTS
    subject = f"{STREAM}.".ljust(i.subject - 2, "s") + ".7"
    inbox = "_INBOX.".ljust(29, "i")
    body = "b" * i.body
    sent = received = 0
    for number in range(COUNT):
        header = f"NATS/1.0\r\nNats-Msg-Id: {number:0{i.identifier}}\r\n\r\n"
        line = f"HPUB {subject} {inbox} {len(header)} {len(header) + len(body)}\r\n"
        data = (line + header + body + "\r\n").encode()
        server.send(data)
        reply, count = server.receive()
        sent, received = sent + len(data), received + count
    kept = server.ask(f"STREAM.INFO.{STREAM}")["state"]["bytes"]
    # The formula is for the stream PUSHHOST and sequences of eight digits.
    digits = sum(len(str(number + 1)) for number in range(COUNT))
    received += (len("PUSHHOST") - len(STREAM) + 8) * COUNT - digits
    failed = 0
    for name, value, formula in [
        ("publish", sent, formulas.publish(i) * COUNT),
        ("acknowledge", received, formulas.acknowledgement(i) * COUNT),
        ("stored", kept, formulas.stored(i) * COUNT),
    ]:
        isRight = value == formula
        failed += not isRight
        print(f"{'right' if isRight else 'WRONG'}  {name}: {value / COUNT:.3f} bytes, expected {formula / COUNT:.3f}")
    return 1 if failed else 0
