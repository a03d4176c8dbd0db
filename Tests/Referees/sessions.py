#!/usr/bin/env python3
"""Validates every recorded session against the contract with jsonschema (from PyPI).

The params of a request that succeeded must match its method's schemas. A result must
match them too, and have no undeclared members. An error must be one that the method
lists. Notifications must match the schemas of their topics. A view and its actions
must also match protocol/schemas.
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
checked_values = 0


def check_value(where, value, schema, *, closed=False):
    global checked_values
    checked_values += 1
    if closed and "properties" in schema:  # Otherwise an undeclared member would go unnoticed.
        schema = {"additionalProperties": False} | schema
    schema = {"allOf": [schema], "components": DOCUMENT["components"]}
    for error in Draft202012Validator(schema).iter_errors(value):
        problems.append(f"{where}: {error.json_path}: {error.message[:300]}")


def check_shown(where, value):
    if "view" in value:
        check_value(f"{where}: view", value["view"], SCHEMAS["view"])
    for action in value.get("actions", []):
        check_value(f"{where}: action", action, SCHEMAS["action"])


def check_params(where, described, params):
    given = params if isinstance(params, dict) else {p["name"]: v for p, v in zip(described, params)}
    for parameter in described:
        name = parameter["name"]
        if name in given:
            check_value(f"{where}: {name}", given[name], parameter["schema"])
        elif parameter.get("required"):
            problems.append(f"{where}: the required {name} is absent")
    known = {parameter["name"] for parameter in described}
    for name in given:
        if name not in known and not name.startswith("_"):
            problems.append(f"{where}: {name} is not described")


def check_error(where, method, error):
    listed = {DOCUMENT["components"]["errors"][e["$ref"].rsplit("/", 1)[1]]["code"] for e in method.get("errors", [])}
    if error["code"] > 0 and error["code"] not in listed:
        problems.append(f"{where}: {method['name']} does not list the error {error['code']}")
    reasons = next((row["reasons"] for row in DOCUMENT["x-errors"] if row["code"] == error["code"]), [])
    if error.get("data", {}).get("reason") not in reasons:
        problems.append(f"{where}: the document does not list the error {error}")


def messages(lines):
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict) and "session" not in message:  # The header of a replies file.
                yield number, message


def check_session(requests, replies):
    # Sessions are recorded in lock-step: of requests with the same id the first is answered first.
    sent = {}
    for _, message in messages(requests.read_bytes().split(b"\n")):
        if "id" in message and message.get("method") in METHODS:
            sent.setdefault(json.dumps(message["id"]), []).append(message)
    for number, reply in messages(replies.read_bytes().split(b"\n")):
        where = f"{replies.name}:{number}"
        if "method" in reply:
            check_params(where, TOPICS[reply["method"]]["params"], reply["params"])
            check_shown(where, reply["params"])
            continue
        # An error with the id null answers a line whose id could not be read.
        unread = reply["id"] is None and "error" in reply
        waiting = [] if unread else sent.get(json.dumps(reply["id"]))
        request = waiting.pop(0) if waiting else {}
        name = request.get("method")
        method = METHODS.get(name) if isinstance(name, str) else None
        if method and "result" in reply:
            reasons = {d["reason"] for d in reply["result"].get("diagnostics", [])} if reply["result"] else {}
            # Like a phone, the host ignores payload members of a wrong type, but it reports them.
            if "ignoredMember" not in reasons:
                check_params(where, method["params"], request.get("params", {}))
            check_value(where, reply["result"], method["result"]["schema"], closed=True)
            check_shown(where, reply["result"] if isinstance(reply["result"], dict) else {})
        elif "error" in reply:
            check_error(where, method or {"name": "-"}, reply["error"])
        else:
            problems.append(f"{where}: a result without a request: {reply}")


sessions = sorted(
    path
    for path in (PROTOCOL / "sessions").glob("*.jsonl")
    if not path.name.endswith((".replies.jsonl", ".session.jsonl"))
)
for schema in SCHEMAS.values():
    Draft202012Validator.check_schema(schema)
for session in sessions:
    check_session(session, session.with_suffix(".replies.jsonl"))
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(sessions)} sessions, {checked_values} values checked, {len(problems)} problems")
sys.exit(1 if problems or checked_values < 100 else 0)
