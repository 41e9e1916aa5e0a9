#!/usr/bin/env python3
"""Single fields of HLO's protos, written by protoc and read again.

  proto_fields_test.py INDEXICAL PROTO_TEXT HLO_PROTO

What a field means is worked out here, from its definition: the devices of a
mesh are numbered and cut into groups, the bytes of a literal are looked up. The
command has to answer the proto as the text that follows from that.
"""

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from proto_attributes import mesh_fields
from proto_literals import CODES, FLOATS, INTEGERS, codes_of, small_bytes
from proto_values import message, quote, repeated, shape_fields

INDEXICAL, PROTO_TEXT, SCHEMA = sys.argv[1:4]
SEED = int(os.environ.get("SEED", "40"))


def encoded(fields):
    done = subprocess.run(
        ["protoc", "--encode=xla.HloModuleProto",
         "--proto_path=" + os.path.dirname(SCHEMA), os.path.basename(SCHEMA)],
        input=fields.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False)
    if done.returncode:
        raise AssertionError(done.stderr.decode()[:500] + fields[:500])
    return done.stdout


def module(*instructions, more=""):
    """A module of one computation, whose last instruction is the root. An
    instruction is (name, opcode, shape, operands, other fields)."""
    ids, inside = {}, []
    for name, opcode, shape, operands, fields in instructions:
        ids[name] = len(ids) + 1
        inside.append(message(
            "instructions", 'name: "%s" opcode: "%s" id: %d' % (
                name, opcode, ids[name]),
            message("shape", shape_fields(shape)),
            repeated("operand_ids", [ids[each] for each in operands]), fields))
    return ('name: "m" entry_computation_id: 1 ' + message(
        "computations", 'name: "e" id: 1 root_id: %d' % len(ids), *inside) +
        " " + more)


def text_of(data):
    return subprocess.run([PROTO_TEXT], input=data, stdout=subprocess.PIPE,
                          check=True).stdout.decode()


