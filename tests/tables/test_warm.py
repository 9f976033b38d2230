"""What is compiled ahead of need is all that a game needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import gc
from random import Random
from onlymove_engines import games
from onlymove_engines.core.budget import Budget
from onlymove_engines.play.opponent import Opponent
from onlymove_engines.search.jit import Kernel
from onlymove_tables.open import find_analyst

def ready():
    kernels = [each for each in gc.get_objects() if isinstance(each, Kernel) and each._compiled is not None]
    return {(kernel.__qualname__, str(signature)) for kernel in kernels for signature in kernel._compiled.signatures}

for card in games.title_cards():
    game = games.load(card.id)
    if not game.facts.plays_by_search:
        continue
    game.warm()
    analyst, warmed, start = find_analyst(game)[0], ready(), game.default_start()
    seat = game.rules.to_move(start)
    for style in game.styles:
        for budget in (Budget(nodes=200), Budget(nodes=200, depth=1)):
            engine = Opponent(analyst, style)
            if seat is None:
                engine.choose_hidden(start, 0, game.rules.moves_of(start, 0), Random(1), budget)
            else:
                engine.choose(start, seat, game.rules.legal_moves(start), Random(1), budget)
        late = ready() - warmed
        assert not late, f"{game.id}: {style.id} has still to load or compile {late}"
"""


@pytest.mark.slow
def test_no_style_waits_for_a_kernel_once_its_game_is_warm() -> None:
    """In a process of its own, where nothing is loaded yet: a second or two."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr.splitlines()[-1]
