"""The rate limit and the headers that tell it."""

import math
import threading
import time
from email.utils import formatdate

# How a limit is told: `X-RateLimit-Reset` as an epoch or as seconds that are left; `mau` as on plans by monthly
# active users, where a refusal has `X-Ratelimit-Retry-After` in place of the other three.
MODES = ("none", "epoch", "seconds", "mau")
# What only a fault may say: RFC 9110's header, in seconds or as a date, and headers that mean nothing.
REFUSALS = (*MODES, "retry-after", "retry-after-date", "nonsense")


class Rate:
    """At most `limit` requests in each window of the clock."""

    def __init__(self, mode, limit, window):
        self.mode, self.limit, self.window = mode, limit, window
        self.lock = threading.Lock()
        self.current, self.used = 0, 0

    def take(self):
        """Counts a request; whether it is taken, and the headers of its answer."""
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
    """The headers of a 429 after which so many seconds have to pass."""
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
