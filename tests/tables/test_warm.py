"""The kernels compiled in advance are all that a game needs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from onlymove_engines import games

SCRIPT = """
import gc
from random import Random
from onlymove_engines import games
from onlymove_engines.core.budget import Budget
from onlymove_engines.play.players import MoveChooser
from onlymove_engines.compiled.jit import Kernel
from onlymove_tables.open import open_game

def ready():
    kernels = [each for each in gc.get_objects() if isinstance(each, Kernel)]
    return {(kernel.__qualname__, kinds) for kernel in kernels for kinds in kernel.list_signatures()}

for facts in games.list_games():
    game = games.load(facts.id)
    if not game.facts.plays_by_search:
        continue
    game.warm()
    analyst, warmed, start = open_game(game).analyst, ready(), game.default_start()
    seat = game.rules.to_move(start)
    for style in game.play.styles:
        for budget in (Budget(nodes=200), Budget(nodes=200, depth=1)):
            moves = game.rules.moves_of(start, 0) if seat is None else game.rules.legal_moves(start)
            MoveChooser(analyst, style).choose(start, seat or 0, moves, Random(1), budget)
        late = ready() - warmed
        assert not late, f"{game.id}: {style.id} has still to load or compile {late}"
"""

LOAD = """
import sys
from onlymove_engines import games
from onlymove_tables.kernels import prepare

prepare()
for unit in games.load(sys.argv[1]).solved.kernels:
    unit()
print("numba" in sys.modules)
"""


SEARCHED = [facts.id for facts in games.list_games() if games.load(facts.id).facts.plays_by_search]


@pytest.mark.parametrize("game_id", SEARCHED)
def test_units_that_are_kept_are_loaded_without_numba(game_id: str) -> None:
    """A session that loads numba needs 30 MB more."""
    output = [
        subprocess.run([sys.executable, "-c", LOAD, game_id], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert output[1] == "False\n"


@pytest.mark.slow
def test_no_style_waits_for_a_kernel_once_its_game_is_warm() -> None:
    """This runs in a new process, in which nothing is loaded yet. It takes a second or two."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr.splitlines()[-1]
