"""Tiles, and what is used of operands, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Answer, Document


@dataclass(kw_only=True)
class ResultWithTile(Answer):
    """A result with a tile (docs/keys.md)

    result: which of the root's arrays it is
    shape: its shape
    offsets: the names of its offsets, one for each dimension
    sizes: those of its tile
    """

    result: int
    shape: str
    offsets: list[str]
    sizes: list[str]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Step(Answer):
    """A step (docs/keys.md)

    name: k0, …: the first index of a turn, a multiple of the step
    instruction: the instruction that sums up the dimension
    dimension: its number in the instruction's attribute: of the contracted
        dimensions of a dot, of the reduced ones of a reduce
    extent: the dimension's size
    step: the indices of a turn
    """

    name: str
    instruction: str
    dimension: int
    extent: int
    step: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class MembersOfTile(Answer):
    """Members of a tile (docs/keys.md)

    instruction: the collective
    offset: the first member, as an expression of its position in the group
    size: how many members there are
    stride: the distance between neighbours
    group: the number of members of each group; null where it varies or is not
        known
    """

    instruction: str
    offset: str
    size: str
    stride: str
    group: int | None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class SizeOfTensor(Answer):
    """The size of a tensor (docs/keys.md)

    computation: where the tensor is
    instruction: the instruction that makes it
    result: which of its arrays it is
    dimension
    """

    computation: str
    instruction: str
    result: int
    dimension: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OpenSize(Answer):
    """An open size (docs/keys.md)

    name: as expressions have it
    size_of: what it is
    """

    name: str
    size_of: SizeOfTensor
    _parts: ClassVar[dict[str, type]] = {
        'size_of': SizeOfTensor,
    }


@dataclass(kw_only=True)
class Variable(Answer):
    """A variable (docs/keys.md)

    name
    lower: inclusive; null is open
    upper: inclusive; null is open
    """

    name: str
    lower: int | None
    upper: int | None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Constraint(Answer):
    """A constraint (docs/keys.md)

    expression
    lower: inclusive; null is open
    upper: inclusive; null is open
    """

    expression: str
    lower: int | None
    upper: int | None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Member(Answer):
    """A member (docs/keys.md)

    instruction: the collective
    member: an expression: the position, within its group and counted from 0,
        of the device whose operand is read. For a collective-permute it is the
        number of that device
    """

    instruction: str
    member: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Map(Answer):
    """A map (docs/keys.md)

    text: the map on one line; the other keys say the same in parts
    dimensions
    ranges
    runtime
    results: expressions
    constraints: sorted by their expressions
    replica: the collectives on the way, the result's side first
    empty: whether the map is KNOWN EMPTY
    undefined: true: the map is UNDEFINED, and the lists say nothing
    """

    text: str
    dimensions: list[Variable]
    ranges: list[Variable]
    runtime: list[RuntimeVariable]
    results: list[str]
    constraints: list[Constraint]
    replica: list[Member] | None = None
    empty: bool
    undefined: bool | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Call(Answer):
    """A call (docs/keys.md)

    computation: where the call is
    instruction: the call
    branch: which branch it takes
    """

    computation: str
    instruction: str
    branch: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PlaceOfDevice(Answer):
    """The place of a device (docs/keys.md)

    instruction: the collective whose groups are used
    hop: the number of entries of the map's replica that lead to the device
    """

    instruction: str
    hop: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Source(Answer):
    """A source (docs/keys.md)

    computation: where the array is
    instruction: the instruction that makes the array
    result: which of its arrays it is
    map: from the dimensions and ranges of the map to the index of the element.
        It may have runtime variables of its own
    replica: the collectives that lead to the device whose element it is
    calls: the calls that lead to the array, the outermost first
    size_of: the value is an unknown size
    group_position: the value is the position of a device in its group
    group_size: the value is the number of members of the group
    device_id: the value is the number of a device
    """

    computation: str | None = None
    instruction: str | None = None
    result: int | None = None
    map: Map | None = None
    replica: list[Member] | None = None
    calls: list[Call] | None = None
    size_of: SizeOfTensor | None = None
    group_position: PlaceOfDevice | None = None
    group_size: PlaceOfDevice | None = None
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
class RuntimeVariable(Answer):
    """A runtime variable (docs/keys.md)

    name
    lower: inclusive; null is open
    upper: inclusive; null is open
    clamped: true: the value is the element, clamped to the bounds. false: the
        value is the element itself, and the map holds where the element is
        within the bounds
    source: where the value comes from
    """

    name: str
    lower: int | None
    upper: int | None
    clamped: bool
    source: Source | None = None
    _parts: ClassVar[dict[str, type]] = {
        'source': Source,
    }


@dataclass(kw_only=True)
class BoxReason(Answer):
    """The reason of a box (docs/keys.md)

    instruction: the instruction upstream of which there is no tile
    dimension: its dimension
    expression: the expression that does not make a tile, over the indices of
        the root
    member: the member of a collective's group (its position in the group)
        whose elements these are, over the indices of the root: other members
        read nothing
    """

    instruction: str | None
    dimension: int | None
    expression: str
    member: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Tile(Answer):
    """A tile (docs/keys.md)

    instruction: whose tile it is
    result: which of its arrays it is
    root_result: the result of the root whose tile reads it; of equal entries,
        the first
    path: the instructions between the root and this one, the root's side first
    behind: in place of the path: the number in tiles, from 0, of the tile from
        which this one, or an equal one, was found. The path is that tile's
        path, followed by that tile's instruction
    exact: true: where the conditions hold, all of this tile is read on the
        path, and what else is read stands in other entries of the instruction,
        under this path or, if they are equal, under another one; names are
        sizes from 1 to that of the dimension. An entry that reads nothing at
        some offsets, or for some sizes, has a size of 0 there. false: it is a
        box around what is read
    offsets: an expression for each dimension
    sizes: the size along each dimension, an expression
    strides: the distance of neighbours along each dimension, an expression
    full: sizes of a tile that is not cut: numbers if those of --tile are
        numbers, unless they depend on values at run time
    begins: for i below full, offset + stride * i is read if and only if it is
        at least this and less than ends
    ends: see begins
    replica: the members of each collective's group whose elements these are,
        the root's side first: these axes of the tile precede the tensor's
    conditions: constraints on the names and on sizes that are not known; all
        of them must hold
    any_of: lists of such constraints: the tile is exact, too, for sizes that
        meet all of one list, the first of which is conditions. Where
        conditions do not hold, the expressions are those of a tile with these
        numbers
    read: 1 where a tile of the root reads the scalar, else 0
    complete: whether these elements read nothing else of the root than the
        tile, in each turn of the loops
    case: the case of the run in which it is read, as constraints on sizes and
        on elements that say sizes: all hold, or it is not read. The cases of
        one path exclude each other, or are parts of what is read
    open_sizes: the sizes that are not known
    values: the meaning of the other values of the run in the expressions and
        the case, as rt1 = n[0] or rt0 = position in the group of g
    runtime: the values of the run that the expressions may name; the index of
        an element is one of the root's
    least: a smaller box may suffice
    reason: why there is only a box; conditions that no sizes meet do not make
        a tile
    """

    instruction: str
    result: int | None = None
    root_result: int | None = None
    path: list[str] | None = None
    behind: int | None = None
    exact: bool
    offsets: list[str]
    sizes: list[str]
    strides: list[str]
    full: list[str] | None = None
    begins: list[str] | None = None
    ends: list[str] | None = None
    replica: list[MembersOfTile] | None = None
    conditions: list[str]
    any_of: list[list[str]] | None = None
    read: str | None = None
    complete: bool | None = None
    case: list[str] | None = None
    open_sizes: list[OpenSize] | None = None
    values: list[str] | None = None
    runtime: list[RuntimeVariable] | None = None
    least: bool | None = None
    reason: BoxReason | None = None
    _parts: ClassVar[dict[str, type]] = {
        'replica': MembersOfTile,
        'open_sizes': OpenSize,
        'runtime': RuntimeVariable,
        'reason': BoxReason,
    }


@dataclass(kw_only=True)
class Tiles(Document):
    """Which tiles? (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    root: the instruction whose tile it is
    direction: the tiles are those of later instructions that read the tile,
        and not of what it reads
    roots: the results, each of which has its tile
    steps: loops over dimensions that are summed up: the tiles upstream of them
        (with input-to-output, downstream) are those of one turn
    tiles: one for each instruction and each path to it; equal entries are
        listed once, under one of their paths
    fits: those values of --try for which all tiles are exact
    """

    schema: str
    version: str
    file: str | None = None
    root: str
    direction: str | None = None
    roots: list[ResultWithTile] | None = None
    steps: list[Step] | None = None
    tiles: list[Tile]
    fits: list[list[int]] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'roots': ResultWithTile,
        'steps': Step,
        'tiles': Tile,
    }


@dataclass(kw_only=True)
class SearchedLoop(Answer):
    """A searched loop (docs/keys.md)

    instruction: the instruction that sums up the dimension
    dimension: its number in the instruction's attribute
    extent: the dimension's size
    """

    instruction: str
    dimension: int
    extent: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ExactSizes(Answer):
    """Sizes that are exact (docs/keys.md)

    sizes: of the root's tile
    blocks: the number of tiles that the root has
    elements: the elements of parameters that all blocks read, an element once
        a block, however many turns read it
    bytes: their bytes
    exact: true: elements, bytes and shared are exact. false: they are upper
        bounds
    reuse: how often a block uses such an element: (element of the root,
        element of a parameter) pairs for each of elements; null where that is
        not known
    shared: the most bytes that a block holds at once, where the tile of each
        way to a parameter counts by itself; with loops, the bytes of all
        stages and of intermediate tiles that are held
    fits: whether shared is at most shared_limit; with loops also whether the
        accumulators take at most 3/4 of a core's registers
    fills: whether there are as many blocks as cores
    steps: the indices of a turn of each loop
    stages: turns of the loop that are in flight at once
    accumulators: words of the results of dots and reduces of a block
    padded: the factor by which the elements of tiles grow if their axes are
        rounded up to powers of two
    time_us: the estimated time of the kernel, in microseconds
    reloaded: the elements that turns load again, over all blocks: an element
        that n turns of a block read counts n - 1 times
    """

    sizes: list[int]
    blocks: int
    elements: int
    bytes: int
    exact: bool
    reuse: float | None
    shared: int
    fits: bool
    fills: bool
    steps: list[int] | None = None
    stages: int | None = None
    accumulators: int | None = None
    padded: float
    time_us: float | None = None
    reloaded: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class SizesLeftOut(Answer):
    """Sizes that are left out (docs/keys.md)

    instruction: the first instruction, from the root on, whose tile is not
        exact
    path: the instructions between the root and this one
    count: how many sizes
    example: the first of them
    reason: why that tile is not exact
    """

    instruction: str
    path: list[str]
    count: int
    example: list[int]
    reason: BoxReason
    _parts: ClassVar[dict[str, type]] = {
        'reason': BoxReason,
    }


@dataclass(kw_only=True)
class TileSearch(Document):
    """Which sizes? (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    root: the instruction whose tile it is
    device: the name of --device
    cores: those of the device
    shared_limit: the bytes of shared memory that a block has; with loops, the
        most that it may request
    steps: loops over dimensions that are summed up, whose steps rows have in
        this order
    untried: the number of sizes that the budget did not suffice for
    found: best first; with --top=N the first N
    left_out: those of most sizes first
    """

    schema: str
    version: str
    file: str | None = None
    root: str
    device: str
    cores: int
    shared_limit: int
    steps: list[SearchedLoop] | None = None
    untried: int
    found: list[ExactSizes]
    left_out: list[SizesLeftOut]
    _parts: ClassVar[dict[str, type]] = {
        'steps': SearchedLoop,
        'found': ExactSizes,
        'left_out': SizesLeftOut,
    }


@dataclass(kw_only=True)
class FormulasOfFootprint(Answer):
    """Formulas of a footprint (docs/keys.md)

    size: as the figure of this name
    distinct: as the figure of this name
    bytes: as the figure of this name
    reads: as the figure of this name
    box: the first and the last index of each dimension
    """

    size: str | None = None
    distinct: str | None = None
    bytes: str | None = None
    reads: str | None = None
    box: list[list[str]] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OperandUse(Answer):
    """Use of an operand (docs/keys.md)

    operand: the array of the operands
    size: elements of the array
    distinct: elements that are read at least once
    bytes: the bytes of these
    box: the least box around them: the first and the last index of each
        dimension
    density: distinct, divided by the elements of the box
    reads: different (element of the result, element of the array) pairs
    reuse: reads divided by distinct
    overlap: elements that the next tile reads too, for each dimension of the
        result: 0 of a whole result, which has no next tile; null of a block of
        threads
    depends_on: the instructions whose values decide the figures that are null,
        with commas between them
    formulas: the figures as expressions of the sizes that are not known
    open_sizes: what these sizes are
    """

    operand: int
    size: int | None
    distinct: int | None
    bytes: int | None
    box: list[list[int]] | None = None
    density: float | None
    reads: int | None
    reuse: float | None
    overlap: list[int | None] | None
    depends_on: str | None = None
    formulas: FormulasOfFootprint | None = None
    open_sizes: list[OpenSize] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'formulas': FormulasOfFootprint,
        'open_sizes': OpenSize,
    }


@dataclass(kw_only=True)
class UseInside(Answer):
    """Use inside (docs/keys.md)

    instruction: the instruction inside
    result: which of its arrays it is
    size: elements of the array
    distinct: elements that are read at least once
    bytes: the bytes of these
    box: the least box around them: the first and the last index of each
        dimension
    density: distinct, divided by the elements of the box
    reads: different (element of the result, element of the array) pairs
    reuse: reads divided by distinct
    overlap: elements that the next tile reads too, for each dimension of the
        result: 0 of a whole result, which has no next tile; null of a block of
        threads
    depends_on: the instructions whose values decide the figures that are null,
        with commas between them
    """

    instruction: str
    result: int | None = None
    size: int | None
    distinct: int | None
    bytes: int | None
    box: list[list[int]] | None = None
    density: float | None
    reads: int | None
    reuse: float | None
    overlap: list[int | None] | None
    depends_on: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Utilization(Document):
    """What is used? (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    instruction: the instruction that was asked about
    operands: one for each array of the operands
    inside: one for each array of what the instruction calls, users before
        producers
    """

    schema: str
    version: str
    file: str | None = None
    instruction: str
    operands: list[OperandUse]
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
