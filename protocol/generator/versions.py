"""The version of the clients' packages, which is that of the program, because they are released together."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

#: Each file, with what stands before the version.
PLACES = {
    "clients/python/pyproject.toml": [r'^version = "'],
    "clients/node/package.json": [r'^  "version": "', r'"pushhost-linux-x64": "'],
    "clients/vscode/package.json": [r'^  "version": "'],
    "clients/emacs/pushhost.el": [r"^;; Version: "],
}


def files(program: str, folder: Path) -> dict[str, str]:
    """The files with the version of a built program, by their paths from the folder of the contract."""
    shown = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    version = shown.split()[1]
    return {name: updated((folder / name).read_text(encoding="utf-8"), version, PLACES[name]) for name in PLACES}


def updated(text: str, version: str, places: list[str]) -> str:
    for place in places:
        text, count = re.subn(f'(?m)({place})[^"\n]*', rf"\g<1>{version}", text)
        assert count == 1, f"{count} lines match {place}"
    return text
