"""The coach of Ayòayò: hints about captures and about where to sow, and reasons why a move is bad."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from onlymove_engines.coach.hint import Trait, find_telling
from onlymove_engines.coach.reasons import format_best, pick_article
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes, Ranked, alternating
from onlymove_engines.core.game import Claim, GameReasons, MoveContext, Substance
from onlymove_engines.core.value import Seat, other
from onlymove_engines.core.words import format_soon

from . import rules, styles
from .analyst import AyoayoAnalyst
from .rules import CELLS, Cell, Position, preview

HALF = len(CELLS) // 2
CAPTURE, GIVE = "capture", "let your opponent capture"

Gain: TypeAlias = tuple[int, int]
"""How many seeds a move captures at once, for the side that plays it and for the other side."""


def describe_moves(position: Position, analysis: Analysis[Cell], analyst: AnyAnalyst) -> HintNotes[Cell]:
    """Return what the coach adds to hints. The first two stages name no pit."""
    best = analysis.list_best_moves()
    if not best:
        return HintNotes()
    assert isinstance(analyst, AyoayoAnalyst)
    progress = styles.find_exact_moves(position, analysis, analyst)
    ranked = (*progress, *(move for move in best if move not in progress))
    gains = {move: count_gain(position, move) for move in analysis.moves}
    shown, good = [gains[move] for move in {*best, *analysis.ends_won}], analysis.list_good_moves()
    says_captures, says_gives = len(good) == 1 or not any(own for own, _ in shown), all(theirs for _, theirs in shown)
    is_said = {CAPTURE: says_captures, GIVE: says_gives}
    traits = [trait for trait in list_traits(position) if not is_said.get(trait.do)]
    area = (describe_captures(shown, gains.values()), *find_telling(traits, good, tuple(analysis.moves)))
    return HintNotes(area, {move: describe_move(position, move) for move in analysis.moves}, ranked)


def count_gain(position: Position, move: Cell) -> Gain:
    look, mover = preview(position, move), position.to_move
    return look.captured(mover), look.captured(other(mover))


def describe_captures(best: Collection[Gain], every: Collection[Gain]) -> str:
    """Say what the best moves capture at once, and whether any move captures, without naming pits."""
    own, theirs = max(best, key=lambda gain: (gain[0] - gain[1], gain[0]))
    if own > theirs:
        which = "The best move" if len(best) == 1 else "One of the best moves"
        return f"{which} captures {own} seeds" + (f" and lets your opponent capture {theirs}." if theirs else ".")
    if own < theirs and len(best) == 1:
        gain = f"captures {own} seeds and " if own else ""
        return f"Even the best move {gain}lets your opponent capture {theirs}{'' if own else ' seeds'}."
    if own < theirs:
        least = min(theirs for _, theirs in best)
        return f"Even the best moves let your opponent capture {least} seeds or more."
    if any(own for own, _ in best):
        return "No best move captures more than it lets your opponent capture."
    return "No best move captures anything." if any(own for own, _ in every) else "No move captures anything yet."


def list_traits(position: Position) -> tuple[Trait[Cell], ...]:
    """List the traits that hints mention. They name no pit."""
    mover = position.to_move
    looks = {cell: preview(position, cell) for cell in rules.legal_moves(position)}
    return (
        Trait(
            "start in pits 1 to 3",
            lambda cell: cell < HALF,
            "Sow from one of pits 1 to 3.",
            "Sow from one of pits 4 to 6.",
        ),
        Trait(
            "end in your own row",
            lambda cell: rules.owner(looks[cell].last) == mover,
            "Let the last seed fall in your own row.",
            "Let the last seed fall in the other row.",
        ),
        Trait(CAPTURE, lambda cell: looks[cell].captured(mover) > 0),
        Trait(GIVE, lambda cell: looks[cell].captured(other(mover)) > 0),
        Trait("make a relay", lambda cell: looks[cell].relays > 0),
    )


def describe_move(position: Position, move: Cell) -> tuple[str, ...]:
    """Say what a move does at once, as in `captures 8, gives 4, ends in the other row`. Shorter versions follow, such
    as `takes 8, gives 4, ends across`. The shortest is `8 for 4`."""
    look, mover = preview(position, move), position.to_move
    own, theirs = look.captured(mover), look.captured(other(mover))
    gives = [f"gives {theirs}"] * (theirs > 0)
    full = [f"captures {own}"] * (own > 0) + gives or ["no capture"]
    parts = [f"takes {own}"] * (own > 0) + gives or ["no capture"]
    shortest = f"{own} for {theirs}" if own and theirs else parts[0]
    where, end = ("in your own row", "at home") if rules.owner(look.last) == mover else ("in the other row", "across")
    return ", ".join((*full, f"ends {where}")), ", ".join((*parts, f"ends {end}")), ", ".join(parts), shortest


AnyMoveContext: TypeAlias = MoveContext[Position, Cell]
Line: TypeAlias = tuple[Cell, ...]

SHOWN = 3
"""How many plies of best play are written out."""
FOUR = 4
"""How many seeds in a pit are captured."""
MAX_PLIES = 24
"""How many plies of best play are searched for a capture."""


class Capture(NamedTuple):
    """Best play up to the next capture, who gains by it, and how many seeds each side gets. The line begins before the
    move that is judged."""

    line: Line
    taker: Seat
    seeds: int
    given: int = 0
    is_sown: bool = True
    """Whether the side that gains makes the last move."""

    @property
    def size(self) -> str:
        return f"{self.seeds} seeds in return for {self.given}" if self.given else f"{self.seeds} seeds"


def find_reasons(moment: AnyMoveContext) -> Iterator[Claim]:
    """Yield claims about what the move, the best moves and the best replies capture."""
    position, seat = moment.position, moment.seat
    own, given = count_gain(position, moment.move)
    gains = [count_gain(position, move) for move in moment.before.list_best_moves()]
    could, least = max(own for own, _ in gains), min(given for _, given in gains)
    if given > least:
        needed = f", while a best move gives only {least}" if least else ""
        sentence = f"This sowing gives {moment.opponent} {given} seeds{needed}."
        yield Claim("Feeds", sentence, {"seeds": given, "least": least}, substance=Substance.CONCRETE)
    if could > own:
        best = f"{pick_article(moment)} best move"
        sentence = f"This move captures {own or 'nothing'}, but {best} captures {could} seeds."
        yield Claim("TakesLess", sentence, {"seeds": own, "could": could}, substance=Substance.CONCRETE)
        better = find_nearest(moment, position, moment.before)
        gain = count_gain(position, better)
        gives = f" and gives {gain[1]}" if gain[1] else ""
        sentence = f"{format_best(moment, better)}: it captures {gain[0]} seeds{gives}."
        yield Claim(
            "Captures", sentence, {"better": better, "gain": gain}, names_better=True, substance=Substance.CONCRETE
        )
    yield from find_last_seeds(moment)
    after = find_next_capture(moment, (moment.move,))
    if after is not None and after.taker != seat and len(after.line) <= 1 + SHOWN:
        yield claim_taken(moment, after)
    elif not (own or given):
        yield from find_turn(moment, after)


def find_last_seeds(moment: AnyMoveContext) -> Iterator[Claim]:
    """Say if the opponent gets all seeds that are left, where another move prevents it, or the mover does not get them,
    where another move does. At most four are left, so that they go to one side at once, by a capture or when a side
    cannot move."""
    left = sum(moment.position.pits)
    if left > FOUR:
        return
    if moment.value.margin == -left and (moment.best.margin or 0) > -left:
        article = pick_article(moment)
        sentence = (
            f"With best play {moment.opponent} now gets the last {left} seeds; {article} best move prevents that."
        )
        yield Claim("LastSeeds", sentence, {"seeds": left}, substance=Substance.CONCRETE)
    elif moment.best.margin == left and (moment.value.margin or 0) < left:
        sentence = f"With best play {moment.mover} would have got the last {left} seeds."
        yield Claim("LastSeedsMissed", sentence, {"seeds": left}, substance=Substance.CONCRETE)


def claim_taken(moment: AnyMoveContext, capture: Capture) -> Claim:
    """Name the few plies of best play that lead from the move to the opponent's capture. No move before it captures."""
    _, *first, last = (str(cell + 1) for cell in capture.line)
    how = f"captures {capture.size} after the moves {', '.join(first)} and {last}"
    if not first:
        how = f"replies with pit {last} and captures {capture.size}"
    return Claim("Takes", f"{moment.opponent} {how}.", {"capture": capture}, substance=Substance.CONCRETE)


