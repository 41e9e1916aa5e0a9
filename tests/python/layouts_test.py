#!/usr/bin/env python3
"""Layouts of the module, against strides that are multiplied out here."""

import os
import random
import sys
import unittest

import built

built.use(sys.argv[1])
import indexical  # noqa: E402
from indexical import Layout, move  # noqa: E402

SEED = int(os.environ.get("SEED", "68"))
RUNS = int(os.environ.get("RUNS", "200"))
ROWS = ("tensor<32x4xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp "
        "= [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>>")
COLUMNS = ("tensor<32x4xf32, #ttg.blocked<{sizePerThread = [4, 1], "
           "threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>>")
SHARED = ("!ttg.memdesc<32x4xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
          "maxPhase = 4, order = [1, 0]}>, #smem>")


class LayoutsTest(unittest.TestCase):
    def test_values_holders_and_composition(self):
        generator = random.Random(SEED)
        for _ in range(RUNS):
            rows, columns = generator.randint(1, 6), generator.randint(1, 6)
            down, across = generator.randint(0, 9), generator.randint(0, 9)
            a = Layout("(%d,%d):(%d,%d)" % (rows, columns, down, across))
            values = {}
            for j in range(columns):
                for i in range(rows):
                    value = i * down + j * across
                    self.assertEqual(a(i, j), (value,))
                    self.assertEqual(a(i + j * rows), (value,))
                    values.setdefault(value, []).append({"d0": i, "d1": j})
            for value, points in values.items():
                self.assertEqual(
                    sorted(a.holders(value), key=lambda p: (p["d0"], p["d1"])),
                    sorted(points, key=lambda p: (p["d0"], p["d1"])), str(a))
            size = generator.randint(1, rows * columns)
            b = Layout("%d:1" % size)
            both = a @ b
            for i in range(size):
                self.assertEqual(both(i), a(*b(i)), "%s, seed %d" % (a, SEED))
            again = Layout(a.print("map"))
            self.assertTrue(again == a)
            self.assertEqual(a == Layout("(%d,%d):(%d,%d)" % (
                rows, columns, down, across + 1)), columns == 1)

    def test_names_forms_and_texts(self):
        a = Layout("(4,8):(8,1)")
        self.assertEqual(a.inputs, (("d0", 4), ("d1", 8)))
        self.assertEqual(a.outputs, (("offset", None),))
        self.assertEqual(a.points, 32)
        self.assertEqual(str(a), "(4,8):(8,1)")
        self.assertEqual(repr(a), "Layout('(4,8):(8,1)')")
        self.assertIsNone(a.reason)
        self.assertEqual(a.named(["lane", "register"], ["place"]).inputs,
                         (("lane", 4), ("register", 8)))
        self.assertEqual(a.inverse()(29), (3, 5))
        self.assertEqual(a.map()(3, 5), (29,))
        swizzle = Layout("Sw<1,0,2> o 0 o (4,2):(2,1)")
        self.assertEqual(len(swizzle.form[0]["parities"]), 1)
        none = Layout("composition((4,6,8):(2,3,5), 6:3)")
        self.assertIsNone(none.form)
        self.assertIn("carries", none.reason)
        self.assertIsNone(swizzle.print("xla", type="f32"))
        with self.assertRaises(ValueError):
            a.print("words")

    def test_what_a_move_takes(self):
        shuffles = move(ROWS, COLUMNS)
        self.assertEqual(shuffles.level, "shuffles")
        self.assertEqual(shuffles["moved"], 124)
        through = move(Layout(ROWS), COLUMNS, through=SHARED)
        self.assertEqual(through.store["kind"], "shared")
        self.assertIn("<svg", through._repr_svg_())
        access = move(ROWS, SHARED)
        self.assertGreaterEqual(access.wavefronts, access.wavefronts_fewest)
        self.assertIsNone(access._repr_svg_())
        with self.assertRaises(AttributeError):
            access.level
        with self.assertRaises(ValueError):
            move("4:1", "4:1")

    def test_pictures_and_errors(self):
        self.assertIn("T5:2", Layout(
            "tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor "
            "= 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>>")._repr_svg_())
        self.assertIn("<svg", Layout("(4,8):(8,1)")._repr_svg_())
        with self.assertRaises(indexical.Error) as caught:
            Layout("(4,8):(1,2")
        self.assertEqual((caught.exception.line, caught.exception.column),
                         (1, 11))
        a = Layout("(4,8):(8,1)")
        for point in ((4, 0), (-1, 0), (32,)):
            with self.assertRaises(IndexError):
                a(*point)
        with self.assertRaises(TypeError):
            a(1, 2, 3)
        with self.assertRaises(indexical.Error):
            Layout("(4,8):(1,1)").inverse()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
