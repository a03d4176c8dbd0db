"""What the tests start: the host that PUSHHOST names, with an extension that answers touches as it is told."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict

PLUGINS = Path(__file__).resolve().parents[4] / "Tests" / "Fixtures" / "clients"
PAYLOAD: Dict[str, Any] = {"aps": {"category": "echo", "alert": "Hello"}}

#: Far more than anything here takes; who waits longer hangs.
PATIENCE = 60.0


def options(test: unittest.TestCase, **more: Any) -> Dict[str, Any]:
    """How to start a host with a data folder of its own and a quiet log."""
    if "PUSHHOST" not in os.environ:
        raise RuntimeError("set PUSHHOST to the built host")
    data = tempfile.TemporaryDirectory()
    test.addCleanup(data.cleanup)
    return {"plugins": PLUGINS, "data": data.name, "deadline": PATIENCE, "log": None, **more}


def wrapped(test: unittest.TestCase, script: str) -> str:
    """A program in the host's place: a script of the shell, such as one that starts the host its own way."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    program = Path(folder.name) / "wrapped"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


def said(view: Any) -> Any:
    """The value that the extension was given."""
    return json.loads(view["children"][0]["text"])