def find_turn(moment: AnyMoveContext, after: Capture | None) -> Iterator[Claim]:
    """Say who would have had the next capture, if the move changes that."""
    owed, left = moment.best.margin or 0, moment.value.margin or 0
    before = find_next_capture(moment, ()) if owed > 0 else None
    was_ours = before is not None and before.taker == moment.seat and len(before.line) > 1
    is_theirs = after is not None and after.taker != moment.seat
    if (was_ours or not owed) and ((is_theirs and left < 0) or (was_ours and not left)):
        yield claim_turn(moment, before if was_ours else None, after if left else None)


def claim_turn(moment: AnyMoveContext, before: Capture | None, after: Capture | None) -> Claim:
    """Say that the move changed which side has the next capture in best play. `before` and `after` are these captures,
    or `None` if neither side gains from the captures to come."""
    was = "both sides would have captured equally"
    if before:
        was = f"{moment.mover} would have captured the next {tell_capture(before, len(before.line))}"
    now = "both sides will capture equally"
    if after:
        now = f"{moment.opponent} captures the next {tell_capture(after, len(after.line) - 1)}"
    sentence = f"With best play {was}; now {now}."
    return Claim("Turned", sentence, {"before": before, "after": after}, substance=Substance.CONCRETE)


def tell_capture(capture: Capture, moves: int) -> str:
    """Return `4 seeds, for example in 5 moves with pit 2`, for a capture with the last of so many moves. If the other
    side makes this move, return `4 seeds, for example in 6 moves when pit 2 is sown`. Best play can go on in several
    ways."""
    pit = capture.line[-1] + 1
    how = f"with pit {pit}" if capture.is_sown else f"when pit {pit} is sown"
    return f"{capture.size}, for example {format_soon(moves)} {how}"


