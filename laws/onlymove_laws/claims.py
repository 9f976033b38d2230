"""Checks every sentence about a move independently. Each claim is derived again from the values of single positions,
without the coach's code.

Words of a sentence that depend on values are checked too. `OWN` in a game's `tests/games/<game>/claims_law.py` maps the
kinds of the game's own claims to tests of their truth. `parts` in that file lists the other moves that share a part
with a move. `says_what_is_true` is optional and checks words that depend on more than the kind of the claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from onlymove_engines.coach.reasons import SHORT
from onlymove_engines.coach.threats import Threat
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame, Claim, GameReasons
from onlymove_engines.core.value import Outcome, Value
from onlymove_engines.play.tree import Conventions

from .law import analyse_once, load_game_law

Line: TypeAlias = Sequence[Any]
"""The positions of a game, oldest first. The last one is the one in question."""


@dataclass
class Case:
    """A move of a game, the positions before it (`past`, oldest first), and what single positions are worth. Values
    here ignore the past. A subclass for a game in progress overrides `worth` and `values`."""

    game: AnyGame
    analyst: AlternatingAnalyst
    position: Any
    move: Any
    past: Line = ()

    def worth(self, line: Line) -> Value:
        """Return the value of the last position of a line for its side to move."""
        known = self.analyst.probe(line[-1]) or analyse_once(self.game.id, line[-1]).value
        assert isinstance(known, Value), line[-1]
        return known

    def values(self, line: Line) -> Mapping[Any, Value | None]:
        """Return what each move at the end of a line is worth to the side that plays it, including points."""
        return analyse_once(self.game.id, line[-1]).moves

    def outcomes(self, line: Line) -> Mapping[Any, Outcome]:
        """Return the outcome of each move for the side that plays it. That side may move again after it."""
        rules, found = self.game.rules, dict[Any, Outcome]()
        for move in rules.legal_moves(line[-1]):
            after = self.extend(line, move)
            sign = 1 if rules.to_move(after[-1]) == rules.to_move(line[-1]) else -1
            found[move] = Outcome(sign * self.worth(after).outcome)
        return found

    def ends_won(self, line: Line) -> frozenset[Any]:
        """Return the moves that end a game with points as a win. The points that other moves still promise can then no
        longer be made."""
        rules = self.game.rules
        if self.game.play.points is None:
            return frozenset()
        ends = {move: rules.result(self.extend(line, move)[-1]) for move in rules.legal_moves(line[-1])}
        return frozenset(move for move, end in ends.items() if end and end.winner == rules.to_move(line[-1]))

    def extend(self, line: Line, move: Any) -> Line:
        return (*line, self.game.rules.play(line[-1], move))

    @property
    def line(self) -> Line:
        return (*self.past, self.position)

    @cached_property
    def own(self) -> Mapping[Any, Outcome]:
        return self.outcomes(self.line)

    @cached_property
    def child_line(self) -> Line:
        return self.extend(self.line, self.move)

    @property
    def child(self) -> Any:
        return self.child_line[-1]

    @cached_property
    def replies(self) -> Mapping[Any, Outcome]:
        return self.outcomes(self.child_line)

    @cached_property
    def outcomes_after_pass(self) -> Mapping[Any, Outcome]:
        """Return what the other side's moves would be worth if this side had passed."""
        return self.outcomes((*self.line, self.game.voice.reasons.passed(self.position)))

    def plies_of(self, line: Line, move: Any) -> int | None:
        """Return in how many plies a winning move wins."""
        after = self.worth(self.extend(line, move))
        return None if after.remoteness is None else after.remoteness + 1

    def is_only_reply(self, reply: Any) -> bool:
        """Whether `reply` is the only reply that punishes the move. Any other gives the opponent no more than the
        mover's best move would."""
        rest = [worth for move, worth in self.replies.items() if move != reply]
        return bool(rest) and max(rest) <= -max(self.own.values()) < self.replies[reply]

    def would_win_in(self, plies: int) -> bool:
        """Whether the side that moved would win in this many plies if it moved again."""
        again = self.game.voice.reasons.passed(self.child)
        worth = self.worth((*self.child_line, again))
        is_ours = self.game.rules.to_move(again) == self.game.rules.to_move(self.position)
        return is_ours and worth.outcome == 1 and worth.remoteness == plies <= SHORT

    def follow_best_play(self, line: Line, moves: Sequence[Any]) -> Line | None:
        """Return the line after these moves, or `None` if one of them is not a best move."""
        for move in moves:
            worths = {each: self.worth_of(line, each) for each in self.game.rules.legal_moves(line[-1])}
            if worths[move] != max(worths.values()):
                return None
            line = self.extend(line, move)
        return line

    def worth_of(self, line: Line, move: Any) -> tuple[int, int]:
        """Return the outcome of a move for the side that plays it, and how well it delays or hastens the end."""
        after = self.worth(self.extend(line, move))
        return -after.outcome, after.outcome * (after.remoteness or 0)

    def is_threat(self, line: Line, threat: Threat) -> bool:
        """Whether the side that is not to move threatens just that, by trying every answer and every move after it."""
        rules, won = self.game.rules, list[Set[str]]()
        for answer in rules.legal_moves(line[-1]):
            then = self.extend(line, answer)
            if (reached := self.find_reached(then[-1], 1 - (rules.to_move(line[-1]) or 0))) is not None:
                won.append(reached)
        named = {*threat.aims}
        is_covered = all(named & reached for reached in won)
        is_needed = all(any(named & reached == {aim} for reached in won) for aim in named)
        answers = len(rules.legal_moves(line[-1]))
        return is_covered and is_needed and (threat.stops, threat.answers) == (answers - len(won), answers)

    def find_reached(self, position: Any, seat: int) -> Set[str] | None:
        """Return what a side has won by, or can win by with its next move. `None` if neither."""
        rules, reasons = self.game.rules, self.game.voice.reasons
        if (end := rules.result(position)) is not None:
            return {*reasons.achieved(position, end.winner)} if end.winner == seat else None
        ends = {move: rules.result(rules.play(position, move)) for move in rules.legal_moves(position)}
        wins = [move for move, end in ends.items() if end is not None and end.winner == seat]
        return {aim for move in wins for aim in reasons.aims(position, move)} if wins else None


