"""HLO text as XLA prints it, turned into a HloProto in protoc's text form.

A second reader of HLO, for tests alone: what it does not know it refuses, with
`Unsupported`. It looks at lines and brackets, and shares nothing with the
library's parser.
"""

import re
import struct

TYPES = ("invalid pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 tuple opaque "
         "c64 bf16 token c128 f8e5m2 f8e4m3fn s4 u4 f8e4m3b11fnuz f8e5m2fnuz "
         "f8e4m3fnuz s2 u2 f8e4m3 f8e3m4 s1 u1 f4e2m1fn f8e8m0fnu").split()


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


def shape_fields(text):
    text = text.strip()
    if text.startswith("("):
        return " ".join(["element_type: 13"] + [
            message("tuple_shapes", shape_fields(part))
            for part in split(text[1:closing(text, 0)])])
    match = re.match(r"(\w+)\[([^\]]*)\](?:\{(.*)\})?$", text)
    if not match or match[1] not in TYPES:
        raise Unsupported("shape " + text)
    fields = ["element_type: %d" % TYPES.index(match[1])]
    sizes = [part.strip() for part in match[2].split(",") if part.strip()]
    fields.append(repeated("dimensions", [
        -2**63 if size == "?" else size.removeprefix("<=") for size in sizes]))
    fields.append(repeated("is_dynamic_dimension", [
        "true" if size[0] in "?<" else "false" for size in sizes]))
    if match[3] is not None:
        order, _, rest = match[3].partition(":")
        layout = [repeated("minor_to_major", integers(order))]
        if tiles := re.match(r"T((?:\([\d,*]+\))+)", rest):
            rest = rest[tiles.end():]
            for tile in re.findall(r"\(([^)]*)\)", tiles[1]):
                layout.append(message("tiles", repeated("dimensions", [
                    -2**63 if size == "*" else size
                    for size in tile.split(",")])))
        if size := re.match(r"E\((\d+)\)", rest):
            rest = rest[size.end():]
            layout.append("element_size_in_bits: " + size[1])
        if space := re.match(r"S\((\d+)\)", rest):
            rest = rest[space.end():]
            layout.append("memory_space: " + space[1])
        if rest:
            raise Unsupported("layout " + match[3])
        fields.append(message("layout", *layout))
    return " ".join(fields)


def literal_fields(text, shape):
    """The values, in the field of their type."""
    match = re.match(r"(\w+)\[([^\]]*)\]", shape)
    if not match:
        raise Unsupported("literal of " + shape)
    kind, count = match[1], 1
    for size in integers(match[2]):
        count *= size
    words = re.findall(r"[^\s{},]+", text)
    if "..." in text or (words and "/*" in text):
        return None
    if len(words) != count:
        raise Unsupported("literal %s" % text[:40])
    if kind == "pred":
        values = repeated("preds", ["true" if word in ("true", "1") else "false"
                                    for word in words])
    elif kind in ("s32", "s64", "u32", "u64"):
        values = repeated(kind + "s", words)
    elif kind in ("s8", "u8", "s16", "u16"):
        code = {"s8": "b", "u8": "B", "s16": "h", "u16": "H"}[kind]
        values = "%ss: %s" % (kind, quote(struct.pack(
            "<%d%s" % (count, code), *map(int, words))))
    elif kind == "f32":
        values = repeated("f32s", words)
    elif kind == "f64":
        values = repeated("f64s", words)
    elif kind == "f16":
        values = "f16s: " + quote(struct.pack("<%de" % count,
                                              *map(float, words)))
    elif kind == "bf16":
        # Exact where the text has a value of the type.
        bits = [struct.unpack("<I", struct.pack("<f", float(word)))[0]
                for word in words]
        if any(bit & 0xffff for bit in bits):
            raise Unsupported("a rounded bf16")
        values = "bf16s: " + quote(struct.pack(
            "<%dH" % count, *[bit >> 16 for bit in bits]))
    else:
        return None
    return message("shape", shape_fields(shape)) + " " + values


