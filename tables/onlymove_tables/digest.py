"""What a table stands and falls with: the sources that give its numbers and bytes a meaning, as one checksum.

The checksum is over the syntax trees of the drawer's `digest_sources`. Comments, docstrings, imports, types, layout
and the files' names are not in it, so that only what can change an answer outdates a table. The text of a tree is
spelled here and not by `ast.dump`, which differs between versions of Python. Does not know what the sources say.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import resources

from onlymove_engines.core.game import AnyGame

MEANINGLESS = {"annotation", "returns", "type_comment", "type_params", "ctx", "kind"}
"""Fields of a syntax tree that no answer depends on."""
TRIES = 5


def source_digest(game: AnyGame) -> str:
    """Of the drawer's files that decide what a table means, in the order of its card."""
    sha = hashlib.sha256()
    for name in game.digest_sources:
        sha.update(meaning(resources.files(game.folder).joinpath(name).read_bytes()))
    return sha.hexdigest()


@lru_cache(maxsize=64)
def meaning(source: bytes) -> bytes:
    """32 bytes that change with what a source does, and with nothing else."""
    return hashlib.sha256(written_out(tree_of(source)).encode()).digest()


def tree_of(source: bytes) -> ast.AST:
    """The syntax tree. Python before 3.11.8 miscounts, and raises SystemError, when two threads ask at the same moment
    (python/cpython#106905); whoever asks again gets it."""
    for _ in range(TRIES - 1):
        with suppress(SystemError):
            return ast.parse(source)
    return ast.parse(source)


def written_out(part: object) -> str:
    """A part of a syntax tree as text, the same on every version of Python."""
    if isinstance(part, list):
        return f"[{','.join(written_out(item) for item in part if not is_said_only(item))}]"
    if isinstance(part, ast.AST):
        return f"{type(part).__name__}({','.join(fields(part))})"
    return repr(part)


def fields(node: ast.AST) -> Iterator[str]:
    """The filled fields of a node, named, because versions of Python add fields that stay empty."""
    for name, value in ast.iter_fields(node):
        is_filled = value is not None and value != []
        if name not in MEANINGLESS and (is_filled or isinstance(node, ast.Constant)):
            yield f"{name}={written_out(value)}"


def is_said_only(statement: object) -> bool:
    """Whether this does nothing when it runs: a docstring, an import, the name of a type."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
    return False
