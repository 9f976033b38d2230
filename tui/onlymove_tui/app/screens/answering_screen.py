"""A board on which a move is an answer: judged, shown with the reply to it, tried again. Knows nothing of what is asked
before or after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.explanation import Refutation, single
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.board.early_keys import STEPS
from onlymove_tui.app.board.thinking import NO_HINT, ONE_MOMENT
from onlymove_tui.app.messages import Pointed, Trouble
from onlymove_tui.app.panels import playing
from onlymove_tui.app.panels.drilling import Attempt
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.play.drill_round import Practice

REPLY_SECONDS = 0.8
"""How long a move stands alone before the reply is shown."""


class AnsweringScreen(BoardScreen):
    """The board of a drill. Nothing is ever played on it: a move is an answer, and nobody sits opposite.

    `attempt` is the last answer, or the solution that was asked for; `unjudged` waits for values. An answer is shown on
    the board, and the `reply` to it when that has been found; with `explains` the player steps through best play.
    What has just come counts as asked only once it has been seen: keys of a move that come earlier do nothing.
    """

    names_engines = False

    def __init__(self, practice: Practice) -> None:
        super().__init__(practice.match())
        self.practice = practice
        self.forget()

    def forget(self) -> None:
        """Nothing has been answered yet."""
        self.attempt: Attempt | None = None
        self.unjudged: tuple[Seat, Move] | None = None
        self.reply: Refutation | None = None
        self.explains = False

    def inquire(self) -> None:
        """Look at the position."""
        self.thinking.look(self.match.node)

    def learned(self) -> None:
        """Judge the answer that waited for values; the hint too."""
        if self.unjudged is not None and self.match.values() is not None:
            self.take_move(*self.unjudged)
        if self.thinking.wants_hint:
            self.action_hint()

    # Answering.

    def take_move(self, seat: Seat, move: Move) -> None:
        """An answer: right if it keeps the value, judged as soon as that is known."""
        judgement = self.practice.answer(self.match, move)
        self.unjudged = (seat, move) if judgement is None else None
        if judgement is not None:
            self.attempt = Attempt(move, judgement)
            self.entering.begin()
            self.record()
            self.show_answer(move)
            self.let_it_be_seen()
        self.refresh_all()

    def why_not(self) -> str:
        if self.practice.is_solved:
            return "The drill is solved."
        if self.unjudged is not None:
            return "Your move is being looked at."
        if not self.playback.is_live:
            return "The drill is another position: Esc, then Backspace goes there."
        return "" if self.guard.is_open else "One moment: look at it first."

    @property
    def is_refuted(self) -> bool:
        """Whether a wrong answer stands on the board."""
        return not self.practice.is_solved and not self.explains and self.playback.refutation is not None

    def before_key(self, key: str) -> bool:
        """A key of a move does nothing to what was not seen, and brings the question back after a wrong answer."""
        is_of_move = key in self.entering.keys or self.is_key_of(key, *STEPS, "choose")
        if self.is_gated or self.playback.frames or not is_of_move:
            return super().before_key(key)
        if self.is_refuted and self.guard.is_open:
            self.action_back()
            return True
        return not self.guard.is_open or super().before_key(key)

    def on_pointed(self, message: Pointed) -> None:
        """A click brings the question back too."""
        if self.is_refuted and not self.playback.frames and self.guard.is_open:
            message.prevent_default()
            self.action_back()

    def action_type_move(self) -> None:
        self.ask_again()
        super().action_type_move()

    def ask_again(self) -> None:
        """If a wrong answer stands on the board, back to the question."""
        if self.is_refuted:
            self.action_back()

    def record(self) -> None:
        """Have what was answered put into the box."""
        self.write(lambda: Trouble(self.practice.record()), "record", keys_wait=True)

    def on_trouble(self, message: Trouble) -> None:
        """It is in the box: when the drill comes back is known."""
        self.refresh_all()

    def show_answer(self, move: Move) -> None:
        """Show an answer being played, and have the reply to it found."""
        if (seat := self.match.seat) is not None:
            self.thinking.explain([(self.match.node, seat, move)])
        if not self.match.is_simultaneous:
            self.play_out(single(self.match.game, self.match.node.position, move))
            self.thinking.refute(self.match.node, move)

    def play_out(self, line: Refutation) -> None:
        """Show the last step of a line on its way, and then where it leads to."""
        self.playback.step_through(self.match.node, line)
        self.show_on_its_way(self.view())
        self.refresh_all()

    def refuted(self, start: AnyNode, refutation: Refutation) -> None:
        """Best play after the answer is known: step through it if that was asked for, else show the reply."""
        if self.explains:
            super().refuted(start, refutation)
        elif self.playback.refutation is not None and len(refutation.moves) > 1:
            self.reply = refutation
            self.reply_soon()

    def arrived(self) -> None:
        super().arrived()
        self.reply_soon()

    def reply_soon(self) -> None:
        """Show the reply a while after the answer has been seen on its way."""
        if self.reply is not None and not self.playback.frames:
            self.set_timer(REPLY_SECONDS, partial(self.show_reply, self.reply))
            self.reply = None

    def show_reply(self, line: Refutation) -> None:
        """Show the reply, if the answer still stands on the board."""
        shown = self.playback.refutation
        if self.attempt is None or shown is None or self.explains or shown.positions != line.positions[:2]:
            return
        self.attempt = replace(self.attempt, reply=line.texts[1])
        if not self.practice.is_solved:
            self.let_it_be_seen()
        self.play_out(line.stepped(1))

    # What can be asked for.

    def action_hint(self) -> None:
        """The next rung of the hint ladder, now or as soon as it is known."""
        self.ask_again()
        self.say(self.thinking.hint() if self.playback.is_live else NO_HINT, Tone.DIM)

    def action_solution(self) -> None:
        """Show every best move; the drill counts as not known."""
        values = self.match.values()
        if values is None:
            self.say("One moment: the solution is being looked for.", Tone.DIM)
            return
        best = next(iter(values.best()), None) if isinstance(values, Analysis) else None
        self.attempt = Attempt(best if self.attempt is None else self.attempt.move)
        self.practice.give_up(self.match)
        self.record()
        self.playback.leave()
        self.thinking.hint(straight=True)
        self.let_it_be_seen()
        self.refresh_all()

    def action_values(self) -> None:
        """The value of every move, once the drill is solved."""
        if self.practice.is_solved:
            self.action_back()
            super().action_values()
        else:
            self.ask_again()
            self.say("First find a move; h gives a hint.", Tone.DIM)

    def action_why(self) -> None:
        """Best play after the last answer; again: the next step."""
        if self.explains and self.playback.refutation is not None:
            self.action_walk(1)
        elif self.attempt is not None and self.thinking.refute(self.match.node, self.attempt.move):
            self.explains = True
            self.say(ONE_MOMENT, Tone.DIM)

    def action_choose(self) -> None:
        """Along the moves that are shown; on from a solved drill; else pick what the cursor is on."""
        if self.explains and self.playback.refutation is not None:
            self.action_walk(1)
        elif self.practice.is_solved:
            self.go_on()
        elif self.entering.aim is not None:
            self.pick(self.entering.aim)

    def go_on(self) -> None:
        """From a solved drill to whatever is next."""

    def action_back(self) -> None:
        """Back to the question, or one target less."""
        self.thinking.stop_refuting()
        self.explains, self.unjudged, self.reply = False, None, None
        if not self.playback.leave():
            self.entering.back()
        self.refresh_all()

    # What is shown.

    def reasons(self) -> Sequence[str]:
        return self.refuted_move.discreet

    def marks(self) -> Marks:
        """Cursor, choices, hints; values once the drill is solved."""
        if not self.playback.is_live:
            return super().marks()
        return playing.entry_marks(self, with_values=self.values_shown and self.practice.is_solved)

    @property
    def shows_worth(self) -> bool:
        """What every move leads to is there to be read once the drill is solved."""
        return self.practice.is_solved and not self.explains
