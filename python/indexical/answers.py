"""What analyses answer, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
A field that a document may leave out is None then. A key that Python keeps for
itself has `_` behind it: `from_`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Document

__all__ = [
    'BoxReason',
    'Collective',
    'Device',
    'EarlierKernel',
    'Equality',
    'ExactSizes',
    'FiguresOfChain',
    'FormulasOfFootprint',
    'GpuOfProfile',
    'Group',
    'GroupOfReshards',
    'Kernel',
    'KernelGone',
    'KernelRan',
    'KernelWithoutInstruction',
    'Law',
    'ModuleOfProfile',
    'Obstacle',
    'ObstacleOfDevice',
    'OpenSize',
    'OperandUse',
    'Pair',
    'PairOfDumps',
    'PairWitness',
    'PartitionedEquality',
    'PartitionedResult',
    'Passes',
    'Profile',
    'Read',
    'Report',
    'Reshard',
    'ResultValues',
    'SharedTile',
    'SizeOfTensor',
    'SizesLeftOut',
    'Tile',
    'TileSearch',
    'Tiles',
    'Totals',
    'TwoPaths',
    'UseInside',
    'UseOfTime',
    'UsedSharding',
    'UsesOfTime',
    'Utilization',
    'Ways',
    'WitnessOfDevice',
    'WorstKernel',
    'Write',
]


@dataclass(kw_only=True)
class Device:
    """A device (docs/formats.md)"""

    #: the name of --device
    name: str
    #: lanes of a warp
    warp: int
    #: bytes of a sector, the least that an access moves
    sector: int
    #: bytes of a cache line
    line: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class GpuOfProfile:
    """A GPU of a profile (docs/formats.md)"""

    #: N of the plane /device:GPU:N
    gpu: int
    #: the device that it is held against
    device: str
    #: launches
    kernels: int
    #: the sum of their times, in microseconds, exactly
    kernel_us: float
    #: the time in which at least one of them ran
    busy_us: float
    #: the part of kernel_us that no instruction is known for
    unattributed_us: float
    #: the time of copies and fills that are no kernels
    copy_us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ModuleOfProfile:
    """A module of a profile (docs/formats.md)"""

    #: the number by which the launches name it
    program_id: int | None = None
    name: str
    #: whether the profile holds it
    embedded: bool
    #: how often it ran, on the GPUs that are looked at
    executions: int | None = None
    #: the time of its kernels
    kernel_us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Profile:
    """A profile (docs/formats.md)"""

    #: the hosts of the profile
    host: str
    #: those of --gpu, or all
    gpus: list[GpuOfProfile]
    #: those that the profile holds, run or not, and those of --hlo
    modules: list[ModuleOfProfile]
    #: those of the profiler, then those of the reader
    warnings: list[str]
    _parts: ClassVar[dict[str, type]] = {
        'gpus': GpuOfProfile,
        'modules': ModuleOfProfile,
    }


@dataclass(kw_only=True)
class KernelWithoutInstruction:
    """A kernel without an instruction (docs/formats.md)"""

    #: its name
    kernel: str
    launches: int
    #: the microseconds of all its launches, exactly
    measured_total_us: float
    #: the launch says no instruction; its module is not there, or several have
    #: its name; the module runs no kernel of that name; several kernels of a
    #: command buffer may be it
    reason: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class UseOfTime:
    """A use of time (docs/formats.md)"""

    #: the number of kernels with such time
    kernels: int
    #: the microseconds
    us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class UsesOfTime:
    """Uses of time (docs/formats.md)"""

    #: of kernels of the last two uses, the part of their time that their
    #: wasted bytes are of the moved ones
    unused_sectors: UseOfTime
    #: of kernels whose limited_by is blocks or waits
    blocks_and_waits: UseOfTime
    #: of kernels that only move data: copies, conversions, transposes, slices,
    #: gathers, and fusions of these
    movement: UseOfTime
    #: of libraries' kernels, sorts, and those of which only bytes are known
    libraries: UseOfTime
    #: of all others
    rest: UseOfTime
    #: the number of kernels for which no time is predicted, and none was
    #: measured
    without_time: int
    _parts: ClassVar[dict[str, type]] = {
        'unused_sectors': UseOfTime,
        'blocks_and_waits': UseOfTime,
        'movement': UseOfTime,
        'libraries': UseOfTime,
        'rest': UseOfTime,
    }


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
    #: array; of a fusion that XLA gives to Triton from bl_x and the loops over
    #: its tile
    thread_map: str | None = None
    #: the part of the emitter in which the access is made
    phase: str | None = None
    #: the bytes of the whole array; null: a size is not known
    bytes: int | None
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
    #: array; of a fusion that XLA gives to Triton from bl_x and the loops over
    #: its tile
    thread_map: str | None = None
    #: the part of the emitter in which the access is made
    phase: str | None = None
    #: the bytes of the whole array; null: a size is not known
    bytes: int | None
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
    #: a loop
    reason: str | None = None
    #: the microseconds that one launch takes, by [a model](time.md)
    predicted_us: float | None = None
    #: the part of the module's predicted time that all trips of the kernel
    #: take; 0.25 is a quarter
    share: float | None = None
    #: what takes longest: memory, cache, cores, blocks, waits or operations
    limited_by: str | None = None
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
    #: the microseconds of one launch that moves needed_bytes at the device's
    #: peak bandwidth, or does its products at the peak rate, whichever is more
    ideal_us: float | None = None
    #: measured_total_us less launches times ideal_us, below zero where caches
    #: held the arrays; without a profile predicted_us less ideal_us, times
    #: trips
    lost_us: float | None = None
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
    #: what the kernel was in the earlier report
    was: EarlierKernel | None = None
    #: the model: that of --launch; where it is not given, xla, and in a report
    #: on a module that is not scheduled linear; own: a thread map was given,
    #: or a kernel of Triton has threads of its own
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
    #: an operand that is never read has no entry
    reads: list[Read]
    writes: list[Write]
    _parts: ClassVar[dict[str, type]] = {
        'device_kernels': KernelRan,
        'was': EarlierKernel,
        'shared': SharedTile,
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


@dataclass(kw_only=True)
class Collective:
    """A collective (docs/formats.md)"""

    #: its number in the file
    module: int
    computation: str
    #: the collective; of one that is started and finished, the start
    instruction: str
    line: int | None = None
    #: all-gather, all-reduce, reduce-scatter, all-to-all, ragged-all-to-all,
    #: collective-permute or collective-broadcast; of Shardy also reshard
    op: str
    #: replicas times partitions; of an op of Shardy, those of its mesh
    devices: int
    #: the devices of each group, in the order of their parts
    groups: list[list[int]] | None = None
    #: the most members that a group has
    group_size: int | None = None
    #: the source and the target of each pair, as devices
    pairs: list[list[int]] | None = None
    #: how often it runs
    trips: int
    #: loops of unknown trips count once
    trips_known: bool | None = None
    #: of the operands on one device
    bytes: int
    #: the least and the most that a device receives, rounded outwards
    receives_bytes: list[int]
    #: likewise
    sends_bytes: list[int]
    #: what all devices receive
    all_bytes: int | None = None
    #: microseconds on the links within hosts
    within_us: float | None = None
    #: microseconds on the links between hosts
    between_us: float | None = None
    op_name: str | None = None
    #: the innermost frame
    source: str | None = None
    #: all frames, the innermost first
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Reshard:
    """A reshard (docs/formats.md)"""

    module: int
    computation: str
    #: the computed value, or a parameter, that is moved; of several, the
    #: collective
    instruction: str
    #: which of its arrays
    result: int
    #: the collectives on the way to its readers
    collectives: list[str]
    trips: int
    trips_known: bool | None = None
    #: the least and the most over devices
    receives_bytes: list[int]
    #: likewise
    sends_bytes: list[int]
    #: what all devices receive
    all_bytes: int | None = None
    #: of elements that readers on a device use and that it does not hold, the
    #: least and the most over devices
    needed_bytes: list[int]
    #: the least that all devices must receive
    needed_all_bytes: int
    #: false: needed_bytes and needed_all_bytes are upper bounds of the least
    needed_exact: bool
    #: why all that is received counts as needed
    reason: str | None = None
    #: all_bytes / needed_all_bytes
    ratio: float | None = None
    #: all_bytes - needed_all_bytes, of all trips: what could be saved
    saved_bytes: int
    #: of its first collective
    op_name: str | None = None
    #: likewise
    source: str | None = None
    #: likewise
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class GroupOfReshards:
    """A group of reshards (docs/formats.md)"""

    by: str
    #: of their first collectives; may be empty
    name: str
    reshards: int
    #: what all devices receive, in all trips of reshards with all_bytes
    received_bytes: int
    #: likewise
    needed_bytes: int
    #: likewise
    saved_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Totals:
    """Totals (docs/formats.md)"""

    #: the number of kernels
    kernels: int
    #: the bytes of the sectors that all reads and writes touch, at most; where
    #: there are no figures, the bytes of the arrays. No sum is above 2^63 - 1
    moved_bytes: int
    #: bytes_used of all reads and writes, at most; where there are no figures,
    #: the bytes of the arrays
    used_bytes: int
    #: wasted_bytes of all reads and writes, at most
    wasted_bytes: int
    #: the part of the reads
    read_moved_bytes: int
    #: likewise
    read_wasted_bytes: int
    #: the part of the writes
    write_moved_bytes: int
    #: likewise
    write_wasted_bytes: int
    #: the number of kernels with a size that is not known: their bytes are in
    #: no sum
    open_kernels: int | None = None
    #: the number of collectives
    collectives: int | None = None
    #: what all devices receive, in reshards with all_bytes
    received_bytes: int | None = None
    #: the least that they must receive, or more where it is not exact, in the
    #: same reshards
    needed_bytes: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Report(Document):
    """What kernels move (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the file that the document or the line is about
    file: str | None = None
    device: Device
    #: whether the compiler has scheduled every module of the file, as
    #: is_scheduled=true says
    scheduled: bool | None = None
    #: what was profiled
    profile: Profile | None = None
    #: the largest total first
    unattributed: list[KernelWithoutInstruction] | None = None
    #: what the time of the kernels of --filter is used for
    time_uses: UsesOfTime | None = None
    #: coalescing: the one. report: all, those that waste most first, or as
    #: --sort says (text and page begin with those that lose most); those of
    #: --filter and --min, and with --top=N the first N
    kernels: list[Kernel] | None = None
    #: likewise
    groups: list[Group] | None = None
    #: those of the earlier report that no kernel was found for
    gone: list[KernelGone] | None = None
    #: in file order; with --filter those whose reads or writes it takes
    collectives: list[Collective] | None = None
    #: those that could save most first, or with --sort=received those of which
    #: a device receives most; with --top=N the first N
    reshards: list[Reshard] | None = None
    #: likewise
    communication_groups: list[GroupOfReshards] | None = None
    totals: Totals | None = None
    _parts: ClassVar[dict[str, type]] = {
        'device': Device,
        'profile': Profile,
        'unattributed': KernelWithoutInstruction,
        'time_uses': UsesOfTime,
        'kernels': Kernel,
        'groups': Group,
        'gone': KernelGone,
        'collectives': Collective,
        'reshards': Reshard,
        'communication_groups': GroupOfReshards,
        'totals': Totals,
    }


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
    #: true: the tile is what is read, where the conditions hold. false: it is
    #: a box around what is read
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
    #: the sizes that are not known
    open_sizes: list[OpenSize] | None = None
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


@dataclass(kw_only=True)
class ResultValues:
    """A result by its values (docs/formats.md)"""

    #: the array of the result
    result: int
    #: why its values are not known to be equal
    reason: str | None = None
    #: the first term of the first module that is not that of the second;
    #: parameters have the first one's names, indices are i, j, k…
    first: str | None = None
    #: the one of the second module
    second: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Obstacle:
    """An obstacle (docs/formats.md)"""

    #: 0: it is one of the first module, 1: of the second
    module: int
    computation: str
    instruction: str
    #: where it stands in its file
    line: int
    #: what is not known of it
    reason: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PairWitness:
    """A witness (docs/formats.md)"""

    #: the values of the dimensions
    index: list[int]
    #: the values of the runtime variables
    runtime: list[int]
    #: the index of the element
    element: list[int]
    #: the side that reads it
    only_in: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class TwoPaths:
    """Two paths (docs/formats.md)"""

    #: the instructions of the first module, from the root to the parameter
    first: list[str]
    #: those of the second module
    second: list[str]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Pair:
    """A pair (docs/formats.md)"""

    #: the array of the result
    result: int
    #: the array of the parameters, counted through all of them
    parameter: int
    answer: str
    #: the strongest engine that was needed; terms: no map was made, for both
    #: modules compute the result from the parameters in the same way
    engine: str
    #: the ops and literals of unknown meaning that the answer rests on, and
    #: the ops that give something new in every execution (rng, infeed): it
    #: holds for any meaning of them
    for_any: list[str] | None = None
    #: those beside which a difference was found: it is one for some meaning of
    #: them
    for_some: list[str] | None = None
    #: the instruction that stands in the way
    because: Obstacle | None = None
    #: why it was not
    reason: str | None = None
    #: an element that one side reads and the other does not
    witness: PairWitness | None = None
    #: the instructions on the way
    paths: TwoPaths | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': Obstacle,
        'witness': PairWitness,
        'paths': TwoPaths,
    }


