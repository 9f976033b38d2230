"""The checksum of the sources that decide what a table means. It tells whether a table was built for other rules."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import ModuleType

from onlymove_engines.core.errors import UnusableTable
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.rules_analyst import is_solved_by_rules, list_deciding_parts

MEANINGLESS = {"annotation", "returns", "type_comment", "type_params", "ctx", "kind"}
"""Fields of a syntax tree that do not affect what the code does."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
INSIDE = {"body", "elt", "key", "value", "generators"}
"""The fields of a function or a comprehension that see its own variables."""
NAME_READERS = {"locals", "vars", "dir", "eval", "exec"}
"""Functions that can see what a variable is called."""

TRIES = 5


def source_digest(game: AnyGame) -> str:
    """Return the checksum of the game package's files that decide what a table means, in the order of its definition.
    Raises UnusableTable if the definition names a file that does not exist."""
    sha = hashlib.sha256()
    if game.solved.digest_sources or not is_solved_by_rules(game):
        sources = [resources.files(game.facts.package).joinpath(name) for name in game.solved.digest_sources]
    else:
        sources = [*rules_sources(game)]
    for source in sources:
        try:
            sha.update(meaning(source.read_bytes()))
        except FileNotFoundError as error:
            raise UnusableTable(
                f"digest_sources of {game.id} names {source.name}, but {game.facts.package} does not have that file"
            ) from error
    return sha.hexdigest()


def rules_sources(game: AnyGame) -> list[Path]:
    """Return the files that a table made from the rules depends on, for a game that does not list them. These are the
    modules of its rules, notation, start, symmetries, points and repetition, and the modules that these import from
    their own package."""
    ahead = [module_name(part) for part in list_deciding_parts(game)]
    followed = {module_name(game.rules), module_name(game.notation)}
    found: dict[str, Path] = {}
    while ahead:
        name = ahead.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name not in found and file is not None:
            found[name] = Path(file)
            # A package's `__init__.py` defines the game and so imports everything, even pictures and the coach. Its
            # imports are followed only if the rules are in it.
            if name in followed or found[name].name != "__init__.py":
                ahead += own_imports(name, found[name])
    return [found[name] for name in sorted(found)]


def module_name(part: object) -> str:
    """Return the name of the module that defines a function or object, or of a module itself."""
    part = getattr(part, "func", part)
    name: str = part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", "")
    return name


def own_imports(name: str, path: Path) -> Iterator[str]:
    """Yield the names that a module imports from its own top-level package. Some of them may not be modules."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    top = name.partition(".")[0]
    for node in ast.walk(parse_source(path.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            whole = ".".join(filter(None, (home, node.module)))
            names = [whole, *(f"{whole}.{alias.name}" for alias in node.names)]
        yield from (each for each in names if each.partition(".")[0] == top and top != "onlymove_engines")


@lru_cache(maxsize=64)
def meaning(source: bytes) -> bytes:
    """Return a checksum of what the code of a source does. It covers every operation, number, text and order of
    statements, and every name that other code can use: of functions, classes, parameters, attributes and variables of
    the module. It leaves out comments, docstrings, imports, type annotations, layout and the names of local variables,
    so a change of these alone does not change it. Every other change does, even if the code gives the same results as
    before."""
    return hashlib.sha256(format_tree(parse_source(source), Scope()).encode()).digest()


def parse_source(source: bytes) -> ast.AST:
    """Parse a source. Python before 3.11.8 can raise SystemError if two threads parse at the same time
    (python/cpython#106905), so this tries several times."""
    for _ in range(TRIES - 1):
        with suppress(SystemError):
            return ast.parse(source)
    return ast.parse(source)


@dataclass(frozen=True, slots=True)
class Scope:
    """What stands in the checksum for the local variables that a part of the code sees. `depth` counts the functions
    and comprehensions around the part, and keeps their variables apart."""

    depth: int = 0
    words: Mapping[str, str] = field(default_factory=dict)

    def enter(self, part: ast.AST) -> Scope:
        """Return the scope inside a function or a comprehension. A name is kept if it is also the name of a parameter
        or of a nested function, if it is imported, or if it is declared `global` or `nonlocal`. All names are kept if a
        class is defined inside, because its variables are attributes, or if a function that reads names is called."""
        nested = list(ast.walk(part))
        if any(isinstance(one, ast.ClassDef) or getattr(one, "id", "") in NAME_READERS for one in nested):
            return self
        kept = {name for one in nested if isinstance(one, ast.Nonlocal) for name in one.names}
        if isinstance(part, FUNCTIONS):
            body = [part.body] if isinstance(part, ast.Lambda) else part.body
            own = [one for statement in body for one in walk_scope(statement)]
            kept.update(one.arg for one in ast.walk(part.args) if isinstance(one, ast.arg))
        else:
            targets = [one.target for one in ast.iter_child_nodes(part) if isinstance(one, ast.comprehension)]
            own = [one for target in targets for one in ast.walk(target)]
        kept.update(name for one in own for name in list_other_names(one))
        bound = dict.fromkeys(name for one in own for name in list_variables(one))
        words = {name: f"%{self.depth}.{number}" for number, name in enumerate(bound) if name not in kept}
        return Scope(self.depth + 1, {**self.words, **{name: name for name in kept}, **words})


def walk_scope(part: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a part of a function, in a fixed order, without those that have variables of their own: what
    is inside a nested function, and what a comprehension assigns."""
    yield part
    match part:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            ahead: Iterable[ast.AST] = [*part.decorator_list, part.args]
        case ast.Lambda():
            ahead = [part.args]
        case ast.comprehension():
            ahead = [part.iter, *part.ifs]
        case _:
            ahead = ast.iter_child_nodes(part)
    for one in ahead:
        yield from walk_scope(one)


def list_variables(node: ast.AST) -> Iterator[str]:
    """Yield the variable that a node of a syntax tree assigns."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def list_other_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node declares or binds in any other way than as a variable."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]


def format_tree(part: object, scope: Scope) -> str:
    """Return a part of a syntax tree as text. Empty fields are left out because newer versions of Python add some. So
    the text is the same on every version."""
    if isinstance(part, list):
        return f"[{','.join(format_tree(item, scope) for item in part if not has_no_effect(item))}]"
    if not isinstance(part, ast.AST):
        return repr(part)
    inner = scope.enter(part) if isinstance(part, FUNCTIONS + COMPREHENSIONS) else scope
    is_variable = isinstance(part, ast.Name) or any(list_variables(part))
    fields = []
    for name, value in ast.iter_fields(part):
        if is_variable and isinstance(value, str):
            fields.append(f"{name}={scope.words.get(value, value)!r}")
        elif name not in MEANINGLESS and (value not in (None, []) or isinstance(part, ast.Constant)):
            fields.append(f"{name}={format_tree(value, inner if name in INSIDE else scope)}")
    if isinstance(part, COMPREHENSIONS):
        # What the first loop goes through does not see the variables of the comprehension.
        fields.append(format_tree(part.generators[0].iter, scope))
    return f"{type(part).__name__}({','.join(fields)})"


def has_no_effect(statement: object) -> bool:
    """Whether a statement does nothing at run time: a docstring, an import or a type alias."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
    return False
