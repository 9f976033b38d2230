"""Rounds of drills without a screen: what counts, what is saved, and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_tui.play.training import Practice, round_summary
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Answered, Due
from onlymove_tui.store.schema import StoreTrouble

from tests.heap_game import HeapAnalyst, heap_game
from tests.tui.live_games import store_current_values


@pytest.fixture
def store(path: Path) -> Iterator[GameStore]:
    opened = GameStore(path, lambda _: heap_game())
    yield opened
    opened.close()


def test_the_first_answer_to_a_drill_counts() -> None:
    practice = Practice([Due(1, Drill("heap", "7 0", 0, Origin.MISTAKE, "2"), 0, 0)], lambda _: heap_game(), Coaching())
    live = practice.live_game()
    live.set_analyst(HeapAnalyst(None))
    assert practice.answer(live, 1) is None, "nothing is known yet"
    store_current_values(live)
    for answer, solved in ((2, False), (1, True)):
        judgement = practice.answer(live, answer)
        assert judgement is not None
        assert (judgement.flagged, practice.is_solved) == (not solved, solved)
    assert practice.headline() == "0 of 1 correct on the first try."


def test_a_round_knows_its_streaks_and_what_to_go_through_again() -> None:
    queue = [Due(number, Drill("heap", f"{number} 0", 0, Origin.MISTAKE, "2"), 0, 0) for number in range(7)]
    practice = Practice(queue, lambda _: heap_game(), Coaching())
    assert (practice.streak, practice.longest_streak) == (0, 0)
    practice.attempts = [True, True, None, True, False, True, None]
    assert (practice.streak, practice.longest_streak) == (1, 3), "a drill that was skipped was not attempted"
    assert [due.number for due in practice.repeat().queue] == [4]
    practice.attempts = [True] * 7
    assert practice.repeat().queue == queue


class FullDisk:
    """A store of drills on a disk without free space."""

    def __init__(self) -> None:
        self.has_room = False
        self.kept: list[tuple[int, bool]] = []

    def record_answer(self, due: Due, solved: bool, with_hint: bool) -> Answered:
        if not self.has_room:
            raise StoreTrouble("the disk is full")
        self.kept.append((due.number, solved))
        return Answered(datetime(2026, 11, 20, tzinfo=UTC), 1, False, due.number, int(solved), "2026-11-20", "")

    def take_back(self, answered: Answered) -> None:
        raise StoreTrouble("the disk is full")

    def put_aside(self, due: Due) -> None:
        raise StoreTrouble("the disk is full")

    def remove(self, due: Due) -> None:
        raise StoreTrouble("the disk is full")


def test_an_answer_that_could_not_be_written_is_written_with_the_next() -> None:
    queue = [Due(number, Drill("heap", "7 0", 0, Origin.MISTAKE, "2"), 0, 0) for number in (1, 2)]
    disk = FullDisk()
    practice = Practice(queue, lambda _: heap_game(), Coaching(), disk)
    practice.give_up(practice.live_game())
    assert practice.save() == "the disk is full"
    assert practice.advance()
    practice.give_up(practice.live_game())
    disk.has_room = True
    assert (practice.save(), practice.trouble) == ("", "")
    assert disk.kept == [(1, False), (2, False)]
    assert practice.save() == ""
    assert len(disk.kept) == 2, "once is enough"


def test_a_changed_drill_leaves_the_round_unless_it_was_answered(store: GameStore) -> None:
    store.drills.add(Drill("heap", f"{number} 0", 0, Origin.MISTAKE, "2") for number in (4, 5, 7))
    practice = Practice(store.drills.list_due(), lambda _: heap_game(), Coaching(), store.drills)
    assert practice.begin()
    assert practice.put_aside(), "it was not answered"
    assert (practice.total, practice.place, practice.attempts) == (2, 0, [None, None])
    practice.give_up(practice.live_game())
    assert practice.save() == ""
    assert practice.remove(), "it was answered"
    assert (practice.total, practice.place, practice.attempts) == (2, 1, [False, None])
    assert not practice.put_aside(), "that was the last one"
    assert round_summary(practice)[0] == "0 of 1 correct on the first try."
    assert [each.is_aside for each in store.drills.list_stored()] == [True, True]
    assert store.drills.streak() == 1, "the answer was given, although its drill is gone"


def test_a_round_of_which_every_drill_was_put_aside_is_no_milestone(store: GameStore) -> None:
    store.drills.add([Drill("heap", "7 0", 0, Origin.MISTAKE, "2")])
    practice = Practice(store.drills.list_due(), lambda _: heap_game(), Coaching(), store.drills)
    assert not practice.put_aside()
    assert not practice.is_complete


def test_only_a_first_answer_without_the_solution_can_be_taken_back(store: GameStore) -> None:
    store.drills.add([Drill("heap", "7 0", 0, Origin.MISTAKE, "2")])
    practice = Practice(store.drills.list_due(), lambda _: heap_game(), Coaching(), store.drills)
    live = practice.live_game()
    live.set_analyst(HeapAnalyst(None))
    store_current_values(live)
    possible = [practice.may_be_taken_back]

    def note(do: Callable[[], object]) -> None:
        do()
        practice.save()
        possible.append(practice.may_be_taken_back)

    note(lambda: practice.answer(live, 2))
    note(practice.take_back)
    assert (practice.attempts, practice.answers, practice.is_solved) == ([None], [], False)
    note(lambda: practice.answer(live, 1))
    note(practice.take_back)
    note(lambda: practice.answer(live, 2))
    note(lambda: practice.answer(live, 1))
    assert possible == [False, True, False, True, False, True, False]
    practice.take_back()
    assert practice.attempts == [False], "too late: this was the second answer"


def test_a_round_continues_without_unreadable_drills() -> None:
    positions = ("nonsense", "7 0", "nonsense", "4 0", "nonsense")
    queue = [Due(n, Drill("heap", position, 0, Origin.MISTAKE), 0, 0) for n, position in enumerate(positions)]
    practice = Practice(queue, lambda _: heap_game(), Coaching())
    asked = []
    is_there = practice.begin()
    while is_there and practice.drill is not None:
        asked.append(practice.drill.position)
        is_there = practice.advance()
    assert (asked, practice.total) == (["7 0", "4 0"], 2)
    assert not Practice(queue[:1], lambda _: heap_game(), Coaching()).begin()
