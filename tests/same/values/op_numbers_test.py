#!/usr/bin/env python3
"""Every op of the table against an altered one: numbers show the difference.

  TEST INDEXICAL elementwise.h

For each kind of elementwise op, and for ops of whole arrays, a module is
compared with the same module whose result is altered. The answer must be
`different`, and the first number of the witness must be what Python's own
arithmetic has. What has no numbers yet is listed with a reason, and the test
fails where a listed op has some, so that the list stays true. It also fails
where the header of ops/elementwise/ has a kind that is in neither table.
"""

import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def s32(x):
    return (x + 2**31) % 2**32 - 2**31


def u32(x):
    return x % 2**32


def f32_bits(x):
    return struct.unpack("i", struct.pack("f", x))[0]


def tops(f):
    return lambda *x: f(*x)


def half_even(x):
    return float(round(x))


def away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def truncated_quotient(a, b):
    return s32(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def truncated_rest(a, b):
    return a - b * truncated_quotient(a, b)


def clz(x):
    return 32 - (x % 2**32).bit_length()


def reduced(x):
    """A number of 5 bits of exponent and 2 of significand."""
    part, exponent = math.frexp(x)
    return math.ldexp(round(part * 8) / 8, exponent)


# Kind: operand types, result type, opcode in HLO and attributes, function.
UNARY = {
    "abs": abs, "acos": math.acos, "acosh": math.acosh, "asin": math.asin,
    "asinh": math.asinh, "atan": math.atan, "atanh": math.atanh,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x), "ceil": math.ceil,
    "cosh": math.cosh, "cosine": math.cos, "erf": math.erf,
    "exponential": math.exp, "exponential-minus-one": math.expm1,
    "floor": math.floor, "log": math.log, "log-plus-one": math.log1p,
    "logistic": lambda x: 1 / (1 + math.exp(-x)), "negate": lambda x: -x,
    "round-nearest-afz": away, "round-nearest-even": half_even,
    "rsqrt": lambda x: 1 / math.sqrt(x), "sign": lambda x: (x > 0) - (x < 0),
    "sine": math.sin, "sinh": math.sinh, "sqrt": math.sqrt, "tan": math.tan,
    "tanh": math.tanh, "copy": lambda x: x,
}
BINARY = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b, "divide": lambda a, b: a / b,
    "maximum": max, "minimum": min, "remainder": math.fmod,
    "power": math.pow, "atan2": math.atan2,
}
INTEGERS = {
    "add": lambda a, b: s32(a + b), "multiply": lambda a, b: s32(a * b),
    "subtract": lambda a, b: s32(a - b), "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "maximum": max,
    "minimum": min, "divide": truncated_quotient, "remainder": truncated_rest,
    "shift-left": lambda a, b: s32(a << b),
    "shift-right-arithmetic": lambda a, b: a >> b,
    "shift-right-logical": lambda a, b: s32((a % 2**32) >> b),
}
INTEGER = {"not": lambda a: ~a, "popcnt": lambda a: bin(a % 2**32).count("1"),
           "count-leading-zeros": clz, "negate": lambda a: s32(-a),
           "abs": lambda a: s32(abs(a)), "sign": lambda a: (a > 0) - (a < 0)}
SMALL = {"add": lambda a, b: a + b, "multiply": lambda a, b: a * b,
         "subtract": lambda a, b: a - b, "maximum": max, "minimum": min}


class Op:
    def __init__(self, name, types, result, line, function, functions="",
                 shapes=None):
        self.name, self.types, self.result = name, types, result
        self.line, self.function = line, function
        self.functions = functions
        self.shapes = shapes or ["[4]"] * len(types)


