"""Makes the manual page `onlymove.1` from the help texts of the commands: `python -m onlymove_tui.cli.manual`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
from onlymove_engines import __version__

from . import COMMANDS, cli


def manual_page() -> str:
    top = click.Context(cli, info_name="onlymove")
    pages = [
        page
        for name in COMMANDS
        if (command := cli.get_command(top, name))
        for page in command_lines(command, top, name)
    ]
    lines = [
        f'.TH ONLYMOVE 1 "" "onlymove {__version__}" "Games"',
        ".SH NAME",
        r"onlymove \- play and train on solved two-player games",
        ".SH SYNOPSIS",
        ".B onlymove\n[OPTIONS] [COMMAND [ARGS]...]",
        ".SH DESCRIPTION",
        *paragraph_lines(cli.help or ""),
        ".SH OPTIONS",
        *option_lines(cli, top),
        ".SH COMMANDS",
        *pages,
        ".SH EXIT STATUS",
        escape(
            '0: The command did what it should. 1: The answer is "no", for instance because a verification failed. '
            "2: The command was used wrongly, its input cannot be used, or something you played could not be saved. "
            "One line on stderr says what is wrong."
        ),
    ]
    return "\n".join(lines) + "\n"


def command_lines(command: click.Command, parent: click.Context, name: str) -> Iterator[str]:
    """Yield the lines about a command and its subcommands."""
    here = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(command.collect_usage_pieces(here))
    yield f".SS {escape(here.command_path)} {escape(usage)}"
    yield from paragraph_lines(command.help or "")
    yield from option_lines(command, here)
    if isinstance(command, click.Group):
        for inner in command.list_commands(here):
            if (found := command.get_command(here, inner)) is not None:
                yield from command_lines(found, here, inner)


def paragraph_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text in paragraphs. The program that shows the page wraps them."""
    for paragraph in text.split("\n\n"):
        yield from (".PP", escape(" ".join(paragraph.split())))


def option_lines(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines about the options of a command. `--help` and `--version` are described only once."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1] and (command is cli or not {"--help", "--version"} & set(parameter.opts)):
            yield from (".TP", f".B {escape(record[0])}", escape(" ".join(record[1].split())))


def escape(text: str) -> str:
    """Return text with all formatting commands of manual pages escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    sys.stdout.write(manual_page())
