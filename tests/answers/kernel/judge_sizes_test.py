#!/usr/bin/env python3
"""Verdicts for all sizes of pairs of kernels in Python, against runs of both.

  TEST INDEXICAL KERNELS [FIRST_SEED]

The random kernels and mutants of judge_mutants_test.py, judged without values
of their sizes. `same`, and the condition of `where`, is never said of sizes at
which a run tells the two apart; and a witness is one at its sizes. The runs are
of an interpreter of the language, which shares no code with the library.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import judge_mutants_test as pairs  # noqa: E402

COUNT = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 87000
problems, counts = [], {}


def judged(path, new, old, blocks, sizes, arrays, grids, assumed):
    for name, text in (("new", new), ("old", old)):
        with open(os.path.join(path, name + ".py"), "w") as file:
            file.write(text)
    call = [pairs.TOOL, "kernel", path + "/new.py", "--of=" + path + "/old.py",
            "--format=json", "--grid=" + grids[0], "--of-grid=" + grids[1],
            "--const=B=%d" % blocks[0], "--of-const=B=%d" % blocks[1]]
    call += ["--type=%s=i32" % name for name in sizes]
    call += ["--type=%s=*fp32" % name for name in arrays]
    call += ["--shape=%s=f32[%s]" % pair for pair in arrays.items()]
    call += ["--assume=" + text for text in assumed] + pairs.laws_of(old)
    done = subprocess.run(call, capture_output=True, text=True, check=False,
                          timeout=100)
    if done.returncode == 1:
        return None, done.stderr
    if done.returncode not in (0, 3, 4):
        return {"verdict": "crash"}, done.stderr
    return json.loads(done.stdout)["judge"], ""


def holds(text, sizes):
    """Whether a condition of the library's grammar holds at sizes."""
    words = text.replace(" = ", " == ").replace(" mod ", " % ")
    if "leaves its range" in words:  # of small sizes none does
        words = words.replace("no integer of 32 bits leaves its range", "True")
    names = dict(sizes, cdiv=lambda a, b: -(-a // b), min=min, max=max)
    return eval(words, {}, names)


def random_sizes(rng, names, blocks):
    """Sizes around blocks, 1 among them."""
    def size():
        block = rng.choice(blocks)
        return max(1, rng.choice([rng.randrange(1, 20), block, block * 2,
                                  block + 1, block - 1, 1]))
    made = {name: size() for name in names}
    if rng.randrange(4) == 0:  # equal ones
        made = dict.fromkeys(made, size())
    return made


def met(sizes, conditions):
    """Sizes with what equalities and divisors say of one name."""
    made = dict(sizes)
    for text in conditions:
        name, _, other = text.partition(" == ")
        if other and name in made:
            made[name] = eval(other, {}, dict(made))
        elif other == "0":
            name, _, by = name.partition(" % ")
            made[name] = max(1, made[name] // int(by)) * int(by)
    return made


def conditions_of(rng, names):
    """What is assumed of several sizes, or of one in another way."""
    one, other = (rng.sample(names, 2) if len(names) > 1 else names * 2)
    made = ["%s %% %d == 0" % (one, rng.choice([2, 8, 16, 48])),
            "3 * %s <= %d" % (one, rng.choice([30, 200]))]
    if one != other:
        made += ["%s <= %s" % (one, other), "%s == %s" % (one, other),
                 "%s == 2 * %s" % (one, other), "%s > %s + 3" % (one, other),
                 "%s == %s + 1" % (one, other),
                 "%s * %s <= 2000" % (one, other),
                 "cdiv(%s, 16) < %s" % (one, other)]
    return rng.sample(made, rng.randrange(1, 3))


def check_where(rng, texts, arrays, blocks, names, grids, conditions):
    """What a run at sizes of the conditions shows against `same`, or ""."""
    tried = 0
    for _ in range(60):
        sizes = met(random_sizes(rng, names, blocks), conditions)
        if not all(holds(text, sizes) for text in conditions):
            continue
        if min(map(min, (pairs.number_of(grid, sizes, block)
                         for grid, block in zip(grids, blocks)))) < 1:
            continue
        sides = [pairs.Runs(text, grid, arrays, sizes, block)
                 for text, grid, block in zip(texts, grids, blocks)]
        wrong = pairs.check_same(rng, *sides)
        if wrong:
            return "at %s: %s" % (sizes, wrong)
        tried += 1
        if tried >= 3:
            break
    return ""


def check(seed, path):
    rng = random.Random(seed)
    old, grid, arrays, sizes, block, other = pairs.source_of(rng)
    new = pairs.mutant(rng, old) if rng.randrange(4) else old
    if rng.randrange(3) == 0:
        other = block
    blocks, names = (other, block), list(sizes)
    grids = (grid, grid)
    if rng.randrange(12) == 0:  # programs that are missing, or too many
        grids = (grid + rng.choice([" + 1", " - 1"]) if "," not in grid
                 else grid, grid)
    assumed = []
    if rng.randrange(3) == 0 and "C" in sizes:
        assumed.append("C <= %d" % min(blocks))
    elif rng.randrange(2) == 0:
        assumed = conditions_of(rng, names)
    found, message = judged(path, new, old, blocks, sizes, arrays, grids,
                            assumed)

    def problem(what):
        problems.append(seed)
        print("seed %d: %s\n%s\n%s\n%s, B=%d, old B=%d, %s\n%s" % (
            seed, what, new, old, grids, other, block, assumed,
            found or message))

    if found is None:  # a mutant that Triton refuses
        counts["refused"] = counts.get("refused", 0) + 1
        return
    verdict, of = found["verdict"], found.get("sizes", {})
    counts[verdict] = counts.get(verdict, 0) + 1
    if assumed:
        word = verdict + ", assumed"
        counts[word] = counts.get(word, 0) + 1
    wrong = ""
    try:
        if verdict == "same":
            wrong = check_where(rng, (new, old), arrays, blocks, names, grids,
                                assumed)
        elif verdict not in ("different", "undecided", "same_where"):
            wrong = "it is no verdict"
        if "where" in of:
            counts["where"] = counts.get("where", 0) + 1
            wrong = wrong or check_where(rng, (new, old), arrays, blocks, names,
                                         grids, assumed + [of["where"]])
        if verdict == "different" and not wrong:
            sides = [pairs.Runs(text, grid, arrays, of["values"], block)
                     for text, grid, block in zip((new, old), grids, blocks)]
            wrong = pairs.check_witness(found["witness"], *sides)
            if not all(holds(text, of["values"]) for text in assumed):
                wrong = wrong or "the sizes are not those of --assume"
            if "where" in of and holds(of["where"], of["values"]):
                wrong = wrong or "its sizes are those of the condition"
        # What is the same under a condition is the same where it is assumed.
        where = of.get("where", "")
        if where and "leaves its range" not in where and not wrong:
            again, message = judged(path, new, old, blocks, sizes, arrays,
                                    grids, assumed + [where])
            counts["again"] = counts.get("again", 0) + 1
            if not again or again["verdict"] != "same":
                wrong = "--assume=%s gives %s" % (where, again or message)
    except pairs.Refused as error:
        wrong = "the interpreter refuses it: %s" % (error,)
    if wrong:
        problem("%s, but %s" % (verdict, wrong))


def main():
    with tempfile.TemporaryDirectory() as path:
        for seed in range(SEED, SEED + COUNT):
            check(seed, path)
            if len(problems) > 5:
                break
    print("kernels", COUNT, "first seed", SEED, counts)
    decided = counts.get("same", 0) + counts.get("different", 0)
    few = decided * 2 < COUNT or not counts.get("same")
    if few or (COUNT >= 100 and not counts.get("where")):
        print("too few are decided")
        few = True
    sys.exit(1 if problems or few else 0)


if __name__ == "__main__":
    main()
