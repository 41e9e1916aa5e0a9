"""Kernels, and what they read and write, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(kw_only=True)
class KernelRan:
    """A kernel that ran (docs/formats.md)"""

    #: as the profile has it
    name: str
    #: launches
    count: int
    #: the least
    min_us: float | None = None
    #: the median; of an even count the mean of the two in the middle
    median_us: float | None = None
    #: of all
    total_us: float
    #: the blocks along x, y and z
    grid: list[int] | None = None
    #: the threads of a block
    block: list[int] | None = None
    #: the shared memory of a block
    shared_bytes: int | None = None
    #: of a thread
    registers: int | None = None
    #: the blocks that a core holds at once
    resident_blocks: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class EarlierKernel:
    """An earlier kernel (docs/formats.md)"""

    #: as it was called
    instruction: str
    #: as it was
    measured_us: float | None = None
    #: as it was
    measured_min_us: float | None = None
    #: as it was
    moved_bytes: int
    #: as it was
    used_bytes: int
    #: as it was
    wasted_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class SharedTile:
    """A shared tile (docs/formats.md)"""

    #: its sizes, the last one innermost
    shape: list[int]
    #: of one block
    bytes: int
    #: the most lanes of a warp instruction that read different words of one
    #: bank; 1 is best
    conflicts: int | None = None
    #: the map from the ids of thread and block, and the loops of a thread, to
    #: the element that is written: its number in the tile, row after row
    write_map: str
    #: likewise for what is read
    read_map: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OperandOfSharding:
    """An operand of a sharding (docs/formats.md)"""

    #: its number among the arrays of all operands
    operand: int
    #: the instruction that computes it
    instruction: str
    #: whether each device reads only elements that it holds: then the op needs
    #: no communication for this operand
    local: str
    #: the dimensions of the operand along which a device reads beyond its tile
    dimensions: list[int] | None = None
    #: why it is not
    reason: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Read:
    """A read (docs/formats.md)"""

    #: the array of the operands
    operand: int
    #: the instruction that makes the array
    instruction: str
    #: the array, with its layout; of a kernel of Triton its elements as they
    #: lie in memory, f32[98432]
    shape: str
    #: from the index of the threads to the index of the array; several pieces
    #: stand one after another, with ;  between them; of a kernel of Triton
    #: from the program, the loops and the coordinates of the tile to the
    #: number of the element in memory
    map: str | None = None
    #: from the ids of thread and block, and the loops, to the index of this
    #: array; loops on which that index does not depend may be left out, and
    #: the figures count their iterations all the same; of a fusion that XLA
    #: gives to Triton from bl_x and the loops over its tile
    thread_map: str | None = None
    #: the part of the emitter in which the access is made
    phase: str | None = None
    #: the bytes of the whole array; null: a size is not known
    bytes: int | None
    #: bytes in memory beyond those of its elements: tiles, T(8,128), that
    #: stick out, and elements that are stored wider than their type, as s4
    #: without E(4)
    padded_bytes: int | None = None
    #: the bytes of the sectors
    moved_bytes: int | list[int] | None = None
    #: accesses with an active lane
    accesses: int | list[int] | None = None
    #: lanes that take part, summed over the accesses
    active_lanes: int | list[int] | None = None
    #: the different bytes of each access, summed
    bytes_used: int | list[int] | None = None
    #: sectors that the accesses touch, summed
    sectors: int | list[int] | None = None
    #: sectors that the bytes of each access need, summed
    sectors_fewest: int | list[int] | None = None
    #: cache lines that the accesses touch, summed
    lines: int | list[int] | None = None
    #: different sectors in the whole launch
    distinct_sectors: int | list[int] | None = None
    #: the bytes of the sectors beyond the fewest
    wasted_bytes: int | list[int] | None = None
    #: whether the figures are reached; else they are bounds
    exact: bool | None = None
    #: elements that a lane takes at once
    vector: int | None = None
    #: whether the access touches less than twice the fewest sectors
    coalesced: bool | None = None
    #: what the lanes do, in words
    pattern: str | None = None
    #: the figure of the pattern
    pattern_bits: int | None = None
    #: the lanes read from the end on
    reversed: bool | None = None
    #: the runs of lanes cut sectors
    unaligned: bool | None = None
    #: the array is read in windows: what is around a window is read, too
    halo: bool | None = None
    #: all threads of a block read one address
    by_every_thread: bool | None = None
    #: what would mend it, in words
    remedy: str | None = None
    #: the layout of the array that would mend it: the dimensions from the most
    #: minor one, as in HLO
    layout: list[int] | None = None
    #: why there are no figures
    reason: str | None = None
    #: op_name of the instruction that reads or writes
    op_name: str | None = None
    #: its source file and line: the innermost frame
    source: str | None = None
    #: all frames, the innermost first: layer.py:80 in dense; at most 1000
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Write:
    """A write (docs/formats.md)"""

    #: the array of the result
    result: int
    #: the kernel
    instruction: str
    #: the array, with its layout; of a kernel of Triton its elements as they
    #: lie in memory, f32[98432]
    shape: str
    #: from the index of the threads to the index of the array; several pieces
    #: stand one after another, with ;  between them; of a kernel of Triton
    #: from the program, the loops and the coordinates of the tile to the
    #: number of the element in memory
    map: str | None = None
    #: from the ids of thread and block, and the loops, to the index of this
    #: array; loops on which that index does not depend may be left out, and
    #: the figures count their iterations all the same; of a fusion that XLA
    #: gives to Triton from bl_x and the loops over its tile
    thread_map: str | None = None
    #: the part of the emitter in which the access is made
    phase: str | None = None
    #: the bytes of the whole array; null: a size is not known
    bytes: int | None
    #: bytes in memory beyond those of its elements: tiles, T(8,128), that
    #: stick out, and elements that are stored wider than their type, as s4
    #: without E(4)
    padded_bytes: int | None = None
    #: the bytes of the sectors
    moved_bytes: int | list[int] | None = None
    #: accesses with an active lane
    accesses: int | list[int] | None = None
    #: lanes that take part, summed over the accesses
    active_lanes: int | list[int] | None = None
    #: the different bytes of each access, summed
    bytes_used: int | list[int] | None = None
    #: sectors that the accesses touch, summed
    sectors: int | list[int] | None = None
    #: sectors that the bytes of each access need, summed
    sectors_fewest: int | list[int] | None = None
    #: cache lines that the accesses touch, summed
    lines: int | list[int] | None = None
    #: different sectors in the whole launch
    distinct_sectors: int | list[int] | None = None
    #: the bytes of the sectors beyond the fewest
    wasted_bytes: int | list[int] | None = None
    #: whether the figures are reached; else they are bounds
    exact: bool | None = None
    #: elements that a lane takes at once
    vector: int | None = None
    #: whether the access touches less than twice the fewest sectors
    coalesced: bool | None = None
    #: what the lanes do, in words
    pattern: str | None = None
    #: the figure of the pattern
    pattern_bits: int | None = None
    #: the lanes read from the end on
    reversed: bool | None = None
    #: the runs of lanes cut sectors
    unaligned: bool | None = None
    #: what would mend it, in words
    remedy: str | None = None
    #: the layout of the array that would mend it: the dimensions from the most
    #: minor one, as in HLO
    layout: list[int] | None = None
    #: why there are no figures
    reason: str | None = None
    #: op_name of the instruction that reads or writes
    op_name: str | None = None
    #: its source file and line: the innermost frame
    source: str | None = None
    #: all frames, the innermost first: layer.py:80 in dense; at most 1000
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Kernel:
    """A kernel (docs/formats.md)"""

    #: the number of the module, from 0
    module: int
    #: where the kernel is
    computation: str
    #: the fusion or the op
    instruction: str
    #: as in the file
    opcode: str
    #: where its name stands in the file, as in dump
    line: int | None = None
    #: the arrays of the result, with their layouts
    shapes: list[str]
    #: op_name of the instruction
    op_name: str | None = None
    #: its source file and line: the innermost frame
    source: str | None = None
    #: all frames, as in an access
    stack: list[str] | None = None
    #: how often the kernel runs, as far as that is known. The condition of a
    #: loop runs once more than its body. It is 0 where the module says the
    #: loop's count (known_trip_count): then the runtime does not ask the
    #: condition
    trips: int
    #: the kernel is in a loop whose count is not known: the count is taken for
    #: 1, so that the body runs once and the condition twice
    trips_known: bool | None = None
    #: some accesses were left out
    complete: bool | None = None
    #: what the kernel's time is used for, but for its unused sectors:
    #: blocks_and_waits, movement, libraries or rest, of uses of time
    time_use: str | None = None
    #: the number of its class. Kernels are alike if their ops, their bodies,
    #: shapes, layouts and configurations are equal, and the same ones of their
    #: operands are one array
    alike: int | None = None
    #: why a copy is there: change of layout, copy of a parameter that is not
    #: donated (by input_output_alias or buffer_donor) or copy of an operand of
    #: a loop; or atomic updates of a scatter
    reason: str | None = None
    #: elements that scatters of one launch combine with what is there: where
    #: indices meet, one waits for the other. No predicted time counts that
    atomics: int | None = None
    #: the microseconds that one launch takes, by [a model](time.md)
    predicted_us: float | None = None
    #: the part of the module's predicted time that all trips of the kernel
    #: take; 0.25 is a quarter
    share: float | None = None
    #: what takes longest: memory, cache, cores, blocks, waits or operations
    limited_by: str | None = None
    #: a launch takes at least predicted_us: of some of its bytes only bounds
    #: are known, and the least count; or lanes add to elements in turns, which
    #: is not modelled; or how the kernel is launched is not known
    predicted_least: bool | None = None
    #: of the module that ran
    program_id: int | None = None
    #: its name
    module_name: str | None = None
    #: how often the profile has it: the least count of its device_kernels
    launches: int | None = None
    #: the microseconds of one launch: the sum, over its device_kernels, of the
    #: median times the number of their runs a launch
    measured_us: float | None = None
    #: likewise, of the least
    measured_min_us: float | None = None
    #: likewise, of the most
    measured_max_us: float | None = None
    #: the microseconds of all its launches, exactly
    measured_total_us: float | None = None
    #: the part of the time of all kernels, those without an instruction too
    measured_share: float | None = None
    #: whether it was launched as grid and block say
    launch_match: str | None = None
    #: the bytes of its arrays, as far as they are touched, each once
    needed_bytes: int | None = None
    #: the multiplications and additions of its products, of one launch
    operations: float | None = None
    #: the most that the device does of them, by the width of the elements
    peak_operations_per_s: float | None = None
    #: the microseconds of one launch that moves needed_bytes at the device's
    #: peak bandwidth, or does its products at the peak rate, whichever is more
    ideal_us: float | None = None
    #: measured_total_us less launches times ideal_us, below zero where caches
    #: held the arrays; without a profile predicted_us less ideal_us, times
    #: trips
    lost_us: float | None = None
    #: what a change could win of the microseconds of all trips, or launches:
    #: all of a kernel that only moves data and need not; else what it takes
    #: beyond a launch that moves each array once, or that an array takes
    #: through memory to the one kernel that reads it, whichever is more
    avoidable_us: float | None = None
    #: the change: view, donate, layout, type, join, loop, fill, fuse or
    #: readers of a kernel that only moves data, fuse, sectors, again, cores,
    #: blocks, waits, library or measured of others ([from pattern to
    #: change](changes.md))
    avoid_by: str | None = None
    #: the kernel or the parameter that avoid_by is about
    avoid_with: str | None = None
    #: the change, in words
    advice: str | None = None
    #: needed_bytes by measured_us
    achieved_bytes_per_s: float | None = None
    #: predicted_us by measured_us
    predicted_ratio: float | None = None
    #: launches of one run of its module, beside trips
    trips_measured: float | None = None
    #: what ran for it, the largest total first
    device_kernels: list[KernelRan] | None = None
    #: as in totals, of this kernel: over all its trips; null: a size is not
    #: known
    moved_bytes: int | None
    #: likewise
    used_bytes: int | None
    #: likewise
    wasted_bytes: int | None
    #: likewise
    moved_least_bytes: int | None
    #: likewise
    wasted_least_bytes: int | None
    #: what the kernel was in the earlier report
    was: EarlierKernel | None = None
    #: the model: that of --launch; where it is not given, xla, and of a module
    #: that is not scheduled linear; own: a thread map was given, or a kernel
    #: of Triton has threads of its own
    launch: str
    #: XLA's: loop, concatenate, dynamic_update_slice, transpose,
    #: packed_transpose, row_reduction, multi_row_reduction, column_reduction,
    #: small_column_reduction, scatter, scatter_by_indices, sort, memcpy,
    #: triton, library or unknown
    emitter: str | None = None
    #: the blocks along x, y and z
    grid: list[int] | None = None
    #: the threads of a block along x, y and z
    block: list[int] | None = None
    #: the tiles in shared memory
    shared: list[SharedTile] | None = None
    #: the map from the ids of thread and block, and the loops of a thread, to
    #: the index that the first of the accesses' maps begin at: that of the
    #: result, or of what the emitter goes through
    thread_map: str | None = None
    #: whether devices hold what the kernel reads of these, so that a
    #: partitioner needs no communication for it
    sharded_operands: list[OperandOfSharding] | None = None
    #: an operand that is never read has no entry
    reads: list[Read]
    writes: list[Write]
    _parts: ClassVar[dict[str, type]] = {
        'device_kernels': KernelRan,
        'was': EarlierKernel,
        'shared': SharedTile,
        'sharded_operands': OperandOfSharding,
        'reads': Read,
        'writes': Write,
    }


@dataclass(kw_only=True)
class WorstKernel:
    """The worst kernel (docs/formats.md)"""

    #: the number of the module, from 0
    module: int
    #: where the kernel is
    computation: str
    #: the fusion or the op
    instruction: str
    #: by its reads and writes of this group
    wasted_bytes: int
    #: likewise, at least
    wasted_least_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Group:
    """A group (docs/formats.md)"""

    #: the key of --group
    by: str
    #: what the reads and writes of this group have under that key; empty where
    #: they have nothing
    name: str
    #: the number of kernels with a read or write of this group
    kernels: int
    #: the number of reads and writes
    accesses: int
    #: the time of these kernels, all trips
    predicted_us: float | None = None
    #: their sum, as in totals
    moved_bytes: int
    #: likewise
    used_bytes: int
    #: likewise
    wasted_bytes: int
    #: likewise
    moved_least_bytes: int
    #: likewise
    wasted_least_bytes: int
    #: the array, with its layout
    shape: str | None = None
    #: its bytes
    bytes: int | None = None
    #: the kernels that write it, by instruction
    written_by: list[str] | None = None
    #: the kernels of the same computation that read it, also behind tuples and
    #: bitcasts, in the order of kernels
    read_by: list[str] | None = None
    #: the kernel whose reads and writes of this group waste most
    worst: WorstKernel
    _parts: ClassVar[dict[str, type]] = {
        'worst': WorstKernel,
    }


@dataclass(kw_only=True)
class KernelGone:
    """A kernel that is gone (docs/formats.md)"""

    #: as it was called
    instruction: str
    #: as they were
    shapes: list[str]
    #: as it was
    op_name: str | None = None
    #: as it was
    moved_bytes: int
    #: as it was
    used_bytes: int
    #: as it was
    wasted_bytes: int
    _parts: ClassVar[dict[str, type]] = {}
