"""Puts the entry of a module of random_module() where something calls it.

A call, a call of a tuple, a branch, and a loop: the entry then passes its
parameters on, and returns what comes back. What the instructions do with memory
stays the same, but for the loop, of which each turn begins with what the one
before it has left.
"""

import re


def parts_of(text):
    """Returns the header, the parameters' lines, the other lines, and the
    shapes of the root, which is a tuple."""
    head, *lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if line not in ("ENTRY main {", "}")]
    given = [line for line in lines if " parameter(" in line]
    rest = [line for line in lines if " parameter(" not in line]
    shapes = re.search(r"ROOT t = \((.*?)\) tuple", rest[-1]).group(1)
    return head, given, rest, re.findall(r"\w+\[[^\]]*\]", shapes)


def shape_of(line):
    return line.split(" = ", 1)[1].split(" ", 1)[0]


def computation(name, lines):
    return name + " {\n  " + "\n  ".join(lines) + "\n}\n"


def called(text):
    head, given, rest, shapes = parts_of(text)
    result = "(" + ", ".join(shapes) + ")"
    main = given + [f"ROOT k = {result} call(p, v), to_apply=inner"]
    return "\n\n".join([head, computation("inner", given + rest),
                        computation("ENTRY main", main)])


def called_with_tuple(text):
    head, given, rest, shapes = parts_of(text)
    whole, part = shape_of(given[0]), shape_of(given[1])
    result = "(" + ", ".join(shapes) + ")"
    inner = [f"q = ({whole}, {part}) parameter(0)",
             f"p = {whole} get-tuple-element(q), index=0",
             f"v = {part} get-tuple-element(q), index=1"] + rest
    main = given + [f"b = ({whole}, {part}) tuple(p, v)",
                    f"ROOT k = {result} call(b), to_apply=inner"]
    return "\n\n".join([head, computation("inner", inner),
                        computation("ENTRY main", main)])


def branched(text):
    head, given, rest, shapes = parts_of(text)
    whole, part = shape_of(given[0]), shape_of(given[1])
    result = "(" + ", ".join(shapes) + ")"
    packed = f"({whole}, {part})"
    unpack = [f"q = {packed} parameter(0)",
              f"p = {whole} get-tuple-element(q), index=0",
              f"v = {part} get-tuple-element(q), index=1"]
    other = unpack + [
        f"o{k} = {shape} {'negate(p)' if shape == whole else 'negate(v)'}"
        for k, shape in enumerate(shapes)]
    other.append(f"ROOT t = {result} tuple(" +
                 ", ".join(f"o{k}" for k in range(len(shapes))) + ")")
    main = given + ["c = pred[] parameter(2)", f"b = {packed} tuple(p, v)",
                    f"ROOT k = {result} conditional(c, b, b), "
                    "true_computation=inner, false_computation=other"]
    return "\n\n".join([head, computation("inner", unpack + rest),
                        computation("other", other),
                        computation("ENTRY main", main)])


def looped(text, turns):
    """The loop carries p, v and the results. The first results of the shapes of
    p and v are those of the next turn."""
    _, given, rest, shapes = parts_of(text)
    whole, part = shape_of(given[0]), shape_of(given[1])
    state = "(" + ", ".join(["s32[]", whole, part] + shapes) + ")"
    results = re.search(r"tuple\((.*)\)", rest[-1]).group(1).split(", ")
    nexts = [next((r for r, s in zip(results, shapes) if s == wanted), own)
             for wanted, own in ((whole, "p"), (part, "v"))]
    body = [f"q = {state} parameter(0)",
            "i = s32[] get-tuple-element(q), index=0",
            "one = s32[] constant(1)",
            f"p = {whole} get-tuple-element(q), index=1",
            f"v = {part} get-tuple-element(q), index=2"] + rest[:-1]
    body += ["j = s32[] add(i, one)",
             f"ROOT t = {state} tuple(" + ", ".join(["j"] + nexts + results) +
             ")"]
    condition = [f"q = {state} parameter(0)",
                 "i = s32[] get-tuple-element(q), index=0",
                 f"m = s32[] constant({turns})",
                 "ROOT l = pred[] compare(i, m), direction=LT"]
    first = [f"f{k} = {shape} {'negate(p)' if shape == whole else 'negate(v)'}"
             for k, shape in enumerate(shapes)]
    main = given + ["z = s32[] constant(0)"] + first + [
        f"b = {state} tuple(" +
        ", ".join(["z", "p", "v"] + [f"f{k}" for k in range(len(shapes))]) +
        ")",
        f"w = {state} while(b), condition=condition, body=body"]
    main += [f"g{k} = {shape} get-tuple-element(w), index={k + 3}"
             for k, shape in enumerate(shapes)]
    main.append("ROOT o = (" + ", ".join(shapes) + ") tuple(" +
                ", ".join(f"g{k}" for k in range(len(shapes))) + ")")
    return "\n\n".join(["HloModule m, is_scheduled=true",
                        computation("condition", condition),
                        computation("body", body),
                        computation("ENTRY main", main)])


def nested(r, text):
    """Returns the module in one of these forms."""
    form = r.choice(["call", "tuple", "branch", "loop", "loop"])
    if form == "call":
        return called(text)
    if form == "tuple":
        return called_with_tuple(text)
    if form == "branch":
        return branched(text)
    return looped(text, r.randint(1, 3))
