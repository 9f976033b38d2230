"""Finds reasons why a move is bad, the most telling first. Every claim follows from the values or the rules alone, so
it is true for best play. docs/judging.md says what each claim means. Game packages add their own claims."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.threats import claim_threats, find_aims
from onlymove_engines.coach.values import Known, analyse_after, describe_losing_replies
from onlymove_engines.coach.words import describe_keeping
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import Claim, MoveContext, RelatedMoves, Substance
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Mixed, Outcome, Win
from onlymove_engines.core.words import choose_number, format_soon
from onlymove_engines.play.tree import AnyTree, Conventions

MAX_SENTENCES = 3
MAX_MIXED = 2
"""At most this many sentences are shown about a move. With simultaneous moves, both sides' sentences may be shown
together."""
SHORT = 6
"""How many moves, both sides' counted, a person can be expected to see ahead."""
RESULT_VERBS = {Outcome.DRAW: "only draws", Outcome.LOSS: "loses"}
"""What several moves do if they all lead to the same result."""


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
        named = re.compile(rf"\b{re.escape(reply)}\b")
        return tuple(sentence for sentence in self.discreet if reply and named.search(sentence))


NOTHING_PROVEN = Explanation()


def explain_move(
    tree: AnyTree, choice: SeatMove, judgement: Judgement, known: Known, analyst: AnyAnalyst, budget: Budget
) -> Explanation:
    """Explain a judged move. `known` holds the values of all moves at the move's node."""
    node, seat, move = choice
    if isinstance(known, Mixed):  # with simultaneous moves, there are no replies
        told = tree.game.voice.reasons.mixed(node.position, seat, move, known)
        claims = [claim if isinstance(claim, Claim) else Claim("Told", claim) for claim in told]
        sentences = choose_sentences(claims, False)[:MAX_MIXED]
        return Explanation(sentences, sentences, sentences)
    try:
        moment = build_moment(tree.conventions, node.positions(), move, known, analyst, budget)
        if moment is None:
            return NOTHING_PROVEN
        found = find_claims(moment, judgement)
    except OnlymoveError:
        return NOTHING_PROVEN
    counts = [replace(claim, while_choosing="") for claim in found if claim.is_count]
    return Explanation(choose_sentences(found, True), choose_sentences(found, False), choose_sentences(counts, False))


def build_moment(
    law: Conventions[P, M],
    past: Sequence[P],
    move: M,
    before: Analysis[M],
    analyst: AnyAnalyst,
    budget: Budget = UNLIMITED,
) -> MoveContext[P, M] | None:
    """Collect what is known before and after a move at the end of `past`. Return `None` if a value is missing."""
    game, position = law.game, past[-1]
    line = [*past, game.rules.play(position, move)]
    after = analyse_after(law, line, alternating(analyst), budget)
    if not before.is_complete or not after.is_complete:
        return None
    closed = frozenset(law.find_closing(line).keys() - {position, line[-1]})
    ended, stood = law.result(line), frozenset(line)
    return MoveContext(game, position, move, line[-1], before, after, analyst, ended, closed, stood, budget)


def find_claims(moment: MoveContext[P, M], judgement: Judgement) -> tuple[Claim, ...]:
    """Return the claims about a judged move. Those that only count moves come last."""
    if not judgement.flagged:
        return tuple(_claim_praise(moment))
    if moment.ended is None:
        found = [*_claim_punishment(moment), *moment.game.voice.reasons.more(moment)]
    else:
        winner, reason = moment.ended.winner, moment.ended.reason
        how = " in a draw" if winner is None else f", and {moment.game.seats[winner]} wins"
        sentence = f"This ends the game{how}{f': {reason}' if reason else ''}."
        substance = Substance.CONCRETE if reason else Substance.RESTATEMENT
        found = [Claim("Ended", sentence, {"reason": reason}, substance=substance)]
    if moment.value.outcome < moment.best.outcome:
        found += claim_threats(moment) if moment.ended is None else ()
        found += [*_claim_passing(moment), *_claim_alike(moment), *_claim_missed(moment)]
    if not any(claim.names_better for claim in found):
        found += _claim_points(moment)
    keeping, moves = len(moment.before.list_good_moves()), len(moment.before.moves)
    counted = Claim(
        "Counted",
        f"{describe_keeping(moment.before, is_past=True)}.",
        {"keeping": keeping, "moves": moves},
        is_count=True,
        while_choosing=f"{describe_keeping(moment.before)}.",
        substance=Substance.RESTATEMENT,
    )
    return (*found, counted)


