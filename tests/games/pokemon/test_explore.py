"""What `explore` prints about a position, for people and for programs, and what it refuses."""

from __future__ import annotations

import json

import pytest
from onlymove_engines.coach.explore import Choice, OnlyMoveStats
from onlymove_engines.core.game import find_objection
from onlymove_engines.games.pokemon.notation import NOTATION, SET_UP
from onlymove_tui.cli import run
from onlymove_tui.play.phrases import describe_below, describe_keeping, format_replies

START = "xxx/xxx/xxx 222222 1"


def test_json_groups_the_moves_by_what_they_lead_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explore", "pokemon", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert [output[name] for name in ("position", "value", "moves", "holding")] == [START, "draw", 27, 10]
    assert [(group["value"], group["remoteness"], len(group["moves"])) for group in output["groups"]] == [
        ("draw", None, 10),
        ("loss", 12, 9),
        ("loss", 8, 8),
    ]
    first = output["groups"][0]["moves"][0]
    assert first == {"move": "a@00", "position": "axx/xxx/xxx 122222 2", "replies": 26, "holding": 10}
    assert output["below"][0] == {"plies": 1, "positions": 27, "choices": 27, "only": 12, "share": 12 / 27}


def test_a_group_of_moves_that_all_end_the_game_is_as_far_from_the_end_as_analyse_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in ("explore", "analyse"):
        assert run([command, "pokemon", "bxB/CCc/bcx 010000 2", "--json"]) == 0
    explored, analysed = map(json.loads, capsys.readouterr().out.splitlines())
    assert [group["remoteness"] for group in explored["groups"]] == [1]
    assert {move["remoteness"] for move in analysed["moves"]} == {1}


def test_text_says_how_many_replies_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--ascii", "explore", "pokemon", START]) == 0
    out = capsys.readouterr().out
    assert (
        "Squirtle to move: Draw\n10 of 27 moves keep the result. "
        "The numbers say how many of your opponent's replies keep the result.\n" in out
    )
    assert "Draw S@A1 10/26 S@B1 10/26" in " ".join(out.split())
    assert out.endswith(
        "Positions with only one good move: 12 of 27 (44 %) after 1 move, 40 of 606 (7 %) after 2 moves.\n\n"
    )


@pytest.mark.parametrize("text", ["rubbish", "aaa/aaa/aaa 222222 1"])
def test_what_is_no_position_is_one_line_and_exit_code_two(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explore", "pokemon", text]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_counts_are_said_in_words() -> None:
    output = [describe_keeping(Choice(*counts)) for counts in ((1, 1), (1, 0), (5, 0), (5, 5), (5, 1), (5, 2), (0, 0))]
    assert output == [
        "The only move keeps the result.", "The only move loses.", "All 5 moves lose.", "All 5 moves keep the result.",
        "1 of 5 moves keeps the result.", "2 of 5 moves keep the result.", "",
    ]  # fmt: skip
    assert [format_replies(found) for found in (None, Choice(0, 0), Choice(14, 3))] == ["?", "-", "3/14"]
    assert describe_below([None, OnlyMoveStats(2, 9, 0, 0)]) == ""
    assert describe_keeping(Choice(6, 1), in_points=True) == "1 of 6 moves loses no points."


def test_a_hand_never_holds_less_than_nothing_while_a_position_is_set_up() -> None:
    draft = SET_UP.empty
    for target in ("@00", "@01", "@02"):
        draft = SET_UP.put(draft, target, "a")
    draft = SET_UP.put(draft, "@10", "A")
    for _ in range(3):
        draft = SET_UP.put(draft, "small", "a")
        assert min(draft.hands) >= 0, draft
    assert find_objection(NOTATION, draft) == "there are more than 2 of the small piece a: 3 on the board and 0 left"
