"""The list of games played, the latest first, to review or resume them, and the progress in each kind of game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from onlymove.pictures.colours import AnyTone, Tone
from onlymove_engines.core.ascii import to_ascii
from onlymove_engines.core.facts import Facts, GameId, Level
from onlymove_engines.core.text import is_harmless
from onlymove_engines.core.words import format_count
from onlymove_engines.records.record import parse_records
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import MARKED, MIN_WIDTH
from onlymove_tui.app.confirmation import Confirmation
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.panels.progress_rows import format_kept, full_progress_rows, list_row
from onlymove_tui.app.screens.list_screen import ListScreen, open_saved, show_saved
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, FilledLines, Lines, Panel
from onlymove_tui.app.widgets.canvas import Row, Run, row_width
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.play.keys import phrase
from onlymove_tui.play.phrases import opponent_name
from onlymove_tui.store.entries import Entry
from onlymove_tui.store.exchange import Importer, describe_import
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import DrillCount, Progress
from onlymove_tui.store.rows import LISTED, STATES

BATCH = 200
EVERYTHING = -1
"""The number that means no limit in SQLite."""
LIST_WIDTHS = ((190, 100), (138, 82))
"""The width of the list by the width of the terminal, as (columns of the terminal, columns of the list). The first
shows every column. The second leaves out the time and the length."""
BOARD_WIDTH = 54
"""The width of the panel beside the list in other terminals. Any board fits into it at its smallest scale."""
QUESTION = "game, opponent, result or date"
SEARCHING_WORDS = (("accept", "list"), ("cancel", "all games"))
FILTERS = (None, *STATES)
MAX_PASTE_LENGTH = 1_000_000
"""The number of characters in the records of some thousand games."""
GAP = 2
COLUMNS = {
    "date": 10,
    "time": 5,
    "game": 19,
    "result": 12,
    "good": 5,
    "slips": 5,
    "opponent": 11,
    "length": 9,
}
"""The width of each column."""
NUMBERS = ("good", "slips", "length")
"""The columns that are aligned to the right."""
IMPORTANCE = ("game", "result", "date", "good", "slips", "opponent", "length", "time")
"""The columns, the most important first. Those that fit are shown."""
NO_PROGRESS = Progress({}, (), (), DrillCount())
LINES_AROUND = 5
"""The lines around the list of progress and its page: title, gaps, a rule and keys."""
EMPTY = "No finished games against the engine yet."
SIDES_CHANGED = "not counted: the players changed during the game"


def outcome_run(game: Entry) -> tuple[str, AnyTone]:
    """Return the result in at most twelve characters, such as `won 24-20`, `drawn`, `first won` or `in progress`."""
    score = "" if game.score is None else f" {game.score[0]}-{game.score[1]}"
    if not game.is_over:
        return "open" if game.imported else "in progress", Tone.DIM
    if game.winner is None:
        return f"drawn{score}", Tone.DIM
    if game.own is None or game.imported or game.changed_hands:
        return f"{('first', 'second')[game.winner]}{score or ' won'}", Tone.DIM
    return (f"won{score}", Tone.WIN) if game.winner == game.own else (f"lost{score}", Tone.LOSS)


def describe_opponent(game: Entry, levels: Sequence[Level], width: int | None = None) -> str:
    """Return the opponent, such as `prudent 70`, `two people` or `imported`. Within `width`, it may be `engine 70`."""
    engines = [player for player in game.players if not player.is_human]
    if game.imported:
        return "imported"
    if len(engines) != 1:
        return "two engines" if engines else "two people"
    name = opponent_name(engines[0], levels)
    if engines[0].is_elsewhere:
        return name[:width]
    return name if width is None or len(name) <= width else f"engine {engines[0].strength}"


def describe_decisions(game: Entry) -> str:
    """Return a line such as `8 of 9 moves were good at the first try, 1 slip`."""
    if not game.decisions:
        return ""
    slips = format_count(game.slips, "slip") if game.slips else "no slip"
    moves = "move was" if game.decisions == 1 else "moves were"
    return f"{game.kept} of {game.decisions} {moves} good at the first try, {slips}"


def has_words(game: Entry, title: str, levels: Sequence[Level], sought: str) -> bool:
    who = {describe_opponent(game, levels), describe_opponent(game, levels, COLUMNS["opponent"])}
    line = f"{title} {' '.join(who)} {outcome_run(game)[0]} {game.changed.astimezone():%Y-%m-%d}"
    return all(word in to_ascii(line).casefold() for word in to_ascii(sought).casefold().split())


def list_cells(game: Entry, title: str, levels: Sequence[Level]) -> dict[str, Run]:
    when, slips_tone = game.changed.astimezone(), Tone.SLIP if game.slips else Tone.DIM
    return {
        "date": (f"{when:%Y-%m-%d}", Tone.DIM),
        "time": (f"{when:%H:%M}", Tone.DIM),
        "game": (title, Tone.TEXT),
        "result": outcome_run(game),
        "good": (format_kept(game.kept, game.decisions or 0), Tone.STRONG),
        "slips": (str(game.slips) if game.decisions else "", slips_tone),
        "opponent": (describe_opponent(game, levels, COLUMNS["opponent"]), Tone.DIM),
        "length": (format_count(game.plies, "move"), Tone.DIM),
    }


def fit_columns(width: int) -> list[str]:
    """Return the most important columns that fit, in their order on the screen."""
    shown = list(IMPORTANCE)
    while sum(COLUMNS[title] + GAP for title in shown) - GAP > width:
        shown.pop()
    return [title for title in COLUMNS if title in shown]


def lay_out_row(columns: Sequence[str], cells: Mapping[str, Run]) -> Row:
    row: list[Run] = []
    for title in columns:
        text, tone = cells[title]
        aligned = text.rjust(COLUMNS[title]) if title in NUMBERS else text.ljust(COLUMNS[title])
        row += [(" " * GAP if row else "", Tone.TEXT), (aligned, tone)]
    return row


def read_games(services: Services, state: str | None, sought: str, offset: int, limit: int) -> tuple[list[Entry], bool]:
    """Return the games from `offset` on, or all that match `sought`, and whether there may be more."""
    store, wanted = services.store, state or LISTED
    if store is None:
        return [], False
    if sought:
        found = store.list(EVERYTHING, wanted)
        title, levels = services.library.find_title, services.library.levels_of
        games = [game for game in found if has_words(game, title(game.game), levels(game.game), sought)]
        return games, False
    games = store.list(limit, wanted, offset)
    return games, len(games) == limit


ASK_DELETE = phrase("Delete this game for good? Press {delete} again to confirm.")


class HistoryScreen(ListScreen[Entry], screen_id="history"):
    """Lists the player's games. It reads more of them as the player goes down."""

    footer_names = ("open", "search", "filter", "delete", "leave", "help")

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Entry] = []
        self.columns: Sequence[str] = ()
        self.state: str | None = None
        self.sought = ""
        self.is_read = self.has_more = False
        self.confirming = Confirmation(
            self.services.clock, self.call_after_refresh, self.set_timer, partial(self.say, tone=Tone.STRONG)
        )

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("search")
        yield Lines("head")
        yield Choices("list")

    def on_resize(self, event: events.Resize) -> None:
        columns = next((columns for least, columns in LIST_WIDTHS if event.size.width >= least), None)
        space = event.size.width - BOARD_WIDTH if self.is_framed else "1fr"
        self.query_one("#main-panel").styles.width = space if columns is None else columns

    def show_marked(self) -> None:
        if not self.is_framed:
            self.query_one("#facts", FilledLines).show([])
            return
        panel, game = self.query_one("#picture-panel", Panel), self.marked_line
        if game is None:
            panel.set_title("")
            self.show_texts()
        else:
            panel.set_title(self.services.library.find_title(game.game), format_count(game.plies, "move"))
            show_saved(self, game)
            self.show_facts(partial(self.fact_rows, game))

    def fact_rows(self, game: Entry, width: int) -> list[Row]:
        word, tone = outcome_run(game)
        when = f"{game.changed.astimezone():%Y-%m-%d %H:%M}"
        opponent = describe_opponent(game, self.services.library.levels_of(game.game))
        facts: list[Row] = [[(word, tone), (f"  against {opponent}" if game.own is not None else "", Tone.TEXT)]]
        facts += paragraph_rows(SIDES_CHANGED, width) if game.changed_hands else []
        facts += paragraph_rows(describe_decisions(game), width) if game.decisions else []
        return [*facts, [(when, Tone.DIM)]]

    def ask(self) -> None:
        self.ask_for(0, max(BATCH, len(self.lines)))

    def ask_for(self, offset: int, limit: int) -> None:
        state, sought = self.state, self.sought

        def take(found: tuple[list[Entry], bool]) -> None:
            """Show the games found, unless the player has asked for another list in the meantime."""
            if (state, sought) == (self.state, self.sought):
                self.lines[0 if sought else offset :], self.has_more = found
                self.is_read = True
                self.mark_changed()

        find = partial(read_games, self.services, state, sought, offset, limit)
        self.fetch(find, take, "read", keys_wait=self.typing is None)

    def draw(self) -> None:
        self.show_title([("Games", Tone.TITLE), (f"  {self.state or 'all'}", Tone.DIM)])
        space = self.query_one("#main-panel").content_size.width or MIN_WIDTH
        search: list[Row] = []
        if self.typing is not None:
            rest: Row = () if self.typing.text else [(QUESTION, Tone.DIM)]
            search.append([*self.typing.row(space - INDENT - row_width(rest)), *rest])
        elif self.sought:
            search.append([(self.sought, Tone.STRONG)])
        self.query_one("#search", Lines).show(search)
        self.columns = fit_columns((self.choices.size.width or MIN_WIDTH) - INDENT)
        titles = lay_out_row(self.columns, {title: (title, Tone.DIM) for title in self.columns})
        self.query_one("#head", Lines).show([[(" " * INDENT, Tone.TEXT), *titles]] if self.lines else [])
        super().draw()

    def rows_of(self, line: Entry) -> Sequence[Row]:
        library = self.services.library
        cells = list_cells(line, library.find_title(line.game), library.levels_of(line.game))
        return [lay_out_row(self.columns, cells)]

    def idle_rows(self) -> Sequence[Row]:
        if self.lines or not self.is_read:
            return ()
        words = "The games you play appear here. You can also paste the record of a game."
        if self.state or self.sought:
            found = f" match {self.sought!r}" if self.sought else ""
            words = f"No {f'{self.state} ' if self.state else ''}games{found}."
        return [[(words, Tone.DIM)]]

    def footer(self) -> list[tuple[str, str]]:
        if self.confirming.asked:
            return self.key_table.choose_answers(self.confirming.asked, ("leave",))
        return super().footer() if self.typing is None else list(SEARCHING_WORDS)

    def action_search(self) -> None:
        self.type_text(lambda _: "", self.sought)

    def takes_key(self, key: str, character: str | None) -> bool:
        """During a search, Up and Down still move the selection, and Esc ends the search."""
        if self.typing is not None and key in ("up", "down"):
            return False
        if self.typing is not None and key == "escape":
            self.typing.press("ctrl+u")
            self.seek()
        return super().takes_key(key, character)

    def show_typing(self) -> None:
        self.seek()
        self.mark_changed()

    def seek(self) -> None:
        sought = self.sought if self.typing is None else self.typing.text.strip()
        if sought != self.sought:
            self.sought = sought
            self.read_anew()

    def read_anew(self) -> None:
        self.lines, self.is_read, self.message = [], False, ()
        self.choices.mark(0)
        self.mark_changed()
        self.ask()

    def action_leave(self) -> None:
        """Go back from a search to all games, or else to the screen below."""
        if self.sought:
            self.sought = ""
            self.read_anew()
        else:
            super().action_leave()

    def action_step(self, by: int) -> None:
        """Move the selection, but not beyond either end. Near the end, load more games."""
        choices = self.choices
        choices.marked = max(0, min(len(choices.entries) - 1, choices.marked + by))
        self.mark_changed(MARKED)
        if self.has_more and choices.marked >= len(self.lines) - 1:
            self.ask_for(len(self.lines), BATCH)

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self.choices.size.height - 2))

    def action_edge(self, by: int) -> None:
        self.action_step(by * 1_000_000)

    def check_actions(self) -> dict[str, bool]:
        """A game can be picked or deleted unless the list is empty. While the list is being read, keys wait for it."""
        return dict.fromkeys(("pick", "delete"), not self.is_read or self.marked_line is not None)

    def action_filter(self) -> None:
        self.state = FILTERS[(FILTERS.index(self.state) + 1) % len(FILTERS)]
        self.read_anew()

    def action_pick(self) -> None:
        self.confirming.withdraw()
        if (game := self.marked_line) is not None:
            open_saved(self, game.number, game.is_over or game.imported)

    def action_delete(self) -> None:
        game, store = self.marked_line, self.services.store
        if game is None or store is None:
            return
        deleted = game.number

        def drop(_: object) -> None:
            self.lines = [game for game in self.lines if game.number != deleted]
            self.mark_changed()

        if self.confirming.allows("delete", ASK_DELETE):
            self.message = ()
            self.write(partial(store.delete, deleted), drop, "delete", keys_wait=True)

    def takes_paste(self, text: str) -> None:
        """Import all or none of the pasted records, and say how many were new. Lines may end in carriage returns."""
        store, find_game = self.services.store, self.services.library.find_game
        if self.typing is not None or store is None:
            super().takes_paste(text)
        elif len(text) > MAX_PASTE_LENGTH:
            self.say("Too much to paste. Use `onlymove import FILE`.", Tone.SLIP)
        else:
            note = "" if is_harmless(text) else " Characters that could control the terminal were replaced."

            def take(imported: str) -> None:
                self.read_anew()
                self.say(imported, Tone.STRONG)

            def import_all() -> str:
                return describe_import(Importer(store).add(parse_records(text, find_game))) + note

            self.write(import_all, take, "import", keys_wait=True)

    def before_key(self, key: str) -> bool:
        return self.confirming.withdraws(self.find_command(key))


