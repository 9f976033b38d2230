"""Sentences that the app and line mode share, about games, moves, measures and drills."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import resources

from onlymove_engines.coach.drill import (
    SHORT_WINS,
    Drill,
    Origin,
    find_misleading_advice,
    list_flagged,
    sort_by_size,
)
from onlymove_engines.coach.explore import Choice, OnlyMoveStats
from onlymove_engines.coach.figures import (
    SeatChoice,
    SeatMove,
    choices_by_side,
    count_figures,
    find_bad_choices,
    is_bad,
)
from onlymove_engines.coach.hint import compare_with_best, describe_best, find_worst
from onlymove_engines.coach.judge import OnBad, is_proven, judge_mixed
from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.analysis import Analysis, AnyAnalysis
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame, AnyPosition, Measure
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.text import clean_lines, decode_text
from onlymove_engines.core.value import Estimate, Mixed, Move, Outcome, Seat, Value, other
from onlymove_engines.core.words import BOTH_COUNT, ROUND_COUNTS, format_count, format_distance, format_soon
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import RANDOM, Player, Players, get_level, style_ids
from onlymove_engines.play.session import LATE, LEFT_GAME, RESIGNED, AnySession, list_persons
from onlymove_engines.play.tree import AnyNode

PLAYS_ON = "The engine plays on."
NO_HINT = "No hint is available now."
NO_VALUES = "No values are available now."
NOTHING_TO_UNDO = "There is nothing to take back."
NOTHING_TO_REDO = "There is nothing to redo."
NOT_YET = "Not yet. Try again."
"""What is said after a game that did not end as its task asks."""
NO_REFUTATION = "There is nothing to explain about the last move."
ENGINE = "engine"


def describe_beginning(game: AnyGame, targets: Sequence[Target]) -> str:
    *others, last = targets
    names = game.voice.reasons.noun + (f"{', '.join(others)} or {last}" if others else last)
    what = f"a {names} piece" if set(targets) <= set(game.play.hand) else names
    return f"Consider moves that start with {what}."


def describe_counting(game: AnyGame) -> str:
    """Say how the moves of a game are counted."""
    return ROUND_COUNTS if game.facts.simultaneous else BOTH_COUNT


def describe_training(on_bad: OnBad) -> str:
    """Say what training does, as in `stops bad moves`."""
    does = {OnBad.ASK: "stops", OnBad.UNDO: "takes back", OnBad.MARK: "points out", OnBad.OFF: "ignores"}
    return f"{does[on_bad]} bad moves"


def find_doubtful_choice(live: LiveGame, mixed: Mixed) -> SeatMove | None:
    """Return the choice to explain if both sides move at once: the stopped move, or else a bad move that was taken back
    here, or else a person's bad move in the last round, or else the worst move now. `None` if every move is sound."""
    stopped, tried, seat = live.stopped_move, live.offered, live.session.speaking_seat
    if stopped is not None:
        return live.node, stopped.seat, stopped.move
    if tried is not None and tried[:2] == (live.node, seat) and is_bad(judge_mixed(mixed, seat, tried[2])):
        return tried
    people = list_persons(live.session, live.node) if live.node.parent is not None else []
    mistakes = [choice for choice in find_bad_choices(live.node) if choice[1] in people]
    if mistakes and isinstance(mistakes[0][0].values, Mixed):
        return min(mistakes, key=lambda choice: choice[1] != seat)
    worst = find_worst(mixed, seat)
    return None if worst is None else (live.node, seat, worst)


def name_choice(game: AnyGame, choice: Move) -> str:
    """Return one side's half of a simultaneous move: the name of its key, such as `left`, if there is one."""
    return next((key for key, target in game.play.direct_keys.items() if target == str(choice)), str(choice))


