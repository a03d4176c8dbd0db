#!/usr/bin/env python3
"""Has an editor do the steps of editor-steps.json with the language server, and compares what it then knows.

    Tests/Referees/editors.py PROGRAM LEAST COMMAND…

PROGRAM is pushhost, LEAST the number of steps that the editor must do, and COMMAND starts it with its driver.

The driver reads STEPS, does each step with the editor's own means, and writes a line for it on stdout: "ok N", or
"not in EDITOR: N WHY" for what the editor does not offer. It waits until the step's value has what the step expects. The
environment has FOLDER, the workspace, and PUSHHOST, the program. A step without a line is a failure.
"""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEPS = HERE / "editor-steps.json"
BUNDLE = HERE.parent / "Fixtures/neovim/editor"

PAYLOAD = (
    '{"aps": {"alert": {"title": "A title", "loc-key": "GREETING", "loc-args": ["Ada"]}, '
    '"category": "editr", "sond": "a"},, "x": "y"}\n'
)
# What stands behind the face is elsewhere for an editor that does not count in UTF-16.
OTHER = '{"aps": {"alert": "😀", "category": "editor", "sond": "a"}}\n'


def make_workspace(folder: Path) -> None:
    """A bundle with texts in two languages, and two payloads."""
    shutil.copytree(BUNDLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    # It writes into the system's temporary folder only in other tests. A permission would end with each edit.
    info = plistlib.loads((folder / "Info.plist").read_bytes())
    del info["PushhostPermissions"]
    (folder / "Info.plist").write_bytes(plistlib.dumps(info))
    for language, greeting in {"en": "Hello", "de": "Hallo"}.items():
        (folder / f"{language}.lproj").mkdir()
        (folder / f"{language}.lproj/Localizable.strings").write_text(f'"GREETING" = "{greeting} %@";\n')
    (folder / "payload.apns").write_text(PAYLOAD)
    (folder / "other.apns").write_text(OTHER)


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__)
        return 64
    program, least, *command = sys.argv[1:]
    count = len(json.loads(STEPS.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder).resolve() / "editor"
        make_workspace(workspace)
        environment = {**os.environ, "STEPS": str(STEPS), "FOLDER": str(workspace), "LC_ALL": "C.UTF-8",
                       "PUSHHOST": str(Path(program).resolve())}  # fmt: skip
        for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
            environment[f"XDG_{kind}_HOME"] = folder
        # An editor that waits for a key would wait forever.
        run = subprocess.run(["timeout", "240", *command], env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors="replace")  # fmt: skip
    done = {int(number) for number in re.findall(r"(?m)^ok (\d+)", run.stdout)}
    absent = re.findall(r"(?m)^not in ([^:]+): (\d+) (.*)", run.stdout)
    missing = set(range(1, count + 1)) - done - {int(number) for _, number, _ in absent}
    print(f"{command[0].rsplit('/', 1)[-1]}: {len(done)} of {count} steps")
    for editor, number, why in absent:
        print(f"    not in {editor}: step {number}, {why}")
    if run.returncode == 0 and not missing and len(done) >= int(least):
        return 0
    print(run.stdout[-6000:])
    print(f"the editor ended with {run.returncode} and must do {least} steps; no line for {sorted(missing)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
