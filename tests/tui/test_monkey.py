"""Random keys on every screen. The app never fails, shows what is true now, and saves what it shows."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from onlymove_engines import games as shipped
from onlymove_engines.coach.judge import OnBad
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Keys, Switch

from tests.tui.monkey import Clock, Monkey
from tests.tui.pilots import make_app, make_settings, settle

SEEDS = range(10)
"""Give it other numbers to try other keys. A seed takes about half a minute."""
SITTINGS = 3
ACTIONS = 150
GAMES = ["", *(facts.id for facts in shipped.list_games())]
"""What the app starts with. An empty name stands for the menu."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
async def test_random_keys_break_nothing(seed: int, tmp_path: Path) -> None:
    random, clock = Random(seed), Clock()
    store = GameStore(tmp_path / "games.sqlite3")
    settings = make_settings(
        tmp_path / "settings.toml",
        keys=random.choice(list(Keys)),
        animation=random.choice((Switch.OFF, Switch.ON)),
        on_bad=random.choice(list(OnBad)),
        ascii=random.choice((Switch.OFF, Switch.OFF, Switch.ON)),
    )
    for sitting in range(SITTINGS):
        game = GAMES[(seed + sitting) % len(GAMES)]
        app = make_app(game=game, seed=seed, settings=settings, store=store, clock=clock)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            monkey = Monkey(pilot, app, random, clock)
            await monkey.run(ACTIONS)
            assert app._exception is None, "\n".join(monkey.done)
    store.close()
