"""Asks `indexical equal --values` about pairs whose truth is known.

A pair is two programs (program_nodes.py) of the same parameters, and whether
the second is a right rewrite. Both run on random inputs. A pair that differs
there must not be `equal`; one that is right must not be `different`; and the
numbers of every witness must be those that the interpreter computes.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

import program_nodes as nodes


def same(a, b):
    """Whether two numbers are one, zeros by their signs."""
    if isinstance(a, float) and isinstance(b, float) and a == b == 0:
        return math.copysign(1, a) == math.copysign(1, b)
    return a == b


def ask(tool, folder, first, second, parameters, arguments):
    paths = []
    for name, root in (("a.hlo", first), ("b.hlo", second)):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "w") as file:
            file.write(nodes.text(root, parameters))
    done = subprocess.run(
        [tool, "equal", "--values", "--format=json", *arguments, *paths],
        capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 3, 4):
        return None, done.stderr
    return json.loads(done.stdout), ""


def number(text):
    return float(text) if any(c in text for c in ".einf") else int(text)


def is_wrong_witness(said, first, second, parameters):
    """Returns what the interpreter has in place of a witness's numbers."""
    witness = said.get("terms", {}).get("witness")
    if not witness:
        return None
    others = witness.get("others", 0)
    inputs = {}
    for p in parameters:
        values = [nodes.wrapped(others, p.type)] * math.prod(p.shape)
        inputs[p.argument] = values
    for given in witness["inputs"]:
        p = next(q for q in parameters if q.argument == given["parameter"])
        inputs[p.argument][nodes.place(p.shape, given["element"])] = (
            nodes.wrapped(number(given["value"]), p.type))
    for word, root in (("first", first), ("second", second)):
        found = root.evaluate(inputs)[nodes.place(root.shape, witness["index"])]
        if abs(found - number(witness[word])) > 1e-5 * max(1, abs(found)):
            return f"{word}: {witness[word]}, and it is {found}"
    return None


def run(make_pair, arguments=()):
    """make_pair(random) returns first, second, parameters, draw, name and
    whether the second is right; draw(random) returns inputs."""
    tool, options = sys.argv[1], sys.argv[2:]
    pairs, seed = 200, random.randrange(1 << 30)
    for option in options:
        if option.startswith("--pairs="):
            pairs = int(option[8:])
        if option.startswith("--seed="):
            seed = int(option[7:])
    print(f"{pairs} pairs from seed {seed}")
    words, bad = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(pairs):
            rnd = random.Random(seed + k)
            first, second, parameters, draw, name, is_right = make_pair(rnd)
            differ = False
            for _ in range(40):
                inputs = draw(rnd)
                differ |= not all(map(same, first.evaluate(inputs),
                                      second.evaluate(inputs)))
            said, error = ask(tool, folder, first, second, parameters,
                              arguments)
            word = said["answer"] if said else "error"
            if is_right and differ:
                word = "the rewrite is wrong"
            wrong = None
            if word in ("error", "the rewrite is wrong"):
                wrong = error or word
            elif word in ("equal", "fewer reads") and differ:
                wrong = "equal, and they differ"
            elif word == "different":
                if is_right:
                    wrong = "different, and the rewrite is right"
                else:
                    wrong = is_wrong_witness(said, first, second, parameters)
            truth = "right" if is_right else "differ" if differ else "unknown"
            key = (name, truth)
            words.setdefault(key, {}).setdefault(word, 0)
            words[key][word] += 1
            if wrong:
                bad += 1
                print(f"--seed={seed + k} --pairs=1: {name}: {wrong}")
                if bad <= 3:
                    print(nodes.text(first, parameters))
                    print(nodes.text(second, parameters))
    totals = {}
    for (name, truth), counts in sorted(words.items()):
        print(f"{name:24} {truth:8} "
              + ", ".join(f"{n} {w}" for w, n in sorted(counts.items())))
        for word, n in counts.items():
            totals[truth, word] = totals.get((truth, word), 0) + n
    print({f"{t} {w}": n for (t, w), n in sorted(totals.items())})
    return bad, totals
