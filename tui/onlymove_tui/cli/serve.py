"""`serve`: the app in a browser, by textual-serve, on this machine only unless told otherwise."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from .console import tell

PAGES = Path(__file__).with_name("served")


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.pass_context
def serve_command(ctx: click.Context, host: str, port: int) -> None:
    """Serve the app to browsers. Every visitor gets a game of his own, without access to this machine."""
    from textual_serve.server import Server  # noqa: PLC0415 - a web server nobody else needs

    options: dict[str, Any] = ctx.obj
    profile = ["--profile", options["profile"]] if options.get("profile") else ["--guest"]
    words = [sys.executable, "-m", "onlymove_tui", "--kiosk", *profile]
    tell(f"open http://{host}:{port} in a browser; stop with Ctrl+C")
    # The library's own page fetches a font from elsewhere.
    Server(shlex.join(words), host=host, port=port, title="onlymove", templates_path=PAGES).serve()
