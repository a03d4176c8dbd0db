"""The long part of the page: each method and each type with all that the documents say of it."""

from __future__ import annotations

import json
import textwrap
from typing import Any, Dict, List

from .documents import Document, reasons
from .markdown import code, table
from .types import type_text


def parts(documents: List[Document]) -> Dict[str, str]:
    """The reference of each document by the document's name."""
    return {f"{each.file}, reference": reference(each) for each in documents}


def reference(document: Document) -> str:
    text = "\n".join(method_text(document, each) for each in document.methods)
    for topic in document.json.get("x-notifications", []):
        text += "\n" + method_text(document, topic, "notification to subscribers")
    return text + "\n" + "\n".join(schema_text(document, name) for name in document.schemas)


def method_text(document: Document, method: Dict[str, Any], kind: str = "notification") -> str:
    """A method with its params, its result, its errors and its first example."""
    is_notification = "result" not in method
    text = f"#### {code(method['name'])}" + (f" ({kind})" if is_notification else "") + "\n\n"
    text += wrapped(method["summary"] + (" " + method["description"] if "description" in method else ""))
    if method["params"]:
        rows = [
            [code(each["name"] + ("" if each.get("required") else "?")), type_text(each["schema"]), described(each)]
            for each in method["params"]
        ]
        text += "\n" + table(["param", "type", ""], rows)
    if not is_notification:
        text += "\n" + result_text(document, method["result"]["schema"])
    service = method.get("x-service")
    if isinstance(service, dict):
        text += "\n" + wrapped(f"{service['summary']} {service['description']}")
        text += "\n" + result_text(document, service["result"]["schema"])
    listed = [word for error in document.errors(method) for word in reasons(error)]
    if listed and document.name == "host":
        text += "\n" + wrapped("Errors: " + ", ".join(map(code, listed)) + ".")
    if method.get("examples"):
        text += "\n" + example_text(method, method["examples"][0])
    return text


def described(param: Dict[str, Any]) -> str:
    callers = param.get("x-callers")
    alone = f"Of an {callers[0]} alone. " if callers else ""
    return alone + str(param["description"])


def result_text(document: Document, schema: Any) -> str:
    if "properties" not in schema:
        return f"Result: {type_text(schema)}.\n"
    return table(["result", "type", ""], member_rows(document, schema))


def member_rows(document: Document, schema: Dict[str, Any], path: str = "") -> List[List[str]]:
    """A row for each member, and behind it for those of an object without a name."""
    required = schema.get("required", [])
    rows = []
    for name, member in schema["properties"].items():
        place = path + name
        rows.append([code(place + ("" if name in required else "?")), type_text(member), about(document, member)])
        for inner, step in ((member, "."), (member.get("items"), "[].")):
            if isinstance(inner, dict) and "properties" in inner:
                rows += member_rows(document, inner, place + step)
    return rows


def about(document: Document, schema: Dict[str, Any]) -> str:
    """What a member is; of a type with a part of its own on the page the first sentence."""
    if "description" in schema:
        return str(schema["description"])
    text = document.described(schema) or document.described(schema.get("items"))
    return text.split(". ", 1)[0].rstrip(".") + "." if text else ""


def schema_text(document: Document, name: str) -> str:
    schema = document.schemas[name]
    text = str(schema["description"])
    if "properties" not in schema:
        text += f" {type_text(schema)[0].upper()}{type_text(schema)[1:]}."
    text = f"#### {name}\n\n" + wrapped(text)
    inner = schema if "properties" in schema else schema.get("items")
    if isinstance(inner, dict) and "properties" in inner:
        text += "\n" + table(["member", "type", ""], member_rows(document, inner))
    return text


def wrapped(text: str) -> str:
    """A paragraph in lines as long as those that people write."""
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def example_text(method: Dict[str, Any], example: Dict[str, Any]) -> str:
    """The first example's lines, as they go over the wire."""
    params = {each["name"]: each["value"] for each in example["params"]}
    head: Dict[str, Any] = {"jsonrpc": "2.0"}
    if "result" in example:
        head["id"] = 1
    lines = [{**head, "method": method["name"], **({"params": params} if params else {})}]
    if "result" in example:
        lines.append({**head, "result": example["result"]["value"]})
    body = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    return f"```json\n{body}```\n"
