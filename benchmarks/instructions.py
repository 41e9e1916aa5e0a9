#!/usr/bin/env python3
"""Counts the instructions that calls of the command execute.

    instructions.py INDEXICAL TABLE [--write] [ROW…]

Prints a row for each call: millions of executed instructions (Valgrind's
callgrind), the number in the table, and the ratio. `--write` writes the table
anew. A call on an empty input is taken off, so a row holds the work alone.

Times of a busy machine differ by a third between two runs. These numbers do
not, for the same binary, compiler and libraries: a rise of 3% is a change of
the code, and the commit that makes it says so.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import growth


def maps(count):
    """Maps with sums of products, quotients and remainders in one another."""
    draw = random.Random(1)

    def expression(depth):
        if depth == 0:
            return "%s * %d" % (draw.choice(("d0", "d1", "d2", "s0")),
                                draw.randint(1, 40))
        a = expression(depth - 1)
        kind = draw.randrange(4)
        if kind == 0:
            return "(%s) floordiv %d" % (a, draw.randint(2, 64))
        if kind == 1:
            return "(%s) mod %d" % (a, draw.randint(2, 64))
        return "%s + %s" % (a, expression(depth - 1))

    lines = []
    for _ in range(count):
        lines.append(
            "(d0, d1, d2)[s0] -> (%s, %s), domain: d0 in [0, %d], "
            "d1 in [0, %d], d2 in [0, %d], s0 in [0, %d]\n"
            % (expression(4), expression(3), draw.randint(1, 200),
               draw.randint(1, 64), draw.randint(1, 64), draw.randint(1, 16)))
    return "".join(lines)


def chain(count):
    """Reshapes to and from a matrix, transposed in between."""
    steps = ("(d0, d1) -> (d0 * 24 + d1), domain: d0 in [0, 31], "
             "d1 in [0, 23]\n",
             "(d0) -> (d0 floordiv 48, d0 mod 48), domain: d0 in [0, 767]\n",
             "(d0, d1) -> (d1, d0), domain: d0 in [0, 15], d1 in [0, 47]\n",
             "(d0, d1) -> (d0 * 16 + d1), domain: d0 in [0, 47], "
             "d1 in [0, 15]\n",
             "(d0) -> (d0 floordiv 24, d0 mod 24), domain: d0 in [0, 767]\n")
    return "".join(steps[n % len(steps)] for n in range(count))


def module(form, size):
    parts = []
    growth.FORMS[form](parts.append, size)
    return "".join(parts)


EMPTY_MAPS = "(d0) -> (d0), domain: d0 in [0, 3]\n"
EMPTY_MODULE = "HloModule m\nENTRY e {\n ROOT p = f32[4] parameter(0)\n}\n"

# The row, the call, the suffix of its input, and this.
ROWS = [
    ("simplify", "simplify", "maps", lambda: maps(300)),
    ("simplify again", "simplify", "maps", None),
    ("compose", "compose", "maps", lambda: chain(60)),
    ("cold maps", "dump --format=jsonl", "hlo",
     lambda: module("different", 1500)),
    ("maps of loops", "dump --format=jsonl", "hlo", lambda: module("loops", 60)),
    ("maps of fusions", "dump --format=jsonl", "hlo",
     lambda: module("long", 3000)),
    ("parse", "dump --instruction=%end", "hlo", lambda: module("wide", 20000)),
    ("print", "dump", "hlo", lambda: module("chain", 5000)),
    ("kernels that differ", "report --format=json", "hlo",
     lambda: module("kernels", 400)),
    ("equal, in values", "equal --values SAME", "hlo",
     lambda: module("fusions", 400)),
]


def counted(tool, call, path):
    command, *options = call.replace("SAME", path).split()
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool,
         command, *options, "--jobs=1", path],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        check=False, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        sys.exit("%s: %s" % (" ".join((tool, call, path)), done.stderr))
    return int(found[1]), done.stdout


def known(path):
    rows = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                match = re.match(r"\| (.+?) \| .*\| ([\d.]+) \|$", line.strip())
                if match:
                    rows[match[1]] = float(match[2])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("indexical")
    parser.add_argument("table")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    before, table, printed = known(options.table), [], ""
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write(text)
            return path

        empty = {"maps": write("empty.maps", EMPTY_MAPS),
                 "hlo": write("empty.hlo", EMPTY_MODULE)}
        for number, (row, call, suffix, text) in enumerate(ROWS):
            if options.rows and row not in options.rows and text is not None:
                continue
            own = call.replace("--instruction=%end", "--instruction=p")
            path = write("%d.%s" % (number, suffix),
                         printed if text is None else text())
            itself, _ = counted(options.indexical, own, empty[suffix])
            work, printed = counted(options.indexical, call, path)
            millions = (work - itself) / 1e6
            old = before.get(row)
            ratio = "%.3f" % (millions / old) if old else "new"
            print("%-22s %10.1f million  %s%s"
                  % (row, millions, ratio,
                     "  ROSE" if old and millions > 1.03 * old else ""),
                  flush=True)
            table.append("| %s | `%s` | %.1f |\n" % (row, call, millions))
    if options.write:
        with open(options.table, "w") as file:
            file.write("| row | call | millions of instructions |\n"
                       "|---|---|---|\n" + "".join(table))


if __name__ == "__main__":
    main()
