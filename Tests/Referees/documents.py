#!/usr/bin/env python3
"""Validates the documents of the contract with jsonschema and openrpc (both from PyPI).

Each must be a document of OpenRPC 1.4 with schemas of JSON Schema's draft 7, and one that the classes of the package
openrpc take. What OpenRPC says in words only is looked at too: names and error codes differ, and an example has the
params and the result that its method's schemas describe. The requests that an example wants made first must be
described likewise.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft7Validator
from openrpc import OpenRPC

ROOT = Path(__file__).resolve().parents[2]
FILES = ["openrpc.json", "extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json"]
META = json.loads((ROOT / "Tests/Fixtures/openrpc/openrpc-1.4.schema.json").read_text(encoding="utf-8"))
HOST = json.loads((ROOT / "protocol/openrpc.json").read_text(encoding="utf-8"))

problems = []
judged = 0


def judge(where, value, schema, document):
    global judged
    judged += 1
    whole = {"allOf": [schema], "components": document["components"]}
    for error in Draft7Validator(whole).iter_errors(value):
        problems.append(f"{where}: {error.json_path}: {error.message[:300]}")


def judge_params(where, params, described, document, caller="client"):
    known = {each["name"]: each for each in described}
    for name, value in params.items():
        if name not in known:
            problems.append(f"{where}: {name} is not described")
        else:
            judge(f"{where}: {name}", value, known[name]["schema"], document)
    for name, each in known.items():
        if each.get("required") and name not in params and caller in each.get("x-callers", [caller]):
            problems.append(f"{where}: the required {name} is absent")


def judge_example(where, method, example, document):
    where = f"{where}: {example['name']}"
    judge_params(where, {each["name"]: each["value"] for each in example["params"]}, method["params"], document)
    if ("result" in example) != ("result" in method):
        problems.append(f"{where}: a method has a result where its examples have one")
    elif "result" in example:
        judge(f"{where}: result", example["result"]["value"], method["result"]["schema"], document)
        if example["result"]["name"] != method["result"]["name"]:
            problems.append(f"{where}: the result is called {method['result']['name']}")
    methods = {each["name"]: each for each in HOST["methods"]}
    for request in example.get("x-given", []):
        made = methods[request["method"]]
        judge_params(f"{where}: {made['name']}", request.get("params", {}), made["params"], HOST)


def differ(where, values):
    for value in {each for each in values if values.count(each) > 1}:
        problems.append(f"{where}: {value} is there twice")


def judge_document(name):
    document = json.loads((ROOT / "protocol" / name).read_text(encoding="utf-8"))
    for error in Draft7Validator(META).iter_errors(document):
        problems.append(f"{name}: {error.json_path}: {error.message[:300]}")
    differ(name, [method["name"] for method in document["methods"]])
    for method in document["methods"]:
        where = f"{name}: {method['name']}"
        errors = [
            document["components"]["errors"][error["$ref"].rsplit("/", 1)[1]] if "$ref" in error else error
            for error in method.get("errors", [])
        ]
        differ(where, [param["name"] for param in method["params"]])
        differ(where, [error["code"] for error in errors])
        for example in method["examples"]:
            judge_example(where, method, example, document)
        service = method.get("x-service")
        if isinstance(service, dict):
            for example in service["examples"]:
                judge_example(where, {**method, "result": service["result"]}, example, document)
    for topic in document.get("x-notifications", []):
        for example in topic["examples"]:
            judge_example(f"{name}: {topic['name']}", topic, example, document)
    judge_with_package(name, document)


def judge_with_package(name, document):
    """Validates with the package openrpc, which supports neither error references nor methods without a result."""
    methods = []
    for method in document["methods"]:
        errors = [e for e in method.get("errors", []) if "$ref" not in e]
        if "result" in method:
            methods.append({**method, "errors": errors})
    errors = list(document["components"]["errors"].values())
    methods.append({"name": "errors", "params": [], "result": {"name": "none", "schema": True}, "errors": errors})
    try:
        OpenRPC(**{**document, "methods": methods})
    except ValueError as error:
        problems.append(f"{name}: openrpc: {str(error)[:1000]}")


Draft7Validator.check_schema(META)
for file in FILES:
    judge_document(file)
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(FILES)} documents, {judged} values judged, {len(problems)} problems")
sys.exit(1 if problems or judged < 100 else 0)
