"""On the smallest screen everything is there: the whole board of every game, and every line under it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import load, title_cards
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.bars import KeyBar, Notice
from onlymove_tui.app.widgets.board import BoardView
from textual.pilot import Pilot

from tests.tui.pilots import FRIENDS, board, effective, opened, press, session, settle

SMALLEST = (60, 20)
FRAME = {"grid", "store", "home-first", "home-second", "band-inner", "flow"}
"""Roles of what only separates."""
IDS = [card.id for card in title_cards()]


def meaningful(app: OnlymoveApp) -> list[str]:
    """The lines of the picture that carry a target, a piece or a word, without marks."""
    scene = app.screen.query_one(BoardView).scene
    used = {y for place in scene.places for y in range(place.y, place.y + place.height)}
    lines = []
    for y, row in enumerate(scene.cells()):
        if y in used or {role.value for _, role in row if role is not None} - FRAME:
            lines.append("".join(glyph for glyph, _ in row).strip())
    return lines


def lines_on_screen(app: OnlymoveApp) -> list[str]:
    """The screen as the terminal shows it."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def check(app: OnlymoveApp, what: str) -> None:
    """Nothing of the board is cut off, and no line under it."""
    view, notice = app.screen.query_one(BoardView), app.screen.query_one(Notice)
    lines = view.lines()
    assert len(lines) <= view.size.height, f"{what}: {len(lines)} lines of the board in {view.size.height}"
    shown = lines_on_screen(app)
    assert len(meaningful(app)) <= len(lines), what
    for row in notice.text().splitlines():
        assert "…" not in row, f"{what}: {row}"
        assert any(row.strip() in line for line in shown), f"{what}: {row} is not on the screen"
    assert max(notice.region.bottom, app.screen.query_one(KeyBar).region.bottom) == SMALLEST[1], what


def a_position(game: AnyGame, seed: int) -> str:
    """Some way into a random game."""
    draw = random.Random(seed)
    while True:
        played: AnySession = Session(game, game.start({}, seed))
        for _ in range(draw.randrange(2, 12)):
            if not played.is_over:
                played.play(draw.choice(played.legal_moves()))
        if not played.is_over:
            return game.notation.format_position(played.position)


async def enter_worst(pilot: Pilot[Any], app: OnlymoveApp) -> None:
    """The move that the tutor likes least."""
    match = board(app).match
    values, seat = match.values(), match.seat
    assert seat is not None
    moves = list(session(app).moves_of(seat))
    if values is not None:
        moves.sort(key=lambda move: -match.tutor.judge(values, seat, move).grade.gravity)
    await press(pilot, "m", *match.game.notation.format_move(session(app).position, moves[0]), "enter")


@pytest.mark.parametrize("game_id", IDS)
async def test_the_whole_board_and_every_line_are_on_the_smallest_screen(game_id: str) -> None:
    game = load(game_id)
    settings = effective(training=True)
    app = opened(settings, game=game_id, games=(), players=FRIENDS, position=a_position(game, 5))
    async with app.run_test(size=SMALLEST) as pilot:
        await settle(pilot)
        check(app, "to move")
        await press(pilot, "h", "h", "h", "v")
        check(app, "hints and values")
        await press(pilot, "m", *"zz9", "enter")
        check(app, "a refused text")
        await press(pilot, "escape")
        await enter_worst(pilot, app)
        check(app, "after a move that may be held")
        await press(pilot, "h", "w", "w")
        check(app, "the refutation")
        await press(pilot, "u", "enter", "[")
        check(app, "the past")
        await press(pilot, "]", "R")
        check(app, "a question")
        await press(pilot, "R")
        check(app, "the end")
        await press(pilot, "e")
        check(app, "the review")
        await press(pilot, "right")
        check(app, "a move in the review")
        await press(pilot, "w")
        check(app, "why in the review")
        await press(pilot, "escape", "end")
        check(app, "the end in the review")


async def test_a_click_finds_its_target_where_lines_are_left_out() -> None:
    app = opened(effective(training=False), game="pokemon", games=(), players=FRIENDS)
    async with app.run_test(size=SMALLEST) as pilot:
        await settle(pilot)
        view = app.screen.query_one(BoardView)
        assert len(view.lines()) < view.scene.height
        for target in ("large", "@00"):
            place = view.scene.place(target)
            assert place is not None
            left, top = view.offset_of_scene()
            row = view.lines().index(place.y + place.height // 2)
            await pilot.click(BoardView, offset=(left + place.x + 1, top + row))
            await settle(pilot)
        assert len(session(app).moves()) == 1
