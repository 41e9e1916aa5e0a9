#!/usr/bin/env python3
"""Tiles of given programs, at given offsets, against boxes that are given too.

The cases lie in a folder beside this checkout (tile_cases.jsonl); without it the
test skips, and says so. The ones that matter most are in
tests/cost/tiles/tile_space_test.cc, too.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.path.abspath(sys.argv.pop(1))


def cases_file():
    """The file of cases, or None."""
    folder = os.environ.get("INDEXICAL_SHARED")
    if not folder:
        # The runfiles are links into the checkout.
        here = os.path.dirname(os.path.realpath(__file__))
        folder = os.path.join(here, *[".."] * 4, "shared")
    for place in (folder, os.path.join(folder, "..", "..", "shared")):
        path = os.path.join(place, "tile_cases.jsonl")
        if os.path.exists(path):
            return path
    return None


def value(text, names):
    """An expression of a tile, for values of its names."""
    text = text.replace("floordiv", "//").replace(" mod ", " % ")
    functions = {"__builtins__": {}, "min": min, "max": max}
    return eval(text, functions, names)


class Case:
    def __init__(self, case):
        self.case = case

    def call(self, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
            file.write(self.case["hlo"])
            file.flush()
            result = subprocess.run(
                [COMMAND, "tile", file.name, "--format=json", *options],
                capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return json.loads(result.stdout)

    def tiles(self):
        case = self.case
        options = ["--tile=" + case["tile"]]
        for name in ("strides", "steps"):
            if case.get(name):
                options.append("--%s=%s" % (name, case[name]))
        if case["kind"] == "forward":
            options += ["--forward", "--instruction=" + case["of"]]
        return self.call(*options)

    @staticmethod
    def search(text, device, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
            file.write(text)
            file.flush()
            return json.loads(subprocess.run(
                [COMMAND, "tile", file.name, "--search", "--format=json",
                 "--device=" + device, *options],
                capture_output=True, text=True, check=True).stdout)

    def runtime(self, tile):
        """Values of the tile's runtime variables."""
        names = {}
        for variable in tile.get("runtime", []):
            given = self.case["runtime"][variable["source"]["instruction"]]
            if variable["clamped"]:
                given = max(variable["lower"], min(variable["upper"], given))
            names[variable["name"]] = given
        return names

    def axes(self, tile, names, shape):
        """The tile's progressions in the tensor, of members first."""
        axes = []
        for member in tile.get("replica", []):
            axes.append(tuple(value(member[key], names)
                              for key in ("offset", "size", "stride")))
        for first, count, stride, size in zip(
                tile["offsets"], tile["sizes"], tile["strides"],
                shape[len(tile.get("replica", [])):]):
            first, count, stride = (value(text, names)
                                    for text in (first, count, stride))
            inside = [first + stride * i for i in range(max(0, count))
                      if 0 <= first + stride * i < size]
            axes.append((inside[0], len(inside), stride) if inside
                        else (0, 0, 1))
        return [(first, count, stride if count > 1 else 1)
                for first, count, stride in axes]

    def masked(self, tile, names, shape):
        """Likewise, as the mask says."""
        axes = []
        for first, full, begins, ends, stride in zip(
                tile["offsets"], tile["full"], tile["begins"], tile["ends"],
                tile["strides"]):
            first, full, begins, ends, stride = (
                value(text, names)
                for text in (first, full, begins, ends, stride))
            inside = [first + stride * i for i in range(full)
                      if begins <= first + stride * i < ends]
            axes.append((inside[0], len(inside),
                         stride if len(inside) > 1 else 1)
                        if inside else (0, 0, 1))
        return axes

    def boxes(self, tiles, names, shape):
        """The boxes of an instruction's tiles that have elements."""
        found = []
        for tile in tiles:
            own = {**names, **self.runtime(tile)}
            if "read" in tile and value(tile["read"], own) == 0:
                continue
            axes = self.axes(tile, own, shape)
            if any(count <= 0 for _, count, _ in axes):
                continue
            if "full" in tile:
                plain = axes[len(tile.get("replica", [])):]
                masked = self.masked(tile, own, shape)
                if masked != plain:
                    raise AssertionError("masked %s, and not %s" %
                                         (masked, plain))
            if axes not in found:
                found.append(axes)
        return found


def points(boxes):
    return {point for box in boxes for point in itertools.product(*(
        range(first, first + count * stride, stride)
        for first, count, stride in box))}


def hull_of(found):
    return [[min(axis), max(axis)] for axis in zip(*found)]


