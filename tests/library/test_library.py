"""The library says what the command line says, with positions and moves as text."""

from __future__ import annotations

import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import onlymove
import pytest
from onlymove.pictures.colours import colour
from onlymove.position import Position
from onlymove_engines import games
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.analysis import alternating
from onlymove_engines.play.players import BadPlayer
from onlymove_tables.open import open_game

DOCUMENT = Path(__file__).parents[2] / "docs" / "library.md"
ALTERNATING = [facts.id for facts in games.list_own_games() if not games.load(facts.id).facts.simultaneous]


def test_what_the_page_shows_happens() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert tried > 20
    assert not failed


def walk(game: onlymove.Game, plies: int) -> list[Position]:
    """Return the positions of a random game."""
    random, found = Random(game.id), [game.start()]
    while not found[-1].is_over and len(found) <= plies:
        found.append(game.play(found[-1], random.choice(found[-1].moves)))
    return found


@pytest.mark.parametrize("game_id", onlymove.games())
def test_positions_are_read_as_they_are_written_and_drawn_with_their_past(game_id: str) -> None:
    game = onlymove.load(game_id)
    for position in walk(game, 6):
        again = game.parse(str(position))
        assert again == position
        assert hash(again) == hash(position)
        assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")
        assert position.picture(ascii_only=True).isascii()


def test_a_notebook_shows_the_empty_cells_of_orbito() -> None:
    drawn = onlymove.load("orbito").start()._repr_svg_()
    assert f'fill="{colour("dimple", "light")}"' in drawn


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_values_and_judgements_are_the_analysts(game_id: str) -> None:
    game = onlymove.load(game_id)
    analyst = open_game(game.definition).analyst
    for position in walk(game, 12)[::4]:
        found = game.analyse(position)
        known = alternating(analyst).analyse(position.state)
        spelled = {
            game.definition.notation.format_move(position.state, move): value for move, value in known.moves.items()
        }
        assert (found.value, found.moves) == (known.value, spelled)
        for move in found.moves:
            judged = game.judge(position, move)
            assert judged == judge(known, game.definition.notation.parse_move(position.state, move))
            assert not judged.flagged or game.why(position, move)


def test_engines_are_styles_with_a_strength_or_levels() -> None:
    game = onlymove.load("pokemon")
    choices = [game.engine("practical", seed=5).choose(game.start()) for _ in range(2)]
    assert choices[0] == choices[1] in game.start().moves
    with pytest.raises(BadPlayer, match="choose from"):
        game.engine("nobody")
    with pytest.raises(BadPlayer, match="0 to 100"):
        game.engine("practical", strength=101)


def test_an_engine_is_named_as_on_the_command_line() -> None:
    game = onlymove.load("pokemon")
    for spelled, shown in (("practical@80", "practical@80"), ("random", "practical@0"), ("", "practical@100")):
        assert repr(game.engine(spelled)) == f"<Engine {shown} of pokemon>"


def test_wrong_use_is_refused_in_one_line() -> None:
    riders, orbito = onlymove.load("lightriders"), onlymove.load("orbito")
    with pytest.raises(ValueError, match="give the seat"):
        riders.engine().choose(riders.start())
    with pytest.raises(onlymove.IllegalMove, match="give the seat"):
        riders.judge(riders.start(), "u")
    with pytest.raises(TypeError, match="both sides move at once"):
        riders.analyse(riders.start())
    with pytest.raises(ValueError, match="no option size"):
        orbito.start(size="4x4")
    with pytest.raises(ValueError, match="begins must be one of Top, Bottom, not Nobody"):
        onlymove.load("tobito").start(begins="Nobody")


WRONG: tuple[object, ...] = (None, b"text", 1.5, (), object())
"""Arguments of a type that no function takes."""


def test_an_argument_of_the_wrong_type_is_named() -> None:
    game, riders = onlymove.load("tobito"), onlymove.load("lightriders")
    start, field = game.start(), riders.start(size="4x4")
    engine = game.engine()
    takers: dict[str, Callable[[Any], object]] = {
        "a game": onlymove.load,
        "a position as text": game.parse,
        "records": onlymove.read_games,
        "a move": lambda wrong: game.play(start, wrong),
        "a choice": lambda wrong: riders.action(field, wrong),
        "a position": lambda wrong: game.play(wrong, "a5b4"),
        "what to analyse": game.analyse,
        "one of many": lambda wrong: game.analyse_many([wrong]),
        "one of many to show": lambda wrong: game.planes([wrong]),
        "what to judge": lambda wrong: game.judge(wrong, "a5b4"),
        "a number": game.position,
        "an action": lambda wrong: game.move(start, wrong),
        "a depth": game.perft,
        "a count": game.sample,
        "a seed": lambda wrong: game.start(seed=wrong),
        "the size of a field": lambda wrong: riders.start(size=wrong),
        "a style": game.engine,
        "a strength": lambda wrong: game.engine("practical", strength=wrong),
        "where": lambda wrong: game.sample(1, where=wrong),
        "seconds": lambda wrong: engine.choose(start, seconds=wrong),
        "a seat": field.moves_of,
    }
    for name, take in takers.items():
        for wrong in WRONG:
            if (name, wrong) in (("where", None), ("seconds", 1.5)):
                continue
            with pytest.raises(TypeError, match=r"^[^\n]*(must be|expected)[^\n]* not "):
                take(wrong)


