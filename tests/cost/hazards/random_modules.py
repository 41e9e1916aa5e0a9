"""Random pairs of small HLO modules that differ in one offset.

   for question in pair(random.Random(7)): ...

A Question is a module's text, a pair to share (or "": all places), and the
values that parameters of the run have. Both of a pair come from one choice of
everything but the offset, so their words differ only by it.
"""

import random
from dataclasses import dataclass, field


@dataclass
class Question:
    family: str
    text: str
    share: str = ""
    values: dict = field(default_factory=dict)  # of parameters, by number


def array(dtype, dims, layout=""):
    return f"{dtype}[{','.join(map(str, dims))}]{layout}"


def slices(starts, sizes):
    return "slice={" + ",".join(f"[{s}:{s + n}]" for s, n in
                                zip(starts, sizes)) + "}"


# Values of a scalar, beside those near the indices.
EDGES = [-2**31, 2**31 - 2, 2**31 - 1]

ADD = """add {
  x = %s[] parameter(0)
  y = %s[] parameter(1)
  ROOT z = %s[] add(x, y)
}
"""

SET = """set {
  x = %s[] parameter(0)
  ROOT y = %s[] parameter(1)
}
"""


def module(head, *computations):
    return "HloModule m" + head + "\n\n" + "\n".join(computations)


def computation(name, lines):
    return name + " {\n" + "\n".join("  " + x for x in lines) + "\n}\n"


def constants(numbers):
    """Returns lines of scalar constants c0, c1 ..., one for each number."""
    return [f"c{n} = s32[] constant({n})" for n in sorted(set(numbers))]


def move(r, offset):
    """A part of p, moved within p by one fusion."""
    dtype = r.choice(["f32", "f32", "bf16", "s8"])
    rank = r.choice([1, 1, 2])
    dims = [r.randint(4, 7)] if rank == 1 else [r.randint(3, 4),
                                                r.randint(2, 3)]
    sizes = [r.randint(1, dims[0] - 1)] + [
        r.randint(1, n) for n in dims[1:]]
    form = r.choice(["same", "negate", "negate", "reverse", "transpose",
                     "broadcast"])
    if form == "transpose" and rank == 2:
        sizes = [min(sizes)] * 2
    layout = r.choice(["", "{0,1}"]) if rank == 2 else ""
    source = [r.randint(0, n - w) for n, w in zip(dims, sizes)]
    target = [r.randint(0, n - w) for n, w in zip(dims, sizes)]
    read = r.choice(["slice", "slice", "k"])
    written = r.choice(["constant", "constant", "k", "k + 1"])
    target[0] += offset
    whole, part = array(dtype, dims, layout), array(dtype, sizes, layout)
    taken = [1] + sizes[1:] if form == "broadcast" else sizes
    some = array(dtype, taken, layout)
    lines = [f"a = {whole} parameter(0)"]
    uses_k = "k" in (read + written)
    lines += ["k = s32[] parameter(1)"] if uses_k else []
    lines += constants([*target, *source, 1 + offset])
    lines += [f"j = s32[] add(k, c{1 + offset})"] if "+" in written else []
    if read == "k":
        starts = ", ".join(["k"] + [f"c{s}" for s in source[1:]])
        lines.append(f"s = {some} dynamic-slice(a, {starts}), "
                     f"dynamic_slice_sizes={{{','.join(map(str, taken))}}}")
    else:
        lines.append(f"s = {some} slice(a), {slices(source, taken)}")
    moves = {
        "same": "copy(s)", "negate": "negate(s)",
        "reverse": "reverse(s), dimensions={0}",
        "transpose": "transpose(s), dimensions=" + (
            "{1,0}" if rank == 2 else "{0}"),
    }
    if form == "broadcast":
        tail = sizes[1:]
        lines.append(f"q = {array(dtype, tail)} reshape(s)")
        kept = ",".join(str(d + 1) for d in range(len(tail)))
        lines.append(f"v = {part} broadcast(q), dimensions={{{kept}}}")
    else:
        lines.append(f"v = {part} {moves[form]}")
    first = {"constant": f"c{target[0]}", "k": "k", "k + 1": "j"}[written]
    starts = ", ".join([first] + [f"c{t}" for t in target[1:]])
    lines.append(f"ROOT u = {whole} dynamic-update-slice(a, v, {starts})")
    aliased = r.random() < 0.3
    head = (", is_scheduled=true, input_output_alias={ {}: (0, {}, "
            f"{r.choice(['must', 'may'])}-alias) }}") if aliased else ""
    main = [f"p = {whole} parameter(0)"]
    main += ["k = s32[] parameter(1)"] if uses_k else []
    main.append(f"ROOT f = {whole} fusion(p{', k' if uses_k else ''}), "
                "kind=kLoop, calls=c")
    # k + 2 is clamped from below where k is -2 and less, and may wrap.
    values = {1: list(range(-4, dims[0] + 1)) + EDGES} if uses_k else {}
    return Question("move", module(head, computation("c", lines),
                                   computation("ENTRY main", main)),
                    "" if aliased else "f{}=0{}", values)