def elementwise():
    names = ["x", "y", "z"]

    def op(name, types, result, function, attributes="", opcode=None):
        of = ", ".join(names[:len(types)])
        return Op(f"{name} of {types[0]}", types, result,
                  f"{result}[4] {opcode or name}({of}){attributes}", function)
    for name, function in UNARY.items():
        yield op(name, ["f32"], "f32", function)
    for name, function in BINARY.items():
        yield op(name, ["f32", "f32"], "f32", function)
    for name, function in INTEGER.items():
        yield op(name, ["s32"], "s32", function)
    for name, function in INTEGERS.items():
        yield op(name, ["s32", "s32"], "s32", function)
    for type_ in ("bf16", "f16", "f64"):
        for name in ("add", "multiply", "maximum"):
            yield op(name, [type_] * 2, type_, BINARY[name])
    for type_ in ("f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f4e2m1fn"):
        for name, function in SMALL.items():
            yield op(name, [type_] * 2, type_, function)
    yield op("convert", ["s32"], "f32", float)
    yield op("convert", ["f32"], "s32", math.trunc)
    yield op("convert", ["bf16"], "f32", float)
    yield op("convert", ["f8e5m2"], "f32", float)
    yield op("compare", ["f32", "f32"], "pred", lambda a, b: a < b,
             ", direction=LT")
    yield op("select", ["pred", "f32", "f32"], "f32",
             lambda c, a, b: a if c else b)
    yield op("clamp", ["f32", "f32", "f32"], "f32",
             lambda a, x, b: min(max(a, x), b))
    yield op("is-finite", ["f32"], "pred", lambda a: 1)
    yield op("bitcast-convert", ["f32"], "s32", f32_bits)
    yield op("reduce-precision", ["f32"], "f32", reduced,
             ", exponent_bits=5, mantissa_bits=2")


LESS = ("f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
        "  ROOT r = pred[] compare(a, b), direction=LT\n}\n")
SUM = ("f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
       "  ROOT r = s32[] add(a, b)\n}\n")
SET = ("f {\n  a = s32[] parameter(0)\n  ROOT b = s32[] parameter(1)\n}\n")
SQUARES = ("f {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
           "  c = s32[] multiply(a, a)\n  ROOT r = s32[] add(c, b)\n}\n")


