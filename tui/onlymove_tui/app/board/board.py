"""The widget of a board: it shows pictures, animates moves, and divides its space among the board and its panels.

It knows no screen. It tells the screen above it what happens by messages: `Arrived`, `Pointed`, `Jumped`.
"""

from __future__ import annotations

from collections.abc import Sequence

from onlymove.pictures.painting import NO_MARKS
from onlymove_engines.core.scene import Scene
from textual.timer import Timer

from onlymove_tui.app.board.picture import BoardPicture, Side, Stage
from onlymove_tui.app.messages import Arrived
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.layout import GameLayout


class Board(GameLayout):
    """Shows pictures of a board, one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._frames: Sequence[Scene] = ()
        self._shown_frame = 0
        self._frame_timer: Timer | None = None
        """Shows the next picture of the animation."""

    @property
    def scale(self) -> int:
        """The scale of the picture on the board."""
        return self.view.scale

    def paint(self, picture: BoardPicture) -> None:
        """Show those parts of a picture that are given."""
        if picture.title is not None:
            self.title_bar.show(*picture.title)
        if picture.stage is not None:
            self._show_stage(picture.stage)
        if picture.more is not None:
            self.more = picture.more
        if picture.note is not None:
            if picture.note.rows != self.coach.rows:
                self.page = 0
            self.coach = picture.note
        if picture.side is not None:
            self._show_side(picture.side)
        if picture.note is not None or picture.side is not None:
            self.share_lines()
        if picture.lines is not None:
            self.show_docked(picture.lines)

    def show_players(self, rows: Sequence[Row]) -> None:
        """Show the players' times, which change without a move."""
        self.players.show(rows)

    def name_answer(self) -> None:
        """Name the key that answers the question under the board, because it counts from now on."""
        self.notice.name_answer()

    def _show_stage(self, stage: Stage) -> None:
        if stage.frames is not self._frames:
            self._stop_animation()
            if stage.frames:
                self._frames, self._shown_frame = stage.frames, 0
                self._frame_timer = self.set_interval(stage.seconds, self._show_next_frame)
        if self._frames:
            self._show_frame()
        else:
            self.view.show(stage.draw, stage.marks)

    def _show_frame(self) -> None:
        frame = self._frames[self._shown_frame]
        self.view.show(lambda _: frame, NO_MARKS)

    def _show_next_frame(self) -> None:
        if self._shown_frame + 1 < len(self._frames):
            self._shown_frame += 1
            self._show_frame()
        elif self._frame_timer is not None:
            self._frame_timer.stop()
            self.post_message(Arrived(self._frames))

    def _stop_animation(self) -> None:
        self._frames = ()
        if self._frame_timer is not None:
            self._frame_timer.stop()
            self._frame_timer = None

    def _show_side(self, side: Side) -> None:
        if side.worth.rows != self.worth.rows:
            self.page = 0
        self.worth, self.winner, self.values = side.worth, side.winner, side.values
        self.background, self.reply = side.background, side.reply
        self.players.show(side.players)
        self.moves.show(side.moves, side.current, side.paired)
