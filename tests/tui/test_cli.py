"""The command line: its output, errors and exit codes, with a game made for the test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path
from threading import Timer

import pytest
from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import Stopped
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Mixed, Move
from onlymove_tables.build import build_into
from onlymove_tables.open import user_folder
from onlymove_tui.cli import COMMANDS, cli, console, run
from onlymove_tui.cli.positions import HEADER, report_mixed

from tests.commands import give_input, install_games, replace_stream
from tests.heap_game import Heap, HeapAnalyst, heap_game, package_of, settle, with_analyst
from tests.tui.tiny_duel import tiny_duel

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return the heap game, which can be loaded by name and has a table."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    build_into(game, package_of(tmp_path))
    install_games(monkeypatch, game)
    return game


@pytest.fixture
def onlymove(heap: AnyGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command. It returns the exit code, the output and the error output."""

    def call(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        give_input(monkeypatch, stdin)
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_tsv_rows_follow_the_contract(onlymove: Run) -> None:
    code, out, err = onlymove("analyse", "heap", "-", "--format", "tsv", stdin=b"7 0\n\n6 1\r\n0 0\n")
    assert (code, err) == (0, "")
    assert out == HEADER + "7 0\twin\t5\t-\t2\t1\t1\n6 1\tloss\t4\t-\t2\t2\t1 2\n0 0\tloss\t0\t-\t0\t0\t-\n"


def test_a_bad_line_is_named_and_the_run_continues(onlymove: Run) -> None:
    code, out, err = onlymove("analyse", "heap", "-", "--format", "tsv", stdin=b"7 0\n\nrubbish \xff\n6 1")
    assert code == 2
    assert out.count("\n") == 3
    assert err.startswith("# error: 3: not a heap: rubbish")
    assert err.count("\n") == 1


def test_an_unreachable_position_is_refused(onlymove: Run, heap: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    class Narrow(HeapAnalyst):
        def is_reachable(self, position: Heap) -> bool:
            return position[0] != 5

    install_games(monkeypatch, with_analyst(heap, Narrow))
    code, out, err = onlymove("analyse", "heap", "5 0", "4 0", "--format", "tsv")
    assert code == 2
    assert out.splitlines()[1:] == ["4 0\twin\t3\t-\t2\t1\t1"]
    assert err == "# error: 1: unreachable: no game leads here\n"


@pytest.mark.parametrize("why", ["searched to depth 3", "this is not proven, but was searched to depth 3"])
def test_an_unsettled_position_does_not_take_the_others_along(
    onlymove: Run, heap: AnyGame, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    class Unsettled(HeapAnalyst):
        def summarise(self, positions: Sequence[Heap]) -> Iterable[Summary]:
            if (5, 0) in positions:
                raise LookupError(why)
            return super().summarise(positions)

    install_games(monkeypatch, with_analyst(heap, Unsettled))
    code, out, err = onlymove("analyse", "heap", "4 0", "5 0", "6 0", "--format", "tsv")
    assert code == 2
    assert [row[:3] for row in out.splitlines()[1:]] == ["4 0", "6 0"]
    assert err == f"# error: 2: {'' if 'not proven' in why else 'not proven: '}{why}\n"


@pytest.mark.parametrize("limit", [("--depth", "2"), ("--seconds", "3")])
@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_a_limited_search_gets_its_limit(
    onlymove: Run, heap: AnyGame, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str, limit: tuple[str, str]
) -> None:
    output: list[Budget] = []
    package_of(tmp_path).joinpath("heap.tbl").unlink()

    class Attentive(HeapAnalyst):
        def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
            output.append(budget)
            return super().analyse(position, budget)

    install_games(monkeypatch, with_analyst(heap, Attentive))
    free = onlymove("analyse", "heap", "4 0", "5 0", "--format", form)
    output.clear()
    assert onlymove("analyse", "heap", "4 0", "5 0", "--format", form, *limit) == free
    assert len(output) == 2, "each position has its own time"
    assert {budget.depth for budget in output} == {2 if limit[0] == "--depth" else None}
    assert all(budget.deadline is not None for budget in output)


def test_json_names_every_move(onlymove: Run) -> None:
    code, out, _ = onlymove("analyse", "heap", "4 0", "--format", "json")
    assert code == 0
    assert json.loads(out) == {
        "game": "heap",
        "position": "4 0",
        "over": False,
        "value": "win",
        "remoteness": 3,
        "score": None,
        "moves": [
            {"move": "1", "position": "3 1", "value": "win", "remoteness": 3, "score": None},
            {"move": "2", "position": "2 1", "value": "loss", "remoteness": 2, "score": None},
        ],
    }


def test_text_shows_the_board_and_the_moves(onlymove: Run) -> None:
    code, out, _ = onlymove("analyse", "heap", "4 0")
    assert code == 0
    assert "||||" in out
    assert "First to move: Win in 3 moves" in out
    assert "  Win in 3 moves   1\n" in out


def test_a_refused_table_is_one_line_and_the_answer_stays_the_same(onlymove: Run, tmp_path: Path) -> None:
    right = onlymove("analyse", "heap", "7 0", "--format", "tsv")[1]
    table = package_of(tmp_path) / "heap.tbl"
    table.write_bytes(table.read_bytes()[:-1])
    code, out, err = onlymove("analyse", "heap", "7 0", "--format", "tsv")
    assert (code, out) == (0, right)
    assert err.count("\n") == 1
    assert str(table) in err


@pytest.mark.parametrize(("depth", "paths"), [(0, 1), (1, 2), (3, 8), (12, 3797), (20, 1), (21, 0)])
def test_perft_counts_move_paths(onlymove: Run, depth: int, paths: int) -> None:
    assert onlymove("perft", "heap", str(depth)) == (0, f"{paths}\n", "")


def test_perft_from_a_position_as_json(onlymove: Run) -> None:
    _, out, _ = onlymove("perft", "heap", "2", "--from", "2 1", "--json")
    assert json.loads(out) == {"game": "heap", "position": "2 1", "depth": 2, "paths": 1}


def test_a_wrong_table_fails_verification_with_exit_code_one(
    onlymove: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert onlymove("tables", "verify", "heap", "--full")[0] == 0
    table = package_of(tmp_path) / "heap.tbl"
    data = bytearray(table.read_bytes())
    data[-1] ^= 1
    table.write_bytes(data)
    code, out, _ = onlymove("tables", "verify", "heap", "--json")
    assert code == 1
    assert json.loads(out)["ok"] is False
    *_, listed = json.loads(onlymove("tables", "list", "--json")[1])
    assert listed["game"] == "heap"
    assert listed["status"] == "refused"
    assert "damaged" in listed["why"]


def test_tables_are_built_where_they_are_found(onlymove: Run, tmp_path: Path) -> None:
    code, out, _ = onlymove("tables", "build", "heap", "--json")
    assert code == 0
    assert json.loads(out)["counts"] == {"positions": 21, "losses": 7}
    assert Path(json.loads(out)["file"]) == user_folder() / "heap.tbl"
    assert onlymove("tables", "build", "heap", "--out", str(tmp_path / "x.tbl"))[0] == 0
    assert (tmp_path / "x.tbl").is_file()
    assert not (tmp_path / "MANIFEST.toml").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("analyse",),
        ("analyse", "nogame"),
        ("analyse", "heap", "--format", "xml"),
        ("analyse", "heap", "--seconds", "nan"),
        ("analyse", "heap", "--seconds", "inf"),
        ("analyse", "heap", "--depth", "0"),
        ("perft", "heap", "-1"),
        ("perft", "heap", "2", "--from", "rubbish"),
        ("play", "heap", "--plain", "--seats", "human"),
        ("play", "heap", "--plain", "--seats", "human,engine:wild"),
        ("play", "heap", "--plain", "--seats", "human,exact@101"),
        ("play", "heap", "--plain", "--strength", "101"),
        ("play", "heap", "--plain", "--style", "wild"),
        ("play", "heap", "--plain", "--rule", "none"),
        ("play", "heap", "--plain", "--set", "size=9"),
        ("play", "heap", "--plain", "--from", "rubbish"),
        ("engine", "heap", "--protocol", "telepathy"),
        ("--profile", "../x", "locate"),
        ("--profile", "", "locate"),
        ("--guest", "--profile", "", "locate"),
        ("play", "heap", "--plain", "--profile", ""),
        ("play", "heap", "--plain", "--from", "4 0", "--set", "size=5"),
        ("play", "heap", "--plain", "--seats", "human,exact", "--strength", "50"),
        ("play", "heap", "--plain", "--seats", "human,human", "--style", "exact"),
        ("play", "heap", "--board"),
        ("review", "--step", "--html"),
        ("review", "--html", "--json"),
        ("review", "--board"),
        ("play", "heap"),
        ("tables",),
        (),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_two(onlymove: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = onlymove(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("onlymove: ")
    assert err.count("\n") == 1
    assert "…" not in err, "a page of help cut short"


def test_a_variable_that_nothing_reads_is_named(onlymove: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THEME", "PROFILE", "ROOMS", "TABLES", "KERNELS", "PROGRAM", "WORKER"):
        monkeypatch.setenv(f"ONLYMOVE_{name}", "")
    assert onlymove("games")[2] == ""
    monkeypatch.setenv("ONLYMOVE_ANIMATOIN", "off")
    code, out, err = onlymove("games")
    assert code == 0
    assert out
    assert err == ("onlymove: The variable ONLYMOVE_ANIMATOIN has no effect. Did you mean 'ONLYMOVE_ANIMATION'?\n")


def test_the_facts_of_a_game_are_words(onlymove: Run) -> None:
    _, out, _ = onlymove("games", "heap")
    rows = dict(line.split("  ", 1) for line in out.splitlines())
    assert rows["both sides move at once"].strip() == "no"
    assert rows["has a table"].strip() == "yes"
    assert not any("_" in name for name in rows)


def test_payoffs_are_printed_with_the_meaning_of_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    rows: dict[Move, dict[Move, float]] = {"a": {"a": 1.0, "b": -1e-9}, "b": {"a": 0.5, "b": 0.0}}
    shares: dict[Move, float] = {"a": 0.5, "b": 0.5}
    report_mixed(tiny_duel(), Mixed(0.0, (shares, shares), rows, exact=True))
    out = capsys.readouterr().out
    assert "Rows: Even. Columns: Odd. Percentages: how often in best play." in out
    assert "-0.00" not in out


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("analyze",), "analyse"),
        (("tables", "bild"), "build"),
        (("perft", "haep"), "heap"),
        (("games", "HEAP2"), "heap"),
        (("perft", "heap", "2", "--form", "6 0"), "--from"),
        (("play", "heap", "--plain", "--style", "exakt"), "exact"),
        (("play", "heap", "--plain", "--seats", "human,randm"), "random"),
        (("match", "heap", "--first", "exat@80", "--second", "random"), "exact"),
        (("engine", "heap", "--style", "exat"), "exact"),
        (("engine", "heap", "--protocol", "uci"), "ugi"),
    ],
)
def test_a_typing_error_gets_a_suggestion(onlymove: Run, arguments: tuple[str, ...], meant: str) -> None:
    code, out, err = onlymove(*arguments)
    assert (code, out) == (2, "")
    assert f"'{meant}'" in err.partition("Did you mean ")[2], err


def test_an_empty_position_is_refused(onlymove: Run) -> None:
    assert onlymove("analyse", "heap", " ") == (2, "", "onlymove: A POSITION is empty.\n")


def test_a_depth_below_zero_is_no_option(onlymove: Run) -> None:
    output = (2, "", "onlymove: Invalid value for 'DEPTH': -1 is not in the range x>=0.\n")
    assert onlymove("perft", "heap", "-1") == output
    assert onlymove("perft", "heap", "--json", "-1") == output
    assert "No such option '-x'" in onlymove("perft", "heap", "-x")[2]


class Terminal(StringIO):
    """A terminal that keeps what it is sent."""

    def isatty(self) -> bool:
        return True


class Never(Timer):
    """A timer that never fires."""

    def start(self) -> None: ...

    def join(self, timeout: float | None = None) -> None: ...


class AtOnce(Never):
    """A timer that fires at once."""

    def start(self) -> None:
        self.function()


@pytest.mark.parametrize("timer", [AtOnce, Never])
def test_a_bar_appears_before_the_work_has_reported_anything(
    monkeypatch: pytest.MonkeyPatch, timer: type[Timer]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    replace_stream(monkeypatch, "stderr", output := Terminal())
    goes_off = timer is AtOnce
    with console.show_progress(timer) as report:
        assert ("getting ready" in output.getvalue()) is goes_off
        report("solving", 0.5)
    assert ("solving" in output.getvalue()) is goes_off


def test_a_setting_on_the_command_line_says_where_it_comes_from(onlymove: Run) -> None:
    code, out, _ = onlymove("--ascii", "config", "--json")
    assert code == 0
    assert json.loads(out)["settings"]["ascii"] == "on"
    assert json.loads(out)["origins"]["ascii"] == "--ascii"
    assert json.loads(out)["origins"]["strength"] == "default"


def test_locate_lists_folders_and_creates_none(onlymove: Run, tmp_path: Path) -> None:
    _, out, _ = onlymove("locate", "--json")
    found = json.loads(out)
    assert {"settings", "games", "shipped_tables", "unpacked_tables", "kernels"} <= found.keys()
    assert not Path(found["settings"]).exists()


def test_the_help_of_every_command_agrees_with_the_list(onlymove: Run) -> None:
    _, listed, _ = onlymove("--help")
    for name, (_, line) in COMMANDS.items():
        assert line.split()[0] in listed
        code, out, err = onlymove(name, "--help")
        assert (code, err) == (0, ""), name
        assert out.startswith(f"Usage: onlymove {name}")
        assert "..." not in out.partition("\nCommands:")[2], f"{name}: a sentence is cut short"


def test_every_command_knows_the_version(onlymove: Run) -> None:
    output = onlymove("--version")
    assert output[1].startswith("onlymove ")
    assert all(onlymove(name, "--version") == output for name in COMMANDS)


def test_the_flags_of_the_app_may_follow_play(onlymove: Run) -> None:
    before = onlymove("--ascii", "--plain", "play", "heap", "--from", "6 0", "--seed", "1", stdin=b"1\n1\n1\n")
    after = onlymove("play", "heap", "--plain", "--ascii", "--from", "6 0", "--seed", "1", stdin=b"1\n1\n1\n")
    assert before == after
    assert before[0] == 0
    assert "Second wins." in before[1]


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        (("--from", "6 0"), "First: you. Second: engine"),
        (("--from", "6 1"), "First: engine, Exact 100. Second: you"),
        (("--from", "6 1", "--seats", "human,engine"), "First: you. Second: engine"),
        ((), "First: you. Second: engine"),
        (("--seats", "human,engine", "--strength", "40"), "First: you. Second: engine, Exact 40"),
        (("--seats", "engine:exact@80, random"), "First: engine, Exact 80. Second: engine, Random"),
    ],
)
def test_without_a_chosen_side_the_player_is_to_move(onlymove: Run, arguments: tuple[str, ...], seats: str) -> None:
    assert seats in onlymove("play", "heap", "--plain", *arguments)[1]


def test_commands_that_print_facts_can_print_json() -> None:
    context = cli.make_context("onlymove", [], resilient_parsing=True)
    for name in ("analyse", "perft", "games", "config", "locate", "prove"):
        command = cli.get_command(context, name)
        assert command is not None
        assert any("--json" in parameter.opts for parameter in command.params), name


def test_a_position_that_cannot_be_valued_does_not_end_the_run(
    onlymove: Run, heap: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(HeapAnalyst):
        def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
            if position == (5, 0):
                raise Stopped("out of time")
            return super().analyse(position, budget)

    install_games(monkeypatch, with_analyst(heap, Slow))
    code, out, err = onlymove("analyse", "heap", "5 0", "4 0", "--json")
    assert (code, err) == (2, "# error: 1: out of time\n")
    assert json.loads(out)["position"] == "4 0"


def test_without_a_position_the_start_is_valued(onlymove: Run) -> None:
    assert onlymove("analyse", "heap", "--format", "tsv")[1].splitlines()[1].startswith("20 0\twin\t13")