def whole(r, offset):
    """A result that is p in other places, beside other values or bytes."""
    n = r.randint(4, 6)
    form = r.choice(["roll", "concatenate", "pad", "convert", "reshape",
                     "layout", "window"])
    at = r.randint(0, 2) + offset
    p, result, share = f"f32[{n}]", f"f32[{n}]", "f{}=0{}"
    lines = [f"a = {p} parameter(0)"]
    if form == "roll":
        parts = [f"s{k} = f32[{w}] slice(a), slice={{[{b}:{b + w}]}}" for
                 k, b, w in ((0, at, n - at), (1, 0, at)) if w]
        names = ", ".join(f"s{k}" for k in range(len(parts)))
        lines += parts
        last = f"concatenate({names}), dimensions={{0}}"
    elif form == "concatenate":
        w = r.randint(1, n - at) if at < n else 1
        b = min(at, n - w)
        lines += [f"w = f32[{n - w}] parameter(1)" if n > w else "",
                  f"s = f32[{w}] slice(a), slice={{[{b}:{b + w}]}}"]
        last = (f"concatenate(s, w), dimensions={{0}}" if n > w else "copy(s)")
    elif form == "pad":
        low = at if r.random() < 0.5 else -at
        lines += ["z = f32[] constant(0)"]
        last = f"pad(a, z), padding={low}_{-low}"
    elif form == "convert":
        to = r.choice(["s32", "bf16", "f32"]) if offset else "s32"
        result = f"{to}[{n}]"
        last = "convert(a)" if to != "f32" else "abs(a)"
    elif form == "reshape":
        p, result = "f32[2,3]", "f32[6]"
        lines = [f"a = {p} parameter(0)", f"b = {p} negate(a)"]
        lines += [f"t = f32[3,2] transpose(b), dimensions={{1,0}}"]
        last = f"bitcast({'t' if offset else 'b'})"
    elif form == "layout":
        p = "f32[3,3]" + ("{0,1}" if offset else "")
        result = "f32[3,3]"
        lines = [f"a = {p} parameter(0)"]
        last = r.choice(["negate(a)", "transpose(a), dimensions={1,0}"])
    else:
        # Sums of neighbours: each result reads from `at` elements before it.
        # Of another number than 0: a sum with 0 changes -0 alone.
        lines += ["z = f32[] constant(3)",
                  f"b = f32[{n}] pad(a, z), padding={at}_{-at}"]
        last = "add(a, b)"
    lines = [x for x in lines if x] + [f"ROOT u = {result} {last}"]
    extra = any("w = f32" in x for x in lines)
    main = [f"p = {p} parameter(0)"]
    if extra:
        main.append(next(x for x in lines if "w = f32" in x))
    main.append(f"ROOT f = {result} fusion(p{', w' if extra else ''}), "
                "kind=kLoop, calls=c")
    return Question("whole", module("", computation("c", lines),
                                    computation("ENTRY main", main)), share)


