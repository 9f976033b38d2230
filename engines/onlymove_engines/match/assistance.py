"""Help that a player may ask for during a game: hints, a die roll, and reasons why a move is bad. Explanations are not
stored, because they follow from the game. The match decides who may read them and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from random import Random
from typing import TypeAlias

from onlymove_engines.coach.hint import LAST_STAGE, Hint, is_open, list_die_ranges, make_hint, make_mixed_hint
from onlymove_engines.coach.judge import find_sound_moves
from onlymove_engines.coach.reasons import MOST_SENTENCES, build_moment, choose_sentences, find_claims, speak_of_now
from onlymove_engines.coach.values import Known, analyse_after, describe_hardest, find_best_line
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat
from onlymove_engines.match import limits
from onlymove_engines.match.knowledge import Knowledge
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.play.session import AnySession

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


class Assistance:
    """The help that a player got at each decision of a game. `save` is called after every change."""

    def __init__(self, session: AnySession, knowledge: Knowledge, random: Random, save: Callable[[], None]) -> None:
        self.session = session
        self.knowledge = knowledge
        self.random = random
        self.stages: dict[tuple[int, Seat], int] = {}
        self.explanations: dict[SeatMove, Explanation] = {}
        self.hardest: dict[int, str] = {}
        self._remarks: dict[int, HintNotes[Move]] = {}
        self.shows_values = False
        self.has_explained = False
        self.has_reviewed = False
        self._save = save

    def get_stage(self, seat: Seat) -> int:
        return self.stages.get((self.session.node.id, seat), 0)

    def prepare_hint(self, straight: bool) -> Callable[[], Hint] | None:
        """Return a search for the next hint stage, or for the last if `straight`. `None` while values are unknown."""
        node, seat = self.session.node, self.session.choosing_seat
        values = node.values
        if seat is None or values is None:
            return None
        is_whole = straight or is_open(values, seat)
        stage = LAST_STAGE if is_whole else min(LAST_STAGE, self.get_stage(seat) + 1)
        self.stages[node.id, seat] = stage
        if stage == LAST_STAGE:
            self.mark_hinted(seat)
        self._save()
        if isinstance(values, Mixed):
            outlook = self.session.game.voice.outlook
            return lambda: make_mixed_hint(
                values, seat, stage, outlook(node.position, seat, find_sound_moves(values, seat))
            )
        return lambda: make_hint(self.session.game, node.position, values, stage, self._find_remarks(node, values))

    def _find_remarks(self, node: AnyNode, values: Analysis[Move]) -> HintNotes[Move] | None:
        """Return what the game's coach adds to the hints at a node. The coach is asked once for all stages."""
        find, analyst = self.session.game.voice.hints, self.knowledge.analyst
        if node.id not in self._remarks and find is not None and analyst is not None and values.is_complete:
            self._remarks[node.id] = find(node.position, values, analyst)
        return self._remarks.get(node.id)

    def show_values(self, shown: bool) -> None:
        self.shows_values = shown
        if shown:
            self.mark_values_shown()
        self._save()

    def mark_values_shown(self) -> None:
        """Note that the player sees all known values here. While they are shown, call this after every change."""
        seat = self.session.choosing_seat
        if seat is not None and self.session.node.values is not None:
            self.mark_hinted(seat)

    def mark_hinted(self, seat: Seat) -> None:
        """Note that `seat` could see all values. The decision no longer counts, unless a move was tried before."""
        node = self.session.node
        if seat not in node.hinted and seat not in node.attempts:
            node.hinted.add(seat)
            self._save()

    def roll_die(self, seat: Seat) -> str:
        """Roll 1 to 100 and say which move the best mix of `seat` selects. Empty if no mix is known."""
        values = self.session.node.values
        if not isinstance(values, Mixed):
            return ""
        throw, ranges = self.random.randint(1, 100), list_die_ranges(values, seat)
        self.mark_hinted(seat)
        move = next((move for move, low, high in ranges if low <= throw <= high), None)
        return f"You rolled {throw}: play {move}." if len(ranges) > 1 else f"No need to roll: always play {move}."

    def prepare_hardest(self) -> Callable[[Budget], str] | None:
        """Return a search for a text about the trickiest move here, or `None` if it is known or cannot be found."""
        line, node, analyst = self.session.line, self.session.node, self.knowledge.analyst
        known = node.values
        if not isinstance(known, Analysis) or not known.is_complete or analyst is None or node.id in self.hardest:
            return None
        return lambda budget: describe_hardest(line, node, known, analyst, budget.limit_seconds(limits.SEARCH_SECONDS))

    def prepare_refutation(self, node: AnyNode, move: Move) -> RefutationSearch | None:
        """Return a search for best play after `move`. `None` without an analyst, or if both sides move at once."""
        line, analyst = self.session.line, self.knowledge.analyst
        if analyst is None or line.game.facts.simultaneous:
            return None
        self.mark_explained()
        return partial(find_refutation, line, node, move, analyst)

    def get_explanation(self, choice: SeatMove) -> Explanation:
        return self.explanations.get(choice, NOTHING_PROVEN)

    def list_reasons(self, node: AnyNode, may_name: bool = True) -> tuple[str, ...]:
        """Return all explanations of the move into `node`. With `may_name`, they may name a better move. If both sides
        made a mistake, each begins with the name of its side, and the most important one of each side comes first."""
        choices, names = find_flagged_choices(node), self.session.game.seats
        explained = [(names[choice[1]], self.get_explanation(choice)) for choice in choices]
        told = [[(name, text) for text in (why.full if may_name else why.discreet)] for name, why in explained]
        found = [each for place in zip_longest(*told) for each in place if each is not None]
        return tuple(f"{name}: {text}" if len(choices) > 1 else text for name, text in found)

    def mark_explained(self) -> None:
        self.has_explained = True
        self._save()

    def mark_reviewed(self) -> None:
        """Note that the player opened the review, which also shows best play."""
        self.has_reviewed = True
        self.mark_explained()
