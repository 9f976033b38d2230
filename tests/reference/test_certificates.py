"""A checker that knows only the rules accepts the certificates of `prove`, and refuses them after any change."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AlternatingAnalyst, alternating
from onlymove_engines.core.errors import BadNotation, Refuted
from onlymove_engines.core.game import AnyGame, list_images
from onlymove_engines.search.strategy import (
    Entry,
    Finder,
    NoStrategy,
    Strategy,
    StrategyChecker,
    find_worth,
    format_certificate,
    list_symmetries,
)
from onlymove_tables.open import open_game
from onlymove_tui.cli import run

from tests.heap_game import HeapAnalyst, heap_game
from tests.literal_game import Over, Tree, literal_game
from tests.reference import check_certificate, plain_rules
from tests.reference.check_certificate import Broken, list_proven_facts
from tests.reference.forgeries import Forger
from tests.reference.purse_game import RankedAnalyst, count_lead, purse_game
from tests.reference.random_game import Definition, RandomGame, draw_game, solve_from_rules

CHECKER = Path(__file__).with_name("check_certificate.py")
PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
SIZES = re.compile(
    r"In ([\d,]+) of them it has a move for \w+, and in ([\d,]+) .*? In the other ([\d,]+), it allows"
    r" for all ([\d,]+) replies"
)
"""Matches what `prove` says about each strategy, with its lines joined."""
MAX_LINES = 215
ROUNDS = {"pokemon": 10}
"""How often each kind of forgery is tried for games with small certificates. For other games it is tried once."""


class PlainCopy(plain_rules.Game):
    """The rules of a test's game in the form that the checker takes, without values."""

    def __init__(self, game: AnyGame, most: int = 1) -> None:
        self.game, self.most = game, most
        self.start = game.notation.format_position(game.default_start())

    def parse(self, text: str) -> Any:
        try:
            return self.game.notation.parse_position(text)
        except BadNotation as why:
            raise ValueError(str(why)) from why

    def moves(self, position: Any) -> Any:
        moves = self.game.rules.legal_moves(position)
        return [(self.game.notation.format_move(position, m), self.game.rules.play(position, m)) for m in moves]

    def lead(self, position: Any) -> int:
        return 0 if self.game.play.points is None else count_lead(position, 0)

    def end(self, position: Any) -> int | None:
        result = self.game.rules.result(position)
        if result is None:
            return None
        return int(result.outcome_for(0)) if result.score is None else result.score[0] - result.score[1]


def make_certificate(game: AnyGame, analyst: AlternatingAnalyst, change: int = 0) -> list[str]:
    """Return a certificate of a game's value. With `change`, both sides claim that much more. Raises NoStrategy or
    Refuted."""
    start = game.default_start()
    value = analyst.analyse(start).best_value()
    assert value is not None
    first = find_worth(game, start, value)
    sides = [(seat, least + change) for seat, least in ((0, first), (1, -first)) if game.play.points or least > -1]
    strategies = [Finder(game, analyst, seat, least).find() for seat, least in sides]
    for strategy in strategies:
        StrategyChecker(game, strategy).check()
    return list(format_certificate(game.id, first, strategies))


def is_accepted(lines: Iterable[str]) -> bool:
    """Whether the checker accepts a certificate."""
    try:
        return len(list(list_proven_facts(lines))) > 1
    except Broken:
        return False