class TileCasesTest(unittest.TestCase):
    def setUp(self):
        path = cases_file()
        if not path:
            self.skipTest("shared/tile_cases.jsonl is not beside the checkout")
        with open(path) as file:
            self.cases = [json.loads(line) for line in file]

    def each(self, check, *kinds):
        for case in self.cases:
            if case["kind"] in kinds:
                with self.subTest(case["id"], name=case["name"]):
                    check(Case(case))

    def test_tiles(self):
        self.each(self.check, "tile", "forward")

    def check(self, of):
        case, document = of.case, of.tiles()
        by_name = {}
        for tile in document["tiles"]:
            by_name.setdefault(tile["instruction"], []).append(tile)
        steps = [step["name"] for step in document.get("steps", [])]
        for name, exact in case["exact"].items():
            if exact:
                tiles = by_name.get(name, [])
                self.assertTrue(all(tile["exact"] for tile in tiles),
                                "%s: %s" % (name, tiles))
        for name, complete in case.get("complete", {}).items():
            for tile in by_name.get(name, []):
                self.assertEqual(tile.get("complete"), complete, name)
        for block in case["blocks"]:
            names = {"o%d" % k: at for k, at in enumerate(block["o"])}
            names.update(zip(steps, block.get("k", [])))
            for name, expected in block["read"].items():
                shape = case["shapes"][name]
                boxes = of.boxes(by_name.get(name, []), names, shape)
                self.compare(boxes, expected, by_name.get(name, []),
                             "%s at %s" % (name, names))

    def compare(self, boxes, expected, tiles, where):
        found, is_exact = points(boxes), all(tile["exact"] for tile in tiles)
        if any(tile.get("least") is False for tile in tiles):
            # A larger box than the least one.
            self.assertTrue(all(
                low <= least and greatest <= high
                for (low, high), (least, greatest) in zip(
                    hull_of(found), self.hull_expected(expected))), where)
            return
        if isinstance(expected, list):
            wanted = points([[tuple(axis) for axis in box]
                             for box in expected])
            if is_exact:
                self.assertEqual(found, wanted, where)
            self.assertEqual(hull_of(found), hull_of(wanted), where)
            return
        self.assertEqual(hull_of(found), expected["hull"], where)
        if is_exact:
            self.assertEqual(len(found), expected["points"], where)

    def hull_expected(self, expected):
        if isinstance(expected, dict):
            return expected["hull"]
        return hull_of(points([[tuple(axis) for axis in box]
                               for box in expected]))

    def test_sizes(self):
        self.each(self.check_sizes, "sizes")

    def check_sizes(self, of):
        case = of.case
        tries = ["--try=" + ",".join(map(str, sizes))
                 for sizes in case["values"]]
        document = of.call("--tile=" + case["tile"], *tries)
        fits = document["fits"]
        self.assertEqual(
            [sizes in fits for sizes in case["values"]], case["exact"])
        tile = next(tile for tile in document["tiles"]
                    if tile["instruction"] == case["of"])
        cases = tile.get("any_of", [tile["conditions"]])
        names = case["tile"].split(",")
        self.assertEqual(
            [any(all(self.holds(text, dict(zip(names, sizes)))
                     for text in one) for one in cases)
             for sizes in case["values"]], case["exact"])

    def test_searches(self):
        self.each(self.check_first, "search")
        self.each(self.check_records, "searches")

    def check_first(self, of):
        case = of.case
        document = of.search(case["hlo"], case["device"], "--top=1")
        first = document["found"][0]
        self.assertIn(first["sizes"] + first["steps"], case["first"])

    def check_records(self, of):
        case, near = of.case, 0
        for record in case["records"]:
            m, n, k = record["mnk"]
            text = ("f { a = %(t)s[%(m)d,%(k)d] parameter(0)\n"
                    "  b = %(t)s[%(k)d,%(n)d] parameter(1)\n"
                    "  ROOT d = %(t)s[%(m)d,%(n)d] dot(a, b), "
                    "lhs_contracting_dims={1}, rhs_contracting_dims={0} }" %
                    {"t": case["type"], "m": m, "n": n, "k": k})
            found = of.search(text, case["device"])["found"]
            first = found[0]["time_us"]
            # A tile that is larger than the result is the whole result.
            chosen = [min(size, whole)
                      for size, whole in zip(record["chosen"], (m, n, k))]
            near += any(row["sizes"] + row["steps"] == chosen and
                        row.get("time_us", 1e9) <= case["within"] * first
                        for row in found)
        print("%d of %d tiles that were chosen are within %g times the first" %
              (near, len(case["records"]), case["within"]))
        self.assertGreaterEqual(near, case["share"] * len(case["records"]))

    def holds(self, constraint, names):
        text, low, high = re.fullmatch(
            r"(.*) in \[([^,]*), ([^\]]*)\]", constraint).groups()
        found = value(text, names)
        return (low == "-inf" or int(low) <= found) and (
            high == "inf" or found <= int(high))


if __name__ == "__main__":
    unittest.main(verbosity=2)
