"""`play`, and `onlymove` alone: opens the app, or the line-by-line game with `--plain`."""

from __future__ import annotations

import gc
import random
import time
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import click
from onlymove_engines import games
from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.game import AnyGame, HouseRule
from onlymove_engines.match.clock import may_be_timed, read_control
from onlymove_engines.match.match import Match
from onlymove_engines.match.rating import GUEST, changed_start, told
from onlymove_engines.play.line import find_house_rule
from onlymove_engines.play.players import Player, PlayerKind, Players, player_names, read_players, style_ids
from onlymove_engines.play.session import Session

from onlymove_tui.app.launch import Launch
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.environment import limit_memory
from onlymove_tui.play.drills import collect
from onlymove_tui.play.line_mode import LineMode, Voice
from onlymove_tui.store.database import QUICK_SECONDS
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.profiles import Occupancy, Places, is_guest, occupy, places
from onlymove_tui.store.rows import Setup
from onlymove_tui.store.settings import Effective, Switch
from onlymove_tui.terminal.capabilities import look, prepare_environment, require_terminal

from .console import (
    GAME,
    Seconds,
    complete_from,
    draws_ascii,
    effective,
    parse_position,
    profile_of,
    read_lines,
    rule_names,
    seek_analyst,
    show,
    style_names,
    with_guest,
)

TRAINING = ("ask", "undo", "flag", "off")
LARGEST_SEED = 10**6


class BadChoice(OnlymoveError):
    """An option of `play` that does not fit the game."""


@click.command("play")
@click.argument("game", type=GAME)
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, scripts and dumb terminals.")
@click.option("--board", "draws", is_flag=True, help="With --plain: draw the board instead of describing it.")
@click.option("--profile", metavar="NAME", help="Whose history and progress to use.")
@click.option("--guest", is_flag=True, help="A profile of your own for this login, thrown away after a day.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain ASCII only.")
@click.option("--kiosk", is_flag=True, help="For shared hosts: no suspend, no paths, time out when idle.")
@click.option("--from", "start", metavar="POSITION", help="Begin here instead of at the start.")
@click.option(
    "--seats",
    metavar="A,B",
    help="First and second: human, engine, STYLE@STRENGTH or a level; else you are to move.",
    shell_complete=complete_from(lambda game: ("human", "engine", *player_names(game)), separator=","),
)
@click.option("--strength", type=click.IntRange(0, 100), help="Of the engine; else as in the settings.")
@click.option(
    "--think", type=Seconds(0, 3600), help="Seconds an engine that searches has for a move; else as in the settings."
)
@click.option(
    "--style",
    metavar="S",
    help="Of the engine; `onlymove games GAME` lists them.",
    shell_complete=complete_from(style_names),
)
@click.option("--set", "options", multiple=True, metavar="ID=VALUE", help="An option of the game's start.")
@click.option("--seed", type=int, help="For starts and engines that draw lots.")
@click.option(
    "--rule",
    default="",
    metavar="ID",
    help="A house rule; `onlymove games GAME` lists them.",
    shell_complete=complete_from(rule_names),
)
@click.option("--clock", metavar="TIME", help="30: seconds a move; 5+3: minutes, and seconds for each move; off.")
@click.option("--training", type=click.Choice([*TRAINING]), help="What happens to a bad move; else as in the settings.")
@click.pass_context
def play_command(ctx: click.Context, /, game: AnyGame, **choices: Any) -> int:
    """Play GAME at once."""
    flags = {name: choices[name] or ctx.obj.get(name) for name in ("profile", "ascii_only", "kiosk", "plain")}
    flags = with_guest({**flags, "guest": choices["guest"]})
    asked = {"strength": choices["strength"], "think": choices["think"], "on_bad": policy(choices["training"])}
    settings = effective(flags, asked)
    held = settings.settings
    style = held.style if choices["style"] is None else choices["style"]
    position = None if choices["start"] is None else choices["start"].strip()
    mover = None if position is None else game.rules.to_move(game.notation.parse_position(position))
    seats = choices["seats"] or ("engine,human" if mover == 1 else "human,engine")
    engine = Player(PlayerKind.ENGINE, known_style(game, style, choices["style"]), held.strength)
    deal = Deal(
        game=game,
        position=position,
        players=read_players(game, seats, engine),
        options=read_options(game, choices["options"]),
        rule=find_house_rule(game, choices["rule"]),
        seed=random.randrange(LARGEST_SEED) if choices["seed"] is None else choices["seed"],
        training=choices["training"],
        draws=choices["draws"],
        clock=choices["clock"] or "",
    )
    check_clock(deal, flags["plain"])
    if flags["plain"]:
        return play_plainly(deal, settings, profile_of(flags))
    return open_app(flags, settings, deal)


@dataclass(frozen=True)
class Deal:
    """A game as the command line asks for it."""

    game: AnyGame
    position: str | None
    players: Players
    options: dict[str, str]
    rule: HouseRule | None
    seed: int
    training: str | None
    draws: bool = False
    clock: str = ""


