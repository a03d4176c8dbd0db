#!/usr/bin/env python3
"""Plays pushhost at a content extension and tells which requirements of the contract it keeps.

The extension is started as the host starts it, once or more for each requirement, and spoken to over its pipes.
What it asks of the host is answered here; nothing is stored. Python 3.9 or later, without any package.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import plistlib
import queue
import signal
import subprocess
import sys
import termios
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple

#: The version of the contract by which is judged.
CONTRACT_VERSION = "1.1"

CONTENT_POINT = "com.apple.usernotifications.content-extension"
DEFAULT_ACTION = "com.apple.UNNotificationDefaultActionIdentifier"
OPTIONS = ("doNotDismiss", "dismiss", "dismissAndForward", "dismissAndForwardAction")
PAYLOAD_LIMIT = 4096
#: What is entered where a text is asked for.
TEXT = "Grüße \u2028 👋"

#: What an extension may call: the params that are needed, and those that may be there.
CALLS = {
    "saveCustomEvent": ({"notification", "name"}, {"suite", "properties", "time", "user", "idempotencyKey"}),
    "saveCustomAttribute": ({"notification", "key", "value"}, {"suite", "user", "idempotencyKey"}),
    "saveUserAttribute": ({"notification", "field", "value"}, {"suite", "user", "idempotencyKey"}),
    "store": ({"notification", "key", "value"}, {"suite"}),
    "retrieve": ({"notification", "key"}, {"suite"}),
    "removeObject": ({"notification", "key"}, {"suite"}),
    "setView": ({"notification", "view"}, set()),
    "setNotificationActions": ({"notification", "actions"}, set()),
    "dismissNotificationContentExtension": ({"notification"}, set()),
    "performNotificationDefaultAction": ({"notification"}, {"url"}),
    "mediaPlayingStarted": ({"notification"}, set()),
    "mediaPlayingPaused": ({"notification"}, set()),
    "log": ({"level", "message"}, {"notification"}),
}
LEVELS = ("trace", "debug", "info", "notice", "warning", "error", "critical")

#: What a member of a node may be, where it is there.
CHOICES: Dict[Tuple[str, str], Tuple[str, ...]] = {
    ("text", "style"): ("title", "body", "caption"),
    ("text", "alignment"): ("start", "center", "end"),
}

#: The types of nodes: their members, with the types of those in Python.
NODES: Dict[str, Dict[str, type]] = {
    "stack": {"children": list},
    "row": {"children": list},
    "grid": {"columns": int, "children": list},
    "carousel": {"id": str, "page": int, "children": list},
    "text": {"text": str},
    "image": {"url": str},
    "card": {"id": str, "faceUp": bool, "matched": bool},
    "button": {"id": str, "title": str},
    "field": {"id": str, "value": str, "placeholder": str},
    "progress": {"value": int, "total": int},
}


class Broken(Exception):
    """A requirement is not kept; the message says what was seen."""


class Skipped(Exception):
    """A requirement cannot be tried; the message says why."""


class Usage(Exception):
    """The command line or the bundle is wrong."""


# MARK: What an extension may say


def check(is_kept: bool, message: str) -> None:
    if not is_kept:
        raise Broken(message)


def short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    return text if len(text) <= 200 else text[:200] + "…"


def has_type(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def version(text: Any) -> Optional[Tuple[int, int]]:
    """The numbers of a version of the contract; nothing where it is none."""
    parts = text.split(".") if isinstance(text, str) else []
    if len(parts) != 2 or any(not part.isdecimal() or str(int(part)) != part for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def judge_view(view: Any) -> None:
    """The rules of a view: known types with their members, ids that differ, at most 64 deep."""
    seen: set[str] = set()

    def judge(node: Any, path: str, depth: int) -> None:
        place = path or "the root"
        check(depth <= 64, "the view nests more than 64 deep")
        check(isinstance(node, dict), f"{place} of the view is no node: {short(node)}")
        kind = node.get("type")
        check(kind in NODES, f"{place} of the view has the type {short(kind)}; it is one of {', '.join(sorted(NODES))}")
        identifier = node.get("id")
        check("id" not in node or isinstance(identifier, str), f"the id of {place} must be a string")
        check(identifier is None or identifier not in seen, f"two nodes of the view have the id {identifier}")
        seen.update([] if identifier is None else [identifier])
        for name, wanted in NODES[kind].items():
            check(has_type(node.get(name), wanted), f"{place} of the view, a {kind}, needs {name}: {short(node)}")
        for (owner, name), choices in CHOICES.items():
            is_known = kind != owner or name not in node or node[name] in choices
            check(is_known, f"{place} of the view, a {kind}: {name} is one of {', '.join(choices)}: {short(node)}")
        if kind == "image":
            check(isinstance(node.get("alt", ""), str), f"{place} of the view: alt must be a string: {short(node)}")
        if kind == "carousel":
            is_page = 0 <= node["page"] < max(len(node["children"]), 1)
            check(is_page, f"{place} of the view: page is the position of a child, from 0: {short(node)}")
        if kind == "card":
            check(node["faceUp"] == ("face" in node), f"{place} of the view: a card has a face when it lies face up")
        if kind == "grid":
            check(node["columns"] > 0, f"{place} of the view: a grid has one column or more")
        if kind == "progress":
            check(min(node["value"], node["total"]) >= 0, f"{place} of the view: a progress is never below 0")
        check("children" not in node or "children" in NODES[kind], f"{place} of the view, a {kind}, has no children")
        for index, child in enumerate(node.get("children", ())):
            judge(child, f"{path}/children/{index}", depth + 1)

    judge(view, "", 1)


def judge_actions(actions: Any) -> None:
    """The rules of buttons: identifier and title, known options, no identifier twice."""
    check(isinstance(actions, list), f"actions must be an array: {short(actions)}")
    seen = set()
    for action in actions:
        check(isinstance(action, dict), f"an action must be an object: {short(action)}")
        for name in ("identifier", "title"):
            text = action.get(name)
            check(isinstance(text, str) and text != "", f"the {name} of an action must be a non-empty string: {action}")
        options = action.get("options", [])
        known = ("authenticationRequired", "destructive", "foreground")
        check(isinstance(options, list) and all(o in known for o in options), f"unknown options: {short(options)}")
        check(isinstance(action.get("textInput", {}), dict), f"textInput must be an object: {short(action)}")
        check(action["identifier"] not in seen, f"the action {action['identifier']} is there twice")
        seen.add(action["identifier"])


def judge_shape(result: Any) -> None:
    """The members of a result; what a view and an action are made of is judged apart."""
    check(result is None or isinstance(result, dict), f"the result must be an object: {short(result)}")
    result = result or {}
    check(isinstance(result.get("view", {}), dict), f"view must be an object: {short(result.get('view'))}")
    check(isinstance(result.get("actions", []), list), f"actions must be an array: {short(result.get('actions'))}")
    check(isinstance(result.get("title", ""), str), f"title must be a string: {short(result.get('title'))}")
    media = result.get("media", {"button": "none"})
    check(isinstance(media, dict), f"media must be an object: {short(media)}")
    check(media.get("button") in ("none", "default", "overlay"), f"the button of media is unknown: {short(media)}")
    check(isinstance(media.get("playing", False), bool), f"playing of media must be a boolean: {short(media)}")
    check(isinstance(media.get("tintColor", ""), str), f"tintColor of media must be a string: {short(media)}")
    frame = media.get("frame", dict.fromkeys(("x", "y", "width", "height"), 0))
    is_frame = isinstance(frame, dict) and all(
        isinstance(frame.get(side), (int, float)) and not isinstance(frame[side], bool)
        for side in ("x", "y", "width", "height")
    )
    check(is_frame, f"frame of media needs the numbers x, y, width and height: {short(frame)}")
    is_url = "url" not in result or isinstance(result["url"], str) and ":" in result["url"]
    check(is_url, f"url must be an absolute URL: {short(result.get('url'))}")
    remarks = result.get("diagnostics", [])
    is_list = isinstance(remarks, list) and all(
        isinstance(r, dict) and isinstance(r.get("reason"), str) and isinstance(r.get("message"), str) for r in remarks
    )
    check(is_list, f"each of diagnostics needs the strings reason and message: {short(remarks)}")


def judge_result(result: Any) -> None:
    judge_shape(result)
    if result and "view" in result:
        judge_view(result["view"])
    if result and "actions" in result:
        judge_actions(result["actions"])


def judge_message(line: bytes) -> Dict[str, Any]:
    """One line of stdout as a JSON-RPC message."""

    def no_duplicates(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            raise ValueError("a member's name is there twice")
        return members

    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"JSON has no {name}")

    try:
        value = json.loads(line.decode(), object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Broken(f"a line on stdout is not JSON ({error}): {short(line.decode(errors='replace').strip())}")
    text = f"a line on stdout is no JSON-RPC 2.0 message: {short(value)}"
    check(isinstance(value, dict) and value.get("jsonrpc") == "2.0", text)
    message: Dict[str, Any] = value
    if "method" in message:
        check(isinstance(message["method"], str) and isinstance(message.get("params", {}), (dict, list)), text)
        return message
    check("id" in message and ("result" in message) != ("error" in message), text)
    problem = message.get("error", {"code": 0, "message": ""})
    check(isinstance(problem, dict), text)
    check(has_type(problem.get("code"), int) and isinstance(problem.get("message"), str), text)
    return message


def judge_call(message: Dict[str, Any]) -> None:
    """What an extension asks of the host."""
    method, params = message["method"], message.get("params", {})
    check(method in CALLS, f"it calls {method}, which is no method for extensions")
    needed, optional = CALLS[method]
    if isinstance(params, list):
        return
    for name in sorted(needed):
        check(name in params, f"its {method} lacks {name}")
    for name in params:
        check(name in needed | optional or name.startswith("_"), f"its {method} has {name}, which is unknown")
    if method == "setView":
        judge_view(params["view"])
    if method == "setNotificationActions":
        judge_actions(params["actions"])
    if method == "log":
        check(params["level"] in LEVELS, f"its log has the unknown level {short(params['level'])}")


# MARK: The bundle


class Bundle:
    """A content extension's folder, and the notification that is shown to it."""

    def __init__(self, path: str, executable: Optional[str], payload: Optional[str]) -> None:
        self.path = os.path.realpath(path)
        info = self._list("Info.plist")
        extension = info.get("NSExtension", {})
        point = extension.get("NSExtensionPointIdentifier")
        if point != CONTENT_POINT:
            raise Usage(f"{path} is no content extension: its NSExtensionPointIdentifier is {point}")
        attributes = extension.get("NSExtensionAttributes", {})
        categories = attributes.get("UNNotificationExtensionCategory", [])
        self.category = ([categories] if isinstance(categories, str) else categories or [""])[0]
        self.takes_touches = attributes.get("UNNotificationExtensionUserInteractionEnabled") is True
        self.identifier = info.get("CFBundleIdentifier", "")
        name = info.get("CFBundleExecutable", "")
        self.executable = os.path.realpath(executable or os.path.join(self.path, name))
        if not os.path.isfile(self.executable) or not os.access(self.executable, os.X_OK):
            raise Usage(f"{self.executable} is no executable file; --executable PATH names one outside the bundle")
        entitlements = f"{name}.entitlements"
        has_groups = os.path.exists(os.path.join(self.path, entitlements))
        groups = self._list(entitlements) if has_groups else {}
        self.suites: List[str] = groups.get("com.apple.security.application-groups", [])
        own = os.path.join(self.path, "payload.apns")
        source = payload or (own if os.path.exists(own) else None)
        self.payload_source = os.path.basename(source) if source else "a made-up one"
        self.payload = self._payload(source) if source else self._made_up()

    def _list(self, name: str) -> Dict[str, Any]:
        try:
            with open(os.path.join(self.path, name), "rb") as file:
                return dict(plistlib.load(file))
        except (OSError, ValueError, plistlib.InvalidFileException) as error:
            raise Usage(f"cannot read {name} of {self.path}: {error}")

    @staticmethod
    def _payload(path: str) -> Dict[str, Any]:
        try:
            with open(path, encoding="utf-8") as file:
                payload = json.load(file)
        except (OSError, ValueError) as error:
            raise Usage(f"cannot read {path}: {error}")
        if not isinstance(payload, dict) or not isinstance(payload.get("aps"), dict):
            raise Usage(f"{path} is no payload: an object with the object aps")
        return payload

    def _made_up(self) -> Dict[str, Any]:
        return {"aps": {"alert": {"title": "Title", "body": "Body"}, "category": self.category}, "braze_id": "user-1"}


