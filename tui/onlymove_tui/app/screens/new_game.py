"""The form that sets up a game, or a challenge to another user, and the form that changes the players of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from onlymove.pictures.colours import AnyTone, Tone
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import GameId, Level
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Seat
from onlymove_engines.live.clock import CHOICES, NO_CLOCK, may_be_timed, read_control
from onlymove_engines.play.ladder import Scored, choose_level
from onlymove_engines.play.players import (
    HUMAN,
    Player,
    PlayerKind,
    Players,
    describe_level,
    find_style,
    get_level,
    read_player,
    set_level,
)
from onlymove_engines.play.session import Session
from onlymove_engines.play.typed import read_position

from onlymove_tui.app.confirmation import Confirmation
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.screens.list_screen import STRENGTHS, FormScreen, draw_start, show_picture
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import Panel
from onlymove_tui.app.widgets.board_view import Picture, SmallBoard
from onlymove_tui.app.widgets.fields import Field, read_values
from onlymove_tui.lobby.accounts import is_account
from onlymove_tui.lobby.challenges import OpenChallenge, Terms
from onlymove_tui.play.keys import Key, Phrase, phrase
from onlymove_tui.play.phrases import describe_training
from onlymove_tui.store.entries import Entry, LastPlayed
from onlymove_tui.store.profiles import PROFILE_NAME
from onlymove_tui.store.schema import StoreTrouble
from onlymove_tui.store.settings import Settings

KINDS = ((PlayerKind.HUMAN.value, "human"), (PlayerKind.ENGINE.value, "computer"))
WORDS = {0: "random moves", 100: "its best"}
STRENGTH_HELP = "At 100 it plays its best. Below that it makes plausible mistakes. Hints and grades stay exact."
ASK_FORFEIT = phrase(
    "You have a rated game under way. If you start another one, you lose it. Press {start} again to lose it and start."
)
ANYBODY, CODE, RANDOM_SIDE = "", "code", "lot"
ELSEWHERE = Player(PlayerKind.ELSEWHERE)


class GameFound(NamedTuple):
    """The game, how it was played last, and the player's rated games of it."""

    game: AnyGame
    last: LastPlayed | None = None
    rated: tuple[Scored, ...] = ()
    is_new: bool = False
    """Whether the player has neither played the game nor begun its lessons."""


def find_game(services: Services, game_id: GameId) -> GameFound:
    """Open the game and read the store. Call it in a worker. If the store fails, the default choices are used."""
    game, store = services.library.find_game(game_id), services.store
    if store is not None:
        with suppress(StoreTrouble):
            store.forfeit_left_games()
            last, rated = store.find_last_played(game_id), store.progress.list_rated().get(game_id, ())
            return GameFound(game, last, rated, last is None and game_id not in store.lessons.read_learned())
    return GameFound(game)


def strength_refusal(field: Field) -> str:
    """Return why the strength in this field is not valid. Empty if it is valid or the field is not a strength."""
    text = field.value
    is_one = text.isascii() and text.isdecimal() and int(text) <= STRENGTHS[-1]
    return "" if is_one or not field.id.startswith("strength.") else "A strength is a whole number from 0 to 100."


def side_fields(game: AnyGame, players: Players, settings: Settings, fits: Level | None = None) -> list[Field]:
    """Return the fields of both sides: who plays and, for an engine, one of the game's levels, or a style with its own
    strength. The hidden fields of a person are set to the engine of the other side, or else to the engine of the
    settings. `fits` is the level that suits the player."""
    usual = Player(PlayerKind.ENGINE, settings.style, settings.strength)
    other = next((player for player in players if not player.is_human), usual)
    numbers = tuple((str(number), f"{number} {WORDS.get(number, '')}".rstrip()) for number in STRENGTHS)
    levels, styles = game.facts.levels, game.play.styles
    ways = (*((level.id, level.title) for level in levels), *((style.id, style.title) for style in styles))
    meanings = {}
    for level in levels:
        words = f"{describe_level(game, level)} Rating {level.rating:.0f}."
        meanings[level.id] = f"{words} Suggested for you." if level == fits else words
    meanings |= {style.id: style.help for style in styles}
    title = LEVEL_OR_STYLE if levels else "  style"
    fields: list[Field] = []
    for seat, player in enumerate(players):
        engine, name = other if player.is_human else player, game.seats[seat]
        known = find_style(game, engine.style if any(engine.style == style.id for style in styles) else "")
        way = get_level(game, engine) or known
        fields += [
            Field(f"kind.{seat}", name, KINDS, player.kind.value, f"Who plays {name}."),
            Field(f"engine.{seat}", title, ways, way.id, "How the engine plays.", meanings=tuple(meanings.items())),
            Field(f"strength.{seat}", "  strength", numbers, str(engine.strength), STRENGTH_HELP, True),
        ]
    return fields


