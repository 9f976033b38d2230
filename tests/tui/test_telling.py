"""What is told beside a board fits there, in every game."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.core.rules import Result
from onlymove_engines.play.session import HUMAN, Player, PlayerKind, Session
from onlymove_tui.app.panels.telling import player_rows
from onlymove_tui.app.widgets.canvas import width_of
from onlymove_tui.play.coaching import Coaching
from onlymove_tui.play.match import Match

from tests.tui.tiny_game import tiny_game

PANEL = 28
"""Columns beside a board on a screen of 80."""


@pytest.mark.parametrize("game_id", [card.id for card in games.title_cards()])
def test_who_plays_and_who_won_is_never_cut(game_id: str) -> None:
    game = games.load(game_id)
    for style in game.styles:
        engine = Player(PlayerKind.ENGINE, style.id, 100)
        for players in ((HUMAN, engine), (engine, HUMAN), (engine, engine)):
            match = Match(Session(game, players=players), Coaching())
            for winner in (None, 0, 1):
                result = None if winner is None else Result(winner)
                for row in player_rows(match, result):
                    shown = "".join(text for text, _ in row)
                    assert width_of(row) <= PANEL, shown
                names = "".join(text for row in player_rows(match, result) for text, _ in row)
                assert names.count("won") == (winner is not None)
                assert all(seat in names for seat in game.seats)


def test_the_strength_is_told_where_there_is_room() -> None:
    match = Match(Session(tiny_game(), players=(HUMAN, Player(PlayerKind.ENGINE, "", 70))), Coaching())
    shown = ["".join(text for text, _ in row) for row in player_rows(match, None)]
    assert shown == ["▸ ● Left  you", "  ○ Right  Best 70"]
