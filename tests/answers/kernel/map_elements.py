"""The elements that a map names, by its text alone.

  elements_of("(bl_x, bl_y, bl_z)[t0] -> (bl_x * 4 + t0), domain: bl_x in "
              "[0, 2], bl_y in [0, 0], bl_z in [0, 0], t0 in [0, 3]",
              (1, 0, 0), []) == [4, 5, 6, 7]
"""

import itertools
import re


def indices(sides):
    return itertools.product(*[range(n) for n in sides])


def elements_of(text, program, loops):
    """The elements of a map, as it is printed, in a program and iteration, in
    order."""
    found = []
    for piece in text.split("; "):
        head, rest = piece.split(" -> ", 1)
        result, domain = rest.split(", domain: ")
        names = re.findall(r"\w+", head.split(")")[1])
        code = [result[1:-1]]
        parts = re.findall(r"(.*?) in \[(-?\w+), (-?\w+)\](?:, |$)", domain)
        bounds = {name: (low, high) for name, low, high in parts}
        for expression, low, high in parts:
            if low != "-inf":
                code.append("%s <= %s" % (low, expression))
            if high != "inf":
                code.append("%s <= %s" % (expression, high))
        code = [compile(part.strip().replace("floordiv", "//")
                        .replace("mod", "%"), "map", "eval") for part in code]
        values = dict(zip(("bl_x", "bl_y", "bl_z"), program))
        fixed = [n for n in names if n.startswith("loop")]
        values.update(zip(fixed, loops))
        free = [n for n in names if n not in values]
        low = [int(bounds[n][0]) for n in free]
        sides = [int(bounds[n][1]) + 1 - l for n, l in zip(free, low)]
        for index in indices(sides):
            values.update((n, l + i) for n, l, i in zip(free, low, index))
            if all(eval(part, {}, values) for part in code[1:]):
                found.append(eval(code[0], {}, values))
    return sorted(found)
