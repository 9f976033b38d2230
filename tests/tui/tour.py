"""Goes through everything that a screen with a board can show, stop by stop. This works for every game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from random import Random

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.value import Move
from onlymove_engines.live.live_game import LiveGame
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import TIMERS
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.play.training import Practice
from onlymove_tui.store.learning import Due
from textual.pilot import Pilot

from tests.tui.key_checks import press_meant as press
from tests.tui.pilots import board, settle

EARLY = 4
"""The fewest plies before the middle of a game."""
LATE = 60
"""The most plies to wait for a position with a bad move."""


async def take_tour(pilot: Pilot[int], app: OnlymoveApp) -> AsyncIterator[str]:
    """Yield the name of each stop, from the start of a game between two friends with training to the end of a round of
    drills. The terminal may change its size between two stops."""
    await settle(pilot)
    yield "the start"
    async for stop in walk_through(pilot, [*ADVICE, *ASIDE]):
        yield stop
    await press(pilot, "escape")
    await to_a_bad_move(pilot, app)
    yield "the middle"
    target = board(app).state.move_input.entry.next_targets()[0]
    board(app).pick(target)
    await settle(pilot)
    yield "half a move, or a whole one where that is all it takes"
    await press(pilot, "escape", "u")
    position = board(app).live.game.notation.format_position(board(app).live.session.position)
    right, wrong = rank_moves(board(app).live)
    await offer(pilot, app, wrong)
    yield "a bad move"
    async for stop in walk_through(pilot, STOPPED):
        yield stop
    await press(pilot, "t")
    yield "a bad move was played"
    await press(pilot, "t", "R")
    yield "a question"
    await press(pilot, "R")
    yield "the end"
    async for stop in walk_through(pilot, REVIEW):
        yield stop
    async for stop in play_drills(pilot, app, position, right, wrong):
        yield stop


Walk = Sequence[tuple[str, Sequence[str]]]
"""Stops, each with the keys that lead to it from the one before."""

ADVICE: Walk = [
    ("what lies ahead", ["o"]),
    ("the first hint", ["o", "h"]),
    ("the whole hint", ["h", "h"]),
    ("values", ["v"]),
    ("a refused text", ["v", "m", *"zz9", "enter"]),
    ("a long refused text", [*("zz9" * 12), "enter"]),
]
BEGINNING = "values"
"""The last stop of a short tour."""
ASIDE: Walk = [
    ("a new game", ["escape", "c"]),
    ("the rules", ["f1"]),
    ("the end of the rules", ["end"]),
    ("the players", ["escape", "escape", "P"]),
    ("the keys", ["escape", "?"]),
    ("commands", ["escape", "ctrl+p"]),
]
STOPPED: Walk = [
    ("why a bad move is bad", ["w"]),
    ("why, a step on", ["w"]),
    ("the past", ["escape", "["]),
    ("the present", ["]"]),
]
REVIEW: Walk = [
    ("the start of the review", ["e"]),
    ("a mistake in the review", ["n"]),
    ("values in the review", ["v"]),
    ("why in the review", ["v", "w"]),
    ("why in the review, a step on", ["w"]),
    ("a try in the review", ["escape", "home", "t"]),
    ("the end of the review", ["escape", "end"]),
]


async def walk_through(pilot: Pilot[int], walk: Walk) -> AsyncIterator[str]:
    """Yield the stops of a walk."""
    for stop, keys in walk:
        await press(pilot, *keys)
        yield stop


def rank_moves(live: LiveGame) -> tuple[Move, Move]:
    """Return the best and the worst move of the side that has to choose, by the judgements of training."""
    values, seat = live.node.values, live.session.choosing_seat
    assert seat is not None
    moves = list(live.session.moves_of(seat))
    if values is not None:
        moves.sort(key=lambda move: judge(values, move, live.coaching, seat).grade.gravity)
    return moves[0], moves[-1]


async def to_a_bad_move(pilot: Pilot[int], app: OnlymoveApp) -> None:
    """Play to a position in which training would stop a bad move."""
    random = Random(1)
    for ply in range(LATE):
        live = board(app).live
        values, seat = live.node.values, live.session.choosing_seat
        assert seat is not None
        if ply >= EARLY and values is not None and judge(values, rank_moves(live)[1], live.coaching, seat).flagged:
            return
        keeping = [
            move
            for move in live.session.moves_of(seat)
            if values is None or not judge(values, move, live.coaching, seat).flagged
        ]
        await offer(pilot, app, random.choice(keeping))


async def offer(pilot: Pilot[int], app: OnlymoveApp, move: Move) -> None:
    assert isinstance(app.screen, BoardScreen)
    seat = app.screen.live.session.choosing_seat
    assert seat is not None
    app.screen.handle_move(seat, move)
    await settle(pilot)


async def play_drills(
    pilot: Pilot[int], app: OnlymoveApp, position: str, right: Move, wrong: Move
) -> AsyncIterator[str]:
    """Go through a round of drills with the position of the bad move."""
    assert isinstance(app.screen, BoardScreen)
    live = app.screen.live
    seat = live.game.rules.to_move(live.game.notation.parse_position(position)) or 0
    drill = Drill(live.game.id, position, seat, Origin.MISTAKE)
    services = app.services
    practice = Practice([Due(1, drill, 0, 0)] * 2, services.library.find_game, services.preferences.coaching())
    app.open("drill", practice)
    await settle(pilot)
    assert isinstance(app.screen, DrillScreen)
    yield "a drill"
    await offer(pilot, app, wrong)
    yield "a drill answered wrongly"
    await pilot.pause(TIMERS.reply + 0.2)
    yield "a wrong answer punished"
    await press(pilot, "escape")
    await offer(pilot, app, right)
    yield "a solved drill"
    await press(pilot, "w")
    yield "why in a drill"
    await press(pilot, "escape", "v")
    yield "values in a drill"
    await press(pilot, "n", "s")
    yield "the solution of a drill"
    await press(pilot, "n")
    yield "the end of a round"
