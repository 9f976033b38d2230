"""Checks of the arguments that the library's functions get. A wrong type raises TypeError, and a number out of range
ValueError, each with one line that names the argument."""

from __future__ import annotations

from math import isnan
from operator import index


def check_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, not {value!r}")
    return value


def check_whole(name: str, value: object, least: int | None = None) -> int:
    """Return `value` as an int. It may be of any integer type, such as numpy's."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    number = index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def check_seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    seconds = float(value)
    if isnan(seconds) or seconds < 0:
        raise ValueError(f"{name} must be a number of seconds of at least 0, not {value!r}")
    return seconds


def check_seat(value: object) -> int:
    """Return a seat, 0 or 1."""
    seat = check_whole("the seat", value)
    if seat not in (0, 1):
        raise ValueError(f"the seat must be 0 or 1, not {seat}")
    return seat
