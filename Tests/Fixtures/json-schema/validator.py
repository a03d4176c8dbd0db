#!/usr/bin/env python3
"""Checks JSON values with Debian's python3-jsonschema; Tests/TestSupport/Schema starts it and asks.

Each line of stdin is a question, and each line of stdout its answer:

- ``{"document": …}`` adds a document; the answer is its number.
- ``{"read": number, "at": pointer}`` reads a schema; the answer is what is wrong with it, or null.
- ``{"check": number, "at": pointer, "closed": …, "value": …}`` checks a value; the answer is a list of violations, each
  with the path in the value, the path in the schema and a sentence. In a closed check, objects whose schema has
  ``properties`` may have no other members. All schemas of one ``allOf`` count together.
- ``{"all": [check, …]}`` checks several values; the answer is whether all are valid.

Unlike JSON Schema, it refuses unknown keywords and formats, because a misspelt one would check nothing.
"""

import json
import re
import sys
import threading
from datetime import datetime

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from jsonschema.validators import extend

ANNOTATIONS = {
    "$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated", "description", "else", "examples",
    "readOnly", "then", "title", "writeOnly",
}  # fmt: skip
#: Keywords by what they contain.
SCHEMAS = {
    "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedProperties",
}  # fmt: skip
NAMED_SCHEMAS = {"$defs", "definitions", "patternProperties", "properties"}
LISTED_SCHEMAS = {"allOf", "anyOf", "oneOf"}

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE)
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
FORMATS = FormatChecker()


@FORMATS.checks("date-time", ValueError)
def is_time(value):
    if not isinstance(value, str):
        return True
    return bool(TIME.fullmatch(value) and datetime.fromisoformat(value.upper()))


@FORMATS.checks("uri")
def is_uri(value):
    return not isinstance(value, str) or bool(URI.fullmatch(value))


@FORMATS.checks("uri-reference")
def is_reference(value):
    return not isinstance(value, str) or bool(URI.fullmatch("a:" + value))


def pattern(validator, wanted, value, schema):
    """As in ECMA 262: ``$`` does not match before a line break at the end, and ``\\d`` only the digits of ASCII."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", wanted), value, re.ASCII):
        yield ValidationError(f"{value!r} does not match {wanted!r}")


OWN = "the schema names no such member"
URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
FORMATS = FormatChecker()


@FORMATS.checks("date-time", ValueError)
def is_time(value):
    if not isinstance(value, str):
        return True
    return bool(TIME.fullmatch(value) and datetime.fromisoformat(value.upper()))


@FORMATS.checks("uri")
def is_uri(value):
    return not isinstance(value, str) or bool(URI.fullmatch(value))


@FORMATS.checks("uri-reference")
def is_reference(value):
    return not isinstance(value, str) or bool(URI.fullmatch("a:" + value))


def pattern(validator, wanted, value, schema):
    """As in ECMA 262: ``$`` does not match before a line break at the end, and ``\\d`` only the digits of ASCII."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", wanted), value, re.ASCII):
        yield ValidationError(f"{value!r} does not match {wanted!r}")


def unevaluated(validator, allowed, value, schema):
    """A violation for each member, whose path it names."""
    if isinstance(value, dict):
        known = find_evaluated_property_keys_by_schema(validator, value, schema)
        for name in value.keys() - set(known):
            yield ValidationError(UNKNOWN, path=[name])


DRAFT_7 = extend(Draft7Validator, {"pattern": pattern})
DRAFT_2020_12 = extend(Draft202012Validator, {"pattern": pattern})


