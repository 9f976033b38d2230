"""One drill after the other: find a move that keeps the value. The answer is never shown before it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from onlymove_engines.match.match import Match
from textual.message import Message

from onlymove_tui.app.panels import docked, drilling, playing
from onlymove_tui.app.screens.answering_screen import AnsweringScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.table import Docked, Told
from onlymove_tui.play.drill_round import Practice
from onlymove_tui.store.settings import Goal

NOT_AT_THE_END = frozenset({"cursor", "choose", "type_move", "hint", "values", "why", "solution", "next_drill", "walk"})
"""Commands that make no sense once the round is over."""


@dataclass
class DrillReady(Message):
    """The next drill of a round is there as a match; `None`: the last one was the last."""

    practice: Practice
    match: Match | None


class DrillScreen(AnsweringScreen, screen_id="drill"):
    """A round. After the last drill a card says what came of it."""

    def forget(self) -> None:
        super().forget()
        self.is_over = False

    def on_mount(self) -> None:
        """Ask the first one."""
        self.begin()

    def begin(self) -> None:
        """Ask the drill on the board."""
        self.forget()
        self.entering.begin()
        if self.match.knowledge.is_settled:
            self.inquire()
        else:
            self.thinking.fetch_analyst()
        self.refresh_all()
        self.let_it_be_seen()

    def why_not(self) -> str:
        return "The round is over." if self.is_over else super().why_not()

    def action_back(self) -> None:
        """One step back; at the end of the round back to where one came from."""
        if self.is_over:
            self.action_leave()
        else:
            super().action_back()

    def go_on(self) -> None:
        """On to the next drill; after the last one what came of the round."""
        self.action_next_drill()

    def action_next_drill(self) -> None:
        """On to the next drill; after the last one what came of the round."""
        practice, self.unjudged = self.practice, None
        find = partial(DrillReady, practice)
        self.fetch(lambda: find(practice.match() if practice.advance() else None), "next", keys_wait=True)

    def action_round_again(self) -> None:
        """What was missed once more, or all."""
        practice = self.practice.again()
        self.fetch(lambda: DrillReady(practice, practice.match()), "next", keys_wait=True)

    def on_drill_ready(self, message: DrillReady) -> None:
        """The next drill is there, or there is none."""
        self.practice = message.practice
        self.thinking.begin()
        if message.match is None:
            self.action_back()
            self.entering.clear()
            self.is_over = True
            self.let_it_be_seen()
            self.refresh_all()
            return
        knowledge = self.match.knowledge
        if message.match.game.id == self.match.game.id and knowledge.is_settled:
            message.match.take_analyst(knowledge.analyst, knowledge.note)
        self.sit_down(message.match)
        self.begin()

    def action_leave(self) -> None:
        """Back to where one came from."""
        self.services.leave_drills(self.practice)

    def action_drills(self) -> None:
        """What else there is to practise."""
        self.services.other_drills(self.practice)

    def is_possible(self, action: str) -> bool:
        """What a drill offers."""
        if self.is_over and action in NOT_AT_THE_END:
            return False
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "choose": self.practice.is_solved or self.explains or not self.entering.is_steered,
            "why": self.attempt is not None and not self.match.is_simultaneous,
            "round_again": self.is_over,
            "drills": self.is_over,
        }.get(action, True)

    # What is shown.

    @property
    def shows_worth(self) -> bool:
        return super().shows_worth and not self.is_over

    def heading(self) -> tuple[Row, Row]:
        """The game, and the round so far."""
        return [(self.match.game.title, Tone.TITLE), ("  drill", Tone.DIM)], drilling.place(self.practice)

    def notes(self) -> Told:
        """What came of the round; best play where it was asked for, or the hint."""
        if self.is_over:
            return drilling.card(self.practice, self.table.note_width)
        if self.explains:
            return super().notes()
        return Told("Coach", playing.advice_rows(self, with_values=False, width=self.table.note_width))

    def docked(self) -> Docked:
        """What is asked, or what came of the answer."""
        practice, drill, line = self.practice, self.practice.drill, self.playback.refutation
        if self.is_over:
            return drilling.over_lines(practice, not self.has_class("-narrow"))
        if self.explains and line is not None:
            return docked.refutation_lines(self.match.game, line, drilling.REFUTATION_KEYS)
        if self.unjudged is not None:
            return Docked([docked.waiting_line(self.match)])
        is_told = practice.is_solved or self.match.is_simultaneous or line is not None
        if drill is None or self.attempt is None or self.message or self.entering.prefix or not is_told:
            return self.asked_lines()
        keys = drilling.keys(practice.is_solved, self.is_possible("why"), self.guard.is_open)
        return docked.asking(drilling.verdict(self.match, drill, self.attempt, practice, self.line_width), keys)

    def asked_lines(self) -> Docked:
        """The question, and what was answered before; the goal may be part of the question."""
        drill = self.practice.drill
        if drill is None:
            return Docked([self.message])
        names_goal = self.practice.is_answered or self.services.settings.drill_goal is Goal.SHOWN
        asked = drilling.question(self.match, drill, self.entering.prefix, names_goal)
        rest = self.message or drilling.told(self.match, drill, self.attempt, names_goal, self.line_width)
        if self.has_class("-short") and not self.message:
            return drilling.with_dots(self.practice, asked, rest, self.size.width)
        return Docked([asked, rest])
