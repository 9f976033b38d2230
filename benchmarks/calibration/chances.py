"""What setting problems is worth: the first style of every solved game, and the one after it, against players who err.

    python -m benchmarks.calibration.chances [--share 1] [GAME ...]

plays the matches, or this share of their games, and writes docs/levels.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import ceil

from onlymove.tournament.referee import Plan
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import list_own_games, load
from onlymove_engines.play.players import RANDOM

from benchmarks.calibration.matches import MAX_PLIES, SEED, make_caching_context, points
from benchmarks.calibration.pages import format_rows, write_section

GAMES = {RANDOM: 2000, "@50": 1000}
"""Games against random moves, and against strength 50 of the style after the first. Half of them are played on each
side."""

SECTION = "chances"


def row(game: AnyGame, style: str, guest: str, games: int) -> list[str]:
    """Return how many of its games a style wins and loses, as first and as second player."""
    other = RANDOM if guest == RANDOM else game.play.styles[1].id + guest
    context, plan = make_caching_context(game.id), Plan(game.id, (style, other), max_plies=MAX_PLIES, seed=SEED)
    scores: tuple[list[float], list[float]] = ([], [])
    for number in range(games):
        scores[number % 2].append(points(plan, number, context))
    shares = [f"{100 * seat.count(1.0) / len(seat):.1f} / {100 * seat.count(0.0) / len(seat):.1f}" for seat in scores]
    return [game.facts.title, f"`{style}`", f"`{other}`", str(games), *shares]


def rows(names: Sequence[str], share: float) -> Iterator[list[str]]:
    """Measure both styles against both kinds of players."""
    for game in (load(facts.id) for facts in list_own_games()):
        if game.solved.solver is None or (names and game.id not in names):
            continue
        for guest, games in GAMES.items():
            for style in game.play.styles[:2]:
                found = row(game, style.id, guest, ceil(share * games))
                print(" | ".join(found), file=sys.stderr, flush=True)
                yield found


def main() -> None:
    """Measure these games, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("games", nargs="*")
    asked = parser.parse_args()
    head = ["game", "style", "against", "games", "won / lost in % moving first", "moving second"]
    write_section(SECTION, format_rows(head, rows(asked.games, asked.share)))


if __name__ == "__main__":
    main()
