#!/usr/bin/env python3
"""Kernels of Triton against hardware counters.

  measured_kernels_test.py INDEXICAL FOLDER [--times]

FOLDER has the texts of kernels as Triton printed them, without locations, and
measured.json: their launches, and what a GPU counted. The sectors and requests
of loads, stores and atomics have to be the counters, by the layouts of the
TTGIR and by those that are chosen for the TTIR. Counters of loads have copies
to shared memory as well. EXCEPTIONS has the kernels of which that is not so, and
why; each has to differ, and bounds have to hold what was counted.

benchmarks/gpu/profile_triton.py wrote the texts and launches.
"""

import collections
import concurrent.futures
import json
import os
import subprocess
import sys

TOOL, FOLDER = sys.argv[1:3]
KINDS = ("load", "store", "atomic")

DATA = "the rows depend on data that nothing says"
MAPS = "memory of descriptors is counted as atomics, no access of the kernel"
TWICE = "one load of the TTIR becomes two, of two layouts"
COPIES = "pipelining makes copies of loads, of 4 bytes where shared memory asks"
FLOATS = "how many floats an atomic adds at once is the GPU's: no TTIR says it"
SUNK = "ptxas moves the load to the threads that use its value"
TURNS = "lanes that add to one element take turns, which are counted"

EXCEPTIONS = {
    "float_row": {"ttir": DATA, "ttgir": DATA},
    "copy_descriptor": {"ttgir": MAPS, "ttir": MAPS},
    "matmul_descriptor": {"ttgir": MAPS, "ttir": MAPS},
    "small_twice": {"ttir": TWICE},
    "matmul_f32": {"ttir": COPIES},
    "atomic_row": {"ttir": FLOATS},
    "atomic_f16": {"ttir": FLOATS},
    "atomic_small": {"ttgir": SUNK, "ttir": SUNK},
    "atomic_shared": {"ttgir": TURNS, "ttir": TURNS},
}


def asked(kernel, form):
    path = os.path.join(FOLDER, f"{kernel['name']}.{form}")
    with open(path) as file:
        head = next(line for line in file if "tt.func" in line)
    words = [TOOL, "kernel", path, "--format=json", "--device=h100",
             "--grid=" + ",".join(map(str, kernel["grid"])),
             *("--runtime=" + text for text in kernel["runtime"])]
    if form == "ttir":
        words.append(f"--num-warps={kernel['num_warps']}")
    for argument in kernel["arguments"]:
        # The text has no argument that was 1.
        if f"%{argument['name']}:" not in head:
            continue
        if "type" in argument:
            words.append(f"--shape={argument['name']}={argument['type']}")
        elif isinstance(argument["value"], int):
            words.append(f"--arg={argument['name']}={argument['value']}")
    run = subprocess.run(words, capture_output=True, text=True)
    # 3 and 4 are answers about bounds and writes.
    if run.returncode not in (0, 3, 4):
        sys.exit(f"{kernel['name']}.{form}: {run.stderr}")
    return json.loads(run.stdout)


def predicted(answer):
    """(kind, what) -> bounds; None where an access has no figures."""
    found = {(kind, what): (0, 0) for kind in KINDS
             for what in ("sectors", "requests")}
    for kind, accesses in (("load", answer["reads"]), ("store",
                           answer["writes"]), ("atomic", answer["atomics"])):
        for access in accesses:
            # Copies by descriptors are none of threads.
            if "descriptor" in access["op"] or "tma" in access["op"]:
                continue
            for what, key in (("sectors", "sectors"), ("requests", "accesses")):
                so_far, figure = found[kind, what], access.get(key)
                if so_far is None or figure is None:
                    found[kind, what] = None
                    continue
                least, most = figure if isinstance(figure, list) else (figure,
                                                                       figure)
                found[kind, what] = so_far[0] + least, so_far[1] + most
    return found


def differences(kernel, form):
    answer = asked(kernel, form)
    listed, wrong = [], []
    if answer.get("complete") is False:
        listed.append("incomplete: " + answer["reason"])
    for (kind, what), bounds in predicted(answer).items():
        counted = kernel["counted"][f"{kind}_{what}"]
        if bounds == (counted, counted):
            continue
        listed.append(f"{kind} {what} {bounds}, {counted} counted")
        if bounds and bounds[0] < bounds[1] and not (
                bounds[0] <= counted <= bounds[1]):
            wrong.append("outside of bounds: " + listed[-1])
    return listed, wrong, answer


def main():
    with open(os.path.join(FOLDER, "measured.json")) as file:
        kernels = json.load(file)["kernels"]
    calls = [(k, form) for k in kernels for form in ("ttir", "ttgir")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda call: differences(*call), calls))
    bad, same = 0, collections.Counter()
    for (kernel, form), (listed, wrong, answer) in zip(calls, answers):
        name = kernel["name"]
        reason = EXCEPTIONS.get(name, {}).get(form)
        if reason and not listed:
            wrong.append(f"is equal now, and was not, for: {reason}")
        if not reason:
            wrong += listed
        same[form] += not listed
        for line in wrong:
            print(f"{name}.{form}: {line}")
        bad += bool(wrong)
        if "--times" in sys.argv and form == "ttgir":
            print(name, answer.get("predicted_us"), kernel["counted"]["us"])
    print(f"{len(kernels)} kernels; equal to the counters: "
          + ", ".join(f"{count} by the {form}" for form, count in same.items()))
    if len(kernels) < 50:
        sys.exit("there are too few kernels")
    sys.exit(bad > 0)


main()
