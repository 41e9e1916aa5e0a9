#!/usr/bin/env python3
"""Holds the pictures of `indexical draw` to what the command says elsewhere.

  draw_test.py INDEXICAL PATH_OF_THIS_FILE [--update]

- Each kind of picture is that of golden/, byte by byte, and is drawn twice
  (golden_test.py judges these by the definitions of the ops).
- Every picture is well-formed XML, has no script, no link and no attribute that
  loads something, and each cell has a title.
- The cells that are marked in pictures of random maps are the elements that
  `compose` of the element with the map lists.
- Cells of a layout, of a warp and of a tile are those that are computed here.
- Long names change text, and nothing else (svg_test.cc has other names).
"""

import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "style", "defs", "pattern", "path", "circle", "g",
            "rect", "text", "line"}
ATTRIBUTES = {"class", "width", "height", "viewBox", "role", "id", "x", "y",
              "cx", "cy", "r", "d", "fill", "stroke", "stroke-width", "style",
              "patternUnits", "text-anchor"}

GOLDEN = {
    "map": ["transpose.maps", "--element=1,5"],
    "map_tile": ["transpose.maps", "--tile=2,3", "--at=2,0"],
    "large": ["window.maps", "--element=100,50,1", "--dims=0,1"],
    "instruction": ["blur.hlo", "--instruction=blur", "--element=2,5"],
    "planes": ["cube.hlo", "--element=1,2,3", "--dims=0,2"],
    "layout": ["--layout=f32[4,8]{0,1:T(2,4)}"],
    "padding": ["--layout=bf16[3,5]{1,0:T(2,4)}"],
    "warp": ["module.hlo", "--instruction=k", "--warp=1"],
    "shared": ["module.hlo", "--instruction=k", "--warp=0", "--launch=xla"],
    "tile": ["blur.hlo", "--tile=4,4", "--at=0,4"],
    "box": ["split.hlo", "--tile=2,8"],
}


class Test:
    def __init__(self, tool, folder):
        self.tool, self.folder = os.path.abspath(tool), folder
        self.problems = []

    def problem(self, text):
        self.problems.append(text)

    def run(self, words, text=None):
        done = subprocess.run(
            [self.tool] + words, input=text, capture_output=True, check=False,
            cwd=os.path.join(self.folder, "inputs"), timeout=60)
        return done.returncode, done.stdout, done.stderr.decode()

    def draw(self, words, text=None):
        """The picture; its bytes, and its tree."""
        status, output, errors = self.run(["draw"] + words, text)
        if status != 0:
            self.problem("draw %s: %s" % (words, errors))
            return None, None
        try:
            tree = ElementTree.fromstring(output)
        except ElementTree.ParseError as error:
            self.problem("draw %s: not XML: %s" % (words, error))
            return output, None
        self.check_tree(words, tree)
        return output, tree

    def check_tree(self, words, tree):
        for node in tree.iter():
            if node.tag.removeprefix(SVG) not in ELEMENTS:
                self.problem("draw %s: <%s>" % (words, node.tag))
            for name, value in node.attrib.items():
                if name not in ATTRIBUTES or "url(" in value:
                    self.problem("draw %s: %s=%s" % (words, name, value))
        for style in tree.iter(SVG + "style"):
            if re.search(r"@import|url\((?!#)", style.text):
                self.problem("draw %s: the style loads something" % words)
        for cell in cells_of(tree):
            if cell.find(SVG + "title") is None:
                self.problem("draw %s: a cell has no title" % words)


def cells_of(tree):
    return [g for g in tree.iter(SVG + "g")
            if "ix-c" in g.get("class", "").split()]


def titles(tree, pattern):
    """What is matched in the titles of cells."""
    found = (re.fullmatch(pattern, cell.find(SVG + "title").text or "")
             for cell in cells_of(tree))
    return [match for match in found if match]


def numbers(text):
    return tuple(int(n) for n in re.findall(r"-?\d+", text))


