"""What a player is doing at a board: choosing a move, deciding about a stopped one, looking at the past, and so on.

There is one class for each situation, and a board is in one situation at a time. `find_present` finds the situation of
a game, and `find_situation` puts on top of it what the board shows instead of the current position. Nothing else has an
order of precedence. A situation answers the same questions for every front end: what Enter, Back and the way out do,
why no move can be entered, what is marked, and which commands are impossible. It knows no screen. Situations are found
anew whenever one is asked for, because they hold the game itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat
from onlymove_engines.live.live_game import LiveGame, StoppedMove
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.play.keys import Phrase, phrase


class Effect(Enum):
    """What a key does that means something else in each situation."""

    NOTHING = auto()
    PICK = auto()
    """Choose what is under the cursor."""
    DROP_TARGET = auto()
    """Take back the target that was picked last."""
    SAY_NOTHING_CHOSEN = auto()
    """Say that there is nothing to take back, and which keys go further back."""
    SAY_CHOSEN = auto()
    """Say that a hidden choice cannot be taken back."""
    SAY_HOW_TO_ANSWER = auto()
    """Say which keys answer the question about a stopped move."""
    RETHINK = auto()
    """Take back a stopped move."""
    WITHDRAW = auto()
    """Take back a move that waits for its value or for an engine."""
    STEP_ON = auto()
    """Show the next move of best play."""
    LEAVE_BEST_LINE = auto()
    """Show the position at which best play was asked for."""
    RETURN = auto()
    """Show the current position."""
    LEAVE = auto()
    """Leave the screen."""


class Marking(Enum):
    """What is marked on the board besides the last move."""

    LAST_MOVE = auto()
    """Nothing else."""
    THREAT = auto()
    """Every step of the stopped move, as a threat."""
    CHOICES = auto()
    """The cursor, the targets picked so far and those that can be picked next, and what the player has asked for."""


class Situation(Struct, frozen=True, eq=False):
    """A situation in which nothing can be entered. The classes below say what is different in theirs."""

    @property
    def refusal(self) -> Phrase:
        """Why no move can be entered now, or an empty text if one can."""
        return ""

    @property
    def enter(self) -> Effect:
        """What the key that chooses does."""
        return Effect.NOTHING

    @property
    def back(self) -> Effect:
        """What the key that takes a step back does."""
        return Effect.NOTHING

    @property
    def leave(self) -> Effect:
        """What the key that leaves the screen does."""
        return Effect.LEAVE

    @property
    def marking(self) -> Marking:
        return Marking.CHOICES

    @property
    def lacks(self) -> frozenset[str]:
        """The names of commands that are impossible, whatever else is known about the game."""
        return frozenset()

    @property
    def is_live(self) -> bool:
        """Whether the board shows the position that a decision is about, or the end of the game."""
        return True

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to decide."""
        return False

    @property
    def remembers_keys(self) -> bool:
        """Whether keys that enter a move are remembered until it is the player's turn."""
        return False


# A game.

BEFORE_THE_END = frozenset(
    {"hint", "values", "type_move", "training", "resign", "draw", "swap", "die", "pause", "players", "skip_game"}
    | {"ask_undo"}
)
"""Commands that make no sense once the game is over."""
AFTER_THE_END = frozenset({"rematch", "learn", "drill_these"})
"""Commands that make no sense before the game is over."""
REVEALING = frozenset({"review", "overlay"})
"""Commands that would reveal what moves are worth. In a shared game they have to wait for its end."""
OF_PLAYERS = frozenset({"choose", "ask_undo", "type_move", "rematch"})
"""Commands that only the players of a shared game have, and not those who watch it."""


class InGame(Situation, frozen=True, eq=False):
    """A situation of a game that is not over."""

    live: LiveGame

    @property
    def lacks(self) -> frozenset[str]:
        live, lacks = self.live, {*AFTER_THE_END, "keep", "answer_request"}
        if live.remote is not None:
            lacks |= REVEALING
            lacks |= frozenset() if live.session.human_seats else OF_PLAYERS
        if live.game.play.is_steered:
            lacks.add("choose")  # there is no cursor
        return frozenset(lacks)


class Choosing(InGame, frozen=True, eq=False):
    """The player at `seat` may choose a move, and has picked the targets in `prefix`."""

    seat: Seat
    prefix: Sequence[Target] = ()

    enter = Effect.PICK

    @property
    def back(self) -> Effect:
        return Effect.DROP_TARGET if self.prefix else Effect.SAY_NOTHING_CHOSEN


class Waiting(InGame, frozen=True, eq=False):
    """The player's move waits for its value, or in a simultaneous game for an engine's choice."""

    refusal = phrase("Your move is still being checked. {back} takes it back.")
    back = Effect.WITHDRAW


class Stopped(InGame, frozen=True, eq=False):
    """Training has stopped a move, and the player has to decide about it. Enter never plays it."""

    stopped_move: StoppedMove

    refusal = phrase("Decide about your move first: press {cancel}, then {keep} to play it or {undo} to take it back.")
    enter = Effect.SAY_HOW_TO_ANSWER
    back = Effect.RETHINK
    marking = Marking.THREAT

    @property
    def lacks(self) -> frozenset[str]:
        hidden = frozenset() if self.live.is_simultaneous else frozenset({"values"})
        return (super().lacks | hidden) - {"keep", "choose"}


