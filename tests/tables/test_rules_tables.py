"""Tables made from the rules alone are written completely or not at all, verified, proved, and made at first use."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from onlymove_engines.coach.solution_page import write_page
from onlymove_engines.core.analysis import Tell, alternating, ignore_line, ignore_report
from onlymove_engines.core.errors import MissingTable, OutdatedTable, RefusedRules
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.solution import Kind
from onlymove_engines.core.value import Draw, Loss, Margin, Win
from onlymove_engines.search import rules_solver
from onlymove_laws import law
from onlymove_tables import background, lock
from onlymove_tables.build import build_into, build_table, pack_table, solver_of
from onlymove_tables.digest import rules_sources, source_digest
from onlymove_tables.file_format import read_header, read_manifest
from onlymove_tables.open import (
    checked_header,
    find_counted,
    open_game,
    open_table,
    solving_file,
    user_folder,
)
from onlymove_tables.solution import count_rules_table
from onlymove_tables.verify import Argument, find_differences, sample_findings, verify_table
from onlymove_tui.cli import run
from onlymove_tui.cli.tables import describe_table

from tests.amounts import limit_values
from tests.commands import install_games
from tests.heap_game import settle
from tests.reference.purse_game import PurseRules, RankedAnalyst, count_lead, purse_game, read_points
from tests.small_games import MuTorere, Words, game_of, mu_torere, tic_tac_toe

ROOT = Path(__file__).parents[2]
OUTCOMES = ("win", "draw", "loss")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return Mū Tōrere, with new folders."""
    settle(tmp_path, monkeypatch)
    return mu_torere()


def list_leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".building"))


def test_a_table_from_the_rules_is_found_opened_and_right(game: AnyGame) -> None:
    assert not open_game(game).note, "a game that is nothing but its rules needs no table"
    with pytest.raises(MissingTable):
        open_table(game)
    build_into(game, user_folder())
    opened = open_game(game)
    analyst, note = opened.analyst, opened.note
    assert not note
    assert alternating(analyst).probe(game.default_start()) == Draw()
    assert list(verify_table(game, full=True)) == []
    assert list_leftovers(user_folder()) == ["MANIFEST.toml", "torere.solution.json", "torere.tbl"]


