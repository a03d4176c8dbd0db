#!/usr/bin/env python3
"""A content extension without a kit that hides what a touch opened after a second.

With a fixed clock the second passes by advanceClock; otherwise it passes really, and the view is sent between calls.
"""

import json
import sys
import threading
from datetime import datetime

lock = threading.Lock()
is_fixed = False
is_open = False
due = None


def write(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def view():
    return {"type": "button", "id": "card", "title": "open" if is_open else "closed"}


def hide(notification):
    global is_open
    with lock:
        is_open = False
        write({"method": "setView", "params": {"notification": notification, "view": view()}})


now = 0.0
for line in sys.stdin:
    call = json.loads(line)
    params = call["params"]
    result = {}
    with lock:
        match call["method"]:
            case "activate":
                is_fixed = "clock" in params
                now = time(params["clock"]) if is_fixed else 0.0
                result = {"version": "1.2"}
            case "didReceive":
                result = {"view": view()}
            case "interact":
                is_open, due = True, now + 1
                if not is_fixed:
                    threading.Timer(0.2, hide, [params["notification"]]).start()
                result = {"view": view()}
            case "advanceClock":
                now = time(params["time"])
                if is_open and now >= due:
                    is_open = False
                result = {"view": view()}
            case "deactivate" | "didDismiss":
                pass
            case method:
                write({"id": call["id"], "error": {"code": -32601, "message": f"Method not found: {method}"}})
                continue
        if "id" in call:
            write({"id": call["id"], "result": result})
