"""The lines under a board: a stopped move, a refutation, the result, whose turn it is, or who is away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.reasons import choose_fitting_sentence
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Target, moves_of
from onlymove_engines.core.value import Seat
from onlymove_engines.core.words import format_count, mentions_distance
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import AnySession

from onlymove_tui.app.panels import game_rows, value_rows
from onlymove_tui.app.panels.game_rows import describe_place
from onlymove_tui.app.widgets.bars import BETWEEN
from onlymove_tui.app.widgets.canvas import KEY_GAP, Row, Run, key_row, name_keys, phrase_row, row_width
from onlymove_tui.app.widgets.fields import Typing
from onlymove_tui.app.widgets.layout import Docked
from onlymove_tui.lobby.shared_game import get_shared_game
from onlymove_tui.play.keys import Key, KeyWords, phrase, to_text
from onlymove_tui.play.phrases import NO_MOVE_MATTERS, describe_counting, move_label, own_ending_text
from onlymove_tui.play.situations import BestLine, Past, Stopped


def has_drills(live: LiveGame) -> bool:
    return bool(make_mistake_drills(live.session))


NARROW_GAP = "  "
"""Separates the keys of a row that has many."""


WHERE_RULES = phrase("; {rules} shows the rules.")
"""The end of the sentence about a newcomer's stopped move."""


def ask(question: Row, keys: KeyWords, is_guarded: bool = False, gap: str = KEY_GAP) -> Docked:
    return Docked([question], keys, is_banner=True, is_guarded=is_guarded, gap=gap)


def stopped_move_lines(
    situation: Stopped, message: Row, reasons: Sequence[str], width: int, is_folded: bool, name: Callable[[str], str]
) -> Docked:
    """Return a warning about a stopped move, and the keys to answer. The keys count only after the player had time to
    read them. If no panels are shown (`is_folded`), the warning says what the move gives away. After it comes a
    message, or the first reason that fits. A message that is too long for that takes the place of the warning. Its keys
    have names. Newcomers also read where the rules are. `name` returns the name of a command's key."""
    live, stopped_move = situation.live, situation.stopped_move
    judgement = stopped_move.judgement
    lost = value_rows.describe_loss(live, stopped_move.seat, judgement) if is_folded else ""
    rules = to_text(WHERE_RULES, name) if live.coaching.for_newcomer else ""
    first: list[Run] = [(f"{judgement.glyph}  {lost}", Tone.ERROR)]
    gap = "  " if lost else ""
    reason = choose_fitting_sentence(reasons, width - row_width(first) - len(gap + rules))
    warning = reason or ("" if lost else judgement.warning())
    if message:
        first += [(gap, Tone.TEXT), *message]
    elif warning:
        end = rules or warning[-1:]
        first += [(f"{gap}{warning[:-1]}", Tone.TEXT if reason else Tone.ERROR), (end, Tone.TEXT)]
    else:
        first.append((rules, Tone.TEXT))
    return ask(message if row_width(first) > width else first, situation.keys, is_guarded=True, gap=NARROW_GAP)


def refutation_lines(game: AnyGame, situation: BestLine, message: Row) -> Docked:
    return ask(message or value_rows.refutation_line(game, situation.line), situation.keys)


def past_lines(live: LiveGame, situation: Past, message: Row) -> Docked:
    at = situation.node
    where = f"{'At' if at.parent is None else 'After'} {describe_place(at, live.node)}"
    return Docked([message or [(where, Tone.STRONG)]], situation.keys)


def end_lines(live: LiveGame, new_drills: int, message: Row, keys: KeyWords) -> Docked:
    """Return the result of a game that is over, or a message, and the keys that go on from there."""
    result = live.session.result
    assert result is not None, "the game is over"
    keys = (("drill_these", "drills"), *keys) if has_drills(live) else keys
    drills = f"  {format_count(new_drills, 'new drill')}" if new_drills else ""
    who, colon, why = own_ending_text(live, result).partition(":")
    first: Row = [(who, Tone.STRONG), (colon + why, Tone.STRONG), (drills, Tone.HINT)]
    return ask(message or first, keys, gap=NARROW_GAP)


