"""A profile, and uses of time, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Answer


@dataclass(kw_only=True)
class GpuOfProfile(Answer):
    """A GPU of a profile (docs/keys.md)

    gpu: N of the plane /device:GPU:N
    device: the device that it is compared with
    kernels: launches
    kernel_us: the sum of their times, in microseconds, exactly
    busy_us: the time in which at least one of them ran
    unattributed_us: the part of kernel_us that no instruction is known for
    copy_us: the time of copies and fills that are not kernels
    """

    gpu: int
    device: str
    kernels: int
    kernel_us: float
    busy_us: float
    unattributed_us: float
    copy_us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ModuleOfProfile(Answer):
    """A module of a profile (docs/keys.md)

    program_id: the number by which the launches name it
    name
    embedded: whether the profile holds it
    executions: how often it ran, on the GPUs that are looked at
    kernel_us: the time of its kernels
    """

    program_id: int | None = None
    name: str
    embedded: bool
    executions: int | None = None
    kernel_us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Profile(Answer):
    """A profile (docs/keys.md)

    host: the hosts of the profile
    gpus: those of --gpu, or all
    modules: those that the profile holds, run or not, and those of --hlo
    warnings: those of the profiler, then those of the reader
    """

    host: str
    gpus: list[GpuOfProfile]
    modules: list[ModuleOfProfile]
    warnings: list[str]
    _parts: ClassVar[dict[str, type]] = {
        'gpus': GpuOfProfile,
        'modules': ModuleOfProfile,
    }


@dataclass(kw_only=True)
class KernelWithoutInstruction(Answer):
    """A kernel without an instruction (docs/keys.md)

    kernel: its name
    launches
    measured_total_us: the microseconds of all its launches, exactly
    reason: the launch says no instruction; its module is not there, or several
        have its name; the module runs no kernel of that name; several kernels
        of a command buffer may be it
    """

    kernel: str
    launches: int
    measured_total_us: float
    reason: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Roof(Answer):
    """A roof (docs/keys.md)

    limited_by: as in a kernel
    kernels: the number of kernels
    us: their microseconds
    """

    limited_by: str
    kernels: int
    us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class UseOfTime(Answer):
    """A use of time (docs/keys.md)

    kernels: the number of kernels with such time
    us: the microseconds
    largest: the kernel that takes most of it
    largest_us: its microseconds
    roofs: what limits these kernels
    """

    kernels: int
    us: float
    largest: str | None = None
    largest_us: float | None = None
    roofs: list[Roof] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'roofs': Roof,
    }


@dataclass(kw_only=True)
class UsesOfTime(Answer):
    """Uses of time (docs/keys.md)

    unused_sectors: of kernels of the last two uses: their time multiplied by
        their wasted bytes divided by their moved bytes, and no more than their
        time beyond a launch that moves each array once
    blocks_and_waits: of kernels whose limited_by is blocks or waits
    movement: of kernels that only move data: copies, conversions, transposes,
        slices, gathers, and fusions of these
    libraries: of libraries' kernels, sorts, and kernels with known bytes only
    rest: of all others
    without_time: the number of kernels for which no time is predicted, and
        none was measured
    """

    unused_sectors: UseOfTime
    blocks_and_waits: UseOfTime
    movement: UseOfTime
    libraries: UseOfTime
    rest: UseOfTime
    without_time: int
    _parts: ClassVar[dict[str, type]] = {
        'unused_sectors': UseOfTime,
        'blocks_and_waits': UseOfTime,
        'movement': UseOfTime,
        'libraries': UseOfTime,
        'rest': UseOfTime,
    }
