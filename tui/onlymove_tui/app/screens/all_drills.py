"""The list of all stored drills: when each is asked again, how often it was solved, and which were put aside. They can
be practised, put aside, brought back, started over and removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.words import format_count

from onlymove_tui.app.base_screen import MARKED
from onlymove_tui.app.commands import Command
from onlymove_tui.app.confirmation import Confirmation
from onlymove_tui.app.screens.drills import Round, begin_round
from onlymove_tui.app.screens.list_screen import ListScreen, draw_session, show_picture
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import FilledLines, Panel
from onlymove_tui.app.widgets.board_view import NO_PICTURE, Picture
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.play.training import (
    ASK_REMOVE,
    ASK_START_OVER,
    BROUGHT_BACK,
    PUT_ASIDE,
    REMOVED,
    STARTED_OVER,
    Practice,
    describe_answers,
    describe_state,
)
from onlymove_tui.store.learning import DrillStore, StoredDrill

GAME_WIDTH, KIND_WIDTH, STATE_WIDTH = 20, 19, 13
"""The columns of a game's name, of what a drill is about and of when it is asked again."""
NONE_YET = "Your mistakes appear here as drills once a game is over, and new positions once you have tried them."


def read_drills(services: Services) -> Sequence[StoredDrill]:
    """Return all drills. Call it in a worker. Raises StoreTrouble."""
    return [] if services.store is None else services.store.drills.list_stored()


def make_round(services: Services, stored: StoredDrill) -> Round:
    """Make a round of one drill, also if it is not due. Call it in a worker."""
    if services.store is None:
        return "Games are not saved here, so there are no drills."
    find_game, coaching = services.library.find_game, services.preferences.coaching()
    practice = Practice([stored.asked], find_game, coaching, services.store.drills, prepare=services.look_up)
    return practice if practice.begin() else practice.trouble


def draw_drill(services: Services, stored: StoredDrill) -> Picture:
    found = make_round(services, stored)
    return NO_PICTURE if isinstance(found, str) else draw_session(found.live_game().session, services.ascii_only)


class AllDrillsScreen(ListScreen[StoredDrill], screen_id="all_drills"):
    """Lists all drills, the next ones first and those put aside last. Enter practises the selected one."""

    footer_names = ("pick", "put_aside", "start_over", "remove_drill", "leave", "help")

    def __init__(self) -> None:
        super().__init__()
        self.is_read = False
        self.confirming = Confirmation(
            self.services.clock, self.call_after_refresh, self.set_timer, partial(self.say, tone=Tone.STRONG)
        )

    def ask(self) -> None:
        def take(found: Sequence[StoredDrill]) -> None:
            self.lines, self.is_read = found, True
            self.mark_changed()

        self.fetch(partial(read_drills, self.services), take, "read", keys_wait=True)

    def draw(self) -> None:
        aside = sum(line.is_aside for line in self.lines)
        counts = f"  {format_count(len(self.lines), 'drill')}" + (f", {aside} put aside" if aside else "")
        self.show_title([("All drills", Tone.TITLE), (counts if self.is_read else "", Tone.DIM)])
        super().draw()

    def group_of(self, line: StoredDrill) -> object:
        return line.is_aside

    def rows_of(self, line: StoredDrill) -> Sequence[Row]:
        drill = line.asked.drill
        title = self.services.library.find_title(drill.game)[: GAME_WIDTH - 1]
        state, answers = describe_state(line), describe_answers(line.asked)
        row: Row = [
            (title.ljust(GAME_WIDTH), Tone.TEXT),
            (DRILL_WORDS[drill.origin].ljust(KIND_WIDTH), Tone.DIM),
            (state, Tone.KEY if line.is_due else Tone.DIM),
        ]
        fits = INDENT + GAME_WIDTH + KIND_WIDTH + STATE_WIDTH + len(answers) <= self.choices.size.width
        return [[*row, (" " * (STATE_WIDTH - len(state)) + answers, Tone.DIM)] if fits else row]

    def idle_rows(self) -> Sequence[Row]:
        return () if self.lines or not self.is_read else [[(NONE_YET, Tone.DIM)]]

    def show_marked(self) -> None:
        stored = self.marked_line
        if not self.is_framed or stored is None:
            self.query_one("#facts", FilledLines).show([])
            return
        drill = stored.asked.drill
        self.query_one("#picture-panel", Panel).set_title(self.services.library.find_title(drill.game))
        show_picture(self, drill.game, f"drill {stored.asked.number}", partial(draw_drill, self.services, stored))
        self.show_texts(f"{describe_state(stored).capitalize()}. {describe_answers(stored.asked).capitalize()}.")

    def check_actions(self) -> dict[str, bool]:
        has_line = not self.is_read or self.marked_line is not None
        return dict.fromkeys(("pick", "put_aside", "start_over", "remove_drill"), has_line)

    def own_words(self) -> Mapping[str, str]:
        return {"put_aside": "bring back"} if self.marked_line is not None and self.marked_line.is_aside else {}

    def describe_command(self, command: Command) -> str:
        return (
            "Put this drill aside, or bring it back" if command.id == "put_aside" else super().describe_command(command)
        )

    def action_step(self, by: int) -> None:
        self.step(by)
        self.mark_changed(MARKED)

    def action_pick(self) -> None:
        if (stored := self.marked_line) is not None:
            begin_round(self, partial(make_round, self.services, stored), Tone.SLIP)

    def action_put_aside(self) -> None:
        if (stored := self.marked_line) is not None and stored.is_aside:
            self.change(lambda drills: drills.bring_back(stored.asked), BROUGHT_BACK)
        elif stored is not None:
            self.change(lambda drills: drills.put_aside(stored.asked), PUT_ASIDE)

    def action_start_over(self) -> None:
        stored = self.marked_line
        if stored is not None and self.confirming.allows("start_over", ASK_START_OVER):
            self.change(lambda drills: drills.start_over(stored.asked), STARTED_OVER)

    def action_remove_drill(self) -> None:
        stored = self.marked_line
        if stored is not None and self.confirming.allows("remove_drill", ASK_REMOVE):
            self.change(lambda drills: drills.remove(stored.asked), REMOVED)

    def change(self, do: Callable[[DrillStore], None], words: str) -> None:
        """Change the selected drill on disk, say so and show the list again."""
        store = self.services.store
        if store is None:
            return
        drills = store.drills

        def change_stored() -> None:
            try:
                do(drills)
            except KeyError:
                raise OnlymoveError("this drill no longer exists") from None

        def take(_: object) -> None:
            self.say(words, Tone.DIM)
            self.ask()

        self.write(change_stored, take, "change", keys_wait=True)

    def before_key(self, key: str) -> bool:
        return self.confirming.withdraws(self.find_command(key)) or super().before_key(key)

    def footer(self) -> list[tuple[str, str]]:
        if self.confirming.asked:
            return self.key_table.choose_answers(self.confirming.asked, ("leave",))
        return super().footer()

    def report(self, practice: Practice) -> None:
        self.say(practice.trouble or practice.headline(), Tone.ERROR if practice.trouble else Tone.STRONG)
