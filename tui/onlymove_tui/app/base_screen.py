"""The base of all screens: keys, workers, painting, and classes for narrow, low and too small terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from onlymove.pictures.colours import Tone
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.live.live_game import LiveGame
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from onlymove_tui.app import commands
from onlymove_tui.app.commands import Command
from onlymove_tui.app.finding import LookedUp, post_found
from onlymove_tui.app.key_table import KeyTable
from onlymove_tui.app.messages import Noted, Settled, Trouble
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Gate, KeyBar, Lines, Panel, TitleBar
from onlymove_tui.app.widgets.canvas import Row, fold, name_keys, phrase_row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.fields import Accept, Typing
from onlymove_tui.play.keys import Phrase, to_text
from onlymove_tui.terminal.capabilities import MIN_SIZE
from onlymove_tui.terminal.textual_internals import forget_painted_lines, is_leaving

if TYPE_CHECKING:
    from onlymove_tui.play.learning_path import Part
    from onlymove_tui.play.training import NextStep

MIN_WIDTH = MIN_SIZE[0]
"""The number of columns to lay out for until a widget knows its width."""
MESSAGE_PADDING = 4
"""The columns beside a message, as in the style sheet."""
FULL_WIDTH = 80
WIDE = 100
BLIND_SECONDS = 0.5
"""A key that comes this soon after another was pressed before the player could see what the first one did."""
TYPING_WORDS = (("accept", "accept"), ("cancel", "cancel"))
"""What ends typing, as (key, word)."""


MARKED = "marked"
"""The part of a list screen that depends on the selection: what is shown beside the list."""
T = TypeVar("T")
S = TypeVar("S", bound="BaseScreen")
P = ParamSpec("P")
WRITING = "writing"
"""The name of workers that write to disk."""


def message_row(words: Phrase, tone: Tone) -> Row:
    """Return a message as a row. An error becomes a sentence."""
    is_error = tone is Tone.ERROR and isinstance(words, str) and bool(words)
    return phrase_row(as_sentence(str(words)) if is_error else words, tone)


@dataclass
class StepFound(Message, bubble=False):
    """Posted when the next step in learning a game has been found."""

    step: NextStep


def hand_over(found: T, take: Callable[[T], object]) -> events.Callback:
    """Return a message that has the app's thread pass what was found to `take`."""
    return events.Callback(callback=partial(take, found))  # type: ignore[arg-type]  # its result is not used


def finds(
    group: str, keys_wait: bool = False
) -> Callable[[Callable[Concatenate[S, P], Message]], Callable[Concatenate[S, P], None]]:
    """Have a method of a screen run in a worker of this group, and the message that it returns posted to the screen, as
    `start_finding` does."""

    def decorate(method: Callable[Concatenate[S, P], Message]) -> Callable[Concatenate[S, P], None]:
        def start(screen: S, /, *arguments: P.args, **options: P.kwargs) -> None:
            screen.start_finding(partial(method, screen, *arguments, **options), group, keys_wait)

        return start

    return decorate


