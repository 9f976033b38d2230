"""The panel in which a table is opened: on which side one sits, for whom it is, with which clock and from where."""

from __future__ import annotations

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import Seat
from onlymove_engines.match.clock import NO_CLOCK
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players

from onlymove_tui.app.screens.new_game import GameFound, NewGameScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.fields import Field, values_of
from onlymove_tui.lobby.accounts import is_account
from onlymove_tui.lobby.challenges import OpenChallenge, Terms
from onlymove_tui.store.profiles import PROFILE_NAME

ANYBODY, CODE, LOT = "", "code", "lot"
ELSEWHERE = Player(PlayerKind.ELSEWHERE)
NOT_HERE = ("kind.", "engine.", "strength.")
"""Lines of a new game that make no sense at a table."""


class TableFormScreen(NewGameScreen, screen_id="opening"):
    """A new game against somebody elsewhere: no engine, no training."""

    button = "Open the table"

    def __init__(self, game_id: GameId) -> None:
        super().__init__(game_id)
        self.heading = [(self.card.title, Tone.TITLE), ("  a table for somebody elsewhere", Tone.DIM)]

    def first_fields(self, found: GameFound) -> list[Field]:
        """The lines of a new game that matter here, after who sits where and for whom the table is."""
        usual = [field for field in super().first_fields(found) if not field.id.startswith(NOT_HERE)]
        seats = [(str(seat), name) for seat, name in enumerate(found.game.seats)]
        return [
            Field("side", "You are", (*seats, (LOT, "drawn by lot")), "0", "The side that you play."),
            Field("wanted", "For", ((ANYBODY, "anybody on this host"), (CODE, "whoever knows a code")), ANYBODY,
                  "Press m and type a name: an account of this host, or a profile of yours. A code is shown when the"
                  " table is open, for you to tell.", True),
            *(field for field in usual if field.id != "training"),
        ]  # fmt: skip

    def show_used(self, game: AnyGame) -> None:
        """Whatever there is to choose."""
        self.fields = [field for field in self.all_fields if field.is_open]

    def chosen_players(self, game: AnyGame) -> Players:
        """Oneself, and somebody elsewhere."""
        return (ELSEWHERE, HUMAN) if values_of(self.all_fields)["side"] == "1" else (HUMAN, ELSEWHERE)

    def swap_sides(self) -> None:
        """One sits on the other side."""
        side = self.find_field("side")
        if side.value != LOT:
            self.remember(side.with_value(str(1 - int(side.value))))

    def refusal(self, field: Field) -> str:
        """Nobody of that name can come."""
        if field.id == "wanted" and field.value not in (ANYBODY, CODE):
            name, _, account = field.value.partition("@")
            is_profile = PROFILE_NAME.fullmatch(name) and (not account or is_account(account))
            if not is_profile and not is_account(field.value):
                return f"There is nobody called '{field.value}' here."
        return super().refusal(field)

    def action_start(self) -> None:
        """Open the table, or say what cannot be used."""
        room = self.services.room
        if (game := self.game) is None or room is None:
            return
        chosen, lot = values_of(self.fields), self.services.random
        side: Seat = lot.randrange(2) if chosen["side"] == LOT else int(chosen["side"])
        try:
            start = chosen["position"] or game.notation.format_position(
                game.start(self.options(), lot.randrange(2**31))
            )
            clock = chosen.get("clock", NO_CLOCK)
            wanted = Terms(
                game.id,
                start,
                side,
                chosen.get("rule", ""),
                "" if clock == NO_CLOCK else clock,
                "" if chosen["wanted"] == CODE else chosen["wanted"],
                chosen["wanted"] == CODE,
            )
            table = OpenChallenge.open(room, wanted)
        except OnlymoveError as refusal:
            self.say(f"{str(refusal).capitalize()}.", Tone.ERROR)
            return
        self.app.pop_screen()
        self.open("waiting", table)
