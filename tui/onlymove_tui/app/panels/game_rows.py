"""Rows about a game: who plays, the clocks, verdicts, and the place of a move in the game."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from onlymove.pictures.colours import Ink, Tone
from onlymove_engines.coach.drill import find_mistakes
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import Outcome, Seat
from onlymove_engines.core.words import mentions_distance
from onlymove_engines.live.clock import format_time
from onlymove_engines.live.live_game import LiveGame, is_revealed
from onlymove_engines.play.players import Player, get_level
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.app.widgets.canvas import FURTHER, Row, Run, choose_fitting
from onlymove_tui.app.widgets.layout import SIDE_WIDTH
from onlymove_tui.play.phrases import NO_VALUES, describe_solved, engine_name, move_label

OUTCOME_TONES: Mapping[Outcome, Ink] = {
    Outcome.WIN: Tone.WIN,
    Outcome.DRAW: Tone.DRAW,
    Outcome.LOSS: Tone.LOSS,
}
SIGNS_OF_COLOURS = {Role.WHITE: Role.WHITE_SIGN, Role.BLACK: Role.BLACK_SIGN}
"""Colours for signs and bars of pieces whose own colour is visible only on the board."""
SEAT_SIGNS = ("●", "○")
FINDING_VALUES, FINDING_REASONS = "Working out the values...", "Working out an explanation..."


def seat_tone(game: AnyGame, seat: Seat) -> Ink:
    """Return the colour for a side's name. It is the colour of the side's pieces, if text in it can be read."""
    role = game.play.seat_roles[seat]
    return Tone.STRONG if role in SIGNS_OF_COLOURS else role


def seat_run(game: AnyGame, seat: Seat) -> Run:
    return game.seats[seat], seat_tone(game, seat)


def piece_tone(game: AnyGame, seat: Seat) -> Ink:
    """Return the colour for a side's symbol and bars. It is the colour of the side's pieces on the board."""
    role = game.play.seat_roles[seat]
    return SIGNS_OF_COLOURS.get(role, role)


def mover_row(game: AnyGame, seat: Seat) -> Row:
    """Return a row such as `● Top to move`."""
    return [(f"{SEAT_SIGNS[seat]} ", piece_tone(game, seat)), seat_run(game, seat), (" to move", Tone.TEXT)]


def judgement_tone(judgement: Judgement) -> Ink:
    if judgement.only:
        return Tone.BEST
    return (Tone.DIM, Tone.BEST, Tone.DIM, Tone.SLIP, Tone.LOSS, Tone.LOSS)[judgement.grade.gravity]


def verdict_row(live: LiveGame, node: AnyNode, judgement: Judgement) -> Row:
    """Return the verdict on the move into `node`. Empty if training is off or the player need not know it."""
    if not (live.comments and judgement.has_verdict and live.coaching.tells(judgement)):
        return ()
    label = "" if live.is_simultaneous else f"{move_label(live.game, node)}: "
    return [(label, Tone.DIM), (judgement.verdict(line=live.game.voice.reasons.line), judgement_tone(judgement))]


def no_mistakes_text(live: LiveGame, by: int, everything: bool, has_mistakes: bool) -> str:
    """Say that there is no mistake after a move (`by` is 1) or before it (`by` is -1), or none in the whole game."""
    if not (everything or is_revealed(live)):
        return "Mistakes are shown at the end of the game."
    is_alone = len(live.session.human_seats) == 1
    where = f"{'after' if by > 0 else 'before'} this"
    if live.session.is_over and not has_mistakes:
        if find_mistakes(live.session):
            return f"No mistake{' of yours' if is_alone else ''} changed the result."
        where = "in this game"
    elif len(live.session.tree.nodes) == 1:
        return "No moves have been played yet."
    return f"{'You made' if is_alone else 'There are'} no mistakes {where}."


def round_row(live: LiveGame) -> Row:
    """Return the verdicts on two people's choices in the last round, once both choices have been shown."""
    judgements = live.node.judgements
    if not live.session.is_blind or not live.comments or len(judgements) < 2:
        return ()
    row: list[Run] = []
    for seat, found in sorted(judgements.items()):
        row.append((f"{'   ' if row else ''}{live.game.seats[seat]}: ", Tone.DIM))
        row.append((f"{found.glyph} {found.verdict()}".strip(), judgement_tone(found)))
    return row


def describe_missing_values(live: LiveGame, node: AnyNode) -> str:
    """Say whether the values of the moves from `node` are not ready yet or do not exist. Empty if they are known."""
    if node.values is not None or node.result is not None:
        return ""
    return FINDING_VALUES if live.awaits_values(node) else NO_VALUES


def missing_values_row(live: LiveGame, node: AnyNode) -> Row:
    text = describe_missing_values(live, node)
    return [(text, Tone.DIM)] if text else ()


