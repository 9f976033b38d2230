"""What screens may ask of the app. Knows no screen and no widget; `app` is what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from onlymove_engines.coach.drill import Drill
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import Report, silent
from onlymove_engines.core.game import AnyGame, AnyPosition, GameId, Level
from onlymove_engines.core.value import Seat
from onlymove_engines.games import TitleCard
from onlymove_engines.match.engine import Effort
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession

from onlymove_tui.app.commands import Command
from onlymove_tui.app.library import AnalystFound
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.play.drills import Practice
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.rows import GameNumber
from onlymove_tui.store.settings import Origin, Settings


class Services(Protocol):
    """One player at one terminal, and the doors between the screens."""

    random: Random
    ascii_only: bool

    def keys_on(self, screen_id: str) -> Mapping[str, Command]:
        """The command of each key on a screen, as the player's settings have it."""
        ...

    def clock(self) -> float:
        """What time it is, in seconds from any moment."""
        ...

    @property
    def terminal_size(self) -> tuple[int, int]:
        """Columns and lines of the terminal. Screens are laid out at a size of their own (`terminal.size`)."""
        ...

    @property
    def is_gated(self) -> bool:
        """Whether the terminal is too small to show a screen."""
        ...

    @property
    def store(self) -> GameStore | None:
        """The player's games, if they are kept; to be asked by workers."""
        ...

    # Games and what is known of them.

    def cards(self) -> Sequence[TitleCard]:
        """The title cards of all games, in the order of the menu."""
        ...

    def title_of(self, game_id: GameId) -> str:
        """The game's name; its id if the game is gone."""
        ...

    def levels_of(self, game_id: GameId) -> Sequence[Level]:
        """The game's levels, the weakest first; none if the game is gone."""
        ...

    def find_game(self, game_id: GameId) -> AnyGame:
        """The card of a game; from a worker. Raises UnknownGame."""
        ...

    def find_analyst(self, game: AnyGame, report: Report = silent) -> AnalystFound:
        """Who knows the game's values; from a worker. `report` hears how far it is where that takes a while."""
        ...

    @property
    def warms(self) -> bool:
        """Whether kernels are compiled ahead, which takes a while on a new machine."""
        ...

    # What the settings come to.

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        ...

    def origin(self, key: str) -> Origin:
        """What decided a setting when the program was started."""
        ...

    def change_setting(self, key: str, value: object) -> None:
        """A setting holds from now on, and is kept in the player's file. Raises BadSetting for a value that is none;
        a file that cannot be written is told later, as `Trouble`."""
        ...

    @property
    def has_own_colours_only(self) -> bool:
        """Whether the terminal shows no theme but its own: it has no more than sixteen colours, or is to have none."""
        ...

    @property
    def animated(self) -> bool:
        """Whether moves are shown on their way."""
        ...

    @property
    def frame_seconds(self) -> float:
        """How long an in-between picture stays."""
        ...

    def coaching(self) -> Coaching:
        """The tutor that the settings ask for."""
        ...

    def usual_players(self, seat: Seat | None) -> Players:
        """A person at `seat` against the engine of the settings."""
        ...

    def effort(self) -> Effort:
        """How long and how deep engines are to search."""
        ...

    # Doors. Each opens a screen above this one, or instead of those above the menu.

    def new_game(self, game_id: GameId) -> None:
        """The panel in which a game is set up."""
        ...

    def play(self, session: AnySession, options: Mapping[str, str], seed: int, training: bool, clock: str = "") -> None:
        """A board for a new session, with a clock where one is spelled."""
        ...

    def play_from(self, session: AnySession, trail: Exploration) -> None:
        """A board for a new session that begins where the explorer stands, from which one comes back there."""
        ...

    def play_branch(self, branch: AnySession, match: Match, autosave: Autosave | None) -> None:
        """A board for a game that begins with moves of another one."""
        ...

    def rematch(self, match: Match, autosave: Autosave | None, swapped: bool) -> None:
        """A board for the same game once more, with the sides as they were or `swapped`."""
        ...

    def change_players(self, match: Match, take: Callable[[Players], None]) -> None:
        """A panel in which a side is taken over or handed over, or an engine changed; `take` gets who plays from here
        on, and is not called when all stays as it is."""
        ...

    def saved_match(self, number: GameNumber) -> tuple[Match, Autosave]:
        """A saved game as a match, and who keeps it; from a worker. Raises OnlymoveError for one that is gone or
        cannot be used."""
        ...

    def resume(self, match: Match, autosave: Autosave | None) -> None:
        """A game where it was left."""
        ...

    def review(self, match: Match, autosave: Autosave | None = None) -> None:
        """Go through a game."""
        ...

    def explore(self, game_id: GameId, trail: Exploration | None = None) -> None:
        """The solved game, move by move, from the start or where a trail has come to."""
        ...

    def go_to(self, game_id: GameId, take: Callable[[AnyPosition, str], None]) -> None:
        """A list of positions of a solved game; `take` gets the one that is chosen, and what it is called."""
        ...

    def set_up_position(self, game: AnyGame, position: AnyPosition, take: Callable[[AnyPosition, str], None]) -> None:
        """A board on which a position is put together; `take` gets it, and what it is called."""
        ...

    # People at other logins.

    @property
    def room(self) -> Lobby | None:
        """Where they are met; `None`: nowhere."""
        ...

    def show_people(self) -> None:
        """Tables to join, to go on with, to look on at."""
        ...

    def set_up_table(self, game_id: GameId) -> None:
        """The panel in which a table is set up."""
        ...

    def wait_at(self, table: OpenChallenge | JoinedChallenge) -> None:
        """Wait until somebody sits down, or one is let sit down."""
        ...

    def table_match(self, number: str, opener: int | None = None) -> tuple[Match, Autosave | None]:
        """The game at a table at which one sits, or looks on where it is told which account has opened it; from a
        worker. Raises OnlymoveError."""
        ...

    def show_drills(self) -> None:
        """What there is to practise."""
        ...

    def begin_drills(self, practice: Practice) -> None:
        """A round of drills. Raises OnlymoveError when its first position is not understood."""
        ...

    def leave_drills(self, practice: Practice) -> None:
        """Back to the list of drills, with what came of the round."""
        ...

    def other_drills(self, practice: Practice) -> None:
        """What there is to practise, instead of this round."""
        ...

    def collect_drills(self, drills: Sequence[Drill]) -> int:
        """Puts drills into the box; how many were new. A disk that fails costs drills, not the game. From a worker."""
        ...

    def show_history(self) -> None:
        """All games."""
        ...

    def show_progress(self) -> None:
        """How the player is doing."""
        ...

    def show_settings(self) -> None:
        """Change how the app behaves."""
        ...

    def show_rules(self, game_id: GameId) -> None:
        """The game's own page."""
        ...

    def show_numbers(self, game_id: GameId) -> None:
        """What the game's solution says."""
        ...

    def leave(self) -> None:
        """Back to the screen below; to the menu from the board that the app began with."""
        ...

    def to_menu(self) -> None:
        """Back to the list of games."""
        ...