def asked(data, *words):
    done = subprocess.run([INDEXICAL, *words, "-"], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def answer(first, second):
    """Equal, different or undecided, of two modules as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in (("a", first), ("b", second)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        done = subprocess.run([INDEXICAL, "equal", *paths],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=300, check=False)
        if done.returncode in (1, 2):
            raise AssertionError(done.stderr.decode())
        return {0: "equal", 3: "different", 4: "undecided"}[done.returncode]


def groups_of_mesh(axes, devices, named):
    """The groups, from the definition: every device has a place in the mesh;
    those whose places differ in the named parts alone are one group, in the
    order of these parts. `named`: (axis, size before, size)."""
    places = itertools.product(*[range(size) for _, size in axes])
    groups = {}
    for device, place in zip(devices, places):
        inside, outside = [], list(place)
        for axis, before, size in named:
            behind = axes[axis][1] // (before * size)
            inside.append(place[axis] // behind % size)
            outside[axis] -= inside[-1] * behind
        groups.setdefault(tuple(outside), []).append((inside, device))
    return [[device for _, device in sorted(group)]
            for group in groups.values()]


def gather(count, groups):
    """An all-gather on so many replicas; `groups` are a field, or a list."""
    if isinstance(groups, list):
        size = len(groups[0])
        groups = " ".join(message("replica_groups", repeated(
            "replica_ids", group)) for group in groups)
    else:
        groups, size = groups
    return encoded(module(
        ("p", "parameter", "f32[3]", [], "parameter_number: 0"),
        ("g", "all-gather", "f32[%d]" % (3 * size), ["p"],
         "dimensions: 0 " + groups),
        more="device_assignment { replica_count: %d }" % count))


class Fields(unittest.TestCase):

    def test_groups_of_iotas(self):
        """Field 92, and its old place."""
        generator = random.Random(SEED)
        for _ in range(12):
            sizes = [generator.choice([1, 2, 3, 4]) for _ in range(
                generator.randint(1, 3))]
            count = 1
            for size in sizes:
                count *= size
            order = generator.sample(range(len(sizes)), len(sizes))
            members = generator.choice(
                [n for n in range(1, count + 1) if count % n == 0])
            # Row by row of the transposed array.
            numbers = []
            for place in itertools.product(*[range(sizes[d]) for d in order]):
                at = dict(zip(order, place))
                number = 0
                for d, size in enumerate(sizes):
                    number = number * size + at[d]
                numbers.append(number)
            groups = [numbers[i:i + members]
                      for i in range(0, count, members)]
            fields = ("num_replica_groups: %d num_devices_per_group: %d " % (
                count // members, members) + repeated(
                    "iota_reshape_dims", sizes) + " " + repeated(
                        "iota_transpose_perm", order))
            for field in (message("iota_collective_device_list", fields),
                          message("collective_device_list", message(
                              "iota_replica_group_list", fields))):
                self.assertEqual("equal", answer(
                    gather(count, (field, members)), gather(count, groups)),
                                 (sizes, order, groups))

    def mesh(self, generator):
        axes = [(name, generator.choice([1, 2, 3, 4, 6]))
                for name in "xyz"[:generator.randint(1, 3)]]
        named = []
        for axis, (_, size) in enumerate(axes):
            if generator.random() < 0.3:
                continue
            before = generator.choice(
                [n for n in range(1, size + 1) if size % n == 0])
            part = generator.choice(
                [n for n in range(1, size + 1) if size % (before * n) == 0])
            named.append((axis, before, part))
        generator.shuffle(named)
        return axes, named

    def test_groups_of_meshes(self):
        """Field 93: with device numbers, with an iota, with neither."""
        generator = random.Random(SEED)
        for n in range(24):
            axes, named = self.mesh(generator)
            count = 1
            for _, size in axes:
                count *= size
            devices, written = list(range(count)), ""
            if n % 3 == 1:
                generator.shuffle(devices)
                written = repeated("device_ids", devices)
            elif n % 3 == 2:
                rows = generator.choice(
                    [k for k in range(1, count + 1) if count % k == 0])
                columns = count // rows
                devices = [row * columns + column for column in range(columns)
                           for row in range(rows)]
                written = message("iota_transform", repeated(
                    "reshape_dims", [rows, columns]),
                    "transpose_perm: 1 transpose_perm: 0")
            groups = groups_of_mesh(axes, devices, named)
            field = message(
                "mesh_axes_replica_group_list", message("mesh", *[
                    message("axes", 'name: "%s" size: %d' % axis)
                    for axis in axes], written),
                *[message("axes", "mesh_axis_index: %d" % axis, message(
                    "sub_axis_info", "pre_size: %d size: %d" % (before, part))
                    if part != axes[axis][1] else "")
                  for axis, before, part in named])
            members = len(groups[0])
            reproducer = (SEED, n, axes, devices, named, groups)
            first = gather(count, (field, members))
            self.assertEqual("equal", answer(first, gather(count, groups)),
                             reproducer)
            if members > 1:
                turned = [groups[0][::-1]] + groups[1:]
                self.assertNotEqual("equal", answer(
                    first, gather(count, turned)), reproducer)

    def test_text_of_a_mesh(self):
        """The text that XLA prints is read as its proto is."""
        for text in ("mesh['x'=2,'y'=4] {'y'}",
                     "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) "
                     "{'x','y':(1)2}",
                     "mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,1,0) {'x'}"):
            groups, _, devices = text.partition(", device_ids=")
            members = 4 if "'y'}" in text or ":" in text else 2
            data = gather(8, (mesh_fields(groups, devices or None), members))
            self.assertIn("replica_groups=" + text, text_of(data))
            written = """HloModule m, replica_count=8
ENTRY e {
  p = f32[3] parameter(0)
  ROOT g = f32[%d] all-gather(p), replica_groups=%s, dimensions={0}
}
""" % (3 * members, text)
            self.assertEqual("equal", answer(data, written.encode()))

    def test_parts_of_axes_that_overlap_are_an_error(self):
        for named, what in (("'x':(1)4,'x':(2)2", "overlap"),
                            ("'x','x'", "overlap"),
                            ("'x':(3)2", "has no part of 2 behind 3"),
                            ("'y'", "the mesh has no axis `y`")):
            text = """HloModule m, replica_count=8
ENTRY e {
  p = f32[3] parameter(0)
  ROOT g = f32[24] all-gather(p), replica_groups=mesh['x'=8] {%s}, dimensions={0}
}
""" % named
            status, _, err = asked(text.encode(), "dump")
            self.assertEqual(1, status)
            self.assertIn(what, err)

    def test_scans(self):
        """Fields 94 to 96: which way, how many carries."""
        body = """
  body { a = f32[2] parameter(0) c = f32[2] parameter(1)
    s = f32[2] add(a, c) ROOT t = (f32[2], f32[2]) tuple(s, s) }
"""
        for is_reverse in (False, True):
            inside = [("a", "parameter", "f32[2]", [], "parameter_number: 0"),
                      ("c", "parameter", "f32[2]", [], "parameter_number: 1"),
                      ("s", "add", "f32[2]", ["a", "c"], ""),
                      ("t", "tuple", "(f32[2], f32[2])", ["s", "s"], "")]
            fields = module(
                ("x", "parameter", "f32[5,2]", [], "parameter_number: 0"),
                ("i", "parameter", "f32[2]", [], "parameter_number: 1"),
                ("r", "scan", "(f32[5,2], f32[2])", ["x", "i"],
                 "dimensions: 0 num_carries: 1 called_computation_ids: 2 "
                 "is_associative: 1 is_reverse: " + str(is_reverse).lower()))
            other = re.search(r"computations \{.*\}", module(*inside))[0]
            other = other.replace('name: "e" id: 1', 'name: "body" id: 2')
            data = encoded(fields + " " + other)
            text = "HloModule m\n" + body + """
ENTRY e { x = f32[5,2] parameter(0) i = f32[2] parameter(1)
  ROOT r = (f32[5,2], f32[2]) scan(x, i), dimensions={0}, num_carries=1,
    %sis_associative=true, to_apply=body }
"""
            for reverse in (False, True):
                found = answer(data, (text % (
                    "is_reverse=true, " if reverse else "")).encode())
                self.assertEqual(reverse == is_reverse, found == "equal",
                                 (reverse, is_reverse, found))

    def constant(self, shape, literal):
        """A literal that says where a slice begins, so that it counts."""
        return encoded(module(
            ("p", "parameter", "f32[40]", [], "parameter_number: 0"),
            ("c", "constant", shape, [], message(
                "literal", message("shape", shape_fields(shape)), literal)),
            ("w", "custom-call", "s32[]", ["c"], 'custom_call_target: "t"'),
            ("s", "dynamic-slice", "f32[8]", ["p", "w"],
             "dynamic_slice_sizes: 8")))

    def text(self, shape, literal):
        return ("""HloModule m
ENTRY e {
  p = f32[40] parameter(0)
  c = %s constant(%s)
  w = s32[] custom-call(c), custom_call_target="t"
  ROOT s = f32[8] dynamic-slice(p, w), dynamic_slice_sizes={8}
}
""" % (shape, literal)).encode()

    def test_small_literals(self):
        """A byte for each element, whose unused bits are anything."""
        generator = random.Random(SEED)
        for kind in list(INTEGERS) + list(FLOATS):
            if kind in INTEGERS:
                low = -(1 << INTEGERS[kind] - 1) if kind[0] == "s" else 0
                values = list(range(low, low + (1 << INTEGERS[kind])))
            else:
                CODES.setdefault(kind, codes_of(kind))
                values = [value for value in CODES[kind]
                          if not isinstance(value, str)]
            def word(value):
                return repr(float(value)) if kind in FLOATS else str(value)
            words = [word(value) for value in generator.choices(values, k=6)]
            shape = kind + "[2,3]"
            field = "%ss: %s" % (kind, quote(small_bytes(
                kind, words, generator.randrange(16))))
            data = self.constant(shape, field)
            rows = "{{%s},{%s}}" % (",".join(words[:3]), ",".join(words[3:]))
            self.assertEqual("equal", answer(data, self.text(shape, rows)),
                             (kind, words, text_of(data)))
            other = next(value for value in values
                         if float(value) != float(words[0]))
            rows = "{{%s," % word(other) + rows[len(words[0]) + 3:]
            self.assertNotEqual("equal", answer(data, self.text(shape, rows)),
                                (kind, words, text_of(data)))

    def test_small_integers_are_folded(self):
        """What is known of a literal is in the maps: its start."""
        for kind, value in (("s4", -8), ("u4", 15), ("s2", -2), ("u2", 3)):
            data = encoded(module(
                ("p", "parameter", "f32[40]", [], "parameter_number: 0"),
                ("c", "constant", kind + "[]", [], message(
                    "literal", message("shape", shape_fields(kind + "[]")),
                    "%ss: %s" % (kind, quote(small_bytes(
                        kind, [str(value)], 5))))),
                ("w", "convert", "s32[]", ["c"], ""),
                ("s", "dynamic-slice", "f32[8]", ["p", "w"],
                 "dynamic_slice_sizes: 8")))
            status, out, err = asked(data, "dump", "--computation=e")
            self.assertEqual(0, status, err)
            self.assertIn("(d0) -> (d0 + %d)" % value if value > 0 else
                          "(d0) -> (d0)", out)

    def test_complex_literals(self):
        for kind, field in (("c64", "c64s"), ("c128", "c128s")):
            shape = kind + "[2]"
            data = self.constant(shape, repeated(field, [1, -2.5, "inf", 0]))
            self.assertIn("{(1, -2.5), (inf, 0)}",
                          re.sub(r"\.0\b|E\+00", "", text_of(data)))
            self.assertEqual("equal", answer(
                data, self.text(shape, "{(1, -2.5), (inf, 0)}")))
            self.assertNotEqual("equal", answer(
                data, self.text(shape, "{(-2.5, 1), (inf, 0)}")))

    def test_dynamic_sizes(self):
        """Only as many elements are there as the sizes say."""
        shape = "s32[<=3,2]"
        data = self.constant(
            shape, "s32s: 1 s32s: 2 s32s: 3 s32s: 4 s32s: 5 s32s: 6 "
            "dynamic_sizes: 2 dynamic_sizes: 2")
        self.assertIn("constant({{1, 2}, {3, 4}})", text_of(data))
        self.assertEqual(0, asked(data, "dump")[0])
        text = self.text(shape, "{{1, 2}, {3, 4}}")
        self.assertEqual(0, asked(text, "dump")[0])
        # {{1, 2}} and {{1}, {2}} have equal elements.
        self.assertNotEqual("equal", answer(
            self.text("s32[<=2,<=2]", "{{1, 2}}"),
            self.text("s32[<=2,<=2]", "{{1}, {2}}")))
        too_large = self.constant(shape, repeated("s32s", range(6)) +
                                  " dynamic_sizes: 4 dynamic_sizes: 2")
        status, _, err = asked(too_large, "dump")
        self.assertEqual(1, status)
        self.assertIn("`c`: dimension 0 of a literal has the size 4, which is "
                      "not within its bound 3", err)

    def test_tuples_of_literals(self):
        shape = "(s32[2], (pred[], f32[]))"
        data = self.constant(shape, message(
            "tuple_literals", message("shape", shape_fields("s32[2]")),
            "s32s: 4 s32s: 5") + message(
                "tuple_literals", message("shape", shape_fields(
                    "(pred[], f32[])")), message(
                        "tuple_literals", message(
                            "shape", shape_fields("pred[]")), "preds: true"),
                message("tuple_literals", message(
                    "shape", shape_fields("f32[]")), "f32s: 0.5")))
        self.assertIn("constant(({4, 5}, (true, 0.5)))", text_of(data))
        self.assertEqual(0, asked(data, "dump")[0])

    def test_roots_that_are_values(self):
        """Field 100: the last operand says whose data are broadcast."""
        def broadcast(is_dynamic):
            return encoded(module(
                ("p", "parameter", "f32[4]", [], "parameter_number: 0"),
                ("q", "parameter", "s32[1]", [], "parameter_number: 1"),
                ("b", "collective-broadcast", "f32[4]" if is_dynamic else
                 "(f32[4], s32[1])", ["p", "q"],
                 "replica_groups { replica_ids: 0 replica_ids: 1 } "
                 "has_dynamic_root: " + str(is_dynamic).lower())))
        self.assertIn("has_dynamic_root=true", text_of(broadcast(True)))
        self.assertIn("has_dynamic_root=false", text_of(broadcast(False)))
        status, out, err = asked(broadcast(True), "dump", "--computation=e",
                                 "--instruction=b")
        self.assertEqual(0, status, err)
        self.assertIn("cover", out)
        self.assertEqual(0, asked(broadcast(False), "dump")[0])

    def test_the_order_of_a_comparison(self):
        """Field 102 repeats the type, unless floats are compared totally."""
        def compare(kind, fields):
            return text_of(encoded(module(
                ("p", "parameter", kind, [], "parameter_number: 0"),
                ("c", "compare", "pred[4]", ["p", "p"],
                 'comparison_direction: "LT" ' + fields))))
        for kind, fields, written in (
                ("f32[4]", 'comparison_type: "FLOAT" '
                 'comparison_order: "PARTIAL"', "type=FLOAT"),
                ("f32[4]", 'comparison_type: "FLOAT" '
                 'comparison_order: "TOTAL"', "type=TOTALORDER"),
                ("f32[4]", 'comparison_type: "TOTALORDER" '
                 'comparison_order: "TOTAL"', "type=TOTALORDER"),
                ("s32[4]", 'comparison_type: "SIGNED" '
                 'comparison_order: "TOTAL"', "type=SIGNED")):
            text = compare(kind, fields)
            self.assertIn("direction=LT, " + written + "\n", text)
            self.assertNotIn("unread_fields", text)

    def test_what_the_text_shows(self):
        """Fields that no map follows from, in the words of XLA's text."""
        call = message(
            "output_operand_aliasing",
            "output_shape_index: 0 operand_index: 1 operand_shape_index: 2")
        data = encoded(module(
            ("p", "parameter", "f32[4]{0:T(8)L(4)#(u32)*(u8)E(4)S(1)SC(0:2,3)"
             "M(8)}", [], "parameter_number: 0 "
             "parameter_replication { replicated_at_leaf_buffers: true }"),
            ("b", "custom-call", "b(f32[4])", ["p", "p"],
             'custom_call_target: "t" custom_call_api_version: 4 '
             "custom_call_schedule: 1 padding_type: 2 constrain_layout: true " +
             message("operand_shapes_with_layout", shape_fields("f32[4]{0}")) +
             message("operand_shapes_with_layout", shape_fields("f32[4]{0}")) +
             message("literal", message("shape", shape_fields("s32[]")),
                     "s32s: 7") + call +
             " metadata { op_name: \"a'b\" source_line: 3 source_end_line: 4 "
             "source_column: 5 source_end_column: 6 } "
             "sharding { type: 3 tile_assignment_dimensions: 2 "
             "tile_assignment_dimensions: 2 iota_reshape_dims: 2 "
             "iota_reshape_dims: 2 iota_transpose_perm: 1 "
             "iota_transpose_perm: 0 replicate_on_last_tile_dim: true } "
             "result_accuracy { tolerance { atol: 0.5 ulps: 2 } } "
             "backend_config_payload { index: 1 }"),
            more="input_output_alias { entries { output_shape_index: 0 "
            "parameter_number: 1 kind: 2 } } "
            "buffer_donor { entries { parameter_number: 0 "
            "parameter_shape_index: 3 } } "
            'backend_config_payloads: "no" backend_config_payloads: "yes" '
            "host_program_shape { parameters { element_type: 11 dimensions: 4 }"
            " result { element_type: 4 } }"))
        text = text_of(data)
        for part in (
                "f32[4]{0:T(8)L(4)#(u32)*(u8)E(4)S(1)SC(0:2,3)M(8)}",
                "parameter_replication={true}", "b(f32[4]) custom-call(",
                "api_version=API_VERSION_TYPED_FFI",
                "schedule=SCHEDULE_LATEST", "padding_type=PADDING_SAME",
                "operand_layout_constraints={f32[4]{0}, f32[4]{0}}",
                "literal=s32[] 7",
                "output_to_operand_aliasing={{0}: (1, {2})}",
                "op_name=\"a\\'b\" source_line=3 source_end_line=4 "
                "source_column=5 source_end_column=6",
                "sharding={devices=[2,2]<=[2,2]T(1,0) "
                "last_tile_dim_replicate}",
                "result_accuracy={tolerance={atol=0.5,rtol=0,ulps=2}}",
                'backend_config="yes"',
                "input_output_alias={ {0}: (1, {}, must-alias) }",
                "buffer_donor={ (0, {3}) }",
                "entry_computation_layout={(f32[4])->s32[]}"):
            self.assertIn(part, text)
        self.assertNotIn("constrain_layout", text)
        self.assertEqual(0, asked(data, "dump")[0])

    def steered(self, more):
        """An op with these fields says where a slice begins."""
        return encoded(module(
            ("p", "parameter", "f32[40]", [], "parameter_number: 0"),
            ("i", "parameter", "s32[]", [], "parameter_number: 1"),
            ("r", "custom-call", "s32[]", ["i"],
             'custom_call_target: "t" ' + more),
            ("s", "dynamic-slice", "f32[8]", ["p", "r"],
             "dynamic_slice_sizes: 8")))

    def test_unknown_fields_are_told(self):
        """Of an instruction, and of what it is made of."""
        for more, what in (
                ('not_known: "\\001\\002"', "field 120 of HloInstructionProto"),
                ("not_known_either: 5", "field 64 of HloInstructionProto"),
                ("window { dimensions { not_known: 1 } }",
                 "field 90 of WindowDimension")):
            status, _, err = asked(self.steered(more), "dump")
            self.assertEqual(0, status, err)
            self.assertIn(what + " is not known and is not read", err)
            self.assertEqual(1, err.count("warning"), err)
        # A field that is not known may be the difference of two instructions.
        first = self.steered("not_known_either: 5")
        self.assertEqual("equal", answer(first, first))
        for more in ("not_known_either: 6", "", 'not_known: "a"'):
            self.assertNotEqual("equal", answer(first, self.steered(more)))

    def test_known_fields_are_not_told(self):
        data = self.steered('metadata { op_name: "n" } '
                            'frontend_attributes { map { key: "k" value: "v" }}')
        status, _, err = asked(data, "dump")
        self.assertEqual((0, ""), (status, err))


if __name__ == "__main__":
    if not shutil.which("protoc"):
        print("proto_fields_test: skipped, for there is no protoc "
              "(package protobuf-compiler)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
