"""The rate limit and its headers."""

import math
import threading
import time
from email.utils import formatdate

# The forms of a limit: `X-RateLimit-Reset` as an epoch or as remaining seconds; `mau` as on plans by monthly
# active users, where a refusal has `X-Ratelimit-Retry-After` in place of the other three.
MODES = ("none", "epoch", "seconds", "mau")
# Forms for faults only: RFC 9110's header, in seconds or as a date, and headers without meaning.
REFUSALS = (*MODES, "retry-after", "retry-after-date", "nonsense")


class Rate:
    """At most `limit` requests in each window of the clock."""

    def __init__(self, mode, limit, window):
        self.mode, self.limit, self.window = mode, limit, window
        self.lock = threading.Lock()
        self.current, self.used = 0, 0

    def take(self):
        """Counts a request; returns whether it is accepted, and the headers of its answer."""
        if self.mode == "none":
            return True, {}
        now = time.time()
        with self.lock:
            if self.current != now // self.window:
                self.current, self.used = now // self.window, 0
            self.used += 1
            remaining, end = self.limit - self.used, (self.current + 1) * self.window
        if remaining < 0:
            return False, refusal(self.mode, end - now, self.limit)
        return True, headers(self.mode, self.limit, remaining, end - now)


def headers(mode, limit, remaining, seconds):
    reset = math.ceil(time.time() + seconds) if mode == "epoch" else math.ceil(seconds)
    return {"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": reset}


def refusal(mode, seconds, limit=3000):
    """The headers of a 429 that asks to wait that many seconds."""
    if mode == "none":
        return {}
    if mode == "mau":
        return {"X-Ratelimit-Retry-After": math.ceil(seconds)}
    if mode == "retry-after":
        return {"Retry-After": math.ceil(seconds)}
    if mode == "retry-after-date":
        return {"Retry-After": formatdate(math.ceil(time.time() + seconds), usegmt=True)}
    if mode == "nonsense":
        return {"X-RateLimit-Limit": "many", "X-RateLimit-Remaining": "-1", "X-RateLimit-Reset": "soon"}
    return headers(mode, limit, 0, seconds)
