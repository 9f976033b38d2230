"""The menu: the list of games, facts about the selected one, and the game to resume."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from onlymove.pictures.colours import Tone
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.scene import Role
from onlymove_engines.core.words import choose_number, format_count
from textual.timer import Timer
from textual.widget import Widget

from onlymove_tui.app.base_screen import BLIND_SECONDS, MIN_WIDTH
from onlymove_tui.app.panels.progress_rows import NO_GAMES, Experience, fact_rows, suggest_level
from onlymove_tui.app.screens.list_screen import ListScreen, open_saved, show_saved, show_usual_start
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Panel
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.app.widgets.canvas import Row, Run, phrase_row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.play.keys import phrase
from onlymove_tui.play.phrases import describe_solved
from onlymove_tui.store.entries import Entry
from onlymove_tui.store.games import LEFT, LEFT_AFTER
from onlymove_tui.store.learning import NOTHING_LEARNED, has_begun
from onlymove_tui.store.settings import Switch

NAME_WIDTH = 21
NO_EXPERIENCE = Experience()
PEOPLE = "Play a person"
BANNER: tuple[Row, ...] = (
    [("   █▀█ █▀▄ █   █ █ █▄ ▄█ █▀█ █ █ █▀▀", Role.FIRST)],
    [("   █▄█ █ █ █▄▄ ▀█▀ █ ▀ █ █▄█ ▀▄▀ ██▄", Role.SECOND)],
)

MenuLine: TypeAlias = Entry | Facts | None


@dataclass
class MenuRead:
    """What the store says for the menu. `unfinished` is the unfinished game that was played last, and `all_unfinished`
    is the number of such games. `trouble` says why new games are not saved, or what has happened to the file."""

    experience: Mapping[GameId, Experience] = field(default_factory=dict)
    has_played: bool = False
    unfinished: Entry | None = None
    all_unfinished: int = 0
    trouble: str = ""
    lost: str = ""
    """Sentences about rated games that have just been lost, because the player has left them for too long."""


def read_menu(services: Services) -> MenuRead:
    """Read the store. Call it in a worker. Raises StoreTrouble."""
    from onlymove_engines.coach.lessons import find_lessons  # noqa: PLC0415 - the menu is drawn without them

    if (store := services.store) is None:
        return MenuRead()
    left = store.forfeit_left_games()
    all_learned, tallies = store.lessons.read_learned(), store.progress.read_tallies()
    due, rated = store.drills.count_due_by_game(), store.progress.list_rated()
    experience = {}
    for facts in services.library.list_facts():
        game, learned, steps = facts.id, all_learned.get(facts.id, NOTHING_LEARNED), 0
        if facts.package and has_begun(learned):
            with suppress(OnlymoveError):
                steps = len(find_lessons(services.library.find_game(game)))
        experience[game] = Experience(
            tallies.get(game, NO_GAMES), due.get(game, 0), rated.get(game, ()), learned, steps
        )
    unfinished, count = store.find_latest_unfinished(), store.count("unfinished")
    lost = " ".join(LEFT.format(title=services.library.find_title(game)) for game in left)
    return MenuRead(experience, bool(tallies), unfinished, count, store.trouble or store.notice, lost)


class MenuScreen(ListScreen[MenuLine], screen_id="menu"):
    """Shows the games when the app starts. With `resumes`, it opens the unfinished game."""

    footer_names = ("pick", "learn", "rules", "explore", "drills", "quit_menu", "help")
    title_row = (("onlymove", Tone.TITLE), ("  play and train on solved games", Tone.DIM))

    def __init__(self, resumes: bool = False) -> None:
        super().__init__()
        self.known = MenuRead()
        self.lines = self.list_lines()
        self.is_read = False
        self.resumes = resumes
        self.is_back = False
        """Whether another screen has been opened from here."""
        self.back_at: float | None = None
        """The time at which the menu was shown again."""
        self.is_narrow = False
        self.looked_at: GameId | None = None
        """The game that is marked."""
        self.look: Timer | None = None
        """Runs until the engine of the marked game is to be compiled."""
        self.space = 0

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("banner")
        yield Choices("list")

    def on_screen_suspend(self) -> None:
        self.is_back = True

    def on_screen_resume(self) -> None:
        self.back_at = None
        self.call_after_refresh(self.note_back)

    def note_back(self) -> None:
        self.back_at = self.services.clock()

    async def action_quit_menu(self) -> None:
        """Quit the program, unless the key was meant for the screen that has just closed."""
        if self.is_back and (self.back_at is None or self.services.clock() - self.back_at < BLIND_SECONDS):
            self.say(phrase("You are back in the menu. Press {quit_menu} again to quit."), Tone.STRONG)
        else:
            await self.app.action_quit()

    def ask(self) -> None:
        """Read the store again, because a game may have been played. The first time, keys wait for the selection."""
        # This clears the old message, but not one that comes while the store is read.
        self.message = ()
        self.fetch(partial(read_menu, self.services), self.take_known, "read", keys_wait=not self.is_read)

    def take_known(self, known: MenuRead) -> None:
        """Show what was read. The selection stays on its game even if the line to resume appears or disappears."""
        if not self.is_built:
            return
        marked = self.marked_line
        self.known, self.is_read = known, True
        self.lines = self.list_lines()
        if known.trouble or known.lost:
            self.message = [(as_sentence(known.trouble) or known.lost, Tone.ERROR if known.trouble else Tone.STRONG)]
        if isinstance(marked, Facts) and marked in self.lines and self.choices.marked:
            self.choices.marked = self.lines.index(marked)
        self.mark_changed()
        if self.resumes:
            self.resumes = False
            self.action_resume()

    def list_lines(self) -> list[MenuLine]:
        """Return what the lines stand for: the game to resume, all games, and `None` for playing a person."""
        waiting = [] if self.known.unfinished is None else [self.known.unfinished]
        people = [] if self.services.lobby is None else [None]
        return [*waiting, *self.services.library.list_facts(), *people]

    def find_experience(self, game: Facts) -> Experience:
        return self.known.experience.get(game.id, NO_EXPERIENCE)

    def draw(self) -> None:
        self.choose_texts()
        games = self.services.library.list_facts()
        due = {facts.title: count for facts in games if (count := self.find_experience(facts).due)}
        words = format_due(sum(due.values()), () if self.is_short else due)
        self.show_title(self.title_row, [(words, Tone.KEY)])
        if self.is_framed:
            self.query_one("#main-panel", Panel).set_title("Play and train on solved games", words)
        has_room = self.app.size.height >= FULL_HEIGHT and not self.services.ascii_only
        self.query_one("#banner", Lines).show(BANNER if has_room else [])
        super().draw()

    @property
    def is_short(self) -> bool:
        """Whether the lines are short. The number of due drills is then in each of them."""
        return self.is_framed or self.is_narrow

    def rows_of(self, line: MenuLine) -> Sequence[Row]:
        if line is None:
            return [[(PEOPLE, Tone.TEXT)]]
        if isinstance(line, Entry):
            title = f"Resume {'rated ' if line.is_rated else ''}{self.services.library.find_title(line.game)}"
            played: Row = [(moves_played(line), Tone.DIM)]
            if self.is_framed:
                return [[(title, Tone.STRONG)], played, []]
            return [[(f"{title}  ".ljust(NAME_WIDTH), Tone.STRONG), *played], []]
        experience = self.find_experience(line)
        games, due = experience.tally.games, experience.due
        if self.is_short:
            numbers = f"{games:>3} {choose_number(games, 'game'):5}" if games else " " * 9
            drills: Run = f"{due:>3} due" if due else "", Tone.KEY
            return [[(line.title.ljust(NAME_WIDTH - 1), Tone.TEXT), (numbers, Tone.DIM), drills]]
        count: Run = format_game_count(games).rjust(self.space - len(line.goal)), Tone.STRONG
        return [[(line.title.ljust(NAME_WIDTH), Tone.TEXT), (line.goal, Tone.KEY), count]]

    def choose_texts(self) -> None:
        """Find out whether the lines have space for the goals of all games. If not, they have only numbers."""
        self.space = (self.choices.size.width or MIN_WIDTH) - INDENT - NAME_WIDTH - 1
        games = self.services.library.list_facts()
        counts = {facts.id: len(format_game_count(self.find_experience(facts).tally.games)) for facts in games}
        self.is_narrow = any(len(facts.goal) + 2 + counts[facts.id] > self.space for facts in games)

    def idle_rows(self) -> Sequence[Row]:
        is_new = self.is_read and not self.known.has_played and self.known.unfinished is None
        if not is_new or self.services.ascii_only:
            return ()
        question = "Do these symbols line up?  "
        return [
            [(question, Tone.DIM), ("┃●○◆┃▗▖┃", Tone.STRONG), *phrase_row(phrase("  If not, press {ascii}"), Tone.DIM)],
            [(" " * len(question), Tone.DIM), ("┃   ┃  ┃", Tone.STRONG)],
        ]

    def action_ascii(self) -> None:
        self.services.change_setting("ascii", (Switch.OFF if self.services.ascii_only else Switch.ON).value)
        self.refresh(layout=True)

    def show_marked(self) -> None:
        line, panel, board = self.marked_line, self.query_one("#picture-panel", Panel), self.query_one(SmallBoard)
        self.watch_marked(self.game_to_read())
        if isinstance(line, Facts) and self.is_framed:
            facts, experience = line, self.find_experience(line)
            panel.set_title(facts.title)
            show_usual_start(self, facts.id)
            self.show_facts(lambda width: fact_rows(facts, board.notes, experience, width))
        elif isinstance(line, Facts):
            self.show_texts(*self.describe_game(line))
        elif isinstance(line, Entry):
            others = self.known.all_unfinished - 1
            more = phrase(" {count}: press {history}.", count=format_count(others, "more unfinished game"))
            days = f" This rated game is lost if you leave it for {LEFT_AFTER.days} days." if line.is_rated else ""
            self.show_texts((f"Continue where you left off.{days}", *(more if others > 0 else ())))
            panel.set_title(self.services.library.find_title(line.game), moves_played(line))
            show_saved(self, line)
        else:
            self.show_texts("Play someone logged in to this machine, or watch a game.")
            panel.set_title(PEOPLE)
            board.show_nothing()

    def watch_marked(self, game_id: GameId | None) -> None:
        """Compile the engine of a game that stays marked for a moment."""
        if game_id == self.looked_at:
            return
        self.looked_at = game_id
        if self.look is not None:
            self.look.stop()
        self.look = None
        if game_id is not None:
            self.look = self.set_timer(self.services.timers.compiling, partial(self.compile_ahead, game_id))

    def describe_game(self, facts: Facts) -> Sequence[str]:
        experience = self.find_experience(facts)
        learned, due = experience.describe_learning(), format_due(experience.due)
        is_brief = bool(facts.goal) and self.app.size.height < FULL_HEIGHT
        what = as_sentence(facts.pitch)
        if is_brief:
            what = facts.goal if self.is_narrow else ""
        shows_solved = self.is_narrow or not is_brief
        record = f"Your record: {experience.tally}. " if experience.tally.games else ""
        record += f"{due}. " if due else ""
        record += f"Learning: {learned}." if learned else suggest_level(facts, experience.rated)
        return [what, f"{describe_solved(facts.solved).capitalize()}." if shows_solved else "", record]

    def action_pick(self) -> None:
        line = self.marked_line
        if isinstance(line, Facts):
            self.open("new", line.id)
        elif line is not None:
            self.action_resume()
        else:
            self.action_people()

    def action_people(self) -> None:
        if self.services.lobby is not None:
            self.open("people")

    def action_resume(self) -> None:
        if self.known.unfinished is not None:
            open_saved(self, self.known.unfinished.number, is_over=False)

    def game_to_read(self) -> GameId | None:
        line = self.marked_line
        if isinstance(line, Entry):
            return line.game
        return None if line is None else line.id

    def action_explore(self) -> None:
        if isinstance(line := self.marked_line, Facts):
            find = partial(self.services.library.find_game, line.id)
            self.fetch(find, lambda game: self.open("explore", Exploration(game)), "open", keys_wait=True)

    def check_actions(self) -> dict[str, bool]:
        line = self.marked_line if self.is_built else None
        return {
            "people": self.services.lobby is not None,
            "resume": self.known.unfinished is not None,
            "explore": isinstance(line, Facts),
            **dict.fromkeys(("learn", "read"), line is not None),
        }


def format_due(due: int, titles: Collection[str] = ()) -> str:
    """Return the number of due drills and their games, such as `5 drills due now in 2 kinds of game`."""
    where = f" in {next(iter(titles)) if len(titles) == 1 else f'{len(titles)} kinds of game'}" if titles else ""
    return f"{format_count(due, 'drill')} due now{where}" if due else ""


def format_game_count(games: int) -> str:
    return format_count(games, "game") if games else ""


def moves_played(game: Entry) -> str:
    return f"{format_count(game.plies, 'move')} played" if game.plies else "no moves yet"
