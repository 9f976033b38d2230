"""A game under way: it takes moves, judges them, asks about positions, and has the game saved.

The app, line mode, drills, reviews, the library and matches between programs all use it. It has no screen, starts no
thread and reads no clock but its players'. Searches are functions of a budget: the caller runs them, in a worker if it
likes, and passes the answer back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, zip_longest
from random import Random
from typing import Final, Protocol

from onlymove_engines.coach.figures import SeatMove, find_bad_choices, find_flagged_choices, is_bad
from onlymove_engines.coach.hint import LAST_STAGE, Hint, is_open, list_die_ranges, make_hint, make_mixed_hint
from onlymove_engines.coach.judge import Coaching, OnBad, are_settled, find_sound_moves, judge
from onlymove_engines.coach.reasons import NOTHING_PROVEN, Explanation, explain_move
from onlymove_engines.coach.rest import find_common_value, find_rest
from onlymove_engines.coach.values import (
    Known,
    Refutation,
    Search,
    describe_hardest,
    find_leads,
    find_refutation,
    find_values,
)
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Enumerating, HintNotes
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import UNKNOWN, Judgement, Objective
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, other, turn_value
from onlymove_engines.live import limits
from onlymove_engines.live.clock import Clock
from onlymove_engines.live.engine import FREE, Effort, prepare_thought
from onlymove_engines.play import ladder
from onlymove_engines.play.players import Player
from onlymove_engines.play.session import AnySession, list_own_judgements, list_persons
from onlymove_engines.play.tree import AnyNode
from onlymove_engines.search.deepening import LiveAnalyst


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
    def set_training(self, training: bool, objective: Objective) -> None:
        """Change the training and objective with which the game is saved."""

    def set_score(self, scored: ladder.Scored) -> None:
        """Store what a rated game counts as, which has just ended."""

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


class LiveGame:
    """One game from its start, with everything that belongs to it except its picture. It changes only through its
    methods. They keep the clock running, report every change to the saver, and tell everyone who watches the game.
    With a `remote`, nothing is judged before the end."""

    def __init__(
        self,
        session: AnySession,
        coaching: Coaching,
        training: bool = True,
        saver: Saver | None = None,
        random: Random | None = None,
        remote: Remote | None = None,
        clock: Clock | None = None,
        effort: Effort = FREE,
        is_rated: bool = False,
    ) -> None:
        """Begin or continue a game. A rated game is played without help until it ends, whatever else is set, and its
        engine has no limits. The caller makes sure that it can be rated (`ladder.may_be_rated`)."""
        self.session: Final = session
        self.game: Final[AnyGame] = session.game
        self.is_simultaneous: Final = self.game.facts.simultaneous
        self.saver: Final = saver
        self.remote: Final = remote
        self.clock: Final = clock
        self._random = random or Random()
        self._watchers: list[Callable[[], None]] = []
        self._trouble = ""
        self._turn = 0
        self._is_paused = False
        self._effort = effort
        self._is_rated = is_rated and not session.is_over

        self._coaching = coaching
        self._training = training
        self._offered: SeatMove | None = None
        self._waiting: tuple[Seat, Move] | None = None
        self._stopped_move: StoppedMove | None = None
        self._taken_back: Counter[int] = Counter()

        self._analyst: AnyAnalyst | None = None
        self._source_note = ""
        self._is_analyst_settled = False
        self._is_preparing = False
        self._unknowable: set[int] = set()
        self._leads: dict[int, Mapping[Move, float]] = {}
        self._remarks: dict[int, HintNotes[Move]] = {}
        self._explanations: dict[SeatMove, Explanation] = {}
        self._hardest: dict[int, str] = {}
        self._rests: dict[int, Sequence[Move]] = {}

        self._shows_values = False
        self._has_explained = False
        self._stages: dict[tuple[int, Seat], int] = {}
        if remote is not None:
            self.follow_remote()

    # Changes.

    def watch(self, follow: Callable[[], None]) -> Callable[[], None]:
        """Call `follow` after every change of the position, the players, the training or the player's decision. Values,
        hints and reasons are no such changes. Return a function that ends this."""
        self._watchers.append(follow)
        return partial(self._watchers.remove, follow)

    @property
    def trouble(self) -> str:
        """What went wrong when the game was last saved, or an empty text."""
        return self._trouble

    @property
    def turn(self) -> int:
        """A number that increases when the earlier thoughts of an engine become useless."""
        return self._turn

    # Players.

    @property
    def node(self) -> AnyNode:
        return self.session.node

    @property
    def is_turned(self) -> bool:
        """Whether the board is turned so that the only human player is at the bottom."""
        return self.game.play.own_side_below and self.session.near_seat == 1

    @property
    def effort(self) -> Effort:
        """The limits on the search for an engine's move. A rated game has none."""
        return FREE if self.is_rated else self._effort

    def set_effort(self, effort: Effort) -> None:
        """Change the limits for the next moves of engines."""
        self._effort = effort

    @property
    def is_rated(self) -> bool:
        """Whether this is a rated game that has not ended yet. There is no help in it."""
        return self._is_rated

    @property
    def is_paused(self) -> bool:
        """Whether a game between two engines waits until the player continues it."""
        return self._is_paused

    def set_paused(self, paused: bool) -> None:
        """Pause or continue a game between two engines. The thoughts of an engine that is thinking become useless."""
        self._is_paused = paused
        self._turn += 1
        self._tell_watchers()

    def list_choosing_engines(self) -> tuple[Seat, ...]:
        session = self.session
        if session.is_over:
            return ()
        movers = (0, 1) if self.is_simultaneous else (session.to_move,)
        return tuple(seat for seat in session.engine_seats if seat in movers and seat not in session.pending)

    # The clock.

    def run_clock(self) -> None:
        """Run the clock of the side that has to choose, and save how much time is left. No clock runs while a move
        waits for its value or for an engine. Every change of the game does this too. Call it when the player first
        sees the board, and then every second, so that killing the program gains no time."""
        if self.clock is not None:
            self._start_clock()
            if self.saver is not None:
                self._trouble = self.saver.save()

    def _start_clock(self) -> None:
        if self.clock is not None:
            self.clock.start(self.session.choosing_seat if self.waiting is None else None, self.node.ply)

    def lose_on_time(self) -> bool:
        """End the game if the side that has to choose has run out of time. Return whether it has."""
        late = None if self.clock is None or self.session.is_over else self.clock.late_seat
        if self.clock is None or late is None:
            return False
        self.clock.lose_on_time(late)
        self.resign(late, is_late=True)
        return True

    # Analysts and values.

    @property
    def analyst(self) -> AnyAnalyst | None:
        """The analyst that answers questions about values, or `None` if there is none or it is not known yet."""
        return self._analyst

    @property
    def source_note(self) -> str:
        """Where the answers of the analyst come from if not from its table, or why there is no analyst."""
        return self._source_note

    @property
    def is_analyst_settled(self) -> bool:
        """Whether the analyst is known, or it is known that there is none."""
        return self._is_analyst_settled

    @property
    def is_preparing(self) -> bool:
        """Whether it takes a while to get an analyst, because the engine is being compiled or the game is being solved.
        No moves are stopped until then."""
        return self._is_preparing

    def begin_preparing(self) -> None:
        """Note that it takes a while to get an analyst."""
        self._is_preparing = True

    def set_analyst(self, analyst: AnyAnalyst | None, source_note: str = "") -> None:
        """Use this analyst from now on. `None` means that there is none, and `source_note` says why."""
        self._analyst, self._source_note = analyst, source_note
        self._is_analyst_settled, self._is_preparing = True, False

    @property
    def question_seconds(self) -> float:
        """Return how many seconds a question may take. A search that ends with an exact answer gets more."""
        if self.is_simultaneous:
            return limits.ROUND_SECONDS
        is_plain_search = isinstance(self.analyst, LiveAnalyst) and not isinstance(self.analyst, Enumerating)
        return limits.SEARCH_SECONDS if self.source_note or is_plain_search else limits.PROOF_SECONDS

    def awaits_values(self, node: AnyNode) -> bool:
        """Whether the values of a node are still being computed."""
        if node.values is not None or node.id in self._unknowable:
            return False
        return not self.is_analyst_settled or self.analyst is not None

    def prepare_question(self, node: AnyNode | None = None) -> Search[Known] | None:
        """Return the question about a node, for a worker. `None` if its values are known or cannot be found."""
        node, analyst = node or self.node, self.analyst
        is_hidden = self.remote is not None and not self.session.is_over
        if analyst is None or is_hidden or node.result is not None or node.values is not None:
            return None
        return partial(find_values, self.session.tree, node, analyst)

    def store_values(self, node: AnyNode, values: Known | None) -> bool:
        """Store the answer to a question, or `None` if it could not be answered. Moves already played from that node
        are judged now. Return whether there were any."""
        node.values = values
        if values is None:
            self._unknowable.add(node.id)
        judged = [child for child in node.children if self.judge_move_into(child)]
        if judged:
            self._save()
        if self.shows_values:
            self.mark_values_shown()
        return bool(judged)

    def find_leads(self, node: AnyNode) -> Mapping[Move, float]:
        """Return, for each move that holds a draw, how far the side to move leads in the game's measure after it. The
        largest lead comes first. Empty until that is known."""
        known, leads = node.values, self._leads.get(node.id, {})
        if not leads and isinstance(known, Analysis) and self.analyst is not None:
            leads = find_leads(self.session.tree.conventions, node.positions(), known, self.analyst)
            self._leads[node.id] = leads
        return leads

    def judge_move_into(self, node: AnyNode) -> bool:
        """Judge the move into a node if it can be judged and has not been. Return whether a judgement was added."""
        if node.parent is None or (before := node.parent.values) is None:
            return False
        missing = [seat for seat in node.choices if seat not in node.judgements]
        for seat in missing:
            node.judgements[seat] = judge(before, node.choices[seat], self.coaching, seat)
        return bool(missing)

    # Moves.

    @property
    def offered(self) -> SeatMove | None:
        """The last move that a person made or tried."""
        return self._offered

    @property
    def waiting(self) -> tuple[Seat, Move] | None:
        """A person's move that waits for values or for an engine."""
        return self._waiting

    @property
    def stopped_move(self) -> StoppedMove | None:
        """The move that training has stopped. It waits for the player's decision."""
        return self._stopped_move

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
        return stops and not self.is_preparing and self.awaits_values(self.node)

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
        self._waiting = (seat, move) if self.must_wait() else None
        if self.waiting is not None:
            self.run_clock()
            self._tell_watchers()
            return None
        here, known = self.node, None if self.session.is_blind else self.node.values
        self._offered = (here, seat, move)
        if known is None:
            return Verdict(UNKNOWN, self._play(seat, move))
        judgement = judge(known, move, self.coaching, seat)
        on_bad = self.coaching.on_bad if self.training else OnBad.OFF
        here.attempts.setdefault(seat, judgement)
        is_bad = judgement.flagged and not (self.coaching.for_newcomer and judgement.keeps_result)
        if is_bad and on_bad is OnBad.ASK:
            self._stopped_move = StoppedMove(seat, move, judgement)
            self._report_change()
            return Verdict(judgement, stopped_move=self._stopped_move)
        if is_bad and on_bad is OnBad.UNDO and self._taken_back[here.id] < self.coaching.undo_limit:
            self._taken_back[here.id] += 1
            self._report_change()
            return Verdict(judgement, is_taken_back=True)
        return Verdict(judgement, self._play(seat, move, judgement))

    def retry_waiting_move(self) -> Verdict | None:
        return None if self.waiting is None or self.must_wait() else self.offer(*self.waiting)

    def withdraw_waiting_move(self) -> None:
        """Withdraw the move that waits for values or for an engine."""
        self._waiting = None
        self.run_clock()
        self._tell_watchers()

    def play_stopped_move(self) -> Verdict:
        """Play the stopped move anyway. Raises ValueError if no move is stopped."""
        if self.stopped_move is None:
            raise ValueError("there is no move for you to keep or take back")
        stopped_move, self._stopped_move = self.stopped_move, None
        return Verdict(stopped_move.judgement, self._play(stopped_move.seat, stopped_move.move, stopped_move.judgement))

    def rethink(self) -> None:
        """Drop the stopped move. In a simultaneous game, the engine chooses again."""
        if self.stopped_move is not None:
            self._drop_stopped_move()
            self._handle_change()

    def _drop_stopped_move(self) -> None:
        """Take back the stopped move. In a simultaneous game, hidden choices are forgotten."""
        if self.stopped_move is not None and self.is_simultaneous:
            self.session.set_pending({})
        self._stopped_move = None

    def _play(self, seat: Seat, move: Move, judgement: Judgement | None = None) -> AnyNode | None:
        """Play a move, judge it if possible, and save the game. Return the node after it, or `None` while the other
        side of a simultaneous round has not chosen. A hidden move is judged with its round."""
        node = self.session.commit(seat, move)
        if node is None:
            self._report_change()
            return None
        if judgement is None or self.is_simultaneous:
            self.judge_move_into(node)
        else:
            node.judgements.setdefault(seat, judgement)
        self._handle_change()
        return node

    def play_reply(self, seat: Seat, move: Move) -> AnyNode | None:
        """Play an engine's move, or store it until both have chosen in a simultaneous game. Return the node after it if
        it was played."""
        return self._play(seat, move)

    def prepare_thought(self, seat: Seat) -> Search[Move]:
        """Return a search for the move of the engine at `seat`. Raises KeyError for an unknown style."""
        return prepare_thought(self.session, seat, self.analyst, self._random, self.node.values, self.effort)

    # Games with another keyboard.

    def follow_remote(self) -> bool:
        """Go to the current position of the remote game. Return whether the position or the result changed."""
        assert self.remote is not None, "there is another keyboard"
        moves, agreed, chosen = self.remote.read()
        tree, node = self.session.tree, self.session.tree.root
        for move in moves:
            node = tree.add(node, move)
            node.players_at_move = node.players_at_move or self.session.players
        is_new = node is not self.node or tree.agreed != agreed
        if is_new:
            self.session.go_to(node, agreed)
            self._handle_change()
        has_chosen = chosen != self.session.pending
        self.session.set_pending(chosen)
        if has_chosen:
            self._tell_watchers()
        return is_new

    # Going back, ending the game, changing players.

    def undo(self) -> bool:
        """Undo one step to the player's last decision, unless the game is remote. Return whether anything changed."""
        if self.remote is not None or not self.can_undo:
            return False
        if self.stopped_move is not None:
            self.rethink()
            return True
        is_within_turn = self._has_begun_to_choose
        self._waiting = None
        seats = self.session.human_seats
        self.session.set_pending({seat: move for seat, move in self.session.pending.items() if seat not in seats})
        if not is_within_turn:
            self.session.undo()
        self._is_paused = not self.session.human_seats
        self._handle_change()
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision of the player to go back to: by `undo`, or in a remote game by asking for it. A
        hidden choice in a remote game is final."""
        if self.remote is not None:
            return self.session.can_undo
        return self.stopped_move is not None or self._has_begun_to_choose or self.session.can_undo

    @property
    def _has_begun_to_choose(self) -> bool:
        """Whether the player has made a move that does not count yet: it waits, or it is a hidden choice."""
        seats = self.session.human_seats
        return self.waiting is not None or any(seat in self.session.pending for seat in seats)

    @property
    def can_redo(self) -> bool:
        return self.remote is None and bool(self.session.undone)

    def redo(self) -> bool:
        """Redo what was last undone, unless the game is remote. Return whether anything changed."""
        if not self.can_redo:
            return False
        self._drop_stopped_move()
        self.session.redo()
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
        self._stopped_move = None
        self._handle_change()

    def end(self, result: Result) -> None:
        """End the game with a result that does not follow from the rules. Raises GameOver."""
        self.session.end(result)
        self._stopped_move = None
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
            mover = self.session.to_move or 0
            agrees = best is not None and turn_value(best, mover, agreeing).outcome <= Outcome.DRAW
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

    @property
    def training(self) -> bool:
        """Whether training is on. In a rated game it is off."""
        return self._training and not self.is_rated

    @property
    def coaching(self) -> Coaching:
        """The settings of training, by which moves are also judged while training is off."""
        return self._coaching

    def set_training(self, training: bool) -> Verdict | None:
        """Turn training on or off. If a stopped or waiting move no longer has to wait, it is played. Return its
        verdict."""
        self._training = training
        self._save_training()
        if not training and self.stopped_move is not None:
            return self.play_stopped_move()
        return self.retry_waiting_move()

    def toggle_objective(self) -> None:
        wanted = Objective.MARGIN if self.coaching.objective is Objective.RESULT else Objective.RESULT
        self._coaching = replace(self.coaching, objective=wanted)
        self._save_training()

    def set_coaching(self, coaching: Coaching) -> None:
        """Change the settings of training, except whether the player plays for points or for the result."""
        self._coaching = replace(coaching, objective=self.coaching.objective)

    def find_refuted(self) -> tuple[AnyNode, Move] | None:
        """Return the move to explain and the node before it: the stopped one, or a person's last move if it was bad."""
        if self.stopped_move is not None:
            return self.node, self.stopped_move.move
        for node in reversed(self.node.path()):
            if people := list_persons(self.session, node):
                bad = [before for before, seat, _ in find_bad_choices(node) if seat in people]
                return (bad[0], node.move) if bad else None
        return None

    def prepare_sentences(self, choice: SeatMove) -> Search[Explanation] | None:
        """Return a search for reasons why a move is good or bad, or `None` while the values are not known."""
        node, seat, move = choice
        known, analyst = node.values, self.analyst
        if known is None or analyst is None:
            return None
        return partial(explain_move, self.session.tree, choice, judge(known, move, self.coaching, seat), known, analyst)

    def prepare_explanation(self, choice: SeatMove) -> Search[Explanation] | None:
        """Return a search for the reasons why a move is bad, to be run in a worker. Return `None` if it is not bad, or
        if the reasons are already known or cannot be found."""
        node, seat, move = choice
        known = node.values
        if known is None or choice in self._explanations:
            return None
        return self.prepare_sentences(choice) if judge(known, move, self.coaching, seat).flagged else None

    def explain(self, choice: SeatMove, budget: Budget) -> Explanation:
        """Return why a move is bad. Search for the reasons now if they are not known."""
        if (find := self.prepare_explanation(choice)) is not None:
            self.store_explanation(choice, find(budget))
        return self.get_explanation(choice)

    def store_explanation(self, choice: SeatMove, explanation: Explanation) -> None:
        """Store the answer of `prepare_explanation` or `prepare_sentences`."""
        self._explanations[choice] = explanation

    # Help that a player may ask for. What was given is noted, because such decisions count in no figure.

    def get_stage(self, seat: Seat) -> int:
        return self._stages.get((self.node.id, seat), 0)

    def prepare_hint(self, straight: bool = False) -> Callable[[], Hint] | None:
        """Return a search for the next hint stage, or for the last if `straight` or the settings ask for it. Return
        `None` while values are unknown."""
        node, seat = self.node, self.session.choosing_seat
        values = node.values
        if seat is None or values is None:
            return None
        is_whole = straight or self.coaching.hint_straight or is_open(values, seat)
        stage = LAST_STAGE if is_whole else min(LAST_STAGE, self.get_stage(seat) + 1)
        self._stages[node.id, seat] = stage
        if stage == LAST_STAGE:
            self.mark_hinted(seat)
        self._save()
        if isinstance(values, Mixed):

            def climb() -> Hint:
                sound = find_sound_moves(values, seat)
                area = self.game.voice.outlook(node.position, seat, sound) if are_settled(values, seat) else ()
                return make_mixed_hint(values, seat, stage, area)

            return climb
        return lambda: make_hint(self.game, node.position, values, stage, self._find_remarks(node, values))

    def _find_remarks(self, node: AnyNode, values: Analysis[Move]) -> HintNotes[Move] | None:
        """Return what the game's coach adds to the hints at a node. The coach is asked once for all stages."""
        find, analyst = self.game.voice.hints, self.analyst
        if node.id not in self._remarks and find is not None and analyst is not None and values.is_complete:
            self._remarks[node.id] = find(node.position, values, analyst)
        return self._remarks.get(node.id)

    @property
    def shows_values(self) -> bool:
        """Whether the player sees the values of all moves."""
        return self._shows_values

    def show_values(self, shown: bool) -> None:
        self._shows_values = shown
        if shown:
            self.mark_values_shown()
        self._save()

    def mark_values_shown(self) -> None:
        """Note that the player sees all known values here. While they are shown, call this after every change."""
        seat = self.session.choosing_seat
        if seat is not None and self.node.values is not None:
            self.mark_hinted(seat)

    def mark_hinted(self, seat: Seat) -> None:
        """Note that `seat` could see all values. The decision no longer counts, unless a move was tried before."""
        node = self.node
        if seat not in node.hinted and seat not in node.attempts:
            node.hinted.add(seat)
            self._save()

    def roll_die(self, seat: Seat) -> str:
        """Roll 1 to 100 and say which move the best mix of `seat` selects. Empty if no mix is known."""
        values = self.node.values
        if not isinstance(values, Mixed):
            return ""
        throw, ranges = self._random.randint(1, 100), list_die_ranges(values, seat)
        self.mark_hinted(seat)
        move = next((move for move, low, high in ranges if low <= throw <= high), None)
        return f"You rolled {throw}: play {move}." if len(ranges) > 1 else f"No need to roll: always play {move}."

    def prepare_hardest(self) -> Search[str] | None:
        """Return a search for a text about the trickiest move here, or `None` if it is known or cannot be found."""
        tree, node, analyst = self.session.tree, self.node, self.analyst
        known = node.values
        if not isinstance(known, Analysis) or not known.is_complete or analyst is None or node.id in self._hardest:
            return None
        return lambda budget: describe_hardest(tree, node, known, analyst, budget.limit_seconds(limits.SEARCH_SECONDS))

    def store_hardest(self, node: AnyNode, text: str) -> None:
        """Store the answer of `prepare_hardest`, which was asked at `node`."""
        self._hardest[node.id] = text

    @property
    def hardest(self) -> str:
        """The text about the trickiest move here. Empty while it is not known."""
        return self._hardest.get(self.node.id, "")

    def prepare_rest(self) -> Search[Sequence[Move]] | None:
        """Return a search for moves that play the game out, if nothing makes a difference here. `None` if that is known
        or cannot be found. In a rated game and in one with others, each player makes every move."""
        tree, node, analyst = self.session.tree, self.node, self.analyst
        if self.is_rated or self.remote is not None or node.id in self._rests or analyst is None:
            return None
        if not isinstance(node.values, Analysis) or find_common_value(node.values) is None:
            return None
        return lambda budget: find_rest(tree, node, analyst, budget.limit_seconds(limits.SEARCH_SECONDS))

    def store_rest(self, node: AnyNode, moves: Sequence[Move]) -> None:
        """Store the answer of `prepare_rest`, which was asked at `node`."""
        self._rests[node.id] = moves

    @property
    def rest(self) -> Sequence[Move]:
        """Moves of both sides that play the game out from here, because no move makes a difference. Empty if some move
        does, or while that is not known."""
        return () if self.is_rated or self.session.is_over else self._rests.get(self.node.id, ())

    def play_rest(self) -> None:
        """Play the game out with the moves of `rest`."""
        for move in self.rest:
            self.judge_move_into(self.session.play(move))
        self._drop_stopped_move()
        self._handle_change()

    def prepare_refutation(self, node: AnyNode, move: Move) -> Search[Refutation] | None:
        """Return a search for best play after `move`. `None` without an analyst, or if both sides move at once."""
        if self.analyst is None or self.is_simultaneous:
            return None
        self.mark_explained()
        return partial(find_refutation, self.session.tree, node, move, self.analyst)

    def get_explanation(self, choice: SeatMove) -> Explanation:
        return self._explanations.get(choice, NOTHING_PROVEN)

    def explain_line(self, line: Refutation) -> Explanation:
        """Return why the first move of a line of best play is bad, or `NOTHING_PROVEN` if that is not known."""
        seat = line.start.to_move
        return NOTHING_PROVEN if seat is None else self.get_explanation((line.start, seat, line.moves[0]))

    def list_reasons(self, node: AnyNode, may_name: bool = True) -> tuple[str, ...]:
        """Return all explanations of the move into `node`. With `may_name`, they may name a better move. If both sides
        made a mistake, each begins with the name of its side, and the most important one of each side comes first."""
        choices, names = find_flagged_choices(node), self.game.seats
        explained = [(names[choice[1]], self.get_explanation(choice)) for choice in choices]
        told = [[(name, text) for text in (why.full if may_name else why.discreet)] for name, why in explained]
        found = [each for place in zip_longest(*told) for each in place if each is not None]
        return tuple(f"{name}: {text}" if len(choices) > 1 else text for name, text in found)

    @property
    def has_explained(self) -> bool:
        """Whether best play has been shown to the player."""
        return self._has_explained

    def mark_explained(self) -> None:
        self._has_explained = True

    def mark_explored(self) -> None:
        """Note that the player opened the review or the explorer, which show every value and best play."""
        self.mark_explained()
        if (seat := self.session.choosing_seat) is not None:
            self.mark_hinted(seat)

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
                after.judgements[seat] = judged = judge(values, move, self.coaching, seat)
                if judged.flagged:
                    self.explain((before, seat, move), new_budget())
            yield after

    def _save_training(self) -> None:
        if self.saver is not None:
            self.saver.set_training(self._training, self.coaching.objective)
        self._save()
        self._tell_watchers()

    def _handle_change(self) -> None:
        """Update everything after a change of position or players. Running searches no longer count."""
        self._turn += 1
        self._waiting = None
        if self.shows_values:
            self.mark_values_shown()
        self._report_change()

    def _report_change(self) -> None:
        """Run the clock, save the game and tell those who watch it, after a change of what a player has to decide."""
        self._start_clock()
        self._save()
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for follow in [*self._watchers]:
            follow()

    def _save(self) -> None:
        if self._is_rated and self.session.is_over:
            self._is_rated = False
            if self.saver is not None and (scored := ladder.score_game(self.session)) is not None:
                self.saver.set_score(scored)
        if self.saver is not None:
            self._trouble = self.saver.save()


