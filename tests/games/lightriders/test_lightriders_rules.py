"""The rules of Light Riders, compared with a simple referee written from the competition's page."""

from __future__ import annotations

import random
from typing import Any

import pytest
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.scene import View
from onlymove_engines.games import load
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders.rules import CRASH, Position, advance
from onlymove_laws.law import parametrize_amount

from .kernel_law import play_rounds

GAME = load("lightriders")
DELTA = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}


def referee(position: Position, steps: tuple[str, str]) -> tuple[tuple[bool, bool], list[list[str]]]:
    """Return who survives a round and the field after it, by coordinates alone."""
    grid = [list(position.cells[y * position.width : (y + 1) * position.width]) for y in range(position.height)]
    where = {grid[y][x]: (x, y) for y in range(position.height) for x in range(position.width) if grid[y][x] in "01"}
    grid = [["x" if sign in "01" else sign for sign in row] for row in grid]
    alive, new = [True, True], [(-1, -1), (-1, -1)]
    for seat in (0, 1):
        x, y = where[str(seat)]
        dx, dy = DELTA[steps[seat]]
        new[seat] = (x + dx, y + dy)
        inside = 0 <= x + dx < position.width and 0 <= y + dy < position.height
        if not inside or grid[y + dy][x + dx] != ".":
            alive[seat] = False
    if new[0] == new[1]:
        alive = [False, False]
    for seat in (0, 1):
        if alive[seat]:
            x, y = new[seat]
            grid[y][x] = str(seat)
    return (alive[0], alive[1]), grid


def random_position(dice: random.Random, walls: float = 0.35) -> Position:
    """Return a random field with two heads and walls."""
    width, height = dice.randint(3, 9), dice.randint(3, 9)
    cells = ["x" if dice.random() < walls else "." for _ in range(width * height)]
    first, second = dice.sample(range(width * height), 2)
    cells[first], cells[second] = "0", "1"
    return Position(width, height, "".join(cells))


@parametrize_amount("rounds", 3_000, 100_000)
def test_rounds_agree_with_the_referee_and_the_kernel(rounds: int) -> None:
    dice = random.Random(5)
    played: dict[tuple[int, int], list[tuple[Position, tuple[str, str], Position]]] = {}
    seen: set[tuple[bool, bool, bool]] = set()
    for _ in range(rounds):
        position = random_position(dice)
        steps = (dice.choice("udlr"), dice.choice("udlr"))
        alive, grid = referee(position, steps)
        after = advance(position, steps)
        assert after.cells == "".join("".join(row) for row in grid), (position, steps)
        assert (after.head(0) is not None, after.head(1) is not None) == alive, (position, steps)
        played.setdefault((position.width, position.height), []).append((position, steps, after))
        meeting = [position.find_neighbour(position.cells.index(str(seat)), steps[seat]) for seat in (0, 1)]
        seen.add((*alive, meeting[0] is not None and meeting[0] == meeting[1]))
    assert len(seen) == 5, f"not every way to end a round was tried: {seen}"
    for cases in played.values():
        found = play_rounds([case[0] for case in cases], [case[1] for case in cases])
        for (position, steps, after), compiled in zip(cases, found, strict=True):
            assert compiled == after, (position, steps)


@pytest.mark.parametrize(
    ("cells", "steps", "alive"),
    [
        ("0.1......", ("r", "l"), (False, False)),  # both enter the same cell
        ("01.......", ("r", "l"), (False, False)),  # they trade places
        ("01.......", ("r", "r"), (False, True)),  # into the cell the other has just left
        ("0..x....1", ("d", "u"), (False, True)),  # a wall
        ("0.......1", ("u", "l"), (False, True)),  # off the field
        ("0x.x...x1", ("x", "u"), (False, True)),  # no way out
        ("0xxx.xxx1", ("x", "x"), (False, False)),  # both out of room
    ],
)
def test_every_kind_of_crash(cells: str, steps: tuple[str, str], alive: tuple[bool, bool]) -> None:
    after = advance(Position(3, 3, cells), steps)
    assert (after.head(0) is not None, after.head(1) is not None) == alive


def test_moves_are_the_empty_cells_or_a_crash() -> None:
    dice = random.Random(6)
    for _ in range(3_000):
        position = random_position(dice, walls=0.6)
        for seat in (0, 1):
            moves = GAME.rules.moves_of(position, seat)  # type: ignore[attr-defined]
            survivors = [
                step for step in "udlr" if referee(position, (step, step))[1] and open_cell(position, seat, step)
            ]
            assert list(moves) == (survivors or [CRASH]), (position, seat)


def open_cell(position: Position, seat: int, step: str) -> bool:
    """Whether a step leads into an empty cell, by coordinates."""
    y, x = divmod(position.cells.index(str(seat)), position.width)
    x, y = x + DELTA[step][0], y + DELTA[step][1]
    inside = 0 <= x < position.width and 0 <= y < position.height
    return inside and position.cells[y * position.width + x] == "."


