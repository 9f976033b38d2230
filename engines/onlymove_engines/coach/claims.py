"""Why a move is bad, in sentences that the values prove: what is claimed, and how it reads.

Every claim is found in the values and nowhere else, so it is true of best play; docs/judging.md says what each means.
Drawers add what only their game has (`core.claim`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.coach.replies import replies_said
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.claim import Claim, Kin, Moment
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Outcome
from onlymove_engines.play.conventions import Conventions

AnyMoment: TypeAlias = Moment[Any, Any]

MOST_SAID = 3
SHORT = 6
"""Plies that a person may see through."""
ONLY = {Outcome.DRAW: "only draws", Outcome.LOSS: "loses"}
KEEPS = {Outcome.WIN: "keeps the win", Outcome.DRAW: "keeps the draw"}


@dataclass(frozen=True, slots=True)
class Punished(Generic[M]):
    """The other side wins in a few plies, and this is how it begins."""

    reply: M
    plies: int
    is_only: bool
    """Every other reply would let the mover off."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Now Bottom wins in 3, first c3.`, `Now Bottom wins in 3, but only with c3.`"""
        when = "at once" if self.plies == 1 else f"in {self.plies}"
        how = ", but only with" if self.is_only else " with" if self.plies == 1 else ", first"
        return f"Now {moment.opponent} wins {when}{how} {moment.reply(self.reply)}."


@dataclass(frozen=True, slots=True)
class Ignored(Generic[M]):
    """Had the mover passed, this reply would have won; it wins still."""

    reply: M
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Bottom threatened c3 before, and still does.`"""
        return f"{moment.opponent} threatened {moment.reply(self.reply)} before, and still does."


@dataclass(frozen=True, slots=True)
class Opened(Generic[M]):
    """Had the mover passed, the other side could not have won; now this reply does."""

    reply: M
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Bottom threatened nothing: this lets c3 in.`"""
        return f"{moment.opponent} threatened nothing: this lets {moment.reply(self.reply)} in."


@dataclass(frozen=True, slots=True)
class OnlyReply(Generic[M]):
    """One reply alone makes the move bad; after every other one it would have lost nothing."""

    reply: M
    outcome: Outcome
    """What the reply is worth to the side that plays it."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Only c3 wins for Bottom.`, `Only c3 saves Bottom.`"""
        reply = moment.reply(self.reply)
        if self.outcome is Outcome.WIN:
            return f"Only {reply} wins for {moment.opponent}."
        return f"Only {reply} saves {moment.opponent}."


@dataclass(frozen=True, slots=True)
class Alike(Generic[M]):
    """Moves that are like the one chosen but for one part: the best of them, or that all are as bad."""

    kin: Kin[M]
    better: M | None
    outcome: Outcome
    """What the best of them is worth to the side that plays it."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`That jump with the pawn put elsewhere keeps the draw.`, `That jump loses wherever the pawn is put.`"""
        if self.better is None:
            return f"{self.kin.same} {ONLY[self.outcome]} {self.kin.wherever}."
        does = KEEPS[self.outcome] if self.outcome is moment.best.outcome else "still draws"
        return f"{self.kin.same} {self.kin.otherwise} {does}."


@dataclass(frozen=True, slots=True)
class TooLate:
    """With another move at once the mover would win in a few plies."""

    plies: int
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`One move too slow: with another at once, Top would win in 3.`"""
        return f"One move too slow: with another at once, {moment.seats[moment.seat]} would win in {self.plies}."


@dataclass(frozen=True, slots=True)
class Ended:
    """The move itself ends the game."""

    reason: str
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`It ends the game: Black has four in a row.`"""
        return f"It ends the game: {self.reason}."


@dataclass(frozen=True, slots=True)
class Missed(Generic[M]):
    """A move that won in a few plies."""

    better: M
    plies: int
    names_better = True
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`b3 won in 5.`"""
        return f"{moment.own(self.better)} won {'at once' if self.plies == 1 else f'in {self.plies}'}."


@dataclass(frozen=True, slots=True)
class Holding(Generic[M]):
    """The one move that kept what there was."""

    better: M
    names_better = True
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Only b3 held.`"""
        return f"Only {moment.own(self.better)} {'won' if moment.best.outcome is Outcome.WIN else 'held'}."


@dataclass(frozen=True, slots=True)
class Counted:
    """How many of the moves keep what there was: what is left to say where nothing short is true."""

    keeping: int
    moves: int
    names_better = False
    is_count = True

    def said(self, moment: AnyMoment) -> str:
        """`4 of 26 moves kept the draw.`"""
        what = "points" if moment.best.margin is not None else moment.best.outcome.word
        return f"{self.keeping} of {self.moves} moves kept the {what}."


@dataclass(frozen=True, slots=True)
class Trapped:
    """After a good move: how many replies lose for the side that plays them."""

    losing: int
    replies: int
    names_better = False
    is_count = True

    def said(self, moment: AnyMoment) -> str:
        """`16 of 26 replies lose.`"""
        return f"{replies_said(self.losing, self.replies)[0]}."


