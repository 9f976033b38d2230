"""Makes the matches of one player, each with who keeps it: new, saved, once more. Knows no screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from time import monotonic

from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.app.keeping import Keeping
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.play.match import Match
from onlymove_tui.play.scoring import GUEST, changed_start
from onlymove_tui.play.timing import GameClock, read_control
from onlymove_tui.store.autosave import Autosave
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import GameNumber, Setup
from onlymove_tui.store.snapshot import GameRefused

KeptMatch = tuple[Match, Autosave | None]
"""A match, and who keeps it: nobody without a store."""


GONE = "This game is not there any more."


class Matches:
    """`store` keeps them; `random` is for starts and engines, `seconds` for clocks. With `is_shared` nobody knows who
    the player is."""

    def __init__(
        self,
        preferences: Preferences,
        random: Random,
        store: GameStore | None,
        is_shared: bool = False,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self.preferences = preferences
        self.random = random
        self.store = store
        self.is_shared = is_shared
        self.seconds = seconds

    def new_seed(self) -> int:
        """For a start that is drawn by lot."""
        return self.random.randrange(2**31)

    def new(
        self, session: AnySession, options: Mapping[str, str], seed: int, training: bool, clock: str = ""
    ) -> KeptMatch:
        """A new game, taught as the settings say. Raises BadClock."""
        coaching = self.preferences.coaching()
        unrated = GUEST if self.is_shared else changed_start(session, options, seed)
        setup = Setup(dict(options), seed, training, coaching.on_bad, coaching.objective, unrated=unrated, clock=clock)
        autosave = None if self.store is None else Autosave(self.store, session, setup)
        keeper = None if autosave is None else Keeping(autosave)
        return self.made(Match(session, coaching, training, keeper, self.random), setup, autosave), autosave

    def made(self, match: Match, setup: Setup, autosave: Autosave | None) -> Match:
        """A match whose engines search as the settings say, with the clock it was set up with."""
        match.effort = self.preferences.effort()
        if (control := read_control(setup.clock)) is not None:
            match.timing = GameClock(control, self.seconds, setup.left)
        if autosave is not None:
            autosave.timing = match.timing
        return match

    def launched(self, launch: Launch, game: AnyGame) -> KeptMatch:
        """The game that the command line asked for."""
        seed = launch.seed if launch.seed is not None else self.new_seed()
        start = game.start(launch.options, seed)
        if launch.position is not None:
            start = game.notation.parse_position(launch.position)
        rule = next((rule for rule in game.house_rules if rule.id == launch.house_rule), None)
        players = launch.players or self.preferences.players(game.rules.to_move(start))
        training = self.preferences.settings.training if launch.training is None else launch.training
        return self.new(Session(game, start, players, rule), launch.options, seed, training, launch.time_control)

    def saved(self, number: GameNumber) -> tuple[Match, Autosave]:
        """A saved game, taught as it was. Raises OnlymoveError for one that is gone or cannot be used."""
        if self.store is None:
            raise GameRefused(GONE)
        try:
            saved = self.store.load(number)
        except KeyError:
            raise GameRefused(GONE) from None
        coaching = replace(self.preferences.coaching(), on_bad=saved.setup.on_bad, objective=saved.setup.objective)
        autosave = Autosave(self.store, saved.session, saved.setup, number)
        match = Match(saved.session, coaching, saved.setup.training, Keeping(autosave), self.random)
        return self.made(match, saved.setup, autosave), autosave

    def again(self, match: Match, autosave: Autosave | None, swapped: bool) -> KeptMatch:
        """The same game once more, from the same start; one that was drawn by lot is drawn anew."""
        game, played, seed = match.game, match.session, self.new_seed()
        options = {} if autosave is None else autosave.setup.options
        start = played.line.root.position
        if autosave is not None and start == game.start(options, autosave.setup.seed):
            start = game.start(options, seed)
        first, second = played.players
        players = (second, first) if swapped else (first, second)
        clock = "" if autosave is None else autosave.setup.clock
        return self.new(Session(game, start, players, played.line.house_rule), options, seed, match.training, clock)
