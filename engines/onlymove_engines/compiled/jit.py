"""Decorators that compile kernels on first use.

A kernel is compiled when it is first called, and only then is numba imported. Modules may therefore import kernels at
the top, and a program that calls none needs no compiler. A kernel that creates no array (`lean`) does not even need
numba once it is stored on disk, because it is called as plain machine code.

Compiled kernels are stored only if the process says where (`store_kernels_in`, before the first call). Otherwise they
stay in memory. Importing this module loads neither numpy nor numba, because every program start imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from onlymove_engines.core.errors import NoCompiler

if TYPE_CHECKING:
    import numpy.typing as npt

    from onlymove_engines.compiled.machine_code import Code, Entry

Array: TypeAlias = "npt.NDArray[Any]"
"""An array that a kernel takes."""

Function: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Function)

Keeper: TypeAlias = Callable[[Function], Any]
"""Returns the store for the compiled forms of a function, or `None`."""

NEWEST_NUMBA = (0, 68)
"""The newest numba whose internals `translation` fits, and the newest that pyproject.toml allows. If a newer one is
installed, numba compiles and calls kernels without our changes."""

LACK = "no search without numba: "

_ONE_AT_A_TIME = Lock()

_keepers: list[Keeper] = [lambda _function: None]


def store_kernels_in(keeper: Keeper) -> None:
    """Store compiled kernels in this store from now on. Without one, they last as long as the process."""
    _keepers[:] = [keeper]


def load(module: str) -> Any:
    """Import numba, or one of our modules that needs numba or llvmlite. Raises NoCompiler if that is not possible."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NoCompiler(f"{LACK}{error}") from error


def has_compiler() -> bool:
    """Whether numba is installed. Does not import it."""
    return find_spec("numba") is not None


def require_compiler() -> None:
    """Raise NoCompiler if numba is not installed. Does not import it."""
    if not has_compiler():
        raise NoCompiler(f"{LACK}numba is not installed")


def unknown_numba() -> str:
    """Return the version of the installed numba if it is too new for `translation`, and an empty text otherwise. Does
    not import numba."""
    from importlib import metadata  # noqa: PLC0415 - takes longer to load than all else here

    try:
        version = metadata.version("numba")
    except metadata.PackageNotFoundError:
        return "of unknown version"
    return "" if tuple(map(int, version.split(".")[:2])) <= NEWEST_NUMBA else version


def dispatcher(function: Function, options: dict[str, bool], is_part: bool = False) -> Any:
    """Return numba's compiled form of the function, to be called or to be part of other kernels."""
    numba = load("numba")
    inner = {}
    if not unknown_numba():
        translation = load("onlymove_engines.compiled.translation")
        inner = translation.PART if is_part else translation.WHOLE
    return numba.njit(nogil=True, **inner, **options)(function)


class Kernel:
    """A function and how to compile it: on its own for callers in Python, and as a part of the kernels that call it.
    Those kernels use this object as if it were the compiled function."""

    def __init__(self, function: Function, **options: bool) -> None:
        self._function, self._options = function, options
        self._whole: Any = None
        self._part: Any = None
        update_wrapper(self, function)

    def compile(self) -> Any:
        """Return numba's form of the function. It is made only once, even if several threads call it first."""
        with _ONE_AT_A_TIME:
            if self._whole is None:
                self._whole = dispatcher(self._function, {"no_cfunc_wrapper": True, **self._options})
                if (store := _keepers[0](self._function)) is not None:
                    self._whole._cache = store
        return self._whole

    @property
    def _numba_type_(self) -> Any:
        """Return the type of this object for numba, which asks for the type of each name in a kernel."""
        if self._whole is not None and self._whole.is_compiling:  # the kernel calls itself
            return self._whole._numba_type_
        if self._part is None:
            self._part = dispatcher(self._function, self._options, is_part=True)
        return self._part._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return (self._whole or self.compile())(*arguments)


class Lean(Kernel):
    """A kernel that creates no array. It is called as machine code, which loads without numba once it is stored on
    disk."""

    def __init__(self, function: Function, **options: bool) -> None:
        super().__init__(function, **options)
        self._entries: dict[str, Entry] = {}
        self._is_direct = True

    def __call__(self, *arguments: Any) -> Any:
        if self._is_direct:
            kinds, words = load("onlymove_engines.compiled.machine_code").describe_arguments(arguments)
            entry = self._entries.get(kinds) or self.entry(kinds, arguments)
            if entry is not None:
                return entry(words)
        return super().__call__(*arguments)

    def entry(self, kinds: str, arguments: tuple[Any, ...]) -> Entry | None:
        """Return machine code for arguments of these kinds: stored code, or newly compiled code, which is then stored.
        Return `None` if numba is too new for `translation` and has to call the kernel itself."""
        with _ONE_AT_A_TIME:
            if kinds in self._entries:
                return self._entries[kinds]
            link_code = load("onlymove_engines.compiled.machine_code").link_code
            store = _keepers[0](self._function)
            code: Code | None = store and store.load(kinds)
            entry: Entry | None = code and link_code(code, kinds)
            if entry is None:
                if unknown_numba():
                    self._is_direct = False
                    return None
                if self._whole is None:
                    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, **self._options}
                    self._whole = dispatcher(self._function, options)
                code = load("onlymove_engines.compiled.translation").code_of(self._whole, arguments)
                if store is not None:
                    store.save(kinds, code)
                entry = link_code(code, kinds)
                assert entry is not None, "the process that compiles a kernel has loaded all that it needs"
            self._entries[kinds] = entry
            return entry


def kernel(function: F) -> F:
    """Compile `function` for integers and arrays, without the interpreter lock. It may create arrays and return them.
    Calling it loads numba."""
    return cast(F, Kernel(function, _nrt=True, forceinline=False))


def inlined(function: F) -> F:
    """Compile a small function into the kernels that use it, because a call with many arrays would cost more than the
    work. Like a `lean` kernel, it creates no array. The functions that it calls are inlined only if they are marked
    too."""
    return cast(F, Lean(function, _nrt=False, forceinline=True))


def lean(function: F) -> F:
    """Compile a kernel that creates no array, without counting references to its arguments.

    The caller holds the arguments anyway, and in a search with many arrays the counting takes several times as long as
    the work. A kernel that does create an array fails to compile ("NRT required"). Functions inside a kernel inherit
    this setting.

    From Python, it takes numbers, arrays and named tuples of arrays, and returns nothing, a number or a tuple of
    numbers. Once stored on disk it is called without numba, which saves 30 MB and a fifth of a second.
    """
    return cast(F, Lean(function, _nrt=False, forceinline=False))
