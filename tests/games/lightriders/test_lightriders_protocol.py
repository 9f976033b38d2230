"""The competition's protocol answers every request, keeps within its time bank, and survives any input."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable

import click
import pytest
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation
from onlymove_engines.games import load
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.notation import LightRidersNotation
from onlymove_engines.games.lightriders.protocol import Riddles, make_riddles, plain_choice
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position
from onlymove_engines.games.lightriders.styles import thinking_time
from onlymove_engines.play.players import plan_seconds
from onlymove_tui.cli.engine import choose_style, tell_remark

RULES = LightRidersRules()
WORDS = {"up": "u", "down": "d", "left": "l", "right": "r", "pass": "x"}


class Clock:
    """A clock that moves only when a test moves it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def speaker(choose: Callable[[Position, int, Budget, int | None], str] | None = None, ready: bool = True) -> Riddles:
    """Return the protocol with a chooser that plays by the plain rules."""
    flag = threading.Event()
    if ready:
        flag.set()
    return Riddles(choose or (lambda position, seat, budget, rounds_left: plain_choice(position, seat)), flag, Clock())


def send_lines(engine: Riddles, *lines: str) -> list[str]:
    """Return every answer to some lines."""
    return [reply for line in lines for reply in engine.replies(line)]


SETTINGS = (
    "settings player_names a,b",
    "settings your_bot b",
    "settings timebank 10000",
    "settings time_per_move 200",
    "settings your_botid 1",
    "settings field_width 16",
    "settings field_height 16",
)


def test_a_whole_game_is_answered_with_directions_that_can_be_ridden() -> None:
    position = official_start(16, 16, 3)
    engine = speaker()
    assert send_lines(engine, *SETTINGS) == []
    dice = random.Random(1)
    while RULES.result(position) is None:
        output = ("update game round 0", f"update game field {','.join(position.cells)}")
        assert send_lines(engine, *output) == []
        [word] = send_lines(engine, "action move 10000")
        step = WORDS[word]
        assert step in RULES.moves_of(position, 1)
        position = RULES.play(position, (dice.choice(RULES.moves_of(position, 0)), step))


def test_the_engine_behind_the_protocol_plays() -> None:
    engine = make_riddles(LightRidersAnalyst(), Clock(), lambda: False)
    engine.ready.wait()
    field = ",".join(official_start(6, 6, 0).cells)
    assert send_lines(engine, f"update game field {field}", "action move 200")[0] in WORDS


def test_before_the_kernels_are_ready_the_plain_rules_answer() -> None:
    def too_early(position: Position, seat: int, budget: Budget, rounds_left: int | None) -> str:
        raise AssertionError("asked before it was ready")

    engine = speaker(too_early, ready=False)
    field = ",".join(official_start(16, 16, 0).cells)
    [word] = send_lines(engine, f"update game field {field}", "action move 100")
    assert word in WORDS


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "settings",
        "settings timebank soon",
        "settings your_botid 7",
        "settings field_width 99999999999",
        "update game field 0,1,hello",
        "update game field .",
        "action dance",
        "\x00\x01",
        "🙂 move",
    ],
)
def test_garbage_gets_one_line_and_the_game_continues(line: str) -> None:
    engine = speaker()
    with pytest.raises(BadNotation) as caught:
        send_lines(engine, line)
    assert "\n" not in str(caught.value)
    field = ",".join(official_start(16, 16, 0).cells)
    assert send_lines(engine, f"update game field {field}", "action move 500")[0] in WORDS


def test_lines_of_no_consequence_are_passed_over() -> None:
    assert send_lines(speaker(), "", "   ", "settings colour blue", "update game round 7", "update a move up") == []


def test_an_action_without_a_field_is_passed_with_a_complaint() -> None:
    engine = speaker()
    answers = engine.replies("action move 1000")
    assert next(iter(answers)) == "pass"
    with pytest.raises(BadNotation):
        next(iter(answers))


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 7), (5, 5), (24, 24), (9, 4)])
@pytest.mark.parametrize("output", [(), ("width",), ("height",), ("width", "height")])
def test_any_size_is_played_if_the_settings_give_it(width: int, height: int, output: tuple[str, ...]) -> None:
    cells = ["."] * (width * height)
    cells[0], cells[-1] = "0", "1"
    engine = speaker()
    sizes = {"width": width, "height": height}
    send_lines(engine, *(f"settings field_{name} {sizes[name]}" for name in output))
    if not output and width != height:
        return
    [word] = send_lines(engine, f"update game field {','.join(cells)}", "action move 500")
    assert word in ("down", "right")


def test_a_rider_that_is_shut_in_passes() -> None:
    engine = speaker()
    assert send_lines(engine, "update game field 0,x,1,x,x,.,.,.,.", "action move 1000") == ["pass"]


def make_field_after(rounds: int) -> Position:
    """Return a 16 x 16 field with as much trail as after this many rounds."""
    return Position(16, 16, "x" * 2 * rounds + "." * (252 - 2 * rounds) + "0..1")


def list_banks(rounds: int, share: float) -> list[float]:
    """Return the bank before each of this many rounds of 10 s + 200 ms, if every step takes this share of the most it
    may take."""
    banks = [10.0]
    for number in range(rounds):
        seconds = thinking_time(make_field_after(number), banks[-1], 0.2, 10.0)
        assert seconds <= banks[-1] - 0.06 or seconds == 0.0
        banks.append(min(10.0, banks[-1] - share * seconds - 0.015 + 0.2))  # the program wakes up 15 ms late every time
    return banks


