#!/usr/bin/env python3
"""Kernels of Triton in Python.

  kernels_test.py MODULE KERNEL.ttir
"""

import json
import pathlib
import sys
import tempfile
import unittest

import built

built.use(sys.argv[1])
import indexical  # noqa: E402

TEXT = pathlib.Path(sys.argv[2]).read_text()
SHAPES = {name: "f32[98432]" for name in ("x", "y", "sum")}


def add_kernel(**options):
    given = dict(grid=97, num_warps=4, args={"n": 98432}, shapes=SHAPES)
    return indexical.Kernel(TEXT, **dict(given, **options))


class KernelTest(unittest.TestCase):
    def test_accesses(self):
        kernel = add_kernel()
        self.assertEqual([each["access"] for each in kernel],
                         ["load", "load", "store"])
        self.assertEqual(len(kernel), 3)
        self.assertEqual(kernel[0]["sectors"], 12304)
        self.assertEqual(kernel.function, "add_kernel")
        self.assertEqual(kernel.in_bounds, "proved")
        self.assertEqual(kernel.written_once, "proved")
        self.assertIsNone(kernel.answer)
        self.assertIsNone(kernel.overwritten)
        in_place = add_kernel(aliases=[["x", "sum"]])
        self.assertEqual(in_place.overwritten, "proved")
        with self.assertRaisesRegex(indexical.Error, "two pointers"):
            add_kernel(aliases=[["x"]])

    def test_document_is_the_commands(self):
        words = ["kernel", "--grid=97", "--num-warps=4", "--arg=n=98432"] + [
            "--shape=%s=%s" % shape for shape in SHAPES.items()]
        self.assertEqual(add_kernel().document, json.loads(
            indexical._indexical.call(words + ["--format=json"],
                                      TEXT.encode())))

    def test_judge(self):
        old = """
import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    a = tl.load(x + o, mask=m)
    b = tl.load(y + o, mask=m)
    tl.store(z + o, a + b, mask=m)
"""
        launch = dict(grid="cdiv(n, B)", of_grid="cdiv(n, B)",
                      args={"n": 1000}, constants={"B": 256},
                      of_constants={"B": 128},
                      shapes={name: "f32[n]" for name in "xyz"})
        found = indexical.judge(old.replace("a + b", "b + a"), old, **launch)
        self.assertEqual(found.verdict, "same")
        self.assertTrue(found)
        self.assertIsNone(found.witness)
        with self.assertRaisesRegex(ValueError, "without numbers"):
            found.inputs("x", 1000)
        found = indexical.judge(old.replace("a + b", "a - b"), old, **launch)
        self.assertEqual(found.verdict, "different")
        self.assertFalse(found)
        # The numbers are those of a run.
        at = found.witness["element"]
        x, y = found.inputs("x", 1000), found.inputs("y", 1000)
        self.assertEqual(float(found.witness["value"]), x[at] - y[at])
        self.assertEqual(float(found.witness["value_of"]), x[at] + y[at])
        named = indexical.judge(
            old.replace("z", "out"), old,
            **dict(launch, shapes=None, pairs={"out": "z"}, outputs=["out"]))
        self.assertEqual(named.verdict, "same")
        with self.assertRaisesRegex(indexical.Error, "no argument `q`"):
            indexical.judge(old, old, **dict(launch, pairs={"q": "x"}))

    def test_recipe(self):
        # As docs/kernel.md does it with a function of Triton.
        class Compiled:
            asm = {"ttgir": TEXT}

        kernel = indexical.Kernel(Compiled().asm["ttgir"], grid=(97,),
                                  num_warps=4, args={"n": 98432})
        worst = max(kernel, key=lambda access: access["wasted_bytes"])
        self.assertEqual(worst["wasted_bytes"], 0)

    def test_violation_is_an_answer(self):
        kernel = add_kernel(shapes=dict(SHAPES, x="f32[98000]"))
        self.assertEqual(kernel.in_bounds, "violated")

    def test_errors(self):
        with self.assertRaises(indexical.Error):
            add_kernel(grid=None)
        with self.assertRaises(indexical.Error):
            add_kernel(args={"m": 3})
        with self.assertRaises(indexical.Error):
            indexical.Kernel("no kernel", grid=1)
        with self.assertRaisesRegex(indexical.Error, "`num_warps`"):
            add_kernel(num_warps=3)
        with self.assertRaisesRegex(indexical.Error, "`grid`"):
            add_kernel(grid=(1, 0))

    def test_record(self):
        compilation = {"event_type": "compilation", "payload": {
            "metadata": {"hash": "1", "name": "add_kernel", "num_warps": 4},
            "file_content": {"add_kernel.ttir": TEXT},
            "python_source": {"code": "def add_kernel(x, y, sum, n): pass"}}}
        array = {"type": "tensor", "dtype": "torch.float32", "shape": [98432],
                 "stride": [1]}
        launches = [{"event_type": "launch", "grid": [grid],
                     "compilation_metadata": {"hash": "1"},
                     "extracted_args": {"x": array, "y": array, "sum": array,
                                        "n": {"type": "int", "value": 98432}}}
                    for grid in (97, 98)]
        record = "\n".join(map(json.dumps, [compilation] + launches))
        found = indexical.kernels(record, jobs=2)
        self.assertEqual([each.document["launch"] for each in found], [0, 1])
        self.assertEqual([each.document["grid"] for each in found],
                         [[97, 1, 1], [98, 1, 1]])
        self.assertEqual(found[0].accesses[0]["wasted_bytes"], 0)
        with self.assertRaises(ValueError):
            indexical.Kernel(record)
        second = indexical.report(found[1])
        self.assertEqual([each.computation for each in second.kernels],
                         ["launch.1"])
        self.assertNotEqual(str(indexical.draw(found[1], warp=0)), "")

    def test_equals(self):
        with tempfile.TemporaryDirectory() as folder:
            verdicts = []
            for op in ("add", "subtract"):
                path = pathlib.Path(folder, op + ".hlo")
                path.write_text(
                    "HloModule m\nENTRY main {\n"
                    "  x = f32[98432] parameter(0)\n"
                    "  y = f32[98432] parameter(1)\n"
                    "  ROOT sum = f32[98432] %s(x, y)\n}\n" % op)
                fusion = "%s#main" % path
                verdicts.append(add_kernel().equals(fusion))
                self.assertEqual(
                    add_kernel(of=fusion).verdict,
                    {"add": "same values", "subtract": "different"}[op])
            self.assertEqual(verdicts, [True, False])

    def test_equals_what_is_lowered(self):
        class Lowered:
            def __init__(self, op):
                self.op = op

            def as_text(self):
                return ("module @jit_f {\n"
                        "  func.func public @main(%%x: tensor<98432xf32>, "
                        "%%y: tensor<98432xf32>) -> tensor<98432xf32> {\n"
                        "    %%0 = stablehlo.%s %%x, %%y : tensor<98432xf32>\n"
                        "    return %%0 : tensor<98432xf32>\n  }\n}\n"
                        % self.op)

        self.assertIs(add_kernel().equals(Lowered("add")), True)
        self.assertIs(add_kernel().equals(Lowered("subtract").as_text()), False)
        self.assertEqual(add_kernel(of=Lowered("add")).verdict, "same values")

    def test_report_and_picture(self):
        kernel = add_kernel()
        row, = indexical.report(kernel).kernels
        self.assertEqual(row.instruction, "add_kernel")
        self.assertEqual(row.moved_bytes, kernel.document["moved_bytes"])
        self.assertTrue(
            str(indexical.draw(kernel, warp=1)).startswith("<svg"))
        block = add_kernel(num_warps=None, block=128)
        self.assertEqual(block.accesses, kernel.accesses)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