def check_golden(test, update):
    for name, words in GOLDEN.items():
        first, _ = test.draw(words)
        again, _ = test.draw(words)
        if first is None:
            continue
        if first != again:
            test.problem("%s is another picture the second time" % name)
        path = os.path.join(test.folder, "golden", name + ".svg")
        if update:
            with open(path, "wb") as file:
                file.write(first)
            continue
        with open(path, "rb") as file:
            if file.read() != first:
                test.problem("%s is not golden/%s.svg" % (words, name))


def random_map(chance):
    """A map with small results, and one of its indices."""
    dims = [chance.randint(1, 7) for _ in range(chance.randint(1, 3))]
    ranges = [chance.randint(1, 3) for _ in range(chance.randint(0, 2))]
    names = ["d%d" % k for k in range(len(dims))]
    names += ["s%d" % k for k in range(len(ranges))]
    results = []
    for _ in range(chance.randint(1, 3)):
        form = " + ".join("%s * %d" % (name, chance.randint(1, 3))
                          for name in chance.sample(names, min(2, len(names))))
        results.append(chance.choice([
            "(%s) floordiv 2", "(%s) mod 5", "%s"]) % form)
    domain = ["d%d in [0, %d]" % (k, n - 1) for k, n in enumerate(dims)]
    domain += ["s%d in [0, %d]" % (k, n - 1) for k, n in enumerate(ranges)]
    if chance.random() < 0.4:
        domain.append("%s + %s in [0, %d]" % (
            names[0], names[-1], chance.randint(2, 8)))
    text = "(%s)%s -> (%s), domain: %s" % (
        ", ".join(names[:len(dims)]),
        "[%s]" % ", ".join(names[len(dims):]) if ranges else "",
        ", ".join(results), ", ".join(domain))
    return text, dims, ranges, names, results, domain


def evaluate(expression, values):
    text = re.sub(r"floordiv", "//", expression).replace("mod", "%")
    # Both bind as products do, from the left.
    return eval(text, {"__builtins__": {}}, values)  # made above


def read_by(index, drawn):
    """The elements that an index reads, by going through the ranges."""
    _, dims, ranges, names, results, domain = drawn
    found = set()
    steps = [()]
    for size in ranges:
        steps = [s + (i,) for s in steps for i in range(size)]
    for step in steps:
        values = dict(zip(names, index + step))
        if all(int(low) <= evaluate(form, values) <= int(high)
               for form, low, high in (
                   re.fullmatch(r"(.*) in \[(-?\d+), (-?\d+)\]", entry).groups()
                   for entry in domain)):
            found.add(tuple(evaluate(form, values) for form in results))
    return found


def hidden_dimension(drawn, shown):
    """Of three results, that which says least: it has no dimension that is
    shown, and no range; of several the first one."""
    _, _, _, names, results, _ = drawn
    def weight(form):
        used = set(re.findall(r"[ds]\d+", form))
        return (2 if used & {"d%d" % k for k in shown} else
                1 if any(name[0] == "s" for name in used) else 0)
    return min(range(len(results)), key=lambda k: weight(results[k]))


def check_planes(test, where, drawn, index, chance):
    """Any two dimensions of both sides can be shown."""
    text, dims, _, _, results, _ = drawn
    wanted = read_by(index, drawn)
    if len(results) < 3 or len(dims) < 2 or not wanted:
        return
    mine = chance.sample(range(len(dims)), 2)
    beside = chance.sample(range(3), 2)
    words = ["-", "--element=" + ",".join(map(str, index)),
             "--dims=%d,%d" % tuple(mine)]
    for other in ([], ["--operand-dims=%d,%d" % tuple(beside)]):
        _, tree = test.draw(words + other, text.encode())
        if tree is None:
            continue
        hidden = ({0, 1, 2} - set(beside)).pop() if other else (
            hidden_dimension(drawn, mine))
        shown = {e for e in wanted if e[hidden] == min(wanted)[hidden]}
        found = {numbers(m[1]) for m in titles(
            tree, r"(\(.*\)): read(?: by .*)?")}
        if found != shown:
            test.problem("%s, %s: marked %s, not %s" % (
                where, words + other, found, shown))
        asked = [numbers(m[1]) for m in titles(tree, r"(\(.*\)): asked")]
        if asked != [index]:
            test.problem("%s: asked %s" % (where, asked))


