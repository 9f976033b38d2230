"""The lines of a form that say who plays each side: a person, or an engine by level or by style and strength."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.game import AnyGame, Level
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players, find_style, get_level, read_player

from onlymove_tui.app.screens.form_screen import FormScreen
from onlymove_tui.app.widgets.fields import Field, values_of

KINDS = ((PlayerKind.HUMAN.value, "a person at this keyboard"), (PlayerKind.ENGINE.value, "the engine"))
STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WORDS = {0: "any move alike", 100: "its best"}
STRENGTH_HELP = "At 100 it plays its best; below, its mistakes are plausible ones. Hints and grades stay exact."


def engine_field(field_id: str, game: AnyGame, engine: Player, fits: Level | None = None) -> Field:
    """How it plays: one of the game's levels, the weakest first, or a style with a strength of its own. One of them
    `fits` the player."""
    level = get_level(game, engine)
    styles = [(style.id, style.title) for style in game.styles]
    known = find_style(game, engine.style if engine.style in dict(styles) else "")
    levels = [(level.id, level.title) for level in game.levels]
    meanings = [(level.id, meaning(game, level) + (" It fits you." if level == fits else "")) for level in game.levels]
    return Field(
        field_id,
        "  level or style" if levels else "  style",
        (*levels, *styles),
        known.id if level is None else level.id,
        "How the engine likes to play.",
        meanings=(*meanings, *((style.id, style.help) for style in game.styles)),
    )


def meaning(game: AnyGame, level: Level) -> str:
    """What a level plays, and how strong that is."""
    return f"{find_style(game, level.style).title} at strength {level.strength}, rating {level.rating:.0f}."


def strength_field(field_id: str, strength: int) -> Field:
    """How strong it is."""
    choices = tuple((str(number), f"{number} {WORDS.get(number, '')}".rstrip()) for number in STRENGTHS)
    return Field(field_id, "  strength", choices, str(strength), STRENGTH_HELP, True)


def strength_refusal(text: str) -> str:
    """Why a text is no strength; empty for one that is."""
    is_one = text.isascii() and text.isdecimal() and int(text) <= STRENGTHS[-1]
    return "" if is_one else "A strength is a whole number from 0 to 100."


class SidesForm(FormScreen):
    """A form in which each side has its lines: who plays it and, only for an engine, what that is like. `all_fields`
    are also those that do not matter as long as a person sits there."""

    def __init__(self) -> None:
        super().__init__()
        self.all_fields: list[Field] = []

    def side_fields(self, game: AnyGame, players: Players, fits: Level | None = None) -> list[Field]:
        """Both sides as they are; where a person sits, the engine would be like the other one, or the settings'. One
        level `fits` the player."""
        settings = self.services.settings
        usual = Player(PlayerKind.ENGINE, settings.style, settings.strength)
        other = next((player for player in players if not player.is_human), usual)
        fields: list[Field] = []
        for seat, player in enumerate(players):
            engine, name = other if player.is_human else player, game.seats[seat]
            fields += [
                Field(f"kind.{seat}", name, KINDS, player.kind.value, f"Who makes the moves of {name}."),
                engine_field(f"engine.{seat}", game, engine, fits),
                strength_field(f"strength.{seat}", engine.strength),
            ]
        return fields

    def show_used(self, game: AnyGame) -> None:
        """Only what matters: a person has no style, a level has its strength."""
        values, styles = values_of(self.all_fields), {style.id for style in game.styles}
        idle: set[str] = set()
        for seat in (0, 1):
            if values[f"kind.{seat}"] == PlayerKind.HUMAN.value:
                idle |= {f"engine.{seat}", f"strength.{seat}"}
            elif styles and values[f"engine.{seat}"] not in styles:
                idle.add(f"strength.{seat}")
        self.fields = [field for field in self.all_fields if field.id not in idle and field.is_open]

    def remember(self, field: Field) -> None:
        """A line has a new value."""
        self.all_fields = [field if old.id == field.id else old for old in self.all_fields]

    def swap_sides(self) -> None:
        """Whoever was to play one side plays the other."""
        values = values_of(self.all_fields)

        def swapped(field: Field) -> Field:
            line, _, seat = field.id.partition(".")
            return field.with_value(values[f"{line}.{1 - int(seat)}"]) if line in SIDE_LINES else field

        self.all_fields = [swapped(field) for field in self.all_fields]

    def chosen_players(self, game: AnyGame) -> Players:
        """Who sits where by now."""
        return chosen_player(game, self.all_fields, 0), chosen_player(game, self.all_fields, 1)

    def refusal(self, field: Field) -> str:
        """Why a typed strength is none."""
        return strength_refusal(field.value) if field.id.startswith("strength.") else ""


SIDE_LINES = ("kind", "engine", "strength")


def chosen_player(game: AnyGame, fields: Sequence[Field], seat: Seat) -> Player:
    """Who is to play a side."""
    values = values_of(fields)
    kind, engine, strength = (values[f"{line}.{seat}"] for line in SIDE_LINES)
    if kind == PlayerKind.HUMAN.value:
        return HUMAN
    if any(level.id == engine for level in game.levels):
        return read_player(game, engine)
    return Player(PlayerKind.ENGINE, engine if game.styles else "", int(strength))
