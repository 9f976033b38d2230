"""The commands `review`, `export` and `import`, which write and read games as files."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import TypeAlias

import click
from onlymove_engines import games
from onlymove_engines.coach.figures import count_figures, find_decision, format_symbol, list_choices_at
from onlymove_engines.coach.judge import Coaching, find_sound_moves
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.files import read_limited
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.text import clean_line, clean_lines, decode_text, is_harmless
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.core.words import format_count
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import AnyNode
from onlymove_engines.records.record import MAX_TEXT_BYTES, Record, list_tags, read_records

from onlymove_tui import SIGNALLED
from onlymove_tui.play.line_mode import ReviewLines
from onlymove_tui.play.phrases import describe_lost, figure_lines
from onlymove_tui.store import exchange
from onlymove_tui.store.schema import StoreTrouble

from .console import (
    GAME,
    Caller,
    Stopped,
    format_options,
    json_option,
    raise_on_signal,
    seek_analyst,
    show_for_programs,
    show_json,
    show_progress,
    tell,
)


def read_text(path: str) -> str:
    """Return the text of a file, cleaned. If something had to be replaced, a line on stderr says so. Raises OSError,
    also if the text is larger than `MAX_TEXT_BYTES`."""
    with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
        raw = read_limited(file, MAX_TEXT_BYTES, path)
    text = decode_text(raw)
    if not is_harmless(text):
        tell(f"'{path}': replaced characters that could control the terminal")
    return clean_lines(text)


MAX_REVIEWED_MOVES = 100_000
"""The most moves of a file that is reviewed. The positions of so many, with their values, take about 400 MB."""


def read_played_records(path: str, most_moves: int = MAX_REVIEWED_MOVES) -> tuple[list[Record], bool]:
    """Return the records in a file that have moves, and whether any were left out because their game is unknown. Those
    are named on stderr. Raises BadRecord or OSError, and UsageError if no record is left or there are more
    moves than `most_moves`."""
    left_out: list[str] = []

    def leave_out(why: str) -> None:
        tell(f"'{path}': {why}")
        left_out.append(why)

    found, moves = list[Record](), 0
    for record in read_records(read_text(path), games.load, leave_out):
        found.append(record)
        moves += len(record.tree.nodes) - 1
        if moves > most_moves:
            raise click.UsageError(f"'{path}': more than {most_moves:,} moves, so review fewer games at once")
    if not found:
        raise click.UsageError(f"'{path}': no readable games found")
    played = [record for record in found if record.tree.here.parent is not None]
    if not played:
        raise click.UsageError(f"'{path}': this game has no moves")
    return played, bool(left_out)


@click.command("review")
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--step", is_flag=True, help="Step through the game line by line, with values and best play.")
@click.option("--board", "draws", is_flag=True, help="With --step: draw positions instead of describing them.")
@click.option("--html", "as_page", is_flag=True, help="Write the games to stdout as a web page with boards and values.")
@format_options("text", "json", "html")
@click.pass_obj
def review_command(caller: Caller, /, file: str | None, step: bool, draws: bool, as_page: bool, form: str) -> int:
    """Judge every move of the games in FILE, or of your last finished game.

    Games that are not installed are left out and named on stderr, and the exit code is then 2.
    """
    as_page, as_json = as_page or form == "html", form == "json"
    if step + as_page + as_json > 1:
        raise click.UsageError("Use only one of --step, --html and --json.")
    if draws and not step:
        raise click.UsageError("--board works only with --step.")
    settings = caller.read_settings()
    objective = settings.settings.objective
    if step and file == "-":
        raise click.UsageError("--step reads your commands from stdin, so the record must be a file")
    records, is_partial = ([last_game(caller)], False) if file is None else read_played_records(file)
    if as_page:
        show_page(records, objective, settings.settings.theme)
    for record in () if as_page else records:
        live = judge_record(record, objective)
        path = live.node.path()
        steps = pairwise(path)
        choices = [(*step, *choice) for step in steps for choice in step[1].choices.items()]
        if step:
            ReviewLines(live, caller.make_voice(settings, draws)).run(caller.read_lines(settings))
        elif as_json:
            moves = [move_facts(live, *choice) for choice in choices]
            figures = [side_facts(path, seat) for seat in (0, 1)]
            show_json({"game": record.game.id, "tags": list_tags(record), "moves": moves, "figures": figures})
        else:
            print_review(live, list_tags(record), choices, settings.settings.ascii.resolve(caller.draws_ascii))
    return 2 if is_partial else 0


def last_game(caller: Caller) -> Record:
    """Return the newest finished game in the history that can be read. Raises UsageError."""
    with closing(caller.open_history()) as store:
        for entry in store.list(store.count()):
            if entry.is_over and entry.plies:
                try:
                    return exchange.to_record(entry, store.peek(entry.number))
                except exchange.UNREADABLE as refusal:
                    tell(f"left out {exchange.describe(entry)}: {refusal}")
    raise click.UsageError("there are no finished games in your history")


def show_page(records: list[Record], objective: Objective, theme: str) -> None:
    from onlymove_tui.app.webpage.page import GameShown, web_page  # noqa: PLC0415 - only for a page

    shown = []
    for record in records:
        tags = list_tags(record)
        shown.append(GameShown(judge_record(record, objective), (tags["First"], tags["Second"]), tags["Date"]))
    show_for_programs(web_page(shown, theme))


def judge_record(record: Record, objective: Objective) -> LiveGame:
    """Return a recorded game with every move judged, and with the values of its last position."""
    live = LiveGame(Session.from_tree(record.tree), Coaching(objective=objective), training=False)
    live.set_analyst(*seek_analyst(record.game))

    def new_budget() -> Budget:
        return Budget.seconds(live.question_seconds, time.monotonic)

    with show_progress() as report:
        for done, _ in enumerate(live.judge_path(new_budget)):
            report("judging", done / live.node.ply)
        if not live.session.is_over:
            live.get_values(live.node, new_budget())
    return live


Choice: TypeAlias = tuple[AnyNode, AnyNode, Seat, Move]
"""The nodes before and after a move or round, a side, and its move."""


def find_best_moves(before: AnyNode, seat: Seat) -> Sequence[Move]:
    """Return the best moves of a side at a position, as far as they are known."""
    if isinstance(before.values, Mixed):
        return find_sound_moves(before.values, seat)
    return () if before.values is None else before.values.list_best_moves()


def move_facts(live: LiveGame, before: AnyNode, node: AnyNode, seat: Seat, move: Move) -> dict[str, object]:
    judged, counted = node.judgements[seat], find_decision(node, seat)
    position, to_text = before.position, live.game.notation.format_move
    return {
        "ply": node.ply,
        "number": node.number,
        "seat": seat,
        "move": to_text(position, move),
        "class": judged.grade.word,
        "glyph": judged.glyph,
        "first_try": counted.grade.word if counted not in (None, judged) else None,
        "only": judged.only,
        "flagged": judged.flagged,
        "before": None if judged.before is None else str(judged.before),
        "after": None if judged.after is None else str(judged.after),
        "regret": judged.regret if judged.expected is not None else None,
        "best": [to_text(position, best) for best in find_best_moves(before, seat)],
        "why": list(live.get_explanation((before, seat, move)).full),
    }


def side_facts(path: list[AnyNode], seat: Seat) -> dict[str, object]:
    """Return one side's figures as JSON. The turning point is given as a ply and as a move number."""
    found = count_figures(list_choices_at(path, seat))
    turned = found.turning_point
    return {
        "counts": {grade.word: count for grade, count in found.counts.items()},
        "kept": found.kept,
        "decisions": found.decisions,
        "only_moves": found.only_moves,
        "accuracy": found.accuracy,
        "turning_point": turned,
        "turning_number": None if turned is None else path[turned].number,
    }


