"""What a player is doing at a board: choosing a move, deciding about a stopped one, looking at the past, and so on.

There is one class for each situation, and a board is in one situation at a time. `find_present` finds the situation of
a game, and `find_situation` puts on top of it what the board shows instead of the current position. Nothing else has an
order of precedence. A situation answers the same questions for every front end: what Enter, Back and the way out do,
why no move can be entered, what is marked, which commands are impossible, and which stand in the footer. It knows no
screen. Situations are found anew whenever one is asked for, because they hold the game itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from onlymove_engines.coach.figures import find_bad_choices
from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat
from onlymove_engines.live.live_game import (
    LiveGame,
    StoppedMove,
    allows_help,
    find_blunderer,
    is_marked,
    is_revealed,
)
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.play.keys import Key, KeyWords, Phrase, phrase

CONTINUE = phrase("Press {choose} to continue.")
OVER_HERE = "The game is over here. Go back a move first."
HOW_TO_ANSWER = phrase("Press {keep} to play it anyway, {undo} to take it back.")
"""What is said if the player chooses something while a move is stopped."""
ONLY_HERE = "You can get a hint only for the current position."
FIND_FIRST = phrase("Find a move first. Press {hint} for a hint, {solution} for the answer.")
"""What is said if the player wants to see values before finding a move."""


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
    EXPLAIN = auto()
    """Look for best play after the last mistake, which shows why it was one."""
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
    ASK_AGAIN = auto()
    """Show the question again, without an answer to it."""
    NEXT_TASK = auto()
    """Go to the next drill or task, or from a retry back to the review."""
    PLAY_TASK = auto()
    """Play the game that is a task of a lesson."""
    LEARN_ON = auto()
    """Go to the next step in learning the game."""
    ROUND_AGAIN = auto()
    """Repeat the drills that were missed."""
    OTHER_DRILLS = auto()
    """Go to the list of drills."""
    REVIEW = auto()
    """Review the game that is over, move by move."""
    GO_ON = auto()
    """Go on from the shown move. Line mode shows the next one. On the screen, other keys do that, and the player is
    told which."""
    TAKE_BACK = auto()
    """Take back the last tried move."""
    SAY_FIRST = auto()
    """Say that the first position of the explorer is shown."""
    STOP_TRYING = auto()
    """Go back to the game from which moves were tried."""


class Marking(Enum):
    """What is marked on the board besides the last move."""

    LAST_MOVE = auto()
    """Nothing else."""
    THREAT = auto()
    """Every step of the stopped move, as a threat."""
    CHOICES = auto()
    """The cursor, the targets picked so far and those that can be picked next, and what the player has asked for."""


PANELS, HELP = "panel", "help"
"""The command that shows the panels of a narrow screen, and the one that shows all keys."""
ALONG: KeyWords = (("right", "next"), ("left", "back"))
ASIDE: KeyWords = (("earlier", "earlier"), ("later", "later"))
"""The commands that step through best play, and through the past."""


class Situation(Struct, frozen=True, eq=False):
    """A situation in which nothing can be entered. The classes below say what is different in theirs."""

    @property
    def command_set(self) -> str:
        """The name of the commands that exist here, as in `Command.sets`. It decides what each key means: an arrow
        steps through the game in a review, and moves the cursor while a move is tried there."""
        return ""

    @property
    def way_out(self) -> str:
        """The command that leaves the screen."""
        return "menu"

    @property
    def footer(self) -> Sequence[str]:
        """The commands in the footer, the most useful first. A screen leaves out those that are impossible. The last
        two, the way out and the list of keys, are always shown. They are nearly enough where `keys` names the
        others."""
        return (PANELS, self.way_out, HELP)

    @property
    def words(self) -> Mapping[str, str]:
        """Words of commands in the footer, where they differ from the usual ones."""
        return {}

    @property
    def refusal(self) -> Phrase:
        """Why no move can be entered now, or an empty text if one can."""
        return ""

    @property
    def no_values(self) -> Phrase:
        """Why the player may not see what moves are worth now, or an empty text."""
        return ""

    @property
    def shows_position(self) -> bool:
        """Whether the board shows a position of the game, so that its values can be beside it."""
        return True

    @property
    def why(self) -> Effect:
        """What the key that explains a bad move does."""
        return Effect.EXPLAIN

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
    def keys(self) -> KeyWords:
        """The commands whose keys are named under the board. The footer then names none of them."""
        return ()

    @property
    def keys_along(self) -> KeyWords:
        """The commands whose keys are named if best play is shown instead. The first two are one step onward and one
        back. At the ends of best play, the one that leads nowhere is not named."""
        return (*ALONG, ("back", "game"))

    @property
    def keys_in_past(self) -> KeyWords:
        """The commands whose keys are named if an earlier position is shown instead. The first is one move further
        back. At the start, it is not named."""
        return (*ASIDE, ("last", "game"))

    @property
    def way_back(self) -> str:
        """The command that leads back to this situation if the board shows something else."""
        return "back"

    @property
    def lacks(self) -> frozenset[str]:
        """The names of commands that are impossible, whatever else is known about the game."""
        return frozenset()

    def refuse(self, command: str) -> Phrase:
        """Return why a command does nothing here but show this sentence, or an empty text."""
        return ""

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
AFTER_THE_END = frozenset({"rematch", "drill_these"})
"""Commands that make no sense before the game is over."""
REVEALING = frozenset({"review", "overlay"})
"""Commands that would reveal what moves are worth. In a shared game they have to wait for its end."""
OF_PLAYERS = frozenset({"choose", "ask_undo", "type_move", "rematch"})
"""Commands that only the players of a shared game have, and not those who watch it."""


HELP_OF_COACH = frozenset(
    {"training", "undo", "redo", "hint", "values", "why", "explore", "review", "objective", "die", "draw"}
)
"""Commands that a rated game refuses. An engine's answer to a draw offer would tell what the position is worth."""
HIDDEN_TO_THE_END = "Hidden until the game is over."
HIDDEN_TO_DECISION = "Hidden until you have decided."
"""Why values are not shown."""
HELP_LATER = "Rated: help after the game."
PLAYERS_STAY = "Rated: you cannot change the players before the end."

