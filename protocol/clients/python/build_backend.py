"""Builds the wheel of this package, which is pure Python without dependencies (PEP 517, PEP 660)."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "src"
#: The earliest time that a zip file can have, so that the same sources give the same bytes.
MOMENT = (1980, 1, 1, 0, 0, 0)

Files = List[Tuple[str, bytes]]


def project() -> Dict[str, str]:
    """The texts of the table ``project``; Python 3.9 and 3.10 cannot read TOML."""
    table = (FOLDER / "pyproject.toml").read_text(encoding="utf-8").split("[project]\n")[1].split("\n[")[0]
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', table, re.MULTILINE))


def metadata() -> bytes:
    known = project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {known['name']}",
        f"Version: {known['version']}",
        f"Summary: {known['description']}",
        f"Requires-Python: {known['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (FOLDER / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines).encode()


def package() -> Files:
    paths = sorted(path for path in (SOURCES / "pushhost").iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return [(f"pushhost/{path.name}", path.read_bytes()) for path in paths]


def wheel(files: Files, folder: str) -> str:
    known = project()
    stem = f"{known['name']}-{known['version']}"
    info = f"{stem}.dist-info"
    files = files + [
        (f"{info}/METADATA", metadata()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: pushhost\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files) + f"{info}/RECORD,,\n"
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files + [(f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return name


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


# MARK: Functions that pip calls


def build_wheel(
    wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    return wheel(package(), wheel_directory)


def build_editable(
    wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    return wheel([("pushhost.pth", f"{SOURCES}\n".encode())], wheel_directory)


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    known = project()
    stem = f"{known['name']}-{known['version']}"
    own = ["pyproject.toml", "build_backend.py", "README.md"]
    files = [(name, (FOLDER / name).read_bytes()) for name in own]
    files += [(f"src/{name}", data) for name, data in package()] + [("PKG-INFO", metadata())]
    with tarfile.open(Path(sdist_directory) / f"{stem}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files:
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return f"{stem}.tar.gz"
