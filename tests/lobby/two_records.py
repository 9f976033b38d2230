"""Simulates two sides that write records, in memory and without files. Each side knows only what it has read of the
other's record."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.lobby.record_file import (
    VERSION,
    Accepting,
    Answering,
    Asking,
    Committing,
    Joining,
    Moving,
    Opening,
    OwnSecrets,
    RecordLine,
    RequestKind,
    Resigning,
    Revealing,
)
from onlymove_tui.lobby.replay import NOT_AWAY, Replay, merge_records, start_line

ID = "a" * 16
BEGAN = 1000.0


def opening_of(game: AnyGame, seat: Seat = 0, clock: str = "") -> Opening:
    """Return the line that opens a challenge."""
    start = game.notation.format_position(game.default_start())
    return Opening(version=VERSION, challenge_id=ID, name="ada", game=game.id, start=start, seat=seat, clock=clock)


class TwoRecords:
    """What both sides have written so far. `known` is how much of the other's record each side has read. `now`
    increases with every line."""

    def __init__(self, game: AnyGame, clock: str = "") -> None:
        self.game = game
        self.opening = opening_of(game, 0, clock)
        self.records: tuple[list[RecordLine | None], list[RecordLine | None]] = (
            [self.opening, Accepting(time=BEGAN, joiner=ID, uid=1)],
            [Joining(version=VERSION, challenge_id=ID, joiner=ID, name="bob")],
        )
        self.known = [1, 2]
        self.now = BEGAN
        self.secrets = [OwnSecrets(challenge_id=ID, secret=secret, uid=0) for secret in ("00", "01")]

    def replay_records(
        self, ends: tuple[int, int] | None = None, line: object = None, waited: tuple[float, float] = NOT_AWAY
    ) -> Replay:
        """Replay this many lines of both records, by default all of them. `line` is used instead of a new game tree."""
        first, second = ends or (len(self.records[0]), len(self.records[1]))
        lines = merge_records((self.records[0][:first], self.records[1][:second]), (2, 1))
        began = BEGAN, BEGAN
        return Replay(line or start_line(self.game, self.opening), self.opening, began, lines, waited)  # type: ignore[arg-type]

    def replay_for(self, side: int) -> Replay:
        """Return the state of the game as one side sees it."""
        own = len(self.records[side])
        ends = (own, self.known[0]) if side == 0 else (self.known[1], own)
        return self.replay_records(ends)

    def read_lines(self, side: int, lines: int = 10**6) -> None:
        """Let a side read on in the other's record."""
        self.known[side] = min(len(self.records[1 - side]), self.known[side] + lines)

    def say(self, side: int, output: RecordLine, seconds: float = 0.0) -> None:
        """Let a side write a line so many seconds after it saw the decision."""
        seen = self.now if side in self.replay_for(side).clock.running else None
        self.now += seconds
        self.records[side].append(msgspec.structs.replace(output, time=self.now, seen=seen, read=self.known[side]))

    def session(self, standing: Replay) -> AnySession:
        """Return the game with the moves of a replay."""
        session: AnySession = Session(self.game, start_line(self.game, self.opening).root.position)
        for move in standing.moves:
            session.play(move)
        return session

    def words(self, side: int, choose: Callable[[int], int]) -> RecordLine:
        """Return a line that a side might write, valid or not."""
        standing = self.replay_for(side)
        session = self.session(standing)
        epoch = max(0, standing.epoch - (choose(8) == 0))
        ply = max(0, standing.ply - (choose(8) == 0))
        kind = choose(12)
        if kind < 6:
            return self.choice(side, standing, session, epoch, ply, choose)
        if kind < 8:
            wish = RequestKind.UNDO if choose(2) else RequestKind.DRAW
            return Asking(epoch=epoch, ply=ply, wish=wish, back_to=choose(ply + 1))
        if kind < 10:
            asked = standing.requests.get(1 - side)
            return Answering(asked=choose(6) if asked is None else asked.line, agrees=choose(3) > 0)
        if choose(8):
            return Asking(epoch=epoch, ply=ply, wish=RequestKind.DRAW)
        return Resigning(is_late=choose(2) == 0)

    def choice(
        self,
        side: int,
        standing: Replay,
        session: AnySession,
        epoch: int,
        ply: int,
        choose: Callable[[int], int],
    ) -> RecordLine:
        """Return a move or a hidden choice. It may be illegal."""
        to_text, moves = self.game.notation.format_move, list(session.moves_of(side))
        text = to_text(session.position, moves[choose(len(moves))]) if moves and choose(6) else "zz"
        if not self.game.facts.simultaneous:
            return Moving(epoch=epoch, ply=ply, move=text)
        if side not in standing.fixed:
            return Committing(epoch=epoch, ply=ply, fixed=self.secrets[side].fix(side, epoch, ply, text))
        own = [to_text(session.position, move) for move in moves]
        fixed = {self.secrets[side].fix(side, standing.epoch, standing.ply, move): move for move in own}
        found = fixed.get(standing.fixed[side])
        shown = found if found is not None and choose(6) else text
        return Revealing(epoch=epoch, ply=ply, nonce=self.secrets[side].nonce(side, epoch, ply), move=shown)