WATCHING = ("pause", PANELS, "values", "players", "overlay", "menu", HELP)
"""The footer of a game between engines."""


class OfGame(Situation, frozen=True, eq=False):
    """A situation of a game. With `is_task`, the game is a task of a lesson. The player `is_newcomer` who has never
    finished a game of this kind."""

    live: LiveGame
    is_task: bool
    is_newcomer: bool

    @property
    def command_set(self) -> str:
        if self.live.remote is not None:
            return "shared_game"
        return "lesson_game" if self.is_task else "play"


class InGame(OfGame, frozen=True, eq=False):
    """A situation of a game that is not over."""

    @property
    def footer(self) -> Sequence[str]:
        """The commands in the footer. A newcomer sees the key to the rules and, after a bad move, also those that
        explain it and take it back. If both sides move at once, `why` explains every round. Only what can be taken back
        is offered to be taken back."""
        live, named = self.live, ["choose", PANELS, "overlay", "hint", "undo", "values", "rules", "type_move"]
        if live.session.is_between_engines:
            return WATCHING
        if live.remote is not None:
            named = ["choose", PANELS, "ask_undo", "draw", "resign", "type_move"]
        elif self.has_slipped:
            named = list(dict.fromkeys(("why", "choose", PANELS, "undo", "rules", "hint", *named)))
        elif self.is_newcomer:
            named = list(dict.fromkeys(("choose", PANELS, "overlay", "rules", *named)))
        if self.is_task:
            named.insert(named.index(PANELS) + 1, "skip_game")
        if live.is_simultaneous and live.remote is None:
            named.insert(0, "why")
        lacks = () if live.can_undo else ("undo", "ask_undo")
        return (*(name for name in named if name not in lacks and not self.refuse(name)), self.way_out, HELP)

    @property
    def has_slipped(self) -> bool:
        """Whether a newcomer has just played a bad move, and may know why it is bad."""
        live, choice = self.live, self.live.offered
        if choice is None or live.is_simultaneous or not self.is_newcomer:
            return False
        if not (is_revealed(live) and allows_help(live)):
            return False
        return live.find_refuted() == (choice[0], choice[2]) or choice in find_bad_choices(live.node)

    @property
    def words(self) -> Mapping[str, str]:
        return {"pause": "continue"} if self.live.is_paused else {}

    def refuse(self, command: str) -> Phrase:
        if not self.live.is_rated:
            return ""
        return HELP_LATER if command in HELP_OF_COACH else PLAYERS_STAY if command in ("swap", "players") else ""

    @property
    def no_values(self) -> Phrase:
        live = self.live
        return HIDDEN_TO_THE_END if live.is_rated or live.session.is_with_others else ""

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

    @property
    def footer(self) -> Sequence[str]:
        """The commands in the footer. Nothing can be chosen now, but the move can be taken back."""
        return ["back" if name == "choose" else name for name in super().footer]


