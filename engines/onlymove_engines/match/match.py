"""A game under way: it takes moves, judges them, asks about positions, and has the game saved.

The app, line mode, drills, reviews, the library and matches between programs all use it. It has no screen, starts no
thread and reads no clock. Searches are functions of a budget: the caller runs them, in a worker if it likes, and passes
the answer back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from random import Random
from typing import Protocol, TypeAlias

from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.judge import Coaching, OnBad, judge, judge_mixed
from onlymove_engines.coach.values import Known, find_values
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import UNKNOWN, Judgement, Objective
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, other
from onlymove_engines.match.assistance import (
    Assistance,
    Explanation,
    ExplanationSearch,
    SeatMove,
    explain_move,
    find_bad_choices,
)
from onlymove_engines.match.clock import Clock
from onlymove_engines.match.engine import FREE, Thought, prepare_thought
from onlymove_engines.match.knowledge import Knowledge
from onlymove_engines.match.rating import UNPREPARED, find_obstacle, is_on_a_ladder, score_game
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Player
from onlymove_engines.play.session import AnySession, list_persons

Question: TypeAlias = Callable[[Budget], Known]
"""Finds what the moves at a node are worth, within a budget. It changes nothing."""


@dataclass(frozen=True, slots=True)
class StoppedMove:
    """A flagged move that has not been played and waits for the player's decision."""

    seat: Seat
    move: Move
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happened to a move that a person made. `node` is the position after the move if it was played. In a
    simultaneous game it is `None` until the other side has chosen too. `stopped_move` waits until the player plays it
    anyway or chooses again. `is_taken_back` means that training took the move back at once (`OnBad.UNDO`)."""

    judgement: Judgement
    node: AnyNode | None = None
    stopped_move: StoppedMove | None = None
    is_taken_back: bool = False


class Saver(Protocol):
    @property
    def may_count(self) -> bool:
        """Whether the game may still count for the player's rating."""

    def set_training(self, training: bool, objective: Objective) -> None:
        """Change the training and objective with which the game is saved."""

    def set_rating(self, why_not: str, scored: Scored | None) -> None:
        """Store why the game is not rated, or its score once it is over. Only the first call counts."""

    def save(self) -> str:
        """Save the game. Return a line that says what went wrong, or an empty text."""


class Remote(Protocol):
    """The connection to another keyboard, which gets everything done here and decides the state of the game."""

    def read(self) -> tuple[Sequence[Move], Result | None, Mapping[Seat, Move]]:
        """Return the moves (or rounds), the agreed result or resignation, and the hidden choices made here."""

    def send_move(self, move: Move) -> None: ...

    def send_resignation(self) -> None: ...

    def ask_for_draw(self) -> None:
        """Offer a draw. If the other side has already offered one, the game is drawn."""