def explain_choices(live: LiveGame, mixed: Mixed) -> list[str]:
    """Say which moves are best if both sides move at once, and why another one is worse. About a stopped move, or a
    mistake in the last round, give the reasons that are known, or compare it with the best move. If the player's move
    in the last round was good, say so first."""
    choice, speaker = find_doubtful_choice(live, mixed), live.session.speaking_seat
    if choice is not None and isinstance(choice[0].values, Mixed):
        mixed = choice[0].values
    names: dict[Move, str] = {move: name_choice(live.game, move) for mix in mixed.strategies for move in mix}

    def name_last_move(seat: Seat) -> str:
        whose = f"{live.game.seats[seat]}'s " if len(live.session.human_seats) > 1 else ""
        return f"{whose}{name_choice(live.game, live.node.choices[seat])} in round {live.node.ply}"

    best, judgement = describe_best(mixed, speaker, names), live.node.judgements.get(speaker)
    is_good = judgement is not None and judgement.grade in (Grade.BEST, Grade.SOUND)
    if is_good and speaker in list_persons(live.session, live.node):
        last = name_last_move(speaker)
        best = f"{last[0].upper()}{last[1:]} gave nothing away. Now {best[0].lower()}{best[1:]}"
    if choice is None:
        return [best]
    _, seat, move = choice
    explanation = live.get_explanation(choice)
    if choice[0] is not live.node:
        first, *others = explanation.lasting or [compare_with_best(mixed, seat, move, names)]
        return [f"About {name_last_move(seat)}: {first}", *others]
    reasons = explanation.discreet
    if live.stopped_move is not None:
        return [*reasons] or [compare_with_best(mixed, seat, move, names)]
    worse = f"{names[move].capitalize()} {'is' if is_proven(mixed, seat, move) else 'seems'} worse now."
    reason = f"{worse} {reasons[0]}" if reasons else compare_with_best(mixed, seat, move, names)
    return [best, reason]


def ending_text(game: AnyGame, result: Result) -> str:
    """Return how a game ended, such as `Top wins 24-20: three in a row.` The winner's points come first."""
    who = "Drawn" if result.winner is None else f"{game.seats[result.winner]} wins"
    first = result.winner or 0
    score = "" if result.score is None else f" {result.score[first]}-{result.score[1 - first]}"
    reason = f": {result.reason}" if result.reason else ""
    return f"{who}{score}{reason}."


def describe_refutation(game: AnyGame, line: Refutation, is_whole: bool) -> str:
    """Return best play after a move, cut after three moves unless `is_whole`, and how the game then ends."""
    first, *following = line.texts
    shown = following if is_whole or len(following) <= 4 else following[:3]
    left = len(following) - len(shown)
    end = "" if line.result is None else ending_text(game, line.result)
    if line.is_drawn:
        end = "The game is then a draw."
    more = f" and {left} more moves" if left else ""
    played = f"Best play after {first}: {', '.join(shown)}{more}." if shown else f"{first} ends the game."
    return f"{played} {end}".strip()


def read_rules(game: AnyGame) -> str:
    """Return the game package's `help.md`, or the pitch if there is none. This reads a file."""
    page = resources.files(game.facts.package) / "help.md" if game.facts.package else None
    if page is not None and page.is_file():
        return clean_lines(decode_text(page.read_bytes(), "strict"))
    return f"# {game.facts.title}\n\n{game.facts.pitch}\n"


def describe_solved(solved: str) -> str:
    """Return a solved value as text, such as `solved: draw`, which cannot be the state of a game."""
    return solved if "solved" in solved else f"solved: {solved}"


def describe_preparation(what: str, share: float) -> str:
    """Return what delays the values and how far it is, as in `Compiling the engine (first run only): 25%`."""
    return f"{what.capitalize()}: {share:.0%}" if share else what.capitalize()


def own_ending_text(live: LiveGame, result: Result) -> str:
    """Return how a game ended, as told to the only person at this keyboard: `You win 24-20: three in a row.`"""
    text, people = ending_text(live.game, result), live.session.human_seats
    if result.winner is None or len(people) != 1:
        return text
    (own,), names = people, live.game.seats
    verdict = "You win" if result.winner == own else "You lose"
    text = text.replace(f"{names[result.winner]} wins", verdict, 1)
    for done in (RESIGNED, LATE, LEFT_GAME):
        text = text.replace(f"{names[own]} {done}", f"you {done}")
    return text


