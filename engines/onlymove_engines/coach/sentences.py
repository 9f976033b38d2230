"""What can be said of a move, whatever the game: each claim, and how it reads.

Knows no values: `coach.claims` finds them, docs/judging.md says what each means. Drawers add what only their game has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from onlymove_engines.coach.replies import replies_said
from onlymove_engines.core.claim import Kin, Moment
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Outcome, Seat

AnyMoment: TypeAlias = Moment[Any, Any]

SHORT = 6
"""Plies that a person may see through."""
DOES = {Outcome.DRAW: "only draws", Outcome.LOSS: "loses"}
"""What moves do that all lead to the same result."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The move itself ends the game."""

    reason: str
    winner: Seat | None
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`It ends the game, and Second wins: more than half of the seeds.`, `It ends the game in a draw.`; without the
        reason where the rules give none."""
        how = " in a draw" if self.winner is None else f", and {moment.seats[self.winner]} wins"
        return f"It ends the game{how}: {self.reason}." if self.reason else f"It ends the game{how}."


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
class Unstoppable(Generic[M]):
    """After the reply, one of these aims is reached at once, whatever is played against them."""

    reply: M
    aims: tuple[str, ...]
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Then nothing stops the pawn on c4.`, `Then three in row 2 and three in column C cannot both be stopped.`"""
        if len(self.aims) == 1:
            return f"Then nothing stops {self.aims[0]}."
        return f"Then {' and '.join(self.aims)} cannot both be stopped."


@dataclass(frozen=True, slots=True)
class Ignored(Generic[M]):
    """Had the mover passed, this reply would have won; it wins still."""

    reply: M
    is_named: bool
    """It is the reply that is spoken of before."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`That was the threat already.`, `Bottom threatened c3 already.`"""
        if self.is_named:
            return "That was the threat already."
        return f"{moment.opponent} threatened {moment.reply(self.reply)} already."


@dataclass(frozen=True, slots=True)
class Opened:
    """Had the mover passed, the other side could not have won; now it can."""

    could_draw: bool
    """The mover was winning, and a pass would have given the other side a draw."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Before this move Bottom threatened nothing.`, `Before this move Bottom threatened no more than a draw.`"""
        what = "no more than a draw" if self.could_draw else "nothing"
        return f"Before this move {moment.opponent} threatened {what}."


@dataclass(frozen=True, slots=True)
class TooLate:
    """With another move at once the mover would win in a few plies, and has not got it."""

    plies: int
    is_race: bool
    """The other side wins first; else it can defend."""
    loses: bool
    """The other side wins, sooner or later."""
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Top threatens to win in 3, but Bottom is first.`, `Top threatens to win in 3, but Bottom can stop it.`, `Top
        threatens to win in 3, but Bottom can stop it and win.`"""
        why = "is first" if self.is_race else "can stop it and win" if self.loses else "can stop it"
        return f"{threat(moment.seats[moment.seat], self.plies)}, but {moment.opponent} {why}."


@dataclass(frozen=True, slots=True)
class Alike(Generic[M]):
    """The chosen move shares a part with others: that part was right, or none of them is better."""

    kin: Kin[M]
    is_right: bool
    some_are_worse: bool = False
    """Others of them lose where the chosen one draws."""
    is_count = False

    @property
    def names_better(self) -> bool:
        """Where only one other move shares the part, that is it."""
        return self.is_right and len(self.kin.moves) == 1

    def said(self, moment: AnyMoment) -> str:
        """`The push was right, but not the cell.`, `A large piece loses wherever it goes.`"""
        if self.is_right:
            return self.kin.right
        return self.kin.wrong.format(does="draws at best" if self.some_are_worse else DOES[moment.value.outcome])


@dataclass(frozen=True, slots=True)
class OnlyAlike(Generic[M]):
    """Of the moves that share a part with the chosen one, this alone keeps what there was; others do without."""

    kin: Kin[M]
    better: M
    names_better = True
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`With a large piece only c@B2 held.`"""
        held = "won" if moment.best.outcome is Outcome.WIN else "held"
        return self.kin.only.format(move=moment.own(self.better), held=held)


@dataclass(frozen=True, slots=True)
class Missed(Generic[M]):
    """A move that won in a few plies."""

    better: M
    plies: int
    is_only: bool
    """No other move won."""
    names_better = True
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`b3 won in 5.`, `Only b3 won, in 5.`"""
        when = "at once" if self.plies == 1 else f"in {self.plies}"
        return (
            f"Only {moment.own(self.better)} won, {when}." if self.is_only else f"{moment.own(self.better)} won {when}."
        )


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
        """`4 of 26 moves kept the draw.`, where the game could be ended as won `3 of 4 moves gave nothing away.`"""
        if moment.before.ends_won:
            return f"{self.keeping} of {self.moves} moves gave nothing away."
        what = "points" if moment.best.margin is not None else moment.best.outcome.word
        return f"{self.keeping} of {self.moves} moves kept the {what}."


@dataclass(frozen=True, slots=True)
class Threatens:
    """After a good move in a draw: with another move at once it would win in a few plies."""

    plies: int
    names_better = False
    is_count = False

    def said(self, moment: AnyMoment) -> str:
        """`Top threatens to win in 3.`"""
        return f"{threat(moment.seats[moment.seat], self.plies)}."


@dataclass(frozen=True, slots=True)
class Trapped(Generic[M]):
    """After a good move: how many replies lose for the side that plays them; the only one that does not."""

    losing: int
    replies: int
    only: M | None
    names_better = False
    is_count = True

    def said(self, moment: AnyMoment) -> str:
        """`16 of 26 replies lose.`, `Every reply but c3 loses.`, `Of the 2 replies only c3 holds.`"""
        if self.only is not None and self.replies == 2:
            return f"Of the 2 replies only {moment.reply(self.only)} holds."
        if self.only is not None:
            return f"Every reply but {moment.reply(self.only)} loses."
        return f"{replies_said(self.losing, self.replies)[0]}."


def threat(side: str, plies: int) -> str:
    """`Top threatens to win in 3`, of a side that is not to move."""
    return f"{side} threatens to win {'at once' if plies == 1 else f'in {plies}'}"
