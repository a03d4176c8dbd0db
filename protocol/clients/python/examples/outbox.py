#!/usr/bin/env python3
"""Keeps events in a durable outbox and hands them out: a JSON object a line in, a call of Braze's SDK a line out.

    … | outbox.py [data folder]

Each line is the params of saveCustomEvent. A reply is a promise: what was saved survives a power loss. What is handed
out is deleted only after it was printed.
"""

import json
import sys

from pushhost import CallError, Host

SUITE = "outbox"


def main() -> int:
    with Host(data=sys.argv[1] if len(sys.argv) > 1 else None, suite=SUITE) as host:
        # Sent together, so that one sync of the disk is for all; answered one by one.
        calls = [host.later.save_custom_event(**json.loads(line)) for line in sys.stdin if line.strip()]
        refused = 0
        for number, call in enumerate(calls, 1):
            try:
                call.result()
            except CallError as error:
                refused += 1
                print(f"line {number}: {error}", file=sys.stderr)
        while True:
            flushed = host.flush_pending(lease=60)
            for entry in flushed["calls"]:
                print(json.dumps(entry, ensure_ascii=False))
            sys.stdout.flush()
            if "lease" not in flushed:
                return 1 if refused else 0
            host.acknowledge(lease=flushed["lease"])


if __name__ == "__main__":
    sys.exit(main())