def print_review(live: LiveGame, tags: Mapping[str, str], choices: Iterable[Choice], ascii_only: bool) -> None:
    game, path = live.game, live.node.path()
    click.echo(f"{game.facts.title}: {tags['First']} - {tags['Second']}  {tags['Result']}")
    for before, node, seat, move in choices:
        judgement = node.judgements[seat]
        place = f"{node.ply}{'...' if game.facts.simultaneous and seat == 1 else '.'}"
        verdict = judgement.verdict(game.seats[seat], game.voice.reasons.line)
        words = f"{place:>6} {game.describe_move(before.position, move):14} {format_symbol(node, seat):2} {verdict}"
        if judgement.flagged or judgement.slower:
            shown = " ".join(game.describe_move(before.position, best) for best in find_best_moves(before, seat))
            lost = judgement.lost() if ascii_only else describe_lost(judgement)
            words += f" {lost}. Best: {shown}"
        click.echo(words)
        for sentence in live.get_explanation((before, seat, move)).full:
            click.echo(f"{'':7}{sentence}")
    for line in figure_lines(game, {seat: list_choices_at(path, seat) for seat in (0, 1)}):
        click.echo(line)
    click.echo("")


@click.command("export")
@click.option("--game", metavar="ID", shell_complete=GAME.shell_complete, help="Export only the games of this kind.")
@click.pass_obj
def export_command(caller: Caller, /, game: str | None) -> int:
    """Write your games to stdout as records. Your progress with the lessons comes first.

    A game whose package is not installed is written as it is stored.
    """
    with closing(caller.open_history()) as store:
        is_incomplete = bool(store.notice)
        if game is not None:
            game = clean_line(game)  # The database refuses bytes that are not UTF-8.
            with suppress(games.UnknownGame):
                game = games.find_facts(game).id
        learned = exchange.export_learned(store, game)
        found = bool(learned)
        if learned:
            show_for_programs(learned)
        for exported in exchange.export_games(store, game):
            found = True
            if exported.text:
                show_for_programs(exported.text)
            if exported.fault:
                tell(exported.fault)
            is_incomplete |= not exported.text
    if game is not None and not found:
        games.find_facts(game)
    return 2 if is_incomplete else 0