TRAINING, RATED = MODES = ("training", "rated")
"""How a game is played: with all help, or without any and for the rating."""
ONLY_TRAINING = ("training", "rule", "position")
"""The fields of a training game that a rated one lacks, besides those for each side and the options of the start."""
LEVEL_OR_STYLE = "  level or style"


SIDE_LINES = ("kind", "engine", "strength")


def idle_side_fields(game: AnyGame, fields: Mapping[str, Field]) -> set[str]:
    """Return the ids of fields that do not apply. A person has no style, and a level sets its own strength."""
    styles = {style.id for style in game.play.styles}
    idle = {field.id for field in fields.values() if not field.is_open}
    for seat in (0, 1):
        if fields[f"kind.{seat}"].value == PlayerKind.HUMAN.value:
            idle |= {f"engine.{seat}", f"strength.{seat}"}
        elif styles and fields[f"engine.{seat}"].value not in styles:
            idle.add(f"strength.{seat}")
    return idle


def swap_side_fields(fields: dict[str, Field]) -> None:
    for line in SIDE_LINES:
        first, second = fields[f"{line}.0"], fields[f"{line}.1"]
        fields[first.id], fields[second.id] = replace(first, value=second.value), replace(second, value=first.value)


def chosen_player(game: AnyGame, fields: Mapping[str, Field], seat: Seat) -> Player:
    kind, engine, strength = (fields[f"{line}.{seat}"].value for line in SIDE_LINES)
    if kind == PlayerKind.HUMAN.value:
        return HUMAN
    if any(level.id == engine for level in game.facts.levels):
        return read_player(game, engine)
    return Player(PlayerKind.ENGINE, engine if game.play.styles else "", int(strength))


