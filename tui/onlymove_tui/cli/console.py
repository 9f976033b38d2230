"""The parts that the commands share: output, options, and finding games and analysts by name.

Data goes to stdout and everything else to stderr.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread, Timer, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.shell_completion import CompletionItem
from onlymove_engines import games
from onlymove_engines.core.analysis import AnyAnalyst, Report
from onlymove_engines.core.budget import MAX_LIMIT, Clock
from onlymove_engines.core.errors import as_sentence, did_you_mean
from onlymove_engines.core.files import NOT_REGULAR, describe_size
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.text import clean_line, clean_lines, escape_json, skip_mark
from onlymove_engines.live.clock import read_time
from onlymove_engines.search.stop import before_loading
from onlymove_tables.kernels import COMPILING

if TYPE_CHECKING:
    from onlymove_tui.play.line_mode import Voice
    from onlymove_tui.store.games import GameStore
    from onlymove_tui.store.profiles import Places
    from onlymove_tui.store.settings import Effective

PATIENCE = 0.7
"""Seconds of work before a progress bar appears."""

LINE_SECONDS = 10.0
"""How often a line says how far the work is, if there is no terminal for a bar."""

WHOLE = 1.001
"""The end of a progress bar, a little after all of the work, because the clock stops there and packing comes later."""

MAX_LINE_LENGTH = 400
REPEAT_SECONDS = 0.1
"""How long a signal has to end the process before it is sent again."""
CHUNK = 1 << 18
MAX_INPUT_LENGTH = 1 << 20
"""The most bytes of a line that is read from stdin. The moves of the longest game take a tenth of it."""
UGI = "ugi"


def one_line(text: str) -> str:
    """Return `text` as one harmless line, cut to at most `MAX_LINE_LENGTH` characters."""
    clean = clean_line(" ".join(text.split()))
    return clean if len(clean) <= MAX_LINE_LENGTH else clean[: MAX_LINE_LENGTH - 1] + "…"


def show(text: str) -> None:
    """Write a line for a person to stdout. Names of files and the words of a command line may be harmful until here."""
    click.echo(clean_line(text))


def tell(text: str) -> None:
    log(as_sentence(text))


def log(text: str) -> None:
    """Write text to stderr as one line, without turning it into a sentence."""
    click.echo(f"onlymove: {one_line(text)}", err=True)


def show_for_programs(text: str) -> None:
    """Write text for a program or a file, in UTF-8 whatever the locale. A stream without a buffer gets the text
    itself."""
    click.echo(text.encode("utf-8", "replace") if hasattr(sys.stdout, "buffer") else text)


def show_json(facts: object) -> None:
    show_for_programs(escape_json(json.dumps(facts, ensure_ascii=False)))


def show_either(form: str, facts: object, rows: Sequence[tuple[str, ...]]) -> None:
    """Print facts as JSON, or as rows for a person."""
    if form == "json":
        show_json(facts)
        return
    rows = [tuple(map(clean_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


class GameType(click.ParamType[AnyGame]):
    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> AnyGame:
        game: AnyGame = games.load(value) if isinstance(value, str) else value
        return game

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        all_facts = (facts for facts in games.list_games() if facts.id.startswith(incomplete))
        return [CompletionItem(facts.id, help=facts.title) for facts in all_facts]


def complete_from(
    names_of: Callable[[AnyGame], Iterable[str]], separator: str = ""
) -> Callable[..., list[CompletionItem]]:
    """Return a function that completes one of the names that the command's GAME has, or several with a `separator`."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, found, begun = incomplete.rpartition(separator) if separator else ("", "", incomplete)
        # Click stops parsing at an option without its value. The arguments before it are then among those that are left
        # over.
        given = [ctx.params.get("game"), *ctx.args]
        try:
            game = next(GAME.convert(text, None, None) for text in given if text is not None)
        except (StopIteration, games.UnknownGame):
            return []
        return [CompletionItem(f"{before}{found}{name}") for name in names_of(game) if name.startswith(begun)]

    return complete


def rule_names(game: AnyGame) -> tuple[str, ...]:
    return tuple(rule.id for rule in game.play.house_rules)


