"""Why a judged move is bad: sentences that the values prove, and best play after it, to be stepped through.

Nothing of it is stored: it follows from the game. `disclosure` says who may read it when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from onlymove_engines.coach.reasons import MOST_SAID, choose_sentences, find_claims, look_around
from onlymove_engines.coach.values import Known, refutation
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.match.seats import choices
from onlymove_engines.play.line import AnyLine, AnyNode

SeatMove: TypeAlias = tuple[AnyNode, Seat, Move]
"""A move of a seat at a node."""
Key: TypeAlias = tuple[int, Seat, Move]
"""The number of the node, and the move of the seat there."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Up to three in each, the most telling first. `discreet` ones name no better move; `lasting` ones say nothing of
    replies either, so that they grade nobody who has replied."""

    full: tuple[str, ...] = ()
    discreet: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()

    def of_reply(self, reply: str, noun: str) -> tuple[str, ...]:
        """The discreet ones that name a reply, behind its noun (`pit 3`): all that may be told to who is to find the
        better move."""
        return tuple(sentence for sentence in self.discreet if reply and noun + reply in sentence)


NOTHING_PROVEN = Explanation()

Search: TypeAlias = Callable[[Budget], Explanation]
"""Finds the sentences of a move within a budget, and changes nothing."""


def search(line: AnyLine, choice: SeatMove, judgement: Judgement, known: Known, analyst: AnyAnalyst) -> Search:
    """The search for what is proven of a judged move, by what is `known` of all moves at its node; for a worker."""
    node, seat, move = choice
    if isinstance(known, Mixed):
        return lambda _: _of_a_round(tuple(line.game.claims.mixed(node.position, seat, move, known))[:MOST_SAID])

    def find(budget: Budget) -> Explanation:
        law = line.conventions
        try:
            moment = look_around(law, node.positions(), move, known, analyst, budget)
            if moment is None:
                return NOTHING_PROVEN
            found = find_claims(moment, judgement)
        except OnlymoveError:
            return NOTHING_PROVEN
        counts = [claim for claim in found if claim.is_count]
        return Explanation(
            choose_sentences(found, True), choose_sentences(found, False), choose_sentences(counts, False)
        )

    return find


def key_of(choice: SeatMove) -> Key:
    """What the sentences of a move are kept under."""
    node, seat, move = choice
    return node.id, seat, move


def _of_a_round(found: tuple[str, ...]) -> Explanation:
    """Where both move at once nobody replies."""
    return Explanation(found, found, found)


def fitting(sentences: Sequence[str], room: int) -> str:
    """The first that has no more than so many signs; empty where none has."""
    return next((sentence for sentence in sentences if len(sentence) <= room), "")


def blamed(game: AnyGame, node: AnyNode) -> list[SeatMove]:
    """The choices that led to `node` and were flagged, by seat."""
    if node.parent is None:
        return []
    made = choices(game, node)
    return [(node.parent, seat, made[seat]) for seat, found in sorted(node.judgements.items()) if found.flagged]


@dataclass(frozen=True, slots=True)
class Refutation:
    """The positions from before the move on, and the moves with their spelling; `step` moves have been looked at."""

    positions: tuple[AnyPosition, ...]
    moves: tuple[Move, ...]
    texts: tuple[str, ...]
    step: int = 1

    def stepped(self, by: int) -> Refutation:
        """Further along, never past either end."""
        return replace(self, step=max(0, min(len(self.moves), self.step + by)))


RefutationSearch: TypeAlias = Callable[[Budget], Refutation]
"""Finds a refutation within a budget, and changes nothing."""


def find_refutation(line: AnyLine, node: AnyNode, move: Move, analyst: AnyAnalyst) -> RefutationSearch:
    """The search for best play after `move` from `node`, for a worker."""

    def find(budget: Budget) -> Refutation:
        game, moves, positions = line.game, refutation(line, node, move, analyst, budget), [node.position]
        for step in moves:
            positions.append(game.rules.play(positions[-1], step))
        texts = tuple(game.said(*step) for step in zip(positions, moves, strict=False))
        return Refutation(tuple(positions), tuple(moves), texts)

    return find


def single(game: AnyGame, position: AnyPosition, move: Move) -> Refutation:
    """A move alone, as a line that goes no further."""
    return Refutation((position, game.rules.play(position, move)), (move,), (game.said(position, move),))
