"""The commands for playing and practising. `play`, `learn`, `drill` and `daily`, and `onlymove` without a command, open
the app. With `--plain` they work line by line, and `learn`, `drill` and `daily` also without a terminal."""

from __future__ import annotations

import gc
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click
from click import UsageError
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, draw_misleading, make_mistake_drills
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.clock import may_be_timed, read_control
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.ladder import Scored, choose_level
from onlymove_engines.play.players import (
    HUMAN,
    Player,
    PlayerKind,
    Players,
    get_level,
    list_player_names,
    read_player,
    read_players,
    set_level,
    style_ids,
)
from onlymove_engines.play.tree import find_house_rule
from onlymove_engines.play.typed import read_position

from onlymove_tui.app.launch import Launch, Preferences
from onlymove_tui.app.live_games import NO_GUESTS, LiveGames, read_rating
from onlymove_tui.memory import limit_memory
from onlymove_tui.play.line_mode import DrillLines, LessonLines, LineMode
from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.play.training import (
    BROUGHT_BACK,
    FRESH,
    PUT_ASIDE,
    REMOVED,
    STARTED_OVER,
    Course,
    Practice,
    collect_drills,
    daily_round,
    describe_answers,
    describe_state,
    find_drills,
    find_fresh,
    prepare_nothing,
    prepare_values,
    result_line,
    sort_weakest_first,
)
from onlymove_tui.store.database import QUICK_SECONDS
from onlymove_tui.store.games import LEFT, LEFT_AFTER, GameStore
from onlymove_tui.store.learning import DRILL_STAGES, Due, Milestone, Place, adapt_coaching
from onlymove_tui.store.profiles import find_places, is_guest, take_profile
from onlymove_tui.store.schema import StoreTrouble
from onlymove_tui.store.settings import Effective, Goal
from onlymove_tui.terminal.capabilities import detect_terminal, has_terminal, prepare_environment, require_terminal

from .console import (
    GAME,
    Caller,
    Seconds,
    Whole,
    board_option,
    complete_from,
    end_session,
    load_games,
    plain_option,
    rule_names,
    seek_analyst,
    show_either,
    style_names,
    tell,
)

MAX_SEED = 10**6


