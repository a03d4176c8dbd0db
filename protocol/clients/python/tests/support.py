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


def said(view: Any) -> Any:
    """The value that the extension was given."""
    return json.loads(view["children"][0]["text"])
