"""Plain reference programs to measure against, by game: `python -m benchmarks building GAME=PROGRAM ...`.

None of them is part of this project. A program gets the name of a file as its only argument. It writes the payload of
the table it has built into that file: the sections in alphabetical order, each padded with zeros to 64 bytes
(docs/tables.md).
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {}
"""The path of a program for each game that was given one, and under `before` that of an earlier checkout."""


def take(arguments: list[str]) -> list[str]:
    """Note the programs among the arguments, and return the other arguments."""
    PROGRAMS.update(dict(given.split("=", 1) for given in arguments if "=" in given))
    return [given for given in arguments if "=" not in given]