@click.command("play")
@click.argument("game", type=GAME)
@plain_option
@click.option("--board", "draws", is_flag=True, help="With --plain: draw the board instead of describing it.")
@click.option("--profile", metavar="NAME", help="Use the history and progress of this profile.")
@click.option("--guest", is_flag=True, help="Use a new profile for this session only. It is deleted after a day.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Use ASCII characters only.")
@click.option(
    "--kiosk", is_flag=True, help="Use on shared machines: cannot be suspended, shows no file names, quits when idle."
)
@click.option(
    "--rated",
    "is_rated",
    is_flag=True,
    help="Play for your rating, without help, or continue your rated game of GAME that is under way.",
)
@click.option("--from", "start", metavar="POSITION", help="Start from this position.")
@click.option(
    "--seats",
    metavar="A,B",
    help="First and second player: human, engine, STYLE@STRENGTH or a level (default: you play the side to move).",
    shell_complete=complete_from(lambda game: ("human", "engine", *list_player_names(game)), separator=","),
)
@click.option("--strength", type=Whole(0, 100), help="Engine strength (default: a level that suits you).")
@click.option(
    "--think",
    type=Seconds(0, 3600),
    help="How many seconds a searching engine may think about a move (default: from the settings).",
)
@click.option(
    "--style",
    metavar="S",
    help="Engine style. `onlymove games GAME` lists them.",
    shell_complete=complete_from(style_names),
)
@click.option(
    "--set", "options", multiple=True, metavar="ID=VALUE", help="Set an option of the game, such as who moves first."
)
@click.option("--seed", type=int, help="Random seed.")
@click.option(
    "--rule",
    default="",
    metavar="ID",
    help="House rule. `onlymove games GAME` lists them.",
    shell_complete=complete_from(rule_names),
)
@click.option(
    "--clock",
    metavar="TIME",
    help="Clock: 30 (seconds for each move), 5+3 (minutes, plus seconds for each move), with units (90s+2s) or off.",
)
@click.option(
    "--training",
    type=click.Choice(["ask", "undo", "flag", "off"]),
    help="What happens to a bad move (default: from the settings).",
)
@click.pass_obj
def play_command(caller: Caller, /, game: AnyGame, **choices: Any) -> int:
    """Start a game of GAME at once."""
    caller = replace(
        caller,
        profile=caller.profile if choices["profile"] is None else choices["profile"],
        guest=choices["guest"],
        **{name: choices[name] or getattr(caller, name) for name in ("ascii_only", "kiosk", "plain")},
    )
    # Without training, nothing happens to a bad move.
    on_bad = None if choices["training"] == "off" else choices["training"]
    settings = caller.read_settings(strength=choices["strength"], think=choices["think"], on_bad=on_bad)
    held = settings.settings
    style = held.style if choices["style"] is None else choices["style"]
    refuse_unused(choices, held.plain)
    if choices["is_rated"]:
        refuse_unrated(game, choices, is_guest(caller.find_profile()))
    position = None if choices["start"] is None else choices["start"].strip()
    mover = None if position is None else game.rules.to_move(read_position(game, position))
    seats = choices["seats"] or ("engine,human" if mover == 1 else "human,engine")
    known = style_ids(game)
    if style not in known:
        if choices["style"]:
            near = did_you_mean(style, known)
            raise UsageError(f"{game.facts.title} has no style '{style}'; choose from {', '.join(known)}{near}")
        style = known[0]  # The settings name a style of another game.
    engine = Player(PlayerKind.ENGINE, style, held.strength)
    players = read_players(game, seats, engine)
    begin = Launch(
        game=game.id,
        position=position,
        players=players,
        options=read_options(game, choices["options"]),
        house_rule=choices["rule"],
        is_rated=choices["is_rated"],
        training=None if choices["training"] is None else choices["training"] != "off",
        seed=random.randrange(MAX_SEED) if choices["seed"] is None else choices["seed"],
        time_control=choices["clock"] or "",
        settings=settings,
        profile=caller.find_profile(),
    )
    find_house_rule(game, begin.house_rule)  # This refuses an unknown rule.
    if read_control(begin.time_control) is not None:
        if held.plain:
            raise UsageError("--clock does not work with --plain")
        if not may_be_timed(game, players):
            raise UsageError("--clock is only for games between two people, or games where both sides move at once")
    engines = [player for player in players if not player.is_human]
    if begin.is_rated and choices["seats"] and (len(engines) != 1 or get_level(game, engines[0]) is None):
        raise UsageError(f"with --rated, --seats names you and a level, as in human,{game.facts.levels[0].id}")
    is_explicit = bool(choices["seats"] or choices["style"]) or choices["strength"] is not None
    if held.plain:
        return play_plainly(caller, settings, begin, game, choices["draws"], not is_explicit)
    return open_app(settings, begin, None if is_explicit else game)


def refuse_unused(choices: Mapping[str, Any], is_plain: bool) -> None:
    """Raise UsageError if an option would have no effect beside the others."""
    if choices["start"] is not None and choices["options"]:
        raise UsageError("--set is about the usual start, so it does not work with --from")
    seats = choices["seats"]
    if seats and "engine" not in (seat.strip().lower() for seat in seats.split(",")):
        for name in ("strength", "style"):
            if choices[name] is not None:
                raise UsageError(f"--{name} is for the player 'engine', but --seats names other players")
    if choices["draws"] and not is_plain:
        raise UsageError("--board works only with --plain")


UNRATED = ("start", "strength", "think", "style", "options", "seed", "rule", "training")
"""The options that a rated game does not have."""


def refuse_unrated(game: AnyGame, choices: Mapping[str, Any], is_guest: bool) -> None:
    """Raise UsageError if a game cannot be rated with these options."""
    if is_guest:
        raise UsageError(f"--rated: {NO_GUESTS[:1].lower()}{NO_GUESTS[1:-1]}")
    if not game.facts.levels:
        raise UsageError(f"--rated: {game.facts.title} has no levels to play against")
    for name in UNRATED:
        if choices[name] not in (None, (), ""):
            option = {"start": "from", "options": "set"}.get(name, name)
            raise UsageError(f"--{option} does not work with --rated: every rated game has the same terms")


