"""Plays the same game through every front end.

A script of what the people do is made at random while a match is played without a front end. The app, line mode and UGI
then follow the same script. In the end, the record must be the same, including judgements, attempts and hints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import TypeAlias

from onlymove_engines.coach.figures import Figures, choices_by_side, count_figures
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session, parse_choice
from onlymove_engines.play.tree import find_house_rule
from onlymove_engines.records.record import Record, format_record

ENGINE = Player(PlayerKind.ENGINE, "", 50)
SMALL: Mapping[str, str] = {"size": "5x5"}
"""The options of a field whose values are proven, for games in which the size can be chosen. No clock affects its
judgements."""

Action: TypeAlias = tuple[str, str]
"""What a person does: a command, and for `move` the text of the move."""


@dataclass(frozen=True)
class Script:
    """A game to be played again: the players, the start position, the rules, and everything that the people do."""

    game: AnyGame
    start: AnyPosition
    players: tuple[Player, Player]
    rule: str
    training: bool
    on_bad: OnBad
    seed: int
    actions: list[Action] = field(default_factory=list)

    def session(self) -> AnySession:
        """Return the game before its first move."""
        return Session(self.game, self.start, self.players, find_house_rule(self.game, self.rule))

    def make_coaching(self) -> Coaching:
        return Coaching(self.on_bad)


@dataclass(frozen=True)
class Outcome:
    """The result of a script in one front end: the record with judgements, how the game ended, and the figures."""

    record: str
    result: str
    summary: tuple[Figures, ...]


def outcome(session: AnySession) -> Outcome:
    """Return the record, the result and the figures of a game."""
    summary = tuple(count_figures(made) for made in choices_by_side(session.players, session.node.path()).values())
    return Outcome(format_record(Record(session.tree)), str(session.result), summary)


def go_on(live: LiveGame) -> None:
    """Answer all questions and let the engines move, until a person has to choose."""
    while True:
        if (question := live.prepare_question()) is not None:
            live.store_values(live.node, question(UNLIMITED))
            live.retry_waiting_move()
        seats = live.list_choosing_engines()
        if not seats:
            return
        live.play_reply(seats[0], live.prepare_thought(seats[0])(UNLIMITED))


def carry_out(live: LiveGame, action: Action) -> None:
    """Carry out one action without a front end."""
    command, text = action
    if command == "move":
        assert live.session.choosing_seat is not None
        live.offer(live.session.choosing_seat, parse_choice(live.session, live.session.choosing_seat, text))
        live.retry_waiting_move()
    elif command == "resign":
        live.resign(live.session.speaking_seat)
    elif command == "draw":
        live.offer_draw(live.session.speaking_seat)
    elif command == "hint":
        live.prepare_hint()
    elif command == "values":
        live.mark_values_shown()
    else:
        {"undo": live.undo, "redo": live.redo, "keep": live.play_stopped_move, "rethink": live.rethink}[command]()
    go_on(live)


def make_script(game: AnyGame, analyst: AnyAnalyst, seed: int, length: int = 14) -> tuple[Script, Outcome]:
    """Return a random script with at most `length` actions, and its outcome."""
    random = Random(f"{game.id} {seed}")
    options = {name: size for name, size in SMALL.items() if any(option.id == name for option in game.play.options)}
    players = random.choice(((HUMAN, HUMAN), (HUMAN, ENGINE), (ENGINE, HUMAN)))
    rule = random.choice(["", *(rule.id for rule in game.play.house_rules)])
    training, on_bad = random.random() < 0.8, random.choice(list(OnBad))
    script = Script(game, game.start(options, seed), players, rule, training, on_bad, seed)
    live = LiveGame(script.session(), script.make_coaching(), training, random=Random(seed))
    live.set_analyst(analyst)
    go_on(live)
    for _ in range(length):
        action = next_action(live, random)
        if action is None:
            break
        script.actions.append(action)
        carry_out(live, action)
    return script, outcome(live.session)


def next_action(live: LiveGame, random: Random) -> Action | None:
    """Return what a person might do now, or `None` if the game is over and nothing is taken back."""
    if live.session.is_over:
        return ("undo", "") if random.random() < 0.3 else None
    if live.stopped_move is not None:
        return random.choice((("keep", ""), ("rethink", ""), ("undo", "")))
    commands = [("undo", ""), ("redo", ""), ("hint", ""), ("hint", ""), ("values", ""), ("draw", ""), ("resign", "")]
    if live.session.choosing_seat is None or random.random() < 0.3:
        return random.choice(commands)
    moves = live.session.moves_of(live.session.choosing_seat)
    return "move", live.game.notation.format_move(live.session.position, random.choice(list(moves)))


def format_line(session: AnySession) -> tuple[str, Sequence[str]]:
    """Return the start position of a game and its moves, as text."""
    notation = session.game.notation
    path = session.node.path()
    moves = [notation.format_move(before.position, node.move) for before, node in pairwise(path)]
    return notation.format_position(path[0].position), moves
