"""What the laws share: the games to test, their facts, and sample positions."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeVar

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst, alternating, simultaneous
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.value import Value
from onlymove_engines.games import GROUP, UnknownGame, find_facts, list_added_games, list_own_games
from onlymove_engines.play.tree import Conventions
from onlymove_engines.search.rules_analyst import is_solved_by_rules
from onlymove_tables.analysts import open_for
from onlymove_tables.background import has_table
from onlymove_tables.open import open_game

T = TypeVar("T")
Sample = tuple[Any, ...]
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

OWN_TESTS = Path(__file__).parents[2] / "tests" / "games"
ADDED_TESTS: list[Path] = []
"""The folder with the tests of the package that runs these laws, if there is one."""
ADDED_PACKAGES: set[str] = set()
"""The modules that this package names as games. Empty if it names none."""


class Law:
    """Counts the cases on which a law was tested. A law that was not tested on any case fails, unless it has set
    `excuse`, a reason why a correct game may have none. Then it is skipped."""

    def __init__(self) -> None:
        self.cases = 0
        self.excuse = ""

    def count_case(self) -> None:
        self.cases += 1

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield these items, and count each as a case when the loop has passed it."""
        for item in items:
            yield item
            self.count_case()

    def require_cases(self) -> None:
        if not self.cases:
            pytest.fail("this law tested nothing, because it found no position, move or start to test")


def parametrize_amount(name: str, sample: int | range, everything: int | range) -> pytest.MarkDecorator:
    """Run a test with a small number now, and with the full number in the slow suite."""
    return pytest.mark.parametrize(name, [sample, pytest.param(everything, marks=pytest.mark.slow)])


def restrict_games(speaks_of: Callable[[AnyGame], Any]) -> pytest.MarkDecorator:
    """Run a law only for the games for which `speaks_of` returns true."""
    return pytest.mark.only_games.with_args(speaks_of)


def read_game_packages(root: Path) -> set[str]:
    """Return the modules that a project's pyproject.toml names as games. Empty if there is no such file or if it names
    none."""
    path = root / "pyproject.toml"
    project = tomllib.loads(path.read_text("utf-8")).get("project", {}) if path.is_file() else {}
    return set(project.get("entry-points", {}).get(GROUP, {}).values())


def list_tested_games() -> tuple[list[Facts], list[str]]:
    """Return the games on which the laws are tested, and a line for each game package that is broken. The games are
    those of the package under test, or onlymove's own. If the package under test names no games, they are all that
    were added."""
    if not ADDED_TESTS:
        return list(list_own_games()), []
    added, faults = list_added_games()

    def is_tested(package: str) -> bool:
        return not ADDED_PACKAGES or package in ADDED_PACKAGES

    tested = [facts for facts in added if is_tested(facts.package)]
    return tested, [fault for fault in faults if is_tested(fault.partition(":")[0])]


def find_added_faults() -> list[str]:
    """Return a line for each game of the tested package that cannot be tested, or one line if there are none."""
    tested, found = list_tested_games()
    for facts in tested:
        try:
            games.load(facts.id)
        except UnknownGame as fault:
            found.append(str(fault))
    if found or tested:
        return found
    names = ", ".join(sorted(ADDED_PACKAGES))
    return [
        f"{names} is not installed: run pip install -e . first"
        if names
        else f"no installed package contains a game: none defines the entry points {GROUP}"
    ]


def find_test_folder(game: AnyGame) -> Path:
    """Return the folder with a game's facts.toml, golden pictures and own laws."""
    facts = find_facts(game.id)
    return OWN_TESTS / facts.folder if facts in list_own_games() else ADDED_TESTS[0]


NEEDED = {
    "source": "where the numbers come from",
    "perft": "the number of move sequences of length 1, 2, 3, ...",
    "max_moves": "the largest number of legal moves in a position",
}
"""What the facts of every game contain."""


def read_law_facts(game: AnyGame) -> dict[str, Any]:
    return read_facts_of(game.id, find_test_folder(game) / "facts.toml")


def read_facts_of(game_id: GameId, path: Path) -> dict[str, Any]:
    """Return the `[laws.<id>]` table of a game's facts.toml. Fails for a game without one."""
    entries = tomllib.loads(path.read_text("utf-8")).get("laws", {}) if path.is_file() else {}
    assert game_id in entries, f"{path} has no table [laws.{game_id}]: write one with {', '.join(NEEDED)}."
    found: dict[str, Any] = entries[game_id]
    for key, meaning in NEEDED.items():
        assert key in found, f"{path}: [laws.{game_id}] lacks {key}, {meaning}."
    return found


