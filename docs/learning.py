"""Runs the page learning.md and draws how well its learner did: `python docs/learning.py` writes learning.svg."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = (HERE / "learning.md").read_text("utf-8")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 64, 24, 16, 48
GREY, BLUE = "#808080", "#3b7dd8"
"""Colours that can be read on white and on black."""


def run_page(page: str = PAGE) -> tuple[dict[str, Any], int, int]:
    """Return the names that the page defines, how many of its examples failed, and how many there are."""
    test = doctest.DocTestParser().get_doctest(page, {}, "learning.md", None, 0)
    failed, tried = doctest.DocTestRunner().run(test, clear_globs=False)
    return test.globs, failed, tried


def draw_curve(curve: Sequence[float]) -> str:
    """Shares from 0 to 1, the first one before any learning, as an SVG picture."""

    def place(turn: float, share: float) -> tuple[float, float]:
        across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + across * turn / (len(curve) - 1), TOP + up * (1 - share)

    lines = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = place(0, share)
        lines.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="{GREY}" stroke-opacity="0.4"/>')
        lines.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for turn in range(0, len(curve), 2):
        x, y = place(turn, 0)
        lines.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{turn}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    lines.append(f'<text x="{middle:.1f}" y="{HEIGHT - 8}" text-anchor="middle">times through the positions</text>')
    points = [place(turn, share) for turn, share in enumerate(curve)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    lines.append(f'<polyline points="{path}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
    lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{BLUE}"/>' for x, y in points]
    title = "Share of positions in which the learner's move keeps the result"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            f'font-size="12" fill="{GREY}"><title>{title}</title>',
            f'<text x="{LEFT}" y="14">{title}</text>',
            *lines,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    names, failed, _ = run_page()
    if failed:
        raise SystemExit(f"{failed} examples of the page failed")
    (HERE / "learning.svg").write_text(draw_curve(names["curve"]), "utf-8")
