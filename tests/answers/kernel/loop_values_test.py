#!/usr/bin/env python3
"""`kernel --of` of loops, scans, calls, products and softmax, against an
interpreter of the kernel and numpy.

  loop_values_test.py INDEXICAL RANDOM_PAIRS [FIRST_SEED]

Random kernels with what they compute, and kernels of which one thing was
changed. A call compares a folder of kernels with a folder of fusions. Right
kernels have the same values, and none that a run tells apart has.
"""

import numpy as np

import ttir_values
from kernel_test_call import problem
from pair_writer import ROWS
from random_loops import Pair, changed
from told_pairs import ask, hold, run

F = np.float32


def inputs(pair, rng):
    make = np.random.RandomState(rng.randrange(2**31))
    shape = (ROWS, pair.columns)
    for low, high, by in ((-3, 4, 1), (-9, 0, 1), (-99, 99, 64)):
        yield [F(make.randint(low, high, size=shape)) / F(by) for _ in "ab"]
    special = [F(make.randint(-3, 4, size=shape)) for _ in "ab"]
    special[0].flat[make.randint(ROWS * pair.columns)] = rng.choice(
        [np.nan, np.inf, -np.inf])
    yield special


def is_apart(pair, text, rng):
    for arrays in inputs(pair, rng):
        with np.errstate(all="ignore"):
            want = np.ravel(pair.compute(arrays))
        left = np.full(want.size, ttir_values.ANY + 1, dtype=F)
        try:
            ttir_values.run(text, ROWS, [np.ravel(a).copy() for a in arrays] +
                            [left])
        except IndexError:  # its bounds are violated, and say so
            return False
        except ValueError:  # a loop without end
            return True
        if not np.isclose(left, want, rtol=1e-3, atol=1e-3,
                          equal_nan=True).all():
            return True
    return False


def check(seeds, told):
    for case in ask(seeds, Pair, changed, "ttir", ROWS):
        if case.verdict is None:
            problem("no answer: %s" % case)
        if not hold(case, is_apart, told):
            return


if __name__ == "__main__":
    run(check)
