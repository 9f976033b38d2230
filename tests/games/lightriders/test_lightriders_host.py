"""The host of the competition's protocol: what a program is sent, and how its answers are read."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.games.lightriders.protocol import RiddlesHost
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.protocols.host import Allowance

GAME = games.load("lightriders")


def field(text: str) -> AnySession:
    """Return a game that begins with this position."""
    return Session(GAME, GAME.notation.parse_position(text))


def read_answer(session: AnySession, seat: int, word: str) -> str:
    """Return the step that a program's answer means."""
    host = RiddlesHost(GAME, session.node.path()[0].position, seat, 0)
    host.ask(session, Allowance(bank=1.0))
    host.hear(word)
    step = host.move(session)
    assert isinstance(step, str)
    return step


def test_the_settings_come_first_and_are_not_answered() -> None:
    host = RiddlesHost(GAME, GAME.start({}, 4), 1, 0)
    output = host.begin(Allowance(bank=10.0, increment=0.2))
    assert host.ready
    assert output == (
        "settings timebank 10000",
        "settings time_per_move 200",
        "settings player_names player0,player1",
        "settings your_bot player1",
        "settings your_botid 1",
        "settings field_width 16",
        "settings field_height 16",
    )


def test_seconds_a_move_are_a_bank_that_is_full_before_every_move() -> None:
    output = RiddlesHost(GAME, GAME.start({}, 4), 0, 0).begin(Allowance(seconds=0.5))
    assert output[:2] == ("settings timebank 500", "settings time_per_move 500")


def test_every_round_tells_the_field_and_the_bank() -> None:
    session = field("4 4 0,.,.,.,.,.,.,.,.,.,.,.,.,.,.,1")
    host = RiddlesHost(GAME, session.position, 0, 0)
    session.play(("r", "l"))
    assert host.ask(session, Allowance(bank=9.5)) == (
        "update game round 1",
        "update game field x,0,.,.,.,.,.,.,.,.,.,.,.,.,1,x",
        "action move 9500",
    )


def test_its_first_word_is_its_answer() -> None:
    session = field("4 4 .,.,.,.,.,0,.,.,.,.,.,.,.,.,.,1")
    host = RiddlesHost(GAME, session.position, 0, 0)
    host.ask(session, Allowance(bank=1.0))
    host.hear("up")
    host.hear("down")
    assert host.move(session) == "u"


def test_passing_and_turning_back_go_straight_on() -> None:
    session = field("5 5 .,.,.,.,.,.,.,.,.,.,.,0,.,1,.,.,.,.,.,.,.,.,.,.,.")
    assert read_answer(session, 0, "pass") == "r"
    assert read_answer(session, 1, "pass") == "l"
    assert read_answer(session, 0, "left") == "l", "in the first round nobody has a direction yet"
    session.play(("u", "d"))
    assert read_answer(session, 0, "down") == "u"
    assert read_answer(session, 1, "up") == "d"
    assert read_answer(session, 1, "pass") == "d"


def test_steering_into_an_occupied_cell_is_no_move() -> None:
    session = field("3 3 0,.,.,x,.,.,.,.,1")
    for word in ("up", "left", "down"):
        with pytest.raises(IllegalMove, match="leads into a wall"):
            read_answer(session, 0, word)


@pytest.mark.parametrize("word", ["north", "UP", "u", "up down", "0"])
def test_an_unknown_direction_is_nonsense(word: str) -> None:
    with pytest.raises(BadNotation, match="a direction is up, down, left, right or pass"):
        read_answer(field("3 3 0,.,.,.,.,.,.,.,1"), 0, word)


def test_a_rider_that_can_only_crash_is_not_asked() -> None:
    session = field("3 3 0,x,.,x,.,.,.,.,1")
    host = RiddlesHost(GAME, session.position, 0, 0)
    assert host.ask(session, Allowance(bank=1.0)) == ()
    assert host.move(session) == "x"