def test_every_wrong_entry_is_found(game: AnyGame) -> None:
    solver = solver_of(game)
    sections, derived = solver.build(), solver.derive()
    for name, section in sections.items():
        changed = np.array(section)
        changed[len(changed) // 2] ^= changed.dtype.type(1)
        (found,) = find_differences(solver, {**sections, name: changed}, derived)
        assert f": {name} is stored as" in found


def test_a_draw_is_proved_by_a_strategy_for_each_side(game: AnyGame) -> None:
    build_into(game, user_folder())
    argument = Argument(game, time.perf_counter)
    output = list(argument.lines())
    assert "First does not lose" in " ".join(output)
    assert "Second does not lose" in " ".join(output)
    assert len(argument.strategies) == 2


class Chain:
    """One move at a time, until the player who makes the last one wins."""

    def __init__(self, length: int) -> None:
        self.length = length

    def to_move(self, position: int) -> int:
        return position % 2

    def legal_moves(self, position: int) -> Sequence[int]:
        return [0] if position < self.length else []

    def play(self, position: int, move: int) -> int:
        return position + 1

    def result(self, position: int) -> Result | None:
        return Result(1 - position % 2) if position == self.length else None


@pytest.mark.slow
def test_forty_thousand_forced_moves_are_solved_verified_and_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(tmp_path, monkeypatch)
    rules = Chain(40_000)
    game = game_of("chain", rules, 0, Words(rules, str, int))
    build_into(game, user_folder())
    assert alternating(open_game(game).analyst).analyse(0).value == Loss(40_000)
    output = " ".join(" ".join(Argument(game, time.perf_counter).lines()).split())
    assert (
        "No line is longer than 40000 moves. This proves the value of the start: Second wins in 40000 moves." in output
    )


class OtherRules(MuTorere):
    """The same rules, written in another file."""


def change_rules(game: AnyGame, rules: MuTorere | None = None) -> AnyGame:
    """Return Mū Tōrere with rules of this file."""
    return dataclasses.replace(game, rules=OtherRules() if rules is None else rules)


class BrokenRules(MuTorere):
    def play(self, position: Any, move: Any) -> Any:
        return 1 // 0


def test_a_change_of_the_meaning_outdates_a_table(game: AnyGame) -> None:
    entry = build_into(game, user_folder())
    names = [path.name for path in rules_sources(game)]
    assert "small_games.py" in names
    assert "literal_game.py" in names, "what it imports of its own package counts, too"
    changed = change_rules(game)
    assert source_digest(changed) != entry.digest
    with pytest.raises(OutdatedTable, match="built for other rules"):
        checked_header(changed, user_folder() / entry.file)


def test_of_the_engines_only_the_rule_for_repetition_decides_a_table(game: AnyGame) -> None:
    """A change in `core/game.py`, or anywhere else in the engines, leaves the tables that players built valid."""
    of_engines = [path.name for path in rules_sources(game) if "onlymove_engines" in path.parts]
    assert of_engines == ["repetition.py"]
    assert "repetition.py" not in [path.name for path in rules_sources(tic_tac_toe())]


PACKAGE = {
    "__init__.py": "from . import picture, rules\nfrom .rules import START\nstart = lambda *_: START\n",
    "rules.py": "from .board import SIZE\nSTART = SIZE\ndef play(position, move): ...\n",
    "board.py": "import os\nSIZE = 3\n",
    "picture.py": "from . import rules\n",
}


def test_a_changed_picture_does_not_outdate_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in PACKAGE.items():
        (tmp_path / "a_small_game").mkdir(exist_ok=True)
        (tmp_path / "a_small_game" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    package = importlib.import_module("a_small_game")
    game = dataclasses.replace(mu_torere(), rules=package.rules, notation=package.rules, start=package.start)
    names = {path.name for path in rules_sources(game) if path.parent.name == "a_small_game"}
    assert names == {"__init__.py", "rules.py", "board.py"}


KILLED = """
import multiprocessing, os, signal, sys
from pathlib import Path
from onlymove_tables import build, file_format
from onlymove_engines.search import rules_graph
from tests.small_games import mu_torere

step, turn, jobs = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
calls = 0

def counted(name, function):
    def call(*arguments, **options):
        global calls
        calls += name == step
        if name == step and calls == turn:
            print(*(child.pid for child in multiprocessing.active_children()), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

rules_graph.CHUNK = 100
for owner, name in ((os, "fsync"), (os, "replace"), (os, "fdopen"), (build, "lay_out"), (build, "compress")):
    setattr(owner, name, counted(name, getattr(owner, name)))
build.build_into(mu_torere(), Path(sys.argv[1]), jobs, report=counted("report", lambda *_: None))
"""


MOMENTS = [("report", 3), ("fsync", 3), ("replace", 2), ("lay_out", 1), ("compress", 1)]
MOMENTS += [moment for moment in product(("fdopen", "fsync", "replace"), (1, 2, 3)) if moment not in MOMENTS]
"""The moments at which building is killed: while positions are found, and while each of the three files (list, counts,
table) is written."""


def build_until_killed(folder: Path, step: str, turn: int, jobs: int = 1) -> str:
    """Build in a process that kills itself before it takes this step for the given time. Return the ids of its
    workers."""
    code = [sys.executable, "-c", textwrap.dedent(KILLED), str(folder), step, str(turn), str(jobs)]
    done = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
    return done.stdout


@pytest.mark.parametrize("moment", limit_values(MOMENTS, 3), ids=str)
def test_a_build_that_is_killed_leaves_nothing_half_and_starts_again(game: AnyGame, moment: tuple[str, int]) -> None:
    folder = user_folder()
    folder.mkdir(parents=True)
    build_until_killed(folder, *moment)
    assert not background.has_table(game)
    assert not (folder / "torere.tbl").exists()
    assert find_counted(game) is None
    build_into(game, folder)
    assert list(verify_table(game, full=True)) == []
    assert list_leftovers(folder) == ["MANIFEST.toml", "torere.solution.json", "torere.tbl"]


def test_the_processes_of_a_build_that_is_killed_end(game: AnyGame) -> None:
    user_folder().mkdir(parents=True)
    workers = list(map(int, build_until_killed(user_folder(), "report", 5, jobs=3).split()))
    assert len(workers) == 3
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        time.sleep(0.01)


@pytest.mark.usefixtures("_small_disk")
def test_a_full_disk_is_reported_in_one_line(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_games(monkeypatch, game)
    assert run(("tables", "build", game.id, "--jobs", "1")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"onlymove: '{user_folder()}")
    assert line.endswith("': File too large.")
    assert list_leftovers(user_folder()) == []


def test_too_many_positions_are_reported_in_one_line(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_games(monkeypatch, game)
    assert run(("tables", "build", game.id, "--jobs", "2", "--max-positions", "1000")) == 2
    assert capsys.readouterr().err == "onlymove: Torere has more than 1,000 positions.\n"
    assert run(("tables", "build", game.id, "--jobs", "2", "--max-positions", "1180", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["positions"] == 1180


def test_the_contents_are_counted_for_the_solution_page(game: AnyGame) -> None:
    assert find_counted(game) is None
    build_into(game, user_folder())
    solution, counts = find_counted(game), read_manifest(user_folder())["torere"].counts
    assert solution is not None
    assert (solution.start, solution.first_moves) == ("D", {"a": "D", "d": "D"})
    assert (solution.positions, solution.finished) == (counts["positions"], counts["finished"])
    assert solution.outcomes == {name: counts[f"{name}es" if name == "loss" else f"{name}s"] for name in OUTCOMES}
    analyst, named = alternating(open_game(game).analyst), solution.named[Kind.LONGEST_WIN]
    assert named.figure == counts["longest_win"] == len(solution.line)
    assert analyst.probe(game.notation.parse_position(named.positions[0])) == Win(named.figure)
    page = write_page(game, solution)
    assert "A game can lead to 1,180 positions." in page
    assert "The longest win takes 5 moves." in page
    path = user_folder() / "torere.solution.json"
    path.write_text(path.read_text().replace(solution.digest, "0" * 64))
    assert find_counted(game) is None, "counted in another table"


@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_points_is_verified_and_counted(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(tmp_path, monkeypatch)
    game = purse_game(Random(seed))
    facts = dataclasses.replace(game.facts, id="purse", has_margin=True)
    game = dataclasses.replace(game, facts=facts, play=dataclasses.replace(game.play, points=read_points))
    build_into(game, user_folder())
    assert list(verify_table(game, full=True)) == []
    solution, analyst = find_counted(game), RankedAnalyst(game, count_lead)
    assert solution is not None
    assert isinstance(game.rules, PurseRules)
    reached = set(list_reachable(game))
    analyses = [analyst.analyse(position) for position in reached if game.rules.legal_moves(position)]
    margins = [value.margin or 0 for analysis in analyses if (value := analysis.value) and isinstance(value, Margin)]
    assert solution.positions == len(reached)
    assert solution.outcomes == {
        "win": sum(margin > 0 for margin in margins),
        "draw": margins.count(0),
        "loss": sum(margin < 0 for margin in margins),
    }
    chosen = [analysis for analysis in analyses if len(analysis.moves) > 1]
    assert (solution.choices, solution.only_moves) == (
        len(chosen),
        sum(len(one.list_good_moves()) == 1 for one in chosen),
    )
    assert "counting the points still to come" in " ".join(write_page(game, solution).split())


def test_a_wrong_result_in_a_game_with_points_is_found_without_a_margin() -> None:
    """The margins of the children do not count what the moves capture."""
    game = purse_game(Random(1))
    facts = dataclasses.replace(game.facts, has_margin=True)
    game = dataclasses.replace(game, facts=facts, play=dataclasses.replace(game.play, points=read_points))
    sections = rules_solver.RulesSolver(game).build()
    sections["margins"] = -sections["margins"] - 1
    findings = list(sample_findings(game, sections, ignore_report))
    assert findings
    assert all(finding.split()[-1] in ("W", "D", "L") for finding in findings), findings


def list_reachable(game: AnyGame) -> Iterator[Any]:
    """Yield every position that a game leads to."""
    ahead: list[Any] = [game.default_start()]
    found = set(ahead)
    while ahead:
        position = ahead.pop()
        yield position
        after = {game.rules.play(position, move) for move in game.rules.legal_moves(position)} - found
        found |= after
        ahead += after


def test_a_sample_of_a_large_table_is_counted(game: AnyGame) -> None:
    solver = rules_solver.RulesSolver(game)
    header, _, sections = pack_table(game, solver, 1, ignore_report)
    solution = count_rules_table(solver, header, sections, most=1000, sample=500)
    assert (solution.one_in, solution.positions) == (3, 394)
    page = " ".join(write_page(game, solution).split())
    assert "The figures are for one position in 3: 394 positions." in page


def test_too_little_memory_is_reported_in_one_line(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class EndlessNotation(Words):
        def format_position(self, position: Any) -> str:
            raise MemoryError

    install_games(monkeypatch, dataclasses.replace(game, notation=EndlessNotation(game.rules, str, str)))
    assert run(("tables", "build", game.id, "--jobs", "1")) == 2
    assert capsys.readouterr().err == "onlymove: Torere does not fit into the memory that this process may use.\n"


def test_a_build_reports_positions_rate_and_memory(game: AnyGame) -> None:
    output: list[str] = []
    build_into(game, user_folder(), report=lambda what, _: output.append(what))
    assert re.fullmatch(r"1 positions, [\d,]+ a second, [\d,]+ MB", output[0])
    assert output[-2:] == ["packing", "counting positions"]


def test_a_table_can_be_written_to_a_file(game: AnyGame, tmp_path: Path) -> None:
    entry = build_table(game, tmp_path / "torere.tbl")
    assert entry.counts["positions"] == 1180
    assert not user_folder().exists()


def install_game(game: AnyGame) -> AnyGame:
    """Return the game as if an installed package contained it."""
    return dataclasses.replace(game, facts=dataclasses.replace(game.facts, package="tests"))


def solve_here(game: AnyGame, tell: Tell = ignore_line, **limits: Any) -> list[str]:
    """Solve the game in this process, as at its first use. Return the ids of what was solved."""
    solved: list[str] = []

    def start(path: Path, module: str, game_id: str) -> None:
        assert (module, game_id) == (background.__name__, game.id)
        solved.append(game_id)
        background.solve(game, **limits)

    assert background.wait_for_table(game, tell=tell, start=start)
    return solved


@pytest.fixture
def _solving(game: AnyGame) -> Iterator[None]:
    """Let a process seem to be solving the game."""
    solving_file(game).parent.mkdir(parents=True)
    with lock.hold_if_free(solving_file(game)):
        yield


def test_a_small_game_is_solved_once_at_its_first_use(game: AnyGame) -> None:
    game = install_game(game)
    assert solve_here(game) == ["torere"]
    assert read_manifest(user_folder())["torere"].counts["draws"] == 844
    assert solve_here(game) == []


def outdate_table(game: AnyGame) -> None:
    """Build the user's table of a game, and give it the digest of other rules."""
    entry = build_into(game, user_folder())
    path = user_folder() / entry.file
    header, offset = read_header(path)
    path.write_bytes(dataclasses.replace(header, digest="0" * 64).to_bytes() + path.read_bytes()[offset:])


def test_an_outdated_table_is_built_again_and_reported_once(game: AnyGame) -> None:
    game = install_game(game)
    outdate_table(game)
    output: list[str] = []
    assert solve_here(game, output.append) == ["torere"]
    path = user_folder() / "torere.tbl"
    assert output == [f"{path}: it was built for other rules, and has been built again"]
    assert not open_game(game).note
    assert solve_here(game, output.append) == []
    assert len(output) == 1


@pytest.mark.usefixtures("_solving")
def test_nobody_waits_for_a_large_table_that_is_built_again(game: AnyGame) -> None:
    """The player built it without a limit, so the limits of games that nobody asked to solve do not count."""
    game = install_game(game)
    outdate_table(game)
    assert background.wait_for_table(game, stop=lambda: True, small=1000)
    path = user_folder() / "torere.tbl"
    assert open_game(game).note == f"{path}: it was built for other rules, and is being built again"
    background.solve(game, small=1000, max_seconds=-1.0)
    assert not open_game(game).note


def test_an_outdated_table_that_cannot_be_built_again_says_why(game: AnyGame) -> None:
    build_into(game, user_folder())
    game = install_game(change_rules(game, BrokenRules()))
    assert solve_here(game) == ["torere"]
    with pytest.raises(RefusedRules, match="torere: its rules raised an error: ZeroDivisionError"):
        open_game(game)
    assert solve_here(game) == []


def test_an_outdated_table_of_a_game_with_a_solver_is_built_again(heap: AnyGame) -> None:
    outdate_table(heap)
    assert solve_here(heap) == ["heap"]
    assert not open_game(heap).note


def test_a_game_that_is_too_large_is_tried_once_with_the_reason(game: AnyGame) -> None:
    game = install_game(game)
    assert solve_here(game, small=1000) == ["torere"]
    assert solve_here(game) == []
    line = "torere has more than 1,000 positions. To solve it anyway, run `onlymove tables build torere`"
    assert open_game(game).note == line
    game = change_rules(game)
    assert not open_game(game).note, "with other rules it is tried again"
    assert solve_here(game) == ["torere"]


def test_a_game_with_slow_rules_is_given_up(game: AnyGame) -> None:
    game = install_game(game)
    assert solve_here(game, max_seconds=-1.0) == ["torere"]
    line = open_game(game).note
    assert line is not None
    assert "would take more than -1 seconds to solve" in line


def test_rules_that_fail_are_not_tried_again(game: AnyGame) -> None:
    game = install_game(change_rules(game, BrokenRules()))
    assert solve_here(game) == ["torere"]
    line = "torere: its rules raised an error: ZeroDivisionError('integer division or modulo by zero')"
    with pytest.raises(RefusedRules, match=re.escape(line)):
        open_game(game)
    assert solve_here(game) == []


@pytest.mark.usefixtures("_solving")
def test_a_player_need_not_wait_for_the_solver(game: AnyGame) -> None:
    assert not background.wait_for_table(install_game(game), stop=lambda: True)


def test_a_table_that_cannot_be_stored_is_reported(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    output: list[str] = []
    monkeypatch.setattr(background, "user_folder", lambda: Path("relative"))
    assert background.wait_for_table(install_game(game), tell=output.append)
    assert output == ["torere will not be solved, because its table cannot be stored: there is no home folder"]


def test_games_with_tables_of_their_own_are_left_alone(heap: AnyGame) -> None:
    assert not background.is_to_be_solved(install_game(heap))
    assert not background.is_to_be_solved(tic_tac_toe()), "of no package: another process could not find it"


def test_a_table_solved_on_this_machine_counts_as_a_table(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_games(monkeypatch, game)
    found = []
    for _ in range(2):
        assert run(("games", game.id, "--json")) == 0
        found.append(json.loads(capsys.readouterr().out)["table"])
        build_into(game, user_folder())
    assert found == [False, True]


def test_a_list_of_tables_says_how_to_get_a_missing_one(game: AnyGame) -> None:
    assert describe_table(game)["why"] == "found no table of torere; build it with `onlymove tables build torere`"


def test_a_source_that_is_gone_is_named(game: AnyGame) -> None:
    build_into(game, user_folder())
    game = install_game(dataclasses.replace(game, solved=dataclasses.replace(game.solved, digest_sources=("gone.py",))))
    line = "digest_sources of torere names gone.py, but tests does not have that file"
    assert open_game(game).note == line
    assert describe_table(game)["why"] == line
    (user_folder() / "torere.tbl").unlink()
    assert solve_here(game) == [], "nobody solves it in vain"
    assert open_game(game).note == line


def test_laws_do_not_search_a_game_whose_rules_failed(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    game = install_game(change_rules(game, BrokenRules()))
    install_games(monkeypatch, game)
    solve_here(game)
    with pytest.raises(RefusedRules, match="torere: its rules raised an error: ZeroDivisionError"):
        law.find_shared_analyst.__wrapped__(game.id)
