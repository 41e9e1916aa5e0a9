"""What kernels and collectives move, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._answers_profile import (KernelWithoutInstruction, Profile,
                                        UsesOfTime)
from indexical._answers_kernels import Group, Kernel, KernelGone
from indexical._document import Answer, ReportDocument


@dataclass(kw_only=True)
class Device(Answer):
    """A device (docs/keys.md)

    name: the name of --device
    warp: lanes of a warp
    sector: bytes of a sector, the least that an access moves
    line: bytes of a cache line
    bytes_per_s: the peak bandwidth between memory and the chip
    """

    name: str
    warp: int
    sector: int
    line: int
    bytes_per_s: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class DeviceOfModule(Answer):
    """The device of a module (docs/keys.md)

    module: its number, from 0
    device
    device_by: as in the document
    """

    module: int
    device: Device
    device_by: str | None = None
    _parts: ClassVar[dict[str, type]] = {
        'device': Device,
    }


@dataclass(kw_only=True)
class KindOfWork(Answer):
    """A kind of work (docs/keys.md)

    work: as in a kernel
    kernels: the number of kernels
    us: their microseconds: measured in a profile, else predicted, over all
        trips
    share_of_all: the part of the time of all kernels of the report, of the
        same microseconds
    largest: the kernel that takes most of it
    largest_us: its microseconds
    """

    work: str
    kernels: int
    us: float
    share_of_all: float
    largest: str
    largest_us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Changes(Answer):
    """Changes (docs/keys.md)

    better: the number of kernels that waste fewer bytes than they did
    worse: the number of kernels that waste more bytes than they did
    new: the number of kernels that the earlier report does not have
    gone: the number of kernels that only the earlier report has
    wasted_less_bytes: the bytes that the better kernels waste less than before
    wasted_more_bytes: the bytes that the worse kernels waste more than before
    predicted_us: the predicted microseconds, all trips, of the kernels that
        have them in both reports
    was_predicted_us: predicted_us of these kernels in the earlier report
    avoidable_us: the sum of avoidable_us of the kernels that have it in both
        reports
    was_avoidable_us: avoidable_us of these kernels in the earlier report
    """

    better: int
    worse: int
    new: int
    gone: int
    wasted_less_bytes: int
    wasted_more_bytes: int
    predicted_us: float | None = None
    was_predicted_us: float | None = None
    avoidable_us: float | None = None
    was_avoidable_us: float | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class FileNotInReport(Answer):
    """A file that is not in the report (docs/keys.md)

    file: its path
    line: where the error is, from 1
    column: where in that line, from 1
    message: what is wrong
    """

    file: str
    line: int | None = None
    column: int | None = None
    message: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class KernelOfRow(Answer):
    """A kernel of a row (docs/keys.md)

    module: the number of the module, from 0
    file: the path of the file that its module was read from
    computation: where the kernel is
    instruction: the fusion or the op
    """

    module: int
    file: str | None = None
    computation: str
    instruction: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class RowOfRanking(Answer):
    """A row of the ranking (docs/keys.md)

    rank: its place in the list
    instruction: the first of its kernels
    kernels: all of them, the first one first
    opcode: of the first
    shapes: the arrays of the first one's result, with their layouts
    predicted_us: the microseconds of all trips, or measured launches, of its
        kernels
    measured_us: the microseconds of all launches of its kernels
    lost_us: the sum of lost_us of its kernels
    share_of_all: the part of the time of all kernels of the report: of
        measured_us with a profile, else of predicted_us
    avoidable_us: what the change can save of that time
    moved_bytes: the bytes of the sectors that reads and writes touch, at most;
        where there are no figures, the bytes of the arrays. No sum is above
        2^63 - 1: of its kernels, over all their trips; null: a size is not
        known
    used_bytes: moved_bytes less wasted_bytes: the bytes of the fewest sectors
        that would do; where there are no figures, the bytes of the arrays: of
        its kernels, over all their trips; null: a size is not known
    wasted_bytes: wasted_bytes of reads and writes, at most: of its kernels,
        over all their trips; null: a size is not known
    moved_least_bytes: as moved_bytes, at least: the same number where all
        figures are known: of its kernels, over all their trips; null: a size
        is not known
    wasted_least_bytes: as wasted_bytes, at least: of its kernels, over all
        their trips; null: a size is not known
    avoid_by: as in a kernel
    avoid_with: the kernel or the parameter that the change of the first one is
        about
    advice: the change, in words
    why: the reason for their time, in words; nothing is known to be avoidable
    """

    rank: int
    instruction: str
    kernels: list[KernelOfRow]
    opcode: str
    shapes: list[str]
    predicted_us: float | None = None
    measured_us: float | None = None
    lost_us: float | None = None
    share_of_all: float | None = None
    avoidable_us: float
    moved_bytes: int | None
    used_bytes: int | None
    wasted_bytes: int | None
    moved_least_bytes: int | None
    wasted_least_bytes: int | None
    avoid_by: str | None = None
    avoid_with: str | None = None
    advice: str | None = None
    why: str | None = None
    _parts: ClassVar[dict[str, type]] = {
        'kernels': KernelOfRow,
    }


@dataclass(kw_only=True)
class Collective(Answer):
    """A collective (docs/keys.md)

    module: its number in the file
    computation
    instruction: the collective; of one that is started and finished, the start
    line
    op: all-gather, all-reduce, reduce-scatter, all-to-all, ragged-all-to-all,
        collective-permute or collective-broadcast; of Shardy also reshard
    devices: replicas times partitions; of an op of Shardy, those of its mesh
    groups: the devices of each group, in the order of their parts
    group_size: the most members that a group has
    pairs: the source and the target of each pair, as devices
    trips: how often it runs
    trips_known: loops of unknown trips count once
    bytes: of the operands on one device
    receives_bytes: the least and the most that a device receives, rounded
        outwards
    sends_bytes: the least and the most that a device sends, rounded outwards
    all_bytes: what all devices receive
    within_us: microseconds on the links within hosts
    between_us: microseconds on the links between hosts
    op_name
    source: the innermost frame
    stack: all frames, the innermost first
    """

    module: int
    computation: str
    instruction: str
    line: int | None = None
    op: str
    devices: int
    groups: list[list[int]] | None = None
    group_size: int | None = None
    pairs: list[list[int]] | None = None
    trips: int
    trips_known: bool | None = None
    bytes: int
    receives_bytes: list[int]
    sends_bytes: list[int]
    all_bytes: int | None = None
    within_us: float | None = None
    between_us: float | None = None
    op_name: str | None = None
    source: str | None = None
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class FirstPlan(Answer):
    """A first plan (docs/keys.md)

    operand: the operand that is moved: its number among the arrays of all
        operands
    instruction: the instruction that computes it
    ops: what devices do, in order, as steps name it; empty: nothing
    collectives: the number of its steps that are collectives
    all_bytes: the bytes that all devices receive, in one trip
    replication_bytes: what all devices receive if each of them gets the whole
        array first
    saved_bytes: what the plan saves: for a reshard of report, compared with
        its own all_bytes in all trips; for an operand, compared with
        replication_bytes
    """

    operand: int | None = None
    instruction: str | None = None
    ops: list[str]
    collectives: int
    all_bytes: int
    replication_bytes: int
    saved_bytes: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Reshard(Answer):
    """A reshard (docs/keys.md)

    module
    computation
    instruction: the computed value, or a parameter, that is moved; of several,
        the collective
    result: which of its arrays
    collectives: the collectives on the way to its readers
    trips
    trips_known
    receives_bytes: the least and the most over devices
    sends_bytes: the least and the most that a device sends, over devices
    all_bytes: what all devices receive
    needed_bytes: the bytes of elements that readers on a device use and the
        device does not hold: the least and the most over devices
    needed_all_bytes: the least that all devices must receive
    needed_exact: false: needed_bytes and needed_all_bytes are upper bounds of
        the least
    reason: why all that is received counts as needed
    ratio: all_bytes / needed_all_bytes
    saved_bytes: all_bytes - needed_all_bytes, of all trips: what could be
        saved
    plan: the collectives that would bring it there, as reshard plans them
    op_name: of its first collective
    source: the source file and line of its first collective: the innermost
        frame
    stack: all frames of its first collective, the innermost first
    """

    module: int
    computation: str
    instruction: str
    result: int
    collectives: list[str]
    trips: int
    trips_known: bool | None = None
    receives_bytes: list[int]
    sends_bytes: list[int]
    all_bytes: int | None = None
    needed_bytes: list[int]
    needed_all_bytes: int
    needed_exact: bool
    reason: str | None = None
    ratio: float | None = None
    saved_bytes: int
    plan: FirstPlan | None = None
    op_name: str | None = None
    source: str | None = None
    stack: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'plan': FirstPlan,
    }


@dataclass(kw_only=True)
class GroupOfReshards(Answer):
    """A group of reshards (docs/keys.md)

    by
    name: of their first collectives; may be empty
    reshards
    received_bytes: what all devices receive, in all trips of reshards with
        all_bytes
    needed_bytes: what all devices must receive at least, or more where it is
        not exact, in all trips of reshards with all_bytes
    saved_bytes: what could be saved, in all trips of reshards with all_bytes
    """

    by: str
    name: str
    reshards: int
    received_bytes: int
    needed_bytes: int
    saved_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class MovementCancels(Answer):
    """Movement that cancels (docs/keys.md)

    module: the number of the module, from 0
    computation: where both values are
    first: the instruction of the earlier value
    first_result: which of its arrays it is
    second: the instruction of the later value: the earlier one again, or a
        permutation of it
    second_result: which of the later instruction's arrays it is
    permutation: dimension k of second is dimension permutation[k] of first, as
        of a transpose; 0, 1, 2… where both are one value
    between: the ops on the way that move elements, in its order; the last one
        gives second
    bytes: the bytes of the arrays that these ops read and write, each as whole
    """

    module: int
    computation: str
    first: str
    first_result: int | None = None
    second: str
    second_result: int | None = None
    permutation: list[int]
    between: list[str]
    bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class LiveArray(Answer):
    """A live array (docs/keys.md)

    computation: where the array is made
    instruction: what makes it
    result: which of its arrays it is
    shape: its shape, with its layout
    bytes: what it takes in memory, padding included
    padded_bytes: the part of bytes that holds no element
    """

    computation: str
    instruction: str
    result: int | None = None
    shape: str
    bytes: int
    padded_bytes: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PeakOfMemory(Answer):
    """A peak of memory (docs/keys.md)

    module: the number of the module, from 0
    computation: where the instruction is
    instruction: what runs then
    bytes: the sum of arrays
    arrays: the largest first
    """

    module: int
    computation: str
    instruction: str
    bytes: int
    arrays: list[LiveArray]
    _parts: ClassVar[dict[str, type]] = {
        'arrays': LiveArray,
    }


@dataclass(kw_only=True)
class Totals(Answer):
    """Totals (docs/keys.md)

    kernels: the number of kernels
    predicted_us: the predicted microseconds of all kernels, in all trips; of a
        profile, in the launches that were measured
    measured_us: the microseconds of all launches that have an instruction
    avoidable_us: the sum of what changes can save of measured_us with a
        profile, else of predicted_us
    moved_bytes: the bytes of the sectors that reads and writes touch, at most;
        where there are no figures, the bytes of the arrays. No sum is above
        2^63 - 1: of all kernels, over all trips
    used_bytes: moved_bytes less wasted_bytes: the bytes of the fewest sectors
        that would do; where there are no figures, the bytes of the arrays: of
        all kernels, over all trips
    wasted_bytes: wasted_bytes of reads and writes, at most: of all kernels,
        over all trips
    read_moved_bytes: the part of moved_bytes that is of reads
    read_wasted_bytes: the part of wasted_bytes that is of reads
    write_moved_bytes: the part of moved_bytes that is of writes
    write_wasted_bytes: the part of wasted_bytes that is of writes
    moved_least_bytes: as moved_bytes, at least: the same number where all
        figures are known: of all kernels, over all trips
    wasted_least_bytes: as wasted_bytes, at least: of all kernels, over all
        trips
    read_moved_least_bytes: the part of moved_least_bytes that is of reads
    read_wasted_least_bytes: the part of wasted_least_bytes that is of reads
    write_moved_least_bytes: the part of moved_least_bytes that is of writes
    write_wasted_least_bytes: the part of wasted_least_bytes that is of writes
    operations: the multiplications and additions of the products of kernels
    atomics: the elements that scatters combine with existing values
    open_kernels: the number of kernels with a size that is not known: their
        bytes are in no sum
    collectives: the number of collectives
    received_bytes: what all devices receive, in reshards with all_bytes
    needed_bytes: the least that they must receive, or more where it is not
        exact, in the same reshards
    """

    kernels: int
    predicted_us: float | None = None
    measured_us: float | None = None
    avoidable_us: float | None = None
    moved_bytes: int
    used_bytes: int
    wasted_bytes: int
    read_moved_bytes: int
    read_wasted_bytes: int
    write_moved_bytes: int
    write_wasted_bytes: int
    moved_least_bytes: int
    wasted_least_bytes: int
    read_moved_least_bytes: int
    read_wasted_least_bytes: int
    write_moved_least_bytes: int
    write_wasted_least_bytes: int
    operations: int | None = None
    atomics: int | None = None
    open_kernels: int | None = None
    collectives: int | None = None
    received_bytes: int | None = None
    needed_bytes: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Report(ReportDocument):
    """What kernels move (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    device
    device_by: where the device was inferred from: sm_8.0 in the file's name
    module_devices: the device that each module was compiled for: its kernels'
        figures are for that one
    scheduled: whether the compiler has scheduled every module of the file, as
        is_scheduled=true says
    profile: what was profiled
    unattributed: the largest total first
    time_uses: what the time of the kernels of --filter is used for
    time_by_work: the time of the kernels of --filter by what they do, the
        largest first; kinds without time are left out
    changes: what became of the kernels of the earlier report
    rows_left_out: how many of kernels, or of groups, --top leaves out
    failed: those that could not be read
    ranking: what to change first: kernels that one change would improve are
        one row. The most avoidable come first, or as --sort says; rows of less
        than 1% of the time are left out, unless --top=N asks for the first N
        of all
    kernels: coalescing: the one. report: all, the most avoidable first, or as
        --sort says; before there is a time, those that waste most; those of
        --filter and --min, and with --top=N the first N
    groups: those that waste most first, of arrays those that move most, or as
        --sort says; those of --filter and --min, and with --top=N the first N
    gone: those of the earlier report that no kernel was found for
    collectives: in file order; with --filter those whose reads or writes it
        takes
    reshards: those that could save most first, or with --sort=received those
        that a device receives most bytes of; with --top=N the first N
    communication_groups: those that could save most first, or with
        --sort=received those that devices receive most bytes of; with --top=N
        the first N
    cancels: values that equal an earlier one; in a module, those whose ops
        move most bytes come first
    peaks: the live arrays at the memory peak of each scheduled module
    totals
    """

    schema: str
    version: str
    file: str | None = None
    device: Device
    device_by: str | None = None
    module_devices: list[DeviceOfModule] | None = None
    scheduled: bool | None = None
    profile: Profile | None = None
    unattributed: list[KernelWithoutInstruction] | None = None
    time_uses: UsesOfTime | None = None
    time_by_work: list[KindOfWork] | None = None
    changes: Changes | None = None
    rows_left_out: int | None = None
    failed: list[FileNotInReport] | None = None
    ranking: list[RowOfRanking] | None = None
    kernels: list[Kernel] | None = None
    groups: list[Group] | None = None
    gone: list[KernelGone] | None = None
    collectives: list[Collective] | None = None
    reshards: list[Reshard] | None = None
    communication_groups: list[GroupOfReshards] | None = None
    cancels: list[MovementCancels] | None = None
    peaks: list[PeakOfMemory] | None = None
    totals: Totals | None = None
    _parts: ClassVar[dict[str, type]] = {
        'device': Device,
        'module_devices': DeviceOfModule,
        'profile': Profile,
        'unattributed': KernelWithoutInstruction,
        'time_uses': UsesOfTime,
        'time_by_work': KindOfWork,
        'changes': Changes,
        'failed': FileNotInReport,
        'ranking': RowOfRanking,
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
