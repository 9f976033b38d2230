"""Checks the sentences that all games share in which the sides take turns."""

from __future__ import annotations

import re
from collections.abc import Collection

from tests.reference.truth.facts import PointsSpot, Spot
from tests.reference.truth.kinds import Check, Hinted, Judged, Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
"""The kinds of sentences about moves, of lines in hints, and of remarks about single moves in the last stage of a
hint."""

HOLDING = r"(?P<keeping>\d+) of (?P<count>\d+) moves (?:(?P<verb>gives?) nothing away|(?P<what>wins?|holds? the draw))"
HELD = r"(?P<only>Only )?(?P<keeping>\d+) of the (?P<count>\d+) moves (?P<did>won|held the draw|gave nothing away)"
DOES = {"wins": 1, "draws": 0, "loses": -1}
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
KEPT = {"won": 1, "drawn": 0}
"""What a better move would have done, and the result that it leads to."""


WHEN = r"at once|in \d+ moves"
"""How soon a side wins. One move of one side is one move, and so is each reply to it."""


def parse_moves(when: str) -> int:
    """Return the number of moves in `at once` or `in 5 moves`."""
    return 1 if when == "at once" else int(when.removeprefix("in ").removesuffix(" moves"))


def wins_in(spot: Spot, plies: int) -> bool:
    """Whether the side to move wins in exactly this many plies."""
    return spot.end is None and spot.worth[:2] == (1, plies)


# Sentences about a move.


@MOVES.says(
    r"Now (?P<side>SIDE) wins (?P<when>at once) with (?P<reply>MOVE)\.",
    r"Now (?P<side>SIDE) wins (?P<when>in \d+ moves), starting with (?P<reply>MOVE)\.",
)
def wins_now(judged: Judged, side: str, when: str, reply: str) -> bool:
    is_so = wins_in(judged.child, parse_moves(when)) and judged.child.value(reply)[:2] == (1, parse_moves(when))
    return judged.is_worse and side == judged.spot.other and is_so


@MOVES.says(rf"Now (?P<side>SIDE) wins (?P<when>{WHEN}), but only with (?P<reply>MOVE)\.")
def wins_now_by_one_reply(judged: Judged, side: str, when: str, reply: str) -> bool:
    return wins_now(judged, side, when, reply) and judged.child.list_moves_to(1) == (judged.child.find_move(reply),)


@MOVES.says(r"(?P<side>SIDE)'s only winning reply is (?P<reply>MOVE)\.")
def one_reply_wins(judged: Judged, side: str, reply: str) -> bool:
    return (
        judged.is_worse
        and side == judged.spot.other
        and judged.child.list_moves_to(1) == (judged.child.find_move(reply),)
    )


@MOVES.says(r"(?P<side>SIDE)'s only saving reply is (?P<reply>MOVE)\.")
def one_reply_draws(judged: Judged, side: str, reply: str) -> bool:
    is_only = judged.child.outcome == 0 and judged.child.list_moves_to(0) == (judged.child.find_move(reply),)
    return judged.is_worse and side == judged.spot.other and is_only


# Threats: what a side that is not to move could win by, and how many answers leave it without a win at once.

STOP = r"stops? (?P<what>it|both|all three|all four)"
FEW = rf"(?:only )?(?P<stops>\d+|no)(?: of (?P<count>\d+))? (?:answers?|repl(?:y|ies)) {STOP}"
WHAT = {1: "it", 2: "both", 3: "all three", 4: "all four"}
CANNOT = {1: "", 2: "both ", 3: "all ", 4: "all "}


@MOVES.says(r"After (?P<line>MOVE), (?P<aims>AIMS) cannot (?P<how>both |all |)be stopped\.")
def nothing_stops(judged: Judged, line: str, aims: str, how: str) -> bool:
    there = follow_best_play(judged.child, line)
    named = parse_aims(aims)
    return judged.is_worse and there is not None and is_threat(there, named, 0) and how == CANNOT[len(named)]


@MOVES.says(r"With best play, (?P<aims>AIMS) cannot (?P<how>both |all |)be stopped after (?P<line>MOVES)\.")
def nothing_stops_later(judged: Judged, line: str, aims: str, how: str) -> bool:
    return nothing_stops(judged, line, aims, how)


