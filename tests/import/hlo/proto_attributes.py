"""Attributes of HLO text as the fields of protos, for tests alone."""

import re

from proto_literals import literal_fields
from proto_values import (Unsupported, closing, integers, message, quote,
                          repeated, shape_fields, split, unescaped)


def window_fields(text):
    fields = dict(part.split("=") for part in text.strip("{}").split())
    sizes = fields.pop("size", "").split("x")
    if sizes == [""]:
        return ""
    sides = [["size: " + size] for size in sizes]
    names = {"stride": "stride", "lhs_dilate": "base_dilation",
             "rhs_dilate": "window_dilation"}
    # A number that the text leaves out is 1. XLA's proto has it written out.
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


IOTA = r"\[([\d,]+)\](?:T\(([\d,]+)\))?"


def iota_fields(sizes, order, names):
    """The dimensions and the permutation, which stands there always."""
    sizes = integers(sizes)
    order = integers(order) if order else range(len(sizes))
    return repeated(names[0], sizes) + " " + repeated(names[1], order)


def mesh_fields(text, devices):
    """`mesh['x'=2,'y'=4] {'y'}`; `devices` as `([4,2]T(1,0)) {'y'}`."""
    axes = re.findall(r"'([^']*)'=(\d+)", text)
    mesh = [message("axes", 'name: "%s" size: %s' % axis) for axis in axes]
    if devices is not None:
        end = closing(devices, 0)
        ids, groups = devices[1:end], devices[end + 1:]
        if iota := re.match(IOTA + "$", ids):
            mesh.append(message("iota_transform", iota_fields(
                *iota.groups(), ("reshape_dims", "transpose_perm"))))
        else:
            mesh.append(repeated("device_ids", integers(ids)))
    else:
        groups = text[closing(text, 4) + 1:]
    named = []
    for name, pre, size in re.findall(r"'([^']*)'(?::\((\d+)\)(\d+))?",
                                      groups):
        part = message("sub_axis_info", "pre_size: %s size: %s" % (pre, size)
                       ) if pre else ""
        named.append(message("axes", "mesh_axis_index: %d" % [
            axis[0] for axis in axes].index(name), part))
    return message("mesh_axes_replica_group_list", message("mesh", *mesh),
                   *named)


def groups_fields(text, devices=None):
    if text in ("{}", "{{}}"):
        return ""
    if text.startswith("mesh"):
        return mesh_fields(text, devices)
    if text.startswith("["):
        match = re.match(r"\[(\d+),(\d+)\]<=" + IOTA + "$", text)
        if not match:
            raise Unsupported("replica_groups " + text)
        return message(
            "iota_collective_device_list",
            "num_replica_groups: %s num_devices_per_group: %s" % match.groups(
            )[:2], iota_fields(match[3], match[4], (
                "iota_reshape_dims", "iota_transpose_perm")))
    inner = text[1:-1] if "{" in text[1:] else text
    return " ".join(
        message("replica_groups", repeated("replica_ids", integers(group)))
        for group in re.findall(r"\{([\d,\s]*)\}", inner))


SHARDING_TYPES = ("replicated maximal tuple other manual unknown "
                  "unreduced").split()


def sharding_fields(text):
    text = re.sub(r"\s*metadata=\{.*\}", "", text.strip())[1:-1].strip()
    if text.startswith("{") or not text:
        return " ".join(["type: 2"] + [
            message("tuple_shardings", sharding_fields(part))
            for part in split(text)])
    fields = []
    if group := re.search(r"shard_(as|like) (\d+)", text):
        fields.append("is_shard_group: true shard_group_id: %s "
                      "shard_group_type: %d" % (
                          group[2], group[1] == "like"))
    tiles = re.match(r"devices=\[([\d,]*)\]", text)
    if not tiles:
        word = text.split()[0]
        if word not in SHARDING_TYPES:
            raise Unsupported("sharding " + text[:30])
        fields.append("type: %d" % SHARDING_TYPES.index(word))
        if device := re.search(r"device=(\d+)", text):
            fields.append("tile_assignment_devices: " + device[1])
        return " ".join(fields)
    rest = text[tiles.end():]
    fields += ["type: 3", repeated("tile_assignment_dimensions",
                                   integers(tiles[1]))]
    if iota := re.match("<=" + IOTA, rest):
        fields.append(iota_fields(*iota.groups(), (
            "iota_reshape_dims", "iota_transpose_perm")))
    else:
        fields.append(repeated("tile_assignment_devices", integers(
            rest.split(" ")[0])))
    if "last_tile_dim_replicate" in rest:
        fields.append("replicate_on_last_tile_dim: true")
    if last := re.search(r"last_tile_dims=\{([^}]*)\}", rest):
        fields.append(repeated("last_tile_dims", [
            SHARDING_TYPES.index(word.strip())
            for word in last[1].split(",")]))
    return " ".join(fields)