def roots(r, offset):
    """A fusion of several roots, of which one lies in an operand."""
    n = r.randint(3, 5)
    kind = r.choice(["kLoop", "kLoop", "kInput"])
    p = f"f32[{n}]"
    lines = [f"a = {p} parameter(0)", f"b = {p} parameter(1)",
             "z = f32[] constant(3)"]
    at = r.randint(0, 1) + offset
    # No negate: its square is the square of what it negates.
    forms = [f"pad(%s, z), padding={at}_{-at}", "reverse(%s), dimensions={0}",
             "tanh(%s)", "exponential(%s)", "copy(%s)"]
    lines.append(f"x = {p} {r.choice(forms[2:]) % r.choice('ab')}")
    first = forms[0] if r.random() < 0.7 else r.choice(forms)
    lines.append(f"y = {p} {first % r.choice('ab')}")
    lines.append(f"w = {p} {r.choice(['add', 'multiply'])}"
                 f"({r.choice('xab')}, {r.choice('yab')})")
    one, two = r.sample("xyw", 2)
    shape = f"({p}, {p})"
    lines.append(f"ROOT t = {shape} tuple({one}, {two})")
    main = [f"p = {p} parameter(0)", f"q = {p} parameter(1)",
            f"ROOT f = {shape} fusion(p, q), kind={kind}, calls=c"]
    return Question("roots", module("", computation("c", lines),
                                    computation("ENTRY main", main)),
                    f"f{{{r.randint(0, 1)}}}={r.randint(0, 1)}{{}}")


def reduction(r, offset):
    """Sums of rows, alone or beside what is made of each element."""
    rows, columns = r.randint(2, 4), r.randint(1, 3)
    p = f"f32[{rows},{columns}]"
    form = r.choice(["back", "alone", "extra", "extra"])
    at = r.randint(0, 1) + offset
    low = f"padding={at}_{-at}x0_0"
    # What rows are padded with adds up to a number: to add 0 changes -0 alone.
    lines = [f"a = {p} parameter(0)", "z = f32[] constant(0)",
             "w = f32[] constant(3)", f"b = {p} pad(a, w), {low}",
             f"s = f32[{rows}] reduce(b, z), dimensions={{1}}, to_apply=add"]
    if form == "alone":
        result, kind = f"f32[{rows}]", "kInput"
        lines[-1] = "ROOT " + lines[-1]
        share = "f{}=0{}"
    elif form == "back":
        result, kind = p, "kLoop"
        lines += [f"d = {p} broadcast(s), dimensions={{0}}",
                  f"ROOT e = {p} add(a, d)"]
        share = "f{}=0{}"
    else:
        result, kind = f"(f32[{rows}], {p})", "kInput"
        lines += [f"e = {p} exponential({r.choice('ab')})",
                  f"ROOT t = {result} tuple(s, e)"]
        share = f"f{{{r.randint(0, 1)}}}=0{{}}"
    main = [f"p = {p} parameter(0)",
            f"ROOT f = {result} fusion(p), kind={kind}, calls=c"]
    return Question("reduction", module(
        "", ADD % (("f32",) * 3), computation("c", lines),
        computation("ENTRY main", main)), share)


SCATTER = ("to_apply=%s, update_window_dims={}, inserted_window_dims={0}, "
           "scatter_dims_to_operand_dims={0}, index_vector_dim=1")


