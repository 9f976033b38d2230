"""Tells numba how to compile the operations of `vectors`: the types of vectors, and LLVM's instructions for each
operation.

It loads numba, so import it only to compile a kernel.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, registry, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

WORD, NUMBER, INDEX, BYTE = ir.IntType(64), ir.FloatType(), ir.IntType(32), ir.IntType(8)
BOARD_WORDS = 4


class Lanes(types.Type):
    """The type of a vector with this many lanes of uint64 or float32."""

    def __init__(self, element: Any, count: int) -> None:
        self.element, self.count = element, count
        self.code = ir.VectorType(WORD if element == types.uint64 else NUMBER, count)
        super().__init__(f"{element} in {count} lanes")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, lanes.code)


BOARD, BOARDS, NUMBERS = Lanes(types.uint64, BOARD_WORDS), Lanes(types.uint64, 8), Lanes(types.float32, 32)
WORDS = (BOARD, BOARDS)


def fill(builder: Any, number: Any, kind: Any) -> Any:
    """Return a vector whose lanes all hold this number."""
    start = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(INDEX, 0))
    return shuffle(builder, start, start, [0] * kind.count)


def shuffle(builder: Any, first: Any, second: Any, lanes: Sequence[int]) -> Any:
    """Return a vector of the lanes with these numbers, which count through the first vector and then the second."""
    return builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(INDEX, len(lanes)), list(lanes)))


def zeros(kind: Any) -> Any:
    return ir.Constant(kind, None)


def call_intrinsic(builder: Any, name: str, *arguments: Any) -> Any:
    """Call LLVM's intrinsic function of this name on vectors of words. The arguments and the result have the same
    type."""
    kind = arguments[0].type
    declared = ir.FunctionType(kind, [kind] * len(arguments))
    function = cgutils.get_or_insert_function(builder.module, declared, f"llvm.{name}.v{kind.count}i64")
    return builder.call(function, arguments)


# The instructions of each operation. A row of an array comes as numba's record of its address, shape and strides.


def find_row(builder: Any, row: Any, kind: Any) -> tuple[Any, int]:
    """Return the address of a row as the address of a vector, and its alignment in bytes."""
    return builder.bitcast(row.data, kind.as_pointer()), 4 if kind.element == NUMBER else 8


def load_row(lanes: Lanes) -> Callable[..., Any]:
    def emit(builder: Any, row: Any) -> Any:
        place, alignment = find_row(builder, row, lanes.code)
        return builder.load(place, align=alignment)

    return emit


def load_twice(builder: Any, row: Any) -> Any:
    half = builder.load(builder.bitcast(row.data, ir.VectorType(NUMBER, 16).as_pointer()), align=4)
    return shuffle(builder, half, half, [*range(16), *range(16)])


def load_whole(builder: Any, row: Any) -> Any:
    whole = builder.load(builder.bitcast(row.data, ir.VectorType(ir.IntType(16), 32).as_pointer()), align=2)
    return builder.sitofp(whole, NUMBERS.code)


def store_row(builder: Any, vector: Any, row: Any) -> None:
    place, alignment = find_row(builder, row, vector.type)
    builder.store(vector, place, align=alignment)


def prefetch(builder: Any, array: Any, row: Any) -> None:
    step = builder.extract_value(array.strides, 0)
    place = builder.bitcast(cgutils.pointer_add(builder, array.data, builder.mul(row, step)), BYTE.as_pointer())
    declared = ir.FunctionType(ir.VoidType(), [place.type, INDEX, INDEX, INDEX])
    function = cgutils.get_or_insert_function(builder.module, declared, "llvm.prefetch.p0")
    to_read, near, data = (ir.Constant(INDEX, choice) for choice in (0, 3, 1))
    builder.call(function, [place, to_read, near, data])


def only_bit(builder: Any, number: Any) -> Any:
    kind = BOARD.code
    bit = builder.shl(ir.Constant(WORD, 1), builder.and_(number, ir.Constant(WORD, 63)))
    word = fill(builder, builder.lshr(number, ir.Constant(WORD, 6)), kind)
    is_here = builder.icmp_unsigned("==", word, ir.Constant(kind, list(range(kind.count))))
    return builder.select(is_here, fill(builder, bit, kind), zeros(kind))


def fill_halves(builder: Any, first: Any, second: Any) -> Any:
    lanes = [k if k < 16 else 32 + k for k in range(32)]
    return shuffle(builder, fill(builder, first, NUMBERS.code), fill(builder, second, NUMBERS.code), lanes)


def fill_range(builder: Any, outside: Any, inside: Any, start: Any, end: Any) -> Any:
    places = ir.Constant(ir.VectorType(WORD, 32), list(range(32)))
    first, last = (fill(builder, place, places.type) for place in (start, end))
    is_inside = builder.and_(builder.icmp_signed(">=", places, first), builder.icmp_signed("<", places, last))
    return builder.select(is_inside, fill(builder, inside, NUMBERS.code), fill(builder, outside, NUMBERS.code))


def mark_positive(builder: Any, vector: Any) -> Any:
    is_positive = builder.fcmp_ordered(">", vector, zeros(vector.type))
    return builder.zext(builder.bitcast(is_positive, ir.IntType(vector.type.count)), WORD)


def pick_lanes(*lanes: int) -> Callable[..., Any]:
    def emit(builder: Any, first: Any, second: Any = None) -> Any:
        return shuffle(builder, first, first if second is None else second, lanes)

    return emit


def shift_boards(intrinsic: str, step: int) -> Callable[..., Any]:
    """Return a function that writes the instructions of a shift of boards. Bits that leave a word enter the word `step`
    lanes away. At the end of a board they are lost."""

    def emit(builder: Any, vector: Any, number: Any) -> Any:
        count = vector.type.count
        is_inside = [0 <= k % BOARD_WORDS - step < BOARD_WORDS for k in range(count)]
        from_lanes = [k - step if is_inside[k] else count for k in range(count)]
        others = shuffle(builder, vector, zeros(vector.type), from_lanes)
        pair = (vector, others) if step > 0 else (others, vector)
        return call_intrinsic(builder, intrinsic, *pair, fill(builder, number, vector.type))

    return emit


def shift_words(builder: Any, vector: Any, number: Any) -> Any:
    return builder.lshr(vector, fill(builder, number, vector.type))


def lift_words(builder: Any, vector: Any, number: Any) -> Any:
    return builder.shl(vector, fill(builder, number, vector.type))


def has_bits(builder: Any, vector: Any) -> Any:
    lanes = ir.IntType(vector.type.count)
    differs = builder.icmp_unsigned("!=", vector, zeros(vector.type))
    return builder.icmp_unsigned("!=", builder.bitcast(differs, lanes), ir.Constant(lanes, 0))


def add_lanes(builder: Any, vector: Any) -> Any:
    add = builder.fadd if vector.type.element == NUMBER else builder.add
    while vector.type.count > 1:
        half = vector.type.count // 2
        vector = add(*(shuffle(builder, vector, vector, range(at, at + half)) for at in (0, half)))
    return builder.extract_element(vector, ir.Constant(INDEX, 0))


def clip_lanes(builder: Any, vector: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", vector, zeros(vector.type)), vector, zeros(vector.type))


def define(symbol: Any, emit: Callable[..., Any], choose: Callable[..., Any], count: int) -> Any:
    """Tell numba about an operation with `count` arguments. `emit` writes its instructions. `choose` takes the types of
    the arguments and returns the signature, or `None` if they do not fit. Return the operation's template."""

    class Template(AbstractTemplate):
        key = symbol

        def generic(self, taken: Sequence[Any], names: Any) -> Any:
            return choose(*taken) if len(taken) == count else None

    @lower_builtin(symbol, *(types.Any,) * count)
    def lower(context: Any, builder: Any, made: Any, values: Any) -> Any:
        given = [
            context.make_array(kind)(context, builder, value) if isinstance(kind, types.Array) else value
            for kind, value in zip(made.args, values, strict=True)
        ]
        result = emit(builder, *given)
        return context.get_dummy_value() if result is None else result

    return Template


