"""Rows about the live preview in a browser."""

import json
import subprocess

from .table import Amount, Row
from .tools import HERE, Missing, check, empty_folder, need

# Debian's, which has Selenium.
PYTHON = "/usr/bin/python3"


def browser(bench):
    need("chromium", "chromium")
    need("chromedriver", "chromium-driver")
    if subprocess.run([PYTHON, "-c", "import selenium"], capture_output=True, check=False).returncode != 0:
        raise Missing("module selenium of Python", "python3-selenium")
    typed, steady = bench.size(250), bench.size(1_000)
    command = [PYTHON, HERE / "browser", bench.operations.built]
    results = []
    for run in range(bench.runs):
        output = check([*command, empty_folder(f"browser-{run}"), typed, steady])
        results.append(json.loads(output.splitlines()[-1]))

    def row(what, kind, quantile):
        ours, theirs = ([result[name][quantile] for result in results] for name in (kind, "fetched"))
        return Row(f"{what}, {quantile}", ours, "fetch of a static page of the same picture", theirs, "ms")

    for quantile in ("p50", "p99"):
        yield row("edit in the form to the new picture", "typed", quantile)
    for quantile in ("p50", "p99"):
        yield row("edit that is sent at once to the new picture", "sent", quantile)
    last = results[-1]
    yield Amount("weight of the preview's page", last["weight"] / 1_000, "KB", "≤150")
    yield Amount("weight of a picture in it", last["picture"] / 1_000, "KB", "")
    edits = f"after {typed + steady:,} edits"
    yield Amount(f"peak memory of the preview {edits}", last["peak_kib"] / 1_024, "MiB", "")
    yield Amount(f"memory of the preview {edits}", last["after_kib"] / 1_024, "MiB", "", f"before {last['before_kib'] / 1_024:.1f}")
