"""The command `new`: writes a package from which to develop a new game."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path

import click
from onlymove_engines.games import list_games

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
    if any(facts.id == name for facts in list_games()):
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
    click.echo(f"{target} is ready. Its README.md says how to install, test and change it.")
