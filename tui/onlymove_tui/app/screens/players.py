"""Who plays from here on: a side is taken over or handed over, an engine becomes another one."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import Players

from onlymove_tui.app.screens.side_fields import SidesForm
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.fields import Field


class PlayersScreen(SidesForm, screen_id="players"):
    """Enter plays on, Esc leaves all as it was."""

    button = "Play on"
    heading = (("Players", Tone.TITLE), ("  from here on", Tone.DIM))

    def __init__(self, game: AnyGame, players: Players, take: Callable[[Players], None]) -> None:
        super().__init__()
        self.game = game
        self.players = players
        self.take_players = take

    def on_mount(self) -> None:
        """The players as they are."""
        self.all_fields = self.side_fields(self.game, self.players)
        self.show_used(self.game)
        self.redraw()

    def field_changed(self, field: Field) -> None:
        """An engine's lines come and go with it."""
        self.remember(field)
        self.show_used(self.game)

    def action_swap(self) -> None:
        """The sides changed."""
        self.swap_sides()
        self.show_used(self.game)
        self.redraw()

    def action_start(self) -> None:
        """Play on."""
        chosen = self.chosen_players(self.game)
        self.app.pop_screen()
        if chosen != self.players:
            self.take_players(chosen)

    def clicked(self) -> None:
        """A click on the button plays on, on a field it changes the value."""
        if self.marked_field() is None:
            self.action_start()
        else:
            super().clicked()
