"""Two records give every reader the same game, whatever it read before and whatever the records contain."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.game import AnyGame
from onlymove_tui.lobby.messages import (
    Answering,
    Asking,
    Claiming,
    Committing,
    Moving,
    RecordLine,
    RequestKind,
    Resigning,
    Revealing,
    format_line,
    parse_line,
)
from onlymove_tui.lobby.replay import Replay, merge_records, start_line

from tests.lobby.talk import Talk
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game

GAMES = (tiny_game(), tiny_duel())


def list_visible_state(standing: Replay) -> tuple[object, ...]:
    """Return everything that a replay shows, except the clock itself."""
    return (
        standing.moves, standing.agreed, standing.is_over, standing.epoch, standing.fixed, standing.shown,
        standing.requests, standing.clock.left(5000.0), standing.clock.runs,
    )  # fmt: skip


@given(st.sampled_from(GAMES), st.sampled_from(("", "30", "1+1")), st.data())
def test_every_reader_comes_to_the_same_whatever_it_read_before(game: AnyGame, clock: str, data: Any) -> None:
    """Both sides write valid and invalid lines. Each knows only some of what the other has written."""
    talk = Talk(game, clock)
    shared = [start_line(game, talk.opening) for _ in range(3)]

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    for _ in range(data.draw(st.integers(0, 25))):
        side = choose(2)
        if choose(3):
            talk.read_lines(side, choose(4))
        talk.say(side, talk.words(side, choose), choose(20))
        # A watcher has read any part of both records, and replays the game again after reading more.
        reader, ends = choose(3), (2 + choose(len(talk.records[0]) - 1), 1 + choose(len(talk.records[1])))
        assert list_visible_state(talk.replay_records(ends, shared[reader])) == list_visible_state(
            talk.replay_records(ends)
        )
    whole = list_visible_state(talk.replay_records())
    assert all(list_visible_state(talk.replay_records(None, line)) == whole for line in shared), (
        "what was read before does not matter"
    )


@given(st.sampled_from(GAMES), st.data())
def test_lines_come_after_what_their_writers_had_read_and_in_their_own_order(game: AnyGame, data: Any) -> None:
    talk = Talk(game)

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    for _ in range(data.draw(st.integers(0, 20))):
        side = choose(2)
        talk.read_lines(side, choose(4))
        talk.say(side, talk.words(side, choose))
    at = [2, 1]
    for side, number, said in merge_records(talk.records, (2, 1)):
        assert number == at[side], "in its own order, none left out"
        assert said.seen <= at[1 - side], "after what its writer had read"
        at[side] += 1
    assert at == [len(record) for record in talk.records]


@given(st.lists(st.tuples(st.integers(0, 1), st.binary(max_size=60), st.integers(0, 10**6)), max_size=12))
def test_nothing_that_is_written_stops_a_reader(lines: list[tuple[int, bytes, int]]) -> None:
    """Meaningless bytes, and lines whose writer claims to have read lines that do not exist, change nothing."""
    talk = Talk(GAMES[0])
    for side, written, seen in lines:
        talk.records[side].append(parse_line(written))
        talk.records[side].append(Moving(epoch=0, ply=0, move=written.decode(errors="replace"), seen=seen))
    assert talk.replay_records().ply == 0


@pytest.mark.parametrize(
    "said",
    [
        Moving(time=1.5, seen=2, epoch=0, ply=3, move="L2"),
        Asking(epoch=1, ply=2, wish=RequestKind.UNDO, back_to=1),
        Answering(asked=4, agrees=True),
        Resigning(is_late=True),
    ],
)
def test_a_line_is_read_as_it_was_written(said: RecordLine) -> None:
    assert parse_line(format_line(said).rstrip(b"\n")) == said


def send_move(talk: Talk, side: int, move: str) -> None:
    """Let a side read everything and then move."""
    talk.read_lines(side)
    standing = talk.replay_for(side)
    talk.say(side, Moving(epoch=standing.epoch, ply=standing.ply, move=move), 1.0)


def send_request(talk: Talk, side: int, wish: RequestKind, back_to: int = 0) -> int:
    """Let a side make a request, and return the number of its line."""
    standing = talk.replay_for(side)
    talk.say(side, Asking(epoch=standing.epoch, ply=standing.ply, wish=wish, back_to=back_to))
    return len(talk.records[side]) - 1


@pytest.mark.parametrize("version", [1, 2])
def test_one_request_of_a_side_stands_until_it_is_answered(version: int) -> None:
    """A second request would change what the other side is about to agree to. In version 1, it still replaced the
    first."""
    talk = Talk(GAMES[0])
    talk.opening = msgspec.structs.replace(talk.opening, version=version)
    send_move(talk, 0, "L1")
    first = send_request(talk, 0, RequestKind.DRAW)
    second = send_request(talk, 0, RequestKind.UNDO)
    third = send_request(talk, 0, RequestKind.DRAW)
    request = talk.replay_records().requests[0]
    assert request.line == (third if version == 1 else first)
    talk.read_lines(1)
    talk.say(1, Answering(asked=request.line, agrees=False))
    assert talk.replay_records().requests == {}
    talk.read_lines(0)
    fourth = send_request(talk, 0, RequestKind.UNDO)
    assert talk.replay_records().requests[0].line == fourth > second


def test_an_undo_that_is_agreed_on_voids_a_move_that_did_not_know_of_it() -> None:
    talk = Talk(GAMES[0])
    send_move(talk, 0, "L1")
    send_move(talk, 1, "R1")
    talk.read_lines(0)
    line = send_request(talk, 0, RequestKind.UNDO)
    talk.read_lines(1)
    talk.say(1, Answering(asked=line, agrees=True))
    assert (talk.replay_records().ply, talk.replay_records().epoch) == (0, 1)
    talk.read_lines(0)
    talk.say(0, Moving(epoch=0, ply=2, move="L1"))
    talk.say(0, Moving(epoch=0, ply=0, move="L1"))
    assert talk.replay_records().ply == 0, "moves of before the undo"
    send_move(talk, 0, "R2")
    assert talk.replay_records().moves == (("R", 2),)


def test_a_move_takes_back_what_was_asked_before_it_even_of_somebody_who_agrees_at_that_moment() -> None:
    talk = Talk(GAMES[0])
    line = send_request(talk, 0, RequestKind.DRAW)
    talk.read_lines(1)
    talk.say(0, Moving(epoch=0, ply=0, move="L1"))
    talk.say(1, Answering(asked=line, agrees=True))
    assert talk.replay_records().agreed is None
    assert talk.replay_records().ply == 1


def test_two_who_ask_for_a_draw_agree() -> None:
    talk = Talk(GAMES[0])
    send_request(talk, 0, RequestKind.DRAW)
    send_request(talk, 1, RequestKind.DRAW)
    agreed = talk.replay_records().agreed
    assert agreed is not None
    assert agreed.winner is None


def test_a_side_moves_only_for_itself_and_in_its_turn() -> None:
    talk = Talk(GAMES[0])
    talk.say(1, Moving(epoch=0, ply=0, move="L1"))
    assert talk.replay_records().ply == 0


def test_nothing_is_answered_for_the_other_side() -> None:
    talk = Talk(GAMES[0])
    line = send_request(talk, 0, RequestKind.DRAW)
    talk.say(0, Answering(asked=line, agrees=True))
    assert talk.replay_records().agreed is None


def commit_both(talk: Talk, first: str, second: str) -> None:
    """Let both sides commit to a choice and read that the other has done so."""
    for side, move in enumerate((first, second)):
        talk.say(side, Committing(epoch=0, ply=0, fixed=talk.hiding[side].fix(0, 0, move)))
    talk.read_lines(0)
    talk.read_lines(1)


def reveal_choice(talk: Talk, side: int, move: str) -> None:
    """Let a side reveal its choice."""
    talk.say(side, Revealing(epoch=0, ply=0, nonce=talk.hiding[side].nonce(0, 0), move=move))


def test_a_round_is_played_once_both_have_shown_what_they_fixed() -> None:
    talk = Talk(GAMES[1])
    commit_both(talk, "a", "b")
    assert "move" not in format_line(talk.records[0][-1]).decode(), "what is fixed is not to be read"  # type: ignore[arg-type]
    reveal_choice(talk, 0, "a")
    assert talk.replay_records().ply == 0
    reveal_choice(talk, 1, "b")
    assert talk.replay_records().moves == (("a", "b"),)


def test_whoever_shows_another_choice_than_was_fixed_has_lost() -> None:
    talk = Talk(GAMES[1])
    commit_both(talk, "a", "b")
    reveal_choice(talk, 0, "b")
    agreed = talk.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 1


def test_a_choice_that_was_copied_cannot_be_shown() -> None:
    talk = Talk(GAMES[1])
    hidden = talk.hiding[0].fix(0, 0, "a")
    for side in (0, 1):
        talk.say(side, Committing(epoch=0, ply=0, fixed=hidden))
    talk.read_lines(0)
    talk.read_lines(1)
    reveal_choice(talk, 0, "a")
    talk.read_lines(1)
    talk.say(1, Revealing(epoch=0, ply=0, nonce=talk.hiding[0].nonce(0, 0), move="a"))
    agreed = talk.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 0


def test_a_choice_that_is_shown_before_both_are_fixed_does_not_count() -> None:
    talk = Talk(GAMES[1])
    talk.say(0, Committing(epoch=0, ply=0, fixed=talk.hiding[0].fix(0, 0, "a")))
    reveal_choice(talk, 0, "a")
    assert talk.replay_records().shown == {}


def test_a_move_after_the_time_has_lost_and_one_in_time_beats_a_claim() -> None:
    late = Talk(GAMES[0], "10")
    late.say(0, Moving(epoch=0, ply=0, move="L1"), 10.5)
    agreed = late.replay_records().agreed
    assert agreed is not None
    assert "out of time" in agreed.reason
    crossed = Talk(GAMES[0], "10")
    crossed.say(0, Moving(epoch=0, ply=0, move="L1"), 9.5)
    crossed.say(1, Claiming(epoch=0, ply=0), 3.0)
    assert crossed.replay_records().agreed is None
    missing = Talk(GAMES[0], "10")
    missing.say(1, Claiming(epoch=0, ply=0), 12.0)
    assert missing.replay_records().is_over
    early = Talk(GAMES[0], "10")
    early.say(1, Claiming(epoch=0, ply=0), 8.0)
    assert not early.replay_records().is_over


def test_time_is_each_sides_own_and_what_a_move_adds() -> None:
    talk = Talk(GAMES[0], "1+2")
    talk.say(0, Moving(epoch=0, ply=0, move="L1"), 10.0)
    talk.read_lines(1)
    talk.say(1, Moving(epoch=0, ply=1, move="L1"), 5.0)
    assert talk.replay_records().clock.left(talk.now + 1.0) == (51.0, 57.0)


def test_after_the_end_nothing_counts() -> None:
    talk = Talk(GAMES[0])
    talk.say(0, Resigning())
    talk.read_lines(1)
    talk.say(1, Resigning())
    agreed = talk.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 1
