"""Pages to read: the keys of a screen, the rules of a game, and the numbers of its solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, zip_longest
from typing import TypeAlias

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.solution_page import write_page
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.words import BOTH_COUNT, ROUND_COUNTS
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import ALSO_FIRST, BY_ID, COMMANDS, GROUPS, MATTER_MOST, key_name
from onlymove_tui.app.panels.markdown import READABLE, hide_percentages, markdown_rows, paragraph_rows
from onlymove_tui.app.screens.drills import begin_round, make_misleading_round
from onlymove_tui.app.widgets.bars import TITLE_MARGIN, KeyBar
from onlymove_tui.app.widgets.canvas import Canvas, Row, phrase_row, row_width
from onlymove_tui.app.widgets.choices import show_window
from onlymove_tui.play.keys import Key, choose_app_text, phrase
from onlymove_tui.play.phrases import describe_solved, read_rules

MAX_USED = "Most used"
TWO_COLUMNS = 96
"""With at least this many columns, the groups of keys are in two columns."""
BETWEEN = 4
"""The number of blanks between them."""

Writer = Callable[[int], Sequence[Row]]
"""A function that lays out a text in a number of columns."""


class Paper(Canvas):
    """Rows that can be scrolled."""

    def __init__(self) -> None:
        super().__init__(id="paper")
        self.writer: Writer = lambda _: ()
        self.top = 0

    def show(self, write: Writer) -> None:
        self.writer, self.top = write, 0
        self.repaint()

    def scroll(self, by: int) -> None:
        self.top = max(0, min(self.last_top, self.top + by))
        self.repaint()

    def on_resize(self) -> None:
        """Draw the footer again: whether there is more below depends on the height, and a message changes that."""
        self.screen.query_one(KeyBar).repaint()

    @property
    def last_top(self) -> int:
        return max(0, len(self.write()) - self.size.height)

    def write(self) -> Sequence[Row]:
        return self.writer(self.size.width or READABLE)

    def rows(self) -> Sequence[Row]:
        """Return the visible rows. A page that has become shorter, because its text is wider now, shows its end."""
        rows, height = self.write(), self.size.height
        return show_window(rows, min(self.top, max(0, len(rows) - height)), height) if height else rows


class PageScreen(BaseScreen, screen_id="help"):
    footer_names = ("turn_over", "percentages", "practise", "page_down", "learn", "leave", "help")

    def compose_main(self) -> Iterable[Widget]:
        yield Paper()

    def check_actions(self) -> dict[str, bool]:
        return dict.fromkeys(("turn_over", "percentages", "practise", "learn"), False)

    def action_step(self, by: int) -> None:
        self.query_one(Paper).scroll(by)
        self.mark_changed()

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self.query_one(Paper).size.height - 2))

    def action_edge(self, by: int) -> None:
        self.action_step(by * 10_000)

    def footer_commands(self) -> Sequence[str]:
        paper = self.query_one(Paper)
        return [name for name in super().footer_commands() if name != "page_down" or paper.top < paper.last_top]

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.action_step(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.action_step(-3)


class GamePage(PageScreen):
    """Shows a page of a game, which a worker reads: its rules or, with `shows_numbers`, the numbers of its solution."""

    def __init__(self, game_id: GameId, shows_numbers: bool = False) -> None:
        super().__init__()
        self.facts = self.services.library.get_facts(game_id)
        self.shows_numbers = shows_numbers
        self.shows_percentages = self.has_percentages = False

    def on_mount(self) -> None:
        facts, shows_numbers = self.facts, self.shows_numbers
        self.compile_ahead(facts.id)

        def read() -> str:
            game = self.services.library.find_game(facts.id)
            if not shows_numbers:
                return read_rules(game)
            from onlymove_tables.open import find_counted  # noqa: PLC0415 - numpy and the tables wait for a page

            return write_page(game, find_counted(game))

        self.fetch(read, self.show_markdown, "read", keys_wait=True)

    def draw(self) -> None:
        """Show the title, with the solved value if there is space for it."""
        page, solved = "  numbers" if self.shows_numbers else "  rules", describe_solved(self.facts.solved)
        has_space = len(self.facts.title + page + solved) + TITLE_MARGIN <= self.app.size.width
        title: Row = [(self.facts.title, Tone.TITLE), (page, Tone.DIM)]
        self.show_title(title, [(solved, Tone.DIM)] if has_space else ())

    def action_turn_over(self) -> None:
        self.shows_numbers, self.message = not self.shows_numbers, ()
        self.on_mount()

    def action_percentages(self) -> None:
        """Show or hide the percentages, and stay at the same place on the page."""
        self.shows_percentages = not self.shows_percentages
        self.query_one(Paper).scroll(0)
        shown = "shows" if self.shows_percentages else "no longer shows"
        self.say(f"The advice on this page {shown} percentages.", Tone.DIM)

    def show_markdown(self, markdown: str) -> None:
        def write(width: int) -> Sequence[Row]:
            shown = markdown if self.shows_numbers or self.shows_percentages else hide_percentages(markdown)
            margin: Row = [(" " * max(0, (width - READABLE) // 2), Tone.TEXT)]
            return [
                [*margin, *row]
                for row in markdown_rows(self.to_text(phrase(choose_app_text(shown))), min(width, READABLE))
            ]

        self.has_percentages = not self.shows_numbers and hide_percentages(markdown) != markdown
        self.query_one(Paper).show(write)
        self.mark_changed()

    def check_actions(self) -> dict[str, bool]:
        return {"practise": self.shows_numbers, "percentages": self.has_percentages}

    def game_to_read(self) -> GameId:
        return self.facts.id

    def action_practise(self) -> None:
        begin_round(self, partial(make_misleading_round, self.services, self.facts.id), Tone.SLIP)


LiveCommand: TypeAlias = tuple[str, str, str]
"""The id, the keys and the help sentence of a command."""


def live_commands(screen: BaseScreen) -> list[LiveCommand]:
    """Return (id, keys, help) of every command that works on `screen` now, in the order of `commands`."""
    keys: dict[str, list[str]] = {}
    for key, name in screen.key_table.by_key.items():
        keys.setdefault(name, []).append(key_name(key))
    return [
        (command.id, " ".join(dict.fromkeys(keys[command.id])), screen.describe_command(command))
        for command in COMMANDS
        if command.id in keys
    ]


class KeysPage(PageScreen):
    """Shows every key that works on `screen` now, the most useful ones first, on up to two pages."""

    title_row = (("Keys", Tone.TITLE), ("  of this screen", Tone.DIM))

    def __init__(self, screen: BaseScreen) -> None:
        super().__init__()
        live = {command[0]: command for command in live_commands(screen)}
        ranked = dict.fromkeys((*screen.named_commands(), *ALSO_FIRST))
        first = [name for name in ranked if name in live][:MATTER_MOST]
        self.groups = {MAX_USED: [live[name] for name in first]} if first else {}
        for group in GROUPS:
            if others := [live[name] for name in live if BY_ID[name].group == group and name not in first]:
                self.groups[group] = others
        self.is_second = False

    def on_mount(self) -> None:
        self.query_one(Paper).show(self.lay_out)

    def list_keys(self, groups: Mapping[str, Sequence[LiveCommand]], width: int) -> list[Row]:
        """Return groups of commands, and how moves are counted on all screens."""
        return [*group_rows(groups, width), [], *paragraph_rows(f"{BOTH_COUNT} {ROUND_COUNTS}", width)]

    def lay_out(self, width: int) -> Sequence[Row]:
        whole = self.list_keys(self.groups, width)
        if self.fits(whole):
            return whole
        others = {title: commands for title, commands in self.groups.items() if title != MAX_USED}
        if self.is_second or not others:
            return self.list_keys(others or self.groups, width)
        count = sum(map(len, others.values()))
        more = self.name_keys(phrase_row((Key("page_down"), f" shows the other {count} keys."), Tone.DIM))
        return [*self.list_keys({MAX_USED: self.groups[MAX_USED]}, width), [], more]

    def fits(self, rows: Sequence[Row]) -> bool:
        height = self.query_one(Paper).size.height
        return not height or len(rows) <= height

    def action_page(self, by: int) -> None:
        """Turn to the other page. Within a long second page, scroll."""
        paper = self.query_one(Paper)
        is_one_page = self.fits(self.list_keys(self.groups, paper.size.width))
        if is_one_page or (self.is_second == (by > 0) and (by > 0 or paper.top)):
            super().action_page(by)
        else:
            self.is_second = by > 0
            self.query_one(Paper).show(self.lay_out)
            self.mark_changed()

    def footer_commands(self) -> Sequence[str]:
        paper = self.query_one(Paper)
        has_more = not self.is_second and not self.fits(self.list_keys(self.groups, paper.size.width))
        return ("page_down", "leave") if has_more or paper.top < paper.last_top else ("leave",)


def group_rows(groups: Mapping[str, Sequence[LiveCommand]], width: int) -> list[Row]:
    """Return groups of commands under their names, on a wide screen in two columns of about the same length."""
    columns = 1 + (width >= TWO_COLUMNS)
    width = (width - BETWEEN * (columns - 1)) // columns
    keys_width = max(len(keys) for commands in groups.values() for _, keys, _ in commands) + 2
    blocks: list[list[Row]] = []
    for title, commands in groups.items():
        blocks.append([[(title, Tone.TITLE)]])
        for _, keys, help_line in commands:
            for number, line in enumerate(paragraph_rows(help_line, max(20, width - keys_width))):
                blocks[-1].append([(("" if number else keys).ljust(keys_width), Tone.KEY), *line])
        blocks[-1].append([])
    cuts = range(1, len(blocks) + 1)
    halves = [(list(chain(*blocks[:cut]))[:-1], list(chain(*blocks[cut:]))[:-1]) for cut in cuts]
    left, right = min(halves, key=lambda pair: max(map(len, pair))) if columns == 2 else halves[-1]
    rows = zip_longest(left, right, fillvalue=())
    between = width + BETWEEN
    return [[*one, (" " * (between - row_width(one)), Tone.TEXT), *other] if other else one for one, other in rows]
