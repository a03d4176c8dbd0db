"""The short tables of the pages: one row for each method, topic or kind of error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .documents import Document
from .markdown import code, table

SERVICE = "x-service"


#: The tables of the host's methods. Each method is in exactly one of them.
TAGS = ("notifications", "analytics", "storage", "host", "presentation")


class DocumentError(Exception):
    """A document lacks something that a page needs."""


def parts(
    host: Document, extension: Document, destination: Document, personalization: Document, source: Document
) -> dict[str, str]:
    """Every short table by its name."""
    for method in host.methods:
        if sum(method in host.tagged(tag) for tag in TAGS) != 1:
            raise DocumentError(f"{host.file}: {method['name']} needs exactly one of the tags {', '.join(TAGS)}")
    tables = {f"openrpc.json, {tag}": methods(host, host.tagged(tag), "method") for tag in TAGS[:-1]}
    tables["openrpc.json, presentation"] = calls(host.tagged("presentation"))
    for document, head in ((host, "topic"), (source, "the source sends")):
        tables[f"{document.file}, x-notifications"] = table(
            [head, "params", "when"],
            [[code(each["name"]), names(each["params"]), each["summary"]] for each in document.json["x-notifications"]],
        )
    content = [without_service(each) for each in extension.methods if each.get(SERVICE) is not True]
    tables["extension.openrpc.json"] = methods(extension, content, "the host calls")
    tables["extension.openrpc.json, x-service"] = methods(extension, list(services(extension)), "the host calls")
    tables["extension.openrpc.json, errors"] = errors(extension)
    tables["openrpc.json, x-errors"] = table(
        ["code", "`data.reason`", "when"],
        [[str(e["code"]), ", ".join(map(code, e["reasons"])), e["message"]] for e in host.json["x-errors"]],
    )
    for document in (destination, personalization, source):
        tables[document.file] = methods(document, document.methods, "the host calls")
        tables[f"{document.file}, errors"] = errors(document)
    return tables


def without_service(method: dict[str, Any]) -> dict[str, Any]:
    """A method as a content extension gets it."""
    return {**method, "params": [each for each in method["params"] if each.get(SERVICE) is not True]}


def services(extension: Document) -> Iterable[dict[str, Any]]:
    """The methods that only a service extension gets, or gets with other params."""
    for method in extension.methods:
        service = method.get(SERVICE)
        if isinstance(service, dict):
            params = [each for each in method["params"] if each["name"] in service["params"]]
            yield {**method, "params": params, "result": service["result"]}
        elif service or any(each.get(SERVICE) for each in method["params"]):
            yield {**method, "params": [each for each in method["params"] if each.get(SERVICE) is not False]}


def methods(document: Document, rows: Sequence[dict[str, Any]], head: str) -> str:
    """Methods with their params and the members of their results. Methods with equal ones share a row."""
    lines: list[tuple[list[str], str, str]] = []
    for method in rows:
        name = code(method["name"]) + ("" if "result" in method else " (notification)")
        name += " (deprecated)" if method.get("deprecated") else ""
        params = names(each for each in method["params"] if "client" in each.get("x-callers", ["client"]))
        result = answer(document, method)
        if lines and "result" in method and params and lines[-1][1:] == (params, result):
            lines[-1][0].append(name)
        else:
            lines.append(([name], params, result))
    return table([head, "params", "result"], [[", ".join(names), params, result] for names, params, result in lines])


def names(params: Iterable[dict[str, Any]]) -> str:
    return ", ".join(each["name"] + ("" if each.get("required") else "?") for each in params)


def answer(document: Document, method: dict[str, Any]) -> str:
    """What a method answers: the summary of its result if it has one, else the members."""
    if "result" not in method:
        return ""
    schema = document.resolved(method["result"]["schema"])
    members = [
        name + ("" if name in schema.get("required", []) else "?") for name in schema.get("properties", {})
    ]
    summary = method["result"].get("summary")
    if summary is None:
        return ", ".join(members)
    named = re.findall(r"[A-Za-z]+\??", summary)
    left_out = [each for each in members if each not in named and each.rstrip("?") not in named]
    if left_out:
        raise DocumentError(f"{document.file}: {method['name']}: the summary of its result leaves out {', '.join(left_out)}")
    return str(summary)


def calls(rows: Sequence[dict[str, Any]]) -> str:
    """What an extension may call. No such method has a result of its own."""
    return table(["it may call", "params", ""], [[code(m["name"]), names(m["params"]), m["summary"]] for m in rows])


def errors(document: Document) -> str:
    """What the host does after an error answer. Errors with the same meaning share a row."""
    answered = [method["name"] for method in document.methods if "result" in method]
    lines: dict[tuple[str, str], list[str]] = {}
    for method in document.methods:
        for error in document.errors(method):
            # Every other code means the same as the one that ExtensionKit uses.
            number = str(error["code"]) if error["code"] < 0 else "any other"
            lines.setdefault((number, error["message"]), []).append(method["name"])
    order = sorted(lines.items(), key=lambda line: (-len(line[1]), answered.index(line[1][0])))
    rows = [["any call" if to == answered else names_of(to, answered), number, text] for (number, text), to in order]
    return table(["to", "error", "what the host does"], rows)


def names_of(methods: list[str], answered: list[str]) -> str:
    left_out = [each for each in answered if each not in methods]
    if len(left_out) == 1 and len(methods) > 2:
        return f"any call except {code(left_out[0])}"
    return ", ".join(map(code, methods))
