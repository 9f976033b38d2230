"""Who plays from here on: a side is taken over or handed over, an engine becomes another one."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import HUMAN, Player, PlayerKind

from onlymove_tui.app.screens.engine_fields import engine_of, strength_field, strength_refusal, style_field
from onlymove_tui.app.screens.form_screen import FormScreen
from onlymove_tui.app.services import Players
from onlymove_tui.app.widgets.form import Field, values_of
from onlymove_tui.app.widgets.tones import Tone

KINDS = ((PlayerKind.HUMAN.value, "a person at this keyboard"), (PlayerKind.ENGINE.value, "the engine"))


class PlayersScreen(FormScreen, screen_id="players"):
    """A line for each side, and under an engine's what it is like. Enter plays on, Esc leaves all as it was."""

    button = "Play on"
    heading = (("Players", Tone.TITLE), ("  from here on", Tone.DIM))

    def __init__(self, game: AnyGame, players: Players, take: Callable[[Players], None]) -> None:
        super().__init__()
        self.game = game
        self.players = players
        self.take_players = take

    def on_mount(self) -> None:
        """The players as they are."""
        engines = [player for player in self.players if not player.is_human]
        other = engines[0] if engines else Player(
            PlayerKind.ENGINE, self.services.settings.style, self.services.settings.strength
        )  # fmt: skip
        self.all_fields = [field for seat in (0, 1) for field in self.fields_of(seat, other)]
        self.show_used()

    def fields_of(self, seat: Seat, other: Player) -> list[Field]:
        """One side; where a person sits, the engine would be like `other`."""
        player, name = self.players[seat], self.game.seats[seat]
        engine = other if player.is_human else player
        return [
            Field(f"kind.{seat}", name, KINDS, player.kind.value, f"Who makes the moves of {name}."),
            style_field(f"style.{seat}", self.game, engine.style, "  style"),
            strength_field(f"strength.{seat}", engine.strength, "  strength"),
        ]

    def show_used(self) -> None:
        """Only what matters: a person has no style and no strength."""
        kinds = values_of(self.all_fields)
        idle = {f"{line}.{seat}" for seat in (0, 1) for line in ("style", "strength")
                if kinds[f"kind.{seat}"] == PlayerKind.HUMAN.value}  # fmt: skip
        self.fields = [field for field in self.all_fields if field.id not in idle and field.is_open]
        self.redraw()

    def changed(self, field: Field) -> None:
        """An engine's lines come and go with it."""
        self.all_fields = [field if old.id == field.id else old for old in self.all_fields]
        self.show_used()

    def refusal(self, field: Field) -> str:
        """Why a typed strength is none."""
        return strength_refusal(field.value) if field.typed else ""

    def chosen(self) -> Players:
        """Who sits where by now."""
        values = values_of(self.all_fields)

        def player(seat: Seat) -> Player:
            is_person = values[f"kind.{seat}"] == PlayerKind.HUMAN.value
            return HUMAN if is_person else engine_of(values[f"style.{seat}"], values[f"strength.{seat}"])

        return player(0), player(1)

    def action_start(self) -> None:
        """Play on."""
        chosen = self.chosen()
        self.app.pop_screen()
        if chosen != self.players:
            self.take_players(chosen)

    def clicked(self) -> None:
        """A click on the button plays on, on a field it changes the value."""
        if self.marked_field() is None:
            self.action_start()
        else:
            super().clicked()
