"""A game at the table: the session, the tutor, what is known of each position, the hint ladder, the way back.

Headless: screens and tests drive it alike. It starts no thread and knows no screen; whoever has looked at a
position hands the values in through `learn`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from onlymove_engines.coach.hint import LAST_STAGE, Hint, hint, mixed_hint
from onlymove_engines.coach.judge import DEFAULT_BANDS, Bands
from onlymove_engines.coach.tutor import OnBad, Tutor, Verdict
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat
from onlymove_engines.play.session import Session

from onlymove_tui.play.reason import Why, line_after
from onlymove_tui.play.seating import AnyNode, Seating
from onlymove_tui.play.thinking import Thought, thought

Values: TypeAlias = Analysis[Any] | Mixed

ROUND_SECONDS = 1.0
"""What a search by time gets for one round."""
SEARCH_SECONDS = 2.0
"""What a game that lost its table gets for one question."""
EXACT_SECONDS = 20.0
"""An answer that is exact in the end is worth waiting for; it seldom takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Coaching:
    """How the tutor behaves: what happens to a bad move, what is played for, where the lines are drawn."""

    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    bands: Bands = DEFAULT_BANDS
    undo_limit: int = 1
    hint_straight: bool = False


class Match(Seating):
    """One game from its start, with everything that belongs to it besides the picture."""

    def __init__(
        self, session: Session[Any, Any], coaching: Coaching, training: bool = True, random: Random | None = None
    ) -> None:
        super().__init__(session)
        self.coaching = coaching
        self.tutor = Tutor(session, coaching.on_bad, coaching.objective, coaching.bands, coaching.undo_limit)
        self.training = training
        self.random = random or Random()
        self.analyst: Any = None
        self.note = ""
        self.is_seated = False
        self.known: dict[int, Values] = {}
        self.stages: dict[tuple[int, Seat], int] = {}
        self.waiting: tuple[Seat, Move] | None = None
        self.turn = 0

    @property
    def patience(self) -> float:
        """Seconds that a question may take: a search that uses all it gets is asked for less than an exact one."""
        if self.is_simultaneous:
            return ROUND_SECONDS
        return SEARCH_SECONDS if self.note else EXACT_SECONDS

    def void_thoughts(self) -> None:
        """Whatever an engine or the tutor was busy with no longer counts."""
        self.turn += 1
        self.waiting = None

    # What is known.

    def seat_analyst(self, analyst: Any, note: str) -> None:
        """The authority on values is here, or `None`: nobody knows them, and `note` says why."""
        self.analyst, self.note, self.is_seated = analyst, note, True

    def learn(self, node_id: int, values: Values) -> None:
        """The values at a node have been found: moves that were played from it are judged now."""
        self.known[node_id] = values
        node = self.session.line.node(node_id)
        for child in node.children:
            self._annotate(child)

    def values(self, node: AnyNode | None = None) -> Values | None:
        """What is known of a node, among the moves that a house rule allows."""
        node = node or self.node
        known = self.known.get(node.id)
        if isinstance(known, Analysis) and self.session.line.house_rule is not None and node is self.node:
            allowed = self.session.legal_moves()
            return replace(known, moves={move: known.moves[move] for move in allowed if move in known.moves})
        return known

    def _annotate(self, node: AnyNode) -> None:
        if node.parent is None or (before := self.known.get(node.parent.id)) is None:
            return
        seat = self.game.rules.to_move(node.parent.position)
        made = zip((0, 1), node.move, strict=True) if seat is None else [(seat, node.move)]  # type: ignore[arg-type]
        for mover, move in made:
            if mover not in node.judgements:
                node.judgements[mover] = self.tutor.judge(before, mover, move)

    # Moves.

    def needs_values(self) -> bool:
        """Whether a person's move has to wait until the values of the moves are known."""
        return self.training and self.coaching.on_bad is not OnBad.OFF and self.values() is None

    def must_wait(self) -> bool:
        """Whether a person's move cannot be taken yet: not judged, or an engine has not committed itself."""
        blocked = self.session.to_move is None and bool(self.engines_to_choose())
        comes = not self.is_seated or self.analyst is not None
        return blocked or (comes and self.needs_values())

    def offer(self, seat: Seat, move: Move) -> Verdict | None:
        """A person has chosen. `None` while it waits for values or for an engine. Raises IllegalMove, GameOver."""
        if self.session.is_over:
            raise GameOver("the game is over")
        if move not in self.session.moves_of(seat):
            raise IllegalMove("that move is not legal here")
        if self.must_wait():
            self.waiting = (seat, move)
            return None
        self.waiting = None
        values = self.values()
        if values is None or not self.training:
            return self._annotated(self._play_unjudged(seat, move, values))
        return self._annotated(self.tutor.offer(seat, move, values))

    def keep(self) -> Verdict:
        """Play the held move after all."""
        return self._annotated(self.tutor.keep())

    def _annotated(self, verdict: Verdict) -> Verdict:
        """In a simultaneous round the other side's hidden move is judged with the one that completes it."""
        if verdict.node is not None:
            self._annotate(verdict.node)
        return verdict

    def _play_unjudged(self, seat: Seat, move: Move, values: Values | None) -> Verdict:
        """Play without holding anything; judged quietly where the values are known."""
        quiet = Tutor(self.session, OnBad.OFF, self.coaching.objective, self.coaching.bands)
        if values is not None:
            return quiet.offer(seat, move, values)
        unknown = quiet.judge(Analysis(None, {move: None}), seat, move)
        return Verdict(
            unknown, node=self.session.commit(seat, move) if self.session.to_move is None else self.session.play(move)
        )

    def take_reply(self, seat: Seat, move: Move) -> AnyNode | None:
        """An engine's move: played, or in a simultaneous round committed. The node after it, if the round is played."""
        node = self.session.commit(seat, move) if self.session.to_move is None else self.session.play(move)
        if node is not None:
            self._annotate(node)
        return node

    def thought(self, seat: Seat) -> Thought:
        """What the engine in a player has to think about now. Raises KeyError for a style the game does not have."""
        return thought(self.session, seat, self.analyst, self.random)

    def parse_choice(self, seat: Seat, text: str) -> Move:
        """The move of `seat` spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
        notation: Any = self.game.notation
        if not self.is_simultaneous:
            move: Move = notation.parse_move(self.session.position, text)
            return move
        for choice in self.session.moves_of(seat):
            if notation.format_move(self.session.position, choice) == text.lower():
                return choice
        spelled = " ".join(notation.format_move(self.session.position, m) for m in self.session.moves_of(seat))
        raise BadNotation(f"'{text}' is not one of {spelled}")

    def engine_accepts_draw(self) -> bool:
        """Whether an engine gives up nothing by a draw, as far as is known."""
        values, seat = self.values(), self.seat
        if seat is None or values is None:
            return False
        if isinstance(values, Mixed):
            return values.exact and values.value_for(seat) >= 0
        best = values.best_value()
        return best is not None and best.outcome >= Outcome.DRAW

    def coach(self, coaching: Coaching) -> None:
        """The tutor behaves like this from now on; what is played for stays the game's own choice."""
        self.coaching = replace(coaching, objective=self.coaching.objective)
        self.tutor.on_bad, self.tutor.bands = coaching.on_bad, coaching.bands
        self.tutor.undo_limit = coaching.undo_limit

    def toggle_objective(self) -> None:
        """Play for the result, or for every point."""
        wanted = Objective.MARGIN if self.coaching.objective is Objective.RESULT else Objective.RESULT
        self.coaching = replace(self.coaching, objective=wanted)
        self.tutor.objective = wanted

    # Hints and reasons.

    def next_hint(self) -> Hint | None:
        """The next rung of the ladder for the side that is to choose; `None` while its values are not known."""
        seat, values = self.seat, self.values()
        if seat is None or values is None:
            return None
        key = (self.node.id, seat)
        stage = LAST_STAGE if self.coaching.hint_straight else min(LAST_STAGE, self.stages.get(key, 0) + 1)
        self.stages[key] = stage
        if stage == LAST_STAGE:
            self.node.hinted.add(seat)
        if isinstance(values, Mixed):
            return mixed_hint(values, seat, stage)
        remarks = self.game.remarks
        said = remarks(self.session.position, values, self.analyst) if remarks and values.is_complete else None
        return hint(self.game, self.session.position, values, stage, said)

    def why(self, budget: Budget = UNLIMITED) -> Why | None:
        """Best play after the held move, or else after the last move that a person made. `None` without either,
        and in simultaneous games, where no single line follows."""
        if self.is_simultaneous or self.analyst is None:
            return None
        if self.tutor.held is not None:
            return self.line_after(self.node.position, self.tutor.held.move, budget)
        for node in self.node.lineage():
            if node.parent is not None and self.is_persons(node):
                return self.line_after(node.parent.position, node.move, budget)
        return None

    def line_after(self, position: Any, move: Any, budget: Budget = UNLIMITED) -> Why:
        """Best play after `move` from `position`, ready to be stepped through."""
        return line_after(self.game, position, move, self.analyst, budget)

    # What may be seen.

    def is_disclosed(self, node: AnyNode) -> bool:
        """Whether the judgement of the move into `node` may be on the screen: an engine's last move is not graded
        before the person has answered it."""
        if node.parent is None or self.session.is_over or not self.session.human_seats():
            return True
        return self.is_persons(node) or (node is not self.node and node in self.node.lineage())

    def undo(self) -> bool:
        """Back to the last own decision; a choice that is still hidden is withdrawn first."""
        self.tutor.rethink()
        self.void_thoughts()
        hidden = [seat for seat in self.session.human_seats() if seat in self.session.pending]
        for seat in hidden:
            self.session.withdraw(seat)
        return bool(hidden) or self.session.undo()

    def redo(self) -> bool:
        """Undo the last undo."""
        self.tutor.rethink()
        self.void_thoughts()
        return self.session.redo()

    def swap_sides(self) -> None:
        """The two players change places, and whoever sits where is asked again."""
        self.tutor.rethink()
        self.void_thoughts()
        self.session.pending.clear()
        self.session.players = (self.session.players[1], self.session.players[0])
