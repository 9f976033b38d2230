"""Positions to practise: a player's own mistakes, and positions with only one move that holds.

Knows what a drill is. When a drill is due is the store's business.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.game import AnyGame, AnyPosition, GameId
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.line import AnyLine

# A generated drill has at least this many moves to choose from; with fewer the answer is guessed.
FEWEST_MOVES = 4


class Origin(enum.Enum):
    """Where a drill comes from."""

    MISTAKE = "mistake"
    ONLY_MOVE = "only-move"


@dataclass(frozen=True, slots=True)
class Drill:
    """A position, in the game's notation, and the seat that is to find a move that keeps the value.

    `played` is the move that went wrong in the player's own game, as written; empty for generated drills.
    """

    game: GameId
    position: str
    seat: Seat
    origin: Origin
    played: str = ""


def from_mistakes(line: AnyLine, seats: Sequence[Seat]) -> list[Drill]:
    """One drill for every decision of `seats` in a game that was flagged, kept or taken back.

    A drill is a position without a past: where the house rule had taken moves away none is made.
    """
    drills, game = [], line.game
    for before, node in pairwise(line.here.path()):
        if len(line.allowed(before)) < len(game.rules.legal_moves(before.position)):
            continue
        for seat in seats:
            stands, first = node.judgements.get(seat), before.attempts.get(seat)
            if not any(judgement is not None and judgement.flagged for judgement in (stands, first)):
                continue
            is_kept = stands is not None and stands.flagged
            played = move_text(game, before.position, node.move, seat) if is_kept else ""
            text = game.notation.format_position(before.position)
            drills.append(Drill(game.id, text, seat, Origin.MISTAKE, played))
    return drills


def move_text(game: AnyGame, position: AnyPosition, move: Any, seat: Seat) -> str:
    """One seat's move as written, also when it was half of a simultaneous round."""
    return str(move[seat]) if game.facts.simultaneous else game.notation.format_move(position, move)


def only_move_positions(
    game: AnyGame, analyst: AnyAnalyst, random: Random, count: int, longest_walk: int = 60, walks: int = 400
) -> Iterator[Drill]:
    """Up to `count` drills met in random games of an alternating game: one move holds, all others drop the result.

    Gives fewer when `walks` games do not hold enough of them.
    """
    seen: set[AnyPosition] = set()
    analyse = alternating(analyst).analyse
    for _ in range(walks):
        position = game.default_start()
        for _ in range(longest_walk):
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            if position not in seen and len(moves) >= FEWEST_MOVES:
                seen.add(position)
                seat = game.rules.to_move(position)
                if seat is not None and has_only_move(analyse(position)):
                    yield Drill(game.id, game.notation.format_position(position), seat, Origin.ONLY_MOVE)
                    count -= 1
                    if count == 0:
                        return
            position = game.rules.play(position, random.choice(list(moves)))


def has_only_move(analysis: Analysis[Move]) -> bool:
    """Whether exactly one move keeps the result."""
    top = analysis.best_value()
    if top is None:
        return False
    return sum(value is not None and value.outcome == top.outcome for value in analysis.moves.values()) == 1
