"""Reads moves that people type, and names the right spelling where a text must be exact.

People write a move in capitals, with spaces, with `-` or `x` between cells, in full-width letters, or without signs
such as `@`. All of that is read if it can mean only one legal move. Records, protocols and the library must spell a
move exactly. There, an error only says how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from unicodedata import category, normalize

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.text import clean_line
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession, parse_choice

SEPARATORS: Final = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
TAKES: Final = re.compile(r"(?<=[^\W_])[x×](?=[^\W_])", re.IGNORECASE)
"""An `x` between two cells. One that stands alone may be a move."""

MAX_TYPED: Final = 200
"""The most characters of a typed move that are compared with other spellings. The longest move of any game has 20."""


def read_typed(session: AnySession, seat: Seat, text: str, names_near: bool = False) -> Move:
    """Return the choice of `seat` that a person has typed. With `names_near`, a refusal names the legal move that is
    one edit away, if there is only one. Raises BadNotation, IllegalMove or GameOver, with what was read."""
    moves = session.moves_of(seat) if session.to_move is None else session.game.rules.legal_moves(session.position)
    return _read(session.game, session.position, moves, partial(parse_choice, session, seat), text, names_near)


def read_typed_at(game: AnyGame, position: AnyPosition, text: str) -> Move:
    """Return the legal move of a position that a person has typed, as `read_typed` does. The move of a simultaneous
    round is a pair."""
    parse = partial(game.notation.parse_move, position)
    return _read(game, position, game.rules.legal_moves(position), parse, text, names_near=True)


def read_exactly(game: AnyGame, position: AnyPosition, text: str) -> Move:
    """Return the legal move that is spelled exactly so. If a person could have written it like this, the error says how
    it is spelled. Raises BadNotation, IllegalMove or GameOver."""
    try:
        move: Move = game.notation.parse_move(position, text)
    except GameOver:
        raise
    except (BadNotation, IllegalMove) as refusal:
        try:
            move = read_typed_at(game, position, text)
        except (BadNotation, IllegalMove):
            raise refusal from None
        spelled = game.notation.format_move(position, move)
        # A text that the rules do not allow is spelled well, but perhaps another move was meant.
        hint = f"Did you mean {spelled}?" if isinstance(refusal, IllegalMove) else f"It is written {spelled}"
        raise type(refusal)(f"{refusal}. {hint}") from None
    return move


def read_position(game: AnyGame, text: str) -> AnyPosition:
    """Return the position that is spelled exactly so, apart from blanks around it. If only its case or its spaces are
    wrong, the error says how it is spelled. Raises BadNotation or BadPosition."""
    try:
        position: AnyPosition = game.notation.parse_position(text.strip())
    except BadNotation as refusal:
        plain = " ".join(simplify(text[:MAX_TYPED]).split())
        for spelling in (plain, plain.lower(), plain.upper()):
            try:
                found = game.notation.parse_position(spelling)
            except BadNotation:
                continue
            raise type(refusal)(f"{refusal}. It is written {game.notation.format_position(found)}") from None
        raise
    return position


def simplify(text: str) -> str:
    """Return a text in plain characters: no full-width letters, and nothing invisible."""
    return "".join(sign for sign in normalize("NFKC", text) if category(sign) != "Cf").strip()


def _list_variants(text: str) -> Iterator[str]:
    """Yield a typed text in plain characters, without separators, and without an `x` between cells."""
    plain = simplify(text)
    bare = SEPARATORS.sub("", plain)
    yield from dict.fromkeys(filter(None, (plain, bare, TAKES.sub("", bare))))


def _fold(text: str) -> str:
    """Return what all spellings of a move have in common: its letters and digits. Signs such as `@` are hard to
    find on a phone."""
    return "".join(filter(str.isalnum, TAKES.sub("", SEPARATORS.sub("", simplify(text))).casefold()))


def _read(
    game: AnyGame,
    position: AnyPosition,
    moves: Sequence[Move],
    parse: Callable[[str], Move],
    text: str,
    names_near: bool,
) -> Move:
    try:
        return parse(text.strip())
    except GameOver:
        raise
    except (BadNotation, IllegalMove) as error:
        refusal, read = error, clean_line(text.strip())
    if len(text) > MAX_TYPED:
        raise refusal
    variants = list(_list_variants(text))
    spelled = _list_spellings(game, position, moves)
    for spellings in (variants, *((one.lower(), one.upper()) for one in variants)):
        found = dict[Move, None]()
        for spelling in spellings:
            try:
                found[parse(spelling)] = None
            except IllegalMove as error:
                # That the rules do not allow a move says more than that a text is no move.
                if not isinstance(refusal, IllegalMove):
                    refusal, read = error, spelling
            except BadNotation:
                continue
            if spellings is variants and found:
                break
        if len(found) == 1:
            return next(iter(found))
    alike = [move for move, texts in spelled.items() if _fold(text) in texts]
    if len(alike) == 1:
        return alike[0]
    near = _name_near(game, position, spelled, text) if names_near else ""
    raise type(refusal)(_describe_refusal(refusal, read, text) + near)


def _list_spellings(game: AnyGame, position: AnyPosition, moves: Sequence[Move]) -> dict[Move, set[str]]:
    """Return how each move may be spelled, for programs and for people, as `_fold` returns it."""
    return {
        move: {_fold(game.notation.format_move(position, move)), _fold(game.describe_move(position, move))}
        for move in moves
    }


def _describe_refusal(refusal: BadNotation | IllegalMove, read: str, text: str) -> str:
    """Return a refusal with what was read, unless the player knows that."""
    why = str(refusal)
    if isinstance(refusal, IllegalMove):
        return why if read == clean_line(text.strip()) else f"{read}: {why}"
    return why if read in why or not read else f"'{read}': {why}"


def _name_near(game: AnyGame, position: AnyPosition, spelled: Mapping[Move, set[str]], text: str) -> str:
    """Return `. Did you mean a5a4?` for the only legal move that is one edit away from a text. Empty if there is none
    or more than one."""
    typed = _fold(text)
    near = [move for move, texts in spelled.items() if any(_is_one_edit(typed, one) for one in texts)]
    return f". Did you mean {game.describe_move(position, near[0])}?" if len(near) == 1 else ""


def _is_one_edit(first: str, second: str) -> bool:
    """Whether two different texts differ by one character that is added, left out or replaced."""
    short, long = sorted((first, second), key=len)
    begin = 0
    while begin < len(short) and short[begin] == long[begin]:
        begin += 1
    return first != second and short[begin + (len(short) == len(long)) :] == long[begin + 1 :]
