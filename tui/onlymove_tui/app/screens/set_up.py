"""The screen for setting up a position, piece by piece. A line under the board says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial

from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.game import AnyGame, AnyPosition, SetUp, find_objection
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.value import Move

from onlymove_tui.app.messages import Opened, Pointed
from onlymove_tui.app.panels.game_rows import SEAT_SIGNS, piece_tone, seat_run, wrap
from onlymove_tui.app.screens.explore import NodeScreen, check_reachable
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import KeyBar, Notice
from onlymove_tui.app.widgets.board_view import BoardView, Marks, find_neighbour
from onlymove_tui.app.widgets.canvas import Row

SET_UP = "a position you set up"
FINE = "This position is legal."


def look_at_draft(services: Services, game: AnyGame, draft: AnyPosition) -> str:
    """Return what is wrong with a draft. Empty if it is legal and a game can lead to it. Call it in a worker."""
    wrong = find_objection(game.notation, draft)
    try:
        if not wrong:
            check_reachable(services, game, draft)
    except OnlymoveError as refusal:
        wrong = str(refusal)
    return as_sentence(wrong)


class SetUpScreen(NodeScreen, screen_id="setup"):
    """Sets up a position. `take` gets the position and its name. `wrong` says what is wrong with it, and is `None`
    until that is known."""

    def __init__(self, game: AnyGame, draft: AnyPosition, take: Callable[[AnyPosition, str], None]) -> None:
        super().__init__("As text", "Pieces")
        assert game.play.set_up is not None, "it is offered where it can be done"
        self.game = game
        self.pieces: SetUp[AnyPosition] = game.play.set_up
        self.draft = self.begun = draft
        self.take_position = take
        self.wrong: str | None = None
        self.cursor: Target = self.scene(1).places[0].target

    def on_mount(self) -> None:
        self.change(self.draft)

    def change(self, draft: AnyPosition) -> None:
        self.draft, self.wrong = draft, None

        def take(wrong: str) -> None:
            if draft == self.draft:
                self.wrong = wrong
                self.mark_changed()

        self.fetch(partial(look_at_draft, self.services, self.game, draft), take, "check", keys_wait=True)
        self.mark_changed()

    def scene(self, scale: int) -> Scene:
        """Draw the draft without showing what the side to move could pick."""
        seat, ascii_only = self.game.rules.to_move(self.draft) or 0, self.is_attached and self.services.ascii_only
        view: View[AnyPosition, Move] = View(
            (self.draft,), (), self.flipped, ascii_only=ascii_only, scale=scale, seat=seat
        )
        return self.game.painter.scene(view)

    def paint(self, stale: AbstractSet[str]) -> None:
        width, text = self.node_layout.width, self.game.notation.format_position(self.draft)
        there, signs = self.pieces.there(self.draft, self.cursor), list(self.pieces.pieces)
        self.node_layout.title_bar.show([(self.game.facts.title, Tone.TITLE), ("  set up a position", Tone.DIM)], [])
        rows: list[list[Row]] = [
            [[(f"{sign}  ", Tone.KEY), (words, Tone.TEXT)]] for sign, words in self.pieces.pieces.items()
        ]
        marked = signs.index(there) if there in signs else 0
        seat = self.game.rules.to_move(self.draft) or 0
        sign, name = (f"{SEAT_SIGNS[seat]} ", piece_tone(self.game, seat)), seat_run(self.game, seat)
        self.node_layout.show(wrap(text, width), [[sign, name, (" to move", Tone.TEXT)]], rows, marked)
        self.query_one(BoardView).show(self.scene, Marks(cursor=self.cursor))
        self.query_one(Notice).show([self.describe_fault()])
        self.query_one(KeyBar).repaint()

    def describe_fault(self) -> Row:
        if self.wrong is None:
            return ()
        return [(self.wrong, Tone.ERROR) if self.wrong else (FINE, Tone.WIN)]

    def takes_key(self, key: str, character: str | None) -> bool:
        if character in self.pieces.pieces and character is not None and not self.services.is_gated:
            self.put(character)
            return True
        return super().takes_key(key, character)

    def put(self, piece: str) -> None:
        self.change(self.pieces.put(self.draft, self.cursor, piece))

    def on_opened(self, message: Opened) -> None:
        self.put(list(self.pieces.pieces)[message.index])

    def on_pointed(self, message: Pointed) -> None:
        """Move the cursor to the clicked cell. If the cursor is there already, put the next piece on it."""
        if message.target == self.cursor:
            self.action_next_piece()
        self.cursor = message.target
        self.mark_changed()

    def action_cursor(self, dx: int, dy: int) -> None:
        scene = self.scene(self.query_one(BoardView).scale)
        self.cursor = (
            find_neighbour(scene, self.cursor, [place.target for place in scene.places], dx, dy) or self.cursor
        )
        self.mark_changed()

    def action_next_piece(self) -> None:
        self.change(self.pieces.cycle_piece(self.draft, self.cursor))

    def action_turn(self) -> None:
        if self.pieces.turned is not None:
            self.change(self.pieces.turned(self.draft))

    def action_clear(self) -> None:
        self.change(self.pieces.empty)

    def action_use(self) -> None:
        """Explore the position, if nothing is wrong with it. If it was not changed, just go back."""
        if self.wrong == "":
            self.action_leave()
            if self.draft != self.begun:
                self.take_position(self.draft, SET_UP)

    def check_actions(self) -> dict[str, bool]:
        """Allow Enter only if the position is legal, and changing the turn only if the pieces do not determine it."""
        return {
            "use": self.wrong == "",
            "turn": self.pieces.turned is not None,
            "panel": self.has_class("-narrow"),
        }
