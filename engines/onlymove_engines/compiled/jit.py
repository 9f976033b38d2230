"""Decorators that compile kernels on first use.

A kernel is compiled when it is first called, and only then is numba imported. Modules may therefore import kernels at
the top, and a program that calls none needs no compiler. A kernel that is `allocation_free` does not even need numba
once it is stored on disk, because it is called as plain machine code.

Compiled kernels are stored only if the process says where (`store_kernels_in`, before the first call). Otherwise they
stay in memory. Importing this module loads neither numpy nor numba, because every program start imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import update_wrapper
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast

from onlymove_engines.core.errors import NoCompiler

if TYPE_CHECKING:
    import numpy.typing as npt

    from onlymove_engines.compiled.machine_code import Code, EntryPoint

Array: TypeAlias = "npt.NDArray[Any]"
"""An array that a kernel takes."""

Function: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Function)


class Store(Protocol):
    """Keeps the compiled forms of one function on disk."""

    folder: str
    """Where they are."""

    def load(self, kinds: str) -> Code | None:
        """Return the machine code for arguments of these kinds, or `None` if there is none."""

    def save(self, kinds: str, code: Code) -> None:
        """Store the machine code for arguments of these kinds, if that is possible."""

    def read_forms(self, types: object, processor: object) -> Iterator[Any]:
        """Yield the forms for arguments of these types on this processor that numba can call."""

    def write_form(self, types: object, processor: object, kept: bytes) -> None:
        """Store such a form, pickled, if that is possible."""


Keeper: TypeAlias = Callable[[Function], Store | None]
"""Returns the store for the compiled forms of a function. `None` if they are not stored."""

NEWEST_NUMBA = (0, 68)
"""The newest numba whose internals `translation` fits, and the newest that pyproject.toml allows. If a newer one is
installed, numba compiles and calls kernels without our changes."""

NO_NUMBA = "no search without numba: "

_ONE_AT_A_TIME = Lock()

_keepers: list[Keeper] = [lambda _function: None]


def store_kernels_in(keeper: Keeper) -> None:
    """Store compiled kernels in this store from now on. Without one, they last as long as the process."""
    _keepers[:] = [keeper]


FOLDER_SETTINGS = ".numba_config.yaml"
"""The file in the current folder from which numba takes settings, whenever it compiles."""

_refused: set[str] = set()


def refuse_folder_settings() -> None:
    """From now on, compile nothing while the current folder has a file with settings for numba. The folder may belong
    to somebody else, and the settings can make numba fail, write to stdout or compile something else."""
    _refused.add(FOLDER_SETTINGS)


def check_folder() -> None:
    """Raise NoCompiler if numba would take settings from the current folder and this process refuses that."""
    for name in _refused:
        if Path(name).exists():
            raise NoCompiler(
                f"numba would read the file {name} in the current folder, so start onlymove in another folder"
            )


def load(module: str) -> Any:
    """Import numba, or one of our modules that needs numba or llvmlite. Raises NoCompiler if that is not possible."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NoCompiler(f"{NO_NUMBA}{error}") from error


def has_compiler() -> bool:
    """Whether numba is installed. Does not import it."""
    return find_spec("numba") is not None


def require_compiler() -> None:
    """Raise NoCompiler if numba is not installed. Does not import it."""
    if not has_compiler():
        raise NoCompiler(f"{NO_NUMBA}numba is not installed")


def unknown_numba() -> str:
    """Return the version of the installed numba if it is too new for `translation`, and an empty text otherwise. Does
    not import numba."""
    from importlib import metadata  # noqa: PLC0415 - takes longer to load than all else here

    try:
        version = metadata.version("numba")
    except metadata.PackageNotFoundError:
        return "of unknown version"
    return "" if tuple(map(int, version.split(".")[:2])) <= NEWEST_NUMBA else version


def make_dispatcher(function: Function, options: dict[str, bool], is_callee: bool = False) -> Any:
    """Return numba's compiler of the function. It makes a kernel that Python can call, or a callee: code that only
    kernels call."""
    check_folder()
    numba = load("numba")
    if numba.config.DISABLE_JIT:
        raise NoCompiler(f"{NO_NUMBA}NUMBA_DISABLE_JIT is set")
    ours = {}
    if not unknown_numba():
        translation = load("onlymove_engines.compiled.translation")
        ours = translation.CALLEE if is_callee else translation.KERNEL
    return numba.njit(nogil=True, **ours, **options)(function)