def nodes(value):
    """The value and all values in it that are objects."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)


class Document:
    """A document with schemas, and a closed copy of it."""

    def __init__(self, document):
        self.kind = DRAFT_7 if "draft-07" in document.get("$schema", "") else DRAFT_2020_12
        # Schemas that are part of another one's allOf; closed, they would reject that one's members.
        wholes = [node for node in nodes(document) if isinstance(node.get("allOf"), list) and "properties" in node]
        self.parts = {part["$ref"] for whole in wholes for part in whole["allOf"] if "$ref" in part}
        self.documents = {False: document, True: self.close(document, "#")}
        self.validators = {}

    def close(self, value, pointer):
        if isinstance(value, list):
            return [self.close(each, f"{pointer}/{index}") for index, each in enumerate(value)]
        if not isinstance(value, dict):
            return value
        copy = {name: self.close(each, f"{pointer}/{name}") for name, each in value.items()}
        declares = isinstance(value.get("allOf"), list) or ("properties" in value and value.get("type") == "object")
        if declares and "additionalProperties" not in value and pointer not in self.parts:
            copy["unevaluatedProperties"] = False
        return copy

    def validator(self, pointer, closed):
        if (pointer, closed) not in self.validators:
            # The members of the document beside the reference are no keywords, and references find them.
            document = self.documents[closed]
            schema = {**document, "$ref": f"#{pointer}"} if pointer else document
            self.validators[pointer, closed] = self.kind(schema, format_checker=FORMATS)
        return self.validators[pointer, closed]

    def read(self, pointer):
        """What is wrong with a schema; None if it can be checked."""
        try:
            schema = self.at(pointer)
            self.kind.check_schema(schema)
            return self.problem(schema, set())
        except SchemaError as error:
            return error.message
        except LookupError as error:
            return f"refers to nothing: {error}"

    def at(self, pointer):
        value = self.documents[False]
        for step in pointer.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            value = value[int(step) if isinstance(value, list) else step]
        return value

    def problem(self, schema, seen):
        """The first keyword or format that would check nothing, or a reference that leads nowhere, also further in."""
        if isinstance(schema, bool):
            return None
        for keyword, value in schema.items():
            known = keyword in self.kind.VALIDATORS or keyword in ANNOTATIONS or keyword.startswith("x-")
            if not known or (keyword == "format" and value not in FORMATS.checkers):
                return f"has the unknown {keyword} {json.dumps(value)}"
            inner = []
            if keyword == "$ref" and value not in seen:
                seen.add(value)
                inner = [self.at(value[1:])] if value.startswith("#") else []
            elif keyword in NAMED_SCHEMAS:
                inner = value.values()
            elif keyword in LISTED_SCHEMAS:
                inner = value
            elif keyword in SCHEMAS and not isinstance(value, list):
                inner = [value]
            for each in inner:
                found = self.problem(each, seen)
                if found:
                    return found
        return None

    def is_valid(self, check):
        return self.validator(check["at"], check["closed"]).is_valid(check["value"])

    def check(self, check):
        errors = list(self.validator(check["at"], check["closed"]).iter_errors(check["value"]))
        # The library counts a member that violates its schema as unevaluated, too.
        places = [list(error.absolute_path) for error in errors if error.validator != "unevaluatedProperties"]
        return [
            describe(error)
            for error in errors
            if error.validator != "unevaluatedProperties"
            or not any(place[: len(error.absolute_path)] == list(error.absolute_path) for place in places)
        ]


def describe(error):
    nearest = best_match(error.context)
    sentence = error.message + (f"; nearest: {describe(nearest)}" if nearest else "")
    return [path(error.absolute_path), path(error.absolute_schema_path), sentence[:1000]]


def path(steps):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def answer(question, documents):
    if "document" in question:
        documents.append(Document(question["document"]))
        return len(documents) - 1
    if "read" in question:
        return documents[question["read"]].read(question["at"])
    if "all" in question:
        return all(documents[each["check"]].is_valid(each) for each in question["all"])
    return documents[question["check"]].check(question)


def main():
    # A value may have 2048 levels, and each takes several calls.
    sys.setrecursionlimit(100_000)
    documents = []
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(json.loads(line), documents)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
