#!/usr/bin/env python3
"""The kernels of examples/cuda/, compiled by clang for NVIDIA and for AMD.

  TEST INDEXICAL BLOCK_SIZES

What each kernel moves stands here beside what was found by hand, and what is
wrong with it: a stride, conflicts of banks, gaps. Both GPUs' code of one source
accesses the same elements, thread by thread. Without clang the test skips.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

TARGETS = {
    "nvidia": ["-x", "cuda", "--cuda-gpu-arch=sm_80", "-nocudainc",
               "-nocudalib"],
    "amd": ["-x", "hip", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib"],
}
# How AMD's code finds the sizes of its launch depends on this version.
VERSIONS = ("4", "5", "6")
SECTOR = 32
N = 1024  # rows and columns of a matrix of the transpositions
ROWS = 64
M = 128  # rows of a matrix of the products

# file, kernel, block, grid, arguments, and by hand: the bytes that the sectors
# of all loads and stores have, and the worst conflict of banks.
TILES = N // 32
PRODUCTS = (M // 16) * (M // 16) * 256  # threads of a product
KERNELS = [
    # Loads are whole; each stored element takes a sector.
    ("transpose", "transpose_naive", (32, 32), (TILES, TILES), {2: N, 3: N},
     N * N * 4 + N * N * SECTOR, 0),
    # 32 lanes on one bank.
    ("transpose", "transpose_tiled", (32, 32), (TILES, TILES), {2: N, 3: N},
     2 * N * N * 4, 32),
    ("transpose", "transpose_padded", (32, 32), (TILES, TILES), {2: N, 3: N},
     2 * N * N * 4, 1),
    # Each element that a thread reads is a sector of its own.
    ("rows", "reduce_naive", (256,), (ROWS,), {},
     ROWS * 256 * (1024 * SECTOR + 4), 0),
    # A sum of 4 bytes takes a sector.
    ("rows", "reduce_by_block", (256,), (ROWS,), {},
     ROWS * (1024 * 4 + SECTOR), 1),
    # Four reads and four stores, each of all sectors of a row.
    ("rows", "softmax_gaps", (256,), (ROWS,), {}, 8 * ROWS * 1024 * 4, 1),
    ("rows", "softmax_vectors", (256,), (ROWS,), {}, 2 * ROWS * 1024 * 4, 1),
    # A warp has two rows of 16 threads: for each k they read an element of two
    # rows of a, and the same 16 elements of b, in two sectors; it stores four.
    ("matmul", "matmul_naive", (16, 16), (M // 16, M // 16), {3: M},
     PRODUCTS // 32 * (M * (2 + 2) + 4) * SECTOR, 0),
    # Each block reads 2 n rows of 16 elements, and stores 16.
    ("matmul", "matmul_tiled", (16, 16), (M // 16, M // 16), {3: M},
     (M // 16) ** 2 * (2 * M + 16) * 16 * 4, 1),
]
# Kernels of block_sizes.cu, as above.
SIZED = [
    ("block_sizes", "axpy", (256,), (4,), {2: 1024}, 3 * 4096, 0),
    ("block_sizes", "strided", (64,), (3,), {2: 1000}, 2 * 4000, 0),
    # A warp has 8 x 4 threads: it reads 4 rows of one sector, and stores 8 of
    # half a sector.
    ("block_sizes", "square", (8, 4), (3, 5), {}, 15 * (4 + 8) * SECTOR, 0),
    # 128 elements, the stored ones in sectors of their own.
    ("block_sizes", "fields", (64,), (2,),
     {"arg0.16": 1000, "arg0.20": 1, "arg0.24": 8, "arg0.32": 1,
      "arg0.40": 16}, 128 * (4 + SECTOR), 0),
]


def compile_all(clang, sources, folder):
    for target, options in TARGETS.items():
        for name in ("transpose", "rows", "matmul"):
            subprocess.run(
                [clang, *options, "--cuda-device-only", "-S", "-emit-llvm",
                 "-O2", "-Wno-unknown-cuda-version",
                 os.path.join(sources, name + ".cu"), "-o",
                 os.path.join(folder, "%s.%s.ll" % (name, target))],
                check=True)


def compile_sized(clang, source, sources, folder):
    for target, options in TARGETS.items():
        for version in VERSIONS if target == "amd" else ("",):
            more = ["-mcode-object-version=" + version] if version else []
            subprocess.run(
                [clang, *options, *more, "--cuda-device-only", "-S",
                 "-emit-llvm", "-O2", "-Wno-unknown-cuda-version",
                 "-I" + sources, source, "-o",
                 os.path.join(folder, "block_sizes.%s%s.ll" % (target,
                                                               version))],
                check=True)


def ask(tool, folder, target, kernel, *more):
    name, function, block, grid, given = kernel[:5]
    call = [tool, "kernel", os.path.join(folder, "%s.%s.ll" % (name, target)),
            "--format=json", "--function=" + function,
            "--block=" + ",".join(map(str, block)),
            "--grid=" + ",".join(map(str, grid)), *more]
    call += ["--arg=%s=%d" % each for each in given.items()]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise AssertionError("%s\n%s" % (" ".join(call), done.stderr))
    return json.loads(done.stdout)


def listed(tool, folder, target, kernel, place):
    """The bytes of global memory that a thread touches, in order of number."""
    answer = ask(tool, folder, target, kernel, "--at=" + place)
    touched = []
    for each in answer["thread_accesses"]:
        assert "reason" not in each, (kernel, each)
        if each["array"].startswith("shared:"):
            continue
        begin = each["offset_bytes"]
        touched += [(each["kind"], each["array"], begin + k)
                    for k in range(each["bytes"])]
    return sorted(touched)


def main():
    tool = os.path.abspath(sys.argv[1])
    clang = shutil.which("clang-22")
    if not clang:
        print("SKIPPED: no clang-22")
        return 0
    wrong = 0
    threads = 0
    with tempfile.TemporaryDirectory() as folder:
        compile_all(clang, "examples/cuda", folder)
        compile_sized(clang, sys.argv[2], "examples/cuda", folder)
        for kernel in KERNELS + SIZED:
            answer = ask(tool, folder, "nvidia", kernel)
            conflicts = max((each["conflicts"]
                             for each in answer.get("shared", [])), default=0)
            if (answer["moved_bytes"], conflicts) != kernel[5:]:
                wrong += 1
                print(kernel[1], "moves", answer["moved_bytes"], "bytes, bank "
                      "conflicts of", conflicts, "and not", kernel[5:])
            width = kernel[2][0]
            last = [side - 1 for side in kernel[2]]
            others = ["amd"]
            if kernel in SIZED:
                others = ["amd" + version for version in VERSIONS]
            for place in ("0:0", "1,0:%d" % (width - 1),
                          "%d:%s" % (kernel[3][0] - 1,
                                     ",".join(map(str, last)))):
                first = listed(tool, folder, "nvidia", kernel, place)
                for other in others:
                    second = listed(tool, folder, other, kernel, place)
                    threads += 1
                    if first != second or not first:
                        wrong += 1
                        print(kernel[1], place, "differs on", other)
    print("%d kernels, %d threads of two GPUs, %d wrong" %
          (len(KERNELS + SIZED), threads, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
