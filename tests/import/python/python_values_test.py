#!/usr/bin/env python3
"""What the TTIR of a kernel in Python does, against what its text means.

  TEST INDEXICAL KERNELS [FIRST_SEED]

An interpreter of the language runs random kernels, and another one runs the
TTIR that the command reads of them; neither shares code with the library. Both
leave the same values in memory and touch the same elements, and what one
refuses by its types the other refuses, too.
"""

import random
import subprocess
import sys
import tempfile

import triton_language
import triton_types
import ttir_machine
from random_sources import Source
from scalars import same

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 86
problems = []


def problem(seed, source, text):
    problems.append(seed)
    print("seed %d: %s\n%s%s" % (seed, text, source.text,
                                 " ".join(source.options())))


def ttir_of(source, path):
    with open(path, "w") as file:
        file.write(source.text)
    call = subprocess.run(
        [TOOL, "kernel", path, "--print=ttir"] + source.options(),
        capture_output=True, text=True, check=False)
    return call.returncode, call.stdout, call.stderr


def meant(source):
    """The memory afterwards, and what was touched; or why there is none."""
    memory = {name: list(array) for name, array in source.memory.items()}
    try:
        touched = triton_language.run(source.text, "k", source.grid,
                                      source.arguments, memory)
    except triton_types.Refused as refused:
        return None, refused
    except (OverflowError, ValueError):
        return None, None  # a float that has no integer
    return memory, touched


def check(seed, path):
    source = Source(random.Random(seed))
    memory, found = meant(source)
    status, text, message = ttir_of(source, path)
    if memory is None and found is None:
        return "none"
    if memory is None:
        if status == 0:
            problem(seed, source, "it is read, though line %d is refused: %s" %
                    (found.line, found.kind))
        elif ":%d:" % found.line not in message:
            problem(seed, source, "refused at another line than %d: %s" %
                    (found.line, message))
        return "refused"
    if status != 0:
        problem(seed, source, "it is refused: %s" % message)
        return "ran"
    own = {name: list(array) for name, array in source.memory.items()}
    arguments = {name: value[1] for name, value in source.arguments.items()
                 if isinstance(value, tuple)}
    touched = ttir_machine.run(text, source.grid, arguments, own)
    if touched != {touch[1:] for touch in found}:
        problem(seed, source, "other elements are touched")
    for name, array in memory.items():
        kind = source.types[name][1:]
        for k, (a, b) in enumerate(zip(array, own[name])):
            # TTIR has no unsigned integers.
            if kind[0] == "u":
                b %= 1 << int(kind[1:])
            if not same(a, b):
                problem(seed, source, "%s[%d] is %r, and %r in TTIR\n%s" %
                        (name, k, a, b, text))
                return "ran"
    return "ran"


def main():
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEED, SEED + COUNT):
            word = check(seed, folder + "/k.py")
            counts[word] = counts.get(word, 0) + 1
            if len(problems) > 10:
                break
    print("kernels", counts, "first seed", SEED)
    if counts.get("ran", 0) < COUNT // 4 and not problems:
        print("too few kernels ran")
        sys.exit(1)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