def test_a_number_out_of_range_is_refused() -> None:
    game = onlymove.load("ayoayo")
    start = game.start()
    takers: tuple[Callable[[], object], ...] = (
        lambda: game.perft(-1),
        lambda: game.sample(-1),
        lambda: game.analyse(start, seconds=-1),
        lambda: game.analyse(start, seconds=float("nan")),
        lambda: game.analyse(start, nodes=-1),
        lambda: game.analyse_many([start], depth=0),
        lambda: game.planes([start], seat=2),
        lambda: onlymove.match("tobito", "random", "random", games=0),
        lambda: onlymove.match("tobito", "random", "random", games=2, seed=-1),
        lambda: onlymove.match("tobito", "random", "random", games=2, clock=(-1, 0)),
    )
    for take in takers:
        with pytest.raises(ValueError, match="must be"):
            take()


def test_numbers_from_arrays_are_whole_numbers() -> None:
    game = onlymove.load("tobito")
    number = np.int64(game.number(game.start()))
    assert game.position(number) == game.start()
    assert game.move(game.start(), np.int16(3)) == game.move(game.start(), 3)


def test_one_position_is_not_taken_for_many() -> None:
    game = onlymove.load("tobito")
    positions: tuple[Any, ...] = (game.start(), str(game.start()))
    for one in positions:
        with pytest.raises(TypeError, match="expected several positions"):
            game.analyse_many(one)


def test_a_choice_that_a_seat_does_not_have_is_named() -> None:
    riders = onlymove.load("lightriders")
    with pytest.raises(onlymove.IllegalMove, match="seat 0 cannot choose l here"):
        riders.judge(riders.start(size="4x4"), "l", 0)


def test_a_script_needs_no_guard_to_play_a_match(tmp_path: Path) -> None:
    script = tmp_path / "plays.py"
    script.write_text("import onlymove\nprint(onlymove.match('tobito', 'random', 'random', games=2).games)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_seat_is_one_of_two_and_only_where_both_move_at_once() -> None:
    riders = onlymove.load("lightriders")
    start = riders.start(size="4x4")
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="0 or 1"):
            start.moves_of(seat)
        with pytest.raises(ValueError, match="0 or 1"):
            riders.engine().choose(start, seat)
    with pytest.raises(TypeError, match="one side moves at a time"):
        onlymove.load("orbito").start().moves_of(0)


def test_a_position_of_another_game_is_refused() -> None:
    tobito, riders = onlymove.load("tobito"), onlymove.load("lightriders")
    foreign = onlymove.load("haneto").start()
    asked: tuple[Callable[[], object], ...] = (
        lambda: tobito.play(foreign, "a5b4"),
        lambda: tobito.analyse(foreign),
        lambda: tobito.engine().choose(foreign),
        lambda: tobito.judge(foreign, "a5b4"),
        lambda: tobito.why(foreign, "a5b4"),
        lambda: riders.mixed(foreign),
        lambda: riders.judge(foreign, "up", 0),
        lambda: riders.why(foreign, "up"),
    )
    for ask in asked:
        with pytest.raises(ValueError, match="a position of haneto"):
            ask()


@pytest.mark.parametrize("game_id", onlymove.games())
def test_what_is_asked_and_answered_can_be_sent_to_another_process(game_id: str) -> None:
    position = walk(onlymove.load(game_id), 3)[-1]
    game, sent = pickle.loads(pickle.dumps((onlymove.load(game_id), position)))
    assert sent == position == copy.deepcopy(position)
    assert sent.past == position.past
    assert game.parse(str(sent)) == sent


def test_the_module_is_the_command() -> None:
    output = [
        subprocess.run([sys.executable, "-m", name, "--version"], capture_output=True, text=True, check=True).stdout
        for name in ("onlymove", "onlymove_tui")
    ]
    assert output[0] == output[1] == f"onlymove {onlymove.__version__}\n"


def test_a_move_that_ends_the_game_as_won_gives_nothing_away() -> None:
    ayoayo = onlymove.load("ayoayo")
    position = ayoayo.parse("1,0,2,0,2,3/3,0,1,3,0,1 24-8 0")
    for move in ("1", "5", "6"):
        judged = ayoayo.judge(position, move, by_points=True)
        assert not judged.flagged, move
        assert judged.points_lost == 0