def scatter(r, offset):
    """A scatter with constant indices, as a fusion or with other readers."""
    n, m = r.randint(4, 5), r.randint(1, 3)
    how = r.choice(["add", "set"])
    indices = (sorted(r.sample(range(n - 1), m)) if how == "set" else
               [r.randint(0, n - 2) for _ in range(m)])
    indices = [k + offset for k in indices]
    reducer = ADD % (("f32",) * 3) if how == "add" else SET % (("f32",) * 2)
    lines = [f"a = f32[{n}] parameter(0)",
             f"i = s32[{m}] constant({{{', '.join(map(str, indices))}}})"]
    at = r.randint(0, n - m)
    if r.random() < 0.6:
        share = r.choice(["f{}=0{}", "f{}=0{}", "f{}=1{}"])
        if r.random() < 0.7:
            lines += [f"v = f32[{m}] slice(a), slice={{[{at}:{at + m}]}}",
                      f"w = f32[{m}] {r.choice(['negate', 'copy'])}(v)"]
            share = "f{}=0{}"
        else:
            lines += [f"b = f32[{n}] parameter(1)",
                      f"w = f32[{m}] slice(b), slice={{[{at}:{at + m}]}}"]
        has_b = any("parameter(1)" in x for x in lines)
        lines.append(f"ROOT s = f32[{n}] scatter(a, i, w), {SCATTER % how}")
        main = [f"p = f32[{n}] parameter(0)"]
        main += [f"q = f32[{n}] parameter(1)"] if has_b else []
        main.append(f"ROOT f = f32[{n}] fusion(p{', q' if has_b else ''}), "
                    "kind=kInput, calls=c")
        return Question("scatter", module(
            "", reducer, computation("c", lines),
            computation("ENTRY main", main)), share)
    lines = [f"p = f32[{n}] parameter(0)", f"v = f32[{m}] parameter(1)",
             lines[1], f"a = f32[{n}] negate(p)"]
    reader = [f"b = f32[{m}] slice(a), slice={{[{at}:{at + m}]}}",
              f"e = f32[{m}] exponential(b)"]
    own = [f"s = f32[{n}] scatter(a, i, v), {SCATTER % how}"]
    lines += r.choice([reader + own, own + reader, reader[:1] + own +
                       reader[1:]])
    lines.append(f"ROOT t = (f32[{n}], f32[{m}]) tuple(s, e)")
    head = r.choice(["", ", is_scheduled=true"])
    return Question("scatter", module(head, reducer,
                                      computation("ENTRY main", lines)))


def interleave(r, *series):
    """Returns the lines of all series, each in its own order."""
    series = [list(s) for s in series if s]
    found = []
    while series:
        s = r.choice(series)
        found.append(s.pop(0))
        series = [s for s in series if s]
    return found


def update(r, offset):
    """An update in a module, with readers, copies and aliases around it."""
    n, w, m = r.randint(4, 6), r.randint(1, 2), r.randint(1, 3)
    at, start = r.randint(0, n - m - 1), r.randint(0, n - w)
    moved = r.random() < 0.5
    at, start = (at + offset, start) if moved else (at, min(start + offset, n))
    runtime = r.random() < 0.3
    base = r.choice(["p", "n", "n"])
    copied = r.random() < 0.5
    k = "k" if runtime else "z"
    given = [f"p = f32[{n}] parameter(0)", f"v = f32[{w}] parameter(1)"]
    given += ["k = s32[] parameter(2)" if runtime else
              f"z = s32[] constant({start})"]
    given += [f"n = f32[{n}] negate(p)"] if base == "n" else []
    own = [f"c = f32[{n}] copy({base})"] if copied else []
    own.append(f"d = f32[{n}] dynamic-update-slice("
               f"{'c' if copied else base}, v, {k})")
    others, results = [], ["d"]
    read = r.choice([base, base, "d"])
    behind = [f"s = f32[{m}] slice({read}), slice={{[{at}:{at + m}]}}",
              f"e = f32[{m}] exponential(s)"]
    if r.random() < 0.8:
        results.append("e")
    else:
        behind = []
    more = r.random()
    if more < 0.2:
        others = [f"b = f32[{n}] copy({base})", f"g = f32[{n}] tanh(b)"]
        results.append("g")
    elif more < 0.35:
        others = [f"h = f32[{n}] dynamic-update-slice({base}, v, {k})"]
        results.append("h")
    elif more < 0.45 and base == "n":
        results.append("n")
    lines = given + (own + behind if read == "d" and behind else [])
    lines += interleave(r, *([others] if read == "d" and behind else
                             [own, behind, others]))
    sizes = {"d": n, "e": m, "g": n, "h": n, "n": n}
    shape = ", ".join(f"f32[{sizes[x]}]" for x in results)
    lines.append(f"ROOT t = ({shape}) tuple({', '.join(results)})")
    head = r.choice(["", ", is_scheduled=true", ", is_scheduled=true"])
    if r.random() < 0.5:
        head += (", input_output_alias={ {0}: (0, {}, "
                 f"{r.choice(['must', 'may'])}-alias) }}")
    values = {2: list(range(-1, n + 1))} if runtime else {}
    return Question("update", module(head, computation("ENTRY main", lines)),
                    "", values)


