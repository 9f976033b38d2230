"""Every command that prints data takes `--format`, and `--json` means `--format json`."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from onlymove_tui.cli import COMMANDS, cli, run


def walk(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from walk(found, f"{name} {inner}".strip())
    else:
        yield name, command


def find_options(command: click.Command) -> dict[str, click.Parameter]:
    return {word: parameter for parameter in command.params for word in parameter.opts}


def test_json_and_format_go_together() -> None:
    commands = dict(walk(cli))
    assert set(COMMANDS) >= {name.split()[0] for name in commands}
    having = {name for name, command in commands.items() if "--json" in find_options(command)}
    assert having >= {"analyse", "explore", "perft", "match", "review", "import", "games", "config", "locate", "prove"}
    for name in having:
        form = find_options(commands[name]).get("--format")
        assert form is not None, name
        assert isinstance(form.type, click.Choice), name
        assert {"text", "json"} <= set(form.type.choices), name


@pytest.mark.parametrize("words", [["perft", "tobito", "2"], ["games", "orbito"], ["config"], ["explore", "tobito"]])
def test_both_formats_agree(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--json"]) == 0
    short = capsys.readouterr().out
    assert run([*words, "--format", "json"]) == 0
    assert capsys.readouterr().out == short
    assert run([*words, "--format", "text"]) == 0
    plain = capsys.readouterr().out
    assert run(words) == 0
    assert capsys.readouterr().out == plain != short