def name_move(game: AnyGame, position: AnyPosition, move: Move) -> str:
    """Return a move's name for the beginning of a sentence, such as `Pit 4`, or `Left` if both sides move at once."""
    if game.facts.simultaneous:
        name = name_choice(game, move)
        return name.capitalize() if name != str(move) else name
    return game.voice.reasons.noun.capitalize() + game.describe_move(position, move)


def move_label(game: AnyGame, node: AnyNode) -> str:
    """Return the number and text of the move into `node`, such as `7. a4c4`. Every move of each side has a number."""
    if node.parent is None:
        return "the start"
    text = game.voice.reasons.noun + game.describe_move(node.parent.position, node.move)
    return f"{node.ply}. {text}"


def figure_lines(game: AnyGame, by_seat: Mapping[Seat, Sequence[SeatChoice]]) -> list[str]:
    lines = []
    for seat, made in by_seat.items():
        found = count_figures(made)
        words = [found.format_headline(), *found.describe_left_out()]
        words += filter(None, [describe_largest_mistakes(made)])
        lines.append(f"{game.seats[seat]}: {' '.join(words)}")
    return lines


MAX_MISTAKES_NAMED = 5


def describe_largest_mistakes(made: Sequence[SeatChoice]) -> str:
    """Return at which moves a side made its mistakes, such as `Mistakes, the largest first: moves 12, 7 and 3.` Empty
    for fewer than two. The drills of a game come in the same order."""
    numbers = [str(node.ply) for node, _ in sort_by_size(filter(list_flagged, made))]
    if len(numbers) < 2:
        return ""
    named, left = numbers[:MAX_MISTAKES_NAMED], len(numbers) - MAX_MISTAKES_NAMED
    last = f"{left} more" if left > 0 else named.pop()
    return f"Mistakes, the largest first: moves {', '.join(named)} and {last}."


def summary_lines(session: AnySession) -> list[str]:
    result, game = session.result, session.game
    assert result is not None, "the game is over"
    played = figure_lines(game, choices_by_side(session.players, session.node.path())) if session.human_seats else []
    return [ending_text(game, result), *played]


def engine_name(game: AnyGame, engine: Player) -> str:
    """Return an engine's name, such as `Novice`, `Prudent 80` or, at strength 0, `Random`."""
    if (level := get_level(game, engine)) is not None:
        return level.title
    if engine.strength <= 0:
        return RANDOM.capitalize()
    titles = {style.id: style.title for style in game.play.styles}
    return f"{titles.get(engine.style or style_ids(game)[0], ENGINE)} {engine.strength}"


def opponent_name(engine: Player, levels: Sequence[Level]) -> str:
    """Return a player's name in a game with these levels, such as `Novice`, `prudent 80`, `random` or a person's."""
    if engine.is_elsewhere:
        return engine.name
    for level in levels:
        # All levels play the game's first style, which an empty style stands for. At strength 0 the style does not
        # matter.
        if level.strength == engine.strength and (engine.style in ("", level.style) or engine.strength <= 0):
            return level.title
    return f"{engine.style or ENGINE} {engine.strength}" if engine.strength > 0 else RANDOM


def describe_players(game: AnyGame, players: Players) -> str:
    """Return who plays, such as `Top: you. Bottom: engine, Prudent 80.` Another user appears by name."""
    people = sum(player.is_human for player in players)
    person = "you" if people == 1 else "a person"
    sentences = []
    for name, player in zip(game.seats, players, strict=True):
        engine = player.name if player.is_elsewhere else engine_name(game, player)
        named = engine if player.is_elsewhere or engine.startswith(ENGINE.title()) else f"{ENGINE}, {engine}"
        sentences.append(f"{name}: {person if player.is_human else named}.")
    return " ".join(sentences)


def mover_name(session: AnySession, node: AnyNode, seat: Seat) -> str:
    """Return who made the choice that led to `node`: `You` for the only person in a game, otherwise the side."""
    return "You" if len(session.human_seats) == 1 and seat in list_persons(session, node) else session.game.seats[seat]


def hidden_choice_text(session: AnySession, seat: Seat) -> str:
    return "You have chosen." if len(session.human_seats) == 1 else f"{session.game.seats[seat]} has chosen."


def describe_lost(judgement: Judgement) -> str:
    return judgement.lost().replace("->", "→")