def loop(r, offset):
    """A loop that reads its carry some rows before the one it writes."""
    n = r.randint(3, 5)
    first = r.randint(0, 1)
    back = r.randint(-1, 1) + offset
    form = r.choice(["before", "after", "whole", "other"])
    body = ["q = (s32[], f32[%d], f32[1]) parameter(0)" % n,
            "i = s32[] get-tuple-element(q), index=0",
            f"x = f32[{n}] get-tuple-element(q), index=1",
            "y = f32[1] get-tuple-element(q), index=2",
            f"o = s32[] constant({back})", "one = s32[] constant(1)",
            "k = s32[] subtract(i, o)"]
    read = ["r = f32[1] dynamic-slice(x, k), dynamic_slice_sizes={1}",
            "e = f32[1] exponential(r)"]
    if form == "whole":
        body += [f"g = f32[{n}] exponential(x)",
                 f"r = f32[1] slice(g), slice={{[{first}:{first + 1}]}}"]
        body += [f"u = f32[{n}] dynamic-update-slice(x, r, k)"]
        result = "tuple(j, u, y)"
    elif form == "before":
        body += read + [f"u = f32[{n}] dynamic-update-slice(x, e, i)"]
        result = f"tuple(j, u, {r.choice(['y', 'r'])})"
    elif form == "after":
        body += [f"u = f32[{n}] dynamic-update-slice(x, y, i)"] + read
        result = "tuple(j, u, e)"
    else:
        body += [f"u = f32[{n}] {r.choice(['negate', 'reverse'])}(x)"]
        body[-1] += ", dimensions={0}" if "reverse" in body[-1] else ""
        body += read
        result = "tuple(j, u, e)"
    shape = f"(s32[], f32[{n}], f32[1])"
    body += ["j = s32[] add(i, one)", f"ROOT t = {shape} {result}"]
    cond = [f"q = {shape} parameter(0)",
            "i = s32[] get-tuple-element(q), index=0",
            f"m = s32[] constant({r.randint(1, n)})",
            "ROOT l = pred[] compare(i, m), direction=LT"]
    main = [f"p = f32[{n}] parameter(0)", "b = f32[1] parameter(1)",
            f"z = s32[] constant({first})", f"x = f32[{n}] negate(p)",
            "c = f32[1] negate(b)", f"t = {shape} tuple(z, x, c)",
            f"w = {shape} while(t), condition=cond, body=body",
            f"g = f32[{n}] get-tuple-element(w), index=1",
            "h = f32[1] get-tuple-element(w), index=2"]
    results = ["g", "h"]
    if r.random() < 0.3:
        at = r.randint(5, 7)
        main.insert(at, f"a = f32[{n}] tanh(x)")
        results.append("a")
    sizes = {"g": n, "h": 1, "a": n}
    shape = ", ".join(f"f32[{sizes[x]}]" for x in results)
    main.append(f"ROOT o = ({shape}) tuple({', '.join(results)})")
    return Question("loop", module(
        r.choice([", is_scheduled=true", ", is_scheduled=true", ""]),
        computation("cond", cond), computation("body", body),
        computation("ENTRY main", main)))


def call(r, offset):
    """An update in a computation that is called, its array read around."""
    n, w, m = r.randint(4, 5), r.randint(1, 2), r.randint(1, 3)
    start, at = r.randint(0, n - w), r.randint(0, n - m - 1) + offset
    inner = [f"a = f32[{n}] parameter(0)", f"v = f32[{w}] parameter(1)",
             f"z = s32[] constant({start})"]
    if r.random() < 0.4:
        inner += [f"c = f32[{n}] copy(a)",
                  f"ROOT d = f32[{n}] dynamic-update-slice(c, v, z)"]
    else:
        inner.append(f"ROOT d = f32[{n}] dynamic-update-slice(a, v, z)")
    base = r.choice(["p", "n", "n"])
    main = [f"p = f32[{n}] parameter(0)", f"v = f32[{w}] parameter(1)"]
    main += [f"n = f32[{n}] negate(p)"] if base == "n" else []
    reader = [f"s = f32[{m}] slice({base}), slice={{[{at}:{at + m}]}}",
              f"e = f32[{m}] exponential(s)"]
    own = [f"k = f32[{n}] call({base}, v), to_apply=c1"]
    main += interleave(r, reader, own)
    main.append(f"ROOT t = (f32[{n}], f32[{m}]) tuple(k, e)")
    head = r.choice(["", ", is_scheduled=true", ", is_scheduled=true"])
    if r.random() < 0.4:
        head += ", input_output_alias={ {0}: (0, {}, may-alias) }"
    return Question("call", module(head, computation("c1", inner),
                                   computation("ENTRY main", main)))


