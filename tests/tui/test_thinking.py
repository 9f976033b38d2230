"""What an engine in a game has to think about."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, Style, Turn, alike
from onlymove_engines.live import engine
from onlymove_engines.live.engine import prepare_thought, warm_up
from onlymove_engines.play.players import Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session

from tests.tui.tiny_duel import DuelAnalyst, even_mix, tiny_duel
from tests.tui.tiny_game import TinyAnalyst, tiny_game


@pytest.mark.parametrize(("game", "kind"), [(tiny_game(), TinyAnalyst), (tiny_duel(), DuelAnalyst)])
def test_a_rehearsal_looks_up_and_chooses_once_without_any_search_time(game: AnyGame, kind: type[Any]) -> None:
    asked: list[tuple[str, bool]] = []

    analyst, name = kind(), "mixed" if game.facts.simultaneous else "analyse"
    find = getattr(analyst, name)

    def note_look(position: Any, budget: Budget = UNLIMITED) -> Any:
        asked.append(("look", budget.should_stop()))
        return find(position, budget)

    setattr(analyst, name, note_look)

    def choose(turn: Turn[Any, Any]) -> dict[Any, float]:
        asked.append(("choice", turn.budget.should_stop()))
        return even_mix(turn) if game.facts.simultaneous else alike([game.rules.legal_moves(turn.position)[0]])

    style: Style[Any, Any] = Style("watched", "Watched", "", choose)
    warm_up(replace(game, play=replace(game.play, styles=(style,))), analyst)
    assert {what for what, _ in asked} == {"look", "choice"}
    assert all(is_over for _, is_over in asked)


@pytest.mark.parametrize(("strength", "looked"), [(100, 1), (60, 0)])
def test_only_at_full_strength_does_an_engine_think_of_what_has_stood_before(
    strength: int, looked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def look(line: Any, node: Any, analyst: TinyAnalyst, budget: Budget) -> Analysis[Any]:
        asked.append(node)
        return analyst.analyse(node.position, budget)

    monkeypatch.setattr(engine, "find_values", look)
    player = Player(PlayerKind.ENGINE, "", strength)
    session: AnySession = Session(tiny_game(), players=(player, player))
    move = prepare_thought(session, 0, TinyAnalyst(), Random(1))(UNLIMITED)
    assert move in session.legal_moves()
    assert len(asked) == looked
