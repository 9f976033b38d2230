"""The fields that choose who plays each side, and the form that changes the players during a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players, find_style, get_level, read_player

from onlymove_tui.app.screens.form_screen import FormScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.fields import Field, read_values
from onlymove_tui.store.settings import Settings

KINDS = ((PlayerKind.HUMAN.value, "human"), (PlayerKind.ENGINE.value, "computer"))
STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WORDS = {0: "random moves", 100: "its best"}
STRENGTH_HELP = "At 100 it plays its best. Below that it makes plausible mistakes. Hints and grades stay exact."


def engine_field(field_id: str, game: AnyGame, engine: Player, fits: Level | None = None) -> Field:
    """Return the field for how an engine plays: one of the game's levels, the weakest first, or a style with its own
    strength. `fits` is the level suggested for the player."""
    level = get_level(game, engine)
    styles = [(style.id, style.title) for style in game.play.styles]
    known = find_style(game, engine.style if engine.style in dict(styles) else "")
    levels = [(level.id, level.title) for level in game.facts.levels]
    meanings = [
        (level.id, meaning(game, level) + (" Suggested for you." if level == fits else ""))
        for level in game.facts.levels
    ]
    return Field(
        field_id,
        "  level or style" if levels else "  style",
        (*levels, *styles),
        known.id if level is None else level.id,
        "How the engine plays.",
        meanings=(*meanings, *((style.id, style.help) for style in game.play.styles)),
    )


def meaning(game: AnyGame, level: Level) -> str:
    return f"{find_style(game, level.style).title} at strength {level.strength}, rating {level.rating:.0f}."


def strength_refusal(field: Field) -> str:
    """Return why the strength in this field is not valid. Empty if it is valid or the field is not a strength."""
    text = field.value
    is_one = text.isascii() and text.isdecimal() and int(text) <= STRENGTHS[-1]
    return "" if is_one or not field.id.startswith("strength.") else "A strength is a whole number from 0 to 100."


def side_fields(game: AnyGame, players: Players, settings: Settings, fits: Level | None = None) -> list[Field]:
    """Return the fields of both sides: who plays and, for an engine, its level or style and its strength. The hidden
    fields of a person are set to the engine of the other side, or else to the engine of the settings. `fits` is the
    level that suits the player."""
    usual = Player(PlayerKind.ENGINE, settings.style, settings.strength)
    other = next((player for player in players if not player.is_human), usual)
    numbers = tuple((str(number), f"{number} {WORDS.get(number, '')}".rstrip()) for number in STRENGTHS)
    fields: list[Field] = []
    for seat, player in enumerate(players):
        engine, name = other if player.is_human else player, game.seats[seat]
        fields += [
            Field(f"kind.{seat}", name, KINDS, player.kind.value, f"Who plays {name}."),
            engine_field(f"engine.{seat}", game, engine, fits),
            Field(f"strength.{seat}", "  strength", numbers, str(engine.strength), STRENGTH_HELP, True),
        ]
    return fields


SIDE_LINES = ("kind", "engine", "strength")


def idle_side_fields(game: AnyGame, fields: Sequence[Field]) -> set[str]:
    """Return the ids of fields that do not apply. A person has no style, and a level sets its own strength."""
    values, styles = read_values(fields), {style.id for style in game.play.styles}
    idle = {field.id for field in fields if not field.is_open}
    for seat in (0, 1):
        if values[f"kind.{seat}"] == PlayerKind.HUMAN.value:
            idle |= {f"engine.{seat}", f"strength.{seat}"}
        elif styles and values[f"engine.{seat}"] not in styles:
            idle.add(f"strength.{seat}")
    return idle


def swap_side_fields(fields: Sequence[Field]) -> list[Field]:
    values = read_values(fields)
    mirrored = {f"{line}.{seat}": values[f"{line}.{1 - seat}"] for line in SIDE_LINES for seat in (0, 1)}
    return [replace(field, value=mirrored.get(field.id, field.value)) for field in fields]


def chosen_player(game: AnyGame, fields: Sequence[Field], seat: Seat) -> Player:
    values = read_values(fields)
    kind, engine, strength = (values[f"{line}.{seat}"] for line in SIDE_LINES)
    if kind == PlayerKind.HUMAN.value:
        return HUMAN
    if any(level.id == engine for level in game.facts.levels):
        return read_player(game, engine)
    return Player(PlayerKind.ENGINE, engine if game.play.styles else "", int(strength))


class PlayersScreen(FormScreen, screen_id="players"):
    """Changes the players of a game. Enter plays on with the new ones, and Esc changes nothing."""

    button = "Play on"
    about = "From now on"
    title_row = (("Players", Tone.TITLE), ("  from now on", Tone.DIM))

    def __init__(self, game: AnyGame, players: Players, take: Callable[[Players], None]) -> None:
        super().__init__()
        self.game = game
        self.players = players
        self.take_players = take
        self.all_fields = side_fields(game, players, self.services.preferences.settings)

    def idle(self) -> Collection[str]:
        return idle_side_fields(self.game, self.all_fields)

    def refusal(self, field: Field) -> str:
        return strength_refusal(field)

    def action_swap(self) -> None:
        self.all_fields = swap_side_fields(self.all_fields)
        self.mark_changed()

    def action_start(self) -> None:
        chosen = chosen_player(self.game, self.all_fields, 0), chosen_player(self.game, self.all_fields, 1)
        self.app.pop_screen()
        if chosen != self.players:
            self.take_players(chosen)
