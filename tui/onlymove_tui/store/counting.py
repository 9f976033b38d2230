"""How many moves a saved game has, by the numbers that records give them: a move of each side is one."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import Seat
from onlymove_engines.records.record import number_after


class MoveCounter:
    """Asks each game once who begins at a start; `find_game` may read files."""

    def __init__(self, find_game: Callable[[GameId], AnyGame]) -> None:
        self._find_game = find_game
        self._first: dict[tuple[GameId, str], Seat | None] = {}

    def moves(self, game: GameId, start: str, plies: int) -> int:
        """The number of the last move; of a game that is gone, as if the first player had begun."""
        return number_after(plies - 1, self._who_begins(game, start))[0] if plies else 0

    def _who_begins(self, game: GameId, start: str) -> Seat | None:
        if (game, start) not in self._first:
            try:
                found = self._find_game(game)
                self._first[game, start] = found.rules.to_move(found.notation.parse_position(start))
            except OnlymoveError:
                self._first[game, start] = 0
        return self._first[game, start]