def aliases(r, offset):
    """Two results that lie in two parameters, or copies that take time."""
    n = r.randint(3, 5)
    p = f"f32[{n}]"
    at = r.randint(0, 1) + offset
    given = [f"p = {p} parameter(0)", f"q = {p} parameter(1)",
             "z = f32[] constant(0)"]
    if r.random() < 0.4:
        w = 1
        start = f"y = s32[] constant({min(at, n - 1)})"
        lines = given + [start, f"v = f32[{w}] slice(q), slice={{[0:{w}]}}"]
        lines += [f"s = ({p}, {p}, u32[]) copy-start(p)"]
        between = [f"d = {p} dynamic-update-slice(p, v, y)"]
        done = [f"e = {p} copy-done(s)"]
        m = n - 1
        read = [f"b = f32[{m}] slice(e), slice={{[{at if at < 2 else 1}:"
                f"{(at if at < 2 else 1) + m}]}}"]
        lines += r.choice([between + done, done + between]) + read
        lines.append(f"ROOT t = ({p}, f32[{m}]) tuple(d, b)")
        head = (", is_scheduled=true, input_output_alias={ {0}: (0, {}, "
                "must-alias) }")
        return Question("aliases", module(head, computation("ENTRY main",
                                                            lines)))
    shift = f"padding={at}_{-at}"
    one = [f"a = {p} pad({r.choice('pq')}, z), {shift}",
           f"x = {p} {r.choice(['add', 'multiply'])}(a, {r.choice('pq')})"]
    two = [f"y = {p} {r.choice(['tanh', 'exponential'])}({r.choice('pq')})"]
    lines = given + interleave(r, one, two)
    lines.append(f"ROOT t = ({p}, {p}) tuple({r.choice(['x, y', 'y, x'])})")
    marks = [r.choice(["must", "may"]) for _ in range(2)]
    head = r.choice(["", ", is_scheduled=true"])
    head += (f", input_output_alias={{ {{0}}: (0, {{}}, {marks[0]}-alias), "
             f"{{1}}: (1, {{}}, {marks[1]}-alias) }}")
    return Question("aliases", module(head, computation("ENTRY main", lines)))


