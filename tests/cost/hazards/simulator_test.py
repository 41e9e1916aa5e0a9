#!/usr/bin/env python3
"""The simulator of hazards, held to cases whose words are known.

  TEST

Small modules stand below. Where INDEXICAL_CORPUS names the folder, the modules
of hazard_cases/ beside it are answered too: word, condition and the first
element that is wrong.
"""

import os
import re
import sys

from hlo_text import path_of, read_module
from simulator import Simulator, read_values


def answers_of(simulator, question):
    """Returns the answers to a question of index.tsv."""
    kind, _, rest = question.partition(" ")
    if kind == "share":
        m = re.match(r"(\w+)\{([\d,]*)\}=(\d+)\{([\d,]*)\}", rest)
        return [simulator.answer([simulator.share(
            m.group(1), path_of(m.group(2)), int(m.group(3)),
            path_of(m.group(4)))])]
    if kind == "copies":
        places = [simulator.place("copy", n)[0] for n in rest.split()]
        together = places + [p for p in simulator.defaults()]
        return [simulator.answer(together, "copy")]
    if kind in ("alias", "place"):
        places = [p for p in simulator.defaults()
                  if kind == "place" or p.kind == kind]
    elif kind == "update":
        places = (simulator.place("update", rest)
                  or simulator.place("scatter", rest))
    else:
        places = simulator.place(kind, rest)
    return [simulator.answer(simulator.group(p), p.kind, p.demanded)
            for p in places]


ORDER = ["hazard", "must copy", "safe if", "needless copy", "safe in place"]


def worst_of(answers):
    return min(answers, key=lambda a: ORDER.index(a.word()))


def safe_numbers(answer):
    """Returns the safe values of the first parameter that has several."""
    return sorted({values[0][1] for values in answer.safe_values()})


def problem_of(text, question, word, values):
    simulator = Simulator(text, read_values(values, read_module(text)))
    answer = worst_of(answers_of(simulator, question))
    found = answer.word()
    if not simulator.is_complete:
        return "not all orders were tried"
    if word.startswith("safe if k="):
        wanted = [int(k) for k in re.findall(r"k=(\d+)", word)]
        if found != "safe if" or safe_numbers(answer) != wanted:
            return f"{found} {safe_numbers(answer)}, not {word}"
        return None
    if word == "safe if order":
        word = "safe if"
        if not answer.right_everywhere():
            return "no order is right for all values"
    return None if found == word else f"{found}, not {word}"


SMALL = """
c1 {
  a = f32[4] parameter(0)
  s = f32[%d] slice(a), slice={[%d:%d]}
  z = s32[] constant(%d)
  ROOT u = f32[4] dynamic-update-slice(a, s, z)
}

ENTRY main {
  p = f32[4] parameter(0)
  ROOT f = f32[4] fusion(p), kind=kLoop, calls=c1
}
"""

READER = """
ENTRY main {
  p = f32[4] parameter(0)
  n = f32[4] negate(p)
  v = f32[2] parameter(1)
  z = s32[] constant(0)
  d = f32[4] dynamic-update-slice(n, v, z)
  s = f32[2] slice(n), slice={[%d:%d]}
  ROOT t = (f32[4], f32[2]) tuple(d, s)
}
"""

# The target is known to a run, and clamped to 2.
TARGET = """
c1 {
  a = f32[4] parameter(0)
  k = s32[] parameter(1)
  s = f32[2] slice(a), slice={[0:2]}
  n = f32[2] negate(s)
  ROOT u = f32[4] dynamic-update-slice(a, n, k)
}

ENTRY main {
  p = f32[4] parameter(0)
  k = s32[] parameter(1)
  ROOT f = f32[4] fusion(p, k), kind=kLoop, calls=c1
}
"""

NARROWED = """
ENTRY main {
  p = f32[4] parameter(0)
  ROOT c = bf16[4] convert(p)
}
"""

# The row sums come last; another result is written by whoever reads there.
SUMS = """
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}

c1 {
  a = f32[3,2] parameter(0)
  z = f32[] constant(0)
  s = f32[3] reduce(a, z), dimensions={1}, to_apply=add
  e = f32[3,2] %s
  ROOT t = (f32[3], f32[3,2]) tuple(s, e)
}

ENTRY main {
  p = f32[3,2] parameter(0)
  ROOT f = (f32[3], f32[3,2]) fusion(p), kind=kInput, calls=c1
}
"""

