"""The menu: the list of games, facts about the selected one, and the game to resume."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.scene import Role
from onlymove_engines.play.ladder import Scored
from textual.widget import Widget

from onlymove_tui.app.base_screen import BLIND_SECONDS, LEAST_WIDTH
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.panels.progress_rows import fact_rows, progress_text, suggest_level
from onlymove_tui.app.screens.list_screen import ListScreen, PictureBeside, draw_usual_start, open_saved
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, FilledLines, Lines, Panel
from onlymove_tui.app.widgets.board_view import NO_PICTURE, SmallBoard
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.play.phrases import describe_solved
from onlymove_tui.store.learning import NOTHING_LEARNED, Learned, Milestone, is_newcomer
from onlymove_tui.store.progress import Tally
from onlymove_tui.store.rows import Entry
from onlymove_tui.store.settings import Switch

NAME_WIDTH = 21
NO_TALLY = Tally()
PEOPLE, PEOPLE_PITCH = "Play a person", "Play someone logged in to this machine, or watch a game."
BANNER: tuple[Row, ...] = (
    [("   █▀█ █▀▄ █   █ █ █▄ ▄█ █▀█ █ █ █▀▀", Role.FIRST)],
    [("   █▄█ █ █ █▄▄ ▀█▀ █ ▀ █ █▄█ ▀▄▀ ██▄", Role.SECOND)],
)


@dataclass
class MenuRead:
    """What the store says for the menu. `unfinished` is the unfinished game that was played last, and
    `all_unfinished` is the number of such games. `trouble` says why new games are not saved. `lesson_steps` is the
    number of steps in each game's lessons that the player has begun."""

    records: Mapping[GameId, Tally] = field(default_factory=dict)
    unfinished: Entry | None = None
    all_unfinished: int = 0
    due: Mapping[GameId, int] = field(default_factory=dict)
    rated: Mapping[GameId, tuple[Scored, ...]] = field(default_factory=dict)
    learned: Mapping[GameId, Learned] = field(default_factory=dict)
    lesson_steps: Mapping[GameId, int] = field(default_factory=dict)
    trouble: str = ""


def read_menu(services: Services) -> MenuRead:
    """Read the store. Call it in a worker. Raises StoreTrouble."""
    if (store := services.store) is None:
        return MenuRead()
    learned = store.lessons.read_learned()
    return MenuRead(
        store.progress.read_tallies(),
        store.find_latest_unfinished(),
        store.count("unfinished"),
        store.drills.count_due_by_game(),
        store.progress.list_rated(),
        learned,
        count_lesson_steps(services, learned),
        store.trouble,
    )


def count_lesson_steps(services: Services, learned: Mapping[GameId, Learned]) -> dict[GameId, int]:
    """Return the number of steps in each game's lessons that the player has begun. Lessons that cannot be read are left
    out. This reads files."""
    from onlymove_engines.coach.lessons import find_lessons  # noqa: PLC0415 - the menu is drawn without them

    counts = {}
    for facts in services.library.list_facts():
        if facts.package and learned.get(facts.id, NOTHING_LEARNED).steps:
            with suppress(OnlymoveError):
                counts[facts.id] = len(find_lessons(services.library.find_game(facts.id)))
    return counts