def window_fields(text):
    fields = dict(part.split("=") for part in text.strip("{}").split())
    sizes = fields.pop("size", "").split("x")
    if sizes == [""]:
        return ""
    sides = [["size: " + size] for size in sizes]
    names = {"stride": "stride", "lhs_dilate": "base_dilation",
             "rhs_dilate": "window_dilation"}
    # What the text leaves out is 1, and XLA's proto says so.
    for key, name in names.items():
        values = fields.pop(key, "x".join("1" for _ in sides)).split("x")
        for side, value in zip(sides, values):
            side.append("%s: %s" % (name, value))
    for side, value in zip(sides, fields.pop("pad", "").split("x")):
        if value:
            low, high = value.split("_")
            side.append("padding_low: %s padding_high: %s" % (low, high))
    for side, value in zip(sides, fields.pop("rhs_reversal", "").split("x")):
        if value == "1":
            side.append("window_reversal: true")
    if fields:
        raise Unsupported("window " + text)
    return " ".join(message("dimensions", *side) for side in sides)


def convolution_fields(text):
    match = re.match(r"(\w+)_(\w+)->(\w+)$", text)
    inputs, kernel, outputs = match.groups()

    def place(labels, label):
        return labels.index(label)

    def spatial(name, labels):
        count = sum(c.isdigit() for c in labels)
        return repeated(name, [labels.index(str(i)) for i in range(count)])

    return " ".join([
        "input_batch_dimension: %d" % place(inputs, "b"),
        "input_feature_dimension: %d" % place(inputs, "f"),
        spatial("input_spatial_dimensions", inputs),
        "kernel_input_feature_dimension: %d" % place(kernel, "i"),
        "kernel_output_feature_dimension: %d" % place(kernel, "o"),
        spatial("kernel_spatial_dimensions", kernel),
        "output_batch_dimension: %d" % place(outputs, "b"),
        "output_feature_dimension: %d" % place(outputs, "f"),
        spatial("output_spatial_dimensions", outputs)])


def groups_fields(text, name):
    if text in ("{}", "{{}}"):
        return ""
    if text.startswith("["):
        match = re.match(r"\[(\d+),(\d+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?$",
                         text)
        if not match:
            raise Unsupported("replica_groups " + text)
        order = integers(match[4]) if match[4] else \
            list(range(len(integers(match[3]))))
        return message("collective_device_list", message(
            "iota_replica_group_list",
            "num_replica_groups: %s num_devices_per_group: %s" % match.groups(
            )[:2], repeated("iota_reshape_dims", integers(match[3])),
            repeated("iota_transpose_perm", order)))
    return " ".join(message(name, repeated("replica_ids", integers(group)))
                    for group in re.findall(r"\{([\d,\s]*)\}", text[1:-1]))


def metadata_fields(text):
    fields = []
    for key, quoted, number in re.findall(
            r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))', text):
        if key in ("op_type", "op_name", "source_file"):
            plain = re.sub(r"\\(.)", r"\1", quoted)
            fields.append("%s: %s" % (key, quote(plain.encode())))
        elif key in ("source_line", "stack_frame_id"):
            fields.append("%s: %s" % (key, number))
    return " ".join(fields)


# Lists of integers and words that have a field of the same kind.
LISTS = {"dimensions": "dimensions", "fft_length": "fft_length",
         "dynamic_slice_sizes": "dynamic_slice_sizes",
         "slice_sizes": "gather_slice_sizes"}
NUMBERS = {"channel_id", "feature_group_count", "batch_group_count",
           "feature_index", "exponent_bits", "mantissa_bits", "delta", "k",
           "epsilon"}
FLAGS = {"indices_are_sorted", "unique_indices", "use_global_device_ids",
         "constrain_layout", "is_stable", "is_host_transfer", "largest",
         "custom_call_has_side_effect", "is_composite"}
