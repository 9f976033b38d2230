"""The panel in which a game is set up: who plays, how strong, from where. Enter starts as it stands."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import Seat
from onlymove_engines.match.clock import CHOICES, NO_CLOCK, may_be_timed, read_control
from onlymove_engines.play.ladder import Scored, fitting
from onlymove_engines.play.players import Player, PlayerKind, person_at, with_level
from onlymove_engines.play.session import Session
from textual.message import Message

from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.screens.saved_games import draw_start
from onlymove_tui.app.screens.side_fields import SidesForm
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.board import Picture
from onlymove_tui.app.widgets.fields import Field, values_of
from onlymove_tui.store.database import StoreTrouble
from onlymove_tui.store.rows import LastPlayed


@dataclass
class GameFound(Message):
    """The game, how it was played last, and what counts for the player's rating in it."""

    game: AnyGame
    last: LastPlayed | None
    rated: tuple[Scored, ...] = ()


def find_game(services: Services, game_id: GameId) -> GameFound:
    """Open the drawer and ask the store; for a worker. Without an answer of the store the usual choices stand."""
    found = GameFound(services.library.find_game(game_id), None)
    if services.store is not None:
        with suppress(StoreTrouble):
            found.last = services.store.last_played(game_id)
            found.rated = services.store.rated().get(game_id, ())
    return found


def clock_words(text: str) -> str:
    """`off`, `30 s a move`, `5 min + 3 s`."""
    control = read_control(text)
    return NO_CLOCK if control is None else control.said()


class NewGameScreen(SidesForm, screen_id="new"):
    """Every line has a choice that makes sense, so that Enter is enough: what was chosen last, else the settings'."""

    button = "Start the game"
    has_picture, picture_title = True, "Start"

    def __init__(self, game_id: GameId) -> None:
        super().__init__()
        self.card = card = self.services.library.card(game_id)
        self.game: AnyGame | None = None
        self.has_chosen_side = False
        self.heading = [(card.title, Tone.TITLE), ("  a new game", Tone.DIM)]

    def on_mount(self) -> None:
        """Have the game found; the form is shown when it is whole."""
        self.add_class("-unread")
        self.fetch(partial(find_game, self.services, self.card.id), "read", keys_wait=True)

    def on_game_found(self, message: GameFound) -> None:
        """Fill the form."""
        self.game = message.game
        self.all_fields = self.first_fields(message)
        self.show_used(message.game)
        self.redraw()

    def on_trouble(self, message: Trouble) -> None:
        """There will be no more than this."""
        self.remove_class("-unread")

    def first_fields(self, found: GameFound) -> list[Field]:
        """The lines, as they were chosen last; whoever plays against levels finds the one that fits."""
        game, last, settings = found.game, found.last, self.services.settings
        usual = Player(PlayerKind.ENGINE, settings.style, settings.strength)
        players = person_at(0, usual) if last is None else last.players
        if (fits := fitting(game.levels, found.rated)) is not None:
            players = with_level(game, players, fits)
        options = {} if last is None else last.setup.options
        training = settings.training if last is None else last.setup.training
        house_rule = next((rule.id for rule in game.house_rules if last and rule.id == last.house_rule), "")
        rules = (("", "none"), *((rule.id, rule.title) for rule in game.house_rules))
        return [
            *self.side_fields(game, players, fits),
            Field("training", "Training", (("on", "on: bad moves are held"), ("off", "off")),
                  "on" if training else "off", "Judges each move as you make it."),
            *(Field(f"option.{option.id}", option.title, tuple((choice, choice) for choice in option.choices),
                    options.get(option.id, option.default), option.about, option.free) for option in game.options),
            Field("rule", "House rule", rules, house_rule,
                  "A rule you agree on; the proven values know nothing of it."),
            Field("clock", "Clock", tuple((choice, clock_words(choice)) for choice in CHOICES),
                  NO_CLOCK if last is None else last.setup.clock or NO_CLOCK,
                  "Whoever runs out of time loses. m types another one, as 30 or 5+3.", True),
            Field("position", "Start from", (("", "the usual start"),), "",
                  "Press m and type a position to start from.", True),
        ]  # fmt: skip

    def show_marked(self) -> None:
        """The board stands as the game would begin; of a start that is drawn by lot, one that may come."""
        super().show_marked()
        if (game := self.game) is None:
            return
        chosen, options, ascii_only = values_of(self.fields), self.options(), self.services.ascii_only
        near = self.own_seat(game) or 0
        text = chosen["position"]

        def draw() -> Picture:
            position = game.notation.parse_position(text) if text else game.start(options, 0)
            return draw_start(game, position, near, ascii_only)

        self.picture.show(game.id, f"{near} {options} {text}", draw)
        self.set_class(self.picture.wanted is not None and not self.picture.pictures, "-unread")

    def remark(self) -> tuple[str, AnyTone]:
        """On the button, what the game is."""
        said = super().remark()
        return said if said[0] or self.marked_field() is not None else (self.card.pitch, Tone.DIM)

    def field_changed(self, field: Field) -> None:
        """Whoever types a position and chose no side plays the side to move."""
        self.remember(field)
        if (game := self.game) is None:
            return
        if field.id.startswith("kind."):
            self.has_chosen_side = True
        elif field.id == "position" and not self.has_chosen_side:
            wanted = (game.rules.to_move(game.notation.parse_position(field.value)) if field.value else 0) or 0
            if self.own_seat(game) == 1 - wanted:
                self.swap_sides()
        self.show_used(game)

    def show_used(self, game: AnyGame) -> None:
        """A clock only where one makes sense."""
        super().show_used(game)
        if not may_be_timed(game, self.chosen_players(game)):
            self.fields = [field for field in self.fields if field.id != "clock"]

    def own_seat(self, game: AnyGame) -> Seat | None:
        """The side of the only person."""
        people = [seat for seat, player in enumerate(self.chosen_players(game)) if player.is_human]
        return people[0] if len(people) == 1 else None

    def action_swap(self) -> None:
        """The sides changed."""
        if self.game is not None:
            self.has_chosen_side = True
            self.swap_sides()
            self.show_used(self.game)
            self.redraw()

    def refusal(self, field: Field) -> str:
        """Why a typed value is none: a position, a strength, an option."""
        if self.game is None:
            return ""
        try:
            if field.id == "position" and field.value:
                position = self.game.notation.parse_position(field.value)
                return "" if self.game.rules.result(position) is None else "The game is over in this position."
            if field.id == "clock":
                read_control(field.value)
            if field.id.startswith("option."):
                self.game.start({**self.options(), field.id.removeprefix("option."): field.value}, 0)
        except OnlymoveError as refusal:
            return str(refusal)
        return super().refusal(field)

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
        session = Session(game, start, self.chosen_players(game), rule)
        is_training, clock = chosen["training"] == "on", chosen.get("clock", "")
        self.open("play", *self.services.matches.new(session, options, seed, is_training, clock))

    def clicked(self) -> None:
        """A click on the button starts, on a field it changes the value."""
        if self.marked_field() is None:
            self.action_start()
        else:
            super().clicked()

    def action_rules(self) -> None:
        """The game's own page."""
        self.open("rules", self.card.id)