def content(payload: Dict[str, Any]) -> Dict[str, Any]:
    """What the host makes of a payload; a text that is a key of Localizable.strings stays the key."""
    aps = payload["aps"]
    alert = aps.get("alert", {})
    texts = {"body": alert} if isinstance(alert, str) else alert

    def text(name: str, key: str) -> str:
        value = texts.get(name, texts.get(key, ""))
        return value if isinstance(value, str) else ""

    return {
        "title": text("title", "title-loc-key"),
        "subtitle": text("subtitle", "subtitle-loc-key"),
        "body": text("body", "loc-key"),
        "categoryIdentifier": aps.get("category", ""),
        "threadIdentifier": aps.get("thread-id", ""),
        "attachments": [],
        "userInfo": payload,
    }


# MARK: The extension's process


def encode(message: Dict[str, Any]) -> bytes:
    """A message as the host writes it: a line of UTF-8 in which only two separators are escaped."""
    text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode() + b"\n"


class Extension:
    """A running extension, and a host that answers what it asks."""

    def __init__(self, run: Run, *, stderr: Optional[int] = None) -> None:
        self._run = run
        self.refuses = False
        self.asked: List[str] = []
        self.strays: List[Dict[str, Any]] = []
        self._stored: Dict[str, Any] = {}
        self._last = 0
        self._messages: queue.SimpleQueue[Optional[Dict[str, Any]]] = queue.SimpleQueue()
        self._errors: List[bytes] = []
        kept = ("HOME", "LANG", "PATH", "TMPDIR", "TZ")
        environment = {k: v for k, v in os.environ.items() if k in kept or k.startswith("LC_")}
        try:
            self.process = subprocess.Popen(
                [run.bundle.executable], cwd=run.bundle.path, env=environment, start_new_session=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE if stderr is None else stderr,
            )  # fmt: skip
        except OSError as error:
            raise Broken(f"it cannot be started: {error}")
        self._threads = [threading.Thread(target=self._read, daemon=True)]
        if stderr is None:
            self._threads.append(threading.Thread(target=self._read_errors, daemon=True))
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            if not line.strip():
                continue
            try:
                self._messages.put(judge_message(line))
            except Broken as problem:
                # The host skips such a line and goes on; so do we.
                self._run.faults["messages"].append(str(problem))
        self._messages.put(None)

    def _read_errors(self) -> None:
        for line in self.process.stderr or ():
            self._errors = [*self._errors[-9:], line]

    # MARK: Calls

    def send(self, *messages: Dict[str, Any]) -> None:
        """Writes messages, a line each, in one write."""
        self.write(b"".join(encode(message) for message in messages))

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # Its end shows as the end of its stdout.

    def wait_until_read(self) -> None:
        """Waits until the extension has taken all that was written; no event tells that, so the pipe is asked."""
        assert self.process.stdin is not None
        end = time.monotonic() + self._run.deadline
        while time.monotonic() < end and self.process.poll() is None:
            if not any(fcntl.ioctl(self.process.stdin, termios.FIONREAD, bytes(4))):
                return
            time.sleep(0)

    def call(self, method: str, params: Dict[str, Any], id: Any = None) -> Dict[str, Any]:
        """Calls the extension and gives its answer, result or error."""
        message = self.request(method, params, id)
        self.send(message)
        return self.answer(message["id"], method)

    def request(self, method: str, params: Dict[str, Any], id: Any = None) -> Dict[str, Any]:
        self._last += 1
        return {"id": self._last if id is None else id, "method": method, "params": params}

    def answer(self, id: Any, method: str) -> Dict[str, Any]:
        """The answer under an id; other messages that come before are taken too."""
        end = time.monotonic() + self._run.deadline
        while True:
            try:
                message = self._messages.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Broken(f"it did not answer {method} within {self._run.deadline:g} s{self._tail()}")
            if message is None:
                raise Broken(f"it ended before it answered {method}{self._ending()}")
            if "method" in message:
                self._serve(message)
            elif type(message["id"]) is type(id) and message["id"] == id:
                return message
            else:
                self.strays.append(message)

    def result(self, method: str, params: Dict[str, Any]) -> Any:
        """Calls the extension, which must not refuse."""
        answer = self.call(method, params)
        if "error" in answer:
            raise Broken(f"it refused {method}: {short(answer['error']['message'])}{self._tail()}")
        return answer["result"]

    def _serve(self, message: Dict[str, Any]) -> None:
        """Answers what the extension asks, as the host would."""
        method, params = message["method"], message.get("params", {})
        try:
            judge_call(message)
        except Broken as problem:
            self._run.faults["requests"].append(str(problem))
        if "id" not in message:
            return
        self.asked.append(method)
        if method not in CALLS:
            error = {"code": -32601, "message": f"Method not found: {method}", "data": {"reason": "methodNotFound"}}
            return self.send({"id": message["id"], "error": error})
        if self.refuses:
            text = "nothing of the request is in the suite: the disk is full"
            error = {"code": 203, "message": text, "data": {"reason": "notStored"}}
            return self.send({"id": message["id"], "error": error})
        key = params.get("key") if isinstance(params, dict) else params[0] if params else None
        if method == "store" and isinstance(params, dict):
            self._stored[str(key)] = params.get("value")
        results: Dict[str, Dict[str, Any]] = {
            "store": {"stored": True},
            "retrieve": {"value": self._stored.get(str(key))},
            "removeObject": {"removed": 1 if method == "removeObject" and self._stored.pop(str(key), None) else 0},
        }
        saved = {"id": len(self.asked)} if method.startswith("save") else {}
        # A member more than it knows: the contract may grow.
        self.send({"id": message["id"], "result": {**results.get(method, saved), "_later": None}})

    # MARK: Showing

    def activate(self, **more: Any) -> Dict[str, Any]:
        """Makes the first call of a process."""
        bundle = self._run.bundle
        params = {"version": CONTRACT_VERSION, "bundle": bundle.identifier, "locale": "en", "suites": bundle.suites, **more}
        return self.call("activate", params)

    def notification(
        self, payload: Optional[Dict[str, Any]] = None, notification: Optional[str] = None, **more: Any
    ) -> Dict[str, Any]:
        """The params of didReceive."""
        identifier = str(uuid.uuid4())
        request = {"identifier": identifier, "date": "2026-01-01T00:00:00.000Z", **more}
        request["content"] = content(payload or self._run.bundle.payload)
        return {"notification": notification or identifier, "request": request, "actions": []}

    def show(self, **more: Any) -> Tuple[str, Dict[str, Any]]:
        """Shows the notification; where that fails, what is tried cannot be."""
        params = self.notification(**more)
        answer = self.call("didReceive", params)
        if "error" in answer:
            raise Skipped("the notification is not shown: see did-receive")
        # What has a wrong type is told by did-receive alone.
        result = answer["result"] if isinstance(answer["result"], dict) else {}
        kinds = {"view": dict, "actions": list}
        shown = {name: value for name, value in result.items() if isinstance(value, kinds.get(name, object))}
        return params["notification"], shown

    def is_served(self) -> None:
        """It lives and takes the next notification."""
        self.call("didReceive", self.notification())

    # MARK: The end

    def close(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def wait(self, what: str) -> int:
        """Waits until the process has ended and gives its exit code."""
        try:
            code = self.process.wait(self._run.stop_grace)
        except subprocess.TimeoutExpired:
            raise Broken(f"it still ran {self._run.stop_grace:g} s after {what}{self._tail()}")
        return code

    def is_group_empty(self) -> bool:
        """Whether no process of its group is left; none of them tells when it goes, hence the asking."""
        end = time.monotonic() + self._run.stop_grace
        while time.monotonic() < end:
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.01)
        return False

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.close()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(self._run.stop_grace)
            ending = f"with signal {-code}" if code < 0 else f"with code {code}"
            return f" ({ending}){self._tail()}"
        return f" (it closed its stdout){self._tail()}"

    def _tail(self) -> str:
        text = b"".join(self._errors).decode(errors="replace").strip()
        return "; stderr: " + short(text[-400:]) if text else ""