def style_names(game: AnyGame) -> tuple[str, ...]:
    return tuple(style.id for style in game.play.styles)


def protocol_names(game: AnyGame) -> list[str]:
    return [*game.play.protocols, *(() if game.facts.simultaneous else (UGI,))]


class Stopped(BaseException):
    """A signal has arrived. Like KeyboardInterrupt this is not an Exception, so error handlers do not catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Inside the block, raise Stopped at a signal that is not ignored. A second signal ends the process at once."""
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    before = {number: handler for number, handler in found.items() if handler is not signal.SIG_IGN}

    def stop(number: int, _: FrameType | None) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_DFL)
        raise Stopped(number)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def load_games() -> Iterator[AnyGame]:
    """Yield every game. If the package of one cannot be loaded, write the reason to stderr and go on."""
    for facts in games.list_games():
        try:
            yield games.load(facts.id)
        except games.UnknownGame as fault:
            tell(str(fault))


class Seconds(click.FloatRange):
    """A finite number of seconds, which may also be written with a unit: `500ms`, `2s`, `1m`."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = read_time(value, "s") if isinstance(value, str) else None
        number = super().convert(value if seconds is None else seconds, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is not a valid time.", param, ctx)


class Whole(click.IntRange):
    """A whole number."""

    name = "integer"


class Limit(Whole):
    """The value of an option that limits a search, at least 1. A value that no search can reach is lowered."""

    def __init__(self) -> None:
        super().__init__(min=1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return min(MAX_LIMIT, super().convert(value, param, ctx))


class OutFile(click.Path):
    """A file that a command writes. A pipe or a device is refused. The command would wait for it, or replace it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.exists() and not path.is_file():
            self.fail(f"'{path}' is {NOT_REGULAR}.", param, ctx)
        return path


GAME = GameType()
OUT_FILE = OutFile(dir_okay=False, path_type=Path)