@pytest.fixture
def heap(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game that is won, and add its plain rules to the checker."""
    game = heap_game()
    monkeypatch.setitem(plain_rules.GAMES, game.id, PlainCopy(game))
    return game


def purse(seed: int, monkeypatch: pytest.MonkeyPatch) -> tuple[AnyGame, RankedAnalyst]:
    """Return a random game with points and its analyst, and add its plain rules to the checker. Play can go round in
    circles."""
    game = purse_game(Random(seed))
    monkeypatch.setitem(plain_rules.GAMES, game.id, PlainCopy(game, most=100))
    return game, RankedAnalyst(game, count_lead)


def test_the_checker_is_short() -> None:
    assert len(CHECKER.read_text("utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("file", ["check_certificate.py", "plain_rules.py"])
def test_the_checker_knows_nothing_of_the_program(file: str) -> None:
    assert "onlymove_" not in CHECKER.with_name(file).read_text("utf-8")


def test_a_won_game_is_certified_and_every_forgery_is_refused(heap: AnyGame) -> None:
    lines = make_certificate(heap, HeapAnalyst(None))
    assert is_accepted(lines)
    for seed in range(20):
        for kind, forged in Forger(heap, HeapAnalyst(None), lines, seed).forgeries():
            assert not is_accepted(forged), f"{kind}, seed {seed}: {set(forged) ^ set(lines)}"


@pytest.mark.parametrize("seed", range(25))
def test_games_with_points_that_go_round_are_certified_and_no_more_is(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, analyst = purse(seed, monkeypatch)
    lines = make_certificate(game, analyst)
    assert is_accepted(lines), "\n".join(lines)
    with pytest.raises(NoStrategy):
        make_certificate(game, analyst, change=1)
    for kind, forged in Forger(game, analyst, lines, seed).forgeries():
        assert not is_accepted(forged), f"{kind}: {set(forged) ^ set(lines)}"


class RandomCopy(PlainCopy):
    """The same for a random game in which a side may move twice in a row."""

    def __init__(self, of: RandomGame) -> None:
        super().__init__(of.game, most=100 if of.has_points else 1)
        self.of = of

    def lead(self, position: Any) -> int:
        return self.of.endless(position) if self.of.has_points else 0

    def left(self, position: Any) -> int:
        return 2 * self.most if self.of.has_points else 1

    def again(self, before: Any, after: Any) -> bool:
        return bool(before.seat == after.seat)

    def images(self, position: Any) -> list[Any]:
        return list_images(position, list_symmetries(self.game))


@pytest.mark.parametrize("seed", range(40))
def test_games_in_which_a_side_moves_again_are_certified(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    of = draw_game(seed)
    analyst, value = solve_from_rules(of.game), Definition(of).final[of.game.default_start()]
    monkeypatch.setitem(plain_rules.GAMES, of.game.id, RandomCopy(of))
    lines = make_certificate(of.game, analyst)
    assert f"value {value}" in lines
    assert not (of.has_points or value > -1) or is_accepted(lines), "\n".join(lines)
    with pytest.raises(Refuted):
        make_certificate(of.game, analyst, change=1)
    has_entries = any("\t" in line for line in lines)
    for kind, forged in Forger(of.game, analyst, lines, seed).forgeries() if has_entries else ():
        assert not is_accepted(forged), f"{kind}: {set(forged) ^ set(lines)}"


def test_a_strategy_that_waits_for_ever_does_not_hold(heap: AnyGame) -> None:
    strategy = Finder(heap, HeapAnalyst(None), 0, 1).find()
    position, entry = next(iter(strategy.entries.items()))
    assert entry.plies is not None
    late = replace(strategy, entries=strategy.entries | {position: Entry(entry.move, entry.plies + 2)})
    with pytest.raises(Refuted, match="moves are left"):
        StrategyChecker(heap, late).check()


@pytest.mark.parametrize("listed", [{}, {"B": Entry("x", 1)}])
def test_a_strategy_does_not_choose_for_the_other_side(listed: dict[str, Entry]) -> None:
    tree: Tree = {
        "start": (0, {"a": "A"}),
        "A": (1, {"x": "B"}),
        "B": (1, {"x": "gift", "y": "lost"}),
        "gift": Over(0, 0),
        "lost": Over(1, 0),
    }
    strategy = Strategy(0, 1, {"start": Entry("a", 3), **listed})
    with pytest.raises(Refuted, match="at lost: the game ends with -1"):
        StrategyChecker(literal_game(tree), strategy).check()


@pytest.mark.parametrize("change", ["", "onlymove-certificate 2", "game nothing", "value x"])
def test_a_file_that_is_no_certificate_is_refused_in_one_line(
    change: str, heap: AnyGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = make_certificate(heap, HeapAnalyst(None))
    word = change.split(" ", maxsplit=1)[0]
    changed = [change if word and line.startswith(word) else line for line in lines] if change else []
    path = tmp_path / "forged.txt"
    path.write_text("".join(f"{line}\n" for line in changed))
    assert check_certificate.main(str(path)) == 1
    assert capsys.readouterr().out.count("\n") == 1


def list_solved_games() -> Sequence[str]:
    """Return the ids of the games with a table."""
    return [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None]


@pytest.mark.slow
@pytest.mark.parametrize("game_id", list_solved_games())
def test_every_solved_game_is_certified_and_every_forgery_is_refused(
    game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, game = tmp_path / "certificate.txt", games.load(game_id)
    assert run(["prove", game_id, "--certificate", str(path)]) == 0
    sizes = SIZES.findall(" ".join(capsys.readouterr()[0].split()))
    page = PAGE.read_text("utf-8")
    assert sizes, "a strategy for one side at least"
    for row in (" | ".join(size) for size in sizes):
        assert f"| {row} |" in page, f"docs/proofs.md does not say {row}"
    checked = subprocess.run([sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    lines = path.read_text().splitlines()
    analyst = alternating(open_game(game).analyst)
    for seed in range(ROUNDS.get(game_id, 1)):
        for kind, forged in Forger(game, analyst, lines, seed).forgeries():
            assert not is_accepted(forged), f"{kind}, seed {seed}"