NESTED = {
    "dot_dimension_numbers": {
        "lhs_batch_dims": "lhs_batch_dimensions",
        "rhs_batch_dims": "rhs_batch_dimensions",
        "lhs_contracting_dims": "lhs_contracting_dimensions",
        "rhs_contracting_dims": "rhs_contracting_dimensions"},
    "gather_dimension_numbers": {name: name for name in (
        "offset_dims", "collapsed_slice_dims", "start_index_map",
        "operand_batching_dims", "start_indices_batching_dims")},
    "scatter_dimension_numbers": {name: name for name in (
        "update_window_dims", "inserted_window_dims",
        "scatter_dims_to_operand_dims", "input_batching_dims",
        "scatter_indices_batching_dims")},
}
RAGGED = {"lhs_ragged_dims": "lhs_ragged_dimensions",
          "rhs_group_dims": "rhs_group_dimensions"}
CALLS = ("calls", "to_apply", "body", "condition", "select", "scatter",
         "true_computation", "false_computation", "branch_computations",
         "called_computations")
# They have no field that a map follows from, or none that is known here.
PASSED_OVER = {
    "sharding", "operand_precision", "operand_layout_constraints",
    "output_to_operand_aliasing", "api_version", "custom_call_schedule",
    "parameter_replication", "cross_program_prefetch_index", "schedule",
    "original_value", "result_accuracy", "statistics", "origin", "algorithm",
    "literal", "domain", "infeed_config", "outfeed_config", "outfeed_shape",
    "inlineable", "frontend_attributes", "padding_type", "grad_x", "grad_y",
}


