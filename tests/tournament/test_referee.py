"""One game of a match: played to its end, lost by a side that fails, or ended by the match itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove.tournament.contestants import EnginePlayer, Limits
from onlymove.tournament.processes import Fault, FaultKind
from onlymove.tournament.referee import Finished, Plan, conduct
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import Player, PlayerKind
from onlymove_engines.records.record import Record, format_record, parse_records

from tests.tournament.contestants import Scripted
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import TinyAnalyst, tiny_game

TINY = tiny_game()
PLAN = Plan("tiny", ("first", "second"))
SLOW = Fault(FaultKind.TIMEOUT, "no answer")


def conduct_game(game: AnyGame, *contestants: Scripted, plan: Plan = PLAN) -> Finished:
    first, second = contestants
    probe = TinyAnalyst().probe if game is TINY else None
    return conduct(plan, game, game.default_start(), (first, second), (1, 2), probe)


def read_again(finished: Finished) -> Record:
    (record,) = parse_records(format_record(Record(finished.tree)), lambda _: finished.tree.game)
    return record


def test_a_game_ends_as_the_rules_say() -> None:
    finished = conduct_game(TINY, Scripted(("L", 3)), Scripted(("R", 4)))
    assert finished.result.winner == 1
    assert not finished.faults


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", FaultKind)
def test_a_program_that_fails_loses_and_the_record_says_why(seat: Seat, kind: FaultKind) -> None:
    broken, sound = Scripted(Fault(kind, "it went wrong")), Scripted()
    pair = (broken, sound) if seat == 0 else (sound, broken)
    finished = conduct_game(TINY, *pair)
    assert finished.result.winner == 1 - seat
    assert finished.faults[seat].kind is kind
    kept = read_again(finished).tree.result
    assert kept is not None
    assert (kept.winner, kept.reason) == (1 - seat, f"{TINY.seats[seat]}: {kind.value}: it went wrong")
    assert (broken.ended, sound.ended) == (1, 1)


def test_an_illegal_move_is_a_fault() -> None:
    finished = conduct_game(TINY, Scripted(("L", 4)), Scripted())
    assert finished.result.winner == 1
    assert finished.faults[0].kind is FaultKind.ILLEGAL


def test_a_program_that_cannot_begin_loses_before_the_first_move() -> None:
    class Absent(Scripted):
        def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
            raise Fault(FaultKind.CRASH, "no such program")

    finished = conduct_game(TINY, Scripted(), Absent())
    assert finished.result.winner == 0
    assert finished.tree.here is finished.tree.root


def test_choices_are_secret_and_two_faults_in_one_round_are_a_draw() -> None:
    duel = tiny_duel()
    assert conduct_game(duel, Scripted("a", "a"), Scripted("a", "a")).result.winner == 0
    assert conduct_game(duel, Scripted("a", SLOW), Scripted("a", "b")).result.winner == 1
    both = conduct_game(duel, Scripted("a", SLOW), Scripted("a", SLOW))
    assert both.result.winner is None
    assert set(both.faults) == {0, 1}


def test_a_table_ends_games_that_are_decided_soon() -> None:
    moves = Scripted(("L", 1)), Scripted(("L", 1))  # then 1,4 and the first player wins: level them, three times
    played = conduct_game(TINY, *moves, plan=replace(PLAN, adjudicate=7))
    assert played.tree.here.ply == 1, "the table knew it before the first move, and is asked after every one"
    assert "table" in played.result.reason
    assert read_again(played).tree.result == played.result
    assert not conduct_game(TINY, *moves, plan=replace(PLAN, adjudicate=0)).result.reason.count("table")


def test_a_game_that_does_not_end_is_drawn() -> None:
    finished = conduct_game(TINY, Scripted(("L", 1)), Scripted(("L", 1)), plan=replace(PLAN, max_plies=2))
    assert (finished.result.winner, finished.result.reason) == (None, "drawn after 2 moves")


def test_our_own_styles_play_the_same_game_from_the_same_seeds() -> None:
    def game(*seeds: int) -> str:
        sides = [EnginePlayer(Player(PlayerKind.ENGINE, "best", 0), TinyAnalyst, Limits()) for _ in seeds]
        found = conduct(PLAN, TINY, TINY.default_start(), (sides[0], sides[1]), (seeds[0], seeds[1]))
        return format_record(Record(found.tree))

    assert game(1, 2) == game(1, 2)
    assert len({game(seed, seed + 1) for seed in range(10)}) > 1
