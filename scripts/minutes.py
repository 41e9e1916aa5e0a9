#!/usr/bin/env python3
"""Minutes of compiling, by room, of the last build.

    scripts/minutes.py [PROFILE]    of `bazel build`; else that of this checkout

    same       4.1  12%
    cost       3.9  11%

What Bazel's cache had is no work, so begin without one: `bazel clean`. A minute
is one of a core that had nothing else to do.
"""

import collections
import gzip
import json
import os
import re
import subprocess
import sys

COMPILED = re.compile(r"(?:Compiling|PrecompileHeaders|.*precompiled.*gch) ?(.*)")


def room_of(path):
    parts = re.sub(r"^bazel-out/[^/]+/bin/", "", path).split("/")
    return parts[0] if parts[0] not in ("import", "tests") else "/".join(parts[:2])


def main(arguments):
    if arguments:
        path = arguments[0]
    else:
        base = subprocess.run(["bazel", "info", "output_base"],
                              capture_output=True, text=True, check=True)
        path = os.path.join(base.stdout.strip(), "command.profile.gz")
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    rooms = collections.Counter()
    for event in events:
        match = COMPILED.match(event.get("name", ""))
        if match and event.get("cat") == "action processing":
            rooms[room_of(match[1]) or "precompiled headers"] += event["dur"]
    total = sum(rooms.values()) or 1
    for room, micros in rooms.most_common():
        print(f"{room:20} {micros / 6e7:6.1f} {100 * micros / total:4.0f}%")
    print(f"{'all':20} {total / 6e7:6.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
