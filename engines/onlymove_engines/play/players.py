"""Players: who plays a side, how players are written as text, and how an engine chooses its moves.

`STYLE` plays at full strength, and `STYLE@STRENGTH` at a strength from 0 to 100. `random` plays every move equally
often. The id of one of the game's levels plays with that level's style and strength.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, floor, log, log2
from random import Random
from typing import Any, TypeAlias

from onlymove_engines.core.analysis import Analysis, AnyAnalysis, AnyAnalyst, SimultaneousAnalyst, simultaneous
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame, AnyPosition, Style, Turn, alike
from onlymove_engines.core.judgement import POINT_COST
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Estimate, Move, Outcome, Seat, Value
from onlymove_engines.core.words import format_count

AnyStyle: TypeAlias = Style[Any, Any]
AnyTurn: TypeAlias = Turn[Any, Any]

FULL_STRENGTH = 100
STRENGTH = re.compile("0?[0-9]{1,2}|100")

SHARPNESS = 20.0
"""The weight of a move is exp(-sharpness * skill * cost). At skill 1, giving away half a point costs a factor of
e^10."""
SIGHT = 3.0
"""At skill 1, a win or loss counts half as much for every three plies that it is away."""
CONCENTRATION = 1 / 40
"""How soon skill grows faster than strength: it is 0.9 at strength 80, 1.4 at 95 and 3.5 at 99. With these three
numbers, playing strength rises about evenly in every solved game. docs/levels.md has the measurement."""
LEVEL_NODES = 200
"""The most nodes for a simultaneous move below full strength, however much time there is. docs/levels.md used the same
limit."""
TASTE_COST = 0.02
"""The cost of a move that is not among the style's favourites."""


def choose_best_known(turn: AnyTurn) -> Mapping[Move, float]:
    """Return the best moves. While some values are unknown: those that win, or else those not known to lose."""
    known = turn.analysis.moves
    winning = [move for move, value in known.items() if value is not None and value.outcome is Outcome.WIN]
    hopeful = [move for move, value in known.items() if value is None or value.outcome is not Outcome.LOSS]
    return alike(turn.analysis.list_best_moves() or winning or hopeful or known)


def play_own_mix(turn: AnyTurn) -> Mapping[Move, float]:
    return simultaneous(turn.analyst).mixed(turn.position, turn.budget).strategies[turn.seat]


EXACT: AnyStyle = Style("exact", "Exact", "", choose_best_known)
MIXING: AnyStyle = Style("exact", "Exact", "", play_own_mix)
"""The style of a game with simultaneous moves that has no styles of its own. `EXACT` is the same for other games."""


def find_style(game: AnyGame, style_id: str) -> AnyStyle:
    """Return the style with this id, or the game's first style for an empty id. Raises KeyError for an unknown id."""
    if not game.play.styles:
        return MIXING if game.facts.simultaneous else EXACT
    if not style_id:
        return game.play.styles[0]
    for style in game.play.styles:
        if style.id == style_id:
            return style
    raise KeyError(style_id)


def find_skill(strength: int) -> float:
    """Return how well a player finds moves: 0 at strength 0, about 1 at 85, and without limit towards 100."""
    share = strength / FULL_STRENGTH
    return share + CONCENTRATION * share / (1 - share)


def estimate_promise(value: Value | None, estimate: Estimate | None, skill: float) -> float:
    """Return the expected score, from 0 to 1, that a move seems to have for a player of this skill.

    Distant wins and losses look like draws, and more so at a lower skill. In games with points, only the points count.
    A move without a value or an estimate looks like a draw.
    """
    if value is None:
        return 0.5 if estimate is None else (1 + estimate.expected) / 2
    if value.margin is not None:
        return 0.5 + value.margin * POINT_COST
    clarity = 1.0 if value.remoteness is None else 2 ** ((1 - value.remoteness) / (SIGHT * skill))
    return (1 + value.outcome * clarity) / 2