class HiddenChoice(InGame, frozen=True, eq=False):
    """The player has chosen a move of a simultaneous round, and the other side has not."""

    refusal = "You have already chosen in this round."
    back = Effect.SAY_CHOSEN
    remembers_keys = True


class Thinking(InGame, frozen=True, eq=False):
    """It is the turn of an engine, or of a person at another keyboard."""

    refusal = "It is not your turn yet."
    back = Effect.SAY_NOTHING_CHOSEN
    remembers_keys = True


class Requested(Situation, frozen=True, eq=False):
    """The opponent in a shared game asks for something, as in the sentence `asks`. The player can answer, or go on with
    what is to do `now`, for instance choose a move."""

    now: Choosing | HiddenChoice | Thinking
    asks: str

    @property
    def refusal(self) -> Phrase:
        return self.now.refusal

    @property
    def enter(self) -> Effect:
        return self.now.enter

    @property
    def back(self) -> Effect:
        return self.now.back

    @property
    def lacks(self) -> frozenset[str]:
        return self.now.lacks - {"answer_request"}

    @property
    def remembers_keys(self) -> bool:
        return self.now.remembers_keys


class End(Situation, frozen=True, eq=False):
    """The game is over. With `is_task`, it was a task of a lesson, and the player can only go on with the lesson."""

    live: LiveGame
    is_task: bool = False

    refusal = "The game is over."
    is_over = True

    @property
    def enter(self) -> Effect:
        return Effect.LEAVE if self.is_task else Effect.NOTHING

    @property
    def lacks(self) -> frozenset[str]:
        lacks = {*BEFORE_THE_END, "keep", "answer_request", "rematch" if self.is_task else "choose"}
        if self.live.is_simultaneous:
            lacks.add("why")
        if self.live.game.play.is_steered:
            lacks.add("cursor")
        if self.live.remote is not None and not self.live.session.human_seats:
            lacks |= OF_PLAYERS
        return frozenset(lacks)


Present: TypeAlias = Choosing | Waiting | Stopped | HiddenChoice | Thinking | Requested | End
"""The situation of a game at its current position."""


def find_present(live: LiveGame, prefix: Sequence[Target] = (), request: str = "", is_task: bool = False) -> Present:
    """Return the situation of a game at its current position. `prefix` are the targets that the player has picked, and
    `request` is what the opponent in a shared game asks for, or an empty text."""
    session, seat = live.session, live.session.choosing_seat
    if session.is_over:
        return End(live, is_task)
    if live.stopped_move is not None:
        return Stopped(live, live.stopped_move)
    if live.waiting is not None:
        return Waiting(live)
    has_chosen = any(own in session.pending for own in session.human_seats)
    now = Choosing(live, seat, prefix) if seat is not None else HiddenChoice(live) if has_chosen else Thinking(live)
    return Requested(now, request) if request else now


# What a board shows instead of the current position.


class Shown(NamedTuple):
    """What a board shows: the position at `node`, on the path to `last_node`, or a `line` of best play. `is_animated`
    means that the last move there is still moving, and `takes_long` that it moves long enough to be told."""

    node: AnyNode
    last_node: AnyNode
    line: Refutation | None = None
    is_animated: bool = False
    takes_long: bool = False


class Elsewhere(Situation, frozen=True, eq=False):
    """The board does not show the current position. That one is in the situation `now`, which decides nearly all of
    what is possible."""

    now: Situation

    is_live = False
    marking = Marking.LAST_MOVE
    enter = Effect.RETURN
    back = Effect.RETURN

    @property
    def refusal(self) -> Phrase:
        looking = phrase("You are looking at another position. Press {cancel}, then {back} to return to the game.")
        return self.now.refusal if self.now.is_over else looking

    @property
    def lacks(self) -> frozenset[str]:
        return (self.now.lacks | {"keep"}) - {"choose"}


class BestLine(Elsewhere, frozen=True, eq=False):
    """The player steps through best play."""

    line: Refutation

    enter = Effect.STEP_ON
    back = Effect.LEAVE_BEST_LINE
    leave = Effect.LEAVE_BEST_LINE


class Past(Elsewhere, frozen=True, eq=False):
    """An earlier position of the game is shown."""

    node: AnyNode


class Animated(Elsewhere, frozen=True, eq=False):
    """The last move is still moving. Every key ends that before it does anything else. `takes_long` means that it moves
    long enough for a line about it."""

    takes_long: bool

    enter = Effect.NOTHING
    back = Effect.NOTHING

    @property
    def refusal(self) -> Phrase:
        return self.now.refusal or "The last move is still being shown."


def find_situation(present: Situation, shown: Shown) -> Situation:
    """Return the situation of a player who sees this board. `present` is the situation at the current position."""
    if shown.line is not None:
        return BestLine(present, shown.line)
    if shown.node is not shown.last_node:
        return Past(present, shown.node)
    return Animated(present, shown.takes_long) if shown.is_animated else present
