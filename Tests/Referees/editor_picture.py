#!/usr/bin/env python3
"""Draws the picture of the page about editors: the screen of a real Neovim, with the plugin and a payload.

    Tests/Referees/editor_picture.py PUSHHOST NVIM FILE.svg            writes the picture
    Tests/Referees/editor_picture.py PUSHHOST NVIM FILE.svg --check    compares its text with the screen

Neovim runs in tmux, whose copy of the screen has the colours.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 104, 14
CELL, LINE, MARGIN = 8.4, 20, 16
PAPER, INK = "#14161b", "#e0e2ea"

PAYLOAD = """\
{
  "aps": {
    "alert": {
      "title-loc-key": "INVITATION_TITLE",
      "loc-key": "INVITATION_BODI",
      "loc-args": ["Certification"]
    },
    "category": "lab_register",
    "sond": "default"
  },
  "cert_title": 7,
  "cert_description": "Prove what you know"
}
"""

SETUP = """\
set rtp^={root}/protocol/clients/neovim noswapfile laststatus=0 noruler noshowcmd shortmess+=F signcolumn=no
set termguicolors background=dark fillchars=eob:\\ 
runtime plugin/pushhost.lua
syntax on
lua require("pushhost").setup({{ cmd = "{program}" }})
lua vim.diagnostic.config({{ virtual_text = {{ prefix = "■" }}, severity_sort = true }})
lua vim.lsp.inlay_hint.enable(true)
highlight LspCodeLens guifg=#9b9ea4
highlight LspInlayHint guifg=#9b9ea4
"""


def screen(program: str, neovim: str) -> str:
    """The screen of Neovim, with escape sequences, once it shows every mark and the lenses."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "plugins/register", folder, dirs_exist_ok=True)
        Path(folder, "payload.apns").write_text(PAYLOAD)
        Path(folder, "setup.vim").write_text(SETUP.format(root=ROOT, program=program))
        tmux = ["tmux", "-L", f"pushhost-{os.getpid()}", "-f", "/dev/null"]
        editor = [neovim, "--clean", "-S", "setup.vim", "+edit payload.apns", "+8"]
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        # A terminal without a status line, in which every colour is shown.
        options = [";", "set", "-g", "status", "off", ";", "set", "-ga", "terminal-overrides", ",*:Tc"]
        subprocess.run([*tmux, "new-session", "-d", *size, *editor, *options], cwd=folder, env=environment, check=True)
        try:
            end = time.monotonic() + 30
            while time.monotonic() < end:
                shown = subprocess.run([*tmux, "capture-pane", "-e", "-p"], stdout=subprocess.PIPE, text=True, check=True)
                if shown.stdout.count("■") == 3 and "Preview" in shown.stdout and "Join us" in shown.stdout:
                    return shown.stdout
                time.sleep(0.1)
            sys.exit(f"Neovim shows no marks and lenses:\n{shown.stdout}")
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)


def colour(words: list[str]) -> str:
    """The colour of 38;2;R;G;B or 38;5;N."""
    if words[0] == "2":
        return "#" + "".join(f"{int(word):02x}" for word in words[1:4])
    number = int(words[1]) - 16
    levels = [0, 95, 135, 175, 215, 255]
    return "#" + "".join(f"{levels[number // power % 6]:02x}" for power in (36, 6, 1))


def spans(line: str) -> list[tuple[str, dict[str, str]]]:
    """The pieces of a line with their styles."""
    found, style = [], {}
    for codes, text in re.findall(r"\x1b\[([\d;:]*)m|([^\x1b]+)", line):
        if text:
            found.append((text, dict(style)))
            continue
        words = re.split("[;:]", codes or "0")
        while words:
            word = words.pop(0)
            if word == "0":
                style = {}
            elif word == "1":
                style["font-weight"] = "bold"
            elif word == "4":
                style["text-decoration"] = "underline"
            elif word in ("38", "48", "58"):
                count = 4 if words[0] == "2" else 2
                if word == "38":
                    style["fill"] = colour(words)
                del words[:count]
            elif word == "39":
                style.pop("fill", None)
    return found


def picture(lines: list[list[tuple[str, dict[str, str]]]]) -> str:
    """The screen as SVG."""
    width, height = COLUMNS * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    rows = []
    for row, pieces in enumerate(lines):
        column, y = 0, MARGIN + LINE * row + 15
        for text, style in pieces:
            words = text.strip()
            if words:
                x = MARGIN + CELL * (column + len(text) - len(text.lstrip()))
                css = "".join(f' {key}="{value}"' for key, value in style.items())
                length = f'textLength="{CELL * len(words):.1f}" lengthAdjust="spacingAndGlyphs"'
                rows.append(f'<text x="{x:.1f}" y="{y}" {length}{css}>{html.escape(words)}</text>')
            column += len(text)
    label = "A payload in Neovim: three mistakes are marked at their places, and the first line has the lenses"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" aria-label="{label}" '
        f'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="{INK}" '
        f'xml:space="preserve">\n<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )


def words(svg: str) -> list[str]:
    return re.findall(r">([^<\n]+)</text>", svg)


def main() -> int:
    if len(sys.argv) not in (4, 5):
        print(__doc__)
        return 64
    program, neovim, target = (str(Path(each).absolute()) for each in sys.argv[1:4])
    lines = [spans(line) for line in screen(program, neovim).rstrip("\n").split("\n")]
    drawn = picture(lines)
    if sys.argv[4:] != ["--check"]:
        Path(target).write_text(drawn)
    elif words(drawn) != words(Path(target).read_text()):
        print(f"{target} is not what Neovim shows now:\n" + "\n".join(words(drawn)))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
