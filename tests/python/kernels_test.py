#!/usr/bin/env python3
"""Kernels of Triton, and kernels that were compiled, in Python.

  kernels_test.py MODULE KERNEL.ttir KERNELS.ll KERNEL.bc
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
COMPILED = pathlib.Path(sys.argv[3]).read_text()
BITCODE = pathlib.Path(sys.argv[4]).read_bytes()
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

    def test_a_thread(self):
        kernel = add_kernel(at=((3, 0, 0), 17))
        self.assertEqual(
            [(each["kind"], each["array"], each["offset_bytes"])
             for each in kernel.thread_accesses],
            [(each["kind"], each["array"], each["offset_bytes"])
             for each in add_kernel(at="3:17,0").thread_accesses])
        self.assertEqual(len(kernel.thread_accesses) % 3, 0)
        self.assertGreater(len(kernel.thread_accesses), 0)
        self.assertIsNone(add_kernel().thread_accesses)
        for wrong in ("3", ((3, 0, 0, 0), 1), ((-1,), 0)):
            with self.assertRaisesRegex(indexical.Error, "`at` has"):
                add_kernel(at=wrong)

    def test_loaded_values(self):
        text = """tt.func @k(%i: !tt.ptr<i32>, %p: !tt.ptr<f32>) {
  %at = tt.load %i : !tt.ptr<i32>
  %a = tt.addptr %p, %at : !tt.ptr<f32>, i32
  %v = tt.load %a : !tt.ptr<f32>
  tt.return }"""
        given = dict(grid=1, num_warps=1, shapes={"i": "s32[1]",
                                                  "p": "f32[64]"})
        self.assertEqual(indexical.Kernel(text, **given).in_bounds,
                         "undecided")
        for value in (63, "63", "0..63"):
            kernel = indexical.Kernel(text, runtime={"loaded0": value}, **given)
            self.assertEqual(kernel.in_bounds, "proved")
        with self.assertRaisesRegex(indexical.Error, "`runtime`"):
            indexical.Kernel(text, runtime={"other": 1}, **given)

    def test_options_of_others(self):
        """Options of the command are keywords; those of others stay."""
        with self.assertRaises(indexical.Error) as found:
            indexical.Kernel(".version 8.0\n.target sm_80\n"
                             ".address_size 64\n.visible .entry k() {}\n")
        for word in ("XLA_FLAGS=--xla_dump_to=DIR",
                     "clang writes with --cuda-device-only -S -emit-llvm"):
            self.assertIn(word, found.exception.message)
        with self.assertRaisesRegex(indexical.Error, "`shapes`: there is no"):
            add_kernel(shapes={"q": "f32[8]"})

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

    SOURCE = """
import triton
import triton.language as tl

@triton.jit
def scale(x, y, n, B: tl.constexpr, T: tl.constexpr = tl.float32):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n).to(T)
    tl.store(y + i, v * 2.0, mask=i < n)
