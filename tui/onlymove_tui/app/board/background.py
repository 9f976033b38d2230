"""What a player's own games and drills say of a position, and how narrow the solved game is below it; for workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onlymove_engines.coach.drill import Origin
from onlymove_engines.coach.explore import AnyExplored, Below, explore, explore_below
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition

from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import Tally, count_visits


@dataclass(frozen=True, slots=True)
class Background:
    """How the player's games ended that came through each position, how many drills of the game are due, and by theme
    how many of them were right, of how many answers."""

    own: Mapping[AnyPosition, Tally] = field(default_factory=dict)
    due: int = 0
    answers: Mapping[Origin, tuple[int, int]] = field(default_factory=dict)


def read_own(store: GameStore | None, game: AnyGame) -> Mapping[AnyPosition, Tally]:
    """How often the player's latest games came through each position, and how they ended. Raises StoreTrouble."""
    return {} if store is None else count_visits(game, store.progress.own_games(game.id))


def read_background(store: GameStore | None, game: AnyGame) -> Background:
    """Raises StoreTrouble."""
    if store is None:
        return Background()
    return Background(read_own(store, game), store.drills.due_by_game().get(game.id, 0), store.drills.answers(game.id))


def read_below(
    game: AnyGame, position: AnyPosition, analyst: AlternatingAnalyst, budget: Budget, node: AnyExplored | None = None
) -> Sequence[Below | None]:
    """How narrow it is one ply and two plies below a position, of which the `node` may be known."""
    known = explore(game.rules, position, analyst, budget) if node is None else node
    return explore_below(game.rules, known, analyst, budget)