BATCH = 200
"""How many games are imported at once."""


@click.command("import")
@click.argument("file", metavar="FILE|-")
@json_option
@click.pass_obj
def import_command(caller: Caller, /, file: str, form: str) -> int:
    """Add every game in FILE to your history, and your progress with the lessons if the file has it. If one game is
    refused, none is added.

    If you stop it with Ctrl+C, the games that are already added stay. To add the others, import the file again.
    """
    text = read_text(file)
    taken: list[exchange.Imported] = []
    names: list[GameId] = []
    try:
        with raise_on_signal(), show_progress() as report:
            for _ in read_records(text, games.load, report=partial(report, "checking the games")):
                pass
            with closing(caller.open_history(writes=True)) as store:
                importer = exchange.Importer(store)
                records = read_records(text, games.load, report=partial(report, "importing the games"))
                while batch := list(islice(records, BATCH)):
                    taken += importer.add(batch)
                    names += [record.game.id for record in batch]
                learned = exchange.import_learned(store, text)
    except Stopped as stop:
        tell("Stopped. Games that were imported by then stay. To import the others, use the same command again")
        return SIGNALLED + stop.number
    except StoreTrouble as trouble:
        raise StoreTrouble(f"{trouble}. Games that were imported by then stay" if taken else str(trouble)) from None
    if not taken and not learned:
        raise click.UsageError(f"'{file}': no readable games found")
    if form == "json":
        show_json([{"number": one.number, "game": name} for one, name in zip(taken, names, strict=True)])
        return 0
    if learned:
        click.echo(f"Imported your lesson progress in {format_count(learned, 'game')}.")
    if taken:
        click.echo(exchange.describe_import(taken))
    return 0