def fit_keys(
    keys: KeyWords, in_footer: KeyWords | None, way_out: str, gap: str, width: int, name: Callable[[str], str]
) -> KeyWords:
    """Return the keys to name under the board: all of them with those of the footer, if they fit into one line, so that
    there are no two lines of keys. Otherwise the footer keeps its own, and the `way_out` is among these, so that the
    key to the list of keys is not alone there. On a low screen there is no footer (`None`), and the way out stays. The
    keys before it are then left out until the others fit. `name` returns the name of a command's key."""

    def fits(shown: KeyWords) -> bool:
        return row_width(name_keys(key_row(shown, gap), name)) < width

    if in_footer is not None:
        whole = (*keys, *in_footer)
        return whole if fits(whole) else [key for key in keys if key[0] != way_out]
    *others, last = keys
    while last[0] == way_out and others and not fits((*others, last)):
        others.pop()
    return (*others, last)


def add_footer(rows: Sequence[Row], words: KeyWords, width: int, name: Callable[[str], str]) -> Sequence[Row]:
    """Add the footer's words to the last line that has space for them, because these lines replace the footer on a low
    screen. If no line has space, the end of the first line is left out, because the panels repeat it."""
    words_run = [run for word in words for run in ((KEY_GAP, Tone.TEXT), *name_keys(key_row([word]), name))]
    left = width - row_width(words_run)
    if all(row_width(row) >= left for row in rows):
        first = rows[0]
        fitting = next((first[:end] for end in range(len(first), 0, -1) if row_width(first[:end]) < left), first)
        rows = [fitting, *rows[1:]]
    ends = [n for n, row in enumerate(rows) if row_width(row) < left]
    return [[*row, *words_run] if ends and n == ends[-1] else row for n, row in enumerate(rows)]


def add_counting(game: AnyGame, rows: Sequence[Row], width: int) -> Sequence[Row]:
    """Say how moves are counted, after a row that says how far away something is, if it has enough space."""
    short = "(a round is one move)" if game.facts.simultaneous else "(both sides' moves)"
    for words in (describe_counting(game), short):
        for n, row in enumerate(rows):
            is_about = mentions_distance("".join(text for text, _ in row))
            if is_about and row_width(row) + len(words) + len(BETWEEN) < width:
                return [*rows[:n], [*row, (f"{BETWEEN}{words}", Tone.DIM)], *rows[n + 1 :]]
    return rows


def add_times(live: LiveGame, rows: Sequence[Row], has_hint: bool) -> Sequence[Row]:
    """Put the people's times, such as `● 4:58 ○ 5:00`, in front of the first line, or of the last if that is a hint
    (`has_hint`). There are none without a clock or after the game."""
    times: list[Run] = []
    for seat in () if live.session.is_over else (0, 1):
        if left := game_rows.format_time_left(live, seat):
            sign: Run = game_rows.SEAT_SIGNS[seat], game_rows.piece_tone(live.game, seat)
            times += [("  " if times else "", Tone.TEXT), sign, (f" {left}", Tone.STRONG)]
    at = len(rows) - 1 if has_hint else 0
    return [[*times, ("   ", Tone.TEXT), *row] if times and n == at else row for n, row in enumerate(rows)]


def typing_lines(typing: Typing, width: int, game: AnyGame, position: AnyPosition, seat: Seat | None) -> Docked:
    """Return the move being typed. Below it is the first legal move as an example, or why the text was refused."""
    if seat is not None and game.facts.simultaneous:
        moves = (str(move) for move in moves_of(game.rules, position, seat))
    else:
        moves = (game.describe_move(position, move) for move in game.rules.legal_moves(position))
    example = next(moves, "")
    hint = f"For example: {example}" if example else "Type it in the game's notation."
    why: Row = [(typing.why, Tone.ERROR)] if typing.why else [(hint, Tone.DIM)]
    return Docked([[("Move  ", Tone.KEY), *typing.row(width - 8)], why])


def thinking_line(live: LiveGame) -> Row:
    """Return which engine is thinking, or that a game between engines is paused."""
    is_between_engines, mover = live.session.is_between_engines, live.session.to_move
    if is_between_engines and live.is_paused:
        return [("Paused: ", Tone.STRONG), *phrase_row(phrase("{pause} continue"), Tone.DIM)]
    who = "The engines are" if mover is None else f"{live.game.seats[mover]} is"
    return phrase_row((f"{who} thinking", *(("   ", Key("pause"), " pause") if is_between_engines else ())), Tone.DIM)


