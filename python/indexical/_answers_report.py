"""What kernels and collectives move, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._answers_profile import (KernelWithoutInstruction, Profile,
                                        UsesOfTime)
from indexical._answers_kernels import Group, Kernel, KernelGone
from indexical._document import Document


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
    #: the peak bandwidth between memory and the chip
    bytes_per_s: int
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
class MovementCancels:
    """Movement that cancels (docs/formats.md)"""

    #: the number of the module, from 0
    module: int
    #: where both values are
    computation: str
    #: the instruction of the earlier value
    first: str
    #: which of its arrays it is
    first_result: int | None = None
    #: the instruction of the later value: the earlier one again, or a
    #: permutation of it
    second: str
    #: likewise
    second_result: int | None = None
    #: dimension k of second is dimension permutation[k] of first, as of a
    #: transpose; 0, 1, 2… where both are one value
    permutation: list[int]
    #: the ops on the way that move elements, in its order; the last one gives
    #: second
    between: list[str]
    #: the bytes of the arrays that these ops read and write, each as whole
    bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class LiveArray:
    """A live array (docs/formats.md)"""

    #: where the array is made
    computation: str
    #: what makes it
    instruction: str
    #: which of its arrays it is
    result: int | None = None
    #: its shape, with its layout
    shape: str
    #: what it takes in memory, padding included
    bytes: int
    #: the part of bytes that holds no element
    padded_bytes: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PeakOfMemory:
    """A peak of memory (docs/formats.md)"""

    #: the number of the module, from 0
    module: int
    #: where the instruction is
    computation: str
    #: what runs then
    instruction: str
    #: the sum of arrays
    bytes: int
    #: the largest first
    arrays: list[LiveArray]
    _parts: ClassVar[dict[str, type]] = {
        'arrays': LiveArray,
    }


@dataclass(kw_only=True)
class Totals:
    """Totals (docs/formats.md)"""

    #: the number of kernels
    kernels: int
    #: the bytes of the sectors that all reads and writes touch, at most; where
    #: there are no figures, the bytes of the arrays. No sum is above 2^63 - 1
    moved_bytes: int
    #: moved_bytes less wasted_bytes: the bytes of the fewest sectors that
    #: would do; where there are no figures, the bytes of the arrays
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
    #: as moved_bytes, at least: the same number where all figures are known
    moved_least_bytes: int
    #: as wasted_bytes, at least
    wasted_least_bytes: int
    #: the part of the reads
    read_moved_least_bytes: int
    #: likewise
    read_wasted_least_bytes: int
    #: the part of the writes
    write_moved_least_bytes: int
    #: likewise
    write_wasted_least_bytes: int
    #: the multiplications and additions of the products of kernels
    operations: int | None = None
    #: the elements that scatters combine with what is there
    atomics: int | None = None
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
    #: what says which device it is: sm_8.0 in the file's name
    device_by: str | None = None
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
    #: --sort says (text and page begin with those of which most is avoidable);
    #: those of --filter and --min, and with --top=N the first N
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
    #: values that are an earlier one again; of a module those first whose ops
    #: move most bytes
    cancels: list[MovementCancels] | None = None
    #: what is live where each scheduled module needs most memory
    peaks: list[PeakOfMemory] | None = None
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
        'cancels': MovementCancels,
        'peaks': PeakOfMemory,
        'totals': Totals,
    }
