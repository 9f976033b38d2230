"""Handles keys and clicks on a board: a move being entered, and keys pressed early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from onlymove_engines.coach.hint import Hint
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.rules import NO_ENTRY, MoveEntry, Target
from onlymove_engines.core.scene import Scene
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession, explain_refusal
from onlymove_engines.play.typed import read_typed

from onlymove_tui.app.widgets.board_view import find_middle, find_nearest, find_neighbour, list_in_line

ARROWS = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
STEPS = {"left": (-1, 0), "right": (1, 0), "above": (0, -1), "below": (0, 1)}
"""The commands that move the cursor."""
MAX_EARLY = 8
"""How many early keys are remembered. More of them come only from a key that is held down."""


class MoveInput:
    """The move that is being entered by the player who is to choose in `session`, with a cursor on the picture that
    `draw` returns. A complete move is passed to `handle_move`. Methods that return a text give the reason why a choice
    is not possible. In that case nothing has changed."""

    def __init__(
        self, session: AnySession, draw: Callable[[], Scene], handle_move: Callable[[Seat, Move], None]
    ) -> None:
        self.session = session
        self.keys = session.game.play.direct_keys
        self.is_steered = session.game.play.is_steered
        self.numbers_hints = not self.is_steered and not any(key.isdecimal() for key in self.keys)
        """Whether digits select hinted moves. They do not where they are targets or where there is no cursor."""
        self.draw = draw
        self.handle_move = handle_move
        self.entry: MoveEntry[Move] = NO_ENTRY
        self.cursor: Target | None = None
        """The target that Enter picks. It is always `None` if the arrows choose targets."""
        self.last_cell: Target | None = None
        """Where the cursor last was on the board, outside the hands."""
        self.early: list[tuple[str, str | None]] = []
        """The keys that were pressed before the player's turn, each with its command."""

    def enters_move(self, key: str, command: str | None) -> bool:
        """Whether this key is used to enter moves, even if nothing can be chosen now."""
        return key in self.keys or command in (*STEPS, "choose")

    def start(self, session: AnySession | None = None) -> None:
        """Start entering a move. With `session`, moves are entered for that one from now on."""
        self.session = session or self.session
        seat = self.session.choosing_seat
        self.entry = NO_ENTRY if seat is None else self.session.make_entry(seat)
        self.place_cursor()

    def find_named(self, key: str) -> Target | None:
        """Return the target of one of the game's own keys, even if it cannot be picked now. If the arrows steer and
        every direction is blocked, each of them picks the only target that is left, so that a player in a dead end can
        go on."""
        target = self.keys.get(key)
        if target is None or not self.is_steered:
            return target
        left = self.entry.next_targets()
        return target if any(way in self.keys.values() for way in left) else next(iter(left), target)

    def completes(self, target: Target) -> bool:
        entry = self.entry.pick(target)
        return entry is not None and entry.move is not None

    def pick(self, target: Target) -> str:
        """Pick one more target. The last one completes the move. A target that was already picked and cannot be picked
        again is taken back, with those after it. If nothing of this is possible, return the reason."""
        entry, seat = self.entry.pick(target), self.session.choosing_seat
        if seat is None:
            return f"You cannot choose {target} now."
        if entry is None and target in self.entry.prefix:
            self._take_back(self.entry.prefix.index(target))
            return ""
        if entry is None:
            return as_sentence(explain_refusal(self.session, seat, (*self.entry.prefix, target)))
        self.entry = entry
        if entry.move is None:
            self.place_cursor()
            return ""
        return self._complete(seat, entry.move)

    def play_typed(self, text: str, names_near: bool = False) -> str:
        """Play what the player has typed. With `names_near`, a refusal may name a legal move."""
        seat = self.session.choosing_seat
        if seat is None:
            return "It is not your turn."
        try:
            move = read_typed(self.session, seat, text, names_near)
        except OnlymoveError as error:
            return as_sentence(str(error))
        return self._complete(seat, move)

    def select_hinted(self, key: str, hint: Hint) -> bool:
        """Pick all but the last target of the hinted move that a digit names, and put the cursor on the last one, so
        that the key that chooses plays the move. Return whether the digit names a move."""
        if not (self.numbers_hints and key.isdecimal() and 0 < int(key) <= len(hint.moves)):
            return False
        wanted = hint.moves[int(key) - 1]
        *prefix, self.cursor = next(path for path, move in self.entry.options.items() if move == wanted)
        self.entry = replace(self.entry, prefix=tuple(prefix))
        return True

    def _complete(self, seat: Seat, move: Move) -> str:
        try:
            self.handle_move(seat, move)
        except OnlymoveError as error:
            self.start()
            return as_sentence(str(error))
        return ""

    def clear(self) -> None:
        self.entry, self.cursor = NO_ENTRY, None

    def drop_target(self) -> None:
        self._take_back(len(self.entry.prefix) - 1)

    def _take_back(self, number: int) -> None:
        """Take back the target with this number, counted from 0, and those after it. The cursor moves to it."""
        target = self.entry.prefix[number]
        self.entry = replace(self.entry, prefix=self.entry.prefix[:number])
        self.place_cursor()
        self.cursor = target

    def pick_all(self, move: Move) -> None:
        """Pick all targets of a move, so that it looks the same no matter how it was entered."""
        if self.entry.move != move:
            paths = (path for path, other in self.entry.options.items() if other == move)
            self.entry = MoveEntry(self.entry.options, next(paths, ()))

    def place_cursor(self) -> None:
        """Put the cursor on the target that is most likely next. After a cell, that is the nearest one towards the
        goal. After a piece from a hand, it is the one closest to where the cursor last was on the board, or at first to
        the middle. Before the first choice, the cursor is on the first piece of the hand that can be picked. Without a
        hand it stays where it is if its target can be picked, and otherwise moves to the nearest target."""
        if self.is_steered:
            return
        scene, seat, play = self.draw(), self.session.choosing_seat, self.session.game.play
        if self.cursor not in (None, *play.hand):
            self.last_cell = self.cursor
        targets = [target for target in self.entry.next_targets() if scene.place(target) is not None]
        chosen = self.entry.prefix[-1] if self.entry.prefix else None
        start = (self.last_cell or find_middle(scene)) if chosen in play.hand else (chosen or self.cursor)
        goals = play.goals[seat] if chosen is not None and seat is not None else ()
        in_hand = [piece for piece in play.hand if piece in targets]
        self.cursor = in_hand[0] if in_hand else find_nearest(scene, start, targets, goals) or self.cursor

    def move_cursor(self, dx: int, dy: int) -> str:
        """Move the cursor in this direction to the next target that can be chosen. If there is none, move it to one in
        its row or column that cannot be chosen, and return the reason."""
        scene, seat = self.draw(), self.session.choosing_seat
        stops = (*self.entry.next_targets(), *list_in_line(scene, self.cursor, is_row=dx != 0))
        self.cursor = find_neighbour(scene, self.cursor, stops, dx, dy)
        if seat is None or self.cursor is None or self.cursor in self.entry.next_targets():
            return ""
        if self.cursor in self.entry.prefix:
            return f"Choose {self.cursor} again to take it back."
        return as_sentence(explain_refusal(self.session, seat, (*self.entry.prefix, self.cursor)))

    def remember(self, key: str, command: str | None) -> bool:
        """Remember a key that was pressed before the player's turn, if it enters moves. Return whether it does."""
        enters = self.enters_move(key, command)
        if enters and len(self.early) < MAX_EARLY:
            self.early.append((key, command))
        return enters

    def replay_early(self) -> None:
        """Use the remembered keys now. After a key that is not possible, the others are dropped."""
        early, self.early = self.early, []
        for key, command in early:
            target = self.cursor if command == "choose" else self.find_named(key)
            if target is not None and (command == "choose" or target in self.entry.next_targets()):
                if self.completes(target) or self.pick(target):
                    return
            elif command in STEPS and not self.is_steered:
                self.move_cursor(*STEPS[command])
