#!/usr/bin/env python3
"""What XLA's tests say of tiles, as facts, against what is read.

A fact is an op, and the tile that XLA's analysis gives for it: expressions of
the tile's sizes, or nothing where it refuses the op or the size. They were taken
from the tests of its symbolic tiles, of its propagation of tiles and of
reshapes (xla/codegen/tiling); the programs here are our own, mostly smaller.

The truth is a definition of what each element reads, three lines an op. Tiles
at each offset are held against it. From that follows what XLA's answer is worth,
and each fact says which of these it has to be:

  agrees    it gives a tile if and only if there is one, with these elements
  refuses   some sizes are tiles, and it gives none
  wrong     a tile that it gives has other elements

What `indexical tile` says must be right in each case: exact if and only if what
is read at every offset is a tile, and then with these elements.
"""

import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.path.abspath(sys.argv.pop(1))


# Definitions: from an index of the result to the indices that it reads.

def flat(index, shape):
    at = 0
    for i, size in zip(index, shape):
        at = at * size + i
    return at


def unflat(at, shape):
    index = []
    for size in reversed(shape):
        index.append(at % size)
        at //= size
    return tuple(reversed(index))


def reshape(to, of):
    return lambda i: [unflat(flat(i, to), of)]


def same(i):
    return [i]


def pick(*axes):
    return lambda i: [tuple(i[k] for k in axes)]


def reverse(shape, *axes):
    return lambda i: [tuple(n - 1 - x if k in axes else x
                            for k, (x, n) in enumerate(zip(i, shape)))]


def sliced(*starts_and_strides):
    return lambda i: [tuple(a + x * s
                            for x, (a, s) in zip(i, starts_and_strides))]


def padded(shape, *low_and_inner):
    """The operand of a pad: edges in front, elements between its elements."""
    def reads(i):
        index = []
        for x, size, (low, inner) in zip(i, shape, low_and_inner):
            at, rest = divmod(x - low, inner + 1)
            if rest or not 0 <= at < size:
                return []
            index.append(at)
        return [tuple(index)]
    return reads


def part(axis, begin, size):
    """An operand of a concatenate."""
    def reads(i):
        at = i[axis] - begin
        return [i[:axis] + (at,) + i[axis + 1:]] if 0 <= at < size else []
    return reads


def whole(size, place):
    """An axis that is summed up, put in at a place."""
    return lambda i: [i[:place] + (k,) + i[place:] for k in range(size)]


def chain(*steps):
    def reads(i):
        indices = [i]
        for step in steps:
            indices = [j for index in indices for j in step(index)]
        return indices
    return reads


