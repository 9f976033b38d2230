"""What a style of our own is told of its time in a match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove_engines import __version__
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, Style, Turn
from onlymove_engines.play.players import Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.time_plan import planned_seconds
from onlymove_tui.tournament import engine_player
from onlymove_tui.tournament.contestant import Fault, FaultKind, Limits
from onlymove_tui.tournament.engine_player import EnginePlayer

from tests.tui.tiny_duel import DuelAnalyst, Points, tiny_duel


class Watch:
    """A clock that stands still, and a style that takes `seconds` of it and notes what it was told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> None:
        self.now, self.seconds = 0.0, seconds
        self.budgets: list[Budget] = []
        monkeypatch.setattr(engine_player, "CPU_CLOCK", lambda: self.now)

    def choose(self, turn: Turn[Points, str]) -> dict[str, float]:
        self.budgets.append(replace(turn.budget, clock=None))
        self.now += self.seconds
        return {"a": 1.0}

    def told(self, game: AnyGame, limits: Limits, moves: int = 1) -> list[Budget]:
        """The budgets of so many moves at the start."""
        game = replace(game, styles=(Style("watch", "Watch", "", self.choose, needs_analysis=False),))
        player = EnginePlayer("x", Player(PlayerKind.ENGINE, "watch"), DuelAnalyst, limits)
        session: AnySession = Session(game)
        player.begin(game, session.position, 0, 1)
        for _ in range(moves):
            player.choose(session, 0)
        return self.budgets


def test_a_bank_is_spent_as_the_game_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(tiny_duel(), plan_time=lambda position, left, increment, full: left / full + increment)
    told = Watch(monkeypatch, seconds=4.0).told(game, Limits(bank=10.0, increment=2.0), moves=2)
    assert [budget.deadline for budget in told] == [3.0, 4.0 + 8.0 / 10.0 + 2.0]


def test_a_bank_is_shared_out_evenly_where_the_game_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tiny_duel()
    (told,) = Watch(monkeypatch).told(game, Limits(bank=60.0, increment=1.0))
    assert told.deadline == planned_seconds(game, (0, 0), 60.0, 1.0, 60.0) == 3.0


def test_seconds_a_move_are_those_of_a_search_however_many(monkeypatch: pytest.MonkeyPatch) -> None:
    (told,) = Watch(monkeypatch).told(tiny_duel(), Limits(seconds=7.0))
    assert told.deadline == 7.0


def test_it_says_which_style_and_strength_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    player = EnginePlayer("weakling", Player(PlayerKind.ENGINE, "", 35), DuelAnalyst, Limits())
    player.begin(tiny_duel(), (0, 0), 0, 1)
    assert player.identity == f"onlymove {__version__} even@35"


def test_nodes_know_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    (told,) = Watch(monkeypatch).told(tiny_duel(), Limits(nodes=500))
    assert (told.nodes, told.deadline) == (500, None)


def test_who_overdraws_the_bank_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Fault) as lost:
        Watch(monkeypatch, seconds=2.0).told(tiny_duel(), Limits(bank=1.0))
    assert lost.value.kind is FaultKind.TIMEOUT
