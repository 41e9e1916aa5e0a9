"""Tiles, and what is used of operands, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Document


@dataclass(kw_only=True)
class SizeOfTensor:
    """The size of a tensor (docs/formats.md)"""

    #: where the tensor is
    computation: str
    #: the instruction that makes it
    instruction: str
    #: which of its arrays it is
    result: int
    dimension: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OpenSize:
    """An open size (docs/formats.md)"""

    #: as expressions have it
    name: str
    #: what it is
    size_of: SizeOfTensor
    _parts: ClassVar[dict[str, type]] = {
        'size_of': SizeOfTensor,
    }


@dataclass(kw_only=True)
class BoxReason:
    """The reason of a box (docs/formats.md)"""

    #: the instruction behind which it is so
    instruction: str | None
    #: its dimension
    dimension: int | None
    #: the expression that is no tile, over the indices of the root
    expression: str
    #: the member of a collective's group (its position in the group) whose
    #: elements these are, over the indices of the root: other members read
    #: nothing
    member: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Tile:
    """A tile (docs/formats.md)"""

    #: whose tile it is
    instruction: str
    #: which of its arrays it is
    result: int | None = None
    #: the instructions between the root and this one, the root's side first
    path: list[str]
    #: true: what is read on this path is this tile, together with the other
    #: entries of the path, where the conditions hold. An entry that reads
    #: nothing at some offsets, or for some sizes, has a size of 0 there.
    #: false: it is a box around what is read
    exact: bool
    #: an expression for each dimension
    offsets: list[str]
    #: likewise
    sizes: list[str]
    #: likewise
    strides: list[str]
    #: constraints on the names and on sizes that are not known; all of them
    #: must hold
    conditions: list[str]
    #: the case of the run in which it is read, as constraints on sizes and on
    #: elements that say sizes: all hold, or it is not read. The cases of one
    #: path exclude each other, or are parts of what is read
    case: list[str] | None = None
    #: the sizes that are not known
    open_sizes: list[OpenSize] | None = None
    #: what the other values of the run are that the expressions and the case
    #: name, as rt1 = n[0] or rt0 = position in the group of g
    values: list[str] | None = None
    #: a smaller box may do
    least: bool | None = None
    #: why there is only a box; conditions that no sizes meet are no tile
    reason: BoxReason | None = None
    _parts: ClassVar[dict[str, type]] = {
        'open_sizes': OpenSize,
        'reason': BoxReason,
    }


@dataclass(kw_only=True)
class Tiles(Document):
    """Which tiles? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the file that the document or the line is about
    file: str | None = None
    #: the instruction whose tile it is
    root: str
    #: one for each instruction and each path to it; equal entries stand once
    tiles: list[Tile]
    #: those values of --try for which all tiles are exact
    fits: list[list[int]] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'tiles': Tile,
    }


@dataclass(kw_only=True)
class ExactSizes:
    """Sizes that are exact (docs/formats.md)"""

    #: of the root's tile
    sizes: list[int]
    #: the number of tiles that the root has
    blocks: int
    #: the elements of parameters that all blocks read, an element once a block
    elements: int
    #: their bytes
    bytes: int
    #: true: elements, bytes and shared are counted. false: there are no more
    exact: bool
    #: how often a block uses such an element: (element of the root, element of
    #: a parameter) pairs for each of elements; null where that is not known
    reuse: float | None
    #: the most bytes that a block holds at once, the tile of each way to a
    #: parameter by itself
    shared: int
    #: whether shared is at most shared_limit
    fits: bool
    #: whether there are as many blocks as cores
    fills: bool
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class SizesLeftOut:
    """Sizes that are left out (docs/formats.md)"""

    #: the first instruction, from the root on, whose tile is not exact
    instruction: str
    #: the instructions between the root and this one
    path: list[str]
    #: how many sizes
    count: int
    #: the first of them
    example: list[int]
    #: why that tile is not exact
    reason: BoxReason
    _parts: ClassVar[dict[str, type]] = {
        'reason': BoxReason,
    }


@dataclass(kw_only=True)
class TileSearch(Document):
    """Which sizes? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the file that the document or the line is about
    file: str | None = None
    #: the instruction whose tile it is
    root: str
    #: the name of --device
    device: str
    #: those of the device
    cores: int
    #: the bytes of shared memory that a block has
    shared_limit: int
    #: the number of sizes that the budget did not suffice for
    untried: int
    #: best first; with --top=N the first N
    found: list[ExactSizes]
    #: those of most sizes first
    left_out: list[SizesLeftOut]
    _parts: ClassVar[dict[str, type]] = {
        'found': ExactSizes,
        'left_out': SizesLeftOut,
    }


@dataclass(kw_only=True)
class FormulasOfFootprint:
    """Formulas of a footprint (docs/formats.md)"""

    #: as the figure of this name
    size: str | None = None
    #: likewise
    distinct: str | None = None
    #: likewise
    bytes: str | None = None
    #: likewise
    reads: str | None = None
    #: the first and the last index of each dimension
    box: list[list[str]] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OperandUse:
    """Use of an operand (docs/formats.md)"""

    #: the array of the operands
    operand: int
    #: elements of the array
    size: int | None
    #: elements that are read at least once
    distinct: int | None
    #: the bytes of these
    bytes: int | None
    #: the least box around them: the first and the last index of each
    #: dimension
    box: list[list[int]] | None = None
    #: distinct, divided by the elements of the box
    density: float | None
    #: different (element of the result, element of the array) pairs
    reads: int | None
    #: reads divided by distinct
    reuse: float | None
    #: elements that the next tile reads too, for each dimension of the result;
    #: null where no tile was asked about
    overlap: list[int | None] | None
    #: the instructions whose values decide the figures that are null, with ,
    #: between
    depends_on: str | None = None
    #: the figures as expressions of the sizes that are not known
    formulas: FormulasOfFootprint | None = None
    #: what these sizes are
    open_sizes: list[OpenSize] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'formulas': FormulasOfFootprint,
        'open_sizes': OpenSize,
    }


@dataclass(kw_only=True)
class UseInside:
    """Use inside (docs/formats.md)"""

    #: the instruction inside
    instruction: str
    #: which of its arrays it is
    result: int | None = None
    #: elements of the array
    size: int | None
    #: elements that are read at least once
    distinct: int | None
    #: the bytes of these
    bytes: int | None
    #: the least box around them: the first and the last index of each
    #: dimension
    box: list[list[int]] | None = None
    #: distinct, divided by the elements of the box
    density: float | None
    #: different (element of the result, element of the array) pairs
    reads: int | None
    #: reads divided by distinct
    reuse: float | None
    #: elements that the next tile reads too, for each dimension of the result;
    #: null where no tile was asked about
    overlap: list[int | None] | None
    #: the instructions whose values decide the figures that are null, with ,
    #: between
    depends_on: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Utilization(Document):
    """What is used? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the file that the document or the line is about
    file: str | None = None
    #: the instruction that was asked about
    instruction: str
    #: one for each array of the operands
    operands: list[OperandUse]
    #: one for each array of what the instruction calls, users before producers
    inside: list[UseInside] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'operands': OperandUse,
        'inside': UseInside,
    }
