"""What one of our styles knows about its time in a match."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove.tournament import contestants
from onlymove.tournament.contestants import EnginePlayer, Limits
from onlymove.tournament.processes import Fault, FaultKind
from onlymove_engines import __version__
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, Style, Turn
from onlymove_engines.play.players import Player, PlayerKind, plan_seconds
from onlymove_engines.play.session import AnySession, Session

from tests.tui.tiny_duel import DuelAnalyst, Points, tiny_duel
from tests.tui.tiny_game import TinyAnalyst, tiny_game


class Watch:
    """A clock that stands still, and a style that uses `seconds` of it and stores its budgets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0, clock: str = "cpu") -> None:
        self.now, self.seconds = 0.0, seconds
        self.budgets: list[Budget] = []
        monkeypatch.setitem(contestants.CLOCKS, clock, lambda: self.now)
        self.clock = clock

    def choose(self, turn: Turn[Points, str]) -> dict[str, float]:
        self.budgets.append(replace(turn.budget, clock=None))
        self.now += self.seconds
        return {"a": 1.0}

    def record_budgets(self, game: AnyGame, limits: Limits, moves: int = 1) -> list[Budget]:
        """Return the budgets of this many moves at the start."""
        game = replace(
            game, play=replace(game.play, styles=(Style("watch", "Watch", "", self.choose, needs_analysis=False),))
        )
        player = EnginePlayer(Player(PlayerKind.ENGINE, "watch"), DuelAnalyst, limits, self.clock)
        session: AnySession = Session(game)
        player.begin(game, session.position, 0, 1)
        for _ in range(moves):
            player.choose(session, 0)
        return self.budgets


def test_a_bank_is_spent_as_the_game_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(
        tiny_duel(),
        play=replace(tiny_duel().play, plan_time=lambda position, left, increment, full: left / full + increment),
    )
    output = Watch(monkeypatch, seconds=4.0).record_budgets(game, Limits(bank=10.0, increment=2.0), moves=2)
    assert [budget.deadline for budget in output] == [3.0, 4.0 + 8.0 / 10.0 + 2.0]


def test_a_bank_is_shared_out_evenly_where_the_game_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tiny_duel()
    (output,) = Watch(monkeypatch).record_budgets(game, Limits(bank=60.0, increment=1.0))
    assert output.deadline == plan_seconds(game, (0, 0), 60.0, 1.0, 60.0) == 3.0


def test_seconds_a_move_are_those_of_a_search_however_many(monkeypatch: pytest.MonkeyPatch) -> None:
    (output,) = Watch(monkeypatch).record_budgets(tiny_duel(), Limits(seconds=7.0))
    assert output.deadline == 7.0


def test_it_says_which_style_and_strength_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    player = EnginePlayer(Player(PlayerKind.ENGINE, "", 35), DuelAnalyst, Limits())
    player.begin(tiny_duel(), (0, 0), 0, 1)
    assert player.identity == f"onlymove {__version__} even@35"


def test_nodes_know_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    (output,) = Watch(monkeypatch).record_budgets(tiny_duel(), Limits(nodes=500))
    assert (output.nodes, output.deadline) == (500, None)


@pytest.mark.parametrize("clock", ["cpu", "wall"])
@pytest.mark.parametrize("limits", [Limits(bank=1.0), Limits(seconds=1.0)])
def test_an_engine_that_takes_too_long_loses_like_any_program(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, clock: str
) -> None:
    Watch(monkeypatch, seconds=1.0, clock=clock).record_budgets(tiny_duel(), limits)
    with pytest.raises(Fault) as lost:
        Watch(monkeypatch, seconds=2.0, clock=clock).record_budgets(tiny_duel(), limits)
    assert lost.value.kind is FaultKind.TIMEOUT


@pytest.mark.parametrize("clock", ["cpu", "wall"])
def test_a_style_and_a_program_are_measured_by_the_same_clock(clock: str) -> None:
    """Both use wall time if the system does not say what other processes use. Two styles never need that."""
    clocks = [
        each.clock
        for each in contestants.make_contestants(
            tiny_game(), ("best", "cmd:true"), TinyAnalyst, Limits(bank=1.0), clock
        )
    ]
    assert clocks == [clock, clock]
    clocks = [
        each.clock
        for each in contestants.make_contestants(tiny_game(), ("best", "random"), TinyAnalyst, Limits(bank=1.0))
    ]
    assert clocks == ["cpu", "cpu"]
