#!/usr/bin/env python3
"""AMD's buffers in LLVM IR: what each thread accesses, and what is named.

Usage: buffers_test.py TOOL [--kernels=N] [--seed=S]

Random kernels load, store and add to buffers at offsets that the test evaluates
itself, as unsigned numbers of 32 bits: an access that does not end within the
buffer is not made, and a load outside gives 0. `TOOL kernel --at=... --loads=hash8`
has to list the accesses of some threads. Where a buffer may end within an access,
the kernel has to be incomplete. By hand: what stays unknown is named.

Example: of a buffer of 64 bytes and the offset `thread * 16`, thread 3 loads 16
bytes at 48, and thread 4 nothing.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

THREADS, BLOCKS = 64, 3
TYPES = {"float": ("f32", 4), "<2 x float>": ("v2f32", 8), "<4 x float>": ("v4f32", 16), "i16": ("i16", 2),
         "<8 x bfloat>": ("v8bf16", 16), "<3 x i32>": ("v3i32", 12), "i8": ("i8", 1)}
HEAD = '''target triple = "amdgcn-amd-amdhsa"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
define amdgpu_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
'''
TAIL = '''  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, SIZE, i32)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
'''
RESOURCE = "call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %{0}, i16 0, {2} {1}, i32 159744)"
MASK = 0xFFFFFFFF


def signed(x):
    return x - (1 << 32) if x & 0x80000000 else x


class Kernel:
    """A random kernel: its text, and what a thread does."""

    def __init__(self, rng):
        self.rng, self.lines, self.steps = rng, [], []
        self.size = rng.choice(["i32", "i64"])  # older files have 32 bits
        self.n = rng.choice([7, 64, 100, 191, 192])
        self.declared, self.count = {}, 0
        for _ in range(rng.randint(1, 3)):
            self.access()

    def name(self):
        self.count += 1
        return f"%x{self.count}"

    def line(self, text):
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def offset(self, unit):
        """A name and a function from (block, thread) to the offset's 32 bits; whether its
        multiples of `unit` show."""
        r = self.rng
        block, stride = r.choice([0, THREADS, 32]), r.choice([1, 1, 2, 3])
        scaled = self.line(f"mul i32 %g, {block}")
        at = self.line(f"add i32 {scaled}, %t")
        index = self.line(f"mul i32 {at}, {stride}")
        shift = r.choice([0, 0, -5, 9])
        moved = self.line(f"add i32 {index}, {shift}")
        log = unit.bit_length() - 1
        shows = 1 << log == unit
        bytes_ = self.line(f"shl i32 {moved}, {log}" if shows else f"mul i32 {moved}, {unit}")
        extra = 0 if shows and r.random() < 0.7 else r.choice([0, 2, 4])
        if extra:
            bytes_ = self.line(f"add i32 {bytes_}, {extra}")
        value = lambda g, t: (((g * block + t) * stride + shift) * unit + extra) & MASK
        if r.random() < 0.5:
            less = self.line(f"icmp slt i32 {at}, %n")
            pick = r.random() < 0.7
            other = r.choice([-2147483648, -1, 2147483647 if extra else -2147483648])
            bytes_ = self.line(f"select i1 {less}, i32 {bytes_}, i32 {other}" if pick else
                               f"select i1 {less}, i32 {other}, i32 {bytes_}")
            inner = value
            value = lambda g, t: inner(g, t) if (g * block + t < self.n) == pick else other & MASK
        return bytes_, value

    def access(self):
        r = self.rng
        array = r.choice("ab")
        kind = r.choice(["load", "load", "store", "store", "add"])
        type_ = "i32" if kind == "add" else r.choice(list(TYPES))
        word, size = ("i32", 4) if kind == "add" else TYPES[type_]
        offset, value = self.offset(size)
        bound = r.choice(["n", 64, 1024, 1000, 2147483646, 2147483646, 4294967295])
        if bound == "n":
            records = self.line(f"mul i32 %n, {size}" if size & (size - 1) else
                                f"shl i32 %n, {size.bit_length() - 1}")
            if self.size == "i64":
                records = self.line(f"zext i32 {records} to i64")
            limit = self.n * size
        else:
            limit, records = bound, str(bound if self.size == "i64" or bound < 2**31 else bound - 2**32)
        rsrc = self.line(RESOURCE.format(array, records, self.size))
        where = f"ptr addrspace(8) {rsrc}, i32 {offset}, i32 0, i32 0"
        if kind == "load":
            call = f"llvm.amdgcn.raw.ptr.buffer.load.{word}"
            self.line(f"call {type_} @{call}({where})")
            self.declared[call] = f"declare {type_} @{call}(ptr addrspace(8), i32, i32, i32)"
        elif kind == "store":
            call = f"llvm.amdgcn.raw.ptr.buffer.store.{word}"
            self.lines.append(f"  call void @{call}({type_} zeroinitializer, {where})".replace(
                "float zeroinit", "float zeroinit").replace("(i16 zeroinitializer", "(i16 1").replace(
                    "(i8 zeroinitializer", "(i8 1"))
            self.declared[call] = f"declare void @{call}({type_}, ptr addrspace(8), i32, i32, i32)"
        else:
            call = "llvm.amdgcn.raw.ptr.buffer.atomic.add.i32"
            self.line(f"call i32 @{call}(i32 1, {where})")
            self.declared[call] = f"declare i32 @{call}(i32, ptr addrspace(8), i32, i32, i32)"
        self.steps.append((kind, "ab".index(array), size, value, limit))

    def text(self):
        return HEAD + "\n".join(self.lines) + "\n" + TAIL.replace("SIZE", self.size) + "\n".join(
            self.declared.values()) + "\n"

    def wanted(self, g, t):
        """The accesses of a thread, and whether one of them is cut by its buffer's end."""
        found, cut = [], False
        for kind, array, size, value, limit in self.steps:
            at = value(g, t)
            if at + size <= limit:
                found += pieces("atomic" if kind == "add" else kind, array, at, size)
            elif at < limit and limit < 2**31 - 16:
                cut = True
        return sorted(found), cut

    def may_be_cut(self):
        """Whether some thread's access is cut."""
        return any(self.wanted(g, t)[1] for g in range(BLOCKS) for t in range(THREADS))


