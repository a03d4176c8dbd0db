#!/usr/bin/env python3
"""Generates from the contract's documents: the reference, tables of other pages, and the typed parts of clients and kits.

    protocol/generate.py [PROGRAM]           writes each file that differs
    protocol/generate.py --check [PROGRAM]   writes nothing; names each file that differs and exits with 1

With a built pushhost as PROGRAM, these files include the page of the command line, and the clients get its version.

If a document lacks something that is needed here, this fails and names the place. Add it to the document, not here.
"""

from __future__ import annotations

import sys
from pathlib import Path

from generator import commands, node, page, python, regions, swift, versions
from generator.contract import Contract
from generator.kits import Kits
from generator.markdown import MarkerError
from generator.shapes import TooLoose
from generator.tables import DocumentError

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    programs = [each for each in sys.argv[1:] if each != "--check"]
    is_check = "--check" in sys.argv[1:]
    if len(programs) > 1 or any(each.startswith("-") for each in programs):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        contract = Contract(FOLDER / "openrpc.json")
        clients = {**python.files(contract), **node.files(contract)}
        files: dict[str, str] = {f"clients/{name}": text for name, text in clients.items()}
        files.update(page.files(FOLDER))
        kits = Kits(FOLDER)
        files.update({**regions.files(kits, FOLDER), **swift.files(kits, FOLDER)})
        for program in programs:
            files.update({**commands.files(program), **versions.files(program, FOLDER)})
    except TooLoose as error:
        print(f"protocol/openrpc.json: {error}", file=sys.stderr)
        return 1
    except (DocumentError, MarkerError) as error:
        print(f"protocol/{error}", file=sys.stderr)
        return 1
    stale = [name for name, text in files.items() if not is_written(FOLDER / name, text)]
    for name in stale:
        if is_check:
            print(f"{name} is stale; run protocol/generate.py", file=sys.stderr)
        else:
            (FOLDER / name).parent.mkdir(exist_ok=True)
            (FOLDER / name).write_text(files[name], encoding="utf-8")
            print(f"wrote {name}")
    return 1 if is_check and stale else 0


def is_written(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