def look_around(
    law: Conventions[P, M],
    past: Sequence[P],
    move: M,
    before: Analysis[M],
    analyst: AnyAnalyst,
    budget: Budget = UNLIMITED,
) -> Moment[P, M] | None:
    """What is known around a move from the last of the positions `past`; `None` where a value on either side of it is
    not known."""
    game, position = law.game, past[-1]
    child = game.rules.play(position, move)
    after = analyse_after(law, [*past, child], alternating(analyst), budget)
    if not before.is_complete or not after.is_complete:
        return None
    seat = game.rules.to_move(position) or 0
    end = law.result([*past, child])
    ended = "" if end is None else end.reason
    names = game.seats, game.said, game.claims.noun
    return Moment(position, move, child, seat, before, after, analyst, *names, ended, budget)


def claims(law: Conventions[P, M], moment: Moment[P, M], judgement: Judgement) -> tuple[Claim, ...]:
    """The claims about a judged move, the most telling first; those that say why before those that count."""
    sources = law.game.claims
    if not judgement.flagged:
        return tuple(_of_a_good_move(moment))
    found: list[Claim] = [Ended(moment.ended)] if moment.ended else [*_punishment(moment), *sources.more(moment)]
    if moment.value.outcome < moment.best.outcome:
        found += [*_passing(moment, sources.passed(moment.position), sources.passed(moment.child))]
        found += [*_alike(moment, sources.kin(moment.position, moment.move)), *_missed(moment)]
    return (*found, Counted(len(moment.before.keeping()), len(moment.before.moves)))


def said(found: Sequence[Claim], moment: AnyMoment, may_name: bool, most: int = MOST_SAID) -> tuple[str, ...]:
    """The sentences to show: with `may_name` also those that give a better move away; a count only where there is
    nothing else."""
    open_ones = [claim for claim in found if may_name or not claim.names_better]
    telling = [claim for claim in open_ones if not claim.is_count]
    return tuple(claim.said(moment) for claim in (telling or open_ones)[:most])


def _punishment(moment: Moment[P, M]) -> Iterator[Claim]:
    """What the other side does about it."""
    values = {move: value for move, value in moment.after.moves.items() if value is not None}
    reply = moment.after.best()[0]
    top = values.pop(reply)
    is_only = bool(values) and max(value.outcome for value in values.values()) <= -moment.best.outcome < top.outcome
    if top.outcome is Outcome.WIN and top.remoteness is not None and top.remoteness <= SHORT:
        yield Punished(reply, top.remoteness, is_only)
    elif is_only:
        yield OnlyReply(reply, top.outcome)


def _passing(moment: Moment[P, M], before: P | None, after: P | None) -> Iterator[Claim]:
    """What a move more or less for either side would change."""
    wins = {move: value for move, value in moment.after.moves.items() if value and value.outcome is Outcome.WIN}
    if before is not None and wins:
        passed = alternating(moment.analyst).analyse(before, moment.budget)
        if passed.is_complete and passed.moves:
            threats = {move for move, value in passed.moves.items() if value and value.outcome is Outcome.WIN}
            quickest = sorted(wins, key=lambda move: wins[move].preference, reverse=True)
            same = next((move for move in quickest if move in threats), None)
            if same is not None:
                yield Ignored(same)
            elif not threats:
                yield Opened(quickest[0])
    if after is not None:
        again = alternating(moment.analyst).probe(after)
        if again is not None and again.outcome is Outcome.WIN and (again.remoteness or SHORT + 1) <= SHORT:
            yield TooLate(again.remoteness or 0)


def _alike(moment: Moment[P, M], kins: Iterable[Kin[M]]) -> Iterator[Claim]:
    """What moves that differ in one part are worth."""
    for kin in kins:
        values = {move: value for move in kin.moves if (value := moment.before.moves.get(move)) is not None}
        if not values:
            continue
        better = max(values, key=lambda move: values[move].preference)
        outcome = values[better].outcome
        if outcome > moment.value.outcome:
            yield Alike(kin, better, outcome)
        elif len(values) > 1 and outcome is moment.value.outcome:
            yield Alike(kin, None, outcome)


def _missed(moment: Moment[P, M]) -> Iterator[Claim]:
    """What was there instead."""
    best, keeping = moment.before.best(), moment.before.keeping()
    plies = moment.best.remoteness
    if moment.best.outcome is Outcome.WIN and plies is not None and plies <= SHORT:
        yield Missed(best[0], plies)
    elif len(keeping) == 1:
        yield Holding(keeping[0])


def _of_a_good_move(moment: Moment[P, M]) -> Iterator[Claim]:
    """What a move that gives nothing away sets the other side."""
    losing = sum(1 for value in moment.after.moves.values() if value is not None and value.outcome is Outcome.LOSS)
    if 0 < losing < len(moment.after.moves) and moment.value.outcome is Outcome.DRAW:
        yield Trapped(losing, len(moment.after.moves))
