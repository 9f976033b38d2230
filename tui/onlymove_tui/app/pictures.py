"""Boards to look at beside a list, drawn by workers: a game's start, a saved game as it stands. Knows no screen."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from onlymove_engines.core.game import AnyGame, AnyPosition, GameId
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Seat
from onlymove_engines.play.session import AnySession

from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.board import Picture, at_every_scale


def draw_usual_start(services: Services, game_id: GameId) -> Picture:
    """How a game begins, and what can be chosen of that."""
    game = services.find_game(game_id)
    notes = [(option.title, ", ".join(option.choices)) for option in game.options if len(option.choices) > 1]
    return replace(draw_start(game, game.start({}, 0), 0, services.ascii_only), notes=tuple(notes))


def draw_start(game: AnyGame, position: AnyPosition, near: Seat, ascii_only: bool) -> Picture:
    """A position from which a game begins, as `near` sees it."""
    options: dict[str, Hashable] = {"seat": near, "cursor": None}
    return at_every_scale(
        game, View((position,), (), game.own_side_below and near == 1, ascii_only=ascii_only, options=options)
    )


def draw_session(session: AnySession, ascii_only: bool) -> Picture:
    """A game as it stands, the only person's side below where the game turns its board."""
    game, people = session.game, session.human_seats()
    near = people[0] if len(people) == 1 else 0
    return at_every_scale(
        game,
        session.view(
            flipped=game.own_side_below and near == 1, ascii_only=ascii_only, options={"seat": near, "cursor": None}
        ),
    )
