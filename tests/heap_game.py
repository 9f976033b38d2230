"""A game with a table that is small enough to check by hand. The players take one or two pieces from a heap, and the
player who takes the last one wins.

If the size of the heap is divisible by three, the side to move loses. The loser delays by taking one, and the winner
leaves a multiple of three. So a heap of n takes 2 * (n // 3) plies, and one more if it is won.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onlymove_engines.core.analysis import Analysis, Columns, Report, Section, Sections, Summary, ignore_report
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game, Play, Solved, Style, alike
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import Role, Scene, Sprite, View
from onlymove_engines.core.value import Loss, Value, Win, value_before
from onlymove_tables.open import SEARCH_VARIABLE

HEAP = 20

Heap = tuple[int, int]
"""The size of the heap, and who moves."""


class HeapRules:
    def to_move(self, position: Heap) -> int:
        return position[1]

    def legal_moves(self, position: Heap) -> Sequence[int]:
        return [take for take in (1, 2) if take <= position[0]]

    def play(self, position: Heap, move: int) -> Heap:
        if not position[0]:
            raise GameOver("nothing is left")
        if move not in self.legal_moves(position):
            raise IllegalMove(f"cannot take {move}")
        return position[0] - move, 1 - position[1]

    def result(self, position: Heap) -> Result | None:
        return None if position[0] else Result(1 - position[1])


class HeapNotation:
    """Writes a heap as `7 0`: its size and who moves. A move is the number of pieces taken."""

    def format_position(self, position: Heap) -> str:
        return f"{position[0]} {position[1]}"

    def parse_position(self, text: str) -> Heap:
        left, _, seat = text.partition(" ")
        if not left.isdigit() or seat not in ("0", "1") or int(left) > HEAP:
            raise BadNotation(f"not a heap: {text}")
        return int(left), int(seat)

    def format_move(self, position: Heap, move: int) -> str:
        return str(move)

    def parse_move(self, position: Heap, text: str) -> int:
        if text not in ("1", "2"):
            raise BadNotation(f"not a move: {text}")
        HeapRules().play(position, int(text))
        return int(text)

    def paths(self, position: Heap, move: int) -> Sequence[tuple[str, ...]]:
        return [(str(move),)]


class HeapIndex:
    """Uses the size of the heap as its number, for either side to move."""

    size = HEAP + 1

    def number(self, position: Heap) -> int:
        return position[0]

    def position(self, number: int) -> Heap:
        return number, 0

    def canonical(self, position: Heap) -> Heap:
        return position[0], 0


class HeapAnalyst:
    """Answers from the table or, without one, by the formula."""

    def __init__(self, sections: Columns | None) -> None:
        self.remoteness = (
            np.array([2 * (n // 3) + (n % 3 > 0) for n in range(HEAP + 1)])
            if sections is None
            else np.asarray(sections["remoteness"])
        )

    def is_reachable(self, position: Heap) -> bool:
        return True

    def probe(self, position: Heap) -> Value:
        plies = int(self.remoteness[position[0]])
        return Win(plies) if plies % 2 else Loss(plies)

    def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
        rules = HeapRules()
        moves = {m: value_before(self.probe(rules.play(position, m)), 0, 1) for m in rules.legal_moves(position)}
        return Analysis(self.probe(position), moves)

    def summarise(self, positions: Sequence[Heap]) -> Iterable[Summary]:
        for position in positions:
            found = self.analyse(position)
            best = " ".join(sorted(str(move) for move in found.list_best_moves())) or "-"
            yield Summary(self.probe(position), str(len(found.moves)), str(len(found.list_good_moves())), best)


class HeapSolver:
    encoding = "heap-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        return {
            "remoteness": HeapAnalyst(None).remoteness.astype(np.int16),
            "heaps": np.arange(HEAP + 1, dtype=np.uint8),
        }

    def derive(self, report: Report = ignore_report) -> Sections:
        plies = [0]
        for n in range(1, HEAP + 1):
            after = plies[max(0, n - 2) :]
            lost = [found for found in after if found % 2 == 0]
            plies.append(1 + (min(lost) if lost else max(after)))
        return {"remoteness": np.array(plies, np.int16), "heaps": np.arange(HEAP + 1, dtype=np.uint8)}

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        return HeapNotation().format_position((int(sections["heaps"][entry]), 0))

    def counts(self, sections: Sections) -> dict[str, int]:
        return {"positions": len(sections["heaps"]), "losses": int((sections["remoteness"] % 2 == 0).sum())}


class HeapPainter:
    """Draws a stroke for each piece that is left."""

    def scene(self, view: View[Heap, int]) -> Scene:
        return Scene(HEAP, 1, (Sprite(0, 0, ("|" * view.position[0],), Role.NEUTRAL),))

    def between(self, view: View[Heap, int]) -> tuple[Scene, ...]:
        return ()

    def trace(self, position: Heap, move: int) -> tuple[str, ...]:
        return ()


EXACT: Style[Heap, int] = Style("exact", "Exact", "plays the best", lambda turn: alike(turn.analysis.list_best_moves()))


def heap_game(folder: str = "heap_package") -> AnyGame:
    """Return the game. `folder` has to be importable only if a table is built or opened."""
    return Game(
        facts=Facts(
            id="heap",
            title="Heap",
            pitch="the last one wins",
            solved="second player wins heaps divisible by three",
            max_plies=HEAP,
            package=folder,
        ),
        seats=("First", "Second"),
        rules=HeapRules(),
        notation=HeapNotation(),
        painter=HeapPainter(),
        start=lambda options, seed: (HEAP, 0),
        play=Play(styles=(EXACT,)),
        solved=Solved(
            index=HeapIndex(), solver=HeapSolver(), digest_sources=("rules.py", "index.py"), open_analyst=HeapAnalyst
        ),
    )


def searched_heap_game() -> AnyGame:
    """Return the game without a solver or a package. No table is looked for, and its analyst answers."""
    game = heap_game("")
    return replace(game, solved=replace(game.solved, solver=None))


def with_analyst(game: AnyGame, kind: type[HeapAnalyst]) -> AnyGame:
    """Return the game with analysts of this kind."""
    return replace(game, solved=replace(game.solved, open_analyst=kind))


def package_of(home: Path) -> Path:
    """Return the folder of the shipped tables for a test with the home folder `home`."""
    return home / "import" / "heap_package" / "tables"


def settle(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up `home` as the user's home folder, with empty folders and a game package for the table's checksum."""
    package = home / "import" / "heap_package"
    package.mkdir(parents=True)
    for name in ("__init__.py", "rules.py", "index.py"):
        (package / name).write_text(f"# {name}\n")
    monkeypatch.syspath_prepend(package.parent)
    sys.modules.pop(package.name, None)  # remove the module of an earlier test
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home / variable))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv(SEARCH_VARIABLE, raising=False)
