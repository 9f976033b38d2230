"""`play`, and `onlymove` alone: opens the app, or the line-by-line game with `--plain`."""

from __future__ import annotations

import importlib
import os
import random
import sys
import time
from typing import Any

import click
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.opponent import find_style
from onlymove_engines.core.session import HUMAN, Chair, Session, Sitter

from onlymove_tui.launch import Launch

from .console import GAME, complain, open_analyst, parse_position, show

LARGEST_SEED = 10**6


class BadChoice(OnlymoveError):
    """An option of `play` that does not fit the game."""


@click.command("play")
@click.argument("game", type=GAME)
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, scripts and dumb terminals.")
@click.option("--from", "start", metavar="POSITION", help="Begin here instead of at the start.")
@click.option("--seats", default="human,engine", show_default=True, help="Who plays first, who second.")
@click.option("--strength", type=click.IntRange(0, 100), default=100, show_default=True, help="Of the engine.")
@click.option("--style", default="", metavar="S", help="Of the engine; `onlymove games GAME` lists them.")
@click.option("--set", "choices", multiple=True, metavar="ID=VALUE", help="An option of the game's start.")
@click.option("--seed", type=int, help="For starts and engines that draw lots.")
@click.option("--rule", default="", metavar="ID", help="A house rule (plain mode).")
@click.option(
    "--training",
    type=click.Choice(["ask", "undo", "flag", "off"]),
    default="flag",
    show_default=True,
    help="What happens to a bad move in plain mode.",
)
@click.pass_context
def play_command(ctx: click.Context, /, game: AnyGame, plain: bool, start: str | None, **choices: Any) -> int:
    """Play GAME at once."""
    chairs = read_seats(game, choices["seats"], choices["strength"], choices["style"])
    seed = random.randrange(LARGEST_SEED) if choices["seed"] is None else choices["seed"]
    if start is None:
        position = game.start(read_options(game, choices["choices"]), seed)
    else:
        position = parse_position(game, start)
    options: dict[str, Any] = ctx.obj
    launch = Launch(game, position, start is not None, chairs, *flags(options))
    if plain or options["plain"]:
        return play_plainly(launch, choices["training"], choices["rule"], seed)
    return open_app(launch)


def flags(options: dict[str, Any]) -> tuple[str | None, bool, bool]:
    """The flags of the app, in the order of `Launch`."""
    return options["profile"], options["ascii_only"], options["kiosk"]


def launch(options: dict[str, Any]) -> int:
    """`onlymove` without a command: the menu, or with `--plain` a pointer to what a line can do."""
    if options["plain"]:
        show("Play line by line with: onlymove play GAME --plain")
        from onlymove_engines import games  # noqa: PLC0415 - only here

        for card in games.title_cards():
            show(f"  {card.id:12} {card.title}: {card.pitch}")
        return 0
    profile, ascii_only, kiosk = flags(options)
    return open_app(Launch(profile=profile, ascii_only=ascii_only, kiosk=kiosk))


def open_app(launch: Launch) -> int:
    """The app, where there is a terminal that can show it."""
    hint = "try `onlymove play GAME --plain`"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return complain(f"the app needs a terminal on stdin and stdout; {hint}")
    if os.environ.get("TERM", "") in ("", "dumb"):
        return complain(f"this terminal cannot show the app (TERM is {os.environ.get('TERM') or 'not set'}); {hint}")
    code: int = importlib.import_module("onlymove_tui.app").run(launch)
    return code


def play_plainly(launch: Launch, training: str, rule: str, seed: int) -> int:
    """A game in lines."""
    from onlymove_engines.core.tutor import OnBad  # noqa: PLC0415 - only for a game

    from onlymove_tui.plain import PlainGame, Room  # noqa: PLC0415

    game = launch.game
    assert game is not None, "plain mode is for one game"
    rules = {house.id: house for house in game.house_rules}
    if rule and rule not in rules:
        raise BadChoice(f"{game.id} has no house rule '{rule}': there are {', '.join(rules) or 'none'}")
    session = Session(game, launch.start, launch.chairs, rules.get(rule))
    room = Room(show, time.monotonic, random.Random(seed), launch.ascii_only or not_utf8())
    return PlainGame(session, OnBad(training), open_analyst(game), room).run(read_lines())


def not_utf8() -> bool:
    """Whether stdout cannot carry the board's glyphs."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"


def read_lines() -> Any:
    """The player's lines, with a prompt where there is a terminal."""
    while True:
        if sys.stdin.isatty():
            sys.stderr.write("> ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line.strip()


def read_seats(game: AnyGame, text: str, strength: int, style: str) -> tuple[Chair, Chair]:
    """`human,engine` as chairs. Raises BadChoice."""
    words = text.split(",")
    if len(words) != 2 or any(word not in ("human", "engine") for word in words):
        raise BadChoice(f"--seats {text}: expected two of human and engine, such as human,engine")
    try:
        find_style(game, style)
    except KeyError:
        known = ", ".join(found.id for found in game.styles)
        raise BadChoice(f"{game.id} has no style '{style}': there are {known or 'none'}") from None
    except IndexError:
        if "engine" in words:
            raise BadChoice(f"{game.id} has no engine yet") from None
    chairs = [HUMAN if word == "human" else Chair(Sitter.ENGINE, style, strength) for word in words]
    return chairs[0], chairs[1]


def read_options(game: AnyGame, texts: tuple[str, ...]) -> dict[str, str]:
    """`--set ID=VALUE` as the options of a start. Raises BadChoice."""
    known = {option.id: option for option in game.options}
    chosen: dict[str, str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise BadChoice(f"--set {text}: {game.id} has the options {', '.join(known) or 'none'}")
        if not known[name].free and value not in known[name].choices:
            raise BadChoice(f"--set {text}: choose from {', '.join(known[name].choices)}")
        chosen[name] = value
    return chosen