def turn_line(live: LiveGame, prefix: Sequence[Target], is_newcomer: bool = False) -> Row:
    """Return which side chooses a move at this keyboard, and the targets picked so far. A newcomer is also told what to
    pick first. If the game can be played out, everybody is told so instead."""
    seat = live.session.choosing_seat
    assert seat is not None, "a player may choose"
    name = game_rows.seat_run(live.game, seat)
    row: list[Run] = [name, (" chooses" if live.is_simultaneous else " to move", Tone.TEXT)]
    if live.is_simultaneous and not live.session.is_blind:
        row = [("You are ", Tone.TEXT), name, (". Both move at once.", Tone.TEXT)]
    row += steering_row(live.game)
    if prefix:
        row.append((f"   {describe_next_pick(live.session, prefix)}", Tone.CURRENT))
    elif live.rest:
        row += [
            ("   ", Tone.TEXT),
            *phrase_row((NO_MOVE_MATTERS, *phrase("{play_out} plays the rest out.")), Tone.STRONG),
        ]
    elif is_newcomer and live.game.facts.picks:
        row.append((f"   {live.game.facts.picks[0]}.", Tone.DIM))
    return row


def describe_next_pick(session: AnySession, prefix: Sequence[Target]) -> str:
    """Return the targets picked so far and what to pick next, such as `d2 - c2: Now place your own marble.`"""
    chosen, picks, describe = " - ".join(prefix), session.game.facts.picks, session.game.voice.describe_pick
    own_words = "" if describe is None else describe(session.position, tuple(prefix))
    if own_words or picks:
        return f"{chosen}: {own_words or picks[min(len(prefix), len(picks) - 1)]}."
    return f"{chosen} - ?"


def animation_row(live: LiveGame) -> Row:
    name: Run = move_label(live.game, live.node), Tone.STRONG
    return [("Watch this move: ", Tone.DIM), name, *phrase_row(phrase(".   {choose} skips it"), Tone.DIM)]


def steering_row(game: AnyGame) -> Row:
    return [("   Press an arrow key.", Tone.DIM)] if game.play.is_steered else []


def waiting_line(live: LiveGame) -> Row:
    is_late = live.waiting is not None and live.is_simultaneous and live.list_choosing_engines()
    what = "Your opponent is still choosing..." if is_late else "Checking your move..."
    return phrase_row((what, " ", Key("back"), " take back"), Tone.DIM)


def name_at(live: LiveGame, seat: Seat) -> str:
    player = live.session.players[seat]
    return player.name if player.is_elsewhere else "you"


def rematch_row(asks_again: str) -> Row:
    """Return the offer of a player with this name to play again. Empty without a name."""
    offer = phrase("{who} wants to play again. Press {rematch} to accept.", who=asks_again)
    return phrase_row(offer, Tone.STRONG) if asks_again else ()


def describe_request(live: LiveGame) -> str:
    """Return what the opponent in a shared game asks for, or an empty text."""
    shared = get_shared_game(live)
    request, own = shared.find_request(), shared.own
    return "" if request is None or own is None else f"{name_at(live, 1 - own.seat)} {request.sentence}"


def turn_of_others(live: LiveGame) -> Row:
    """Return whom a shared game waits for, if that is not this player."""
    if (mover := live.session.to_move) is not None:
        return [game_rows.seat_run(live.game, mover), (f" to move: {name_at(live, mover)}", Tone.TEXT)]
    fixed = get_shared_game(live).standing.fixed
    names = " and ".join(name_at(live, seat) for seat in (0, 1) if seat not in fixed)
    return [(f"Waiting for {names} to choose" if names else "Both have chosen", Tone.DIM)]


def status_with_others(live: LiveGame) -> Row:
    shared = get_shared_game(live)
    if shared.damage:
        return [(as_sentence(shared.damage), Tone.ERROR)]
    away = [seat for seat in (0, 1) if (shared.own is None or seat != shared.own.seat) and not shared.is_here(seat)]
    if away:
        are = f"{' and '.join(name_at(live, seat) for seat in away)} {'is' if len(away) == 1 else 'are'}"
        clock = ", but the clock is running" if live.clock is not None else ""
        return [(f"{are} away. The game waits{clock}.", Tone.DIM)]
    if shared.find_own_request() is not None:
        return [("Your request has been sent. Waiting for an answer.", Tone.DIM)]
    return ()
