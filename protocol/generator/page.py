"""The Markdown pages of the contract: pages that are completely generated, and tables within other pages."""

from __future__ import annotations

from pathlib import Path

from . import reference, tables
from .documents import NAMES, Document
from .markdown import filled

#: The folders of pages that people write.
FOLDERS = (".", "start", "guides", "concepts", "reference")


def files(folder: Path) -> dict[str, str]:
    """The expected text of every page, by its path from the folder of the contract."""
    documents = [Document(folder, name) for name in NAMES]
    paths = [path for each in FOLDERS for path in sorted((folder / each).glob("*.md"))]
    written = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {**filled(written, tables.parts(*documents)), **reference.pages(documents)}
