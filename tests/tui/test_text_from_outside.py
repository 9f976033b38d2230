"""No text from outside reaches the terminal as it is: every command is run with hostile text in each of its arguments
and on stdin, and with hostile text in every field of the files that it reads.

Commands, options, tags, columns, settings and fields are found in the code, so that a new one is tested too.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import sqlite3
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
import pytest
import tomlkit
from msgspec import structs
from onlymove_engines import games
from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Loss, Win
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import DERIVED
from onlymove_tables.build import build_into
from onlymove_tables.file_format import FILE_NAME, MAGIC, VERSION, read_header, read_manifest
from onlymove_tables.open import SEARCH_VARIABLE
from onlymove_tui.cli import cli, run
from onlymove_tui.cli.console import OTHER_VARIABLES
from onlymove_tui.lobby.record_file import RecordLine, format_line, parse_line
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Milestone
from onlymove_tui.store.profiles import find_places
from onlymove_tui.store.settings import ENVIRONMENT_PREFIX, setting_types

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, package_of, settle
from tests.tui.pilots import FRIENDS

HOSTILE = (
    "A\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b2J\x08\x0b\x0e\x7f\x84\x85\u200b\u200f\u061c\u202eB\u2066C\u2028"
    "\u2029\ufeff\rD\tE\nINJECTED"
)
"""Text that sets the title, fills the clipboard, clears the screen, reverses a line and begins a new one."""
UNDECODABLE = HOSTILE + "\udc9b"
"""The same as an argument or in the name of a file, where a byte that is not UTF-8 becomes a surrogate."""
DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp"}

Call = Callable[..., bytes]


def check(output: bytes, where: object) -> None:
    """Fail if the output has a character that controls a terminal or turns a line, or a line that the text began."""
    text = output.decode("utf-8")
    found = {glyph for glyph in text if unicodedata.category(glyph) in DANGEROUS and glyph not in "\n\t"}
    assert not found, f"{where}: {found} in {text!r}"
    assert not [line for line in text.splitlines() if line.startswith("INJECTED")], f"{where}: {text}"


def list_commands(
    group: click.Group = cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command with its words. The program without a command comes first."""
    yield path, group
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from list_commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(list_commands())
RECORD = "game.txt"
BUSY = "PORT"
ARGUMENTS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (): ("--plain",),
    ("play",): ("heap", "--plain"),
    ("drill",): ("heap",),
    ("learn",): ("heap",),
    ("daily",): ("heap",),
    ("meet",): ("heap",),
    ("analyse",): ("heap",),
    ("explore",): ("heap",),
    ("perft",): ("heap", "2"),
    ("dataset",): ("heap",),
    ("tables",): (),
    ("tables", "list"): (),
    ("tables", "build"): ("heap",),
    ("tables", "verify"): ("heap",),
    ("tables", "warm"): ("heap",),
    ("engine",): ("heap",),
    # The processes of a match do not know this game, so the match ends at once. What programs write is tested in
    # tests/tournament.
    ("match",): ("heap", "--first", "exact", "--second", "random", "--games", "2"),
    ("review",): (RECORD,),
    ("export",): (),
    ("import",): (RECORD,),
    ("prove",): ("heap",),
    ("new",): ("my-game",),
    ("games",): ("heap",),
    ("config",): (),
    ("locate",): (),
    ("serve",): ("--port", BUSY),
}
"""For each command, arguments with which it does something and ends."""
READERS = {words: ARGUMENTS[words] for words in ARGUMENTS if words not in {("match",), ("serve",), ("new",)}}
"""The commands that read anything from files."""


def test_every_command_is_known() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)


def list_flags(command: click.Command) -> list[tuple[str, ...]]:
    """Return the ways to call a command: without a flag, and with each one."""
    flags = [(option.opts[-1],) for option in command.params if isinstance(option, click.Option) and option.is_flag]
    return [(), *(flag for flag in flags if flag not in (("--version",), ("--profile",)))]