@MOVES.says(
    rf"After (?P<line>MOVE), (?P<side>SIDE) threatens (?P<aims>AIMS): {FEW}\.",
    rf"With best play, (?P<side>SIDE) threatens (?P<aims>AIMS) after (?P<line>MOVES): {FEW}\.",
)
def few_answers_stop(judged: Judged, line: str, side: str, aims: str, stops: str, count: str, what: str) -> bool:
    there = follow_best_play(judged.child, line)
    is_so = there is not None and there.other == side and few_stop(there, aims, stops, count, what)
    return judged.is_worse and is_so and stops != "no"


@MOVES.says(rf"This move threatens (?P<aims>AIMS), but (?P<stops>\d+) of (?P<count>\d+) repl(?:y|ies) {STOP}\.")
def some_replies_stop(judged: Judged, aims: str, stops: str, count: str, what: str) -> bool:
    return judged.is_worse and few_stop(judged.child, aims, stops, count, what)


@MOVES.says(
    rf"(?P<line>MOVE) would have threatened (?P<aims>AIMS): {FEW}\.",
    rf"With best play, (?P<side>SIDE) would have threatened (?P<aims>AIMS) after (?P<line>MOVES): {FEW}\.",
)
def a_better_move_threatens(
    judged: Judged, line: str, aims: str, stops: str, count: str | None, what: str, side: str = ""
) -> bool:
    there = follow_best_play(judged.spot, line)
    is_so = there is not None and few_stop(there, aims, stops, count, what)
    return judged.is_worse and is_so and side in ("", judged.spot.side)


@MOVES.says(rf"Another move threatens (?P<aims>AIMS): {FEW}\.")
def another_move_threatens(judged: Judged, aims: str, stops: str, count: str | None, what: str) -> bool:
    return judged.is_worse and some_line_leads_to(judged.spot, 1, aims, stops, count, what)


@MOVES.says(rf"Another move prepares (?P<aims>AIMS): after (?P<moves>[35]) moves of best play, {FEW}\.")
def another_move_prepares(judged: Judged, aims: str, moves: str, stops: str, count: str | None, what: str) -> bool:
    return judged.is_worse and some_line_leads_to(judged.spot, int(moves), aims, stops, count, what)


@MOVES.says(r"Another move wins at once with (?P<aim>AIM)\.")
def another_move_fills_a_line(judged: Judged, aim: str) -> bool:
    return judged.is_worse and aim in find_winning_aims(judged.spot)


def parse_aims(text: str) -> set[str]:
    """Return the aims in `four in row 1 and column c`, each as if it stood alone."""
    first, *rest = re.split(", | and ", text)
    lead = f"{first.split(' in ')[0]} in " if " in " in first else ""
    return {first, *(lead + each.removeprefix(lead) for each in rest)}


def follow_best_play(spot: Spot, line: str) -> Spot | None:
    """Return the position after printed moves in a row, or `None` if one of them is not a best move."""
    for printed in re.split(", | and ", line):
        move = spot.find_move(printed)
        if move not in spot.best:
            return None
        spot = spot.children[move]
    return spot


def few_stop(spot: Spot, aims: str, stops: str, count: str | None, what: str) -> bool:
    named = parse_aims(aims)
    is_counted = count is None if stops == "no" else count == str(len(spot.children))
    return is_counted and what == WHAT[len(named)] and is_threat(spot, named, 0 if stops == "no" else int(stops))


def is_threat(spot: Spot, aims: set[str], stops: int) -> bool:
    """Whether this many answers leave the side that is not to move without a win at once, and at most a third of all.
    After every other answer it has one of the aims, or can reach it at once. Each aim is needed for that."""
    won = list[set[str]]()
    for number, answer in enumerate(spot.children.values(), start=1):
        if (reached := list_threatened(answer)) is not None:
            won.append(reached)
        if number - len(won) > stops or (reached is not None and not aims & reached):
            return False
    is_needed = all(any(aims & reached == {aim} for reached in won) for aim in aims)
    return len(spot.children) - len(won) == stops and 3 * stops <= len(spot.children) and is_needed


