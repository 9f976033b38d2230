"""Finds positions to practise: a player's own mistakes, positions in which few moves keep the value, the position of
the day, positions in which advice misleads, and random positions of a wanted kind."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from random import Random
from typing import Final, TypeAlias

from onlymove_engines.coach.figures import SeatChoice, choices_by_side
from onlymove_engines.coach.judge import judge_mixed
from onlymove_engines.coach.values import Known, analyse_after
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remembering, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition, find_solution
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.solution import TestedAdvice
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value
from onlymove_engines.play.session import AnySession
from onlymove_engines.play.tree import AnyNode, AnyTree, Conventions, GameTree, find_house_rule

MOVES, RULE = " moves ", " rule "
"""The words that introduce the moves and the house rule in the text of a drill."""

# A generated drill has at least this many moves to choose from. With fewer, players can guess the answer.
MIN_MOVES = 4
# The longest random game, in plies.
MAX_WALK_LENGTH = 60
# Without a table, only positions that a search soon proves become drills. This takes a few milliseconds each.
SEARCH_BUDGET = Budget(nodes=2_000)
# Once a drill is found, the search stops after this many positions without another.
MAX_MISSES = 25
QUICK_BUDGET = Budget(nodes=300)
# How often to choose another random move if a move would end the game.
TRIES = 4
# In games with simultaneous moves: the expected result from which a position is nearly won, and up to which it is
# nearly level. Results go from -1 to 1.
NEARLY_WON, NEARLY_LEVEL = 0.5, 0.25
# At most one move in this many is an answer.
MAX_KEEPERS = 3
# A lost position becomes a drill only if it lasts at least this many plies.
MIN_RESISTANCE = 4
# Positions of the day below the level HARD: the longest win or loss in plies, and the fewest answers, unless one move
# wins. Among the shipped games, wins take up to 69 plies, and one move of a hundred may be the only right one.
MAX_DAILY_LENGTH, MIN_DAILY_ANSWERS = 9, 2
# In games with points, the fewest that an EASY one still gains.
EASY_MARGIN = 8


class Origin(enum.Enum):
    MISTAKE = "mistake"
    ONLY_MOVE = "only-move"
    CONVERT = "convert"
    HOLD = "hold"
    WIN_IN_ONE = "win-in-1"
    WIN_IN_THREE = "win-in-3"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class Drill:
    """A position in which `seat` has to find a move that keeps the value. `format_setting` writes `position`. `played`
    is what the player got wrong in a game of their own. It is empty for generated drills."""

    game: GameId
    position: str
    seat: Seat
    origin: Origin
    played: str = ""


def make_mistake_drills(session: AnySession) -> list[Drill]:
    """Make a drill of every mistake of a person in the game, the largest first. Positions in which most moves are right
    are left out."""
    drills = []
    for node, seat in sort_by_size(find_mistakes(session)):
        if node.parent is not None and is_too_easy(node.parent.values, seat):
            continue
        drill, stands = make_mistake_drill(session.tree, node, seat), node.judgements.get(seat)
        drills.append(drill if stands is not None and stands.flagged else replace(drill, played=""))
    return drills


def find_mistakes(session: AnySession) -> list[SeatChoice]:
    """Return the choices of persons in the game, in order, whose move is flagged, or whose first try was."""
    sides = choices_by_side(session.players, session.tree.here.path()) if session.human_seats else {}
    made = [(node, seat) for choices in sides.values() for node, seat in choices if seat in node.choices]
    return [choice for choice in sorted(made, key=lambda choice: choice[0].ply) if list_flagged(choice)]


def list_flagged(choice: SeatChoice) -> list[Judgement]:
    """Return the judgements of a choice that are flagged, among those of its first try and of the move that stood."""
    node, seat = choice
    tried = None if node.parent is None else node.parent.attempts.get(seat)
    return [each for each in (tried, node.judgements.get(seat)) if each is not None and each.flagged]


def sort_by_size(mistakes: Iterable[SeatChoice]) -> list[SeatChoice]:
    """Return mistakes with the largest first. Of several that gave away the same, a win or a draw that was nearer the
    end comes first, because it was easier to keep."""

    def measure(choice: SeatChoice) -> tuple[float, float]:
        worst = max(list_flagged(choice), key=lambda each: each.score_lost)
        distance = None if worst.before is None else worst.before.remoteness
        return -worst.score_lost, inf if distance is None else distance

    return sorted(mistakes, key=measure)


def make_mistake_drill(tree: AnyTree, node: AnyNode, seat: Seat, with_past: bool = False) -> Drill:
    """Make a drill of the position before `node`, in which `seat` chose the wrong move, as `format_setting` does."""
    before, game = node.parent, tree.game
    assert before is not None, "a mistake is a move"
    played = format_choice(game, before.position, node.choices[seat])
    return Drill(game.id, format_setting(tree, before, with_past), seat, Origin.MISTAKE, played)


def format_setting(tree: AnyTree, node: AnyNode, with_past: bool = False) -> str:
    """Write a position of a game, with everything in the game that affects which moves are allowed or how it ends: a
    house rule as ` rule ID`, and the earlier moves that matter as ` moves M M ...`. These lead from the written
    position to the one that is meant. `with_past` writes all of them."""
    game, path, past = tree.game, node.path(), node.positions()
    wanted = tree.list_allowed(node), tree.conventions.find_closing(past), tree.conventions.find_stuck_results(past)
    laws = [Conventions(game)] if tree.house_rule is None else [Conventions(game), tree.conventions]
    law, first = next(
        (law, first)
        for first in ((0,) if with_past else range(len(past) - 1, -1, -1))
        for law in laws
        if (law.list_allowed(past[first:]), law.find_closing(past[first:]), law.find_stuck_results(past[first:]))
        == wanted
    )
    rule = "" if law.house_rule is None else RULE + law.house_rule.id
    moves = [step.text for step in path[first + 1 :]]
    return game.notation.format_position(past[first]) + rule + (MOVES + " ".join(moves) if moves else "")


def read_setting(game: AnyGame, text: str) -> AnyTree:
    """Return a game at a drill's position. Raises BadNotation, or IllegalMove if the moves cannot be played."""
    head, _, moves = text.partition(MOVES)
    position, _, rule = head.partition(RULE)
    tree: AnyTree = GameTree(game, game.notation.parse_position(position), find_house_rule(game, rule))
    node = tree.root
    for move in moves.split():
        node = tree.add(node, game.notation.parse_move(node.position, move))
    tree.go_to(node)
    return tree


