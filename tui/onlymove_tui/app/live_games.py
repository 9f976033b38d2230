"""Makes the live games that boards show, and saves them. Does not depend on screens.

In the app a worker writes each change, so that the board does not wait. A board shows a change once it is written, so
that the player never sees anything that could still be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from time import monotonic

from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.clock import GameClock, read_control
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.ladder import describe_change, may_be_rated, score_game
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.app.launch import Launch, Preferences
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.replay import start_line
from onlymove_tui.lobby.shared_game import list_players, make_shared_game
from onlymove_tui.store.entries import GameDetails, GameNumber
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.rows import GameRefused

NO_GUESTS = "The games of guests are not rated."
GONE = "This game no longer exists."


class NotRated(OnlymoveError):
    """A game was to be rated and cannot be."""


def find_autosave(live: LiveGame) -> Autosave | None:
    return live.saver if isinstance(live.saver, Autosave) else None


def get_details(live: LiveGame) -> GameDetails:
    """Return how a game was set up. If it is not saved, that is not known, and the details are the usual ones."""
    autosave = find_autosave(live)
    return GameDetails() if autosave is None else autosave.details


FIRST_END = "The game was rated when it first ended."
"""Said when a rated game has gone on after its end, and ends differently."""


def read_rating(live: LiveGame) -> str:
    """Describe how a rated game that is over changed the player's rating. Empty if it did not end as rated, and if the
    game is not saved, because the rating will not change then. Call it in a worker. Raises StoreTrouble."""
    autosave = find_autosave(live)
    if autosave is None or autosave.trouble or autosave.details.rated is None:
        return ""
    rated, again, facts = autosave.details.rated, score_game(live.session), live.game.facts
    if again is None or again.score != rated.score:
        return FIRST_END
    return describe_change(facts.levels, autosave.store.progress.list_rated().get(facts.id, ()), rated)


@dataclass(eq=False)
class LiveGames:
    """Makes live games and saves them in `store`. With `in_background`, a worker of the board writes them. `random` is
    used for starts and engines. `seconds` returns the time for clocks. Games of a guest are not rated."""

    preferences: Preferences
    random: Random
    store: GameStore | None
    is_guest: bool = False
    seconds: Callable[[], float] = monotonic
    lobby: Lobby | None = None
    in_background: bool = False

    def _make_autosave(
        self, session: AnySession, details: GameDetails, number: GameNumber | None = None
    ) -> Autosave | None:
        store = self.store
        return None if store is None else Autosave(store, session, details, number, self.in_background)

    def new_seed(self) -> int:
        return self.random.randrange(2**31)

    def make(
        self,
        session: AnySession,
        options: Mapping[str, str],
        seed: int,
        training: bool,
        clock: str = "",
        is_saved: bool = True,
        is_rated: bool = False,
    ) -> LiveGame:
        """Make a new game, coached as the settings say, or a rated one. Raises BadClock, or NotRated if the game cannot
        be rated."""
        if is_rated:
            self._check_rated(session, options, seed)
        coaching = self.preferences.coaching()
        details = GameDetails(
            dict(options), seed, training, coaching.on_bad, coaching.objective, is_rated=is_rated, clock=clock
        )
        return self._begin(session, coaching, details, self._make_autosave(session, details) if is_saved else None)

    def _check_rated(self, session: AnySession, options: Mapping[str, str], seed: int) -> None:
        if self.store is None or self.is_guest:
            raise NotRated(NO_GUESTS)
        if not session.game.facts.levels:
            raise NotRated(f"{session.game.facts.title} has no levels, so its games cannot be rated.")
        if not may_be_rated(session, options, seed):
            raise NotRated("A rated game is against one of the game's levels, from the usual start.")

    def _begin(self, session: AnySession, coaching: Coaching, details: GameDetails, saver: Autosave | None) -> LiveGame:
        """Make a live game with the engine's limits and a clock, which is saved with the game."""
        control, effort = read_control(details.clock), self.preferences.effort()
        clock = None if control is None else GameClock(control, self.seconds, details.left)
        if saver is not None:
            saver.clock = clock
        return LiveGame(
            session, coaching, details.training, saver, self.random, clock=clock, effort=effort,
            is_rated=details.is_rated and details.rated is None,
        )  # fmt: skip

    def make_launched(self, launch: Launch, game: AnyGame) -> LiveGame:
        """Make the game that was launched. If it is to be rated, and a rated game of its kind is under way, load that
        one. Raises what `make` and `load` raise."""
        if launch.is_rated and self.store is not None:
            self.store.forfeit_left_games()
            if (under_way := self.store.find_rated(game.id)) is not None:
                return self.load(under_way.number)
        seed = launch.seed if launch.seed is not None else self.new_seed()
        start = game.start(launch.options, seed)
        if launch.position is not None:
            start = game.notation.parse_position(launch.position)
        rule = next((rule for rule in game.play.house_rules if rule.id == launch.house_rule), None)
        players = launch.players or self.preferences.players(game.rules.to_move(start))
        training = self.preferences.settings.training if launch.training is None else launch.training
        session, clock = Session(game, start, players, rule), launch.time_control
        return self.make(session, launch.options, seed, training, clock, is_rated=launch.is_rated)

    def load(self, number: GameNumber) -> LiveGame:
        """Load a saved game, coached as it was when it was saved. A rated game that was left for too long is over.
        Raises OnlymoveError if it is gone or damaged."""
        if self.store is None:
            raise GameRefused(GONE)
        self.store.forfeit_left_games()
        try:
            saved = self.store.load(number)
        except KeyError:
            raise GameRefused(GONE) from None
        if saved.details.challenge_id and not saved.session.is_over:
            return self.join(saved.details.challenge_id)
        coaching = replace(self.preferences.coaching(), on_bad=saved.details.on_bad, objective=saved.details.objective)
        saver = self._make_autosave(saved.session, saved.details, number)
        return self._begin(saved.session, coaching, saved.details, saver)

    def join(self, number: str) -> LiveGame:
        """Open a shared game in which this player has a side. It is saved like any other game. Raises OnlymoveError."""
        if self.lobby is None:
            raise GameRefused("this machine has no shared folder for games between users")
        shared = self.lobby.resume_game(number)
        session: AnySession = Session.from_tree(start_line(shared.game, shared.opening))
        opening, known = shared.opening, None if self.store is None else self.store.find_by_challenge(number)
        details = GameDetails(training=False, clock=opening.clock, challenge_id=number)
        if self.store is not None and known is not None:
            saved = self.store.load(known)
            session, details = saved.session, saved.details
        session.set_players(list_players(shared, self.lobby.who.uid))
        saver = self._make_autosave(session, details, known)
        live = make_shared_game(shared, session, self.preferences.coaching(), saver, self.random)
        if saver is not None:
            saver.clock = live.clock
        return live

    def watch(self, number: str, opener: int) -> LiveGame:
        """Open a shared game that the account `opener` created, to watch it. It is not saved. Raises OnlymoveError."""
        if self.lobby is None:
            raise GameRefused("this machine has no shared folder for games between users")
        shared = self.lobby.open_game(number, opener)
        players = list_players(shared, self.lobby.who.uid)
        session: AnySession = Session.from_tree(start_line(shared.game, shared.opening), players)
        return make_shared_game(shared, session, self.preferences.coaching(), None, self.random)

    def make_rematch(self, live: LiveGame, swapped: bool) -> LiveGame:
        """Make a rematch from the same start. If that start was random, a new one is chosen. The rematch of a rated
        game is rated too, unless its players have changed since its end."""
        game, played, seed = live.game, live.session, self.new_seed()
        details, start = get_details(live), played.tree.root.position
        if find_autosave(live) is not None and start == game.start(details.options, details.seed):
            start = game.start(details.options, seed)
        first, second = played.players
        players = (second, first) if swapped else (first, second)
        session = Session(game, start, players, played.tree.house_rule)
        is_rated = details.is_rated and may_be_rated(session, details.options, seed)
        return self.make(session, details.options, seed, live.training, details.clock, is_rated=is_rated)
