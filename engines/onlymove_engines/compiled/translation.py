"""Changes how numba compiles kernels: functions become part of the kernels that call them, and named tuples of arrays
are passed as one address.

This module loads numba, so import it only to compile a kernel. It relies on numba's internals, so `jit` uses it only
with versions that it fits. docs/compiled.md lists the internals, and says what is lost without this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, codegen, compiler, types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, models, register_model

from .machine_code import Code, is_array_tuple, kind_of_number

NUMBERS = {"b": types.boolean, "i": types.int64, "u": types.uint64, "f": types.float64}


class CalleeLibrary(codegen.JITCodeLibrary):
    """The code of a function that only kernels call. It is neither optimised nor translated by itself.

    The kernel includes the code and optimises all of it together. Otherwise each function would be optimised again for
    every level of calls above it. The code is never loaded, so nothing in it has an address.
    """

    def _optimize_final_module(self) -> None: ...

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: Any) -> None: ...


class KernelLibrary(codegen.JITCodeLibrary):
    """The code of a kernel and of its callees. Nothing else calls these, so they become internal, and LLVM may leave
    out arguments that they do not use. This builds some tables a twentieth faster."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


def make_compiler(library: Any) -> Any:
    """Return a version of numba's compiler that puts compiled code into libraries of this class."""

    class Into(compiler.Compiler):
        def define_pipelines(self) -> Any:
            self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
            return super().define_pipelines()

    return Into


CALLEE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": make_compiler(CalleeLibrary)}
"""How numba compiles a function that only kernels call."""
KERNEL = {"pipeline_class": make_compiler(KernelLibrary)}
"""How numba compiles a kernel."""


class ArrayTupleReference(types.Type):
    """The type of a named tuple of arrays that is passed by reference: as the address of the descriptors that
    `machine_code.describe_array_tuple` makes.

    A call then passes one word. A plain tuple would pass seven or more words for every array, and a large search has
    thirty arrays.
    """

    def __init__(self, content: Any) -> None:
        self.content = content
        digest = hashlib.sha256(str(content).encode()).hexdigest()[:8]
        super().__init__(f"{content.instance_class.__name__}{digest}")

    def find_array(self, name: str) -> tuple[Any, int]:
        """Return the type of the array with this name, and the index of the first word of its descriptor."""
        at = self.content.fields.index(name)
        return self.content.types[at], sum(1 + 2 * array.ndim for array in self.content.types[:at])


register_model(ArrayTupleReference)(models.OpaqueModel)


@infer_getattr
class ArrayTupleAttributes(AttributeTemplate):
    key = ArrayTupleReference

    def generic_resolve(self, arrays: ArrayTupleReference, name: str) -> Any:  # type: ignore[override]
        return arrays.find_array(name)[0]


@lower_getattr_generic(ArrayTupleReference)
def read_array(context: Any, builder: Any, arrays: ArrayTupleReference, value: Any, name: str) -> Any:
    """Return the array with this name, built from its descriptor. Kernels never change descriptors, and the code tells
    LLVM so."""
    array, first = arrays.find_array(name)
    word = context.get_value_type(types.intp)
    row = builder.bitcast(value, word.as_pointer())
    never_changes = builder.module.add_metadata([])

    def load(at: int) -> Any:
        loaded = builder.load(builder.gep(row, [ir.Constant(word, at)]))
        loaded.set_metadata("invariant.load", never_changes)
        return loaded

    made = cgutils.create_struct_proxy(array)(context, builder)
    made.meminfo = cgutils.get_null_value(made.meminfo.type)
    made.parent = cgutils.get_null_value(made.parent.type)
    made.itemsize = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(array.dtype)))
    made.data = builder.inttoptr(load(first), made.data.type)
    lengths = [load(first + 1 + axis) for axis in range(array.ndim)]
    strides = [load(first + 1 + array.ndim + axis) for axis in range(array.ndim)]
    made.shape, made.strides = cgutils.pack_array(builder, lengths), cgutils.pack_array(builder, strides)
    items = lengths[0]
    for length in lengths[1:]:
        items = builder.mul(items, length)
    made.nitems = items
    return made._getvalue()


def type_of(argument: Any) -> Any:
    """Return numba's type for an argument of a kernel."""
    if isinstance(argument, np.ndarray):
        return numba.typeof(argument)
    return (
        ArrayTupleReference(numba.typeof(argument)) if is_array_tuple(argument) else NUMBERS[kind_of_number(argument)]
    )


def compile_code(dispatcher: Any, arguments: Sequence[Any]) -> Code:
    """Compile a kernel for arguments of these types and return its machine code."""
    taken = tuple(map(type_of, arguments))
    dispatcher.compile(taken)
    made = dispatcher.overloads[taken]
    library, given = made.library, made.signature.return_type
    is_tuple = isinstance(given, types.BaseTuple)
    results = given.types if is_tuple else () if given == types.none else (given,)
    module = library._final_module
    inside = [*module.functions, *module.global_variables]
    outside = [each.name for each in inside if each.is_declaration and not each.name.startswith("llvm.")]
    return Code(
        made.fndesc.llvm_func_name,
        ["bool" if isinstance(each, types.Boolean) else str(types.unliteral(each)) for each in results],
        is_tuple,
        outside,
        library._get_compiled_object(),
    )
