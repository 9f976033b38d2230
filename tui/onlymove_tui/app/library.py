"""The games that can be played here, and who answers for their values. Knows no screen and no terminal.

Opening a game package or a table reads files and may compile: both are for workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from onlymove_engines import games as drawers
from onlymove_engines.core.analysis import AnyAnalyst, Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import Facts, GameId, Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.engine import rehearse

from onlymove_tui.terminal.capabilities import strip_folders

AnalystFound: TypeAlias = tuple[AnyAnalyst | None, str]
"""Who knows a game's values, or `None`; and a note on what the answers stand on when that is not the table."""


class Library:
    """Games found by folder and `extra` ones that were handed in. With `warms` kernels are compiled ahead."""

    def __init__(self, extra: Sequence[AnyGame] = ()) -> None:
        self.warms = False
        self._extra = {game.id: game for game in extra}
        self._analysts: dict[GameId, AnalystFound] = {}
        self._cards = [*drawers.list_games(), *(game.facts for game in extra)]

    def cards(self) -> Sequence[Facts]:
        return self._cards

    def card(self, game_id: GameId) -> Facts:
        """The title card of one game. Raises KeyError."""
        return {card.id: card for card in self._cards}[game_id]

    def title_of(self, game_id: GameId) -> str:
        """The game's name; its id if the game is gone."""
        return next((card.title for card in self._cards if card.id == game_id), game_id)

    def levels_of(self, game_id: GameId) -> Sequence[Level]:
        """The game's levels; none if the game is gone."""
        return next((card.levels for card in self._cards if card.id == game_id), ())

    def find_game(self, game_id: GameId) -> AnyGame:
        """The card of a game. Raises UnknownGame."""
        return self._extra.get(game_id) or drawers.load(game_id)

    def find_analyst(
        self, game: AnyGame, stop: Callable[[], bool] = never, tell: Tell = ignore_line, report: Report = ignore_report
    ) -> AnalystFound:
        """Who knows the game's values, found once; `None` if `stop` returns true while kernels are being compiled.
        `tell` is called once about a table that another is used for."""
        if game.id not in self._analysts:
            # numpy and the tables wait for a board.
            from onlymove_tables.background import wait_for_table  # noqa: PLC0415
            from onlymove_tables.kernels import compiler, prepare  # noqa: PLC0415
            from onlymove_tables.kernels.clean_up import clear_unused  # noqa: PLC0415
            from onlymove_tables.open import find_analyst  # noqa: PLC0415

            is_searching = self.warms and game.facts.plays_by_search
            prepare()
            if is_searching and not compiler.wait_for_kernels(
                game, stop, lambda line: tell(strip_folders(line)), report
            ):
                return None, ""
            if not wait_for_table(game, stop, lambda line: tell(strip_folders(line)), report):
                return None, ""
            if self.warms and not self._analysts:
                clear_unused()
            try:
                analyst, note = find_analyst(game, lambda line: tell(strip_folders(line)))
                if is_searching:
                    rehearse(game, analyst)
                    compiler.give_back()
            except OnlymoveError as refusal:
                play = "move at random" if game.play.plain_choice is None else "play simple moves"
                return None, f"Engines {play}: {refusal}"
            self._analysts[game.id] = analyst, strip_folders(f"Played by search: {note}") if note else ""
        return self._analysts[game.id]
