"""Writes what was measured: the levels in `game.toml`, and a section of docs/levels.md between two marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from onlymove.tournament.statistics import mean_score
from onlymove_engines.core.facts import GameId, Level
from onlymove_engines.games import find_facts

from benchmarks.calibration.ratings import Meetings, Rating

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "levels.md"
GAME_PACKAGES = ROOT / "engines" / "onlymove_engines" / "games"


def write_section(name: str, lines: Iterable[str]) -> None:
    """Put the lines between the page's marks for `name`. Raises ValueError if there are none."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = PAGE.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{PAGE} has no marks for {name}")
    PAGE.write_text("\n".join([before + begin, *lines, end + after]), "utf-8")


def read_page_rows(name: str, first: str) -> list[str]:
    """Return the table in the part of the page marked with `name` whose first column has this heading. Return nothing
    if there is none."""
    section = PAGE.read_text("utf-8").partition(f"<!-- {name} -->")[2].partition("<!-- end")[0]
    blocks = (block.strip() for block in section.split("\n\n"))
    return next((["", *block.splitlines(), ""] for block in blocks if block.startswith(f"| {first} |")), [])


def write_levels(game_id: GameId, levels: Sequence[Level]) -> None:
    """Replace the levels of a game in the `game.toml` of its package."""
    file = GAME_PACKAGES / find_facts(game_id).folder / "game.toml"
    games = re.split(r"^(?=\[\[game\]\])", file.read_text("utf-8"), flags=re.MULTILINE)
    for place, text in enumerate(games):
        if f'id = "{game_id}"\n' in text:
            facts = re.sub(r"^level = \[\n.*?^\]\n", "", text, flags=re.MULTILINE | re.DOTALL).rstrip()
            spaced = "\n" if place + 1 < len(games) else ""
            games[place] = "\n".join([facts, "level = [", *map(format_level, levels), "]", spaced])
    file.write_text("".join(games), "utf-8")


def format_level(level: Level) -> str:
    """Return the line of a level in `game.toml`."""
    return (
        f'    {{ id = "{level.id}", title = "{level.title}", style = "{level.style}", strength = {level.strength}, '
        f"elo = {level.elo:.0f}, error = {level.error:.0f} }},"
    )


def format_rows(head: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    """Format rows in Markdown."""
    return ["", *(f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows)), ""]


def format_rating(found: Rating) -> str:
    """Format a rating like `183 ± 21`."""
    return f"{found.elo:.0f} ± {found.error:.0f}" if found.error else f"{found.elo:.0f}"


def format_crosstable(names: Sequence[str], players: Sequence[str], meetings: Meetings) -> list[str]:
    """Format the score of every player against those below it, in percent, with the number of games."""
    rows = []
    for place, one in enumerate(players[1:], 1):
        row = []
        for other in players[:place]:
            counts = meetings.get((one, other))
            row.append(f"{100 * mean_score(counts):.0f} of {2 * sum(counts)}" if counts else "")
        rows.append([names[place], *row, *[""] * (len(players) - 1 - place)])
    return format_rows(["score in % of games", *names[:-1]], rows)