def ceil(a, b):
    return -(-a // b)


# Facts.

class Fact:
    """XLA's answer for operand `of` of `hlo`.

    `says` takes the sizes and returns (first, count, stride) for each axis of
    the first tile, or None. Indices outside of the tensor are masked. If it is
    None, XLA refuses the op.
    """

    def __init__(self, name, verdict, hlo, shape, of, operand, reads, says,
                 why="", sizes=None, strides=None):
        self.name, self.verdict, self.hlo, self.why = name, verdict, hlo, why
        self.shape, self.of, self.operand = shape, of, operand
        self.reads, self.says = reads, says or (lambda *sizes: None)
        self.sizes, self.strides = sizes, strides

    def choices(self):
        """Some twenty sizes, spread over all."""
        if self.sizes:
            return self.sizes
        every = list(itertools.product(
            *(range(1, size + 1) for size in self.shape)))
        step = max(1, len(every) // 20)
        while any(step % n == 0 for n in self.shape[-1:] if n > 1):
            step += 1
        return every[::step]


def f32(shape):
    return "f32[%s]" % ",".join(map(str, shape))


def unary(operand, shape, op, attributes=""):
    return "f { p = %s parameter(0)\n ROOT r = %s %s(p)%s }" % (
        f32(operand), f32(shape), op, attributes and ", " + attributes)


ADD = ("add { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
       " ROOT z = f32[] add(x, y) }\n")


def merged(sizes, shape, turned=1):
    """XLA's tile of two or three axes that become one: its condition on the
    sizes, and its stride, which asks from the innermost axis on which is the
    first with more than one element. `turned` is -1 if the inner axes of three
    are reversed, and the tile goes down from `first`."""
    (a, b, c), (m, n, o) = ((1,) + tuple(of) if len(of) == 2 else of
                            for of in (sizes, shape))
    admitted = (a == b == 1 or a == 1 and c in (1, o) or b == c == 1 or
                b == n and c == 1 or b == n and c == o)
    one = [(size - x + 1) // size for x, size in ((a, m), (b, n), (c, o))]
    stride = (one[2] * (one[1] * (1 - one[0]) * n * o +
                        (1 - one[1]) * o * turned) + (1 - one[2]) * turned)
    return (a * b * c, stride) if admitted else None


def merged_tile(sizes, shape, first=0, turned=1, behind=()):
    found = merged(sizes, shape, turned)
    return found and [(first,) + found, *behind]


FACTS = [
    Fact("elementwise", "agrees",
         "f { p = f32[15] parameter(0)\n q = f32[15] parameter(1)\n"
         " ROOT r = f32[15] add(p, q) }", (15,), "p", (15,), same,
         lambda a: [(0, a, 1)]),
    Fact("a broadcast", "agrees",
         unary((15,), (7, 15), "broadcast", "dimensions={1}"), (7, 15), "p",
         (15,), pick(1), lambda a, b: [(0, b, 1)]),
    Fact("a transpose", "agrees",
         unary((6, 10), (10, 6), "transpose", "dimensions={1,0}"), (10, 6), "p",
         (6, 10), pick(1, 0), lambda a, b: [(0, b, 1), (0, a, 1)]),
    Fact("a transpose in front of a difference, 8 x 4", "agrees",
         "f { p = f32[16,32] parameter(0)\n q = f32[32,16] parameter(1)\n"
         " t = f32[32,16] transpose(p), dimensions={1,0}\n"
         " ROOT r = f32[32,16] subtract(t, q) }", (32, 16), "p", (16, 32),
         pick(1, 0), lambda a, b: [(0, b, 1), (0, a, 1)], sizes=[(8, 4)]),
    Fact("a slice with strides", "agrees",
         unary((120, 142), (10, 21), "slice", "slice={[40:60:2], [20:104:4]}"),
         (10, 21), "p", (120, 142), sliced((40, 2), (20, 4)),
         lambda a, b: [(40, a, 2), (20, b, 4)]),
    Fact("a reverse, by a stride of -1", "agrees",
         unary((17,), (17,), "reverse", "dimensions={0}"), (17,), "p", (17,),
         reverse((17,), 0), lambda a: [(16, a, -1)]),
    Fact("a sum of columns", "agrees",
         ADD + "ENTRY f { p = f32[5,15] parameter(0)\n c = f32[] parameter(1)\n"
         " ROOT r = f32[15] reduce(p, c), dimensions={0}, to_apply=add }",
         (15,), "p", (5, 15), whole(5, 0), lambda a: [(0, 5, 1), (0, a, 1)]),
    Fact("a dot's left side", "agrees",
         "f { p = f32[4,5,3] parameter(0)\n q = f32[4,3,6] parameter(1)\n"
         " ROOT r = f32[4,5,6] dot(p, q), lhs_batch_dims={0},"
         " rhs_batch_dims={0}, lhs_contracting_dims={2},"
         " rhs_contracting_dims={1} }", (4, 5, 6), "p", (4, 5, 3),
         chain(pick(0, 1), whole(3, 2)),
         lambda a, b, c: [(0, a, 1), (0, b, 1), (0, 3, 1)]),
    Fact("an operand of a concatenate", "agrees",
         "f { p = f32[2,5] parameter(0)\n q = f32[2,7] parameter(1)\n"
         " ROOT r = f32[2,12] concatenate(p, q), dimensions={1} }", (2, 12),
         "q", (2, 7), part(1, 5, 7), lambda a, b: [(0, a, 1), (-5, b, 1)]),
    Fact("a pad of edges", "agrees",
         "f { p = f32[4,4] parameter(0)\n v = f32[] parameter(1)\n"
         " ROOT r = f32[8,8] pad(p, v), padding=2_2x1_3 }", (8, 8), "p", (4, 4),
         padded((4, 4), (2, 0), (1, 0)),
         lambda a, b: [(-2, a, 1), (-1, b, 1)]),
    Fact("a pad between elements", "refuses",
         "f { p = f32[4,4] parameter(0)\n v = f32[] parameter(1)\n"
         " ROOT r = f32[24,13] pad(p, v), padding=1_7_4x0_9 }", (24, 13), "p",
         (4, 4), padded((4, 4), (1, 4), (0, 0)), None,
         sizes=[(1, 1), (5, 4), (24, 13), (10, 3), (3, 3)]),
    Fact("a 1 in front", "agrees",
         unary((11, 3), (1, 11, 3), "reshape"), (1, 11, 3), "p", (11, 3),
         reshape((1, 11, 3), (11, 3)),
         lambda a, b, c: merged_tile((a, b), (1, 11), behind=[(0, c, 1)])),
    Fact("a row cut into rows", "agrees",
         unary((1, 8, 6, 2), (48, 2), "reshape"), (48, 2), "p", (1, 8, 6, 2),
         reshape((48, 2), (1, 8, 6, 2)),
         lambda a, b: None if 6 % a and a % 6 else
         [(0, ceil(a, 48), 1), (0, ceil(a, 6), 1),
          (0, a - (a - 1) // 6 * 6, 1), (0, b, 1)],
         sizes=[(a, 2) for a in range(1, 49)]),
    Fact("two rows cut into rows", "agrees",
         unary((1, 8, 6, 2, 4), (48, 8), "reshape"), (48, 8), "p",
         (1, 8, 6, 2, 4), reshape((48, 8), (1, 8, 6, 2, 4)),
         lambda a, b: None if (6 % a and a % 6) or (4 % b and b % 4) else
         [(0, ceil(a, 48), 1), (0, ceil(a, 6), 1),
          (0, a - (a - 1) // 6 * 6, 1), (0, ceil(b, 4), 1),
          (0, b - (b - 1) // 4 * 4, 1)]),
    Fact("three digits", "agrees",
         unary((3, 5, 7), (105,), "bitcast"), (105,), "p", (3, 5, 7),
         reshape((105,), (3, 5, 7)),
         lambda a: None if (7 % a and a % 7) or
         (5 % ceil(a, 7) and ceil(a, 7) % 5) else
         [(0, ceil(a, 35), 1), (0, ceil(a, 7) - (ceil(a, 7) - 1) // 5 * 5, 1),
          (0, a - (a - 1) // 7 * 7, 1)],
         sizes=[(a,) for a in (1, 2, 5, 7, 14, 21, 35, 42, 70, 105)]),
    Fact("three axes that become one", "agrees",
         unary((192,), (4, 8, 6), "reshape"), (4, 8, 6), "p", (192,),
         reshape((4, 8, 6), (192,)),
         lambda *s: merged_tile(s, (4, 8, 6)),
         sizes=[(1, 1, 1), (1, 1, 4), (1, 8, 1), (1, 3, 1), (1, 3, 6),
                (4, 8, 6), (1, 1, 6), (2, 1, 1), (3, 1, 1), (3, 8, 6),
                (1, 3, 2), (2, 2, 1), (2, 1, 6), (2, 8, 3), (4, 4, 6),
                (2, 8, 1), (4, 8, 1)]),
    Fact("axes of another number of rows", "refuses",
         unary((12, 4), (4, 12), "reshape"), (4, 12), "p", (12, 4),
         reshape((4, 12), (12, 4)), None),
    Fact("a split of rows that a reverse turned", "wrong",
         "f { p = f32[1,8,6,2] parameter(0)\n"
         " v = f32[1,8,6,2] reverse(p), dimensions={1,2}\n"
         " ROOT r = f32[48,2] reshape(v) }", (48, 2), "p", (1, 8, 6, 2),
         chain(reshape((48, 2), (1, 8, 6, 2)),
               reverse((1, 8, 6, 2), 1, 2)),
         lambda a, b: [(0, 1, 1), (7, ceil(a, 6), -1),
                       (5, a - (a - 1) // 6 * 6, -1), (0, b, 1)],
         sizes=[(a, 2) for a in (1, 2, 3, 4, 6, 7, 12, 15, 24, 48)],
         why="no condition on the size: a tile of 7 rows is given as 2 of 8"),
    Fact("a reverse of rows that were joined", "wrong",
         "f { p = f32[48] parameter(0)\n q = f32[2,4,6] reshape(p)\n"
         " ROOT r = f32[2,4,6] reverse(q), dimensions={1,2} }", (2, 4, 6), "p",
         (48,), chain(reverse((2, 4, 6), 1, 2), reshape((2, 4, 6), (48,))),
         lambda *s: merged_tile(s, (2, 4, 6), 23, -1),
         sizes=[(1, 1, 1), (1, 1, 6), (1, 4, 6), (2, 1, 1), (1, 3, 1),
                (2, 4, 6), (1, 2, 6), (2, 3, 1)],
         why="the whole array is given as 48 elements down from 23"),
    Fact("a sum of sums", "agrees",
         ADD + "ENTRY f { p = f32[18] parameter(0)\n b = f32[9,2] bitcast(p)\n"
         " c = f32[] parameter(1)\n"
         " s = f32[9] reduce(b, c), dimensions={1}, to_apply=add\n"
         " ROOT r = f32[] reduce(s, c), dimensions={0}, to_apply=add }", (),
         "p", (18,), chain(whole(9, 0), whole(2, 1), reshape((9, 2), (18,))),
         lambda: [(0, 18, 1)], sizes=[()]),
    Fact("a slice of a split", "refuses",
         "f { p = f32[1,8,6,4] parameter(0)\n q = f32[48,4] reshape(p)\n"
         " ROOT r = f32[5,2] slice(q), slice={[18:43:5], [0:4:2]} }", (5, 2),
         "p", (1, 8, 6, 4),
         chain(sliced((18, 5), (0, 2)), reshape((48, 4), (1, 8, 6, 4))), None),
    Fact("a slice of a split that begins elsewhere", "refuses",
         "f { p = f32[1,8,6,4] parameter(0)\n q = f32[48,4] reshape(p)\n"
         " ROOT r = f32[5,2] slice(q), slice={[20:45:5], [0:4:2]} }", (5, 2),
         "p", (1, 8, 6, 4),
         chain(sliced((20, 5), (0, 2)), reshape((48, 4), (1, 8, 6, 4))), None),
    Fact("the same behind a transpose", "refuses",
         "f { p = f32[1,6,8,4] parameter(0)\n"
         " t = f32[1,8,6,4] transpose(p), dimensions={0,2,1,3}\n"
         " q = f32[48,4] reshape(t)\n"
         " ROOT r = f32[5,2] slice(q), slice={[18:43:5], [0:4:2]} }", (5, 2),
         "p", (1, 6, 8, 4),
         chain(sliced((18, 5), (0, 2)), reshape((48, 4), (1, 8, 6, 4)),
               pick(0, 2, 1, 3)), None),
    Fact("the same behind a reverse", "refuses",
         "f { p = f32[1,8,6,4] parameter(0)\n"
         " v = f32[1,8,6,4] reverse(p), dimensions={1,2}\n"
         " q = f32[48,4] reshape(v)\n"
         " ROOT r = f32[5,2] slice(q), slice={[18:43:5], [0:4:2]} }", (5, 2),
         "p", (1, 8, 6, 4),
         chain(sliced((18, 5), (0, 2)), reshape((48, 4), (1, 8, 6, 4)),
               reverse((1, 8, 6, 4), 1, 2)), None),
    Fact("a sum of a concatenate", "refuses",
         ADD + "ENTRY f { p = f32[10,8] parameter(0)\n"
         " q = f32[20,8] parameter(1)\n c = f32[] parameter(2)\n"
         " b = f32[30,8] concatenate(p, q), dimensions={0}\n"
         " ROOT r = f32[8] reduce(b, c), dimensions={0}, to_apply=add }", (8,),
         "q", (20, 8), chain(whole(30, 0), part(0, 10, 20)), None),
    Fact("rows that are joined, of a dot", "agrees",
         "f { p = f32[32,3] parameter(0)\n q = f32[4,8,3] reshape(p)\n"
         " w = f32[3,5] parameter(1)\n"
         " ROOT r = f32[4,8,5] dot(q, w), lhs_contracting_dims={2},"
         " rhs_contracting_dims={0} }", (4, 8, 5), "p", (32, 3),
         chain(pick(0, 1), whole(3, 2), reshape((4, 8, 3), (32, 3))),
         lambda a, b, c: merged_tile((a, b), (4, 8), behind=[(0, 3, 1)])),
    Fact("the same, rows padded at the end", "agrees",
         "f { p = f32[17,3] parameter(0)\n v = f32[] parameter(2)\n"
         " e = f32[32,3] pad(p, v), padding=0_15x0_0\n"
         " q = f32[4,8,3] reshape(e)\n w = f32[3,5] parameter(1)\n"
         " ROOT r = f32[4,8,5] dot(q, w), lhs_contracting_dims={2},"
         " rhs_contracting_dims={0} }", (4, 8, 5), "p", (17, 3),
         chain(pick(0, 1), whole(3, 2), reshape((4, 8, 3), (32, 3)),
               padded((17, 3), (0, 0), (0, 0))),
         lambda a, b, c: merged_tile((a, b), (4, 8), behind=[(0, 3, 1)]),
         sizes=[(1, 8, 5), (4, 8, 5), (2, 8, 5), (4, 1, 5), (1, 4, 5),
                (1, 3, 2), (3, 8, 5), (2, 1, 1)]),
    Fact("the same, rows padded in front", "refuses",
         "f { p = f32[17,3] parameter(0)\n v = f32[] parameter(2)\n"
         " e = f32[32,3] pad(p, v), padding=2_13x0_0\n"
         " q = f32[4,8,3] reshape(e)\n w = f32[3,5] parameter(1)\n"
         " ROOT r = f32[4,8,5] dot(q, w), lhs_contracting_dims={2},"
         " rhs_contracting_dims={0} }", (4, 8, 5), "p", (17, 3),
         chain(pick(0, 1), whole(3, 2), reshape((4, 8, 3), (32, 3)),
               padded((17, 3), (2, 0), (0, 0))), None,
         sizes=[(1, 8, 5), (4, 8, 5), (2, 8, 5), (1, 4, 5), (1, 3, 2)]),
    Fact("a summed axis that its sum makes longer", "agrees",
         ADD + "ENTRY f { p = f32[4,6,21] parameter(0)\n"
         " c = f32[] parameter(1)\n q = f32[4,6,7,3] reshape(p)\n"
         " ROOT r = f32[4,6,7] reduce(q, c), dimensions={3}, to_apply=add }",
         (4, 6, 7), "p", (4, 6, 21),
         chain(whole(3, 3), reshape((4, 6, 7, 3), (4, 6, 21))),
         lambda a, b, c: [(0, a, 1), (0, b, 1), (0, c * 3, 1)]),
    # Tiles with strides 1, 2, 3 along the axes.
    Fact("strides, a 1 on both sides", "agrees",
         unary((10,), (1, 10, 1), "reshape"), (1, 10, 1), "p", (10,),
         reshape((1, 10, 1), (10,)), lambda a, b, c: [(0, b, 2)],
         strides=(1, 2, 3)),
    Fact("strides, a 1 that moves", "agrees",
         unary((12, 1, 8), (1, 12, 8), "reshape"), (1, 12, 8), "p", (12, 1, 8),
         reshape((1, 12, 8), (12, 1, 8)),
         lambda a, b, c: [(0, b, 2), (0, 1, 1), (0, c, 3)], strides=(1, 2, 3)),
    Fact("strides, a broadcast", "agrees",
         unary((10, 7), (10, 6, 7), "broadcast", "dimensions={0,2}"),
         (10, 6, 7), "p", (10, 7), pick(0, 2),
         lambda a, b, c: [(0, a, 1), (0, c, 3)], strides=(1, 2, 3)),
    Fact("strides, a slice", "agrees",
         unary((5, 7, 13), (2, 7, 4), "slice",
               "slice={[1:5:2], [0:7], [5:13:2]}"), (2, 7, 4), "p", (5, 7, 13),
         sliced((1, 2), (0, 1), (5, 2)),
         lambda a, b, c: [(1, a, 2), (0, b, 2), (5, c, 6)], strides=(1, 2, 3)),
    Fact("strides, a transpose", "agrees",
         unary((2, 5, 1, 3), (1, 2, 3, 5), "transpose",
               "dimensions={2,0,3,1}"), (1, 2, 3, 5), "p", (2, 5, 1, 3),
         pick(1, 3, 0, 2),
         lambda a, b, c, d: [(0, b, 2), (0, d, 4), (0, a, 1), (0, c, 3)],
         strides=(1, 2, 3, 4)),
    Fact("a split and a merge at once", "refuses",
         unary((12, 4), (1, 12, 2, 2), "reshape"), (1, 12, 2, 2), "p", (12, 4),
         reshape((1, 12, 2, 2), (12, 4)), None),
    Fact("no axis in common", "refuses",
         unary((2, 5, 7), (7, 5, 2), "reshape"), (7, 5, 2), "p", (2, 5, 7),
         reshape((7, 5, 2), (2, 5, 7)), None,
         sizes=[(1, 1, 1), (1, 1, 2), (7, 5, 2), (1, 5, 1), (2, 2, 2)]),
    Fact("a scale of a scaled product", "agrees",
         "f { p = f32[16,8] parameter(0)\n q = f32[12,8] parameter(1)\n"
         " s = f32[4,2] parameter(2)\n t = f32[12,8] parameter(3)\n"
         " ROOT r = f32[16,12] scaled-dot(p, q, s, t),"
         " lhs_contracting_dims={1}, rhs_contracting_dims={1} }", (16, 12), "s",
         (4, 2), lambda i: [(i[0] // 4, k) for k in range(2)],
         lambda a, b: [(0, (a - 1) // 4 + 1, 1), (0, 2, 1)]),
]


class Reshape:
    """A reshape's operand has a tile: that of the result, forwards."""

    def __init__(self, of, to, sizes, strides, verdict):
        self.of, self.to, self.sizes = of, to, sizes
        self.strides, self.verdict = strides, verdict


RESHAPES = [Reshape(*row) for row in (
    ((10, 20), (10, 20), (2, 2), (1, 1), "agrees"),
    ((3, 4), (12,), (1, 3), (1, 1), "agrees"),
    ((3, 4), (12,), (2, 4), (1, 1), "agrees"),
    ((10, 4), (40,), (1, 4), (1, 1), "agrees"),
    ((3, 4), (12,), (1, 3), (1, 2), "agrees"),
    ((3, 4), (1, 12), (1, 3), (1, 1), "agrees"),
    ((3, 4), (12, 1), (1, 3), (1, 1), "agrees"),
    ((3, 1, 4), (12,), (1, 1, 3), (1, 1, 1), "agrees"),
    ((2, 32, 16), (1024,), (1, 16, 1), (1, 1, 1), "agrees"),
    ((2, 32, 16), (1024,), (1, 16, 1), (1, 1, 2), "agrees"),
    ((17, 2, 4), (136,), (4, 1, 4), (1, 1, 1), "no tile"),
    ((3, 4), (12,), (3, 2), (1, 2), "agrees"),
    ((3, 4), (12,), (1, 2), (1, 2), "agrees"),
    ((3, 4), (12,), (2, 1), (2, 1), "agrees"),
    ((3, 4, 5), (60,), (2, 2, 1), (2, 2, 1), "no tile"),
    ((3, 4), (12,), (2, 2), (2, 1), "no tile"),
    ((1, 4), (4,), (2, 2), (1, 1), "agrees"),
    ((2, 1, 2), (4,), (2, 2, 2), (1, 2, 1), "agrees"),
    ((1, 1, 1), (1,), (1, 1, 1), (1, 1, 1), "agrees"),
    ((1, 1, 1), (1,), (2, 1, 1), (1, 1, 1), "agrees"),
    ((1, 1, 1), (), (2, 2, 2), (1, 1, 1), "agrees"),
    ((12,), (3, 4), (4,), (1,), "agrees"),
    ((12,), (3, 4), (2,), (1,), "agrees"),
    ((12,), (3, 4), (8,), (1,), "agrees"),
    ((12,), (3, 4), (5,), (1,), "no tile"),
    ((12,), (3, 1, 4), (4,), (1,), "agrees"),
    ((12,), (1, 12), (4,), (1,), "agrees"),
    ((1,), (1, 1, 1), (1,), (1,), "agrees"),
    ((128,), (1, 2, 64), (2,), (64,), "agrees"),
)]


# What is asked, and what is read.

def is_tile(found):
    """Whether the points are a product of progressions."""
    if not found:
        return True
    axes = [sorted(set(axis)) for axis in zip(*found)]
    steps = [{b - a for a, b in zip(axis, axis[1:])} for axis in axes]
    return (all(len(step) <= 1 for step in steps) and
            len(found) == math.prod(map(len, axes)))


def points(axes, shape):
    return set(itertools.product(*(
        [first + stride * i for i in range(count)
         if 0 <= first + stride * i < size]
        for (first, count, stride), size in zip(axes, shape))))


def blocks(shape, sizes):
    return itertools.product(*(range(0, max(1, extent), size)
                               for extent, size in zip(shape, sizes)))


def elements(offsets, sizes, strides, shape):
    return itertools.product(*(
        [o + i * s for i in range(size) if o + i * s < extent]
        for o, size, s, extent in zip(offsets, sizes, strides, shape)))


def value(text, names):
    text = text.replace("floordiv", "//").replace(" mod ", " % ")
    return eval(text, {"__builtins__": {}, "min": min, "max": max}, names)


def asked(hlo, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
        file.write(hlo)
        file.flush()
        result = subprocess.run(
            [COMMAND, "tile", file.name, "--format=json", *options],
            capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


def listed(numbers):
    return ",".join(map(str, numbers))


def ours(document, name, offsets, shape):
    """Whether all tiles of the instruction are exact, and their points."""
    names = {"o%d" % k: at for k, at in enumerate(offsets)}
    found, exact = set(), True
    for tile in document["tiles"]:
        if tile["instruction"] != name:
            continue
        exact = exact and tile["exact"]
        if "read" in tile and value(tile["read"], names) == 0:
            continue
        found |= points([tuple(value(text, names) for text in axis)
                         for axis in zip(tile["offsets"], tile["sizes"],
                                         tile["strides"])], shape)
    return exact, found


class XlaTilesTest(unittest.TestCase):
    def test_facts(self):
        for fact in FACTS:
            with self.subTest(fact.name):
                self.check(fact)

    def check(self, fact):
        outcomes = {}
        strides = fact.strides or (1,) * len(fact.shape)
        for sizes in fact.choices():
            options = ["--tile=" + listed(sizes)] if fact.shape else []
            if fact.strides:
                options.append("--strides=" + listed(strides))
            document = asked(fact.hlo, *options)
            truth = {}
            for offsets in blocks(fact.shape, sizes):
                truth[offsets] = {
                    read for element in elements(offsets, sizes, strides,
                                                 fact.shape)
                    for read in fact.reads(element)}
            is_one = all(map(is_tile, truth.values()))
            for offsets, wanted in truth.items():
                exact, found = ours(document, fact.of, offsets, fact.operand)
                where = "tile %s at %s: %s" % (sizes, offsets, document)
                self.assertEqual(exact, is_one, where)
                if exact:
                    self.assertEqual(found, wanted, where)
                else:
                    self.assertLessEqual(wanted, found, where)
            says = fact.says(*sizes)
            first = truth[(0,) * len(fact.shape)]
            if says is None:
                outcomes.setdefault("refuses" if is_one else "agrees",
                                    []).append(sizes)
            else:
                same = points(says, fact.operand) == first and is_one
                outcomes.setdefault("agrees" if same else "wrong",
                                    []).append(sizes)
        verdict = next(word for word in ("wrong", "refuses", "agrees")
                       if word in outcomes)
        self.assertEqual(verdict, fact.verdict, outcomes)
        if verdict == "wrong":
            self.assertTrue(fact.why)

    def test_reshapes_forward(self):
        for fact in RESHAPES:
            with self.subTest(of=fact.of, to=fact.to, sizes=fact.sizes):
                self.check_forward(fact)

    def check_forward(self, fact):
        document = asked(unary(fact.of, fact.to, "reshape"), "--forward",
                         "--instruction=p", "--tile=" + listed(fact.sizes),
                         "--strides=" + listed(fact.strides))
        truth = {}
        for offsets in blocks(fact.of, fact.sizes):
            truth[offsets] = {
                unflat(flat(element, fact.of), fact.to)
                for element in elements(offsets, fact.sizes, fact.strides,
                                        fact.of)}
        is_one = all(map(is_tile, truth.values()))
        self.assertEqual(is_one, fact.verdict != "no tile")
        for offsets, wanted in truth.items():
            exact, found = ours(document, "r", offsets, fact.to)
            self.assertEqual(exact, is_one, document)
            if exact:
                self.assertEqual(found, wanted, offsets)
            else:
                self.assertLessEqual(wanted, found, offsets)


if __name__ == "__main__":
    unittest.main(verbosity=2)