# What may be shown to the player.


def is_revealed(live: LiveGame) -> bool:
    """Whether judgements may be shown at all: while training comments on moves, after the end, and between engines."""
    return live.comments or live.session.is_open


def allows_help(live: LiveGame) -> bool:
    """Whether the player may see everything that is known about a game: after its end, between engines, and for one
    person against an engine, unless the game is rated."""
    return live.session.is_open or (live.session.is_against_engine and not live.is_rated)


def is_disclosed(live: LiveGame, node: AnyNode) -> bool:
    """Whether to show the judgement of the move into `node`. An engine's last moves wait for the person's reply."""
    if not is_revealed(live):
        return False
    if node.parent is None or live.session.is_open or list_persons(live.session, node):
        return True
    path = live.node.path()
    return node in path and any(list_persons(live.session, later) for later in path[node.ply + 1 :])


def is_marked(live: LiveGame, node: AnyNode, everything: bool) -> bool:
    """Whether the move into `node` is marked as bad. Against an engine, only the player's own moves count. With
    `everything`, it does not matter who has answered what, or what a newcomer is told."""
    own = list_own_judgements(live.session, node) if everything or is_disclosed(live, node) else []
    return any(is_bad(judgement) and (everything or live.coaching.tells(judgement)) for judgement in own)


def find_blunderer(live: LiveGame, node: AnyNode) -> Seat | None:
    """Return the seat of the person whose mistake led to `node`, preferably the one at the bottom of the board."""
    near = live.session.near_seat
    seats = [seat for _, seat, _ in find_flagged_choices(node) if seat in list_persons(live.session, node)]
    return near if near in seats else next(iter(seats), None)
