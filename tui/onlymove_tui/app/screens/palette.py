"""The palette, which finds any command of the screen below by name. It offers settings, players and exports too."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from onlymove.pictures.colours import NAMES, Tone
from onlymove_engines.core.ascii import to_ascii
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, read_player, style_ids
from onlymove_engines.records.record import Record, format_record
from textual.widget import Widget

from onlymove_tui.app import commands
from onlymove_tui.app.base_screen import MIN_WIDTH, BaseScreen
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.app.messages import Noted, Trouble
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.pages import live_commands
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.themes import describe_theme, find_theme
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.canvas import Row, row_width
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.fields import Typing
from onlymove_tui.play.phrases import summary_lines
from onlymove_tui.store.exchange import PLAYERS, export_games, name_players
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places, open_own_file

QUESTION = "What do you want to do?"
ALSO: Final[Mapping[str, str]] = {
    "quit": "exit leave", "quit_menu": "exit leave", "settings": "options", "history": "load", "resume": "continue",
    "rules": "how to play", "players": "opponent", "drills": "puzzles", "drill_these": "puzzles",
    "rematch": "restart", "flip": "rotate", "values": "evaluation", "die": "die dice", "delete": "remove",
    "undo": "take back", "review": "analyse", "palette": "find",
}  # fmt: skip
"""Other words by which players look for commands."""


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """A line of the palette. `action` is a command id or a function. `names` are other words that find it. Items of one
    `group` are choices on one line."""

    text: str
    action: str | Callable[[], None]
    keys: str = ""
    names: str = ""
    group: str = ""


def make_item(name: str, keys: str, help_line: str) -> PaletteItem:
    """Make an item for a command. It is also found by its word in the footer and by its words in ALSO."""
    return PaletteItem(help_line, name, keys, f"{BY_ID[name].word} {name.replace('_', ' ')} {ALSO.get(name, '')}")


def find_items(items: Sequence[PaletteItem], sought: str) -> list[PaletteItem]:
    """Return the items in which every word of `sought` begins a word. First come those with all of them in `names`, and
    then those whose text begins with the first of them. Case and accents do not matter."""

    def split(text: str) -> list[str]:
        return re.findall(r"\w+", to_ascii(text).casefold())

    def has_all(words: Sequence[str]) -> bool:
        return all(any(word.startswith(part) for word in words) for part in wanted)

    wanted, ranks = split(sought), dict[int, list[PaletteItem]]({0: [], 1: [], 2: []})
    for item in items:
        names, words = split(item.names), split(item.text)
        if has_all([*names, *words]):
            begins = bool(words) and words[0].startswith("".join(wanted[:1]))
            ranks[0 if has_all(names) else 1 if begins else 2].append(item)
    return [*ranks[0], *ranks[1], *ranks[2]]


def group_items(items: Sequence[PaletteItem]) -> list[PaletteItem]:
    """Return one item for each line. The first item of a group stands for it."""
    return list({item.group or item.text: item for item in reversed(items)}.values())[::-1]


class PaletteScreen(ListScreen[PaletteItem], screen_id="palette"):
    """Runs the selected command on Enter. Typing narrows the list."""

    footer_names = ("leave",)
    title_row = (("Commands", Tone.TITLE),)

    def __init__(self, underneath: BaseScreen) -> None:
        super().__init__()
        self.underneath = underneath
        items = [make_item(*command) for command in live_commands(underneath) if BY_ID[command[0]].in_palette]
        self.all = [*items, *list_offers(underneath)]
        self.lines: list[PaletteItem] = group_items(self.all)
        self.sought = ""
        self.typing = Typing(self.run_marked)

    def compose_beside(self) -> Iterable[Widget]:
        return ()

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("search")
        yield Choices("list")

    def footer(self) -> list[tuple[str, str]]:
        return [*([("accept", "choose")] if self.lines else []), ("cancel", "back")]

    def takes_key(self, key: str, character: str | None) -> bool:
        """Handle a key. Left and Right change the choice on the selected line. Most other keys are typed."""
        if key == commands.TYPING_KEYS["cancel"]:
            self.action_leave()
            return True
        if self.find_command(key) in ("up", "down", "leave"):
            return False
        if key in ("left", "right") and (choices := self.list_choices()):
            place = choices.index(self.lines[self.choices.marked]) + (1 if key == "right" else -1)
            self.lines[self.choices.marked] = choices[place % len(choices)]
            self.mark_changed()
            return True
        return super().takes_key(key, character)

    def list_choices(self) -> list[PaletteItem]:
        group = "" if self.marked_line is None else self.marked_line.group
        return [item for item in self.all if group and item.group == group]

    def show_typing(self) -> None:
        if self.typing is None or not self.is_current:
            return
        if (sought := self.typing.text.strip()) != self.sought:
            self.sought, self.lines = sought, group_items(find_items(self.all, sought) if sought else self.all)
            self.choices.mark(0)
        self.mark_changed()

    def draw(self) -> None:
        if self.typing is not None:
            rest: Row = () if self.typing.text else [(QUESTION, Tone.DIM)]
            space = self.query_one("#search").size.width or MIN_WIDTH
            self.query_one("#search", Lines).show([[*self.typing.row(space - row_width(rest)), *rest]])
        super().draw()

    def rows_of(self, line: PaletteItem) -> Sequence[Row]:
        """Return what the item does, with its keys beside it in a column of their own. Arrows surround a choice."""
        text = f"{line.group}: ◂ {line.text.removeprefix(f'{line.group}: ')} ▸" if line.group else line.text
        space = (self.choices.size.width or MIN_WIDTH) - INDENT
        if not line.keys:
            return list(paragraph_rows(text, space))
        keyed = [other for other in self.all if other.keys]
        space = min(space - 2 - max(len(other.keys) for other in keyed), max(len(other.text) for other in keyed))
        first, *rest = paragraph_rows(text, space)
        gap = " " * (space + 2 - row_width(first))
        return [[*first, (gap, Tone.TEXT), (line.keys, Tone.KEY)], *rest]

    def idle_rows(self) -> Sequence[Row]:
        return () if self.lines else [[("No matching command.", Tone.DIM)]]

    def run_marked(self, sought: str) -> str:
        if (marked := self.marked_line) is None:
            return "nothing"
        self.app.pop_screen()
        action = marked.action
        self.app.call_next(action if callable(action) else partial(self.underneath.do, BY_ID[action]))
        return ""

    def action_pick(self) -> None:
        self.run_marked("")


STRENGTHS = (0, 25, 50, 75, 100)


def list_offers(screen: BaseScreen) -> list[PaletteItem]:
    """Return what a screen offers besides its commands. A kiosk writes no files, and text can be copied there only if
    the setting `kiosk_copy` allows it. The current theme and strength come first."""
    services = screen.services
    settings = services.preferences.settings
    items: list[PaletteItem] = []

    def add_choice(group: str, words: object, action: Callable[[], None], names: str = "") -> None:
        items.append(PaletteItem(f"{group}: {words}", action, names=names, group=group))

    for facts in services.library.list_facts():
        add_choice("New game", facts.title, partial(screen.open, "new", facts.id))
    for theme in sorted(NAMES, key=lambda name: name != find_theme(settings.theme)):
        words = describe_theme(theme, services.has_own_colours_only)
        add_choice("Theme", words, partial(services.change_setting, "theme", theme), "colours")
    for strength in sorted(STRENGTHS, key=lambda strength: strength != settings.strength):
        change = partial(services.change_setting, "strength", str(strength))
        add_choice("Engine strength", strength, change, "strength level")
    if isinstance(screen, PlayScreen) and not (screen.live.session.is_over or screen.live.session.is_with_others):
        items += list_seatings(screen)
    if not services.launch.kiosk:
        return [*items, *list_exports(screen, find_places(services.launch.profile).games.parent / "exports")]
    return [*items, *list_exports(screen, None)] if settings.kiosk_copy else items


def list_seatings(screen: PlayScreen) -> Iterator[PaletteItem]:
    """Yield the changes of players that are possible from here on."""
    game, players = screen.live.game, screen.live.session.players
    settings, styles = screen.services.preferences.settings, style_ids(game)
    usual = Player(PlayerKind.ENGINE, settings.style if settings.style in styles else styles[0], settings.strength)
    engine = next((player for player in players if not player.is_human), usual)
    for seat, player in enumerate(players):
        if player.is_human:
            others = {"hand over to the engine": engine}
        else:
            others = {"play it yourself": HUMAN}
            others |= {f"{level.title} from now on": read_player(game, level.id) for level in game.facts.levels}
            if not game.facts.levels:
                others |= {f"strength {number} from now on": replace(player, strength=number) for number in STRENGTHS}
        name = game.seats[seat]
        for words, other in others.items():
            seats = (other, players[1]) if seat == 0 else (players[0], other)
            yield PaletteItem(f"{name}: {words}", partial(screen.set_players, seats), group=name)


def list_exports(screen: BaseScreen, folder: Path | None) -> Iterator[PaletteItem]:
    """Yield what can be copied from a screen, or exported to `folder` (`None`: nothing). A drill can only be copied as
    a position, because its game may be another player's."""
    store = screen.services.store

    def copy_item(what: str, name: str, text: Callable[[], str], names: str = "") -> PaletteItem:
        return PaletteItem(f"Copy {what}", lambda: screen.copy(text(), name), names=names)

    if isinstance(screen, BoardScreen) and not isinstance(screen, LessonScreen):
        session, playback = screen.live.session, screen.state.playback
        to_text = session.game.notation.format_position
        yield copy_item("position", "the position", lambda: to_text(playback.node.position))
        if not isinstance(screen, DrillScreen):
            yield copy_item("game as record", "the game", partial(record_text, screen))
            if session.is_over:
                who = f"{session.game.facts.title}, {' against '.join(name_players(session))}."
                text = " ".join([who, *summary_lines(session)])
                yield copy_item("a summary of the game", "the result", lambda: text, "share")
            if folder is not None:
                yield PaletteItem("Export game to a file", partial(export, screen, folder), names="save")
        if isinstance(screen, ReviewScreen) and folder is not None:
            yield PaletteItem("Export game as a web page", partial(export_page, screen, folder), names="html save")
    elif isinstance(screen, MenuScreen | HistoryScreen) and folder is not None and store is not None:
        write_all = partial(screen.write, lambda: export_all(store, folder), screen.post_message, "export")
        yield PaletteItem("Export all games to a file", write_all, names="save")


