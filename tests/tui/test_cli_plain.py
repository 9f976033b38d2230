"""Line mode: boards, verdicts, hints and endings, with games made for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_tui.play.line_mode import LineMode, Voice, hint_lines
from onlymove_tui.play.phrases import NOTHING_TO_REDO, NOTHING_TO_UNDO

from tests.heap_game import Heap, HeapAnalyst, heap_game, with_analyst
from tests.literal_game import literal_game

ENGINE = Player(PlayerKind.ENGINE)
BOTH = (HUMAN, HUMAN)


def play(
    lines: Sequence[str],
    game: AnyGame | None = None,
    start: Any = None,
    players: tuple[Player, Player] = BOTH,
    on_bad: OnBad = OnBad.MARK,
) -> list[str]:
    """Return everything that is printed while `lines` are typed."""
    chosen = literal_game() if game is None else game
    analyst = LiveAnalyst(chosen) if chosen.solved.open_analyst is None else chosen.solved.open_analyst(None)
    output: list[str] = []
    live = LiveGame(Session(chosen, start, players), Coaching(on_bad), random=Random(1))
    live.set_analyst(analyst)
    LineMode(live, Voice(output.append, lambda: 0.0)).run(lines)
    return output


def test_a_whole_game_between_two_people() -> None:
    output = play(["a", "y", "z"])
    assert output[0] == "Literal. First: a person. Second: a person. Type help for a list of commands."
    assert "a ! The only move that wins." in output
    assert output[-4:] == [
        "First wins.",
        "First: 1 of 1 move was good. Not counted: 1 with nothing to decide.",
        "Second: No decisions to judge. Not counted: 1 with nothing to decide.",
        "Type undo to go back, or quit to leave.",
    ]


def test_a_bad_move_is_played_with_its_verdict() -> None:
    output = play(["b"])
    assert "b ?? You threw away a win in 3 moves. Win in 3 moves → Loss." in output


def test_arrows_are_ascii_only_where_boards_are() -> None:
    output: list[str] = []
    live = LiveGame(Session(literal_game(), None, BOTH), Coaching(OnBad.MARK))
    live.set_analyst(LiveAnalyst(literal_game()))
    LineMode(live, Voice(output.append, lambda: 0.0, ascii_only=True)).run(["b"])
    assert "b ?? You threw away a win in 3 moves. Win in 3 moves -> Loss." in output
    assert "".join(output).isascii()


def test_a_bad_move_is_stopped_until_it_is_kept_or_thought_over() -> None:
    output = play(["b", "position", "rethink", "b", "keep", "position"], on_bad=OnBad.ASK)
    told_so_far = "b ?? This move would throw away a win in 3 moves. Win in 3 moves → Loss."
    stopped = f"{told_so_far} Your move is not played yet. Type keep to play it anyway, undo to take it back."
    assert output.count(stopped) == 2
    assert "start" in output
    assert output[-1] == "B"


def test_training_that_ignores_bad_moves_says_nothing_about_them() -> None:
    output = play(["b", "position"], on_bad=OnBad.OFF)
    assert output[-1] == "B", "played"
    assert "b" in output
    assert not any("?" in line or "threw away" in line for line in output)


def test_a_bad_move_is_taken_back_once() -> None:
    output = play(["b", "position", "b", "position"], on_bad=OnBad.UNDO)
    assert any(line.endswith("Taken back. Try again.") for line in output)
    assert output.index("start") < output.index("B")


def test_why_shows_best_play_after_the_mistake() -> None:
    assert any(line.startswith("Best play after b: x.") for line in play(["b", "why"]))
    assert "There is nothing to explain about the last move." in play(["why"])


def test_a_second_why_shows_all_of_a_long_line() -> None:
    output = play(["2", "why", "why"], heap_game(), (13, 0))
    brief, whole = (line for line in output if line.startswith("Best play after 2: "))
    head, _, rest = brief.partition(" and ")
    assert whole.startswith(head + ", ")
    assert int(rest.split()[0]) == whole.count(", ") - head.count(", ")
    assert brief.split(". ")[1] == whole.split(". ")[1], "how the game ends"


def test_hints_come_in_stages_and_the_first_names_no_move() -> None:
    output = play(["hint", "hint", "hint"], heap_game(), (7, 0))
    stages = [line for line in output if "win in 5 moves" in line.lower()]
    assert stages[0] == "Win in 5 moves. 1 of 2 moves wins."
    assert stages[1] == "1: win in 5 moves."


def test_a_hint_names_the_places_to_begin_unless_they_are_all_there_are() -> None:
    game, position = heap_game(), (7, 0)
    known = HeapAnalyst(None).analyse(position)
    assert hint_lines(game, position, known, Hint(2, ("Look.",), ("1",))) == [
        "Look.",
        "Consider moves that start with 1.",
    ]
    assert hint_lines(game, position, known, Hint(2, ("Look.",), ("1", "2"))) == ["Look."]


def test_values_lists_every_move() -> None:
    output = play(["values"], heap_game(), (7, 0))
    assert output.index("Win in 5 moves: 1") < output.index("Loss in 4 moves: 2"), "the best first"


def test_moves_with_the_same_description_share_a_line() -> None:
    output = play(["values", "hint"], heap_game(), (3, 0))
    assert "Loss in 2 moves: 1, 2" in output
    assert "1, 2: loss in 2 moves." in output, "in a list a value is a letter, to a listener it is words"


def test_undo_and_redo_step_through_own_decisions() -> None:
    output = play(["a", "undo", "position", "redo", "position", "redo"])
    assert output.index("start") < output.index("A")
    assert output[-1] == NOTHING_TO_REDO


def test_a_move_that_cannot_be_taken_back_is_refused_as_in_the_app() -> None:
    assert play(["undo"])[-1] == NOTHING_TO_UNDO


def test_an_illegal_move_changes_nothing_and_says_why() -> None:
    output = play(["q", "position"])
    assert output[-2:] == ["Not played: q is not legal here.", "start"]


def test_the_engine_answers_with_its_best_move() -> None:
    output = play(["2", "1"], heap_game(), (7, 0), (HUMAN, ENGINE))
    assert "Second plays 2" in output
    assert "Second plays 1" not in output[:4]


def test_engines_play_to_the_end_alone() -> None:
    output = play([], heap_game(), (6, 0), (ENGINE, ENGINE))
    assert output[-1] == "Second wins."


@pytest.mark.parametrize(
    ("line", "last"), [("resign", "Second wins: First resigned."), ("draw", "Drawn: draw agreed.")]
)
def test_a_game_can_be_given_up_or_agreed(line: str, last: str) -> None:
    assert last in play([line])


def test_an_engine_agrees_to_a_draw_only_where_it_gives_up_nothing() -> None:
    assert "The engine plays on." in play(["draw"], heap_game(), (6, 0), (HUMAN, ENGINE))
    assert "Drawn: draw agreed." in play(["draw"], heap_game(), (7, 0), (HUMAN, ENGINE))


def test_the_end_of_the_lines_and_quit_end_it() -> None:
    assert play([])[-1] == "First to move."
    assert play(["quit", "a"])[-1] == "First to move."


def test_help_names_every_command() -> None:
    words = play(["help"])[-2]
    plain = LineMode(LiveGame(Session(literal_game()), Coaching()), Voice(lambda _: None, lambda: 0.0))
    for command in plain.commands:
        assert command in words


def test_an_unreachable_position_is_described_as_such() -> None:
    class Narrow(HeapAnalyst):
        def is_reachable(self, position: Heap) -> bool:
            return False

    game = with_analyst(heap_game(), Narrow)
    assert "No game can reach this position, but you can play it anyway." in play([], game, (6, 0))
