"""Looking at earlier moments of a game without changing it: the past, and the reason that is played through."""

from __future__ import annotations

from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.widgets.bars import Notice
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.disclosure import is_disclosed, is_revealed
from onlymove_tui.play.match import Match


class LookingBack(BoardScreen):
    """A board of a game that goes on; `viewed` is the earlier node that is looked at, if one is."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.viewed: AnyNode | None = None
        self.message: Row = ()

    def shown_node(self) -> AnyNode:
        """The game's node, or an earlier one that is looked at."""
        return self.viewed or self.match.node

    @property
    def is_live(self) -> bool:
        """Whether the board shows the position that is played from, ready to be played on."""
        return self.viewed is None and self.why is None and not self.frames

    def shown_path(self) -> list[AnyNode]:
        """The moves of the game so far."""
        return self.match.node.path()

    def action_walk(self, by: int) -> None:
        """Along the moves so far, without changing the game; along the reason while one is shown."""
        if self.why is not None:
            self.step_why(by)
            return
        path = self.match.node.path()
        at = path.index(self.shown_node()) + by
        self.look_at(at)

    def action_walk_to(self, end: int) -> None:
        """To the start or back to the game."""
        self.look_at(0 if end < 0 else self.match.node.ply)

    def on_jumped(self, message: Jumped) -> None:
        """A ply was clicked."""
        self.look_at(message.ply)

    def look_at(self, ply: int) -> None:
        """Show the position after so many moves."""
        path: list[AnyNode] = self.match.node.path()
        ply = max(0, min(len(path) - 1, ply))
        self.why = None
        self.viewed = None if ply == len(path) - 1 else path[ply]
        self.refresh_all()

    def action_mistake(self, by: int) -> None:
        """To the next or previous move that was flagged and may be seen."""
        path = self.match.node.path()
        at = path.index(self.shown_node())
        plies = [
            ply
            for ply, node in enumerate(path)
            if (worst := node.worst_judgement()) is not None
            and worst.flagged
            and is_revealed(self.match)
            and is_disclosed(self.match, node)
            and (ply - at) * by > 0
        ]
        if plies:
            self.look_at(plies[0] if by > 0 else plies[-1])
        else:
            self.say("No mistake that way.", Tone.DIM)

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        """One line under the status."""
        self.message = [(text, tone)]
        if self.is_built:
            self.show_notice()

    def show_notice(self) -> None:
        """The two docked lines."""
        self.query_one(Notice).show([self.message])
