"""A tiny game with simultaneous moves: two rounds of matching pennies. The player with more points wins.

Both players secretly choose `a`, `b` or `c`. Equal letters give the first player a point, and different letters the
second. A player who alone chooses `c` gives the point to the other, and two `c` give no point. Best play is half `a`
and half `b`, whatever the score is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from onlymove_engines.core.analysis import Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game, Play, Solved, Style, Turn
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import Mixed, Move

MOVES = ("a", "b", "c")
ROUNDS = 2

Points = tuple[int, int]
"""The number of rounds played, and the points of the first player minus those of the second."""
Joint = tuple[str, str]
Matrix = dict[Move, dict[Move, float]]


def count_points(joint: Joint) -> int:
    """Return the points of a round for the first player."""
    first, second = joint
    if "c" in joint:
        return (second == "c") - (first == "c")
    return 1 if first == second else -1


class DuelRules:
    def to_move(self, position: Points) -> None:
        return None

    def moves_of(self, position: Points, seat: int) -> Sequence[str]:
        return MOVES if position[0] < ROUNDS else ()

    def legal_moves(self, position: Points) -> Sequence[Joint]:
        return [(a, b) for a in self.moves_of(position, 0) for b in self.moves_of(position, 1)]

    def play(self, position: Points, move: Joint) -> Points:
        if position[0] == ROUNDS:
            raise GameOver("both rounds have been played")
        if move not in self.legal_moves(position):
            raise IllegalMove(f"no such round: {move}")
        return position[0] + 1, position[1] + count_points(move)

    def result(self, position: Points) -> Result | None:
        if position[0] < ROUNDS:
            return None
        return Result(None if not position[1] else 0 if position[1] > 0 else 1)


RULES = DuelRules()


def compute_expected(position: Points) -> float:
    """Return the first player's expected result with best play. Before the end, a lead is worth half a win."""
    if position[0] == ROUNDS:
        return float((position[1] > 0) - (position[1] < 0))
    return 0.5 * max(-1, min(1, position[1]))


class DuelNotation:
    """Writes a position as `1 -1` and a round as `ab`."""

    def format_position(self, position: Points) -> str:
        return f"{position[0]} {position[1]}"

    def parse_position(self, text: str) -> Points:
        played, _, points = text.partition(" ")
        if not played.isdigit():
            raise BadNotation(f"not a score: {text}")
        return int(played), int(points)

    def format_move(self, position: Points, move: Any) -> str:
        return "".join(move)

    def parse_move(self, position: Points, text: str) -> Joint:
        if len(text) != 2:
            raise BadNotation(f"not a round: {text}")
        joint = (text[0], text[1])
        RULES.play(position, joint)
        return joint

    def paths(self, position: Points, move: Any) -> Sequence[tuple[str, ...]]:
        return [tuple(move)]


class DuelAnalyst:
    def is_reachable(self, position: Points) -> bool:
        return True

    def mixed(self, position: Points, budget: Budget = UNLIMITED) -> Mixed:
        matrix: Matrix = {a: {b: compute_expected(RULES.play(position, (a, b))) for b in MOVES} for a in MOVES}
        mix: dict[Move, float] = {"a": 0.5, "b": 0.5, "c": 0.0}
        return Mixed(compute_expected(position), (mix, mix), matrix, exact=True)

    def summarise(self, positions: Sequence[Points]) -> Iterable[Summary]:
        raise NotImplementedError


class DuelPainter:
    """Draws the score and three letters."""

    def scene(self, view: View[Points, Joint]) -> Scene:
        played, points = view.position
        score = Sprite(1, 0, (f"after {played}: {points:+d}",), Role.NOTE)
        letters = tuple(Sprite(6 * n + 3, 2, (move,), Role.LABEL) for n, move in enumerate(MOVES))
        places = tuple(Place(move, 6 * n + 1, 2, 5, 1) for n, move in enumerate(MOVES))
        return Scene(20, 4, (score, *letters), places)

    def between(self, view: View[Points, Joint]) -> tuple[Scene, ...]:
        return ()

    def trace(self, position: Points, move: Joint) -> tuple[str, ...]:
        return ()


def even_mix(_: Turn[Points, str]) -> dict[str, float]:
    return {"a": 0.5, "b": 0.5}


def tiny_duel() -> AnyGame:
    return Game(
        facts=Facts(
            id="duel",
            title="Duel",
            pitch="Two rounds of matching pennies.",
            solved="even",
            max_plies=ROUNDS,
            simultaneous=True,
        ),
        seats=("Even", "Odd"),
        rules=RULES,
        notation=DuelNotation(),
        painter=DuelPainter(),
        start=lambda options, seed: (0, 0),
        play=Play(styles=(Style("even", "Even mix", "half and half", even_mix),)),
        solved=Solved(open_analyst=lambda _: DuelAnalyst()),
    )
