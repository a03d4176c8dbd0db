"""The errors of calls and of the host itself; ``pushhost.reasons`` has the classes of the host's own reasons."""

from __future__ import annotations

import signal
from typing import Any

from .types import CONTRACT_VERSION


class PushhostError(Exception):
    """The base class of all errors of this package."""


class CallError(PushhostError):
    """The host answered a call with an error.

    Each reason has a class of its own below this one; a reason that this client does not know has this one.
    Compare classes, reasons and codes, never messages.
    """

    def __init__(self, method: str, code: int, message: str, data: dict[str, Any]) -> None:
        super().__init__(method, code, message, data)
        #: The method that was called.
        self.method = method
        #: The number of the error.
        self.code = code
        #: A sentence for people.
        self.message = message
        #: The error's ``data``.
        self.data = data
        reason, path = data.get("reason"), data.get("path")
        #: A stable word for programs.
        self.reason: str = reason if isinstance(reason, str) else ""
        #: A JSON Pointer to the part of the request that is wrong, if any.
        self.path: str | None = path if isinstance(path, str) else None

    def __str__(self) -> str:
        text = f"{self.method}: {self.message} ({self.reason or self.code})"
        if self.reason in ("methodNotFound", "unknownParam"):
            # An older host answers with these reasons if it does not know a method or a param.
            text += f"; this client has version {CONTRACT_VERSION} of the contract, ping returns the host's"
        return text + _ending("the extension's", self.data.get("stderr"))


class UnsendableError(PushhostError, ValueError):
    """An argument cannot be written as JSON that the host can read; nothing was sent."""


class DeadlineExceededError(PushhostError, TimeoutError):
    """A call was not answered in time and was cancelled. Effects that it already had remain."""

    def __init__(self, what: str, deadline: float) -> None:
        super().__init__(what, deadline)
        self.what = what
        #: How many seconds it had.
        self.deadline = deadline

    def __str__(self) -> str:
        return f"{self.what} took longer than its deadline of {self.deadline:g} s"


class HostError(PushhostError):
    """The host itself failed, not a call."""


class HostStartError(HostError):
    """The host could not be started."""


class HostEndedError(HostError):
    """The host is gone, or sent an invalid message; calls without an answer may have been carried out.

    Every call that was not answered fails with this at once, and so does each later one, unless a save starts the host
    again.
    """

    def __init__(self, what: str, why: str, status: int | None, stderr: str) -> None:
        super().__init__(what, why, status, stderr)
        self.what = what
        self.why = why
        #: The exit code, or the negative number of a signal; None if not known yet.
        self.status = status
        #: The end of what the host wrote to stderr.
        self.stderr = stderr

    def adding(self, text: str) -> HostEndedError:
        """The same error with a text added to its message."""
        return HostEndedError(self.what, f"{self.why}; {text}", self.status, self.stderr)

    def __str__(self) -> str:
        return f"{self.what}: {self.why}" + _ending("its", self.stderr)


def _ending(whose: str, stderr: Any) -> str:
    """The end of a process's stderr for an error's text, empty if it wrote none."""
    return f"; {whose} stderr ends:\n{stderr.rstrip()}" if isinstance(stderr, str) and stderr.strip() else ""


def ended(status: int | None) -> str:
    """How a host ended, in words."""
    if status is None:
        return "the host does not answer any more"
    if status >= 0:
        return f"the host ended with exit code {status}"
    try:
        return f"the host was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"the host was ended by signal {-status}"
