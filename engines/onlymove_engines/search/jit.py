"""The decorators of every compiled kernel.

A kernel is compiled when it is first called, and numba is imported then: a module may import the kernels that it
calls at its top, and whoever never calls one needs no compiler.

Kernels are kept on disk only where the process has named a keeper (`keeping`, before the first kernel is called);
otherwise they are compiled in memory.
"""

from __future__ import annotations

from functools import cache, update_wrapper
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from onlymove_engines.core.errors import NoCompiler
from onlymove_engines.search.keeping import Foreign, Function, keeper

if TYPE_CHECKING:
    import numpy.typing as npt

F = TypeVar("F", bound=Function)
Array: TypeAlias = "npt.NDArray[Foreign]"
"""An array that a kernel takes."""

_ONE_AT_A_TIME = Lock()

LACK = "no search without numba: "


def compiler() -> ModuleType:
    """numba, imported now. Raises NoCompiler where that does not work."""
    try:
        import numba  # noqa: PLC0415 - a second and 60 MB, for those who call a kernel
    except ImportError as error:
        raise NoCompiler(f"{LACK}{error}") from error
    module: ModuleType = numba
    return module


def has_compiler() -> bool:
    """Whether numba is installed. Imports nothing."""
    return find_spec("numba") is not None


def require_compiler() -> None:
    """Raises NoCompiler where numba is not installed. Imports nothing."""
    if not has_compiler():
        raise NoCompiler(f"{LACK}it is not installed")


KNOWN = (0, 68)
"""The newest numba whose inner works `parts` are known to fit; with a later one parts are compiled like all else."""


@cache
def parts() -> dict[str, Foreign]:
    """How numba is to compile what other kernels call: no machine code, and nothing optimised by itself.

    Whatever calls a part takes its code in and optimises the whole. Else each level of calls is optimised and
    translated again for every level above it, which took twice as long (38 s of processor time for 21 s).
    """
    numba: Foreign = compiler()
    if numba.version_info.short > KNOWN:
        return {}
    codegen = numba.core.codegen

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc, name-defined]
        """The code of a part. It never comes near the machine, so nothing of it has an address."""

        def _optimize_final_module(self) -> None: ...

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Foreign:
            return self

        def set_env(self, name: str, env: Foreign) -> None: ...

    return {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": compiler_into(Part)}


@cache
def whole() -> dict[str, Foreign]:
    """How numba is to compile a kernel with the parts that were taken in: nobody else calls those.

    So each is handed only what it looks at. Else a call with thirty arrays hands on 290 words, most of them unused.
    """
    numba: Foreign = compiler()
    if numba.version_info.short > KNOWN:
        return {}
    codegen = numba.core.codegen

    class Whole(codegen.JITCodeLibrary):  # type: ignore[misc, name-defined]
        """The code of a kernel and of its parts."""

        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == codegen.ll.Linkage.linkonce_odr:
                    function.linkage = "internal"
            super()._optimize_final_module()

    return {"pipeline_class": compiler_into(Whole)}


def compiler_into(library: Foreign) -> Foreign:
    """numba's compiler, but that it puts the code into this kind of library."""
    passes: Foreign = compiler().core.compiler

    class Into(passes.Compiler):  # type: ignore[misc]
        def define_pipelines(self) -> Foreign:
            self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
            return super().define_pipelines()

    return Into


class Kernel:
    """A function and how it is to be compiled: whole for whoever calls it from Python, and as a part of the kernels
    that call it, which take it for the compiled function itself."""

    def __init__(self, function: Function, **options: bool) -> None:
        self._function, self._options = function, options
        self._compiled: Foreign = None
        self._part: Foreign = None
        update_wrapper(self, function)

    def compiled(self) -> Foreign:
        """The function as numba has it, made once even when several threads call it first."""
        if self._compiled is None:
            numba = compiler()
            with _ONE_AT_A_TIME:
                if self._compiled is None:
                    njit: Foreign = numba.njit  # its hints do not know `_nrt`, the switch for reference counts
                    compiled = njit(nogil=True, no_cfunc_wrapper=True, **whole(), **self._options)(self._function)
                    if (keep := keeper()) is not None:
                        compiled._cache = keep(self._function)
                    self._compiled = compiled
        return self._compiled

    @property
    def _numba_type_(self) -> Foreign:
        """What numba asks a name that it meets in a kernel."""
        if self._compiled is not None and self._compiled.is_compiling:  # it calls itself
            return self._compiled._numba_type_
        if self._part is None:
            self._part = compiler().njit(nogil=True, **parts(), **self._options)(self._function)
        return self._part._numba_type_

    def __call__(self, *arguments: Foreign) -> Foreign:
        return self.compiled()(*arguments)


def kernel(function: F) -> F:
    """Compile `function` for integers and arrays, without the interpreter lock."""
    return cast(F, Kernel(function, _nrt=True, forceinline=False))


def inlined(function: F) -> F:
    """Compile a small part of other kernels into them, where a call with many arrays would cost more than its work.

    Like `lean`: it makes no array. What it calls is not inlined for that: the others say so.
    """
    return cast(F, Kernel(function, _nrt=False, forceinline=True))


def lean(function: F) -> F:
    """Compile a kernel that makes no array of its own, without counting references to its arguments.

    The caller holds them anyway, and in a search with many arrays the counting costs several times the work. A kernel
    that does make one fails to compile ("NRT required"). Parts inherit the choice, so `kernel` states its own.
    """
    return cast(F, Kernel(function, _nrt=False, forceinline=False))