def find_next_capture(moment: AnyMoveContext, line: Line) -> Capture | None:
    """Return the next capture in best play after the moves of `line`, none of which captures. Return `None` if it is
    too far away, if only a search could find it, or if earlier positions may affect it."""
    *_, position = accumulate(line, rules.play, initial=moment.position)
    known = moment.after if line else moment.before
    longest = MAX_PLIES if is_undisturbed(moment, position) else len(line) + 1
    while len(line) < longest and known.list_best_moves():
        move = find_nearest(moment, position, known)
        look, here = preview(position, move), position
        line, position = (*line, move), rules.play(position, move)
        if look.captures:
            taker = max((here.to_move, other(here.to_move)), key=look.captured)
            seeds, given = look.captured(taker), look.captured(other(taker))
            return Capture(line, taker, seeds, given, taker == here.to_move) if seeds > given else None
        if alternating(moment.analyst).probe(position) is None:
            return None
        known = alternating(moment.analyst).analyse(position)
    return None


def find_nearest(moment: AnyMoveContext, position: Position, known: Analysis[Cell]) -> Cell:
    """Return the best move that captures most. If none captures, return the one that brings the next capture
    nearest."""
    assert isinstance(moment.analyst, Ranked)
    ranks = {move: moment.analyst.rank(rules.play(position, move)) or 0 for move in known.list_best_moves()}
    return max(ranks, key=lambda move: (preview(position, move).captured(position.to_move), -ranks[move]))


def is_undisturbed(moment: AnyMoveContext, position: Position) -> bool:
    """Whether the side that still has points to gain can collect them without reaching a closed position, which would
    end the game by repetition. On the way, the points to gain grow or the rank falls. So that side never reaches a
    position with fewer points to gain, or with as many at the same or a higher rank."""
    analyst = moment.analyst
    assert isinstance(analyst, AyoayoAnalyst)

    def rate_debt(seen: Position) -> tuple[int, int]:
        """Return how many points the side ahead has to gain, and how near the next capture is. More is greater."""
        value = analyst.probe(seen)
        assert value is not None, "only closed positions come back"
        margin = value.margin or 0
        return margin if seen.to_move == ahead else -margin, -(analyst.rank(seen) or 0)

    here = analyst.probe(position)
    if not moment.closed or here is None or not here.margin:
        return not moment.closed
    ahead = position.to_move if here.margin > 0 else other(position.to_move)
    bar = rate_debt(position)
    return all(rate_debt(seen) <= bar for seen in moment.closed)


CLAIMS = GameReasons(more=find_reasons, noun="pit ")


LESSON_TESTS: Mapping[str, Callable[[Position, Seat, Cell], bool]] = {
    "captures": lambda position, _seat, move: count_gain(position, move)[0] > 0,
    "gives nothing": lambda position, _seat, move: count_gain(position, move)[1] == 0,
    "relays": lambda position, _seat, move: preview(position, move).relays > 0,
}
"""What lessons may ask a move to do."""