def arrays():
    """Ops of whole arrays: the function gets the operands and the index."""
    yield Op("sort", ["s32"], "s32",
             "s32[4] sort(x), dimensions={0}, to_apply=f",
             lambda x, i: sorted(x)[i[0]], LESS)
    yield Op("map", ["s32", "s32"], "s32",
             "s32[4] map(x, y), dimensions={0}, to_apply=f",
             lambda x, y, i: s32(x[i[0]] ** 2 + y[i[0]]), SQUARES)

    def scattered(update):
        def at(x, k, u, i):
            value = x[i[0]]
            for n, index in enumerate(k):
                if index == i[0]:
                    value = update(value, u[n])
            return s32(value)
        return at
    attributes = (", update_window_dims={}, inserted_window_dims={0}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                  "to_apply=f")
    yield Op("scatter", ["s32"] * 3, "s32",
             "s32[4] scatter(x, y, z)" + attributes,
             scattered(lambda a, b: a + b), SUM)
    yield Op("scatter that sets", ["s32"] * 3, "s32",
             "s32[4] scatter(x, y, z)" + attributes,
             scattered(lambda a, b: b), SET)
    yield Op("gather", ["s32", "s32"], "s32",
             "s32[4] gather(x, y), offset_dims={}, collapsed_slice_dims={0}, "
             "start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
             lambda x, y, i: x[min(max(y[i[0]], 0), 3)])
    yield Op("reduce", ["s32", "s32"], "s32",
             "s32[4] reduce(x, y), dimensions={1}, to_apply=f",
             lambda x, y, i: s32(sum(x[3 * i[0]:3 * i[0] + 3]) + y[0]), SUM,
             ["[4,3]", "[]"])
    yield Op("reduce in order", ["s32", "s32"], "s32",
             "s32[4] reduce(x, y), dimensions={1}, to_apply=f",
             lambda x, y, i: in_order(x[3 * i[0]:3 * i[0] + 3], y[0]), SQUARES,
             ["[4,3]", "[]"])
    yield Op("reduce-window", ["s32", "s32"], "s32",
             "s32[4] reduce-window(x, y), window={size=2 stride=1}, to_apply=f",
             lambda x, y, i: s32(x[i[0]] + x[i[0] + 1] + y[0]), SUM,
             ["[5]", "[]"])
    yield Op("dot", ["s32", "s32"], "s32",
             "s32[4] dot(x, y), lhs_contracting_dims={1}, "
             "rhs_contracting_dims={0}",
             lambda x, y, i: s32(sum(x[3 * i[0] + k] * y[k] for k in range(3))),
             "", ["[4,3]", "[3]"])
    yield Op("reverse", ["s32"], "s32", "s32[4] reverse(x), dimensions={0}",
             lambda x, i: x[3 - i[0]])
    yield Op("dynamic-slice", ["s32", "s32"], "s32",
             "s32[4] dynamic-slice(x, y), dynamic_slice_sizes={4}",
             lambda x, y, i: x[min(max(y[0], 0), 2) + i[0]], "", ["[6]", "[]"])
    yield Op("pad", ["s32", "s32"], "s32", "s32[4] pad(x, y), padding=1_1",
             lambda x, y, i: x[i[0] - 1] if 1 <= i[0] <= 2 else y[0], "",
             ["[2]", "[]"])
    yield Op("concatenate", ["s32", "s32"], "s32",
             "s32[4] concatenate(x, y), dimensions={0}",
             lambda x, y, i: x[i[0]] if i[0] < 2 else y[i[0] - 2], "",
             ["[2]", "[2]"])
    yield Op("iota", ["s32"], "s32",
             "s32[4] iota(), iota_dimension=0", lambda x, i: i[0])
    yield Op("clz of u32", ["u32"], "u32", "u32[4] count-leading-zeros(x)",
             lambda x, i: clz(x[i[0]]))


def in_order(numbers, start):
    for x in numbers:
        start = s32(start * start + x)
    return start


# Kinds of the header that no row above has, and why.
LISTED = {
    "elementwise": "any op of unknown meaning",
    "truncate": "of MLIR: tests/same/values/random_mlir_values_test.cc",
    "sign-extend": "of MLIR: tests/same/values/random_mlir_values_test.cc",
    "zero-extend": "of MLIR: tests/same/values/random_mlir_values_test.cc",
    "divide-floor": "of MLIR: tests/same/values/constants_test.cc",
    "divide-unsigned": "of MLIR: tests/same/values/constants_test.cc",
    "maximum-unsigned": "of MLIR: tests/same/values/constants_test.cc",
    "minimum-unsigned": "of MLIR: tests/same/values/constants_test.cc",
    "remainder-unsigned": "of MLIR: tests/same/values/constants_test.cc",
    "cast": "of MLIR, one of several conversions",
    "rng": "its numbers are random",
    "stochastic-convert": "its rounding is random",
    "asin-acos-kernel": "its numbers are a library's",
    "bessel-i1e": "C++ has no such function for an oracle",
    "digamma": "C++ has no such function for an oracle",
    "polygamma": "C++ has no such function for an oracle",
    "zeta": "C++ has no such function for an oracle",
    "erf-inv": "C++ has no such function for an oracle",
    "erfc": "of chlo, not of HLO",
    "lgamma": "of chlo, not of HLO",
    "is-inf": "of chlo: true of no number that has an interval",
    "is-neg-inf": "of chlo: true of no number that has an interval",
    "is-pos-inf": "of chlo: true of no number that has an interval",
    "next-after": "of chlo, not of HLO",
    "mulhi": "of Triton, not of HLO",
    "square": "of chlo, not of HLO",
    "complex": "complex numbers are no intervals",
    "conj": "complex numbers are no intervals",
    "imag": "complex numbers are no intervals",
    "real": "complex numbers are no intervals",
    "uniform-dequantize": "its scales are a type's",
    "uniform-quantize": "its scales are a type's",
}

ALTER = {"pred": "not", "s32": "not", "u32": "not"}


def module(op, is_altered):
    names = ["x", "y", "z"]
    lines = [f"  {n} = {t}{s} parameter({k})"
             for k, (n, t, s) in enumerate(zip(names, op.types, op.shapes))]
    shape = f"{op.result}[4]"
    if not is_altered:
        lines.append(f"  ROOT r = {op.line}")
    else:
        lines.append(f"  r = {op.line}")
        if op.result in ALTER:
            lines.append(f"  ROOT s = {shape} {ALTER[op.result]}(r)")
        else:
            lines += [f"  one = {op.result}[] constant(1)",
                      f"  ones = {shape} broadcast(one), dimensions={{}}",
                      f"  ROOT s = {shape} add(r, ones)"]
    return ("HloModule m\n" + op.functions + "ENTRY e {\n" + "\n".join(lines)
            + "\n}\n")


def value_of(text):
    if text in ("true", "false"):
        return int(text == "true")
    return float(text) if re.search(r"[.einf]", text) else int(text)


def wrong(tool, folder, op):
    """Returns what is wrong of the answer to an op, or nothing."""
    paths = []
    for k in (False, True):
        paths.append(os.path.join(folder, f"{int(k)}.hlo"))
        with open(paths[-1], "w") as file:
            file.write(module(op, k))
    done = subprocess.run([tool, "equal", "--values", "--format=json", *paths],
                          capture_output=True, text=True, timeout=100)
    if done.returncode not in (0, 3, 4):
        return done.stderr
    said = json.loads(done.stdout)
    witness = said.get("terms", {}).get("witness")
    if said["answer"] != "different" or not witness:
        return f"{said['answer']}, and no numbers"
    inputs = []
    for name, shape in zip("xyz", op.shapes):
        count = math.prod(int(n) for n in re.findall(r"\d+", shape))
        inputs.append([witness.get("others", 0)] * count)
    for given in witness["inputs"]:
        k = "xyz".index(given["parameter"])
        at = 0
        for size, i in zip(map(int, re.findall(r"\d+", op.shapes[k])),
                           given["element"]):
            at = at * size + i
        inputs[k][at] = value_of(given["value"])
    index = witness["index"]
    arguments = ([x[index[0]] for x in inputs] if op.name.endswith("*")
                 else inputs)
    expected = op.function(*arguments) if op.name.endswith("*") else (
        op.function(*arguments, index))
    found = value_of(witness["first"])
    slack = {"bf16": 2e-2, "f16": 2e-3, "f8": 0.2, "f4": 0.6}.get(
        next((p for p in ("bf16", "f16", "f8", "f4")
              if op.result.startswith(p)), ""), 2e-5)
    if abs(found - expected) > slack * max(1, abs(expected)):
        return f"{found} where Python has {expected}"
    return None


def main():
    tool, header = sys.argv[1:3]
    with open(header) as file:
        kinds = re.findall(r'\{"([a-z0-9-]+)"', file.read())
    ops = []
    for op in elementwise():
        op.name += "*"
        ops.append(op)
    seen = {op.name.split(" of ")[0] for op in ops}
    ops += list(arrays())
    seen |= {op.name for op in ops}
    bad = [f"{kind}: in no table of this test"
           for kind in kinds if kind not in seen and kind not in LISTED]
    bad += [f"{kind}: listed, and there is no such kind"
            for kind in LISTED if kind not in kinds]
    bad += [f"{kind}: listed, and has numbers" for kind in LISTED
            if kind in seen]
    with tempfile.TemporaryDirectory() as folder:
        for op in ops:
            found = wrong(tool, folder, op)
            if found:
                bad.append(f"{op.name.rstrip('*')}: {found}")
    print(f"{len(ops)} ops, {len(LISTED)} listed, {len(bad)} wrong")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
