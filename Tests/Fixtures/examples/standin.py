#!/usr/bin/env python3
"""An extension, a service or a destination that follows the script next to it, and logs what it receives.

``script.json`` has ``answers``, a result for each method; ``call``, a request that it makes of the host while it works
on its call of the number ``during``; and ``holds``, the notification that it waits for before it answers didReceive.
``told.jsonl`` gets each message of the host, ``reply.json`` the answer to its own request.
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SCRIPT = json.loads((FOLDER / "script.json").read_text(encoding="utf-8"))
TOLD = (FOLDER / "told.jsonl").open("a", encoding="utf-8")


def read():
    """The next message; None at the end of stdin."""
    line = sys.stdin.buffer.readline()
    if not line:
        return None
    TOLD.write(line.decode("utf-8"))
    TOLD.flush()
    return json.loads(line)


def send(**message):
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def ask(call):
    """Makes the request in the script, and stores its answer."""
    send(id="example", method=call["method"], params=call["params"])
    while (message := read()) is not None:
        if message.get("id") == "example" and "method" not in message:
            (FOLDER / "reply.json").write_text(json.dumps(message), encoding="utf-8")
            return


def main():
    calls, held = 0, None
    while (message := read()) is not None:
        method = message.get("method")
        if "id" not in message:
            if held and method == SCRIPT.get("holds"):
                send(id=held["id"], result=SCRIPT["answers"][held["method"]])
            continue
        if method != "activate":
            calls += 1
            print(f"the host called {method}", file=sys.stderr, flush=True)
        if "call" in SCRIPT and SCRIPT["call"]["during"] == calls:
            ask(SCRIPT["call"])
        if "holds" in SCRIPT and method == "didReceive":
            held = message
        elif method in SCRIPT["answers"]:
            send(id=message["id"], result=SCRIPT["answers"][method])
        else:
            send(id=message["id"], error={"code": -32601, "message": f"there is no handler for {method}"})


main()