def format_options(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--format` with these choices, the first of which is the default, and `--json` as short for `--format json`.
    The command receives the choice as `form`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        short = click.option("--json", "form", flag_value="json", help="The same as --format json.")
        choices = click.Choice(forms)
        return click.option("--format", "form", type=choices, default=forms[0], show_default=True)(short(command))

    return add


json_option = format_options("text", "json")

plain_option = click.option(
    "--plain", is_flag=True, help="Use line mode, for screen readers, scripts and simple terminals."
)
board_option = click.option("--board", "draws", is_flag=True, help="Draw positions instead of describing them.")


def seek_analyst(game: AnyGame, waits: bool = True) -> tuple[AnyAnalyst, str]:
    """Return the analyst that knows the game's values, and what is wrong with its table (empty: nothing), which is also
    written to stderr. Kernels are compiled first, unless `waits` is false. A small game is solved first."""
    from onlymove_tables.analysts import Wait, open_for  # noqa: PLC0415 - only where values are needed

    wait = Wait.KERNELS if waits else Wait.TABLE
    with show_preparation() as report:
        opened = open_for(game, wait, tell=tell, report=report)
    if opened.note:
        tell(f"{opened.note}. Searching instead")
    return opened.analyst, opened.note


@contextmanager
def show_preparation() -> Iterator[Report]:
    """Yield a function that reports what has to be made before values are known. Each part of the engine that is
    compiled is a line on stderr. A game that is solved is reported by `show_progress`."""
    with ExitStack() as stack:
        show: Report | None = None

        def report(what: str, share: float) -> None:
            nonlocal show
            if what == COMPILING:
                log(f"{what}: {share:.0%}")
                return
            show = show or stack.enter_context(show_progress())
            show(what, share)

        yield report


def prepare_kernels(game: AnyGame) -> None:
    """Compile and load what searches need, so that it does not count as thinking time."""
    from onlymove_tables.kernels.compiler import wait_for_kernels  # noqa: PLC0415 - only where there is a search

    with show_preparation() as report:
        wait_for_kernels(game, tell=tell, report=report)


@contextmanager
def compile_when_needed(
    game: AnyGame, prepare: Callable[[AnyGame], None] = prepare_kernels, clock: Clock = time.monotonic
) -> Iterator[Clock]:
    """Inside the block, kernels are compiled only when a search needs them, because a table or a book may have the
    answer. Yields a clock that stands still while kernels are compiled."""
    waited = 0.0

    def wait() -> None:
        nonlocal waited
        begun = clock()
        prepare(game)
        waited += clock() - begun

    with before_loading(wait):
        yield lambda: clock() - waited


OTHER_VARIABLES = tuple(f"ONLYMOVE_{name}" for name in ("PROFILE", "ROOMS", "TABLES", "KERNELS", "PROGRAM", "WORKER"))
"""The variables `ONLYMOVE_...` that are not settings. The app itself gives the last two to programs that it starts."""


def warn_of_unknown_variables(environ: Mapping[str, str]) -> None:
    """Name each variable `ONLYMOVE_...` that nothing reads, because it may be a typing error."""
    prefix = "ONLYMOVE_"
    unknown = {name for name, text in environ.items() if name.startswith(prefix) and text}.difference(OTHER_VARIABLES)
    if not unknown:
        return
    from onlymove_tui.store.settings import setting_types  # noqa: PLC0415 - only where one is set

    known = [*OTHER_VARIABLES, *(prefix + key.upper() for key in setting_types() if key != "keymap")]
    for name in sorted(unknown.difference(known)):
        tell(f"the variable {name} has no effect{did_you_mean(name, known)}")


@dataclass
class Caller:
    """Who runs a command, and what their terminal may show, as the options before the command say."""

    profile: str | None = None
    guest: bool = False
    ascii_only: bool = False
    kiosk: bool = False
    resume: bool = False
    plain: bool = False

    def __post_init__(self) -> None:
        """Give a guest a new profile. Raises UsageError if a profile is named too."""
        if self.guest:
            if self.profile is not None:
                raise click.UsageError("--guest makes a new profile, so leave out --profile")
            from onlymove_tui.store.profiles import new_guest  # noqa: PLC0415 - only for guests

            self.profile = new_guest()

    @property
    def draws_ascii(self) -> bool:
        """Whether boards on stdout must be ASCII, because the user asked for it or stdout is not UTF-8."""
        encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
        return self.ascii_only or encoding != "utf8"

    def find_profile(self) -> str:
        """Return the profile whose history and settings are used. The flag overrides the environment. Empty means the
        account's own profile. Raises UsageError if the flag is empty."""
        from onlymove_tui.store.profiles import PROFILE_VARIABLE  # noqa: PLC0415 - only where a player matters

        if self.profile == "":
            raise click.UsageError("--profile needs a name")
        return os.environ.get(PROFILE_VARIABLE, "") if self.profile is None else self.profile

    def find_places(self) -> Places:
        from onlymove_tui.store.profiles import find_places  # noqa: PLC0415 - only where a player matters

        return find_places(self.find_profile())

    def read_settings(self, plain: bool = False, **flags: Any) -> Effective:
        """Return the settings: flags before the environment, the file and the defaults. `plain` is the flag of a
        command. Raises BadSetting."""
        from onlymove_tui.store.settings import read_settings  # noqa: PLC0415 - only where settings matter

        flags |= {"ascii": self.ascii_only or None, "kiosk": self.kiosk or None}
        given = {name: value for name, value in flags.items() if value is not None}
        found = read_settings(self.find_places().settings, os.environ, given)
        if plain or self.plain:
            found = found.choose_plain()
        if found.trouble:
            tell(found.trouble)
        return found

    def open_store(self) -> GameStore:
        """Return the player's history. If its file cannot be written, the history is in memory. What is wrong with the
        file is written to stderr."""
        from onlymove_tui.store.games import GameStore  # noqa: PLC0415 - only for the history

        store = GameStore.open(self.find_places().games, games.load)
        if store.trouble or store.notice:
            tell(store.trouble or store.notice)
        return store

    def open_history(self, writes: bool = False) -> GameStore:
        """Return the player's history, as `open_store` does. Raises StoreTrouble if it cannot be read or, with
        `writes`, if it cannot be written."""
        from onlymove_tui.store.games import GameStore  # noqa: PLC0415 - as above
        from onlymove_tui.store.schema import StoreTrouble  # noqa: PLC0415 - as above

        store = GameStore.open(self.find_places().games, games.load)
        if store.trouble and (writes or not store.has_history):
            store.close()
            raise StoreTrouble(store.trouble)
        if store.notice:
            tell(store.notice)
        return store

    def read_lines(self, settings: Effective) -> Iterator[str]:
        """Yield the lines that the player types, with line editing unless the settings say that a screen reader reads
        along. Raises OSError as `read_lines` does."""
        return read_lines(edits=not settings.has_screen_reader)

    def make_voice(self, settings: Effective, draws: bool) -> Voice:
        """Return the voice of line mode. It writes to stdout and, if `draws`, shows boards as pictures."""
        from onlymove_tui.play.line_mode import Voice  # noqa: PLC0415 - only for line mode

        ascii_only = settings.settings.ascii.resolve(self.draws_ascii)
        return Voice(lambda text: click.echo(clean_lines(text)), time.monotonic, draws, ascii_only, lay_out_page)


def end_session(lost: str) -> int:
    """Return the exit code 0, unless something could not be saved. Then `lost` is a line that says so. Raises
    StoreTrouble with that line."""
    from onlymove_tui.store.schema import StoreTrouble  # noqa: PLC0415 - only where games are saved

    if lost:
        raise StoreTrouble(lost)
    return 0


def lay_out_page(markdown: str) -> Iterator[str]:
    """Yield a page of Markdown in the lines that the app shows."""
    from onlymove_tui.app.panels.markdown import READABLE, markdown_rows  # noqa: PLC0415 - Textual is slow to import

    return ("".join(text for text, _ in row).rstrip() for row in markdown_rows(markdown, READABLE))


def clean_typed(line: str) -> str:
    """Return a line of stdin without a byte order mark, which the first may have, and without blanks around it."""
    return clean_line(skip_mark(line)).strip()


PROMPT = "> "


def read_lines(clean: Callable[[str], str] = clean_typed, edits: bool = False) -> Iterator[str]:
    """Yield the lines that the player types, cleaned. If stdin is a terminal, there is a prompt for each. With `edits`,
    a terminal that can has line editing, and the arrow keys bring earlier lines back. Raises OSError, also if a line is
    longer than `MAX_INPUT_LENGTH`."""
    read = read_edited_line if edits and start_editing() else read_line
    while line := read():
        check_length(len(line))
        yield clean(line)


def read_line() -> str:
    """Return the next line of stdin, with its line break. Empty at the end."""
    if sys.stdin.isatty():
        sys.stderr.write(PROMPT)
        sys.stderr.flush()
    return sys.stdin.readline(MAX_INPUT_LENGTH + 1)


def read_edited_line() -> str:
    """Return what `read_line` does, from a terminal with line editing."""
    with restore_modes():
        try:
            return f"{input(PROMPT)}\n"
        except EOFError:
            return ""


@contextmanager
def restore_modes() -> Iterator[None]:
    """Inside the block, SIGTERM gives the terminal its modes back before it ends the process. Line editing changes
    them."""
    modes, before = termios.tcgetattr(sys.stdin), signal.getsignal(signal.SIGTERM)

    def end(number: int, _: FrameType | None) -> None:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, modes)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if before is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    earlier = signal.set_wakeup_fd(sender)
    Thread(target=repeat_signal, args=(receiver, signal.SIGTERM), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(earlier)
        os.close(sender)
        signal.signal(signal.SIGTERM, before)


def repeat_signal(receiver: int, number: int) -> None:
    """Send a signal to the main thread again if it has arrived, until the other end of `receiver` is closed. A signal
    that arrives just before line editing begins to wait for a key is noticed only at the next key or signal."""
    with open(receiver, "rb", buffering=0) as arrived:
        while numbers := arrived.read(CHUNK):
            if number in numbers:
                time.sleep(REPEAT_SECONDS)
                signal.pthread_kill(main_thread().ident or 0, number)


def start_editing() -> bool:
    """Prepare line editing, and return whether this terminal has it. Earlier lines are never written to a file. No key
    completes names, because the names of files must not be seen in a kiosk."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        return False
    try:
        import readline  # noqa: PLC0415 - only for a person at a terminal, and not on every system
    except ImportError:
        return False
    readline.set_completer(lambda _text, _state: None)
    readline.parse_and_bind("tab: self-insert")
    return True


def check_length(length: int) -> None:
    """Raise OSError if a line of stdin is longer than `MAX_INPUT_LENGTH`."""
    if length > MAX_INPUT_LENGTH:
        raise OSError(errno.EFBIG, f"a line is longer than {describe_size(MAX_INPUT_LENGTH)}", "stdin")


def read_batches(seconds: float | None = None, clean: Callable[[str], str] = clean_typed) -> Iterator[list[str]]:
    """Yield the lines of stdin in batches, each with the lines that have arrived so far. With `seconds`, a batch is
    empty if nothing arrives for that time. Python's buffers are not used, because a thread that waits in those would
    disturb the exit. The time is linear even for long lines. Raises OSError as `read_lines` does."""
    try:
        handle = sys.stdin.fileno()
    except io.UnsupportedOperation:
        yield list(read_lines(clean))
        return

    def decode(line: bytes) -> str:
        return clean(line.decode("utf-8", "replace"))

    begun: list[bytes] = []
    length = 0
    incoming = select.poll()  # unlike `select.select`, for any number of open files
    incoming.register(handle, select.POLLIN)
    while True:
        if seconds is not None and not incoming.poll(1000 * seconds):
            yield []
            continue
        chunk = os.read(handle, CHUNK)
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        begun.append(first)
        length += len(first)
        check_length(length)
        if others:
            yield list(map(decode, [b"".join(begun), *others[:-1]]))
            begun = others[-1:]
            length = len(others[-1])
    if rest := b"".join(begun):
        yield [decode(rest)]


class ProgressLine:
    """Describes in a line how far long work is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun = clock()
        self._what, self._share, self._step = "getting ready", 0.0, ""
        self._first: tuple[float, float] | None = None
        """When the step was first reported, and which share was done. `None` if the time left cannot be estimated,
        because the share of this step has fallen: there was more to do than it seemed."""

    def report(self, what: str, share: float) -> None:
        """Take note of the progress. A text that differs only in its numbers is about the same step."""
        step = re.sub(r"[\d,.]+", "", what)
        if step != self._step:
            self._first = self._clock(), share
        elif share < self._share:
            self._first = None
        self._what, self._share, self._step = what, share, step

    def describe(self) -> str:
        """Return what is being done, the share of this that is done, the time so far, and the time that is left if the
        rest goes as fast."""
        now = self._clock()
        words = f"{self._what}: {self._share:.0%}" if self._share else self._what
        words += f", {round_time(now - self._begun)} so far"
        if self._first is None or not self._first[1] < self._share < 1.0:
            return words
        begun, share = self._first
        left = (now - begun) * (1.0 - self._share) / (self._share - share)
        return f"{words}, about {round_time(left)} left at this rate"


def round_time(seconds: float) -> timedelta:
    return timedelta(seconds=round(seconds))


@contextmanager
def show_progress(
    delay: Callable[[float, Callable[[], object]], Timer] = Timer, every: float | None = None
) -> Iterator[Report]:
    """Yield a function that reports the progress of long work. If stderr is a terminal, a bar appears there after about
    a second, even if nothing was reported yet, because kernels may have to be compiled first. Otherwise stderr gets a
    line `every` so many seconds, by default every `LINE_SECONDS`."""
    if not sys.stderr.isatty():
        with write_lines(line := ProgressLine(time.monotonic), LINE_SECONDS if every is None else every):
            yield line.report
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("getting ready", total=None)

    def report(what: str, share: float) -> None:
        bar.update(task, description=what, total=WHOLE, completed=share)

    appearing = delay(PATIENCE, bar.start)
    appearing.daemon = True
    appearing.start()
    try:
        yield report
    finally:
        appearing.cancel()
        appearing.join()
        bar.stop()


@contextmanager
def write_lines(line: ProgressLine, every: float) -> Iterator[None]:
    """Write the line to stderr every so many seconds while the block runs."""
    is_over = Event()

    def write() -> None:
        with suppress(OSError):
            while not is_over.wait(every):
                log(line.describe())

    writing = Thread(target=write, daemon=True)
    writing.start()
    try:
        yield
    finally:
        is_over.set()
        writing.join()