def choose_sentences(found: Iterable[Claim], may_name: bool) -> tuple[str, ...]:
    """Return the sentences of the claims that `choose_claims` chooses."""
    return tuple(
        claim.sentence if may_name else claim.while_choosing or claim.sentence
        for claim in choose_claims(found, may_name)
    )


def choose_claims(found: Iterable[Claim], may_name: bool) -> tuple[Claim, ...]:
    """Choose the claims to show: concrete ones before pointers, and these before restatements. With `may_name`, one of
    them may name a better move. Without it, the move can still be chosen. A claim that only counts moves is chosen only
    if there is no other."""
    open_ones = [claim for claim in found if may_name or claim.while_choosing or not claim.names_better]
    telling = [claim for claim in open_ones if not claim.is_count] or open_ones
    better = [claim for claim in telling if may_name and claim.names_better]
    named = [min(reversed(better), key=attrgetter("substance"))] if better else []
    rest = [claim for claim in telling if claim not in better and not (named and _leads_to(claim, named[0]))]
    first = sorted(rest, key=attrgetter("substance"))[: MAX_SENTENCES - len(named)]
    return tuple(sorted((*first, *named), key=attrgetter("substance")))


def choose_fitting_sentence(sentences: Sequence[str], width: int) -> str:
    return next((sentence for sentence in sentences if len(sentence) <= width), "")


def _leads_to(claim: Claim, better: Claim) -> bool:
    """Whether a claim adds nothing to the sentence that names the better move."""
    is_right = claim.kind == "Alike" and claim.facts["is_right"]
    return is_right and better.facts.get("better") in claim.facts["kin"].moves


