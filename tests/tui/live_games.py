"""Live games for tests, on a heap or a duel. All values are known, and a saver remembers what it was given."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.judgement import Objective
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session

from tests.heap_game import HeapAnalyst, heap_game
from tests.tui.tiny_duel import DuelAnalyst, tiny_duel

ENGINE = Player(PlayerKind.ENGINE)
FRIENDS = (HUMAN, HUMAN)
AGAINST = (HUMAN, ENGINE)


class Witness:
    """A saver that remembers what it was shown: moves, first attempts, hints, agreements, training."""

    def __init__(self, session: Session[Any, Any]) -> None:
        self.session = session
        self.seen: list[object] = []
        self.taught: tuple[bool, Objective] | None = None
        self.rated: Scored | None = None
        self.trouble = ""

    def set_training(self, training: bool, objective: Objective) -> None:
        self.taught = (training, objective)

    def set_score(self, scored: Scored) -> None:
        self.rated = scored

    def save(self) -> str:
        self.seen.append(self.picture())
        return self.trouble

    def picture(self) -> object:
        """Return the state of the game."""
        nodes = [
            (node.id, str(node.judgements), str(node.attempts), str(node.hinted)) for node in self.session.tree.nodes
        ]
        agreed, pending = self.session.tree.agreed, dict(self.session.pending)
        return nodes, self.session.node.id, agreed, pending, self.session.players, self.taught


def make_heap_game(
    start: tuple[int, int] = (7, 0),
    players: tuple[Player, Player] = FRIENDS,
    on_bad: OnBad = OnBad.ASK,
    training: bool = True,
    knows_values: bool = True,
) -> LiveGame:
    """Return a game on a heap of this size. With `knows_values`, all values are known."""
    session: Session[Any, Any] = Session(heap_game(), start, players)
    live = LiveGame(session, Coaching(on_bad), training, Witness(session), Random(1))
    live.set_analyst(HeapAnalyst(None))
    return store_current_values(live) if knows_values else live


def make_duel_game(players: tuple[Player, Player]) -> LiveGame:
    """Return a game of a duel. All values are known."""
    session: Session[Any, Any] = Session(tiny_duel(), players=players)
    live = LiveGame(session, Coaching(), True, Witness(session), Random(1))
    live.set_analyst(DuelAnalyst())
    return store_current_values(live)


def store_current_values(live: LiveGame) -> LiveGame:
    """Store the values at the current node, and return the game."""
    question = live.prepare_question()
    if question is not None:
        live.store_values(live.node, question(UNLIMITED))
    return live


def reply(live: LiveGame) -> None:
    """Let the engine make the move that it has to make."""
    (seat,) = live.list_choosing_engines()
    live.play_reply(seat, live.prepare_thought(seat)(UNLIMITED))
    store_current_values(live)


def is_kept(live: LiveGame) -> bool:
    """Whether the saver has seen the game exactly as it is."""
    assert isinstance(live.saver, Witness)
    return bool(live.saver.seen) and live.saver.seen[-1] == live.saver.picture()
