"""The parts of files as Inductor writes them: tensors, kernels, launches and the
file around them. output_codes.py has the ops."""


class Tensor:
    def __init__(self, name, sizes, strides, kind="f32"):
        self.name, self.sizes, self.strides = name, sizes, strides
        self.kind = kind

    def count(self):
        n = 1
        for size in self.sizes:
            n *= size
        return n

    def bytes(self):
        last = sum((n - 1) * s for n, s in zip(self.sizes, self.strides))
        return (last + 1) * WIDTH[self.kind]

    def shape(self):
        """The shape as HLO has it: dense, the least stride first."""
        order = sorted((d for d in range(len(self.sizes)) if self.sizes[d] != 1),
                       key=lambda d: (self.strides[d], -d))
        order += [d for d in reversed(range(len(self.sizes)))
                  if self.sizes[d] == 1]
        return "%s[%s]{%s}" % (self.kind, ",".join(map(str, self.sizes)),
                               ",".join(map(str, order)))


WIDTH = {"f32": 4, "f16": 2, "bf16": 2}
TORCH = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
POINTER = {"f32": "*fp32", "f16": "*fp16", "bf16": "*bf16"}

X, Y, R = 128, 16, 128  # the blocks that the call gives


def cdiv(a, b):
    return -(-a // b)


def dense(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= size
    return strides


class Step:
    """A launch, or a call of a library: its name and line, what it is of, the
    shapes of its results, its grid, and the bytes that each read and write is
    known to use."""

    def __init__(self, name, line, op_name, shapes, grid=None, used=None,
                 arrays=(), operations=None):
        self.name, self.line, self.op_name = name, line, op_name
        self.shapes, self.grid, self.used = shapes, grid, used
        self.arrays = sorted(arrays)  # bytes of what is read and written
        self.operations = operations


def tuple_text(numbers):
    if len(numbers) == 1:
        return "(%d, )" % numbers[0]
    return "(" + ", ".join(map(str, numbers)) + ")"


class Texts:
    """What a file is made of: it has a year, kernels, lines of `call`, steps and
    inputs."""

    #===-- Names ----------------------------------------------------------===#

    def r(self, end):
        return ("R0_" if self.year >= 2025 else "R") + end

    def rnumel(self):
        return "r0_numel" if self.year >= 2025 else "rnumel"

    def buffer(self):
        self.buffers += 1
        return "buf%d" % (self.buffers - 1)

    def input(self, sizes, strides=None, kind=None):
        tensor = Tensor("arg%d_1" % len(self.inputs), sizes,
                        strides or dense(sizes), kind or self.kind)
        self.inputs.append(tensor)
        return tensor

    def node(self, op):
        self.nodes += 1
        return "%s_%d" % (op, self.nodes), "aten." + op

    def add(self, line):
        self.body.append(line)

    def comment(self, node):
        head = {2023: "Source Nodes", 2024: "Source Nodes"}.get(
            self.year, "Topologically Sorted Source Nodes")
        if self.year == 2024 and self.random.random() < 0.5:
            head = "Topologically Sorted Source Nodes"
        self.add("# %s: [%s], Original ATen: [%s]" % ((head,) + node))
        return "%s (%s)" % node

    def allocate(self, sizes, strides=None, kind=None):
        strides = strides or dense(sizes)
        kind = kind or self.kind
        tensor = Tensor(self.buffer(), sizes, strides, kind)
        if self.year == 2023:
            self.add("%s = empty_strided(%s, %s, device='cuda', dtype=torch.%s)"
                     % (tensor.name, self.sizes(sizes), self.sizes(strides),
                        TORCH[kind]))
        else:
            self.add("%s = empty_strided_cuda(%s, %s, torch.%s)"
                     % (tensor.name, self.sizes(sizes), self.sizes(strides),
                        TORCH[kind]))
        return tensor

    def sizes(self, numbers):
        """Sizes as the host has them: the rows may be a symbol."""
        if not self.isDynamic:
            return tuple_text(numbers)
        parts = []
        for n in numbers:
            if n == self.rows:
                parts.append("s0")
            elif n and n % self.rows == 0:
                parts.append("%d*s0" % (n // self.rows))
            else:
                parts.append(str(n))
        return "(" + ", ".join(parts) + (", )" if len(parts) == 1 else ")")

    def number(self, n):
        return self.sizes([n])[1:-3] if self.isDynamic else str(n)

    def viewed(self, tensor, sizes, strides, offset=0):
        word = "as_strided" if self.year == 2023 and self.random.random() < 0.3 \
            else "reinterpret_tensor"
        at = ", %d" % offset if word == "reinterpret_tensor" or offset else ""
        return "%s(%s, %s, %s%s)" % (word, tensor.name, self.sizes(sizes),
                                     self.sizes(strides), at)

    #===-- Kernels --------------------------------------------------------===#

    def kernel(self, kind, op, parameters, numels, body, hints, node):
        """Defines a kernel; returns its name."""
        word = {"pointwise": "poi", "persistent_reduction": "per",
                "reduction": "red"}[kind]
        name = "triton_%s_fused_%s_%d" % (word, op, len(self.kernels))
        blocks = {"xnumel": "XBLOCK", "ynumel": "YBLOCK"}
        constants = [blocks[n] for n, _ in numels if n in blocks]
        if kind == "reduction":
            constants.append(self.r("BLOCK"))
        types = [(p, POINTER[t]) for p, t in parameters]
        types += [(n, "i32") for n, _ in numels]
        if self.year >= 2025:
            signature = {p: t for p, t in types}
            signature.update({c: "constexpr" for c in constants})
        elif self.year == 2024 and self.random.random() < 0.5:
            signature = {p: t for p, t in types}
        else:
            signature = {i: t for i, (_, t) in enumerate(types)}
        if self.year >= 2025:
            sizes = {"x": hints[-1]}
            if kind != "pointwise":
                sizes = {"x": hints[0], "r0_": hints[1]}
            elif len(hints) == 2:
                sizes = {"y": hints[0], "x": hints[1]}
        else:
            sizes = hints
        device = "0"
        if self.year >= 2025:
            device = ("DeviceProperties(type='cuda', index=0, "
                      "multi_processor_count=132, cc=90, major=9, "
                      "regs_per_multiprocessor=65536, warp_size=32)")
        elif self.year == 2024:
            device = ("DeviceProperties(type='cuda', index=0, cc=90, major=9, "
                      "regs_per_multiprocessor=65536, "
                      "multi_processor_count=132)")
        meta = "{'signature': %s, 'device': %s, 'constants': {}" % (signature,
                                                                    device)
        if self.year == 2023:
            meta += (", 'configs': [instance_descriptor(divisible_by_16=(0, 1),"
                     " equal_to_1=())]}")
        elif self.year == 2024:
            meta += (", 'configs': [AttrsDescriptor(divisible_by_16=(0, 1), "
                     "equal_to_1=())]}")
        else:
            meta += ", 'configs': [{(0,): [['tt.divisibility', 16]]}]}"
        inductor = "{'autotune_hints': set(), 'kernel_name': '%s'}" % name
        if self.year >= 2025:
            inductor = ("{'grid_type': '%s', 'kernel_name': '%s', "
                        "'mutated_arg_names': []}" % (
                            "Grid2D" if "ynumel" in dict(numels) else "Grid1D",
                            name))
        old = self.year == 2023
        function = "triton_" if old and self.random.random() < 0.5 else name
        lines = ["", "import triton", "import triton.language as tl"]
        if old:
            lines += [
                "from torch._inductor.ir import ReductionHint",
                "from torch._inductor.triton_heuristics import %s" % kind,
                "from torch._inductor.utils import instance_descriptor",
                "from torch._inductor import triton_helpers", ""]
        else:
            lines += [
                "from torch._inductor.runtime import triton_helpers, "
                "triton_heuristics",
                "from torch._inductor.runtime.triton_helpers import libdevice, "
                "math as tl_math",
                "from torch._inductor.runtime.hints import AutotuneHint, "
                "ReductionHint, TileHint, DeviceProperties",
                "triton_helpers.set_driver_to_gpu()", ""]
        lines += ["@%s%s(" % ("" if old else "triton_heuristics.", kind),
                  "    size_hints=%s," % sizes]
        if kind != "pointwise":
            lines += ["    reduction_hint=ReductionHint.INNER,"]
        lines += ["    filename=__file__,",
                  "    %s=%s," % ("meta" if old and function == "triton_"
                                  else "triton_meta", meta),
                  "    inductor_meta=%s" % inductor, ")", "@triton.jit"]
        names = [p for p, _ in parameters] + [n for n, _ in numels]
        names += [c + " : tl.constexpr" for c in constants]
        lines.append("def %s(%s):" % (function, ", ".join(names)))
        for numel, value in numels:
            if not (self.isDynamic and value % self.rows == 0):
                lines.append("    %s = %d" % (numel, value))
        lines += ["    " + line for line in body] + [""]
        text = ["# kernel path: torchinductor/%s.py" % name]
        text += ["# %s: [%s], Original ATen: [%s]" %
                 (("Source Nodes" if old else
                   "Topologically Sorted Source Nodes",) + node)]
        if not old:
            text += ["# Source node to ATen node mapping:"]
        text += ["#   %s => %s" % (node[0], op)]
        if self.year >= 2024:
            text += ["# Graph fragment:",
                     "#   %%%s : [num_users=1] = call_function[target="
                     "torch.ops.aten.%s.default](args = (), kwargs = {})"
                     % (op, op)]
        end = "''')" if old else "''', device_str='cuda')"
        text += ["%s = async_compile.triton('%s', '''" % (name, function)]
        text[-1] += lines[0]
        text += lines[1:-1] + [end, "", ""]
        self.kernels.append(text)
        return name

    def launch(self, name, arguments, numels, node, shapes, used, arrays):
        op_name = self.comment(node)
        if self.year >= 2026:
            self.add("# [Provenance debug handles] %s:%d" % (name, self.nodes))
        stream = "raw_stream0" if self.year >= 2026 else "stream0"
        self.add("%s = %s(0)" % (stream, "get_cuda_stream" if self.year == 2023
                                 else "get_raw_stream"))
        values = [a if isinstance(a, str) else a.name for a in arguments]
        words = values + [self.number(n) for _, n in numels]
        grid = [1, 1, 1]
        blocks = {"xnumel": X, "ynumel": Y}
        axes = {"xnumel": 0, "ynumel": 1}
        for numel, n in numels:
            if numel in blocks:
                grid[axes[numel]] = cdiv(n, blocks[numel])
        if self.year <= 2024:
            sides = [self.number(n) for m, n in numels if m in blocks]
            words.append("grid=grid(%s)" % ", ".join(sides))
        words.append("stream=" + stream)
        self.steps.append(Step(name, len(self.body), op_name, shapes, grid,
                               sorted(used), arrays))
        self.add("%s.run(%s)" % (name, ", ".join(words)))

    #===-- The file -------------------------------------------------------===#

    def write(self):
        old = self.year == 2023
        lines = [] if old else ["# AOT ID: ['0_inference']"]
        lines += [
            "from ctypes import c_void_p, c_long", "import torch",
            "import math", "from math import inf, nan",
            "from torch import device, empty, empty_strided",
            "from torch._inductor.codecache import AsyncCompile" if old else
            "from torch._inductor.async_compile import AsyncCompile",
            "from torch._inductor.select_algorithm import extern_kernels",
            "import triton", "import triton.language as tl", "",
            "aten = torch.ops.aten",
            "assert_size_stride = torch._C._dynamo.guards.assert_size_stride",
            "reinterpret_tensor = torch.ops.inductor._reinterpret_tensor",
            "async_compile = AsyncCompile()", "", ""]
        for kernel in self.kernels:
            lines += kernel
        lines += ["async_compile.wait(globals())", "del async_compile", ""]
        depth = "    "
        names = [t.name for t in self.inputs]
        if self.isDynamic:
            names.insert(0, "arg%d_1" % len(self.inputs))
        listed = ", ".join(names) + (", " if len(names) == 1 else "")
        outer = []
        if self.year >= 2026:
            lines = lines[:-3]
            lines.append("def partition_0(args):")
            shown = [n for n in names if not self.isDynamic or n != names[0]]
            if self.isDynamic:
                shown.append("s0")
            lines.append("    %s = args" % (", ".join(shown) + ","
                                            if len(shown) == 1 else
                                            ", ".join(shown)))
            lines.append("    args.clear()")
            outer = shown
        elif self.year == 2025:
            lines += ["class Runner:", "    def __init__(self, partitions):",
                      "        self.partitions = partitions", "",
                      "    def call(self, args):"]
            depth = "        "
        else:
            lines.append("def call(args):")
        asserts = []
        if self.year < 2026:
            lines += [depth + listed + " = args" if listed.endswith(", ") is
                      False else depth + listed.rstrip() + " = args",
                      depth + "args.clear()"]
            if self.isDynamic:
                lines.append(depth + "s0 = " + names[0])
            asserts = lines
        else:
            asserts = []
        for tensor in self.inputs:
            if self.year < 2026:
                asserts.append("%sassert_size_stride(%s, %s, %s)" % (
                    depth, tensor.name, self.sizes(tensor.sizes),
                    self.sizes(tensor.strides)))
        if old:
            lines.append(depth + "with torch.cuda._DeviceGuard(0):")
            lines.append(depth + "    torch.cuda.set_device(0) # no-op to "
                         "ensure context")
        else:
            lines.append(depth + "with torch.cuda._DeviceGuard(0):")
            lines.append(depth + "    torch.cuda.set_device(0)")
        for step in self.steps:
            step.line += len(lines) + 1
        lines += [depth + "    " + line for line in self.body]
        lines.append(depth + "%sreturn (%s, )" % ("    " if old else "",
                                                  self.result.name))
        if self.year == 2025:
            lines += ["", "runner = Runner(partitions=[])",
                      "call = runner.call"]
        if self.year >= 2026:
            lines += ["", "", "async_compile.wait(globals())",
                      "del async_compile", "", "class Runner:",
                      "    def __init__(self, partitions):",
                      "        self.partitions = partitions", "",
                      "    def call(self, args):",
                      "        %s = args" % listed.rstrip(),
                      "        args.clear()"]
            if self.isDynamic:
                lines.append("        s0 = " + names[0])
            lines += ["        assert_size_stride(%s, %s, %s, 'input')" % (
                t.name, self.sizes(t.sizes), self.sizes(t.strides))
                for t in self.inputs]
            lines += ["        partition0_args = [%s]" % ", ".join(outer),
                      "        del " + ", ".join(
                          n for n in outer if n != "s0"),
                      "        (%s,) = self.partitions[0](partition0_args)" %
                      self.result.name,
                      "        del partition0_args",
                      "        return (%s, )" % self.result.name, "",
                      "runner = Runner(partitions=[partition_0,])",
                      "call = runner.call"]
        name = "get_args()" if self.year >= 2026 else \
            "benchmark_compiled_module(times=10, repeat=10)"
        lines += ["", "", "def %s:" % name,
                  "    from torch._dynamo.testing import rand_strided"]
        if self.isDynamic:
            lines.append("    %s = %d" % (names[0], self.rows))
        lines += ["    %s = rand_strided(%s, %s, device='cuda:0', "
                  "dtype=torch.%s)" % (t.name, tuple_text(t.sizes),
                                       tuple_text(t.strides), TORCH[t.kind])
                  for t in self.inputs]
        if self.year >= 2026:
            lines.append("    return [%s]" % ", ".join(names))
        else:
            lines.append("    return print_performance(lambda: call([%s]))" %
                         ", ".join(names))
        return "\n".join(lines) + "\n"
