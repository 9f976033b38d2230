"""What players can rely on in every game: entering moves, undoing, hints, strengths, reasons and whole screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.values import find_best_line, find_refutation
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, AnyAnalyst, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MoveEntry, Target, moves_of
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Mixed, Outcome
from onlymove_engines.play.players import HUMAN, MoveChooser, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import GameTree
from onlymove_laws.law import (
    Law,
    alternating_games,
    games_with_a_cursor,
    games_with_styles,
    list_starts,
    parametrize_amount,
    play_randomly,
    seat_of,
    simultaneous_games,
    to_text,
    to_value,
)
from onlymove_tables.open import open_game
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.board.move_input import MoveInput
from onlymove_tui.app.panels.value_rows import refutation_line
from onlymove_tui.app.widgets.board_view import BoardView
from textual.pilot import Pilot

from tests.tui.pilots import FRIENDS, board, list_ways, make_board_app, make_settings, press, session, settle

Sample = tuple[Any, ...]
SMALLEST = (60, 20)
"""The size of a terminal that cannot show all lines of high pictures."""


def entries(game: AnyGame, position: Any) -> Iterator[MoveEntry[Any]]:
    """Return every state of entering a move at a position: with nothing picked, and with each prefix of each path."""
    full = Session(game, position).make_entry(game.rules.to_move(position) or 0)
    prefixes = {path[:length] for path in full.options for length in range(len(path))}
    return (MoveEntry(full.options, prefix) for prefix in sorted(prefixes))


@games_with_a_cursor
def test_arrows_lead_to_everything_that_can_be_picked(game: AnyGame, sample: Sample, law: Law) -> None:
    for position in sample[:10]:
        for entry in law.each(list(entries(game, position))[:20]):
            scene = game.painter.scene(View((position,), chosen=entry.prefix))
            entering = MoveInput(Session(game, position), lambda scene=scene: scene, lambda _seat, _move: None)  # type: ignore[misc]
            entering.entry = entry
            entering.place_cursor()
            assert entering.cursor in entry.next_targets(), f"{to_text(game, position)}, after {entry.prefix}"
            assert {*entry.next_targets()} <= {*list_ways(entering)}, f"{to_text(game, position)}, after {entry.prefix}"


def test_sessions_replay_the_plain_rules(game: AnyGame, law: Law) -> None:
    for seed, start in law.each(enumerate(list_starts(game))):
        played: Session[Any, Any] = Session(game, start)
        for position, move in play_randomly(game, start, Random(seed)):
            assert played.position == position, to_text(game, position)
            if move is not None:
                played.play(move)
        while played.undo():
            pass
        assert played.position == start
        while played.redo():
            pass
        assert played.position == position, to_text(game, position)


@parametrize_amount("games", 10, 1000)
def test_many_games_replay_the_plain_rules(game: AnyGame, games: int, law: Law) -> None:
    beginnings = list(list_starts(game))
    for seed in law.each(range(games)):
        start = beginnings[seed % len(beginnings)]
        played: Session[Any, Any] = Session(game, start)
        for position, move in play_randomly(game, start, Random(seed)):
            assert played.position == position, to_text(game, position)
            if move is not None:
                played.play(move)
        result = game.rules.result(position)
        if result is not None:
            assert played.result == result, to_text(game, position)


@parametrize_amount("count", 15, 200)
def test_every_move_is_the_same_by_path_and_by_text(game: AnyGame, count: int, law: Law) -> None:
    random, positions = Random(200), dict[Any, None]()
    beginnings = list(list_starts(game))
    while len(positions) < count:
        walk = [
            position for position, move in play_randomly(game, random.choice(beginnings), random) if move is not None
        ]
        positions |= dict.fromkeys(random.sample(walk, min(4, len(walk))))
    rules: Any = game.rules
    for position in list(positions)[:count]:
        seats = (0, 1) if game.facts.simultaneous else (game.rules.to_move(position),)
        for seat in seats:
            moves = rules.moves_of(position, seat) if game.facts.simultaneous else rules.legal_moves(position)
            full = Session(game, position).make_entry(seat or 0)
            for move in moves:
                for path in game.notation.paths(position, move):
                    entry = full
                    for target in path:
                        entry = entry.pick(target) or pytest.fail(
                            f"{to_text(game, position)}: {path} stops at {target}"
                        )
                    assert entry.move == move, f"{to_text(game, position)}: {path}"
        for move in law.each(game.rules.legal_moves(position)):
            text = game.notation.format_move(position, move)
            assert game.notation.parse_move(position, text) == move, f"{to_text(game, position)}: {text}"


@alternating_games
@parametrize_amount("count", 2, 30)
def test_reasons_are_legal_and_end_as_claimed(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished_positions: Sample, count: int, law: Law
) -> None:
    for position in unfinished_positions[:count]:
        moves = list(analyst.analyse(position).moves.items())
        for move, value in moves[:: max(1, len(moves) // 3)]:
            start = GameTree(game, position)
            line = find_best_line(start, start.root, move, analyst)
            end = position
            for step in line:
                assert step in game.rules.legal_moves(end), f"{to_text(game, position)}: {line}"
                end = game.rules.play(end, step)
            law.count_case()
            if value is not None and value.margin is None:
                shown, ended = find_refutation(start, start.root, move, analyst, Budget()), game.rules.result(end)
                is_drawn = shown.is_drawn if ended is None else ended.winner is None
                assert is_drawn == (value.outcome is Outcome.DRAW), f"{to_text(game, position)}: {line}"
                output = "".join(text for text, _ in refutation_line(game, shown.step_by(len(line))))
                assert ("draw" in output.lower()) == is_drawn, output
            if value is not None and value.remoteness is not None and value.margin is None:
                result, seat = game.rules.result(end), seat_of(game, position)
                assert len(line) == value.remoteness, f"{to_text(game, position)}: {line} for {value}"
                assert result is not None, to_text(game, position)
                assert result.outcome_for(seat) is value.outcome, f"{to_text(game, position)}: {line} for {value}"


def test_grades_do_not_depend_on_the_opponents_strength(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    analyst = open_game(game).analyst
    for position in law.each(unfinished_positions[:5]):
        values = look(analyst, position)
        seat = game.rules.to_move(position) or 0
        judgements = [
            [judge(values, move, seat=seat) for move in sitting.moves_of(seat)]
            for strength in (0, 100)
            for sitting in [Session(game, position, (HUMAN, Player(PlayerKind.ENGINE, "", strength)))]
        ]
        assert judgements[0] == judgements[1], to_text(game, position)


def look(analyst: AnyAnalyst, position: Any) -> Analysis[Any] | Mixed:
    """Return the values by which a move is judged."""
    if isinstance(analyst, SimultaneousAnalyst):
        return analyst.mixed(position, Budget(depth=2))
    return analyst.analyse(position)


def is_even(found: Counter[Any], moves: Sequence[Any], draws: int) -> bool:
    """Whether each move was drawn about equally often. The limit is far above the 0.01 % point for up to 27 moves."""
    return sum((found[move] - draws) ** 2 / draws for move in moves) < 3 * len(moves) + 20


@alternating_games
@games_with_styles
def test_strength_0_plays_every_move_alike(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    position, random, draws = game.default_start(), Random(17), 400
    moves = list(game.rules.legal_moves(position))
    for style in law.each(game.play.styles):
        opponent = MoveChooser(analyst, style, 0)
        found = Counter(opponent.choose(position, 0, moves, random) for _ in range(draws * len(moves)))
        assert is_even(found, moves, draws), f"{game.id}, {style.id}: {found}"


@simultaneous_games
@games_with_styles
def test_strength_0_chooses_every_move_alike(game: AnyGame, law: Law) -> None:
    position, random, draws = game.default_start(), Random(17), 400
    moves, analyst = list(moves_of(game.rules, position, 0)), open_game(game).analyst
    for style in law.each(game.play.styles):
        opponent = MoveChooser(analyst, style, 0)
        found = Counter(opponent.choose(position, 0, moves, random) for _ in range(draws * len(moves)))
        assert is_even(found, moves, draws), f"{game.id}, {style.id}: {found}"


@alternating_games
@games_with_styles
def test_strength_100_never_drops_a_value(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    for number, style in enumerate(style for style in game.play.styles if style.needs_analysis):
        opponent, random = MoveChooser(analyst, style, 100), Random(number)
        for position, _ in play_randomly(game, game.default_start(), random):
            analysis = analyst.analyse(position)
            top = analysis.best_value()
            if top is None:
                continue
            seat = seat_of(game, position)
            value = to_value(analysis.moves[opponent.choose(position, seat, list(analysis.moves), random)])
            assert value.outcome is top.outcome, f"{to_text(game, position)}, {style.id}: {value} for {top}"
            law.count_case()


async def enter_by_keys(pilot: Pilot[Any], app: OnlymoveApp, game: AnyGame, target: Target) -> None:
    screen = board(app)
    for key, named_target in game.play.direct_keys.items():
        if named_target == target and target in screen.state.move_input.entry.next_targets():
            await press(pilot, key)
            return
    await press(pilot, *list_ways(screen.state.move_input)[target], "enter")


async def enter_by_mouse(pilot: Pilot[Any], app: OnlymoveApp, game: AnyGame, target: Target) -> None:
    view = app.screen.query_one(BoardView)
    place = view.scene.place(target)
    assert place is not None, f"{game.id}: {target} is not on the picture"
    left, top, lines = view.place_of_scene()
    row = lines.index(place.y + place.height // 2)
    await pilot.click(BoardView, offset=(left + place.x + place.width // 2, top + row))
    await settle(pilot)


@pytest.mark.parametrize("enter", [enter_by_keys, enter_by_mouse], ids=["keys", "mouse"])
@parametrize_amount("count", 1, 5)
async def test_moves_are_entered_in_the_app(
    game: AnyGame, unfinished_positions: Sample, enter: Any, count: int, law: Law
) -> None:
    for position in Random(5).sample(unfinished_positions, count):
        text = game.notation.format_position(position)
        app = make_board_app(make_settings(training=False), game=game.id, games=(), players=FRIENDS, position=text)
        async with app.run_test(size=SMALLEST) as pilot:
            await settle(pilot)
            move = Random(text).choice(list(game.rules.legal_moves(position)))
            parts = list(move) if game.facts.simultaneous else [move]
            for part in parts:
                path = game.notation.paths(position, part)[0]
                for target in path:
                    await enter(pilot, app, game, target)
            assert session(app).position == game.rules.play(position, move), f"{to_text(game, position)}, {move}"
            law.count_case()
