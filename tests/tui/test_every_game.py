"""Every game through the same board: all targets reached by arrows, moves entered by keys, mouse and text."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MoveEntry
from onlymove_engines.core.scene import LARGEST, View
from onlymove_engines.games import list_games, load
from onlymove_engines.play.session import Session
from onlymove_tui.app.board.move_input import MoveInput
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.board import LEGAL, NO_MARKS, BoardView, paint
from textual.pilot import Pilot

from tests.tui.pilots import FRIENDS, board, effective, list_ways, opened, settle

IDS = [card.id for card in list_games()]
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def sessions(game: AnyGame, count: int, seed: int) -> list[Session[Any, Any]]:
    """Games cut off at random moments before their end."""
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
def test_what_is_wrong_with_a_typed_move_fits_the_line(game_id: str) -> None:
    for session in sessions(load(game_id), 20, 1):
        notation: Any = session.game.notation
        for typed in ("zz", "a1", "b2b4", "9", "a1b1c1", "c1b2+a1", "C@11", "uu", "?"):
            said = ""
            try:
                notation.parse_move(session.position, typed)
            except OnlymoveError as refusal:
                said = str(refusal)
            assert len(said) <= 78, said


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("scale", range(1, LARGEST + 1))
@pytest.mark.parametrize("game_id", IDS)
def test_a_whole_move_is_drawn_and_leaves_marks_their_room(game_id: str, scale: int, ascii_only: bool) -> None:
    for session in sessions(load(game_id), 4, 3):
        seat = session.choosing_seat
        assert seat is not None
        how: dict[str, Any] = {"scale": scale, "ascii_only": ascii_only}
        view = replace(session.line.view(session.node, options={"seat": seat}), **how)
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


def scene_of(session: Session[Any, Any], entry: MoveEntry[Any], seat: int) -> Any:
    """The picture with what has been chosen."""
    return session.game.painter.scene(session.line.view(session.node, chosen=entry.prefix, options={"seat": seat}))


def seats_of(session: Session[Any, Any]) -> tuple[int, ...]:
    """Who's options."""
    return (0, 1) if session.to_move is None else (session.to_move,)


@pytest.mark.parametrize("game_id", IDS)
def test_arrows_reach_every_target_of_every_step(game_id: str) -> None:
    game = load(game_id)
    for session in sessions(game, 30, 1):
        for seat in seats_of(session):
            entries = [session.make_entry(seat)]
            while entries:
                entry = entries.pop()
                entering = MoveInput(session, partial(scene_of, session, entry, seat), lambda _seat, _move: None)
                entering.entry = entry
                entering.place_cursor()
                targets, ways = entry.next_targets(), list_ways(entering)
                text = game.notation.format_position(session.position)
                assert {*targets} <= {*ways}, f"{game_id} {text}: no way from {entering.cursor} after {entry.prefix}"
                steps = [entry.pick(target) for target in targets]
                entries += [step for step in steps if step is not None and step.move is None]


async def enter_by_keys(pilot: Pilot[Any], path: tuple[str, ...]) -> None:
    """Cursor and Enter; arrows alone where they steer."""
    screen = board(pilot.app)  # type: ignore[arg-type]
    for target in path:
        if screen.board.move_input.is_steered:
            key = next(key for key, named in screen.match.game.play.direct_keys.items() if named == target)
            await pilot.press(key)
            continue
        await pilot.press(*list_ways(screen.board.move_input)[target], "enter")


async def enter_by_mouse(pilot: Pilot[Any], path: tuple[str, ...]) -> None:
    """A click on each target."""
    for target in path:
        view = pilot.app.screen.query_one(BoardView)
        place = view.scene.place(target)
        assert place is not None
        left, top, _ = view.place_of_scene()
        await pilot.click(BoardView, offset=(left + place.x, top + place.y))


@pytest.mark.parametrize("game_id", IDS)
@pytest.mark.slow
async def test_moves_are_entered_by_keys_mouse_and_text(game_id: str) -> None:
    draw = random.Random(7)
    for session in sessions(load(game_id), 3, 2):
        game, seat = session.game, seats_of(session)[0]
        position = game.notation.format_position(session.position)
        options = session.make_entry(seat).options
        chosen = draw.sample(sorted(options), min(3, len(options)))
        app = opened(effective(training=False), game=game_id, games=(), position=position, players=FRIENDS)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            screen = app.screen
            assert isinstance(screen, PlayScreen)
            for number, path in enumerate(chosen):
                move: Any = options[path]
                if number == 2:
                    spelled = game.notation.format_move(screen.match.session.position, move)
                    await pilot.press("m", *(key_of(sign) for sign in spelled), "enter")
                else:
                    await (enter_by_keys if number else enter_by_mouse)(pilot, path)
                await pilot.pause()
                made = screen.match.session.pending.get(seat) if screen.match.is_simultaneous else None
                done = made if screen.match.is_simultaneous else screen.match.node.move
                assert done == move, f"{game_id} {position}: {path} gave {done}"
                await pilot.press("u")
                await pilot.pause()
                assert screen.match.node is screen.match.session.line.root
                assert not screen.match.session.pending


def key_of(sign: str) -> str:
    """A character as Textual names its key."""
    return {"@": "at", "+": "plus", "-": "minus", ">": "greater_than_sign", "*": "asterisk"}.get(sign, sign)


@pytest.mark.parametrize("game_id", IDS)
def test_every_mark_changes_a_character_of_the_board(game_id: str) -> None:
    game = load(game_id)
    session = sessions(game, 1, 3)[0]
    seat = seats_of(session)[0]
    scene = scene_of(session, session.make_entry(seat), seat)
    target = session.make_entry(seat).next_targets()[0]
    for ascii_only in (False, True):
        drawn = {}
        for name in ("cursor", "chosen", "legal", "last", "hint", "threat"):
            shown: dict[str, Any] = {name: target if name == "cursor" else (target,)}
            marks = replace(NO_MARKS, **shown)
            drawn[name] = "\n".join("".join(glyph for glyph, _ in row) for row in paint(scene, marks, ascii_only))
        assert len(set(drawn.values())) == len(drawn), f"{game_id}: two marks look alike"
        assert LEGAL in drawn["legal"] or ascii_only


@pytest.mark.parametrize("game_id", IDS)
def test_boards_fit_beside_the_side_panel(game_id: str) -> None:
    game = load(game_id)
    scene = game.painter.scene(View((game.default_start(),)))
    assert scene.width <= 52
    assert scene.height <= 20