class Stopped(InGame, frozen=True, eq=False):
    """Training has stopped a move, and the player has to decide about it. Enter never plays it."""

    stopped_move: StoppedMove

    refusal = phrase("Decide about your move first: press {cancel}, then {keep} to play it or {undo} to take it back.")
    enter = Effect.SAY_HOW_TO_ANSWER
    back = Effect.RETHINK
    marking = Marking.THREAT
    keys = (("keep", "play it anyway"), ("undo", "take back"), ("hint", "hint"), ("why", "why"))

    @property
    def footer(self) -> Sequence[str]:
        return (PANELS, self.way_out, HELP)

    @property
    def no_values(self) -> Phrase:
        return super().no_values or ("" if self.live.is_simultaneous else HIDDEN_TO_DECISION)

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

    keys = (("agree_to", "agree"), ("decline", "decline"))

    @property
    def command_set(self) -> str:
        return self.now.command_set

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
    def no_values(self) -> Phrase:
        return self.now.no_values

    @property
    def lacks(self) -> frozenset[str]:
        return self.now.lacks - {"answer_request"}

    @property
    def remembers_keys(self) -> bool:
        return self.now.remembers_keys


class End(OfGame, frozen=True, eq=False):
    """The game is over. After a task of a lesson, the player can only go on with the lesson."""

    refusal = "The game is over."
    is_over = True

    @property
    def enter(self) -> Effect:
        return Effect.LEAVE if self.is_task else Effect.REVIEW

    @property
    def keys(self) -> KeyWords:
        """The keys that go on from the end. Before them come the next step in learning and the drills of this game, if
        there are any, and after them the way out. Those who only watch have no Enter."""
        if self.is_task:
            return (("choose", "continue lesson"), ("undo", "undo"))
        again = (("rematch", "again"), ("rematch_swapped", "swap sides"))
        if self.live.remote is None:
            return (("choose", "review"), *again, ("undo", "undo"))
        return (("choose", "review"), *again) if self.live.session.human_seats else (("review", "review"),)

    @property
    def lacks(self) -> frozenset[str]:
        lacks = {*BEFORE_THE_END, "keep", "answer_request"} | ({"rematch"} if self.is_task else set())
        if self.live.is_simultaneous:
            lacks.add("why")
        if self.live.game.play.is_steered:
            lacks.add("cursor")
        if self.live.remote is not None and not self.live.session.human_seats:
            lacks |= OF_PLAYERS
        return frozenset(lacks)


Present: TypeAlias = Choosing | Waiting | Stopped | HiddenChoice | Thinking | Requested | End
"""The situation of a game at its current position."""


