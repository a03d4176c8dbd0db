"""An extension that follows the contract except for one fault, which its argument names."""

import json
import os
import random
import signal
import subprocess
import sys

FAULT = sys.argv[1]
BUTTONS = [{"identifier": "PRESS", "title": "Press"}, {"identifier": "WRITE", "title": "Write", "textInput": {}}]
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


def save(notification):
    """Calls the host, and waits for its answer."""
    if FAULT == "requests":
        send(id="save", method="saveCustomEvent", params={"name": "Saved"})
    else:
        send(id="save", method="saveCustomEvent", params={"notification": notification, "name": "Saved"})
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
    nodes = [
        {"type": "text", "text": text}, {"type": "button", "id": "button", "title": "Press"},
        {"type": "field", "id": "field", "value": "", "placeholder": "Name"},
    ]
    if "deep" in pressed:
        nodes.append({"type": "button", "id": "deep", "title": "Deeper"})
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
    if FAULT == "payload-type" and not isinstance(params["request"]["content"]["userInfo"].get("name", ""), str):
        os._exit(5)
    pressed.clear()
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
        if FAULT == "second-press" and pressed.count("WRITE") > 0 and params["actionIdentifier"] == "WRITE":
            os._exit(5)
        if FAULT == "empty-text" and params.get("userText") == "":
            os._exit(5)
        pressed.append(params["actionIdentifier"])
        if params["actionIdentifier"] == "PRESS":
            return {"result": {"option": "goAway" if FAULT == "offered-actions" else "dismiss"}}
        if params["actionIdentifier"] == "WRITE":
            return {"result": {"option": "doNotDismiss", "view": view()}}
        return {"result": {"option": "goAway"}} if FAULT == "default-action" else missing
    if method == "interact":
        return touch(params)
    return refusal if FAULT == "media" else missing


def touch(params):
    """Answers a touch, with the faults that only presses and invalid input reveal."""
    element, value = params["element"], params.get("value")
    if element not in ("button", "field", "deep"):
        return internal if FAULT == "unknown-element" else refusal
    if FAULT == "interact":
        return missing
    if FAULT == "hang" and element == "field":
        return None
    if FAULT == "traceback":
        sys.stderr.write("Traceback (most recent call last):\n  File 'x', line 1, in touch\nKeyError: 'x'\n")
    if FAULT == "two-traces" and element == "button":
        for name in ("first", "second"):
            frames = "".join(f"  File 'x', line {line}, in {name}\n" for line in range(1, 13))
            sys.stderr.write(f"Traceback (most recent call last):\n{frames}KeyError: '{name}'\n")
    if FAULT == "node-trace":
        sys.stderr.write("TypeError: x is undefined\n    at touch (file:///x.mjs:3:7)\n")
    if FAULT == "swift-trace":
        sys.stderr.write("faulty/Touch.swift:3: Fatal error: Index out of range\n")
    if FAULT == "internal-error" and element == "button":
        return internal
    if FAULT == "deep-element" and element == "deep":
        os._exit(5)
    if FAULT == "wrong-type" and not isinstance(value, (str, type(None))):
        os._exit(5)
    if FAULT == "too-long" and isinstance(value, str) and len(value) > 1000:
        os._exit(5)
    if FAULT == "missing-value" and element == "field" and "value" not in params:
        os._exit(5)
    save(params["notification"])
    if element == "button":
        pressed.append("deep")
    return {"result": {"view": view()}}


pressed = []
internal = {"error": {"code": -32603, "message": "KeyError: 'x'", "data": {"reason": "internalError"}}}
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
    if result is None:
        continue
    number = message["id"]
    if FAULT == "ids" and isinstance(number, str) and number.isdigit():
        number = int(number)
    send(id=number, **result)
if FAULT == "end-of-input":
    signal.pause()