def check_random_maps(test, seed, count):
    chance = random.Random(seed)
    for number in range(count):
        drawn = random_map(chance)
        text, dims = drawn[0], drawn[1]
        index = tuple(chance.randrange(n) for n in dims)
        where = "seed %d, map %d: %s at %s" % (seed, number, text, index)
        _, tree = test.draw(["-", "--element=" + ",".join(map(str, index))],
                            text.encode())
        check_planes(test, where, drawn, index, chance)
        if tree is None:
            test.problem(where)
            continue
        wanted = read_by(index, drawn)
        found = {numbers(m[1]) for m in titles(
            tree, r"(\(.*\)): read(?: by .*)?")}
        # Of three dimensions two are shown, at the first element.
        hidden = hidden_dimension(drawn, range(len(dims))[-2:])
        shown = {e for e in wanted
                 if len(e) < 3 or e[hidden] == min(wanted)[hidden]}
        if found != shown:
            test.problem("%s: marked %s, read %s" % (where, found, shown))
        holes = {numbers(m[1])
                 for m in titles(tree, r"(\(.*\)): reads nothing.*")}
        cells = {numbers(m[1]) for m in titles(tree, r"(\([^)]*\))[^r]*")}
        for hole in holes:
            if read_by(hole, drawn):
                test.problem("%s: %s is no hole" % (where, hole))
        if wanted and any(e not in cells | holes for e in [index]):
            test.problem("%s: the element is not asked" % where)


def check_layout(test):
    """Tiles of 2 x 4 of f32[4,8]{0,1:T(2,4)}, counted here."""
    _, tree = test.draw(["--layout=f32[4,8]{0,1:T(2,4)}"])
    found = {numbers(m[1]): int(m[2]) for m in titles(
        tree, r"(\(.*\)): element (\d+) of memory.*")}
    wanted = {}
    for i in range(4):
        for j in range(8):
            # Dimension 1 is the major one: tiles of 2 along it, 4 along 0.
            tile = j // 2
            wanted[i, j] = tile * 8 + (j % 2) * 4 + i
    if found != wanted:
        test.problem("layout: %s, not %s" % (found, wanted))
    _, tree = test.draw(["--layout=bf16[3,5]{1,0:T(2,4)}"])
    # Of three dimensions the first and the last, at the second one's index 2.
    _, cube = test.draw(["--layout=f32[3,4,5]{1,2,0}", "--dims=0,2",
                         "--at=0,2,0"])
    found = {numbers(m[1]): int(m[2]) for m in titles(
        cube, r"(\(.*\)): element (\d+) of memory.*")}
    if found != {(i, 2, k): i * 20 + k * 4 + 2
                 for i in range(3) for k in range(5)}:
        test.problem("a plane of a layout: %s" % found)
    padding = len(titles(tree, r"element \d+ of memory, .*: padding"))
    if padding != 4 * 8 - 15:
        test.problem("%d elements of padding, not 17" % padding)


