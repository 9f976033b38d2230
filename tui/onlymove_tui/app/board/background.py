"""Reads in workers what the player's games and drills say about a position, and how often only one move keeps the
result in the next plies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onlymove_engines.coach.drill import Origin
from onlymove_engines.coach.explore import AnyExplored, OnlyMoveStats, explore, explore_below
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition

from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import Tally, count_visits


@dataclass(frozen=True, slots=True)
class Background:
    """Facts about a game for one player. `own` gives, for each position, the results of the games that passed through
    it. `due` is the number of drills that are due. `answers` gives, for each theme, the number of right answers and of
    all answers."""

    own: Mapping[AnyPosition, Tally] = field(default_factory=dict)
    due: int = 0
    answers: Mapping[Origin, tuple[int, int]] = field(default_factory=dict)


def read_own(store: GameStore | None, game: AnyGame) -> Mapping[AnyPosition, Tally]:
    """Return the results of the player's games, by the positions that they passed through. Raises StoreTrouble."""
    return {} if store is None else count_visits(game, store.progress.own_games(game.id))


def read_background(store: GameStore | None, game: AnyGame) -> Background:
    """Read a player's games and drills of this game. Raises StoreTrouble."""
    if store is None:
        return Background()
    return Background(
        read_own(store, game), store.drills.count_due_by_game().get(game.id, 0), store.drills.count_answers(game.id)
    )


def read_only_move_stats(
    game: AnyGame, position: AnyPosition, analyst: AlternatingAnalyst, budget: Budget, node: AnyExplored | None = None
) -> Sequence[OnlyMoveStats | None]:
    """For each of the next two plies from a position, return in how many positions only one move keeps the result.
    `node` is the position's node, if it is known."""
    known = explore(game.rules, position, analyst, budget) if node is None else node
    return explore_below(game.rules, known, analyst, budget)
