"""Matches with other programs. A fault loses only that program's game, and nothing of a program keeps running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from onlymove.tournament.contestants import (
    NO_LIMITS,
    WALL_SLACK,
    BadProgram,
    Limits,
    Program,
    host_factory,
    read_command,
)
from onlymove.tournament.processes import Child, Fault, FaultKind, Patience, find_marked, is_readable, read_usage
from onlymove.tournament.referee import Finished, Plan, conduct
from onlymove_engines import games
from onlymove_engines.core.rules import Result
from onlymove_engines.core.text import is_harmless
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import Record, format_record

from tests.heap_game import heap_game

from .bots import bot, child, orphan
from .contestants import Scripted

HEAP = heap_game()
PLAN = Plan("heap", ("first", "second"))
MOVE_SECONDS = Limits(seconds=0.1)
PLENTY = Limits(seconds=1000.0)
"""More time than any machine needs for these tests."""
FOR_EVER = 1000.0
SLEEPER = "import time; time.sleep(1000)"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other processes are looked for and timed on Linux only")


BRISK = Patience(FOR_EVER, leave=0.1, killed=FOR_EVER)
"""Kills what stays running soon, and waits for it. The system removes killed processes in its own time."""
PATIENT = Patience(FOR_EVER, FOR_EVER, FOR_EVER)


def play_game(
    command: Sequence[str],
    limits: Limits = PLENTY,
    patience: Patience = BRISK,
    slack: float = WALL_SLACK,
    heap: int = 20,
) -> Finished:
    """Play a game in which the program moves first."""
    program = Program(command, limits, patience, slack)
    finished = conduct(PLAN, HEAP, (heap, 0), (program, Scripted()), (1, 2))
    wait_for_the_end(program.mark)
    return finished


def wait_for_the_end(mark: str) -> None:
    """Wait until nothing of a program is left anywhere. The system removes killed processes in its own time."""
    while is_readable() and find_marked(mark):
        time.sleep(0.01)


def fault_of(finished: Finished) -> tuple[FaultKind, str]:
    """Return how the program lost."""
    assert list(finished.faults) == [0]
    assert finished.result.winner == 1
    return finished.faults[0].kind, finished.faults[0].text


def test_an_honest_program_plays_to_the_end() -> None:
    finished = play_game(bot())
    assert not finished.faults
    assert finished.tree.here.ply == 20
    assert finished.result == Result(1)
    assert finished.identities == ("Honest? Bot 1.2", "scripted 1")
    assert play_game(bot(), Limits(bank=1000.0, increment=0.1)).result == Result(1)
    assert play_game(bot(), Limits(nodes=10)).result == Result(1)
    assert play_game(bot(), NO_LIMITS).result == Result(1)


HOSTILE = "A\x1b]0;title\x07\x9b2J\x85\u202eB\u2028\u200bC\rD"


def test_nothing_that_a_program_says_controls_a_terminal() -> None:
    said = [f"id name {HOSTILE}", f"info string {HOSTILE}", f"option name {HOSTILE} type spin", HOSTILE]
    say_it = "; ".join(f"say({line!r})" for line in said)
    finished = play_game(bot(f"say('bestmove 1 {HOSTILE}')", at_start=say_it))
    tags = {"First": finished.identities[0], "FirstProgram": finished.identities[1]}
    output = format_record(Record(finished.tree, tags)) + fault_of(play_game(bot(f"say('bestmove {HOSTILE}')")))[1]
    assert is_harmless(output.replace("\n", " ")), output
    child = Child([sys.executable, "-c", f"import sys; sys.stdout.buffer.write({HOSTILE.encode()!r})"])
    assert child.hear(time.monotonic() + FOR_EVER) == "A?]0;title??2J ?B ?C D"
    child.end()


SPINNER = "while True: pass"
SLEEP = "time.sleep(1000)"
SLEEPERS = {
    "hangs": bot(SLEEP),
    "is deaf to signals": bot(f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"),
    "goes on talking": bot("[(say('info depth 1'), time.sleep(0.01)) for _ in range(10000)]"),
}


@pytest.mark.parametrize("command", SLEEPERS.values(), ids=SLEEPERS)
def test_a_program_that_never_answers_loses(command: Sequence[str]) -> None:
    kind, _ = fault_of(play_game(command, MOVE_SECONDS, slack=0.3))
    assert kind is FaultKind.TIMEOUT


SPINNERS = {
    "by itself": bot("burn(1000)"),
    "on another thread": bot(f"threading.Thread(target=burn, args=(1000,)).start(); {SLEEP}"),
    "in another process": bot(f"{child(SPINNER)}.wait()"),
    "in one that is not waited for": bot(f"{child(SPINNER)}; {SLEEP}"),
    "in a session of its own": bot(f"{child(SPINNER, ', start_new_session=True')}; {SLEEP}"),
    "in an orphan with an empty environment": bot(f"{orphan(SPINNER)}; {SLEEP}"),
}


@on_linux
@pytest.mark.parametrize("command", SPINNERS.values(), ids=SPINNERS)
def test_a_program_that_computes_for_ever_loses_by_cpu_time(command: Sequence[str]) -> None:
    kind, text = fault_of(play_game(command, MOVE_SECONDS))
    assert (kind, text) == (FaultKind.TIMEOUT, "used more than 0.10 s of CPU time")


@on_linux
def test_a_program_that_computes_on_the_opponents_turn_loses() -> None:
    """The program answers at once and goes on computing."""
    program = Program(bot(f"{child(SPINNER)}; say('bestmove 1')"), MOVE_SECONDS, BRISK)
    finished = conduct(PLAN, HEAP, HEAP.default_start(), (program, Ponderous(program)), (1, 2))
    kind, text = fault_of(finished)
    assert (kind, text) == (FaultKind.TIMEOUT, "used more than 0.10 s of CPU time")
    assert program.clock == "cpu"


class Ponderous(Scripted):
    """Moves once its opponent has used more CPU time than it has."""

    def __init__(self, opponent: Program) -> None:
        super().__init__()
        self.opponent = opponent

    def choose(self, session: AnySession, seat: Seat) -> Move:
        while read_usage(self.opponent.pid).cpu < 1.0:
            time.sleep(0.01)
        return super().choose(session, seat)


def test_a_program_that_never_becomes_ready_loses() -> None:
    kind, text = fault_of(play_game(bot(at_start=SLEEP), patience=BRISK._replace(start=0.3)))
    assert (kind, text) == (FaultKind.TIMEOUT, "was not ready after 0.3 s")


CRASHES = {
    "leaves": (bot("sys.exit(3)"), "ended with exit code 3"),
    "fails": (bot("raise RuntimeError('no more moves')"), "ended with exit code 1: RuntimeError: no more moves"),
    "colours its last words": (bot("sys.exit('\\x1b[31mno\\rmoves')"), "ended with exit code 1: ?[31mno moves"),
    "is killed": (bot("os.kill(os.getpid(), signal.SIGKILL)"), "was ended by signal 9"),
    "does not begin": (bot(at_start="sys.exit('no licence')"), "ended with exit code 1: no licence"),
    "is no program": (("/nowhere/engine",), "ended with exit code 127"),
}


@pytest.mark.parametrize(("command", "output"), CRASHES.values(), ids=CRASHES)
def test_a_program_that_exits_loses_with_the_reason(command: Sequence[str], output: str) -> None:
    kind, text = fault_of(play_game(command, patience=PATIENT))
    assert kind is FaultKind.CRASH
    assert text.startswith(output)


def test_a_program_that_closes_its_output_and_stays_loses() -> None:
    kind, text = fault_of(play_game(bot(f"os.close(1); {SLEEP}")))
    assert (kind, text) == (FaultKind.CRASH, "closed its output")


@pytest.mark.parametrize("answer", ["bestmove banana", "bestmove", "bestmove (none)", "bestmove \\x1b[2J"])
def test_an_answer_that_is_no_move_is_nonsense(answer: str) -> None:
    kind, text = fault_of(play_game(bot(f'say("{answer}")')))
    assert kind is FaultKind.NONSENSE
    assert text.isprintable()


def test_a_move_that_is_not_allowed_is_illegal() -> None:
    kind, text = fault_of(play_game(bot("say('bestmove 2')"), heap=1))
    assert (kind, text) == (FaultKind.ILLEGAL, "'2': cannot take 2")


FLOODS = {"in lines": (1, "info\\n"), "without end": (1, "info"), "of complaints": (2, "info\\n")}


@pytest.mark.parametrize(("pipe", "what"), FLOODS.values(), ids=FLOODS)
def test_a_flood_is_not_kept(pipe: int, what: str) -> None:
    kind, text = fault_of(play_game(bot(f"[os.write({pipe}, b'{what}' * 10000) for _ in range(10000)]")))
    assert (kind, text) == (FaultKind.FLOOD, "wrote more than 20000 lines or 4 MiB before an answer")


def test_a_program_that_never_reads_is_not_waited_for() -> None:
    """Its pipe is full before everything has been sent."""
    program = Child((sys.executable, "-I", "-S", "-c", SLEEPER), BRISK)
    program.say(["x" * 1000] * 1000)
    assert program.hear(time.monotonic() + 0.1) is None
    program.end(["quit"])


def test_a_program_that_reads_late_gets_every_line() -> None:
    """What did not fit into the pipe is sent while the program is listened to."""
    count = "import sys; [print(len(line), flush=True) for line in sys.stdin]"
    program = Child((sys.executable, "-I", "-S", "-c", count), BRISK)
    program.say(["x" * 1_000_000])
    program.say(["y"])
    assert [program.hear(time.monotonic() + FOR_EVER) for _ in range(2)] == ["1000001", "2"]
    program.end()


def test_a_deadline_may_be_arbitrarily_late() -> None:
    program = Child((sys.executable, "-I", "-S", "-c", "print(input())"), BRISK)
    program.say(["x"])
    assert program.hear(time.monotonic() + 1e9) == "x"
    program.end()


LEFT_BEHIND = {
    "a child": bot(f"{child(SLEEPER)}; say('bestmove 1')"),
    "a child in a session of its own": bot(f"{child(SLEEPER, ', start_new_session=True')}; say('bestmove 1')"),
    "one that ignores every request": bot(at_start="signal.signal(signal.SIGTERM, signal.SIG_IGN)", at_end=SLEEP),
}


@pytest.mark.parametrize("command", LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_nothing_is_left_behind(command: Sequence[str]) -> None:
    """`play_game` waits for the end of every process."""
    assert not play_game(command).faults


def report_and_sleep(path: Path) -> str:
    """Return the code of a process that writes its id into a file and sleeps."""
    return f"import os, time; open({str(path)!r}, 'w').write(f'{{os.getpid()}}\\n'); time.sleep(1000)"


def read_pid(path: Path) -> int:
    """Wait until a process has written its id."""
    while not path.exists() or not path.read_text().endswith("\n"):
        time.sleep(0.01)
    return int(path.read_text())


@on_linux
def test_a_process_without_parent_session_and_environment_ends_with_the_game(tmp_path: Path) -> None:
    wait = f"[time.sleep(0.01) for _ in iter(lambda: os.path.exists({str(tmp_path / 'pid')!r}), True)]"
    assert not play_game(bot(f"say('bestmove 1'); {wait}", at_start=orphan(report_and_sleep(tmp_path / "pid")))).faults
    assert not os.path.exists(f"/proc/{read_pid(tmp_path / 'pid')}")


@on_linux
def test_a_program_that_kills_what_runs_it_loses() -> None:
    kind, text = fault_of(play_game(bot(f"os.kill(os.getppid(), signal.SIGKILL); {SLEEP}"), patience=PATIENT))
    assert (kind, text) == (FaultKind.CRASH, "was ended by signal 9")


@on_linux
def test_everything_of_a_program_ends_with_the_process_that_runs_it(tmp_path: Path) -> None:
    """Even what has no parent, session or environment that leads to it."""
    program = f"import subprocess, sys, time; {orphan(report_and_sleep(tmp_path / 'pid'))}; {SLEEP}"
    code = "import sys, time; from onlymove.tournament.processes import Child;"
    code += f"child = Child([sys.executable, '-I', '-S', '-c', {program!r}]); {SLEEP}"
    with subprocess.Popen([sys.executable, "-c", code]) as worker:
        pid = read_pid(tmp_path / "pid")
        worker.send_signal(signal.SIGKILL)
    while os.path.exists(f"/proc/{pid}"):
        time.sleep(0.01)


@on_linux
def test_a_program_ends_with_the_process_that_runs_it() -> None:
    """A killed worker cannot end what it has started."""
    code = (
        "import time; from onlymove.tournament.processes import Child; import sys;"
        f"c = Child([sys.executable, '-I', '-S', '-c', {SLEEPER!r}]); print(c.mark, flush=True); time.sleep(1000)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        mark = worker.stdout.readline().strip()
        while not find_marked(mark):  # the environment of a process that has just been started is empty at first
            time.sleep(0.01)
        worker.send_signal(signal.SIGKILL)
    wait_for_the_end(mark)


def test_the_next_game_starts_fresh() -> None:
    """A program that failed is started again."""
    program = Program(bot("sys.exit(3)"), PLENTY, PATIENT)
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
    ("text", "output"),
    [
        ("", "give the command line"),
        ("  ", "give the command line"),
        ("'unfinished", "not a command line"),
        ("/nowhere/engine --fast", "there is no program '/nowhere/engine'"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(text: str, output: str) -> None:
    with pytest.raises(BadProgram, match=output):
        read_command(text)


def test_a_command_line_is_read_as_a_shell_reads_it() -> None:
    assert read_command("sh -c 'exec engine --a b'") == ("sh", "-c", "exec engine --a b")


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games()])
def test_there_is_a_protocol_for_every_game(game_id: str) -> None:
    game = games.load(game_id)
    host_factory(game)(game, game.default_start(), 0, 0)