@dataclass(kw_only=True)
class Equality(Document):
    """Is it equal? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: of all pairs together: different where one is, else undecided where one
    #: is
    answer: str
    #: --values: the answer is about what is computed, too
    level: str | None = None
    #: the strongest engine that was needed; terms: no map was made, for both
    #: modules compute the result from the parameters in the same way
    engine: str
    #: the results whose values are not known to be equal
    values: list[ResultValues] | None = None
    #: what the ops of either module force open sizes of parameters to be, in
    #: the names of the first: the modules are compared where all of it holds
    where: list[str] | None = None
    #: by result, then by parameter
    pairs: list[Pair]
    #: the pairs that are not listed: of these neither module reads anything,
    #: so they are equal
    not_listed: int | None = None
    _parts: ClassVar[dict[str, type]] = {
        'values': ResultValues,
        'pairs': Pair,
    }


@dataclass(kw_only=True)
class UsedSharding:
    """A used sharding (docs/formats.md)"""

    #: the array of the parameters, counted through all of them
    parameter: int | None = None
    #: the array of the result
    result: int | None = None
    #: as it stands
    text: str
    #: where it stands
    source: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ObstacleOfDevice:
    """An obstacle of a device (docs/formats.md)"""

    #: 0: it is one of the first module, 1: of the second
    module: int
    computation: str
    instruction: str
    #: where it stands in its file
    line: int
    #: what is not known of it
    reason: str
    device: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class WitnessOfDevice:
    """A witness of a device (docs/formats.md)"""

    device: int
    #: the index on that device
    index: list[int]
    #: the index in the whole
    global_index: list[int]
    #: the values of parameters that decide what is read
    runtime: list[int]
    #: the element of the whole parameter that one side reads
    element: list[int] | None = None
    #: the side that reads it; first is the module before
    only_in: str | None = None
    #: the second module reads padding
    padding: bool | None = None
    #: how often, where only that differs
    counted: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PartitionedResult:
    """A partitioned result (docs/formats.md)"""

    #: the array of the result
    result: int
    #: the array of the parameters that the element is of
    parameter: int | None = None
    answer: str
    #: why it was not
    reason: str | None = None
    #: the instruction that stands in the way; where both modules ran, the
    #: first of the second one whose value is none of the first one's, though
    #: its operands are
    because: ObstacleOfDevice | None = None
    #: the least element that differs, by device, index, parameter and element
    witness: WitnessOfDevice | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': ObstacleOfDevice,
        'witness': WitnessOfDevice,
    }


@dataclass(kw_only=True)
class PartitionedEquality(Document):
    """Is it partitioned rightly? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: of all arrays of the result: different where one is, else undecided
    #: where one is
    answer: str
    engine: str
    partitioned: bool
    #: partitions times replicas
    devices: int
    replicas: int
    #: those that were used
    shardings: list[UsedSharding]
    #: the ops whose values the answer holds for, whatever they are
    for_any: list[str] | None = None
    #: one for each array of the result
    pairs: list[PartitionedResult]
    _parts: ClassVar[dict[str, type]] = {
        'shardings': UsedSharding,
        'pairs': PartitionedResult,
    }