def copies(r, offset):
    """A chain of copies, moves and updates that ends in an aliased result, in
    the entry or in the body of a loop."""
    n, at = r.randint(3, 5), r.randint(0, 1) + offset
    p = f"f32[{n}]"
    made, lines, v = ["a"], [], f"f32[{r.randint(1, 2)}]"
    for k in range(r.randint(2, 4)):
        form = r.choice(["copy", "copy", "update", "update", "negate",
                         "reverse"])
        of = made[-1] if r.random() < 0.75 else r.choice(made)
        rest = {"update": f", v, y{r.randint(0, 1)}"}.get(form, "")
        name = {"update": "dynamic-update-slice"}.get(form, form)
        after = ", dimensions={0}" if form == "reverse" else ""
        lines.append(f"x{k} = {p} {name}({of}{rest}){after}")
        made.append(f"x{k}")
    wide = int(v[4])
    starts = [f"y0 = s32[] constant({min(at, n - wide)})",
              "y1 = s32[] constant(0)"]
    other = r.choice(made[:-1])
    reader = f"e = {p} exponential({other})"
    place = [k for k, x in enumerate(["a = "] + lines)
             if x.startswith(other + " = ")][0]
    lines.insert(r.randint(place, len(lines)), reader)
    last = made[-1]
    # What nobody uses would be gone, and its reads with it.
    used = {last, "e"}
    for line in reversed(lines):
        name, _, rest = line.partition(" = ")
        if name in used:
            used.update(rest[rest.index("(") + 1:rest.index(")")].split(", "))
    lines = [x for x in lines if x.partition(" = ")[0] in used]
    head = r.choice(["", ", is_scheduled=true", ", is_scheduled=true"])
    given = [f"a = {p} parameter(0)", f"v = {v} parameter(1)"]
    if r.random() < 0.5:
        mark = r.choice(["must", "may"])
        if r.random() < 0.7:
            head += f", input_output_alias={{ {{0}}: (0, {{}}, {mark}-alias) }}"
        return Question("copies", module(head, computation(
            "ENTRY main", given + starts + lines +
            [f"ROOT t = ({p}, {p}) tuple({last}, e)"])))
    shape = f"(s32[], {p}, {v}, {p})"
    element = [f"a = {p} get-tuple-element(q), index=1",
               f"v = {v} get-tuple-element(q), index=2"]
    body = ([f"q = {shape} parameter(0)",
             "i = s32[] get-tuple-element(q), index=0",
             "one = s32[] constant(1)"] + element + starts + lines +
            # Else a turn would write what the one before has written.
            [f"n = {v} exponential(v)", "j = s32[] add(i, one)",
             f"ROOT t = {shape} tuple(j, {last}, n, e)"])
    turns = r.randint(1, 3)
    # Two turns of a reverse or a negation give the array itself, which lies
    # there already. No answer counts such turns.
    if turns == 2 and not any("update" in x for x in lines):
        turns = 3
    cond = [f"q = {shape} parameter(0)",
            "i = s32[] get-tuple-element(q), index=0",
            f"m = s32[] constant({turns})",
            "ROOT l = pred[] compare(i, m), direction=LT"]
    main = given + [f"b = {p} parameter(2)", "z = s32[] constant(0)",
                    f"c = {p} copy({r.choice('ab')})",
                    f"d = {p} {r.choice(['copy(b)', 'negate(b)', 'copy(c)'])}",
                    f"t = {shape} tuple(z, c, v, d)",
                    f"w = {shape} while(t), condition=cond, body=body",
                    f"g = {p} get-tuple-element(w), index=1",
                    f"h = {p} get-tuple-element(w), index=3"]
    if r.random() < 0.4:
        main.insert(r.randint(6, 8), f"k = {p} tanh({r.choice('abc')})")
        main.append(f"ROOT o = ({p}, {p}, {p}) tuple(g, h, k)")
    else:
        main.append(f"ROOT o = ({p}, {p}) tuple(g, h)")
    return Question("copies", module(head, computation("cond", cond),
                                     computation("body", body),
                                     computation("ENTRY main", main)))


