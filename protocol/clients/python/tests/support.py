"""The host that the tests start: the program in PUSHHOST, with an extension that a test controls."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

PLUGINS = Path(__file__).resolve().parents[4] / "Tests" / "Fixtures" / "clients"
PAYLOAD: dict[str, Any] = {"aps": {"category": "echo", "alert": "Hello"}}

#: Far longer than any step here: if it is exceeded, something hangs.
PATIENCE = 60.0


def options(test: unittest.TestCase, **more: Any) -> dict[str, Any]:
    """The arguments for a host with its own data folder and without a log."""
    if "PUSHHOST" not in os.environ:
        raise RuntimeError("set PUSHHOST to the built host")
    data = tempfile.TemporaryDirectory()
    test.addCleanup(data.cleanup)
    return {"plugins": PLUGINS, "data": data.name, "deadline": PATIENCE, "log": None, **more}


def wrapped(test: unittest.TestCase, script: str) -> str:
    """A shell script that replaces the host, or starts it in another way."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    program = Path(folder.name) / "wrapped"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


def said(view: Any) -> Any:
    """The value that the extension received."""
    return json.loads(view["children"][0]["text"])