def describe_judgement(judgement: Judgement, who: str = "You", line: str = "") -> str:
    """Return the symbol and verdict of a move and what a bad move lost, such as `?? You threw away the draw. Draw
    → Loss.` `line` names what a missed win in one move would have completed."""
    if judgement.grade is Grade.UNKNOWN and judgement.expected is None:
        return "(not judged, because no exact value is known here)"
    lost = f"{describe_lost(judgement)}." if judgement.flagged else ""
    words = [judgement.glyph, judgement.verdict(who, line), lost]
    return " ".join(word for word in words if word)


NO_MOVE_MATTERS = "No move matters now: "
"""How the offer to play the game out begins. Nothing that either side plays next changes the result or the points."""


def measure_text(game: AnyGame, seat: Seat) -> str:
    """Say what a measure tells, as it counts for `seat`, such as `Heat says who has more ways to win (+ for Top, - for
    Bottom)`."""
    assert game.voice.measure is not None, "it is shown"
    return f"{describe_measure(game.voice.measure)} (+ for {game.seats[seat]}, - for {game.seats[other(seat)]})"


def describe_measure(measure: Measure[AnyPosition]) -> str:
    """Return what a measure tells, such as `Heat says who has more ways to win`."""
    return f"{measure.title} says who has {measure.words}"


def format_lead(lead: float) -> str:
    return f"{lead:+z.1f}"


def format_sentence(value: Value | Estimate | None) -> str:
    return "not known" if value is None else value.sentence()


def describe_final_lead(game: AnyGame, position: AnyPosition, value: Value | Estimate | None) -> str:
    """Return `4 points ahead in all`: the margin of the side to move with the points made so far. Empty in a game
    without points."""
    if not isinstance(value, Value) or value.margin is None:
        return ""
    lead = game.add_points_made(position, game.rules.to_move(position) or 0, value).margin or 0
    points = format_count(abs(lead), "point")
    return f"{points} {'ahead' if lead > 0 else 'behind'} in all" if lead else "level in all"


def group_by_value(
    game: AnyGame, position: AnyPosition, known: AnyAnalysis, describe: Callable[[Move, Value], str]
) -> dict[str, list[str]]:
    """Return the moves grouped by what they are worth, the best first. `describe` puts a proven value into words."""
    groups: dict[str, list[str]] = {}
    for value, moves in known.group_moves():
        for move in moves:
            words = format_sentence(known.estimates.get(move)) if value is None else describe(move, value)
            groups.setdefault(words, []).append(game.describe_move(position, move))
    return groups


KEEPS = ("keeps the result", "keep the result")
"""The verb for one good move, and for several."""
LOSES_NO_POINTS = ("loses no points", "lose no points")
"""The same verbs in a game with points."""


def format_percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def describe_keeping(choice: Choice | None, in_points: bool = False) -> str:
    """Return how many moves keep the result, such as `3 of 26 moves keep the result.` or `All 14 moves lose.` In games
    with points: `1 of 6 moves loses no points.` Empty if that is not known or there are no moves."""
    if choice is None or not choice.moves:
        return ""
    words = keeping_words(choice, "move", "moves", LOSES_NO_POINTS if in_points else KEEPS)
    return as_sentence(words)


def keeping_words(choice: Choice, one: str, many: str, keeps: tuple[str, str] = KEEPS) -> str:
    """Return words such as `1 of 14 replies keeps the result`, `both replies lose` or `the only reply keeps it`."""
    if choice.moves == 1:
        return f"the only {one} {keeps[0] if choice.keeping else 'loses'}"
    if choice.keeping in (0, choice.moves):
        every = "both" if choice.moves == 2 else f"all {choice.moves}"
        return f"{every} {many} {keeps[1] if choice.keeping else 'lose'}"
    return f"{choice.keeping} of {choice.moves} {many} {keeps[choice.keeping != 1]}"


def format_replies(replies: Choice | None) -> str:
    """Return how many replies keep the result, such as `3/14`, `-` at the end of the game, or `?` if not known."""
    if replies is None:
        return "?"
    return f"{replies.keeping}/{replies.moves}" if replies.moves else "-"


ONE_GOOD_MOVE = "Positions with only one good move"