def launch(caller: Caller) -> int:
    """Run `onlymove` without a command. It shows the menu or, with `--plain`, says which commands work line by line."""
    settings = caller.read_settings()
    if not settings.settings.plain:
        return open_app(settings, Launch(settings=settings, profile=caller.find_profile(), resumes=caller.resume))
    click.echo("Play line by line with: onlymove play GAME --plain")
    for facts in games.list_games():
        click.echo(f"  {facts.id:12} {facts.title}: {facts.pitch}")
    if settings.has_screen_reader:
        origin = settings.origin("plain")
        why = origin.place if origin.is_override else "your settings"
        click.echo(f"Line mode is on because of {why}. For the full screen: ONLYMOVE_PLAIN=false onlymove")
    return 0


def open_app(effective: Effective, begin: Launch, game: AnyGame | None = None) -> int:
    """Open the app. With a `game`, the engine plays at the level that suits the player, as in the form for a new game.
    Raises NoTerminal if the terminal cannot show the app."""
    require_terminal()
    settings = effective.settings
    if settings.kiosk:
        limit_memory(settings.kiosk_memory)
    # Nothing becomes garbage before the first paint, and collecting garbage would take a sixth of the start. The app
    # turns it on again.
    gc.disable()
    terminal = detect_terminal(settings)
    prepare_environment(terminal)
    found = find_places(begin.profile)
    held = None
    if begin.profile:
        with suppress(OSError):  # Here files cannot be locked.
            held = take_profile(found.lock)
    with say_that_it_opens():
        from onlymove_tui.app.app import run  # noqa: PLC0415 - Textual is for the app alone, once a terminal is sure

        store = begin.store or GameStore.open(found.games, patience=QUICK_SECONDS)
        if begin.is_rated and game is None:
            refuse_second_rated(store, begin.game)
        if game is not None and begin.players is not None:
            begin = replace(begin, players=with_fitting_level(game, begin.players, store, begin.is_rated))
    code = run(replace(begin, store=store, ascii_only=terminal.ascii_only, kiosk=settings.kiosk))
    if held is not None:
        os.close(held)
    return code


@contextmanager
def say_that_it_opens() -> Iterator[None]:
    """Show a line in the terminal, if there is one, while the app is loaded. That may take seconds."""
    terminal = None if os.environ.get("TEXTUAL_DRIVER") else sys.__stderr__
    if terminal is not None:
        terminal.write("Opening onlymove...")
        terminal.flush()
    try:
        yield
    finally:
        if terminal is not None:
            terminal.write("\r\x1b[K")
            terminal.flush()


def refuse_second_rated(store: GameStore, game: GameId) -> None:
    """Raise UsageError if a rated game against an opponent of the player's choice would end one that is under way."""
    store.forfeit_left_games()
    if store.find_rated(game) is not None:
        raise UsageError("your rated game is under way: continue it without --seats, and resign there to start another")


def with_fitting_level(game: AnyGame, players: Players, store: GameStore, is_rated: bool) -> Players:
    """Return the players, with the engine at the level that suits the person. If the settings name a strength that no
    level has, that strength stays, unless the game is to be rated. If the store cannot be read, it is the weakest
    level, as for a new player."""
    rated: tuple[Scored, ...] = ()
    with suppress(StoreTrouble):
        rated = store.progress.list_rated().get(game.id, ())
    level = choose_level(game.facts.levels, rated)
    if level is None:
        return players
    if is_rated:
        return HUMAN, read_player(game, level.id)
    return set_level(game, players, level)


def play_plainly(
    caller: Caller, settings: Effective, begin: Launch, game: AnyGame, draws: bool, fits_player: bool
) -> int:
    """Play a game line by line. It is saved in the player's history like any other game."""
    assert begin.players is not None, "it says who plays"
    if settings.settings.kiosk:
        limit_memory(settings.settings.kiosk_memory)
    with closing(caller.open_store()) as store:
        for left in store.forfeit_left_games():
            click.echo(LEFT.format(title=games.find_facts(left).title))
        if fits_player:
            begin = replace(begin, players=with_fitting_level(game, begin.players, store, begin.is_rated))
        elif begin.is_rated:
            refuse_second_rated(store, game.id)
        live_games = LiveGames(Preferences(settings), random.Random(begin.seed), store, is_guest(begin.profile))
        live = live_games.make_launched(replace(begin, time_control=""), game)
        with suppress(StoreTrouble):
            live.set_coaching(adapt_coaching(live.coaching, store.lessons.read_game(game.id)))
        live.set_analyst(*seek_analyst(game))
        voice = caller.make_voice(settings, draws)
        LineMode(live, voice, store.trouble).run(caller.read_lines(settings))
        session, lost = live.session, store.save_at_last()
        if live.is_rated and session.node.ply:
            days, again = LEFT_AFTER.days, f"onlymove play {game.id} --plain --rated"
            click.echo(f"Your rated game is kept. Continue it within {days} days, or you lose it: {again}")
        if session.is_over:
            if not lost and (text := read_rating(live)):
                click.echo(text)
            collect_drills(store, make_mistake_drills(session))
    return end_session(lost)