def aliasing_fields(text, name):
    """`{ {0}: (1, {2}, may-alias) }`, of results and operands or parameters."""
    fields = []
    what = "parameter" if name == "entries" else "operand"
    for output, number, inner, kind in re.findall(
            r"\{([\d, ]*)\}:\s*\((\d+),\s*\{([\d, ]*)\}(?:,\s*([\w-]+))?\)",
            text):
        fields.append(message(
            name, repeated("output_shape_index", integers(output)),
            "%s_%s: %s" % (what, "number" if what == "parameter" else "index",
                           number),
            repeated(what + "_shape_index", integers(inner)),
            "kind: %d" % (2 if kind == "must-alias" else 1)
            if what == "parameter" else ""))
    return fields


def frontend_fields(text):
    fields = []
    for part in split(text[1:-1]):
        key, _, value = part.partition("=")
        data = unescaped(value[1:-1]) if value.startswith('"') else \
            value.encode()
        fields.append(message("map", 'key: "%s" value: %s' % (
            key, quote(data))))
    return message("frontend_attributes", *fields)


METADATA_TEXTS = {"op_type", "op_name", "source_file", "deduplicated_name",
                  "scheduling_name"}
METADATA_NUMBERS = {"source_line", "stack_frame_id", "source_end_line",
                    "source_column", "source_end_column"}


def metadata_fields(text):
    fields = []
    for key, quoted, number in re.findall(
            r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))', text):
        if key in METADATA_TEXTS:
            fields.append("%s: %s" % (key, quote(unescaped(quoted))))
        elif key in METADATA_NUMBERS:
            fields.append("%s: %s" % (key, number))
    return " ".join(fields)


def accuracy_fields(text):
    if mode := re.search(r"mode=(\w+)", text):
        return "mode: %d" % ("default", "highest").index(mode[1].lower())
    return message("tolerance", *[
        "%s: %s" % each for each in re.findall(
            r"(atol|rtol|ulps)=([\w.+-]+)", text)])


# Lists of integers and words that have a field of the same kind.
LISTS = {"dimensions": "dimensions", "fft_length": "fft_length",
         "dynamic_slice_sizes": "dynamic_slice_sizes",
         "slice_sizes": "gather_slice_sizes"}
NUMBERS = {"channel_id", "feature_group_count", "batch_group_count",
           "feature_index", "exponent_bits", "mantissa_bits", "delta", "k",
           "epsilon", "num_carries", "cross_program_prefetch_index"}
FLAGS = {"indices_are_sorted", "unique_indices", "use_global_device_ids",
         "constrain_layout", "is_stable", "is_host_transfer", "largest",
         "custom_call_has_side_effect", "is_composite", "is_reverse",
         "has_dynamic_root"}
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
# Each by its number in an enumeration.
WORDS = {
    "algorithm": ("rng_algorithm", ("rng_default", "rng_three_fry",
                                    "rng_philox")),
    "padding_type": ("padding_type", ("PADDING_INVALID", "PADDING_VALID",
                                      "PADDING_SAME")),
    "schedule": ("custom_call_schedule", ("SCHEDULE_NONE", "SCHEDULE_LATEST",
                                          "SCHEDULE_EARLIEST")),
    "api_version": ("custom_call_api_version", (
        "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
        "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
        "API_VERSION_TYPED_FFI")),
    "convolution_kind": ("conv_kind", ("", "fprop", "dgrad", "wgrad")),
    "is_associative": ("is_associative", ("", "true", "false")),
    "fft_type": ("fft_type", ("FFT", "IFFT", "RFFT", "IRFFT")),
    "distribution": ("distribution", ("", "rng_uniform", "rng_normal")),
}
PRECISIONS = ("default", "high", "highest", "packed_nibble")
DOT_ALGORITHMS = (
    "unset dot_any_f8_any_f8_f32 dot_any_f8_any_f8_f32_fast_accum "
    "dot_f16_f16_f16 dot_f16_f16_f32 dot_bf16_bf16_bf16 dot_bf16_bf16_f32 "
    "dot_bf16_bf16_f32_x3 dot_bf16_bf16_f32_x6 dot_tf32_tf32_f32 "
    "dot_tf32_tf32_f32_x3 dot_f32_f32_f32 dot_f64_f64_f64 "
    "dot_bf16_bf16_f32_x9").split()
