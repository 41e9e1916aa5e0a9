#!/usr/bin/env python3
"""Files of kernels that people wrote: how many of them are read.

  TEST INDEXICAL ARGUMENTS

shared/triton_source/ has the files; ARGUMENTS names constants and types of
their arguments that the files do not say. At least 92 in a hundred kernels are
read, and their accesses are those of the TTIR; the rest is refused with a line
and a kind. The folder is beside the one that INDEXICAL_CORPUS names; without it
the test skips.
"""

import json
import os
import re
import subprocess
import sys

TOOL = sys.argv[1]
# What is refused, and why: random numbers, a scalar that is indexed, and a name
# that Triton does not have.
REFUSED = {
    "mixed_sparse_attention._triton_mixed_sparse_attn_fwd_kernel": "shape",
    "multinomial_sampling._multinomial_sampling_kernel": "unsupported",
    "seeded_dropout._seeded_dropout": "unsupported",
    "softmax_flaggems.next_multiple_of": "name",
    "uniform_sampling.uniform_kernel": "unsupported",
}


def main():
    with open(sys.argv[2]) as file:
        arguments = json.load(file)
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    folder = os.path.join(os.path.dirname(corpus.rstrip("/")), "triton_source")
    if not corpus or not os.path.isdir(folder):
        print("SKIPPED: INDEXICAL_CORPUS has no triton_source beside it")
        return
    read, problems = 0, []
    for key, given in arguments.items():
        path, name = key.split(".", 1)
        words = ["--function=" + name, "--print=ttir"]
        for option in ("const", "type"):
            words += ["--%s=%s=%s" % (option, word, value)
                      for word, value in given.get(option, {}).items()]
        done = subprocess.run(
            [TOOL, "kernel", os.path.join(folder, path + ".py")] + words,
            capture_output=True, text=True, check=False, timeout=120)
        if key in REFUSED:
            if not re.search(r":\d+:\d+: %s: " % REFUSED[key], done.stderr):
                problems.append(key)
                print(key, "is not refused as", REFUSED[key], done.stderr)
        elif done.returncode == 0 and "tt.func public @%s(" % name in (
                done.stdout):
            read += 1
        else:
            problems.append(key)
            print(key, done.returncode, done.stderr[:300])
    print("%d of %d kernels are read" % (read, len(arguments)))
    if read < 0.92 * len(arguments):
        problems.append("too few")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
