"""Only regular files are opened where the program looks for a file, and it never waits for one."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from onlymove_engines.core.files import open_regular, read_limited, read_regular, require_regular

FLAGS = {
    "read": os.O_RDONLY,
    "write": os.O_WRONLY | os.O_CREAT,
    "append": os.O_WRONLY | os.O_APPEND | os.O_CREAT,
    "lock": os.O_RDWR | os.O_CREAT,
}


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))  # A longer path is refused.


MAKERS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/urandom"),
    "socket": make_socket,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS.keys())
def test_only_a_regular_file_is_opened(make: Callable[[Path], None], flags: int, tmp_path: Path) -> None:
    make(path := tmp_path / "it")
    with pytest.raises(OSError, match=r"(not a regular file|Is a directory): '.*it'"):
        open_regular(path, flags)
    with pytest.raises(OSError, match=r"(not a regular file|Is a directory): '.*it'"):
        require_regular(path)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "it"
    require_regular(path)
    path.write_bytes(b"x" * (2 << 20))
    require_regular(path)
    assert read_regular(path, 2 << 20) == b"x" * (2 << 20)
    with pytest.raises(OSError, match=r"larger than 1 MB: '.*it'"):
        read_regular(path, 1 << 20)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "other", 1)


def test_no_more_is_read_than_shows_that_a_stream_is_too_long() -> None:
    stream = io.BytesIO(b"x" * (3 << 10))
    with pytest.raises(OSError, match="larger than 2 KB: 'it'"):
        read_limited(stream, 2 << 10, "it")
    assert stream.tell() == (2 << 10) + 1
