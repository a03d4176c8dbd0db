#!/usr/bin/env python3
"""Tries the hooks for pre-commit, and the steps of the action for GitHub, in a new repository with a bundle.

    Tests/Referees/hooks.py WHEEL

It needs the packages pre-commit and PyYAML in its environment, into which the action installs the wheel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github/actions/pushhost/action.yml"
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


def run(*words: str | Path, folder: Path, **environment: str) -> tuple[int, str]:
    """Runs a command; returns its exit code and what it printed."""
    result = subprocess.run(
        words, cwd=folder, env={**os.environ, "PATH": PATH, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    return result.returncode, result.stdout


def expect(condition: bool, what: str, output: str) -> None:
    if not condition:
        sys.exit(f"{what}:\n{output}")


def action(folder: Path, **inputs: str) -> tuple[int, str]:
    """Runs the steps of the action as GitHub does, until one fails."""
    document = yaml.safe_load(ACTION.read_text())
    values = {name: each["default"] for name, each in document["inputs"].items()} | inputs
    shown = ""
    for step in document["runs"]["steps"]:
        environment = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) }}", lambda found: values[found[1]], text)
            for name, text in step["env"].items()
        }
        code, output = run("bash", "-eo", "pipefail", "-c", step["run"], folder=folder, **environment)
        shown += output
        if code != 0:
            return code, shown
    return 0, shown


def hook(folder: Path, name: str, file: str) -> tuple[int, str]:
    return run("pre-commit", "try-repo", ROOT, name, "--files", file, folder=folder)


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("git", "init", "--quiet", folder=folder)
        code, output = action(folder, package=str(wheel))
        expect(code == 0, "the action does not install the wheel", output)
        run("pushhost", "extensions", "new", "--language", "python", "coupon", folder=folder)
        run("git", "add", ".", folder=folder)

        inputs = {"package": str(wheel), "bundles": "coupon\n", "payloads": "coupon/payload.apns"}
        code, output = action(folder, **inputs, sessions="coupon/session.jsonl")
        expect(code == 0 and "0 errors" in output and "same " in output, "the action fails", output)
        expect((folder / "pushhost.xml").is_file(), "the action writes no report", output)
        for name, file, broken in [
            ("pushhost-check", "coupon/payload.apns", '"category": 5'),
            ("pushhost-replay", "coupon/session.jsonl", '"element":"none"'),
        ]:
            code, output = hook(folder, name, file)
            expect(code == 0 and "Passed" in output, f"{name} fails", output)
            path = folder / file
            text = path.read_text()
            path.write_text(re.sub(broken.split(":")[0] + r': ?"\w+"', broken, text))
            code, output = hook(folder, name, file)
            expect(code == 1 and "Failed" in output, f"{name} finds no mistake", output)
            code, output = action(folder, **inputs, sessions="coupon/session.jsonl")
            expect(code == 1, f"the action does not find what {name} finds", output)
            path.write_text(text)
    print("the hooks and the action work")


if __name__ == "__main__":
    main()
