"""The page of the command line, made from what the program's own parser says about each command."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

from .markdown import code, link, table
from .reference import wrapped

PAGE = "reference/command-line.md"
NOTICE = "<!-- Written by protocol/generate.py from the program's parser. Change the command, then run the script. -->\n\n"


def files(program: str) -> dict[str, str]:
    """The page of a built program, by its path from the folder of the contract."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(dump)["command"]
    commands = [each for each in flattened(root) if each[0] != "pushhost help"]
    shown = [each for each in root["arguments"] if each["shouldDisplay"]]
    text = NOTICE + "# Command line\n\n"
    text += "`pushhost help <command>` prints the same, and so do the manual pages.\n\n"
    text += table(["command", ""], [[link(code(name), name), command["abstract"]] for name, command in commands])
    text += "\n" + arguments(shown)
    text += "".join("\n" + section(name, command, shown) for name, command in commands)
    return {PAGE: text}


def flattened(command: dict[str, Any], words: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The commands below a command that do something themselves, each with the words that start it."""
    words = f"{words} {command['commandName']}".strip()
    for each in command.get("subcommands", []):
        if each["shouldDisplay"]:
            inner = f"{words} {each['commandName']}"
            if each.get("subcommands"):
                yield from flattened(each, words)
            else:
                yield inner, each


def section(name: str, command: dict[str, Any], common: list[dict[str, Any]]) -> str:
    """A command with its arguments and options, except for those of the program."""
    known = [each.get("preferredName") for each in common]
    own = [each for each in command["arguments"] if each["shouldDisplay"] and each.get("preferredName") not in known]
    positional = " ".join(label(each) for each in own if each["kind"] == "positional")
    options = "[options]" if any(each["kind"] != "positional" for each in own) else ""
    usage = " ".join(each for each in (name, options, positional) if each)
    text = f"## `{name}`\n\n{command['abstract']}\n\n```\n{usage}\n```\n"
    if command.get("discussion"):
        text += "\n" + discussion(command["discussion"])
    return text + ("\n" + arguments(own) if own else "")


def discussion(text: str) -> str:
    """Paragraphs as they are; what is indented becomes a block of code."""
    lines: list[str] = []
    verbatim = False
    for line in text.split("\n"):
        if line.startswith("  ") != verbatim and (line or not verbatim):
            verbatim = not verbatim
            lines += ["", "```"] if verbatim and lines and lines[-1] else ["```"]
        lines.append(line[2:] if verbatim else wrapped(escaped(line)).rstrip("\n"))
    return "\n".join(lines + ["```"] * verbatim) + "\n"


def escaped(line: str) -> str:
    """A line of the help as Markdown: `<name>` is no tag."""
    return line.replace("<", "\\<").replace("*", "\\*")


def arguments(rows: list[dict[str, Any]]) -> str:
    """The arguments and options, in the order of the help."""
    return table(["argument or option", ""], [[code(label(each)), explanation(each)] for each in rows])


def label(argument: dict[str, Any]) -> str:
    value = f"<{argument.get('valueName', 'value')}>" + (" …" if argument["isRepeating"] else "")
    names = [("--" if each["kind"] == "long" else "-") + each["name"] for each in argument.get("names", [])]
    if argument["kind"] == "positional":
        return f"[{value}]" if argument["isOptional"] else value
    return ", ".join(names) + ("" if argument["kind"] == "flag" else f" {value}")


def explanation(argument: dict[str, Any]) -> str:
    notes = []
    if argument.get("allValues"):
        notes.append("values: " + ", ".join(argument["allValues"]))
    if argument.get("defaultValue"):
        notes.append(f"default: {argument['defaultValue']}")
    text = escaped(argument.get("abstract", ""))
    return f"{text} ({'; '.join(notes)})" if notes else text