def load_game_law(game: AnyGame, name: str) -> ModuleType:
    """Return the module in a game's tests that defines a law for that game alone, such as `kernel_law`."""
    spec = spec_from_file_location(f"{game.id}_{name}", find_test_folder(game) / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


alternating_games = restrict_games(lambda game: not game.facts.simultaneous)
simultaneous_games = restrict_games(lambda game: game.facts.simultaneous)
solved_games = restrict_games(lambda game: game.solved.solver is not None)
games_with_styles = restrict_games(lambda game: game.play.styles)
games_with_a_cursor = restrict_games(lambda game: not game.play.direct_keys.keys() & ARROWS.keys())
"""In the other games, arrow keys pick a direction at once."""


def to_text(game: AnyGame, position: Any) -> str:
    return f"{game.id}: {game.notation.format_position(position)}"


def seat_of(game: AnyGame, position: Any) -> int:
    seat = game.rules.to_move(position)
    assert seat is not None, to_text(game, position)
    return seat


def list_choices(game: AnyGame, position: Any) -> list[Sequence[Any]]:
    """Return the moves of the side to move, or those of each side if both move at once."""
    if game.facts.simultaneous:
        return [moves_of(game.rules, position, seat) for seat in (0, 1)]
    return [game.rules.legal_moves(position)]


def to_value(value: object) -> Value:
    assert isinstance(value, Value), value
    return value


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a law once for each game that it applies to, and for each objective. Games without points have only one
    objective."""
    if "game" not in metafunc.fixturenames:
        return
    speaks_of = [mark.args[0] for mark in metafunc.definition.iter_markers("only_games")]
    every = [games.load(facts.id) for facts in list_tested_games()[0]]
    chosen = [game for game in every if all(speaks(game) for speaks in speaks_of)]
    if "objective" in metafunc.fixturenames:
        pairs = [(game, o) for game in chosen for o in Objective if o is Objective.RESULT or game.facts.has_margin]
        metafunc.parametrize(("game", "objective"), pairs, ids=[f"{game.id}-{o.value}" for game, o in pairs])
    else:
        metafunc.parametrize("game", chosen, ids=[game.id for game in chosen])


@pytest.fixture(autouse=True)
def law(request: pytest.FixtureRequest) -> Iterator[Law]:
    """Yield the law, and fail if it was not tested on any case. Skip it instead if nothing is proven about the game."""
    law, failed = Law(), request.session.testsfailed
    yield law
    if request.session.testsfailed == failed:
        game = request.node.funcargs.get("game")
        if not law.cases and game is not None and is_solved_by_rules(game) and not has_table(game):
            pytest.skip("this game has no table, so nothing is proven about it")
        if not law.cases and law.excuse:
            pytest.skip(law.excuse)
        law.require_cases()


@pytest.fixture
def facts(game: AnyGame) -> dict[str, Any]:
    return read_law_facts(game)


def list_starts(game: AnyGame) -> Iterator[Any]:
    """Yield the default start position, and one for every choice of every option."""
    yield game.default_start()
    for option in game.play.options:
        for seed, choice in enumerate(option.choices):
            yield game.start({option.id: choice}, seed)


MAX_WALK_LENGTH = 200


def play_randomly(game: AnyGame, start: Any, random: Random) -> Iterator[tuple[Any, Any]]:
    """Play a random game, and yield each position with the move played from it (`None` at the end). Long games are cut
    short."""
    position, past = start, [start]
    for _ in range(MAX_WALK_LENGTH):
        if Conventions(game).result(past) is not None:
            break
        moves = game.rules.legal_moves(position)
        move = random.choice(list(moves))
        yield position, move
        position = game.rules.play(position, move)
        past.append(position)
    yield position, None


@cache
def _draw_sample(game_id: str) -> Sample:
    game, random = games.load(game_id), Random(2026)
    walks = [[p for p, _ in play_randomly(game, start, random)] for start in list_starts(game) for _ in range(4)]
    flat = [position for walk in walks for position in walk]
    chosen = random.sample(flat, min(len(flat), 80)) + [walk[-1] for walk in walks[:8]]
    return tuple(dict.fromkeys(chosen))


@pytest.fixture
def sample(game: AnyGame) -> Sample:
    """Return about eighty positions from random play, including finished ones. They are the same in every run."""
    return _draw_sample(game.id)


@pytest.fixture
def unfinished_positions(game: AnyGame, sample: Sample) -> Sample:
    return tuple(position for position in sample if game.rules.result(position) is None)


@cache
def find_shared_analyst(game_id: str) -> AlternatingAnalyst:
    """Return the analyst of a game with alternating moves, with its table if it has one. A refused table fails the
    test, and so do refused rules. A small game that has only rules is solved first."""
    game = games.load(game_id)
    opened = open_for(game)
    assert not opened.note or is_solved_by_rules(game), opened.note
    return alternating(opened.analyst)


@pytest.fixture
def analyst(game: AnyGame) -> AlternatingAnalyst:
    return find_shared_analyst(game.id)


@lru_cache(maxsize=1 << 14)
def analyse_once(game_id: str, position: Any) -> Analysis[Any]:
    """Return the analysis of a position in a game with alternating moves. All laws share it."""
    return find_shared_analyst(game_id).analyse(position)


@pytest.fixture
def mixer(game: AnyGame) -> SimultaneousAnalyst[Any]:
    return simultaneous(open_game(game).analyst)
