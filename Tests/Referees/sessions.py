#!/usr/bin/env python3
"""Validates every recorded session against the contract with jsonschema (from PyPI).

A request that succeeded must have params that its method's schemas allow; a result
must be one that they describe, with no member more; an error must be one that the
method lists; what a subscriber is told must be described too. A view and its actions
must also be those of protocol/schemas.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

PROTOCOL = Path(__file__).resolve().parents[2] / "protocol"
DOCUMENT = json.loads((PROTOCOL / "openrpc.json").read_text())
METHODS = {method["name"]: method for method in DOCUMENT["methods"]}
TOPICS = {topic["name"]: topic for topic in DOCUMENT["x-notifications"]}
SCHEMAS = {
    name: json.loads((PROTOCOL / "schemas" / f"{name}.schema.json").read_text()) for name in ("view", "action")
}

problems = []
judged = 0


def judge(where, value, schema, *, closed=False):
    global judged
    judged += 1
    if closed and "properties" in schema:  # Otherwise an undeclared member would go unnoticed.
        schema = {"additionalProperties": False} | schema
    schema = {"allOf": [schema], "components": DOCUMENT["components"]}
    for error in Draft202012Validator(schema).iter_errors(value):
        problems.append(f"{where}: {error.json_path}: {error.message[:300]}")


def judge_shown(where, value):
    if "view" in value:
        judge(f"{where}: view", value["view"], SCHEMAS["view"])
    for action in value.get("actions", []):
        judge(f"{where}: action", action, SCHEMAS["action"])


def judge_params(where, described, params):
    given = params if isinstance(params, dict) else {p["name"]: v for p, v in zip(described, params)}
    for parameter in described:
        name = parameter["name"]
        if name in given:
            judge(f"{where}: {name}", given[name], parameter["schema"])
        elif parameter.get("required"):
            problems.append(f"{where}: the required {name} is absent")
    known = {parameter["name"] for parameter in described}
    for name in given:
        if name not in known and not name.startswith("_"):
            problems.append(f"{where}: {name} is not described")


def judge_error(where, method, error):
    listed = {DOCUMENT["components"]["errors"][e["$ref"].rsplit("/", 1)[1]]["code"] for e in method.get("errors", [])}
    if error["code"] > 0 and error["code"] not in listed:
        problems.append(f"{where}: {method['name']} does not list the error {error['code']}")
    reasons = next((row["reasons"] for row in DOCUMENT["x-errors"] if row["code"] == error["code"]), [])
    if error.get("data", {}).get("reason") not in reasons:
        problems.append(f"{where}: no such error: {error}")


def flat(lines):
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict) and "session" not in message:  # The header of a replies file.
                yield number, message


def judge_session(requests, replies):
    # Sessions are recorded in lock-step: of requests with the same id the first is answered first.
    sent = {}
    for _, message in flat(requests.read_bytes().split(b"\n")):
        if "id" in message and message.get("method") in METHODS:
            sent.setdefault(json.dumps(message["id"]), []).append(message)
    for number, reply in flat(replies.read_bytes().split(b"\n")):
        where = f"{replies.name}:{number}"
        if "method" in reply:
            judge_params(where, TOPICS[reply["method"]]["params"], reply["params"])
            judge_shown(where, reply["params"])
            continue
        # An error with the id null answers a line whose id could not be read.
        unread = reply["id"] is None and "error" in reply
        waiting = [] if unread else sent.get(json.dumps(reply["id"]))
        request = waiting.pop(0) if waiting else {}
        name = request.get("method")
        method = METHODS.get(name) if isinstance(name, str) else None
        if method and "result" in reply:
            told = {d["reason"] for d in reply["result"].get("diagnostics", [])} if reply["result"] else {}
            # Like a phone, the host ignores payload members of a wrong type, but it reports them.
            if "ignoredMember" not in told:
                judge_params(where, method["params"], request.get("params", {}))
            judge(where, reply["result"], method["result"]["schema"], closed=True)
            judge_shown(where, reply["result"] if isinstance(reply["result"], dict) else {})
        elif "error" in reply:
            judge_error(where, method or {"name": "-"}, reply["error"])
        else:
            problems.append(f"{where}: a result for no request: {reply}")


sessions = sorted(p for p in (PROTOCOL / "sessions").glob("*.jsonl") if not p.name.endswith((".replies.jsonl", ".session.jsonl")))
for schema in SCHEMAS.values():
    Draft202012Validator.check_schema(schema)
for session in sessions:
    judge_session(session, session.with_suffix(".replies.jsonl"))
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(sessions)} sessions, {judged} values judged, {len(problems)} problems")
sys.exit(1 if problems or judged < 100 else 0)