# No result lies in p, and p changes.
CHANGED = """
ENTRY main {
  p = f32[4] parameter(0)
  v = f32[2] parameter(1)
  z = s32[] constant(1)
  d = f32[4] dynamic-update-slice(p, v, z)
  ROOT e = f32[4] exponential(d)
}
"""

COPIED = """
ENTRY main {
  p = f32[4] parameter(0)
  v = f32[2] parameter(1)
  z = s32[] constant(1)
  n = f32[4] negate(p)
  c = f32[4] copy(n)
  d = f32[4] dynamic-update-slice(c, v, z)
  e = f32[4] exponential(%s)
  ROOT t = (f32[4], f32[4]) tuple(d, e)
}
"""

TURNS = """
cond {
  q = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  m = s32[] constant(%d)
  ROOT l = pred[] compare(i, m), direction=LT
}

body {
  q = (s32[], f32[3], f32[3]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  x = f32[3] get-tuple-element(q), index=1
  y = f32[3] get-tuple-element(q), index=2
  a = f32[3] negate(x)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[3], f32[3]) tuple(j, %s)
}

ENTRY main {
  p = f32[3] parameter(0)
  r = f32[3] parameter(1)
  z = s32[] constant(0)
  x = f32[3] tanh(p)
  y = f32[3] tanh(r)
  t = (s32[], f32[3], f32[3]) tuple(z, x, y)
  ROOT w = (s32[], f32[3], f32[3]) while(t), condition=cond, body=body
}
"""

PLAIN, SCHEDULED = "HloModule m\n", "HloModule m, is_scheduled=true\n"
CASES = [
    (PLAIN + SMALL % (2, 0, 2, 0), "share f{}=0{}", "safe in place", ""),
    (PLAIN + SMALL % (2, 0, 2, 1), "share f{}=0{}", "hazard", ""),
    (PLAIN + SMALL % (2, 0, 2, 2), "share f{}=0{}", "safe in place", ""),
    (PLAIN + SMALL % (3, 1, 4, 0), "share f{}=0{}", "hazard", ""),
    (SCHEDULED + READER % (2, 4), "update d", "safe in place", ""),
    (SCHEDULED + READER % (1, 3), "update d", "must copy", ""),
    (PLAIN + READER % (1, 3), "update d", "safe if order", ""),
    (PLAIN + TARGET, "share f{}=0{}", "safe if k=0 or k=2 or k=3", "k=0..3"),
    (PLAIN + NARROWED, "share c{}=0{}", "hazard", ""),
    (PLAIN + SUMS % "exponential(a)", "share f{1}=0{}", "safe in place", ""),
    (PLAIN + SUMS % "exponential(a)", "share f{0}=0{}", "safe in place", ""),
    (PLAIN + SUMS % "reverse(a), dimensions={1}", "share f{1}=0{}", "hazard",
     ""),
    (SCHEDULED + CHANGED, "update d", "must copy", ""),
    (SCHEDULED + COPIED % "d", "copy c", "needless copy", ""),
    (SCHEDULED + COPIED % "n", "copy c", "must copy", ""),
    (SCHEDULED + TURNS % (2, "a, y"), "carry w", "safe in place", ""),
    (SCHEDULED + TURNS % (2, "y, a"), "carry w", "must copy", ""),
    (SCHEDULED + TURNS % (1, "x, y"), "carry w", "safe in place", ""),
]


def main():
    problems, count = [], 0
    cases = [("small %d" % k, *c) for k, c in enumerate(CASES)]
    folder = os.path.join(os.path.dirname(
        os.environ.get("INDEXICAL_CORPUS", "").rstrip("/")), "hazard_cases")
    if os.path.exists(os.path.join(folder, "index.tsv")):
        for line in open(os.path.join(folder, "index.tsv")):
            name, question, word, values = line.rstrip("\n").split("\t")[:4]
            if name.endswith(".hlo"):
                text = open(os.path.join(folder, "cases", name)).read()
                cases.append((name, text, question, word, values))
    else:
        print("SKIPPED: the folder hazard_cases/ is not beside "
              "INDEXICAL_CORPUS")
    for name, text, question, word, values in cases:
        found = problem_of(text, question, word, values)
        count += 1
        if found:
            problems.append(name)
            print(f"{name}: {question}: {found}")
    print(f"{count} cases, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
