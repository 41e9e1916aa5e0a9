#!/usr/bin/env python3
"""Minutes of a core that the last build of this checkout took, by room.

    scripts/minutes.py            compiling, by room, and tests
    scripts/minutes.py --sums     one line

What Bazel's caches had is no work: begin with `bazel clean`, and without a disk
cache. Cores that had other things to do make the figures larger.
"""

import collections
import gzip
import json
import os
import re
import sys

COMPILED = re.compile(r"(?:Compiling|PrecompileHeaders) (\S+)")
TESTED = re.compile(r"Testing (\S+)")


def room_of(path):
    """`import/hlo` of bazel-out/k8-fastbuild/bin/import/hlo/hlo_unit_0.cc."""
    parts = re.sub(r"^bazel-out/[^/]+/bin/", "", path).split("/")
    return "/".join(parts[:2 if parts[0] in ("import", "tests") else 1])


def events_of(base):
    with gzip.open(os.path.join(base, "command.profile.gz")) as file:
        for event in json.load(file)["traceEvents"]:
            if event.get("cat") == "action processing":
                yield event["name"], event["dur"] / 6e7


def main(arguments):
    # bazel-out leads to OUTPUT_BASE/execroot/indexical/bazel-out. (`bazel info`
    # would write a profile of its own.)
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    out = os.path.realpath(os.path.join(checkout, "bazel-out"))
    base = os.path.join(out, "..", "..", "..")
    rooms, tests = collections.Counter(), 0
    for name, minutes in events_of(base):
        if match := COMPILED.match(name):
            rooms[room_of(match[1])] += minutes
        elif TESTED.match(name):
            tests += minutes
    compiling = sum(rooms.values())
    if "--sums" in arguments:
        print(f"minutes of a core: compiling {compiling:.1f}, tests {tests:.1f}")
        return
    for room, minutes in rooms.most_common():
        print(f"{room:20} {minutes:6.1f} {100 * minutes / compiling:4.0f}%")
    print(f"{'compiling':20} {compiling:6.1f}\n{'tests':20} {tests:6.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