# MARK: The requirements


class Run:
    """One bundle, tried."""

    def __init__(self, bundle: Bundle, deadline: float, stop_grace: float) -> None:
        self.bundle = bundle
        self.deadline = deadline
        self.stop_grace = stop_grace
        #: What was seen in any session against requirements that hold all the time.
        self.faults: Dict[str, List[str]] = {"messages": [], "requests": []}

    @contextlib.contextmanager
    def extension(self, *, stderr: Optional[int] = None, **more: Any) -> Iterator[Extension]:
        """A running extension that was activated; gone afterwards."""
        extension = Extension(self, stderr=stderr)
        try:
            answer = extension.activate(**more)
            if "error" in answer:
                raise Skipped("the extension cannot be activated: see activate")
            yield extension
        finally:
            extension.kill()


Check = Callable[[Run], None]
REQUIREMENTS: List[Tuple[str, str, Check]] = []


def requirement(id: str, sentence: str) -> Callable[[Check], Check]:
    def add(attempt: Check) -> Check:
        REQUIREMENTS.append((id, sentence, attempt))
        return attempt

    return add


@requirement("activate", "activate is answered with the least version of the contract that it needs.")
def _(run: Run) -> None:
    extension = Extension(run)
    try:
        answer = extension.activate(clock="2026-01-01T00:00:00.000Z", seed=1)
        check("result" in answer, f"it answered with an error: {short(answer.get('error'))}")
        result = answer["result"]
        needed = result.get("version") if isinstance(result, dict) else None
        least, known = version(needed), version(CONTRACT_VERSION)
        if least is None or known is None:
            raise Broken(f"the result needs a version such as {CONTRACT_VERSION!r}: {short(result)}")
        served = least[0] == known[0] and least <= known
        check(served, f"it needs version {needed} of the contract, and this kit speaks {CONTRACT_VERSION}")
    finally:
        extension.kill()