def find_present(
    live: LiveGame,
    prefix: Sequence[Target] = (),
    request: str = "",
    is_task: bool = False,
    is_newcomer: bool = False,
) -> Present:
    """Return the situation of a game at its current position. `prefix` are the targets that the player has picked, and
    `request` is what the opponent in a shared game asks for, or an empty text. `is_task` and `is_newcomer` are as in
    `OfGame`."""
    session, game = live.session, (live, is_task, is_newcomer)
    if session.is_over:
        return End(*game)
    if live.stopped_move is not None:
        return Stopped(*game, live.stopped_move)
    if live.waiting is not None:
        return Waiting(*game)
    now: Choosing | HiddenChoice | Thinking
    if (seat := session.choosing_seat) is not None:
        now = Choosing(*game, seat, prefix)
    else:
        has_chosen = any(own in session.pending for own in session.human_seats)
        now = HiddenChoice(*game) if has_chosen else Thinking(*game)
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

    def refuse(self, command: str) -> Phrase:
        return self.now.refuse(command) or (ONLY_HERE if command == "hint" else "")

    @property
    def command_set(self) -> str:
        return self.now.command_set

    @property
    def no_values(self) -> Phrase:
        return self.now.no_values

    @property
    def way_out(self) -> str:
        return self.now.way_out

    @property
    def refusal(self) -> Phrase:
        if self.now.is_over:
            return self.now.refusal
        way_back = Key(self.now.way_back)
        return ("You are looking at another position. Press ", Key("cancel"), ", then ", way_back, " to return.")

    @property
    def lacks(self) -> frozenset[str]:
        return (self.now.lacks | {"keep"}) - {"choose"}


class BestLine(Elsewhere, frozen=True, eq=False):
    """The player steps through best play."""

    line: Refutation

    shows_position = False
    why = Effect.STEP_ON
    enter = Effect.STEP_ON
    back = Effect.LEAVE_BEST_LINE
    leave = Effect.LEAVE_BEST_LINE

    @property
    def words(self) -> Mapping[str, str]:
        """The way out leads back to where best play was asked for."""
        _, where = self.now.keys_along[-1]
        return {self.way_out: where}

    @property
    def keys(self) -> KeyWords:
        """The steps along best play, and the way out, which leads back from it."""
        onward, backward, (_, where) = self.now.keys_along
        line = self.line
        steps = [*([onward] if line.step < len(line.moves) else ()), *([backward] if line.step else ())]
        return (*steps, (self.way_out, where))


class Past(Elsewhere, frozen=True, eq=False):
    """An earlier position of the game is shown."""

    node: AnyNode

    @property
    def keys(self) -> KeyWords:
        earlier, *others = self.now.keys_in_past
        return (*others,) if self.node.parent is None else (earlier, *others)


class Animated(Elsewhere, frozen=True, eq=False):
    """The last move is still moving. Every key ends that before it does anything else. `takes_long` means that it moves
    long enough for a line about it."""

    takes_long: bool

    @property
    def footer(self) -> Sequence[str]:
        """The commands that can be used once the move has been shown, because that is soon."""
        return self.now.footer

    def refuse(self, command: str) -> Phrase:
        return self.now.refuse(command)

    @property
    def words(self) -> Mapping[str, str]:
        return self.now.words

    enter = Effect.NOTHING
    back = Effect.NOTHING

    @property
    def refusal(self) -> Phrase:
        return self.now.refusal or "The last move is still being shown."

    @property
    def leave(self) -> Effect:
        return self.now.leave


def find_situation(present: Situation, shown: Shown) -> Situation:
    """Return the situation of a player who sees this board. `present` is the situation at the current position."""
    if shown.line is not None:
        return BestLine(present, shown.line)
    if shown.node is not shown.last_node:
        return Past(present, shown.node)
    return Animated(present, shown.takes_long) if shown.is_animated else present


# Drills, lessons, and mistakes that are tried again.

AT_THE_END = frozenset({"round_again", "lessons_again", "drills"})
"""Commands that make no sense before the last drill or lesson is done."""
OF_DRILLS = frozenset(
    {"cursor", "type_move", "hint", "values", "why", "solution", "next_drill", "walk"}
    | {"unanswer", "put_aside", "remove_drill"}
)
"""Commands that make no sense once a round of drills is over."""
OF_LESSONS = frozenset({"cursor", "type_move", "hint", "next_task"})
"""Commands that make no sense once the lessons are over."""
TRY_AGAIN = ("back", "try again")
AFTER_WRONG: KeyWords = (
    TRY_AGAIN, ("unanswer", "mistyped"), ("hint", "hint"), ("solution", "solution"), ("next_drill", "skip"),
    ("why", "why"),
)  # fmt: skip
"""The keys after a wrong answer to a drill. A retry has no next one, so there the board leaves out its key."""
NEXT_TASK, SKIP_TASK, LEAVE_LESSONS = ("choose", "next"), ("next_task", "skip"), ("leave_lessons", "back")
"""The keys that several situations of lessons have."""


