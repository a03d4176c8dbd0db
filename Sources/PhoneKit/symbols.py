#!/usr/bin/env python3
"""Writes symbols.md: every public name of PhoneKit's modules, read from the built modules.

An extension that uses a name which Apple's modules lack would compile here and not in Xcode. So each name on the page
is one of Apple's, and what PhoneKit needs besides is `package`, or one of `OWN`. Run it after
`swift build --package-path Sources/PhoneKit`: it prints what the page did not have, to be looked up in Apple's
documentation. With --check it only prints that, and fails.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "symbols.md"
MODULES = [
    "UIKit", "SwiftUI", "UserNotifications", "UserNotificationsUI", "AVFoundation", "AVKit", "CoreLocation", "Intents",
    "MapKit", "UniformTypeIdentifiers", "MobileCoreServices", "CommonCrypto", "Security", "WidgetKit", "os",
]
# CryptoKit is swift-crypto under Apple's name, so it is not listed.
# Names of UIKit and os under which a file may import them.
MODULES += ["Combine", "CoreGraphics", "NotificationCenter", "OSLog", "QuartzCore"]
# What a file has that imports SwiftUI too.
MODULES += ["_AVKit_SwiftUI", "_MapKit_SwiftUI"]
# What stands in place of Foundation and Dispatch.
MODULES += ["PhoneRuntime", "PhoneShadows"]
TYPES = {"class", "struct", "enum", "protocol"}
# What only the code that is compiled with an extension calls.
OWN = {"LocalizedTexts", "MainClock", "PhoneObject", "PhoneRandomGenerator"}
# What every type of its kind has, and what only the compiler calls.
COMMON = {"rawValue", "init(rawValue:)", "hash(into:)", "hashValue", "init(coder:)", "copy(with:)", "isEqual(_:)", "hash"}

HEAD = """# What PhoneKit has of Apple's modules

Written by `symbols.py` from the built modules. What is not listed does not compile. Members that a class inherits are
listed with its superclass. `PhoneRuntime` and `PhoneShadows` have what Foundation and Dispatch have on a phone.
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
            if path[0] in OWN or any(item.get("isUnconditionallyUnavailable") for item in symbol.get("availability", [])):
                continue
            if kind in TYPES:
                types.setdefault(".".join(path), set())
            elif len(path) == 1:
                functions.add(path[0])
            elif path[-1] not in COMMON and not path[-1].startswith(("==(", "!=(", "<(", "+", "-")):
                types.setdefault(".".join(path[:-1]), set()).add(path[-1])
    for name in sorted(types):
        yield name, ", ".join(f"`{member}`" for member in sorted(types[name]))
    if functions:
        yield "global", ", ".join(f"`{name}`" for name in sorted(functions))


def page():
    """The text of the page."""
    parts = [HEAD]
    for module in MODULES:
        table = [f"| {name if name == 'global' else f'`{name}`'} | {members} |\n" for name, members in rows(module)]
        if table:
            parts += [f"\n## {module}\n\n| type | members |\n|---|---|\n", *table]
    return "".join(parts)


def names(text):
    """The names on a page, each with its module and its type."""
    module, found = "", set()
    for line in text.splitlines():
        module = line.removeprefix("## ") if line.startswith("## ") else module
        cells = re.fullmatch(r"\| (?:`(.+?)`|global) \| (.*) \|", line)
        if cells:
            prefix = f"{module}: {cells[1]}." if cells[1] else f"{module}: "
            found |= {f"{module}: {cells[1]}"} if cells[1] else set()
            found |= {prefix + member for member in re.findall("`(.+?)`", cells[2])}
    return found


def main():
    text, old = page(), PAGE.read_text()
    for name in sorted(names(text) - names(old)):
        print(f"{name} is public and new: make it package unless it is Apple's", file=sys.stderr)
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(text)
    elif text != old:
        sys.exit("Sources/PhoneKit/symbols.md is stale: run Sources/PhoneKit/symbols.py, and review the difference")


main()
