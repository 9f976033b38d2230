"""The map of learning a game: its lessons step by step, a first game and rounds of drills. Each can be begun at any
time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove_engines.core.facts import GameId
from textual import on
from textual.message import Message

from onlymove_tui.app.base_screen import finds
from onlymove_tui.app.screens.list_screen import ListScreen, draw_session, show_picture, show_usual_start
from onlymove_tui.app.widgets.bars import Panel
from onlymove_tui.app.widgets.board_view import Picture
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.play.keys import choose_app_text, phrase
from onlymove_tui.play.learning_path import Part, describe_progress, find_next_part, list_parts
from onlymove_tui.play.training import Course

NAME_WIDTH = 12
TITLE_WIDTH = 25
"""The columns of a part's name and title."""


@dataclass
class PathRead(Message, bubble=False):
    """Posted when it is known what the player has learned of the game. `following` is the part to go on with, and
    `progress` says how much is done."""

    parts: Sequence[Part]
    following: Part | None
    progress: str


class LearningScreen(ListScreen[Part], screen_id="learning"):
    """Shows the parts of learning a game. Enter begins the selected one. At first that is the next one that is not
    done, or with `again` the first of all."""

    footer_names = ("pick", "rules", "leave", "help")

    def __init__(self, game_id: GameId, again: bool = False) -> None:
        super().__init__()
        self.again = again
        self.facts = self.services.library.get_facts(game_id)
        self.following: Part | None = None
        self.progress = ""

    def ask(self) -> None:
        self.compile_ahead(self.facts.id)
        self.read_path()

    @finds("read", keys_wait=True)
    def read_path(self) -> Message:
        game, learned = self.services.library.find_game(self.facts.id), self.services.read_learned(self.facts.id)
        parts = list_parts(game, learned)
        return PathRead(parts, find_next_part(game, parts, learned), describe_progress(parts, learned))

    @on(PathRead)
    def show_path(self, message: PathRead) -> None:
        """Show the map, and select the part to go on with. When another one has become that, it is selected."""
        is_new = self.following is None or message.following is None or message.following[:2] != self.following[:2]
        self.lines, self.following, self.progress = message.parts, message.following, message.progress
        if is_new and message.following is not None and not self.again:
            self.choices.marked = self.lines.index(message.following)
        self.again = False
        self.mark_changed()

    def draw(self) -> None:
        title: Row = [(self.facts.title, Tone.TITLE), ("  learn", Tone.DIM)]
        self.show_title(title, [(self.progress, Tone.KEY)])
        super().draw()

    def group_of(self, line: Part) -> object:
        return line.stage if line.step is not None else line.name

    def rows_of(self, line: Part) -> Sequence[Row]:
        return [
            [
                ("✓ " if line.is_done else "  ", Tone.BEST),
                (line.name.ljust(NAME_WIDTH), Tone.DIM),
                (line.title.ljust(TITLE_WIDTH), Tone.TEXT),
                ("next" if line is self.following else "", Tone.KEY),
            ]
        ]

    def show_marked(self) -> None:
        if (part := self.marked_line) is None:
            return
        self.query_one("#picture-panel", Panel).set_title(part.title if part.step is not None else part.name)
        self.show_texts(phrase(choose_app_text(part.text)), f"{part.note}." if part.note else "")
        if part.step is None:
            show_usual_start(self, self.facts.id)
        else:
            show_picture(self, self.facts.id, f"lesson {part.step}", partial(self.draw_step, part.step))

    def draw_step(self, step: int) -> Picture:
        """Draw the position of a lesson step's first task. Call it in a worker."""
        services = self.services
        course = Course(services.library.find_game(self.facts.id), services.preferences.coaching(), step=step)
        return draw_session(course.live_game().session, services.ascii_only)

    def action_pick(self) -> None:
        if (part := self.marked_line) is not None:
            if part.step is None:
                self.say("Finding positions..." if part.name == "Drills" else "", Tone.DIM)
            self.find_step(self.facts.id, part)

    def game_to_read(self) -> GameId:
        return self.facts.id
