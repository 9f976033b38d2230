"""Choices that are fixed before they are shown, and codes that are told: what may not be read from a record.

A choice is fixed by a hash that binds table, side and decision, so that no other move fits it and nobody else can use
it. Its nonce comes of a secret that only its owner can read: whoever is killed after fixing a choice can still show it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from onlymove_engines.core.value import Seat

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are taken for others."""
CODE_LENGTH = 6
STRETCHED = 100_000
"""Rounds of PBKDF2: some 30 ms a try, so that a code of six signs cannot be found in time from what shows that one
knows it. That stands in a record until the game has begun."""


def new_secret() -> str:
    """256 bits by lot."""
    return secrets.token_hex(32)


def new_code() -> str:
    """To be told to the one who may join."""
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def proof_of(code: str, table: str, joiner: str, uid: int) -> str:
    """Shows that whoever keeps this record knows the code; it is of no use to another joiner or account."""
    salt = f"{table} {joiner} {uid}".encode()
    return hashlib.pbkdf2_hmac("sha256", code.strip().lower().encode(), salt, STRETCHED).hex()


def is_proof(proof: str, code: str, table: str, joiner: str, uid: int) -> bool:
    """Whether it is one."""
    return hmac.compare_digest(proof.encode(), proof_of(code, table, joiner, uid).encode())


class Hiding:
    """The hidden choices of one side of a table."""

    def __init__(self, secret: str, table: str, seat: Seat) -> None:
        self._secret = bytes.fromhex(secret)
        self._table = table
        self._seat = seat

    def nonce(self, epoch: int, ply: int) -> str:
        """Of one decision; always the same."""
        said = f"{self._table} {self._seat} {epoch} {ply}".encode()
        return hmac.new(self._secret, said, "sha256").hexdigest()

    def fix(self, epoch: int, ply: int, move: str) -> str:
        """The hash of a choice."""
        return fixed(self._table, self._seat, epoch, ply, self.nonce(epoch, ply), move)

    def find(self, epoch: int, ply: int, hidden: str, moves: Iterable[str]) -> str | None:
        """Which of these moves one has fixed; `None`: none of them."""
        return next((move for move in moves if self.fix(epoch, ply, move) == hidden), None)


def fixed(table: str, seat: Seat, epoch: int, ply: int, nonce: str, move: str) -> str:
    """The hash of a choice with its nonce."""
    return hashlib.sha256(f"{table} {seat} {epoch} {ply} {nonce} {move}".encode()).hexdigest()
