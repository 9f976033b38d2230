"""What a board shows. The screen makes a picture for each change, and the board shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from onlymove.pictures.painting import Marks
from onlymove_engines.core.scene import Scene
from onlymove_engines.core.value import Mixed
from onlymove_engines.live.live_game import is_revealed
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.app.board.state import BoardState
from onlymove_tui.app.panels import game_rows, side_panels, value_rows
from onlymove_tui.app.widgets.board_view import Draw
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.course import Ply, Strip
from onlymove_tui.app.widgets.layout import Docked, Miniature, Note
from onlymove_tui.play.phrases import explain_choices, find_doubtful_choice

NO_BACKGROUND = Note("This position")


class Stage(NamedTuple):
    """What is on the board itself: the picture that `draw` returns, with its marks, or the `frames` of an animation,
    each for some seconds."""

    draw: Draw
    marks: Marks
    frames: Sequence[Scene] = ()
    seconds: float = 0.0


class Side(NamedTuple):
    """What is beside a board: the players, the moves, of which `current` is marked, the values of moves, who wins, the
    value strip and, on a wide screen, facts about the position and the best reply to a mistake. With `paired`, two
    moves make a line."""

    players: Sequence[Row]
    moves: Sequence[Ply]
    current: int
    paired: bool
    worth: Note
    winner: Row = ()
    values: Strip | None = None
    background: Note = NO_BACKGROUND
    reply: Miniature | None = None


class BoardPicture(NamedTuple):
    """What a screen shows on its board and around it. The screen makes it once for a change. Parts that have not
    changed are `None`. `more` is the last line of a text that does not fit, with the name of its key."""

    title: tuple[Row, Row] | None = None
    stage: Stage | None = None
    side: Side | None = None
    note: Note | None = None
    lines: Docked | None = None
    more: Row | None = None


def make_side(
    state: BoardState,
    path: Sequence[AnyNode],
    width: int,
    *,
    with_values: bool,
    everything: bool,
    in_plain_words: bool,
    names_engines: bool,
    placeholder: Sequence[Row] = (),
) -> Side:
    """Return what is beside a board in a space of this width. The moves and values of the positions on `path` are
    listed: `with_values` also the value of every move in the shown position, with `everything` all judgements, whoever
    has answered what, and with `in_plain_words` for a newcomer. Where no values may be shown, `placeholder` says why.
    `names_engines` means that the panel of players names the engine that plays."""
    live, playback = state.live, state.playback
    at, result, has_ended = playback.node, playback.result, playback.result is not None
    is_after_round = live.is_simultaneous and at.parent is not None and at is not live.node
    worth = Note("Next round" if is_after_round else "Every move", otherwise=placeholder)
    if with_values:
        played = next((node.move for node in path if node.parent is at), None)
        worth = replace(worth, rows=value_rows.move_value_rows(live, at, at.values, width, played, in_plain_words))
    side = Side(
        players=game_rows.player_rows(live, result, playback.mover, names_engines, width),
        moves=side_panels.list_plies(live, path, everything, in_plain_words),
        current=path.index(at),
        paired=not live.is_simultaneous,
        worth=worth,
    )
    if (everything or with_values or has_ended) and playback.refutation is None:
        side = side._replace(winner=value_rows.winner_row(live, at, width, in_plain_words))
    if everything or is_revealed(live):
        strip = side_panels.build_strip(live, at, path, has_ended, everything, in_plain_words)
        side = side._replace(values=strip)
    return side


def advice_rows(
    state: BoardState, width: int, with_values: bool, in_plain_words: bool, has_die: bool, is_framed: bool
) -> Sequence[Row]:
    """Return the hint. If both sides move at once, the payoffs follow it when they may be shown. Reasons that the
    player asked for come before them, or replace them beside a stopped move on a small screen. `has_die` means that the
    player can have a choice drawn, and `is_framed` that the screen is large."""
    live, hint, payoffs = state.live, state.requests.hint, state.requests.payoffs
    if hint is not None and in_plain_words:
        hint = value_rows.hint_in_words(hint, live)
    rows = [] if hint is None else value_rows.hint_rows(hint, width, state.move_input.numbers_hints)
    values, is_full_hint = live.node.values, hint is not None and hint.is_last
    if not isinstance(values, Mixed):
        return rows
    if payoffs:
        texts = explain_choices(live, values)
        rows = [*(row for text in texts for row in game_rows.wrap(text, width)), *rows]
    choice = find_doubtful_choice(live, values)
    is_past = choice is not None and choice[0] is not live.node
    has_space = not is_past and (live.stopped_move is None or is_framed)
    if (with_values and not (payoffs and is_past)) or is_full_hint or (payoffs and has_space):
        rows += value_rows.payoff_rows(values, live.session.speaking_seat, has_die)
    return rows
