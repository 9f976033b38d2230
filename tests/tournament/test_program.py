"""Other programs play: what they do wrong loses their game and nothing else, and nothing of them goes on running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from onlymove_engines import games
from onlymove_engines.core.rules import Result
from onlymove_engines.play.session import Session
from onlymove_tui.tournament import child as child_module
from onlymove_tui.tournament import fair_clock
from onlymove_tui.tournament.child import Child
from onlymove_tui.tournament.contestant import NO_LIMITS, Fault, FaultKind, Limits
from onlymove_tui.tournament.processes import is_readable, marked
from onlymove_tui.tournament.program import BadProgram, Program, host_factory, read_command
from onlymove_tui.tournament.referee import Finished, Referee, Terms

from tests.heap_game import heap_game

from .bots import bot, child
from .contestants import Scripted

HEAP = heap_game()
MOVE_SECONDS = Limits(seconds=0.1)
COMPUTES = "[0 for _ in range(10 ** 7)]; print(flush=True)"
LAST_MOMENT = 10.0
"""Seconds in which the system has removed a killed process; far more than a busy one needs."""
SLEEPER = "import time; time.sleep(1000)"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other processes are looked for and timed on Linux only")


@pytest.fixture(autouse=True)
def _nobody_has_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_clock, "WALL_SLACK", 0.5)
    monkeypatch.setattr(child_module, "GRACE", 0.2)


def played(
    command: Sequence[str], limits: Limits = MOVE_SECONDS, start_seconds: float = 20.0, heap: int = 20
) -> Finished:
    """A game in which the program begins."""
    program = Program("program", command, limits, start_seconds)
    finished = Referee(HEAP, (heap, 0), (program, Scripted()), Terms()).conduct((1, 2))
    assert not running(program), "something of the program is still there"
    return finished


def running(program: Program) -> list[int]:
    """The processes of a program, wherever they went; what has been killed gets a moment to go."""
    given_up = time.monotonic() + LAST_MOMENT
    while is_readable() and (left := marked(program.mark)):
        if time.monotonic() > given_up:
            return left
        time.sleep(0.01)
    return []


def fault_of(finished: Finished) -> tuple[FaultKind, str]:
    """How the program lost."""
    assert list(finished.faults) == [0]
    assert finished.result.winner == 1
    return finished.faults[0].kind, finished.faults[0].text


def test_an_honest_program_plays_to_the_end() -> None:
    finished = played(bot())
    assert not finished.faults
    assert finished.line.here.ply == 20
    assert finished.result == Result(1)
    assert finished.identities == ("Honest? Bot 1.2", "scripted 1")
    assert played(bot(), Limits(bank=1.0, increment=0.1)).result == Result(1)
    assert played(bot(), Limits(nodes=10)).result == Result(1)
    assert played(bot(), NO_LIMITS).result == Result(1)


BURN = "burn(30)"
TIMEOUTS = {
    "hangs": bot("time.sleep(1000)"),
    "computes too long": bot(BURN),
    "is deaf to signals": bot("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"),
    "lets another process compute": bot(f"{child('while True: pass')}; time.sleep(1000)"),
    "goes on talking": bot("[(say('info depth 1'), time.sleep(0.01)) for _ in range(10000)]"),
}


@pytest.mark.parametrize("command", TIMEOUTS.values(), ids=TIMEOUTS)
def test_who_does_not_answer_in_time_loses(command: Sequence[str]) -> None:
    began = time.monotonic()
    kind, _ = fault_of(played(command))
    assert kind is FaultKind.TIMEOUT
    assert time.monotonic() - began < 20


@on_linux
@pytest.mark.parametrize(
    "command",
    [
        bot("burn(0.5); say('bestmove 1')"),
        bot(f"{child(COMPUTES)}.wait(); say('bestmove 1')"),
        bot(f"{child(COMPUTES + '; ' + SLEEPER, ', stdout=subprocess.PIPE')}.stdout.read(1); say('bestmove 1')"),
        bot("threads = [threading.Thread(target=burn, args=(0.5,))]; threads[0].start(); say('bestmove 1')"),
    ],
    ids=["by itself", "in another process", "in one that is not waited for", "while the other side is to move"],
)
def test_cpu_time_counts_wherever_it_is_used(command: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_clock, "WALL_SLACK", 30.0)
    program = Program("program", command, MOVE_SECONDS)
    slow = Scripted()
    slow.seconds = 0.4
    finished = Referee(HEAP, HEAP.default_start(), (program, slow), Terms()).conduct((1, 2))
    kind, text = fault_of(finished)
    assert kind is FaultKind.TIMEOUT
    assert text == "more than 0.10 s of CPU time used"
    assert program.clock == "cpu"


def test_who_never_becomes_ready_loses() -> None:
    kind, text = fault_of(played(bot(at_start="time.sleep(1000)"), start_seconds=0.3))
    assert (kind, text) == (FaultKind.TIMEOUT, "not ready after 0.3 s")


CRASHES = {
    "leaves": (bot("sys.exit(3)"), "ended with exit code 3"),
    "fails": (bot("raise RuntimeError('no more moves')"), "ended with exit code 1: RuntimeError: no more moves"),
    "colours its last words": (bot("sys.exit('\\x1b[31mno\\rmoves')"), "ended with exit code 1: ?[31mno?moves"),
    "is killed": (bot("os.kill(os.getpid(), signal.SIGKILL)"), "was ended by signal 9"),
    "closes its output": (bot("os.close(1); time.sleep(1000)"), "closed its output"),
    "does not begin": (bot(at_start="sys.exit('no licence')"), "ended with exit code 1: no licence"),
    "is no program": (("/nowhere/engine",), "ended with exit code 127"),
}


@pytest.mark.parametrize(("command", "told"), CRASHES.values(), ids=CRASHES)
def test_who_ends_loses_and_it_is_said_how(command: Sequence[str], told: str) -> None:
    kind, text = fault_of(played(command))
    assert kind is FaultKind.CRASH
    assert text.startswith(told)


@pytest.mark.parametrize("answer", ["bestmove banana", "bestmove", "bestmove (none)", "bestmove \\x1b[2J"])
def test_what_is_no_move_is_nonsense(answer: str) -> None:
    kind, text = fault_of(played(bot(f'say("{answer}")')))
    assert kind is FaultKind.NONSENSE
    assert text.isprintable()


def test_a_move_that_is_not_allowed_is_illegal() -> None:
    kind, text = fault_of(played(bot("say('bestmove 2')"), heap=1))
    assert (kind, text) == (FaultKind.ILLEGAL, "'2': cannot take 2")


FLOODS = {"in lines": (1, "info\\n"), "without end": (1, "info"), "of complaints": (2, "info\\n")}


@pytest.mark.parametrize(("pipe", "what"), FLOODS.values(), ids=FLOODS)
def test_a_flood_is_not_kept(pipe: int, what: str) -> None:
    kind, text = fault_of(played(bot(f"[os.write({pipe}, b'{what}' * 10000) for _ in range(10000)]")))
    assert (kind, text) == (FaultKind.FLOOD, "wrote more than 20000 lines or 4 MiB before an answer")


def test_who_never_reads_is_not_waited_for() -> None:
    """Its pipe is full before it has been told everything."""
    program = Child((sys.executable, "-I", "-S", "-c", SLEEPER))
    began = time.monotonic()
    program.say(["x" * 1000] * 1000, began + 0.3)
    assert program.hear(began + 0.4) is None
    program.end(["quit"])
    assert time.monotonic() - began < 5


def test_a_deadline_may_be_as_far_away_as_it_likes() -> None:
    program = Child((sys.executable, "-I", "-S", "-c", SLEEPER))
    program.say(["x"], time.monotonic() + 1e9)
    program.end()


LEFT_BEHIND = {
    "a child": bot(f"{child(SLEEPER)}; say('bestmove 1')"),
    "a child in a session of its own": bot(f"{child(SLEEPER, ', start_new_session=True')}; say('bestmove 1')"),
    "one that ignores every request": bot(
        at_start="signal.signal(signal.SIGTERM, signal.SIG_IGN)", at_end="time.sleep(1000)"
    ),
}


@pytest.mark.parametrize("command", LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_nothing_is_left_behind(command: Sequence[str]) -> None:
    """`played` looks."""
    assert not played(command, Limits(bank=5.0)).faults


@on_linux
def test_a_program_ends_with_the_process_that_runs_it() -> None:
    """A worker that is killed cannot end what it has started."""
    code = (
        "import time; from onlymove_tui.tournament.child import Child; import sys;"
        f"c = Child([sys.executable, '-I', '-S', '-c', {SLEEPER!r}]); print(c.mark, flush=True); time.sleep(1000)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        mark = worker.stdout.readline().strip()
        assert marked(mark)
        worker.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while marked(mark) and time.monotonic() < until:
        time.sleep(0.02)
    assert not marked(mark), "the program goes on without anybody"


def test_the_next_game_begins_anew() -> None:
    """A program that failed is started again."""
    program = Program("program", bot("sys.exit(3)"), MOVE_SECONDS)
    pids = set()
    for _ in range(2):
        program.begin(HEAP, HEAP.default_start(), 0, 1)
        pids.add(program.pid)
        with pytest.raises(Fault, match="exit code 3"):
            program.choose(Session(HEAP), 0)
        program.end()
        program.end()
    assert len(pids) == 2
    assert all(not os.path.exists(f"/proc/{pid}") for pid in pids)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "needs a command line"),
        ("  ", "needs a command line"),
        ("'unfinished", "not a command line"),
        ("/nowhere/engine --fast", "no program '/nowhere/engine' is found here"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(text: str, told: str) -> None:
    with pytest.raises(BadProgram, match=told):
        read_command(text)


def test_a_command_line_is_read_as_a_shell_reads_it() -> None:
    assert read_command("sh -c 'exec engine --a b'") == ("sh", "-c", "exec engine --a b")


@pytest.mark.parametrize("game_id", [card.id for card in games.title_cards()])
def test_there_is_a_protocol_for_every_game(game_id: str) -> None:
    game = games.load(game_id)
    host_factory(game)(game, game.default_start(), 0, 0)