@requirement("did-receive", "didReceive is answered with members that the contract allows.")
def _(run: Run) -> None:
    with run.extension() as extension:
        answer = extension.call("didReceive", extension.notification())
        error = answer.get("error", {})
        hint = "" if run.bundle.payload_source != "a made-up one" else "; --payload FILE names one that it shows"
        check(not error, f"it refused the notification: {short(error.get('message'))}{hint}")
        judge_shape(answer["result"])


@requirement("view", "Its view keeps the rules: known types with their members, ids that differ, at most 64 deep.")
def _(run: Run) -> None:
    with run.extension() as extension:
        _, result = extension.show()
        if "view" not in result:
            raise Skipped("it shows no view of its own")
        judge_view(result["view"])


@requirement("actions", "Its buttons keep the rules: identifier and title, known options, none twice.")
def _(run: Run) -> None:
    with run.extension() as extension:
        _, result = extension.show()
        if "actions" not in result:
            raise Skipped("it sets no buttons with the notification")
        judge_actions(result["actions"])


@requirement("ids", "An answer has the very id of its call, be it a number or a string.")
def _(run: Run) -> None:
    with run.extension() as extension:
        for id in ("a", "7", "", "ü/~\u2028\"\\", 0, -1, 2**53 - 1):
            message = extension.request("didReceive", extension.notification(), id)
            extension.send(message)
            try:
                extension.answer(id, f"the call of the id {json.dumps(id)}")
            except Broken as problem:
                other = extension.strays[-1]["id"] if extension.strays else None
                raise Broken(str(problem) + ("" if other is None else f"; an answer came under {json.dumps(other)}"))


