"""An extension that keeps the contract but for one fault, which its argument names."""

import json
import os
import random
import signal
import subprocess
import sys

FAULT = sys.argv[1]
BUTTONS = [{"identifier": "PRESS", "title": "Press"}]
METHODS = ["activate", "didReceive", "didReceiveResponse", "interact", "mediaPlay", "mediaPause"]
MEMBERS = {"notification", "request", "actions", "actionIdentifier", "userText", "element", "value"}
MEMBERS |= {"version", "bundle", "locale", "clock", "seed", "suites"}

received = {}
refusal = {"error": {"code": 1, "message": "refused", "data": {"reason": "refused"}}}


def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message})
    os.write(1, text.encode() + b"\n")


def lines():
    rest = b""
    while True:
        chunk = os.read(0, 1 << 16)
        if not chunk:
            return
        if FAULT == "bytewise" and not chunk.endswith(b"\n"):
            sys.exit("half a line")
        *whole, rest = (rest + chunk).split(b"\n")
        if FAULT == "two-lines" and len([line for line in whole if b'"didReceive"' in line]) > 1:
            whole = whole[:1]
        yield from whole


def save():
    """Asks the host, and waits for its answer."""
    if FAULT == "requests":
        send(id="save", method="saveCustomEvent", params={"name": "Saved"})
    else:
        send(id="save", method="saveCustomEvent", params={"notification": "it", "name": "Saved"})
    for line in source:
        answer = json.loads(line)
        if answer.get("id") == "save":
            if "error" in answer and FAULT == "refused-saves":
                sys.exit("nothing is saved")
            if FAULT == "saves":
                sys.exit("an answer came")
            return


def view():
    text = str(random.random()) if FAULT == "repeatable" else "shown"
    nodes = [{"type": "text", "text": text}, {"type": "button", "id": "button", "title": "Press"}]
    if FAULT == "view":
        nodes.append({"type": "text", "id": "button", "text": "the id is there twice"})
    return {"type": "stack", "children": nodes}


def show(params):
    notification = params["notification"]
    received[notification] = received.get(notification, 0) + 1
    if FAULT == "same-notification" and received[notification] > 2:
        return refusal
    if FAULT == "second-notification" and received.get("dismissed") and received[notification] > 1:
        return refusal
    if FAULT == "locale" and params["request"].get("locale"):
        return refusal
    if FAULT == "large-payload" and len(json.dumps(params)) > 3000:
        return refusal
    if FAULT == "did-receive":
        return {"result": {"view": "text", "actions": BUTTONS}}
    buttons = BUTTONS * 2 if FAULT == "actions" else BUTTONS
    return {"result": {"view": view(), "actions": buttons}}


def answer(method, params):
    if FAULT == "unknown-members" and not MEMBERS.issuperset(params):
        return refusal
    if method == "activate":
        return {"result": {} if FAULT == "activate" else {"version": "1.0"}}
    if method == "didReceive":
        return show(params)
    if params["notification"] not in received and FAULT == "after-dismiss":
        sys.exit("no such notification")
    if method == "didReceiveResponse":
        if params["actionIdentifier"] == "PRESS":
            return {"result": {"option": "goAway" if FAULT == "offered-actions" else "dismiss"}}
        return {"result": {"option": "goAway"}} if FAULT == "default-action" else missing
    if method == "interact":
        save()
        return missing if FAULT == "interact" else {"result": None}
    return refusal if FAULT == "media" else missing


missing = {"error": {"code": -32601, "message": "no handler"}}
source = lines()
if FAULT == "stderr" and os.path.realpath("/dev/fd/2") == "/dev/null":
    sys.exit(1)
for line in source:
    message = json.loads(line)
    method = message["method"]
    if "id" not in message:
        if method == "didDismiss":
            received.pop(message["params"]["notification"])
            received["dismissed"] = 1
        if FAULT == "dismiss" and method == "didDismiss":
            send(id=None, result=None)
        if FAULT == "unknown-notification" and method not in ("didDismiss", "deactivate"):
            send(id=None, error={"code": -32601, "message": "no handler"})
        if FAULT == "exit-code" and method == "deactivate":
            sys.exit(3)
        if FAULT == "descendant" and method == "deactivate":
            subprocess.Popen(["sleep", "600"])
        if method == "deactivate":
            sys.exit(0)
        continue
    if FAULT == "messages":
        os.write(1, b"called\n")
    if method in METHODS:
        result = answer(method, message["params"])
    else:
        result = {"result": None} if FAULT == "unknown-method" else missing
    number = message["id"]
    if FAULT == "ids" and isinstance(number, str) and number.isdigit():
        number = int(number)
    send(id=number, **result)
if FAULT == "end-of-input":
    signal.pause()