def masked(r, offset):
    """A result whose elements are partly those of an operand, by their index,
    or all of them: by a mask, a concatenation, or a scatter of a gather."""
    n, m = r.randint(3, 5), r.randint(1, 3)
    p = f"f32[{n}]"
    at, most = r.randint(0, 1) + offset, r.randint(0, n)
    form = r.choice(["select", "select", "select", "concatenate", "gather"])
    lines = [f"a = {p} parameter(0)", f"b = {p} parameter(1)",
             "z = f32[] constant(3)"]
    changed = r.choice(["reverse(a), dimensions={0}", "exponential(a)",
                        f"pad(a, z), padding={at}_{-at}", "tanh(b)"])
    head, reducer = "", []
    if form == "select":
        one, two = r.choice([("x", "a"), ("a", "x")])
        lines += [f"x = {p} {changed}",
                  f"i = s32[{n}] iota(), iota_dimension=0",
                  f"k = s32[] constant({most})",
                  f"l = s32[{n}] broadcast(k), dimensions={{}}",
                  f"c = pred[{n}] compare(i, l), direction="
                  f"{r.choice(['LT', 'GE', 'EQ', 'NE'])}",
                  f"ROOT s = {p} select(c, {one}, {two})"]
    elif form == "concatenate":
        k = r.randint(1, n - 1)
        lines += [f"x = {p} {changed}",
                  f"c = f32[{k}] slice(x), slice={{[0:{k}]}}",
                  f"d = f32[{n - k}] slice(a), slice={{[{k}:{n}]}}",
                  f"ROOT s = {p} concatenate(c, d), dimensions={{0}}"]
    else:
        w = r.randint(1, 2)
        other = r.choice(["i", "i", "j"])
        lines += [f"i = s32[{w},1] constant({{{', '.join(['{%d}' % (at + k) for k in range(w)])}}})",
                  f"j = s32[{w},1] constant({{{', '.join(['{%d}' % k for k in range(w)])}}})",
                  f"g = f32[{w}] gather(a, {other}), offset_dims={{}}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1}",
                  f"ROOT s = {p} scatter(a, i, g), {SCATTER % 'set'}"]
        reducer = [SET % (("f32",) * 2)]
    start = r.randint(0, n - m)
    main = [f"p = {p} parameter(0)", f"q = {p} parameter(1)"]
    if r.random() < 0.4:
        main.append(f"ROOT f = {p} fusion(p, q), kind=kLoop, calls=c")
        share = "f{}=0{}"
    else:
        base = r.choice(["p", "n"])
        main += [f"n = {p} negate(p)"] if base == "n" else []
        own = [f"f = {p} fusion({base}, q), kind=kLoop, calls=c"]
        reader = [f"b = f32[{m}] slice({base}), slice={{[{start}:{start + m}]}}",
                  f"e = f32[{m}] exponential(b)"]
        main += own + reader if r.random() < 0.7 else reader + own
        main.append(f"ROOT t = ({p}, f32[{m}]) tuple(f, e)")
        head = r.choice(["", ", is_scheduled=true"])
        share = "f{}=0{}"
    return Question("masked", module(head, *reducer, computation("c", lines),
                                     computation("ENTRY main", main)), share)


def related(r, offset):
    """An update and a reader, both of whose starts are computed of one scalar."""
    n, w, m = r.randint(3, 8), r.randint(1, 3), r.randint(1, 2)
    kind = r.choice(["s32", "s32", "s32", "u32", "u32", "u32", "s8"])
    lines = [f"p = f32[{n}] parameter(0)", f"v = f32[{w}] parameter(1)",
             f"k = {kind}[] parameter(2)"]

    def start(name, add):
        at = "k"
        for step in range(r.randint(0, 2)):
            form = r.choice(["remainder", "remainder", "minimum", "maximum",
                             "divide", "add", "multiply"])
            if form == "multiply" and kind in ("s32", "u32"):
                form = "add"
            by = r.randint(1, 4) + (add if step == 0 else 0)
            lines.append(f"{name}c{step} = {kind}[] constant({by})")
            lines.append(f"{name}{step} = {kind}[] {form}({at}, {name}c{step})")
            at = f"{name}{step}"
        return at

    one, two = start("i", offset), start("j", 0)
    lines += [f"d = f32[{n}] dynamic-update-slice(p, v, {one})",
              f"s = f32[{m}] dynamic-slice(p, {two}), "
              f"dynamic_slice_sizes={{{m}}}",
              f"e = f32[{m}] exponential(s)",
              f"ROOT t = (f32[{n}], f32[{m}]) tuple(d, e)"]
    # All values, or those near the indices and those whose sums wrap.
    bits = int(kind[1:])
    least = 0 if kind[0] == "u" else -2**(bits - 1)
    values = list(range(least, least + 2**bits))[:256] if bits == 8 else [
        *range(max(least, -4), n + 16), *range(least, least + 4),
        *range(least + 2**bits - 16, least + 2**bits)]
    return Question("related", module(
        ", is_scheduled=true, input_output_alias={ {0}: (0, {}, must-alias) }",
        computation("ENTRY main", lines)), "", {2: values})


FAMILIES = [move, move, move, whole, roots, roots, reduction, scatter, update,
            update, update, loop, call, aliases, copies, copies, masked,
            related]


def pair(seed):
    """Returns two questions that differ in one offset."""
    family = random.Random(seed).choice(FAMILIES)
    return [family(random.Random(seed + 1), offset) for offset in (0, 1)]