class NewGameScreen(FormScreen, screen_id="new"):
    """Sets up a new game. Enter is enough, because every field has a usable value."""

    footer_names = ("start", "more", "type_value", "swap", "rules", "leave", "help")
    has_picture = True
    is_challenge = False
    """Whether this is a challenge to another user, which has neither engines nor training."""
    button = "Start the game"
    what = "  a new game"
    """The title of the form, after the name of the game."""

    def __init__(self, game_id: GameId) -> None:
        super().__init__()
        self.facts = facts = self.services.library.get_facts(game_id)
        self.about = facts.title
        self.game: AnyGame | None = None
        self.has_chosen_side = False
        self.is_new = False
        self.fits: Level | None = None
        """The level that suits the player."""
        self.confirming = Confirmation(
            self.services.clock, self.call_after_refresh, self.set_timer, partial(self.say, tone=Tone.STRONG)
        )
        self.title_row = [(facts.title, Tone.TITLE), (self.what, Tone.DIM)]

    def on_mount(self) -> None:
        self.add_class("-unread")
        self.compile_ahead(self.facts.id)
        self.fetch(partial(find_game, self.services, self.facts.id), self.fill, "read", keys_wait=True)

    def fill(self, found: GameFound) -> None:
        self.game = found.game
        self.is_new = found.is_new and not self.is_challenge
        who = self.challenge_fields(found.game) if self.is_challenge else self.side_fields(found)
        self.all_fields = {field.id: field for field in (*who, *self.start_fields(found))}
        self.mark_changed()

    def on_trouble(self, message: Trouble) -> None:
        """Show the form with the data loaded so far, because no more will come."""
        self.remove_class("-unread")

    def side_fields(self, found: GameFound) -> list[Field]:
        """Return the fields for the players and training, as in the last game, or for a level that fits."""
        game, last, settings, services = found.game, found.last, self.services.preferences.settings, self.services
        may_rate = bool(game.facts.levels) and services.store is not None and not services.live_games.is_guest
        modes = tuple((mode, mode) for mode in MODES if mode == TRAINING or may_rate)
        players = self.services.preferences.players(0) if last is None else last.players
        if (fits := choose_level(game.facts.levels, found.rated)) is not None:
            players = set_level(game, players, fits)
        self.fits = fits
        training = settings.training if last is None else last.details.training
        return [
            Field("mode", "Mode", modes, TRAINING, meanings=(
                (TRAINING, "You may ask for help and take moves back. Not rated."),
                (RATED, "No help and no way back before the end. The game counts for your rating."),
            )),
            Field("side", "You are", tuple((str(seat), name) for seat, name in enumerate(game.seats)), "0",
                  "The side that you play."),
            *side_fields(game, players, settings, fits),
            Field("training", "Coach", (("on", f"on: {describe_training(settings.on_bad)}"), ("off", "off")),
                  "on" if training else "off", "Each move is judged as you make it."),
        ]  # fmt: skip

    def challenge_fields(self, game: AnyGame) -> list[Field]:
        seats = [(str(seat), name) for seat, name in enumerate(game.seats)]
        return [
            Field("side", "You are", (*seats, (RANDOM_SIDE, "random")), "0", "The side that you play."),
            Field("wanted", "Open to", ((ANYBODY, "anyone on this machine"), (CODE, "anyone with the code")), ANYBODY,
                  "You can also type the name of an account or of one of your profiles. You see the code when the"
                  " challenge is open.", True),
        ]  # fmt: skip

    def start_fields(self, found: GameFound) -> list[Field]:
        game, last = found.game, found.last
        options = {} if last is None else last.details.options
        house_rule = next((rule.id for rule in game.play.house_rules if last and rule.id == last.house_rule), "")
        rules = (("", "none"), *((rule.id, rule.title) for rule in game.play.house_rules))
        controls = [(choice, read_control(choice)) for choice in CHOICES]
        clocks = tuple((choice, NO_CLOCK if each is None else each.format_short()) for choice, each in controls)
        return [
            *(Field(f"option.{option.id}", option.title, tuple((choice, choice) for choice in option.choices),
                    options.get(option.id, option.default), option.about, option.free) for option in game.play.options),
            Field("rule", "House rule", rules, house_rule,
                  "An extra rule. The solved values ignore it."),
            Field("clock", "Clock", clocks, NO_CLOCK if last is None else last.details.clock or NO_CLOCK,
                  "If your time runs out, you lose. You can also type a clock, such as 30 or 5+3.", True),
            Field("position", "Custom start", (("", "none"),), "",
                  "You can type a position to start from.", True),
        ]  # fmt: skip

    def idle(self) -> Collection[str]:
        game, fields = self.game, self.all_fields
        if game is None:
            return ()
        idle = {field.id for field in fields.values() if not field.is_open}
        if fields["position"].value:
            idle |= {field_id for field_id in fields if field_id.startswith("option.")}
        if self.is_challenge:
            return idle
        idle |= idle_side_fields(game, fields)
        if self.is_rated:
            idle |= {*ONLY_TRAINING, *(name for name in fields if name.startswith(("option.", "kind.")))}
        else:
            idle.add("side")
        return idle if may_be_timed(game, self.players(game)) else {*idle, "clock"}

    def players(self, game: AnyGame) -> Players:
        if not self.is_challenge:
            return chosen_player(game, self.all_fields, 0), chosen_player(game, self.all_fields, 1)
        return (ELSEWHERE, HUMAN) if self.all_fields["side"].value == "1" else (HUMAN, ELSEWHERE)

    def show_marked(self) -> None:
        super().show_marked()
        if (game := self.game) is None:
            return
        chosen, options, ascii_only = read_values(self.fields), self.options(), self.services.ascii_only
        near = self.own_seat(game) or 0
        text = chosen.get("position", "")

        def start() -> AnyPosition:
            position: AnyPosition = game.notation.parse_position(text) if text else game.start(options, 0)
            return position

        with suppress(OnlymoveError):
            mover, own = game.rules.to_move(start()), self.own_seat(game)
            begins = "Both sides move at once" if mover is None else f"{game.seats[mover]} begins"
            who = "" if own is None else f"you are {game.seats[own]}"
            self.query_one("#picture-panel", Panel).set_title(begins, who)

        def draw() -> Picture:
            return draw_start(game, start(), near, ascii_only)

        show_picture(self, game.id, f"{near} {options} {text}", draw)
        board = self.query_one(SmallBoard)
        self.set_class(board.wanted is not None and not board.pictures, "-unread")

    def describe_state(self) -> tuple[Phrase, AnyTone | Key]:
        found = super().describe_state()
        if found[0] or self.marked_field() is not None:
            return found
        if self.is_new:
            offer = "{goal}New to {title}? Press {learn} to learn it in two minutes, or {start} to play."
            goal = f"{self.facts.goal} " if self.facts.goal else ""
            return phrase(offer, goal=goal, title=self.facts.title), Tone.KEY
        return as_sentence(self.facts.pitch), Tone.DIM

    def field_changed(self, field: Field) -> None:
        """When a position is typed and the player has not chosen a side, give the player the side to move."""
        if (game := self.game) is None:
            return
        self.confirming.withdraw()
        if field.id == "mode":
            self.fit_mode(game)
        elif field.id == "side" and not self.is_challenge:
            swap_side_fields(self.all_fields)
        elif field.id.startswith("kind."):
            self.has_chosen_side = True
        elif field.id == "position" and not self.has_chosen_side:
            wanted = (game.rules.to_move(game.notation.parse_position(field.value)) if field.value else 0) or 0
            if self.own_seat(game) == 1 - wanted:
                self.swap_sides()

    @property
    def is_rated(self) -> bool:
        return not self.is_challenge and self.all_fields["mode"].value == RATED

    def fit_mode(self, game: AnyGame) -> None:
        """Offer what the chosen mode has. A rated game is between the player and a level, from the usual start."""
        fields, levels = self.all_fields, game.facts.levels
        own = self.own_seat(game) or 0
        for seat in (0, 1):
            engine = fields[f"engine.{seat}"]
            ways = [(level.id, level.title) for level in levels]
            if not self.is_rated:
                ways += [(style.id, style.title) for style in game.play.styles]
            elif engine.value not in dict(ways) and self.fits is not None:
                engine = replace(engine, value=self.fits.id)
            title = "Opponent" if self.is_rated else LEVEL_OR_STYLE
            fields[engine.id] = replace(engine, title=title, choices=tuple(ways))
        if self.is_rated:
            fields["side"] = replace(fields["side"], value=str(own))
            for seat, kind in ((own, PlayerKind.HUMAN), (1 - own, PlayerKind.ENGINE)):
                fields[f"kind.{seat}"] = replace(fields[f"kind.{seat}"], value=kind.value)
            usual = {f"option.{option.id}": option.default for option in game.play.options}
            for name, value in {**usual, "rule": "", "position": ""}.items():
                fields[name] = replace(fields[name], value=value)

    def swap_sides(self) -> None:
        if not self.is_challenge:
            swap_side_fields(self.all_fields)
            side = self.all_fields["side"]
            self.all_fields["side"] = replace(side, value=str(1 - int(side.value)))
        elif (side := self.all_fields["side"]).value != RANDOM_SIDE:
            self.all_fields["side"] = replace(side, value=str(1 - int(side.value)))

    def own_seat(self, game: AnyGame) -> Seat | None:
        people = [seat for seat, player in enumerate(self.players(game)) if player.is_human]
        return people[0] if len(people) == 1 else None

    def action_swap(self) -> None:
        if self.game is not None:
            self.has_chosen_side = True
            self.swap_sides()
            self.mark_changed()

    def refusal(self, field: Field) -> str:
        if self.game is None:
            return ""
        if field.id == "wanted":
            profile, _, account = field.value.partition("@")
            is_profile = PROFILE_NAME.fullmatch(profile) and (not account or is_account(account))
            is_known = field.value in (ANYBODY, CODE) or is_profile or is_account(field.value)
            return "" if is_known else f"There is no player called '{field.value}' here."
        try:
            if field.id == "position" and field.value:
                position = read_position(self.game, field.value)
                return "" if self.game.rules.result(position) is None else "The game is over in this position."
            if field.id == "clock":
                read_control(field.value)
            if field.id.startswith("option."):
                self.game.start({**self.options(), field.id.removeprefix("option."): field.value}, 0)
        except OnlymoveError as refusal:
            return as_sentence(str(refusal))
        return strength_refusal(field)

    def options(self) -> dict[str, str]:
        chosen = read_values(self.fields)
        return {name.removeprefix("option."): value for name, value in chosen.items() if name.startswith("option.")}

    def action_start(self) -> None:
        game, store = self.game, self.services.store
        if game is None:
            return
        if self.is_rated and store is not None:
            self.fetch(partial(store.find_rated, game.id), self.start_rated, "rated", keys_wait=True)
        else:
            self.begin(game)

    def begin(self, game: AnyGame) -> None:
        try:
            (self.open_challenge if self.is_challenge else self.play)(game)
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)

    def start_rated(self, under_way: Entry | None) -> None:
        """Start a rated game. One of the same kind that is under way is lost then, so ask first."""
        game, store = self.game, self.services.store
        if game is None or store is None:
            return
        if under_way is None:
            self.begin(game)
        elif self.confirming.allows("start", ASK_FORFEIT):
            forfeit = partial(store.forfeit_rated, game.id)
            self.write(forfeit, lambda _: self.begin(game), "forfeit", keys_wait=True)

    def play(self, game: AnyGame) -> None:
        chosen, options, services = read_values(self.fields), self.options(), self.services
        seed = services.random.randrange(2**31)
        start = game.start(options, seed)
        if position := chosen.get("position"):
            start = game.notation.parse_position(position)
        rule = next((rule for rule in game.play.house_rules if rule.id == chosen.get("rule")), None)
        session = Session(game, start, self.players(game), rule)
        is_training, clock = self.all_fields["training"].value == "on", chosen.get("clock", "")
        self.open("play", services.live_games.make(session, options, seed, is_training, clock, is_rated=self.is_rated))

    def open_challenge(self, game: AnyGame) -> None:
        lobby, chosen, random = self.services.lobby, read_values(self.fields), self.services.random
        if lobby is None:
            return
        side: Seat = random.randrange(2) if chosen["side"] == RANDOM_SIDE else int(chosen["side"])
        start = chosen["position"] or game.notation.format_position(game.start(self.options(), random.randrange(2**31)))
        clock, wanted = chosen.get("clock", NO_CLOCK), chosen["wanted"]
        clock = "" if clock == NO_CLOCK else clock
        has_code = wanted == CODE
        terms = Terms(game.id, start, side, chosen.get("rule", ""), clock, "" if has_code else wanted, has_code)
        challenge = OpenChallenge.open(lobby, terms)
        self.app.pop_screen()
        self.open("waiting", challenge)

    def game_to_read(self) -> GameId:
        return self.facts.id


