#!/usr/bin/env python3
"""HLO modules as text and as protos answer alike.

  proto_test.py INDEXICAL HLO_PROTO EXAMPLE...

The examples, and the modules of the corpus where there is one, are turned into
protos by hlo_to_proto.py and protoc. What the command says of the text and of
the proto has to be the same but for lines and columns.
"""

import gzip
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import hlo_to_proto
from proto_values import Unsupported

INDEXICAL, SCHEMA = sys.argv[1:3]
EXAMPLES = sys.argv[3:]
MOST_BYTES = 300_000
# One module in three, or all of them.
EVERY = 1 if os.environ.get("INDEXICAL_WHOLE_CORPUS") else 3
FEWEST_OF_CORPUS = 600 // EVERY
SNIPPETS = int(os.environ.get("SNIPPETS", "150"))


def encoded_fields(fields, kind="HloModuleProto"):
    done = subprocess.run(
        ["protoc", "--encode=xla." + kind,
         "--proto_path=" + os.path.dirname(SCHEMA), os.path.basename(SCHEMA)],
        input=fields.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False)
    if done.returncode:
        raise AssertionError(done.stderr.decode()[:500])
    return done.stdout


def encoded(text, kind="HloProto"):
    fields = hlo_to_proto.Module(text).fields()
    for name in {"HloProto": ["hlo_module"], "HloModuleProto": [],
                 "HloSnapshot": ["hlo_module", "hlo"]}[kind]:
        fields = "%s { %s }" % (name, fields)
    return encoded_fields(fields, kind)


def without_places(value):
    if isinstance(value, dict):
        return {key: without_places(each) for key, each in value.items()
                if key not in ("line", "column", "path")}
    if isinstance(value, list):
        return [without_places(each) for each in value]
    return value


def asked(data, *words):
    """The status, and what was printed."""
    done = subprocess.run([INDEXICAL, *words, "-"], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def corpus_files():
    root = os.environ.get("INDEXICAL_CORPUS")
    for folder, _, names in sorted(os.walk(root)) if root else []:
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith((".hlo", ".txt", ".hlotxt", ".pbtxt")) and \
                    os.path.getsize(path) <= MOST_BYTES:
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield path, file.read()


def corpus():
    """(path, text) of each module; a snippet is made a module."""
    for path, text in corpus_files():
        for part in re.split(r"(?m)^[ \t]*// -----.*$", text):
            if part.strip() and "stablehlo" not in path:
                yield path, part if "HloModule" in part else \
                    "HloModule m\n\n" + part


def snippets():
    """Modules in XLA's own tests, some of which are wrong on purpose."""
    root = os.environ.get("INDEXICAL_CORPUS")
    if not root:
        return
    path = os.path.join(root, "hlo/cc_snippets/xla_cc_snippets.jsonl")
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(row) for row in file]
    random.Random(int(os.environ.get("SEED", "40"))).shuffle(rows)
    for row in rows[:SNIPPETS]:
        text = row["text"]
        yield "%s:%s" % (row["path"], row["line"]), \
            text if "HloModule" in text else "HloModule m\n\n" + text


def with_missing(text):
    """The module, with a reducer for each computation that a snippet of it
    names and does not hold; and its fields."""
    while True:
        try:
            return text, hlo_to_proto.Module(text).fields()
        except Unsupported as why:
            name = re.match(r"computation ([\w.-]+)$", str(why))
            if not name:
                raise
            header, _, rest = text.partition("\n")
            text = header + """
%s {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
""" % name[1] + rest


