"""Runs a kernel's PTX, all threads of a block at once, as far as addresses go.

    figures(ptx, block=3, arguments=[None, None, None, 98432])
      {(0, "load"): {"accesses": …, "active_lanes": …, …}, …}

An argument None is a pointer. Each has addresses of its own, so that an
address says which argument it is of. Only straight code of the ops below is run;
other ops are an error. Floats have no value.
"""

import re

import numpy as np

LANES, SECTOR, LINE = 32, 32, 128
SPACE = 1 << 40  # between one pointer and the next


def figures(ptx, block, arguments):
    body = ptx[ptx.index(".entry"):]
    threads = int(re.search(r"\.reqntid (\d+)", body)[1])
    body = body[body.index("\n{") + 2:body.index("\n}")]
    lanes = np.arange(threads)
    values, found = {"%tid.x": lanes, "%ctaid.x": np.full(threads, block)}, {}

    def value(word):
        word = word.strip()
        if word.startswith("%"):
            return values[word]
        return np.full(threads, int(word, 0), dtype=np.int64)

    for line in body.split("\n"):
        line = line.split("//")[0].strip().rstrip(";")
        match = re.match(r"(?:@(!?)(%\w+) )?([a-z][\w.:]*)\s*(.*)$", line)
        if not match or line.startswith(".") or line.endswith(":"):
            continue
        negated, predicate, op, rest = match.groups()
        on = np.ones(threads, dtype=bool)
        if predicate:
            on = values[predicate] != (negated == "!")
        name, *parts = op.split(".")
        words = [w.strip() for w in re.sub(r"\{.*?\}", "{}", rest).split(",")]
        if name == "ret":
            return found
        if name in ("ld", "st") and "param" not in parts:
            access(parts, rest, value, on, found,
                   "load" if name == "ld" else "store")
        elif name == "ld":
            number = int(re.search(r"_param_(\d+)", rest)[1])
            given = arguments[number] if number < len(arguments) else None
            values[words[0]] = np.full(
                threads, (number + 1) * SPACE if given is None else given)
        elif "f32" in parts:
            values[words[0]] = None
        else:
            made = [value(word) for word in words[1:]]
            values[words[0]] = {
                "mov": lambda a: a, "shl": lambda a, b: a << b,
                "and": lambda a, b: a & b, "or": lambda a, b: a | b,
                "add": lambda a, b: a + b, "mul": lambda a, b: a * b,
                "setp": lambda a, b: a < b}[name](*made)
            if name == "setp" and parts[0] != "lt":
                raise ValueError("an op that is not run: " + line)
    return found


def access(parts, rest, value, on, found, kind):
    place = re.search(r"\[\s*(%\w+)\s*(?:\+\s*(-?\w+))?\s*\]", rest)
    address = value(place[1]) + int(place[2] or "0", 0)
    bits = int(re.search(r"\d+$", parts[-1])[0])
    count = next((int(p[1:]) for p in parts if re.fullmatch(r"v\d", p)), 1)
    size = bits // 8 * count
    sums = None
    for first in range(0, len(on), LANES):
        lanes = [i for i in range(first, min(first + LANES, len(on))) if on[i]]
        if not lanes:
            continue
        argument = int(address[lanes[0]]) // SPACE - 1
        sums = found.setdefault((argument, kind), dict.fromkeys(
            ("accesses", "active_lanes", "bytes_used", "sectors",
             "sectors_fewest", "lines"), 0))
        used = {int(address[i]) + b for i in lanes for b in range(size)}
        sums["accesses"] += 1
        sums["active_lanes"] += len(lanes)
        sums["bytes_used"] += len(used)
        sums["sectors"] += len({b // SECTOR for b in used})
        sums["sectors_fewest"] += -(-len(used) // SECTOR)
        sums["lines"] += len({b // LINE for b in used})
