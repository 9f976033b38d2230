"""Matches: the same games on every pool, continued after any cut, and none lost with a worker."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from onlymove.tournament import referee
from onlymove.tournament.contestants import NO_LIMITS, Limits
from onlymove.tournament.journal import FileInUse, Journal, OtherMatch
from onlymove.tournament.match import Standing, play_match
from onlymove.tournament.referee import Plan, common_tags
from onlymove.tournament.statistics import Sprt
from onlymove.tournament.workers import ForeignWorker, WorkerPool
from onlymove_engines import __version__, games
from onlymove_engines.core.analysis import Tell, ignore_line
from onlymove_engines.records.record import parse_records

pytestmark = pytest.mark.usefixtures("_tiny_is_installed")

PLAN = Plan("tiny", ("best@40", "random"), seed=5)
PAIRS = 4
GONE = "cmd:false"


class Unlucky(Executor):
    """Plays at once, in the order of submission, and loses the worker at these submissions."""

    def __init__(self, *lost: int) -> None:
        self.lost = lost
        self.asked = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.asked in self.lost:
            future.set_exception(EOFError("gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        self.asked += 1
        return future


def run_match(
    path: Path | None = None,
    *lost: int,
    plan: Plan = PLAN,
    pairs: int = PAIRS,
    sprt: Sprt | None = None,
    width: int = 2,
    tell: Tell = ignore_line,
) -> Standing:
    with closing(Journal(path, plan, common_tags(plan))) as journal:
        journal.resume()
        return play_match(plan, pairs, WorkerPool(Unlucky(*lost), width), journal, sprt, tell=tell)


def test_a_match_is_pairs_of_games_with_sides_swapped(tmp_path: Path) -> None:
    standing = run_match(tmp_path / "m")
    records = parse_records((tmp_path / "m").read_text(), games.load)
    assert len(records) == standing.games == sum(standing.pairs) * 2 == 2 * PAIRS
    names = [(record.tags["First"], record.tags["Second"]) for record in records]
    assert names == [PLAN.players, PLAN.players[::-1]] * PAIRS
    assert {record.tags["FirstProgram"] for record in records[::2]} == {f"onlymove {__version__} best@40"}
    assert {record.tags["SecondProgram"] for record in records[::2]} == {f"onlymove {__version__} random"}
    assert [record.tags["Pair"] for record in records] == [str(n // 2 + 1) for n in range(2 * PAIRS)]
    results = [record.tree.result for record in records]
    wins = sum(result is not None and result.winner == number % 2 for number, result in enumerate(results))
    assert standing.results[0] == wins


def test_every_farm_plays_the_same_match(tmp_path: Path) -> None:
    run_match(tmp_path / "one", width=1)
    journal = Journal(tmp_path / "many", PLAN, common_tags(PLAN))
    with ThreadPoolExecutor(3) as pool:
        play_match(PLAN, PAIRS, WorkerPool(pool, 3), journal)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "many").read_bytes()


def test_another_seed_plays_another_match(tmp_path: Path) -> None:
    texts = set()
    for seed in range(2):
        run_match(tmp_path / f"{seed}", plan=replace(PLAN, seed=seed))
        records = parse_records((tmp_path / f"{seed}").read_text(), games.load)
        texts.add(tuple(str([node.move for node in record.tree.here.path()]) for record in records))
    assert len(texts) == 2


def test_a_match_resumes_wherever_it_was_cut(tmp_path: Path) -> None:
    whole = run_match(tmp_path / "m")
    text = (tmp_path / "m").read_bytes()
    for cut in [*range(0, len(text), 61), len(text) - 1]:
        (tmp_path / "m").write_bytes(text[:cut])
        assert run_match(tmp_path / "m") == whole
        assert (tmp_path / "m").read_bytes() == text, f"cut after {cut} bytes"


def test_a_longer_match_begins_with_the_shorter_one(tmp_path: Path) -> None:
    run_match(tmp_path / "long", pairs=PAIRS)
    run_match(tmp_path / "short", pairs=2)
    assert (tmp_path / "long").read_bytes().startswith((tmp_path / "short").read_bytes())
    assert run_match(tmp_path / "long", pairs=2) == run_match(tmp_path / "short", pairs=2)


@pytest.mark.parametrize("change", [{"seed": 6}, {"limits": Limits(nodes=9)}, {"max_plies": 3}])
def test_the_file_of_another_match_is_refused_and_left_alone(tmp_path: Path, change: dict[str, Any]) -> None:
    run_match(tmp_path / "m", pairs=1)
    text = (tmp_path / "m").read_text()
    with pytest.raises(OtherMatch, match="another match"):
        run_match(tmp_path / "m", plan=replace(PLAN, **change))
    assert (tmp_path / "m").read_text() == text
    (tmp_path / "m").write_text("dear diary\n")
    with pytest.raises(OtherMatch, match="not a match file"):
        run_match(tmp_path / "m")
    assert (tmp_path / "m").read_text() == "dear diary\n"


def test_two_matches_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with closing(Journal(path, PLAN, common_tags(PLAN))) as journal:
        journal.resume()
        with pytest.raises(FileInUse, match="another match is writing"):
            run_match(path)
        assert path.read_text() == ""
    run_match(path)
    assert path.read_text()


def test_a_match_that_was_killed_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "m"
    script = "import sys; from onlymove_tables import lock; from pathlib import Path"
    script += "; lock.hold(Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(FileInUse):
            run_match(path)
        other.kill()
    run_match(path, pairs=1)


def test_a_game_whose_worker_was_lost_is_played_again(tmp_path: Path) -> None:
    whole = run_match(tmp_path / "whole")
    assert run_match(tmp_path / "unlucky", 0, 3, 5) == whole
    assert (tmp_path / "unlucky").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_game_that_no_worker_survives_costs_its_pair_and_no_more(tmp_path: Path) -> None:
    """Its pair does not count, but the other game of the pair stays in the file."""
    # Submissions 0 to 3 are the first four games, 4 is the fifth, and 5 and 6 the second again.
    whole = run_match(tmp_path / "whole", width=1)
    told: list[str] = []
    standing = run_match(tmp_path / "m", 1, 5, 6, width=1, tell=told.append)
    assert told == ["game 2 of pair 1 could not be played: 3 processes died in it, the last one: gone"]
    assert (standing.lost_pairs, sum(standing.pairs)) == (1, PAIRS - 1)
    records = (tmp_path / "whole").read_text().split("[Game ")
    assert (tmp_path / "m").read_text().split("[Game ") == [*records[:2], *records[3:]]
    assert run_match(tmp_path / "m") == whole, "only the lost game is played when the match continues"
    assert (tmp_path / "m").read_text().split("[Game ") == [*records[:2], *records[3:], records[2]]


def test_a_decided_test_ends_the_match_at_the_same_pair_on_every_farm(tmp_path: Path) -> None:
    sprt = Sprt(-400, 0)
    standings = {run_match(tmp_path / f"{width}", pairs=100, sprt=sprt, width=width) for width in (1, 5)}
    (standing,) = standings
    assert sum(standing.pairs) < 100
    assert sprt.decision(standing.pairs) == "H1"
    assert (tmp_path / "1").read_bytes() == (tmp_path / "5").read_bytes()
    assert run_match(tmp_path / "1", pairs=100, sprt=sprt) == standing, "nothing is played on"


def test_a_result_made_with_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Foreign(Unlucky):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            other: Future[Any] = Future()
            other.set_result(re.sub(r'(?<=\[Referee ")[^"]*', "onlymove 0.0.1", future.result()))
            return other

    with pytest.raises(ForeignWorker, match=r"0\.0\.1"):
        play_match(PLAN, 1, WorkerPool(Foreign(), 1), Journal(None, PLAN, {}))


@pytest.mark.parametrize(
    ("second", "limits", "is_told"),
    [
        (GONE, NO_LIMITS, True),
        (GONE, Limits(nodes=5), False),
        (GONE, Limits(seconds=1.0), True),
        ("random", NO_LIMITS, False),
        ("random", Limits(bank=1.0), True),
    ],
)
def test_a_record_of_a_timed_match_names_the_kind_of_time(second: str, limits: Limits, is_told: bool) -> None:
    """A program without a limit that its protocol can send has the protocol's usual one, and can lose by it."""
    (record,) = parse_records(referee.play(Plan("tiny", ("random", second), limits), 0), games.load)
    assert ("Clocks" in record.tags) == is_told
