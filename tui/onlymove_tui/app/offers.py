"""What the palette offers besides the commands of the open screen: games, themes, strengths, and the game on the board
for other programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.play.players import HUMAN, Player, PlayerKind, read_player, style_ids
from onlymove_engines.play.session import AnySession, is_with_others
from onlymove_engines.records.record import Record, format_record

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Noted, Trouble
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.palette import PaletteItem
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import NAMES, spoken
from onlymove_tui.play.phrases import summary_lines
from onlymove_tui.store.exchange import PLAYERS, export_games, names_of
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import open_own_file

BoardScreen: TypeAlias = PlayScreen | ReviewScreen | DrillScreen

STRENGTHS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Sharing:
    """How something leaves the program: `copy` puts a text on the clipboard of the terminal, files go into `folder`,
    or nowhere."""

    copy: Callable[[str], None]
    folder: Path | None


def offers(services: Services, screen: BaseScreen, sharing: Sharing | None) -> list[PaletteItem]:
    """Everything that is offered on a screen; without `sharing` nothing leaves the program."""
    items = [
        PaletteItem(f"New game: {card.title}", "", partial(services.new_game, card.id)) for card in services.cards()
    ]
    is_own = services.has_own_colours_only
    items += [
        PaletteItem(f"Theme: {spoken(name, is_own)}", "", partial(services.change_setting, "theme", name), "colours")
        for name in NAMES
    ]
    items += [
        PaletteItem(f"Engine's strength in new games: {strength}", "",
                    partial(services.change_setting, "strength", str(strength)), "strength level")
        for strength in STRENGTHS
    ]  # fmt: skip
    if isinstance(screen, PlayScreen) and not (screen.match.session.is_over or is_with_others(screen.match.session)):
        items += reseated(screen)
    return items if sharing is None else [*items, *shared(services.store, screen, sharing)]


def reseated(screen: PlayScreen) -> Iterator[PaletteItem]:
    """Other players from here on: a side taken over, handed over, an engine of another level or strength."""
    game, players = screen.match.game, screen.match.session.players
    settings, styles = screen.services.settings, style_ids(game)
    usual = Player(PlayerKind.ENGINE, settings.style if settings.style in styles else styles[0], settings.strength)
    for seat, player in enumerate(players):
        engine = next((other for other in players if not other.is_human), usual)
        if player.is_human:
            others = {"a person hands over to the engine": engine}
        else:
            others = {"a person takes over": HUMAN}
            others |= {f"{level.title} from here on": read_player(game, level.id) for level in game.levels}
            if not game.levels:
                others |= {f"strength {number} from here on": replace(player, strength=number) for number in STRENGTHS}
        for words, other in others.items():
            seats = (other, players[1]) if seat == 0 else (players[0], other)
            yield PaletteItem(f"{game.seats[seat]}: {words}", "", partial(screen.take_players, seats))


def shared(store: GameStore | None, screen: BaseScreen, sharing: Sharing) -> Iterator[PaletteItem]:
    """What can be taken away from a screen. A drill is a position only: its game is another one's."""

    def copied(what: str, name: str, text: Callable[[], str], meant: str = "") -> PaletteItem:
        return PaletteItem(f"Copy {what}", "", lambda: copy(screen, sharing, name, text()), meant)

    folder = sharing.folder
    if isinstance(screen, BoardScreen):
        yield copied("position", "the position", partial(position_text, screen))
        if not isinstance(screen, DrillScreen):
            yield copied("game as record", "the game", partial(record_text, screen))
            if screen.match.session.is_over:
                yield copied("how the game went", "the result", partial(result_line, screen.match.session), "share")
            if folder is not None:
                yield PaletteItem("Export game to a file", "", partial(export, screen, folder), "save")
        if isinstance(screen, ReviewScreen) and folder is not None:
            yield PaletteItem("Export game as a web page", "", partial(export_page, screen, folder), "html save")
    elif isinstance(screen, DrillsScreen) and screen.result:
        yield copied("how today's positions went", "the result", lambda: screen.result, "share daily")
    elif isinstance(screen, MenuScreen | HistoryScreen) and folder is not None and store is not None:
        export_all = partial(screen.write, lambda: exported_all(store, folder), "export")
        yield PaletteItem("Export all games to a file", "", export_all, "save")


def copy(screen: BaseScreen, sharing: Sharing, what: str, text: str) -> None:
    """Put a text on the clipboard, and say so."""
    sharing.copy(text)
    screen.post_message(Noted(f"Copied: {what}, if the terminal lets programs do that."))


def position_text(screen: BoardScreen) -> str:
    """The position that is looked at."""
    return screen.match.game.notation.format_position(screen.board.playback.at.position)


def record_text(screen: BoardScreen) -> str:
    """The whole game, with its judgements."""
    session = screen.match.session
    names = dict(zip(PLAYERS, names_of(session), strict=True))
    return format_record(Record(session.line, {"Date": today(), **names}))


def result_line(session: AnySession) -> str:
    """Who played what, how it ended, and how well each person here played."""
    return f"{session.game.title}, {' against '.join(names_of(session))}. {' '.join(summary_lines(session))}"


def today() -> str:
    """The date as records write it."""
    return f"{datetime.now().astimezone():%Y.%m.%d}"


def export(screen: BoardScreen, folder: Path) -> None:
    """Have a worker write the game into a file of its own, and say where."""
    text, path = record_text(screen), new_file(folder, screen.match.game.id)
    screen.write(lambda: written(path, text), "export")


def export_page(screen: BoardScreen, folder: Path) -> None:
    """The same as a web page: as far as the game has been looked at."""
    from onlymove_tui.app.webpage.page import GameShown, web_page  # noqa: PLC0415 - what draws it is for those who ask for it

    match = screen.match
    shown, theme = GameShown(match, names_of(match.session), today()), screen.services.settings.theme
    path = new_file(folder, match.game.id, "html")
    screen.write(lambda: written(path, web_page([shown], theme)), "export")


def exported_all(store: GameStore, folder: Path) -> Noted | Trouble:
    """Write every game of the list into one file, the oldest first; for a worker."""
    found = list(export_games(store))
    texts = [exported.text for exported in found if exported.text]
    if not texts:
        return Trouble("There is no game to export.")
    stored, damaged = sum(bool(each.text and each.fault) for each in found), len(found) - len(texts)
    notes = [f"{stored} unread, as stored"] if stored else []
    notes += [f"{damaged} damaged, left out"] if damaged else []
    return written(new_file(folder, "games"), "\n".join(texts), f" ({'; '.join(notes)})" if notes else "")


def new_file(folder: Path, name: str, kind: str = "txt") -> Path:
    """A file that is not there yet."""
    return folder / f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}.{kind}"


def written(path: Path, text: str, note: str = "") -> Noted | Trouble:
    """Write a file; what came of it, with a note on what is in it."""
    try:
        with os.fdopen(open_own_file(path, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        return Trouble(f"Nothing is exported: {error.strerror}")
    home = Path.home()
    folder = f"~/{path.parent.relative_to(home)}" if path.is_relative_to(home) else str(path.parent)
    return Noted(f"Exported{note}: {path.name} in {folder}")