def record_text(screen: BoardScreen) -> str:
    session = screen.live.session
    names = dict(zip(PLAYERS, name_players(session), strict=True))
    return format_record(Record(session.tree, {"Date": now("%Y.%m.%d"), **names}))


def export(screen: BoardScreen, folder: Path) -> None:
    text, path = record_text(screen), new_file(folder, screen.live.game.id)
    screen.write(lambda: write_file(path, text), screen.post_message, "export")


def export_page(screen: BoardScreen, folder: Path) -> None:
    from onlymove_tui.app.webpage.page import GameShown, web_page  # noqa: PLC0415 - what draws it is for those who ask for it

    live = screen.live
    theme = screen.services.preferences.settings.theme
    shown = GameShown(live, name_players(live.session), now("%Y.%m.%d"))
    path = new_file(folder, live.game.id, "html")
    screen.write(lambda: write_file(path, web_page([shown], theme)), screen.post_message, "export")


def export_all(store: GameStore, folder: Path) -> Noted | Trouble:
    """Write every game of the list into one file, the oldest first. Call it in a worker."""
    found = list(export_games(store))
    texts = [exported.text for exported in found if exported.text]
    if not texts:
        return Trouble("There are no games to export.")
    stored, damaged = sum(bool(each.text and each.fault) for each in found), len(found) - len(texts)
    notes = [f"{stored} could not be read and were copied as stored"] if stored else []
    notes += [f"{damaged} were damaged and left out"] if damaged else []
    return write_file(new_file(folder, "games"), "\n".join(texts), f" ({'; '.join(notes)})" if notes else "")


def new_file(folder: Path, name: str, kind: str = "txt") -> Path:
    return folder / f"{name}-{now('%Y%m%d-%H%M%S')}.{kind}"


def now(form: str) -> str:
    return datetime.now().astimezone().strftime(form)


def write_file(path: Path, text: str, note: str = "") -> Noted | Trouble:
    """Write a file. Return where it is, with `note` added, or why it could not be written."""
    try:
        with os.fdopen(open_own_file(path, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        return Trouble(f"Nothing was exported: {error.strerror}")
    home = Path.home()
    folder = f"~/{path.parent.relative_to(home)}" if path.is_relative_to(home) else str(path.parent)
    return Noted(f"Exported{note}: {path.name} in {folder}")