class Asked(Enum):
    """Where a question comes from. The values name the commands that exist there, as in `Command.sets`."""

    DRILL = "drill"
    RETRY = "retry"
    """A mistake in a game. The review of this game is below."""
    LESSON = "lesson"


WAYS_OUT = {Asked.DRILL: "leave_drills", Asked.RETRY: "leave_retry", Asked.LESSON: "leave_lessons"}
QUESTION_FOOTERS = {
    Asked.DRILL: ("choose", PANELS, "hint", "solution", "overlay", "next_drill", "why"),
    Asked.RETRY: ("choose", PANELS, "hint", "solution", "overlay", "type_move", "why"),
    Asked.LESSON: ("choose", PANELS, "overlay", "hint", "type_move", "next_task"),
}
"""The commands in the footer while a question waits for an answer, before the way out."""


class InTask(Situation, frozen=True, eq=False):
    """A situation in which a player has a question to answer, by a move on the board."""

    live: LiveGame
    asked: Asked

    @property
    def no_values(self) -> Phrase:
        """Values give the answer to a drill away. Lessons have no key for them."""
        return "" if self.is_over or self.asked is Asked.LESSON else FIND_FIRST

    keys_in_past = (*ASIDE, ("back", "question"))

    @property
    def command_set(self) -> str:
        return self.asked.value

    @property
    def way_out(self) -> str:
        return WAYS_OUT[self.asked]

    @property
    def footer(self) -> Sequence[str]:
        return super().footer if self.keys else (*QUESTION_FOOTERS[self.asked], self.way_out, HELP)

    @property
    def keys_along(self) -> KeyWords:
        return (*ALONG, ("back", "question" if self.asked is Asked.RETRY else "drill"))

    @property
    def lacks(self) -> frozenset[str]:
        return AT_THE_END | ({"choose"} if self.live.game.play.is_steered else frozenset())


class Asking(InTask, frozen=True, eq=False):
    """The question is on the board, and the player may answer it. The targets in `prefix` are picked. With
    `has_verdict`, the last answer was wrong, and the lines under the board still say so: where both sides move at once,
    the board does not show answers. With `seeks_line`, best play after the last answer is being looked for."""

    prefix: Sequence[Target] = ()
    has_verdict: bool = False
    seeks_line: bool = False

    @property
    def keys(self) -> KeyWords:
        return AFTER_WRONG if self.has_verdict else ()

    enter = Effect.PICK

    @property
    def back(self) -> Effect:
        if self.prefix:
            return Effect.DROP_TARGET
        if self.has_verdict or self.seeks_line:
            return Effect.ASK_AGAIN
        return Effect.LEAVE if self.asked is Asked.RETRY else Effect.SAY_NOTHING_CHOSEN

    @property
    def leave(self) -> Effect:
        return Effect.ASK_AGAIN if self.seeks_line else Effect.LEAVE


class Checking(InTask, frozen=True, eq=False):
    """An answer waits for its value."""

    refusal = "Checking your move..."
    back = Effect.WITHDRAW

    @property
    def footer(self) -> Sequence[str]:
        """The commands in the footer. Nothing can be chosen now, but the answer can be taken back."""
        return ["back" if name == "choose" else name for name in super().footer]


class Refuted(InTask, frozen=True, eq=False):
    """A wrong answer is on the board, perhaps with the reply to it."""

    @property
    def keys(self) -> KeyWords:
        return (TRY_AGAIN, SKIP_TASK, LEAVE_LESSONS) if self.asked is Asked.LESSON else AFTER_WRONG

    refusal = phrase("Press {back} to try again.")
    enter = Effect.ASK_AGAIN
    back = Effect.ASK_AGAIN
    marking = Marking.LAST_MOVE
    is_live = False


