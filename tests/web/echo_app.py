"""Replaces the app behind a browser. It shows how it was started, and then everything that reaches it."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import NoReturn


def show(text: str) -> None:
    packet = text.encode()
    sys.stdout.buffer.write(b"D" + len(packet).to_bytes(4, "big") + packet)
    sys.stdout.buffer.flush()


def wait() -> NoReturn:
    """Wait for ever, whatever happens to the input."""
    while True:
        signal.pause()


def main() -> None:
    """Answer until the input ends."""
    sys.stdout.buffer.write(b"__GANGLION__\n")
    show(json.dumps([os.getpid(), *sys.argv[1:], os.environ["COLUMNS"], os.environ["ROWS"]]))
    while kind := sys.stdin.buffer.read(1):
        text = sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(4), "big")).decode()
        match text:
            case "leave":
                sys.exit(sys.stderr.write("Nobody was playing.\n") and 0)
            case "fail":
                sys.exit("something broke")
            case "stay":
                show("I stay.")
                wait()
            case _:
                show(f"{kind.decode()} {text}")


if __name__ == "__main__":
    main()