@requirement("unknown-method", "A method that it does not know is answered -32601, and the next call is served.")
def _(run: Run) -> None:
    with run.extension() as extension:
        answer = extension.call("noSuchMethod", {"notification": str(uuid.uuid4())})
        code = answer.get("error", {}).get("code")
        check(code == -32601, f"it answered {short(answer.get('error', answer.get('result')))}")
        extension.is_served()


@requirement("unknown-notification", "A call without an id that it does not know is ignored, and the next is served.")
def _(run: Run) -> None:
    with run.extension() as extension:
        extension.send({"method": "noSuchMethod", "params": {}})
        extension.is_served()
        check(not extension.strays, f"it answered a call without an id: {short(extension.strays)}")


@requirement("unknown-members", "Members of params that it does not know change nothing: the contract may grow.")
def _(run: Run) -> None:
    more: Dict[str, Any] = {"later": {"a": [None]}, "_own": 1}
    with run.extension() as extension:
        extension.show()
    extension = Extension(run)
    try:
        answer = extension.activate(**more)
        check("error" not in answer, f"it refused activate: {short(answer.get('error'))}")
        params = {**extension.notification(later=True), **more}
        params["request"]["content"].update(more)
        extension.result("didReceive", params)
    finally:
        extension.kill()


@requirement("locale", "A locale that it has no texts for is served as well.")
def _(run: Run) -> None:
    with run.extension() as extension:
        extension.show()
    with run.extension(locale="xx_YY.UTF-8") as extension:
        extension.result("didReceive", extension.notification(locale="../zz"))


