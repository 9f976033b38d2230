"""`engine` as a process: pipes, invalid input, a game's own protocol, and the change from that to UGI."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from onlymove_engines.core.errors import BadNotation
from onlymove_tui.cli import run
from onlymove_tui.cli.engine import MAX_WAITING, Listener

from tests.commands import give_input, install_games
from tests.heap_game import searched_heap_game

SPEAK = """
import sys
from onlymove_engines import games
from onlymove_tui.cli import run
from tests.heap_game import searched_heap_game

games.load = lambda name: searched_heap_game()
sys.exit(run(sys.argv[1:]))
"""
COMMAND = [sys.executable, "-c", SPEAK, "engine", "heap"]

Said = tuple[int, list[str], list[str]]
"""The exit code, and the lines of output and error output."""


class Echo:
    """A game's own protocol."""

    finished = handover = False

    def __init__(self, *_: object) -> None:
        pass

    def replies(self, line: str) -> Iterator[str]:
        if line == "ugi":
            self.handover = True
        elif line == "oops":
            raise BadNotation("no such word: oops")
        else:
            yield f"echo {line}"


def converse(text: str) -> Said:
    """Send `text` to an engine for the heap game in another process, and return all that it says."""
    done = subprocess.run(COMMAND, input=text.encode(), capture_output=True, check=False)
    out, err = (output.decode(errors="replace").splitlines() for output in (done.stdout, done.stderr))
    return done.returncode, out, err


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that does the same in this process. With `is_own`, the game has its own protocol."""

    def talk(text: str, *arguments: str, is_own: bool = False) -> Said:
        game = searched_heap_game()
        if is_own:
            game = dataclasses.replace(game, play=dataclasses.replace(game.play, protocols={"echo": Echo}))
        install_games(monkeypatch, game)
        give_input(monkeypatch, text)
        code = run(["engine", "heap", *arguments])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return talk


def test_a_whole_conversation_through_pipes() -> None:
    code, out, err = converse("ugi\nisready\nposition fen 7 0\ngo movetime 100\nquit\n")
    assert (code, err) == (0, [])
    assert out[-3:] == ["readyok", "info depth 5 score win 5 pv 1 1 2 1 2", "bestmove 1"]


def test_the_end_of_input_ends_the_program(talk: Callable[..., Said]) -> None:
    assert talk("") == (0, [], [])
    assert talk("go infinite\n")[0] == 0
    assert converse("\xff\x00 rubbish\nisready")[1][-1] == "readyok"


def test_a_closed_pipe_is_one_line() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.stdout.close()
        process.stdin.write(b"isready\nisready\n")
        process.stdin.flush()
        assert process.stderr.read() == b"onlymove: The other program closed the pipe.\n"
        assert process.wait() == 0


def test_stop_is_heard_while_an_infinite_search_waits() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"position fen 7 0\ngo infinite\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"info depth")
        time.sleep(0.1)
        process.stdin.write(b"stop\nquit\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"bestmove 1\n"
        assert process.wait() == 0


def test_a_stop_cuts_short_no_search_before_its_own(talk: Callable[..., Said]) -> None:
    text = "position fen 7 0\ngo infinite\nstop\ngo movetime 50\ngo infinite\nstop\nquit\n"
    assert talk(text)[1].count("bestmove 1") == 3
    heard = Listener()
    for number, line in enumerate(["go infinite", "isready", "go depth 3", "stop"], 1):
        heard.hear(number, line)
    stopped = []
    lines = heard.lines()
    for _ in range(4):
        next(lines)
        stopped.append(heard.is_stopped())
    assert stopped == [False, False, True, False]


def test_only_some_lines_wait_to_be_answered() -> None:
    listener, line, heard = Listener(), "x" * (MAX_WAITING // 4), []

    def hear() -> None:
        for number in range(20):
            heard.append(number)
            listener.hear(number, line)

    hearing = threading.Thread(target=hear, daemon=True)
    hearing.start()
    lines = listener.lines()
    for answered in range(20):
        assert len(heard) <= answered + 6, "four lines, one that is put there and one that waits"
        assert next(lines) == line
    hearing.join()


def test_a_games_own_dialect_comes_first_and_hands_over(talk: Callable[..., Said]) -> None:
    code, out, err = talk("hello\noops\nugi\nhello\n", is_own=True)
    assert code == 0
    assert out[0] == "echo hello"
    assert out[-2:] == ["ugiok", "info string unknown command: hello"]
    assert err == ["onlymove: No such word: oops."]


def test_a_protocol_without_styles_suggests_one_with_styles(talk: Callable[..., Said]) -> None:
    code, out, err = talk("", "--style", "exact", is_own=True)
    assert (code, out, err) == (2, [], ["onlymove: Protocol 'echo' has no styles: --protocol ugi does."])
    code, out, err = talk("", "--style", "rude", is_own=True)
    assert (code, out, err) == (2, [], ["onlymove: Heap has no style 'rude'; choose from exact."])


@pytest.mark.parametrize("is_own", [False, True])
def test_ugi_can_be_asked_for_by_name(talk: Callable[..., Said], is_own: bool) -> None:
    assert talk("isready\n", "--protocol", "ugi", is_own=is_own)[1] == ["readyok"]
