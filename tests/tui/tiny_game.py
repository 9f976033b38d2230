"""A tiny game to test screens. Players take any number from one of two heaps, and the player who takes the last one
wins.

A move has two targets, the heap and the number. With equal heaps, the side to move loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game, HouseRule, Option, Play, Solved, Style, alike
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import Loss, Value, value_before
from onlymove_engines.search.deepening import make_summary

MAX_TAKEN = 4

Heaps = tuple[int, int, int]
"""The left heap, the right heap, and the side to move."""
Take = tuple[str, int]
"""The heap, `L` or `R`, and the number taken."""


class TinyRules:
    def to_move(self, position: Heaps) -> int:
        return position[2]

    def legal_moves(self, position: Heaps) -> Sequence[Take]:
        left, right, _ = position
        return [("L", n) for n in range(1, left + 1)] + [("R", n) for n in range(1, right + 1)]

    def play(self, position: Heaps, move: Take) -> Heaps:
        left, right, seat = position
        if not left and not right:
            raise GameOver("nothing is left")
        if move not in self.legal_moves(position):
            raise IllegalMove(f"cannot take {move[1]} from {move[0]}")
        heap, number = move
        return (left - number, right, 1 - seat) if heap == "L" else (left, right - number, 1 - seat)

    def result(self, position: Heaps) -> Result | None:
        return None if position[0] or position[1] else Result(1 - position[2], reason="took the last one")


RULES = TinyRules()


class TinyNotation:
    """Writes a position as `3,4 0` and a move as `L2`."""

    def format_position(self, position: Heaps) -> str:
        return f"{position[0]},{position[1]} {position[2]}"

    def parse_position(self, text: str) -> Heaps:
        heaps, _, seat = text.partition(" ")
        left, _, right = heaps.partition(",")
        if not (left.isdigit() and right.isdigit() and seat in ("0", "1")):
            raise BadNotation(f"not two heaps: {text}")
        return int(left), int(right), int(seat)

    def format_move(self, position: Heaps, move: Take) -> str:
        return f"{move[0]}{move[1]}"

    def parse_move(self, position: Heaps, text: str) -> Take:
        if len(text) != 2 or text[0] not in "LR" or not text[1].isdigit():
            raise BadNotation(f"not a move: {text}")
        move = (text[0], int(text[1]))
        RULES.play(position, move)
        return move

    def paths(self, position: Heaps, move: Take) -> Sequence[tuple[str, ...]]:
        return [(move[0], str(move[1]))]


@cache
def value(position: Heaps) -> Value:
    """Return the value, found by searching the whole game."""
    if RULES.result(position) is not None:
        return Loss(0)
    return max(value_before(value(RULES.play(position, move)), 0, 1) for move in RULES.legal_moves(position))


class TinyAnalyst:
    def is_reachable(self, position: Heaps) -> bool:
        return True

    def probe(self, position: Heaps) -> Value:
        return value(position)

    def analyse(self, position: Heaps, budget: Budget = UNLIMITED) -> Analysis[Take]:
        moves = {move: value_before(value(RULES.play(position, move)), 0, 1) for move in RULES.legal_moves(position)}
        return Analysis(value(position), moves)

    def summarise(self, positions: Sequence[Heaps]) -> Iterable[Summary]:
        return (make_summary(TinyNotation(), position, self.analyse(position)) for position in positions)


class TinyPainter:
    """Draws two heaps of strokes above a row of numbers."""

    def scene(self, view: View[Heaps, Take]) -> Scene:
        left, right, _ = view.position
        sprites = [Sprite(2, 1, ("|" * left,), Role.FIRST), Sprite(12, 1, ("|" * right,), Role.SECOND)]
        sprites += [Sprite(5 * n, 4, (str(n),), Role.LABEL) for n in range(1, MAX_TAKEN + 1)]
        heaps = (Place("L", 2, 1, 6, 1, last=(3, 0), label=(4, 0)), Place("R", 12, 1, 6, 1, last=(3, 0), label=(4, 0)))
        numbers = tuple(Place(str(n), 5 * n - 1, 4, 3, 1, label=(2, 0)) for n in range(1, MAX_TAKEN + 1))
        return Scene(26, 6, tuple(sprites), heaps + numbers)

    def between(self, view: View[Heaps, Take]) -> tuple[Scene, ...]:
        if not view.moves:
            return ()
        return tuple(Scene(26, 6, (Sprite(2, 1, (f"moving {step}",), Role.MOVING),)) for step in (1, 2))

    def trace(self, position: Heaps, move: Take) -> tuple[str, ...]:
        return (move[0],)


def forbid_emptying_left(rules: TinyRules, past: Sequence[Heaps], moves: Sequence[Take]) -> Sequence[Take]:
    left, right, _ = past[-1]
    return [move for move in moves if move != ("L", left) or not right]


LEFT_STANDS = HouseRule("left-stands", "Left stands", forbid_emptying_left, "no move allowed")
"""The left heap may not be emptied while the right one is not empty."""


def start(options: Mapping[str, str], seed: int) -> Heaps:
    """Return the chosen heaps, by default 3 and 4."""
    left, right = options.get("heaps", "3-4").split("-")
    return int(left), int(right), 0


BEST: Style[Heaps, Take] = Style("best", "Best", "plays the best", lambda turn: alike(turn.analysis.list_best_moves()))


def tiny_game() -> AnyGame:
    return Game(
        facts=Facts(
            id="tiny",
            title="Two Heaps",
            pitch="Take from one of two heaps, the last one wins.",
            solved="first player wins",
            max_plies=2 * MAX_TAKEN,
        ),
        seats=("Left", "Right"),
        rules=RULES,
        notation=TinyNotation(),
        painter=TinyPainter(),
        start=start,
        play=Play(
            options=(Option("heaps", "Heaps", ("3-4", "2-2", "4-4"), "3-4"),),
            styles=(BEST,),
            house_rules=(LEFT_STANDS,),
            direct_keys={"1": "1", "2": "2", "3": "3", "4": "4"},
        ),
        solved=Solved(open_analyst=lambda _: TinyAnalyst()),
    )
