"""Two records give every reader the same game, whatever it read before and whatever the records contain."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.game import AnyGame
from onlymove_tui.lobby.record_file import (
    Answering,
    Asking,
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

from tests.core.test_double_turns import GAME as DOUBLE_TURNS
from tests.lobby.two_records import BEGAN, TwoRecords
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game

GAMES = (tiny_game(), tiny_duel(), DOUBLE_TURNS)


def list_visible_state(standing: Replay) -> tuple[object, ...]:
    """Return everything that a replay shows, except the clock itself."""
    return (
        standing.moves, standing.agreed, standing.is_over, standing.epoch, standing.fixed, standing.shown,
        standing.requests, standing.clock.left, standing.clock.running,
    )  # fmt: skip


@given(st.sampled_from(GAMES), st.sampled_from(("", "30", "1+1")), st.data())
def test_every_reader_sees_the_same_game_in_any_order_of_reading(game: AnyGame, clock: str, data: Any) -> None:
    """Both sides write valid and invalid lines. Each knows only some of what the other has written."""
    both = TwoRecords(game, clock)
    shared = [start_line(game, both.opening) for _ in range(3)]

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    for _ in range(data.draw(st.integers(0, 25))):
        side = choose(2)
        if choose(3):
            both.read_lines(side, choose(4))
        both.say(side, both.words(side, choose), choose(20))
        # A watcher has read any part of both records, and replays the game again after reading more.
        reader, ends = choose(3), (2 + choose(len(both.records[0]) - 1), 1 + choose(len(both.records[1])))
        assert list_visible_state(both.replay_records(ends, shared[reader])) == list_visible_state(
            both.replay_records(ends)
        )
    whole = list_visible_state(both.replay_records())
    assert all(list_visible_state(both.replay_records(None, tree)) == whole for tree in shared), (
        "what was read before does not matter"
    )


@given(st.sampled_from(GAMES), st.data())
def test_lines_follow_what_their_writers_had_read(game: AnyGame, data: Any) -> None:
    both = TwoRecords(game)

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    for _ in range(data.draw(st.integers(0, 20))):
        side = choose(2)
        both.read_lines(side, choose(4))
        both.say(side, both.words(side, choose))
    at = [2, 1]
    for side, number, output in merge_records(both.records, (2, 1)):
        assert number == at[side], "in its own order, none left out"
        assert output.read <= at[1 - side], "after what its writer had read"
        at[side] += 1
    assert at == [len(record) for record in both.records]


@given(st.lists(st.tuples(st.integers(0, 1), st.binary(max_size=60), st.integers(0, 10**6)), max_size=12))
def test_no_record_makes_the_reader_fail(lines: list[tuple[int, bytes, int]]) -> None:
    """Meaningless bytes, and lines whose writer claims to have read lines that do not exist, change nothing."""
    both = TwoRecords(GAMES[0])
    for side, written, read in lines:
        both.records[side].append(parse_line(written))
        both.records[side].append(Moving(epoch=0, ply=0, move=written.decode(errors="replace"), read=read))
    assert both.replay_records().ply == 0


@pytest.mark.parametrize(
    "output",
    [
        Moving(time=1.5, read=2, seen=0.5, epoch=0, ply=3, move="L2"),
        Asking(epoch=1, ply=2, wish=RequestKind.UNDO, back_to=1),
        Answering(asked=4, agrees=True),
        Resigning(is_late=True),
    ],
)
def test_a_line_is_read_as_it_was_written(output: RecordLine) -> None:
    assert parse_line(format_line(output).rstrip(b"\n")) == output


def send_move(both: TwoRecords, side: int, move: str) -> None:
    """Let a side read everything and then move."""
    both.read_lines(side)
    standing = both.replay_for(side)
    both.say(side, Moving(epoch=standing.epoch, ply=standing.ply, move=move), 1.0)


def send_request(both: TwoRecords, side: int, wish: RequestKind, back_to: int = 0) -> int:
    """Let a side make a request, and return the number of its line."""
    standing = both.replay_for(side)
    both.say(side, Asking(epoch=standing.epoch, ply=standing.ply, wish=wish, back_to=back_to))
    return len(both.records[side]) - 1


def test_a_side_has_one_open_request_at_a_time() -> None:
    """A second request would change what the other side is about to agree to."""
    both = TwoRecords(GAMES[0])
    send_move(both, 0, "L1")
    first = send_request(both, 0, RequestKind.DRAW)
    second = send_request(both, 0, RequestKind.UNDO)
    send_request(both, 0, RequestKind.DRAW)
    request = both.replay_records().requests[0]
    assert request.line == first
    both.read_lines(1)
    both.say(1, Answering(asked=request.line, agrees=False))
    assert both.replay_records().requests == {}
    both.read_lines(0)
    fourth = send_request(both, 0, RequestKind.UNDO)
    assert both.replay_records().requests[0].line == fourth > second


def test_an_accepted_undo_cancels_a_move_sent_before_it() -> None:
    both = TwoRecords(GAMES[0])
    send_move(both, 0, "L1")
    send_move(both, 1, "R1")
    both.read_lines(0)
    line = send_request(both, 0, RequestKind.UNDO)
    both.read_lines(1)
    both.say(1, Answering(asked=line, agrees=True))
    assert (both.replay_records().ply, both.replay_records().epoch) == (0, 1)
    both.read_lines(0)
    both.say(0, Moving(epoch=0, ply=2, move="L1"))
    both.say(0, Moving(epoch=0, ply=0, move="L1"))
    assert both.replay_records().ply == 0, "moves of before the undo"
    send_move(both, 0, "R2")
    assert both.replay_records().moves == (("R", 2),)


def test_a_move_withdraws_earlier_requests_even_if_they_are_being_accepted() -> None:
    both = TwoRecords(GAMES[0])
    line = send_request(both, 0, RequestKind.DRAW)
    both.read_lines(1)
    both.say(0, Moving(epoch=0, ply=0, move="L1"))
    both.say(1, Answering(asked=line, agrees=True))
    assert both.replay_records().agreed is None
    assert both.replay_records().ply == 1


def test_two_draw_offers_make_a_draw() -> None:
    both = TwoRecords(GAMES[0])
    send_request(both, 0, RequestKind.DRAW)
    send_request(both, 1, RequestKind.DRAW)
    agreed = both.replay_records().agreed
    assert agreed is not None
    assert agreed.winner is None


def test_a_side_moves_only_in_its_own_turn() -> None:
    both = TwoRecords(GAMES[0])
    both.say(1, Moving(epoch=0, ply=0, move="L1"))
    assert both.replay_records().ply == 0


def test_a_side_cannot_answer_its_own_request() -> None:
    both = TwoRecords(GAMES[0])
    line = send_request(both, 0, RequestKind.DRAW)
    both.say(0, Answering(asked=line, agrees=True))
    assert both.replay_records().agreed is None


def commit_both(both: TwoRecords, first: str, second: str) -> None:
    """Let both sides commit to a choice and read that the other has done so."""
    for side, move in enumerate((first, second)):
        both.say(side, Committing(epoch=0, ply=0, fixed=both.secrets[side].fix(side, 0, 0, move)))
    both.read_lines(0)
    both.read_lines(1)


def reveal_choice(both: TwoRecords, side: int, move: str) -> None:
    """Let a side reveal its choice."""
    both.say(side, Revealing(epoch=0, ply=0, nonce=both.secrets[side].nonce(side, 0, 0), move=move))


def test_a_round_is_played_when_both_sides_have_revealed_their_choices() -> None:
    both = TwoRecords(GAMES[1])
    commit_both(both, "a", "b")
    assert "move" not in format_line(both.records[0][-1]).decode(), "what is fixed is not to be read"  # type: ignore[arg-type]
    reveal_choice(both, 0, "a")
    assert both.replay_records().ply == 0
    reveal_choice(both, 1, "b")
    assert both.replay_records().moves == (("a", "b"),)


def test_a_side_that_reveals_another_choice_than_it_fixed_loses() -> None:
    both = TwoRecords(GAMES[1])
    commit_both(both, "a", "b")
    reveal_choice(both, 0, "b")
    agreed = both.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 1


def test_a_copied_commitment_cannot_be_revealed() -> None:
    both = TwoRecords(GAMES[1])
    hidden = both.secrets[0].fix(0, 0, 0, "a")
    for side in (0, 1):
        both.say(side, Committing(epoch=0, ply=0, fixed=hidden))
    both.read_lines(0)
    both.read_lines(1)
    reveal_choice(both, 0, "a")
    both.read_lines(1)
    both.say(1, Revealing(epoch=0, ply=0, nonce=both.secrets[0].nonce(0, 0, 0), move="a"))
    agreed = both.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 0


def test_a_choice_revealed_too_early_does_not_count() -> None:
    both = TwoRecords(GAMES[1])
    both.say(0, Committing(epoch=0, ply=0, fixed=both.secrets[0].fix(0, 0, 0, "a")))
    reveal_choice(both, 0, "a")
    assert both.replay_records().shown == {}


def test_a_move_made_after_the_players_own_time_is_up_loses() -> None:
    late = TwoRecords(GAMES[0], "10")
    late.say(0, Moving(epoch=0, ply=0, move="L1"), 10.0)
    agreed = late.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 1
    assert "out of time" in agreed.reason
    in_time = TwoRecords(GAMES[0], "10")
    in_time.say(0, Moving(epoch=0, ply=0, move="L1"), 9.5)
    assert in_time.replay_records().agreed is None


def test_a_player_who_is_away_for_longer_than_the_time_left_loses() -> None:
    both = TwoRecords(GAMES[0], "1+2")
    send_move(both, 0, "L1")
    both.read_lines(1)
    both.say(1, Asking(epoch=0, ply=1, wish=RequestKind.DRAW), 50.0)
    assert not both.replay_records(waited=(99.0, 9.5)).is_over, "the first player is not to move"
    ended = both.replay_records(waited=(0.0, 10.0))
    assert ended.agreed is not None
    assert ended.agreed.winner == 0
    assert ended.clock.left == [61.0, 0.0]


def test_each_side_has_its_own_time_and_each_move_adds_to_it() -> None:
    both = TwoRecords(GAMES[0], "1+2")
    both.say(0, Moving(epoch=0, ply=0, move="L1"), 10.0)
    both.read_lines(1)
    both.say(1, Moving(epoch=0, ply=1, move="L1"), 5.0)
    clock = both.replay_records().clock
    assert (clock.left, clock.running) == ([52.0, 57.0], {0})


def test_a_request_costs_the_thinking_before_it_and_the_move_the_rest() -> None:
    both = TwoRecords(GAMES[0], "1+0")
    both.say(0, Asking(epoch=0, ply=0, wish=RequestKind.DRAW), 10.0)
    assert both.replay_records().clock.left == [50.0, 60.0]
    both.say(0, Moving(epoch=0, ply=0, move="L1"), 5.0)
    assert both.replay_records().clock.left == [45.0, 60.0]


def test_no_time_counts_twice_and_none_before_the_latest_line_of_the_same_record() -> None:
    both = TwoRecords(GAMES[0], "1+0")
    both.records[0].append(Asking(epoch=0, ply=0, wish=RequestKind.DRAW, time=BEGAN + 10, seen=0.0))
    both.records[0].append(Moving(epoch=0, ply=0, move="L1", time=BEGAN + 15, seen=BEGAN))
    assert both.replay_records().clock.left == [45.0, 60.0]


def test_lines_after_the_end_do_not_count() -> None:
    both = TwoRecords(GAMES[0])
    both.say(0, Resigning())
    both.read_lines(1)
    both.say(1, Resigning())
    agreed = both.replay_records().agreed
    assert agreed is not None
    assert agreed.winner == 1


def test_a_game_that_is_over_at_its_start_takes_no_lines() -> None:
    both = TwoRecords(GAMES[0])
    both.opening = msgspec.structs.replace(both.opening, start="0,0 0")
    both.say(0, Resigning())
    standing = both.replay_records()
    assert standing.is_over
    assert standing.agreed is None
