"""The cursor while a move is entered: where it waits for the next choice, and where the next arrow key moves it."""

from __future__ import annotations

from typing import Any

import pytest
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.games import load
from onlymove_engines.play.session import Session
from onlymove_tui.app.board.move_input import ARROWS, MoveInput

ALONE = {
    "top": ("tobito", "T.T/.T./.../B.B/B.. T"),
    "bottom": ("tobito", "T.T/.T./.../B.B/B.. B"),
    "last pawn": ("tobito", ".../.B./.../BTB/T.T T"),
    "jump": ("tobito", "TTT/.B./.../.../B.B T"),
}
STEPS = {key: step for step, key in ARROWS.items()}


class Entering:
    """Enters moves on a board by keys. A complete move is played at once."""

    def __init__(self, game_id: str, position: str, flipped: bool = False) -> None:
        game = load(game_id)
        self.session: Session[Any, Any] = Session(game, game.notation.parse_position(position))
        self.flipped = flipped
        self.input = MoveInput(self.session, self.draw, self.play)
        self.input.start()

    def draw(self) -> Scene:
        view = self.session.tree.view(self.session.node, chosen=self.input.entry.prefix, flipped=self.flipped)
        return self.session.game.painter.scene(view)

    def play(self, _seat: Seat, move: Move) -> None:
        self.session.play(move)
        self.input.start()

    def choose(self, target: Target) -> str:
        """Choose this target, as with Enter when the cursor is on it."""
        self.input.cursor = target
        return self.input.pick(target)

    def press(self, *keys: str) -> str:
        """Press arrow keys, and return the last message."""
        output = [self.input.move_cursor(*STEPS[key]) for key in keys]
        return output[-1]

    @property
    def cursor(self) -> Target | None:
        return self.input.cursor


def choose_targets(place: str, *targets: Target, flipped: bool = False) -> Entering:
    entering = Entering(*ALONE[place], flipped=flipped)
    for target in targets:
        assert not entering.choose(target)
    return entering


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize(
    ("place", "pawn", "ahead"),
    [("top", "b4", "b3"), ("bottom", "a2", "a3"), ("last pawn", "b2", "b1"), ("jump", "b5", "b3"), ("top", "a5", "a4")],
)
def test_the_cursor_waits_straight_ahead_towards_the_goal(place: str, pawn: str, ahead: str, flipped: bool) -> None:
    assert choose_targets(place, pawn, flipped=flipped).cursor == ahead


def test_the_cursor_waits_on_the_diagonal_if_the_way_straight_ahead_is_blocked() -> None:
    entering = Entering("tobito", "T.T/.../.T./.B./BB. T")
    entering.choose("b3")
    assert entering.cursor in ("a2", "c2")


def test_the_first_arrow_after_a_choice_starts_from_the_cursor() -> None:
    for key, there in (("down", "b2"), ("left", "a3"), ("right", "c3"), ("up", "b4")):
        entering = choose_targets("top", "b4")
        assert entering.cursor == "b3"
        entering.press(key)
        assert entering.cursor == there, key
    entering = choose_targets("jump", "b5")
    entering.press("left", "up")
    assert entering.cursor == "a4", "from the landing cell b3"


def test_on_a_flipped_board_the_first_arrow_goes_the_way_that_is_seen() -> None:
    for key, there in (("up", "b2"), ("left", "c3"), ("right", "a3"), ("down", "b4")):
        entering = choose_targets("top", "b4", flipped=True)
        entering.press(key)
        assert entering.cursor == there, key


def test_jumped_pawns_are_put_starting_from_the_cursor() -> None:
    entering = choose_targets("jump", "b5", "b3")
    assert entering.cursor == "b2", "ahead"
    entering.press("left")
    assert entering.cursor == "a2"


def test_the_chosen_piece_is_put_down_by_choosing_it_again() -> None:
    entering = choose_targets("top", "b4")
    assert entering.press("up") == "Choose b4 again to take it back."
    assert entering.cursor == "b4"
    assert not entering.input.pick("b4")
    assert (entering.input.entry.prefix, entering.cursor) == ((), "b4")
    entering = choose_targets("jump", "b5", "b3")
    assert not entering.choose("b3")
    assert (entering.input.entry.prefix, entering.cursor) == (("b5",), "b3"), "the landing cell only"
    entering = choose_targets("jump", "b5", "b3")
    assert not entering.choose("b5")
    assert (entering.input.entry.prefix, entering.cursor) == ((), "b5"), "the pawn, with all that followed"


def test_a_marble_may_still_be_placed_on_the_cell_that_was_chosen_first() -> None:
    entering = Entering("orbito", "B.W./BW.W/..W./B... B")
    for target in ("c2", "d2", "c2"):
        assert not entering.choose(target)
    assert entering.session.list_moves() == [("c2", "d2", "c2")]


def test_a_target_taken_back_has_the_cursor() -> None:
    entering = choose_targets("jump", "b5", "b3")
    entering.input.drop_target()
    assert (entering.input.entry.prefix, entering.cursor) == (("b5",), "b3")
    entering.input.drop_target()
    assert (entering.input.entry.prefix, entering.cursor) == ((), "b5")


def test_every_turn_begins_at_the_smallest_piece_of_the_hand_that_is_left() -> None:
    for position, first in (("xxx/xxx/xxx 222222 1", "small"), ("xxx/xxx/xxx 022220 1", "medium")):
        for size in ("medium", "large"):
            entering = Entering("pokemon", position)
            assert entering.cursor == first
            entering.choose(size)
            assert not entering.input.pick("@11")
            entering.input.start()
            assert entering.cursor == "small", "the other side has all of its pieces"


def test_from_a_hand_the_cursor_goes_to_where_it_last_was_on_the_board() -> None:
    entering = Entering("pokemon", "xxx/xxx/xxx 222222 1")
    for size in ("small", "large", "medium"):
        entering.choose(size)
        assert entering.cursor == "@11", "at first the middle"
        entering.input.drop_target()
        assert entering.cursor == size
    entering.choose("large")
    entering.press("right")
    assert entering.cursor == "@12", "from the marked cell, not from the hand"
    assert not entering.input.pick("@12")
    for size in ("small", "medium"):
        entering.choose(size)
        assert entering.cursor in ("@11", "@02", "@22"), "@12 is covered: the nearest"
        entering.input.drop_target()
