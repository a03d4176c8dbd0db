#!/usr/bin/env python3
"""Braze's `POST /users/track` on this machine, with faults on demand; README.md says how to use it."""

import argparse
import http.server
import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field

sys.dont_write_bytecode = True

import control
import faults
import ledger
import peer
import rate
import rules
import stalls

BODY_LIMIT = 4_000_000


@dataclass
class Answer:
    status: int
    body: bytes
    headers: dict = field(default_factory=dict)

    @classmethod
    def json(cls, status, document, headers=None):
        return cls(status, json.dumps(document).encode(), {"Content-Type": "application/json", **(headers or {})})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "users-track"
    disable_nagle_algorithm = True

    # MARK: Methods

    def do_POST(self):
        if self.path.startswith("/control/"):
            self.answer_control()
        else:
            self.answer_client()

    do_GET = do_POST

    def do_PUT(self):
        self.answer_client()

    do_DELETE = do_PATCH = do_HEAD = do_PUT

    def log_message(self, *_):
        pass

    # MARK: Requests of tests

    def answer_control(self):
        try:
            body = self.read_body()
            result = control.answer(self.server, self.command, self.path, json.loads(body) if body else {})
            self.send(Answer.json(200, result))
        except LookupError as error:
            self.send(Answer.json(404, {"message": str(error)}))
        except (ValueError, TypeError) as error:
            self.send(Answer.json(400, {"message": str(error)}))

    # MARK: Requests of the client

    def answer_client(self):
        tracks = self.command == "POST" and self.path == "/users/track"
        request = self.server.ledger.begin(self.command, self.path, self.headers.items())
        fault = self.server.faults.next() if tracks else faults.NONE
        request.fault = fault["fault"]
        try:
            if fault.get("early"):
                self.leave(fault)
                return
            body = self.read_body()
            request.bytes = len(body)
            if tracks:
                self.serve(request, body, fault)
            else:
                self.send(Answer.json(404, {"message": f"There is no {self.command} {self.path}"}), request)
        except OSError:
            self.close_connection = True  # the client disconnected; the ledger has the status null
            request.status = None
        finally:
            # Only now if the request was not answered.
            self.server.ledger.end(request, request.status)

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(iter(self.read_chunk, b""))
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            raise ConnectionError("the client left in the middle of its request")
        return body

    def read_chunk(self):
        chunk = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
        self.rfile.readline()
        return chunk

    def serve(self, request, body, fault):
        """Answers as the fault says."""
        if fault.get("sparesEmpty") and json.loads(body) == {}:
            fault = faults.NONE
            request.fault = fault["fault"]
        kind, status = fault["fault"], fault.get("status", 201)
        processed = fault.get("processed", kind in ("none", "endless", "kill") or (kind == "answer" and status < 300))
        answer = self.process(request, body) if processed and kind != "tooMany" else None
        if kind == "drop":
            self.leave(fault, answer)
            return
        if kind == "stall":
            self.send_part(fault, answer)
            if not self.server.stalls.wait(self.connection):
                raise ConnectionError("the client left while it was stalled")
            answer, sent = answer or self.process(request, body), fault.get("sent", 0)
            self.server.ledger.end(request, answer.status)
            self.connection.sendall(self.encode(answer)[sent if processed else 0 :])
            return
        if kind == "tooMany":
            headers = rate.refusal(fault.get("mode", "epoch"), fault.get("seconds", 1))
            self.send(Answer.json(429, {"message": "You have exceeded the rate limit."}, headers), request)
            return
        if kind == "endless":
            self.send_without_end(status)
        if kind == "kill":
            peer.kill(self.connection if fault.get("victim", "client") == "client" else fault["victim"])
            if answer is None:
                self.leave(fault)
                return
        if kind == "answer":
            answer = self.forge(fault, answer)
        self.send(answer, request, fault.get("pace"), fault.get("close", False))

    # MARK: Braze's behaviour

    def process(self, request, body):
        """Braze's own answer; accepted objects are in the ledger afterwards."""
        taken, headers = self.server.rate.take()
        if not taken:
            return Answer.json(429, {"message": "You have exceeded the rate limit."}, headers)
        if self.headers.get("Authorization") != f"Bearer {self.server.key}":
            return Answer.json(401, {"message": "Invalid API key"}, headers)
        if self.headers.get("Content-Type", "").partition(";")[0].strip().lower() != "application/json":
            return Answer.json(400, {"message": "Content-Type must be application/json"}, headers)
        if len(body) > self.server.body_limit:
            return Answer.json(413, {"message": "The request is too large"}, headers)
        verdict = self.server.judge(body)
        request.objects = len(verdict.taken) + len(verdict.answer.get("errors", ()))
        culprit = self.server.culprits.find([item for _, _, item in verdict.taken])
        if culprit == "refuse":
            return Answer.json(400, {"message": "The request is not valid"}, headers)
        if culprit == "tooLarge":
            return Answer.json(413, {"message": "The request is too large"}, headers)
        self.server.ledger.process(request, verdict.taken)
        return Answer.json(verdict.status, verdict.answer, headers)

    def forge(self, fault, answer):
        """The fault's answer instead of Braze's own, which is None if nothing was processed."""
        headers = fault.get("headers", {})
        if "body" in fault:
            body = fault["body"]
            encoded = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            return Answer(fault.get("status", 201), encoded, {"Content-Type": "application/json", **headers})
        answer = answer or Answer.json(fault.get("status", 201), {"message": "A fault that a test asked for"})
        if "merge" in fault:
            answer.body = json.dumps({**json.loads(answer.body), **fault["merge"]}).encode()
        return Answer(fault.get("status", answer.status), answer.body, {**answer.headers, **headers})

    # MARK: Sending

    def encode(self, answer, close=False):
        reason = self.responses.get(answer.status, ("Unknown",))[0]
        date = self.date_time_string(time.time() + self.server.clock_offset)
        own = {"Server": self.server_version, "Date": date, "Content-Length": len(answer.body)}
        headers = {**own, **answer.headers}
        if close:
            headers["Connection"] = "close"
        lines = [f"HTTP/1.1 {answer.status} {reason}", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + (b"" if self.command == "HEAD" else answer.body)

    def send(self, answer, request=None, pace=None, close=False):
        """Sends in one piece; with a pace, the body is sent byte by byte with that many milliseconds between.

        The request ends in the ledger before its last byte goes out, so that whoever has the answer finds it ended.
        """
        self.close_connection = self.close_connection or close
        encoded = self.encode(answer, close)
        sent = 0
        if pace is not None:
            for end in range(len(encoded) - len(answer.body), len(encoded)):
                self.connection.sendall(encoded[sent:end])
                sent = end
                self.server.ending.wait(pace / 1000)
        if request is not None:
            self.server.ledger.end(request, answer.status)
        self.connection.sendall(encoded[sent:])

    def send_part(self, fault, answer):
        if answer is not None and fault.get("sent"):
            self.connection.sendall(self.encode(answer)[: fault["sent"]])

    def send_without_end(self, status):
        """A body that only ends when the client disconnects."""
        head = f"HTTP/1.1 {status} Endless\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.connection.sendall(head.encode())
        chunk = b"4000\r\n" + bytes([32]) * 0x4000 + b"\r\n"
        while True:
            self.connection.sendall(chunk)

    def leave(self, fault, answer=None):
        """Ends the connection; with `reset`, by a reset instead of a regular end."""
        self.send_part(fault, answer)
        self.close_connection = True
        if fault.get("reset"):
            stalls.reset_on_close(self.connection)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, options):
        super().__init__((options.address, options.port), Handler)
        self.key, self.body_limit = options.key, options.body_limit
        self.clock_offset = options.clock_offset
        self.limits = rules.Limits(options.objects, options.per_array, options.value_bytes)
        self.rate = rate.Rate(options.rate_headers, options.rate_limit, options.rate_window)
        self.faults, self.culprits = faults.Faults(), faults.Culprits()
        self.ledger = ledger.Ledger(options.log)
        self.stalls = stalls.Stalls(self.ledger)
        self.ending = threading.Event()

    def judge(self, body):
        return rules.judge(body, self.limits, self.culprits.refuses)

    def shutdown_request(self, request):
        if stalls.resets_on_close(request):
            self.close_request(request)  # without the FIN that a shutdown would send first
        else:
            super().shutdown_request(request)

    def handle_error(self, *_):
        """Ignores broken connections, which many tests cause; any other failure is a bug of this server."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(*_)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="default: a free one, told by the first line of output")
    parser.add_argument("--address", default="127.0.0.1", help="where it listens (default 127.0.0.1)")
    parser.add_argument("--key", default="test-key", help="the API key (default test-key)")
    parser.add_argument("--clock-offset", type=float, default=0, help="seconds that the Date is ahead (default 0)")
    parser.add_argument("--log", metavar="FILE", help="keep what is processed here; what the file holds comes first")
    strict = rules.Limits()
    parser.add_argument(
        "--objects", type=int, default=strict.objects, help=f"objects a request may hold (default {strict.objects})"
    )
    parser.add_argument("--per-array", action="store_true", help="count them per array, as old contracts do")
    parser.add_argument(
        "--value-bytes",
        type=int,
        default=strict.value_bytes,
        help=f"bytes of an event's properties, and of an array or an object (default {strict.value_bytes})",
    )
    parser.add_argument("--body-limit", type=int, default=BODY_LIMIT, help=f"bytes (default {BODY_LIMIT})")
    parser.add_argument("--rate-headers", choices=rate.MODES, default="epoch", help="none: no limit either")
    parser.add_argument("--rate-limit", type=int, default=3000, help="requests in a window (default 3000)")
    parser.add_argument("--rate-window", type=float, default=3, help="seconds (default 3)")
    parser.add_argument("--until-eof", action="store_true", help="end with the input, so with whoever started this")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    with Server(options) as server:
        print(server.server_port, flush=True)
        if options.until_eof:
            threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
        server.serve_forever()


if __name__ == "__main__":
    main()
