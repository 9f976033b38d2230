"""A game at the table: who offers which move, what becomes of it, what may be seen of it, and that it is kept.

Headless: the app, the line mode, drills and tests drive it alike. It starts no thread and has no clock; whoever carries
out a question or a thought hands in what came of it. What may be played and how a game ends is its line's to know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.in_line import Known
from onlymove_engines.coach.tutor import OnBad, Tutor, Verdict
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Player
from onlymove_engines.play.session import AnySession

from onlymove_tui.play.advice import Advice
from onlymove_tui.play.coaching import FREE, Coaching, Keeper
from onlymove_tui.play.draws import is_taken
from onlymove_tui.play.explanation import Explanation, Search, SeatMove, key_of, search
from onlymove_tui.play.knowledge import Knowledge, Question
from onlymove_tui.play.scoring import is_on_a_ladder, scored, unsuited
from onlymove_tui.play.seating import Seating
from onlymove_tui.play.thinking import Thought, thought
from onlymove_tui.play.timing import GameClock


class Match(Seating):
    """One game from its start, with everything that belongs to it besides the picture.

    Whatever changes it has kept it before it returns; `trouble` is what the keeper had to say last. `held` is a move
    that waits for the player, `waiting` one that waits for values or for an engine, `offered` the last that a
    person made or wanted to. `turn` counts the changes after
    which no earlier thought of an engine is wanted.
    """

    def __init__(
        self,
        session: AnySession,
        coaching: Coaching,
        training: bool = True,
        keeper: Keeper | None = None,
        random: Random | None = None,
    ) -> None:
        super().__init__(session)
        self.coaching = coaching
        self.training = training
        self.keeper = keeper
        self.random = random or Random()
        self.trouble = ""
        self.tutor = Tutor(session, coaching.on_bad, coaching.objective, coaching.bands, coaching.undo_limit)
        self.knowledge = Knowledge(session.line)
        self.advice = Advice(session, self.knowledge, self.random, self._keep)
        self.waiting: tuple[Seat, Move] | None = None
        self.offered: SeatMove | None = None
        self.turn = 0
        self.effort = FREE
        self.timing: GameClock | None = None

    # What is known.

    def take_analyst(self, analyst: AnyAnalyst | None, note: str = "") -> None:
        """Who knows the game's values, or `None`: nobody does, and `note` says why."""
        self.knowledge.take_analyst(analyst, note)

    def question(self, node: AnyNode | None = None) -> Question | None:
        """What is to be found out about a node, by a worker; `None` when there is nothing, or nobody to ask."""
        return self.knowledge.question(node or self.node)

    def values(self, node: AnyNode | None = None) -> Known | None:
        """What the moves that may be played at a node are worth, or `None` while that is not known."""
        return self.knowledge.values(node or self.node)

    def learn(self, node_id: int, values: Known | None) -> None:
        """What a question has come to, `None` if it could not be answered: moves played from there are judged now."""
        self.knowledge.learn(node_id, values)
        children = self.session.line.node(node_id).children
        if [child for child in children if self.knowledge.annotate(child, self.tutor.judge)]:
            self._keep()
        self.advice.note_shown()

    # Moves.

    def must_wait(self) -> bool:
        """Whether a person's move cannot be taken yet: not judged, or an engine has not committed itself."""
        if self.is_simultaneous and self.engines_to_choose():
            return True
        holds = self.training and self.coaching.on_bad is not OnBad.OFF and not self.is_blind
        return holds and self.knowledge.is_coming(self.node)

    def offer(self, seat: Seat, move: Move) -> Verdict | None:
        """A person has chosen: played, held or returned. `None` while the move waits for values or for an engine.

        Raises GameOver, or an IllegalMove that says why; nothing has changed then.
        """
        self.session.check(seat, move)
        self.tutor.rethink()
        self.waiting = (seat, move) if self.must_wait() else None
        if self.waiting is not None:
            return None
        self.offered = (self.node, seat, move)
        self.tutor.on_bad = self.coaching.on_bad if self.training else OnBad.OFF
        return self._settled(self.tutor.offer(seat, move, None if self.is_blind else self.values()))

    def release(self) -> Verdict | None:
        """Take the move that waits, if it need not wait any longer."""
        return None if self.waiting is None or self.must_wait() else self.offer(*self.waiting)

    def withdraw(self) -> None:
        """The move that waits is taken back."""
        self.waiting = None

    @property
    def is_held(self) -> bool:
        """Whether a move waits for the player to keep it or to think again."""
        return self.tutor.held is not None

    def keep(self) -> Verdict:
        """Play the held move after all. Raises ValueError when none is held."""
        return self._settled(self.tutor.keep())

    def rethink(self) -> None:
        """Forget the held move; in a simultaneous game the engine draws again."""
        if self.is_held:
            self.tutor.rethink()
            self._changed()

    def take_reply(self, seat: Seat, move: Move) -> AnyNode | None:
        """An engine's move: played, or in a simultaneous round committed. The node after it, if the round is played."""
        node = self.session.commit(seat, move) if self.is_simultaneous else self.session.play(move)
        if node is None:
            self._keep()
        else:
            self.knowledge.annotate(node, self.tutor.judge)
            self._changed()
        return node

    def _settled(self, verdict: Verdict) -> Verdict:
        """In a simultaneous round the other side's hidden move is judged with the one that completes it."""
        if verdict.node is None:
            self._keep()
        else:
            self.knowledge.annotate(verdict.node, self.tutor.judge)
            self._changed()
        return verdict

    def thought(self, seat: Seat) -> Thought:
        """What the engine at `seat` has to think about now. Raises KeyError for a style the game does not have."""
        return thought(self.session, seat, self.knowledge.analyst, self.random, self.values(), self.effort)

    # Going back, ending, changing players.

    def undo(self) -> bool:
        """Back to the last own decision, one step at a time: a move that is held or waits, a hidden choice, a move."""
        if self.is_held:
            self.rethink()
            return True
        waited, self.waiting = self.waiting is not None, None
        hidden = [seat for seat in self.session.human_seats() if seat in self.session.pending]
        for seat in hidden:
            self.session.withdraw(seat)
        return self._done(waited or bool(hidden) or self.session.undo())

    def redo(self) -> bool:
        """Undo the last undo."""
        self.tutor.rethink()
        return self._done(self.session.redo())

    def resign(self, seat: Seat, is_late: bool = False) -> None:
        """Give the game up for `seat`, or lose it because that side `is_late`. Raises GameOver."""
        (self.session.lose_on_time if is_late else self.session.resign)(seat)
        self.tutor.held = None
        self._changed()

    def offer_draw(self, seat: Seat) -> bool:
        """A draw offered by `seat`: two people agree at once, an engine if it gives up nothing, as far as is known.

        Returns whether the game is drawn now. Raises GameOver.
        """
        if self.session.is_over:
            raise GameOver("the game is over")
        if not is_taken(self.session, self.values(), other(seat)):
            return False
        self.tutor.rethink()
        self.session.agree_draw()
        self._changed()
        return True

    def set_players(self, players: tuple[Player, Player]) -> None:
        """From here on these two play: a side taken over or handed over, an engine of another strength or style."""
        self.tutor.rethink()
        self.session.pending.clear()
        self.session.players = players
        self._changed()

    # Training.

    def set_training(self, training: bool) -> Verdict | None:
        """Training on or off. A move that is held or waits for judgement is played when nothing is held any more;
        the verdict is that of this move."""
        self.training = training
        self._teach()
        if not training and self.is_held:
            return self.keep()
        return self.release()

    def toggle_objective(self) -> None:
        """Play for the result, or for every point."""
        wanted = Objective.MARGIN if self.coaching.objective is Objective.RESULT else Objective.RESULT
        self.coaching = replace(self.coaching, objective=wanted)
        self.tutor.objective = wanted
        self._teach()

    def coach(self, coaching: Coaching) -> None:
        """The tutor behaves like this from now on; what is played for stays the game's own choice."""
        self.coaching = replace(coaching, objective=self.coaching.objective)
        self.tutor.bands, self.tutor.undo_limit = coaching.bands, coaching.undo_limit

    def climb(self, straight: bool = False) -> Callable[[], Hint] | None:
        """The next rung of the hint ladder, or `straight` the last, for a worker to find; `None` before values are."""
        return self.advice.climb(straight or self.coaching.hint_straight)

    def refuted(self) -> tuple[AnyNode, Move] | None:
        """The move to explain, and the node it is played from: the held one, else the last one that a person made if
        it lost something."""
        held = self.tutor.held
        return self.advice.last_slip() if held is None else (self.node, held.move)

    @property
    def may_count(self) -> bool:
        """Whether the game may still come to count for the player's rating: only one that is kept does."""
        is_kept = self.keeper is not None and self.keeper.may_count
        return is_kept and is_on_a_ladder(self.session) and not unsuited(self.session, self.effort)

    def explanation(self, choice: SeatMove) -> Search | None:
        """The search for what proves a move bad, for a worker; `None` where it is not bad, where that is known already,
        or cannot be."""
        node, seat, move = choice
        known, analyst = self.values(node), self.knowledge.analyst
        if known is None or analyst is None or key_of(choice) in self.advice.explanations:
            return None
        judgement = self.tutor.judge(known, seat, move)
        return search(self.session.line, choice, judgement, known, analyst) if judgement.flagged else None

    def explain(self, choice: SeatMove, budget: Budget) -> Explanation:
        """Why a move is bad, found out at once where it is not known."""
        if (find := self.explanation(choice)) is not None:
            self.advice.explanations[key_of(choice)] = find(budget)
        return self.advice.explanation(choice)

    def void_thoughts(self) -> None:
        """Whatever an engine is busy with is not wanted any more."""
        self.turn += 1

    def _teach(self) -> None:
        if self.keeper is not None:
            self.keeper.teach(self.training, self.coaching.objective)
        self._keep()

    def _done(self, changed: bool) -> bool:
        if changed:
            self._changed()
        return changed

    def _changed(self) -> None:
        """The game stands elsewhere, or others play it: whatever was being thought about no longer counts."""
        self.void_thoughts()
        self.waiting = None
        self.advice.note_shown()
        self._keep()

    def _keep(self) -> None:
        if self.keeper is not None:
            self.keeper.rate(*scored(self.session, self.tutor, self.advice, self.effort))
            self.trouble = self.keeper.save()