def _claim_punishment(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Say how the opponent punishes the move: with a quick win, or with the only reply that makes the move bad."""
    values = {move: value for move, value in moment.after.moves.items() if value is not None}
    if moves_again(moment):
        return
    reply = moment.after.list_best_moves()[0]
    top = values.pop(reply)
    is_only = bool(values) and max(value.outcome for value in values.values()) <= -moment.best.outcome < top.outcome
    named = moment.format_reply(reply)
    if top.outcome is Outcome.WIN and top.remoteness is not None and top.remoteness <= SHORT:
        plies = top.remoteness
        how = ", but only with" if is_only else " with" if plies == 1 else ", starting with"
        sentence = f"Now {moment.opponent} wins {format_soon(plies)}{how} {named}."
        substance = Substance.CONCRETE if plies == 1 else Substance.POINTER
        yield Claim("Punished", sentence, {"reply": reply, "plies": plies, "is_only": is_only}, substance=substance)
    elif is_only:
        what = "winning" if top.outcome is Outcome.WIN else "saving"
        sentence = f"{moment.opponent}'s only {what} reply is {named}."
        yield Claim("OnlyReply", sentence, {"reply": reply, "outcome": top.outcome}, substance=Substance.POINTER)


def _claim_passing(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Say what would have changed after a pass, or what the mover threatens."""
    if moment.ended is not None or moves_again(moment):
        return
    before = find_twin(moment, moment.position)
    wins = {move: value for move, value in moment.after.moves.items() if value and value.outcome is Outcome.WIN}
    if before is not None and wins:
        passed = alternating(moment.analyst).analyse(before, moment.budget)
        if passed.is_complete and passed.moves:
            threats = {move for move, value in passed.moves.items() if value and value.outcome is Outcome.WIN}
            quickest = sorted(wins, key=lambda move: wins[move].preference, reverse=True)
            same = next((move for move in quickest if move in threats), None)
            if same is not None:
                sentence = f"{moment.opponent} was already threatening {moment.format_reply(same)}."
                yield Claim("Ignored", sentence, {"reply": same}, substance=Substance.POINTER)
            elif not threats:
                could_draw = max(filter(None, passed.moves.values())).outcome > -moment.best.outcome
                what = "could only hope for a draw" if could_draw else "had no threat"
                yield Claim("Opened", f"Before this move, {moment.opponent} {what}.", substance=Substance.RESTATEMENT)
    plies = find_threat(moment)
    if plies is not None and not (moment.best.outcome is Outcome.WIN and (moment.best.remoteness or 0) <= SHORT):
        loses = moment.value.outcome is Outcome.LOSS
        loses_in = moment.value.remoteness if loses else None
        is_race = loses_in is not None and loses_in - 1 <= plies
        why = "wins first" if is_race else "can stop it and win" if loses else "can stop it"
        sentence = f"{format_threat(moment.mover, plies)}, but {moment.opponent} {why}."
        yield Claim("TooLate", sentence, {"plies": plies}, substance=Substance.POINTER)


def moves_again(moment: MoveContext[P, M]) -> bool:
    """Whether the side that made the move also makes the next one, so that there is no reply."""
    return moment.game.rules.to_move(moment.child) == moment.seat


def find_twin(moment: MoveContext[P, M], position: P) -> P | None:
    """Return the board with the other side to move. `None` if that is no position or the past may affect its value."""
    found = None if moment.closed else moment.game.voice.reasons.passed(position)
    return None if found in moment.stood else found


def find_threat(moment: MoveContext[P, M]) -> int | None:
    """Return in how many plies the mover would win if it could move again at once, or `None` if that is not soon."""
    return find_short_win(moment.analyst, find_twin(moment, moment.child))


def find_short_win(analyst: AnyAnalyst, position: P | None) -> int | None:
    """Return in how many plies the side to move wins. Return `None` if it does not win soon."""
    value = None if position is None else alternating(analyst).probe(position)
    return value.remoteness if isinstance(value, Win) and (value.remoteness or 0) <= SHORT else None


def format_threat(side: str, plies: int) -> str:
    return f"{side} threatens to win {format_soon(plies)}"


def _claim_alike(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Say what moves that share a part with this one are worth, and name one of them that is better."""
    keeping = set(moment.before.list_good_moves())
    wrong, only = list[tuple[RelatedMoves[M], bool]](), list[tuple[RelatedMoves[M], M]]()
    for kin in moment.game.voice.reasons.related_moves(moment.position, moment.move, keeping):
        worths = {value.outcome for move in kin.moves if (value := moment.before.moves.get(move)) is not None}
        good = [move for move in kin.moves if move in keeping]
        sets_apart = len(good) == len(keeping) and len(kin.moves) + 1 < len(moment.before.moves)
        if kin.right and good and (kin.any_tells or sets_apart):
            # If only one other move shares the part, it is the better move.
            facts = {"kin": kin, "is_right": True}
            yield Claim("Alike", kin.right, facts, names_better=len(kin.moves) == 1, substance=Substance.POINTER)
            return
        if kin.only and len(good) == 1 < len(keeping) and len(kin.moves) > 1:
            only.append((kin, good[0]))
        if kin.wrong and worths and max(worths) is moment.value.outcome:
            wrong.append((kin, len(worths) > 1))
    if wrong:
        kin, some_are_worse = max(wrong, key=lambda found: len(found[0].moves))
        sentence = kin.wrong.format(does="draws at best" if some_are_worse else RESULT_VERBS[moment.value.outcome])
        yield Claim("Alike", sentence, {"kin": kin, "is_right": False}, substance=Substance.RESTATEMENT)
    for kin, better in only[:1]:
        sentence = kin.only.format(move=moment.format_own(better), would_have=_format_would_have(moment))
        yield Claim(
            "OnlyAlike", sentence, {"kin": kin, "better": better}, names_better=True, substance=Substance.POINTER
        )


def _format_would_have(moment: MoveContext[P, M]) -> str:
    return "would have won" if moment.best.outcome is Outcome.WIN else "would have drawn"


def _claim_missed(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Name the better move: one that wins soon, or the only one that keeps the result, even with fewer points."""
    outcome, plies = moment.best.outcome, moment.best.remoteness
    keeping = [move for move, value in moment.before.moves.items() if value and value.outcome is outcome]
    if outcome is Outcome.WIN and plies is not None and plies <= SHORT:
        better, is_only = moment.before.list_best_moves()[0], len(keeping) == 1
        named, when = moment.format_own(better), format_soon(plies)
        sentence = f"Only {named} would have won ({when})." if is_only else f"{named} would have won {when}."
        facts = {"better": better, "plies": plies, "is_only": is_only}
        is_line = plies == 1 and bool(moment.game.voice.reasons.line)
        aims = sorted(find_aims(moment.game, moment.position) or ()) if is_line else []
        discreet = f"Another move wins at once with {aims[0]}." if aims else ""
        substance = Substance.CONCRETE if discreet else Substance.POINTER
        yield Claim("Missed", sentence, facts, names_better=True, while_choosing=discreet, substance=substance)
    elif len(keeping) == 1:
        sentence = f"Only {moment.format_own(keeping[0])} {_format_would_have(moment)}."
        yield Claim("OnlyMove", sentence, {"better": keeping[0]}, names_better=True, substance=Substance.POINTER)


def _claim_points(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """In a game with points, name a best move and say how many points it saves."""
    saved = (moment.best.margin or 0) - (moment.value.margin or 0)
    if saved > 0:
        better = moment.before.list_best_moves()[0]
        sentence = f"{format_best(moment, better)}: it keeps {saved} more {choose_number(saved, 'point')}."
        yield Claim(
            "KeepsMore", sentence, {"better": better, "points": saved}, names_better=True, substance=Substance.POINTER
        )


def format_best(moment: MoveContext[P, M], better: M) -> str:
    """Return `The best move was pit 3`, or the same for one of several good moves."""
    return f"{pick_article(moment).title()} best move was {moment.format_own(better)}"


def pick_article(moment: MoveContext[P, M]) -> str:
    """Return the article before `best move`: `a` if several moves are good."""
    return "the" if len(moment.before.list_good_moves()) == 1 else "a"


def _claim_praise(moment: MoveContext[P, M]) -> Iterator[Claim]:
    """Say what a good move in a drawn position threatens, and how many replies lose."""
    if moment.value.outcome is not Outcome.DRAW or moment.ended is not None or moves_again(moment):
        return
    plies = find_threat(moment)
    if plies is not None:
        yield Claim(
            "Threatens", f"{format_threat(moment.mover, plies)}.", {"plies": plies}, substance=Substance.POINTER
        )
    rest = [move for move, value in moment.after.moves.items() if value and value.outcome is not Outcome.LOSS]
    replies = len(moment.after.moves)
    losing = replies - len(rest)
    if losing and rest:
        only = rest[0] if len(rest) == 1 else None
        if only is None:
            sentence = f"{describe_losing_replies(losing, replies)[0]}."
        elif replies == 2:
            sentence = f"Of the 2 replies, only {moment.format_reply(only)} does not lose."
        else:
            sentence = f"Every reply but {moment.format_reply(only)} loses."
        facts = {"losing": losing, "replies": replies, "only": only}
        yield Claim("Trapped", sentence, facts, is_count=True, substance=Substance.RESTATEMENT)