def test_illegal_rounds_and_rounds_after_the_end_are_refused() -> None:
    start = official_start(16, 16, 0)
    with pytest.raises(IllegalMove):
        GAME.rules.play(start, ("x", "u"))
    over = advance(Position(3, 3, "01......."), ("r", "r"))
    assert GAME.rules.legal_moves(over) == ()
    with pytest.raises(GameOver):
        GAME.rules.play(over, ("u", "u"))


def test_official_starts_are_mirror_images_within_the_competitions_bounds() -> None:
    for width, height in ((4, 4), (5, 7), (6, 6), (16, 16), (24, 24)):
        columns = set()
        for seed in range(400):
            position = official_start(width, height, seed)
            y, x = divmod(position.cells.index("0"), width)
            assert position.cells.index("1") == y * width + width - 1 - x
            assert 1 <= y <= height - 2
            columns.add(x)
        assert columns == (set(range(1, width // 2 - 1)) if width >= 6 else {0}), (width, columns)


def test_no_game_outlasts_its_cells(riders_facts: dict[str, Any]) -> None:
    for size in (4, 16, 24):
        rounds = 0
        for seed in range(20):
            rounds = max(rounds, len(play_out(f"{size}x{size}", seed)[1]))
        assert rounds <= (size * size - 2) // 2 + 1 <= (GAME.facts.max_plies or 0)
    assert riders_facts["rounds"]["longest_16x16"] == (16 * 16 - 2) // 2


def test_text_and_positions_go_back_and_forth() -> None:
    dice = random.Random(7)
    for _ in range(1_000):
        position = random_position(dice)
        text = GAME.notation.format_position(position)
        assert GAME.notation.parse_position(text) == position
        for move in GAME.rules.legal_moves(position):
            assert GAME.notation.parse_move(position, GAME.notation.format_move(position, move)) == move


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadNotation),
        ("3 3 0,1", BadPosition),
        ("3 3 0,1,.,.,.,.,.,.,0", BadPosition),
        ("2 3 0,1,.,.,.,.", BadPosition),
        ("25 3 " + ",".join("." * 75), BadPosition),
        ("3 3 0,1,.,.,.,.,.,.,y", BadNotation),
        ("3 3 01.......", BadNotation),
    ],
)
def test_bad_positions_are_refused_with_one_line(text: str, error: type[BadNotation]) -> None:
    with pytest.raises(error) as caught:
        GAME.notation.parse_position(text)
    assert "\n" not in str(caught.value)


def play_out(size: str, seed: int) -> tuple[tuple[Position, ...], tuple[Any, ...]]:
    """Return the positions and rounds of a random game."""
    dice = random.Random(seed)
    positions, moves = [GAME.start({"size": size}, seed)], []
    while GAME.rules.result(positions[-1]) is None:
        moves.append(dice.choice(GAME.rules.legal_moves(positions[-1])))
        positions.append(GAME.rules.play(positions[-1], moves[-1]))
    return tuple(positions), tuple(moves)


@pytest.mark.parametrize("size", ["4x4", "16x16", "24x24"])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_scene_of_a_game_fits_and_shows_every_direction(size: str, ascii_only: bool) -> None:
    positions, moves = play_out(size, 1)
    for count in range(1, len(positions) + 1):
        view = View(positions[:count], moves[: count - 1], overlay=count % 2 == 0, ascii_only=ascii_only)
        scene = GAME.painter.scene(view)
        assert scene.width <= 52
        assert scene.height <= 20
        assert not ascii_only or scene.text().isascii()
        targets = {step for move in GAME.rules.legal_moves(positions[count - 1]) for step in move}
        assert targets == {place.target for place in scene.places}


@pytest.mark.parametrize(("cells", "reason"), [("x.x1", "Rider 1 crashed"), ("0.xx", "Rider 2 crashed")])
def test_the_reason_of_the_end_names_the_rider_as_the_screen_does(cells: str, reason: str) -> None:
    result = GAME.rules.result(Position(2, 2, cells))
    assert result is not None
    assert result.winner is not None
    assert result.reason == reason == f"{GAME.seats[1 - result.winner]} crashed"


def test_a_refusal_names_the_rider_as_the_screen_does() -> None:
    with pytest.raises(IllegalMove, match=r"^Rider 2 cannot play 'd' here$"):
        GAME.rules.play(Position(2, 2, "0..1"), ("r", "d"))
    with pytest.raises(BadPosition, match=r"^Rider 2 \('1'\) appears on more than one cell$"):
        GAME.notation.parse_position("4 4 1,.,.,1,.,.,.,.,.,.,.,.,.,.,.,.")
