"""One drill after the other: find a move that keeps the value. The answer is never shown before it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.line import AnyNode
from textual.message import Message

from onlymove_tui.app.board.thinking import NO_HINT, ONE_MOMENT
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.panels import docked, drilling, playing
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.table import Docked, Told
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.drill_round import Practice
from onlymove_tui.play.match import Match
from onlymove_tui.play.refutation import Refutation, single

REPLY_SECONDS = 0.8
"""How long a right move stands alone before the reply is shown."""


@dataclass
class DrillReady(Message):
    """The next drill is there as a match; `None`: the last one was the last."""

    match: Match | None


class DrillScreen(BoardScreen, screen_id="drill"):
    """The board of a drill. Nothing is ever played on it: a move is an answer, and nobody sits opposite.

    `answered` is the last answer, or the solution that was asked for; `unjudged` waits for values. With `explains` the
    player steps through best play; without it a right move is shown on the board, and the reply to it.
    """

    names_engines = False

    def __init__(self, practice: Practice) -> None:
        super().__init__(practice.match())
        self.practice = practice
        self.verdict: Row = ()
        self.answered: Move | None = None
        self.unjudged: tuple[Seat, Move] | None = None
        self.explains = False

    def on_mount(self) -> None:
        """Ask the first one."""
        self.begin()

    def begin(self) -> None:
        """Ask the drill on the board."""
        self.verdict, self.answered, self.unjudged, self.explains = (), None, None, False
        self.entering.begin()
        if self.match.knowledge.is_settled:
            self.inquire()
        else:
            self.thinking.fetch_analyst()
        self.refresh_all()

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
            self.answered = move
            self.verdict = drilling.verdict(self.match, move, judgement, self.practice.is_solved)
            self.entering.begin()
            self.record()
            if self.practice.is_solved:
                self.show_answer(move)
        self.refresh_all()

    def why_not(self) -> str:
        if self.unjudged is not None:
            return "Your move is being looked at."
        return "" if self.playback.is_live else "The drill is another position: Esc, then Backspace goes there."

    def record(self) -> None:
        """Have what was answered put into the box."""
        self.write(lambda: Trouble(self.practice.record()), "record", keys_wait=True)

    def show_answer(self, move: Move) -> None:
        """Show a right move being played, and have the reply to it found."""
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
            self.set_timer(REPLY_SECONDS, lambda: self.show_reply(refutation))

    def show_reply(self, line: Refutation) -> None:
        """Show the reply, if the right move still stands on the board."""
        shown = self.playback.refutation
        if shown is not None and not self.explains and shown.positions == line.positions[:2]:
            self.play_out(line.stepped(1))

    # What can be asked for.

    def action_hint(self) -> None:
        """The next rung of the hint ladder, now or as soon as it is known."""
        self.say(self.thinking.hint() if self.playback.is_live else NO_HINT, Tone.DIM)

    def action_solution(self) -> None:
        """Show every best move; the drill counts as not known."""
        values = self.match.values()
        if values is None:
            self.say("One moment: the solution is being looked for.", Tone.DIM)
            return
        if self.answered is None and isinstance(values, Analysis):
            self.answered = next(iter(values.best()), None)
        self.practice.give_up(self.match)
        self.record()
        self.playback.leave()
        self.thinking.hint(straight=True)
        self.verdict = [("The solution is marked.", Tone.HINT)]
        self.refresh_all()

    def action_values(self) -> None:
        """The value of every move, once the drill is solved."""
        if self.practice.is_solved:
            self.action_back()
            super().action_values()
        else:
            self.say("First find a move; h gives a hint.", Tone.DIM)

    def action_why(self) -> None:
        """Best play after the last answer; again: the next step."""
        if self.explains and self.playback.refutation is not None:
            self.action_walk(1)
        elif self.answered is not None and self.thinking.refute(self.match.node, self.answered):
            self.explains = True
            self.say(ONE_MOMENT, Tone.DIM)

    def action_choose(self) -> None:
        """Pick what the cursor is on; along the moves that are shown."""
        if self.playback.refutation is not None:
            self.action_walk(1)
        elif self.entering.aim is not None:
            self.pick(self.entering.aim)

    def action_back(self) -> None:
        """Back to the question, or one target less."""
        self.thinking.stop_refuting()
        self.explains, self.unjudged = False, None
        if not self.playback.leave():
            self.entering.back()
        self.refresh_all()

    def action_next_drill(self) -> None:
        """On to the next drill; after the last one back, with what came of it."""
        practice = self.practice
        self.fetch(lambda: DrillReady(practice.match() if practice.advance() else None), "next", keys_wait=True)

    def on_drill_ready(self, message: DrillReady) -> None:
        """The next drill is there, or there is none."""
        if message.match is None:
            self.action_leave()
            return
        knowledge = self.match.knowledge
        if message.match.game.id == self.match.game.id and knowledge.is_settled:
            message.match.take_analyst(knowledge.analyst, knowledge.note)
        self.thinking.begin()
        self.sit_down(message.match)
        self.begin()

    def action_leave(self) -> None:
        """Back to the list of drills."""
        self.services.leave_drills(self.practice)

    def is_possible(self, action: str) -> bool:
        """What a drill offers."""
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "why": self.answered is not None and not self.match.is_simultaneous,
        }.get(action, True)

    # What is shown.

    def marks(self) -> Marks:
        """Cursor, choices, hints; values once the drill is solved."""
        if not self.playback.is_live:
            return super().marks()
        return playing.entry_marks(self, with_values=self.values_shown and self.practice.is_solved)

    def heading(self) -> tuple[Row, Row]:
        """The game, and the place in the round."""
        place = f"drill {self.practice.place + 1} of {self.practice.total}"
        return [(self.match.game.title, Tone.TITLE), ("  drill", Tone.DIM)], [(place, Tone.DIM)]

    def notes(self) -> Told:
        """Best play where it was asked for, or the hint."""
        if self.explains:
            return super().notes()
        return Told("Coach", playing.advice_rows(self, with_values=False, width=self.table.note_width))

    @property
    def shows_worth(self) -> bool:
        """What every move leads to is there to be read once the drill is solved."""
        return self.practice.is_solved and not self.explains

    def docked(self) -> Docked:
        """What is asked, or what came of the answer."""
        drill = self.practice.drill
        if self.explains and self.playback.refutation is not None:
            return docked.refutation_lines(self.match.game, self.playback.refutation, drilling.REFUTATION_KEYS)
        if self.unjudged is not None:
            return Docked([docked.waiting_line(self.match)])
        if self.message or not self.verdict:
            asked = () if drill is None else drilling.question(self.match, drill, self.entering.prefix)
            return Docked([asked, self.message or (() if drill is None else drilling.origin(drill))])
        solved = drilling.SOLVED_WITH_WHY_KEYS if self.is_possible("why") else drilling.SOLVED_KEYS
        return docked.asking(self.verdict, solved if self.practice.is_solved else drilling.TRY_KEYS)
