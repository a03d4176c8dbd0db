"""Drives pushhost, which runs the code behind iOS push notifications without a phone.

``Host`` is for programs with threads, ``AsyncHost`` for programs with asyncio. ``pushhost.types`` has the types of
arguments and results, and ``pushhost.reasons`` has an exception for each reason for which the host refuses a call.
"""

from ._absent import ABSENT
from ._async_host import AsyncHost
from ._async_listener import AsyncListener
from ._host import Host
from ._listener import Listener
from .errors import (
    CallError,
    DeadlineExceededError,
    HostEndedError,
    HostError,
    HostStartError,
    PushhostError,
    UnsendableError,
)
from .types import CONTRACT_VERSION

__all__ = [
    "ABSENT",
    "CONTRACT_VERSION",
    "AsyncHost",
    "AsyncListener",
    "CallError",
    "DeadlineExceededError",
    "Host",
    "HostEndedError",
    "HostError",
    "HostStartError",
    "Listener",
    "PushhostError",
    "UnsendableError",
]
