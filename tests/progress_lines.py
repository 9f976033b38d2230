"""The lines that long work writes to stderr every ten seconds. How many there are depends on how busy a machine is."""

from __future__ import annotations

import re

LINE = re.compile(r"^onlymove: .*\d+:\d\d:\d\d so far.*\n", re.MULTILINE)


def drop_progress(errors: str) -> str:
    """Return what a command has written to stderr without its lines about progress."""
    return LINE.sub("", errors)
