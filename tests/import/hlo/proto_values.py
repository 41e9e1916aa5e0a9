"""Words, brackets and shapes of HLO text, and what protoc takes for them.

For tests alone: it looks at lines and brackets, and shares nothing with the
library's parser.
"""

import re

TYPES = ("invalid pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 tuple opaque "
         "c64 bf16 token c128 f8e5m2 f8e4m3fn s4 u4 f8e4m3b11fnuz f8e5m2fnuz "
         "f8e4m3fnuz s2 u2 f8e4m3 f8e3m4 s1 u1 f4e2m1fn f8e8m0fnu buffer "
         "f6e3m2fn f6e2m3fn").split()


class Unsupported(Exception):
    pass


def unquoted(text, start=0):
    """(place, character, depth behind it) of what no quotes hold."""
    depth, quoted, i = 0, False, start
    while i < len(text):
        c = text[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        else:
            depth += (c in "([{") - (c in ")]}")
            yield i, c, depth
        i += 1


def split(text, separator=","):
    """The parts between separators that no bracket or quote holds."""
    parts, start = [], 0
    for i, c, depth in unquoted(text):
        if c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    for i, c, depth in unquoted(text, start):
        if c in ")]}" and depth == 0:
            return i
    raise Unsupported("an open bracket")


def quote(data):
    return '"' + "".join("\\%03o" % byte for byte in data) + '"'


def message(name, *fields):
    return "%s { %s }" % (name, " ".join(fields))


def repeated(name, values):
    return " ".join("%s: %s" % (name, value) for value in values)


def integers(text):
    return [int(each) for each in re.findall(r"-?\d+", text)]


def layout_fields(text):
    order, _, rest = text.partition(":")
    layout = [repeated("minor_to_major", integers(order))]
    while rest:
        mark = re.match(r"[A-Z]+|[#*]", rest)
        if not mark:
            raise Unsupported("layout " + text)
        groups, rest = [], rest[mark.end():]
        while rest.startswith("("):
            end = closing(rest, 0)
            groups.append(rest[1:end])
            rest = rest[end + 1:]
        mark = mark[0]
        if mark == "T":
            for tile in groups:
                layout.append(message("tiles", repeated("dimensions", [
                    -2**63 if size == "*" else size
                    for size in tile.split(",")])))
        elif mark == "SC":
            for split_of in groups:
                dimension, indices = split_of.split(":")
                layout.append(message(
                    "split_configs", "dimension: " + dimension,
                    repeated("split_indices", integers(indices))))
        elif mark == "P":
            layout.append(message("physical_shape", shape_fields(groups[0])))
        elif mark in "#*":
            layout.append("%s_primitive_type: %d" % (
                "index" if mark == "#" else "pointer",
                TYPES.index(groups[0])))
        elif mark in ("L", "E", "S", "M"):
            layout.append({
                "L": "tail_padding_alignment_in_elements: ",
                "E": "element_size_in_bits: ", "S": "memory_space: ",
                "M": "dynamic_shape_metadata_prefix_bytes: "}[mark] + groups[0])
        elif mark != "D":
            raise Unsupported("layout " + text)
    return message("layout", *layout)


def shape_fields(text):
    text = text.strip()
    if text.startswith("("):
        return " ".join(["element_type: 13"] + [
            message("tuple_shapes", shape_fields(part))
            for part in split(text[1:closing(text, 0)])])
    if text.startswith("b("):
        return "element_type: %d " % TYPES.index("buffer") + message(
            "tuple_shapes", shape_fields(text[2:closing(text, 1)]))
    if text in ("token", "opaque"):
        text += "[]"
    match = re.match(r"(\w+)\s*\[([^\]]*)\]\s*(?:\{(.*)\})?$", text)
    if not match or match[1] not in TYPES:
        raise Unsupported("shape " + text)
    fields = ["element_type: %d" % TYPES.index(match[1])]
    sizes = [part.strip() for part in match[2].split(",") if part.strip()]
    fields.append(repeated("dimensions", [
        -2**63 if size == "?" else size.removeprefix("<=") for size in sizes]))
    fields.append(repeated("is_dynamic_dimension", [
        "true" if size[0] in "?<" else "false" for size in sizes]))
    if match[3] is not None:
        fields.append(layout_fields(match[3]))
    return " ".join(fields)


def unescaped(text):
    """The bytes that a text between quotes stands for."""
    words = {"n": b"\n", "t": b"\t", "r": b"\r"}
    data, i = b"", 0
    while i < len(text):
        if text[i] != "\\":
            data += text[i].encode()
            i += 1
        elif octal := re.match(r"[0-7]{3}", text[i + 1:]):
            data += bytes([int(octal[0], 8)])
            i += 4
        else:
            data += words.get(text[i + 1], text[i + 1].encode())
            i += 2
    return data
