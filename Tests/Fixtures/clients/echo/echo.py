#!/usr/bin/env python3
"""An extension that answers a touch with its value, or as its element's name says; for the clients' tests."""

import json
import sys

ELEMENTS = ["echo", "hang", "exit", "tell"]
VIEW = {"type": "stack", "children": [{"type": "button", "id": name, "title": name} for name in ELEMENTS]}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def shown(text):
    """A view with a text that can be touched again."""
    return {"type": "stack", "children": [{"type": "text", "text": text}, *VIEW["children"]]}


def interact(id, notification, element, value=None):
    if element == "exit":
        print("the extension leaves", file=sys.stderr, flush=True)
        sys.exit(3)
    if element == "hang":
        # Never answered; the next line or the end of input is still read.
        print("the extension hangs", file=sys.stderr, flush=True)
        send(method="log", params={"level": "notice", "message": "hangs"})
        return
    send(id=id, result={"view": shown(json.dumps(value))})
    if element == "tell":
        for number in range(value):
            send(method="setView", params={"notification": notification, "view": shown(str(number))})


for message in map(json.loads, sys.stdin):
    method, id = message["method"], message.get("id")
    if method == "activate":
        send(id=id, result={"version": "1.0"})
    elif method == "didReceive":
        send(id=id, result={"view": VIEW})
    elif method == "interact":
        interact(id, **message["params"])
    elif id is not None:
        send(id=id, error={"code": -32601, "message": "no handler"})