class Solved(InTask, frozen=True, eq=False):
    """A drill is solved, or with `is_given` the player has asked for the solution. With `shows_answer`, the board shows
    the right answer. `seeks_line` is as in `Asking`. `is_last` means that the round ends after it."""

    is_given: bool = False
    shows_answer: bool = False
    seeks_line: bool = False
    is_last: bool = False

    @property
    def keys(self) -> KeyWords:
        onward = "review" if self.asked is Asked.RETRY else "finish" if self.is_last else "next"
        return (("choose", onward), ("values", "values"), ("why", "why"), ("put_aside", "put aside"))

    enter = Effect.NEXT_TASK
    is_over = True

    @property
    def back(self) -> Effect:
        shows_more = self.shows_answer or self.seeks_line
        return Effect.ASK_AGAIN if shows_more or self.asked is not Asked.RETRY else Effect.LEAVE

    @property
    def refusal(self) -> Phrase:
        if self.asked is Asked.RETRY:
            return (*(() if self.is_given else ("Correct. ",)), *phrase("Press {choose} to go back to the review."))
        done = "You have seen the solution. " if self.is_given else "This drill is solved. "
        return (done, *CONTINUE)

    def refuse(self, command: str) -> Phrase:
        return self.refusal if command == "hint" and self.shows_answer else ""

    @property
    def leave(self) -> Effect:
        return Effect.ASK_AGAIN if self.seeks_line else Effect.LEAVE

    @property
    def marking(self) -> Marking:
        return Marking.LAST_MOVE if self.shows_answer else Marking.CHOICES

    @property
    def is_live(self) -> bool:
        return not self.shows_answer

    @property
    def lacks(self) -> frozenset[str]:
        return AT_THE_END | {"type_move"}


class RoundOver(Situation, frozen=True, eq=False):
    """All drills of a round are done. Enter takes one next step: after a round that went badly (`was_hard`) the missed
    drills again, otherwise the next step of learning (`next_step`, its name), if there is one. `is_daily` means that
    the round was the position of the day."""

    was_hard: bool = False
    is_daily: bool = False
    next_step: str = ""

    command_set, way_out = Asked.DRILL.value, WAYS_OUT[Asked.DRILL]
    refusal = "Session complete."
    back = Effect.LEAVE
    lacks = OF_DRILLS
    keys_in_past = InTask.keys_in_past
    is_over = True

    @property
    def enter(self) -> Effect:
        if self.was_hard and not self.is_daily:
            return Effect.ROUND_AGAIN
        return Effect.LEARN_ON if self.next_step else Effect.OTHER_DRILLS

    @property
    def keys(self) -> KeyWords:
        """The keys that go on from the end. What Enter does is not named again."""
        again, learn, others = ("round_again", "again"), ("learn", self.next_step), ("drills", "other drills")
        copy, leave = (("copy_result", "copy result"),) if self.is_daily else (), (self.way_out, "back")
        match self.enter:
            case Effect.ROUND_AGAIN:
                return (("choose", "try the missed ones again"), *((learn,) if self.next_step else ()), others, leave)
            case Effect.LEARN_ON:
                return (("choose", self.next_step), *copy, again, others, leave)
        return (("choose", "other drills"), *copy, again, leave)


class TaskDone(InTask, frozen=True, eq=False):
    """A task of a lesson is done. The board shows the move or the game that did it."""

    refusal = ("This task is done. ", *CONTINUE)
    keys = (NEXT_TASK, LEAVE_LESSONS)
    enter = Effect.NEXT_TASK
    marking = Marking.LAST_MOVE
    is_over = True
    is_live = False
    lacks = AT_THE_END | {"hint"}

    def refuse(self, command: str) -> Phrase:
        return self.refusal if command == "hint" else ""


class AnswerShown(InTask, frozen=True, eq=False):
    """The board shows the answer to a task that the player is skipping."""

    refusal = phrase("This is the answer. Press {choose} to continue, or {back} to try it.")
    keys = (NEXT_TASK, ("back", "try it"), LEAVE_LESSONS)
    enter = Effect.NEXT_TASK
    back = Effect.ASK_AGAIN
    marking = Marking.LAST_MOVE
    is_over = True
    is_live = False
    lacks = AT_THE_END | {"hint"}