def format_choice(game: AnyGame, position: AnyPosition, choice: Move) -> str:
    """Write what one side plays. If both sides move at once, this is its half of the move."""
    return str(choice) if game.facts.simultaneous else game.notation.format_move(position, choice)


def draw_positions(
    game: AnyGame,
    analyst: AnyAnalyst,
    random: Random,
    theme: Origin,
    count: int,
    walks: int = 400,
    suits: Callable[[Known], bool] = lambda _: True,
) -> Iterator[Drill]:
    """Find up to `count` drills of a theme in random games, in positions whose values `suits` accepts. It finds fewer
    if `walks` games do not contain enough, or if positions have to be searched and the next drill takes too long to
    find."""
    law: Conventions[AnyPosition, Move] = Conventions(game)
    seen: set[AnyPosition] = set()
    last_found, patience = 0, MAX_MISSES if game.facts.plays_by_search else inf
    for _ in range(walks):
        position = game.default_start()
        for _ in range(MAX_WALK_LENGTH):
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            if position not in seen and len(moves) >= MIN_MOVES:
                seen.add(position)
                if (seat := find_seat(theme, law, position, analyst, suits)) is not None:
                    yield Drill(game.id, game.notation.format_position(position), seat, theme)
                    count -= 1
                    last_found = len(seen)
                if count == 0 or (last_found and len(seen) - last_found >= patience):
                    return
            for _ in range(TRIES):
                reached = game.rules.play(position, random.choice(list(moves)))
                if law.result([reached]) is None:
                    break
            position = reached


def find_seat(
    theme: Origin,
    law: Conventions[AnyPosition, Move],
    position: AnyPosition,
    analyst: AnyAnalyst,
    suits: Callable[[Known], bool],
) -> Seat | None:
    """Return the side for which a position fits a theme and `suits`, or `None`. A quick check comes first, because a
    full check can take a thousand times as long."""
    looks: Sequence[Callable[[], Known]]
    mover = law.game.rules.to_move(position)
    if isinstance(analyst, SimultaneousAnalyst):
        looks = partial(analyst.mixed, position, QUICK_BUDGET), partial(analyst.mixed, position, SEARCH_BUDGET)
    else:
        looks = (
            partial(analyst.analyse, position, SEARCH_BUDGET),
            partial(analyse_after, law, [position], analyst, SEARCH_BUDGET),
        )
    seats = [0, 1] if mover is None else [mover]
    for look in looks:
        known = look()
        is_known = isinstance(known, Mixed) or known.is_complete
        seats = [seat for seat in seats if is_known and fits(theme, known, seat) and suits(known)]
        if not seats:
            return None
    return seats[0]


