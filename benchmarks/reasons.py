"""How many reasons name something on the board: flagged moves from games of weak levels, and what is said of them.

`python -m benchmarks reasons` reads the moves in `samples/`. `python -m benchmarks.reasons [GAME ...]` draws them anew.

The moves are those of the levels newcomer to club, either against exact play or against each other. Those against each
other are all different. Moves with nothing to decide are not flagged, so they are not among them. A move counts as the
best kind of sentence that is shown about it: concrete, a pointer, a restatement (`Substance`), or nothing. Values do
not take the earlier moves of a game into account. Light Riders is not measured.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import onlymove
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, choose_claims, find_claims
from onlymove_engines.core.analysis import AnyAnalysis, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import Claim, Substance
from onlymove_engines.games import list_own_games
from onlymove_engines.play.tree import Conventions
from onlymove_tables.kernels import prepare

SAMPLES = Path(__file__).with_name("samples")
LEVELS = ("newcomer", "beginner", "casual", "club")
EXACT, EACH_OTHER = "against exact play", "against each other"
MOVES = 100
"""How many moves of each level are drawn."""
MAX_GAMES, MAX_PLIES = 2_000, 300
PLIES = (2, 4, 8, 16, 32)
"""Where the shares by ply are cut."""
WORST = 10
"""How many moves without a concrete sentence are shown."""
NODES = 20_000
"""What a search may take where the table does not have a position."""
NOTHING = "nothing"
KINDS = (*(each.name.lower() for each in Substance), NOTHING)


@dataclass(frozen=True)
class Slip:
    """A flagged move, the level that played it, against whom, and how many plies were played before."""

    source: str
    level: str
    ply: int
    position: str
    move: str

    def __str__(self) -> str:
        return "\t".join(map(str, (self.source, self.level, self.ply, self.position, self.move)))

    @classmethod
    def read(cls, line: str) -> Slip:
        source, level, ply, position, move = line.split("\t")
        return cls(source, level, int(ply), position, move)


# Measuring.


def run() -> Iterator[str]:
    for facts in list_measured():
        slips = [Slip.read(line) for line in find_sample(facts.id).read_text("utf-8").splitlines()]
        game = onlymove.load(facts.id)
        for source in (EXACT, EACH_OTHER):
            yield from measure(game, [slip for slip in slips if slip.source == source])


def list_measured() -> list[Facts]:
    return [facts for facts in list_own_games() if not facts.simultaneous]


def find_sample(game_id: str) -> Path:
    return SAMPLES / f"{game_id}.txt"


def measure(game: onlymove.Game, slips: Sequence[Slip]) -> Iterator[str]:
    """Say of which kinds the sentences are that these moves get, and how long they take."""
    before, after, seconds = list[tuple[Claim, ...]](), list[tuple[Claim, ...]](), list[float]()
    for slip in slips:
        known = find_values(game, slip.position)
        begun = time.process_time()
        early, late = choose_shown(game, slip, known)
        seconds.append(time.process_time() - begun)
        before.append(early)
        after.append(late)
    name, kinds = f"{game.id} {slips[0].source}", [*map(find_kind, before)]
    yield f"{name}, before the choice: {format_shares(kinds)} of {len(slips)} moves"
    yield f"{name}, after the choice: {format_shares([*map(find_kind, after)])}"
    by_level, by_ply = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for slip, kind in sorted(zip(slips, kinds, strict=True), key=lambda pair: pair[0].ply):
        by_ply[next((f"before ply {ply}" for ply in PLIES if slip.ply < ply), "later")].append(kind)
    for slip, kind in zip(slips, kinds, strict=True):
        by_level[slip.level].append(kind)
    for groups in (by_level, by_ply):
        yield f"{name}, concrete: " + ", ".join(
            f"{group} {share(found, 'concrete')} of {len(found)}" for group, found in groups.items()
        )
    milliseconds = sorted(1000 * each for each in seconds)
    yield f"{name}, processor time: median {milliseconds[len(slips) // 2]:.1f} ms, at most {milliseconds[-1]:.0f} ms"
    worst = [(slip, claims) for slip, claims, kind in zip(slips, before, kinds, strict=True) if kind != "concrete"]
    for slip, claims in worst[:: max(1, len(worst) // WORST)][:WORST]:
        said = " ".join(claim.while_choosing or claim.sentence for claim in claims) or NOTHING
        yield f"{name}, not concrete: {slip.position}, {slip.move}, {said}"


def find_values(game: onlymove.Game, position: str) -> AnyAnalysis:
    """Return the values of the moves, as if the game began here."""
    return alternating(game.analyst).analyse(game.parse(position).state, Budget(nodes=NODES))


def choose_shown(game: onlymove.Game, slip: Slip, known: AnyAnalysis) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Return what is shown of a move before it is chosen, and afterwards."""
    definition, state = game.definition, game.parse(slip.position).state
    move = definition.notation.parse_move(state, slip.move)
    moment = build_moment(Conventions(definition), [state], move, known, game.analyst, Budget(nodes=NODES))
    if moment is None:
        return (), ()
    found = find_claims(moment, judge(known, move))
    return choose_claims(found, may_name=False), choose_claims(found, may_name=True)


def find_kind(claims: Sequence[Claim]) -> str:
    return min(claim.substance for claim in claims).name.lower() if claims else NOTHING


def format_shares(kinds: Sequence[str]) -> str:
    return ", ".join(f"{share(kinds, kind)} {kind}" for kind in KINDS if kind in kinds)


def share(kinds: Sequence[str], kind: str) -> str:
    return f"{100 * kinds.count(kind) / len(kinds):.1f} %"


# Drawing the moves.


def draw(game: onlymove.Game) -> Iterator[Slip]:
    """Yield flagged moves of every level, against exact play and against each other. The same moves are drawn again
    while the engines stay the same."""
    for source in (EXACT, EACH_OTHER):
        known = set[tuple[str, str]]()
        for level in LEVELS:
            found = 0
            for slip in play_games(game, source, level):
                if source == EACH_OTHER and (slip.position, slip.move) in known:
                    continue
                known.add((slip.position, slip.move))
                yield slip
                found += 1
                if found == MOVES:
                    break
            print(f"{game.id} {source}: {found} moves of {level}", file=sys.stderr, flush=True)


def play_games(game: onlymove.Game, source: str, level: str) -> Iterator[Slip]:
    """Yield the flagged moves of a level in many games, in which it has either side in turn."""
    styles = {style.id for style in game.definition.play.styles}
    for number in range(MAX_GAMES):
        rival = ("exact" if "exact" in styles else "") if source == EXACT else LEVELS[number // 2 % len(LEVELS)]
        seat = number % 2
        engines = [game.engine(level, seed=number), game.engine(rival, seed=MAX_GAMES + number)]
        position = game.start(number)
        for ply in range(MAX_PLIES):
            if position.is_over:
                break
            is_own = game.definition.rules.to_move(position.state) == seat
            move = engines[not is_own].choose(position)
            if is_own and is_flagged(game, position.text, move):
                yield Slip(source, level, ply, position.text, move)
            position = game.play(position, move)


def is_flagged(game: onlymove.Game, position: str, move: str) -> bool:
    known = find_values(game, position)
    return (
        known.is_complete
        and judge(known, game.definition.notation.parse_move(game.parse(position).state, move)).flagged
    )


def main(game_ids: Sequence[str]) -> None:
    prepare()
    for game_id in game_ids or [facts.id for facts in list_measured()]:
        slips = [*draw(onlymove.load(game_id))]
        find_sample(game_id).write_text("".join(f"{slip}\n" for slip in slips), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
