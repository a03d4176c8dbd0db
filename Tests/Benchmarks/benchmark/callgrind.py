"""Counts instructions with valgrind's callgrind.

A count per operation is the difference of two runs of different lengths, divided by the
difference of the lengths, so that the start and the end drop out. Only the process
itself is counted, not the processes that it starts.
"""

import functools
import re
import shutil
import subprocess
import threading
from pathlib import Path

from .tools import ROOT, WORK, Failure, check, empty_folder, need, private_environment

# Swift's hash tables have the same order in each run. Without this two counts differ by 0.2 %, with it by 0.1 %.
FIXED = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# valgrind refuses to lower the hard limit of descriptors, as the host does for an extension whose limit is lower.
DESCRIPTORS = 4096
WITH_EXTENSIONS = ["--extension-files", str(DESCRIPTORS)]

copying = threading.Lock()


def readable(program):
    """A copy of a program without its debug information, because valgrind does not understand Swift's."""
    need("valgrind", "valgrind")
    need("objcopy", "binutils")
    original = Path(shutil.which(program) or program).resolve()
    copy = WORK / "readable" / re.sub(r"\W", "-", str(original.parent)) / original.name
    with copying:
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            check(["objcopy", "--strip-debug", original, copy])
    return copy


def bundle(name, executable, folder):
    """Creates a folder with one bundle that has its executable in it, because a copied host is in no build folder."""
    folder = empty_folder(folder)
    shutil.copytree(ROOT / "plugins" / name, folder / name)
    (folder / name / name).symlink_to(executable)
    return folder


def under_callgrind(program, output):
    """A command that runs a program and writes its counts to the file `output`."""
    limited = ["sh", "-c", f'ulimit -n {DESCRIPTORS} && exec "$@"', "sh"]
    tool = [need("valgrind", "valgrind"), "--quiet", "--tool=callgrind", f"--callgrind-out-file={output}"]
    return [*limited, *tool, *map(str, program)]


def total(output):
    """The instructions of a run."""
    match = re.search(r"^totals: (\d+)", Path(output).read_text(errors="replace"), re.MULTILINE)
    if not match:
        raise Failure(f"{output} has no count")
    return int(match[1])


def require_replies(program, requests, replies):
    """A program that answers nothing, or with errors, would need fewer instructions."""
    # Each of these requests begins with its id; what has none is a notification.
    asked, answered = requests.read_text().count('{"jsonrpc":"2.0","id":'), 0
    with replies.open() as lines:
        for line in lines:
            answered += '"result":' in line
            if '"error":' in line:
                raise Failure(f"{program[0]} under valgrind: {line[:300].strip()}")
    if answered != asked:
        raise Failure(f"{program[0]} under valgrind: {answered:,} of {asked:,} requests were answered")


def counted(program, requests, name, environment=None, answers=True):
    """Runs a program whose stdin is a file of requests, which it `answers`, and returns the file of its counts."""
    folder = empty_folder(f"callgrind-{name}")
    output, replies = folder / "counts", folder / "replies"
    with Path(requests).open() as stdin, replies.open("w") as stdout:
        result = subprocess.run(
            under_callgrind(program, output),
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            env={**private_environment(), **FIXED, **(environment or {})},
        )
    if result.returncode != 0:
        raise Failure(f"{program[0]} under valgrind: {result.stderr[-600:].strip()}")
    if answers:
        require_replies(program, Path(requests), replies)
    return output


@functools.cache
def each(run, few=1_000, many=6_000):
    """The instructions of one operation; `run` takes their number and returns the file of the counts.

    A function that several rows need is only counted once.
    """
    first, second = total(run(few)), total(run(many))
    return (second - first) / (many - few)


def beside(ours, theirs):
    """The cell of a table."""
    return f"{ours:,.0f} : {theirs:,.0f} = {ours / theirs:.2f}"
