"""A profile, and uses of time, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


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
class Roof:
    """A roof (docs/formats.md)"""

    #: as in a kernel
    limited_by: str
    #: the number of kernels
    kernels: int
    #: their microseconds
    us: float
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class UseOfTime:
    """A use of time (docs/formats.md)"""

    #: the number of kernels with such time
    kernels: int
    #: the microseconds
    us: float
    #: the kernel that takes most of it
    largest: str | None = None
    #: its microseconds
    largest_us: float | None = None
    #: what binds these kernels
    roofs: list[Roof] | None = None
    _parts: ClassVar[dict[str, type]] = {
        'roofs': Roof,
    }


@dataclass(kw_only=True)
class UsesOfTime:
    """Uses of time (docs/formats.md)"""

    #: of kernels of the last two uses, the part of their time that their
    #: wasted bytes are of the moved ones, and no more than what they take
    #: beyond a launch that moves each array once
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
