#!/usr/bin/env python3
"""Kernels of Triton as people write them: their texts, launches, times.

    profile_triton.py FOLDER [--only=TEXT] [--skip=NAME,…] [--part=K/N] [--once]

Needs an NVIDIA GPU, PyTorch and Triton. Each kernel of triton_cases.py and
triton_rule_cases.py is compiled and run.
FOLDER gets, for each one, NAME.ttir, NAME.ttgir and NAME.ptx, and one file
`kernels.json` for all: for each kernel its grid, warps, arguments, what
`indexical kernel` needs to know, and microseconds (the median of the runs,
the L2 cache last filled by something else). `compare_triton.py` sets what
`indexical kernel` predicts beside it.

--once runs each kernel once between cudaProfilerStart and -Stop, for a profiler
that reads hardware counters (`ncu --profile-from-start off`). Several
processes, each with its --part and --once, compile the kernels sooner than one.
"""

import argparse
import json
import os
import sys
import traceback

import torch
import triton

import triton_cases  # noqa: F401, for its cases
import triton_rule_cases  # noqa: F401
from triton_case import CASES, SHAPE_NAMES


def described(each, grid, arguments, constants, compiled):
    """What kernels.json says of a launch."""
    names = [p.name for p in each.kernel.params]
    listed = []
    for name, value in zip(names, arguments):
        entry = dict(name=name)
        if isinstance(value, torch.Tensor):
            # An array has the memory that its strides reach.
            entry.update(shape=list(value.shape), stride=list(value.stride()),
                         type=SHAPE_NAMES[value.dtype], elements=value.numel(),
                         address=value.data_ptr() % 128)
        else:
            entry.update(value=value)
        listed.append(entry)
    metadata = compiled.metadata
    return dict(name=each.name, grid=[*grid, *[1] * (3 - len(grid))],
                num_warps=metadata.num_warps, num_stages=metadata.num_stages,
                shared=metadata.shared, function=metadata.name,
                registers=getattr(compiled, "n_regs", 0), arguments=listed,
                constants=constants, runtime=each.runtime)


def run(each, folder, once):
    grid, arguments, constants = each.make()

    def launch():
        return each.kernel[grid](*arguments, **constants,
                                 num_warps=each.warps, num_stages=each.stages)

    compiled = launch()
    torch.cuda.synchronize()
    if once:
        torch.cuda.cudart().cudaProfilerStart()
        launch()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
        return None
    for what in ("ttir", "ttgir", "ptx"):
        with open(os.path.join(folder, f"{each.name}.{what}"), "w") as out:
            out.write(str(compiled.asm[what]))
    entry = described(each, grid, arguments, constants, compiled)
    # Fills the L2 cache with something else before each run.
    entry["us"] = 1000 * triton.testing.do_bench(
        launch, warmup=10, rep=50, return_mode="median")
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    torch.manual_seed(0)
    # Descriptors that a kernel makes lie in memory of the host's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    path = os.path.join(options.folder, "kernels.json")
    skipped = [name for name in options.skip.split(",") if name]
    part, parts = map(int, options.part.split("/"))
    kernels = []
    # A second process goes on where a kernel ended the first one's context.
    if skipped and not options.once and os.path.exists(path):
        with open(path) as file:
            kernels = json.load(file)["kernels"]
    for number, each in enumerate(CASES):
        if (options.only not in each.name or each.name in skipped
                or number % parts != part):
            continue
        try:
            entry = run(each, options.folder, options.once)
            if entry:
                kernels.append(entry)
        except Exception:  # The others go on.
            print(each.name, traceback.format_exc(), file=sys.stderr)
        if not options.once:
            with open(path, "w") as out:
                json.dump(dict(device=torch.cuda.get_device_name(),
                               triton=triton.__version__,
                               torch=torch.__version__, kernels=kernels), out,
                          indent=1)
        try:
            torch.cuda.synchronize()
        except Exception:
            done = ",".join(c.name for c in CASES[:number + 1])
            os.execv(sys.executable, [
                sys.executable, __file__, options.folder,
                "--only=" + options.only, "--skip=" + done,
                "--part=" + options.part,
                *(["--once"] if options.once else [])])
        torch.cuda.empty_cache()
    print(len(kernels) if not options.once else "once", "kernels")


main()