@dataclass(kw_only=True)
class Law:
    """A law (docs/formats.md)"""

    #: the law, in words
    law: str
    computation: str
    #: the instruction to which it applies
    instruction: str
    #: where it stands in its file
    line: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Ways:
    """Two ways (docs/formats.md)"""

    #: the instructions before the pass that lead to the difference, from the
    #: root on
    first: list[list[str | int]]
    #: those after it
    second: list[list[str | int]]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PairOfDumps:
    """A pair of dumps (docs/formats.md)"""

    #: the file of the dump before the pass
    from_: str
    #: the file of the dump after it
    to: str
    #: the pass that ran between them; empty where no name says
    pass_: str
    #: the pipeline of that pass, or empty
    pipeline: str
    #: different where one pair of a result and a parameter is, else undecided
    #: where one is
    answer: str
    #: what is compared: which elements are read, or also what is computed of
    #: them (--values); a difference is always one of reads
    level: str
    #: the strongest engine that was needed for the reads; text: both are the
    #: same text
    engine: str | None = None
    #: why they cannot be
    reason: str | None = None
    #: the instructions of the dump before to which a law applies
    laws: list[Law] | None = None
    #: the results whose values are not known to be equal
    values: list[ResultValues] | None = None
    #: the dump after is compared as the one before, partitioned for so many
    #: devices
    devices: int | None = None
    #: those that are not equal
    partitioned: list[PartitionedResult] | None = None
    #: those that are not equal
    pairs: list[Pair] | None = None
    #: the instructions of the first difference
    path: Ways | None = None
    _parts: ClassVar[dict[str, type]] = {
        'laws': Law,
        'values': ResultValues,
        'partitioned': PartitionedResult,
        'pairs': Pair,
        'path': Ways,
    }


@dataclass(kw_only=True)
class FiguresOfChain:
    """Figures of a chain (docs/formats.md)"""

    dumps: int
    #: dumps that are another text than the one before
    changed: int
    #: pairs, those of one text counted
    equal: int
    #: pairs where a law drops what is no longer read
    fewer_reads: int
    different: int
    undecided: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Passes(Document):
    """What passes change (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the name of the module, or of the function, or of the first file
    chain: str
    #: in the chain's order; with --only, those
    passes: list[PairOfDumps]
    #: the pass of the first that is
    first: str | None = None
    totals: FiguresOfChain
    _parts: ClassVar[dict[str, type]] = {
        'passes': PairOfDumps,
        'totals': FiguresOfChain,
    }