def describe_below(found: Sequence[OnlyMoveStats | None]) -> str:
    """Return a sentence such as `Positions with only one good move: 5 of 22 (23 %) after 1 move.`"""
    parts = [
        f"{below.only} of {below.choices} ({format_percent(below.share)}) after {format_count(below.plies, 'move')}"
        for below in found
        if below is not None and below.choices and below.share is not None
    ]
    return f"{ONE_GOOD_MOVE}: {', '.join(parts)}." if parts else ""


DRILL_WORDS = {
    Origin.MISTAKE: "own mistakes",
    Origin.ONLY_MOVE: "find the only move",
    Origin.CONVERT: "convert a win",
    Origin.HOLD: "defend",
    Origin.WIN_IN_ONE: f"win{format_distance(1)}",
    Origin.WIN_IN_THREE: f"win{format_distance(3)}",
    Origin.ADVICE: "misleading advice",
}
"""The themes of drills in a few words."""

THEME_TITLES = {
    Origin.ONLY_MOVE: "Only one move keeps the result.",
    Origin.CONVERT: "At most a third of the moves keep the win.",
    Origin.HOLD: "At most a third of the moves defend well.",
    Origin.WIN_IN_ONE: "At most a third of the moves win at once.",
    Origin.WIN_IN_THREE: f"You can win{format_distance(3)}.",
}
"""How the theme of a new position is announced."""


def goal_text(live: LiveGame, drill: Drill) -> str:
    """Return the goal of a drill, such as `hold the draw`. It tells the player the value of the position."""
    values = live.node.values
    if drill.origin in SHORT_WINS:
        return f"win {format_soon(1 if drill.origin is Origin.WIN_IN_ONE else 3)}"
    if isinstance(values, Analysis) and (top := values.best_value()) is not None:
        results = {value.outcome for value in values.moves.values() if value is not None}
        if live.game.facts.has_margin and values.is_complete and len(results) == 1:
            return "give no points away"
        return {1: "keep the win", 0: "hold the draw", -1: "hold out longest"}[int(top.outcome)]
    return "find a move that is no mistake" if live.is_simultaneous else "find a move that keeps the result"


def origin_text(live: LiveGame, drill: Drill, names_goal: bool = True) -> str:
    """Return where a drill comes from. Without `names_goal`, the text does not reveal whether the position is won."""
    if drill.origin is Origin.ADVICE:
        advice = find_misleading_advice(live.game, drill.position)
        what = f"this advice is wrong: {advice}" if advice else "the usual advice is wrong."
        return f"In this position, {what}"
    if drill.origin is not Origin.MISTAKE:
        return THEME_TITLES[drill.origin] if names_goal or drill.origin is Origin.ONLY_MOVE else ""
    return played_text(live, drill, "You") if drill.played else "Your first try here was a mistake."


def played_text(live: LiveGame, drill: Drill, who: str) -> str:
    game, position, played = live.game, live.node.position, drill.played
    if game.facts.simultaneous:
        played = name_choice(game, played)
    else:
        with suppress(OnlymoveError):
            move = game.notation.parse_move(position, played)
            played = game.voice.reasons.noun + game.describe_move(position, move)
    return f"{who} played {played} here."


def praise(judgement: Judgement) -> str:
    if judgement.only:
        return judgement.verdict()
    after = judgement.after
    if after is None:
        return f"{judgement.grade.title}."
    if after.margin is not None:
        return "You kept the result." if judgement.points_lost else "You gave no points away."
    if after.outcome is Outcome.WIN and after.remoteness == 1:
        return "You win."
    left = format_distance(None if after.remoteness is None else after.remoteness - 1)
    return f"{('Still lost', 'Still a draw', 'Still a win')[after.outcome + 1]}{left}."


def describe_mistake(lost: str, reply: str = "", why: str = "") -> str:
    """Return what a wrong answer gives away and why, or the `reply`: `Draw → Loss. The best reply is b2b4.`"""
    shown = why or (f"The best reply is {reply}." if reply else "")
    return f"{lost}. {shown}".strip()


def streak_text(streak: int) -> str:
    return f"{streak} in a row" if streak > 1 else ""
