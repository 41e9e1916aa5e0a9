"""Maps by their text alone: Python divides and takes remainders as maps do.

Random maps, and their points, results and elements by brute force; nothing here
asks the library.
"""

import itertools


class TextMap:
    """A map that was made here, and its text."""

    def __init__(self, dimensions, ranges, runtime, results, constraints):
        self.dimensions, self.ranges, self.runtime = dimensions, ranges, runtime
        self.results, self.constraints = results, constraints

    def variables(self):
        return {**self.dimensions, **self.ranges, **self.runtime}

    def text(self):
        names = "(%s)[%s]{%s}" % tuple(
            ", ".join(part) for part in (self.dimensions, self.ranges,
                                         self.runtime))
        entries = ["%s in [%d, %d]" % (name, *bounds)
                   for name, bounds in self.variables().items()]
        entries += ["%s in [%d, %d]" % (text, *bounds)
                    for text, bounds in self.constraints]
        return "%s -> (%s), domain: %s" % (names, ", ".join(self.results),
                                           ", ".join(entries))

    def value(self, point):
        """The results at a dictionary of values; None outside of the domain."""
        for name, (low, high) in self.variables().items():
            if not low <= point[name] <= high:
                return None
        for text, (low, high) in self.constraints:
            if not low <= evaluated(text, point) <= high:
                return None
        return tuple(evaluated(text, point) for text in self.results)

    def points(self, margin=0):
        names = list(self.variables())
        sides = [range(low - margin, high + 1 + margin)
                 for low, high in self.variables().values()]
        for values in itertools.product(*sides):
            yield dict(zip(names, values))

    def pairs(self, **runtime):
        """(index, element) of all points with these runtime values."""
        found = set()
        for point in self.points():
            if any(point[name] != value for name, value in runtime.items()):
                continue
            value = self.value(point)
            if value is not None:
                found.add((tuple(point[d] for d in self.dimensions), value))
        return found


def evaluated(text, point):
    return eval(text.replace("floordiv", "//").replace("mod", "%"),
                {"__builtins__": {}}, point)


def expression(random, names):
    kind = random.randrange(6)
    if kind == 0 or not names:
        return str(random.randint(-3, 5))
    name = random.choice(names)
    if kind == 1:
        return name
    if kind == 2:
        return "%s * %d + %s" % (name, random.randint(-3, 3),
                                 random.choice(names))
    if kind == 3:
        return "(%s + %d) floordiv %d" % (name, random.randint(-4, 4),
                                          random.randint(1, 5))
    if kind == 4:
        return "(%s + %s) mod %d" % (name, random.choice(names),
                                     random.randint(1, 5))
    return "(%s * %d + %d) mod %d" % (name, random.randint(1, 6),
                                      random.randint(0, 3),
                                      random.randint(1, 6))


def random_map(random, rank=None, results=None, ranges=None, runtime=None):
    def variables(letter, count, first=0):
        return {letter + str(i): (first, first + random.randint(0, 3))
                for i in range(count)}

    dimensions = variables("d", random.randint(1, 2) if rank is None else rank,
                           random.randint(-1, 1))
    ranges = variables("s", random.randint(0, 1) if ranges is None else ranges)
    runtime = variables("rt", random.randint(0, 1)
                        if runtime is None else runtime)
    names = [*dimensions, *ranges, *runtime]
    count = random.randint(1, 3) if results is None else results
    constraints = []
    if random.random() < 0.4:
        low = random.randint(-2, 2)
        constraints.append((random.choice(names) + " + " + random.choice(names),
                            (low, low + random.randint(0, 5))))
    return TextMap(dimensions, ranges, runtime,
                   [expression(random, names) for _ in range(count)],
                   constraints)
