#!/usr/bin/env python3
"""Wavefronts of shared memory, against a GPU's counters.

  measure_shared.py prepare INDEXICAL > CASES.json
  measure_shared.py measure CASES.json > MEASURED.json     on a GPU, with ncu

`prepare` writes the addresses that each lane takes in each access, from the
values of the layouts alone, and the figures that the command gives. `measure`
loads and stores at these addresses in a kernel of CUDA, and counts. It fails if
a counter differs from a figure. tests/layout/measured.json is what was counted
on an H200.
"""

import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile

MMA = ("#ttg.nvidia_mma<{versionMajor = %d, versionMinor = 0, "
       "warpsPerCTA = [4, 1], instrShape = [16, %s]}>")
MMA2 = MMA % (2, "8")
MMA3 = MMA % (3, "64, 16")
DOT = "#ttg.dot_op<{opIdx = %d, parent = " + MMA2 + ", kWidth = %d}>"
BLOCKED = ("#ttg.blocked<{sizePerThread = [%d, %d], threadsPerWarp = [%d, %d],"
           " warpsPerCTA = [%d, %d], order = [%d, %d]}>")
SWIZZLED = ("#ttg.swizzled_shared<{vec = %d, perPhase = %d, maxPhase = %d, "
            "order = [%d, %d]}>")
NVMMA = ("#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, "
         "elementBitWidth = %d}>")
PADDED = "#ttg.padded_shared<[%d:+%d] {order = [1, 0], shape = [%d, %d]}>"
ROTATING = ("#ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, "
            "order = [1, 0]}>")
ROWS = BLOCKED % (1, 1, 1, 32, 4, 1, 1, 0)
COLUMNS = BLOCKED % (1, 1, 32, 1, 1, 4, 0, 1)
PERMUTED = ("#ttg.linear<{register = [[32, 0], [0, 1], [0, 2], [0, 4], [0, 8]],"
            " lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], "
            "block = []}>")