def test_the_bank_is_never_spent() -> None:
    assert min(list_banks(127, 1.0)) > 0.0  # every move takes all the allowed time
    for left in (0.0, 0.001, 0.01, 0.059, 0.06, 0.061, 0.1):
        assert 0.0 <= thinking_time(make_field_after(40), left, 0.2, 10.0) <= max(0.0, left - 0.06)


def test_a_reserve_is_kept_for_the_last_rounds_in_touch_and_used_there() -> None:
    usual = list_banks(127, 0.45)  # about the usual share of the allowed time
    assert min(usual[:66]) > 2.0
    assert min(usual) > 0.8
    assert thinking_time(make_field_after(72), 3.0, 0.2, 10.0) > 0.2 * 3.0


def test_without_an_increment_the_last_moves_are_searched_too() -> None:
    left = 10.0
    for number in range(120):
        seconds = thinking_time(make_field_after(number), left, 0.0, 10.0)
        left -= 0.45 * seconds
        assert seconds > 0.015, number


def test_an_opening_costs_little_more_than_it_brings_back() -> None:
    assert list_banks(15, 0.7)[-1] > 9.0


def test_moves_in_the_middle_of_the_game_get_more_than_in_the_opening() -> None:
    opening, middle = (
        thinking_time(make_field_after(rounds), left, 0.2, 10.0) for left, rounds in ((10.0, 3), (6.0, 40))
    )
    assert middle > 1.5 * opening


def test_the_search_budget_fits_the_announced_time() -> None:
    seen: list[float] = []

    def watch(position: Position, seat: int, budget: Budget, rounds_left: int | None) -> str:
        seen.append(budget.find_seconds_left() or 0.0)
        return plain_choice(position, seat)

    engine = speaker(watch)
    field = ",".join(official_start(16, 16, 0).cells)
    for bank in (10_000, 1_000, 300, 100):
        send_lines(engine, f"update game field {field}", f"action move {bank}")
        assert seen[-1] <= bank / 1000 / 2


def test_over_the_protocol_time_is_planned_as_in_any_other_match() -> None:
    game, seen = load("lightriders"), list[float]()

    def watch(position: Position, seat: int, budget: Budget, rounds_left: int | None) -> str:
        seen.append(budget.find_seconds_left() or 0.0)
        return plain_choice(position, seat)

    engine = speaker(watch)
    for rounds, left in ((3, 10.0), (40, 6.0), (100, 3.0)):
        position = make_field_after(rounds)
        send_lines(engine, f"update game field {','.join(position.cells)}", f"action move {1000 * left:.0f}")
        assert seen[-1] == pytest.approx(plan_seconds(game, position, left, 0.2, 10.0)), rounds


def test_a_closed_pipe_ends_the_program_with_one_clear_line() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    field = ",".join(official_start(6, 6, 0).cells)
    command = [sys.executable, "-m", "onlymove_tui", "engine", "lightriders"]
    done = subprocess.run(
        command,
        input=f"update game field {field}\naction move 10\n",
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert done.stderr.splitlines() == ["onlymove: The other program closed the pipe."]


def test_the_search_knows_how_many_rounds_are_left() -> None:
    asked: list[int | None] = []

    def choose(position: Position, seat: int, budget: Budget, rounds_left: int | None) -> str:
        asked.append(rounds_left)
        return plain_choice(position, seat)

    field = ",".join(official_start(16, 16, 3).cells)
    for lines in (
        ("update game round 4",),
        ("settings max_rounds 10",),
        ("settings max_rounds 10", "update game round 4"),
        ("settings max_rounds 10", "update game round soon"),
    ):
        send_lines(speaker(choose), *SETTINGS, *lines, f"update game field {field}", "action move 1000")
    assert asked == [None, None, 6, None]


def test_a_rider_that_would_lose_only_after_the_limit_takes_the_draw() -> None:
    # Rider 0 can go straight on for four more rounds, rider 1 for ten: without a limit rider 0 is lost.
    position = LightRidersNotation().parse_position(
        "11 3 0,.,.,.,.,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,1,.,.,.,.,.,.,.,.,.,."
    )
    for limit, value in ((3, 0.0), (4, 0.0), (5, -1.0)):
        found = Lookahead(11, 3).search_last_rounds(position, 0, limit)
        assert found is not None
        assert found.value == value, limit


def test_the_engine_reports_its_search_in_its_style(capsys: pytest.CaptureFixture[str]) -> None:
    engine = make_riddles(LightRidersAnalyst(), Clock(), lambda: False)
    engine.ready.wait()
    game = load("lightriders")
    with pytest.raises(click.UsageError, match="no style 'sleepy'; choose from engine, "):
        choose_style(game, engine, "riddles", "sleepy")
    choose_style(game, engine, "riddles", "voronoi")
    field = ",".join(official_start(8, 8, 0).cells)
    [word] = send_lines(engine, f"update game field {field}", "action move 2000")
    tell_remark(engine)
    tell_remark(engine)
    assert capsys.readouterr().err == f"onlymove: depth 1, value +0.00, {word} 100 %, 0.000 s\n"
