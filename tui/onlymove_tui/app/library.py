"""The games that can be played here, and the analysts of their values.

Opening a game package or a table reads files and may compile, so call these methods in a worker. Does not depend on
screens or on the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from onlymove_engines import games as shipped
from onlymove_engines.core.analysis import AnyAnalyst, Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never_stop
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import Facts, GameId, Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.engine import warm_up

from onlymove_tui.terminal.capabilities import strip_folders

AnalystFound: TypeAlias = tuple[AnyAnalyst | None, str]
"""The analyst of a game, or `None`. The text says where its values come from, if not from the table."""


class Library:
    """The installed games and `extra` ones. With `warms`, kernels are compiled before they are needed."""

    def __init__(self, extra: Sequence[AnyGame] = ()) -> None:
        self.warms = False
        self._extra = {game.id: game for game in extra}
        self._analysts: dict[GameId, AnalystFound] = {}
        self._facts = [*shipped.list_games(), *(game.facts for game in extra)]

    def list_facts(self) -> Sequence[Facts]:
        return self._facts

    def get_facts(self, game_id: GameId) -> Facts:
        """Return the facts of a game. Raises KeyError."""
        return {facts.id: facts for facts in self._facts}[game_id]

    def find_title(self, game_id: GameId) -> str:
        """Return the game's name, or its id if the game is not installed."""
        return next((facts.title for facts in self._facts if facts.id == game_id), game_id)

    def levels_of(self, game_id: GameId) -> Sequence[Level]:
        """Return the game's levels. Empty if the game is not installed."""
        return next((facts.levels for facts in self._facts if facts.id == game_id), ())

    def find_game(self, game_id: GameId) -> AnyGame:
        return self._extra.get(game_id) or shipped.load(game_id)

    def find_analyst(
        self,
        game: AnyGame,
        stop: Callable[[], bool] = never_stop,
        tell: Tell = ignore_line,
        report: Report = ignore_report,
    ) -> AnalystFound:
        """Return the analyst of a game. It is opened only once. It is `None` if `stop` returned `True` during
        preparations, or if it cannot be used, in which case the text gives the reason. `tell` gets a line about a table
        that could not be used."""
        if game.id not in self._analysts:
            # numpy and the tables are imported late, because the menu does not need them.
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
                    warm_up(game, analyst)
                    # An opening book answers without them, and the compiler's code is given back only here.
                    for load in game.solved.kernels:
                        load()
                    compiler.give_back()
            except OnlymoveError as refusal:
                play = "move at random" if game.play.plain_choice is None else "play simple moves"
                return None, f"Engines {play}: {refusal}"
            self._analysts[game.id] = analyst, strip_folders(f"Played by search: {note}") if note else ""
        return self._analysts[game.id]
