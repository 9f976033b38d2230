"""A mistake of a game, tried again: on the position before it, judged as a drill is, and kept nowhere."""

from __future__ import annotations

from onlymove_engines.core.value import Seat
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import drill_rows
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.play import phrases
from onlymove_tui.play.drills import retry


class RetryScreen(DrillScreen, screen_id="retry"):
    """A drill of one position: the mistake of `seat` that led to `node` in `reviewed`, which is `where` in the game."""

    wording = drill_rows.RETRY

    def __init__(self, reviewed: Match, node: AnyNode, seat: Seat, where: str) -> None:
        super().__init__(retry(reviewed, node, seat))
        self.where = where
        self.who = "You" if reviewed.session.human_seats() == (seat,) else reviewed.game.seats[seat]

    def place(self) -> Row:
        return [(self.where, Tone.DIM)]

    def origin(self, names_goal: bool) -> str:
        drill = self.practice.drill
        return "" if drill is None else phrases.played_text(self.match, drill, self.who)

    def why_not(self) -> str:
        return "You have found it: Enter goes back to the review." if self.practice.is_solved else super().why_not()

    def action_back(self) -> None:
        """Back to the question, or one target less; from the question back to the review."""
        if self.board.playback.is_live and not self.board.entering.prefix and self.unjudged is None:
            self.action_leave()
        else:
            self.step_back()

    def action_next_drill(self) -> None:
        """Back to the review: there is no other."""
        self.action_leave()