class Kernel:
    """A function and how to compile it: on its own for callers in Python, and as a callee of other kernels. Those use
    this object as if it were the compiled function."""

    def __init__(self, function: Function, **options: bool) -> None:
        self._function, self._options = function, options
        self._dispatcher: Any = None
        self._callee: Any = None
        update_wrapper(self, function)

    def compile(self) -> Any:
        """Return numba's form of the function. It is made only once, even if several threads call it first."""
        with _ONE_AT_A_TIME:
            if self._dispatcher is None:
                self._dispatcher = make_dispatcher(self._function, {"no_cfunc_wrapper": True, **self._options})
                if (store := _keepers[0](self._function)) is not None:
                    load("onlymove_engines.compiled.overloads").store_overloads(self._dispatcher, store)
        return self._dispatcher

    def list_signatures(self) -> list[str]:
        """Return the types of arguments for which this process has compiled or loaded the kernel."""
        return [] if self._dispatcher is None else list(map(str, self._dispatcher.signatures))

    @property
    def _numba_type_(self) -> Any:
        """Return the type of this object for numba, which asks for the type of each name in a kernel."""
        if self._dispatcher is not None and self._dispatcher.is_compiling:  # the kernel calls itself
            return self._dispatcher._numba_type_
        if self._callee is None:
            self._callee = make_dispatcher(self._function, self._options, is_callee=True)
        return self._callee._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return (self._dispatcher or self.compile())(*arguments)


class AllocationFreeKernel(Kernel):
    """A kernel that creates no array. It is called as machine code, which loads without numba once it is stored on
    disk."""

    def __init__(self, function: Function, **options: bool) -> None:
        super().__init__(function, **options)
        self._entry_points: dict[str, EntryPoint] = {}
        self._is_direct = True

    def __call__(self, *arguments: Any) -> Any:
        if self._is_direct:
            kinds, words = load("onlymove_engines.compiled.machine_code").describe_arguments(arguments)
            entry_point = self._entry_points.get(kinds) or self.find_entry_point(kinds, arguments)
            if entry_point is not None:
                return entry_point(words)
        return super().__call__(*arguments)

    def list_signatures(self) -> list[str]:
        return [*super().list_signatures(), *self._entry_points]

    def find_entry_point(self, kinds: str, arguments: tuple[Any, ...]) -> EntryPoint | None:
        """Return machine code for arguments of these kinds: stored code, or newly compiled code, which is then stored.
        Return `None` if numba is too new for `translation` and has to call the kernel itself."""
        with _ONE_AT_A_TIME:
            if kinds in self._entry_points:
                return self._entry_points[kinds]
            link_code = load("onlymove_engines.compiled.machine_code").link_code
            store = _keepers[0](self._function)
            code = None if store is None else store.load(kinds)
            entry_point: EntryPoint | None = None if code is None else link_code(code, kinds)
            if entry_point is None:
                if unknown_numba():
                    self._is_direct = False
                    return None
                if self._dispatcher is None:
                    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, **self._options}
                    self._dispatcher = make_dispatcher(self._function, options)
                check_folder()
                code = load("onlymove_engines.compiled.translation").compile_code(self._dispatcher, arguments)
                if store is not None:
                    store.save(kinds, code)
                entry_point = link_code(code, kinds)
                assert entry_point is not None, "the process that compiles a kernel has loaded all that it needs"
            self._entry_points[kinds] = entry_point
            return entry_point


def kernel(function: F) -> F:
    """Compile `function` for integers and arrays, without the interpreter lock. It may create arrays and return them.
    Calling it loads numba."""
    return cast(F, Kernel(function, _nrt=True, forceinline=False))


def inlined(function: F) -> F:
    """Compile a small function into the kernels that use it, because a call with many arrays would cost more than the
    work. Like an `allocation_free` kernel, it creates no array. The functions that it calls are inlined only if they
    are marked too."""
    return cast(F, AllocationFreeKernel(function, _nrt=False, forceinline=True))


def allocation_free(function: F) -> F:
    """Compile a kernel that creates no array, without counting references to its arguments.

    The caller holds the arguments anyway, and in a search with many arrays the counting takes several times as long as
    the work. A kernel that does create an array fails to compile ("NRT required"). Functions inside a kernel inherit
    this setting.

    From Python, it takes numbers, arrays and named tuples of arrays, and returns nothing, a number or a tuple of
    numbers. Once stored on disk it is called without numba, which saves 30 MB and a fifth of a second.
    """
    return cast(F, AllocationFreeKernel(function, _nrt=False, forceinline=False))