class ToBePlayed(InTask, frozen=True, eq=False):
    """The task is a whole game against the engine, which is played on its own board."""

    refusal = phrase("Press {choose} to play this game.")
    keys = (("choose", "play"), SKIP_TASK, LEAVE_LESSONS)
    enter = Effect.PLAY_TASK
    back = Effect.SAY_NOTHING_CHOSEN
    lacks = AT_THE_END

    def refuse(self, command: str) -> Phrase:
        return self.refusal if command == "hint" else ""


class LessonsOver(Situation, frozen=True, eq=False):
    """The last task of the lessons is done."""

    command_set, way_out = Asked.LESSON.value, WAYS_OUT[Asked.LESSON]
    refusal = "You have done all the lessons."
    enter = Effect.LEARN_ON
    back = Effect.LEAVE
    keys = (("drills", "drills"), ("lessons_again", "again"), LEAVE_LESSONS)
    lacks = OF_LESSONS
    keys_in_past = InTask.keys_in_past
    is_over = True


class Answered(NamedTuple):
    """How far the player is with the question on the board. The answer `is_waiting` for its value, `is_shown` on the
    board, or it `is_wrong` and only the lines under the board say so."""

    is_waiting: bool = False
    is_shown: bool = False
    is_wrong: bool = False
    seeks_line: bool = False


def find_in_drill(
    live: LiveGame,
    prefix: Sequence[Target],
    answered: Answered,
    over: RoundOver | None = None,
    *,
    is_solved: bool = False,
    is_given: bool = False,
    is_retry: bool = False,
    is_last: bool = False,
) -> RoundOver | Checking | Solved | Refuted | Asking:
    """Return the situation in a round of drills, or in a retry, if the board does not show best play or the past. After
    the last drill, it is `over`."""
    asked = Asked.RETRY if is_retry else Asked.DRILL
    if over is not None:
        return over
    if answered.is_waiting:
        return Checking(live, asked)
    if is_solved:
        return Solved(live, asked, is_given, answered.is_shown, answered.seeks_line, is_last)
    if answered.is_shown:
        return Refuted(live, asked)
    return Asking(live, asked, prefix, answered.is_wrong, answered.seeks_line)


def find_in_lesson(
    live: LiveGame,
    prefix: Sequence[Target],
    answered: Answered,
    *,
    is_over: bool = False,
    is_solved: bool = False,
    is_skipped: bool = False,
    is_played: bool = False,
) -> LessonsOver | Checking | TaskDone | AnswerShown | Refuted | ToBePlayed | Asking:
    """Return the situation in a lesson, if the board shows the task. With `is_skipped`, the player has asked for the
    answer. `is_played` means that the task is a whole game."""
    asked = Asked.LESSON
    if is_over:
        return LessonsOver()
    if answered.is_waiting:
        return Checking(live, asked)
    if is_solved:
        return TaskDone(live, asked)
    if is_skipped:
        return AnswerShown(live, asked)
    if answered.is_shown:
        return Refuted(live, asked)
    return ToBePlayed(live, asked) if is_played else Asking(live, asked, prefix)


# The review of a game.


class Stepping(Situation, frozen=True, eq=False):
    """The player steps through a game and is at the node `at`, on the path to `last_node`. With `seeks_line`, best play
    after the shown move is being looked for."""

    live: LiveGame
    at: AnyNode
    last_node: AnyNode
    seeks_line: bool = False

    command_set, way_out = "review", "leave_review"
    refusal = phrase("{try_move} tries a move.")
    enter = Effect.GO_ON
    marking = Marking.LAST_MOVE
    way_back = "leave_review"
    keys_along = (("next_move", "next"), ("previous_move", "back"), ("leave_review", "review"))
    lacks = frozenset({"choose"})

    @property
    def footer(self) -> Sequence[str]:
        """The commands in the footer, without those that lead nowhere from the shown position."""
        leads_on = {
            "previous_move": self.at.parent is not None,
            "next_move": self.at is not self.last_node or self.at.main_child() is not None,
            "next_mistake": any(is_marked(self.live, node, everything=True) for node in self.later),
            "try_move": not self.is_at_end or self.follows_mistake,
        }
        named = ("previous_move", "next_move", PANELS, "overlay", "next_mistake", "try_move", "values", "why")
        return (*(name for name in named if leads_on.get(name, True)), self.way_out, HELP)

    @property
    def words(self) -> Mapping[str, str]:
        return {"try_move": "retry"} if self.follows_mistake else {}

    @property
    def later(self) -> Sequence[AnyNode]:
        """The nodes after the shown one, on the path to the last one."""
        return self.last_node.path()[self.at.ply + 1 :]

    @property
    def is_at_end(self) -> bool:
        """Whether the game is over in the shown position."""
        return self.at.result is not None

    @property
    def follows_mistake(self) -> bool:
        """Whether a person's mistake led to the shown position. Then the player can try to find a better move."""
        return find_blunderer(self.live, self.at) is not None

    @property
    def leave(self) -> Effect:
        return Effect.LEAVE_BEST_LINE if self.seeks_line else Effect.LEAVE


