"""Pages to read: the keys of a screen, the rules of a game, and the numbers of its solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import resources
from itertools import zip_longest
from typing import TypeAlias

from onlymove_engines.coach.solution_page import write_page
from onlymove_engines.core.facts import GameId
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import ALSO_FIRST, COMMANDS, FOOTERS, GROUPS, MATTER_MOST, key_name
from onlymove_tui.app.panels.markdown import READABLE, hide_percentages, markdown_rows, paragraph_rows
from onlymove_tui.app.screens.drills import begin_round, misleading_round
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Canvas, Row, row_width
from onlymove_tui.app.widgets.choices import show_window
from onlymove_tui.play.phrases import describe_solved
from onlymove_tui.store.learning import Milestone

KEYS_WIDTH = 18
TWO_COLUMNS = 96
"""From this many columns on, the groups of keys are in two columns."""
BETWEEN = 4
"""The number of blanks between them."""

Writer = Callable[[int], Sequence[Row]]
"""Lays out a text in a number of columns."""


class Paper(Canvas):
    """Rows that can be scrolled."""

    def __init__(self) -> None:
        super().__init__(id="paper")
        self.writer: Writer = lambda _: ()
        self.top = 0

    def show(self, write: Writer) -> None:
        """Show this text from its top."""
        self.writer, self.top = write, 0
        self.repaint()

    def scroll(self, by: int) -> None:
        """Scroll down by some lines, but not past either end."""
        last = max(0, len(self.writer(self.size.width)) - self.size.height)
        self.top = max(0, min(last, self.top + by))
        self.repaint()

    def rows(self) -> Sequence[Row]:
        rows = self.writer(self.size.width or READABLE)
        return show_window(rows, self.top, self.size.height) if self.size.height else rows


class PageScreen(BaseScreen, screen_id="help"):
    """Shows a text. Every way back leads to the screen below."""

    def main(self) -> Iterable[Widget]:
        yield Paper()

    def check_actions(self) -> dict[str, bool]:
        """Only pages of a game lead on to others."""
        return dict.fromkeys(("turn_over", "percentages", "practise", "learn"), False)

    def action_step(self, by: int) -> None:
        self.query_one(Paper).scroll(by)

    def action_page(self, by: int) -> None:
        paper = self.query_one(Paper)
        paper.scroll(by * max(1, paper.size.height - 2))

    def action_edge(self, by: int) -> None:
        self.query_one(Paper).scroll(by * 10_000)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down with the wheel."""
        self.action_step(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up with the wheel."""
        self.action_step(-3)


class GamePage(PageScreen):
    """Shows a page of a game, read by a worker: its rules or, with `shows_numbers`, the numbers of its solution."""

    def __init__(self, game_id: GameId, shows_numbers: bool = False) -> None:
        super().__init__()
        self.facts = self.services.library.get_facts(game_id)
        self.game_id = game_id
        self.shows_numbers = shows_numbers
        self.shows_percentages = False

    def on_mount(self) -> None:
        if not self.shows_numbers:
            self.note_read()
        page = "numbers" if self.shows_numbers else "rules"
        self.show_title(
            [(self.facts.title, Tone.TITLE), (f"  {page}", Tone.DIM)], [(describe_solved(self.facts.solved), Tone.DIM)]
        )
        read = solution_text if self.shows_numbers else help_text
        self.fetch(partial(read, self.services, self.game_id), self.show_markdown, "read", keys_wait=True)

    def action_turn_over(self) -> None:
        self.shows_numbers = not self.shows_numbers
        self.on_mount()

    def action_percentages(self) -> None:
        """Show or hide the percentages, and stay at the same place of the page."""
        self.shows_percentages = not self.shows_percentages
        self.query_one(Paper).scroll(0)

    def note_read(self) -> None:
        """Note that the player has opened the rules."""
        self.services.rules_read.add(self.game_id)
        if (store := self.services.store) is not None:
            self.write(partial(store.lessons.reach, self.game_id, Milestone.RULES), lambda _: None, "rules")

    def show_markdown(self, markdown: str) -> None:
        """Show the page in a readable column, centred if the screen is wider."""

        def write(width: int) -> Sequence[Row]:
            shown = markdown if self.shows_numbers or self.shows_percentages else hide_percentages(markdown)
            margin: Row = [(" " * max(0, (width - READABLE) // 2), Tone.TEXT)]
            return [[*margin, *row] for row in markdown_rows(shown, min(width, READABLE))]

        self.query_one(Paper).show(write)
        self.mark_changed()

    def check_actions(self) -> dict[str, bool]:
        """The page of numbers leads to drills."""
        return {"practise": self.shows_numbers, "percentages": not self.shows_numbers}

    def game_to_read(self) -> GameId:
        return self.game_id

    def action_practise(self) -> None:
        begin_round(self, partial(misleading_round, self.services, self.game_id), Tone.SLIP)


LiveCommand: TypeAlias = tuple[str, str, str]
"""(id, keys, help)."""


def live_commands(screen: BaseScreen) -> list[LiveCommand]:
    """Return (id, keys, help) of every command that works on `screen` now, in the order of `commands`."""
    keys: dict[str, list[str]] = {}
    for key, name in screen.bound_keys().items():
        keys.setdefault(name, []).append(key_name(key))
    return [
        (command.id, " ".join(dict.fromkeys(keys[command.id])), command.help)
        for command in COMMANDS
        if command.id in keys
    ]


class KeysPage(PageScreen):
    """Shows every key that works on `screen` now: the most useful ones on the first page, the others on the second."""

    title_row = (("Keys", Tone.TITLE), ("  of this screen", Tone.DIM))

    def __init__(self, screen: BaseScreen) -> None:
        super().__init__()
        self.commands = live_commands(screen)
        live = [name for name, *_ in self.commands]
        ranked = dict.fromkeys(name for name in (*FOOTERS.get(screen.screen_id, ()), *ALSO_FIRST) if name in live)
        self.first = list(ranked)[:MATTER_MOST]
        self.is_second = False

    def on_mount(self) -> None:
        self.query_one(Paper).show(self.lay_out)

    def lay_out(self, width: int) -> Sequence[Row]:
        others = [command for command in self.commands if command[0] not in self.first]
        if self.is_second:
            if width < TWO_COLUMNS:
                return group_rows(others, list(GROUPS), width)
            return in_two_columns(others, (width - BETWEEN) // 2)
        shown = sorted(set(self.commands) - set(others), key=lambda command: self.first.index(command[0]))
        rows = [row for _, keys, words in shown for row in key_rows(keys, words, width)]
        more: Row = [(self.live_key("Space"), Tone.KEY), (f" shows the other {len(others)} keys.", Tone.DIM)]
        return [*rows, [], more] if others else rows

    def action_page(self, by: int) -> None:
        """Turn to the other page; scroll within the second page if it is long."""
        if self.is_second == (by > 0) and (by > 0 or self.query_one(Paper).top):
            super().action_page(by)
        else:
            self.is_second = by > 0
            self.on_mount()

    def footer_commands(self) -> Sequence[str]:
        """Return the commands for the footer, which names no other keys here."""
        return "page_down", "leave"


def group_rows(commands: Sequence[LiveCommand], groups: Sequence[str], width: int) -> list[Row]:
    """Return the commands of some groups, each group under its name."""
    rows: list[Row] = []
    for group in groups:
        found = [command for command in commands if command[0] in GROUPS[group]]
        if found:
            rows += [[], [(group, Tone.TITLE)]] if rows else [[(group, Tone.TITLE)]]
            rows += [row for _, keys, help_line in found for row in key_rows(keys, help_line, width)]
    return rows


def in_two_columns(commands: Sequence[LiveCommand], width: int) -> list[Row]:
    """Return the groups in two columns, divided so that the longer one is as short as possible."""
    names = list(GROUPS)
    halves = [
        (group_rows(commands, names[:cut], width), group_rows(commands, names[cut:], width))
        for cut in range(1, len(names) + 1)
    ]
    left, right = min(halves, key=lambda pair: max(map(len, pair)))
    rows = zip_longest(left, right, fillvalue=())
    return [[*one, (" " * (width + BETWEEN - row_width(one)), Tone.TEXT), *other] for one, other in rows]


def key_rows(keys: str, help_line: str, width: int) -> list[Row]:
    """Return a command's keys and, beside them, what they do, in as many lines as needed."""
    lines = list(paragraph_rows(help_line, max(20, width - KEYS_WIDTH)))
    heads = [keys.ljust(KEYS_WIDTH), *[" " * KEYS_WIDTH] * (len(lines) - 1)]
    return [[(head, Tone.KEY), *line] for head, line in zip(heads, lines, strict=True)]


def solution_text(services: Services, game_id: GameId) -> str:
    """Return what was counted in the game's solution, with its sources; call it in a worker."""
    from onlymove_tables.open import find_counted  # noqa: PLC0415 - numpy and the tables wait for a page

    game = services.library.find_game(game_id)
    return write_page(game, find_counted(game))


def help_text(services: Services, game_id: GameId) -> str:
    """Return the game package's `help.md`, or the pitch if there is none; call it in a worker."""
    game = services.library.find_game(game_id)
    page = resources.files(game.facts.package) / "help.md" if game.facts.package else None
    if page is not None and page.is_file():
        return page.read_text("utf-8")
    return f"# {game.facts.title}\n\n{game.facts.pitch}\n"
