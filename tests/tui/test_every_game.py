"""Every game on the board: each move looks different, and errors about typed moves fit on the line."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import LARGEST
from onlymove_engines.games import list_games, load
from onlymove_engines.play.session import Session
from onlymove_laws.law import parametrize_amount

from tests.tui.pilots import FRIENDS

IDS = [facts.id for facts in list_games()]


def sessions(game: AnyGame, count: int, seed: int) -> list[Session[Any, Any]]:
    """Return games that stop at random moments before their end."""
    draw = random.Random(seed)
    found: list[Session[Any, Any]] = []
    while len(found) < count:
        session: Session[Any, Any] = Session(game, game.start({}, draw.randrange(1000)), FRIENDS)
        for _ in range(draw.randrange(14)):
            moves = session.legal_moves()
            if not moves:
                break
            session.play(draw.choice(moves))
        if not session.is_over:
            found.append(session)
    return found


@pytest.mark.parametrize("game_id", IDS)
def test_the_reason_against_a_typed_move_fits_the_line(game_id: str) -> None:
    for session in sessions(load(game_id), 20, 1):
        notation: Any = session.game.notation
        for typed in ("zz", "a1", "b2b4", "9", "a1b1c1", "c1b2+a1", "C@11", "uu", "?"):
            output = ""
            try:
                notation.parse_move(session.position, typed)
            except OnlymoveError as refusal:
                output = str(refusal)
            assert len(output) <= 78, output


@pytest.mark.parametrize("game_id", IDS)
@parametrize_amount("count", 1, 8)
def test_a_complete_move_is_drawn_and_leaves_space_for_marks(game_id: str, count: int) -> None:
    for session, scale, ascii_only in product(sessions(load(game_id), count, 3), range(1, LARGEST + 1), (False, True)):
        seat = session.choosing_seat
        assert seat is not None
        how: dict[str, Any] = {"scale": scale, "ascii_only": ascii_only}
        view = replace(session.tree.view(session.node, seat=seat), **how)
        bare, seen = session.game.painter.scene(view), set[str]()
        paths = {move: path for path, move in session.make_entry(seat).options.items()}
        for path in paths.values():
            scene = session.game.painter.scene(replace(view, chosen=path))
            cells = scene.cells()
            assert [place.target for place in scene.places] == [place.target for place in bare.places]
            framed = [place for place in scene.places if place.framed]
            spots = {place.spot(mark) for place in framed for mark in (place.mark, place.hint)}
            assert {cells[y][x][0] for x, y in spots} <= {" "}, f"{session.position}, {path}"
            assert scene.text().isascii() or not ascii_only
            seen.add(scene.text())
        assert bare.text() not in seen
        assert len(seen) == len(paths), "two moves look alike"


@pytest.mark.parametrize("game_id", IDS)
def test_an_option_finds_its_choice_in_the_start(game_id: str) -> None:
    game = load(game_id)
    for option in game.play.options:
        if option.read is not None:
            for choice in option.choices:
                assert option.read(game.start({option.id: choice}, 1)) == choice