@requirement("repeatable", "With clock and seed fixed, the same notification looks the same in another process.")
def _(run: Run) -> None:
    shown = []
    for _ in range(2):
        with run.extension(clock="2026-01-01T00:00:00.000Z", seed=1) as extension:
            shown.append(extension.show(notification="910a2dec-8902-4cc1-beeb-8da1658eec67")[1])
    check(shown[0] == shown[1], f"it showed {short(shown[0])} and then {short(shown[1])}")


@requirement("second-notification", "A notification of another thread has a presentation of its own.")
def _(run: Run) -> None:
    with run.extension() as extension:
        first, _ = extension.show()
        params = extension.notification()
        extension.result("didReceive", params)
        extension.send({"method": "didDismiss", "params": {"notification": params["notification"]}})
        extension.result("didReceive", extension.notification(notification=first))


@requirement("same-notification", "didReceive with the same notification again is a later one of its thread.")
def _(run: Run) -> None:
    with run.extension() as extension:
        first, _ = extension.show()
        for _ in range(3):
            extension.result("didReceive", extension.notification(notification=first))


def buttons(result: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [a for a in result.get("actions", []) if isinstance(a, dict) and isinstance(a.get("identifier"), str)]


def press(notification: str, action: Dict[str, Any]) -> Dict[str, Any]:
    """The params of didReceiveResponse."""
    text = {"userText": TEXT} if "textInput" in action else {}
    return {"notification": notification, "actionIdentifier": action["identifier"], **text}


def judge_response(answer: Dict[str, Any]) -> None:
    result = answer["result"]
    option = result.get("option") if isinstance(result, dict) else None
    check(option in OPTIONS, f"option must be one of {', '.join(OPTIONS)}: {short(result)}")
    judge_result(result)


@requirement("default-action", "A tap, the default action, is answered with an option, or with -32601: the app's.")
def _(run: Run) -> None:
    with run.extension() as extension:
        notification, _ = extension.show()
        params = {"notification": notification, "actionIdentifier": DEFAULT_ACTION}
        answer = extension.call("didReceiveResponse", params)
        if "result" in answer:
            judge_response(answer)
        else:
            check(answer["error"]["code"] == -32601, f"it answered with the error {short(answer['error'])}")
        extension.is_served()


@requirement("offered-actions", "Each button that it offers is answered with an option or an error.")
def _(run: Run) -> None:
    with run.extension() as extension:
        _, result = extension.show()
    if not buttons(result):
        raise Skipped("it offers no button of its own with the notification")
    for action in buttons(result):
        with run.extension() as extension:
            notification, _ = extension.show()
            answer = extension.call("didReceiveResponse", press(notification, action))
            if "result" in answer:
                judge_response(answer)
            extension.is_served()


def nodes(view: Any) -> Iterator[Dict[str, Any]]:
    if isinstance(view, dict):
        yield view
        for child in view.get("children", ()):
            yield from nodes(child)


Judge = Callable[[Dict[str, Any]], None]


def touch_all(extension: Extension, notification: str, view: Any, judge: Judge) -> None:
    """Touches each element that the first view has, where it is still there, and enters a text into each field."""
    elements = [node for node in nodes(view) if isinstance(node.get("id"), str)]
    for element in elements[:50]:
        if element["id"] not in [node.get("id") for node in nodes(view)]:
            continue
        value = {"value": TEXT} if element.get("type") == "field" else {}
        answer = extension.call("interact", {"notification": notification, "element": element["id"], **value})
        judge(answer)
        if isinstance(answer.get("result"), dict):
            view = answer["result"].get("view", view)


def judge_touch(answer: Dict[str, Any]) -> None:
    if "result" in answer:
        judge_result(answer["result"])
    else:
        code = answer["error"]["code"]
        check(code != -32601, "its Info.plist lets people touch the view, but interact has no handler")


@requirement("interact", "Where its Info.plist enables touches, each element answers one: with changes or an error.")
def _(run: Run) -> None:
    if not run.bundle.takes_touches:
        raise Skipped("its Info.plist does not enable touches")
    with run.extension() as extension:
        notification, result = extension.show()
        view = result.get("view")
        if not any("id" in node for node in nodes(view)):
            raise Skipped("its view has no ids")
        touch_all(extension, notification, view, judge_touch)
        extension.is_served()


@requirement("media", "mediaPlay and mediaPause are answered with members that the contract allows, or with -32601.")
def _(run: Run) -> None:
    with run.extension() as extension:
        notification, _ = extension.show()
        for method in ("mediaPlay", "mediaPause"):
            answer = extension.call(method, {"notification": notification})
            if "result" in answer:
                judge_result(answer["result"])
            else:
                code = answer["error"]["code"]
                check(code == -32601, f"{method} was answered with the error {short(answer['error'])}")


def use(run: Run, refuses: bool) -> int:
    """Uses the extension in every way that may make it ask the host, and counts what it asked."""
    with run.extension() as extension:
        extension.refuses = refuses
        # Where the host's refusal is one of the notification too, there is nothing more to use.
        with contextlib.suppress(Skipped):
            notification, result = extension.show()
            if run.bundle.takes_touches:
                touch_all(extension, notification, result.get("view"), lambda answer: None)
            for action in [*buttons(result), {"identifier": DEFAULT_ACTION}]:
                extension.call("didReceiveResponse", press(notification, action))
        asked = len(extension.asked)
        extension.refuses = False
        extension.is_served()
        return asked


@requirement("saves", "What it asks of the host while a call runs is answered, and then the call is.")
def _(run: Run) -> None:
    if use(run, refuses=False) == 0:
        raise Skipped("it asked the host nothing that is answered")


@requirement("refused-saves", "A refusal of the host does not end it: the call is answered, and the next is served.")
def _(run: Run) -> None:
    if use(run, refuses=True) == 0:
        raise Skipped("it asked the host nothing that is answered")


@requirement("dismiss", "didDismiss is not answered, and the next notification is served.")
def _(run: Run) -> None:
    with run.extension() as extension:
        notification, _ = extension.show()
        extension.send({"method": "didDismiss", "params": {"notification": notification}})
        extension.is_served()
        check(not extension.strays, f"it answered didDismiss: {short(extension.strays)}")


@requirement("after-dismiss", "A call about a notification that is gone is answered, and the next is served.")
def _(run: Run) -> None:
    with run.extension() as extension:
        notification, _ = extension.show()
        extension.send({"method": "didDismiss", "params": {"notification": notification}})
        extension.call("didReceiveResponse", {"notification": notification, "actionIdentifier": DEFAULT_ACTION})
        extension.call("interact", {"notification": notification, "element": "gone"})
        extension.is_served()


@requirement("large-payload", "A payload of 4096 bytes with every kind of text and null values is answered.")
def _(run: Run) -> None:
    def size(payload: Dict[str, Any]) -> int:
        return len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode())

    payload = dict(run.bundle.payload)
    texts = ["é e\u0301 한국어 עברית 👩‍👩‍👧 \u2028\u2029\u0085\t\"\\", None, {"a/b~c": None, "": 1e300}]
    payload.update(_texts=texts, _filler="")
    room = PAYLOAD_LIMIT - size(payload)
    if room < 0:
        raise Skipped("the payload leaves no room for more")
    payload["_filler"] = "x" * room
    with run.extension() as extension:
        extension.show()
        extension.result("didReceive", extension.notification(payload))