def read_options(game: AnyGame, texts: tuple[str, ...]) -> dict[str, str]:
    """Parse the values of `--set ID=VALUE` into options of the start. Raises UsageError."""
    known = {option.id: option for option in game.play.options}
    chosen: dict[str, str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            there = ", ".join(known) or "none"
            raise UsageError(f"--set {text}: unknown option; {game.facts.title} has {there}{did_you_mean(name, known)}")
        if not known[name].free and value not in known[name].choices:
            choices = known[name].choices
            raise UsageError(f"--set {text}: choose from {', '.join(choices)}{did_you_mean(value, choices)}")
        chosen[name] = value
    return chosen


@click.command("drill")
@click.argument("game", type=GAME, required=False)
@click.option(
    "--fresh",
    is_flag=True,
    help="Practise new positions of GAME: easy kinds first, then the kinds that you know least.",
)
@click.option("--against", metavar="ADVICE", help="Practise positions of GAME in which this advice is wrong.")
@click.option("--list", "lists", is_flag=True, help="List all drills with their numbers, also those put aside.")
@click.option("--put-aside", type=int, metavar="NUMBER", help="Do not ask this drill again.")
@click.option("--bring-back", type=int, metavar="NUMBER", help="Ask a drill that was put aside again.")
@click.option("--start-over", type=int, metavar="NUMBER", help="Forget all answers to this drill.")
@click.option("--remove", type=int, metavar="NUMBER", help="Remove this drill.")
@plain_option
@board_option
@click.pass_obj
def drill_command(
    caller: Caller,
    /,
    game: AnyGame | None,
    fresh: bool,
    against: str | None,
    lists: bool,
    plain: bool,
    draws: bool,
    **changes: int | None,
) -> int:
    """Practise the drills that are due, of GAME or of all games. Each is asked again after a while."""
    settings = caller.read_settings(plain)
    if lists or any(number is not None for number in changes.values()):
        with closing(caller.open_store()) as store:
            change_drills(store, changes)
            return list_drills(store, game) if lists else 0
    opens_app = may_open_app(settings, draws)
    with closing(caller.open_store()) as store:
        found, stage = find_fresh_drills(store, game) if fresh else ([], None)
        if against is not None:
            if game is None:
                raise click.UsageError("--against needs a GAME")
            found += draw_misleading(game, random.Random(), FRESH, against)
        new = store.drills.filter_open(found)
        known = {due.drill for due in new}
        wanted = [facts.id for facts in games.list_games()] if game is None else [game.id]
        queue = [*new, *(due for due in store.drills.list_due(wanted) if due.drill not in known)]
        prepare = prepare_from_table if opens_app else prepare_nothing
        practice = Practice(queue, games.load, Preferences(settings).coaching(), store.drills, prepare=prepare)
        practice.milestone = stage
        has_begun = practice.begin()
        if opens_app:
            opens = ("drill", practice) if has_begun else ("drills",)
            return open_app(
                settings, Launch(opens=opens, settings=settings, store=store, profile=caller.find_profile())
            )
        if not has_begun:
            click.echo(f"Due drills could not be read: {practice.trouble}" if queue else "No drill is due.")
            return 1
        voice = caller.make_voice(settings, draws)
        names_goal = settings.settings.drill_goal is Goal.SHOWN
        DrillLines(practice, seek_analyst, voice, names_goal).run(caller.read_lines(settings))
        if game is not None and stage is not None and practice.is_complete:
            store.lessons.reach(game.id, stage)
        return end_session(find_lost_answers(store, practice))


def change_drills(store: GameStore, changes: Mapping[str, int | None]) -> None:
    """Change the drills with these numbers, and say so. Raises UsageError for a number that no drill has."""
    drills = store.drills
    does: Mapping[str, tuple[Callable[[Due], None], str]] = {
        "put_aside": (drills.put_aside, PUT_ASIDE),
        "bring_back": (drills.bring_back, BROUGHT_BACK),
        "start_over": (drills.start_over, STARTED_OVER),
        "remove": (drills.remove, REMOVED),
    }
    known = {each.asked.number: each.asked for each in drills.list_stored()}
    wanted = [(name, number) for name, number in changes.items() if number is not None]
    for _, number in wanted:
        if number not in known:
            raise UsageError(f"there is no drill {number}; `onlymove drill --list` lists them")
    for name, number in wanted:
        change, words = does[name]
        change(known[number])
        click.echo(words)


def list_drills(store: GameStore, game: AnyGame | None) -> int:
    """Print all drills, of one game or of all, in the order in which they are asked, those put aside at the end."""
    titles = {facts.id: facts.title for facts in games.list_games()}
    rows = [
        (
            str(each.asked.number),
            titles.get(each.asked.drill.game, each.asked.drill.game),
            DRILL_WORDS[each.asked.drill.origin],
            describe_state(each),
            describe_answers(each.asked),
            each.asked.drill.position,
        )
        for each in store.drills.list_stored()
        if game is None or each.asked.drill.game == game.id
    ]
    if not rows:
        click.echo("There are no drills.")
        return 1
    show_either("text", None, rows)
    return 0


def prepare_from_table(live: LiveGame) -> None:
    """Find the values of a drill for the app, if there is a table. Nothing may be written to the terminal here."""
    from onlymove_tables.analysts import open_for  # noqa: PLC0415 - only where values are needed

    if not live.game.facts.plays_by_search:
        with suppress(OnlymoveError):
            opened = open_for(live.game)
            prepare_values(live, opened.analyst, opened.note)


def may_open_app(settings: Effective, draws: bool) -> bool:
    """Whether a command opens the app, and does not work line by line. Raises UsageError for an option that would have
    no effect in the app."""
    opens_app = not settings.settings.plain and has_terminal()
    if draws and opens_app:
        raise UsageError("--board works only with --plain")
    return opens_app


def find_lost_answers(store: GameStore, practice: Practice) -> str:
    """Try again to save the answers of a round. Return a line that says what is lost, or an empty text."""
    return practice.save() or (store.trouble if practice.answers else "") or store.notice


def find_fresh_drills(store: GameStore, game: AnyGame | None) -> tuple[list[Drill], Milestone | None]:
    """Return some new positions, and the round of drills that they are for a player who has finished the game's
    lessons. It is `None` if the lessons are not finished or no round is left. Raises UsageError."""
    if game is None:
        raise click.UsageError("--fresh needs a GAME")
    analyst, _ = seek_analyst(game)
    reached = store.lessons.read_game(game.id).reached
    left = [stage for stage in DRILL_STAGES if Milestone.LESSONS in reached and stage not in reached]
    found = find_drills(game, analyst, random.Random(), left[0]) if left else []
    themes = sort_weakest_first(store.drills.count_answers(game.id))
    return found or find_fresh(game, analyst, random.Random(), themes), left[0] if left else None


@click.command("daily")
@click.argument("game", type=GAME, required=False)
@click.option("--result", "shows_result", is_flag=True, help="Only print the line about today's results.")
@plain_option
@board_option
@click.pass_obj
def daily_command(caller: Caller, /, game: AnyGame | None, shows_result: bool, plain: bool, draws: bool) -> int:
    """Solve today's position of GAME, or of every game. It gets harder as you get better. At the end you get a line to
    share, which gives no position away."""
    settings = caller.read_settings(plain)
    opens_app = not shows_result and may_open_app(settings, draws)
    with closing(caller.open_store()) as store:
        if opens_app:
            practice = None if game is None else find_daily_round(settings, store, game)
            opens = ("drills",) if practice is None else ("drill", practice)
            profile = caller.find_profile()
            return open_app(settings, Launch(opens=opens, settings=settings, store=store, profile=profile))
        if not shows_result:
            return play_daily(caller, settings, store, game, draws)
        line = read_result_line(store, game)
        click.echo(line or "You have not tried today's position yet.")
        return 0 if line else 1


def read_result_line(store: GameStore, game: AnyGame | None) -> str:
    """Return the line to share about today's position of a game, or of all games. Empty if none was tried."""
    book, today = store.daily, store.find_today()
    all_facts = games.list_games() if game is None else [game.facts]
    return result_line(all_facts, today, book.read_results(today), book.streak(today))


def find_daily_round(settings: Effective, store: GameStore, game: AnyGame) -> Practice | None:
    """Return a round with today's position of a game, or `None` if it has none or the player has tried it."""
    if game.id in store.daily.read_results(store.find_today()):
        return None
    learned, coaching = store.lessons.read_game(game.id), Preferences(settings).coaching()
    analyst, note = seek_analyst(game)
    prepare = partial(prepare_values, analyst=analyst, note=note)
    return daily_round(game, analyst, store.find_today(), coaching, store.daily, learned, prepare)


def play_daily(caller: Caller, settings: Effective, store: GameStore, game: AnyGame | None, draws: bool) -> int:
    """Ask today's position of a game, or those of all games that were not tried yet. Print the line to share."""
    names_goal = settings.settings.drill_goal is Goal.SHOWN
    voice, lines, lost = caller.make_voice(settings, draws), caller.read_lines(settings), ""
    for one in load_games() if game is None else [game]:
        practice = find_daily_round(settings, store, one)
        if practice is None:
            continue
        DrillLines(practice, seek_analyst, voice, names_goal).run(lines)
        lost = find_lost_answers(store, practice) or lost
        if practice.drill is not None:
            break
    if line := read_result_line(store, game):
        click.echo(line)
    return end_session(lost)


@click.command("learn")
@click.argument("game", type=GAME)
@click.option("--again", is_flag=True, help="Start from the first step, even if you have done some.")
@plain_option
@board_option
@click.pass_obj
def learn_command(caller: Caller, /, game: AnyGame, again: bool, plain: bool, draws: bool) -> int:
    """Learn GAME step by step, then with a first game and drills. You continue where you left off."""
    settings = caller.read_settings(plain)
    if may_open_app(settings, draws):
        begin = Launch(opens=("learning", game.id, again), settings=settings, profile=caller.find_profile())
        return open_app(settings, begin)
    with closing(caller.open_store()) as store:
        learned = store.lessons.read_game(game.id)
        start = replace(learned, places={}) if again else learned
        course = Course(game, Preferences(settings).coaching(), start, 0 if again else None)
        saver = PlaceSaver(partial(save_place, store, course), store.trouble)
        course.save_place = saver.save
        if not course.steps:
            click.echo(f"{game.facts.title} has no lessons.")
            return 1
        voice = caller.make_voice(settings, draws)
        lessons = LessonLines(course, seek_analyst, voice)
        lessons.run(caller.read_lines(settings))
        if lessons.is_at_end:
            store.lessons.reach(game.id, Milestone.LESSONS)
        return end_session(saver.save_at_last() or store.notice)


def save_place(store: GameStore, course: Course, place: Place) -> None:
    store.lessons.save_place(course.game.id, place, place.step == len(course.steps) - 1)


@dataclass
class PlaceSaver:
    """Saves with `write` how far the player is in lessons. If that fails, the lesson goes on, and what was not written
    is written with the next place. If the store is only in memory, `trouble` says why."""

    write: Callable[[Place], None]
    trouble: str
    failed: str = ""

    def __post_init__(self) -> None:
        self.unsaved: dict[int, Place] = {}
        """The places that have not been written, by step."""
        self.has_begun = False

    def save(self, place: Place) -> None:
        failed, self.has_begun = self.failed, True
        self.unsaved[place.step] = place
        try:
            for step, unsaved in [*self.unsaved.items()]:
                self.write(unsaved)
                del self.unsaved[step]
            self.failed = ""
        except StoreTrouble as trouble:
            self.failed = str(trouble)
            if not failed:
                tell(self.failed)

    def save_at_last(self) -> str:
        """Try again to save what could not be saved. Return a line that says what is lost, or an empty text."""
        if self.unsaved:
            self.save(next(iter(self.unsaved.values())))
        return self.failed or (self.trouble if self.has_begun else "")