def player_names(live: LiveGame, player: Player) -> Sequence[str]:
    """Return names for a player, the longest first. None are needed beside the times of two people."""
    if player.is_human:
        is_alone = len(live.session.human_seats) == 1
        return ["you"] if is_alone else ["person"] if live.clock is None else []
    if player.is_elsewhere:
        return [player.name, player.name[:8]]
    name = engine_name(live.game, player)
    return [name] if get_level(live.game, player) is not None else [name, f"at {player.strength}"]


def player_rows(
    live: LiveGame, result: Result | None, mover: Seat | None, names_engines: bool = True, width: int = SIDE_WIDTH
) -> list[Row]:
    """Return a row for each side, in the order of their places on the board. An arrow marks `mover`."""
    arrow, near = "▸ " if result is None else "", live.session.near_seat
    rows: list[Row] = []
    for seat in (1 - near, near) if live.game.play.own_side_below else (0, 1):
        has_won = result is not None and result.winner == seat
        row = player_row(live, seat, has_won, names_engines, width - len(arrow))
        rows.append([(arrow if seat == mover else " " * len(arrow), Tone.CURRENT), *row])
    return rows


def player_row(live: LiveGame, seat: Seat, has_won: bool, names_engines: bool, width: int) -> Row:
    """Return a side with its player's name, or an engine's strength if there is no space for that, and its time."""
    player = live.session.players[seat]
    sign, name, won = SEAT_SIGNS[seat], live.game.seats[seat], "  won" if has_won else ""
    left = format_time_left(live, seat)
    names = player_names(live, player) if names_engines or not player.is_engine else ()
    gap = 0 if names else max(map(len, live.game.seats)) - len(name)
    time = f"  {' ' * gap}{left}" if left else ""
    words = [*(f"{gap}{known}" for known in names for gap in ("  ", " ")), ""]
    return [
        (sign, piece_tone(live.game, seat)),
        (f" {name}", seat_tone(live.game, seat)),
        (choose_fitting(words, width - len(f"{sign} {name}{won}{time}")), Tone.DIM),
        (time, Tone.STRONG),
        (won, Tone.WIN),
    ]


def format_time_left(live: LiveGame, seat: Seat) -> str:
    if live.clock is None or live.session.players[seat].is_engine:
        return ""
    return format_time(live.clock.seconds_left[seat])


REASON_LINES = 4
"""The lines for sentences about a bad move. They are blank until the sentences come, so that nothing jumps."""


def reason_rows(live: LiveGame, sentences: Sequence[str], width: int) -> list[Row]:
    """Return as many sentences as fit into `REASON_LINES` lines, filled up with blank lines if sides alternate."""
    rows = whole_sentences(sentences, width, REASON_LINES)
    return rows if live.is_simultaneous else [*rows, *[()] * (REASON_LINES - len(rows))]


def whole_sentences(sentences: Sequence[str], width: int, space: int) -> list[Row]:
    """Return the sentences that fit completely into `space` lines."""
    rows: list[Row] = []
    for sentence in sentences:
        lines = wrap(sentence, width)
        rows += lines if len(rows) + len(lines) <= space else []
    return rows


def wrap(text: str, width: int, tone: Ink = Tone.TEXT) -> list[Row]:
    """Break a sentence into lines, and indent all but the first."""
    lines = textwrap.wrap(text, width, subsequent_indent=FURTHER[0])
    return [[FURTHER, (line.lstrip(), tone)] if number else [(line, tone)] for number, line in enumerate(lines)]


def add_after_distance(rows: Sequence[Row], added: Sequence[Row]) -> Sequence[Row]:
    """Add rows after the sentence that first says how far away something is, or at the end if none of them does."""
    text = ""
    for place, row in enumerate(rows):
        goes_on = bool(row) and (row[0] == FURTHER or row[0][1] is Tone.ALARM)
        if not goes_on and mentions_distance(text):
            return [*rows[:place], *added, *rows[place:]]
        text += "".join(part for part, _ in row) + " "
    return [*rows, *added]


def describe_place(node: AnyNode, end: AnyNode) -> str:
    """Return which move of the game this is, such as `move 7 of 18`. The moves of both sides are counted."""
    return "the start" if node.parent is None else f"move {node.ply} of {end.ply}"


def game_title(live: LiveGame) -> Row:
    """Return the game's name with its solved value, or with a remark if it began at another position."""
    game, start = live.game, live.session.tree.root.position
    is_usual = live.is_simultaneous or start == game.default_start()
    what = describe_solved(game.facts.solved) if is_usual else "custom starting position"
    return [(game.facts.title, Tone.TITLE), (f"  {what}", Tone.DIM)]