def is_true(case: Case, claim: Claim) -> bool:
    """Whether a claim is true, and its sentence says no more than the claim. A claim that names a part of the move must
    take all moves with that part into account. A game without claims of its own needs no `claims_law`."""
    law = None if case.game.voice.reasons == GameReasons() else load_game_law(case.game, "claims_law")
    if kin := claim.facts.get("kin"):
        part = None if law is None else law.parts(case).get(frozenset(kin.moves))
        if part is None or part not in kin.right + kin.wrong + kin.only:
            return False
    if not are_words_true(case, claim):
        return False
    says = getattr(law, "says_what_is_true", None)
    if says is not None and not says(case, claim.sentence):
        return False
    holds = is_fact(case, claim)
    return bool(law is not None and law.OWN[claim.kind](case, claim)) if holds is None else holds


def are_words_true(case: Case, claim: Claim) -> bool:
    """Whether the words that depend on values are right. True for claims without such words."""
    match claim.kind, claim.facts:
        case "Alike", {"kin": kin, "is_right": False}:
            worths = {case.own[move] for move in (case.move, *kin.moves)}
            says = [words for words in ("loses", "only draws", "draws at best") if words in claim.sentence]
            return says == ["draws at best" if len(worths) > 1 else "only draws" if worths == {0} else "loses"]
        case "Ended", _:
            end = Conventions(case.game).result(case.child_line)
            winner = "" if end is None or end.winner is None else case.game.seats[end.winner]
            return (f"{winner} wins" if winner else "in a draw") in claim.sentence
        case "Trapped", {"replies": replies}:
            return "very reply but" not in claim.sentence or replies > 2
        case "Opened", _:
            could = max(case.outcomes_after_pass.values())
            return ("had no threat" in claim.sentence) == (could <= -max(case.own.values()))
        case "TooLate", {"plies": plies}:
            wins_in = case.worth(case.child_line).remoteness
            is_first = case.own[case.move] == -1 and wins_in is not None and wins_in <= plies
            can_win = case.own[case.move] == -1 and not is_first
            return ("wins first" in claim.sentence, "can stop it and win" in claim.sentence) == (is_first, can_win)
    return True


