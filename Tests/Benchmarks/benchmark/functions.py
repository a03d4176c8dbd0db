"""Shows on which functions the instructions of an operation are spent, by groups."""

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from .table import line

FEW, MANY = 1_000, 6_000
GROUPS = ("parsing", "writing", "dispatch", "storage", "SQLite", "memory", "Swift's library", "HTTP", "other")

ALLOCATION = re.compile(
    r"malloc|free|calloc|realloc|_int_|sysmalloc|unlink_chunk|mem(cpy|move|set)|alloc|dealloc"
    r"|swift_(retain|release|bridgeObject|slow|unknownObject|isUniquely|initStack|setDealloc|weak|unowned|bridge)"
    r"|RefCount|HeapObject"
)
WRITING = re.compile(r"(?i)writ|append|dump|output|reply|serializ|encod")
# Of pushhost's modules; of the C program, the functions' names.
MODULES = {
    "JSON": "parsing",
    "JSONRPC": "parsing",
    "GRDB": "storage",
    "Suites": "storage",
    "FoundationEssentials": "other",
    "HTTPClient": "HTTP",
    "BrazeRules": "dispatch",
    "Delivery": "dispatch",
    "ExtensionKit": "dispatch",
    "HostCore": "dispatch",
    "Platform": "dispatch",
    "braze": "dispatch",
    "pushhost": "dispatch",
}
# The module in a mangled name, before which is its length.
OWNER = re.compile(r"(?<!\d)(?:" + "|".join(f"{len(name)}{name}" for name in MODULES) + ")")
C_FUNCTIONS = {
    "parsing": re.compile(r"^(next_line|fill)$"),
    "storage": re.compile(r"^(save_custom_event|step|check|commit|csuites_.*)$"),
}


class Counts:
    """The instructions of each function of one run, by its object file and its name."""

    def __init__(self, path):
        self.own = defaultdict(int)
        self.calls = defaultdict(set)
        names, caller, callee, object, called_object, of_call = {}, None, None, "", "", False

        def named(key, text):
            number, _, name = text.partition(" ")
            return names.setdefault((key, number), name)

        for text in Path(path).read_text(errors="replace").splitlines():
            key, _, value = text.partition("=")
            if key == "ob":
                object = named("ob", value)
            elif key == "cob":
                called_object = named("ob", value)
            elif key == "fn":
                caller, called_object = (object, named("fn", value)), ""
            elif key == "cfn":
                callee = (called_object or object, named("fn", value))
                called_object = ""
            elif key == "calls":
                self.calls[caller].add(callee)
                of_call = True
            elif re.match(r"[-+*\d]\S* \d+$", text):
                if not of_call:
                    self.own[caller] += int(text.split()[1])
                of_call = False

    def reachable(self, names):
        """The functions that are called by those with such a name, at any depth within their object file."""
        found = {function for function in self.calls if re.match(names, function[1])}
        waiting = list(found)
        while waiting:
            object, _ = caller = waiting.pop()
            for callee in self.calls[caller]:
                if callee[0] == object and callee not in found:
                    found.add(callee)
                    waiting.append(callee)
        return found


def group(object, function, dumped):
    """The group of a function; `dumped` are Jansson's functions that only write."""
    library = Path(object).name
    if library.startswith("libsqlite3"):
        return "SQLite"
    if library.startswith("libjansson"):
        return "writing" if (object, function) in dumped else "parsing"
    if re.match(r"lib(curl|nghttp2|ssl|crypto)", library):
        return "HTTP"
    if re.match(r"lib\w+\.so|ld-", library) and not library.startswith(("libswift", "libFoundation")):
        return "memory" if ALLOCATION.search(function) else "other"
    if function.startswith("$s") and (module := OWNER.search(function)):
        found = MODULES[module[0].lstrip("0123456789")]
        return "writing" if found in ("parsing", "dispatch") and WRITING.search(function[module.end() :]) else found
    if ALLOCATION.search(function) and not WRITING.match(function):
        return "memory"
    if function.startswith(("$s", "swift_", "swift::", "_swift", "__swift")) or "::" in function:
        return "Swift's library"
    for name, functions in C_FUNCTIONS.items():
        if functions.match(function):
            return name
    if function.startswith("curl"):
        return "HTTP"
    return "writing" if WRITING.search(function) else "dispatch"


def spent(run):
    """The instructions of one operation by function, and by group."""
    few, many = Counts(run(FEW)), Counts(run(MANY))
    dumped = many.reachable(r"json_dump") - many.reachable(r"json_(load|object|string|array|integer|delete)")
    functions, groups = defaultdict(float), defaultdict(float)
    for place, count in many.own.items():
        each = (count - few.own[place]) / (MANY - FEW)
        functions[place[1] if not place[1].startswith("0x") else f"{Path(place[0]).name} {place[1]}"] += each
        groups[group(*place, dumped)] += each
    return functions, groups


def demangled(names):
    swift = shutil.which("swift")
    if not swift:
        return names
    command = [swift, "demangle", "--simplified"]
    return subprocess.run(command, input="\n".join(names), capture_output=True, text=True).stdout.splitlines()


def table(sides, most):
    """The groups of each side, and its `most` greatest functions, as Markdown."""
    results = {name: spent(run) for name, run in sides.items()}
    lines = [line(["instructions of one", *results]), "|---" * (len(results) + 1) + "|"]
    for name in GROUPS:
        values = [groups[name] for _, groups in results.values()]
        if any(abs(value) >= 1 for value in values):
            lines.append(line([name, *(f"{value:,.0f}" for value in values)]))
    lines.append(line(["all", *(f"{sum(groups.values()):,.0f}" for _, groups in results.values())]))
    for name, (functions, _) in results.items() if most else ():
        greatest = sorted(functions, key=functions.get, reverse=True)[:most]
        lines += ["", line([f"functions of {name}", "instructions"]), "|---|---|"]
        for function, text in zip(greatest, demangled(greatest)):
            lines.append(line([f"`{text[:100]}`", f"{functions[function]:,.0f}"]))
    return "\n".join(lines)
