#!/usr/bin/env python3
"""Writes symbols.md: the types of Apple's modules that PhoneKit has, with their members, read from the built modules.

Run it after `swift build --package-path Sources/PhoneKit`; with --check it only says whether the page is stale.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "symbols.md"
MODULES = [
    "UIKit", "UserNotifications", "UserNotificationsUI", "AVFoundation", "AVKit", "CoreLocation", "Intents", "MapKit",
    "UniformTypeIdentifiers", "MobileCoreServices", "os",
]
TYPES = {"class", "struct", "enum", "protocol"}
# What every type of its kind has, and what only the compiler calls.
COMMON = {"rawValue", "init(rawValue:)", "hash(into:)", "hashValue", "init(coder:)", "copy(with:)", "isEqual(_:)", "hash"}

HEAD = """# What PhoneKit has of Apple's modules

Written by `symbols.py` from the built modules. What is not listed does not compile. Members that a class inherits are listed
with its superclass; the cases of enumerations and sets of options are Apple's.
"""


def extract(module, folder):
    """The symbols of a module, with those that extend Foundation's types, and the type that each belongs to."""
    modules = HERE / ".build/debug/Modules"
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["triple"]
    command = ["swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", modules]
    command += ["-Xcc", f"-fmodule-map-file={HERE.parent / 'CJansson/module.modulemap'}"]
    command += ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder]
    subprocess.run(command, check=True)
    for file in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
        yield from json.loads(file.read_text())["symbols"]


def rows(module):
    """The rows of a module's table: a type and its members, sorted."""
    types, functions = {}, set()
    with tempfile.TemporaryDirectory() as folder:
        for symbol in extract(module, folder):
            path, kind = symbol["pathComponents"], symbol["kind"]["identifier"].removeprefix("swift.")
            if any(item.get("isUnconditionallyUnavailable") for item in symbol.get("availability", [])):
                continue
            if len(path) == 1:
                if kind in TYPES:
                    types.setdefault(path[0], set())
                elif kind != "typealias":
                    functions.add(path[0])
            # Of a nested type only its name is listed.
            elif len(path) == 2 and path[1] not in COMMON and not path[1].startswith(("==(", "!=(", "<(", "+", "-")):
                if kind != "enum.case":
                    types.setdefault(path[0], set()).add(path[1])
    for name in sorted(types):
        yield name, ", ".join(f"`{member}`" for member in sorted(types[name]))
    if functions:
        yield "global", ", ".join(f"`{name}`" for name in sorted(functions))


def page():
    """The text of the page."""
    parts = [HEAD]
    for module in MODULES:
        parts += [f"\n## {module}\n\n| type | members |\n|---|---|\n"]
        parts += [f"| {name if name == 'global' else f'`{name}`'} | {members} |\n" for name, members in rows(module)]
    return "".join(parts)


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit("Sources/PhoneKit/symbols.md is stale: run Sources/PhoneKit/symbols.py")
    else:
        PAGE.write_text(text)


main()
