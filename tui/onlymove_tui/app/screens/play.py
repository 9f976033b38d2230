"""The game being played: what comes of a move, and of keys that come before their time.

All law, judging and waiting is the match's. A change of the game is kept before it is shown.
"""

from __future__ import annotations

from math import inf

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.disclosure import may_be_explained
from onlymove_engines.match.explanation import Key, fitting, key_of
from onlymove_engines.match.match import Match
from textual.message import Message

from onlymove_tui.app.board.early_keys import EarlyKeys
from onlymove_tui.app.messages import Compiling, Pointed, Replied
from onlymove_tui.app.panels import playing, telling
from onlymove_tui.app.panels.playing import NOTHING
from onlymove_tui.app.screens.advised_screen import AdvisedScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import BETWEEN, FULL_HEIGHT
from onlymove_tui.app.widgets.canvas import Row, width_of
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.table import Docked, Told
from onlymove_tui.store.autosave import Autosave


class PlayScreen(AdvisedScreen, screen_id="play"):
    """A board, somebody to play against, and a tutor. `way_out` says where leaving it leads."""

    def __init__(self, match: Match, autosave: Autosave | None = None) -> None:
        super().__init__(match, autosave)
        self.way_out = "menu"
        self.is_paused = False
        self.early = EarlyKeys(self.entering, self.command_of)
        self.replies: list[Replied] = []
        self.seen_at = 0.0
        self.compiled: float | None = None
        self.explaining: tuple[Key, Row] | None = None

    def on_mount(self) -> None:
        """Fetch who knows the values, and begin at once without waiting for it."""
        self.begin()
        self.let_it_be_seen()
        self.thinking.fetch_analyst()

    def on_compiling(self, message: Compiling) -> None:
        """Say how far it is."""
        self.compiled = message.share
        self.show_docked()

    # The course of the game.

    def begin(self, message: Row = ()) -> None:
        """The game stands elsewhere: forget what belonged to the last decision, ask whoever is to move."""
        self.message = message
        self.thinking.begin()
        self.replies.clear()
        self.confirming.forget()
        self.playback.follow(self.match.node)
        self.entering.begin()
        self.thinking.collect()
        self.rate()
        self.set_clock()
        self.inquire()
        self.show_asked(NOTHING)

    def inquire(self) -> None:
        """Look at the position, and have engines think."""
        self.thinking.look(self.match.node)
        self.thinking.engines(self.is_paused)
        self.learned()

    def learned(self) -> None:
        """Take what waited for values."""
        self.weigh()
        if self.thinking.wants_hint:
            self.action_hint()
        if (verdict := self.match.release()) is not None:
            self.answer(verdict)

    def on_replied(self, reply: Replied) -> None:
        """An engine has chosen; while a move is on its way it waits."""
        if self.playback.frames:
            self.replies.append(reply)
        elif self.thinking.takes_reply(reply):
            if self.match.take_reply(reply.seat, reply.move) is None:
                self.learned()
                self.refresh_all()
            else:
                self.moved(() if self.confirming.is_asking else self.message)

    def take_move(self, seat: Seat, move: Move) -> None:
        """Played, held, returned, or kept waiting until it can be judged; nothing that comes too late."""
        if self.lose_on_time():
            return
        self.message = ()
        if (verdict := self.match.offer(seat, move)) is not None:
            self.answer(verdict)
        else:
            self.set_clock()
        self.refresh_all()

    def answer(self, verdict: Verdict) -> None:
        """What comes of a move that was offered."""
        if verdict.held is not None:
            self.explain()
            self.entering.show(verdict.held.move)
            self.show_asked(NOTHING)
            self.retell(self.why_not())
            self.let_it_be_seen()
        elif verdict.returned:
            self.entering.begin()
            self.message = [(f"Taken back: {verdict.judgement.lost()}. Try again.", Tone.LOSS)]
            self.explain()
        elif verdict.node is None:
            self.entering.begin()
            self.set_clock()
            self.thinking.stop_hinting()
            self.show_asked(NOTHING)
            self.say(f"{telling.chooser(self.match)} has chosen.", Tone.DIM)
            self.thinking.engines()
        else:
            self.moved(telling.praise(verdict.judgement) if self.match.training else ())
            self.explain()

    def explain(self) -> None:
        """Have found out why the last move of a person is bad, if it is, and add it to what is said of it."""
        if (choice := self.match.offered) is not None:
            self.explaining = (key_of(choice), self.message)
            self.thinking.explain([choice])
            self.explained(key_of(choice))

    def explained(self, key: Key) -> None:
        """Behind the verdict on a move that was not held, what fits. Of one that stands nothing about its replies: the
        engine has replied, or will have."""
        choice, is_low = self.match.offered, self.size.height < FULL_HEIGHT
        if choice is None or self.explaining != (key, self.message) or not self.message or is_low:
            return
        found = self.match.advice.explanation(choice)
        sentences = found.discreet if choice[0] is self.match.node else found.lasting
        text = fitting(sentences, self.line_width - width_of(self.message) - len(BETWEEN))
        if text and may_be_explained(self.match):
            self.message = [*self.message, (f"{BETWEEN}{text}", Tone.TEXT)]
            self.show_docked()

    def moved(self, message: Row) -> None:
        """A move is on the board: show it on its way, and go on."""
        view = self.match.session.view(flipped=self.flipped, ascii_only=self.services.ascii_only)
        self.show_on_its_way(view)
        self.begin(() if self.match.session.is_over else message)
        self.let_it_be_seen()
        self.serve_early()
        if len(self.match.session.human_seats()) == 1:
            self.seen_at = inf
            self.call_after_refresh(self.seen)

    def seen(self) -> None:
        """What an engine has played stands on the screen: keys that come from now on are meant for it."""
        self.seen_at = Message().time

    def arrived(self) -> None:
        """The move on its way has arrived: replies that waited are taken now, and keys."""
        super().arrived()
        self.let_it_be_seen()
        replies, self.replies = self.replies, []
        for reply in replies:
            self.on_replied(reply)
        self.serve_early()

    def serve_early(self) -> None:
        """Take the keys of a move that came while an engine was thinking."""
        self.retell("")
        if not self.why_not():
            self.early.serve()
            self.refresh_all()

    def why_not(self) -> str:
        return playing.why_not(self.match, self.playback)

    def on_pointed(self, message: Pointed) -> None:
        """A click withdraws a question, and plays nothing on a board that has only just come."""
        self.confirming.forget()
        if self.playback.is_live and not self.guard.is_open and self.entering.completes(message.target):
            message.prevent_default()

    def action_type_move(self) -> None:
        super().action_type_move()
        if self.match.is_held:
            self.retell(self.why_not())

    def before_key(self, key: str) -> bool:
        """Any key but the same again withdraws a question; what enters a move is kept while an engine thinks."""
        if self.confirming.is_withdrawn(key):
            self.say("")
        if self.is_unseen and self.early.keep(key):
            self.serve_early()
            return True
        if self.is_gated or super().before_key(key):
            return not self.is_gated
        is_early = self.playback.is_live and self.match.seat is None and not self.match.session.is_over
        return is_early and self.early.keep(key)

    @property
    def is_unseen(self) -> bool:
        """Whether the last key was pressed before the position on the board stood there."""
        return self.pressed_at < self.seen_at and not self.is_gated and not self.why_not()

    def action_choose(self) -> None:
        """Pick the target under the cursor, keep a held move, or go back to the game."""
        if self.playback.refutation is not None:
            self.action_walk(1)
        elif self.playback.is_past:
            self.action_walk_to(1)
        elif self.match.is_held:
            self.answer(self.match.keep())
            self.refresh_all()
        elif self.entering.aim is not None:
            self.pick(self.entering.aim)

    def action_back(self) -> None:
        """One step back: out of the refutation, out of the past, out of a held move, or one target less."""
        self.thinking.stop_refuting()
        if self.playback.leave():
            pass
        elif self.match.is_held:
            self.match.rethink()
            self.begin()
        elif self.match.waiting is not None:
            self.match.withdraw()
            self.set_clock()
            self.entering.begin()
        else:
            self.entering.back()
        self.refresh_all()

    def action_undo(self) -> None:
        """Back to the last own decision."""
        if not self.playback.is_live:
            self.action_back()
        elif self.match.undo():
            self.is_paused = not self.match.session.human_seats()
            self.begin()

    def action_redo(self) -> None:
        if self.match.redo():
            self.begin()

    def action_pause(self) -> None:
        self.is_paused = not self.is_paused
        self.match.void_thoughts()
        self.thinking.begin()
        self.thinking.engines(self.is_paused)
        self.refresh_all()

    def action_menu(self) -> None:
        """To the list of games, or to the explorer below."""
        self.services.leave()

    def on_screen_resume(self) -> None:
        """The settings may have been changed meanwhile."""
        self.match.coach(self.services.coaching())
        self.match.effort = self.services.effort()
        self.refresh_all()

    def is_possible(self, action: str) -> bool:
        return playing.is_possible(self, action)

    # What is shown.

    def marks(self) -> Marks:
        if not self.playback.is_live or self.match.session.is_over:
            return super().marks()
        return playing.held_marks(self) if self.match.is_held else playing.entry_marks(self, self.values_shown)

    def heading(self) -> tuple[Row, Row]:
        return playing.game_title(self.match), playing.terms(self.match)

    def notes(self) -> Told:
        line = self.playback.refutation
        return playing.notes(self, self.values_shown, *self.note_room, self.rating) if line is None else super().notes()

    def docked(self) -> Docked:
        compiled = None if self.match.knowledge.is_settled else self.compiled
        return playing.game_lines(self, self.is_paused, self.new_drills, compiled, self.way_out)
