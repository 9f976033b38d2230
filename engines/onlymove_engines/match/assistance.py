"""Explains moves, and finds the best play after them. Explanations are not stored, because they follow from the game.
The match decides who may read them and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from onlymove_engines.coach.reasons import MOST_SENTENCES, build_moment, choose_sentences, find_claims, speak_of_now
from onlymove_engines.coach.values import Known, analyse_after, find_best_line
from onlymove_engines.core.analysis import AnyAnalyst, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat
from onlymove_engines.play.line import AnyLine, AnyNode

SeatMove: TypeAlias = tuple[AnyNode, Seat, Move]
"""A node, a seat and the seat's move there."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Sentences about a move, up to three of each kind, the most important first. `discreet` sentences do not name a
    better move. `lasting` ones do not mention replies either, so they stay safe to show until the opponent has
    replied."""

    full: tuple[str, ...] = ()
    discreet: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()

    def select_by_reply(self, reply: str) -> tuple[str, ...]:
        """Return the discreet sentences that mention this reply (`pit 3`). They name no better move."""
        return tuple(sentence for sentence in self.discreet if reply and reply in sentence)


NOTHING_PROVEN = Explanation()

ExplanationSearch: TypeAlias = Callable[[Budget], Explanation]
"""Explains a move within a budget. It changes nothing."""


def explain_move(
    line: AnyLine, choice: SeatMove, judgement: Judgement, known: Known, analyst: AnyAnalyst, budget: Budget
) -> Explanation:
    """Explain a judged move. `known` holds the values of all moves at the move's node."""
    node, seat, move = choice
    if isinstance(known, Mixed):  # with simultaneous moves, there are no replies
        sentences = tuple(line.game.voice.reasons.mixed(node.position, seat, move, known))[:MOST_SENTENCES]
        return Explanation(sentences, sentences, sentences)
    try:
        moment = build_moment(line.conventions, node.positions(), move, known, analyst, budget)
        if moment is None:
            return NOTHING_PROVEN
        found = find_claims(moment, judgement)
    except OnlymoveError:
        return NOTHING_PROVEN
    counts = [claim for claim in found if claim.is_count]
    discreet = choose_sentences(speak_of_now(moment, found), False)
    return Explanation(choose_sentences(found, True), discreet, choose_sentences(counts, False))


def choose_fitting_sentence(sentences: Sequence[str], width: int) -> str:
    return next((sentence for sentence in sentences if len(sentence) <= width), "")


def find_flagged_choices(node: AnyNode) -> list[SeatMove]:
    return [choice for choice, found in list_judged_choices(node) if found.flagged]


def find_bad_choices(node: AnyNode) -> list[SeatMove]:
    """Return the choices that led to `node` and are flagged or at least inaccuracies, in the order of the seats."""
    return [choice for choice, found in list_judged_choices(node) if is_bad(found)]


def list_judged_choices(node: AnyNode) -> list[tuple[SeatMove, Judgement]]:
    if node.parent is None:
        return []
    return [((node.parent, seat, node.choices[seat]), node.judgements[seat]) for seat in sorted(node.judgements)]


def is_bad(judgement: Judgement) -> bool:
    return judgement.flagged or judgement.grade.gravity >= Grade.INACCURACY.gravity


@dataclass(frozen=True, slots=True)
class Refutation:
    """Best play after a move from `start`. `positions` begin before the move, and `moves` and `texts` with the move
    itself. The first `step` moves have been shown. `result` says how the rules end the game after the last move, and is
    `None` if they do not. `is_drawn` means that the line stops in a draw that does not follow from the rules alone."""

    start: AnyNode
    positions: tuple[AnyPosition, ...]
    moves: tuple[Move, ...]
    texts: tuple[str, ...]
    step: int = 1
    result: Result | None = None
    is_drawn: bool = False

    def step_by(self, by: int) -> Refutation:
        """Move forwards or backwards along the line, without going past its ends."""
        return replace(self, step=max(0, min(len(self.moves), self.step + by)))


RefutationSearch: TypeAlias = Callable[[Budget], Refutation]
"""Finds a refutation within a budget. It changes nothing."""


def find_refutation(line: AnyLine, node: AnyNode, move: Move, analyst: AnyAnalyst, budget: Budget) -> Refutation:
    game, moves, positions = line.game, find_best_line(line, node, move, analyst, budget), [node.position]
    for step in moves:
        positions.append(game.rules.play(positions[-1], step))
    texts = tuple(game.describe_move(*step) for step in zip(positions, moves, strict=False))
    result, past = game.rules.result(positions[-1]), [*node.positions(), *positions[1:]]
    ended = line.conventions.result(past)
    is_drawn = result is None and ended is not None and ended.winner is None
    if ended is None:
        top = analyse_after(line.conventions, past, alternating(analyst), budget, every=False).best_value()
        is_drawn = top is not None and top.outcome is Outcome.DRAW
    return Refutation(node, tuple(positions), tuple(moves), texts, result=result, is_drawn=is_drawn)


def show_single_move(game: AnyGame, node: AnyNode, move: Move) -> Refutation:
    after, text = game.rules.play(node.position, move), game.describe_move(node.position, move)
    return Refutation(node, (node.position, after), (move,), (text,), result=game.rules.result(after))
