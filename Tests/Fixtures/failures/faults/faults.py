#!/usr/bin/env python3
"""An extension with one element for each fault; for the tests of the page "If something fails"."""

import json
import os
import sys

ELEMENTS = ["exit", "hang", "refuse", "bad", "close", "save"]
VIEW = {"type": "stack", "children": [{"type": "button", "id": name, "title": name} for name in ELEMENTS]}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def interact(id, notification, element):
    if element == "exit":
        print("IndexError: list index out of range", file=sys.stderr, flush=True)
        sys.exit(1)
    if element == "refuse":
        send(id=id, error={"code": 1, "message": "no coupons are left"})
    if element == "bad":
        send(id=id, result={"view": {"type": "label"}})
    if element == "close":
        os.close(1)
    if element == "save":
        event = {"suite": "group.com.example.other", "name": "Opened", "notification": notification}
        send(id=1, method="saveCustomEvent", params=event)
        send(id=id, error=json.loads(sys.stdin.readline())["error"])


for message in map(json.loads, iter(sys.stdin.readline, "")):
    method, id = message["method"], message.get("id")
    if method == "activate":
        send(id=id, result={"version": "1.0"})
    elif method == "didReceive":
        send(id=id, result={"view": VIEW})
    elif method == "interact":
        interact(id, **message["params"])
    elif id is not None:
        send(id=id, error={"code": -32601, "message": "no handler"})
