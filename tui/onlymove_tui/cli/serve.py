"""The command `serve`: runs the app in browsers, by default only on this machine."""

from __future__ import annotations

import click
from onlymove_tables.child import build_command

from onlymove_tui.store.profiles import find_places

from .console import Caller, Whole, tell

MAX_VISITORS = 20
"""How many people may play at once by default. Each needs some 100 MB of memory (docs/hosting.md)."""


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True)
@click.option("--name", "names", multiple=True, help="Another host name that browsers may use (can be repeated).")
@click.option(
    "--visitors",
    type=Whole(1),
    default=MAX_VISITORS,
    show_default=True,
    help="Maximum number of people who play at once.",
)
@click.option(
    "--behind-proxy", is_flag=True, help="Take a client's address from the end of X-Forwarded-For, as a proxy sends it."
)
@click.pass_obj
def serve_command(
    caller: Caller, host: str, port: int, names: tuple[str, ...], visitors: int, behind_proxy: bool
) -> None:
    """Serve the app to browsers. Each visitor is a guest with their own games and no access to this machine.

    With a profile (`onlymove --profile NAME serve`) only you can get in, with the address that is printed.
    """
    import asyncio  # noqa: PLC0415 - a web server nobody else needs

    from onlymove_tui.web.connections import count_connections, raise_file_limit  # noqa: PLC0415
    from onlymove_tui.web.server import Server, serve  # noqa: PLC0415

    if not host.strip():
        raise click.BadParameter("an address must not be empty; 0.0.0.0 listens on every address.", param_hint="--host")
    profile = "" if caller.guest else caller.profile or ""
    find_places(profile)  # This refuses names that are not allowed.

    def command(player: str, resumes: bool) -> list[str]:
        words = build_command("onlymove_tui", "--kiosk", "--profile", player)
        return [*words, "--resume"] if resumes else words

    connections = count_connections(raise_file_limit(), visitors)
    server = Server(command, tell, host, names, profile, visitors, behind_proxy, connections)
    asyncio.run(serve(server, host, port, tell))
