"""A list with a board beside it: what the marked line is about, drawn by a worker, kept as long as the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import GameId
from textual.message import Message
from textual.widget import Widget

from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board import NO_PICTURE, Picture, SmallBoard


class PictureKey(NamedTuple):
    """What a picture is of: a game, what stands on its board, and whether it is drawn in ASCII."""

    game: GameId
    moment: str
    ascii_only: bool


@dataclass
class PictureDrawn(Message):
    """A picture is there."""

    key: PictureKey
    picture: Picture


def draw_picture(key: PictureKey, draw: Callable[[], Picture]) -> PictureDrawn:
    """Have it drawn, by a worker; a game that is gone or refuses to be drawn has none."""
    picture = NO_PICTURE
    with suppress(OnlymoveError):
        picture = draw()
    return PictureDrawn(key, picture)


class PicturedScreen(ListScreen):
    """Subclasses say in `show_marked` what is to be seen."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[PictureKey, Picture] = {}
        self.wanted: PictureKey | None = None

    def beside(self) -> Iterable[Widget]:
        """The board and what there is to say of it."""
        yield Panel(SmallBoard(), Lines("facts"), id="picture-panel")

    def show_marked(self) -> None:
        """Show what the marked line is about."""

    def redraw(self) -> None:
        """The list, and what is beside it."""
        super().redraw()
        if self.is_built:
            self.show_marked()

    def action_step(self, by: int) -> None:
        """Up or down."""
        super().action_step(by)
        self.show_marked()

    def picture(self, game: GameId, moment: str, draw: Callable[[], Picture]) -> None:
        """Show what stands on a game's board. Until it is drawn the last picture of the same game stays."""
        if not (self.is_framed and self.query(SmallBoard)):
            return
        before, key = self.wanted, PictureKey(game, moment, self.services.ascii_only)
        self.wanted = key
        if key in self.pictures:
            self.query_one(SmallBoard).show_picture(self.pictures[key])
        elif key != before:
            if before is None or before.game != game:
                self.query_one(SmallBoard).show_picture(NO_PICTURE)
            self.fetch(partial(draw_picture, key, draw), "picture")

    @property
    def notes(self) -> Sequence[tuple[str, str]]:
        """Facts that were found on the way to the picture, with their names."""
        return () if self.wanted is None else self.pictures.get(self.wanted, NO_PICTURE).notes

    def on_picture_drawn(self, message: PictureDrawn) -> None:
        """Show it, if it is still what is looked for."""
        self.pictures[message.key] = message.picture
        if message.key == self.wanted:
            self.show_marked()
