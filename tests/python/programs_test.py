#!/usr/bin/env python3
"""Programs: how they are read, and what is asked of their parts."""

import concurrent.futures
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import built

built.use(sys.argv[1])
import indexical  # noqa: E402
from indexical import Program  # noqa: E402

ATTENTION, ARTIFACT = sys.argv[2:]

FUSION = """HloModule m, is_scheduled=true
f {
  p = f32[64,128] parameter(0)
  t = f32[128,64] transpose(p), dimensions={1,0}
  ROOT s = f32[64,64] slice(t), slice={[0:128:2], [0:64]}
}
ENTRY e {
  x = f32[64,128] parameter(0)
  ROOT r = f32[64,64] fusion(x), kind=kLoop, calls=f
}
"""
STABLEHLO = """func.func @main(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}
"""
SLICE = """f {
  x = f32[10] parameter(0)
  start = s32[] parameter(1)
  ROOT w = f32[4] dynamic-slice(x, start), dynamic_slice_sizes={4}
}
"""


class Programs(unittest.TestCase):

    def test_ops_that_are_not_known(self):
        text = """func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
          %0 = "bitops.popcount"(%x) : (tensor<8xi32>) -> tensor<8xi32>
          %1 = "ring.rotate"(%0) : (tensor<8xi32>) -> tensor<8xi32>
          return %1 : tensor<8xi32>
        }"""
        rotate = "# ours\nring.rotate (d0) -> ((d0 + 3) mod 8)"
        opaque = Program(text)
        self.assertEqual(len(opaque.notes), 2)
        program = Program(text, elementwise=["bitops.popcount"], ops=rotate)
        self.assertEqual(program.notes, ())
        reads = program.entry.reads(0)
        for d in range(8):
            self.assertEqual(reads(d).listed, (((d + 3) % 8,),))
        # The analyses know it, too.
        self.assertTrue(indexical.equal(program, program))
        used = indexical.utilization(program, instruction="1", tile=[1])
        self.assertEqual(used.operands[0].distinct, 1)
        with self.assertRaises(indexical.Error) as raised:
            Program(text, ops="# ours\nring.rotate elementwize")
        self.assertEqual((raised.exception.line, raised.exception.column),
                         (2, 13))
        with self.assertRaises(indexical.Error):
            Program(text, elementwise=["stablehlo.add"])

    def test_parts(self):
        program = Program(FUSION)
        self.assertEqual((program.format, program.module.name), ("hlo", "m"))
        self.assertTrue(program.module.is_scheduled)
        self.assertEqual([c.name for c in program.module.computations],
                         ["f", "e"])
        root = program.entry.root
        self.assertEqual((root.name, root.opcode, root.line, root.column),
                         ("r", "fusion", 9, 8))
        self.assertEqual(root.shapes, ("f32[64,64]",))
        self.assertEqual(root.operands, (program["e"]["x"],))
        self.assertEqual(root.computation, program.entry)
        self.assertEqual(root.computation.module.program, program)
        self.assertEqual(len({root, program["e"]["r"]}), 1)
        with self.assertRaises(KeyError):
            program["e"]["nothing"]

    def test_maps(self):
        program = Program(FUSION)
        root = program.entry.root
        for reads in (root.reads(), root.reads(0, result=0),
                      program.entry.reads(0), root.reads_through(
                          program["e"]["x"])):
            self.assertEqual(reads.precision, "exact")
            for i in range(0, 64, 7):
                for j in range(0, 64, 5):
                    self.assertEqual(reads(i, j).listed, ((j, 2 * i),))
        self.assertEqual(root.users()(3, 10).listed, ((5, 3),))
        self.assertEqual(root.users()(3, 11).listed, ())
        self.assertTrue(root.users().equal(root.reads().inverse()))
        # The parts of the fusion compose to the whole.
        t, s = program["f"]["t"], program["f"]["s"]
        self.assertTrue((t.reads() @ s.reads()).equal(root.reads()))
        for wrong in (dict(operand=1), dict(operand=-1), dict(result=1)):
            with self.assertRaises(IndexError):
                root.reads(**wrong)

    def test_ways(self):
        program = Program("""f {
  p = f32[3] parameter(0)
  r = f32[3] reverse(p), dimensions={0}
  ROOT s = f32[3] add(p, r)
}""")
        ways = program.entry.ways()
        self.assertEqual([names for names, _ in ways],
                         [("s", "p"), ("s", "r", "p")])
        self.assertEqual([reads(0).listed for _, reads in ways],
                         [((0,),), ((2,),)])
        self.assertEqual(
            [names for names, _ in
             program["f"]["r"].ways_through(program["f"]["p"])], [("r", "p")])
        lines = ["v0 = f32[3] parameter(0)"] + [
            "%sv%d = f32[3] add(v%d, v%d)" % ("ROOT " if k == 9 else "", k,
                                              k - 1, k - 1)
            for k in range(1, 10)]
        with self.assertWarns(RuntimeWarning):
            doubled = Program("f {\n%s\n}" % "\n".join(lines)).entry.ways()
        self.assertEqual(len(doubled), 256)

    def test_runtime_variables(self):
        reads = Program(SLICE).entry.root.reads()
        self.assertEqual(reads(2).listed, None)
        self.assertEqual(reads(2, rt0=5).listed, ((7,),))
        self.assertEqual(reads.pieces[0](2, rt0=5), (7,))

    def test_two_programs_have_two_starts(self):
        # The elements are the same only where the starts are.
        one, two = (Program(SLICE).entry.root.reads() for _ in range(2))
        self.assertTrue(one.equal(one))
        self.assertEqual(one.equal(two).answer, "no")

    def test_sources(self):
        class Lowered:
            def as_text(self):
                return STABLEHLO

        class Exported:
            mlir_module_serialized = STABLEHLO.encode()

        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder, "a.mlir")
            plain.write_text(STABLEHLO)
            packed = pathlib.Path(folder, "a.mlir.gz")
            packed.write_bytes(gzip.compress(STABLEHLO.encode()))
            for source in (STABLEHLO, STABLEHLO.encode(), plain, packed,
                           gzip.compress(STABLEHLO.encode()), Lowered(),
                           Exported()):
                program = Program(source)
                self.assertEqual(program.format, "stablehlo")
                self.assertEqual(str(program.entry.reads()),
                                 "(d0, d1) -> (d1, d0), domain: d0 in [0, 7], "
                                 "d1 in [0, 3]")
            with self.assertRaises(indexical.Error) as caught:
                Program(pathlib.Path(folder, "none.hlo"))
            self.assertTrue(caught.exception.path.endswith("none.hlo"))
        with self.assertRaises(TypeError):
            Program(3)

    def test_portable_artifacts(self):
        # An artifact as jax.export has it, written from attention.mlir.
        artifact = pathlib.Path(ARTIFACT).read_bytes()

        class Exported:
            mlir_module_serialized = artifact

        text = Program(pathlib.Path(ATTENTION))
        for source in (pathlib.Path(ARTIFACT), artifact,
                       gzip.compress(artifact), Exported()):
            program = Program(source)
            self.assertEqual(program.format, "stablehlo")
            self.assertEqual(
                [(each.opcode, each.shapes) for each in program.entry.instructions],
                [(each.opcode, each.shapes) for each in text.entry.instructions])
            self.assertEqual(str(program.entry.reads()),
                             str(text.entry.reads()))
        with self.assertRaises(indexical.Error):
            Program(artifact[:-9])

    def test_bytecode_is_read_by_a_program(self):
        """Which may crash, and is started from several threads at once. Whether
        MLIR crashes at this byte, or says what is wrong, is left to its memory."""
        artifact = pathlib.Path(ARTIFACT).read_bytes()
        crashing = bytearray(artifact)
        crashing[1017] = 245
        expected = str(Program(artifact).entry.reads())

        def read(_):
            with self.assertRaises(indexical.Error) as caught:
                Program(bytes(crashing), path="m.bc")
            return (str(Program(artifact).entry.reads()),
                    caught.exception.path, str(caught.exception))

        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            for reads, path, message in threads.map(read, range(16)):
                self.assertEqual(reads, expected)
                self.assertEqual(path, "m.bc")
                self.assertRegex(
                    message, "this bytecode is damaged|in bytecode version")

    def test_the_program_that_reads_bytecode_may_be_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            package = os.path.dirname(os.path.abspath(indexical.__file__))
            os.mkdir(folder + "/indexical")
            for name in os.listdir(package):
                if name not in ("_read_bytecode", "__pycache__"):
                    os.symlink(os.path.join(package, name),
                               os.path.join(folder, "indexical", name))
            script = pathlib.Path(folder, "read.py")
            script.write_text(
                "import sys; sys.path.insert(0, sys.argv[1]); import built; "
                "built.use(sys.argv[2]); import indexical\n"
                "print(len(indexical.Program(%r).entry.instructions))\n"
                "indexical.Program(open(sys.argv[3], 'rb').read())" % STABLEHLO)
            said = subprocess.run(
                [sys.executable, script, os.path.dirname(built.__file__),
                 folder + "/indexical/_indexical.so",
                 os.path.abspath(ARTIFACT)],
                capture_output=True, text=True)
        self.assertGreater(int(said.stdout), 0, said.stderr)
        self.assertIn("%s/indexical/_read_bytecode`, cannot be started: "
                      "No such file" % folder, said.stderr)

    def test_errors_have_places(self):
        with self.assertRaises(indexical.Error) as caught:
            Program("f {\n  p = f32[4] parameter(0)\n  ROOT r = f32[5] "
                    "negate(p)\n}\n", path="x.hlo")
        error = caught.exception
        self.assertEqual((error.path, error.line), ("x.hlo", 3))
        with self.assertRaises(ValueError):
            Program(FUSION, format="text")
        self.assertIn("warning", Program(
            "f { ROOT x = f32[4] brodcast() }").notes[0])


class Threads(unittest.TestCase):

    def test_a_program_is_asked_by_many(self):
        program = Program(FUSION)
        expected = str(Program(FUSION).entry.root.reads())
        found = []

        def ask():
            for _ in range(50):
                found.append(str(program.entry.root.reads()))
                found.append(str(program.entry.reads()))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(found), {expected})
        self.assertEqual(len(found), 800)

    def test_others_run_meanwhile(self):
        # A text that takes a while: others count as long as it is read.
        text = "f {\n  a0 = f32[64] parameter(0)\n" + "".join(
            "  a%d = f32[64] negate(a%d)\n" % (i + 1, i)
            for i in range(200000)) + "}\n"
        state = {"done": False, "ticks": 0}

        def read():
            Program(text)
            state["done"] = True

        reader = threading.Thread(target=read)
        before = time.perf_counter()
        reader.start()
        longest = 0
        last = before
        while not state["done"]:
            time.sleep(0.001)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
            state["ticks"] += 1
        reader.join()
        took = time.perf_counter() - before
        # Held, the lock would let nothing run for nearly all of that time.
        self.assertLess(longest, 0.8 * took)
        self.assertGreater(state["ticks"], 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