@dataclass(frozen=True)
class MoveChooser:
    """An engine: its analyst, its style and its strength from 0 to 100."""

    analyst: AnyAnalyst
    style: AnyStyle
    strength: int = FULL_STRENGTH

    def choose(
        self,
        position: AnyPosition,
        seat: Seat,
        moves: Sequence[M],
        random: Random,
        budget: Budget = UNLIMITED,
        find_values: Callable[[Budget], AnyAnalysis] | None = None,
    ) -> M:
        """Return the engine's move for `seat`, out of the allowed `moves`. `find_values` finds their values in the
        current game. Without it, the analyst is asked about the position. `random` decides between moves."""
        if self.strength <= 0 or len(moves) == 1:
            return random.choice(list(moves))
        if isinstance(self.analyst, SimultaneousAnalyst):
            return self._choose_hidden(position, seat, moves, random, budget)
        is_sure = self._is_sure(random) if not self.style.needs_analysis else self.strength >= FULL_STRENGTH
        analysis = Analysis(None, dict.fromkeys(moves))
        if self.style.needs_analysis or not is_sure:
            found = self.analyst.analyse(position, budget) if find_values is None else find_values(budget)
            analysis = replace(found, moves={move: found.moves.get(move) for move in moves})
        allowed = set(moves)
        turn: AnyTurn = Turn(position, seat, analysis, self.analyst, budget)
        liked: list[M] = [move for move in self.style.choose(turn) if move in allowed]
        if is_sure:
            return random.choice(liked or list(moves))
        skill, favourites = find_skill(self.strength), set(liked)
        promises = {move: estimate_promise(analysis.moves[move], analysis.estimates.get(move), skill) for move in moves}
        top = max(promises.values())
        costs = {move: top - seems + TASTE_COST * (move not in favourites) for move, seems in promises.items()}
        return _draw_move(costs, skill, random)

    def _is_sure(self, random: Random) -> bool:
        """Whether the engine plays the move that its style chooses. At full strength it always does. Otherwise the
        probability is the square of the strength, and it picks other moves by how good they seem."""
        return self.strength >= FULL_STRENGTH or random.random() < (self.strength / FULL_STRENGTH) ** 2

    def _choose_hidden(
        self, position: AnyPosition, seat: Seat, moves: Sequence[M], random: Random, budget: Budget
    ) -> M:
        """Return the engine's move in a simultaneous round. It is drawn from the style's mix, or from weights that fall
        with regret. Below full strength, the search is limited in rounds and nodes but not in time, so that the engine
        is equally strong on every machine."""
        if self.strength < FULL_STRENGTH:
            rounds = ceil(SIGHT * find_skill(self.strength))
            depth = rounds if budget.depth is None else min(rounds, budget.depth)
            nodes = LEVEL_NODES if budget.nodes is None else min(LEVEL_NODES, budget.nodes)
            budget = Budget(nodes=nodes, depth=depth, stop=budget.stop)
        if self._is_sure(random):
            turn: AnyTurn = Turn(position, seat, Analysis(None, dict.fromkeys(moves)), self.analyst, budget)
            mix: Mapping[M, float] = self.style.choose(turn)
            return random.choices(list(mix), list(mix.values()))[0]
        mixed = simultaneous(self.analyst).mixed(position, budget)
        costs = {move: max(0.0, mixed.regret(seat, move)) for move in moves}
        return _draw_move(costs, find_skill(self.strength), random)


def _draw_move(costs: Mapping[M, float], skill: float, random: Random) -> M:
    weights = [exp(-SHARPNESS * skill * lost) for lost in costs.values()]
    return random.choices(list(costs), weights)[0]


RANDOM = "random"
"""The player of strength 0, who needs no style."""


class BadPlayer(OnlymoveError):
    """The text does not name a player of this game."""


