#!/usr/bin/env python3
"""The first three rows of a report are what an engineer would change first.

    first_rows_test.py INDEXICAL TRANSFORMER_STEP

Each row has its reason. The transformer step is one that was measured on an
H100. Where INDEXICAL_CORPUS names the folder, a folder as XLA wrote it for a
server of a language model, and a profile of eight GPUs, stand beside it.
"""

import os
import re
import subprocess
import sys

# Of the server: two copies of its cache of keys and values, each for a library's
# call, and weights that two of its modules join in every step.
SERVER = [
    ("loop_slice_fusion", "contiguous copy of `p8.137.0`.*: use a view"),
    ("wrapped_slice.1", "contiguous copy of `p8.137.0`.*: use a view"),
    ("wrapped_concatenate",
     "only joins `p.*` and 12 more for `gemm.*`: keep them as one array"),
]
# Of the same server with its caches given: 28 copies of them, behind a command
# buffer, are nine tenths of the time. Then come weights that are joined for a
# library's kernel, and what is given back of a cache.
CACHES = [
    ("copy.28", "and 27 alike .* 87% of the predicted time .*defensive copies of parameter `p0.1.0` "
     "and 27 more: donate them"),
    ("wrapped_concatenate",
     "only joins `p.*` and 27 more for `gemm_fusion_dot.110.0`: keep them as one array"),
    ("loop_slice_fusion", "contiguous copy of `p12.209.0`.*: use a view"),
]
# Of the step: the gradient of the loss is an array of zeros for a scatter, and
# the table of words is converted to another type. What is converted back is an
# operand of a scatter in place, which cannot be one kernel with it: a thread may
# write an element before another one has converted it.
STEP = [
    ("loop_broadcast_fusion", "only fills an array for `input_scatter_fusion.1`"),
    ("wrapped_convert", "only converts the parameter `table.1`: keep"),
    ("loop_convert_multiply_fusion", "single consumer `loop_add_fusion.1`"),
]
# Of the convolution: a change of layout takes longer than the convolution.
PROFILE = [
    ("input_transpose_fusion",
     "only changes the layout of what `cudnn-conv.1` writes"),
    ("cudnn-conv.1", "takes longer than the figures explain"),
    ("input_transpose_fusion.1", "only changes the layout of `param`"),
]


def rows_of(tool, words):
    """The rows of the text, each without its number and in one line."""
    call = subprocess.run([tool, "report", "--top=3"] + words,
                          capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "200"}, check=True)
    rows = []
    for line in call.stdout.split("\n"):
        if re.match(r" {3}[1-9] ", line):
            rows.append(line)
        elif rows and line.startswith("      "):
            rows[-1] += " " + line.strip()
    return [re.sub(r"\s+", " ", row) for row in rows]


def check(tool, words, wanted):
    rows = rows_of(tool, words)
    problems = []
    for number, (name, reason) in enumerate(wanted):
        row = rows[number] if number < len(rows) else ""
        if f" {name} " not in row or not re.search(reason, row):
            problems.append(f"row {number + 1} is no {name}, {reason}:\n  {row}")
    for problem in problems:
        print(f"{words[-1]}: {problem}")
    return not problems


def main():
    tool, step = sys.argv[1:]
    good = check(tool, [step], STEP)
    corpus = os.environ.get("INDEXICAL_CORPUS")
    profile = f"{corpus}/../profiles/tw003.xplane.pb"
    if corpus and os.path.exists(profile):
        good &= check(tool, [f"{corpus}/hlo/gpu_a100_vllm_qwen3"], SERVER)
        good &= check(tool, [profile], PROFILE)
        good &= check(tool, [f"{corpus}/../vllm"], CACHES)
    else:
        print("SKIPPED: the folder profiles/ is not beside INDEXICAL_CORPUS")
    return 0 if good else 1


sys.exit(main())
