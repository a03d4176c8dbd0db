"""What of ``protocol/README.md`` is made from the documents."""

from __future__ import annotations

from pathlib import Path
from typing import Dict

from . import reference, tables
from .documents import NAMES, Document
from .markdown import filled

PAGE = "README.md"


def files(folder: Path) -> Dict[str, str]:
    """The page with its parts made anew, by its path from the folder of the contract."""
    documents = [Document(folder, name) for name in NAMES]
    parts = {**tables.parts(*documents), **reference.parts(documents)}
    return {PAGE: filled((folder / PAGE).read_text(encoding="utf-8"), parts)}
