"""Finds threats in games in which a side wins by completing a line: "After c3, Black threatens four in row 2: only 9 of
48 answers stop it." What a threat is follows from the rules alone. The values tell which moves lead to it.

Call these functions only if no earlier position would end the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations, islice
from typing import NamedTuple

from onlymove_engines.core.analysis import Analysis, alternating
from onlymove_engines.core.game import Claim, Game, MoveContext, Substance
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Loss, Outcome
from onlymove_engines.core.words import format_count

MAX_AIMS = 4
"""How many aims a sentence names."""
MAX_TRIED_AIMS = 10
"""How many aims are tried together. More lines are hardly ever threatened at a time."""
ANSWERS_PER_STOP = 3
"""A threat is serious if at most one in so many answers stops it."""
MAX_TURNS = 3
"""How many turns of the threatening side are looked at."""
FAR, FAR_TURNS = 11, 2
"""If a missed win takes more moves than the first number, both sides' counted, only so many turns are looked at: there
are too many ways to go on for a longer line to tell anything."""
MAX_TRIED_REPLIES = 8
"""How many replies that hold a draw are tried for a threat."""


class Threat(NamedTuple):
    """What the side threatens that is not to move. It cannot win at once after `stops` of the `answers`. After every
    other answer, it can win at once by one of the aims, or has won by one of them. Fewer aims would not do."""

    aims: tuple[str, ...]
    stops: int
    answers: int

    @property
    def is_serious(self) -> bool:
        return ANSWERS_PER_STOP * self.stops <= self.answers


def find_threat(game: Game[P, M], position: P) -> Threat | None:
    """Return what the side threatens that is not to move. Return `None` if it threatens nothing, if more than MAX_AIMS
    aims would have to be named, or if a side may move twice in a row."""
    rules, seat = game.rules, game.rules.to_move(position)
    moves, won = rules.legal_moves(position), list[Set[str]]()
    for move in moves:
        child = rules.play(position, move)
        end = rules.result(child)
        if end is None and rules.to_move(child) == seat:
            return None
        if end is None:
            reached = find_aims(game, child)
            won += [] if reached is None else [reached]
        elif end.winner is not None and end.winner != seat:
            won.append(frozenset(game.voice.reasons.achieved(child, end.winner)))
    aims = find_cover(won) if won else ()
    return Threat(aims, len(moves) - len(won), len(moves)) if aims else None


def find_aims(game: Game[P, M], position: P) -> Set[str] | None:
    """Return all that the side to move can achieve with a move that wins at once, or `None` if it cannot win at once.
    The set is empty if nothing of it has a name."""
    reasons, rules = game.voice.reasons, game.rules
    if reasons.all_aims is not None:
        return frozenset(reasons.all_aims(position)) or None
    seat, found, wins = rules.to_move(position), set[str](), False
    for move in rules.legal_moves(position):
        end = rules.result(rules.play(position, move))
        if end is not None and end.winner == seat:
            wins = True
            found.update(reasons.aims(position, move))
    return found if wins else None


def find_cover(sets: Sequence[Set[str]]) -> tuple[str, ...]:
    """Return the fewest aims, at most MAX_AIMS, of which every set has at least one. Empty if there are none."""
    counts = {aim: sum(aim in each for each in sets) for aim in sorted(frozenset().union(*sets))}
    common = sorted(counts, key=counts.__getitem__, reverse=True)[:MAX_TRIED_AIMS]
    for size in range(1, MAX_AIMS + 1):
        for chosen in combinations(common, size):
            if not any(each.isdisjoint(chosen) for each in sets):
                return tuple(sorted(chosen))
    return ()


def claim_threats(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Yield what a move that gives away the result lets the opponent threaten, and what it fails to threaten. In games
    without lines, only tell what cannot be stopped after the reply."""
    if moment.closed or moment.game.rules.to_move(moment.child) == moment.seat:
        return
    if not moment.game.voice.reasons.line:
        if moment.value == Loss(4):
            yield from (claim for claim in _claim_punishing_threats(moment) if claim.kind == "Unstoppable")
        return
    if moment.value.outcome is Outcome.LOSS:
        yield from islice(_claim_punishing_threats(moment), 1)
    if moment.best.outcome is Outcome.WIN and moment.best.remoteness != 1:
        own = _claim_own_threat(moment) if moment.value.outcome is Outcome.DRAW else ()
        missed = [*own, *islice(_claim_missed_threats(moment), 1)]
        yield from missed
        if not missed and moment.value.outcome is Outcome.DRAW:
            yield from islice(_claim_counter_threats(moment), 1)


def _claim_punishing_threats(moment: MoveContext[P, M]) -> Iterator[Claim]:
    for moves, position in follow_best_play(moment, moment.child, moment.after):
        threat = find_threat(moment.game, position)
        if threat is not None and threat.is_serious:
            yield claim_threat(moment, moves, threat)