class Module:

    def __init__(self, text):
        if re.search(r"^// -----", text, re.M):
            raise Unsupported("several modules")
        text = re.sub(r"/\*.*?\*/", "", text)
        self.lines = text.split("\n")
        self.computations, self.ids = [], {}
        self.name, self.header = "", ""
        self.tables = {}
        self.read()

    def read(self):
        lines = iter(self.lines)
        current, table = None, None
        for line in lines:
            plain = line.strip()
            if not plain or plain.startswith("//"):
                continue
            if plain.startswith("HloModule "):
                if self.header:
                    raise Unsupported("several modules")
                self.header = plain
                self.name = re.match(r"HloModule ([^\s,]+)", plain)[1]
            elif plain in ("FileNames", "FunctionNames", "FileLocations",
                           "StackFrames"):
                table = self.tables.setdefault(plain, [])
            elif current is None and plain.endswith("{"):
                match = re.match(r"(ENTRY )?%?([\w.-]+)(?: \(.*\))?.*\{$", plain)
                if not match:
                    raise Unsupported(plain)
                current = (match[2], bool(match[1]), [])
                self.computations.append(current)
                self.ids[match[2]] = len(self.computations)
            elif current is not None and re.match(r"\}(,|$)", plain):
                current = None
            elif current is not None:
                current[2].append(plain)
            elif table is not None:
                table.append(plain)
            else:
                raise Unsupported(plain[:60])

    def instruction(self, line, ids):
        match = re.match(r"(ROOT )?%?([\w.-]+) = (.*)$", line)
        if not match:
            raise Unsupported(line[:60])
        rest = match[3]
        end = closing(rest, 0) + 1 if rest[0] == "(" else rest.index(" ")
        shape, rest = rest[:end], rest[end:].lstrip()
        opcode = re.match(r"([\w-]+)\(", rest)
        if not opcode:
            raise Unsupported(line[:60])
        opcode = opcode[1]
        begin = len(opcode)
        end = closing(rest, begin)
        argument, attributes = rest[begin + 1:end], split(rest[end + 1:])
        ids.setdefault(match[2], len(ids) + 1)
        fields = ["name: " + quote(match[2].encode()),
                  "opcode: " + quote(opcode.encode()),
                  "id: %d" % ids[match[2]],
                  message("shape", shape_fields(shape))]
        if opcode == "parameter":
            fields.append("parameter_number: " + argument.strip())
        elif opcode == "constant":
            literal = literal_fields(argument, shape)
            if literal:
                fields.append(message("literal", literal))
        else:
            names = []
            for part in split(argument):
                name = part.split()[-1].removeprefix("%")
                if name not in ids:
                    raise Unsupported("operand " + part[:40])
                names.append(ids[name])
            fields.append(repeated("operand_ids", names))
        keys = {}
        for attribute in attributes:
            key, _, value = attribute.partition("=")
            keys[key] = value
        fields.append(self.attributes(opcode, keys, ids))
        return " ".join(fields), ids[match[2]] if match[1] else None

    def called(self, keys):
        order = {"body": 0, "condition": 1, "select": 0, "scatter": 1,
                 "true_computation": 0, "false_computation": 1}
        names = []
        written = [key for key in keys if key in ("body", "condition")]
        if written == ["body", "condition"]:
            raise Unsupported("XLA writes the condition before the body")
        for key in sorted((key for key in keys if key in CALLS),
                          key=lambda key: order.get(key, 0)):
            names += re.findall(r"[\w.-]+", keys.pop(key))
        for name in names:
            if name not in self.ids:
                raise Unsupported("computation " + name)
        return repeated("called_computation_ids",
                        [self.ids[name] for name in names])

    def attributes(self, opcode, keys, ids):
        fields = [self.called(keys)]
        nested, ragged = {}, []
        for key, value in keys.items():
            if key in LISTS:
                fields.append(repeated(LISTS[key], integers(value)))
            elif key in NUMBERS:
                fields.append("%s: %s" % (key, value))
            elif key in FLAGS:
                fields.append("%s: %s" % (key, value))
            elif key == "iota_dimension":
                fields.append("dimensions: " + value)
            elif key == "index":
                fields.append("tuple_index: " + value)
            elif key == "index_vector_dim":
                nested.setdefault(opcode + "_dimension_numbers", []).append(
                    "index_vector_dim: " + value)
            elif name := next((name for name, inner in NESTED.items()
                               if key in inner), None):
                nested.setdefault(name, []).append(repeated(
                    NESTED[name][key], integers(value)))
            elif key in RAGGED:
                ragged.append(repeated(RAGGED[key], integers(value)))
            elif key == "slice":
                for side in re.findall(r"\[([\d:]+)\]", value):
                    numbers = integers(side) + [1]
                    fields.append(message(
                        "slice_dimensions", "start: %d limit: %d stride: %d" %
                        tuple(numbers[:3])))
            elif key == "padding":
                sides = []
                for side in value.split("x"):
                    low, high, inside = (side.split("_") + ["0"])[:3]
                    sides.append(message(
                        "dimensions", "edge_padding_low: %s edge_padding_high: "
                        "%s interior_padding: %s" % (low, high, inside)))
                fields.append(message("padding_config", *sides))
            elif key == "window":
                fields.append(message("window", window_fields(value)))
            elif key == "dim_labels":
                fields.append(message("convolution_dimension_numbers",
                                      convolution_fields(value)))
            elif key == "direction":
                fields.append('comparison_direction: "%s"' % value)
            elif key == "type":
                fields.append('comparison_type: "%s"' % value)
            elif key == "kind":
                fields.append('fusion_kind: "%s"' % value)
            elif key == "custom_call_target":
                fields.append("custom_call_target: " + value)
            elif key == "fft_type":
                fields.append("fft_type: %d" % (
                    "FFT", "IFFT", "RFFT", "IRFFT").index(value))
            elif key == "distribution":
                fields.append("distribution: %d" % (
                    2 if value == "rng_normal" else 1))
            elif key in ("lower", "left_side", "unit_diagonal", "transpose_a"):
                name = ("cholesky_options" if opcode == "cholesky" else
                        "triangular_solve_options")
                if key == "transpose_a":
                    value = ("", "NO_TRANSPOSE", "TRANSPOSE",
                             "ADJOINT").index(value)
                nested.setdefault(name, []).append("%s: %s" % (key, value))
            elif key == "replica_groups":
                fields.append(groups_fields(value, key))
            elif key == "source_target_pairs":
                for pair in re.findall(r"\{(\d+),(\d+)\}", value):
                    fields.append(message(key, "source: %s target: %s" % pair))
            elif key == "metadata":
                fields.append(message("metadata", metadata_fields(value)))
            elif key == "backend_config":
                if value.startswith('"'):
                    value = re.sub(r"\\(.)", r"\1", value[1:-1])
                fields.append("backend_config: " + quote(value.encode()))
            elif key == "async_execution_thread":
                fields.append("async_execution_thread: " + value)
            elif key == "control-predecessors":
                fields.append(repeated("control_predecessor_ids", [
                    ids[name] for name in re.findall(r"[\w.-]+", value)]))
            elif key not in PASSED_OVER:
                raise Unsupported("attribute " + key)
        if opcode == "ragged-dot":
            dot = message("dot_dimension_numbers",
                          *nested.pop("dot_dimension_numbers", []))
            nested["ragged_dot_dimension_numbers"] = [dot, *ragged]
        return " ".join(fields + [message(name, *inner)
                                  for name, inner in nested.items()])

    def table_fields(self):
        if not self.tables.get("StackFrames"):
            return ""
        fields = []
        for title, name in (("FileNames", "file_names"),
                            ("FunctionNames", "function_names")):
            fields += ["%s: %s" % (name, row.split(" ", 1)[1])
                       for row in self.tables.get(title, [])]
        for row in self.tables.get("FileLocations", []):
            known = dict(re.findall(r"(\w+)=(\d+)", row))
            fields.append(message("file_locations", *[
                "%s: %s" % (key, known[key]) for key in (
                    "file_name_id", "function_name_id", "line")
                if key in known]))
        for row in self.tables["StackFrames"]:
            known = dict(re.findall(r"(\w+)=(\d+)", row))
            fields.append(message(
                "stack_frames", "file_location_id: " +
                known["file_location_id"], "parent_frame_id: %d" % (
                    int(known.get("parent_frame_id", 1)) - 1)))
        return message("stack_frame_index", *fields)

    def fields(self):
        """The fields of a HloModuleProto."""
        if not self.header or not self.computations:
            raise Unsupported("no module")
        fields, sequences = ["name: " + quote(self.name.encode())], []
        entry = 0
        for name, is_entry, lines in self.computations:
            number, ids, inside, root = self.ids[name], {}, [], None
            for line in lines:
                text, is_root = self.instruction(line, ids)
                inside.append(message("instructions", text))
                root = is_root or root
            if root is None:
                raise Unsupported("no root")
            entry = number if is_entry else entry
            fields.append(message(
                "computations", "name: " + quote(name.encode()),
                "id: %d root_id: %d" % (number, root), *inside))
            sequences.append(message(
                "sequences", "key: %d" % number, message(
                    "value", repeated("instruction_ids",
                                      range(1, len(lines) + 1)))))
        if not entry:
            raise Unsupported("no entry")
        fields.append("entry_computation_id: %d" % entry)
        if "is_scheduled=true" in self.header:
            fields.append(message("schedule", *sequences))
        counts = [re.search(key + r"=(\d+)", self.header) for key in (
            "replica_count", "num_partitions")]
        if any(counts):
            fields.append(message("device_assignment", *[
                "%s: %s" % (name, match[1]) for name, match in zip(
                    ("replica_count", "computation_count"), counts) if match]))
        fields.append(self.table_fields())
        return " ".join(fields)
