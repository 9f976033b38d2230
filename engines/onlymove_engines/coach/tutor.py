"""Training: judges a move before it stands, and holds a bad one until the player has decided.

It plays nothing that was not asked for, and what it says never names a better move.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from onlymove_engines.coach.in_line import Known
from onlymove_engines.coach.judge import DEFAULT_BANDS, Bands, judge, judge_mixed
from onlymove_engines.core.judgement import UNKNOWN, Judgement, Objective
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import AnySession


class OnBad(enum.Enum):
    """What happens to a flagged move."""

    ASK = "ask"
    UNDO = "undo"
    FLAG = "flag"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Held:
    """A flagged move that waits for the player: it has not been played."""

    seat: Seat
    move: Move
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of offering a move. `node` is the position after it when it was played; in a simultaneous game
    it is `None` while the other side has not chosen. `held`: it waits for keep or rethink. `returned`: it was
    taken back at once (`OnBad.UNDO`)."""

    judgement: Judgement
    node: AnyNode | None = None
    held: Held | None = None
    returned: bool = False


class Tutor:
    """Stands between a player's choice and the session."""

    def __init__(
        self,
        session: AnySession,
        on_bad: OnBad = OnBad.ASK,
        objective: Objective = Objective.RESULT,
        bands: Bands = DEFAULT_BANDS,
        undo_limit: int = 1,
    ) -> None:
        self.session = session
        self.on_bad = on_bad
        self.objective = objective
        self.bands = bands
        self.undo_limit = undo_limit
        self.held: Held | None = None
        self.has_given_back = False
        self._returned: dict[int, int] = {}

    def judge(self, before: Known, seat: Seat, move: Move) -> Judgement:
        """The judgement of a move, without playing or recording anything."""
        if isinstance(before, Mixed):
            return judge_mixed(before, seat, move, self.bands)
        return judge(before, move, self.objective, self.bands)

    def offer(self, seat: Seat, move: Move, before: Known | None) -> Verdict:
        """A player chose `move`. It is played, held or returned as `on_bad` says; the first attempt is recorded.
        Where nothing is known (`before` is `None`) it is played and not judged.

        Raises GameOver or IllegalMove for a move that cannot be played, before anything is recorded.
        """
        self.session.check(seat, move)
        if before is None:
            return Verdict(UNKNOWN, node=self._play(seat, move, None))
        judgement = self.judge(before, seat, move)
        node = self.session.node
        node.attempts.setdefault(seat, judgement)
        if judgement.flagged and self.on_bad is OnBad.ASK:
            self.held = Held(seat, move, judgement)
            return Verdict(judgement, held=self.held)
        if judgement.flagged and self.on_bad is OnBad.UNDO:
            returned = self._returned.get(node.id, 0)
            if returned < self.undo_limit:
                self._returned[node.id] = returned + 1
                self.has_given_back = True
                return Verdict(judgement, returned=True)
        return Verdict(judgement, node=self._play(seat, move, judgement))

    def keep(self) -> Verdict:
        """Play the held move after all. Raises ValueError when none is held."""
        if self.held is None:
            raise ValueError("no move is held")
        held, self.held = self.held, None
        return Verdict(held.judgement, node=self._play(held.seat, held.move, held.judgement))

    def rethink(self) -> None:
        """Forget the held move; in a simultaneous game the other side's hidden choice is drawn again."""
        if self.held is not None:
            self.has_given_back = True
            if self.session.to_move is None:
                self.session.pending.clear()
        self.held = None

    def _play(self, seat: Seat, move: Move, judgement: Judgement | None) -> AnyNode | None:
        is_round = self.session.to_move is None
        node = self.session.commit(seat, move) if is_round else self.session.play(move)
        if node is not None and judgement is not None:
            node.judgements.setdefault(seat, judgement)
        return node
