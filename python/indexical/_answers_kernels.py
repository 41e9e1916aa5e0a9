"""Kernels, and what they read and write, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Answer


@dataclass(kw_only=True)
class Order(Answer):
    """An order (docs/keys.md)

    first: the instruction that runs first
    then: the one that runs after it
    """

    first: str
    then: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class KernelRan(Answer):
    """A kernel that ran (docs/keys.md)

    name: as the profile has it
    count: launches
    min_us: the least
    median_us: the median; of an even count the mean of the two in the middle
    total_us: of all
    grid: the blocks along x, y and z
    block: the threads of a block
    shared_bytes: the shared memory of a block
    registers: of a thread
    resident_blocks: the blocks that a core holds at once
    """

    name: str
    count: int
    min_us: float | None = None
    median_us: float | None = None
    total_us: float
    grid: list[int] | None = None
    block: list[int] | None = None
    shared_bytes: int | None = None
    registers: int | None = None
    resident_blocks: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class EarlierKernel(Answer):
    """An earlier kernel (docs/keys.md)

    instruction: as it was called
    measured_us: as it was
    measured_min_us: the least of its launches, as it was
    predicted_us: as it was
    trips: as it was
    avoidable_us: as it was
    moved_bytes: as it was
    used_bytes: as it was
    wasted_bytes: as it was
    """

    instruction: str
    measured_us: float | None = None
    measured_min_us: float | None = None
    predicted_us: float | None = None
    trips: int
    avoidable_us: float | None = None
    moved_bytes: int
    used_bytes: int
    wasted_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ModelledArray(Answer):
    """A modelled array (docs/keys.md)

    operand: the array of the operands that is read
    result: the array of the result that is written
    instruction: the instruction that makes the array, or the kernel that
        writes it
    requests: accesses of warps by the model, summed over the reads or writes
        of the array
    sectors: sectors that these touch, by the model, summed
    compiled_requests: accesses of warps by the code, summed over the reads or
        writes of the array
    compiled_sectors: sectors that these touch, by the code, summed
    """

    operand: int | None = None
    result: int | None = None
    instruction: str
    requests: int | list[int]
    sectors: int | list[int]
    compiled_requests: int | list[int]
    compiled_sectors: int | list[int]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ModelledLaunch(Answer):
    """A modelled launch (docs/keys.md)

    words: a sentence about it
    emitter: the emitter that the model takes, as of a kernel
    grid: the blocks along x, y and z, by the model
    block: the threads of a block along x, y and z, by the model
    arrays: arrays for which the model has other requests or sectors than the
        code; empty: only the launch is another
    """

    words: str
    emitter: str
    grid: list[int]
    block: list[int]
    arrays: list[ModelledArray]
    _parts: ClassVar[dict[str, type]] = {
        'arrays': ModelledArray,
    }


@dataclass(kw_only=True)
class SharedTile(Answer):
    """A shared tile (docs/keys.md)

    shape: its sizes, the last one innermost
    bytes: of one block
    conflicts: the most lanes of a warp instruction that read different words
        of one bank; 1 is best
    write_map: the map from the ids of thread and block, and the loops of a
        thread, to the element that is written: its number in the tile, row
        after row
    read_map: the map from the ids of thread and block, and the loops of a
        thread, to the element that is read: its number in the tile, row after
        row
    """

    shape: list[int]
    bytes: int
    conflicts: int | None = None
    write_map: str
    read_map: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class OperandOfSharding(Answer):
    """An operand of a sharding (docs/keys.md)

    operand: its number among the arrays of all operands
    instruction: the instruction that computes it
    local: whether each device reads only elements that it holds: then the op
        needs no communication for this operand
    dimensions: the dimensions of the operand along which a device reads beyond
        its tile
    reason: why it is not
    """

    operand: int
    instruction: str
    local: str
    dimensions: list[int] | None = None
    reason: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Read(Answer):
    """A read (docs/keys.md)

    operand: the array of the operands
    instruction: the instruction that makes the array
    shape: the array, with its layout; of a kernel of Triton its elements as
        they lie in memory, f32[98432]
    map: from the index of the threads to the index of the array; several
        pieces stand one after another, with ;  between them; of a kernel of
        Triton from the program, the loops and the coordinates of the tile to
        the number of the element in memory
    thread_map: from the ids of thread and block, and the loops, to the index
        of this array; loops on which that index does not depend may be left
        out, and the figures count their iterations all the same; of a fusion
        that XLA gives to Triton from bl_x and the loops over its tile
    not_shown: map, thread_map or both are left out, because one of their
        expressions has this many terms; the figures are computed from the maps
        all the same
    phase: the part of the emitter in which the access is made
    bytes: the bytes of the whole array; null: a size is not known
    padded_bytes: bytes in memory beyond those of its elements: tiles,
        T(8,128), that stick out, and elements that are stored wider than their
        type, as s4 without E(4)
    moved_bytes: the bytes of the sectors
    accesses: accesses with an active lane
    active_lanes: lanes that take part, summed over the accesses
    bytes_used: the different bytes of each access, summed
    sectors: sectors that the accesses touch, summed
    sectors_fewest: sectors that the bytes of each access need, summed
    lines: cache lines that the accesses touch, summed
    distinct_sectors: different sectors in the whole launch
    wasted_bytes: the bytes of the sectors beyond the fewest
    exact: whether the figures are attained; otherwise they are bounds
    vector: elements that a lane takes at once
    coalesced: whether the access touches less than twice the fewest sectors
    pattern: what the lanes do, in words
    pattern_bits: the figure of the pattern
    reversed: the lanes access the elements in reverse order
    unaligned: the runs of lanes cut sectors
    halo: the array is read in windows: what is around a window is read, too
    by_every_thread: all threads of a block read one address
    requests: accesses of the warps, each of which loads the address that all
        threads of its block read, and touches one sector: accesses, sectors
        and the bytes count it once a block
    remedy: the recommendation, in words
    layout: the recommended layout of the array: the dimensions from the most
        minor one, as in HLO
    reason: why there are no figures
    op_name: op_name of the instruction that reads or writes
    source: its source file and line: the innermost frame
    stack: all frames, the innermost first: layer.py:80 in dense; at most 1000
    """

    operand: int
    instruction: str
    shape: str
    map: str | None = None
    thread_map: str | None = None
    not_shown: int | None = None
    phase: str | None = None
    bytes: int | None
    padded_bytes: int | None = None
    moved_bytes: int | list[int] | None = None
    accesses: int | list[int] | None = None
    active_lanes: int | list[int] | None = None
    bytes_used: int | list[int] | None = None
    sectors: int | list[int] | None = None
    sectors_fewest: int | list[int] | None = None
    lines: int | list[int] | None = None
    distinct_sectors: int | list[int] | None = None
    wasted_bytes: int | list[int] | None = None
    exact: bool | None = None
    vector: int | None = None
    coalesced: bool | None = None
    pattern: str | None = None
    pattern_bits: int | None = None
    reversed: bool | None = None
    unaligned: bool | None = None
    halo: bool | None = None
    by_every_thread: bool | None = None
    requests: int | list[int] | None = None
    remedy: str | None = None
    layout: list[int] | None = None
    reason: str | None = None
    op_name: str | None = None
    source: str | None = None
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Write(Answer):
    """A write (docs/keys.md)

    result: the array of the result
    instruction: the kernel
    shape: the array, with its layout; of a kernel of Triton its elements as
        they lie in memory, f32[98432]
    map: from the index of the threads to the index of the array; several
        pieces stand one after another, with ;  between them; of a kernel of
        Triton from the program, the loops and the coordinates of the tile to
        the number of the element in memory
    thread_map: from the ids of thread and block, and the loops, to the index
        of this array; loops on which that index does not depend may be left
        out, and the figures count their iterations all the same; of a fusion
        that XLA gives to Triton from bl_x and the loops over its tile
    not_shown: map, thread_map or both are left out, because one of their
        expressions has this many terms; the figures are computed from the maps
        all the same
    phase: the part of the emitter in which the access is made
    bytes: the bytes of the whole array; null: a size is not known
    padded_bytes: bytes in memory beyond those of its elements: tiles,
        T(8,128), that stick out, and elements that are stored wider than their
        type, as s4 without E(4)
    moved_bytes: the bytes of the sectors
    accesses: accesses with an active lane
    active_lanes: lanes that take part, summed over the accesses
    bytes_used: the different bytes of each access, summed
    sectors: sectors that the accesses touch, summed
    sectors_fewest: sectors that the bytes of each access need, summed
    lines: cache lines that the accesses touch, summed
    distinct_sectors: different sectors in the whole launch
    wasted_bytes: the bytes of the sectors beyond the fewest
    exact: whether the figures are attained; otherwise they are bounds
    vector: elements that a lane takes at once
    coalesced: whether the access touches less than twice the fewest sectors
    pattern: what the lanes do, in words
    pattern_bits: the figure of the pattern
    reversed: the lanes access the elements in reverse order
    unaligned: the runs of lanes cut sectors
    remedy: the recommendation, in words
    layout: the recommended layout of the array: the dimensions from the most
        minor one, as in HLO
    reason: why there are no figures
    op_name: op_name of the instruction that reads or writes
    source: its source file and line: the innermost frame
    stack: all frames, the innermost first: layer.py:80 in dense; at most 1000
    """

    result: int
    instruction: str
    shape: str
    map: str | None = None
    thread_map: str | None = None
    not_shown: int | None = None
    phase: str | None = None
    bytes: int | None
    padded_bytes: int | None = None
    moved_bytes: int | list[int] | None = None
    accesses: int | list[int] | None = None
    active_lanes: int | list[int] | None = None
    bytes_used: int | list[int] | None = None
    sectors: int | list[int] | None = None
    sectors_fewest: int | list[int] | None = None
    lines: int | list[int] | None = None
    distinct_sectors: int | list[int] | None = None
    wasted_bytes: int | list[int] | None = None
    exact: bool | None = None
    vector: int | None = None
    coalesced: bool | None = None
    pattern: str | None = None
    pattern_bits: int | None = None
    reversed: bool | None = None
    unaligned: bool | None = None
    remedy: str | None = None
    layout: list[int] | None = None
    reason: str | None = None
    op_name: str | None = None
    source: str | None = None
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Kernel(Answer):
    """A kernel (docs/keys.md)

    module: the number of the module, from 0
    file: the path of the file that its module was read from
    device: the name of the device that its module was compiled for
    computation: where the kernel is
    instruction: the fusion or the op
    opcode: as in the file
    line: where its name stands in the file, as in dump
    shapes: the arrays of the result, with their layouts
    op_name: op_name of the instruction
    source: its source file and line: the innermost frame
    stack: all frames, as in an access
    trips: how often the kernel runs, as far as that is known. The condition of
        a loop runs once more than its body. It has 0 trips if the module
        states the loop's count (known_trip_count), because the runtime then
        does not evaluate it
    trips_known: the kernel is in a loop whose count is not known: the count is
        taken for 1, so that the body runs once and the condition twice
    complete: some accesses were left out
    time_use: what the kernel's time is used for, except for its unused
        sectors: blocks_and_waits, movement, libraries or rest, of uses of time
    work: what it does: products, attention, copies (it only moves data),
        collectives, reductions, elementwise or others
    alike: the number of its class. Kernels are alike if their ops, their
        bodies, shapes, layouts and configurations are equal, and the same
        operands of each share an array
    reason: why a copy is there: change of layout, copy of a parameter that is
        not donated (by input_output_alias or buffer_donor) or copy of an
        operand of a loop; or atomic updates of a scatter
    atomics: elements that scatters of one launch combine with existing values:
        updates of one index wait for each other. Predicted times do not
        include this
    predicted_us: the microseconds that one launch takes, by [a
        model](report.md#predicted-times)
    share: the part of the module's predicted time that all trips of the kernel
        take; 0.25 is a quarter
    share_of_all: the part of the predicted time of all kernels of the report
        that all trips of the kernel take
    limited_by: what takes longest: memory, cache, cores, blocks, waits or
        operations
    predicted_least: predicted_us is a lower bound: for some of its bytes only
        bounds are known, and the lower ones count; or lanes add to one element
        in turns, which is not modelled; or the launch is not known
    program_id: of the module that ran
    module_name: its name
    launches: how often the profile has it: the least count of its
        device_kernels
    measured_us: the microseconds of one launch: the sum, over its
        device_kernels, of the median multiplied by the number of its runs in a
        launch
    measured_min_us: the microseconds of one launch: the sum, over its
        device_kernels, of the least multiplied by the number of its runs in a
        launch
    measured_max_us: the microseconds of one launch: the sum, over its
        device_kernels, of the most multiplied by the number of its runs in a
        launch
    measured_total_us: the microseconds of all its launches, exactly
    measured_share: the part of the time of all kernels, those without an
        instruction too
    launch_match: whether it was launched as grid and block say
    needed_bytes: the bytes of its arrays, as far as they are touched, each
        once
    operations: the multiplications and additions of its products, of one
        launch
    peak_operations_per_s: the device's peak rate for these operations at this
        width of elements
    ideal_us: the microseconds of one launch that moves needed_bytes at the
        device's peak bandwidth, or does its products at the peak rate,
        whichever is more
    lost_us: measured_total_us - launches * ideal_us, below zero if caches held
        the arrays; without a profile (predicted_us - ideal_us) * trips
    avoidable_us: the microseconds of all trips, or launches, that a change can
        save: all of a kernel that only moves data and need not; otherwise the
        larger of its time beyond a launch that moves each array once, and the
        time of an array through memory to the only kernel that reads it
    avoid_by: the change: view, donate, layout, type, join, loop, fill, fuse,
        readers or gather of a kernel that only moves data, fuse, sectors,
        again, scan, split, cores, blocks, waits, library or measured of others
        ([what to change](report.md#what-to-change))
    avoid_with: the kernel or the parameter that avoid_by is about
    avoid_order: the instructions run in these orders, too
    advice: the change, in words
    why: the reason for its time, in words; nothing is known to be avoidable
    achieved_bytes_per_s: needed_bytes divided by measured_us
    predicted_ratio: predicted_us divided by measured_us
    trips_measured: launches of one run of its module, beside trips
    device_kernels: what ran for it, the largest total first
    moved_bytes: the bytes of the sectors that reads and writes touch, at most;
        where there are no figures, the bytes of the arrays. No sum is above
        2^63 - 1: of the kernel, over all its trips; null: a size is not known
    used_bytes: moved_bytes less wasted_bytes: the bytes of the fewest sectors
        that would do; where there are no figures, the bytes of the arrays: of
        the kernel, over all its trips; null: a size is not known
    wasted_bytes: wasted_bytes of reads and writes, at most: of the kernel,
        over all its trips; null: a size is not known
    moved_least_bytes: as moved_bytes, at least: the same number where all
        figures are known: of the kernel, over all its trips; null: a size is
        not known
    wasted_least_bytes: as wasted_bytes, at least: of the kernel, over all its
        trips; null: a size is not known
    was: what the kernel was in the earlier report
    launch: the model: that of --launch; if it is not given, xla, or linear for
        a module that is not scheduled; own: a thread map was given, or a
        kernel of Triton has threads of its own; compiled: the code of the
        kernel stands beside the module
    emitter: XLA's: loop, concatenate, dynamic_update_slice, transpose,
        packed_transpose, row_reduction, multi_row_reduction, column_reduction,
        small_column_reduction, scatter, scatter_by_indices, sort, memcpy,
        triton, library or unknown
    grid: the blocks along x, y and z
    block: the threads of a block along x, y and z
    modelled: how the model of XLA's emitters differs from the code
    shared: the tiles in shared memory
    thread_map: the map from the ids of thread and block, and the loops of a
        thread, to the index that the first of the accesses' maps begin at:
        that of the result, or of what the emitter goes through
    sharded_operands: whether devices hold what the kernel reads of these, so
        that a partitioner needs no communication for it
    reads: an operand that is never read has no entry
    writes
    """

    module: int
    file: str | None = None
    device: str | None = None
    computation: str
    instruction: str
    opcode: str
    line: int | None = None
    shapes: list[str]
    op_name: str | None = None
    source: str | None = None
    stack: list[str] | None = None
    trips: int
    trips_known: bool | None = None
    complete: bool | None = None
    time_use: str | None = None
    work: str | None = None
    alike: int | None = None
    reason: str | None = None
    atomics: int | None = None
    predicted_us: float | None = None
    share: float | None = None
    share_of_all: float | None = None
    limited_by: str | None = None
    predicted_least: bool | None = None
    program_id: int | None = None
    module_name: str | None = None
    launches: int | None = None
    measured_us: float | None = None
    measured_min_us: float | None = None
    measured_max_us: float | None = None
    measured_total_us: float | None = None
    measured_share: float | None = None
    launch_match: str | None = None
    needed_bytes: int | None = None
    operations: float | None = None
    peak_operations_per_s: float | None = None
    ideal_us: float | None = None
    lost_us: float | None = None
    avoidable_us: float | None = None
    avoid_by: str | None = None
    avoid_with: str | None = None
    avoid_order: list[Order] | None = None
    advice: str | None = None
    why: str | None = None
    achieved_bytes_per_s: float | None = None
    predicted_ratio: float | None = None
    trips_measured: float | None = None
    device_kernels: list[KernelRan] | None = None
    moved_bytes: int | None
    used_bytes: int | None
    wasted_bytes: int | None
    moved_least_bytes: int | None
    wasted_least_bytes: int | None
    was: EarlierKernel | None = None
    launch: str
    emitter: str | None = None
    grid: list[int] | None = None
    block: list[int] | None = None
    modelled: ModelledLaunch | None = None
    shared: list[SharedTile] | None = None
    thread_map: str | None = None
    sharded_operands: list[OperandOfSharding] | None = None
    reads: list[Read]
    writes: list[Write]
    _parts: ClassVar[dict[str, type]] = {
        'avoid_order': Order,
        'device_kernels': KernelRan,
        'was': EarlierKernel,
        'modelled': ModelledLaunch,
        'shared': SharedTile,
        'sharded_operands': OperandOfSharding,
        'reads': Read,
        'writes': Write,
    }


@dataclass(kw_only=True)
class WorstKernel(Answer):
    """The worst kernel (docs/keys.md)

    module: the number of the module, from 0
    computation: where the kernel is
    instruction: the fusion or the op
    wasted_bytes: the bytes that its reads and writes of this group waste, at
        most
    wasted_least_bytes: the bytes that its reads and writes of this group
        waste, at least
    """

    module: int
    computation: str
    instruction: str
    wasted_bytes: int
    wasted_least_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Group(Answer):
    """A group (docs/keys.md)

    by: the key of --group
    name: the value of that key that the reads and writes of this group share;
        empty if they have none
    kernels: the number of kernels with a read or write of this group
    accesses: the number of reads and writes
    predicted_us: the time of these kernels, all trips
    avoidable_us: the sum of avoidable_us of these kernels: the microseconds of
        all trips, or launches, that changes can save. A kernel counts fully in
        each group in which it has a read or write
    moved_bytes: the bytes of the sectors that reads and writes touch, at most;
        where there are no figures, the bytes of the arrays. No sum is above
        2^63 - 1: of the reads and writes of this group, over all trips
    used_bytes: moved_bytes less wasted_bytes: the bytes of the fewest sectors
        that would do; where there are no figures, the bytes of the arrays: of
        the reads and writes of this group, over all trips
    wasted_bytes: wasted_bytes of reads and writes, at most: of the reads and
        writes of this group, over all trips
    moved_least_bytes: as moved_bytes, at least: the same number where all
        figures are known: of the reads and writes of this group, over all
        trips
    wasted_least_bytes: as wasted_bytes, at least: of the reads and writes of
        this group, over all trips
    shape: the array, with its layout
    bytes: its bytes
    written_by: the kernels that write it, by instruction
    read_by: the kernels of the same computation that read it, also behind
        tuples and bitcasts, in the order of kernels
    worst: the kernel whose reads and writes of this group waste most
    """

    by: str
    name: str
    kernels: int
    accesses: int
    predicted_us: float | None = None
    avoidable_us: float | None = None
    moved_bytes: int
    used_bytes: int
    wasted_bytes: int
    moved_least_bytes: int
    wasted_least_bytes: int
    shape: str | None = None
    bytes: int | None = None
    written_by: list[str] | None = None
    read_by: list[str] | None = None
    worst: WorstKernel
    _parts: ClassVar[dict[str, type]] = {
        'worst': WorstKernel,
    }


@dataclass(kw_only=True)
class KernelGone(Answer):
    """A kernel that is gone (docs/keys.md)

    instruction: as it was called
    shapes: as they were
    op_name: as it was
    predicted_us: as it was
    trips: as it was
    avoidable_us: as it was
    moved_bytes: as it was
    used_bytes: as it was
    wasted_bytes: as it was
    """

    instruction: str
    shapes: list[str]
    op_name: str | None = None
    predicted_us: float | None = None
    trips: int
    avoidable_us: float | None = None
    moved_bytes: int
    used_bytes: int
    wasted_bytes: int
    _parts: ClassVar[dict[str, type]] = {}
