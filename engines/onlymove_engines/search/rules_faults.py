"""Finds faults in a game's rules, texts and symmetries while the game is solved from them.

The values of a table are right only if these hold: a position with moves has no result, a text belongs to one position
and gives it back, and a symmetry changes nothing. Every position is checked once, with all its symmetric images. A
fault raises RefusedRules, in one line that names the position and says what is wrong there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, Final, NoReturn

from onlymove_engines.core.errors import BadNotation, OnlymoveError, RefusedRules
from onlymove_engines.core.game import AnyGame, AnyPosition, Symmetry
from onlymove_engines.core.repetition import drawn_by_repetition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.endless import find_repetition

NOT_IN_TEXT: Final = "\n\r\t\0"
"""A record, a row or a table could not hold a text with one of these characters."""


@contextmanager
def refuse_failing_rules(game: AnyGame) -> Iterator[None]:
    """Turn an error of the rules into RefusedRules. Errors of this project, and numbers that are too large, pass."""
    try:
        yield
    except (OnlymoveError, OverflowError, MemoryError):
        raise
    except Exception as error:
        raise RefusedRules(f"{game.id}: its rules raised an error: {error!r}") from error


def parse_written(game: AnyGame, text: str) -> AnyPosition:
    """Return the position with a text that the game wrote itself. Raises RefusedRules if that is impossible."""
    try:
        found: AnyPosition = game.notation.parse_position(text)
    except BadNotation as refusal:
        raise RefusedRules(f"{game.id}: {text!r} is the text of a position, but it cannot be read: {refusal}") from None
    return found


def refuse_text(game: AnyGame, text: str, found: AnyPosition) -> NoReturn:
    """Raise RefusedRules for the text of a position that was read as another one."""
    again = game.notation.format_position(found)
    if again == text:
        raise RefusedRules(f"{game.id}: {text!r} is the text of two different positions")
    raise RefusedRules(f"{game.id}: {text!r} is the text of a position, but it is read as {again!r}")


def check_texts(game: AnyGame, positions: Sequence[AnyPosition]) -> list[str]:
    """Return the texts of these positions. Raises RefusedRules if one of them does not give its position back."""
    texts = list(map(game.notation.format_position, positions))
    try:
        is_right = list(map(game.notation.parse_position, texts)) == [*positions]
    except BadNotation:
        is_right = False
    if not is_right:
        for position, text in zip(positions, texts, strict=True):
            if (found := parse_written(game, text)) != position:
                refuse_text(game, text, found)
    joined = "".join(texts)
    if any(character in joined for character in NOT_IN_TEXT):
        text = next(text for text in texts if not {*NOT_IN_TEXT}.isdisjoint(text))
        raise RefusedRules(f"{game.id}: {text!r} is the text of a position, but it has a line break, a tab or a null")
    return texts


def check_unfinished(game: AnyGame, positions: Sequence[AnyPosition]) -> None:
    """Raise RefusedRules if one of these positions, which have moves, also has a result."""
    results = list(map(game.rules.result, positions))
    if results.count(None) < len(results):
        position = next(here for here, result in zip(positions, results, strict=True) if result is not None)
        spelled = game.notation.format_position(position)
        raise RefusedRules(f"{game.id}: {spelled} has a result, but legal_moves lists moves there")


class Images:
    """The symmetric images of positions. `steps` say how to make them, as in `find_image_steps`."""

    def __init__(self, game: AnyGame, steps: Sequence[tuple[int, int]]) -> None:
        self.game, repetition = game, find_repetition(game)
        symmetries = game.solved.symmetries
        self._steps = [(symmetries[which], place) for which, place in steps]
        every = {(which, place) for which in range(len(symmetries)) for place in range(len(steps) + 1)}
        self._other_steps = [(symmetries[which], place) for which, place in sorted(every - {*steps})]
        has_own_result = repetition is not None and repetition.result is not drawn_by_repetition
        self._repeated = repetition.result if repetition is not None and has_own_result else None

    def list_all(self, position: AnyPosition) -> list[Any]:
        """List a position and all its images. Some of them may be equal."""
        images = [position]
        for symmetry, place in self._steps:
            images.append(symmetry.position(images[place]))
        return images

    def refuse_open_group(self, position: AnyPosition) -> NoReturn:
        """Raise RefusedRules for a position with an image whose own images are others."""
        spelled = self.game.notation.format_position(position)
        raise RefusedRules(f"{self.game.id}: at {spelled}, an image of an image is not among the images")

    def check(
        self,
        positions: Sequence[AnyPosition],
        moves_of: Sequence[Sequence[Any]],
        children_of: Sequence[Sequence[Sequence[AnyPosition]]],
    ) -> None:
        """Compare positions that represent others with all their images. `children_of` lists all images of the position
        after each move. Raises RefusedRules if the rules treat an image differently, or if a text does not give its
        position back."""
        rows = list(map(self.list_all, positions))
        check_texts(self.game, list(chain.from_iterable(rows)))
        unfinished = [images for images, moves in zip(rows, moves_of, strict=True) if moves]
        check_unfinished(self.game, list(chain.from_iterable(unfinished)))
        for images, moves, children in zip(rows, moves_of, children_of, strict=True):
            self._check_group(images)
            self._check_moves(images, moves, children)
            self._check_points(images)
            if not moves:
                self._check_results(images, list(map(self.game.rules.result, images)))
            elif self._repeated is not None:
                self._check_results(images, list(map(self._repeated, images)))

    def _check_group(self, images: Sequence[AnyPosition]) -> None:
        """Check that every symmetry leads from each image to one of them."""
        members = set(images)
        for symmetry, place in self._other_steps:
            if symmetry.position(images[place]) not in members:
                self.refuse_open_group(images[0])

    def _check_moves(
        self, images: Sequence[AnyPosition], moves: Sequence[Any], children: Sequence[Sequence[AnyPosition]]
    ) -> None:
        """Check the moves of the images of a position with these moves, where they lead, and the side to move."""
        legal_moves, to_move, play = self.game.rules.legal_moves, self.game.rules.to_move, self.game.rules.play
        moves_of, seats = [moves], [to_move(images[0]) or 0]
        for which, (symmetry, place) in enumerate(self._steps, 1):
            image, mapped = images[which], list(map(symmetry.move, moves_of[place]))
            seat = 1 - seats[place] if symmetry.swaps_seats else seats[place]
            moves_of.append(mapped)
            seats.append(seat)
            if set(mapped) != set(legal_moves(image)):
                self._refuse_moves(symmetry, images[place], image, moves_of[place])
            if to_move(image) != seat:
                self._refuse(symmetry, images[place], "the wrong side moves in its image")
            for move, own_move, child in zip(mapped, moves_of[place], children, strict=True):
                if play(image, move) != child[which]:
                    spelled = self.game.notation.format_move(images[place], own_move)
                    self._refuse(symmetry, images[place], f"the image of the move {spelled} leads to another position")

    def _check_points(self, images: Sequence[AnyPosition]) -> None:
        if (read := self.game.play.points) is not None:
            points = list(map(tuple, map(read, images)))
            for (symmetry, place), found in zip(self._steps, points[1:], strict=True):
                if found != (points[place][::-1] if symmetry.swaps_seats else points[place]):
                    self._refuse(symmetry, images[place], "its image has other points")

    def _check_results(self, images: Sequence[AnyPosition], results: Sequence[Result | None]) -> None:
        for (symmetry, place), found in zip(self._steps, results[1:], strict=True):
            if describe_end(found) != describe_end(results[place], symmetry):
                self._refuse(symmetry, images[place], "its image has another result")

    def _refuse_moves(
        self, symmetry: Symmetry[Any, Any], here: AnyPosition, image: AnyPosition, moves: Sequence[Any]
    ) -> NoReturn:
        legal, to_text = set(self.game.rules.legal_moves(image)), self.game.notation.format_move
        for move in moves:
            if symmetry.move(move) not in legal:
                self._refuse(symmetry, here, f"the image of the move {to_text(here, move)} is not a legal move")
        self._refuse(symmetry, here, "its image has a legal move that is not the image of one here")

    def _refuse(self, symmetry: Symmetry[Any, Any], here: AnyPosition, what: str) -> NoReturn:
        spelled = self.game.notation.format_position(here)
        raise RefusedRules(f"{self.game.id}: at {spelled}, by the symmetry '{symmetry.name}', {what}")


def describe_end(
    result: Result | None, symmetry: Symmetry[Any, Any] | None = None
) -> tuple[bool, Seat | None, tuple[int, int] | None]:
    """Return whether there is a result, who wins, and the score, as in the image of the position."""
    if result is None:
        return False, None, None
    if symmetry is None or not symmetry.swaps_seats:
        return True, result.winner, result.score
    winner, score = result.winner, result.score
    return True, None if winner is None else other(winner), None if score is None else (score[1], score[0])
