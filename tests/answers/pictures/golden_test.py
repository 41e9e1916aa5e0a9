#!/usr/bin/env python3
"""Judges the pictures of golden/ by what the ops read, element by element.

  golden_test.py PATH_OF_THIS_FILE

Nothing here runs the command: a golden picture that was drawn anew is judged as
the old one was. Each array of a picture is compared cell by cell. The definition
of its op says which cells are marked, and in which colour. A cell's title says
its index, and cells stand in rows and columns by their indices.
"""

import itertools
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
PLAIN, HOLE, WASTE, PAD, DOTS = "", "ix-h", "ix-w", "ix-p", " dots"
FIRST, SECOND, THIRD = "ix-m ix-m0", "ix-m ix-m1", "ix-m ix-m2"


class Cell:
    def __init__(self, node):
        self.title = node.find(SVG + "title").text
        rects = node.findall(SVG + "rect")
        self.look = node.get("class").removeprefix("ix-c").strip()
        if any(r.get("class") == "ix-o" for r in rects[1:]):
            self.look += DOTS
        self.x, self.y = int(rects[0].get("x")), int(rects[0].get("y"))


def panels_of(path):
    """The cells of each array, in the order in which arrays are drawn."""
    root = ElementTree.parse(path).getroot()
    return [[Cell(g) for g in panel.findall(SVG + "g")]
            for panel in root.findall(SVG + "g")
            if "ix-c" not in panel.get("class", "")]


def numbers(text):
    return tuple(int(n) for n in re.findall(r"-?\d+", text))


def box(*sides):
    """All indices between the ends of each side, without the last ones."""
    return set(itertools.product(*(range(*side) for side in sides)))


def show(index):
    return "(%s)" % ", ".join(map(str, index))


def looks(marked):
    """What cells must be: {index: (words behind the index, look)}."""
    return {index: (words, look)
            for words, look, indices in marked for index in indices}


class Test:
    def __init__(self, folder):
        self.folder, self.problems, self.cells = folder, [], 0

    def golden(self, name, *arrays):
        """Compares the arrays of a picture with functions of their cells."""
        panels = panels_of(os.path.join(self.folder, "golden", name + ".svg"))
        if len(panels) != len(arrays):
            self.problems.append("%s: %d arrays" % (name, len(panels)))
        for number, (cells, check) in enumerate(zip(panels, arrays)):
            for problem in check(cells):
                self.problems.append("%s, array %d: %s" % (
                    name, number, problem))
            self.cells += len(cells)


def in_order(cells, places):
    """Whether cells stand as their rows and columns say."""
    for axis, values in ((0, [c.y for c in cells]), (1, [c.x for c in cells])):
        at = {}
        for place, value in zip(places, values):
            if at.setdefault(place[axis], value) != value:
                yield "%s is not in line" % (place,)
        ordered = [at[k] for k in sorted(at)]
        if ordered != sorted(set(ordered)):
            yield "rows or columns are not in order"
    if len({(c.x, c.y) for c in cells}) != len(cells):
        yield "cells cover one another"


def array(whole, *marked, shown=None):
    """An array, all of whose indices are `whole`: those that are marked have
    words and a look. `shown` are the two dimensions that are drawn."""
    wanted = looks(marked)

    def check(cells):
        found = {}
        for cell in cells:
            index, words = re.fullmatch(r"(\([^)]*\))(?:: )?(.*)",
                                        cell.title).groups()
            found[numbers(index)] = (words, cell.look)
        if len(found) != len(cells):
            yield "an index has two cells"
        if not set(found) <= whole:
            yield "cells outside: %s" % (set(found) - whole)
        if not set(wanted) <= set(found):
            yield "not drawn: %s" % (set(wanted) - set(found))
        for index, is_now in found.items():
            if is_now != wanted.get(index, ("", PLAIN)):
                yield "%s is %s" % (show(index), is_now)
        # An array that is small enough is drawn whole.
        if len(whole) <= 200 and set(found) != whole:
            yield "%d of %d cells" % (len(found), len(whole))
        rank = len(next(iter(found)))
        row, column = shown or (rank - 2, rank - 1)
        yield from in_order(cells, [
            (i[row] if rank > 1 else 0, i[column] if rank else 0)
            for i in map(lambda c: numbers(c.title.split(")")[0]), cells)])

    return check