def _claim_counter_threats(moment: MoveContext[P, M]) -> Iterator[Claim]:
    for reply in moment.after.list_best_moves()[:MAX_TRIED_REPLIES]:
        threat = find_threat(moment.game, moment.game.rules.play(moment.child, reply))
        if threat is not None and threat.is_serious:
            yield claim_threat(moment, (reply,), threat)


def claim_threat(moment: MoveContext[P, M], moves: Sequence[M], threat: Threat) -> Claim:
    """Tell what the opponent threatens after these moves, which follow the one that is judged."""
    way, aims = join_words(describe_moves(moment, moment.child, moves)), join_aims(moment, threat)
    facts = {"moves": tuple(moves), "threat": threat}
    if not threat.stops:
        what = f"{aims} cannot {('', 'both ', 'all ', 'all ')[len(threat.aims) - 1]}be stopped"
        sentence = f"After {way}, {what}." if len(moves) == 1 else f"With best play, {what} after {way}."
        return Claim("Unstoppable", sentence, facts, substance=Substance.CONCRETE)
    what = f"{moment.opponent} threatens {aims}"
    how = f"After {way}, {what}" if len(moves) == 1 else f"With best play, {what} after {way}"
    return Claim("Threat", f"{how}: only {format_stops(threat, 'answer')}.", facts, substance=Substance.CONCRETE)


def _claim_own_threat(moment: MoveContext[P, M]) -> Iterator[Claim]:
    own = find_threat(moment.game, moment.child)
    if own is not None and own.is_serious and own.stops:
        sentence = f"This move threatens {join_aims(moment, own)}, but {format_stops(own, 'reply', 'replies')}."
        yield Claim("Stopped", sentence, {"threat": own}, substance=Substance.CONCRETE)


def _claim_missed_threats(moment: MoveContext[P, M]) -> Iterator[Claim]:
    turns = MAX_TURNS if (moment.best.remoteness or 0) <= FAR else FAR_TURNS
    for moves, position in islice(follow_best_play(moment, moment.position, moment.before), turns):
        threat = find_threat(moment.game, position)
        if threat is not None and threat.is_serious:
            yield claim_missed_threat(moment, moves, threat)


def claim_missed_threat(moment: MoveContext[P, M], moves: Sequence[M], threat: Threat) -> Claim:
    """Tell what the mover would have threatened after these moves, the first of which is a better one."""
    way, aims = join_words(describe_moves(moment, moment.position, moves)), join_aims(moment, threat)
    few = f"{'only ' * bool(threat.stops)}{format_stops(threat, 'reply', 'replies')}"
    facts = {"better": moves[0], "moves": tuple(moves), "threat": threat}
    if len(moves) == 1:
        sentence, discreet = f"{way} would have threatened {aims}: {few}.", f"Another move threatens {aims}: {few}."
    else:
        sentence = f"With best play, {moment.mover} would have threatened {aims} after {way}: {few}."
        discreet = f"Another move prepares {aims}: after {len(moves)} moves of best play, {few}."
    return Claim(
        "MissedThreat", sentence, facts, names_better=True, while_choosing=discreet, substance=Substance.CONCRETE
    )


def follow_best_play(moment: MoveContext[P, M], position: P, known: Analysis[M]) -> Iterator[tuple[tuple[M, ...], P]]:
    """Yield the positions after each turn of the side to move on a line of best moves, with the moves that lead there.
    The line ends with the game, or where values are not known."""
    rules, analyst = moment.game.rules, alternating(moment.analyst)
    seat, moves = rules.to_move(position), tuple[M, ...]()
    for _ in range(2 * MAX_TURNS - 1):
        best = known.list_best_moves()
        if not best or not known.is_complete:
            return
        is_ours = rules.to_move(position) == seat
        moves, position = (*moves, best[0]), rules.play(position, best[0])
        if rules.result(position) is not None:
            return
        if is_ours:
            yield moves, position
        known = analyst.analyse(position, moment.budget)


def describe_moves(moment: MoveContext[P, M], position: P, moves: Sequence[M]) -> Iterator[str]:
    """Describe moves in a row that begin at a position, for players."""
    for move in moves:
        yield moment.game.voice.reasons.noun + moment.game.describe_move(position, move)
        position = moment.game.rules.play(position, move)


def format_stops(threat: Threat, noun: str, plural: str = "") -> str:
    """Return `9 of 48 answers stop it`, `1 of 48 answers stops both` or `no answer stops it`."""
    what = ("it", "both", "all three", "all four")[len(threat.aims) - 1]
    if not threat.stops:
        return f"no {noun} stops {what}"
    verb = "stops" if threat.stops == 1 else "stop"
    return f"{threat.stops} of {format_count(threat.answers, noun, plural)} {verb} {what}"


def join_aims(moment: MoveContext[P, M], threat: Threat) -> str:
    """Return `four in row 1 and column c`. Aims with more words are written in full."""
    line = moment.game.voice.reasons.line.removesuffix("a row")
    if not line or any(" after " in aim for aim in threat.aims):
        return join_words(threat.aims)
    return line + join_words(aim.removeprefix(line) for aim in threat.aims)


def join_words(words: Iterable[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
