"""The decorators of every compiled kernel.

A kernel is compiled when it is first called, and numba is imported then: a module may import the kernels that it
calls at its top, and whoever never calls one needs no compiler. A kernel that makes no array (`lean`) does not need
numba either once it is kept on disk: it is called as plain machine code.

Kernels are kept on disk only where the process has named a keeper (`keeping`, before the first kernel is called);
otherwise they are compiled in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from onlymove_engines.core.errors import NoCompiler
from onlymove_engines.search.keeping import Foreign, Function, keeper

if TYPE_CHECKING:
    import numpy.typing as npt

    from onlymove_engines.search.machine_code import Code, Entry

F = TypeVar("F", bound=Function)
Array: TypeAlias = "npt.NDArray[Foreign]"
"""An array that a kernel takes."""

_ONE_AT_A_TIME = Lock()

LACK = "no search without numba: "


def compiler() -> ModuleType:
    """numba, imported now. Raises NoCompiler where that does not work."""
    try:
        import numba  # noqa: PLC0415 - a third of a second and 40 MB, for those who compile
    except ImportError as error:
        raise NoCompiler(f"{LACK}{error}") from error
    module: ModuleType = numba
    return module


def machine_code() -> ModuleType:
    """What calls kernels without numba, imported now. Raises NoCompiler where llvmlite, which comes with numba, is
    missing."""
    try:
        from onlymove_engines.search import machine_code as module  # noqa: PLC0415 - loads numpy and llvmlite
    except ImportError as error:
        raise NoCompiler(f"{LACK}{error}") from error
    return module


def has_compiler() -> bool:
    """Whether numba is installed. Imports nothing."""
    return find_spec("numba") is not None


def require_compiler() -> None:
    """Raises NoCompiler where numba is not installed. Imports nothing."""
    if not has_compiler():
        raise NoCompiler(f"{LACK}it is not installed")


KNOWN = (0, 68)
"""The newest numba whose inner works `translation` is known to fit. With a later one kernels are compiled and called as
numba does it by itself."""


def is_known() -> bool:
    """Whether `translation` fits the numba that is installed."""
    numba: Foreign = compiler()
    found: bool = numba.version_info.short <= KNOWN
    return found


def dispatcher(function: Function, options: dict[str, bool], is_part: bool = False) -> Foreign:
    """The function as numba has it: to be called, or as a part of others."""
    numba: Foreign = compiler()
    inner: dict[str, Foreign] = {}
    if is_known():
        from onlymove_engines.search import translation  # noqa: PLC0415 - needs numba

        inner = translation.PART if is_part else translation.WHOLE
    return numba.njit(nogil=True, **inner, **options)(function)


class Kernel:
    """A function and how it is to be compiled: whole for whoever calls it from Python, and as a part of the kernels
    that call it, which take it for the compiled function itself."""

    def __init__(self, function: Function, **options: bool) -> None:
        self._function, self._options = function, options
        self._whole: Foreign = None
        self._part: Foreign = None
        update_wrapper(self, function)

    def compiled(self) -> Foreign:
        """The function as numba has it, made once even when several threads call it first."""
        if self._whole is None:
            with _ONE_AT_A_TIME:
                if self._whole is None:
                    self._whole = self.made()
        return self._whole

    def made(self) -> Foreign:
        """The same, made now."""
        whole = dispatcher(self._function, {"no_cfunc_wrapper": True, **self._options})
        if (keep := keeper()) is not None:
            whole._cache = keep(self._function)
        return whole

    @property
    def _numba_type_(self) -> Foreign:
        """What numba asks a name that it meets in a kernel."""
        if self._whole is not None and self._whole.is_compiling:  # it calls itself
            return self._whole._numba_type_
        if self._part is None:
            self._part = dispatcher(self._function, self._options, is_part=True)
        return self._part._numba_type_

    def ready(self) -> list[str]:
        """The types of arguments that it can be called with at once."""
        return [] if self._whole is None else list(map(str, self._whole.signatures))

    def __call__(self, *arguments: Foreign) -> Foreign:
        return self.compiled()(*arguments)


class Lean(Kernel):
    """A kernel that makes no array. It is called as machine code, which takes no numba to load once it is on disk."""

    def __init__(self, function: Function, **options: bool) -> None:
        super().__init__(function, **options)
        self._entries: dict[str, Entry] = {}
        self._is_direct = True

    def __call__(self, *arguments: Foreign) -> Foreign:
        if self._is_direct:
            kinds, words = machine_code().described(arguments)
            entry = self._entries.get(kinds) or self.entry(kinds, arguments)
            if entry is not None:
                return entry(words)
        return super().__call__(*arguments)

    def ready(self) -> list[str]:
        """The kinds of arguments that it can be called with at once."""
        return list(self._entries)

    def entry(self, kinds: str, arguments: tuple[Foreign, ...]) -> Entry | None:
        """Machine code for arguments of these kinds: loaded if it is kept, else compiled and kept. `None` where numba
        is newer than `translation` knows and has to call the kernel itself."""
        with _ONE_AT_A_TIME:
            if kinds in self._entries:
                return self._entries[kinds]
            linked: Callable[[Code, str], Entry | None] = machine_code().linked
            kept = None if (keep := keeper()) is None else keep(self._function)
            code: Code | None = None if kept is None else kept.load(kinds)
            entry = None if code is None else linked(code, kinds)
            if entry is None:
                if not is_known():
                    self._is_direct = False
                    return None
                code = self.translated(arguments)
                if kept is not None:
                    kept.save(kinds, code)
                entry = linked(code, kinds)
                assert entry is not None, "the process that compiles a kernel has loaded all that it needs"
            self._entries[kinds] = entry
            return entry

    def translated(self, arguments: tuple[Foreign, ...]) -> Code:
        """Compile for such arguments."""
        from onlymove_engines.search import translation  # noqa: PLC0415 - needs numba

        if self._whole is None:
            options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, **self._options}
            self._whole = dispatcher(self._function, options)
        return translation.code_of(self._whole, arguments)


def kernel(function: F) -> F:
    """Compile `function` for integers and arrays, without the interpreter lock. It may make arrays and return them;
    numba has to be loaded to call it."""
    return cast(F, Kernel(function, _nrt=True, forceinline=False))


def inlined(function: F) -> F:
    """Compile a small part of other kernels into them, where a call with many arrays would cost more than its work.

    Like `lean`: it makes no array. What it calls is not inlined for that: the others say so.
    """
    return cast(F, Lean(function, _nrt=False, forceinline=True))


def lean(function: F) -> F:
    """Compile a kernel that makes no array of its own, without counting references to its arguments.

    The caller holds them anyway, and in a search with many arrays the counting costs several times the work. A kernel
    that does make one fails to compile ("NRT required"). Parts inherit the choice, so `kernel` states its own.

    Called from Python it takes numbers, arrays and named tuples of arrays, and gives nothing, a number or a tuple of
    numbers. Once it is kept on disk it is called without numba: 30 MB and a fifth of a second less.
    """
    return cast(F, Lean(function, _nrt=False, forceinline=False))