def list_calls(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return ways to call a command. The flags of the program itself come before other commands."""
    return [(*words, *ARGUMENTS[words], *flag) for flag in (list_flags(COMMANDS[words]) if words else [()])]


READING_CALLS = [call for words in READERS if words for call in list_calls(words)]


def list_hostile_calls(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield calls of a command with hostile text as the value of each option, as each argument, and as an unknown
    word."""
    arguments = ARGUMENTS[words]
    yield (*words, *arguments, f"--{UNDECODABLE}")
    yield (*words, UNDECODABLE)
    place = 0
    for parameter in COMMANDS[words].params:
        if isinstance(parameter, click.Argument):
            yield (*words, *arguments[:place], UNDECODABLE, *arguments[place + 1 :])
            place += 1
        elif isinstance(parameter, click.Option) and not parameter.is_flag:
            hostile = (parameter.opts[-1], UNDECODABLE)
            yield (*words, *arguments, *hostile) if words else (*hostile, "games")
    if words == ("match",):
        yield (*words, "heap", "--first", f"cmd:{UNDECODABLE}", "--second", "random")


every_command = pytest.mark.parametrize("words", ARGUMENTS, ids=lambda words: " ".join(words) or "onlymove")


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return the heap game, which is the only one and has a table. A record of it is in the current folder."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    build_into(game, package_of(tmp_path))
    install_games(monkeypatch, game, alone=True)
    monkeypatch.chdir(tmp_path)
    Path(RECORD).write_text('[Game "heap"]\n[Result "*"]\n\n1. 1 1 *\n')
    return game


@pytest.fixture
def call(heap: AnyGame, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Iterator[Call]:
    """Return a function that runs a command line and returns what it writes to stdout and to stderr."""
    # A kiosk's limit on memory would hold for all later tests too.
    monkeypatch.setenv("ONLYMOVE_KIOSK_MEMORY", "0")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])

        def run_command(*arguments: str, typed: str = "") -> bytes:
            give_input(monkeypatch, typed)
            code = run([port if word == BUSY else word for word in arguments])
            output = capsysbinary.readouterr()
            assert code in (0, 1, 2), output
            return output.out + output.err

        yield run_command


@every_command
def test_an_argument(call: Call, words: tuple[str, ...]) -> None:
    for arguments in list_hostile_calls(words):
        check(call(*arguments), arguments)


@every_command
def test_what_is_typed(call: Call, words: tuple[str, ...]) -> None:
    typed = "".join(f"{line}\n" for line in (UNDECODABLE, f"position {HOSTILE}", f"position fen {HOSTILE}", HOSTILE))
    for arguments in list_calls(words):
        check(call(*arguments, typed=typed), arguments)
        if RECORD in arguments:
            hostile = ["-" if word == RECORD else word for word in arguments]
            check(call(*hostile, typed=write_hostile_record()), hostile)


def write_hostile_record(head: str = '[Game "heap"]\n[Result "1-0"]\n') -> str:
    """Return a record with hostile text wherever a record may have text of its own."""
    free = ("Date", "First", "Second", "Event", "Termination")
    tags = "".join(f'[{tag} "{HOSTILE}"]\n' for tag in free if f"[{tag} " not in head)
    comment = HOSTILE.replace("]", "\\]").replace("[", "\\[")
    return f"{head}{tags}\n{{{comment}}} 1. 1 {{[%other {HOSTILE.replace(']', '').replace('[', '')}] {comment}}} 1-0\n"


def test_the_texts_of_a_record(call: Call) -> None:
    Path(RECORD).write_text(write_hostile_record(), "utf-8", newline="")
    output = call("import", RECORD)
    check(output, "import")
    assert b"replaced characters that could control the terminal" in output
    for arguments in READING_CALLS:
        check(call(*arguments), arguments)
    os.rename(RECORD, UNDECODABLE)
    for arguments in READING_CALLS:
        check(call(*(UNDECODABLE if word == RECORD else word for word in arguments)), arguments)


@pytest.mark.parametrize("tag", [*DERIVED, f"A{HOSTILE}"])
def test_a_record_that_is_refused(call: Call, tag: str) -> None:
    head = {"Game": "heap", "Result": "1-0"} | {tag: HOSTILE}
    text = "".join(f'[{name} "{value}"]\n' for name, value in head.items())
    for moves in ("1. 1 1-0", HOSTILE, f"1. {HOSTILE} *"):
        Path(RECORD).write_text(f"{text}\n{moves}\n", "utf-8", newline="")
        for command in ("import", "review"):
            check(call(command, RECORD), (command, tag, moves))


def fill_store(game: AnyGame) -> Path:
    """Save games of every kind, with drills and progress. Return the path of the database."""
    path = find_places().games
    with closing(GameStore(path, games.load)) as store:
        for finishes in (True, False):
            session: AnySession = Session(game, players=FRIENDS)
            for move in (1, 1):
                session.play(move)
            node = session.node
            node.comment = "a comment"
            node.judgements[1] = Judgement(Grade.BLUNDER, Win(3), Loss(4), flagged=True)
            if finishes:
                session.end(Result(0, reason="resigned"))
            details = GameDetails(names=("Ada", "Bo"), imported=finishes, tags={"Event": "here"}, options={"a": "b"})
            store.save(session, details)
            store.drills.add(make_mistake_drills(session))
        store.lessons.save(game.id, range(1), [Milestone.LESSONS])
    return path


