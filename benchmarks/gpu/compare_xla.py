#!/usr/bin/env python3
"""Sets what `indexical report` says beside what a GPU did.

    compare_xla.py FOLDER [--indexical=COMMAND] [--device=h100] [--all]

FOLDER has what profile_xla.py wrote: modules, and `kernels.json` with the
launch and the time of each kernel, and perhaps hardware counters of sectors.
Prints what differs (with --all, each kernel), and sums: launches that are the
same, sectors that are, and predicted by measured time for each emitter.
"""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys


def predictions(options, module):
    """instruction -> its kernel, of one module."""
    path = os.path.join(options.folder, module + ".hlo")
    run = subprocess.run(
        [options.indexical, "report", path, "--format=jsonl",
         "--device=" + options.device], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{path}: {run.stderr}")
    documents = map(json.loads, run.stdout.splitlines())
    return {d["instruction"]: d for d in documents if d["kind"] == "kernel"}


def most(figure):
    """A figure is a number, or its bounds."""
    return figure[1] if isinstance(figure, list) else figure


def sectors(accesses):
    if any("sectors" not in access for access in accesses):
        return None
    return sum(most(access["sectors"]) for access in accesses)


class Table:
    """What agrees and what does not, for each emitter."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.ratios = collections.defaultdict(list)
        self.measured = self.predicted = 0

    def add(self, measured, kernel, show):
        emitter = kernel.get("emitter", "none")
        row = self.rows[emitter]
        notes = []
        if "grid" in kernel:
            same = (kernel["grid"] == measured["grid"]
                    and kernel["block"] == measured["block"])
            row["same launch" if same else "other launch"] += 1
            if not same:
                notes.append(f"launch {kernel['grid']} {kernel['block']}, not "
                             f"{measured['grid']} {measured['block']}")
            # Triton's own shared memory is not predicted.
            shared = sum(tile["bytes"] for tile in kernel.get("shared", []))
            if emitter != "triton" and shared != measured["shared"]:
                row["other shared memory"] += 1
                notes.append(f"shared {shared}, not {measured['shared']}")
        for what, key in (("reads", "sectors_read"),
                          ("writes", "sectors_written")):
            ours = sectors(kernel[what])
            # Triton reads through other paths too, which the counter leaves out.
            if key not in measured or ours is None or not measured[key]:
                continue
            same = ours == measured[key]
            row[("same " if same else "other ") + key] += 1
            if not same:
                notes.append(f"{key} {ours}, not {measured[key]}")
        if "predicted_us" in kernel and measured["grid"]:
            ratio = kernel["predicted_us"] / measured["us"]
            self.ratios[emitter].append(ratio)
            self.predicted += kernel["predicted_us"] * measured["launches"]
            self.measured += measured["us"] * measured["launches"]
            if not 0.5 <= ratio <= 2 or show:
                notes.append(f"{kernel['predicted_us']:.1f} us predicted "
                             f"({kernel['limited_by']}), {measured['us']:.1f} "
                             "measured")
        if notes:
            print(f"{measured['module']}/{measured['instruction']} "
                  f"({emitter}): " + "; ".join(notes))

    def print(self):
        print()
        for emitter, row in sorted(self.rows.items()):
            print(f"{emitter}: " + ", ".join(
                f"{count} {what}" for what, count in sorted(row.items())))
        print("\npredicted by measured time: least, median, most; within 25%, "
              "within a factor of 2")
        every = [r for ratios in self.ratios.values() for r in ratios]
        for emitter, ratios in [*sorted(self.ratios.items()), ("all", every)]:
            if not ratios:
                continue
            near = sum(0.8 <= r <= 1.25 for r in ratios)
            fair = sum(0.5 <= r <= 2 for r in ratios)
            print(f"{emitter:22} {len(ratios):4} kernels {min(ratios):6.2f} "
                  f"{statistics.median(ratios):6.2f} {max(ratios):6.2f} "
                  f"{near:4} {fair:4}")
        print(f"all time: {self.predicted:.0f} us predicted, "
              f"{self.measured:.0f} measured")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--indexical", default="bazel-bin/tools/indexical")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    with open(os.path.join(options.folder, "kernels.json")) as file:
        kernels = json.load(file)["kernels"]
    table = Table()
    known = {}
    for measured in kernels:
        module = measured["module"]
        if module not in known:
            known[module] = predictions(options, module)
        kernel = known[module].get(measured["instruction"])
        if kernel is None:
            print(f"{module}/{measured['instruction']}: is not reported")
            continue
        # A library's call is several launches; the longest is the product.
        if measured["grid"] and ("grid" in kernel or measured["us"] == max(
                k["us"] for k in kernels if k["module"] == module
                and k["instruction"] == measured["instruction"])):
            table.add(measured, kernel, options.all)
    table.print()


main()