def check_warp(test):
    """A copy by 32 lanes of 4 elements each, and a column."""
    copy = "f { p = f32[64,128] parameter(0) ROOT r = f32[64,128] negate(p) }"
    _, tree = test.draw(["-", "--warp=3"], copy.encode())
    lanes = {int(m[1]): int(m[2]) for m in titles(
        tree, r"byte (\d+): lane (\d+), element .*")}
    # Warp 3 of the first block: threads 96 to 127, 16 bytes each.
    wanted = {(96 + lane) * 16 + 4 * v: lane
              for lane in range(32) for v in range(4)}
    shown = {byte: lane for byte, lane in wanted.items() if byte in lanes}
    if lanes != shown or len(shown) < 300 // 4:
        test.problem("a copy's warp: %s" % lanes)
    column = ("f { p = f32[64,128] parameter(0) "
              "ROOT t = f32[128,64] transpose(p), dimensions={1,0} }")
    _, tree = test.draw(["-", "--warp=0"], column.encode())
    # A thread has 4 elements of a row of the result: its first one is read from
    # every 4th row, lanes 16 to 31 beside lanes 0 to 15.
    used = titles(
        tree, r"byte (\d+): lane (\d+), element \((\d+), (\d+)\)")[:32]
    for match in used:
        byte, lane, row, column = map(int, match.groups())
        if (row, column) != (lane % 16 * 4, lane // 16) or (
                byte != row * 512 + column * 4):
            test.problem("a column's warp: %s" % match[0])
    wasted = titles(tree, r"byte \d+: moved, and not used")
    if len(used) != 32 or len(wasted) != 16 * 6:
        test.problem("a column's warp: %d used, %d wasted" % (
            len(used), len(wasted)))


def check_tiles(test):
    """The tile of a slice by steps of 2, and what windows share."""
    strided = ("f { p = f32[8,32] parameter(0) "
               "ROOT s = f32[8,16] slice(p), slice={[0:8], [0:32:2]} }")
    _, tree = test.draw(["-", "--tile=2,4", "--at=2,4"], strided.encode())
    found = sorted(numbers(m[1]) for m in titles(tree, r"(\(.*\)): of the tile"))
    wanted = [(i, j) for i in (2, 3) for j in range(4, 8)]
    wanted += [(i, 2 * j) for i in (2, 3) for j in range(4, 8)]
    if found != sorted(wanted):
        test.problem("tile: %s" % found)
    window = ("sum { a = f32[] parameter(0) b = f32[] parameter(1) "
              "ROOT c = f32[] add(a, b) } "
              "f { p = f32[18] parameter(0) z = f32[] constant(0) "
              "ROOT w = f32[16] reduce-window(p, z), window={size=3}, "
              "to_apply=sum }")
    _, tree = test.draw(["-", "--tile=4"], window.encode())
    shared = {numbers(m[1]) for m in titles(
        tree, r"(\(.*\)): of the tile, and of the next one")}
    if shared - {()} != {(4,), (5,)}:
        test.problem("shared by windows: %s" % shared)


def check_names(test):
    """A long name changes the text alone."""
    plain = None
    for name in ("plain", "x" * 10000, "a.b-c"):
        module = ("f { %%%s = f32[2,3] parameter(0) ROOT r = f32[3,2] "
                  "transpose(%%%s), dimensions={1,0} }" % (name, name))
        output, tree = test.draw(["-"], module.encode())
        if tree is None:
            continue
        cells = [cell.get("class") for cell in cells_of(tree)]
        plain = plain or cells
        if cells != plain or len(output) > 20000 + 8 * len(name):
            test.problem("%s: %d bytes, cells %s" % (
                name[:40], len(output), cells))


def main(arguments):
    tool, here = arguments[:2]
    update = "--update" in arguments[2:]
    folder = os.path.dirname(os.path.abspath(here))
    if update and "BUILD_WORKSPACE_DIRECTORY" in os.environ:
        tool = os.path.abspath(tool)
        folder = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"],
                              "tests/answers/pictures")
    test = Test(tool, folder)
    check_golden(test, update)
    seed = int(os.environ.get("INDEXICAL_PICTURES_SEED", "1"))
    check_random_maps(test, seed, 200)
    check_layout(test)
    check_warp(test)
    check_tiles(test)
    check_names(test)
    print("\n".join(test.problems[:20]) or "pictures are as they should be")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