def launch(options: dict[str, Any]) -> int:
    """`onlymove` without a command: the menu, or with `--plain` a pointer to what a line can do."""
    if not options["plain"]:
        return open_app(options, effective(options), None)
    show("Play line by line with: onlymove play GAME --plain")
    for card in games.title_cards():
        show(f"  {card.id:12} {card.title}: {card.pitch}")
    return 0


def dealt(begin: Launch, deal: Deal) -> Launch:
    """The app opened straight at a board."""
    return replace(
        begin,
        game=deal.game.id,
        position=deal.position,
        players=deal.players,
        options=deal.options,
        house_rule="" if deal.rule is None else deal.rule.id,
        training=None if deal.training is None else deal.training != "off",
        seed=deal.seed,
        time_control=deal.clock,
    )


def check_clock(deal: Deal, is_plain: bool) -> None:
    """Raises BadClock or BadChoice for a clock that cannot be had."""
    if read_control(deal.clock) is None:
        return
    if is_plain:
        raise BadChoice("--clock: line by line there is no clock")
    if not may_be_timed(deal.game, deal.players):
        raise BadChoice("--clock: a clock is for two people, or a person where both move at once")


def open_app(options: dict[str, Any], settings: Effective, deal: Deal | None) -> int:
    """The app, where there is a terminal that can show it."""
    require_terminal()
    if settings.settings.kiosk:
        limit_memory(settings.settings.kiosk_memory)
    # Nothing made before the first paint is garbage; the collector would take a sixth of the start. The app resumes it.
    gc.disable()
    terminal = look(settings.settings)
    prepare_environment(terminal)
    profile = profile_of(options)
    found = places(profile)
    held = take_over(found) if profile else None
    from onlymove_tui.app.app import run  # noqa: PLC0415 - Textual is for the app alone, once a terminal is sure

    begin = Launch(
        settings=settings,
        store=GameStore.open(found.games, patience=QUICK_SECONDS),
        profile=profile,
        ascii_only=terminal.ascii_only,
        kiosk=settings.settings.kiosk,
        resumes=options.get("resume", False),
    )
    code = run(begin if deal is None else dealt(begin, deal))
    if held is not None:
        held.release()
    return code


def take_over(found: Places) -> Occupancy | None:
    """The profile for this login alone; an earlier one saves and leaves. `None` where no lock can be kept."""
    try:
        return occupy(found.lock)
    except OSError:
        return None


def policy(training: str | None) -> str | None:
    """What is to happen to a bad move, if the command line says so; without training nothing is said of that."""
    return None if training == "off" else training


def play_plainly(deal: Deal, settings: Effective, profile: str) -> int:
    """A game in lines, kept in the player's history like any other."""
    game, chosen = deal.game, settings.settings
    if chosen.kiosk:
        limit_memory(chosen.kiosk_memory)
    start = game.start(deal.options, deal.seed) if deal.position is None else parse_position(game, deal.position)
    session = Session(game, start, deal.players, deal.rule)
    ascii_only = chosen.ascii is Switch.ON or (chosen.ascii is Switch.AUTO and draws_ascii({}))
    preferences = Preferences(settings)
    coaching = preferences.coaching()
    training = chosen.training if deal.training is None else deal.training != "off"
    unrated = GUEST if is_guest(profile) else changed_start(session, deal.options, deal.seed)
    setup = Setup(deal.options, deal.seed, training, coaching.on_bad, coaching.objective, unrated=unrated)
    with closing(GameStore.open(places(profile).games, games.load)) as store:
        keeper = Autosave(store, session, setup)
        match = Match(session, coaching, training, keeper, random.Random(deal.seed))
        match.effort = preferences.effort()
        match.take_analyst(*seek_analyst(game))
        LineMode(match, Voice(show, time.monotonic, deal.draws, ascii_only)).run(read_lines())
        if session.is_over:
            show_rating(store, game, keeper.setup)
            collect(store, from_mistakes(session, match.values))
    return 0


def show_rating(store: GameStore, game: AnyGame, setup: Setup) -> None:
    """What the game was for the player's rating."""
    if said := told(game.levels, store.rated().get(game.id, ()), setup.rated, setup.unrated):
        show(said)


def known_style(game: AnyGame, style: str, asked: str | None) -> str:
    """The style to play. One from the settings that this game does not know gives way to the game's first; one
    that was asked for raises BadChoice."""
    known = style_ids(game)
    if style in known:
        return style
    if asked:
        raise BadChoice(f"{game.id} has no style '{style}': there are {', '.join(known)}{did_you_mean(style, known)}")
    return known[0]


def read_options(game: AnyGame, texts: tuple[str, ...]) -> dict[str, str]:
    """`--set ID=VALUE` as the options of a start. Raises BadChoice."""
    known = {option.id: option for option in game.options}
    chosen: dict[str, str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            there = ", ".join(known) or "none"
            raise BadChoice(f"--set {text}: {game.id} has the options {there}{did_you_mean(name, known)}")
        if not known[name].free and value not in known[name].choices:
            choices = known[name].choices
            raise BadChoice(f"--set {text}: choose from {', '.join(choices)}{did_you_mean(value, choices)}")
        chosen[name] = value
    return chosen
