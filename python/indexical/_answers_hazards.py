"""Memory that results and operands share, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._answers_kernels import Order
from indexical._answers_tiles import Constraint
from indexical._document import Answer, Document


@dataclass(kw_only=True)
class ProgramInput(Answer):
    """The input (docs/keys.md)

    path: the path as it was given; - for standard input
    format: stablehlo is any MLIR
    """

    path: str
    format: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Scalar(Answer):
    """A scalar (docs/keys.md)

    computation: where the scalar is
    instruction: the instruction that makes the scalar
    result: which of its arrays it is
    """

    computation: str
    instruction: str
    result: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class VariableOfCondition(Answer):
    """A variable of a condition (docs/keys.md)

    name: as constraints name it
    lower: inclusive; null is open
    upper: inclusive; null is open
    clamped: true: the scalar, clamped to the bounds; false: the scalar itself
    source: the scalar
    """

    name: str
    lower: int | None
    upper: int | None
    clamped: bool
    source: Scalar
    _parts: ClassVar[dict[str, type]] = {
        'source': Scalar,
    }


@dataclass(kw_only=True)
class MemoryAccess(Answer):
    """Who overwrites or reads (docs/keys.md)

    instruction
    index: the index that the thread computes: of the result, of a scatter's
        update, or of the element itself
    """

    instruction: str
    index: list[int]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OverwrittenElement(Answer):
    """An overwritten element (docs/keys.md)

    array: the instruction that makes the array
    element: the index in that array
    writer: who overwrites it
    reader: who still reads it: a kernel, or the end of the module, with the
        result or the parameter that has the element
    runtime: the variables of conditions, by name
    turn: the turn of the loop, from 0
    """

    array: str
    element: list[int]
    writer: MemoryAccess
    reader: MemoryAccess
    runtime: dict[str, int] | None = None
    turn: int | None = None
    _parts: ClassVar[dict[str, type]] = {
        'writer': MemoryAccess,
        'reader': MemoryAccess,
    }


@dataclass(kw_only=True)
class MemoryPlace(Answer):
    """A place in memory (docs/keys.md)

    kind: why the result lies, or could lie, in the operand's memory
    module: the number of the module
    line: where the instruction is; 0: not known
    computation
    instruction
    opcode
    mark: what the module says of it
    result: the array of the instruction's result; for an alias in the header,
        of the module's result
    operand: the operand whose memory it is; for an alias in the header, the
        parameter
    operand_result: the array of that operand
    answer
    because: why it is safe
    conditions: it is safe exactly if all constraints of one of these lists
        hold
    runtime: the variables of these
    order: if the instructions run in these orders, the place is safe or, if it
        is a copy, needless once the parameter of donate is donated
    witness: an element that is read after it was overwritten
    reason: what is not known
    bytes: the array that is copied
    predicted_us: the copy's time on the device
    donate: the parameter that the caller would donate
    donate_too: the other parameters that the caller would donate, because the
        computation of the copy is called for several
    confirmed: the module, compared by values with the module without the
        needless copies
    """

    kind: str
    module: int
    line: int
    computation: str
    instruction: str
    opcode: str
    mark: str
    result: int
    operand: int
    operand_result: int
    answer: str
    because: str | None = None
    conditions: list[list[Constraint]] | None = None
    runtime: list[VariableOfCondition] | None = None
    order: list[Order] | None = None
    witness: OverwrittenElement | None = None
    reason: str | None = None
    bytes: int | None = None
    predicted_us: float | None = None
    donate: str | None = None
    donate_too: list[str] | None = None
    confirmed: str | None = None
    _parts: ClassVar[dict[str, type]] = {
        'conditions': Constraint,
        'runtime': VariableOfCondition,
        'order': Order,
        'witness': OverwrittenElement,
    }


@dataclass(kw_only=True)
class Hazards(Document):
    """Which arrays share memory? (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    source: what was read
    scheduled: whether the modules have an order in which kernels run
    counts: by answer: the number of places
    places: in the order of the file; with --share, those pairs
    """

    schema: str
    version: str
    file: str | None = None
    source: ProgramInput
    scheduled: bool
    counts: dict[str, int]
    places: list[MemoryPlace]
    _parts: ClassVar[dict[str, type]] = {
        'source': ProgramInput,
        'places': MemoryPlace,
    }
