"""Literals of HLO text as the fields of a LiteralProto, for tests alone.

Numbers of less than 16 bits are looked up among all values of their type, which
are written down here from the definitions of the types.
"""

import re
import struct
from fractions import Fraction

from proto_values import Unsupported, message, quote, repeated, shape_fields

# Bits of exponent, of mantissa, the bias, and what the highest codes are:
# infinities and NaN as in IEEE 754 ("ieee"), NaN alone in the all-ones code
# ("fn"), no infinity and no -0, whose code is NaN ("fnuz"), numbers ("all"),
# or powers of two without a sign ("e8").
FLOATS = {
    "f8e5m2": (5, 2, 15, "ieee"), "f8e4m3": (4, 3, 7, "ieee"),
    "f8e3m4": (3, 4, 3, "ieee"), "f8e4m3fn": (4, 3, 7, "fn"),
    "f8e4m3fnuz": (4, 3, 8, "fnuz"), "f8e5m2fnuz": (5, 2, 16, "fnuz"),
    "f8e4m3b11fnuz": (4, 3, 11, "fnuz"), "f4e2m1fn": (2, 1, 1, "all"),
    "f8e8m0fnu": (8, 0, 127, "e8"),
}
INTEGERS = {"s1": 1, "s2": 2, "s4": 4, "u1": 1, "u2": 2, "u4": 4}


def value_of_code(code, kind):
    """What a code of a small float means: a Fraction or a word."""
    exponents, mantissas, bias, top = FLOATS[kind]
    if top == "e8":
        return "nan" if code == 255 else Fraction(2) ** (code - bias)
    sign = code >> (exponents + mantissas)
    exponent = code >> mantissas & ((1 << exponents) - 1)
    mantissa = code & ((1 << mantissas) - 1)
    if top == "ieee" and exponent == (1 << exponents) - 1:
        return "nan" if mantissa else ("-inf" if sign else "inf")
    if top == "fn" and code & 0x7f == 0x7f:
        return "nan"
    if top == "fnuz" and code == 0x80:
        return "nan"
    if exponent == 0:
        value = Fraction(mantissa, 1 << mantissas) * Fraction(2) ** (1 - bias)
    else:
        value = (1 + Fraction(mantissa, 1 << mantissas)) * \
            Fraction(2) ** (exponent - bias)
    if value == 0 and sign:
        return "-0"
    return -value if sign else value


def codes_of(kind):
    count = 16 if kind == "f4e2m1fn" else 256
    return {value_of_code(code, kind): code for code in
            reversed(range(count))}


CODES = {}


def code_of(word, kind):
    codes = CODES.setdefault(kind, codes_of(kind))
    word = word.lower()
    if word in ("nan", "-nan", "inf", "-inf"):
        value = word if word in codes else word.lstrip("-")
    else:
        value = Fraction(float(word))
        if value == 0 and word.startswith("-") and "-0" in codes:
            value = "-0"
    if value not in codes:
        raise Unsupported("a rounded " + kind)
    return codes[value]


def bf16_code(word):
    """The code of the nearest value, of two the even one."""
    try:
        bits = struct.unpack("<I", struct.pack("<f", float(word)))[0]
    except OverflowError:
        return 0xff80 if word.startswith("-") else 0x7f80
    if bits & 0x7fffffff > 0x7f800000:
        return bits >> 16 | 1
    low, code = bits & 0xffff, bits >> 16
    return code + (low > 0x8000 or (low == 0x8000 and code & 1))


def small_bytes(kind, words, high_bits=0):
    """A byte for each element; `high_bits` fill what no element uses."""
    data = bytearray()
    for word in words:
        if kind in INTEGERS:
            bits = INTEGERS[kind]
            code = int(word) & ((1 << bits) - 1)
        else:
            bits = 4 if kind == "f4e2m1fn" else 8
            code = code_of(word, kind)
        data.append(code | (high_bits << bits & 0xff))
    return bytes(data)


def values_field(kind, words):
    """The field of the type with the elements, or None."""
    count = len(words)
    if kind == "pred":
        return repeated("preds", ["true" if word in ("true", "1") else "false"
                                  for word in words])
    if kind in ("s32", "s64", "u32", "u64"):
        return repeated(kind + "s", [
            int(word) % (1 << int(kind[1:])) if kind[0] == "u" else word
            for word in words])
    if kind in ("s8", "u8", "s16", "u16"):
        code = {"s8": "b", "u8": "B", "s16": "h", "u16": "H"}[kind]
        return "%ss: %s" % (kind, quote(struct.pack(
            "<%d%s" % (count, code), *map(int, words))))
    if kind in ("f32", "f64", "c64", "c128"):
        return repeated(kind + "s", [word.lower() for word in words])
    if kind == "f16":
        return "f16s: " + quote(struct.pack("<%de" % count, *map(float, words)))
    if kind == "bf16":
        return "bf16s: " + quote(struct.pack(
            "<%dH" % count, *map(bf16_code, words)))
    if kind in INTEGERS or kind in FLOATS:
        return "%ss: %s" % (kind, quote(small_bytes(kind, words, 0b101)))
    return None


def literal_fields(text, shape):
    """The fields of a LiteralProto; None of an elided literal."""
    match = re.match(r"(\w+)\[([^\]]*)\]", shape)
    if not match:
        raise Unsupported("literal of " + shape)
    kind, count = match[1], 1
    for size in re.findall(r"\d+", match[2]):
        count *= int(size)
    text = re.sub(r"/\*.*?\*/", "", text)
    words = re.findall(r"[^\s{}(),]+", text)
    if "..." in text:
        return None
    if kind == "pred" and len(words) != count and set("".join(words)) <= {
            "0", "1"}:
        words = list("".join(words))
    if kind in ("c64", "c128"):
        count *= 2
    if len(words) == 1 and count != 1:
        words *= count
    if len(words) != count:
        raise Unsupported("literal %s" % text[:40])
    values = values_field(kind, words)
    if values is None:
        return None
    return message("shape", shape_fields(shape)) + " " + values
