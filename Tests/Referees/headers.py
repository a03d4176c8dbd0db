#!/usr/bin/env python3
"""Plays a notification with JSON-RPC libraries that write Content-Length headers.

    headers.py <pushhost> <folder of bundles>

The libraries are python-lsp-jsonrpc and pygls from PyPI, and jsonrpc.el of an installed Emacs.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from pygls.client import JsonRPCClient
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

PAYLOAD = {"aps": {"alert": "Join us", "category": "lab_register"}, "braze_id": "ada", "cert_title": "Certificate"}
SUITE = "group.com.example.headers"

#: The calls of one session: the method, its params ("shown" stands for the notification) and what the result must have.
SESSION = [
    ("didReceive", {"payload": PAYLOAD}, "notification"),
    ("interact", {"notification": "shown", "element": "email", "value": "ada@exämple.com"}, "view"),
    ("saveCustomEvent", {"name": "Opened", "suite": SUITE}, "id"),
    ("flushPending", {"suite": SUITE}, "calls"),
]


def filled(params: dict, shown: str | None) -> dict:
    return {name: shown if value == "shown" else value for name, value in params.items()}


def check(method: str, result: dict, member: str) -> None:
    assert member in result, f"{method}: {result}"
    if method == "flushPending":
        assert [each["name"] for each in result["calls"]] == ["Opened"], result


def with_pylsp(command: list[str]) -> None:
    host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    endpoint = Endpoint({}, JsonRpcStreamWriter(host.stdin).write)
    reader = JsonRpcStreamReader(host.stdout)
    thread = threading.Thread(target=reader.listen, args=(endpoint.consume,), daemon=True)
    thread.start()
    shown = None
    for method, params, member in SESSION:
        result = endpoint.request(method, filled(params, shown)).result(timeout=60)
        check(method, result, member)
        shown = shown or result.get("notification")
    host.stdin.close()
    assert host.wait(60) == 0


async def with_pygls(command: list[str]) -> None:
    client = JsonRPCClient()
    await client.start_io(*command)
    shown = None
    for method, params, member in SESSION:
        reply = await asyncio.wait_for(client.protocol.send_request_async(method, filled(params, shown)), 60)
        # Its results are named tuples.
        if method == "flushPending":
            assert [each.name for each in reply.calls] == ["Opened"], reply
        else:
            assert hasattr(reply, member), f"{method}: {reply}"
        shown = shown or reply.notification
    await client.protocol.send_request_async("shutdown", None)
    await client.stop()


EMACS = """
(require 'jsonrpc)
(let* ((command (json-parse-string (getenv "COMMAND") :array-type 'list))
       (session (json-parse-string (getenv "SESSION") :object-type 'plist :array-type 'list))
       (shown nil)
       (connection (make-instance 'jsonrpc-process-connection
                                  :name "pushhost"
                                  :process (lambda () (make-process :name "pushhost" :command command
                                                                    :connection-type 'pipe :coding 'utf-8-emacs-unix
                                                                    :noquery t :stderr (get-buffer-create "*log*"))))))
  (dolist (call session)
    (let* ((params (nth 1 call)))
      (when (plist-get params :notification) (plist-put params :notification shown))
      (let ((result (jsonrpc-request connection (intern (nth 0 call)) params :timeout 60)))
        (unless (plist-member result (intern (concat ":" (nth 2 call)))) (error "%s: %S" (nth 0 call) result))
        (unless shown (setq shown (plist-get result :notification)))
        (when (equal (nth 0 call) "flushPending")
          (unless (equal (plist-get (elt (plist-get result :calls) 0) :name) "Opened") (error "%S" result))))))
  (message "emacs: %d calls" (length session)))
"""


def with_emacs(command: list[str]) -> None:
    environment = {"COMMAND": json.dumps(command), "SESSION": json.dumps(SESSION), "HOME": "/nonexistent",
                   "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    subprocess.run(["emacs", "--batch", "-Q", "--eval", f"(progn {EMACS})"], env=environment, check=True, timeout=120)


def main(program: str, plugins: str) -> None:
    for name, play in [("pylsp", with_pylsp), ("pygls", lambda c: asyncio.run(with_pygls(c))), ("emacs", with_emacs)]:
        with tempfile.TemporaryDirectory() as folder:
            play([str(Path(program).resolve()), "--data", folder, "--plugins", str(Path(plugins).resolve())])
        print(f"{name}: {len(SESSION)} calls")


main(*sys.argv[1:])
