"""Commands on the pages of the documentation exist and accept their arguments, and programs run.

Commands that take long are parsed and not run. README's commands are run in tests/arch, the library's in tests/library,
and the recipes for hosts in tests/terminal. Formats have their own tests.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from onlymove_tui.cli import cli

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
MAKE = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
COMMAND = re.compile(r"\s*(?:\$ )?(?:ssh -T host |/opt/onlymove/bin/)?((?:onlymove|make|python -m) .*)")
PLACES = {
    "DIR": "/tmp",
    "FILE": "game.pgn",
    "GAME": "orbito",
    "N": "2",
    "PLAYER": "random",
    "POSITION": "..../..../..../.... W",
    "S": "3",
    "kings-corner": "tobito",
}
"""Values for the placeholders on the pages."""


def blocks(page: Path) -> Iterator[str]:
    """Yield the code of a page: between fences, and indented after an empty line."""
    text = page.read_text("utf-8")
    yield from re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from re.findall(r"(?:^\n)((?:    .*\n(?:\n(?=    ))?)+)", rest, re.MULTILINE)


def commands() -> Iterator[tuple[str, str]]:
    """Yield every command: its page, and the command with its continuation lines joined."""
    for page in PAGES:
        for block in blocks(page):
            for line in re.sub(r"\\\n\s*", " ", block).splitlines():
                found = re.match(
                    r"\s*(?:\$ )?(?:ssh -T host |/opt/onlymove/bin/)?((?:onlymove|make|python -m) .*)", line
                )
                if found:
                    yield page.name, re.sub(r"\s{3,}\S.*$", "", found[1])


def test_commands_accept_the_arguments_shown() -> None:
    given = dict.fromkeys(command for _, command in commands())
    assert len(given) > 20
    for command in given:
        check_command(command)


def check_command(command: str) -> None:
    """Fail if a command of the docs names an option or a target that does not exist."""
    output = re.sub(r"[\[\]]", "", command).replace("...", "GAME --first PLAYER --second PLAYER")
    for name, value in PLACES.items():
        output = re.sub(rf"\b{name}\b", shlex.quote(value), output)
    program, *words = shlex.split(output)
    if program == "make":
        assert {word for word in words if "=" not in word and "REFERENCES" not in word} <= MAKE | set(words[1:]), (
            command
        )
        assert words[0] in MAKE, command
    elif program == "python":
        assert find_spec(words[1]) is not None, command
    else:
        check_words(cli, "onlymove", words)


def check_words(command: click.Command, name: str, words: list[str], parent: click.Context | None = None) -> None:
    """Fail unless the command accepts these words."""
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        here = click.Context(command, info_name=name, parent=parent)
        inner = command.get_command(here, words[0])
        assert inner is not None, f"{name} has no {words[0]}"
        check_words(inner, words[0], words[1:], here)
    else:
        command.make_context(name, [*words], parent=parent).close()


def test_commands_are_shown() -> None:
    assert len([*commands()]) > 15


def test_the_program_of_the_library_page_runs() -> None:
    pytest.importorskip("pettingzoo")
    shown = [block for block in blocks(ROOT / "docs" / "library.md") if "onlymove.rl" in block]
    assert len(shown) == 1
    names: dict[str, object] = {}
    exec(re.sub("^    ", "", shown[0], flags=re.MULTILINE), names)
    assert names["info"]["value"] == 1  # type: ignore[index]
