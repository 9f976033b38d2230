"""Whatever changes a match has been kept before the front end hears of it."""

from __future__ import annotations

from typing import Any

from tests.tui.matches import AGAINST, FRIENDS, Witness, at_heap, is_kept, reply


def test_every_change_has_been_kept_when_the_front_end_hears_of_it() -> None:
    match = at_heap(players=AGAINST)
    steps: dict[str, Any] = {
        "a held move's first attempt": lambda: match.offer(0, 2),
        "a move thought over": match.rethink,
        "a hint": lambda: [climb() for climb in (match.climb(straight=True),) if climb],
        "a move": lambda: match.offer(0, 1),
        "an engine's reply": lambda: reply(match),
        "a bad move": lambda: match.offer(0, 1 if match.session.position == (5, 0) else 2),
        "a bad move kept": match.keep,
        "an undo": match.undo,
        "a redo": match.redo,
        "training": lambda: match.set_training(False),
        "the objective": match.toggle_objective,
        "other players": lambda: match.set_players(FRIENDS),
        "a resignation": lambda: match.resign(0),
        "a resignation taken back": match.undo,
        "a draw": lambda: match.offer_draw(0),
    }
    for name, step in steps.items():
        step()
        assert is_kept(match), f"{name} is not on disk"


def test_what_is_wrong_with_keeping_is_known_after_every_change() -> None:
    match = at_heap()
    assert isinstance(match.keeper, Witness)
    match.keeper.trouble = "the disk is full"
    match.offer(0, 1)
    assert match.trouble == "the disk is full"
    match.keeper.trouble = ""
    match.undo()
    assert match.trouble == ""