"""

    def test_source(self):
        # As the command has it, with names and numbers.
        given = dict(grid="cdiv(n, B)", args={"n": 1000},
                     shapes={"x": "f16[n]", "y": "f32[n]"},
                     types={"x": "*fp16"},
                     constants={"B": 128, "T": "tl.float32"})
        kernel = indexical.Kernel(self.SOURCE, **given)
        words = ["kernel", "--grid=cdiv(n, B)", "--arg=n=1000",
                 "--shape=x=f16[n]", "--shape=y=f32[n]", "--type=x=*fp16",
                 "--const=B=128", "--const=T=tl.float32", "--format=json"]
        self.assertEqual(kernel.document, json.loads(
            indexical._indexical.call(words, self.SOURCE.encode())))
        self.assertEqual(kernel.document["grid"], [8, 1, 1])
        self.assertEqual(kernel.in_bounds, "proved")
        self.assertEqual([each["bytes_used"] for each in kernel],
                         [2000, 4000])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "scale.py")
            path.write_text(self.SOURCE)
            self.assertEqual(indexical.Kernel(path, **given).accesses,
                             kernel.accesses)
            found = indexical.kernels(path, **given)
            self.assertEqual([each.function for each in found], ["scale"])
        with self.assertRaisesRegex(indexical.Error, "no value"):
            indexical.Kernel(self.SOURCE, grid=1)
        with self.assertRaisesRegex(indexical.Error, "not a type"):
            indexical.Kernel(self.SOURCE, grid=1, types={"x": "half"},
                             constants={"B": 128})

    def test_report_of_inductor(self):
        body = self.SOURCE.replace(", T: tl.constexpr = tl.float32", "")
        body = body.replace(".to(T)", "").replace("B: tl", "XBLOCK: tl")
        body = body.replace("* B", "* XBLOCK").replace("0, B", "0, XBLOCK")
        text = '''scale = async_compile.triton("scale", """%s""")
def call(args):
    x, n = args
    s0 = n
    y = empty_strided_cuda((s0, ), (1, ), torch.float32)
    scale.run(x, y, s0, grid=(4, 1, 1), stream=stream0)
    return (y, )
def get_args():
    x = rand_strided((400, ), (1, ), device='cuda:0', dtype=torch.float32)
    n = 400
''' % body
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "output_code.py")
            path.write_text(text)
            for size, bytes in ((None, 1600), ({"s0": 200}, 800)):
                report = indexical.report(path, constants={"XBLOCK": 128},
                                          args=size)
                self.assertEqual([row.instruction for row in report],
                                 ["scale"])
                self.assertEqual(report[0]["writes"][0]["bytes"], bytes)

    def test_assumed(self):
        given = dict(grid=1, constants={"B": 128})
        kernel = indexical.Kernel(self.SOURCE, assume=["n <= 64"], **given)
        self.assertIn(
            {"what": "range", "name": "n", "value": "1..64", "from": "assume"},
            kernel.document["taken"])
        self.assertEqual(
            indexical.Kernel(self.SOURCE, assume="n <= 64",
                             shapes={"x": "f32[64]", "y": "f32[64]"},
                             **given).in_bounds, "proved")
        with self.assertRaisesRegex(indexical.Error, "condition"):
            indexical.Kernel(self.SOURCE, assume=["n"], **given)

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

    def test_compiled(self):
        given = dict(block=(32, 32), grid=(32, 32), args={"2": 1024, "3": 1024})
        all_of_them = indexical.kernels(COMPILED, **given)
        names = [each.function for each in all_of_them]
        self.assertEqual(names, ["transpose_naive", "transpose_tiled",
                                 "transpose_padded"])
        with self.assertRaisesRegex(ValueError, "3 kernels; `function`"):
            indexical.Kernel(COMPILED, **given)
        naive = indexical.Kernel(COMPILED, function="transpose_naive", **given)
        self.assertEqual(naive.document, all_of_them[0].document)
        self.assertEqual([(each["access"], each["sectors"]) for each in naive],
                         [("load", 131072), ("store", 1048576)])
        # Their document is the command's.
        words = ["kernel", "--block=32,32", "--grid=32,32", "--arg=2=1024",
                 "--arg=3=1024", "--function=transpose_naive", "--format=json"]
        self.assertEqual(naive.document, json.loads(
            indexical._indexical.call(words, COMPILED.encode())))
        for kernel in naive, all_of_them[1]:
            row, = indexical.report(kernel).kernels
            self.assertEqual(row.instruction, kernel.function)
            self.assertIn("a warp of " + kernel.function,
                          str(indexical.draw(kernel, warp=1)))

    def test_bitcode(self):
        kernel = indexical.Kernel(BITCODE, grid=4)
        self.assertEqual(kernel.function, "k")
        self.assertEqual(kernel.document["form"], "llvm")
        with self.assertRaisesRegex(indexical.Error, "bitcode"):
            indexical.Kernel(BITCODE[:len(BITCODE) // 2], grid=4)

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
