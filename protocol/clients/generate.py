#!/usr/bin/env python3
"""Writes the typed parts of the clients from protocol/openrpc.json.

    protocol/clients/generate.py           writes what differs
    protocol/clients/generate.py --check   writes nothing; names what differs and exits with 1

Where the document says too little to type something, this fails and says where: tell it there, not here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict

from generator import node, python
from generator.contract import Contract
from generator.shapes import TooLoose

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        contract = Contract(FOLDER.parent / "openrpc.json")
        files: Dict[str, str] = {**python.files(contract), **node.files(contract)}
    except TooLoose as error:
        print(f"protocol/openrpc.json: {error}", file=sys.stderr)
        return 1
    stale = [name for name, text in files.items() if not is_written(FOLDER / name, text)]
    for name in stale:
        if arguments:
            print(f"{name} is stale; run protocol/clients/generate.py", file=sys.stderr)
        else:
            (FOLDER / name).write_text(files[name], encoding="utf-8")
            print(f"wrote {name}")
    return 1 if arguments and stale else 0


def is_written(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
