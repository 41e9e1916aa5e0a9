"""Tiles, and what is used of operands, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Document


@dataclass(kw_only=True)
class ResultWithTile:
    """A result with a tile (docs/formats.md)"""

    #: which of the root's arrays it is
    result: int
    #: its shape
    shape: str
    #: the names of its offsets, one a dimension
    offsets: list[str]
    #: those of its tile
    sizes: list[str]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Step:
    """A step (docs/formats.md)"""

    #: k0, …: the first index of a turn, a multiple of the step
    name: str
    #: what sums up the dimension
    instruction: str
    #: its number in the instruction's attribute: of the contracted dimensions
    #: of a dot, of the reduced ones of a reduce
    dimension: int
    #: the dimension's size
    extent: int
    #: the indices of a turn
    step: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class MembersOfTile:
    """Members of a tile (docs/formats.md)"""

    #: the collective
    instruction: str
    #: the first member, as an expression of its position in the group
    offset: str
    #: how many members there are
    size: str
    #: how far they are apart
    stride: str
    #: the number of members of each group; null where it varies or is not
    #: known
    group: int | None
    _parts: ClassVar[dict[str, type]] = {}


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
class Variable:
    """A variable (docs/formats.md)"""

    name: str
    #: inclusive; null is open
    lower: int | None
    #: inclusive; null is open
    upper: int | None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Constraint:
    """A constraint (docs/formats.md)"""

    expression: str
    #: inclusive; null is open
    lower: int | None
    #: inclusive; null is open
    upper: int | None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Member:
    """A member (docs/formats.md)"""

    #: the collective
    instruction: str
    #: an expression: the position, within its group and counted from 0, of the
    #: device whose operand is read. For a collective-permute it is the number
    #: of that device
    member: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Map:
    """A map (docs/formats.md)"""

    #: the map on one line; the other keys say the same in parts
    text: str
    dimensions: list[Variable]
    ranges: list[Variable]
    runtime: list[RuntimeVariable]
    #: expressions
    results: list[str]
    #: sorted by their expressions
    constraints: list[Constraint]
    #: the collectives on the way, the result's side first
    replica: list[Member] | None = None
    #: whether the map is KNOWN EMPTY
    empty: bool
    #: true: the map is UNDEFINED, and the lists say nothing
    undefined: bool | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Call:
    """A call (docs/formats.md)"""

    #: where the call is
    computation: str
    #: the call
    instruction: str
    #: which branch it takes
    branch: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PlaceOfDevice:
    """The place of a device (docs/formats.md)"""

    #: the collective whose groups are meant
    instruction: str
    #: how many entries of the map's replica lead to the device that is meant
    hop: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Source:
    """A source (docs/formats.md)"""

    #: where the array is
    computation: str | None = None
    #: the instruction that makes the array
    instruction: str | None = None
    #: which of its arrays it is
    result: int | None = None
    #: from the dimensions and ranges of the map to the index of the element.
    #: It may have runtime variables of its own
    map: Map | None = None
    #: the way to the device whose element it is
    replica: list[Member] | None = None
    #: the calls that lead to the array, the outermost first
    calls: list[Call] | None = None
    #: the value is an unknown size
    size_of: SizeOfTensor | None = None
    #: the value is the position of a device in its group
    group_position: PlaceOfDevice | None = None
    #: the value is the number of members of the group
    group_size: PlaceOfDevice | None = None
    #: the value is the number of a device
    device_id: PlaceOfDevice | None = None
    _parts: ClassVar[dict[str, type]] = {
        'map': Map,
        'replica': Member,
        'calls': Call,
        'size_of': SizeOfTensor,
        'group_position': PlaceOfDevice,
        'group_size': PlaceOfDevice,
        'device_id': PlaceOfDevice,
    }


@dataclass(kw_only=True)
class RuntimeVariable:
    """A runtime variable (docs/formats.md)"""

    name: str
    #: inclusive; null is open
    lower: int | None
    #: inclusive; null is open
    upper: int | None
    #: true: the value is the element, clamped to the bounds. false: the value
    #: is the element itself, and the map holds where the element is within the
    #: bounds
    clamped: bool
    #: where the value comes from
    source: Source | None = None
    _parts: ClassVar[dict[str, type]] = {
        'source': Source,
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
    #: the result of the root whose tile reads it
    root_result: int | None = None
    #: the instructions between the root and this one, the root's side first
    path: list[str]
    #: true: where the conditions hold, all of this tile is read on the path,
    #: and what else is read stands in other entries of the instruction, under
    #: this path or, if they are equal, under another one; names are sizes from
    #: 1 to that of the dimension. An entry that reads nothing at some offsets,
    #: or for some sizes, has a size of 0 there. false: it is a box around what
    #: is read
    exact: bool
    #: an expression for each dimension
    offsets: list[str]
    #: likewise
    sizes: list[str]
    #: likewise
    strides: list[str]
    #: sizes of a tile that is not cut: numbers if those of --tile are numbers,
    #: but where values at run time decide
    full: list[str] | None = None
    #: for i below full, offset + stride * i is read if and only if it is at
    #: least this and less than ends
    begins: list[str] | None = None
    #: see begins
    ends: list[str] | None = None
    #: the members of each collective's group whose elements these are, the
    #: root's side first: axes of the tile in front of the tensor's
    replica: list[MembersOfTile] | None = None
    #: constraints on the names and on sizes that are not known; all of them
    #: must hold
    conditions: list[str]
    #: lists of such constraints: the tile is exact, too, for sizes that meet
    #: all of one list, the first of which is conditions. Where conditions do
    #: not hold, the expressions are those of a tile with these numbers
    any_of: list[list[str]] | None = None
    #: 1 where a tile of the root reads the scalar, else 0
    read: str | None = None
    #: whether these elements read nothing else of the root than the tile
    complete: bool | None = None
    #: the case of the run in which it is read, as constraints on sizes and on
    #: elements that say sizes: all hold, or it is not read. The cases of one
    #: path exclude each other, or are parts of what is read
    case: list[str] | None = None
    #: the sizes that are not known
    open_sizes: list[OpenSize] | None = None
    #: what the other values of the run are that the expressions and the case
    #: name, as rt1 = n[0] or rt0 = position in the group of g
    values: list[str] | None = None
    #: the values of the run that the expressions may name; the index of an
    #: element is one of the root's
    runtime: list[RuntimeVariable] | None = None
    #: a smaller box may do
    least: bool | None = None
    #: why there is only a box; conditions that no sizes meet are no tile
    reason: BoxReason | None = None
    _parts: ClassVar[dict[str, type]] = {
        'replica': MembersOfTile,
        'open_sizes': OpenSize,
        'runtime': RuntimeVariable,
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
    #: the tiles are those of later instructions that read the tile, and not of
    #: what it reads
    direction: str | None = None
    #: the results, each of which has its tile
    roots: list[ResultWithTile] | None = None
    #: loops over dimensions that are summed up: tiles behind are those of one
    #: turn
    steps: list[Step] | None = None
    #: one for each instruction and each path to it; equal entries stand once,
    #: under one of their paths
    tiles: list[Tile]
    #: those values of --try for which all tiles are exact
    fits: list[list[int]] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'roots': ResultWithTile,
        'steps': Step,
        'tiles': Tile,
    }


@dataclass(kw_only=True)
class SearchedLoop:
    """A searched loop (docs/formats.md)"""

    #: what sums up the dimension
    instruction: str
    #: its number in the instruction's attribute
    dimension: int
    #: the dimension's size
    extent: int
    _parts: ClassVar[dict[str, type]] = {}


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
    #: parameter by itself; with loops those of all stages, and of tiles that
    #: are held on the way
    shared: int
    #: whether shared is at most shared_limit; with loops also whether the
    #: accumulators take at most 3/4 of a core's registers
    fits: bool
    #: whether there are as many blocks as cores
    fills: bool
    #: the indices of a turn of each loop
    steps: list[int] | None = None
    #: turns of the loop that are under way at once
    stages: int | None = None
    #: words of the results of dots and reduces of a block
    accumulators: int | None = None
    #: what rounding the axes of tiles up to powers of two makes of their
    #: elements, as a factor
    padded: float
    #: the time of the kernel that is estimated, in microseconds
    time_us: float | None = None
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
    #: the bytes of shared memory that a block has; with loops those that it
    #: may ask for
    shared_limit: int
    #: loops over dimensions that are summed up, whose steps rows have in this
    #: order
    steps: list[SearchedLoop] | None = None
    #: the number of sizes that the budget did not suffice for
    untried: int
    #: best first; with --top=N the first N
    found: list[ExactSizes]
    #: those of most sizes first
    left_out: list[SizesLeftOut]
    _parts: ClassVar[dict[str, type]] = {
        'steps': SearchedLoop,
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


Map._parts.update({
    'dimensions': Variable,
    'ranges': Variable,
    'runtime': RuntimeVariable,
    'constraints': Constraint,
    'replica': Member,})
