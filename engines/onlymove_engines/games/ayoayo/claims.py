"""What it takes to say why a move is bad: what is taken and given at once, and whose the next capture is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from onlymove_engines.core.analysis import Analysis, Ranked, alternating
from onlymove_engines.core.game import Claim, Claims, Moment
from onlymove_engines.core.value import Seat, other

from . import rules
from .preview import preview
from .rules import Cell, Position

AnyMoment: TypeAlias = Moment[Position, Cell]
Line: TypeAlias = tuple[Cell, ...]

SHOWN = 3
"""Plies of best play that are spelled."""
LONGEST = 24
"""Plies of best play that are looked through for a capture."""


class Capture(NamedTuple):
    """Best play from the position before the move up to the next capture, who gains by that, and how much either side
    gets."""

    line: Line
    taker: Seat
    seeds: int
    given: int = 0

    @property
    def size(self) -> str:
        """`8`, `8 for 4`."""
        return f"{self.seeds} for {self.given}" if self.given else str(self.seeds)


def at_once(moment: AnyMoment) -> Iterator[Claim]:
    """What the move, the best moves and the best replies capture."""
    position, seat = moment.position, moment.seat
    look, best = preview(position, moment.move), [preview(position, move) for move in moment.before.best()]
    given, least = look.captured(other(seat)), min(each.captured(other(seat)) for each in best)
    own, could = look.captured(seat), max(each.captured(seat) for each in best)
    if given > least:
        needed = f", where {least} were enough" if least else ""
        sentence = f"The sowing itself gives {moment.opponent} {given}{needed}."
        yield Claim("Feeds", sentence, {"seeds": given, "least": least})
    if could > own:
        sentence = f"It takes {own or 'nothing'}, where {could} were to be had."
        yield Claim("TakesLess", sentence, {"seeds": own, "could": could})
    after = next_capture(moment, (moment.move,))
    if after is not None and after.taker != seat and len(after.line) <= 1 + SHOWN:
        yield takes(moment, after)
    elif not look.captures:
        yield from changed_hands(moment, after)


def takes(moment: AnyMoment, capture: Capture) -> Claim:
    """Best play of a few plies after the move, up to the other side's capture; nobody captures before."""
    line, _, seeds, given = capture
    _, *first, last = (str(cell + 1) for cell in line)
    gives = f" and gives {given}" if given else ""
    how = f"takes {seeds}{gives} after pits {', '.join(first)} and {last}"
    if not first:
        how = f"answers with pit {last}{',' if given else ' and'} takes {seeds}{gives}"
    return Claim("Takes", f"{moment.opponent} {how}.", {"capture": capture})


def changed_hands(moment: AnyMoment, after: Capture | None) -> Iterator[Claim]:
    """Whose the next capture was, where the move changes that."""
    owed, left = moment.best.margin or 0, moment.value.margin or 0
    before = next_capture(moment, ()) if owed > 0 else None
    was_ours = before is not None and before.taker == moment.seat and len(before.line) > 1
    is_theirs = after is not None and after.taker != moment.seat
    if (was_ours or not owed) and ((is_theirs and left < 0) or (was_ours and not left)):
        yield turned(moment, before if was_ours else None, after if left else None)


def turned(moment: AnyMoment, before: Capture | None, after: Capture | None) -> Claim:
    """Whose the next capture is in best play, before the move and after it; `None` where both sides get as much from
    there on."""
    size = after.size if after else "0"
    if before is None:
        sentence = f"In best play the captures to come were even; now the next {size} are {moment.opponent}'s."
    elif after is None:
        sentence = f"In best play the next {before.size} were {moment.mover}'s; now the captures to come are even."
    else:
        now = f"now {'they' if size == before.size else size} are {moment.opponent}'s"
        sentence = f"In best play the next {before.size} were {moment.mover}'s; {now}."
    return Claim("Turned", sentence, {"before": before, "after": after})


def next_capture(moment: AnyMoment, line: Line) -> Capture | None:
    """The next capture in best play after these moves, of which none captures; `None` where it is far, only a search
    would know, or what stood before may bear on it."""
    *_, position = accumulate(line, rules.play, initial=moment.position)
    known = moment.after if line else moment.before
    longest = LONGEST if is_undisturbed(moment, position) else len(line) + 1
    while len(line) < longest and known.best():
        move = nearest(moment, position, known)
        look, here = preview(position, move), position
        line, position = (*line, move), rules.play(position, move)
        if look.captures:
            taker = max((here.to_move, other(here.to_move)), key=look.captured)
            seeds, given = look.captured(taker), look.captured(other(taker))
            return Capture(line, taker, seeds, given) if seeds > given else None
        if alternating(moment.analyst).probe(position) is None:
            return None
        known = alternating(moment.analyst).analyse(position)
    return None


def nearest(moment: AnyMoment, position: Position, known: Analysis[Cell]) -> Cell:
    """Of the best moves the one that captures most, else that brings the points owed nearest."""
    assert isinstance(moment.analyst, Ranked)
    ranks = {move: moment.analyst.rank(rules.play(position, move)) or 0 for move in known.best()}
    return max(ranks, key=lambda move: (preview(position, move).captured(position.to_move), -ranks[move]))


def is_undisturbed(moment: AnyMoment, position: Position) -> bool:
    """Whether the side that points are owed to can go for them past every position that would end the game: on its way
    the points owed grow or the rank falls, so that it meets none where less is owed, or as much at no lower rank."""
    here = alternating(moment.analyst).probe(position)
    if not moment.closed or here is None or not here.margin:
        return not moment.closed
    ahead = position.to_move if here.margin > 0 else other(position.to_move)
    bar = owed(moment, position, ahead)
    return all(owed(moment, seen, ahead) <= bar for seen in moment.closed)


def owed(moment: AnyMoment, position: Position, seat: Seat) -> tuple[int, int]:
    """How much is owed to a side at a closed position, and how near it is: the nearer, the greater."""
    value = alternating(moment.analyst).probe(position)
    assert value is not None, "only closed positions come back"
    assert isinstance(moment.analyst, Ranked)
    margin = value.margin or 0
    return margin if position.to_move == seat else -margin, -(moment.analyst.rank(position) or 0)


CLAIMS = Claims(more=at_once, noun="pit ")