class Match:
    """One game from its start, with everything that belongs to it except its picture. Methods report every change to
    the saver before they return, and `trouble` is what the saver last reported. `stopped_move` waits for the player's
    decision. `waiting` is a move that waits for values or for an engine. `offered` is the last move that a person made
    or tried. `turn` increases when an engine's earlier thoughts become useless. With a `remote`, nothing is judged
    before the end."""

    def __init__(
        self,
        session: AnySession,
        coaching: Coaching,
        training: bool = True,
        saver: Saver | None = None,
        random: Random | None = None,
        remote: Remote | None = None,
    ) -> None:
        self.session = session
        self.game: AnyGame = session.game
        self.is_simultaneous = self.game.facts.simultaneous
        self.coaching = coaching
        self.training = training
        self.saver = saver
        self.random = random or Random()
        self.trouble = ""
        self.stopped_move: StoppedMove | None = None
        self.has_taken_back = False
        self._taken_back: Counter[int] = Counter()
        self.knowledge = Knowledge(session.line)
        self.assistance = Assistance(session, self.knowledge, self.random, self._save)
        self.waiting: tuple[Seat, Move] | None = None
        self.offered: SeatMove | None = None
        self.turn = 0
        self.effort = FREE
        self.clock: Clock | None = None
        self.remote = remote
        if remote is not None:
            self.follow_remote()

    # Players.

    @property
    def node(self) -> AnyNode:
        return self.session.node

    @property
    def is_turned(self) -> bool:
        """Whether the board is turned so that the only human player is at the bottom."""
        return self.game.play.own_side_below and self.session.near_seat == 1

    def list_choosing_engines(self) -> tuple[Seat, ...]:
        session = self.session
        if session.is_over:
            return ()
        movers = (0, 1) if self.is_simultaneous else (session.to_move,)
        return tuple(seat for seat in session.engine_seats if seat in movers and seat not in session.pending)

    # Analysts and values.

    def set_analyst(self, analyst: AnyAnalyst | None, source_note: str = "") -> None:
        """Use this analyst from now on. `None` means that there is none, and `source_note` says why."""
        known = self.knowledge
        known.analyst, known.source_note, known.is_settled, known.is_preparing = analyst, source_note, True, False

    def prepare_question(self, node: AnyNode | None = None) -> Question | None:
        """Return the question about a node, for a worker. `None` if its values are known or cannot be found."""
        node, analyst = node or self.node, self.knowledge.analyst
        is_hidden = self.remote is not None and not self.session.is_over
        if analyst is None or is_hidden or node.result is not None or node.values is not None:
            return None
        return partial(find_values, self.session.line, node, analyst)

    def store_values(self, node: AnyNode, values: Known | None) -> bool:
        """Store the answer to a question, or `None` if it could not be answered. Moves already played from that node
        are judged now. Return whether there were any."""
        node.values = values
        if values is None:
            self.knowledge.unknowable.add(node.id)
        judged = [child for child in node.children if self.judge_move_into(child)]
        if judged:
            self._save()
        if self.assistance.shows_values:
            self.assistance.mark_values_shown()
        return bool(judged)

    def judge(self, known: Known, seat: Seat, move: Move) -> Judgement:
        """Judge a move without playing or recording anything."""
        if isinstance(known, Mixed):
            return judge_mixed(known, seat, move)
        return judge(known, move, self.coaching.objective, self.coaching.slow_moves)

    def judge_move_into(self, node: AnyNode) -> bool:
        """Judge the move into a node if it can be judged and has not been. Return whether a judgement was added."""
        if node.parent is None or (before := node.parent.values) is None:
            return False
        missing = [seat for seat in node.choices if seat not in node.judgements]
        for seat in missing:
            node.judgements[seat] = self.judge(before, seat, node.choices[seat])
        return bool(missing)

    # Moves.

    @property
    def comments(self) -> bool:
        """Whether training says anything about moves: it is on, and not set to ignore bad moves."""
        return self.training and self.coaching.on_bad is not OnBad.OFF

    def must_wait(self) -> bool:
        """Whether a person's move has to wait, because its value is not known yet or an engine has not chosen its
        simultaneous move. While the engine is being compiled, moves do not wait for values and are judged later."""
        if self.is_simultaneous and self.list_choosing_engines():
            return True
        stops = self.comments and not self.session.is_blind
        return stops and not self.knowledge.is_preparing and self.knowledge.awaits_values(self.node)

    def offer(self, seat: Seat, move: Move) -> Verdict | None:
        """Handle a person's move: play it, stop it or take it back. Return `None` if the move has to wait for values or
        for an engine. Raises GameOver, or an IllegalMove that says why, and then changes nothing."""
        self.session.check_move(seat, move)
        if self.remote is not None:
            before = self.node
            self.remote.send_move(move)
            self.follow_remote()
            return Verdict(UNKNOWN, node=None if self.node is before else self.node)
        stopped = self.stopped_move
        if stopped is not None:
            if (stopped.seat, stopped.move) == (seat, move):
                return Verdict(stopped.judgement, stopped_move=stopped)
            self._drop_stopped_move()
        self.waiting = (seat, move) if self.must_wait() else None
        if self.waiting is not None:
            return None
        here, known = self.node, None if self.session.is_blind else self.node.values
        self.offered = (here, seat, move)
        if known is None:
            return Verdict(UNKNOWN, self._play(seat, move))
        judgement = self.judge(known, seat, move)
        on_bad = self.coaching.on_bad if self.training else OnBad.OFF
        here.attempts.setdefault(seat, judgement)
        is_bad = judgement.flagged and not (self.coaching.for_newcomer and judgement.keeps_result)
        if is_bad and on_bad is OnBad.ASK:
            self.stopped_move = StoppedMove(seat, move, judgement)
            self._save()
            return Verdict(judgement, stopped_move=self.stopped_move)
        if is_bad and on_bad is OnBad.UNDO and self._taken_back[here.id] < self.coaching.undo_limit:
            self._taken_back[here.id] += 1
            self.has_taken_back = True
            self._save()
            return Verdict(judgement, is_taken_back=True)
        return Verdict(judgement, self._play(seat, move, judgement))

    def retry_waiting_move(self) -> Verdict | None:
        return None if self.waiting is None or self.must_wait() else self.offer(*self.waiting)

    def play_stopped_move(self) -> Verdict:
        """Play the stopped move anyway. Raises ValueError if no move is stopped."""
        if self.stopped_move is None:
            raise ValueError("there is no move for you to keep or take back")
        stopped_move, self.stopped_move = self.stopped_move, None
        return Verdict(stopped_move.judgement, self._play(stopped_move.seat, stopped_move.move, stopped_move.judgement))

    def rethink(self) -> None:
        """Drop the stopped move. In a simultaneous game, the engine chooses again."""
        if self.stopped_move is not None:
            self._drop_stopped_move()
            self._handle_change()

    def _drop_stopped_move(self) -> None:
        """Take back the stopped move. In a simultaneous game, hidden choices are forgotten."""
        if self.stopped_move is not None:
            self.has_taken_back = True
            if self.is_simultaneous:
                self.session.set_pending({})
        self.stopped_move = None

    def _play(self, seat: Seat, move: Move, judgement: Judgement | None = None) -> AnyNode | None:
        """Play a move, judge it if possible, and save the game. Return the node after it, or `None` while the other
        side of a simultaneous round has not chosen. A hidden move is judged with its round."""
        node = self.session.commit(seat, move)
        if node is None:
            self._save()
            return None
        if judgement is None or self.is_simultaneous:
            self.judge_move_into(node)
        else:
            node.judgements.setdefault(seat, judgement)
        self._handle_change()
        return node

    def play_reply(self, seat: Seat, move: Move) -> AnyNode | None:
        """Play an engine's move, or store it until both have chosen in a simultaneous game. Return the node after it if
        it was played. If the engine's code is not compiled yet, the game does not count for the rating."""
        if self.knowledge.is_preparing and self.saver is not None:
            self.saver.set_rating(UNPREPARED, None)
        return self._play(seat, move)

    def prepare_thought(self, seat: Seat) -> Thought:
        """Return a search for the move of the engine at `seat`. Raises KeyError for an unknown style."""
        return prepare_thought(self.session, seat, self.knowledge.analyst, self.random, self.node.values, self.effort)

    # Games with another keyboard.

    def follow_remote(self) -> bool:
        """Go to the current position of the remote game. Return whether the position or the result changed."""
        assert self.remote is not None, "there is another keyboard"
        moves, agreed, chosen = self.remote.read()
        line, node = self.session.line, self.session.line.root
        for move in moves:
            node = line.add(node, move)
            node.players_at_move = node.players_at_move or self.session.players
        is_new = node is not self.node or line.agreed != agreed
        if is_new:
            self.session.go_to(node, agreed)
            self._handle_change()
        self.session.set_pending(chosen)
        return is_new

    # Going back, ending the game, changing players.

    def undo(self) -> bool:
        """Undo one step to the player's last decision, unless the game is remote. Return whether anything changed."""
        if self.remote is not None:
            return False
        if self.stopped_move is not None:
            self.rethink()
            return True
        waited, self.waiting = self.waiting is not None, None
        others = {seat: move for seat, move in self.session.pending.items() if seat not in self.session.human_seats}
        has_chosen = others != self.session.pending
        self.session.set_pending(others)
        if not (waited or has_chosen or self.session.undo()):
            return False
        self._handle_change()
        return True

    def redo(self) -> bool:
        if self.remote is not None:
            return False
        self._drop_stopped_move()
        if not self.session.redo():
            return False
        self._handle_change()
        return True

    def resign(self, seat: Seat, is_late: bool = False) -> None:
        """Resign for `seat`, or end the game as a loss on time if `is_late`. Raises GameOver."""
        if self.remote is not None:
            if not is_late:  # the remote side decides about time
                self.remote.send_resignation()
                self.follow_remote()
            return
        (self.session.lose_on_time if is_late else self.session.resign)(seat)
        self.stopped_move = None
        self._handle_change()

    def offer_draw(self, seat: Seat) -> bool:
        """Offer a draw for `seat`. Another person at this keyboard accepts at once. An engine accepts if it knows that
        playing on is no better for it. Return whether the game is now drawn. Raises GameOver."""
        if self.remote is not None:
            self.remote.ask_for_draw()
            self.follow_remote()
            return self.session.is_over
        if self.session.is_over:
            raise GameOver("the game is over")
        values, agreeing = self.node.values, other(seat)
        if self.session.players[agreeing].is_human:
            agrees = True
        elif isinstance(values, Mixed):
            agrees = values.exact and values.value_for(agreeing) <= values.tolerance()
        else:
            best = None if values is None else values.best_value()
            is_own = self.session.to_move == agreeing
            agrees = best is not None and (best if is_own else -best).outcome <= Outcome.DRAW
        if agrees:
            self._drop_stopped_move()
            self.session.agree_draw()
            self._handle_change()
        return agrees

    def set_players(self, players: tuple[Player, Player]) -> None:
        """Change the players from here on, or an engine's strength or style."""
        self._drop_stopped_move()
        self.session.set_players(players)
        self._handle_change()

    # Training.

    def set_training(self, training: bool) -> Verdict | None:
        """Turn training on or off. If a stopped or waiting move no longer has to wait, it is played. Return its
        verdict."""
        self.training = training
        self._save_training()
        if not training and self.stopped_move is not None:
            return self.play_stopped_move()
        return self.retry_waiting_move()

    def toggle_objective(self) -> None:
        wanted = Objective.MARGIN if self.coaching.objective is Objective.RESULT else Objective.RESULT
        self.coaching = replace(self.coaching, objective=wanted)
        self._save_training()

    def set_coaching(self, coaching: Coaching) -> None:
        """Change the settings of training, except whether the player plays for points or for the result."""
        self.coaching = replace(coaching, objective=self.coaching.objective)

    def prepare_hint(self, straight: bool = False) -> Callable[[], Hint] | None:
        """Return what `Assistance.prepare_hint` returns, with the last stage if the settings ask for it."""
        return self.assistance.prepare_hint(straight or self.coaching.hint_straight)

    def find_refuted(self) -> tuple[AnyNode, Move] | None:
        """Return the move to explain and the node before it: the stopped one, or a person's last move if it was bad."""
        if self.stopped_move is not None:
            return self.node, self.stopped_move.move
        for node in reversed(self.node.path()):
            if people := list_persons(self.session, node):
                bad = [before for before, seat, _ in find_bad_choices(node) if seat in people]
                return (bad[0], node.move) if bad else None
        return None

    @property
    def may_count(self) -> bool:
        """Whether the game may still count for the player's rating. Only a saved game may."""
        is_saved = self.saver is not None and self.saver.may_count
        return is_saved and is_on_a_ladder(self.session) and not find_obstacle(self.session, self.effort)

    def prepare_sentences(self, choice: SeatMove) -> ExplanationSearch | None:
        """Return a search for reasons why a move is good or bad, or `None` while the values are not known."""
        node, seat, move = choice
        known, analyst = node.values, self.knowledge.analyst
        if known is None or analyst is None:
            return None
        return partial(explain_move, self.session.line, choice, self.judge(known, seat, move), known, analyst)

    def prepare_explanation(self, choice: SeatMove) -> ExplanationSearch | None:
        """Return a search for the reasons why a move is bad, to be run in a worker. Return `None` if it is not bad, or
        if the reasons are already known or cannot be found."""
        node, seat, move = choice
        known = node.values
        if known is None or choice in self.assistance.explanations:
            return None
        return self.prepare_sentences(choice) if self.judge(known, seat, move).flagged else None

    def explain(self, choice: SeatMove, budget: Budget) -> Explanation:
        """Return why a move is bad. Search for the reasons now if they are not known."""
        if (find := self.prepare_explanation(choice)) is not None:
            self.assistance.explanations[choice] = find(budget)
        return self.assistance.get_explanation(choice)

    # Judging without a worker, for callers that can wait.

    def get_values(self, node: AnyNode, budget: Budget) -> Known:
        """Return the values of the moves at a node. Search now if they are not known. There must be an analyst, and the
        game must not be over at the node. Raises OnlymoveError if a search gives up."""
        if (question := self.prepare_question(node)) is not None:
            self.store_values(node, question(budget))
        values = node.values
        assert values is not None, "an analyst answers, and the game goes on"
        return values

    def judge_path(self, new_budget: Callable[[], Budget]) -> Iterator[AnyNode]:
        """Judge every move up to the current position again, and explain bad ones. Yield the node after each move."""
        for before, after in pairwise(self.node.path()):
            after.judgements.clear()
            values = self.get_values(before, new_budget())
            for seat, move in after.choices.items():
                after.judgements[seat] = judged = self.judge(values, seat, move)
                if judged.flagged:
                    self.explain((before, seat, move), new_budget())
            yield after

    def _save_training(self) -> None:
        if self.saver is not None:
            self.saver.set_training(self.training, self.coaching.objective)
        self._save()

    def _handle_change(self) -> None:
        """Update everything after a change of position or players. Running searches no longer count."""
        self.turn += 1
        self.waiting = None
        if self.assistance.shows_values:
            self.assistance.mark_values_shown()
        self._save()

    def _save(self) -> None:
        if self.saver is not None:
            self.saver.set_rating(*score_game(self.session, self.has_taken_back, self.assistance, self.effort))
            self.trouble = self.saver.save()


# What may be shown to the player.


def is_revealed(match: Match) -> bool:
    """Whether judgements may be shown at all: while training comments on moves, after the end, and between engines."""
    return match.comments or match.session.is_open


def may_be_explored(match: Match) -> bool:
    """Whether the player may explore a game: after its end, between engines, and during a game whose best play was
    already shown."""
    return match.session.is_open or (match.assistance.has_explained and match.session.is_against_engine)


def may_be_explained(match: Match) -> bool:
    """Whether the player may read why a judged move is bad: after the end, between engines, and for one person
    against an engine if the game cannot count for the rating or the person is new to the game."""
    may_help = match.coaching.for_newcomer or not match.may_count
    return match.session.is_open or (match.session.is_against_engine and may_help)


def is_disclosed(match: Match, node: AnyNode) -> bool:
    """Whether to show the judgement of the move into `node`. An engine's last move waits for the person's reply."""
    if not is_revealed(match):
        return False
    if node.parent is None or match.session.is_open:
        return True
    return bool(list_persons(match.session, node)) or (node is not match.node and node in match.node.path())
