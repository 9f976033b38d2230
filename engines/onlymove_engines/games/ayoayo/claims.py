"""What it takes to say why a move is bad: the board with the other side to move, what is taken and given at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.claim import Claim, Claims, Moment
from onlymove_engines.core.value import other

from . import rules
from .preview import preview
from .rules import Cell, Position

LONGEST = 5
"""Plies of best play that are looked through for a capture."""


def passed(position: Position) -> Position | None:
    """The same board with the other side to move."""
    there = replace(position, to_move=other(position.to_move))
    return None if rules.result(position) or rules.result(there) else there


@dataclass(frozen=True, slots=True)
class Takes:
    """Best play of a few plies, up to the other side's capture; nobody captures before."""

    line: tuple[Cell, ...]
    seeds: int
    names_better = False
    is_count = False

    def said(self, moment: Moment[Position, Cell]) -> str:
        """`First answers with pit 3 and takes 8.`, `In best play First then takes 4: pits 3, 1, 2.`"""
        pits = [str(cell + 1) for cell in self.line]
        if len(pits) == 1:
            return f"{moment.opponent} answers with pit {pits[0]} and takes {self.seeds}."
        return f"In best play {moment.opponent} then takes {self.seeds}: pits {', '.join(pits)}."


@dataclass(frozen=True, slots=True)
class TakesLess:
    """A best move captures more at once, on balance, than the one chosen."""

    seeds: int
    could: int
    names_better = False
    is_count = False

    def said(self, moment: Moment[Position, Cell]) -> str:
        """`It takes 4 where a best move takes 12.`"""
        return f"It {taken(self.seeds)} where a best move {taken(self.could)}."


@dataclass(frozen=True, slots=True)
class Feeds:
    """The move itself makes the other side capture."""

    seeds: int
    names_better = False
    is_count = False

    def said(self, moment: Moment[Position, Cell]) -> str:
        """`Its sowing gives North 4 at once.`"""
        return f"The sowing itself gives {moment.opponent} {self.seeds}."


def taken(seeds: int) -> str:
    """`takes 8`, `takes nothing`."""
    return f"takes {seeds or 'nothing'}"


def at_once(moment: Moment[Position, Cell]) -> Iterator[Claim]:
    """What the move, the best moves and the best replies capture."""
    position, seat = moment.position, moment.seat
    look = preview(position, moment.move)
    own, given = look.captured(seat), look.captured(other(seat))
    could = max(preview(position, move).captured(seat) for move in moment.before.best())
    if given:
        yield Feeds(given)
    if could > own:
        yield TakesLess(own, could)
    yield from takes(moment)


def takes(moment: Moment[Position, Cell]) -> Iterator[Takes]:
    """The other side's first capture, if it is near and no other comes before it."""
    analyst, position, line = alternating(moment.analyst), moment.child, list[Cell]()
    known, theirs = moment.after, other(moment.seat)
    for _ in range(LONGEST):
        looks = {move: preview(position, move) for move in known.best()}
        if not looks:
            return
        move = max(looks, key=lambda move: looks[move].captured(position.to_move))
        line.append(move)
        if looks[move].captures:
            gained = looks[move].captured(theirs) - looks[move].captured(moment.seat)
            if gained > 0 and position.to_move == theirs:
                yield Takes(tuple(line), gained)
            return
        position = rules.play(position, move)
        known = analyst.analyse(position, moment.budget)


CLAIMS = Claims(passed=passed, more=at_once, noun="pit ")
