"""Packs the program with the client, which `.ci/package` asks for; any other wheel has the client alone."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the installation that the environment variable PUSHHOST_INSTALLATION names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it writes the wheel."""
        installation = os.environ.get("PUSHHOST_INSTALLATION")
        if not installation:
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        # The folders stay beside each other, because the program looks for its bundles from its own place.
        for folder in ("bin", "libexec"):
            build_data["force_include"][f"{installation}/{folder}"] = f"pushhost/_program/{folder}"
        build_data["shared_data"][f"{installation}/share"] = "share"
        build_data["shared_scripts"]["start.py"] = "pushhost"
