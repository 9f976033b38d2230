"""One game through every front end: a script of what the people at the table do, and who carries it out.

A script is made up while a match is played without any front end, at random; then the app, the line mode and UGI are
led through the same. What must be the same in the end is the record, judgements, attempts and hints included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import TypeAlias

from onlymove_engines.coach.judge import Coaching, Figures, OnBad, choices_by_side, count_figures
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import find_house_rule
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session, parse_choice
from onlymove_engines.records.record import Record, format_record

ENGINE = Player(PlayerKind.ENGINE, "", 50)
SMALL: Mapping[str, str] = {"size": "5x5"}
"""Where the size of a field can be chosen, a field whose values are proven: no clock decides a judgement."""

Action: TypeAlias = tuple[str, str]
"""What a person does: a command, and the text of the move where it is `move`."""


@dataclass(frozen=True)
class Script:
    """A game to be played again: who plays from where under which rule, and everything the people do."""

    game: AnyGame
    start: AnyPosition
    players: tuple[Player, Player]
    rule: str
    training: bool
    on_bad: OnBad
    seed: int
    actions: list[Action] = field(default_factory=list)

    def session(self) -> AnySession:
        """The game before its first move."""
        return Session(self.game, self.start, self.players, find_house_rule(self.game, self.rule))

    def coaching(self) -> Coaching:
        """How its tutor behaves."""
        return Coaching(self.on_bad)


@dataclass(frozen=True)
class Outcome:
    """What a front end has made of a script: the record, judgements included, how it ended, and the figures."""

    record: str
    result: str
    summary: tuple[Figures, ...]


def outcome(session: AnySession) -> Outcome:
    """What became of a game."""
    summary = tuple(count_figures(made) for made in choices_by_side(session.players, session.node.path()).values())
    return Outcome(format_record(Record(session.line)), str(session.result), summary)


def go_on(match: Match) -> None:
    """Find out what is to be found out, and let the engines move, until a person is to choose."""
    while True:
        if (question := match.prepare_question()) is not None:
            match.store_values(match.node, question(UNLIMITED))
            match.retry_waiting_move()
        seats = match.engines_to_choose()
        if not seats:
            return
        match.play_reply(seats[0], match.prepare_thought(seats[0])(UNLIMITED))


def carry_out(match: Match, action: Action) -> None:
    """One action, without any front end."""
    command, text = action
    if command == "move":
        assert match.seat is not None
        match.offer(match.seat, parse_choice(match.session, match.seat, text))
        match.retry_waiting_move()
    elif command == "resign":
        match.resign(match.speaking_seat)
    elif command == "draw":
        match.offer_draw(match.speaking_seat)
    elif command == "hint":
        match.prepare_hint()
    elif command == "values":
        match.assistance.mark_values_shown()
    else:
        {"undo": match.undo, "redo": match.redo, "keep": match.play_stopped_move, "rethink": match.rethink}[command]()
    go_on(match)


def made_up(game: AnyGame, analyst: AnyAnalyst, seed: int, length: int = 14) -> tuple[Script, Outcome]:
    """A script of at most so many actions, and what becomes of it."""
    random = Random(f"{game.id} {seed}")
    options = {name: size for name, size in SMALL.items() if any(option.id == name for option in game.play.options)}
    players = random.choice(((HUMAN, HUMAN), (HUMAN, ENGINE), (ENGINE, HUMAN)))
    rule = random.choice(["", *(rule.id for rule in game.play.house_rules)])
    training, on_bad = random.random() < 0.8, random.choice(list(OnBad))
    script = Script(game, game.start(options, seed), players, rule, training, on_bad, seed)
    match = Match(script.session(), script.coaching(), training, random=Random(seed))
    match.set_analyst(analyst)
    go_on(match)
    for _ in range(length):
        action = next_action(match, random)
        if action is None:
            break
        script.actions.append(action)
        carry_out(match, action)
    return script, outcome(match.session)


def next_action(match: Match, random: Random) -> Action | None:
    """What a person might do now; `None` when the game is over and nobody takes anything back."""
    if match.session.is_over:
        return ("undo", "") if random.random() < 0.3 else None
    if match.stopped_move is not None:
        return random.choice((("keep", ""), ("rethink", ""), ("undo", "")))
    commands = [("undo", ""), ("redo", ""), ("hint", ""), ("hint", ""), ("values", ""), ("draw", ""), ("resign", "")]
    if match.seat is None or random.random() < 0.3:
        return random.choice(commands)
    moves = match.session.moves_of(match.seat)
    return "move", match.game.notation.format_move(match.session.position, random.choice(list(moves)))


def spelled_line(session: AnySession) -> tuple[str, Sequence[str]]:
    """The start of a game and its moves, as text."""
    notation = session.game.notation
    path = session.node.path()
    moves = [notation.format_move(before.position, node.move) for before, node in pairwise(path)]
    return notation.format_position(path[0].position), moves
