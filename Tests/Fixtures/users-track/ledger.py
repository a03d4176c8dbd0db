"""Every request and every processed object, in order."""

import json
import os
import threading


class Request:
    """A request and its outcome; `began` and `ended` are ticks of one counter."""

    def __init__(self, number, method, path, headers, began, concurrent):
        self.number, self.method, self.path, self.headers = number, method, path, headers
        self.began, self.concurrent = began, concurrent
        self.ended = self.status = self.fault = None
        self.bytes, self.objects, self.processed = 0, 0, 0

    def describe(self):
        return dict(vars(self))


class Ledger:
    """The log; stored in the named file, if any, so that it survives the server."""

    def __init__(self, path=None):
        self.changed = threading.Condition()
        self.requests, self.objects = [], []
        self.stalled, self.clock, self.first = 0, 0, 1
        self.file = None if path is None else self.open(path)

    def open(self, path):
        """Loads the log of an earlier server; a truncated last line was never answered."""
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with open(path, "rb") as old:
            content = old.read()
        whole = content[: content.rfind(b"\n") + 1]
        os.ftruncate(file, len(whole))
        for line in whole.splitlines():
            entry = json.loads(line)
            self.first = entry["request"] + 1
            self.objects.extend({"request": entry["request"], **item} for item in entry["objects"])
        return file

    def begin(self, method, path, headers):
        with self.changed:
            number = self.first + len(self.requests)
            concurrent = [one.number for one in self.requests if one.ended is None]
            request = Request(number, method, path, headers, self.tick(), concurrent)
            self.requests.append(request)
            self.changed.notify_all()
            return request

    def process(self, request, taken):
        items = [{"array": array, "index": index, "object": item} for array, index, item in taken]
        with self.changed:
            if self.file is not None and items:
                # One write, so that after a kill the file contains all of a request's objects or none.
                os.write(self.file, json.dumps({"request": request.number, "objects": items}).encode() + b"\n")
            request.processed = len(items)
            self.objects.extend({"request": request.number, **item} for item in items)
            self.changed.notify_all()

    def end(self, request, status):
        """Ends a request, or corrects the status of one that ended; the tick of the first call stays."""
        with self.changed:
            request.status, request.ended = status, request.ended or self.tick()
            self.changed.notify_all()

    def stall(self, change):
        with self.changed:
            self.stalled += change
            self.changed.notify_all()

    def wait(self, requests=0, objects=0, stalled=0):
        """Returns when that many requests began, objects were processed and requests are stalled."""
        with self.changed:
            self.changed.wait_for(
                lambda: len(self.requests) >= requests and len(self.objects) >= objects and self.stalled >= stalled
            )
            return {"requests": len(self.requests), "objects": len(self.objects), "stalled": self.stalled}

    def log(self, after=0):
        with self.changed:
            return self.objects[after:]

    def describe(self):
        with self.changed:
            return [request.describe() for request in self.requests]

    def tick(self):
        self.clock += 1
        return self.clock