def read_progress(store: GameStore | None, games: Sequence[GameId]) -> Mapping[GameId, Progress]:
    """Read the progress in each game. Call it in a worker. Raises StoreTrouble."""
    if store is not None:
        store.forfeit_left_games()
    return {game: NO_PROGRESS if store is None else store.progress.read(game) for game in games}


class ProgressScreen(ListScreen[Facts], screen_id="progress"):
    """Lists the progress in each game. It is read again whenever the screen is shown."""

    footer_names = ("drills", "leave", "help")
    title_row = (("Progress", Tone.TITLE), ("  good first tries in your last 10 games", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.lines = self.services.library.list_facts()
        self.found: Mapping[GameId, Progress] | None = None

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(Lines("detail"), id="detail-panel")

    def on_mount(self) -> None:
        self.follow_calendar(lambda: None if self.found is None else self.found[self.lines[0].id].today)

    def ask(self) -> None:
        def take(found: Mapping[GameId, Progress]) -> None:
            self.found = found
            self.mark_changed()

        games = [facts.id for facts in self.lines]
        self.fetch(partial(read_progress, self.services.store, games), take, "read")

    def rows_of(self, line: Facts) -> Sequence[Row]:
        if self.found is None:
            return [[(line.title, Tone.TEXT)]]
        return [list_row(line.title, self.found[line.id], self.services.ascii_only)]

    def show_marked(self) -> None:
        rows: Sequence[Row] = ()
        if self.found is not None and (facts := self.marked_line) is not None:
            panel = self.query_one("#detail-panel", Panel)
            panel.set_title(facts.title)
            size = panel.content_size
            width = size.width or MIN_WIDTH - 2 * INDENT
            space = (size.height or FULL_HEIGHT) - 1
            if not self.is_framed:
                space = self.app.size.height - len(self.lines) - LINES_AROUND
            ascii_only = self.services.ascii_only
            rows = full_progress_rows(self.found[facts.id], width, space, ascii_only, facts.levels)
            if not rows:
                rows = [[(run, Tone.DIM) for run, _ in row] for row in paragraph_rows(EMPTY, width)]
        self.query_one("#detail", Lines).show(rows)

    def action_pick(self) -> None:
        self.mark_changed(MARKED)
