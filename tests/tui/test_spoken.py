"""Drills and reviews in line mode, and positions in words. The tests type commands and read the output as a player
does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_tui.cli import play, run
from onlymove_tui.play.training import (
    BROUGHT_BACK,
    HARD_ROUND,
    NOTHING_TO_TAKE_BACK,
    PUT_ASIDE,
    REMOVED,
    STARTED_OVER,
    TAKEN_BACK,
)
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import DrillStore
from onlymove_tui.store.profiles import find_places

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, settle

HEAP = heap_game()
Typed = Callable[..., list[str]]


@pytest.fixture
def run_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Return a function that runs a command with typed words, where `.` is an empty line, checks the exit code, and
    returns the printed lines."""
    settle(tmp_path, monkeypatch)
    install_games(monkeypatch, HEAP)
    monkeypatch.setattr(DrillStore, "days_until", lambda *_: 4)

    def call(command: str, words: str = "", code: int = 0) -> list[str]:
        lines = "".join(f"{'' if word == '.' else word}\n" for word in words.split())
        give_input(monkeypatch, lines)
        assert run(command.split()) == code
        out, err = capsys.readouterr()
        return out.splitlines() if code == 0 else [*out.splitlines(), *err.splitlines()]

    return call


AFTER_A_HARD_ROUND = [
    "0 of 1 correct on the first try.",
    HARD_ROUND,
    "1 comes back in 4 days.",
    "Press Enter to try the missed ones again, or type quit.",
]


def box() -> GameStore:
    return GameStore.open(find_places().games, games.load)


def test_it_says_that_no_drill_is_due(run_typed: Typed) -> None:
    assert run_typed("drill heap", code=1) == ["No drill is due."]


def test_a_drill_is_asked_answered_and_kept(run_typed: Typed) -> None:
    with_drill = box()
    with_drill.drills.add([Drill("heap", "7 0", 0, Origin.MISTAKE, "2")])
    with_drill.close()
    output = run_typed("drill heap", "values 2 values 1 2 values why .")
    assert output[0] == "Drill 1 of 1, Heap. You played 2 here."
    assert "First: keep the win." in output
    assert "Find a move first. Type hint for a hint, solution for the answer." in output
    begun = ("2: ", "1 is correct.")
    wrong, right = (next(n for n, line in enumerate(output) if line.startswith(move)) for move in begun)
    assert wrong < right
    assert output[wrong] == "2: Win in 5 moves → Loss. Now Second wins in 3 moves, but only with 2. Try again."
    praise = "1 is correct. The only move that wins. You'll see this again in 4 days. Press Enter to continue."
    assert output[right] == praise
    assert output[right + 1] == "This drill is solved. Press Enter to continue.", "nothing is judged any more"
    assert output[-4:] == AFTER_A_HARD_ROUND
    assert any(line.startswith("Best play after 1: ") for line in output)
    store = box()
    assert len(store.drills.list_due()) == 0
    store.close()


def test_a_shown_solution_counts_as_not_known(run_typed: Typed) -> None:
    store = box()
    store.drills.add([Drill("heap", "7 0", 0, Origin.ONLY_MOVE, "")])
    store.close()
    output = run_typed("drill", "why solution next")
    assert "Only one move keeps the result." in output[0]
    assert "Type a move first." in output
    assert any(line.startswith("Win in") and line.endswith(": 1") for line in output), output
    assert "You'll see this again in 4 days. Press Enter to continue." in output
    assert output[-4:] == AFTER_A_HARD_ROUND


def test_a_drill_is_put_aside_removed_or_answered_anew_by_a_word(run_typed: Typed) -> None:
    store = box()
    store.drills.add([Drill("heap", f"{heap} 0", 0, Origin.MISTAKE, "2") for heap in (7, 10, 13)])
    output = run_typed("drill heap", "undo 2 undo undo 1 . aside remove words remove remove")
    assert output.count(NOTHING_TO_TAKE_BACK) == 2
    assert [line for line in output if line in (TAKEN_BACK, PUT_ASIDE, REMOVED)] == [TAKEN_BACK, PUT_ASIDE, REMOVED]
    question = "Remove this drill for good? Type remove again to confirm."
    assert output.count(question) == 2, "another word withdraws it"
    assert output[-2:] == ["1 of 1 correct on the first try.", "1 comes back in 4 days."]
    kept = {each.asked.drill.position: (each.asked.tries, each.is_aside) for each in store.drills.list_stored()}
    assert kept == {"7 0": (1, False), "10 0": (0, True)}
    store.close()


