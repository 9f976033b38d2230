"""The command line: its commands, and how each of them ends.

A command is imported when it is called, so that `--version` and `games` answer at once. The exit code is 0 if the
command did what it should, 1 if the answer is "no", and 2 for wrong use, unusable input, or something played that could
not be saved. A code of 2 comes with one clear line on stderr, never a traceback.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click
from onlymove_engines import __version__
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.lazy_imports import import_lazily

from onlymove_tui import STDOUT

COMMANDS = {
    "play": ("play", "Start a game. With --plain, play it line by line."),
    "drill": ("play", "Practise the drills that are due. With --plain, line by line."),
    "learn": ("play", "Learn a game step by step. With --plain, line by line."),
    "daily": ("play", "Solve today's position of each game. With --plain, line by line."),
    "meet": ("meet", "Play someone logged in to this machine, line by line."),
    "analyse": ("positions", "Show exact values of positions and their moves."),
    "explore": ("positions", "Show what each move from a position leads to."),
    "perft": ("positions", "Count the sequences of moves of a given length."),
    "dataset": ("tables", "Write solved positions as rows of numbers, for programs that learn."),
    "tables": ("tables", "List, build and verify the tables of solved games."),
    "engine": ("engine", "Run an engine on stdin and stdout for other programs."),
    "match": ("match", "Play a match between styles, levels and other programs."),
    "review": ("records", "Judge the games in a record, move by move."),
    "export": ("records", "Write the games of your history as records."),
    "import": ("records", "Import records into your history."),
    "prove": ("tables", "Prove the value of a game's start position and write a certificate."),
    "new": ("facts", "Create a package for a new game."),
    "games": ("facts", "List the games and what is known about them."),
    "config": ("facts", "Show the settings in use and where each comes from."),
    "locate": ("facts", "Show where settings, games, tables and caches are stored."),
    "serve": ("serve", "Serve the app from this machine to a browser."),
}
"""For each command, the module of this package that defines it and its line in `--help`."""

SELDOM_USED = ("numpy", "ssl", "asyncio.sslproto", "ctypes", "mimetypes")
"""Modules that are always imported but hardly used, so they are loaded lazily. asyncio and Textual import some of them.
The games import numpy, which answers from a table do not need, and the tables import ctypes to compile. In a session
numpy takes 10 MB and the others 1 MB."""


version = click.version_option(__version__, "--version", "-V", prog_name="onlymove", message="%(prog)s %(version)s")


class LazyGroup(click.Group):
    """A group that imports a command only when it is called. Its `commands` are only for suggestions."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        if all(parameter.name != "version" for parameter in command.params):
            version(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    commands={name: click.Command(name) for name in COMMANDS},
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version
@click.option("--profile", metavar="NAME", help="Use the history and progress of this profile.")
@click.option("--guest", is_flag=True, help="Use a new profile for this session only. It is deleted after a day.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Use ASCII characters only.")
@click.option(
    "--kiosk", is_flag=True, help="Use on shared machines: cannot be suspended, shows no file names, quits when idle."
)
@click.option("--resume", is_flag=True, help="Continue your unfinished game, if there is one.")
@click.option("--plain", is_flag=True, help="Use line mode instead of the full-screen interface.")
@click.pass_context
def cli(ctx: click.Context, /, **options: Any) -> None:
    """Play and train on solved two-player games, judged against exact values.

    Without a command, the app starts.
    """
    from .console import Caller, warn_of_unknown_variables  # noqa: PLC0415 - the help page needs no games

    warn_of_unknown_variables(os.environ)
    ctx.obj = Caller(**options)
    if ctx.invoked_subcommand is None:
        from .play import launch  # noqa: PLC0415

        ctx.exit(launch(ctx.obj))


def run(arguments: Sequence[str]) -> int:
    for name in SELDOM_USED:
        import_lazily(name)
    streams = sys.stdout, sys.stderr
    try:
        code = cli.main(list(arguments), prog_name="onlymove", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as mistake:
        return complain(mistake.format_message())
    except OnlymoveError as refusal:
        return complain(str(refusal))
    except BrokenPipeError:
        return close_quietly()
    except SystemExit:
        if sys.stdout is streams[0]:
            raise
        # For a broken pipe, Click replaces our streams by its own and exits with 1. Undo that.
        sys.stdout, sys.stderr = streams
        return close_quietly()
    except OSError as trouble:
        return complain(describe_trouble(trouble))
    except (KeyboardInterrupt, click.Abort):
        return 130
    return code if isinstance(code, int) else 0


def describe_trouble(trouble: OSError) -> str:
    """Return what could not be read or written, and why."""
    why = trouble.strerror or str(trouble)
    if trouble.filename == STDOUT:
        return f"cannot write to stdout: {'it is closed' if trouble.errno == errno.EBADF else why}"
    return f"'{trouble.filename}': {why}" if trouble.filename else why


def complain(text: str) -> int:
    """Write to stderr what is wrong, if anything can be written there. Returns the exit code for wrong use or unusable
    input."""
    from .console import tell  # noqa: PLC0415 - as above

    with suppress(OSError):
        tell(text)
    return 2


def close_quietly() -> int:
    """End without an error after the reader of stdout has gone. Python must not try to write to it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
