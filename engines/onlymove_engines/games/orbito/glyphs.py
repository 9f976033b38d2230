"""The glyphs of Orbito's board, each with its twin in plain ASCII."""

from __future__ import annotations

BOARD = (
    "╭───────────────────────────────╮",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│╌╌╌╌╌╌╌╭───────────────╮╌╌╌╌╌╌╌│",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│╌╌╌╌╌╌╌╰───────────────╯╌╌╌╌╌╌╌│",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "╰───────────────────────────────╯",
)
"""Two tracks: dashes part the cells of a ring, solid lines the rings."""

TWINS = str.maketrans("╭╮╰╯─│╌╎┼", "++++-|.:+")

# Indexed by "ASCII only".
MARBLES = (
    (("▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"), ("╭───╮", "│   │", "╰───╯")),
    ((" ### ", "#####", " ### "), ("/---\\", "|   |", "\\---/")),
)
"""White is a disc, Black a ring."""

LIT_MARBLES = (
    (("▟███▙", "█████", "▜███▛"), ("╔═══╗", "║   ║", "╚═══╝")),
    (("@@@@@", "@@@@@", "@@@@@"), ("#===#", "#   #", "#===#")),
)
"""Marbles in a line: larger, with a double rim."""

GHOST_MARBLES = (
    ((" ░░░ ", "░░░░░", " ░░░ "), ("┌╌╌╌┐", "╎   ╎", "└╌╌╌┘")),
    ((" %%% ", "%%%%%", " %%% "), ("/. .\\", ".   .", "\\. ./")),
)
"""White hatched, Black dashed."""

PIPS = (("●", "○"), ("@", "o"))

ARROWS = (
    {(1, 0): "→", (-1, 0): "←", (0, 1): "↓", (0, -1): "↑"},
    {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"},
)


def in_ascii(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The board's lines in ASCII."""
    return tuple(row.translate(TWINS) for row in rows)