def define_operator(symbol: Any, words: str, numbers: str) -> None:
    """Define an operator between vectors of one type. `words` and `numbers` are LLVM's names for its instructions on
    words and on numbers."""
    count = 1 if symbol is operator.invert else 2

    def choose(*taken: Any) -> Any:
        first = taken[0]
        fits = isinstance(first, Lanes) and all(each == first for each in taken)
        return signature(first, *taken) if fits and (numbers or first in WORDS) else None

    def emit(builder: Any, *vectors: Any) -> Any:
        return getattr(builder, numbers if vectors[0].type.element == NUMBER else words)(*vectors)

    infer_global(symbol)(define(symbol, emit, choose, count))


TEMPLATES: dict[str, Any] = {}


def define_operation(name: str, emit: Callable[..., Any], result: Any, *wanted: Any) -> None:
    """Define an operation of `vectors`. `wanted` are the types of its arguments, where a tuple stands for any of these
    vectors and `types.Array` for a row. If `result` is `None`, the result has the type of the first argument."""

    def choose(*taken: Any) -> Any:
        passed: list[Any] = []
        for given, kind in zip(taken, wanted, strict=True):
            is_free = isinstance(kind, tuple) or kind is types.Array
            if is_free and not (given in kind if isinstance(kind, tuple) else isinstance(given, kind)):
                return None
            passed.append(given if is_free else kind)
        return signature(result or taken[0], *passed)

    TEMPLATES[name] = define(f"onlymove {name}", emit, choose, len(wanted))


