"""PettingZoo environments that know the value of every action; needs the extra `onlymove[rl]`.

The agents `player_0` and `player_1` are the sides. An action is the number of a legal move, in the stable order of
`position.moves` (of `moves_of(seat)` where both sides move at once); `info["moves"]` spells them. The reward is the
result, 1, 0 or -1, at the end and 0 before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.value import Seat, Value

from onlymove import load
from onlymove.game import Game
from onlymove.position import Position

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as missing:
    raise ImportError("environments need PettingZoo: pip install 'onlymove[rl]'") from missing

ACTIONS = 256
"""More than any game here has moves: at most 135, in Orbito."""
TEXT = 1024
"""Characters of an observation: the position as text, padded with zeros."""
MOST_PLIES = 200
"""By default a game is cut off after this many plies, since it might go round for ever."""
AGENTS = ("player_0", "player_1")
SPACE = spaces.Dict(
    {
        "observation": spaces.Box(0, 127, (TEXT,), np.uint8),
        "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
    }
)


Observation: TypeAlias = "dict[str, npt.NDArray[np.uint8] | npt.NDArray[np.int8]]"
Info: TypeAlias = dict[str, Any]


def aec_env(game_id: str, labels: bool = True, max_plies: int = MOST_PLIES, **options: str) -> Alternating:
    """A game in which one side moves at a time; `options` as `Game.start` takes them. Raises UnknownGame or
    ValueError."""
    game = load(game_id)
    if game.is_simultaneous:
        raise ValueError(f"in {game.title} both sides move at once: ask parallel_env")
    return Alternating(game, labels, max_plies, options)


def parallel_env(game_id: str, labels: bool = True, max_plies: int = MOST_PLIES, **options: str) -> Simultaneous:
    """A game in which both sides move at once. Raises UnknownGame, ValueError."""
    game = load(game_id)
    if not game.is_simultaneous:
        raise ValueError(f"in {game.title} one side moves at a time: ask aec_env")
    return Simultaneous(game, labels, max_plies, options)


def observe_position(position: Position, count: int) -> Observation:
    """The observation of an agent with so many actions. Raises ValueError for a game that is too large."""
    text = position.text.encode()
    if count > ACTIONS or len(text) > TEXT:
        title = position.of.facts.title
        raise ValueError(f"{title} has more than {ACTIONS} moves, or {TEXT} characters, in a position")
    letters, mask = np.zeros(TEXT, np.uint8), np.zeros(ACTIONS, np.int8)
    letters[: len(text)] = np.frombuffer(text, np.uint8)
    mask[:count] = 1
    return {"observation": letters, "action_mask": mask}


def outcome_number(value: Value | object) -> int | None:
    """A value as a number: 1 for a win, 0 for a draw, -1 for a loss; `None` for what is not proven."""
    outcome = getattr(value, "outcome", None)
    return None if outcome is None else int(outcome)


class GameEnv:
    """What both kinds of environment share: the game, the position, and how it ended."""

    render_mode = "ansi"

    def __init__(self, game: Game, labels: bool, max_plies: int, options: dict[str, str]) -> None:
        self.game, self.labels, self.max_plies, self.options = game, labels, max_plies, options
        self.possible_agents = list(AGENTS)
        self.metadata = {"name": f"onlymove_{game.id}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.observation_spaces = dict.fromkeys(AGENTS, SPACE)
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.position = game.start(0, **options)
        self.plies = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """A space of the same size for each agent, with its own random numbers."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """The board as text."""
        return self.position.picture()

    def close(self) -> None:
        """Nothing is open."""

    def begin(self, seed: int | None) -> None:
        """A new game."""
        self.position = self.game.start(seed or 0, **self.options)
        self.plies = 0
        self.agents = list(AGENTS)

    def advance(self, move: str) -> bool:
        """Play a move or a round. Returns whether the game has been cut off."""
        self.position = self.game.play(self.position, move)
        self.plies += 1
        return not self.position.is_over and self.plies >= self.max_plies

    def result_for(self, seat: Seat) -> int:
        """1, 0 or -1; 0 while the game goes on."""
        result = self.position.result
        return 0 if result is None else int(result.outcome_for(seat))


class Alternating(GameEnv, AECEnv):
    """A game in which one side moves at a time."""

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        """A new game; the seed decides what the start leaves to chance."""
        self.begin(seed)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Info] = {agent: {} for agent in AGENTS}
        self._turn()

    def observe(self, agent: str) -> Observation:
        """The position; actions are for the side to move."""
        return observe_position(self.position, len(self.position.moves) if agent == self._mover() else 0)

    def move_of(self, action: int) -> str:
        """The move that an action plays now. Raises IndexError."""
        return self.position.moves[action]

    def action_of(self, move: str) -> int:
        """The action that plays a move now. Raises ValueError for one that is not legal."""
        return self.position.moves.index(move)

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move, `None` where it is done. Raises IndexError for one that is masked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self.position.moves):
            raise IndexError(f"{action} is no legal action: the mask says which are")
        self._cumulative_rewards[agent] = 0
        is_cut = self.advance(self.move_of(int(action)))
        self.rewards = {agent: self.result_for(seat) for seat, agent in enumerate(AGENTS)}
        self.terminations = dict.fromkeys(AGENTS, self.position.is_over)
        self.truncations = dict.fromkeys(AGENTS, is_cut)
        self._accumulate_rewards()
        self._turn()

    def _mover(self) -> str:
        return AGENTS[self.game.card.rules.to_move(self.position.state) or 0]

    def _turn(self) -> None:
        """Set the agent to move and its info."""
        self.agent_selection = self._mover()
        self.infos = {agent: {} for agent in AGENTS}
        info = self.infos[self.agent_selection]
        info["moves"] = self.position.moves
        if self.labels:
            known = self.game.analyse(self.position)
            info["value"] = outcome_number(known.value)
            info["values"] = [outcome_number(value) for value in known.moves.values()]
            info["plies"] = getattr(known.value, "remoteness", None)


class Simultaneous(GameEnv, ParallelEnv):
    """A game in which both sides move at once."""

    NODES = 2_000
    """The nodes of a search for the labels of a position; small fields are solved."""

    def reset(
        self, seed: int | None = None, options: Info | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """A new game; the seed decides what the start leaves to chance."""
        self.begin(seed)
        return self._list_observations(), self._list_infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, int], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play a round. Raises IndexError for an action that is masked."""
        offered = [self._options(seat) for seat in range(len(AGENTS))]
        for agent, moves in zip(AGENTS, offered, strict=True):
            if not 0 <= actions[agent] < len(moves):
                raise IndexError(f"{actions[agent]} is no legal action of {agent}: the mask says which are")
        chosen = [moves[actions[agent]] for agent, moves in zip(AGENTS, offered, strict=True)]
        is_cut = self.advance("".join(chosen))
        rewards = {agent: self.result_for(seat) for seat, agent in enumerate(AGENTS)}
        ended, cut = dict.fromkeys(AGENTS, self.position.is_over), dict.fromkeys(AGENTS, is_cut)
        seen, told = self._list_observations(), self._list_infos()
        if self.position.is_over or is_cut:
            self.agents = []
        return seen, rewards, ended, cut, told

    def _options(self, seat: Seat) -> Sequence[str]:
        return () if self.position.is_over else self.position.moves_of(seat)

    def _list_observations(self) -> dict[str, Observation]:
        return {agent: observe_position(self.position, len(self._options(seat))) for seat, agent in enumerate(AGENTS)}

    def _list_infos(self) -> dict[str, Info]:
        """For each side its moves, its expected result, and its equilibrium strategy."""
        told: dict[str, Info] = {agent: {"moves": self._options(seat)} for seat, agent in enumerate(AGENTS)}
        if self.labels and not self.position.is_over:
            mixed = self.game.mixed(self.position, nodes=self.NODES)
            for seat, agent in enumerate(AGENTS):
                shares = mixed.strategies[seat]
                told[agent] |= {
                    "value": mixed.value_for(seat),
                    "exact": mixed.exact,
                    "shares": [shares[move] for move in self._options(seat)],
                }
        return told


__all__ = ["ACTIONS", "Alternating", "Simultaneous", "aec_env", "parallel_env"]
