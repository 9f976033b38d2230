"""What the product prints about positions and moves, and positions to ask it about. This is what the tests check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import numpy as np
import onlymove
from onlymove_engines.coach.hint import is_decided
from onlymove_engines.coach.judge import Coaching, judge, judge_mixed
from onlymove_engines.coach.reasons import explain_move
from onlymove_engines.coach.values import JUDGED_NODES
from onlymove_engines.core.analysis import alternating, simultaneous
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.judgement import Judgement, Objective
from onlymove_engines.core.value import Mixed, Move, Value
from onlymove_engines.core.words import BOTH_COUNT, mentions_distance
from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.panels.value_rows import hint_rows
from onlymove_tui.play.line_mode import LineMode, Voice

from tests.games.ayoayo.test_ayoayo_history import FAVOURED, Layer
from tests.reference.truth.check import Page
from tests.reference.truth.facts import Probe, Worth, sign
from tests.reference.truth.riders import Field

ENGINE = Player(PlayerKind.ENGINE)
PANEL = 26
"""The width of the text beside a board in a terminal of 80x24."""
MAX_PLIES = 60
FOLLOWED = (0.0, 0.5, 0.9)
"""How often the best move is played on the way to the positions."""
FIELDS = ("4x4", "5x5", "6x6", "8x8", "16x16")


class Asked:
    """A position that the product is asked about, in a game that begins there. If both sides move at once, the player
    at `seat` asks."""

    def __init__(self, game: onlymove.Game, position: onlymove.Position, seat: int = 0) -> None:
        self.game, self.position, self.seat = game, position, seat
        players = (HUMAN, HUMAN)
        if game.is_simultaneous:
            players = (HUMAN, ENGINE) if seat == 0 else (ENGINE, HUMAN)
        session: AnySession = Session(game.definition, position.state, players)
        self.live = LiveGame(session, Coaching(), training=False)
        self.live.set_analyst(game.analyst)
        question = self.live.prepare_question()
        assert question is not None, "the game goes on"
        self.live.store_values(self.live.node, question(UNLIMITED))

    def page(self, moves: Iterable[str]) -> Page:
        """Return everything that is printed about this position and these moves, which are written as in files."""
        answers = {move: sorted(self.list_sentences(move)) for move in moves}
        return Page(self.position.text, answers, self.hints(), self.rows())

    def list_sentences(self, spelled: str) -> set[tuple[str, ...]]:
        """Return what the library and a game print about a move, and a verdict that says how far away the end is. In a
        game, this is printed with and without the name of a better move and, with points, for both objectives."""
        known = self.live.node.values
        assert known is not None
        if isinstance(known, Mixed):
            judgement = judge_mixed(known, self.seat, spelled)
            return {(judgement.verdict(),)} | self.reasons(self.seat, spelled, judgement)
        definition, state = self.game.definition, self.position.state
        move, seat = definition.notation.parse_move(state, spelled), definition.rules.to_move(state) or 0
        objectives = Objective if definition.facts.has_margin else (Objective.RESULT,)
        judgements = dict.fromkeys(judge(known, move, Coaching(objective=objective)) for objective in objectives)
        verdicts = {(verdict,) for one in judgements if mentions_distance(verdict := one.verdict())}
        found = {self.game.why(self.position, spelled)}.union(*(self.reasons(seat, move, one) for one in judgements))
        return (found | verdicts) - {()}

    def reasons(self, seat: int, move: Move, judgement: Judgement) -> set[tuple[str, ...]]:
        """Return what a game prints about a judged move."""
        known = self.live.node.values
        assert known is not None
        tree, choice = self.live.session.tree, (self.live.node, seat, move)
        found = explain_move(tree, choice, judgement, known, self.game.analyst, UNLIMITED)
        return {found.full, found.discreet, found.lasting} - {()}

    def hints(self) -> list[list[str]]:
        """Return the stages of the hint in lines, without the line that explains how moves are counted. There is only
        one stage if nothing is hidden."""
        lines, stages = list[str](), list[list[str]]()
        mode = LineMode(self.live, Voice(lines.append, lambda: 0.0))
        for _ in range(3):
            lines.clear()
            mode.answer("hint")
            stages.append([line for line in lines if line != BOTH_COUNT])
        return stages if stages[0] != stages[1] else stages[:1]

    def rows(self) -> list[str]:
        """Return the moves of the last stage, as shown beside a board."""
        climb = self.live.prepare_hint(straight=True)
        assert climb is not None, "values are known"
        hint = climb()
        rows = ["".join(text for text, _ in row) for row in hint_rows(hint, PANEL, with_numbers=True)]
        return rows[len(rows) - len(hint.shown) :]

    def field(self) -> Field:
        """Return what is known about the field, as the rider that asks sees it."""
        known = self.live.node.values
        assert isinstance(known, Mixed)
        mixes = [{str(step): share for step, share in mix.items()} for mix in known.strategies]
        own, theirs = mixes[self.seat], mixes[1 - self.seat]
        payoffs = {a: {b: known.payoff(self.seat, a, b) for b in theirs} for a in own}
        estimated = {(a, b) for a in own for b in theirs if not known.is_proven(self.seat, a, b)}
        return Field(self.position.text, self.seat, payoffs, own, theirs, known.exact, frozenset(estimated), known.gap)


def values_of(game: onlymove.Game) -> Probe:
    """Return a function that finds values in the table, or by a search that proves them."""
    analyst, parse = alternating(game.analyst), game.definition.notation.parse_position

    def worth(text: str) -> Worth:
        position = parse(text)
        known = analyst.probe(position) or analyst.analyse(position).value
        assert isinstance(known, Value), f"{text} is not proven"
        return Worth(int(known.outcome), known.remoteness, known.margin)

    return worth


def values_in(game: onlymove.Game, begun: str) -> Probe:
    """Return a function that finds values in a game of Ayòayò that begins at a position and is over when it occurs
    again. It uses a solver of its own. No pit may have more than 3 seeds at the start."""
    start, table, analyst = game.parse(begun).state, values_of(game), game.analyst
    assert isinstance(start, rules.Position)
    assert isinstance(analyst, AyoayoAnalyst)
    layer = Layer(sum(start.pits), np.asarray(analyst.margins))
    margins = layer.margins_after([start])

    def worth(text: str) -> Worth:
        position = game.parse(text).state
        assert isinstance(position, rules.Position)
        if position == start or position.captured != start.captured:
            return table(text)
        margin = int(margins[layer.node(position)])
        own, seat = margin if position.to_move == FAVOURED else -margin, position.to_move
        return Worth(sign(position.captured[seat] - position.captured[1 - seat] + own), None, own)

    return worth


def play_games(game: onlymove.Game, random: Random) -> Iterator[onlymove.Position]:
    """Yield the positions of one game after the other. Some games are played well, and some at random."""
    while True:
        follows = random.choice(FOLLOWED)
        options = {"size": random.choice(FIELDS)} if game.is_simultaneous else {}
        position = game.start(random.randrange(1000), **options)
        for _ in range(MAX_PLIES):
            if position.is_over:
                break
            yield position
            choices = position.moves
            if not game.is_simultaneous and random.random() < follows:
                choices = game.analyse(position).best or choices
            position = game.play(position, random.choice(choices))


def find_forced_wins(game: onlymove.Game, random: Random) -> Iterator[onlymove.Position]:
    """Yield fields of Light Riders with many walls, as they never come about in a game, in which a win is proven while
    other payoffs are not."""
    while True:
        width, height = random.randint(8, 10), random.randint(8, 10)
        cells = [random.choices(".x", (7, 3))[0] for _ in range(width * height)]
        for head, cell in zip("01", random.sample(range(width * height), 2), strict=True):
            cells[cell] = head
        position = game.parse(f"{width} {height} {','.join(cells)}")
        if position.is_over:
            continue
        found = simultaneous(game.analyst).mixed(position.state, Budget(nodes=JUDGED_NODES))
        if is_decided(found) and found.has_estimates:
            yield position


def choose_moves(game: onlymove.Game, position: onlymove.Position, random: Random) -> list[str]:
    """Return moves to ask about: up to two that give something away, and up to one that does not."""
    keeping = set(game.analyse(position).keeping)
    slips = [move for move in position.moves if move not in keeping]
    good = [move for move in position.moves if move in keeping]
    return [*random.sample(slips, min(2, len(slips))), *random.sample(good, min(1, len(good)))]