# They change no element, and have fields that are not known here.
PASSED_OVER = {"original_value", "statistics", "origin", "inlineable",
               "custom_call_schedule", "grad_x", "grad_y"}


def called_fields(keys, computations):
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
        if name not in computations:
            raise Unsupported("computation " + name)
    return repeated("called_computation_ids",
                    [computations[name] for name in names])


def attribute_fields(opcode, keys, ids, computations):
    """The fields of an instruction's attributes; `ids` are those of the
    instructions, by their names."""
    fields = [called_fields(keys, computations)]
    nested, ragged, precision = {}, [], []
    for key, value in keys.items():
        if key == "slice_sizes" and opcode.startswith("collective"):
            fields.append(repeated("dynamic_slice_sizes", integers(value)))
        elif key in LISTS:
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
        elif key == "operand_precision":
            precision.append(repeated("operand_precision", [
                PRECISIONS.index(word.strip())
                for word in value[1:-1].split(",")]))
        elif key == "algorithm" and value.startswith("dot_"):
            precision.append("algorithm: %d" % DOT_ALGORITHMS.index(value))
        elif key in WORDS:
            name, words = WORDS[key]
            if value not in words:
                raise Unsupported("%s=%s" % (key, value))
            fields.append("%s: %d" % (name, words.index(value)))
        elif key in ("lower", "left_side", "unit_diagonal", "transpose_a"):
            name = ("cholesky_options" if opcode == "cholesky" else
                    "triangular_solve_options")
            if key == "transpose_a":
                value = ("", "NO_TRANSPOSE", "TRANSPOSE",
                         "ADJOINT").index(value)
            nested.setdefault(name, []).append("%s: %s" % (key, value))
        elif key == "replica_groups":
            fields.append(groups_fields(value, keys.get("device_ids")))
        elif key == "sharding":
            if not value.startswith("{mesh"):
                fields.append(message("sharding", sharding_fields(value)))
        elif key == "domain":
            sides = re.match(
                r'\{kind="sharding", entry=(.*), exit=(.*)\}$', value)
            if not sides:
                raise Unsupported("domain")
            fields += [message("domain_%s_sharding" % name,
                               sharding_fields(side)) for name, side in zip(
                                   ("entry", "exit"), sides.groups())]
        elif key in ("infeed_config", "outfeed_config"):
            fields.append("%s: %s" % (key, quote(unescaped(value[1:-1]))))
        elif key == "outfeed_shape":
            fields.append(message(key, shape_fields(value)))
        elif key == "output_to_operand_aliasing":
            fields += aliasing_fields(value, "output_operand_aliasing")
        elif key == "operand_layout_constraints":
            fields.append("constrain_layout: true")
            fields += [message("operand_shapes_with_layout",
                               shape_fields(part))
                       for part in split(value[1:-1])]
        elif key == "parameter_replication":
            fields.append(message(key, repeated(
                "replicated_at_leaf_buffers",
                [word.strip() for word in value[1:-1].split(",")])))
        elif key == "result_accuracy":
            fields.append(message(key, accuracy_fields(value)))
        elif key == "frontend_attributes":
            fields.append(frontend_fields(value))
        elif key == "literal":
            shape, _, text = value.partition(" ")
            literal = literal_fields(text, shape)
            if literal:
                fields.append(message("literal", literal))
        elif key == "source_target_pairs":
            for pair in re.findall(r"\{(\d+),(\d+)\}", value):
                fields.append(message(key, "source: %s target: %s" % pair))
        elif key == "metadata":
            fields.append(message("metadata", metadata_fields(value)))
        elif key == "backend_config":
            data = unescaped(value[1:-1]) if value.startswith('"') else \
                value.encode()
            fields.append("backend_config: " + quote(data))
        elif key == "async_execution_thread":
            fields.append("async_execution_thread: " + value)
        elif key == "control-predecessors":
            fields.append(repeated("control_predecessor_ids", [
                ids[name] for name in re.findall(r"[\w.-]+", value)]))
        elif key != "device_ids" and key not in PASSED_OVER:
            raise Unsupported("attribute " + key)
    if precision:
        nested["precision_config"] = precision
    if opcode == "ragged-dot":
        dot = message("dot_dimension_numbers",
                      *nested.pop("dot_dimension_numbers", []))
        nested["ragged_dot_dimension_numbers"] = [dot, *ragged]
    return " ".join(fields + [message(name, *inner)
                              for name, inner in nested.items()])
