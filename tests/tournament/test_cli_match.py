"""`onlymove match`: its JSON object, its line, its records, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from traceback import walk_stack
from typing import Any

import pytest
from onlymove.tournament.contestants import Limits
from onlymove.tournament.journal import Journal
from onlymove.tournament.match import AHEAD, Standing, play_match
from onlymove.tournament.referee import Plan, common_tags
from onlymove.tournament.workers import LocalPool, WorkerPool, open_pool
from onlymove_engines.core.budget import MAX_LIMIT
from onlymove_tui.cli import match, run
from onlymove_tui.cli.console import raise_on_signal
from onlymove_tui.cli.positions import analyse_command

Run = Callable[..., tuple[int, str, str]]
KEYS = "game first second games wins draws losses score elo elo_error sprt seconds timeouts faults lost_pairs"
SMALL_FIELD = f"8 8 {','.join('.' * 25)},0,.,.,.,.,1,{','.join('.' * 33)}"
MATCH = ("match", "pokemon", "--first", "practical", "--second", "random", "--games")


@pytest.fixture
def onlymove(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command line and returns its exit code, stdout and stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        return run(arguments), *capfd.readouterr()

    return call


def test_a_match_is_printed_as_json_saved_as_records_and_reviewed(onlymove: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.txt"
    code, output, err = onlymove(*MATCH, "3", "--out", str(out), "--sprt", "0,400", "--json")
    facts: dict[str, Any] = json.loads(output)
    assert (code, err) == (0, "onlymove: Rounded up to 4 games (played in pairs).\n")
    assert list(facts) == KEYS.split()
    assert facts["games"] == facts["wins"] + facts["draws"] + facts["losses"] == 4, "pairs are whole"
    assert (facts["first"], facts["second"]) == ("practical", "random")
    assert (facts["timeouts"], facts["faults"], facts["lost_pairs"]) == (0, 0, 0)
    assert facts["sprt"]["decision"] is None
    code, reviewed, _ = onlymove("review", str(out), "--json")
    assert (code, len(reviewed.splitlines())) == (0, 4)
    out.write_text(out.read_text().rstrip()[:-3])
    code, line, output = onlymove(*MATCH, "4", "--out", str(out))
    moved = f"'{out}': moved what does not count to '{out}.bak': line 1: a game of pair 2 without its result"
    assert (code, output) == (0, f"onlymove: {moved}.\n")
    assert line.startswith(f"practical against random: {facts['wins']} won, {facts['draws']} drawn")


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("--second", "nobody"), "nobody"),
        (("--second", "practical@101"), "practical@101"),
        (("--executor", "local:0"), "local:N"),
        (("--nodes", "5", "--seconds", "1"), "Use only one of --nodes, --seconds and --clock"),
        (("--clock", "10"), "is not valid. Write it like 10+0.2"),
        (("--clock", "-1+0"), "is not valid. Write it like 10+0.2"),
        (("--sprt", "5"), "is not valid. Write it like 0,10"),
        (("--sprt", "5,5"), "E1 must be the larger"),
        (("--sprt", "0,10000"), "each number from -1000 to 1000"),
        (("--sprt", "-200000,0"), "each number from -1000 to 1000"),
        (("--clock", f"{'9' * 40}+0"), "each time from 0 to 86400"),
        (("--seconds", "nan"), "nan is not a valid time"),
        (("--seconds", "3000000"), "0.001<=x<=86400"),
        (("--executor", "local:²"), "local:N"),
        (("--rule", "gambling"), "no house rule 'gambling'"),
        (("--rule", "gambling", "--adjudicate", "3"), "The table ignores house rules"),
        (("--from", "nowhere"), "nowhere"),
        (("--out", "/dev/null/x"), "/dev/null/x"),
    ],
)
def test_an_impossible_match_is_refused_in_one_line(onlymove: Run, arguments: tuple[str, ...], output: str) -> None:
    code, out, err = onlymove(*MATCH, "2", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert output in err


def test_a_limit_beyond_all_searches_fits_where_kernels_count() -> None:
    huge = "1" + 20 * "0"
    match_given = ["pokemon", "--first", "random", "--second", "random", "--nodes", huge]
    assert match.match_command.make_context("match", match_given).params["nodes"] == MAX_LIMIT
    assert analyse_command.make_context("analyse", ["pokemon", "--depth", huge]).params["depth"] == MAX_LIMIT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "pairs"),
    [
        (Plan("pokemon", ("practical@70", "fastest@30"), seed=3), 10),
        (Plan("lightriders", ("engine@70", "smab"), Limits(nodes=100), seed=3, start=SMALL_FIELD), 3),
    ],
    ids=lambda given: given.game if isinstance(given, Plan) else "",
)
def test_games_are_the_same_on_one_and_two_processes_and_when_one_is_killed(
    tmp_path: Path, plan: Plan, pairs: int
) -> None:
    """This starts six processes. Each opens a table or loads kernels, which takes seconds."""

    def play_records(name: str, where: str, kill: bool = False) -> bytes:
        journal = Journal(tmp_path / name, plan, common_tags(plan))
        with open_pool(where) as pool:

            def kill_one(standing: Standing) -> None:
                if kill and standing.games == 4 and isinstance(pool, LocalPool):
                    for process in list(pool.processes.values())[:1]:
                        process.kill()

            standing = play_match(plan, pairs, pool, journal, watcher=kill_one)
        assert standing.lost_pairs == 0
        return (tmp_path / name).read_bytes()

    whole = play_records("one", "local:1")
    assert play_records("two", "local:2") == whole
    assert play_records("killed", "local:2", kill=True) == whole


def to_the_process(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


def to_another_thread(number: signal.Signals) -> None:
    """Send a signal to this thread once the main thread waits for a game. The system wakes only the thread that gets
    the signal."""
    main = threading.main_thread().ident
    assert main is not None

    def deliver() -> None:
        names = [""]
        while not (names[0] == "wait" and "wait_for_game" in names):
            names = [frame.f_code.co_name for frame, _ in walk_stack(sys._current_frames()[main])]
        signal.pthread_kill(threading.get_ident(), number)

    threading.Thread(target=deliver).start()


def test_every_line_about_a_match_counts_who_lost_by_time_or_a_fault() -> None:
    plan = Plan("pokemon", ("practical", "cmd:bot"))
    standing = Standing((0, 0, 0, 0, 3), ((3, 0, 0), (3, 0, 0)), timeouts=(0, 1), faults=(0, 2))
    expected = "practical against cmd:bot: 6 won, 0 drawn, 0 lost; cmd:bot lost 1 on time; cmd:bot lost 2 by a fault"
    assert match.result_words(plan, standing) == expected
    assert match.summary(plan, standing, None).startswith(f"{expected}; 100.0 %; ")


def test_a_match_with_a_game_that_no_process_survives_says_so_and_fails(
    onlymove: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deadly(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(EOFError("was ended by signal 9"))
            return future

    monkeypatch.setattr("onlymove.tournament.match.open_pool", lambda _: nullcontext(WorkerPool(Deadly(), 1)))
    why = "could not be played: 3 processes died in it, the last one: was ended by signal 9"
    told = "".join(f"onlymove: game {number} of pair 1 {why}.\n" for number in (1, 2))
    code, output, errors = onlymove(*MATCH, "2", "--json")
    facts = json.loads(output)
    assert (code, errors.lower()) == (1, told)
    assert (facts["games"], facts["lost_pairs"]) == (0, 1)
    code, output, errors = onlymove(*MATCH, "2")
    assert (code, errors.lower()) == (1, told)
    assert output == "practical against random: 0 won, 0 drawn, 0 lost; 1 pair could not be played\n"
    assert onlymove(*MATCH, "4")[1].endswith("; 2 pairs could not be played\n")


class Ended(Executor):
    """Plays two games at once. A signal comes when the next one would be started."""

    def __init__(self, send: Callable[[], None]) -> None:
        self.send = send
        self.games = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.games += 1
        if self.games <= 2:
            future.set_result(fn(*args, **kwargs))
        elif self.games == AHEAD + 2:
            self.send()
        return future


@pytest.fixture
def _accept_interrupts() -> Iterator[None]:
    """Make interrupts work. A shell that starts the tests in the background may have them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_accept_interrupts")
@pytest.mark.parametrize("send", [to_the_process, to_another_thread])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_match_that_is_ended_from_outside_says_how_far_it_came(
    onlymove: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    number: signal.Signals,
    code: int,
    send: Callable[[signal.Signals], None],
) -> None:
    out, before = tmp_path / "games.txt", signal.getsignal(number)
    monkeypatch.setattr(
        "onlymove.tournament.match.open_pool", lambda _: nullcontext(WorkerPool(Ended(partial(send, number)), 1))
    )
    ended, output, errors = onlymove(*MATCH, "10", "--out", str(out))
    assert (ended, output) == (code, "")
    assert errors.startswith("onlymove: Stopped, practical against random: "), errors
    assert errors.endswith(f" lost. To continue, use --out {out}\n"), errors
    assert signal.getsignal(number) == before
    assert len(out.read_text().split("[Game ")) == 3, "the pair that was complete is kept"


@pytest.mark.usefixtures("_accept_interrupts")
def test_an_interrupt_that_is_ignored_stops_nothing() -> None:
    """This is so in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with raise_on_signal():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