class MenuScreen(ListScreen, screen_id="menu"):
    """Shows the games when the app starts. Pressing Enter twice starts one. With `resumes`, it opens the unfinished
    game."""

    title_row = (("onlymove", Tone.TITLE), ("  play and train on solved games", Tone.DIM))

    def __init__(self, resumes: bool = False) -> None:
        super().__init__()
        self.known = MenuRead()
        self.is_read = False
        self.resumes = resumes
        self.picture = PictureBeside(self)
        self.is_back = False
        """Whether another screen has been opened from here."""
        self.back_at: float | None = None
        """The time at which the menu was shown again."""

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(SmallBoard(), FilledLines("facts"), id="picture-panel")

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
            self.say("You are back in the menu. Press q again to quit.", Tone.STRONG)
        else:
            await self.app.action_quit()

    def ask(self) -> None:
        """Read the store again, because a game may have been played. The first time, keys wait for this, because the
        selection can still move."""
        # This clears the old message, but not one that comes while the store is read.
        self.message = ()
        self.fetch(partial(read_menu, self.services), self.take_known, "read", keys_wait=not self.is_read)

    def take_known(self, known: MenuRead) -> None:
        """Show what was read. The selection stays on its game even if the line to resume appears or disappears."""
        if not self.is_built:
            return
        marked = self.marked_game()
        self.known, self.is_read = known, True
        if known.trouble:
            self.message = [(as_sentence(known.trouble), Tone.ERROR)]
        ids = [facts.id for facts in self.services.library.list_facts()]
        if marked in ids and self.choices.marked:
            self.choices.marked = ids.index(marked) + (self.unfinished is not None)
        self.mark_changed()
        if self.resumes:
            self.resumes = False
            self.action_resume()

    @property
    def unfinished(self) -> Entry | None:
        return self.known.unfinished

    def tally(self, game: GameId) -> Tally:
        return self.known.records.get(game, NO_TALLY)

    def describe_learning(self, game: GameId) -> str:
        found = self.known.learned.get(game)
        if found is None or not (found.steps or Milestone.LESSONS in found.reached):
            return ""
        return progress_text(found, self.known.lesson_steps.get(game, 0))

    def count_due(self, game: GameId) -> int:
        return self.known.due.get(game, 0)

    def list_rated(self, game: GameId) -> tuple[Scored, ...]:
        return self.known.rated.get(game, ())

    def draw(self) -> None:
        due = {
            facts.title: count for facts in self.services.library.list_facts() if (count := self.count_due(facts.id))
        }
        # A list with short lines has the number of due drills in each of them.
        words = format_due(sum(due.values()), () if self.is_framed or self.is_narrow else due)
        self.show_title(self.title_row, [(words, Tone.KEY)])
        if self.is_framed:
            self.query_one("#main-panel", Panel).set_title("Play and train on solved games", words)
        has_room = self.app.size.height >= FULL_HEIGHT and not self.services.ascii_only
        self.query_one("#banner", Lines).show(BANNER if has_room else [])
        game_lines = self.short_lines if self.is_framed or self.is_narrow else self.game_lines
        self.choices.show(
            [
                *self.resume_lines(),
                *map(game_lines, self.services.library.list_facts()),
                *([] if self.services.lobby is None else [[[(PEOPLE, Tone.TEXT)]]]),
            ]
        )

    def resume_lines(self) -> list[list[Row]]:
        if (game := self.unfinished) is None:
            return []
        title = f"Resume {self.services.library.find_title(game.game)}"
        played: Row = [(moves_played(game), Tone.DIM)]
        if self.is_framed:
            return [[[(title, Tone.STRONG)], played, []]]
        return [[[(f"{title}  ".ljust(NAME_WIDTH), Tone.STRONG), *played], []]]

    def describe_goal(self, facts: Facts) -> str:
        """Return the goal of a game. Empty once the player has finished one."""
        return facts.goal if is_newcomer(self.known.learned.get(facts.id, NOTHING_LEARNED)) else ""

    @property
    def lists_goals(self) -> bool:
        """Whether the list shows the goals of games that are new to the player. They must fit into their lines."""
        goals = {facts.id: goal for facts in self.services.library.list_facts() if (goal := self.describe_goal(facts))}
        return bool(goals) and self.has_space_for(goals)

    @property
    def is_narrow(self) -> bool:
        """Whether neither the goals nor the solved values of all games fit into their lines."""
        games = self.services.library.list_facts()
        return not self.lists_goals and not self.has_space_for(
            {facts.id: describe_solved(facts.solved) for facts in games}
        )

    def has_space_for(self, texts: Mapping[GameId, str]) -> bool:
        return all(
            len(text) + 2 + len(format_game_count(self.tally(game).games)) <= self.space for game, text in texts.items()
        )

    @property
    def space(self) -> int:
        """The number of columns beside a game's name in the list."""
        return (self.choices.size.width or LEAST_WIDTH) - INDENT - NAME_WIDTH - 1

    def short_lines(self, facts: Facts) -> list[Row]:
        games, due = self.tally(facts.id).games, self.count_due(facts.id)
        numbers = f"{games:>3} game{' ' if games == 1 else 's'}" if games else " " * 9
        return [[
            (facts.title.ljust(NAME_WIDTH - 1), Tone.TEXT), (numbers, Tone.DIM),
            (f"{due:>3} due" if due else "", Tone.KEY),
        ]]  # fmt: skip

    def game_lines(self, facts: Facts) -> list[Row]:
        text = (self.describe_goal(facts) if self.lists_goals else "") or describe_solved(facts.solved)
        games = format_game_count(self.tally(facts.id).games).rjust(self.space - len(text))
        return [[(facts.title.ljust(NAME_WIDTH), Tone.TEXT), (text, Tone.KEY), (games, Tone.STRONG)]]

    def idle_rows(self) -> Sequence[Row]:
        is_new = self.is_read and not self.known.records and self.unfinished is None
        if not is_new or self.services.ascii_only:
            return ()
        question, advice = "Do these symbols line up?  ", "  If not, press "
        return [
            [(question, Tone.DIM), ("┃●○◆┃▗▖┃", Tone.STRONG), (advice, Tone.DIM), ("a", Tone.KEY)],
            [(" " * len(question), Tone.DIM), ("┃   ┃  ┃", Tone.STRONG)],
        ]  # fmt: skip

    def action_ascii(self) -> None:
        self.services.change_setting("ascii", (Switch.OFF if self.services.ascii_only else Switch.ON).value)
        self.refresh(layout=True)

    def show_marked(self) -> None:
        game_id, waiting = self.marked_game(), self.unfinished
        facts = next((facts for facts in self.services.library.list_facts() if facts.id == game_id), None)
        panel, lines = self.query_one("#picture-panel", Panel), self.query_one("#facts", FilledLines)
        if self.is_framed and facts is not None:
            panel.set_title(facts.title)
            self.picture.show(facts.id, "", partial(draw_usual_start, self.services, facts.id))
            lines.show_filled(
                lambda width: fact_rows(
                    facts,
                    self.picture.notes,
                    self.tally(facts.id),
                    self.count_due(facts.id),
                    width,
                    self.list_rated(facts.id),
                    self.describe_learning(facts.id),
                )
            )
        else:
            texts = [self.describe_unfinished() if self.is_resuming else PEOPLE_PITCH]
            if facts is not None:
                learned, tally = self.describe_learning(facts.id), self.tally(facts.id)
                due = f"{format_due(self.count_due(facts.id))}. " if self.count_due(facts.id) else ""
                record = f"Your record: {tally}. {due}" if tally.games else due
                is_brief = bool(self.describe_goal(facts)) and self.app.size.height < FULL_HEIGHT
                texts = [
                    as_sentence(facts.pitch) if not is_brief else "" if self.lists_goals else facts.goal,
                    f"{describe_solved(facts.solved).capitalize()}."
                    if self.is_narrow or (facts.goal and self.lists_goals and not is_brief)
                    else "",
                    record
                    + (f"Learning: {learned}." if learned else suggest_level(facts.levels, self.list_rated(facts.id))),
                ]
            lines.show_filled(lambda width: [row for text in texts if text for row in paragraph_rows(text, width)])
            if waiting is not None and self.is_resuming:
                panel.set_title(self.services.library.find_title(waiting.game), moves_played(waiting))
                self.picture.show_saved(waiting)
            elif facts is None:
                panel.set_title(PEOPLE)
                self.query_one(SmallBoard).show_picture(NO_PICTURE)
                self.picture.wanted = None

    def describe_unfinished(self) -> str:
        """Return what the line to resume does, and where the player's other unfinished games are."""
        others = self.known.all_unfinished - 1
        where = f" {others} more unfinished game{'s' if others > 1 else ''}: press {self.live_key('e')}."
        return "Continue where you left off." + (where if others > 0 else "")

    @property
    def is_resuming(self) -> bool:
        return self.unfinished is not None and self.choices.marked == 0

    def marked_game(self) -> GameId | None:
        """Return the id of the selected game, or `None` on the lines to resume and to play a person."""
        index = self.choices.marked - (self.unfinished is not None)
        all_facts = self.services.library.list_facts()
        return all_facts[index].id if 0 <= index < len(all_facts) else None

    def action_pick(self) -> None:
        game_id = self.marked_game()
        if game_id is not None:
            self.open("new", game_id)
        elif self.is_resuming:
            self.action_resume()
        else:
            self.action_people()

    def action_people(self) -> None:
        if self.services.lobby is not None:
            self.open("people")

    def action_resume(self) -> None:
        if self.unfinished is not None:
            open_saved(self, self.unfinished.number, is_over=False)

    def game_to_read(self) -> GameId | None:
        return self.unfinished.game if self.is_resuming and self.unfinished is not None else self.marked_game()

    def action_explore(self) -> None:
        if (game_id := self.marked_game()) is not None:
            find = partial(self.services.library.find_game, game_id)
            self.fetch(find, lambda game: self.open("explore", Exploration(game)), "open", keys_wait=True)

    def check_actions(self) -> dict[str, bool]:
        return {"people": self.services.lobby is not None, "resume": self.unfinished is not None}


def format_due(due: int, titles: Collection[str] = ()) -> str:
    """Return the number of due drills, with the title of their game or the number of these games, such as `5 drills due
    now in 2 kinds of game`."""
    where = f" in {next(iter(titles)) if len(titles) == 1 else f'{len(titles)} kinds of game'}" if titles else ""
    return f"{due} drill{'s' if due > 1 else ''} due now{where}" if due else ""


def format_game_count(games: int) -> str:
    return f"{games} game{'' if games == 1 else 's'}" if games else ""


def moves_played(game: Entry) -> str:
    return f"{game.moves} move{'s' if game.moves > 1 else ''} played" if game.moves else "no moves yet"
