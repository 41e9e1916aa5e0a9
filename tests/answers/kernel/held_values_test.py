#!/usr/bin/env python3
"""`kernel --of` of kernels that hold values in memory, against an interpreter of
the kernel and numpy.

  held_values_test.py INDEXICAL RANDOM_PAIRS [FIRST_SEED]

Random kernels with what they compute, and kernels of which one thing was
changed. Right kernels have the same values, but for memory that an earlier
iteration fills, which is undecided; none that a run tells apart has. A kernel
that lost a barrier behind a store into its result is not the same.
"""

import re

import numpy as np

import ttir_values
from kernel_test_call import problem
from random_held import COLUMNS, ROWS, Held, changed
from told_pairs import ask, hold, run

F = np.float32


def is_apart(pair, text, rng):
    make = np.random.RandomState(rng.randrange(2**31))
    for low, high, by in ((-3, 4, 1), (-9, 0, 1), (-99, 99, 64)):
        arrays = [F(make.randint(low, high, size=(ROWS, COLUMNS))) / F(by)
                  for _ in "ab"]
        with np.errstate(all="ignore"):
            want = np.ravel(pair.compute(arrays))
        left = np.full(want.size, ttir_values.ANY + 1, dtype=F)
        try:
            ttir_values.run(text, 1, [np.ravel(a).copy() for a in arrays] +
                            [left])
        except (IndexError, AttributeError, ValueError):
            return True
        if not np.isclose(left, want, rtol=1e-3, atol=1e-3,
                          equal_nan=True).all():
            return True
    return False


def lost_a_barrier(case):
    """Whether a load may come before the store that it needs. A store that
    nothing loads needs no barrier in front of it."""
    def barriers(text):
        return len(re.findall(r"gpu\.barrier", text))

    return (case.pair.kind == "again" and
            barriers(case.text) < barriers(case.pair.text()) and
            any(re.search(r"(?s)tt\.store.*tt\.load", part)
                for part in re.split(r"gpu\.barrier", case.text)))


def check(seeds, told):
    for case in ask(seeds, Held, changed, "ttgir", 1):
        if case.verdict == "same values" and lost_a_barrier(case):
            problem("a barrier is missing: %s" % case)
        if not hold(case, is_apart, told):
            return


if __name__ == "__main__":
    run(check)