class ChallengeScreen(NewGameScreen, screen_id="opening"):
    """Sets up a challenge to another user."""

    footer_names = ("open_challenge", "more", "type_value", "swap", "rules", "leave", "help")
    is_challenge = True
    button = "Open the challenge"
    what = "  a challenge"


class PlayersScreen(FormScreen, screen_id="players"):
    """Changes the players of a game. Enter plays on with the new ones, and Esc changes nothing."""

    footer_names = ("agree", "more", "type_value", "swap", "leave", "help")
    button = "Play on"
    about = "From now on"
    title_row = (("Players", Tone.TITLE), ("  from now on", Tone.DIM))

    def __init__(self, game: AnyGame, players: Players, take: Callable[[Players], None]) -> None:
        super().__init__()
        self.game = game
        self.players = players
        self.take_players = take
        fields = side_fields(game, players, self.services.preferences.settings)
        self.all_fields = {field.id: field for field in fields}

    def idle(self) -> Collection[str]:
        return idle_side_fields(self.game, self.all_fields)

    def refusal(self, field: Field) -> str:
        return strength_refusal(field)

    def action_swap(self) -> None:
        swap_side_fields(self.all_fields)
        self.mark_changed()

    def action_start(self) -> None:
        chosen = chosen_player(self.game, self.all_fields, 0), chosen_player(self.game, self.all_fields, 1)
        self.app.pop_screen()
        if chosen != self.players:
            self.take_players(chosen)
