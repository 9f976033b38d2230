"""What the explorer's workers find out: the game, a position as a node of the solved game, what stands below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeAlias

from onlymove_engines.coach.drill import FITS, Drill, Origin, is_too_easy
from onlymove_engines.coach.explore import AnyExplored, Below, below, explore
from onlymove_engines.coach.values import JUDGED_NODES, measured
from onlymove_engines.core.analysis import Report, SimultaneousAnalyst, alternating, silent
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition, GameId
from onlymove_engines.core.value import Mixed, Move
from onlymove_engines.match.limits import POSITION_SECONDS
from onlymove_engines.match.match import Match
from onlymove_engines.play.session import Session
from textual.message import Message
from textual.worker import get_current_worker

from onlymove_tui.app.screens.drills import RoundReady, due_round
from onlymove_tui.app.services import Services
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.store.progress import Tally, passages

TOO_EASY = "No drill: most moves are right here."

KnownNode: TypeAlias = AnyExplored | Mixed
Measured: TypeAlias = Mapping[Move, tuple[float, float]]


@dataclass
class GameFound(Message):
    """The game is loaded."""

    game: AnyGame


@dataclass
class OwnFound(Message):
    """How often the player's own games came through each position, and how they ended."""

    own: Mapping[AnyPosition, Tally]


@dataclass
class NodeFound(Message):
    """What is known of a position; `note` says what that stands on when it is not the table, or why nothing is;
    `measured` is what the game measures besides, of both sides, after each move."""

    position: AnyPosition
    known: KnownNode | None
    note: str
    measured: Measured = field(default_factory=dict)


@dataclass
class WhyFound(Message):
    """What is proven of a move from a position, in sentences."""

    position: AnyPosition
    move: Move
    sentences: Sequence[str]


@dataclass
class Reached(Message):
    """A position that the game answers, and what it is called."""

    position: AnyPosition
    name: str


@dataclass
class BelowFound(Message):
    """How narrow it is one ply and two plies below a position."""

    position: AnyPosition
    lower: Sequence[Below | None]


def read_game(services: Services, game_id: GameId) -> GameFound:
    """Load the game. Raises UnknownGame."""
    return GameFound(services.library.find_game(game_id))


def read_own(services: Services, game: AnyGame) -> OwnFound:
    """Go through the player's latest games. Raises StoreTrouble."""
    return OwnFound({} if services.store is None else passages(game, services.store.own_ways(game.id)))


def read_node(services: Services, game: AnyGame, position: AnyPosition, report: Report = silent) -> NodeFound:
    """Find the node of a position in which the game goes on. Raises OnlymoveError where a search has to give up."""
    analyst, note = services.find_analyst(game, report)
    if analyst is None:
        return NodeFound(position, None, note)
    if isinstance(analyst, SimultaneousAnalyst):
        return NodeFound(position, analyst.mixed(position, replace(time_given(), nodes=JUDGED_NODES)), note)
    node = explore(game.rules, position, analyst, time_given())
    return NodeFound(position, node, note, measured(game, position, node.analysis.moves, analyst))


def read_why(services: Services, game: AnyGame, position: AnyPosition, known: KnownNode, move: Move) -> WhyFound:
    """Find out why a move is good or bad, as far as that is proven; of both sides' at once nothing."""
    analyst, _ = services.find_analyst(game)
    seat = game.rules.to_move(position)
    if analyst is None or isinstance(known, Mixed) or seat is None or not known.analysis.is_complete:
        return WhyFound(position, move, ())
    match = Match(Session(game, position), services.preferences.coaching(), training=False)
    match.take_analyst(analyst, "")
    match.learn(match.node.id, known.analysis)
    find = match.sentences((match.node, seat, move))
    return WhyFound(position, move, () if find is None else find(time_given()).full)


def reach(services: Services, game: AnyGame, position: AnyPosition, name: str) -> Reached:
    """Any position, if the game answers it. Raises Unreachable."""
    analyst, _ = services.find_analyst(game)
    if analyst is not None and not analyst.is_reachable(position):
        raise Unreachable("unreachable: no game leads here")
    return Reached(position, name)


def read_below(services: Services, game: AnyGame, node: AnyExplored) -> BelowFound:
    """Count what stands below a node."""
    analyst, _ = services.find_analyst(game)
    assert analyst is not None, "it found the node"
    return BelowFound(node.position, below(game.rules, node, alternating(analyst), time_given()))


def drill_of(services: Services, trail: Exploration, node: KnownNode) -> RoundReady:
    """The position on the board as a drill for the side to move, or why it is none. Raises OnlymoveError."""
    game, position = trail.game, trail.position
    seat, values = game.rules.to_move(position) or 0, node if isinstance(node, Mixed) else node.analysis
    theme = Origin.ONLY_MOVE
    if not isinstance(values, Mixed):
        theme = next((theme for theme, fits in FITS.items() if fits(values)), Origin.HOLD)
    if trail.result is not None or is_too_easy(values, seat):
        return RoundReady(None, TOO_EASY)
    drill = Drill(game.id, game.notation.format_position(position), seat, theme)
    return due_round(services, game.id, [drill])


def time_given() -> Budget:
    """So many seconds from now, less if the worker is told to stop."""
    worker = get_current_worker()
    return Budget.seconds(POSITION_SECONDS, monotonic, lambda: worker.is_cancelled)