def list_threatened(spot: Spot) -> set[str] | None:
    """Return the aims of the side to move that it has reached or can reach at once. `None` if it does not win."""
    if spot.end is not None:
        return spot.achieved(spot.side) if spot.end > 0 else None
    wins = any(child.end is not None and child.end < 0 for child in spot.children.values())
    return find_winning_aims(spot) if wins else None


def some_line_leads_to(spot: Spot, moves: int, aims: str, stops: str, count: str | None, what: str) -> bool:
    """Whether best moves in a row, of both sides, can lead to such a threat."""
    reached = {spot.position: spot}
    for _ in range(moves):
        lines = [(there, move) for there in reached.values() for move in there.best]
        reached = {there.children[move].position: there.children[move] for there, move in lines}
    return any(few_stop(there, aims, stops, count, what) for there in reached.values())


def find_winning_aims(spot: Spot) -> set[str]:
    """Return the aims with which the side to move can win at once."""
    wins = (move for move, child in spot.children.items() if child.end is not None and child.end < 0)
    return {aim for move in wins for aim in spot.aims(move)}


@MOVES.says(r"Only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_move_keeps(judged: Judged, better: str, kept: str) -> bool:
    is_only = judged.spot.list_moves_to(judged.spot.outcome) == (judged.spot.find_move(better),)
    return judged.is_worse and is_only and KEPT[kept] == judged.spot.outcome


@MOVES.says(rf"(?P<better>MOVE) would have won (?P<when>{WHEN})\.")
def another_move_wins(judged: Judged, better: str, when: str) -> bool:
    return judged.is_worse and judged.spot.value(better)[:2] == (1, parse_moves(when))


@MOVES.says(rf"Only (?P<better>MOVE) would have won \((?P<when>{WHEN})\)\.")
def one_move_wins(judged: Judged, better: str, when: str) -> bool:
    return another_move_wins(judged, better, when) and one_move_keeps(judged, better, "won")


@MOVES.says(r"(?P<which>The|A) best move was (?P<better>MOVE): it keeps (?P<points>\d+) more points?\.")
def another_move_keeps_points(judged: Judged, which: str, better: str, points: str) -> bool:
    saved = (judged.spot.value(better).margin or 0) - (judged.spot.values[judged.move].margin or 0)
    return judged.is_slip and is_best(judged.spot, better, which) and saved == int(points)


def is_best(spot: Spot, better: str, which: str) -> bool:
    """Whether this is the only good move (`The`), or the best one of several (`A`)."""
    return spot.find_move(better) in spot.best and (which == "The") == (len(spot.good_moves) == 1)


@MOVES.says(rf"{HOLDING}\.")
def so_many_hold(judged: Judged, keeping: str, count: str, verb: str | None, what: str | None) -> bool:
    return judged.is_slip and hold(judged.spot, keeping, count, verb, what)


@MOVES.says(rf"{HELD}\.")
def so_many_held(judged: Judged, only: str | None, keeping: str, count: str, did: str) -> bool:
    wanted = isinstance(judged.spot, PointsSpot) if "gave" in did else judged.spot.outcome == (1 if did == "won" else 0)
    return judged.is_slip and wanted and counts(judged.spot, keeping, count) and (only is not None) == (keeping == "1")


def hold(spot: Spot, keeping: str, count: str, verb: str | None, what: str | None) -> bool:
    """Whether this many moves win, hold the draw or give no points away, as the words say."""
    does = verb or what or ""
    is_named = isinstance(spot, PointsSpot) if verb else spot.outcome == (1 if does.startswith("win") else 0)
    is_plural = not does.split()[0].endswith("s")
    return is_named and counts(spot, keeping, count) and is_plural == (int(keeping) != 1)


def counts(spot: Spot, keeping: str, count: str) -> bool:
    """Whether this many of this many moves keep everything."""
    return (len(spot.good_moves), len(spot.values)) == (int(keeping), int(count))


@MOVES.says(r"(?P<losing>\d+) of (?P<count>\d+) replies (?P<verb>loses?)\.")
def so_many_replies_lose(judged: Judged, losing: str, count: str, verb: str) -> bool:
    return not judged.is_slip and replies_lose(judged.child, losing, count, verb)


def replies_lose(spot: Spot, losing: str, count: str, verb: str) -> bool:
    """Whether this many of this many moves lose. At least one must."""
    is_so = (len(spot.list_moves_to(-1)), len(spot.values)) == (int(losing), int(count))
    return is_so and int(losing) > 0 and (verb == "loses") == (int(losing) == 1)


@MOVES.says(r"Every reply but (?P<only>MOVE) loses\.")
def all_replies_but_one_lose(judged: Judged, only: str) -> bool:
    """There are more than two replies. With two, the sentence would be worded differently."""
    return one_reply_holds(judged, only) and len(judged.child.values) > 2


@MOVES.says(r"Of the 2 replies, only (?P<only>MOVE) does not lose\.")
def one_of_two_replies_holds(judged: Judged, only: str) -> bool:
    return one_reply_holds(judged, only) and len(judged.child.values) == 2


def one_reply_holds(judged: Judged, only: str) -> bool:
    """Whether this is the only reply to a good move that does not lose."""
    rest = [move for move, worth in judged.child.values.items() if worth.outcome > -1]
    return not judged.is_slip and rest == [judged.child.find_move(only)]


# Verdicts that say how far away the end is. The moves of both sides count, from before the move.

BY = r"(?P<by>1 move|\d+ moves)"


SLOW = 5
"""A win that takes this many moves longer, or a loss that comes as much sooner, is an inaccuracy."""


def differs_by(judged: Judged, how: str, by: str, outcome: int) -> bool:
    """Whether the move keeps this outcome, ends the game so many moves later or sooner than the best one, and is called
    by the right name."""
    spot, number = judged.spot, int(by.split(maxsplit=1)[0])
    best = max(spot.values.values(), key=lambda worth: worth.rank)
    found = spot.values[judged.move]
    longer = outcome * ((found.plies or 0) - (best.plies or 0))
    is_settled = spot.list_moves_to(outcome) == tuple(spot.values)
    name = "Inaccuracy" if number >= SLOW else "Every" if is_settled and outcome > 0 else "A good"
    is_named = how.startswith("Already" if outcome < 0 and number < SLOW else name)
    return best.outcome == found.outcome == outcome and longer == number and is_named


@MOVES.says(rf"(?P<how>Inaccuracy: the|A good move, but the|Every move kept the win\. The) win takes {BY} longer\.")
def win_takes_longer(judged: Judged, how: str, by: str) -> bool:
    return differs_by(judged, how, by, 1)


@MOVES.says(rf"(?P<how>Inaccuracy: the|Already lost\. The) loss comes {BY} sooner\.")
def loss_comes_sooner(judged: Judged, how: str, by: str) -> bool:
    return differs_by(judged, how, by, -1)


@MOVES.says(r"You (?P<did>had|threw away) a win in (?P<far>1 move|\d+ moves)\.")
def win_was_given_away(judged: Judged, did: str, far: str) -> bool:
    is_worth = judged.worth == (0 if did == "had" else -1)
    return is_worth and wins_in(judged.spot, int(far.split(maxsplit=1)[0]))


@MOVES.says(rf"You could have won (?P<when>{WHEN})\.")
def short_win_was_passed_over(judged: Judged, when: str) -> bool:
    found = judged.spot.values[judged.move]
    return wins_in(judged.spot, parse_moves(when)) and found.outcome == 1 and (found.plies or 0) > parse_moves(when)


# Moves that share a part with the one that was played.


def end_so(spot: Spot, moves: Collection[str], does: str) -> bool:
    """Whether these moves all do what is said, and some other move does better. There must be several of them."""
    results = {spot.values[move].outcome for move in moves}
    is_so = {"loses": results == {-1}, "only draws": results == {0}, "draws at best": results == {0, -1}}[does]
    return is_so and max(results) < spot.outcome and 1 < len(moves) < len(spot.values)


def was_right(judged: Judged, moves: Collection[str]) -> bool:
    """Whether all moves that keep the result are among these, but the played one does not. Some moves must not be among
    these."""
    return judged.is_worse and set(judged.spot.good_moves) <= set(moves) < set(judged.spot.values)


def one_kept(judged: Judged, moves: Collection[str], better: str, kept: str) -> bool:
    """Whether exactly one of these moves keeps the result."""
    good = [move for move in moves if move in judged.spot.good_moves]
    return (
        judged.is_worse
        and good == [judged.spot.find_move(better)]
        and KEPT[kept] == judged.spot.outcome
        and len(moves) > 2
    )


# Lines of a hint.


@HINTS.says(rf"(?P<worth>WORTH)\. {HOLDING}\.")
def worth_and_count(hinted: Hinted, worth: str, keeping: str, count: str, verb: str | None, what: str | None) -> bool:
    return is_worth(hinted.spot, worth) and hold(hinted.spot, keeping, count, verb, what) and keeping != count


@HINTS.says(r"(?P<worth>WORTH)\. Every move (?P<what>is equally good|wins|draws|loses)\.")
def worth_of_every_move(hinted: Hinted, worth: str, what: str) -> bool:
    spot = hinted.spot
    is_so = spot.list_moves_to(DOES[what]) if what in DOES else spot.good_moves
    return is_worth(spot, worth) and len(is_so) == len(spot.good_moves) == len(spot.values) > 1


@HINTS.says(r"(?P<worth>WORTH)\. There is only one move\.")
def worth_of_the_only_move(hinted: Hinted, worth: str) -> bool:
    return is_worth(hinted.spot, worth) and len(hinted.spot.values) == 1


def is_worth(spot: Spot, words: str) -> bool:
    """Whether a position has the value with which a hint begins, such as `Win in 5 moves`, `Draw` or `Win by 4, or at
    once`."""
    if isinstance(spot, PointsSpot) and spot.ends_won:
        if set(spot.good_moves) == set(spot.ends_won):
            return words == "Win at once"
        return words.endswith(", or at once") and is_value(spot, words.removesuffix(", or at once"))
    return is_value(spot, words)


def is_value(spot: Spot, words: str) -> bool:
    """Whether the best move has this value, apart from moves that win at once."""
    top = max((spot.values[move] for move in spot.values), key=lambda worth: worth.rank)
    return words.lower() == describe_value(spot, top.outcome, top.plies, top.margin)


def describe_value(spot: Spot, outcome: int, plies: int | None, margin: int | None) -> str:
    """Return the value for the side to move as `win in 5 moves`, `draw` or, with the final difference of points, `loss
    by 12`."""
    word = next(name for name, each in OUTCOMES.items() if each == outcome)
    if margin is None:
        return f"{word} in {plies} move{'' if plies == 1 else 's'}" if outcome else word
    assert isinstance(spot, PointsSpot)
    final = spot.lead + margin
    return f"{word} by {abs(final)}" if final else word


def is_move_worth(spot: Spot, move: str, words: str) -> bool:
    """Whether a move has the printed value, such as `win in 5 moves`, `loss by 12` or, beside a board, `W5` and `-12`.
    A move that ends a game with points may be called a win at once. Points that nobody can make any more then do not
    count."""
    outcome, plies, margin = spot.values[move]
    child = spot.children[move]
    if not isinstance(spot, PointsSpot):
        return words in (
            describe_value(spot, outcome, plies, margin),
            "LDW"[outcome + 1] + (str(plies) if outcome else ""),
        )
    final = spot.lead + (margin or 0) if child.end is None else -child.end
    at_once = [f"{describe_value(spot, outcome, None, None).split(' ')[0]} at once", "won" if outcome > 0 else "lost"]
    by_points = [describe_value(spot, outcome, None, final - spot.lead), f"{final:+d}" if final else "0"]
    return words in by_points or (child.end is not None and outcome != 0 and words in at_once)


@HINTS.says(r"Consider moves that start with (?:a |pit )?(?P<targets>.+?)(?: piece)?\.")
def begins_with(hinted: Hinted, targets: str) -> bool:
    """The best moves begin with these targets, and not all other moves do. If moves have several parts, each target
    begins some best move. Otherwise the targets are a part of the board."""
    spot, listed = hinted.spot, re.split(", | or ", targets)
    begun, possible = list_first_parts(hinted)
    has_parts = any(spot.first_part(move) != move for move in hinted.shown)
    is_so = begun == set(listed) if has_parts else begun <= set(listed)
    return is_so and set(listed) < possible and len(set(listed)) == len(listed)


def list_first_parts(hinted: Hinted) -> tuple[set[str], set[str]]:
    """Return the first parts of the best moves, and those of all moves."""
    spot = hinted.spot
    return {spot.first_part(move) for move in hinted.shown}, {spot.first_part(move) for move in spot.values}


@HINTS.says(r"Look for the best move in (?P<some>\d+) of the (?P<count>\d+) places\.")
def begins_at_so_many(hinted: Hinted, some: str, count: str) -> bool:
    """The best moves begin in this many places or, if one place is a whole move, in some of them."""
    begun, possible = list_first_parts(hinted)
    return len(begun) <= int(some) < int(count) == len(possible)


@HINTS.says(r"A best move can begin anywhere\.")
def begins_anywhere(hinted: Hinted) -> bool:
    begun, possible = list_first_parts(hinted)
    return begun == possible


# What the moves that keep the value have in common. It must distinguish them from the others.


@HINTS.says(r"The only good move (?P<does>DOES)\.")
def the_one_does(hinted: Hinted, does: str) -> bool:
    return len(hinted.spot.good_moves) == 1 and count_moves_that(hinted.spot, does) == (1, 1)


@HINTS.says(r"The only good move does not (?P<do>DO)\.")
def the_one_does_not(hinted: Hinted, do: str) -> bool:
    return len(hinted.spot.good_moves) == 1 and count_moves_that(hinted.spot, do) == (0, 1)


@HINTS.says(r"Both good moves (?P<do>DO)\.", r"All (?P<count>\d+) good moves (?P<do>DO)\.")
def all_do(hinted: Hinted, do: str, count: str = "2") -> bool:
    size = int(count)
    return len(hinted.spot.good_moves) == size > 1 and count_moves_that(hinted.spot, do) == (size, size)


@HINTS.says(r"(?P<some>\d+) of the (?P<count>\d+) good moves (?:(?P<does>DOES)|(?P<do>DO))\.")
def some_do(hinted: Hinted, some: str, count: str, does: str | None, do: str | None) -> bool:
    is_plural = int(some) > 1
    phrase = do if is_plural else does
    return (
        phrase is not None
        and 0 < int(some) < int(count)
        and count_moves_that(hinted.spot, phrase) == (int(some), int(count))
    )


@HINTS.says(r"Every move that (?P<does>DOES) is good\.")
def who_does_keeps(hinted: Hinted, does: str) -> bool:
    doers = [move for move in hinted.spot.values if hinted.spot.does(does, move)]
    return bool(doers) and set(doers) <= set(hinted.spot.good_moves) < set(hinted.spot.values)


@HINTS.says(r"No good move (?P<does>DOES)\.")
def none_does(hinted: Hinted, does: str) -> bool:
    return len(hinted.spot.good_moves) > 1 and count_moves_that(hinted.spot, does)[0] == 0


def count_moves_that(spot: Spot, phrase: str) -> tuple[int, int]:
    """Return how many moves that keep the value do what a phrase says, and how many there are. Return (-1, -1) if the
    phrase fits the other moves equally often."""
    some, count = sum(spot.does(phrase, move) for move in spot.good_moves), len(spot.good_moves)
    every = sum(spot.does(phrase, move) for move in spot.values)
    return (some, count) if some * len(spot.values) != every * count else (-1, -1)


def check_all_keepers(phrase: str, yes: bool = True) -> Check:
    """Return a check that all moves that keep the value do something, or that none of them does."""

    def check(hinted: Hinted) -> bool:
        some, count = count_moves_that(hinted.spot, phrase)
        return some == (count if yes else 0)

    return check


# What the last stage says about single moves.


@REMARKS.says(r"(?P<losing>\d+) of (?P<count>\d+)(?: replies)? (?P<verb>loses?)")
def replies_to_it_lose(judged: Judged, losing: str, count: str, verb: str) -> bool:
    return replies_lose(judged.child, losing, count, verb)
