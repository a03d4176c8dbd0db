"""A plugin for pytest, which finds it by itself once the package is installed.

``pushhost`` is a fresh host for each test, and ``pushhost_session`` replays a recorded session. The mark
``pytest.mark.pushhost(plugins=…, locale=…, clock=…, seed=…, suite=…)`` sets options of the host for a test, a class or
a module; the setting ``pushhost_plugins`` names the bundles of all tests.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from ._host import Host
from ._launch import Location, find_program

#: What a test gets that asks for nothing else, so that it gives the same result each time.
STANDARD: dict[str, Any] = {"clock": "2026-01-01T00:00:00Z", "seed": 1}

#: The options that the mark may set.
OPTIONS = ("plugins", "locale", "clock", "seed", "suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option and the setting."""
    group = parser.getgroup("pushhost")
    group.addoption(
        "--pushhost-update", action="store_true", help="record the sessions of pushhost_session again, compare nothing"
    )
    text = "folders of bundles for the fixtures of pushhost"
    # By a name, because mypy takes the text itself for the annotation of a type, which newer pytests accept too.
    paths: Literal["paths"] = "paths"
    parser.addini("pushhost_plugins", text, type=paths, default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark, for `--strict-markers` and `pytest --markers`."""
    names = ", ".join(OPTIONS)
    config.addinivalue_line("markers", f"pushhost({names}): options of the host, each by its name")


@pytest.fixture
def pushhost(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A fresh host with an empty data folder, a clock that stands still, and the seed 1."""
    options = host_options(request)
    with Host(data=tmp_path_factory.mktemp("pushhost"), deadline=60, **options) as host:
        yield host


@pytest.fixture
def pushhost_session(request: pytest.FixtureRequest) -> Callable[[Location], None]:
    """A function that replays a session and fails with what differs.

    The session is a recording, or a file of requests with its replies beside it; a relative path starts at the folder
    of the test. It runs with the options with which it was recorded, and with the bundles of the test, if there are
    any. With ``--pushhost-update`` it is recorded again.
    """

    def replay(session: Location) -> None:
        words = [find_program(), "replay", os.fspath(request.path.parent / session)]
        for folder in folders(host_options(request).get("plugins", ())):
            words += ["--plugins", os.fspath(folder)]
        if request.config.getoption("--pushhost-update"):
            words.append("--update")
        result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        if result.returncode != 0:
            # Our own frames would say nothing about the difference.
            pytest.fail(f"{result.stdout}run pytest --pushhost-update if this is what you want", pytrace=False)

    return replay


def host_options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The options of the host of a test: those of the closest mark, then of those around it, then the standard."""
    options: dict[str, Any] = {**STANDARD, "plugins": request.config.getini("pushhost_plugins")}
    for mark in reversed(list(request.node.iter_markers("pushhost"))):
        unknown = set(mark.kwargs) - set(OPTIONS)
        if mark.args or unknown:
            name = ", ".join(sorted(unknown)) or repr(mark.args[0])
            raise pytest.UsageError(f"the mark pushhost has no option {name}; name one of {', '.join(OPTIONS)}")
        options.update(mark.kwargs)
    options["plugins"] = [request.path.parent / each for each in folders(options["plugins"])]
    return options


def folders(plugins: Location | Sequence[Location]) -> Sequence[Location]:
    """Folders of bundles, where one may stand for a list of one."""
    return [plugins] if isinstance(plugins, (str, os.PathLike)) else plugins