@requirement("bytewise", "A line that comes byte by byte is one call.")
def _(run: Run) -> None:
    with run.extension() as extension:
        message = extension.request("didReceive", extension.notification())
        for byte in encode(message):
            extension.write(bytes([byte]))
            extension.wait_until_read()
        extension.answer(message["id"], "a line that came byte by byte")


@requirement("two-lines", "Two lines in one write are two calls.")
def _(run: Run) -> None:
    with run.extension() as extension:
        messages = [extension.request("didReceive", extension.notification()) for _ in range(2)]
        extension.send(*messages)
        for message in messages:
            extension.answer(message["id"], "one of two lines in one write")


@requirement("stderr", "It works where nobody takes its stderr.")
def _(run: Run) -> None:
    with run.extension(stderr=subprocess.DEVNULL) as extension:
        extension.is_served()


@requirement("deactivate", "After deactivate and the end of its stdin it exits with 0 and leaves no process behind.")
def _(run: Run) -> None:
    with run.extension() as extension:
        extension.call("didReceive", extension.notification())
        extension.send({"method": "deactivate", "params": {}})
        extension.close()
        code = extension.wait("deactivate")
        check(code == 0, f"it ended with {f'signal {-code}' if code < 0 else f'code {code}'}{extension._tail()}")
        check(extension.is_group_empty(), "it left a process behind in its group")