class Protos(unittest.TestCase):

    def compare(self, text, data, *words):
        status, out, err = asked(text.encode(), *words, "--format=json")
        status2, out2, err2 = asked(data, *words, "--format=json")
        self.assertEqual(status, status2, err + err2)
        if status == 0:
            self.assertNotIn("is not known and is not read", err2)
            self.assertEqual(without_places(json.loads(out)),
                             without_places(json.loads(out2)))

    def check(self, path, text, data=None):
        data = data or encoded(text)
        with self.subTest(path=path):
            self.compare(text, data, "dump", "--direction=both")
            self.compare(text, data, "report", "--launch=xla")

    def test_examples(self):
        for path in EXAMPLES:
            with open(path, encoding="utf-8") as file:
                self.check(path, file.read())

    def test_ragged_dot(self):
        """No example has one. By group, by what is summed, and in batches."""
        for shapes, keys in (
                (("64,16", "4,16,8", "4", "64,8"),
                 "lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                 "lhs_ragged_dims={0}, rhs_group_dims={0}"),
                (("64,16", "16,8", "4", "4,64,8"),
                 "lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                 "lhs_ragged_dims={1}"),
                (("3,64,16", "3,16,8", "3", "3,64,8"),
                 "lhs_contracting_dims={2}, rhs_contracting_dims={1}, "
                 "lhs_batch_dims={0}, rhs_batch_dims={0}, "
                 "lhs_ragged_dims={0}")):
            text = """HloModule m
ENTRY %%e {
  %%l = f32[%s] parameter(0)
  %%r = f32[%s] parameter(1)
  %%g = s32[%s] parameter(2)
  ROOT %%d = f32[%s] ragged-dot(%%l, %%r, %%g), %s
}
""" % (*shapes, keys)
            self.assertEqual(asked(text.encode(), "dump")[0], 0, text)
            self.check(keys, text)

    def test_corpus(self):
        read, refused = 0, {}
        first = int(os.environ.get("INDEXICAL_SEED", "0")) % EVERY
        for path, text in itertools.islice(corpus(), first, None, EVERY):
            try:
                text, fields = with_missing(text)
            except Unsupported as why:
                refused[str(why)[:40]] = refused.get(str(why)[:40], 0) + 1
                continue
            self.check(path, text, encoded_fields(fields))
            read += 1
        print("proto: %d modules of the corpus; not turned into protos: %s" % (
            read, sorted(refused.items(), key=lambda item: -item[1])[:12]))
        if os.environ.get("INDEXICAL_CORPUS"):
            self.assertGreaterEqual(read, FEWEST_OF_CORPUS)

    def test_snippets(self):
        read = 0
        for path, text in snippets():
            # A name that no text may have is another one in a proto's text.
            if re.match(r"\s*HloModule [^\s,]*[^\w\s,.-]", text):
                continue
            try:
                fields = hlo_to_proto.Module(text).fields()
            except (Unsupported, LookupError, ValueError, TypeError):
                continue
            status, _, _ = asked(text.encode(), "dump")
            if status != 0:
                continue
            with self.subTest(path=path):
                self.compare(text, encoded_fields(fields), "dump")
            read += 1
        print("proto: %d snippets" % read)

    def test_all_three_messages(self):
        with open(EXAMPLES[0], encoding="utf-8") as file:
            text = file.read()
        found = {asked(encoded(text, kind), "dump")[:2] for kind in (
            "HloProto", "HloModuleProto", "HloSnapshot")}
        self.assertEqual(len(found), 1)
        self.assertEqual(found.pop()[0], 0)
        self.assertEqual(asked(gzip.compress(encoded(text)), "dump")[0], 0)

    def test_a_buffer_assignment_is_no_module(self):
        """It may have the numbers of computations and of opcodes."""
        with open(EXAMPLES[0], encoding="utf-8") as file:
            fields = hlo_to_proto.Module(file.read()).fields()
        both = encoded_fields(
            "hlo_module { %s } buffer_assignment { of { of { text: 'x' } } }" %
            fields, "HloProto")
        self.assertEqual(asked(encoded_fields(fields), "dump")[:2],
                         asked(both, "dump")[:2])

    def test_every_command_reads_them(self):
        with open(EXAMPLES[0], encoding="utf-8") as file:
            data = encoded(file.read())
        with tempfile.NamedTemporaryFile(suffix=".pb") as file:
            file.write(data)
            file.flush()
            for words in (["dump"], ["report"], ["coalescing"], ["tile"],
                          ["utilization"], ["draw"], ["equal", file.name]):
                done = subprocess.run([INDEXICAL, *words, file.name],
                                      stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 0, (words, done.stderr))

    def test_damaged_bytes_are_errors(self):
        """Any bytes are answered, with an error or not, and never end it."""
        seed = int(os.environ.get("SEED", "28"))
        with open(EXAMPLES[0], encoding="utf-8") as file:
            whole = encoded(file.read())
        for n in range(int(os.environ.get("RUNS", "200"))):
            generator = random.Random("%d.%d" % (seed, n))
            data = bytearray(whole)
            for _ in range(generator.randint(1, 4)):
                data[generator.randrange(len(data))] = generator.randrange(256)
            if generator.random() < 0.3:
                del data[generator.randrange(len(data)):]
            status, _, err = asked(bytes(data), "dump")
            self.assertIn(status, (0, 1), (seed, n, err[:300]))

    def test_shardings_that_the_module_keeps(self):
        text = """HloModule m, num_partitions=2
ENTRY %%e_spmd {
  %%p = f32[4]{0} parameter(0)%s
  %%q = f32[4]{0} parameter(1)%s
  ROOT %%r = f32[4]{0} add(%%p, %%q)%s
}
"""
        tiles = "tile_assignment_dimensions: 2 iota_reshape_dims: 2 " \
            "iota_transpose_perm: 0 type: 3"
        fields = hlo_to_proto.Module(text % ("", "", "")).fields()
        data = encoded_fields(
            fields + " spmd_parameters_shardings { %s } "
            "spmd_parameters_shardings { type: 0 } "
            "spmd_output_sharding { %s }" % (tiles, tiles))
        stated = ", sharding={devices=[2]<=[2]}"
        self.compare(text % (stated, ", sharding={replicated}", stated), data,
                     "sharding")

    def test_what_is_not_there_is_said(self):
        data = encoded("""HloModule m
ENTRY %e {
  %p = f32[4]{0} parameter(0)
  ROOT %r = f32[4]{0} negate(%p)
}
""")
        # The operand's id is the last field of the last instruction.
        wrong = data.replace(b"\xa2\x02\x01\x01", b"\xa2\x02\x01\x07")
        self.assertNotEqual(data, wrong)
        status, _, err = asked(wrong, "dump")
        self.assertEqual(status, 1)
        self.assertIn("`r`: there is no operand with the id 7", err)


if __name__ == "__main__":
    if not shutil.which("protoc"):
        print("proto_test: skipped, for there is no protoc "
              "(package protobuf-compiler)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