def pieces(kind, array, at, size):
    """An access of 12 bytes is two."""
    if size == 12:
        return [(kind, f"arg{array}", at, 8), (kind, f"arg{array}", at + 8, 4)]
    return [(kind, f"arg{array}", at, size)]


def in_bytes(accesses):
    return sorted((kind, array, at + k) for kind, array, at, size in accesses for k in range(size))


def ask(tool, path, words):
    ran = subprocess.run([tool, "kernel", path, f"--grid={BLOCKS}", *words, "--format=json"], capture_output=True,
                         text=True, timeout=120)
    if ran.returncode not in (0, 3, 4):
        return ran.returncode, {"error": ran.stderr[-400:]}
    return ran.returncode, json.loads(ran.stdout)


def check_random(tool, folder, rng, counts):
    kernel = Kernel(rng)
    path = os.path.join(folder, "k.ll")
    with open(path, "w", encoding="utf-8") as f:
        f.write(kernel.text())
    for _ in range(2):
        g, t = rng.randrange(BLOCKS), rng.choice([0, THREADS - 1, rng.randrange(THREADS)])
        status, said = ask(tool, path, [f"--arg=n={kernel.n}", f"--at={g}:{t}", "--loads=hash8"])
        if "error" in said:
            return f"status {status}: {said['error']}"
        told, reasons = [], 0
        for entry in said.get("thread_accesses", []):
            if "reason" in entry:
                reasons += 1
            else:
                told.append((entry["kind"], entry["array"], entry["offset_bytes"], entry["bytes"]))
        wanted, cut = kernel.wanted(g, t)
        if not said.get("complete", True):
            counts["incomplete"] += 1
            if set(in_bytes(told)) - set(in_bytes(wanted)):
                return f"block {g} thread {t}: told {told}, wanted some of {wanted}"
            continue
        if cut or kernel.may_be_cut():
            return "complete, although an access is cut by the end of its buffer"
        if reasons:
            counts["undecided"] += 1
        elif in_bytes(told) != in_bytes(wanted):
            return f"block {g} thread {t}: told {told}, wanted {wanted}"
        else:
            counts["right"] += 1
    return None


# As Triton writes a load of four floats under a mask.
MASKED = HEAD + '''  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %a, i16 0, i64 2147483646, i32 0)
  %s = shl i32 %g, 8
  %u = shl i32 %t, 2
  %i = or disjoint i32 %s, %u
  %m = icmp slt i32 %i, %n
  %o = mul i32 %i, 4
  %x = select i1 %m, i32 %o, i32 -2147483648
  %v = call <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8) %r, i32 %x, i32 0, i32 0)
''' + TAIL.replace("SIZE", "i64") + """declare <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8), i32, i32, i32)
"""