# Name, shape, type, who holds the tile, where it lies.
CASES = [
    ("rows", (32, 32), "f32", ROWS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("columns", (32, 32), "f32", COLUMNS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("columns, padded", (32, 32), "f32", COLUMNS, PADDED % (32, 1, 32, 32)),
    ("columns, 32 phases", (32, 32), "f32", COLUMNS,
     SWIZZLED % (1, 1, 32, 1, 0)),
    ("columns, 8 phases", (32, 32), "f32", COLUMNS,
     SWIZZLED % (1, 1, 8, 1, 0)),
    ("rows of 16 bytes", (64, 64), "f16",
     BLOCKED % (1, 8, 4, 8, 4, 1, 1, 0), SWIZZLED % (1, 1, 1, 1, 0)),
    ("rows of 8 bytes", (64, 64), "f16",
     BLOCKED % (1, 4, 2, 16, 4, 1, 1, 0), SWIZZLED % (4, 1, 8, 1, 0)),
    ("columns of f16, padded", (64, 64), "f16",
     BLOCKED % (1, 8, 32, 1, 1, 4, 0, 1), PADDED % (64, 8, 64, 64)),
    ("result", (64, 64), "f16", MMA2, SWIZZLED % (1, 1, 1, 1, 0)),
    ("result, swizzled", (64, 64), "f16", MMA2, SWIZZLED % (8, 1, 8, 1, 0)),
    ("result of f32", (64, 64), "f32", MMA3, NVMMA % (128, "false", 32)),
    ("operand", (64, 64), "f16", DOT % (0, 2), SWIZZLED % (1, 1, 1, 1, 0)),
    ("operand, swizzled", (64, 64), "f16", DOT % (0, 2),
     SWIZZLED % (8, 1, 8, 1, 0)),
    ("second operand", (64, 64), "f16", DOT % (1, 2),
     SWIZZLED % (8, 1, 8, 1, 0)),
    ("operand, nvmma 128", (64, 64), "f16", DOT % (0, 2),
     NVMMA % (128, "false", 16)),
    ("operand, nvmma 64", (64, 64), "f16", DOT % (0, 2),
     NVMMA % (64, "false", 16)),
    ("operand, nvmma transposed", (64, 64), "f16", DOT % (0, 2),
     NVMMA % (128, "true", 16)),
    ("operand of f8", (64, 64), "i8", DOT % (0, 4), SWIZZLED % (16, 2, 4, 1, 0)),
    ("rows of f64", (32, 32), "f64", ROWS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("columns of f64", (32, 32), "f64", COLUMNS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("columns of f64, padded", (32, 32), "f64", COLUMNS,
     PADDED % (32, 1, 32, 32)),
    ("columns of bytes", (32, 32), "i8", COLUMNS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("bytes by 16", (64, 64), "i8", BLOCKED % (1, 16, 8, 4, 4, 1, 1, 0),
     SWIZZLED % (16, 1, 4, 1, 0)),
    ("permuted registers", (64, 16), "f16", PERMUTED,
     SWIZZLED % (1, 1, 1, 1, 0)),
    ("rotating", (64, 64), "f16", MMA2, ROTATING),
    ("several holders", (8, 32), "f32", ROWS, SWIZZLED % (1, 1, 1, 1, 0)),
    ("CuTe, swizzled", (64, 64), "f16", BLOCKED % (1, 8, 32, 1, 1, 4, 0, 1),
     "Sw<3,3,3> o 0 o (64,64):(64,1)"),
    ("CuTe, columns of 20", (32, 20), "f32", None, "(32,20):(20,1)"),
    ("CuTe, columns of 21", (32, 20), "f32", None, "(32,20):(21,1)"),
]


def texts(shape, kind, held, memory):
    sides = "x".join(map(str, shape))
    if held is None:
        held = "(%d,%d):(1@0,1@1) as (lane, register) -> (dim0, dim1)" % shape
    else:
        held = "tensor<%sx%s, %s>" % (sides, kind, held)
    if memory.startswith("#"):
        memory = "!ttg.memdesc<%sx%s, %s, #smem>" % (sides, kind, memory)
    return held, memory


def values(document):
    """Each point, by the names of its inputs, and its values."""
    names = [each["name"] for each in document["inputs"]]
    for point in itertools.product(
            *(range(each["size"]) for each in document["inputs"])):
        at = dict(zip(names, point))
        found = []
        for total in document["form"]:
            value = total["constant"]
            for digit in total["digits"]:
                value += digit["weight"] * (
                    at[digit["input"]] // digit["step"] % digit["size"])
            for parity in total["parities"]:
                odd = 0
                for bit in parity["bits"]:
                    odd ^= at[bit["input"]] >> bit["bit"] & 1
                value += parity["weight"] * odd
            found.append(value)
        yield at, tuple(found)


def accesses_of(places, vector):
    """For each warp, what each lane takes: its blocks, by the order of their
    first registers."""
    lanes = {}
    for (warp, lane), registers in sorted(places.items()):
        blocks = lanes.setdefault(warp, {}).setdefault(lane, [])
        for _, place in sorted(registers):
            if place // vector not in blocks:
                blocks.append(place // vector)
    return [[[lanes[warp].get(lane, [])[n] * vector
              if n < len(lanes[warp].get(lane, [])) else -1
              for lane in range(32)]
             for n in range(max(map(len, lanes[warp].values())))]
            for warp in sorted(lanes)]


def prepared(tool, name, shape, kind, held, memory):
    held, memory = texts(shape, kind, held, memory)
    answer = subprocess.run(
        [tool, "layout", held, memory, "--type=" + kind, "--space=shared",
         "--format=json"], capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 3):
        sys.exit("%s: %s" % (name, answer.stderr))
    document = json.loads(answer.stdout)
    figures = document["move"]
    threads, stored = document["layouts"]
    if stored["inputs"][0]["name"] == "offset":
        place_of = {value: at["offset"] for at, value in values(stored)}
    else:
        place_of = {tuple(at.values()): value[0]
                    for at, value in values(stored)}
    places = {}
    for at, element in values(threads):
        places.setdefault((at.get("warp", 0), at["lane"]), []).append(
            (at["register"], place_of[element]))
    size = int(kind.lstrip("fi")) // 8
    return {"name": name, "layouts": [held, memory], "type": kind,
            "bytes": figures["vector"] * size,
            "accesses": [[[place * size if place >= 0 else -1
                           for place in lanes] for lanes in warp]
                         for warp in accesses_of(places, figures["vector"])],
            "expected": {key: figures[key] for key in (
                "vector", "accesses", "conflicts", "wavefronts")}}


KERNELS = r"""
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#define LOADS(NAME, TYPES, OUTS, SUM) \
  __global__ void load_##NAME(const int *at, int count, unsigned *to) { \
    extern __shared__ char memory[]; \
    unsigned base = __cvta_generic_to_shared(memory), sum = 0; \
    for (int n = 0; n < count; ++n) { \
      int place = at[n * blockDim.x + threadIdx.x]; \
      if (place >= 0) { \
        unsigned a = 0, b = 0, c = 0, d = 0; \
        asm volatile("nanosleep.u32 %0;" :: "r"(2000 + (place >> 20))); \
        asm volatile("ld.shared." TYPES : OUTS : "r"(base + place)); \
        sum += SUM; \
      } \
    } \
    to[threadIdx.x] = sum; \
  }
#define STORES(NAME, TYPES) \
  __global__ void store_##NAME(const int *at, int count, unsigned *to) { \
    extern __shared__ char memory[]; \
    unsigned base = __cvta_generic_to_shared(memory); \
    unsigned a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3; \
    (void)b, (void)c, (void)d; \
    for (int n = 0; n < count; ++n) { \
      int place = at[n * blockDim.x + threadIdx.x]; \
      if (place >= 0) asm volatile("st.shared." TYPES :: "r"(base + place), \
          "r"(a), "r"(b), "r"(c), "r"(d) : "memory"); \
    } \
  }
LOADS(1, "u8 %0, [%1];", "=r"(a), a)
LOADS(2, "u16 %0, [%1];", "=h"(*(unsigned short *)&a), a)
LOADS(4, "u32 %0, [%1];", "=r"(a), a)
#define TWO "=r"(a), "=r"(b)
LOADS(8, "v2.u32 {%0, %1}, [%2];", TWO, a + b)
#define FOUR "=r"(a), "=r"(b), "=r"(c), "=r"(d)
LOADS(16, "v4.u32 {%0, %1, %2, %3}, [%4];", FOUR, a + b + c + d)
STORES(1, "u8 [%0], %1;")
__global__ void store_2(const int *at, int count, unsigned *to) {
  extern __shared__ char memory[];
  unsigned base = __cvta_generic_to_shared(memory);
  unsigned short a = threadIdx.x;
  for (int n = 0; n < count; ++n) {
    int place = at[n * blockDim.x + threadIdx.x];
    if (place >= 0)
      asm volatile("st.shared.u16 [%0], %1;" :: "r"(base + place), "h"(a)
                   : "memory");
  }
}
STORES(4, "u32 [%0], %1;")
STORES(8, "v2.u32 [%0], {%1, %2};")
STORES(16, "v4.u32 [%0], {%1, %2, %3, %4};")
#define CHECK(CALL) \
  if (cudaError_t wrong = CALL) { \
    fprintf(stderr, "%s: %s\n", #CALL, cudaGetErrorString(wrong)); exit(1); \
  }
int main(int, char **words) {
  if (!freopen(words[1], "r", stdin)) return 1;
  int bytes, threads, count, shared;
  while (scanf("%d %d %d %d", &bytes, &threads, &count, &shared) == 4) {
    std::vector<int> at(threads * count);
    for (int &place : at) if (scanf("%d", &place) != 1) return 1;
    int *there; unsigned *to;
    CHECK(cudaMalloc(&there, at.size() * 4));
    CHECK(cudaMalloc(&to, threads * 4));
    CHECK(cudaMemcpy(there, at.data(), at.size() * 4, cudaMemcpyDefault));
    for (int run = 0; run < RUNS; ++run) switch (bytes) {
#define CASE(N) \
  case N: \
    load_##N<<<1, threads, shared>>>(there, count, to); \
    CHECK(cudaGetLastError()); \
    store_##N<<<1, threads, shared>>>(there, count, to); \
    CHECK(cudaGetLastError()); \
    break;
      CASE(1) CASE(2) CASE(4) CASE(8) CASE(16)
    }
    CHECK(cudaDeviceSynchronize());
    cudaFree(there); cudaFree(to);
  }
}
"""

# A load's counter also has turns that it gives to other work of the core, such
# as addresses that return from global memory. So a load waits until its own has
# come, and the least of some runs counts.
RUNS = 8

METRICS = {
    "load": {"wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
             "accesses": "smsp__inst_executed_op_shared_ld.sum",
             "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"
                          ".sum"},
    "store": {"wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"
                            ".sum",
              "accesses": "smsp__inst_executed_op_shared_st.sum",
              "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st"
                           ".sum"},
}


def measured(cases):
    lines = []
    for case in cases:
        warps = case["accesses"]
        count = max(map(len, warps))
        rows = [[lanes for warp in warps
                 for lanes in (warp[n] if n < len(warp) else [-1] * 32)]
                for n in range(count)]
        top = max(place for row in rows for place in row) + case["bytes"]
        lines.append("%d %d %d %d" % (case["bytes"], 32 * len(warps), count,
                                      top))
        lines += [" ".join(map(str, row)) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "shared.cu")
        with open(source, "w") as file:
            file.write(KERNELS)
        with open(os.path.join(folder, "cases"), "w") as file:
            file.write("\n".join(lines))
        program = os.path.join(folder, "shared")
        subprocess.run(["nvcc", "-O2", "-arch=native", "-DRUNS=%d" % RUNS, "-o", program, source],
                       check=True)
        names = ",".join(name for each in METRICS.values()
                         for name in each.values())
        answer = subprocess.run(
            ["ncu", "--csv", "--print-units", "base", "--clock-control",
             "none", "--metrics", names, program,
             os.path.join(folder, "cases")],
            capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            sys.exit(answer.stdout[-3000:] + answer.stderr[-3000:])
    # A row a metric of a launch, in the order of the launches.
    text = answer.stdout[answer.stdout.index('"ID"'):]
    launches = {}
    for row in csv.DictReader(text.splitlines()):
        launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = \
            row["Metric Value"]
    wrong = 0
    for number, case in enumerate(cases):
        case["counted"] = {}
        for offset, (kind, metrics) in enumerate(METRICS.items()):
            runs = [launches[2 * (number * RUNS + run) + offset]
                    for run in range(RUNS)]
            counted = {key: min(int(float(run[name].replace(",", "")))
                                for run in runs)
                       for key, name in metrics.items()}
            case["counted"][kind] = counted
            same = all(counted[key] == case["expected"][key]
                       for key in ("wavefronts", "accesses"))
            wrong += not same
            print("%-28s %-5s %2d bytes  expected %s  counted %s%s" % (
                case["name"], kind, case["bytes"],
                {key: case["expected"][key] for key in (
                    "accesses", "wavefronts")}, counted,
                "" if same else "  DIFFERENT"), file=sys.stderr)
        del case["accesses"]
    return wrong


def main():
    if sys.argv[1] == "prepare":
        json.dump([prepared(sys.argv[2], *case) for case in CASES], sys.stdout)
        return
    with open(sys.argv[2]) as file:
        cases = json.load(file)
    wrong = measured(cases)
    json.dump(cases, sys.stdout, indent=1)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