@requirement("end-of-input", "The end of its stdin alone ends it.")
def _(run: Run) -> None:
    with run.extension() as extension:
        extension.call("didReceive", extension.notification())
        extension.close()
        extension.wait("the end of its stdin")


@requirement("requests", "What it asks of the host are methods of the contract with their params.")
def _(run: Run) -> None:
    with contextlib.suppress(Broken, Skipped):
        use(run, refuses=False)
    check(not run.faults["requests"], "; ".join(dict.fromkeys(run.faults["requests"])))


@requirement("messages", "Every line on its stdout is a JSON-RPC 2.0 message.")
def _(run: Run) -> None:
    with contextlib.suppress(Broken, Skipped):
        use(run, refuses=False)
    check(not run.faults["messages"], "; ".join(list(dict.fromkeys(run.faults["messages"]))[:3]))


# MARK: The command


def outcomes(run: Run, only: List[str]) -> Iterator[Dict[str, str]]:
    """Tries the requirements; without activate there is nothing to try."""
    is_activated = True
    for id, sentence, attempt in REQUIREMENTS:
        if only and id not in only:
            continue
        outcome, detail = "kept", ""
        try:
            if not is_activated and id not in run.faults:
                raise Skipped("the extension cannot be activated: see activate")
            attempt(run)
        except Skipped as reason:
            outcome, detail = "skipped", str(reason)
        except Broken as problem:
            outcome, detail = "broken", str(problem)
            is_activated = is_activated and id != "activate"
        yield {"id": id, "sentence": sentence, "outcome": outcome, "detail": detail}


def report(run: Run, only: List[str], is_json: bool) -> int:
    bundle = run.bundle
    marks = {"kept": "ok", "broken": "BROKEN", "skipped": "-"}
    if not is_json:
        print(f"{bundle.identifier} ({os.path.basename(bundle.executable)}), payload: {bundle.payload_source}")
    count = dict.fromkeys(marks, 0)
    for row in outcomes(run, only):
        count[row["outcome"]] += 1
        if is_json:
            print(json.dumps(row, ensure_ascii=False), flush=True)
            continue
        print(f"  {marks[row['outcome']]:6} {row['id']:20} {row['sentence']}", flush=True)
        if row["detail"]:
            print(f"  {'':6} {'':20} {row['detail']}", flush=True)
    if not is_json:
        kept, broken, skipped = count["kept"], count["broken"], count["skipped"]
        print(f"{sum(count.values())} requirements: {kept} kept, {broken} broken, {skipped} not tried")
    return 1 if count["broken"] else 0


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def main() -> int:
    parser = Parser(prog="conformance.py", description="Tries a content extension against the contract of pushhost.")
    parser.add_argument("bundle", nargs="?", metavar="BUNDLE", help="the bundle's folder")
    parser.add_argument("--executable", metavar="PATH", help="where CFBundleExecutable lies, if not in the bundle")
    parser.add_argument("--payload", metavar="FILE", help="what is shown: else payload.apns, else a made-up payload")
    parser.add_argument("--deadline", type=float, default=10, metavar="SECONDS", help="how long a call may take: 10")
    parser.add_argument("--stop-grace", type=float, default=2, metavar="SECONDS", help="how long an exit may take: 2")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="try only that one; may be repeated")
    parser.add_argument("--json", action="store_true", help="report in JSON, a line a requirement")
    parser.add_argument("--list", action="store_true", help="only list the requirements")
    arguments = parser.parse_args()
    if arguments.list:
        for id, sentence, _ in REQUIREMENTS:
            print(f"{id:20} {sentence}")
        return 0
    for id in arguments.only:
        if id not in [requirement[0] for requirement in REQUIREMENTS]:
            parser.error(f"there is no requirement {id}; --list has them")
    if arguments.bundle is None:
        parser.error("which bundle? name its folder")
    try:
        bundle = Bundle(arguments.bundle, arguments.executable, arguments.payload)
    except Usage as problem:
        parser.error(str(problem))
    return report(Run(bundle, arguments.deadline, arguments.stop_grace), arguments.only, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
