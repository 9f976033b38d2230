"""Going through a game: from move to move, from mistake to mistake, along refutations; and playing on from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onlymove_engines.match.disclosure import may_be_explored
from onlymove_engines.match.explanation import blamed, fitting
from onlymove_engines.match.match import Match
from onlymove_engines.match.trial import branch
from textual.timer import Timer

from onlymove_tui.app.board.thinking import ONE_MOMENT
from onlymove_tui.app.panels import docked, reviewing, telling
from onlymove_tui.app.panels.telling import place_of
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.trying_screen import OVER_HERE, TryingScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import BETWEEN, FULL_HEIGHT
from onlymove_tui.app.widgets.canvas import Row, width_of
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.table import Docked, Told
from onlymove_tui.store.autosave import Autosave


class ReviewScreen(TryingScreen, screen_id="review"):
    """A finished, imported or interrupted game, from its start. The game itself stays where it is."""

    shows_everything = True

    def __init__(self, match: Match, autosave: Autosave | None = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.replay: Timer | None = None
        self.playback.go_to(0)

    def on_mount(self) -> None:
        """Show the start, and have everything judged that is not judged yet."""
        self.refresh_all()
        if self.match.knowledge.is_settled:
            self.inquire()
        else:
            self.thinking.fetch_analyst()

    def inquire(self) -> None:
        """Have every position looked at."""
        self.thinking.study(self.match.session.line.nodes())

    def learned(self) -> None:
        """Once all moves are judged, have found out why some are bad, the shown one first."""
        line, is_coming = self.match.session.line, self.match.knowledge.is_coming
        if not any(node.result is None and is_coming(node) for node in line.nodes()):
            nodes = (self.playback.at, *line.nodes())
            self.thinking.explain(choice for node in nodes for choice in blamed(self.match.game, node))

    # Going.

    def action_walk(self, by: int) -> None:
        """Along the game; where it ends, on along what was taken back."""
        if self.playback.refutation is None:
            self.stop_trying()
        beyond = self.playback.tip.main_child()
        if by > 0 and beyond is not None and self.playback.is_live:
            self.playback.go(beyond)
        else:
            super().action_walk(by)
        self.refresh_all()

    def action_replay(self) -> None:
        """The moves one after the other from here, or from the start at the end; again: stop."""
        if self.replay is not None:
            self.replay.stop()
            self.replay = None
            return
        if not self.playback.is_past:
            self.look_at(0)
        self.replay = self.set_interval(4 * self.services.frame_seconds, self.replay_step)

    def replay_step(self) -> None:
        """One move on; the last one ends it."""
        self.action_walk(1)
        if not self.playback.is_past:
            self.action_replay()

    def before_key(self, key: str) -> bool:
        """Any key but the one that stops it ends the replay."""
        if self.replay is not None and not self.is_key_of(key, "replay"):
            self.action_replay()
        return super().before_key(key)

    def action_branch(self, by: int) -> None:
        """To another move that was tried in the place of this one."""
        self.stop_trying()
        parent = self.playback.at.parent
        if parent is not None:
            siblings = parent.children
            self.playback.go(siblings[(siblings.index(self.playback.at) + by) % len(siblings)])
            self.look_at(self.playback.at.ply)

    def action_why(self) -> None:
        """Play through best play after the shown move; again: the next step."""
        at = self.playback.at
        if self.playback.refutation is not None:
            self.action_walk(1)
        elif at.parent is not None and self.thinking.refute(at.parent, at.move):
            self.say(ONE_MOMENT, Tone.DIM)

    def action_leave(self) -> None:
        """Out of the refutation, out of what is tried, or else back to where one came from."""
        is_explained = self.playback.refutation is not None or self.thinking.refuting is not None
        self.thinking.stop_refuting()
        if is_explained:
            self.playback.go(self.playback.at)
            self.message = ()
            self.refresh_all()
        elif not self.step_back():
            super().action_leave()

    def action_play_on(self) -> None:
        """A new game from the shown position, with the moves so far; the game itself is played on where it stands."""
        session, at = self.match.session, self.playback.at
        if at is session.node and not session.is_over and isinstance(self.app.screen_stack[-2], BoardScreen):
            self.app.pop_screen()
            return
        new = branch(session, at, session.players)
        if new.is_over:
            self.say(OVER_HERE, Tone.DIM)
        else:
            self.services.play_branch(new, self.match, self.autosave)

    def is_possible(self, action: str) -> bool:
        """What does not apply is not offered."""
        parent = self.playback.at.parent
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "explore": may_be_explored(self.match),
            "why": not self.match.is_simultaneous,
            "branch": parent is not None and len(parent.children) > 1,
        }.get(action, True)

    # What is shown.

    def marks(self) -> Marks:
        """Both ends of the move, and on demand the value of every next one."""
        is_asked = self.values_shown and self.playback.refutation is None
        values = reviewing.labels(self.match, self.playback.at) if is_asked else {}
        return replace(super().marks(), values=values)

    def heading(self) -> tuple[Row, Row]:
        """The game, and which of its moves is shown."""
        title: Row = [(self.match.game.title, Tone.TITLE), ("  review", Tone.DIM)]
        return title, [(place_of(self.match.game, self.playback.at, self.way[-1]), Tone.DIM)]

    def notes(self) -> Told:
        """The refutation; what was best instead; the figures."""
        if self.playback.refutation is not None:
            return super().notes()
        return reviewing.notes(self.match, self.playback.at, self.playback.path, *self.note_room)

    @property
    def shows_worth(self) -> bool:
        """What every move leads to takes the place of what was best instead only when it is asked for."""
        return super().shows_worth or (self.table.room.has_table and self.playback.refutation is None)

    def docked(self) -> Docked:
        """The move and what it was worth, or where in the refutation the board is."""
        match, at, refutation = self.match, self.playback.at, self.playback.refutation
        if refutation is not None:
            return docked.refutation_lines(match.game, refutation, docked.REVIEW_KEYS)
        lack = telling.lack_of_values(match, at) if self.values_shown else ()
        first = reviewing.headline(match, at)
        return Docked([first, self.message or lack or self.with_reason(first, self.remark())])

    def with_reason(self, first: Row, remark: Row) -> Row:
        """Behind a remark why the shown move is bad, where nothing beside the board says so and it fits, on a low
        screen into one line."""
        match, at, is_low = self.match, self.playback.at, self.size.height < FULL_HEIGHT
        sentences = () if self.table.room.is_framed and at is not match.node else match.advice.reasons(at)
        gap = BETWEEN if width_of(remark) else ""
        taken = width_of([*remark, (gap, Tone.TEXT)]) + is_low * (width_of(first) + len(BETWEEN))
        text = fitting(sentences, self.line_width - taken)
        return [*remark, (f"{gap}{text}", Tone.TEXT)] if text else remark

    def reasons(self) -> Sequence[str]:
        return self.refuted_move.full

    def remark(self) -> Row:
        """How the game ended, at its end; what was noted; that a move can be entered."""
        if self.base is None:
            return reviewing.remark(self.match, self.playback.at)
        if why := self.why_not():
            return [("Trying", Tone.CURRENT), (f"  {why}", Tone.DIM)]
        prefix = self.entering.prefix
        return [
            ("Trying", Tone.CURRENT),
            (f"  {' - '.join(prefix)} - ?" if prefix else "  what would you play?", Tone.DIM),
        ]
