#!/usr/bin/env python3
"""What `indexical report` advises about moves, against the simulator.

  TEST INDEXICAL [--modules=N] [--seed=S] [--only=K]

A module moves elements, overwrites arrays and reads both, in a random order of
its schedule. Each change that `report` names is made in the text, and the
simulator runs the module before and after it:

  s = slice(p)        `fuse`, with e        f = fusion(p), of slice and
  d = update(p, v)                          exponential, where `e` stood: it
  e = exponential(s)                        reads p behind d

What was right before must be right afterwards, also where the module stands in
a computation that is called, branched into, or looped over. The moves of one array into
itself are tried with every offset, `must-alias` and `may-alias`.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from nested_modules import nested
from random_modules import pair
from simulator import Place, Simulator

MOST_SHOWN = 6
# Changes of one kernel that say which instructions become one, or which goes.
MERGED = {"fuse", "join", "layout", "type", "readers", "fill"}
DROPPED = {"view", "donate", "loop"}


def array(dims):
    return f"f32[{','.join(map(str, dims))}]"


def moved_into_itself():
    """Yields moves of a part of an array into the array."""
    for alias in ("must", "may"):
        for form in ("slice", "reverse", "transpose"):
            for first in range(3):
                for to in range(3):
                    dims = [4, 4] if form == "transpose" else [4]
                    part = [2] * len(dims)
                    source = ", ".join(
                        f"[{s}:{s + n}]" for s, n in
                        zip([first] + [1] * (len(dims) - 1), part))
                    lines = [f"p = {array(dims)} parameter(0)",
                             f"s = {array(part)} slice(p), slice={{{source}}}"]
                    moved = "s"
                    if form != "slice":
                        lines.append(f"m = {array(part)} {form}(s), "
                                     f"dimensions={{{'1,0' if form == 'transpose' else '0'}}}")
                        moved = "m"
                    lines += [f"c{k} = s32[] constant({k})" for k in range(3)]
                    starts = ", ".join([f"c{to}"] + ["c1"] * (len(dims) - 1))
                    lines.append(f"ROOT d = {array(dims)} "
                                 f"dynamic-update-slice(p, {moved}, {starts})")
                    yield ("HloModule m, is_scheduled=true, "
                           f"input_output_alias={{ {{}}: (0, {{}}, {alias}-alias)"
                           " }\n\nENTRY main {\n  " + "\n  ".join(lines) + "\n}\n")


def random_module(r):
    """Returns the text of a scheduled module of moves, updates and readers."""
    n = r.choice([4, 6])
    whole = array([n])
    values = ["p"]      # of the whole shape
    parts = ["v"]       # of two elements
    lines, steps, used = [], r.randint(3, 6), set()

    def use(names):
        name = r.choice(names)
        used.add(name)
        return name

    for k in range(steps):
        name = f"i{k}"
        kind = r.choice(["slice", "slice", "copy", "reverse", "update",
                         "update", "negate", "exponential", "shift", "narrow"])
        if kind == "slice":
            begin = r.randint(0, n - 2)
            line = (f"f32[2] slice({use(values)}), "
                    f"slice={{[{begin}:{begin + 2}]}}")
            parts.append(name)
        elif kind == "copy":
            line = f"{whole} copy({use(values)})"
            values.append(name)
        elif kind == "reverse":
            line = f"{whole} reverse({use(values)}), dimensions={{0}}"
            values.append(name)
        elif kind == "shift":
            one, two = use(values), use(values)
            lines.append((f"a{k}", f"f32[2] slice({one}), slice={{[0:2]}}"))
            lines.append((f"b{k}", f"{array([n - 2])} slice({two}), "
                                   f"slice={{[2:{n}]}}"))
            line = (f"{whole} concatenate(b{k}, a{k}), dimensions={{0}}")
            values.append(name)
        elif kind == "update":
            line = (f"{whole} dynamic-update-slice({use(values)}, "
                    f"{use(parts)}, c{r.randint(0, n - 2)})")
            values.append(name)
        elif kind == "narrow":
            line = f"f32[2] negate({use(parts)})"
            parts.append(name)
        else:
            line = f"{whole} {kind}({use(values)})"
            values.append(name)
        lines.append((name, line))
    made = {name: line for name, line in lines}
    results = [name for name in made if name not in used and
               not name.startswith(("a", "b"))][:3]
    if not results:
        results = [lines[-1][0]]
    order = scheduled(r, lines)
    mark = ""
    first = made[results[0]]
    if first.startswith(whole) and r.random() < 0.7:
        mark = (f", input_output_alias={{ {{0}}: (0, {{}}, "
                f"{r.choice(['must', 'may'])}-alias) }}")
    body = [f"p = {whole} parameter(0)", "v = f32[2] parameter(1)"]
    body += [f"c{k} = s32[] constant({k})" for k in range(n - 1)]
    body += [f"{name} = {line}" for name, line in order]
    shapes = ", ".join(made[x].split(" ")[0] for x in results)
    body.append(f"ROOT t = ({shapes}) tuple({', '.join(results)})")
    return (f"HloModule m, is_scheduled=true{mark}\n\nENTRY main {{\n  " +
            "\n  ".join(body) + "\n}\n")


def operands_in(line):
    inner = line[line.index("(") + 1:]
    return [w.strip() for w in inner[:inner.index(")")].split(",")]


def scheduled(r, lines):
    """Returns the lines in a random order that the data allow."""
    waiting, done, order = list(lines), set(), []
    names = {name for name, _ in lines}
    while waiting:
        ready = [x for x in waiting if
                 all(o in done or o not in names for o in operands_in(x[1]))]
        chosen = r.choice(ready)
        waiting.remove(chosen)
        done.add(chosen[0])
        order.append(chosen)
    return order


class Text:
    """The lines of a module, to be changed."""

    def __init__(self, text):
        self.lines = text.splitlines()

    def line_of(self, computation, name):
        """Returns the number of the line of an instruction, or None."""
        inside = False
        for k, line in enumerate(self.lines):
            if line.endswith("{") and " = " not in line:
                words = line[:-1].split()
                inside = words[words[0] == "ENTRY"].lstrip("%") == computation
            elif inside and line.strip().removeprefix("ROOT ").startswith(
                    name + " = "):
                return k
        return None

    def reordered(self, computation, orders):
        """Returns the text in which each first instruction stands, with all
        that it needs, before the one that comes then."""
        names = [x.name for x in computation.instructions]
        for _ in orders:
            for order in orders:
                first, then = order["first"], order["then"]
                if names.index(first) < names.index(then):
                    continue
                needed, open_ = set(), [first]
                while open_:
                    name = open_.pop()
                    if name not in needed:
                        needed.add(name)
                        open_ += computation.by_name[name].operands
                assert then not in needed, (first, then)
                at = names.index(then)
                moved = [x for x in names[at:] if x in needed]
                names[at:] = moved + [x for x in names[at:] if x not in needed]
        numbers = [self.line_of(computation.name, x.name)
                   for x in computation.instructions]
        lines = list(self.lines)
        for number, name in zip(sorted(numbers), names):
            lines[number] = self.lines[self.line_of(computation.name, name)]
        return "\n".join(lines) + "\n"

    def merged(self, computation, first, second):
        """Returns the text with one kernel of both, where `second` stood; or
        None if that is no change of two lines."""
        a = self.line_of(computation.name, first)
        b = self.line_of(computation.name, second)
        if a is None or b is None:
            return None
        one = computation.by_name[first]
        two = computation.by_name[second]
        opcodes = {one.opcode, two.opcode}
        if opcodes & {"parameter", "call", "while", "conditional", "tuple",
                      "get-tuple-element", "custom-call"}:
            return None
        outer = []
        for name in one.operands + [o for o in two.operands if o != first]:
            if name not in outer:
                outer.append(name)
        if any(isinstance(computation.by_name[o].shape, list) for o in outer):
            return None
        inside = [f"{o} = {shape_text(self, computation, o)} parameter({k})"
                  for k, o in enumerate(outer)]
        inside.append(self.lines[a].strip().removeprefix("ROOT "))
        inside.append("ROOT " + self.lines[b].strip().removeprefix("ROOT "))
        root = "ROOT " if self.lines[b].strip().startswith("ROOT ") else ""
        fused = (f"  {root}{second} = {shape_text(self, computation, second)} "
                 f"fusion({', '.join(outer)}), kind=kLoop, "
                 f"calls=one_{first}_{second}")
        lines = list(self.lines)
        lines[b] = fused
        readers = [i for i in computation.instructions
                   if first in i.operands and i.name != second]
        if not readers and computation.root.name != first:
            del lines[a]
        head = [f"one_{first}_{second} {{"] + ["  " + x for x in inside] + ["}", ""]
        return "\n".join([lines[0], ""] + head + lines[1:]) + "\n"


def shape_text(text, computation, name):
    line = text.lines[text.line_of(computation.name, name)]
    rest = line.split(" = ", 1)[1]
    return rest[:rest.index(" ")]


class Donated(Simulator):
    """A run in which some parameters are given away."""

    def __init__(self, text, values, donated):
        super().__init__(text, values)
        self.donated = donated

    def given_away(self, places, sharing):
        return super().given_away(places, sharing) | self.donated


def chosen(simulator, more=()):
    """Returns places of the module that are right together, each tried after
    those before it. A compiler copies at the others."""
    found = list(more)
    for place in simulator.defaults():
        if is_right(simulator, found + [place]):
            found.append(place)
    return found


def is_right(simulator, places):
    if not places:
        return True
    return not any(simulator.outcomes(places).values())


def tried(question_text, values, row, donated=frozenset()):
    """Returns whether the change of a row is right; None if it is not tried."""
    before = Donated(question_text, values, donated)
    by, name, other = row["avoid_by"], row["instruction"], row.get("avoid_with")
    contexts = [(k, c.computation) for k, c in before.plain.contexts.items()
                if c.computation.name == row["computation"]]
    if len(contexts) != 1:
        return None
    key, computation = contexts[0]
    i = computation.by_name.get(name)
    if i is None:
        return None
    text = Text(question_text)
    if by in DROPPED and i.opcode == "copy":
        place = Place("copy", key, name, (), i.operands[0], ())
        given = set(donated)
        if by == "donate":
            number = [p.name for p in before.module.entry.parameters()].index(
                other)
            given.add((number, ()))
        made = question_text
        if row.get("avoid_order"):
            for order in row["avoid_order"]:
                owners = {c.computation.name: c.computation
                          for c in before.plain.contexts.values()
                          if {order["first"], order["then"]} <=
                          c.computation.by_name.keys()}
                if len(owners) != 1:
                    return None
                owner, = owners.values()
                made = Text(made).reordered(owner, [
                    o for o in row["avoid_order"]
                    if {o["first"], o["then"]} <= owner.by_name.keys()])
        after = Donated(made, values, frozenset(given))
        # What is in place as the module stands stays in place.
        return is_right(after, chosen(before) + [place])
    if by == "readers" or (by == "view" and i.opcode == "slice"):
        readers = [x.name for x in computation.instructions
                   if name in x.operands and x.opcode != "tuple"]
        if by == "view" and name in computation.root.operands:
            return None  # what is returned is for the caller to view
        pairs = [(name, x) for x in readers]
    elif by in MERGED:
        if other not in computation.by_name:
            return None
        order = [x.name for x in computation.instructions]
        pairs = [tuple(sorted((name, other), key=order.index))]
    else:
        return None
    kept = chosen(before)
    answers = []
    for first, second in pairs:
        made = text.merged(computation, first, second)
        if made is None:
            return None
        after = Donated(made, values, donated)
        wanted = []
        for p in kept:
            if p.name == first:
                return None  # the one kernel has no such result
            kind = "fusion" if p.name == second else p.kind
            operand = p.operand
            if p.name == second and operand == first:
                return None
            wanted.append(Place(kind, p.context, p.name, p.path, operand,
                                p.operand_path, p.demanded))
        answers.append(is_right(after, wanted))
    return all(answers) if answers else None


def rows_of(tool, text, folder):
    path = os.path.join(folder, "m.hlo")
    with open(path, "w") as f:
        f.write(text)
    done = subprocess.run([tool, "report", path, "--format=json", "--top=all"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"status {done.returncode}: {done.stderr[:300]}")
    return [row for row in json.loads(done.stdout)["kernels"]
            if row.get("avoid_by") in MERGED | DROPPED]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--modules", type=int, default=300)
    parser.add_argument("--seed", type=int, default=84)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    counts, wrong = collections.Counter(), 0
    questions = []
    if options.only is None:
        questions = [(f"move {k}", text, {}) for k, text in
                     enumerate(moved_into_itself())]
    numbers = ([options.only] if options.only is not None else
               [options.seed * 1000000 + k for k in range(options.modules)])
    for number in numbers:
        r = random.Random(number)
        text = random_module(r)
        questions.append((f"seed {number}", text, {}))
        if number % 2 == 0:
            questions.append((f"seed {number}", nested(r, text), {}))
        if number % 3 == 0:
            for q in pair(number):
                if "is_scheduled=true" in q.text and not q.share:
                    questions.append((f"seed {number}", q.text, {
                        (n, ()): v for n, v in q.values.items()}))
    with tempfile.TemporaryDirectory() as folder:
        for label, text, values in questions:
            counts["modules"] += 1
            where = " behind a call" if "\n\nENTRY" in text.strip() and \
                not text.split("\n\n")[1].startswith("ENTRY") else ""
            for row in rows_of(options.tool, text, folder):
                answer = tried(text, values, row)
                word = {None: "not tried", True: "right", False: "wrong"}
                by = row["avoid_by"] + (" in another order"
                                        if row.get("avoid_order") else "")
                by += where
                counts[f"{by}: {word[answer]}"] += 1
                if answer is False:
                    wrong += 1
                    if wrong <= MOST_SHOWN:
                        print(f"{label}: {row['instruction']}: {row['advice']}\n"
                              + text)
    for name, number in sorted(counts.items()):
        print(f"{number:8} {name}")
    print(f"seed {options.seed}; TEST INDEXICAL --only=SEED runs one module")
    if not any(name.endswith(": right") for name in counts):
        print("no advice was tried")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
