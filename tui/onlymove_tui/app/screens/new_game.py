"""The panel in which a game is set up: who plays, how strong, from where. Enter starts as it stands."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import Seat
from onlymove_engines.games import TitleCard
from onlymove_engines.play.players import HUMAN, Player, person_at
from onlymove_engines.play.session import Session
from textual.message import Message

from onlymove_tui.app.pictures import draw_start
from onlymove_tui.app.screens.engine_fields import engine_of, strength_field, strength_refusal, style_field
from onlymove_tui.app.screens.form_screen import FormScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.form import Field, values_of
from onlymove_tui.app.widgets.small_board import Picture
from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.store.database import StoreTrouble
from onlymove_tui.store.rows import LastPlayed

SEATS = (
    ("engine", "you against the engine"),
    ("friend", "two people, one keyboard"),
    ("engines", "engine against engine"),
)


@dataclass
class GameFound(Message):
    """The game, and how it was played last."""

    game: AnyGame
    last: LastPlayed | None


def find_game(services: Services, game_id: GameId) -> GameFound:
    """Open the drawer and ask the store; for a worker. Without an answer of the store the usual choices stand."""
    game, last = services.find_game(game_id), None
    if services.store is not None:
        with suppress(StoreTrouble):
            last = services.store.last_played(game_id)
    return GameFound(game, last)


class NewGameScreen(FormScreen, screen_id="new"):
    """Every line has a choice that makes sense, so that Enter is enough: what was chosen last, else the settings'."""

    button = "Start the game"
    has_picture, picture_title = True, "Start"

    def __init__(self, card: TitleCard) -> None:
        super().__init__()
        self.card = card
        self.game: AnyGame | None = None
        self.has_chosen_side = False
        self.heading = [(card.title, Tone.TITLE), ("  a new game", Tone.DIM)]

    def on_mount(self) -> None:
        """Have the game found."""
        self.fetch(partial(find_game, self.services, self.card.id), "read", keys_wait=True)

    def on_game_found(self, message: GameFound) -> None:
        """Fill the form."""
        self.game = message.game
        self.fields = self.first_fields(message.game, message.last)
        self.redraw()

    def first_fields(self, game: AnyGame, last: LastPlayed | None) -> list[Field]:
        """The lines, as they were chosen last."""
        settings = self.services.settings
        engine = None if last is None else last.engine
        options = {} if last is None else last.setup.options
        training = settings.training if last is None else last.setup.training
        house_rule = next((rule.id for rule in game.house_rules if last and rule.id == last.house_rule), "")
        first, second = game.seats
        rules = (("", "none"), *((rule.id, rule.title) for rule in game.house_rules))
        fields = [
            Field("seats", "Players", SEATS, seats_of(last), "Who makes the moves."),
            Field("side", "Your side", (("0", first), ("1", second)), str((last and last.own) or 0),
                  "Which side you play."),
            style_field("style", game, engine.style if engine else settings.style),
            strength_field("strength", engine.strength if engine else settings.strength),
            Field("training", "Training", (("on", "on: bad moves are held"), ("off", "off")),
                  "on" if training else "off", "Judges each move as you make it."),
            *(Field(f"option.{option.id}", option.title, tuple((choice, choice) for choice in option.choices),
                    options.get(option.id, option.default), "", option.free) for option in game.options),
            Field("rule", "House rule", rules, house_rule,
                  "A rule you agree on; the proven values know nothing of it."),
            Field("position", "Start from", (("", "the usual start"),), "",
                  "Press m and type a position to start from.", True),
        ]  # fmt: skip
        return [field for field in fields if field.is_open]

    def show_marked(self) -> None:
        """The board stands as the game would begin; of a start that is drawn by lot, one that may come."""
        super().show_marked()
        if (game := self.game) is None:
            return
        chosen, options, ascii_only = values_of(self.fields), self.options(), self.services.ascii_only
        near = int(chosen.get("side", "0")) if chosen["seats"] == "engine" else 0
        text = chosen["position"]

        def draw() -> Picture:
            position = game.notation.parse_position(text) if text else game.start(options, 0)
            return draw_start(game, position, near, ascii_only)

        self.picture(game.id, f"{near} {options} {text}", draw)

    def remark(self) -> tuple[str, AnyTone]:
        """On the button, what the game is."""
        said = super().remark()
        return said if said[0] or self.marked_field() is not None else (self.card.pitch, Tone.DIM)

    def changed(self, field: Field) -> None:
        """Whoever types a position and chose no side plays the side to move."""
        if field.id == "side":
            self.has_chosen_side = True
        elif field.id == "position" and not self.has_chosen_side:
            side = str(self.seat_to_move(field.value))
            self.fields = [old.with_value(side) if old.id == "side" else old for old in self.fields]

    def seat_to_move(self, position: str) -> Seat:
        """Whose turn it is in a typed position; the first one's in none, or where both move at once."""
        if self.game is None or not position:
            return 0
        return self.game.rules.to_move(self.game.notation.parse_position(position)) or 0

    def refusal(self, field: Field) -> str:
        """Why a typed value is none: a position, a strength, an option."""
        if self.game is None:
            return ""
        try:
            if field.id == "position" and field.value:
                position = self.game.notation.parse_position(field.value)
                return "" if self.game.rules.result(position) is None else "The game is over in this position."
            if field.id.startswith("option."):
                self.game.start({**self.options(), field.id.removeprefix("option."): field.value}, 0)
        except OnlymoveError as refusal:
            return str(refusal)
        return strength_refusal(field.value) if field.id == "strength" else ""

    def options(self) -> dict[str, str]:
        """The options of the start as they stand."""
        chosen = values_of(self.fields)
        return {name.removeprefix("option."): value for name, value in chosen.items() if name.startswith("option.")}

    def action_start(self) -> None:
        """Start, or say what cannot be used."""
        if (game := self.game) is None:
            return
        chosen, options = values_of(self.fields), self.options()
        seed = self.services.random.randrange(2**31)
        try:
            start = game.start(options, seed)
            if chosen["position"]:
                start = game.notation.parse_position(chosen["position"])
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            return
        rule = next((rule for rule in game.house_rules if rule.id == chosen.get("rule")), None)
        session = Session(game, start, players_of(chosen), rule)
        self.services.play(session, options, seed, chosen["training"] == "on")

    def clicked(self) -> None:
        """A click on the button starts, on a field it changes the value."""
        if self.marked_field() is None:
            self.action_start()
        else:
            super().clicked()

    def action_rules(self) -> None:
        """The game's own page."""
        self.services.show_rules(self.card.id)


def seats_of(last: LastPlayed | None) -> str:
    """Which of `SEATS` sat there; a person against the engine when nobody has played yet."""
    people = 1 if last is None else sum(player.is_human for player in last.players)
    return {0: "engines", 1: "engine", 2: "friend"}[people]


def players_of(chosen: dict[str, str]) -> tuple[Player, Player]:
    """Who sits where."""
    engine = engine_of(chosen.get("style", ""), chosen["strength"])
    if chosen["seats"] == "friend":
        return HUMAN, HUMAN
    if chosen["seats"] == "engines":
        return engine, engine
    return person_at(int(chosen["side"]), engine)
