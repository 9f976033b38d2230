"""Textual's driver for an app in a browser, made safe for the case that the server goes away.

Screens go out and keys come in through two pipes, whose other ends the server holds (`web/server.py`). When either pipe
fails or ends, the process gets SIGHUP, as from a terminal that is closed, and `ShutdownHandler` does the rest.
Textual's own driver would run on without a player.
"""

from __future__ import annotations

import os
import signal
from codecs import getincrementaldecoder
from typing import Any

from textual.drivers.web_driver import WebDriver

from onlymove_tui import SIGNALLED
from onlymove_tui.terminal.driver import hang_up
from onlymove_tui.terminal.textual_internals import (
    InputParser,
    handle_packet,
    raise_in_app,
    read_packets,
    replace_write,
)

LEAVING_SECONDS = 2.0
"""How long the app may take to save and quit after the server has gone."""


class BrowserDriver(WebDriver):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._is_lost = False
        replace_write(self, self._send)

    def _send(self, packet: bytes) -> int:
        """Send a whole packet, unless the server is gone."""
        rest = packet
        while rest and not self._is_lost:
            try:
                rest = rest[os.write(self.fileno, rest) :]
            except OSError:
                self._is_lost = True
                hang_up()
        return len(packet)

    def run_input_thread(self) -> None:
        """Pass on what the visitor types until the app quits. If the input ends first, make the app quit. The app
        treats an unexpected error here like one of its own."""
        try:
            self._read_packets()
        except Exception as error:  # noqa: BLE001 - an unexpected error
            raise_in_app(self, error)
            return
        if not self.exit_event.is_set():
            hang_up()
            if not self.exit_event.wait(LEAVING_SECONDS):
                os._exit(SIGNALLED + signal.SIGHUP)

    def _read_packets(self) -> None:
        parser = InputParser()
        decode = getincrementaldecoder("utf-8")("replace").decode
        for packets in read_packets(self):
            for kind, payload in packets:
                if kind == "D":
                    for event in parser.feed(decode(payload)):
                        self.process_message(event)
                else:
                    handle_packet(self, kind, payload)
            for event in parser.tick():
                self.process_message(event)