def fits(theme: Origin, known: Known, seat: Seat) -> bool:
    """Whether a position fits a theme. At most a third of its moves may be right, or one if the theme is the only move.
    With simultaneous moves, only the moves of `seat` count, and some themes want the position to be nearly won or
    nearly level."""
    if isinstance(known, Mixed):
        steps, value = known.strategies[seat], known.value_for(seat)
        found = sum(not judge_mixed(known, seat, step).flagged for step in steps)
        is_set = {Origin.ONLY_MOVE: True, Origin.CONVERT: value >= NEARLY_WON, Origin.HOLD: abs(value) <= NEARLY_LEVEL}
        return is_set.get(theme, False) and 0 < MAX_KEEPERS * found <= len(steps)
    top = known.best_value()
    if top is None:
        return False
    if theme is Origin.ONLY_MOVE:
        return count_best_results(known) == 1
    is_win, lasts = top.outcome is Outcome.WIN, (top.remoteness or 0) >= MIN_RESISTANCE
    is_about = {
        Origin.CONVERT: is_win,
        Origin.HOLD: known.is_complete and (top.outcome is Outcome.DRAW or (not is_win and lasts)),
        Origin.WIN_IN_ONE: is_win and top.remoteness == 1,
        Origin.WIN_IN_THREE: is_win and top.remoteness == 3,
    }
    return is_about.get(theme, False) and MAX_KEEPERS * count_answers(theme, known, top) <= len(known.moves)


def count_answers(theme: Origin, values: Analysis[Move], top: Value) -> int:
    """Count the moves that solve a drill of this theme. `top` is the best value."""
    counts_best = theme in SHORT_WINS or top.outcome is Outcome.LOSS
    return len(values.list_best_moves()) if counts_best else count_keeping(values)


def count_best_results(values: Analysis[Move]) -> int:
    """Count the moves that lead to the best result, whatever points they make."""
    top = values.best_value()
    outcomes = [value.outcome for value in values.moves.values() if value is not None]
    return 0 if top is None else outcomes.count(top.outcome)


def count_keeping(values: Analysis[Move]) -> int:
    """Count the moves that keep the result. If all moves do, count those that keep the points."""
    same = count_best_results(values)
    return len(values.list_good_moves()) if same == len(values.moves) else same


THEMES: Final = (Origin.ONLY_MOVE, Origin.CONVERT, Origin.HOLD)
"""The themes of fresh positions and of the position of the day."""
SHORT_WINS: Final = (Origin.WIN_IN_ONE, Origin.WIN_IN_THREE)
"""The themes for beginners. Only the fastest win solves such a drill."""


def is_too_easy(values: Known | None, seat: Seat) -> bool:
    """Whether more than two thirds of a seat's moves keep the value, so that a drill would teach nothing."""
    if isinstance(values, Mixed):
        return 3 * len(values.list_sound_moves(seat)) > 2 * len(values.strategies[seat])
    return values is not None and 3 * count_keeping(values) > 2 * len(values.moves)


def solves(drill: Drill, judgement: Judgement) -> bool:
    """Whether a move solves a drill. In a lost position, only the longest defence does. In a drill to win in a number
    of plies, only the fastest win does."""
    before = judgement.before
    is_lost = before is not None and before.outcome is Outcome.LOSS
    if drill.origin in SHORT_WINS or (drill.origin is Origin.HOLD and is_lost):
        return judgement.is_best
    return not judgement.flagged


class DailyLevel(enum.Enum):
    """How hard a position of the day is. Each level has a position of its own, which is the same for everybody."""

    EASY = "easy"
    """A win within three plies. In games with points a clear win, and in games with simultaneous moves any."""
    MEDIUM = "medium"
    """A win to keep, or a position to defend. In games that count plies, it is short and has several answers."""
    HARD = "hard"
    """Any theme, however far the end is, and perhaps with a single answer."""


def counts_plies(game: AnyGame) -> bool:
    """Whether values of the game say in how many plies it ends. Points and expected results do not."""
    return not (game.facts.simultaneous or game.facts.has_margin)


def list_daily_themes(game: AnyGame, level: DailyLevel) -> Sequence[Origin]:
    if level is DailyLevel.EASY:
        return SHORT_WINS if counts_plies(game) else (Origin.CONVERT,)
    return THEMES if level is DailyLevel.HARD else (Origin.CONVERT, Origin.HOLD)


def is_at_level(game: AnyGame, level: DailyLevel, theme: Origin, known: Known) -> bool:
    """Whether a position that fits the theme is as easy as the level promises."""
    if level is DailyLevel.HARD or not isinstance(known, Analysis) or (top := known.best_value()) is None:
        return True
    if not counts_plies(game):
        return level is not DailyLevel.EASY or (top.margin or 0) >= EASY_MARGIN
    has_choice = theme is Origin.WIN_IN_ONE or count_answers(theme, known, top) >= MIN_DAILY_ANSWERS
    return has_choice and (top.remoteness or 0) <= MAX_DAILY_LENGTH


