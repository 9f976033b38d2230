"""Reads from docs/hosting.md what an administrator has to write, and what it says about the end of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
PROGRAM = "/opt/onlymove/bin/onlymove"
ROOMS = "/var/lib/onlymove/rooms"
KERNELS = "/var/cache/onlymove/kernels"
PUBLIC_KEY = re.compile(r"ssh-ed25519 AAAA\.\.\. (\w+)@\w+")


def recipes(heading: str) -> list[str]:
    """Return the indented blocks below a heading."""
    below = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert below, f"docs/hosting.md has no '{heading}'"
    blocks = re.findall(r"(?:^    .*\n?)+", below, re.MULTILINE)
    assert blocks, f"docs/hosting.md shows nothing to write under '{heading}'"
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]


def settings_of_sshd() -> list[str]:
    """Return the lines for sshd that are inside sentences."""
    return re.findall(r"`(ClientAlive\w+ \d+)`", PAGE.read_text("utf-8"))


def rows(first: str) -> Iterator[list[str]]:
    """Return the cells of the table whose head begins with `first`."""
    text = PAGE.read_text("utf-8").partition(f"| {first} |")[2].partition("\n\n")[0]
    assert text, f"docs/hosting.md has no table of '{first}'"
    for line in text.split("\n")[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]