OF_REPLIES = {
    "Punished",
    "OnlyReply",
    "Unstoppable",
    "Threat",
    "Stopped",
    "Trapped",
    "Ignored",
    "Opened",
    "TooLate",
    "Threatens",
}
"""The kinds of claims that speak of what the opponent does next. So it must be the opponent's turn."""


def is_fact(case: Case, claim: Claim) -> bool | None:
    """Whether a claim about moves, replies or passing is true, or `None` for one of a game's own claims."""
    to_move = case.game.rules.to_move
    if claim.kind in OF_REPLIES and to_move(case.child) == to_move(case.position):
        return False
    best, got = max(case.own.values()), case.own[case.move]
    match claim.kind, claim.facts:
        case "Ended", {"reason": reason}:
            end = Conventions(case.game).result(case.child_line)
            return end is not None and end.reason == reason
        case "Alike", {"kin": kin, "is_right": True}:
            keeps = {move for move, worth in case.own.items() if worth == best}
            sets_apart = keeps <= {*kin.moves} and {case.move, *kin.moves} < case.own.keys()
            return got < best and bool(keeps & {*kin.moves}) and (kin.any_tells or sets_apart)
        case "Alike", {"kin": kin}:
            return max(case.own[move] for move in kin.moves) == got < best and case.move not in kin.moves
        case "OnlyAlike", {"kin": kin, "better": better}:
            good = [move for move, worth in case.own.items() if worth == best > got]
            return len(good) > 1 and [move for move in good if move in kin.moves] == [better]
        case "Missed", {"better": better, "plies": plies, "is_only": is_only}:
            only = sum(worth == 1 for worth in case.own.values()) == 1
            return case.own[better] == 1 and case.plies_of(case.line, better) == plies <= SHORT and only == is_only
        case "OnlyMove", {"better": better}:
            return [move for move, worth in case.own.items() if worth == best] == [better]
        case "KeepsMore", {"better": better, "points": points}:
            theirs, ours = (case.values(case.line)[move] for move in (better, case.move))
            return theirs is not None and ours is not None and (theirs.margin or 0) - (ours.margin or 0) == points > 0
        case "Counted", {"keeping": keeping, "moves": moves}:
            ends = case.ends_won(case.line)
            values = {move: value for move, value in case.values(case.line).items() if value}
            kept = {move: value.outcome if value.margin is None else value.margin for move, value in values.items()}
            count = sum(move in ends or worth == max(kept.values()) for move, worth in kept.items())
            return (count, len(kept)) == (keeping, moves)
        case "Punished", {"reply": reply, "plies": plies, "is_only": is_only}:
            quickest = min(case.plies_of(case.child_line, move) or 999 for move, w in case.replies.items() if w == 1)
            of_this = case.plies_of(case.child_line, reply)
            only = case.is_only_reply(reply)
            return bool(case.replies[reply] == 1 and of_this == plies == quickest <= SHORT and only == is_only)
        case "OnlyReply", {"reply": reply, "outcome": outcome}:
            return case.is_only_reply(reply) and bool(case.replies[reply] == outcome)
        case (("Unstoppable" | "Threat"), {"moves": moves, "threat": threat}):
            there = case.follow_best_play(case.child_line, moves)
            is_right_kind = (claim.kind == "Unstoppable") == (threat.stops == 0)
            return got < best and is_right_kind and there is not None and case.is_threat(there, threat)
        case "MissedThreat", {"better": better, "moves": moves, "threat": threat}:
            there = case.follow_best_play(case.line, moves)
            return got < best and better == moves[0] and there is not None and case.is_threat(there, threat)
        case "Stopped", {"threat": threat}:
            return got < best and case.is_threat(case.child_line, threat)
        case "Trapped", {"losing": losing, "replies": replies, "only": only}:
            rest = [move for move, worth in case.replies.items() if worth > -1]
            return len(case.replies) - len(rest) == losing and len(case.replies) == replies and only in (None, *rest)
        case "Ignored", {"reply": reply}:
            return case.outcomes_after_pass[reply] == 1 and case.replies[reply] == 1
        case "Opened", _:
            return max(case.outcomes_after_pass.values()) < 1 and max(case.replies.values()) == 1
        case "TooLate", {"plies": plies}:
            return case.would_win_in(plies) and got < best
        case "Threatens", {"plies": plies}:
            return case.would_win_in(plies)
    return None