class PlayerKind(enum.Enum):
    HUMAN = "human"
    ENGINE = "engine"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays one side. An engine has a style (empty for the game's first) and a strength from 0 to 100. A person at
    another keyboard has a `name`."""

    kind: PlayerKind
    style: str = ""
    strength: int = FULL_STRENGTH
    name: str = ""

    @property
    def is_human(self) -> bool:
        """Whether the moves come from this keyboard."""
        return self.kind is PlayerKind.HUMAN

    @property
    def is_engine(self) -> bool:
        return self.kind is PlayerKind.ENGINE

    @property
    def is_elsewhere(self) -> bool:
        return self.kind is PlayerKind.ELSEWHERE


HUMAN = Player(PlayerKind.HUMAN)
Players: TypeAlias = tuple[Player, Player]
"""The first and the second player."""


def seat_person(seat: Seat | None, engine: Player) -> Players:
    """Return the players of a game between a person at `seat`, or at the first seat, and `engine`."""
    return (engine, HUMAN) if seat == 1 else (HUMAN, engine)


def style_ids(game: AnyGame) -> tuple[str, ...]:
    return tuple(style.id for style in game.play.styles) or (find_style(game, "").id,)


def list_player_names(game: AnyGame) -> tuple[str, ...]:
    return (*style_ids(game), RANDOM, *(level.id for level in game.facts.levels))


def read_player(game: AnyGame, text: str, others: tuple[str, ...] = ()) -> Player:
    """Read an engine from `text`, ignoring case. Raises BadPlayer, which lists the choices, with `others` first."""
    word = text.lower()
    level = next((level for level in game.facts.levels if level.id == word), None)
    if level is not None:
        return Player(PlayerKind.ENGINE, level.style, level.strength)
    styles = style_ids(game)
    if word == RANDOM:
        return Player(PlayerKind.ENGINE, styles[0], 0)
    style, at, strength = word.partition("@")
    if style not in styles or (at and not STRENGTH.fullmatch(strength)):
        known = (*others, *list_player_names(game))
        near = "" if style in known else did_you_mean(style, known)
        levels = ", ".join(level.id for level in game.facts.levels)
        choices = ", ".join((*others, *styles))
        raise BadPlayer(
            f"{game.facts.title} has no player '{text}'; choose from {choices} (add @0 to @100 for its strength), "
            f"{RANDOM}{f', and the levels {levels}' if levels else ''}{near}"
        )
    return Player(PlayerKind.ENGINE, style, int(strength) if at else FULL_STRENGTH)


def read_players(game: AnyGame, text: str, engine: Player) -> Players:
    """Parse `human,engine` into players. `human` is a person, and `engine` alone is the given engine. Other engines are
    written by name, with or without `engine:` before it. Raises BadPlayer."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != 2:
        raise BadPlayer(
            f"'{text}' names {len(words)} player{'s' * (len(words) != 1)} instead of two; write it like human,engine"
        )
    plain = {HUMAN.kind.value: HUMAN, engine.kind.value: engine}
    first, second = (
        plain.get(word.lower()) or read_player(game, word.removeprefix("engine:"), tuple(plain)) for word in words
    )
    return first, second


def format_player(game: AnyGame, player: Player) -> str:
    """Return an engine as text that `read_player` can read. Engines that play alike have the same text."""
    if player.strength <= 0:
        return RANDOM
    style = player.style or style_ids(game)[0]
    return style if player.strength >= FULL_STRENGTH else f"{style}@{player.strength}"


def get_level(game: AnyGame, player: Player) -> Level | None:
    if not player.is_engine:
        return None
    own = format_player(game, player)
    return next((level for level in game.facts.levels if format_player(game, read_player(game, level.id)) == own), None)


def set_level(game: AnyGame, players: Players, level: Level) -> Players:
    """Return the players with `level` in place of the only engine, if that is one of the game's levels."""
    engines = [seat for seat, player in enumerate(players) if not player.is_human]
    if len(engines) != 1 or get_level(game, players[engines[0]]) is None:
        return players
    engine = read_player(game, level.id)
    return (engine, players[1]) if engines == [0] else (players[0], engine)


SEEN = 1 / 4
"""A level sees as far as a distant win attracts it at least by this share of a win at once."""
CARELESS, SOMETIMES = 1 / 20, 1 / 200
"""How likely a level is to play a move that seems to give away half a point, compared with the best one. Above these
shares, it is careless or sometimes careless."""
SELDOM = 1 / 20
"""A move that is less likely than this share of the best one is seldom played."""


def describe_level(game: AnyGame, level: Level) -> str:
    """Say in one sentence what a level does: how far it sees, and how careful it is. The numbers follow from how
    `MoveChooser` chooses, as docs/levels.md explains."""
    if level.strength <= 0:
        return "Plays any move, without looking."
    if level.strength >= FULL_STRENGTH:
        return "Plays as well as the program can." if game.facts.simultaneous else "Never gives the result away."
    skill = find_skill(level.strength)
    share = exp(-SHARPNESS * skill / 2)
    care = "careless" if share > CARELESS else "sometimes careless" if share > SOMETIMES else "careful"
    if game.facts.simultaneous:
        return f"Looks {format_count(ceil(SIGHT * skill), 'round')} ahead, and is {care}."
    if game.facts.has_margin:
        points = floor(log(1 / SELDOM) / (SHARPNESS * skill * POINT_COST))
        return f"Seldom gives away more than {format_count(points, 'point')} with a move."
    moves = floor(1 + SIGHT * skill * log2(1 / SEEN))
    return f"Sees {format_count(moves, 'move')} ahead, and is {care}."


MOVES_TO_GO = 30
"""How many more moves of its own an engine expects. It spreads its time bank over them."""
USED_AT_MOST = 0.5
SAFETY = 0.05
"""Seconds of the bank that stay in reserve."""


def plan_seconds(game: AnyGame, position: AnyPosition, left: float, increment: float, full: float) -> float:
    """Return how many seconds to spend on a move at `position`. A bank that can hold `full` has `left` seconds, and
    gets `increment` back after the move. If the game cannot plan this itself, each move gets an equal share."""
    if game.play.plan_time is not None:
        return game.play.plan_time(position, left, increment, full)
    return max(0.0, min(increment + left / MOVES_TO_GO, USED_AT_MOST * left, left - SAFETY))
