"""The picture of Orbito: golden text, the shift seen on its way, and where the last move's marbles went."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.scene import Role, Scene, View
from onlymove_engines.games.orbito import GAME
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import BIT, FULL, RULES, START, Move, Position, at_rest, extra_shifts
from onlymove_engines.games.orbito.scene import PAINTER

GOLDEN = Path(__file__).with_name("golden")


def line(*texts: str) -> View[Position, Move]:
    positions, moves = [START], []
    for text in texts:
        moves.append(NOTATION.parse_move(positions[-1], text))
        positions.append(RULES.play(positions[-1], moves[-1]))
    return View(tuple(positions), tuple(moves))


MIDGAME = line("b3", "c2", "b4", "c3d3c1", "b2a2c4")
VIEWS = {
    "midgame": MIDGAME,
    "flipped": replace(MIDGAME, flipped=True),
    "picked": replace(MIDGAME, chosen=("c4",)),
    "pushed": replace(MIDGAME, chosen=("c4", "c3")),
    "shift": replace(MIDGAME, overlay=True),
    "pushed-shift": replace(MIDGAME, chosen=("c4", "c3"), overlay=True),
    "line-coming": View((NOTATION.parse_position("W.../W.B./W.B./..B. W"),), chosen=("b4",), overlay=True),
    "rested": View((NOTATION.parse_position("WWBB/BBWW/BWWB/WBBW W"),)),
}


@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", VIEWS)
def test_pictures_match_the_golden_text(name: str, ascii_only: bool) -> None:
    text = PAINTER.scene(replace(VIEWS[name], ascii_only=ascii_only)).text() + "\n"
    assert text == (GOLDEN / f"{name}{'-ascii' * ascii_only}.txt").read_text("utf-8")
    assert text.isascii() or not ascii_only


def whole_game(seed: int) -> View[Position, Move]:
    chance, positions, moves = Random(seed), [START], []
    while legal := RULES.legal_moves(positions[-1]):
        moves.append(chance.choice(legal))
        positions.append(RULES.play(positions[-1], moves[-1]))
    return View(tuple(positions), tuple(moves))


def test_pictures_keep_their_size_and_fit_beside_a_panel() -> None:
    for seed in range(20):
        game = whole_game(seed)
        for scene in (PAINTER.scene(game), PAINTER.scene(replace(game, overlay=True)), *PAINTER.between(game)):
            assert (scene.width, scene.height) == (40, 19)
            assert all(len(row) == 40 for row in scene.cells())
            for sprite in scene.sprites:
                assert sprite.x >= 0
                assert sprite.x + max(map(len, sprite.rows)) <= scene.width
                assert sprite.y >= 0
                assert sprite.y + len(sprite.rows) <= scene.height


def test_every_target_of_a_move_is_a_place_that_knows_its_cell() -> None:
    scene = PAINTER.scene(MIDGAME)
    for path in GAME.paths(MIDGAME.position, RULES.legal_moves(MIDGAME.position)):
        for target in path:
            place = scene.place(target)
            assert place is not None
            assert scene.target_at(place.x + place.width - 1, place.y + place.height - 1) == target


def test_every_move_can_be_entered_target_by_target_and_abandoned() -> None:
    moves = RULES.legal_moves(MIDGAME.position)
    entry = MoveEntry(GAME.paths(MIDGAME.position, moves))
    for move in moves:
        on_the_way = entry
        for target in move:
            assert on_the_way.move is None
            PAINTER.scene(replace(MIDGAME, chosen=on_the_way.prefix, overlay=True))
            picked = on_the_way.pick(target)
            assert picked is not None
            assert picked.back() == on_the_way
            on_the_way = picked
        assert on_the_way.move == move


def glyphs_at(scene: Scene, cell: str) -> set[tuple[str, Role | None]]:
    place = scene.place(cell)
    assert place is not None
    cells = scene.cells()
    return {cells[place.y + dy][place.x + dx] for dy in range(place.height) for dx in range(place.width)}


def test_marbles_lie_where_the_position_says() -> None:
    for seed in range(20):
        game = whole_game(seed)
        position = at_rest(game.position)
        scene = PAINTER.scene(game)
        for cell, bit in BIT.items():
            roles = {role for _, role in glyphs_at(scene, cell)} - {None}
            first, second = {Role.FIRST, Role.FIRST_FRESH}, {Role.SECOND, Role.SECOND_FRESH}
            assert bool(roles & first) == bool(position.white & bit)
            assert bool(roles & second) == bool(position.black & bit)


def test_the_trace_marks_the_moved_marbles_after_the_shift() -> None:
    for seed in range(50):
        game = whole_game(seed)
        for before, move, after in zip(game.positions, game.moves, game.positions[1:], strict=False):
            seat = RULES.to_move(before)
            traced = PAINTER.trace(before, move)
            assert after[seat] & BIT[traced[-1]], "the placed marble is where the trace ends"
            assert len(traced) == len(move[-2:])
            if len(move) == 3:
                assert after[1 - seat] & BIT[traced[0]], "the pushed marble is where the trace begins"


def test_a_move_is_shown_step_by_step() -> None:
    frames = PAINTER.between(MIDGAME)
    assert len(frames) == 5, "push, placement, three pictures of the shift"
    assert PAINTER.between(View((START,))) == ()
    assert len(PAINTER.between(line("b3"))) == 4


def test_extra_shifts_are_shown_one_by_one_and_told_in_words() -> None:
    chance = Random(1)
    for _ in range(2000):
        game = whole_game(chance.randrange(1 << 30))
        if game.position.occupied == FULL and (extra := extra_shifts(game.position)):
            assert len(PAINTER.between(game)) == 3 + len(game.moves[-1]) // 2 + 1 + 4 * extra
            assert f"shown after {extra} extra shift" in PAINTER.scene(game).text()
            return
    raise AssertionError("no game came to extra shifts")


def test_a_line_that_only_stands_before_the_shift_is_not_lit() -> None:
    before = NOTATION.parse_position(".B../W..B/W..B/W... W")
    move: Move = ("a4",)
    game = View((before, RULES.play(before, move)), (move,))
    lit = {Role.FIRST_FRESH, Role.SECOND_FRESH}
    for scene in (*PAINTER.between(game), PAINTER.scene(game)):
        assert not {sprite.role for sprite in scene.sprites} & lit


def test_a_line_after_the_shift_is_lit() -> None:
    before = NOTATION.parse_position("W.../W.B./W.B./..B. W")
    move: Move = ("b4",)
    won = View((before, RULES.play(before, move)), (move,))
    assert sum(sprite.role is Role.FIRST_FRESH for sprite in PAINTER.scene(won).sprites) == 4
    entered: View[Position, Move] = View((before,), chosen=move, overlay=True)
    coming = PAINTER.scene(entered)
    assert sum(sprite.role is Role.FIRST_FRESH for sprite in coming.sprites) == 4