def list_texts(database: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return the columns with text: the table, the column, and its first value."""
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = []
    for table in tables:
        for _, column, *_ in database.execute(f"PRAGMA table_info({table})"):
            values = database.execute(f"SELECT {column} FROM {table} WHERE typeof({column}) = 'text' ORDER BY 1 DESC")
            if (first := values.fetchone()) is not None:
                found.append((table, column, first[0]))
    return found


def make_hostile(value: Any) -> Any:
    """Return a value read from JSON or TOML with hostile text behind each of its texts."""
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {key: make_hostile(each) for key, each in value.items()}
    return list(map(make_hostile, value)) if isinstance(value, list) else value


def test_what_is_stored(call: Call, heap: AnyGame) -> None:
    path = fill_store(heap)
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        columns = list_texts(database)
    assert len(columns) > 20
    for table, column, value in columns:
        forms = [value + HOSTILE, HOSTILE]
        if value[:1] in ("[", "{"):
            forms = [HOSTILE, json.dumps(make_hostile(json.loads(value)))]
        for form in forms:
            for beside in path.parent.glob("games.sqlite3-*"):
                beside.unlink()
            path.write_bytes(whole)
            with closing(sqlite3.connect(path)) as database, database:
                database.execute(f"UPDATE {table} SET {column} = ?", (form,))
            for arguments in (("export",), ("review",), ("drill",), ("daily",)):
                check(call(*arguments), (table, column, form, arguments))


def test_a_name_that_an_older_version_stored_is_exported_clean(call: Call, heap: AnyGame) -> None:
    path = fill_store(heap)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE node SET comment = ?", (HOSTILE,))
        for number, setup in database.execute("SELECT id, setup FROM game").fetchall():
            row = {**json.loads(setup), "names": [HOSTILE, "Bo"], "tags": {"Event": HOSTILE}}
            database.execute("UPDATE game SET setup = ? WHERE id = ?", (json.dumps(row), number))
    for arguments in (("export",), ("review",), ("review", "--json"), ("review", "--html")):
        output = call(*arguments)
        check(output, arguments)
        assert b"A?]0;title??]52;c;ZXZpbA==??[2J?2J" in output, arguments


@pytest.mark.parametrize("place", ["data", "user", "variable"])
def test_a_table_from_somebody_else(
    call: Call, heap: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    shipped = package_of(tmp_path) / "heap.tbl"
    header, offset = read_header(shipped)
    payload = shipped.read_bytes()[offset:]
    folder = {"data": shipped.parent, "user": find_places().tables, "variable": tmp_path / UNDECODABLE}[place]
    if place == "variable":
        monkeypatch.setenv(SEARCH_VARIABLE, str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    fields = asdict(header)
    documents = [{**fields, name: HOSTILE} for name in fields] + [{**fields, HOSTILE: 1}]
    documents += [{**fields, "sections": [{**fields["sections"][0], name: HOSTILE}]} for name in fields["sections"][0]]
    written = [(MAGIC, str(VERSION), json.dumps(document, ensure_ascii=False).encode()) for document in documents]
    written += [(MAGIC, HOSTILE.replace("\n", "").replace("\r", ""), b"{}"), (HOSTILE, str(VERSION), HOSTILE.encode())]
    for magic, version, document in written:
        line = document + b"\n"
        head = f"{magic} {version} {hashlib.sha256(line).hexdigest()}\n".encode()
        (folder / "heap.tbl").write_bytes(head + line + payload)
        for arguments in (
            ("tables", "list"),
            ("tables", "list", "--json"),
            ("tables", "verify", "heap"),
            ("analyse", "heap"),
        ):
            check(call(*arguments), (line, arguments))


def test_a_manifest_from_somebody_else(call: Call, heap: AnyGame, tmp_path: Path) -> None:
    path = package_of(tmp_path) / FILE_NAME
    listed = asdict(read_manifest(path.parent)["heap"])
    for name in (*listed, HOSTILE):
        path.write_text(tomlkit.dumps({"heap": {**listed, name: HOSTILE}}), "utf-8")
        for arguments in (("tables", "list"), ("tables", "verify", "heap"), ("analyse", "heap")):
            check(call(*arguments), (name, arguments))


FOLDERS = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "ONLYMOVE_KERNELS")
VARIABLES = [
    *FOLDERS,
    *OTHER_VARIABLES,
    *(ENVIRONMENT_PREFIX + key.upper() for key in setting_types()),
    ENVIRONMENT_PREFIX + "NOTHING",
    ENVIRONMENT_PREFIX + HOSTILE.replace("=", ""),
    "TERM",
    "LANG",
    "COLORTERM",
]


@pytest.mark.parametrize("variable", dict.fromkeys(VARIABLES), ids=lambda name: repr(name)[:40])
def test_the_environment(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    if variable == "HOME":
        for name in FOLDERS[1:5]:
            monkeypatch.delenv(name)
    is_folder = variable in (*FOLDERS, "ONLYMOVE_ROOMS")
    monkeypatch.setenv(variable, str(tmp_path / UNDECODABLE) if is_folder else UNDECODABLE)
    for arguments in (
        ("config",),
        ("config", "--json"),
        ("locate",),
        ("locate", "--json"),
        ("games",),
        ("review", RECORD),
    ):
        check(call(*arguments), arguments)
    if is_folder and variable != "ONLYMOVE_ROOMS":
        (paths,) = [json.loads(call("locate", "--json"))] if "KERNELS" not in variable else [None]
        assert paths is None or any(str(tmp_path / UNDECODABLE) in path for path in paths.values())


@pytest.mark.parametrize("key", [*setting_types(), HOSTILE, f"[{HOSTILE}"], ids=lambda key: repr(key)[:40])
def test_a_settings_file(call: Call, key: str) -> None:
    path = find_places().settings
    path.parent.mkdir(parents=True)
    value = {HOSTILE: HOSTILE} if key == "keymap" else HOSTILE
    for text in (tomlkit.dumps({key: value}), f"{key} = {HOSTILE}", HOSTILE):
        path.write_text(text, "utf-8", newline="")
        for arguments in (("config",), ("config", "--json"), ("review", RECORD)):
            check(call(*arguments), (text, arguments))


def find_sample(kind: Any) -> Any:
    """Return a value of this type."""
    for value in (1, True, 0.5, "a" * 16, "draw", "x", None):
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            pass
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", get_args(RecordLine), ids=lambda kind: kind.__name__)
def test_a_line_of_the_lobby(kind: type[msgspec.Struct]) -> None:
    fields = structs.fields(kind)
    sample = kind(**{field.name: find_sample(field.type) for field in fields})
    document = json.loads(format_line(sample))  # type: ignore[arg-type]
    assert parse_line(json.dumps(document).encode()) is not None
    for name, value in document.items():
        if isinstance(value, str):
            for glyph in HOSTILE:
                if not glyph.isprintable():
                    changed = json.dumps({**document, name: f"{value[1:]}{glyph}"}, ensure_ascii=False)
                    assert parse_line(changed.encode()) is None, (name, glyph)


def make_toml_hostile(path: Path) -> None:
    """Put hostile text behind each text of a file, except ids and the like, which other parts refer to. Line breaks are
    left out, because lessons may have several lines."""
    kept = {"id", "style", "position", "moves", "setting", "from", "counts", "against"}

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: each if key in kept else change(each) for key, each in value.items()}
        if isinstance(value, list):
            return list(map(change, value))
        return value + HOSTILE.partition("\n")[0] if isinstance(value, str) else value

    path.write_text(tomlkit.dumps(change(tomllib.loads(path.read_text("utf-8")))), "utf-8")


def test_the_package_of_another_game(
    heap: AnyGame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    call: Call,
) -> None:
    call("new", "evil", "--in", str(tmp_path))
    site, folder = tmp_path / "onlymove-evil", tmp_path / "onlymove-evil" / "onlymove_evil"
    for name in ("game.toml", "lessons.toml"):
        make_toml_hostile(folder / name)
    page = HOSTILE.partition("\n")[0]
    (folder / "help.md").write_text(f"# {page}\n\n{page}\n", "utf-8", newline="")
    monkeypatch.undo()
    settle(tmp_path / "other", monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(site)
    inline = "".join(HOSTILE.replace("=", "").splitlines())
    points = {"evil": "onlymove_evil", inline: inline, "gone": "gone\x1b[2J"}
    metadata = site / "onlymove_evil-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: onlymove_evil\nVersion: 0.1\n")
    lines = [f"[{games.GROUP}]", *(f"{point} = {module}" for point, module in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8", newline="")
    cached = (games.list_games, games.list_added_games, games.load)
    for function in cached:
        function.cache_clear()
    try:
        assert [facts.id for facts in games.list_added_games()[0]] == ["evil"]
        for arguments in (
            ("games",), ("games", "--json"), ("games", "evil"), ("games", "evil", "--json"), ("--plain",),
            ("play", "evil", "--plain"), ("learn", "evil"),
        ):  # fmt: skip
            give_input(monkeypatch, b"rules\nhelp\nhint\nquit\n")
            assert run(arguments) in (0, 1, 2)
            output = capsysbinary.readouterr()
            check(output.out + output.err, arguments)
    finally:
        monkeypatch.undo()
        for function in cached:
            function.cache_clear()
