"""Hosts of protocols: what a program is asked, and what its answers mean."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.protocols.host import Allowance, Host
from onlymove_engines.protocols.ugi import Ugi, UgiHost

from tests.heap_game import HeapAnalyst, heap_game


def make_host(*lines: str, seed: int = 5) -> tuple[UgiHost, list[str]]:
    """Return a host of a heap of 20 that has heard these lines, and what it sent."""
    host = UgiHost(heap_game(), heap_game().default_start(), 1, seed)
    return host, [*host.begin(Allowance()), *(line for heard in lines for line in host.hear(heard))]


def test_a_program_is_greeted_and_waited_for() -> None:
    host, output = make_host("id name Some Engine", "option name Hash type spin default 16", "ugiok")
    assert output == ["ugi", "uginewgame", "isready"]
    assert host.name == "Some Engine"
    assert not host.ready
    host.hear("readyok")
    assert host.ready


@pytest.mark.parametrize(
    ("limits", "seed", "expected"), [("min 0 max 9", 7, 7), ("min 0 max 9", 1 << 60, 6), ("", 1 << 60, 0), ("", 7, 7)]
)
def test_a_program_that_takes_a_seed_gets_one_that_it_can_take(limits: str, seed: int, expected: int) -> None:
    _, output = make_host(f"option name Seed type spin default 0 {limits}", "ugiok", seed=seed)
    assert output == ["ugi", f"setoption name Seed value {expected}", "uginewgame", "isready"]


@pytest.mark.parametrize(
    ("allowance", "limits"),
    [
        (Allowance(nodes=500), "nodes 500"),
        (Allowance(seconds=0.25), "movetime 250"),
        (Allowance(seconds=0.0), "movetime 1"),
        (Allowance(nodes=9, seconds=1.0), "nodes 9 movetime 1000"),
        (Allowance(bank=10.0, increment=0.2), "p2time 10000 p2inc 200"),
        (Allowance(bank=0.5), "p2time 500 p2inc 0"),
    ],
    ids=str,
)
def test_limits_are_written_as_go_expects_them(allowance: Allowance, limits: str) -> None:
    host, _ = make_host()
    assert host.ask(Session(heap_game()), allowance)[-1] == f"go {limits}"


def test_the_whole_game_is_sent() -> None:
    game = heap_game()
    session: AnySession = Session(game, (7, 1))
    host = UgiHost(game, (7, 1), 1, 0)
    assert host.ask(session, Allowance(1))[0] == "position fen 7 1"
    session.play(2)
    session.play(1)
    assert host.ask(session, Allowance(1))[0] == "position fen 7 1 moves 2 1"
    assert make_host()[0].ask(Session(game), Allowance(1))[0] == "position startpos"


def test_only_bestmove_is_an_answer() -> None:
    session: AnySession = Session(heap_game())
    host, _ = make_host()
    host.ask(session, Allowance(1))
    for line in ("info depth 3 pv 1 2", "info string bestmove 1", "", "thinking..."):
        host.hear(line)
        assert host.answer is None, line
    host.hear("bestmove 2 ponder 1")
    assert host.move(session) == 2
    host.ask(session, Allowance(1))
    assert host.answer is None, "an answer is for one question"


@pytest.mark.parametrize("answer", ["", "(none)", "e2e4", "9", "\x1b[2J"])
def test_what_is_no_move_is_refused(answer: str) -> None:
    host, _ = make_host()
    host.hear(f"bestmove {answer}")
    with pytest.raises(BadNotation):
        host.move(Session(heap_game()))


def test_an_illegal_move_is_distinguished_from_nonsense() -> None:
    host, _ = make_host()
    host.hear("bestmove 2")
    with pytest.raises(IllegalMove):
        host.move(Session(heap_game(), (1, 0)))


def test_both_ends_of_ugi_understand_each_other() -> None:
    """A host and our own end of the protocol play a whole game."""
    game = heap_game()
    session: AnySession = Session(game)
    speaker = Ugi(game, HeapAnalyst(None), lambda: 0.0, lambda: False)
    host = UgiHost(game, session.position, 0, 3)

    def carry(lines: list[str]) -> None:
        while lines:
            lines += [back for reply in speaker.replies(lines.pop(0)) for back in host.hear(reply)]

    carry([*host.begin(Allowance())])
    assert host.ready
    while not session.is_over:
        carry([*host.ask(session, Allowance(nodes=100))])
        session.play(host.move(session))
    assert session.result is not None


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games()])
def test_every_game_can_be_played_by_programs(game_id: str) -> None:
    """Programs play games with alternating moves over UGI. For a game with simultaneous moves, its package has a
    host."""
    game = games.load(game_id)
    for factory in game.play.hosts.values() if game.play.hosts else (UgiHost,):
        host: Host = factory(game, game.default_start(), 0, 1)
        assert host.ask(Session(game), Allowance(nodes=5, seconds=1.0)), game_id
    assert game.play.hosts or not game.facts.simultaneous, f"{game_id} can be asked in no protocol"
