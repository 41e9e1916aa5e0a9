#!/usr/bin/env python3
"""Writes small profiles (the message XSpace) for tests of the command.

  profile_file.py [--details=TEXT] MODULE OUT NAME...
                                         two launches of each of these
                                         instructions, on GPU 0

  launch = Launch("fusion_3", "fusion.3", module="m", program=7, start=5000,
                  duration=80000, details="grid:8,1,1 block:128,1,1")
  write("p.xplane.pb", [launch], modules={7: ("m", proto)})

Times are picoseconds. This shares no code with the library that reads profiles.
"""

import dataclasses
import sys


@dataclasses.dataclass
class Launch:
    kernel: str
    op: str | None
    module: str | None = None
    program: int | None = None
    start: int = 0
    duration: int = 1000
    details: str = "grid:1,1,1 block:1,1,1"
    gpu: int = 0


def number(field, value):
    return varint(field << 3) + varint(value & (1 << 64) - 1)


def field(field, value):
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class Plane:
    def __init__(self, name):
        self.name, self.events, self.stats, self.rest = name, {}, {}, b""

    def event(self, name):
        return self.events.setdefault(name, len(self.events) + 1)

    def stat(self, name, value):
        key = number(1, self.stats.setdefault(name, len(self.stats) + 1))
        if isinstance(value, int):
            return key + number(4, value)
        return key + field(6 if isinstance(value, bytes) else 5, value)

    def message(self):
        names = b"".join(
            field(kind, number(1, key) + field(2, number(1, key) + field(2, name)))
            for kind, table in ((4, self.events), (5, self.stats))
            for name, key in table.items())
        return field(2, self.name) + self.rest + names


def gpu_plane(gpu, launches, vendor, model):
    plane = Plane("/device:GPU:%d" % gpu)
    line = number(1, 7) + number(3, 1000)
    for launch in launches:
        stats = [("kernel_details", launch.details), ("hlo_op", launch.op),
                 ("hlo_module", launch.module), ("program_id", launch.program)]
        line += field(4, number(1, plane.event(launch.kernel)) +
                      number(2, launch.start) + number(3, launch.duration) +
                      b"".join(field(4, plane.stat(*each)) for each in stats
                               if each[1] is not None))
    plane.rest = field(3, line)
    for stat in (("device_vendor", vendor), ("gpu_device_name", model)):
        plane.rest += field(6, plane.stat(*stat))
    return field(1, plane.message())


def modules_plane(modules):
    plane = Plane("/host:metadata")
    entries = b""
    for program, (name, proto) in modules.items():
        entries += field(4, number(1, program) + field(
            2, number(1, program) + field(2, "%s(%d)" % (name, program)) +
            field(5, plane.stat("Hlo Proto", proto))))
    plane.rest = entries
    return field(1, plane.message())


def bytes_of(launches, modules=(), vendor="Nvidia",
             model="NVIDIA H100 80GB HBM3", warnings=(), host="host"):
    out = modules_plane(modules) if modules else b""
    for gpu in sorted({launch.gpu for launch in launches}):
        out += gpu_plane(gpu, [each for each in launches if each.gpu == gpu],
                         vendor, model)
    out += b"".join(field(3, warning) for warning in warnings)
    return out + field(4, host)


def write(path, *arguments, **options):
    with open(path, "wb") as file:
        file.write(bytes_of(*arguments, **options))


def main(*words):
    options = {}
    if words[0].startswith("--details="):
        options["details"] = words[0].split("=", 1)[1]
        words = words[1:]
    module, out, *names = words
    write(out, [
        Launch(name.replace(".", "_"), name, module=module, program=7,
               start=1000000 * (2 * i + run), duration=(10 + run) * 1000000, **options)
        for i, name in enumerate(names) for run in (0, 1)])


if __name__ == "__main__":
    main(*sys.argv[1:])
