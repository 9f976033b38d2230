"""Going through a game: from move to move, from mistake to mistake, along the reasons; and playing on from anywhere."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import Session
from textual.timer import Timer

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.screens.study import LOOK_SECONDS, Study
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match


class ReviewScreen(Study, screen_id="review"):
    """Where one goes in a game that is gone through, and what is kept of it."""

    def __init__(self, match: Match, autosave: Any = None, at: AnyNode | None = None) -> None:
        super().__init__(match, at)
        self.autosave = autosave
        self.clock: Timer | None = None

    def go(self, node: AnyNode) -> None:
        """Show this node."""
        if node not in self.leaf.path():
            self.leaf = node.end()
        self.at = node
        self.why = None
        self.message = ()
        self.refresh_all()

    def action_walk(self, by: int) -> None:
        """One move back or on; along the reason while one is shown."""
        if self.why is not None:
            self.step_why(by)
            return
        path = self.leaf.path()
        at = path.index(self.at) + by
        if 0 <= at < len(path):
            self.go(path[at])

    def action_replay(self) -> None:
        """The moves one after the other from here, or from the start at the end; again: stop."""
        if self.clock is None:
            if self.at is self.leaf:
                self.go(self.match.session.line.root)
            self.clock = self.set_interval(4 * self.services.frame_seconds, self.replay_step)
        else:
            self.clock.stop()
            self.clock = None

    def replay_step(self) -> None:
        """One move on; the last one ends it."""
        self.action_walk(1)
        if self.at is self.leaf:
            self.action_replay()

    def before_key(self, key: str) -> bool:
        """Any key but the one that stops it ends the replay."""
        if self.clock is not None and not self.is_key_of(key, "replay"):
            self.action_replay()
        return False

    def action_walk_to(self, end: int) -> None:
        """To either end of the line."""
        self.go(self.leaf.path()[0 if end < 0 else -1])

    def on_jumped(self, message: Jumped) -> None:
        """A ply was clicked."""
        self.go(self.leaf.path()[message.ply])

    def action_branch(self, by: int) -> None:
        """To another move that was tried in the place of this one."""
        if self.at.parent is None:
            return
        siblings = self.at.parent.children
        if len(siblings) > 1:
            other = siblings[(siblings.index(self.at) + by) % len(siblings)]
            self.leaf = other.end()
            self.go(other)

    def action_mistake(self, by: int) -> None:
        """To the next or previous flagged move."""
        path = self.leaf.path()
        at = path.index(self.at)
        flagged = [
            ply
            for ply, node in enumerate(path)
            if (worst := node.worst_judgement()) is not None and worst.flagged and (ply - at) * by > 0
        ]
        if flagged:
            self.go(path[min(flagged) if by > 0 else max(flagged)])
        else:
            self.message = [("No mistake that way.", Tone.DIM)]
            self.refresh_all()

    def action_why(self) -> None:
        """Play through best play after the shown move; again: the next step."""
        if self.why is not None:
            self.step_why(1)
        elif self.at.parent is not None and self.match.knowledge.analyst is not None and not self.match.is_simultaneous:
            budget = Budget.seconds(LOOK_SECONDS, monotonic)
            search = self.match.advice.refutation(self.at.parent, self.at.move)
            self.why = None if search is None else search(budget)
            self.refresh_all()

    def action_play_on(self) -> None:
        """A new game from the shown position, with the moves so far; the game itself is played on where it stands."""
        session = self.match.session
        if self.at is session.node and not session.is_over:
            self.app.pop_screen()
            return
        branch: Session[Any, Any] = Session(
            session.game, session.line.root.position, session.players, session.line.house_rule
        )
        for node in self.at.path()[1:]:
            if branch.is_over:
                break
            branch.play(node.move)
        if branch.is_over:
            self.message = [("The game is over here: go back a move first.", Tone.DIM)]
            self.refresh_all()
            return
        for copy, node in zip(branch.node.path(), self.at.path(), strict=False):
            copy.judgements.update(node.judgements)
        self.services.play_branch(branch, self.match, self.autosave)

    def keep(self) -> None:
        """The judgements that were found belong to the game."""
        if self.autosave is not None and self.autosave.number is not None:
            self.autosave.store.annotate(self.match.session, self.autosave.number)

    def action_leave(self) -> None:
        """Back."""
        self.keep_quietly()
        self.app.pop_screen()

    def action_menu(self) -> None:
        """To the list of games."""
        self.keep_quietly()
        super().action_menu()

    def keep_quietly(self) -> None:
        """What cannot be kept is found again next time."""
        with suppress(OnlymoveError):
            self.keep()

    def action_settings(self) -> None:
        """Change how the app behaves."""
        self.services.show_settings()

    def is_possible(self, action: str) -> bool:
        """What does not apply is not offered."""
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "why": not self.match.is_simultaneous,
            "branch": self.at.parent is not None and len(self.at.parent.children) > 1,
        }.get(action, True)