def daily_drill(game: AnyGame, analyst: AnyAnalyst, day: int, level: DailyLevel = DailyLevel.HARD) -> Drill | None:
    """Return the drill of a day (as `date.toordinal` counts) at a level, or `None` if there is none. The themes take
    turns. The drill depends only on the day, the level, the game, its values and this version of the search."""
    analyst = analyst.afresh() if isinstance(analyst, Remembering) else analyst
    themes = list_daily_themes(game, level)
    turn = day % len(themes)
    for theme in (*themes[turn:], *themes[:turn]):
        random = Random(f"{game.id} {day} {level.value} {theme.value}")
        suits = partial(is_at_level, game, level, theme)
        for drill in draw_positions(game, analyst, random, theme, 1, suits=suits):
            return drill
    return None


class UnknownAdvice(OnlymoveError):
    """The game has no advice with this name, or no advice at all."""


def find_advice(game: AnyGame) -> tuple[TestedAdvice, ...]:
    solution = find_solution(game)
    return () if solution is None else solution.advice


def list_misleading(game: AnyGame, advice: str = "") -> list[Drill]:
    """Return the stored positions in which every move that follows this advice is a mistake, although another move
    keeps the value. Without `advice`, return those for all advice. Raises UnknownAdvice."""
    known = find_advice(game)
    if advice and advice not in [tested.id for tested in known]:
        ids = [tested.id for tested in known if tested.examples]
        listed = f"; choose from {', '.join(ids)}" if ids else ""
        raise UnknownAdvice(f"{game.facts.title} has no advice '{advice}'{listed}{did_you_mean(advice, ids)}")
    texts = dict.fromkeys(text for tested in known if advice in ("", tested.id) for text in tested.examples)
    to_move, parse = game.rules.to_move, game.notation.parse_position
    return [Drill(game.id, text, to_move(parse(text)) or 0, Origin.ADVICE) for text in texts]


def draw_misleading(game: AnyGame, random: Random, count: int, advice: str = "") -> list[Drill]:
    """Return at most `count` random positions in which advice misleads. Raises UnknownAdvice."""
    drills = list_misleading(game, advice)
    return random.sample(drills, min(count, len(drills)))


def find_misleading_advice(game: AnyGame, position: str) -> str:
    """Return the advice that misleads in a stored position. Empty for other positions."""
    return next((tested.sentence for tested in find_advice(game) if position in tested.examples), "")


MAX_RANDOM_GAME_LENGTH = 24
"""The longest random game, in plies."""
MAX_DRAWN = 40_000
"""How many positions to try at most."""


Wanted: TypeAlias = Outcome | Origin | None
WANTED: Final[Mapping[str, Wanted]] = {
    "any position": None,
    "a won position": Outcome.WIN,
    "a drawn position": Outcome.DRAW,
    "a lost position": Outcome.LOSS,
    "an only-move position": Origin.ONLY_MOVE,
    "a win that few moves keep": Origin.CONVERT,
    "a hard defence": Origin.HOLD,
}
"""What a random position should be for the side to move: its result or theme. With simultaneous moves, any will do."""


def list_wanted(game: AnyGame) -> list[str]:
    return [name for name, wanted in WANTED.items() if (wanted is None) is game.facts.simultaneous]


def find_random_position(
    game: AnyGame, analyst: AnyAnalyst, random: Random, wanted: Wanted, budget: Budget
) -> AnyPosition | None:
    """Return an unfinished position of the wanted kind, or `None` if none was found in time. Candidates come from
    random games and from the table in turn."""
    for turn in range(MAX_DRAWN):
        if budget.should_stop():
            return None
        position = _draw_position(game, random, from_table=turn % 2 == 1)
        if position is None or not analyst.is_reachable(position) or not game.rules.legal_moves(position):
            continue
        if isinstance(analyst, SimultaneousAnalyst):
            return position
        if isinstance(wanted, Origin):
            is_wanted = fits(wanted, analyst.analyse(position, budget), 0)
        else:
            value = analyst.probe(position) or analyst.analyse(position, budget).value
            is_wanted = isinstance(value, Value) and value.outcome is wanted
        if is_wanted:
            return position
    return None


def _draw_position(game: AnyGame, random: Random, from_table: bool) -> AnyPosition | None:
    """Return a position from the table or from a random game. Return `None` if there is no table, if the number drawn
    is not in use, or if valuing a position from a game would take a long search."""
    index = game.solved.index
    if from_table:
        with suppress(ValueError):
            return None if index is None else index.position(random.randrange(index.size))
        return None
    if index is not None and game.facts.plays_by_search:
        return None
    position: AnyPosition = game.default_start()
    for _ in range(random.randrange(MAX_RANDOM_GAME_LENGTH)):
        moves = game.rules.legal_moves(position)
        if not moves:
            break
        position = game.rules.play(position, random.choice(list(moves)))
    return position
