#!/usr/bin/env python3
"""Times `indexical kernel`: one large kernel, large grids, a long record.

  benchmarks/kernels.py --indexical=bazel-bin/tools/indexical

The kernel has 2,000 ops, of which 91 are masked loads at offsets with
divisions. The record has 1,000 kernels of 30 ops. Figures are milliseconds of
CPU in user mode, the least of five runs.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile

LOADS = 91


def large():
    lines = [
        "tt.func public @large(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, "
        "%q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {",
        "%x = tt.get_program_id x : i32",
        "%r = tt.make_range {end = 128 : i32, start = 0 : i32} : "
        "tensor<128xi32>",
        "%b = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>",
        "%e = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>",
        "%sum0 = arith.constant dense<0.0> : tensor<128xf32>"]
    for k in range(1, LOADS + 1):
        lines += [
            f"%c{k} = arith.constant {128 * k} : i32",
            f"%d{k} = arith.constant {k % 7 + 1} : i32",
            f"%m{k} = arith.muli %x, %c{k} : i32",
            f"%n{k} = arith.divsi %m{k}, %d{k} : i32",
            f"%o{k} = arith.addi %n{k}, %c{k} : i32",
            f"%s{k} = tt.splat %o{k} : i32 -> tensor<128xi32>",
            f"%t{k} = arith.addi %s{k}, %r : tensor<128xi32>",
            f"%z{k} = arith.constant dense<{100000 + k}> : tensor<128xi32>",
            f"%y{k} = arith.cmpi slt, %t{k}, %z{k} : tensor<128xi32>",
            f"%a{k} = tt.addptr %b, %t{k} : tensor<128x!tt.ptr<f32>>, "
            "tensor<128xi32>",
            f"%v{k} = tt.load %a{k}, %y{k} : tensor<128x!tt.ptr<f32>>",
            f"%sum{k} = arith.addf %sum{k - 1}, %v{k} : tensor<128xf32>"]
        lines += [f"%w{k}_{j} = arith.mulf %sum{k}, %v{k} : tensor<128xf32>"
                  for j in range(10)]
    return "\n".join(lines + [
        "%f = tt.addptr %e, %t1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>",
        f"tt.store %f, %sum{LOADS} : tensor<128x!tt.ptr<f32>>",
        "tt.return", "}"]) + "\n"


def record(text):
    lines = []
    for number in range(1000):
        lines.append({"event_type": "compilation", "payload": {
            "metadata": {"hash": str(number), "name": "add_kernel",
                         "num_warps": 4},
            "file_content": {"add_kernel.ttir": text},
            "python_source": {"code": "def add_kernel(x, y, sum, n): pass"}}})
        array = {"type": "tensor", "dtype": "torch.float32",
                 "shape": [98432], "stride": [1]}
        lines.append({"event_type": "launch", "grid": [97],
                      "compilation_metadata": {"hash": str(number)},
                      "extracted_args": {
                          "x": array, "y": array, "sum": array,
                          "n": {"type": "int", "value": 98432}}})
    return "\n".join(map(json.dumps, lines)) + "\n"


def milliseconds(words):
    least = None
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(words + ["--format=jsonl"], stdout=subprocess.DEVNULL)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        least = spent if least is None else min(least, spent)
    return 1000 * least


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--indexical", default="bazel-bin/tools/indexical")
    tool = options.parse_args().indexical
    example = "examples/add_kernel.ttir"
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "large.ttir")
        events = os.path.join(folder, "record.ndjson")
        with open(kernel, "w") as file:
            file.write(large())
        with open(example) as text, open(events, "w") as file:
            file.write(record(text.read()))
        for name, words in (
                ("2,000 ops, 1,000 programs",
                 [kernel, "--grid=1000", "--num-warps=4"]),
                ("2,000 ops, 2^20 programs",
                 [kernel, "--grid=1048576", "--num-warps=4"]),
                ("add_kernel, 97 programs",
                 [example, "--grid=97", "--num-warps=4", "--arg=n=98432"]),
                ("add_kernel, 2^20 programs",
                 [example, "--grid=1048576", "--num-warps=4",
                  "--arg=n=98432"]),
                ("1,000 launches, --jobs=1", [events, "--jobs=1"])):
            print("%-26s %8.1f ms" % (
                name, milliseconds([tool, "kernel"] + words)))


if __name__ == "__main__":
    main()
