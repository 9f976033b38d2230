"""PettingZoo and Gymnasium environments that know the value of every action.

They need the extra `onlymove[rl]`. The agents `player_0` and `player_1` are the two sides. An action is the number of a
move, and the numbers are the same in every position. The mask says which actions are legal. A side that plays a masked
action loses at once, as in PettingZoo's own board games. The reward is 0 until the game ends, and then 1 for a win, 0
for a draw and -1 for a loss. Observations are planes that show the board as the agent sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.analysis import UNKNOWN, alternating, simultaneous
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.encoding import find_encoding
from onlymove_engines.core.value import Move, Seat, Value, other
from onlymove_engines.live.limits import PROOF_SECONDS
from onlymove_engines.search.dataset import list_legal_numbers

from onlymove import load
from onlymove.arguments import check_seat
from onlymove.game import Engine, Game, check_action
from onlymove.position import Position

try:
    from gymnasium import Env, spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as missing:
    raise ImportError("environments need PettingZoo: pip install 'onlymove[rl]'") from missing

MAX_PLIES = 200
"""A game that goes on for ever is cut off after this many plies, unless you choose another limit."""
AGENTS = ("player_0", "player_1")
LAST_SEED = 2**31 - 1

Observation: TypeAlias = "dict[str, npt.NDArray[np.uint8] | npt.NDArray[np.int8]]"
Info: TypeAlias = dict[str, Any]


def aec_env(game_id: str, labels: bool = True, max_plies: int = MAX_PLIES, **options: str) -> Alternating:
    """Return the environment of a game in which the sides take turns. `options` are as for `Game.start`. Raises
    UnknownGame, ValueError, and NoEncoding for a game that does not number its moves."""
    game = load(game_id)
    if game.is_simultaneous:
        raise ValueError(f"in {game.title} both sides move at once: use parallel_env")
    return Alternating(game, labels, max_plies, options)


def parallel_env(game_id: str, labels: bool = True, max_plies: int = MAX_PLIES, **options: str) -> Simultaneous:
    """Return the environment of a game in which both sides move at once. Raises what `aec_env` raises."""
    game = load(game_id)
    if not game.is_simultaneous:
        raise ValueError(f"in {game.title} one side moves at a time: use aec_env")
    return Simultaneous(game, labels, max_plies, options)


def level_env(
    game_id: str,
    level: str = "newcomer",
    seat: Seat | None = None,
    labels: bool = True,
    max_plies: int = MAX_PLIES,
    **options: str,
) -> AgainstLevel:
    """Return an environment in which one agent plays any game against an engine. `level` is a level's name, or a style
    and strength such as `practical@60`. `seat` is the agent's side. Without it, each game chooses one at random. Raises
    what `aec_env` raises, and BadPlayer."""
    return AgainstLevel(load(game_id), level, seat, labels, max_plies, options)


class Board:
    """A game as agents see it: the state, the legal moves, and how it ended. `legal` lists the numbers of each side's
    legal moves. The list is empty for a side that is not to move."""

    def __init__(self, game: Game, labels: bool, max_plies: int, options: dict[str, str]) -> None:
        self.game, self.labels, self.max_plies, self.options = game, labels, max_plies, options
        self.rules = game.definition.rules
        self.encoding = find_encoding(game.definition)
        self.starts = np.random.default_rng(0)
        self.begin(0)

    def begin(self, seed: int | None) -> None:
        """Start a new game with this seed. Without a seed, the next one comes from a sequence that the last given seed
        started."""
        if seed is not None:
            self.starts = np.random.default_rng(seed)
        number = int(self.starts.integers(LAST_SEED)) if seed is None else seed
        self.state = self.game.start(number, **self.options).state
        self.past: tuple[tuple[Any, Move], ...] = ()
        self.plies = 0
        self.rewards = [0, 0]
        self.is_cut = False
        self._list_legal()

    def _list_legal(self) -> None:
        self.mover: Seat = self.rules.to_move(self.state) or 0
        self.legal = [list_legal_numbers(self.game.definition, self.state, seat) for seat in (0, 1)]
        self.is_over = not (self.legal[0] or self.legal[1])

    def play(self, actions: Mapping[Seat, int]) -> None:
        """Play the action of the side to move, or of both sides. A side that plays a masked action loses. Raises
        IndexError for a number that is not an action."""
        wrong = {seat: check_action(action, self.encoding) not in self.legal[seat] for seat, action in actions.items()}
        self.plies += 1
        if any(wrong.values()):
            second_gains = wrong.get(0, False) - wrong.get(1, False)
            self.rewards = [-second_gains, second_gains]
            self.legal, self.is_over = [[], []], True
            return
        chosen = [self.encoding.moves[seat][action] for seat, action in sorted(actions.items())]
        move = chosen[0] if len(chosen) == 1 else tuple(chosen)
        self.past = ((self.state, move),)
        self.state = self.rules.play(self.state, move)
        self._list_legal()
        if self.is_over:
            result = self.position.result
            assert result is not None, "a game without legal moves has ended"
            self.rewards = [int(result.outcome_for(seat)) for seat in (0, 1)]
        self.is_cut = not self.is_over and self.plies >= self.max_plies

    @property
    def position(self) -> Position:
        return Position(self.game.definition, self.state, self.past)

    def observe(self, seat: Seat) -> Observation:
        """Return the planes as this side sees them, with the mask of its actions."""
        mask = np.zeros(self.encoding.actions, np.int8)
        mask[self.legal[seat]] = 1
        planes = np.frombuffer(self.encoding.planes(self.state, seat), np.uint8).reshape(self.encoding.shape)
        return {"observation": planes, "action_mask": mask}

    def observation_space(self) -> Any:
        planes = spaces.Box(0, 255, self.encoding.shape, np.uint8)
        return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8)})

    def move_of(self, action: int, seat: Seat) -> str:
        """Return the move that an action plays for this side, as text. Raises IndexError for a number that is not an
        action."""
        return self.game.definition.notation.format_move(
            self.state, self.encoding.moves[seat][check_action(action, self.encoding)]
        )

    def action_of(self, move: str, seat: Seat) -> int:
        """Return the action that plays this legal move of a side. Raises ValueError for a move that is not legal."""
        for action in self.legal[seat]:
            if self.move_of(action, seat) == move:
                return action
        raise ValueError(f"{move} is not a legal move here")

    def label(self, seat: Seat) -> Info:
        """Return what is known about the position and about each action of this side. Empty without `labels` and once
        the game is over."""
        if not self.labels or self.is_over:
            return {}
        numbers, deadline = self.encoding.numbers[seat], monotonic() + PROOF_SECONDS
        if self.game.is_simultaneous:
            mixed = simultaneous(self.game.analyst).mixed(self.state, Budget(monotonic, deadline, self.NODES))
            shares = np.zeros(self.encoding.actions)
            for move, share in mixed.strategies[seat].items():
                shares[numbers[move]] = share
            return {"value": mixed.value_for(seat), "exact": mixed.exact, "shares": shares}
        found = alternating(self.game.analyst).analyse(self.state, Budget(monotonic, deadline))
        values = np.full(self.encoding.actions, UNKNOWN, np.int8)
        for move, value in found.moves.items():
            if value is not None:
                values[numbers[move]] = int(value.outcome)
        known = found.value if isinstance(found.value, Value) else None
        result = None if known is None else int(known.outcome)
        return {"value": result, "values": values, "plies": None if known is None else known.remoteness}

    NODES = 2_000
    """How many nodes a search may visit to label a round. It solves small boards."""


class BoardEnv:
    """The part that all environments have in common: the board and its picture."""

    render_mode = "ansi"

    def __init__(self, game: Game, labels: bool, max_plies: int, options: dict[str, str]) -> None:
        self.board = Board(game, labels, max_plies, options)
        self.game = game

    @property
    def position(self) -> Position:
        return self.board.position

    def render(self) -> str:
        return self.board.position.picture()


class TwoAgentEnv(BoardEnv):
    """The part that both environments with two agents have in common: their spaces."""

    def __init__(self, game: Game, labels: bool, max_plies: int, options: dict[str, str]) -> None:
        super().__init__(game, labels, max_plies, options)
        self.possible_agents = list(AGENTS)
        self.metadata = {"name": f"onlymove_{game.id}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.observation_spaces = {agent: self.board.observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.board.encoding.actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: planes and mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions. Each agent's has its own random generator."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing, because no resources are open."""


