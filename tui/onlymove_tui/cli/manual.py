"""The manual page `onlymove.1`, from what the commands say of themselves: `python -m onlymove_tui.cli.manual`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
from onlymove_engines import __version__

from . import COMMANDS, cli


def main() -> None:
    sys.stdout.write(manual_page())


def manual_page() -> str:
    """The page as a formatter of manual pages reads it."""
    top = click.Context(cli, info_name="onlymove")
    pages = [
        page for name in COMMANDS if (command := cli.get_command(top, name)) for page in described(command, top, name)
    ]
    lines = [
        f'.TH ONLYMOVE 1 "" "onlymove {__version__}" "Games"',
        ".SH NAME",
        r"onlymove \- play and train on solved two-player games",
        ".SH SYNOPSIS",
        ".B onlymove\n[OPTIONS] [COMMAND [ARGS]...]",
        ".SH DESCRIPTION",
        *paragraphs(cli.help or ""),
        ".SH OPTIONS",
        *options(cli, top),
        ".SH COMMANDS",
        *pages,
        ".SH EXIT STATUS",
        escaped(
            '0: done. 1: the answer is "no" (a verification failed). 2: wrong use or unusable input, said in one line.'
        ),
    ]
    return "\n".join(lines) + "\n"


def described(command: click.Command, parent: click.Context, name: str) -> Iterator[str]:
    """A command with its own commands."""
    here = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(command.collect_usage_pieces(here))
    yield f".SS {escaped(here.command_path)} {escaped(usage)}"
    yield from paragraphs(command.help or "")
    yield from options(command, here)
    if isinstance(command, click.Group):
        for inner in command.list_commands(here):
            if (found := command.get_command(here, inner)) is not None:
                yield from described(found, here, inner)


def paragraphs(text: str) -> Iterator[str]:
    """Running text, wrapped by the reader's own width."""
    for paragraph in text.split("\n\n"):
        yield from (".PP", escaped(" ".join(paragraph.split())))


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Every option but those that each command has."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1] and (command is cli or not {"--help", "--version"} & set(parameter.opts)):
            yield from (".TP", f".B {escaped(record[0])}", escaped(" ".join(record[1].split())))


def escaped(text: str) -> str:
    """Text in which nothing is a command to the formatter."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    main()
