"""The pages of the reference: everything that a document says about each method and each type, and the errors."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from .documents import Document, deprecation, reasons
from .markdown import code, link, table
from .types import type_text

FOLDER = "reference/methods"
NOTICE = "<!-- Written by protocol/generate.py from {}. Change the document, then run the script. -->\n\n"
#: The title of each document's page.
TITLES = {
    "host": "Reference: the host",
    "extension": "Reference: extensions",
    "destination": "Reference: destinations",
    "personalization": "Reference: personalization extensions",
    "source": "Reference: sources",
}
#: What the host's methods are about, by tag.
TAGS = {
    "notifications": "Notifications",
    "analytics": "Analytics and delivery",
    "storage": "Storage",
    "host": "The host itself",
    "presentation": "What an extension may call while it shows a notification",
}


def pages(documents: list[Document]) -> dict[str, str]:
    """Every page of the reference by its path from the folder of the contract."""
    return {f"{FOLDER}/{each.name}.md": document_page(each) for each in documents}


def document_page(document: Document) -> str:
    topics = document.json.get("x-notifications", [])
    text = NOTICE.format(document.file) + f"# {TITLES[document.name]}\n\n"
    text += wrapped(document.json["info"]["description"])
    text += f"\nThe same for programs: [`{document.file}`](../../{document.file}). A `?` marks optional members.\n"
    text += "\n" + contents(document, topics)
    text += "\n## Methods\n\n" + "\n".join(method_text(document, each) for each in document.methods)
    if topics:
        text += f"\n## Notifications to {RECEIVERS[document.name]}\n\n"
        text += "\n".join(method_text(document, each, topic(document)) for each in topics)
    return text + "\n## Types\n\n" + "\n".join(schema_text(document, name) for name in document.schemas)


#: Whom the notifications of x-notifications go to, by document.
RECEIVERS = {"host": "subscribers", "source": "the host"}


def topic(document: Document) -> str:
    """What a notification of x-notifications is called in headings."""
    return f"notification to {RECEIVERS[document.name]}"


def contents(document: Document, topics: list[dict[str, Any]]) -> str:
    """The table of contents."""
    groups = {title: document.tagged(tag) for tag, title in TAGS.items()} if document.name == "host" else {}
    rows = [[title, method_links(methods)] for title, methods in (groups or {"Methods": document.methods}).items()]
    if topics:
        title = f"Notifications to {RECEIVERS[document.name]}"
        rows.append([link(title, title), method_links(topics, topic(document))])
    rows.append([link("Types", "Types"), ", ".join(link(name, name) for name in document.schemas)])
    return table(["", ""], rows)


def method_links(methods: list[dict[str, Any]], kind: str = "notification") -> str:
    return ", ".join(
        link(code(each["name"]), method_heading(each, kind)) + (" (deprecated)" if each.get("deprecated") else "")
        for each in methods
    )


def method_heading(method: dict[str, Any], kind: str = "notification") -> str:
    return code(method["name"]) + ("" if "result" in method else f" ({kind})")


def method_text(document: Document, method: dict[str, Any], kind: str = "notification") -> str:
    """A method with its params, its result, its errors and its first example."""
    is_notification = "result" not in method
    text = f"### {method_heading(method, kind)}\n\n"
    deprecated, description = deprecation(method)
    if deprecated:
        text += wrapped(f"**{deprecated}**") + "\n"
    text += wrapped(f"{method['summary']} {description}")
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
        text += "\n" + wrapped("[Errors](../errors.md): " + ", ".join(map(code, listed)) + ".")
    if method.get("examples"):
        text += "\n" + example_text(method, method["examples"][0])
    return text


def described(param: dict[str, Any]) -> str:
    callers = param.get("x-callers")
    only = f"Only for an {callers[0]}. " if callers else ""
    return only + str(param["description"])


def result_text(document: Document, schema: Any) -> str:
    if "properties" not in schema:
        return f"Result: {type_text(schema)}.\n"
    return table(["result", "type", ""], member_rows(document, schema))


def member_rows(document: Document, schema: dict[str, Any], path: str = "") -> list[list[str]]:
    """A row for each member, followed by rows for the members of an object that has no name."""
    required = schema.get("required", [])
    rows = []
    for name, member in schema["properties"].items():
        place = path + name
        rows.append([code(place + ("" if name in required else "?")), type_text(member), about(document, member)])
        for inner, step in ((member, "."), (member.get("items"), "[].")):
            if isinstance(inner, dict) and "properties" in inner:
                rows += member_rows(document, inner, place + step)
    return rows


def about(document: Document, schema: dict[str, Any]) -> str:
    """What a member is. For a type that the page describes, the first sentence of its description."""
    if "description" in schema:
        return str(schema["description"])
    text = document.described(schema) or document.described(schema.get("items"))
    return text.split(". ", 1)[0].rstrip(".") + "." if text else ""


def schema_text(document: Document, name: str) -> str:
    schema = document.schemas[name]
    text = str(schema["description"])
    if "properties" not in schema:
        text += f" {type_text(schema)[0].upper()}{type_text(schema)[1:]}."
    text = f"### {name}\n\n" + wrapped(text)
    inner = schema if "properties" in schema else schema.get("items")
    if isinstance(inner, dict) and "properties" in inner:
        text += "\n" + table(["member", "type", ""], member_rows(document, inner))
    return text


def wrapped(text: str) -> str:
    """A paragraph with lines of at most 120 characters."""
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def example_text(method: dict[str, Any], example: dict[str, Any]) -> str:
    """The lines of an example, as they are sent."""
    params = {each["name"]: each["value"] for each in example["params"]}
    head: dict[str, Any] = {"jsonrpc": "2.0"}
    if "result" in example:
        head["id"] = 1
    lines = [{**head, "method": method["name"], **({"params": params} if params else {})}]
    if "result" in example:
        lines.append({**head, "result": example["result"]["value"]})
    body = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    return f"```json\n{body}```\n"