class BaseScreen(Screen[None], inherit_bindings=False):
    """The base of all screens. A subclass has the commands of its `screen_id`, a `title_row`, and a line for messages.
    It defines widgets in `main` and `beside`, and fills them in `draw`."""

    screen_id = ""
    footer_names: Sequence[str] = ()
    """The commands in the footer, the most useful first. The last two, the way back and the list of keys, are always
    shown."""
    title_row: Row = ()
    route = "menu"
    """The name that opens this screen."""
    is_step = False
    """Whether this screen is a step in learning a game, which the next step replaces."""
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self.services: Services = self.app.services  # type: ignore[attr-defined]  # every app of ours has them
        self.typing: Typing | None = None
        self.pressed_at = 0.0
        self._message: Row = ()
        self.subject: object = None
        """What the message is about, if that matters: a choice that it judges, or `HINT`. A new message has none."""
        self._awaited: set[str] = set()
        self._key_table: KeyTable | None = None
        self._stale: set[str] = set()
        self._is_composed = self.is_laid_out = False
        self._shape: tuple[Size, bool] | None = None

    def __init_subclass__(cls, screen_id: str = "", **rest: object) -> None:
        cls.screen_id = screen_id or cls.screen_id
        super().__init_subclass__(inherit_bindings=False, **rest)  # type: ignore[arg-type]

    def open(self, name: str, *arguments: object) -> None:
        """Open the screen with this name in `ROUTES`, made with these arguments. `menu` is the list of games."""
        self.services.open(name, *arguments)

    def fetch(self, find: Callable[[], T], take: Callable[[T], object], group: str, keys_wait: bool = False) -> None:
        """Call `find` in a worker, as `start_finding` does, and `take` with its result in the app's thread."""
        self.start_finding(lambda: hand_over(find(), take), group, keys_wait)

    def start_finding(self, find: Callable[[], Message], group: str, keys_wait: bool = False) -> None:
        """Call `find` in a worker, and post the message that it returns. An OnlymoveError becomes `Trouble`. A newer
        call in the same group cancels an older one. With `keys_wait`, all keys but the way out wait for it."""
        if keys_wait:
            self._awaited.add(group)
        # Without a description, Textual would make one from `find`, which may hold a whole game.
        work = partial(self._post_found, find, group)
        self.run_worker(work, thread=True, exclusive=True, group=group, description=group)

    @on(LookedUp)
    def keep_found(self, message: LookedUp) -> None:
        message.known[message.key] = message.found
        self.mark_changed()

    def cancel_workers(self, *groups: str) -> None:
        for group in groups:
            self.workers.cancel_group(self, group)
        self._awaited.difference_update(groups)

    def write(self, do: Callable[[], T], take: Callable[[T], object], group: str, keys_wait: bool = False) -> None:
        """Like `fetch`, for changes on disk. `do` always finishes, and quitting waits a moment for it."""
        if keys_wait:
            self._awaited.add(group)
        work = partial(self._post_found, lambda: hand_over(do(), take), group)
        self.app.run_worker(work, name=WRITING, thread=True)

    def _post_found(self, find: Callable[[], Message], group: str) -> None:
        if post_found(self, lambda: (find(),)) and group in self._awaited:
            self.post_message(Settled(group))

    @property
    def message(self) -> Row:
        """What is said at the bottom of the screen, or an empty row."""
        return self._message

    @message.setter
    def message(self, row: Row) -> None:
        if row is not self._message:
            self._message, self.subject = row, None

    def compile_ahead(self, game_id: GameId) -> None:
        """Compile the engine of a game that the player will probably play, in the background. That goes on when this
        screen is closed."""
        if self.services.begins_compiling(game_id):
            work = partial(self.services.compile_ahead, game_id)
            self.app.run_worker(work, group=f"compile {game_id}", description="compile", thread=True)

    def say(self, words: Phrase, tone: Tone = Tone.TEXT) -> None:
        self.message = message_row(words, tone)
        self.mark_changed()

    def copy(self, text: str, name: str) -> None:
        """Put a text on the clipboard, and say so. `name` is what it is called in that sentence."""
        self.app.copy_to_clipboard(text)
        self.post_message(Noted(f"Copied {name}, if your terminal allows it."))

    def on_trouble(self, message: Trouble) -> None:
        if message.text:
            self.say(message.text, Tone.ERROR)

    def on_noted(self, message: Noted) -> None:
        self.say(message.text, Tone.STRONG)

    @property
    def is_waiting(self) -> bool:
        """Whether keys have to wait, because the screen is not built yet or waits for data that it needs."""
        return not self.is_built or bool(self._awaited)

    async def on_event(self, event: events.Event) -> None:
        """Handle an event, but do not build or resize a screen that is going away."""
        if not (isinstance(event, events.Mount | events.Resize) and self.is_going):
            await super().on_event(event)

    def on_mount(self) -> None:
        """Finish building the screen, and take the keys that were typed in advance."""
        self._is_composed = True
        if self.title_row:
            self.show_title(self.title_row)
        self.mark_changed()
        self.post_message(Settled())

    def on_screen_resume(self) -> None:
        """Take the keys that the closed screen could not take. Also show or remove the `Gate` and paint again, because
        the terminal's size may have changed. Textual does not lay out a covered screen."""
        if self.is_built:
            self.fit()
            self.call_after_refresh(self.mark_changed)
        self.post_message(Settled())

    def on_unmount(self) -> None:
        forget_painted_lines()

    def on_refitted(self) -> None:
        self.mark_changed()

    def on_settled(self, message: Settled) -> None:
        """Stop waiting for this group, and paint what had to wait for it. The message then bubbles up to the app."""
        self._awaited.discard(message.group)
        if self._stale:
            self.call_next(self._paint)

    def mark_changed(self, *parts: str) -> None:
        """Have these parts of the screen painted once, after all that a key or a result changes. Without parts, paint
        all of it, and find out again which commands are possible."""
        if not parts:
            self._key_table = None
        if not self._stale:
            self.call_next(self._paint)
        self._stale.update(parts or ("",))

    def _paint(self) -> None:
        stale, self._stale = self._stale, set()
        if stale and self.is_built:
            self.paint(stale)

    def paint(self, stale: AbstractSet[str]) -> None:
        """Paint the parts that may have changed. An empty name stands for all of them."""
        if stale - {MARKED}:
            self.draw()
            message, indent = self.query_one("#message", Lines), (" " * INDENT, Tone.TEXT)
            width = self.app.size.width - MESSAGE_PADDING
            message.show(
                [
                    row
                    for line in map(self.name_keys, self.message_rows())
                    for row in fold([indent, *line], width, [indent])
                ]
            )
        else:
            self._key_table = None
            self.choices.repaint()
        self.query_one(KeyBar).repaint()
        self.show_marked()

    def draw(self) -> None:
        """Fill the widgets of the screen."""

    def show_marked(self) -> None:
        """Show details of the selected line beside the list, if there is space for them."""

    def message_rows(self) -> Sequence[Row]:
        """Return the lines at the bottom of the screen, above the footer."""
        return [self.message] if self.message else self.idle_rows()

    def idle_rows(self) -> Sequence[Row]:
        """Return the lines to show while there is no message."""
        return ()

    def compose_content(self) -> Iterable[Widget]:
        """Return the widgets of the screen from the top: a title, the panels, and a line for messages. The footer and
        the `Gate` are not among them. On a screen of at least a hundred columns, the panels are side by side and have
        titles of their own. On a narrower screen, `beside` is below the main panel, and the title has its own line."""
        panel, beside = Panel(*self.compose_main(), id="main-panel"), tuple(self.compose_beside())
        yield TitleBar(panel)
        yield Container(panel, *([Vertical(*beside, id="beside")] if beside else ()), id="body")
        yield Lines("message")

    @property
    def choices(self) -> Choices:
        return self.query_one(Choices)

    def step(self, by: int) -> None:
        """Move the selection, and wrap around at both ends. The caller repaints."""
        self.choices.marked = (self.choices.marked + by) % max(1, len(self.choices.entries))

    def compose_main(self) -> Iterable[Widget]:
        return (Choices("list"),)

    def compose_beside(self) -> Iterable[Widget]:
        return ()

    @property
    def is_framed(self) -> bool:
        size = self.app.size
        return size.width >= WIDE and size.height >= FULL_HEIGHT

    def show_title(self, left: Row, right: Row = ()) -> None:
        self.query_one(TitleBar).show(left, right)

    def compose(self) -> ComposeResult:
        self.set_size_classes()
        yield from self.compose_content()
        yield KeyBar(self.footer, self.name_key)
        yield Gate(lambda: self.services.terminal_size, self.services.describe_saving, self.name_key)

    @property
    def is_built(self) -> bool:
        """Whether all widgets exist, those inside other widgets too, and none has been removed."""
        return self._is_composed and bool(self.children) and not self.is_going

    @property
    def is_going(self) -> bool:
        """Whether the screen or the app is being closed. Textual leaves a screen that is just opening half built."""
        return is_leaving(self)

    def size_classes(self) -> dict[str, bool]:
        width, height = self.app.size
        return {
            "-gated": self.services.is_gated,
            "-narrow": width < FULL_WIDTH,
            "-short": height < FULL_HEIGHT,
            "-wide": width >= WIDE,
            "-framed": self.is_framed,
        }

    def set_size_classes(self) -> None:
        """Set or remove the classes that depend on the terminal's size, without looking up styles."""
        for name, is_set in self.size_classes().items():
            self.set_class(is_set, name, update=False)

    def fit(self) -> None:
        """Adapt the screen to the terminal's size, and show or remove the `Gate`. The styles of every widget are looked
        up again only once, after all classes are set."""
        self._key_table = None
        before = frozenset(self.classes)
        self.set_size_classes()
        if self.classes != before:
            self.update_node_styles()
        self.query_one(Gate).repaint()

    def on_resize(self, event: events.Resize) -> None:
        """Repaint everything for the new size. Textual also reports sizes that have not changed."""
        self.fit()
        if (shape := (event.size, self.services.is_gated)) != self._shape:
            self._shape, self.is_laid_out = shape, True
            self.call_after_refresh(self.mark_changed)

    def check_actions(self) -> dict[str, bool]:
        """For each action that is not always possible, return whether it is possible now."""
        return {}

    def describe_command(self, command: Command) -> str:
        return command.help

    def action_leave(self) -> None:
        """Go back to the screen below. If there is none, go to the menu."""
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()
        else:
            self.services.open("menu")

    def action_panel(self) -> None:
        self.toggle_class("-panel")
        self.call_after_refresh(self.mark_changed)

    def action_open(self, name: str) -> None:
        self.open(name)

    def game_to_read(self) -> GameId | None:
        """Return the game whose pages can be opened from here, or `None`."""
        return None

    def action_read(self, page: str) -> None:
        if (game_id := self.game_to_read()) is not None:
            self.open(page, game_id)

    def action_learn(self) -> None:
        """Show the map of learning the game."""
        self.action_read("learning")

    def learn_on(self) -> None:
        """Begin the next part of learning the game."""
        if (game_id := self.game_to_read()) is not None:
            self.find_step(game_id)

    @finds("learn", keys_wait=True)
    def find_step(self, game_id: GameId, part: Part | None = None) -> Message:
        return StepFound(self.services.open_part(game_id, part))

    @on(StepFound)
    def open_step(self, message: StepFound) -> None:
        step = message.step
        if self.is_step:
            self.app.pop_screen()
        self.open("play" if isinstance(step, LiveGame) else step.route, step)

    def action_drills(self) -> None:
        self.open("drills")

    @property
    def would_lose_game(self) -> bool:
        """Whether a game is under way that is lost if the app ends."""
        return False

    def confirms_quitting(self) -> bool:
        """Return whether to quit although a game would be lost. A board asks first."""
        return True

    def save_all(self) -> None:
        """Write everything to disk, because the app is about to end."""

    def save_at_last(self) -> str:
        """Try again to write what could not be written. Return what is wrong, or an empty text."""
        return ""

    def footer(self) -> list[tuple[str, str]]:
        """Return (command, word) for each possible command of the footer, or for the keys that end typing."""
        if self.typing is not None:
            return list(TYPING_WORDS)
        return self.key_table.choose_words(self.footer_commands(), self.own_words())

    def own_words(self) -> Mapping[str, str]:
        """Return words in the footer that differ from the commands' own, by command."""
        return {}

    def footer_commands(self) -> Sequence[str]:
        """Return the commands in the footer, as in `footer_names`, without those that do nothing now."""
        return self.footer_names

    def named_commands(self) -> Sequence[str]:
        """Return the commands that the screen names, the most useful first."""
        return self.footer_commands()

    @property
    def command_set(self) -> str:
        """The name of the commands that exist on this screen now, as in `Command.sets`."""
        return self.screen_id

    def before_key(self, key: str) -> bool:
        """Handle a key before its command is looked up. Return `True` if the command must not run."""
        self._key_table = None  # Lists and forms change their selection without calling `mark_changed`.
        return False

    def takes_key(self, key: str, character: str | None) -> bool:
        """Handle a key before its command is looked up, after all earlier keys. Return whether it is used up."""
        if self.typing is None or self.services.is_gated:
            return self.before_key(key)
        if key == "escape" or (key == "enter" and self.typing.submit()):
            self.typing = None
        elif character is not None and character.isprintable():
            self.typing.insert(character)
        elif self.find_command(key) in commands.BEHIND_THE_GATE:
            return False
        else:
            self.typing.press(key)
        self.show_typing()
        return True

    def takes_paste(self, text: str) -> None:
        """Insert what was pasted into the text that the player types, or only its first line, and say so."""
        if self.typing is not None:
            first, *others = [line for line in text.expandtabs(1).splitlines() if line.strip()] or [""]
            self.typing.insert("".join(sign for sign in first if sign.isprintable()))
            if others:
                self.typing.why = f"Only the first of {len(others) + 1} lines was pasted."
            self.show_typing()

    def type_text(self, take: Accept, text: str = "") -> None:
        """Let the player type a text. All keys belong to it until `take` accepts it or Esc is pressed."""
        self.typing = Typing(take, text)
        self.show_typing()

    def report_refused_text(self, why: Phrase) -> None:
        """Tell the player who is typing `why` the text cannot be accepted now. An empty `why` clears that."""
        if self.typing is not None:
            self.typing.why = self.to_text(why)
            self.show_typing()

    def show_typing(self) -> None:
        self.mark_changed()

    def find_command(self, key: str) -> str | None:
        """Return the id of a key's command, if that is possible now."""
        return self.key_table.find(key)

    @property
    def way_back(self) -> str:
        """The command that leaves this screen."""
        return self.footer_commands()[-commands.ALWAYS]

    def name_key(self, command: str) -> str:
        """Return the name of a command's key under the player's keymap, for sentences, footers and pages."""
        return self.key_table.name_key(command)

    def find_own_keys(self) -> Callable[[str], bool]:
        """Return a function that says whether this screen uses a key itself now, so that no command can have it."""
        return lambda _: False

    def name_keys(self, row: Row) -> Row:
        return name_keys(row, self.name_key)

    def to_text(self, words: Phrase) -> str:
        """Return a sentence as text, with the names of its keys."""
        return to_text(words, self.name_key)

    @property
    def keymap(self) -> commands.Keymap:
        return commands.make_keymap(self.services.preferences.settings)

    @property
    def key_table(self) -> KeyTable:
        """The keys of the commands that are possible now. `mark_changed` has them found again."""
        keymap = self.keymap
        if self._key_table is None or self._key_table.keymap != keymap:
            possible = {**self.check_actions(), "suspend": self.services.can_suspend}
            only = commands.BEHIND_THE_GATE if self.services.is_gated else None
            self._key_table = KeyTable(self.command_set, keymap, possible, self.find_own_keys(), only)
        return self._key_table

    async def do(self, command: Command) -> None:
        """Carry out a command of this screen or of the app. If it fails with an OnlymoveError, say why."""
        method = f"action_{command.name}"
        try:
            done = getattr(self if hasattr(self, method) else self.app, method)(*command.arguments)
            if isawaitable(done):
                await done
        except OnlymoveError as trouble:
            self.say(str(trouble), Tone.ERROR)

    def find_key(self, command: str) -> str | None:
        """Return the key that carries out a command now, or `None` if it is not possible or has no key."""
        if self.typing is not None and command in commands.TYPING_KEYS:
            return commands.TYPING_KEYS[command]
        key = self.key_table.by_command.get(command)
        return None if key is not None and self.typing is not None and commands.is_of_text(key) else key
