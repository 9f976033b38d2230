"""The pictures of README and docs, and how the app is brought to show each of them.

A game's pictures are listed in `pictures.toml` beside its tests. Keys control the app, which starts with an empty home
folder. Nothing here is random or looks at a clock, so a picture always has the same bytes.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from html import escape
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

import msgspec
from onlymove.pictures.colours import USUAL, colour
from onlymove.pictures.svg import FONT_SIZE, FONTS, Cell, draw_elements, make_cell, measure
from onlymove_engines import games
from onlymove_engines.coach.judge import OnBad, judge
from onlymove_engines.core.budget import Budget, Clock, never_stop
from onlymove_engines.core.value import Move
from onlymove_engines.live.limits import PROOF_SECONDS
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Effective, Settings, Switch
from rich.color import Color
from rich.style import Style
from textual.pilot import Pilot
from textual.strip import Strip

from tests.tui.pilots import board, press, render_strips, session, settle

ROOT: Final = Path(__file__).parents[2]
GALLERY: Final = ROOT / "docs" / "pictures"
GAME_TESTS: Final = ROOT / "tests" / "games"

RANKS: Final[Mapping[str, int]] = {"best": 0, "worst": -1}
UTF8: Final[Mapping[str, str]] = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
UNWANTED: Final = ("LC_ALL", "LC_CTYPE", "NO_COLOR", "SSH_CONNECTION")
"""Environment variables that change what the app draws."""

HOUR: Final = 3600.0
"""The seconds between two readings of the clock. The player has then seen everything on the screen."""
NODES: Final = 3_000
"""The node limit of a search that is limited by time in the app. It takes a tenth of a second."""


MARGIN: Final = 8
"""Pixels around a picture."""


def draw_screen(strips: Sequence[Strip], title: str, ink: str, ground: str) -> str:
    """Return the screen as an SVG document. `ink` and `ground` (`#rrggbb`) are the theme's own."""
    rows = [list_cells(strip, ink, ground) for strip in strips]
    width, height = (size + 2 * MARGIN for size in measure(rows))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="{-MARGIN} {-MARGIN} {width} {height}" role="img" font-family="{FONTS}" font-size="{FONT_SIZE}">'
    )
    frame = (
        f'<rect x="{1 - MARGIN}" y="{1 - MARGIN}" width="{width - 2}" height="{height - 2}" rx="8" fill="{ground}"'
        ' stroke="#808080" stroke-opacity=".5"/>'
    )
    return "\n".join([head, f"<title>{escape(title)}</title>", frame, *draw_elements(rows, ground), "</svg>", ""])


def list_cells(strip: Strip, ink: str, ground: str) -> list[Cell]:
    """Return the characters of a line of the screen with their colours."""
    found = []
    for text, own, _ in strip:
        look = own or Style()
        front, back = find_hex(look.color, ink), find_hex(look.bgcolor, ground)
        if look.reverse:
            front, back = back, front
        found += [make_cell(sign, front, back, bool(look.bold)) for sign in text]
    return found


def find_hex(given: Color | None, otherwise: str) -> str:
    return otherwise if given is None or given.triplet is None else given.triplet.hex


def make_budget(seconds: float, clock: Clock, stop: Callable[[], bool] = never_stop) -> Budget:
    """Return a budget that does not depend on how busy the machine is. A search that ends with an exact answer has no
    limit."""
    return Budget(nodes=NODES if seconds < PROOF_SECONDS else None, stop=stop)


class Shot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One picture. `title` says what it shows. `game` is empty for the menu. The person moves first, against an engine
    or a `friend`. A step of `script` is a key or `m MOVE`, which types a move, where `best` and `worst` stand for
    moves. With `stopped`, training stops bad moves."""

    name: str
    title: str
    game: str = ""
    size: tuple[int, int] = (120, 40)
    seed: int = 1
    strength: int = 100
    friend: bool = False
    script: list[str] = []
    stopped: bool = False

    @property
    def players(self) -> tuple[Player, Player]:
        return HUMAN, HUMAN if self.friend else Player(PlayerKind.ENGINE, strength=self.strength)


MENU: Final = Shot(name="menu", title="onlymove: the menu, and the game that is marked", script=["down"])


def list_shots() -> list[Shot]:
    """Return every picture, beginning with the menu."""
    folders = dict.fromkeys(facts.folder for facts in games.list_games())
    files = [GAME_TESTS / folder / "pictures.toml" for folder in folders]
    listed = [tomllib.loads(file.read_text("utf-8"))["picture"] for file in files if file.exists()]
    return [MENU, *(msgspec.convert(picture, Shot) for pictures in listed for picture in pictures)]


@contextmanager
def known_terminal(home: Path) -> Iterator[None]:
    """Set up a terminal that can show everything, without any settings, tables or games."""
    own = {f"XDG_{kind}_HOME": str(home) for kind in ("DATA", "CONFIG", "STATE")}
    with patch.dict(os.environ, {**UTF8, **own}), patch.object(Budget, "seconds", make_budget):
        for name in UNWANTED:
            os.environ.pop(name, None)
        yield


async def picture(shot: Shot) -> str:
    """Return the screen of a shot as an SVG document."""
    with (
        TemporaryDirectory() as name,
        known_terminal(Path(name)),
        closing(GameStore.open(Path(name, "games"))) as store,
    ):
        if shot.game:
            finish_a_game(store, shot.game)
        on_bad = OnBad.ASK if shot.stopped else OnBad.MARK
        settings = Settings(theme=USUAL, ascii=Switch.OFF, animation=Switch.OFF, on_bad=on_bad)
        launch = Launch(
            game=shot.game,
            players=shot.players,
            seed=shot.seed,
            settings=Effective(settings, {}, Path(name, "settings.toml")),
            store=store,
            clock=count(step=HOUR).__next__,
        )
        app = OnlymoveApp(launch)
        async with app.run_test(size=shot.size) as pilot:
            await settle(pilot)
            await perform(app, pilot, shot)
            strips = render_strips(app)
            return draw_screen(strips, shot.title, colour("text", USUAL), colour("background", USUAL))


def finish_a_game(store: GameStore, game_id: str) -> None:
    """Store a finished game, because pictures show what a player sees who is not new to the game."""
    game = games.load(game_id)
    played: AnySession = Session(game, game.default_start(), (HUMAN, Player(PlayerKind.ENGINE)))
    played.resign(1)
    store.save(played, GameDetails())


async def perform(app: OnlymoveApp, pilot: Pilot[int], shot: Shot) -> None:
    """Carry out the script, step by step."""
    for step in shot.script:
        _, typed, wanted = step.partition("m ")
        if not typed:
            await press(pilot, step)
            continue
        move = rank_moves(app)[RANKS[wanted]] if wanted in RANKS else wanted
        before = session(app).node
        await press(pilot, "m", *move, "enter")
        assert session(app).node is not before or board(app).live.stopped_move is not None, (
            f"{shot.name}: {move} was not taken"
        )


def rank_moves(app: OnlymoveApp) -> list[str]:
    """Return the moves of the side that has to choose, as players type them, the best first."""
    live = board(app).live
    values, seat = live.node.values, live.session.choosing_seat
    assert values is not None, "nobody knows what the moves are worth"
    assert seat is not None, "nobody is to choose"

    def gravity(move: Move) -> int:
        return judge(values, move, live.coaching, seat).grade.gravity

    moves = sorted(session(app).moves_of(seat), key=gravity)
    return [live.game.notation.format_move(session(app).position, move) for move in moves]
