"""What a game in lines prints of hints, values and endings: facts in, lines out."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.figures import figures
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.in_line import Known
from onlymove_engines.coach.made import sides
from onlymove_engines.coach.worth import move_in_words, share
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.value import Draw, Mixed, Seat, other
from onlymove_engines.play.session import AnySession

from onlymove_tui.play.phrases import ending, seating


def introduction(session: AnySession) -> str:
    """Who plays what."""
    return f"{session.game.title}. {seating(session.game, session.players)} Type help for what can be typed."


def hint_lines(game: AnyGame, position: AnyPosition, known: Known | None, found: Hint) -> list[str]:
    """One stage of the hint; places that would be marked on a board are named unless they are all there are, moves of
    which the same is said stand together."""
    where = []
    if found.targets and not found.moves and known is not None and not isinstance(known, Mixed):
        places = MoveEntry(game.paths(position, tuple(known.moves))).next_targets()
        where = [f"It begins with {one_of(found.targets)}."] if len(found.targets) < len(places) else []
    alike: dict[str, list[str]] = {}
    for move, choice in zip(found.moves, found.shown, strict=True):
        value = None if known is None or isinstance(known, Mixed) else known.moves.get(move)
        worth = choice.value if value is None else move_in_words(game, position, move, value)
        words = choice.said(0)
        joint = " " if isinstance(known, Mixed) else ", "
        alike.setdefault(f"{worth}{joint}{words}" if words else worth, []).append(choice.move)
    return [*found.lines, *(f"{', '.join(moves)}: {said}." for said, moves in alike.items()), *where]


def one_of(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def value_lines(game: AnyGame, position: AnyPosition, known: Known, seat: Seat) -> list[str]:
    """What the moves are worth, those that lead to the same in one line, the best first; in a simultaneous game a line
    for each move of `seat`."""
    if isinstance(known, Mixed):
        theirs = known.strategies[other(seat)]
        shares = {
            own: {move: share(known.payoff(seat, own, move)) for move in theirs} for own in known.strategies[seat]
        }
        return [
            f"{game.seats[seat]}'s share of the points:",
            *(
                f"{own}: " + ", ".join(f"{part} against {move}" for move, part in row.items())
                for own, row in shares.items()
            ),
        ]
    groups: dict[str, list[str]] = {}
    best_first = sorted(known.moves.items(), key=lambda item: (item[1] is not None, item[1] or Draw()), reverse=True)
    for move, value in best_first:
        guess = known.estimates.get(move)
        unproven = "not known" if guess is None else guess.sentence()
        words = unproven if value is None else move_in_words(game, position, move, value).capitalize()
        groups.setdefault(words, []).append(game.said(position, move))
    return [f"{words}: {', '.join(moves)}" for words, moves in groups.items()]


def summary_lines(session: AnySession) -> list[str]:
    """How a finished game ended, and how well each person played."""
    result, game = session.result, session.game
    assert result is not None, "the game is over"
    lines = [ending(game, result)]
    if session.human_seats():
        for seat, made in sides(session.players, session.node.path()).items():
            lines.append(f"{game.seats[seat]}: {figures(made).headline()}")
    return lines
