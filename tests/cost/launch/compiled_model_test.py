#!/usr/bin/env python3
"""What the model of XLA's emitters says of kernels whose code is there.

  compiled_model_test.py INDEXICAL [FOLDER]

A folder is a dump of XLA: modules, each with its *.ir-with-opt.ll beside it. Of
each kernel that the code covers, `report --launch=xla` has to have the blocks
and threads of `report`, and for each array the requests of warps and the sectors
that they touch. What the model cannot predict is in UNPREDICTED by name, with
the reason; a name there whose kernel the model has right fails, too. `modelled`
of the report has to say exactly what differs.

Without a folder it is vllm/ beside INDEXICAL_CORPUS, with the small modules of
report_cases/ there, whose figures the compiler of 2025 was seen to have.
"""

import glob
import json
import os
import re
import subprocess
import sys

# Kernels by the end of their module's file name and their name, with the arrays
# whose figures are others.
UNPREDICTED = [
    # (module, kernel, arrays, reason)
    (
        r"219",
        r"loop_convert_fusion(\.\d+)?",
        {("read", 0)},
        "of two slices of one operand the second is loaded by elements: alias "
        "scopes of a computation that LLVM inlined",
    ),
]
# Figures of one array of a small module: requests and sectors.
SMALL = {
    "min_concat.hlo": {("read", k): (65536, 524288) for k in range(5)},
    "min_gather.hlo": {("read", 0): (512, 1024), ("read", 1): (512, 512)},
    "min_pad.hlo": {("read", 0): (8, 8)},
}
LEAST = 80  # kernels that have to be compared


def call(tool, path, *options):
    made = subprocess.run(
        [tool, "report", path, "--format=json", "--top=all", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=True,
    )
    return json.loads(made.stdout)


def bounds(figure):
    return tuple(figure) if isinstance(figure, list) else (figure, figure)


def arrays_of(kernel, first):
    """Requests and sectors by array, or None where an access has no figures."""
    sums = {}
    for kind, key in (("reads", "operand"), ("writes", "result")):
        for access in kernel[kind]:
            leaf = access[key]
            if kind == "reads":
                leaf = first.get(leaf, leaf)
            name = (kind[:-1], leaf)
            if "accesses" not in access or sums.get(name, ()) is None:
                sums[name] = None
                continue
            shared = access.get("requests")
            old = sums.get(name, ((0, 0), (0, 0)))
            new = []
            for at, figure in enumerate(("accesses", "sectors")):
                low, high = bounds(access[figure] if shared is None else shared)
                new.append((old[at][0] + low, old[at][1] + high))
            sums[name] = tuple(new)
    return sums


def meet(a, b):
    return all(x[0] <= y[1] and y[0] <= x[1] for x, y in zip(a, b))


def differences(compiled, model):
    """Arrays with other figures, and whether the launch is another."""
    # An array that is several operands is one for the code.
    names, first = {}, {}
    for read in model["reads"]:
        at = (read["instruction"], read["shape"])
        first[read["operand"]] = names.setdefault(at, read["operand"])
    found = {}
    ours, theirs = arrays_of(compiled, first), arrays_of(model, first)
    none = ((0, 0), (0, 0))
    for name in sorted(set(ours) | set(theirs)):
        a, b = ours.get(name, none), theirs.get(name, none)
        if a is not None and b is not None and not meet(a, b):
            found[name] = (a, b)
    launch = any(compiled[key] != model[key] for key in ("grid", "block"))
    return found, launch


def reason_of(module, kernel, found):
    for file, name, arrays, reason in UNPREDICTED:
        if (
            re.search(f"\\.({file})\\.", module)
            and re.fullmatch(name, kernel)
            and set(found) == arrays
        ):
            return reason
    return None


def compare(tool, folder):
    compared = equal = 0
    failures, named, without = [], {}, {}
    for path in sorted(glob.glob(f"{folder}/*after_optimizations.txt")):
        module = os.path.basename(path)
        models = {
            (kernel["computation"], kernel["instruction"]): kernel
            for kernel in call(tool, path, "--launch=xla")["kernels"]
        }
        for kernel in call(tool, path)["kernels"]:
            if kernel["launch"] != "compiled":
                continue
            name = kernel["instruction"]
            model = models[kernel["computation"], name]
            if "grid" not in model:
                without[f"{module}: {name}"] = model["reads"][0]["reason"]
                if "modelled" in kernel:
                    failures.append(f"{module}: {name}: no launch is modelled")
                continue
            compared += 1
            found, launch = differences(kernel, model)
            said = kernel.get("modelled")
            told = {
                ("read", each["operand"])
                if "operand" in each
                else ("write", each["result"])
                for each in (said or {"arrays": []})["arrays"]
            }
            if told != set(found) or bool(said) != bool(found or launch):
                failures.append(f"{module}: {name}: `modelled` says {said}")
            if launch:
                failures.append(f"{module}: {name}: another launch")
            elif not found:
                equal += 1
            elif reason := reason_of(module, name, found):
                named.setdefault(reason, []).append(name)
            else:
                for array, (code, ours) in found.items():
                    failures.append(
                        f"{module}: {name}: {array}: requests and sectors "
                        f"{code} compiled, {ours} modelled"
                    )
    print(f"{compared} kernels, {equal} as modelled")
    for reason, kernels in named.items():
        print(f"{len(kernels)} not predicted: {reason}")
    for name, reason in without.items():
        print(f"no launch is modelled: {name}: {reason}")
    if len(named) < len(UNPREDICTED):
        failures.append("a kernel that is named as not predicted is predicted")
    if compared < LEAST:
        failures.append(f"only {compared} kernels were compared")
    return failures


def small(tool, folder):
    failures = []
    for file, wanted in SMALL.items():
        (kernel,) = call(tool, f"{folder}/{file}", "--device=a100")["kernels"]
        found = arrays_of(kernel, {})
        for array, figures in wanted.items():
            exact = tuple((figure, figure) for figure in figures)
            if found.get(array) != exact:
                failures.append(f"{file}: {array}: {found.get(array)}, not {exact}")
    return failures


def main():
    tool = sys.argv[1]
    if len(sys.argv) > 2:
        failures = compare(tool, sys.argv[2])
    else:
        corpus = os.environ.get("INDEXICAL_CORPUS", "")
        shared = os.path.dirname(corpus.rstrip("/"))
        if not corpus or not os.path.isdir(f"{shared}/vllm"):
            print("SKIPPED: no vllm/ beside INDEXICAL_CORPUS")
            return 0
        failures = compare(tool, f"{shared}/vllm")
        failures += small(tool, f"{shared}/report_cases")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