def check_map(tool, folder):
    """Whether the load under a mask has the map and the bytes that it has by hand."""
    path = os.path.join(folder, "k.ll")
    with open(path, "w", encoding="utf-8") as f:
        f.write(MASKED)
    _, said = ask(tool, path, ["--arg=n=700"])
    load = said.get("reads", [{}])[0]
    is_right = ("-> (bl_x * 256 + t0 * 4 + t1), " in load.get("map", "") and "t1 in [0, 3]" in load["map"] and
                load["moved_bytes"] == 2816 and load["bytes_used"] == 2800)
    if not is_right:
        print(f"the load under a mask: {load or said}")
    return 0 if is_right else 1


FAT = HEAD + '''  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %a, i16 0, i64 64, i32 0)
  %q = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  %p = getelementptr float, ptr addrspace(7) %q, i32 %t
  %v = load float, ptr addrspace(7) %p
''' + TAIL.replace("SIZE", "i64")

CALL = HEAD + '''  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %a, i16 STRIDE, i64 1024, i32 0)
  LINE
''' + TAIL.replace("SIZE", "i64") + "DECLARED\n"

RAW = "call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) {}, i32 %t, i32 {}, i32 {})"
LOADS = "declare float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32)"

# What stays unknown: its name, and the module.
UNKNOWN = [
    ("load of a buffer", FAT),
    ("llvm.amdgcn.raw.ptr.buffer.load.f32", CALL.replace("STRIDE", "16").replace(
        "LINE", "%v = " + RAW.format("%r", 0, 0)).replace("DECLARED", LOADS)),  # a stride
    ("llvm.amdgcn.raw.ptr.buffer.load.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = " + RAW.format("%r", "%n", 0)).replace("DECLARED", LOADS)),  # beside the bound
    ("llvm.amdgcn.raw.ptr.buffer.load.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = " + RAW.format("%r", 0, 8)).replace("DECLARED", LOADS)),  # swizzled
    ("llvm.amdgcn.raw.ptr.buffer.load.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = " + RAW.format("%r", 0, 0)).replace("DECLARED", LOADS)),  # %t may be cut
    ("llvm.amdgcn.raw.ptr.buffer.load.format.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = " + RAW.format("%r", 0, 0).replace("load.f32", "load.format.f32")).replace(
            "DECLARED", LOADS.replace("load.f32", "load.format.f32"))),
    ("llvm.amdgcn.struct.ptr.buffer.load.f32", CALL.replace("STRIDE", "4").replace(
        "LINE", "%v = call float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 %t, i32 0, i32 0, "
        "i32 0)").replace("DECLARED", "declare float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8), i32, "
                          "i32, i32, i32)")),
    ("llvm.amdgcn.raw.buffer.load.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> zeroinitializer, i32 %t, i32 0, i32 0)")
     .replace("DECLARED", "declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32)")),
    ("llvm.amdgcn.s.buffer.load.f32", CALL.replace("STRIDE", "0").replace(
        "LINE", "%v = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> zeroinitializer, i32 %t, i32 0)").replace(
            "DECLARED", "declare float @llvm.amdgcn.s.buffer.load.f32(<4 x i32>, i32, i32)")),
]


def check_unknown(tool, folder):
    path = os.path.join(folder, "k.ll")
    wrong = 0
    for name, text in UNKNOWN:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        status, said = ask(tool, path, ["--arg=n=64"])
        named = [each["name"] for each in said.get("passed_over", [])] or [said.get("reason", "")]
        if status != 4 or said.get("complete", True) or not any(name in each for each in named):
            wrong += 1
            print(f"{name}: status {status}, {named}, {said.get('error', '')}\n{text}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("--kernels", type=int, default=60)
    parser.add_argument("--seed", type=int, default=85)
    options = parser.parse_args()
    counts = {"right": 0, "undecided": 0, "incomplete": 0}
    with tempfile.TemporaryDirectory() as folder:
        wrong = check_unknown(options.tool, folder) + check_map(options.tool, folder)
        for k in range(options.kernels):
            problem = check_random(options.tool, folder, random.Random(f"{options.seed} {k}"), counts)
            if problem:
                wrong += 1
                print(f"kernel {k}: {problem}")
                with open(os.path.join(folder, "k.ll"), encoding="utf-8") as f:
                    print(f.read())
    print(f"seed {options.seed}: {counts}, {wrong} wrong")
    few = counts["right"] * 2 < counts["undecided"] + counts["incomplete"]
    if few:
        print("too few threads are known")
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