def titles(wanted, unit):
    """Cells with these titles and looks, and no others, in reading order. The
    first number of a title counts units."""
    def check(cells):
        found = {cell.title: cell.look for cell in cells}
        for title in sorted(set(found) | set(wanted)):
            if found.get(title) != wanted.get(title):
                yield "%s is %s, not %s" % (
                    title, found.get(title), wanted.get(title))
        if len(found) != len(cells):
            yield "a title stands twice"
        row = len({cell.x for cell in cells})
        yield from in_order(cells, [
            divmod(numbers(cell.title)[0] // unit, row) for cell in cells])
    return check


def accesses(lanes, size=4, sector=32):
    """The sectors that lanes touch: {element: (byte, lanes)}."""
    at = {byte: (element, who) for element, (byte, who) in lanes.items()}
    moved = {byte // sector * sector + k
             for byte in at for k in range(0, sector, size)}
    wanted = {}
    for byte in moved:
        if byte not in at:
            wanted["byte %d: moved, and not used" % byte] = WASTE
            continue
        element, who = at[byte]
        several = len(who) > 1
        wanted["byte %d: lane%s %s, element %s" % (
            byte, "s" if several else "", ", ".join(map(str, who)),
            show(element))] = SECOND if several else FIRST
    return titles(wanted, size)


def words(lanes, shown):
    """Words of shared memory: {word: lane}."""
    wanted = {}
    for word in range(shown):
        title = "word %d, bank %d" % (word, word % 32)
        marked = word in lanes
        wanted[title + (": lane %d" % lanes[word] if marked else "")] = (
            FIRST if marked else PLAIN)
    return titles(wanted, 1)


def check_maps(test):
    # (d0, d1) -> (d1, d0 * 2) where d0 + d1 is at most 8
    indices = box([4], [8])
    holes = {i for i in indices if sum(i) > 8}
    elements = {(j, 2 * i) for i, j in indices - holes}
    whole = box([8], [7])
    for name, asked in (("map", {(1, 5)}), ("map_tile", box([2, 4], [3]))):
        read = {(j, 2 * i) for i, j in asked - holes}
        assert read <= elements
        test.golden(
            name,
            array(indices, ("reads nothing of elements", HOLE, holes - asked),
                  ("asked", FIRST, asked)),
            array(whole, ("read", SECOND, read)))
    # (d0, d1, d2)[s0, s1] -> (d0 + s0, d1 * 3 + s1, d2)
    test.golden(
        "large",
        array(box([200], [100], [4]), ("asked", FIRST, {(100, 50, 1)}),
              shown=(0, 1)),
        array(box([202], [300], [4]),
              ("read", SECOND, box([100, 103], [150, 153], [1, 2])),
              shown=(0, 1)))


def check_ops(test):
    result, operand = box([8], [12]), box([10], [14])
    asked = ("asked", FIRST, {(2, 5)})
    test.golden(
        "instruction",
        array(result, asked),
        array(operand, ("read", SECOND, box([2, 5], [5, 8]))),
        array(result, asked),
        # The second operand has a colour of its own.
        array({()}, ("read", THIRD, {()})))
    # t[i, j, k] is x[j, k, i].
    test.golden(
        "planes",
        array(box([4], [2, 3], [5]), ("asked", FIRST, {(1, 2, 3)}),
              shown=(0, 2)),
        array(box([2, 3], [5], [4]), ("read", SECOND, {(2, 3, 1)})))


def check_tiles(test):
    def windows(tile):
        return {(i + a, j + b) for i, j in tile
                for a in range(3) for b in range(3)}
    tile = box([4], [4, 8])
    read = windows(tile)
    more = windows(box([4, 8], [4, 8])) | windows(box([4], [8, 12]))
    of, beside = "of the tile", "of the tile, and of the next one"
    test.golden(
        "tile",
        array(box([8], [12]), (of, FIRST, tile)),
        array({()}, (beside, FIRST + DOTS, {()})),
        array(box([10], [14]), (of, FIRST, read - more),
              (beside, FIRST + DOTS, read & more)))

    def around(tile):
        """The box around the elements of the reshaped operand."""
        read = {divmod(i * 12 + j, 4) for i, j in tile}
        sides = [sorted(e[k] for e in read) for k in (0, 1)]
        return box(*((side[0], side[-1] + 1) for side in sides))
    tile = box([2], [8])
    read = around(tile)
    more = around(box([2, 4], [8])) | around(box([2], [8, 12]))
    test.golden(
        "box",
        array(box([4], [12]), (of, FIRST, tile)),
        array(box([12], [4]), (of, SECOND, read - more),
              (beside, SECOND + DOTS, read & more)))


def check_memory(test):
    def layout(name, sizes, place, bits, memory):
        at = {place(*e): e for e in box(*([n] for n in sizes))}
        def words_of(p):
            return "element %d of memory, byte %d" % (p, p * bits // 8)
        test.golden(
            name,
            array(set(at.values()), *((words_of(p), FIRST, {e})
                                      for p, e in at.items())),
            titles({words_of(p) + ": " + (show(at[p]) if p in at else "padding"):
                    FIRST if p in at else PAD for p in range(memory)}, 1))
    # Dimension 1 is the major one: tiles of 2 along it, of 4 along 0.
    layout("layout", (4, 8), lambda i, j: j // 2 * 8 + j % 2 * 4 + i, 32, 32)
    layout("padding", (3, 5),
           lambda i, j: (i // 2 * 2 + j // 4) * 8 + i % 2 * 4 + j % 4, 16, 32)


def check_warps(test):
    # Threads have 4 neighbours of m[i, j] = x[j, i] * y[i] each; warp 1.
    first = {lane: divmod((32 + lane) * 4, 64) for lane in range(32)}
    rows = {}
    for lane, (i, _) in first.items():
        rows.setdefault((i,), (4 * i, []))[1].append(lane)
    test.golden(
        "warp",
        accesses({(j, i): ((j * 32 + i) * 4, [lane])
                  for lane, (i, j) in first.items()}),
        accesses(rows),
        accesses({(i, j + v): ((i * 64 + j + v) * 4, [lane])
                  for lane, (i, j) in first.items() for v in range(4)}))
    # A warp writes a row of x into a column of 33 words each, and reads a row.
    lanes = range(32)
    row = {(0, lane): (4 * lane, [lane]) for lane in lanes}
    test.golden(
        "shared", accesses(row), accesses({(0,): (0, list(lanes))}),
        accesses(row), words({33 * lane: lane for lane in lanes}, 1024),
        words({lane: lane for lane in lanes}, 32))


def main(arguments):
    test = Test(os.path.dirname(os.path.abspath(arguments[0])))
    for check in (check_maps, check_ops, check_tiles, check_memory,
                  check_warps):
        check(test)
    print("\n".join(test.problems[:20]) or
          "%d cells are as they should be" % test.cells)
    return 1 if test.problems or test.cells < 2000 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
