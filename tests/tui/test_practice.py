"""Rounds of drills without a screen: what counts, what is saved, and what is left out."""

from __future__ import annotations

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_tui.play.training import Practice
from onlymove_tui.store.learning import Due
from onlymove_tui.store.schema import StoreTrouble

from tests.heap_game import HeapAnalyst, heap_game
from tests.tui.live_games import store_current_values


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

    def record_answer(self, due: Due, solved: bool, with_hint: bool) -> int:
        if not self.has_room:
            raise StoreTrouble("the disk is full")
        self.kept.append((due.number, solved))
        return 1


def test_an_answer_that_could_not_be_written_is_written_with_the_next() -> None:
    queue = [Due(number, Drill("heap", "7 0", 0, Origin.MISTAKE, "2"), 0, 0) for number in (1, 2)]
    disk = FullDisk()
    practice = Practice(queue, lambda _: heap_game(), Coaching(), disk.record_answer)
    practice.give_up(practice.live_game())
    assert practice.save() == "the disk is full"
    assert practice.advance()
    practice.give_up(practice.live_game())
    disk.has_room = True
    assert (practice.save(), practice.trouble) == ("", "")
    assert disk.kept == [(1, False), (2, False)]
    assert practice.save() == ""
    assert len(disk.kept) == 2, "once is enough"


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
