"""The panel in which a game is set up: who plays, how strong, from where. Enter starts as it stands."""

from __future__ import annotations

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.session import HUMAN, Player, PlayerKind, Session, person_at

from onlymove_tui.app.screens.form_screen import FormScreen
from onlymove_tui.app.widgets.form import Field, values_of
from onlymove_tui.app.widgets.tones import Tone

STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


class NewGameScreen(FormScreen, screen_id="new"):
    """Every line has a choice that makes sense, so that Enter is enough."""

    button = "Start the game"

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self.has_chosen_side = False
        self.heading = [(game.title, Tone.TITLE), (f"  {game.pitch}", Tone.DIM)]

    def on_mount(self) -> None:
        """Fill the form from the card and the settings."""
        self.fields = self.first_fields()
        super().on_mount()

    def first_fields(self) -> list[Field]:
        """The lines, with the settings' choices."""
        game, settings = self.game, self.services.settings
        first, second = game.seats
        styles = tuple((style.id, style.title) for style in game.styles)
        style = (
            settings.style if any(settings.style == known for known, _ in styles) else styles[0][0] if styles else ""
        )
        strengths = tuple((str(number), f"{number} {strength_words(number)}".rstrip()) for number in STRENGTHS)
        rules = (("", "none"), *((rule.id, rule.title) for rule in game.house_rules))
        fields = [
            Field("seats", "Players", (("engine", "you against the engine"), ("friend", "two people, one keyboard"),
                  ("engines", "engine against engine")), "engine", "Who makes the moves."),
            Field("side", "Your side", (("0", first), ("1", second)), "0", "Which side you play."),
            Field("style", "Engine's style", styles, style, "How the engine likes to play."),
            Field("strength", "Engine's strength", strengths, str(settings.strength),
                  "100 never errs; below, its mistakes are plausible ones. Hints and grades stay exact.", True),
            Field("training", "Training", (("on", "on: bad moves are held"), ("off", "off")),
                  "on" if settings.training else "off", "Judges each move as you make it."),
            *(Field(f"option.{option.id}", option.title, tuple((choice, choice) for choice in option.choices),
                    option.default, "", option.free) for option in game.options),
            Field("rule", "House rule", rules, "", "A rule you agree on; the proven values know nothing of it."),
            Field("position", "Start from", (("", "the usual start"),), "",
                  "Press m and type a position to start from.", True),
        ]  # fmt: skip
        return [field for field in fields if len(field.choices) > 1 or field.typed]

    def changed(self, field: Field) -> None:
        """Whoever types a position and chose no side plays the side to move."""
        if field.id == "side":
            self.has_chosen_side = True
        elif field.id == "position" and not self.has_chosen_side:
            side = str(self.seat_to_move(field.value))
            self.fields = [old.with_value(side) if old.id == "side" else old for old in self.fields]

    def seat_to_move(self, position: str) -> Seat:
        """Whose turn it is in a typed position; the first one's in none, or where both move at once."""
        try:
            start = self.game.notation.parse_position(position)
        except OnlymoveError:
            return 0
        return self.game.rules.to_move(start) or 0

    def action_start(self) -> None:
        """Start, or say which line cannot be used."""
        chosen = values_of(self.fields)
        options = {name.removeprefix("option."): value for name, value in chosen.items() if name.startswith("option.")}
        seed = self.services.random.randrange(2**31)
        try:
            start = self.game.start(options, seed)
            if chosen.get("position"):
                start = self.game.notation.parse_position(chosen["position"])
            players = self.players(chosen)
        except OnlymoveError as refusal:
            self.message = [(str(refusal), Tone.ERROR)]
            self.show_fields()
            return
        rule = next((rule for rule in self.game.house_rules if rule.id == chosen.get("rule")), None)
        session = Session(self.game, start, players, rule)
        self.services.play(session, options, seed, chosen["training"] == "on")

    def players(self, chosen: dict[str, str]) -> tuple[Player, Player]:
        """Who sits where. Raises OnlymoveError for a strength that is none."""
        text = chosen["strength"]
        if not text.isdecimal() or int(text) > 100:
            raise OnlymoveError(f"a strength is a whole number from 0 to 100, not '{text}'")
        engine = Player(PlayerKind.ENGINE, chosen.get("style", ""), int(text))
        if chosen["seats"] == "friend":
            return HUMAN, HUMAN
        if chosen["seats"] == "engines":
            return engine, engine
        return person_at(int(chosen["side"]), engine)

    def clicked(self) -> None:
        """A click on the button starts, on a field it changes the value."""
        if self.marked_field() is None:
            self.action_start()
        else:
            super().clicked()

    def action_rules(self) -> None:
        """The game's own page."""
        self.services.show_rules(self.game.id)


def strength_words(number: int) -> str:
    """What a strength means."""
    return {0: "any move alike", 100: "never errs"}.get(number, "")