class Alternating(TwoAgentEnv, AECEnv):
    """The environment of a game in which the sides take turns."""

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        """Start a new game. The seed decides everything that is random about its start."""
        self.board.begin(seed)
        self.agents = list(AGENTS)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self._begin_turn()

    def observe(self, agent: str) -> Observation:
        """Return the position as the agent sees it. The mask is empty if it is not the agent's turn."""
        return self.board.observe(AGENTS.index(agent))

    def move_of(self, action: int) -> str:
        """Return the text of the move of an action of the agent to move. Raises IndexError for another number."""
        return self.board.move_of(action, self.board.mover)

    def action_of(self, move: str) -> int:
        """Return the action that plays this move of the agent to move. Raises ValueError for an illegal move."""
        return self.board.action_of(move, self.board.mover)

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move, or `None` if that agent has finished. An agent that plays a masked
        action loses. Raises IndexError for a number that is not an action."""
        agent, board = self.agent_selection, self.board
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IndexError("the action can be None only when the game is over")
        self._cumulative_rewards[agent] = 0
        board.play({board.mover: int(action)})
        self._begin_turn()
        self._accumulate_rewards()

    def _begin_turn(self) -> None:
        self.rewards = dict(zip(AGENTS, self.board.rewards, strict=True))
        self.terminations = dict.fromkeys(AGENTS, self.board.is_over)
        self.truncations = dict.fromkeys(AGENTS, self.board.is_cut)
        self.agent_selection = AGENTS[self.board.mover]
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self.infos[self.agent_selection] = self.board.label(self.board.mover)


class Simultaneous(TwoAgentEnv, ParallelEnv):
    """The environment of a game in which both sides move at once."""

    def reset(
        self, seed: int | None = None, options: Info | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Start a new game. The seed decides everything that is random about its start."""
        self.board.begin(seed)
        self.agents = list(AGENTS)
        return self._report()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, int], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play a round. An agent that plays a masked action loses. If both do, the game is a draw. Raises IndexError
        for a number that is not an action."""
        board = self.board
        board.play({seat: int(actions[agent]) for seat, agent in enumerate(AGENTS)})
        rewards = dict(zip(AGENTS, board.rewards, strict=True))
        ended, cut = dict.fromkeys(AGENTS, board.is_over), dict.fromkeys(AGENTS, board.is_cut)
        if board.is_over or board.is_cut:
            self.agents = []
        seen, infos = self._report()
        return seen, rewards, ended, cut, infos

    def move_of(self, action: int, agent: str) -> str:
        """Return the text of the move of an agent's action. Raises IndexError for a number that is not an action."""
        return self.board.move_of(action, AGENTS.index(agent))

    def action_of(self, move: str, agent: str) -> int:
        """Return the action that plays this move of an agent. Raises ValueError for a move that is not legal now."""
        return self.board.action_of(move, AGENTS.index(agent))

    def _report(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        agents = list(enumerate(AGENTS))
        seen = {agent: self.board.observe(seat) for seat, agent in agents}
        return seen, {agent: self.board.label(seat) for seat, agent in agents}


class AgainstLevel(BoardEnv, Env):
    """The environment of one agent against an engine that replies at once. `seat` is the agent's side in this game."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, game: Game, level: str, seat: Seat | None, labels: bool, max_plies: int, options: dict[str, str]
    ) -> None:
        if seat is not None:
            check_seat(seat)
        super().__init__(game, labels, max_plies, options)
        self.level, self.fixed_seat = level, seat
        self.engine: Engine = game.engine(level)
        self.seat: Seat = seat or 0
        self.observation_space = self.board.observation_space()
        self.action_space = spaces.Discrete(self.board.encoding.actions)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Start a new game. If the engine moves first, it has already moved. The seed decides everything random."""
        super().reset(seed=seed)
        start, choices, seat = self.np_random.integers(LAST_SEED, size=3).tolist()
        self.board.begin(start if seed is None else seed)
        self.engine = self.game.engine(self.level, seed=choices)
        self.seat = seat % 2 if self.fixed_seat is None else self.fixed_seat
        if not self.game.is_simultaneous:
            self._reply()
        return self.board.observe(self.seat), self.board.label(self.seat)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, and then the engine's reply. An agent that plays a masked action loses. Raises IndexError for
        a number that is not an action."""
        board = self.board
        if board.is_over or board.is_cut:
            raise ValueError("the game is over: reset the environment")
        both = {self.seat: int(action)}
        if self.game.is_simultaneous:
            both[other(self.seat)] = self._choose()
        board.play(both)
        if not self.game.is_simultaneous:
            self._reply()
        seen, info = board.observe(self.seat), board.label(self.seat)
        return seen, float(board.rewards[self.seat]), board.is_over, board.is_cut, info

    def move_of(self, action: int) -> str:
        """Return the text of the move of an agent's action. Raises IndexError for a number that is not an action."""
        return self.board.move_of(action, self.seat)

    def action_of(self, move: str) -> int:
        """Return the action that plays this move of the agent. Raises ValueError for a move that is not legal now."""
        return self.board.action_of(move, self.seat)

    def _reply(self) -> None:
        """Let the engine move as long as it is its turn."""
        board, seat = self.board, other(self.seat)
        while not (board.is_over or board.is_cut) and board.mover == seat:
            board.play({seat: self._choose()})

    def _choose(self) -> int:
        seat = other(self.seat)
        move = self.engine.choose(self.position, seat if self.game.is_simultaneous else None)
        return self.board.action_of(move, seat)


__all__ = ["AgainstLevel", "Alternating", "Simultaneous", "aec_env", "level_env", "parallel_env"]
