"""The commands `games`, `config` and `locate` show the games, the settings, and where everything is stored. `new`
writes a package from which to develop a new game."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path

import click
import msgspec
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

from onlymove_tui.play.phrases import describe_solved

from .console import GAME, Caller, json_option, protocol_names, rule_names, show, show_either, style_names, tell


@click.command("games")
@click.argument("game", type=GAME, required=False)
@json_option
def games_command(game: AnyGame | None, form: str) -> None:
    """List the games and what is known about them, or one game in detail."""
    if game is None:
        for fault in games.list_added_games()[1]:
            tell(fault)
        all_facts, names = games.list_games(), ("id", "title", "pitch", "solved")
        listed = [{name: getattr(facts, name) for name in names} for facts in all_facts]
        rows = [(facts.id, facts.title, describe_solved(facts.solved), facts.pitch) for facts in all_facts]
        show_either(form, listed, rows)
        return
    from onlymove_tables.background import has_table  # noqa: PLC0415 - the list of games must not wait for numpy

    facts = {
        "id": game.id,
        "title": game.facts.title,
        "pitch": game.facts.pitch,
        "solved": game.facts.solved,
        "seats": list(game.seats),
        "start": game.notation.format_position(game.default_start()),
        "can_cycle": game.facts.can_cycle,
        "table": game.solved.solver is not None or has_table(game),
        "options": {option.id: list(option.choices) for option in game.play.options},
        "styles": list(style_names(game)),
        "levels": {level.id: round(level.rating) for level in game.facts.levels},
        "house_rules": list(rule_names(game)),
        "protocols": protocol_names(game),
        "max_plies": game.facts.max_plies,
        "simultaneous": game.facts.simultaneous,
        "has_margin": game.facts.has_margin,
        "plays_by_search": game.facts.plays_by_search,
    }
    show_either(form, facts, [(LABELS.get(name, name), format_fact(value)) for name, value in facts.items()])


LABELS = {
    "seats": "sides",
    "can_cycle": "positions can repeat",
    "table": "has a table",
    "levels": "levels and ratings",
    "house_rules": "house rules",
    "max_plies": "longest game in moves",
    "simultaneous": "both sides move at once",
    "has_margin": "points count",
    "plays_by_search": "engines search",
}
"""The words for facts whose key in the JSON output says too little."""


def format_fact(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {format_fact(choices)}" for name, choices in value.items()) or "-"
    return "-" if value is None else str(value)


@click.command("locate")
@json_option
@click.pass_obj
def locate_command(caller: Caller, /, form: str) -> None:
    """Show where settings, games, tables and caches are stored."""
    from onlymove_tables.kernels import cache  # noqa: PLC0415 - `games` must not wait for them
    from onlymove_tables.open import cache_folder, package_folder  # noqa: PLC0415

    places = caller.find_places()
    found = {name: getattr(places, name) for name in ("settings", "games", "tables", "cache", "log")}
    found["shipped tables"] = package_folder()
    found["unpacked tables"] = cache_folder()
    found["kernels"], found["shared kernels"] = cache.kernels_folder(), cache.shared_folder()
    paths = {name.replace(" ", "_"): str(path) for name, path in found.items()}
    show_either(form, paths, [(name, str(path)) for name, path in found.items()])


@click.command("config")
@json_option
@click.pass_obj
def config_command(caller: Caller, /, form: str) -> None:
    """Show the settings in use and where each comes from."""
    found = caller.read_settings()
    rows = [(key, text, origin.place) for key, text, origin in found.rows()]
    origins = {key: origin for key, _, origin in rows}
    facts = {"file": str(found.path), "settings": msgspec.to_builtins(found.settings), "origins": origins}
    show_either(form, facts, [("setting", "value", "from"), *rows])


TEMPLATE = "onlymove"
"""The package whose folder `template` is copied."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
TEXTS = (".py", ".toml", ".md", ".txt")


def rename(text: str, name: str) -> str:
    """Return the text with tic-tac-toe's name changed to the new name, in every form in which it occurs."""
    title = name.replace("-", " ").capitalize()
    module = f"onlymove_{name.replace('-', '_')}"
    changes = (
        ("onlymove_tictactoe", module),
        ("test_tictactoe", f"test_{name.replace('-', '_')}"),
        ("tictactoe", name),
        ("Tic-tac-toe", title),
        ("tic-tac-toe", title),
    )
    for old, new in changes:
        text = text.replace(old, new)
    return text


@click.command("new")
@click.argument("name")
@click.option(
    "--in",
    "folder",
    metavar="FOLDER",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the package (default: the current folder).",
)
def new_command(name: str, folder: Path) -> None:
    """Write a package for a new game.

    The package is tic-tac-toe under the name you give. It is complete: it installs, plays and passes every law. Change
    it step by step into your game. Its README says in which order.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise click.ClickException(
            f"'{name}' cannot be the name of a game. Use small letters and digits, such as kings-corner."
        )
    if any(facts.id == name for facts in games.list_games()):
        raise click.ClickException(f"There is already a game '{name}'.")
    target = folder / f"onlymove-{name}"
    if target.exists():
        raise click.ClickException(f"{target} already exists.")
    template = Path(str(resources.files(TEMPLATE) / "template"))
    for path in sorted(template.rglob("*")):
        if path.suffix in TEXTS and path.is_file():
            place = target / rename(str(path.relative_to(template)), name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(rename(path.read_text("utf-8"), name), "utf-8")
    show(f"{target} is ready. Its README.md says how to install, test and change it.")
