#!/usr/bin/env python3
"""Validates the documents of the contract with jsonschema and openrpc (both from PyPI).

Each must be a valid document of OpenRPC 1.4, with schemas of JSON Schema's draft 7, that the package openrpc can load.
Rules that OpenRPC states only in prose are checked too: names and error codes are unique, and the params and the result
of an example match the schemas of its method. So do the requests in `x-given`, which are sent before an example.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft7Validator
from openrpc import OpenRPC

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    "openrpc.json", "extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json",
    "source.openrpc.json",
]
META = json.loads((ROOT / "Tests/Fixtures/openrpc/openrpc-1.4.schema.json").read_text(encoding="utf-8"))
HOST = json.loads((ROOT / "protocol/openrpc.json").read_text(encoding="utf-8"))

problems = []
checked_values = 0


def check_value(where, value, schema, document):
    global checked_values
    checked_values += 1
    whole = {"allOf": [schema], "components": document["components"]}
    for error in Draft7Validator(whole).iter_errors(value):
        problems.append(f"{where}: {error.json_path}: {error.message[:300]}")


def check_params(where, params, described, document, caller="client"):
    known = {each["name"]: each for each in described}
    for name, value in params.items():
        if name not in known:
            problems.append(f"{where}: {name} is not described")
        else:
            check_value(f"{where}: {name}", value, known[name]["schema"], document)
    for name, each in known.items():
        if each.get("required") and name not in params and caller in each.get("x-callers", [caller]):
            problems.append(f"{where}: the required {name} is absent")


def check_example(where, method, example, document):
    where = f"{where}: {example['name']}"
    check_params(where, {each["name"]: each["value"] for each in example["params"]}, method["params"], document)
    if ("result" in example) != ("result" in method):
        problems.append(f"{where}: either the method or this example has a result, but not both")
    elif "result" in example:
        check_value(f"{where}: result", example["result"]["value"], method["result"]["schema"], document)
        if example["result"]["name"] != method["result"]["name"]:
            problems.append(f"{where}: the result must be called {method['result']['name']}")
    methods = {each["name"]: each for each in HOST["methods"]}
    for request in example.get("x-given", []):
        made = methods[request["method"]]
        check_params(f"{where}: {made['name']}", request.get("params", {}), made["params"], HOST)


def check_unique(where, values):
    for value in {each for each in values if values.count(each) > 1}:
        problems.append(f"{where}: {value} occurs twice")


def check_document(name):
    document = json.loads((ROOT / "protocol" / name).read_text(encoding="utf-8"))
    for error in Draft7Validator(META).iter_errors(document):
        problems.append(f"{name}: {error.json_path}: {error.message[:300]}")
    check_unique(name, [method["name"] for method in document["methods"]])
    for method in document["methods"]:
        where = f"{name}: {method['name']}"
        errors = [
            document["components"]["errors"][error["$ref"].rsplit("/", 1)[1]] if "$ref" in error else error
            for error in method.get("errors", [])
        ]
        check_unique(where, [param["name"] for param in method["params"]])
        check_unique(where, [error["code"] for error in errors])
        for example in method["examples"]:
            check_example(where, method, example, document)
        service = method.get("x-service")
        if isinstance(service, dict):
            for example in service["examples"]:
                check_example(where, {**method, "result": service["result"]}, example, document)
    for topic in document.get("x-notifications", []):
        for example in topic["examples"]:
            check_example(f"{name}: {topic['name']}", topic, example, document)
    check_with_package(name, document)


def check_with_package(name, document):
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
    check_document(file)
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(FILES)} documents, {checked_values} values checked, {len(problems)} problems")
sys.exit(1 if problems or checked_values < 100 else 0)
