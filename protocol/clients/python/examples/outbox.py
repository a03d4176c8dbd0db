#!/usr/bin/env python3
"""A durable outbox: reads events from stdin, saves them, and prints them as calls of Braze's SDK.

    … | outbox.py [data folder]

Each input line is a JSON object with the params of saveCustomEvent, each output line a call. An event survives a power
loss as soon as its save is answered, and is deleted only after it was printed.
"""

import asyncio
import json
import sys

from pushhost import AsyncHost, CallError

SUITE = "outbox"


async def main() -> int:
    async with AsyncHost(data=sys.argv[1] if len(sys.argv) > 1 else None, suite=SUITE) as host:
        # Sent together and in order, so that many saves share one write to the disk; each has its own answer.
        calls = [host.save_custom_event(**json.loads(line)) for line in sys.stdin if line.strip()]
        refused = 0
        for number, outcome in enumerate(await asyncio.gather(*calls, return_exceptions=True), 1):
            if isinstance(outcome, CallError):
                refused += 1
                print(f"line {number}: {outcome}", file=sys.stderr)
            elif isinstance(outcome, BaseException):
                raise outcome
        while True:
            flushed = await host.flush_pending(lease=60)
            for entry in flushed["calls"]:
                print(json.dumps(entry, ensure_ascii=False))
            sys.stdout.flush()
            if "lease" not in flushed:
                return 1 if refused else 0
            await host.acknowledge(lease=flushed["lease"])


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
