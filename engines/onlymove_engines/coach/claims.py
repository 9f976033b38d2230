"""Why a move is bad: the claims about it that the values prove, the most telling first.

Every claim is found in the values or by the rules and nowhere else, so it is true of best play; docs/judging.md says
what each means, `coach.sentences` how it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.coach.sentences import (
    SHORT,
    Alike,
    AnyMoment,
    Counted,
    Ended,
    Holding,
    Ignored,
    Missed,
    OnlyAlike,
    OnlyReply,
    Opened,
    Punished,
    Threatens,
    TooLate,
    Trapped,
    Unstoppable,
)
from onlymove_engines.coach.unstoppable import unstoppable
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.claim import Claim, Claims, Moment
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Outcome
from onlymove_engines.play.conventions import Conventions

MOST_SAID = 3


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
    line = [*past, game.rules.play(position, move)]
    after = analyse_after(law, line, alternating(analyst), budget)
    if not before.is_complete or not after.is_complete:
        return None
    ended = law.result(line)
    return Moment(
        position,
        move,
        line[-1],
        game.rules.to_move(position) or 0,
        before,
        after,
        analyst,
        game.seats,
        game.said,
        game.claims.noun,
        ended,
        frozenset(law.closing(line).keys() - {position, line[-1]}),
        frozenset(line),
        budget,
    )


def claims(law: Conventions[P, M], moment: Moment[P, M], judgement: Judgement) -> tuple[Claim, ...]:
    """The claims about a judged move, the most telling first; those that say why before those that count."""
    game = law.game
    if not judgement.flagged:
        return tuple(_of_a_good_move(moment, game.claims))
    found: list[Claim]
    if moment.ended is not None:
        found = [Ended(moment.ended.reason, moment.ended.winner)]
    else:
        found = [*_punishment(law, moment), *game.claims.more(moment)]
    if moment.value.outcome < moment.best.outcome:
        named = {claim.reply for claim in found if isinstance(claim, (Punished, OnlyReply))}
        found += [*_passing(moment, game.claims, named), *_alike(moment, game.claims), *_missed(moment)]
    return (*found, Counted(len(moment.before.keeping()), len(moment.before.moves)))


def said(found: Sequence[Claim], moment: AnyMoment, may_name: bool, most: int = MOST_SAID) -> tuple[str, ...]:
    """The sentences to show: with `may_name` also those that give a better move away, for which the last place is
    kept; a count only where there is nothing else."""
    open_ones = [claim for claim in found if may_name or not claim.names_better]
    telling = [claim for claim in open_ones if not claim.is_count] or open_ones
    better = [claim for claim in telling if claim.names_better][-1:]
    first = [claim for claim in telling if not (claim.names_better or (better and _leads_to(claim, better[0])))]
    return tuple(claim.said(moment) for claim in (*first[: most - len(better)], *better))


def _leads_to(claim: Claim, better: Claim) -> bool:
    """Whether a claim says nothing that the better move does not show."""
    return isinstance(claim, Alike) and claim.is_right and getattr(better, "better", None) in claim.kin.moves


def _punishment(law: Conventions[P, M], moment: Moment[P, M]) -> Iterator[Claim]:
    """What the other side does about it."""
    values = {move: value for move, value in moment.after.moves.items() if value is not None}
    reply = moment.after.best()[0]
    top = values.pop(reply)
    is_only = bool(values) and max(value.outcome for value in values.values()) <= -moment.best.outcome < top.outcome
    if top.outcome is Outcome.WIN and top.remoteness is not None and top.remoteness <= SHORT:
        yield Punished(reply, top.remoteness, is_only)
        if top.remoteness == 3 and not moment.closed:
            aims = unstoppable(law.game, law.game.rules.play(moment.child, reply))
            yield from [Unstoppable(reply, aims)] if aims else ()
    elif is_only:
        yield OnlyReply(reply, top.outcome)


def _passing(moment: Moment[P, M], sources: Claims[P, M], named: Set[M]) -> Iterator[Claim]:
    """What a move more or less for either side would change; `named` are replies that were spoken of.

    Not where the past counts: the twin has none.
    """
    before, after = twin(moment, sources, moment.position), twin(moment, sources, moment.child)
    if moment.ended is not None:
        return
    wins = {move: value for move, value in moment.after.moves.items() if value and value.outcome is Outcome.WIN}
    if before is not None and wins:
        passed = alternating(moment.analyst).analyse(before, moment.budget)
        if passed.is_complete and passed.moves:
            threats = {move for move, value in passed.moves.items() if value and value.outcome is Outcome.WIN}
            quickest = sorted(wins, key=lambda move: wins[move].preference, reverse=True)
            same = next((move for move in quickest if move in threats), None)
            if same is not None:
                yield Ignored(same, same in named)
            elif not threats:
                yield Opened(could_draw=max(filter(None, passed.moves.values())).outcome > -moment.best.outcome)
    plies = None if after is None else _threat(moment, after)
    if plies is not None and not (moment.best.outcome is Outcome.WIN and (moment.best.remoteness or 0) <= SHORT):
        loses_in = moment.value.remoteness if moment.value.outcome is Outcome.LOSS else None
        is_race = loses_in is not None and loses_in - 1 <= plies
        yield TooLate(plies, is_race, moment.value.outcome is Outcome.LOSS)


def twin(moment: Moment[P, M], sources: Claims[P, M], position: P) -> P | None:
    """The same board with the other side to move, unless the game has a past that bears on what it is worth: one that
    it stood in already it may not come back to as often."""
    found = None if moment.closed else sources.passed(position)
    return None if found in moment.stood else found


def _threat(moment: Moment[P, M], after: P) -> int | None:
    """In how many plies the mover would win with another move at once, where they are few."""
    again = alternating(moment.analyst).probe(after)
    if again is None or again.outcome is not Outcome.WIN or again.remoteness is None or again.remoteness > SHORT:
        return None
    return again.remoteness


def _alike(moment: Moment[P, M], sources: Claims[P, M]) -> Iterator[Claim]:
    """What moves that share a part with it are worth: at most one sentence."""
    keeping, wrong, only = set(moment.before.keeping()), list[Alike[M]](), list[OnlyAlike[M]]()
    for kin in sources.kin(moment.position, moment.move, keeping):
        worths = {value.outcome for move in kin.moves if (value := moment.before.moves.get(move)) is not None}
        good = [move for move in kin.moves if move in keeping]
        sets_apart = len(good) == len(keeping) and len(kin.moves) + 1 < len(moment.before.moves)
        if kin.right and good and (kin.any_tells or sets_apart):
            yield Alike(kin, is_right=True)
            return
        if kin.only and len(good) == 1 < len(keeping) and len(kin.moves) > 1:
            only.append(OnlyAlike(kin, good[0]))
        if kin.wrong and worths and max(worths) is moment.value.outcome:
            wrong.append(Alike(kin, is_right=False, some_are_worse=len(worths) > 1))
    if wrong:
        yield max(wrong, key=lambda claim: len(claim.kin.moves))
    yield from only[:1]


def _missed(moment: Moment[P, M]) -> Iterator[Claim]:
    """What was there instead; points do not count, where others keep the result with fewer."""
    outcome, plies = moment.best.outcome, moment.best.remoteness
    keeping = [move for move, value in moment.before.moves.items() if value and value.outcome is outcome]
    if outcome is Outcome.WIN and plies is not None and plies <= SHORT:
        yield Missed(moment.before.best()[0], plies, len(keeping) == 1)
    elif len(keeping) == 1:
        yield Holding(keeping[0])


def _of_a_good_move(moment: Moment[P, M], sources: Claims[P, M]) -> Iterator[Claim]:
    """What a move that gives nothing away in a draw sets the other side."""
    if moment.value.outcome is not Outcome.DRAW or moment.ended is not None:
        return
    after = twin(moment, sources, moment.child)
    plies = None if after is None else _threat(moment, after)
    if plies is not None:
        yield Threatens(plies)
    rest = [move for move, value in moment.after.moves.items() if value and value.outcome is not Outcome.LOSS]
    losing = len(moment.after.moves) - len(rest)
    if losing and rest:
        yield Trapped(losing, len(moment.after.moves), rest[0] if len(rest) == 1 else None)
