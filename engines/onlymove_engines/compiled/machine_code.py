"""Loads compiled kernels and calls them without numba.

The code takes the same arguments as numba's own calls (`CPUCallConv` in numba/core/callconv.py): an address for the
result, an address for an error, and then the kernel's arguments. A number is one word. An array is several:

    0  0  items  bytes per item  address  length of each axis ...  stride of each axis ...

A named tuple of arrays is passed by reference. It is one word, the address of the descriptors of its arrays:

    address  length of each axis ...  stride of each axis ...
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
from llvmlite import binding

AnyArray: TypeAlias = "npt.NDArray[Any]"
ArrayTuple: TypeAlias = tuple[AnyArray, ...]
"""A named tuple of arrays, such as the working memory of a search."""

EntryPoint: TypeAlias = Callable[[Sequence[Any]], Any]
"""A kernel compiled for arguments of certain kinds. It takes their words."""

NUMBERS: dict[str, tuple[type, Any]] = {
    "b": (bool, ctypes.c_uint8),
    "i": (int, ctypes.c_int64),
    "u": (int, ctypes.c_uint64),
    "f": (float, ctypes.c_double),
}
"""The kinds of numbers as types of Python and of C: boolean, integer, unsigned integer and float."""
ARRAY, ARRAY_TUPLE = "a", "t"
"""The first letter of the kinds of arrays and of tuples of arrays."""

RESULTS: dict[str, Any] = {"bool": ctypes.c_bool, "float32": ctypes.c_float, "float64": ctypes.c_double}
RESULTS |= {f"{sign}int{bits}": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}

LATEST = 2
"""How many tuples of arrays are remembered. A game's search has one for playing and one for judging."""


class Code(NamedTuple):
    """The machine code of a kernel for arguments of certain kinds."""

    symbol: str
    """The name of the kernel in the object file."""
    results: list[str]
    """The types of the numbers that it returns, as keys of RESULTS."""
    is_tuple: bool
    """Whether it returns a tuple of numbers."""
    outside: list[str]
    """The symbols that the code needs but does not contain."""
    machine: bytes
    """The object file."""


def describe_arguments(arguments: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return the kinds of the arguments, separated by spaces, and their words. Raises TypeError for an argument that
    kernels cannot take."""
    kinds: list[str] = []
    words: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            kinds.append(kind_of_array(argument))
            words += (0, 0, argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides)
        elif is_array_tuple(argument):
            kind, descriptors = describe_array_tuple(argument)
            kinds.append(kind)
            words.append(descriptors)
        else:
            kind = kind_of_number(argument)
            kinds.append(kind)
            words.append(NUMBERS[kind][0](argument))
    return " ".join(kinds), words


def kind_of_number(number: Any) -> str:
    """Return the kind of a number. Raises TypeError for anything else."""
    if isinstance(number, bool | np.bool_):
        return "b"
    if isinstance(number, int):
        return "i" if number.bit_length() < 64 else "u"
    if isinstance(number, np.unsignedinteger):
        return "u"
    if isinstance(number, np.integer):
        return "i"
    if isinstance(number, float | np.floating):
        return "f"
    raise TypeError(f"no kernel takes an argument of type {type(number).__name__}")


def kind_of_array(array: AnyArray) -> str:
    """Return the kind of an array. The same machine code works for all arrays of a kind."""
    flags = array.flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    access = ("w" if flags.writeable else "r") + ("" if flags.aligned else "u")
    return f"{ARRAY}{array.ndim}{array.dtype.str}{layout}{access}"


def is_array_tuple(argument: Any) -> TypeGuard[ArrayTuple]:
    return isinstance(argument, tuple) and hasattr(argument, "_fields")


_latest: tuple[tuple[ArrayTuple, str, Any], ...] = ()


def describe_array_tuple(arrays: ArrayTuple) -> tuple[str, Any]:
    """Return the kind of a tuple of arrays, and the descriptor of each array: its address, shape and strides. Machine
    code reads the descriptors by their address, so the caller must hold a reference to them."""
    global _latest  # noqa: PLW0603 - to look at thirty arrays takes as long as a short search
    for known, kind, descriptors in _latest:
        if known is arrays:
            return kind, descriptors
    kind = f"{ARRAY_TUPLE}{type(arrays).__name__}({','.join(map(kind_of_array, arrays))})"
    words = [word for array in arrays for word in (array.ctypes.data, *array.shape, *array.strides)]
    descriptors = (ctypes.c_int64 * len(words))(*words)
    _latest = ((arrays, kind, descriptors), *_latest[: LATEST - 1])
    return kind, descriptors


@cache
def loader() -> Any:
    """Return the loader of machine code for this process."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)


def host() -> str:
    """Describe the machine for which code is compiled."""
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_process_triple()} {binding.get_host_cpu_name()} {features}"


def link_code(code: Code, kinds: str) -> EntryPoint | None:
    """Load the code. Return a function that takes words of these kinds, or `None` if a symbol that the code needs is
    missing. Only one thread may do this at a time."""
    engine = loader()  # the engine can also find symbols that this process has loaded
    if any(binding.address_of_symbol(name) is None for name in code.outside):
        return None
    engine.add_object_file(binding.ObjectFileRef.from_data(code.machine))
    engine.finalize_object()
    taken: list[Any] = []
    for kind in kinds.split(" "):
        if kind[0] == ARRAY:
            taken += [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 2 + [ctypes.c_void_p]
            taken += [ctypes.c_int64] * (2 * int(kind[1]))
        else:
            taken.append(ctypes.c_void_p if kind[0] == ARRAY_TUPLE else NUMBERS[kind][1])
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *taken)
    function = prototype(engine.get_function_address(code.symbol))
    names = [f"n{at}" for at in range(max(1, len(code.results)))]
    places = list(zip(names, [RESULTS[name] for name in code.results] or [ctypes.c_void_p], strict=True))
    result_type = type("Result", (ctypes.Structure,), {"_fields_": places})

    def call(words: Sequence[Any]) -> Any:
        result, trouble = result_type(), ctypes.c_void_p()
        if status := function(ctypes.byref(result), ctypes.byref(trouble), *words):
            raise ArithmeticError(f"the compiled function {code.symbol} failed with status {status}")
        found = tuple(getattr(result, name) for name in names)
        return found if code.is_tuple else found[0]

    return call
