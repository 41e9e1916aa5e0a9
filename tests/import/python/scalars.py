"""Numbers of a type: integers that wrap, floats that are rounded.

    fit("i8", 200) == -56, fit("f16", 1 / 3) == 0.333251953125
"""

import math
import struct

BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64,
        "u8": 8, "u16": 16, "u32": 32, "u64": 64,
        "f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def is_float(kind):
    return kind in ("f16", "bf16", "f32", "f64")


def is_signed(kind):
    return kind[0] == "i"


def rounded(value, digits, least, most):
    """A float with so many binary digits; `least` is the exponent of the
    smallest unit, `most` the first number that is too large."""
    if value == 0 or math.isnan(value) or math.isinf(value):
        return value
    exponent = math.frexp(value)[1]
    unit = max(exponent - digits, least)
    scaled = math.ldexp(value, -unit)
    whole = math.ldexp(float(round(scaled)), unit)  # ties to even
    return math.copysign(math.inf, value) if abs(whole) >= most else (
        math.copysign(whole, value))


def fit(kind, value):
    if kind == "f64":
        return float(value)
    if kind == "f32":
        return rounded(float(value), 24, -149, 2.0**128)
    if kind == "f16":
        return rounded(float(value), 11, -24, 2.0**16)
    if kind == "bf16":
        return rounded(float(value), 8, -133, 2.0**128)
    bits = BITS[kind]
    value = int(value) % (1 << bits)
    if kind[0] == "i" and bits > 1 and value >> (bits - 1):
        value -= 1 << bits
    return value


def divided(a, b):
    """The quotient of floats, as hardware has it."""
    if b == 0:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def remainder(a, b):
    if math.isinf(a) or b == 0 or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.copysign(math.fmod(a, b), a)


def truncated(a, b):
    """The quotient of integers, towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def bits_of(kind, value):
    if is_float(kind):
        if kind == "bf16":
            return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
        form = {"f16": "<e", "f32": "<f", "f64": "<d"}[kind]
        whole = {"f16": "<H", "f32": "<I", "f64": "<Q"}[kind]
        return struct.unpack(whole, struct.pack(form, value))[0]
    return value % (1 << BITS[kind])


def from_bits(kind, bits):
    if kind == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    if is_float(kind):
        form = {"f16": "<e", "f32": "<f", "f64": "<d"}[kind]
        whole = {"f16": "<H", "f32": "<I", "f64": "<Q"}[kind]
        return struct.unpack(form, struct.pack(whole, bits))[0]
    return fit(kind, bits)


def same(a, b):
    """Whether two results are one: NaN is NaN, and -0 is not 0."""
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return a == b
