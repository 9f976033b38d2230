"""`onlymove meet` finds a game for a player who asks for one against a person."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from onlymove_engines.core.errors import OnlymoveError
from onlymove_tui.cli import run
from onlymove_tui.cli.meet import NoChallenge, Waiter, ask_for_code, find_own_game, poll_lines
from onlymove_tui.lobby import lobby
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.presence import ALIVE_SECONDS

from tests.commands import give_input
from tests.lobby.lobbies import GAMES, Time, begin_game, forge_challenge, make_terms, show_all_alive

TINY = GAMES["tiny"]


def look_in_turn(*waiters: Waiter) -> list[str | None]:
    """Let the players look in turn a few times. Return the ids of their games, or `None` for those that still wait."""
    for _ in range(6):
        begun_at = [waiter.place.challenge_id if waiter.look() else None for waiter in waiters]
        waiters[0].lobby.clock.now += 1.0  # type: ignore[attr-defined]
    return begun_at


def test_the_first_player_waits_for_the_second_and_both_resume_their_game(ada: Lobby, bob: Lobby) -> None:
    first = Waiter(ada, TINY)
    first.look()
    assert isinstance(Waiter(bob, GAMES["duel"]).place, OpenChallenge), "that is another game"
    second = Waiter(bob, TINY)
    assert isinstance(second.place, JoinedChallenge)
    assert first.wait([None]) == second.wait([None]) == first.place.challenge_id
    assert find_own_game(ada, TINY) == find_own_game(bob, TINY) == first.place.challenge_id


def test_when_two_players_come_at_once_the_later_one_joins_the_other(ada: Lobby, bob: Lobby) -> None:
    first = Waiter(ada, TINY)
    OpenChallenge.open(bob, make_terms()).close()
    second = Waiter(bob, TINY)
    assert isinstance(second.place, OpenChallenge)
    assert look_in_turn(first, second) == [min(first.place.challenge_id, second.place.challenge_id)] * 2


def test_a_waiting_command_joins_a_player_who_waits_on_a_screen(ada: Lobby, bob: Lobby, clock: Time) -> None:
    first = Waiter(ada, TINY)
    clock.now += 0.5
    opened = OpenChallenge.open(bob, make_terms())
    for _ in range(10):
        clock.now += 1.0
        opened.look()
        first.look()
    assert first.look()
    assert first.place.challenge_id == opened.challenge_id


def test_after_a_dead_or_closed_challenge_the_player_opens_another(ada: Lobby, bob: Lobby, clock: Time) -> None:
    gone = OpenChallenge.open(ada, make_terms())
    gone.close()
    waiter = Waiter(bob, TINY)
    assert waiter.place.challenge_id == gone.challenge_id
    clock.now += 2 * ALIVE_SECONDS
    assert not waiter.look()
    assert isinstance(waiter.place, OpenChallenge)
    waiter.place.withdraw()

    closed = OpenChallenge.open(ada, make_terms())
    waiter = Waiter(bob, TINY)
    closed.withdraw()
    assert not waiter.look()
    assert isinstance(waiter.place, OpenChallenge)


def test_a_challenger_who_accepts_nobody_is_given_up_on(ada: Lobby, bob: Lobby, clock: Time) -> None:
    silent = OpenChallenge.open(ada, make_terms())
    waiter = Waiter(bob, TINY)
    for _ in range(10):
        clock.now += 1.0
        os.utime(silent.reader.path, (clock.now, clock.now))
        waiter.look()
    assert isinstance(waiter.place, OpenChallenge)


@pytest.mark.parametrize("terms", [{"start": "-3,4 0"}, {"rule": "none such"}])
def test_a_challenge_that_cannot_be_joined_does_not_stop_the_waiting(
    ada: Lobby, bob: Lobby, clock: Time, terms: dict[str, object]
) -> None:
    first = Waiter(ada, TINY)
    forged = forge_challenge(bob, **terms)
    for _ in range(10):
        clock.now += 1.0
        os.utime(bob.folders.path_of(bob.who.uid, forged), (clock.now, clock.now))
        first.look()
    assert isinstance(first.place, OpenChallenge)
    second = Waiter(bob, TINY)
    assert second.place.challenge_id == first.place.challenge_id


def test_a_player_who_waits_for_one_opponent_also_waits_for_anybody(ada: Lobby) -> None:
    OpenChallenge.open(ada, make_terms(wanted="bob")).close()
    place = Waiter(ada, TINY).place
    assert not place.opening.wanted


def test_a_code_leads_to_the_challenge_that_asks_for_it(ada: Lobby, bob: Lobby) -> None:
    with pytest.raises(NoChallenge):
        Waiter(bob, TINY, "abcdef")
    opened = OpenChallenge.open(ada, make_terms(has_code=True))
    opened.look()
    joined = Waiter(bob, TINY, opened.code)
    assert isinstance(joined.place, JoinedChallenge)
    opened.look()
    assert joined.wait([None]) == opened.challenge_id


def test_a_code_finds_its_challenge_among_several(ada: Lobby, bob: Lobby) -> None:
    opened = [OpenChallenge.open(ada, make_terms(has_code=True)) for _ in range(3)]
    joined = Waiter(bob, TINY, opened[1].code)
    for _ in range(4):
        for shared_game in opened:
            shared_game.look()
        has_begun = joined.look()
    assert has_begun
    assert joined.place.challenge_id == opened[1].challenge_id


def test_a_code_is_tried_on_the_next_challenge_if_nobody_answers(ada: Lobby, bob: Lobby, clock: Time) -> None:
    opened = [OpenChallenge.open(ada, make_terms(has_code=True)) for _ in range(2)]
    joined = Waiter(bob, TINY, opened[0].code)
    first = joined.place.challenge_id
    for _ in range(7):
        clock.now += 1.0
        show_all_alive(ada)
        assert not joined.look()
    assert joined.place.challenge_id != first
    for _ in range(7):
        clock.now += 1.0
        show_all_alive(ada)
        assert not joined.look()
    assert joined.place.challenge_id != first, "at the last one it waits on"


@pytest.mark.parametrize("given", [("--code", "abc234"), ("--code=abc234",)])
def test_a_code_in_the_command_is_refused_with_advice_on_how_to_give_it(
    given: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody on the host could read a code in a command line."""
    assert run(["meet", "tobito", *given]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "Write --code alone" in line
    assert "type the code when you are asked" in line
    assert "abc234" not in line


def test_the_first_line_typed_is_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    lines = iter([None, None, "abc234", "a1"])
    assert ask_for_code(lines) == "abc234"
    assert next(lines) == "a1"
    assert capsys.readouterr().out == "Type the code of the challenge.\n"
    for nothing in ([], [None, ""], ["quit"]):
        with pytest.raises(NoChallenge, match="you did not type a code"):
            ask_for_code(nothing)


def test_a_wrong_code_is_reported_and_not_tried_again(ada: Lobby, bob: Lobby) -> None:
    opened = OpenChallenge.open(ada, make_terms(has_code=True))
    joined = Waiter(bob, TINY, "wrong")
    opened.look()
    with pytest.raises(OnlymoveError, match="no open challenge"):
        joined.look()


def test_unknown_input_while_waiting_shows_what_can_be_typed(
    ada: Lobby, bob: Lobby, capsys: pytest.CaptureFixture[str]
) -> None:
    OpenChallenge.open(ada, make_terms(clock="5+3"))
    Waiter(bob, TINY).wait(["help", None, "quit"])
    output = "Waiting for ada. Clock: 5 minutes, 3 seconds more for each move. Type quit to leave."
    assert capsys.readouterr().out.splitlines() == [output, output]


@pytest.mark.parametrize("lines", [["quit"], []])
def test_a_player_who_stops_waiting_leaves_no_challenge(ada: Lobby, bob: Lobby, lines: list[str | None]) -> None:
    assert Waiter(ada, TINY).wait(lines) is None
    assert not lobby.list_entries(bob)


def test_ctrl_c_leaves_no_challenge(ada: Lobby, bob: Lobby) -> None:
    def raise_interrupt() -> Iterator[None]:
        yield None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Waiter(ada, TINY).wait(raise_interrupt())
    assert not lobby.list_entries(bob)


def test_a_game_that_others_have_begun_is_not_joined(
    ada: Lobby, bob: Lobby, tmp_path_factory: pytest.TempPathFactory
) -> None:
    begin_game(ada, bob, make_terms())
    secrets = type(ada.secrets)(tmp_path_factory.mktemp("cat"))
    cat = Lobby(ada.folders.place, secrets, ada.who, ada.find_game, ada.clocks)
    assert isinstance(Waiter(cat, TINY).place, OpenChallenge)


def test_the_last_line_needs_no_newline(monkeypatch: pytest.MonkeyPatch) -> None:
    out, into = os.pipe()
    os.write(into, b"a5b4\nresign")
    os.close(into)
    with os.fdopen(out) as stdin:
        give_input(monkeypatch, stdin)
        assert list(poll_lines()) == ["a5b4", "resign"]