@cache
def find_operation(name: str) -> Any:
    """Return numba's type for the operation of this name."""
    return types.Function(TEMPLATES[name])


for _symbols, _words, _numbers in (
    ((operator.and_, operator.iand), "and_", ""),
    ((operator.or_, operator.ior), "or_", ""),
    ((operator.xor, operator.ixor), "xor", ""),
    ((operator.invert,), "not_", ""),
    ((operator.add, operator.iadd), "add", "fadd"),
    ((operator.sub, operator.isub), "sub", "fsub"),
    ((operator.mul, operator.imul), "mul", "fmul"),
):
    for _symbol in _symbols:
        define_operator(_symbol, _words, _numbers)

for _name, _emit, _result, *_wanted in (
    ("load4", load_row(BOARD), BOARD, types.Array),
    ("load32", load_row(NUMBERS), NUMBERS, types.Array),
    ("load_twice16", load_twice, NUMBERS, types.Array),
    ("load_whole32", load_whole, NUMBERS, types.Array),
    ("store4", store_row, types.none, (BOARD,), types.Array),
    ("store32", store_row, types.none, (NUMBERS,), types.Array),
    ("prefetch", prefetch, types.none, types.Array, types.int64),
    ("only4", only_bit, BOARD, types.uint64),
    ("fill32", lambda builder, number: fill(builder, number, NUMBERS.code), NUMBERS, types.float32),
    ("fill_halves", fill_halves, NUMBERS, types.float32, types.float32),
    ("fill_range", fill_range, NUMBERS, types.float32, types.float32, types.int64, types.int64),
    ("join", pick_lanes(*range(8)), BOARDS, (BOARD,), (BOARD,)),
    ("low_half", pick_lanes(0, 1, 2, 3), BOARD, (BOARDS,)),
    ("high_half", pick_lanes(4, 5, 6, 7), BOARD, (BOARDS,)),
    ("swap", pick_lanes(4, 5, 6, 7, 0, 1, 2, 3), BOARDS, (BOARDS,)),
    ("shift_up", shift_boards("fshl", 1), None, WORDS, types.uint64),
    ("shift_down", shift_boards("fshr", -1), None, WORDS, types.uint64),
    ("shift_words", shift_words, None, WORDS, types.uint64),
    ("lift_words", lift_words, None, WORDS, types.uint64),
    ("count_bits", lambda builder, vector: call_intrinsic(builder, "ctpop", vector), None, WORDS),
    ("has_bits", has_bits, types.boolean, WORDS),
    ("add_words", add_lanes, types.int64, WORDS),
    ("add_numbers", add_lanes, types.float32, (NUMBERS,)),
    ("mark_positive", mark_positive, types.uint64, (NUMBERS,)),
    ("clip32", clip_lanes, NUMBERS, (NUMBERS,)),
):
    define_operation(_name, _emit, _result, *_wanted)

registry.cpu_target.target_context.refresh()  # a kernel that is being compiled has named the first operation
