"""A position with its legal moves and result. Notebooks show it as a picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from onlymove_engines import games as packages
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Result, moves_of
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move, Seat

from onlymove.arguments import check_seat


@dataclass(frozen=True)
class Position:
    """A position of a game. Two positions are equal if they belong to the same game and have the same state. `of` is
    the game's definition and `state` the game's own form of the position, for code below this library. `past` lists the
    earlier positions that the picture needs, each with the move that was played from it."""

    of: AnyGame = field(repr=False)
    state: AnyPosition = field(repr=False)
    past: tuple[tuple[AnyPosition, Move], ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.of.id} {self.text}>"

    def __hash__(self) -> int:
        return hash((self.of.id, self.state))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.of.id, self.state) == (other.of.id, other.state)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.of.id, self.state, self.past)

    @property
    def text(self) -> str:
        """The position in notation. `game.parse` reads it back."""
        return self.of.notation.format_position(self.state)

    @property
    def to_move(self) -> str | None:
        """The name of the side to move, one of `game.seats`; `None` if both sides move at once."""
        seat = self.of.rules.to_move(self.state)
        return None if seat is None else self.of.seats[seat]

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves as text, or the legal rounds if both sides move at once. Empty when the game is over."""
        to_text = self.of.notation.format_move
        return tuple(to_text(self.state, move) for move in self.of.rules.legal_moves(self.state))

    def moves_of(self, seat: Seat) -> tuple[str, ...]:
        """Return the choices of one side (0 or 1) in a game where both sides move at once. Raises ValueError for
        another seat, and TypeError if the sides take turns."""
        if not self.of.facts.simultaneous:
            raise TypeError("in this game one side moves at a time")
        return tuple(map(str, moves_of(self.of.rules, self.state, check_seat(seat))))

    @property
    def result(self) -> Result | None:
        """How the game ended, or `None` while it goes on. `winner` is 0 or 1, or `None` for a draw. `score` and
        `reason` say more. This looks at the position alone, so it does not know about an end by repetition."""
        return self.of.rules.result(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.result is not None

    def picture(self, ascii_only: bool = False) -> str:
        """Return the board as several lines of text."""
        return self.of.painter.scene(self._view(ascii_only)).text()

    def _repr_svg_(self) -> str:
        """Return the board as a picture for a notebook."""
        from onlymove.pictures.svg import draw_board  # noqa: PLC0415 - many programs draw no board

        last = self.of.painter.trace(*self.past[-1]) if self.past else ()
        drawn = draw_board(self.of.painter.scene(self._view(scale=2)), last, "light")
        return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def _view(self, ascii_only: bool = False, scale: int = 1) -> View[AnyPosition, Move]:
        states, moves = [state for state, _ in self.past], tuple(move for _, move in self.past)
        return View((*states, self.state), moves, ascii_only=ascii_only, scale=scale, is_over=self.is_over)


def read_state(position: object, game: AnyGame) -> AnyPosition:
    """Return a position in the game's own form. Raises TypeError, or ValueError if it belongs to another game."""
    if not isinstance(position, Position):
        hint = "; use game.parse to read text" if isinstance(position, str) else ""
        raise TypeError(f"expected a position of {game.id}, not {position!r}{hint}")
    if position.of.id != game.id:
        raise ValueError(f"this is a position of {position.of.id}, not of {game.id}")
    return position.state


def _rebuild(game_id: str, state: AnyPosition, past: tuple[tuple[AnyPosition, Move], ...]) -> Position:
    return Position(packages.load(game_id), state, past)