class Trying(Situation, frozen=True, eq=False):
    """The player tries moves from a position of the game. With `is_at_end`, the tried moves have ended the game. With
    `has_tried`, there is a tried move to take back. `prefix` are the targets picked so far, and `seeks_line` is as in
    `Stepping`."""

    live: LiveGame
    prefix: Sequence[Target] = ()
    has_tried: bool = False
    seeks_line: bool = False
    is_at_end: bool = False

    command_set, way_out = "trying", "leave_review"
    way_back = "leave_review"
    keys_along = (*ALONG, ("leave_review", "review"))

    @property
    def footer(self) -> Sequence[str]:
        if self.is_at_end:
            return super().footer
        return ("choose", PANELS, "type_move", "values", "play_on", self.way_out, HELP)

    @property
    def words(self) -> Mapping[str, str]:
        return {self.way_out: "stop trying" if self.leave is Effect.STOP_TRYING else "take back"}

    @property
    def refusal(self) -> Phrase:
        return OVER_HERE if self.is_at_end else ""

    @property
    def enter(self) -> Effect:
        return self.leave if self.is_at_end else Effect.PICK

    @property
    def leave(self) -> Effect:
        if self.seeks_line:
            return Effect.LEAVE_BEST_LINE
        if self.prefix:
            return Effect.DROP_TARGET
        return Effect.TAKE_BACK if self.has_tried else Effect.STOP_TRYING

    @property
    def lacks(self) -> frozenset[str]:
        return frozenset({"choose"} if self.live.game.play.is_steered and not self.is_at_end else ())


def find_in_review(
    live: LiveGame,
    prefix: Sequence[Target],
    at: AnyNode,
    last_node: AnyNode,
    base: AnyNode | None,
    seeks_line: bool,
) -> Stepping | Trying:
    """Return the situation in a review that shows the node `at`, on the path to `last_node`, and no best play. `base`
    is the node from which moves are tried, or `None`."""
    if base is not None:
        return Trying(live, prefix, at is not base, seeks_line, at.result is not None)
    return Stepping(live, at, last_node, seeks_line)


# The explorer.


class Exploring(Situation, frozen=True, eq=False):
    """The player walks through the solved game. With `can_go_back`, there is a move or a jump to take back."""

    can_go_back: bool

    command_set, way_out = "explore", "leave_explorer"
    enter = Effect.GO_ON

    @property
    def back(self) -> Effect:
        return Effect.TAKE_BACK if self.can_go_back else Effect.SAY_FIRST

    @property
    def footer(self) -> Sequence[str]:
        back = ("ascend",) if self.can_go_back else ()
        return ("descend", *back, PANELS, "overlay", "reasons", "go_to", "set_up", "play_from", self.way_out, HELP)


class ExploredEnd(Exploring, frozen=True, eq=False):
    """The game is over in the position that the explorer shows."""

    refusal = OVER_HERE
    enter = Effect.NOTHING
    lacks = frozenset({"descend", "group", "values", "reasons", "play_from", "drill_this"})

    @property
    def footer(self) -> Sequence[str]:
        gone = ("descend", "reasons", "play_from")
        return [name for name in super().footer if name not in gone]


def find_in_explorer(can_go_back: bool, is_over: bool) -> Exploring:
    return ExploredEnd(can_go_back) if is_over else Exploring(can_go_back)