def test_drills_are_listed_and_changed_by_their_numbers(run_typed: Typed) -> None:
    assert run_typed("drill --list", code=1) == ["There are no drills."]
    store = box()
    store.drills.add([Drill("heap", f"{heap} 0", 0, Origin.MISTAKE, "2") for heap in (7, 10)])
    assert run_typed("drill heap --put-aside 1 --list") == [
        PUT_ASIDE,
        "2  Heap  own mistakes  due now    not tried yet  10 0",
        "1  Heap  own mistakes  put aside  not tried yet  7 0",
    ]
    assert run_typed("drill --bring-back 1") == [BROUGHT_BACK]
    store.drills.answer(1, solved=True)
    assert "1  Heap  own mistakes  in 4 days  1 of 1 right   7 0" in run_typed("drill --list")
    assert run_typed("drill --start-over 1 --remove 2 --list") == [
        STARTED_OVER,
        REMOVED,
        "1  Heap  own mistakes  due now  not tried yet  7 0",
    ]
    assert run_typed("drill --remove 1 --put-aside 9", code=2) == [
        "onlymove: There is no drill 9; `onlymove drill --list` lists them."
    ]
    assert len(store.drills.list_stored()) == 1, "all or nothing"
    assert run_typed("drill tobito --list", code=1) == ["There are no drills."]
    store.close()


def test_after_a_hard_round_enter_asks_the_missed_ones_again(run_typed: Typed) -> None:
    store = box()
    store.drills.add([Drill("heap", f"{heap} 0", 0, Origin.MISTAKE, "2") for heap in (7, 10, 13)])
    store.close()
    output = run_typed("drill heap", "solution . solution . 1 . hint . 1 . 1 .")
    assert output.count("Session complete.") == 1, "there is nothing to give a hint about"
    assert "Drill 1 of 2, Heap. You played 2 here." in output
    assert output[-3:] == ["2 of 2 correct on the first try.", "Longest streak: 2.", "2 come back in 4 days."]


def test_a_round_says_how_many_in_a_row_and_keeps_a_hidden_goal(
    run_typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLYMOVE_DRILL_GOAL", "hidden")
    store = box()
    store.drills.add([Drill("heap", f"{heap} 0", 0, Origin.MISTAKE, "2") for heap in (7, 10, 13)])
    store.close()
    output = run_typed("drill heap", "1 . 1 . 1 .")
    assert not any("keep the" in line for line in output), "the goal is part of the question"
    assert "Drill 3 of 3, 2 in a row, Heap. You played 2 here." in output
    assert output[-3:] == ["3 of 3 correct on the first try.", "Longest streak: 3.", "3 come back in 4 days."]


def test_an_unreadable_drill_does_not_block_the_others(run_typed: Typed) -> None:
    store = box()
    store.drills.add([Drill("gone", "7 0", 0, Origin.MISTAKE), Drill("heap", "nonsense", 0, Origin.MISTAKE)])
    (output,) = run_typed("drill", code=1)
    assert output.startswith("Due drills could not be read: "), output
    store.drills.add([Drill("heap", "7 0", 0, Origin.MISTAKE, "2")])
    assert run_typed("drill", "1")[0] == "Drill 1 of 1, Heap. You played 2 here."
    assert [due.drill.position for due in store.drills.list_due()] == ["7 0", "nonsense"], "they stay where they are"
    store.close()


def test_fresh_positions_are_looked_for(run_typed: Typed) -> None:
    output = run_typed("drill heap --fresh", code=1)
    assert output[0] == "No drill is due.", "of two moves one that holds is not worth a drill"
    assert run_typed("drill --fresh", code=2) == ["onlymove: --fresh needs a GAME."]


def test_positions_in_which_advice_misleads_are_asked_for_by_its_name(run_typed: Typed) -> None:
    assert run_typed("drill heap --against hurry", code=2) == [
        "onlymove: Heap has no advice 'hurry'."
    ]  # fmt: skip
    assert run_typed("drill --against hurry", code=2) == ["onlymove: --against needs a GAME."]


def test_positions_that_are_asked_for_come_first_and_are_kept_when_they_are_tried(
    run_typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the player only looks at them, none of them is due afterwards."""
    store = box()
    store.drills.add([Drill("heap", "7 0", 0, Origin.MISTAKE, "2")])
    found = [Drill("heap", f"{heap} 0", 0, Origin.CONVERT) for heap in (10, 13)]
    monkeypatch.setattr(play, "draw_misleading", lambda *_: found)
    assert run_typed("drill heap --against hurry", "quit")[0].startswith(
        "Drill 1 of 3, Heap. At most a third of the moves keep the win"
    )
    assert len(store.drills.list_due()) == 1
    run_typed("drill heap --against hurry", "2 . quit")
    assert store.drills.count_answers("heap") == {Origin.MISTAKE: (0, 0), Origin.CONVERT: (0, 1)}
    store.close()


def test_the_last_game_is_gone_through(run_typed: Typed) -> None:
    run_typed("play heap --plain --seats human,human --training flag", "1 1 resign")
    output = run_typed("review --step", ". why mistake back back board nonsense end quit")
    assert output[0] == "Heap, 2 moves. Type help for a list of commands."
    assert any(line.startswith("1. 1 ??") for line in output), output
    assert "This is the start of the game." in output
    assert any("Unknown command" in line for line in output)


def test_a_review_that_steps_needs_a_file_to_read_from(run_typed: Typed) -> None:
    assert run_typed("review - --step", code=2) == [
        "onlymove: --step reads your commands from stdin, so the record must be a file."
    ]
    assert run_typed("review", code=2) == ["onlymove: There are no finished games in your history."]
