"""A shared game in which a player may move twice in a row."""

from __future__ import annotations

from onlymove_tui.lobby.record_file import Moving

from tests.core.test_double_turns import GAME, WHOLE
from tests.lobby.two_records import TwoRecords


def test_both_sides_see_the_moves_of_a_player_who_moves_again() -> None:
    two = TwoRecords(GAME, clock="1+5")
    for ply, (side, move) in enumerate(zip((0, 0, 1, 1, 0), WHOLE, strict=True)):
        two.read_lines(side)
        two.say(side, Moving(epoch=0, ply=ply, move=move), seconds=10.0)
        for reader in (0, 1):
            two.read_lines(reader)
            seen = two.replay_for(reader)
            assert "".join(map(str, seen.moves)) == WHOLE[: ply + 1]
    whole = two.replay_records()
    assert whole.session.position == "won"
    assert whole.clock.left == [45.0, 50.0], "ten seconds for each move, and five back"


def test_a_move_of_the_player_whose_turn_it_is_not_is_ignored() -> None:
    two = TwoRecords(GAME)
    two.say(0, Moving(epoch=0, ply=0, move="a"))
    two.read_lines(1)
    two.say(1, Moving(epoch=0, ply=1, move="x"))
    assert two.replay_records().session.position == "A"
