#!/usr/bin/env python3
"""Kernels of Triton as people write them: their texts, launches, times.

    profile_triton.py FOLDER [--only=TEXT] [--skip=NAME,…] [--part=K/N] [--once]

Needs an NVIDIA GPU, PyTorch and Triton. Each kernel below is compiled and run.
FOLDER gets, for each one, NAME.ttir, NAME.ttgir and NAME.ptx, and one file
`kernels.json` for all: for each kernel its grid, warps, arguments, what
`indexical kernel` needs to know, and microseconds (the median of the runs,
the L2 cache last filled by something else). `compare_triton.py` sets what
`indexical kernel` predicts beside it.

--once runs each kernel once between cudaProfilerStart and -Stop, for a profiler
that reads hardware counters (`ncu --profile-from-start off`). Several
processes, each with its --part and --once, compile the kernels sooner than one.
"""

import argparse
import json
import os
import sys
import traceback

import torch
import triton
import triton.language as tl

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
S8, S32 = torch.int8, torch.int32
SHAPE_NAMES = {F32: "f32", F16: "f16", BF16: "bf16", S8: "s8", S32: "s32",
               torch.int64: "s64", torch.uint8: "u8",
               torch.float8_e4m3fn: "f8e4m3fn"}

CASES = []


class Case:
    """A kernel by one name, and a function that makes its launch: the grid,
    the arguments in order, and constants by name."""

    def __init__(self, name, body, make, warps=4, stages=3, runtime=()):
        self.name, self.make = name, make
        self.warps, self.stages = warps, stages
        # Values of loads that decide about addresses, for `--runtime`.
        self.runtime = list(runtime)
        # The name in the profile is the case's.
        self.kernel = triton.jit(body, repr=lambda _: name)


def case(name, make, **options):
    """Registers the function below it as the kernel NAME."""
    def keep(body):
        CASES.append(Case(name, body, make, **options))
        return body
    return keep


def also(name, body, make, **options):
    CASES.append(Case(name, body, make, **options))


def values(*shape, kind=F32):
    if kind in (F32, F16, BF16):
        return torch.randn(shape, device="cuda", dtype=kind)
    if kind == torch.float8_e4m3fn:
        return torch.randn(shape, device="cuda").to(kind)
    return torch.randint(-100, 100, shape, device="cuda", dtype=kind)


def empty(*shape, kind=F32):
    return torch.empty(shape, device="cuda", dtype=kind)


def up(a, b):
    return (a + b - 1) // b


# Elementwise.


def vectors(n, block, kind=F32, count=3):
    return lambda: ((up(n, block),),
                    [values(n, kind=kind) for _ in range(count)] + [n],
                    dict(BLOCK=block))


@case("vector_add", vectors(1 << 22, 1024))
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask) + tl.load(y + at, mask), mask)


# No multiple of the block, and one that no vector divides.
also("vector_add_16", add, vectors(4000016, 1024))
also("vector_add_odd", add, vectors(3999999, 1024))
also("vector_add_f16", add, vectors(1 << 23, 2048, F16), warps=8)
also("vector_add_small", add, vectors(1 << 20, 64))


@case("copy_strided", lambda: (
    (1024,), [values(1 << 23), empty(1 << 20), 1 << 20, 8], dict(BLOCK=1024)))
def copy_strided(x, out, n, stride, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at * stride, mask), mask)


@case("copy_offset", lambda: (
    (4096,), [values((1 << 22) + 8), empty(1 << 22), 3], dict(BLOCK=1024)))
def copy_offset(x, out, start, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + start + at))


@case("reverse", lambda: ((4096,), [values(1 << 22), empty(1 << 22), 1 << 22],
                          dict(BLOCK=1024)))
def reverse(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + (n - 1 - at)))


@case("load_int8", lambda: ((2048,), [values(1 << 23, kind=S8),
                                      empty(1 << 23)], dict(BLOCK=4096)))
def load_int8(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float32) * 0.5)


@case("load_f8", lambda: ((2048,), [values(1 << 23, kind=torch.float8_e4m3fn),
                                    empty(1 << 23, kind=F16)],
                          dict(BLOCK=4096)))
def load_f8(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at).to(tl.float16))


@case("add_bias", lambda: ((64, 8), [values(4096, 1000), values(1000),
                                     empty(4096, 1000), 4096, 1000],
                           dict(ROWS=64, COLUMNS=128)))
def add_bias(x, bias, out, rows, columns, ROWS: tl.constexpr,
             COLUMNS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    mask = (r[:, None] < rows) & (c[None, :] < columns)
    at = r[:, None] * columns + c[None, :]
    b = tl.load(bias + c, c < columns, other=0.0)
    tl.store(out + at, tl.load(x + at, mask) + b[None, :], mask)


@case("scale_batches", lambda: ((8, 4, 16), [values(16, 256, 1024),
                                             values(16, 256),
                                             empty(16, 256, 1024)], {}))
def scale_batches(x, scale, out):
    r = tl.program_id(1) * 64 + tl.arange(0, 64)
    c = tl.program_id(0) * 128 + tl.arange(0, 128)
    row = tl.program_id(2) * 256 + r
    at = row[:, None] * 1024 + c[None, :]
    tl.store(out + at, tl.load(x + at) * tl.load(scale + row)[:, None])


@case("stencil", lambda: ((4096,), [values(4194304), empty(4194304), 4194304],
                          dict(BLOCK=1024)))
def stencil(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + (at - 1), (at >= 1) & (at < n), other=0.0)
    here = tl.load(x + at, at < n, other=0.0)
    right = tl.load(x + (at + 1), at + 1 < n, other=0.0)
    tl.store(out + at, 0.25 * left + 0.5 * here + 0.25 * right, at < n)


@case("persistent", lambda: ((264,), [values(4000000), empty(4000000), 4000000],
                             dict(BLOCK=1024)))
def persistent(x, out, n, BLOCK: tl.constexpr):
    tiles = tl.cdiv(n, BLOCK)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        at = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)


@case("persistent_pipelined", lambda: (
    (264,), [values(4000000), empty(4000000), 4000000], dict(BLOCK=1024)))
def persistent_pipelined(x, out, n, BLOCK: tl.constexpr):
    tiles = tl.cdiv(n, BLOCK)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0),
                         num_stages=3):
        at = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)


# Rows: normalisations, reductions, scans.


@case("softmax", lambda: ((4096,), [values(4096, 1000), empty(4096, 1000),
                                    1000], dict(BLOCK=1024)))
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + c, c < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * columns + c, e / tl.sum(e, 0), c < columns)


@case("layer_norm", lambda: (
    (2048,), [values(2048, 3000), values(3000), values(3000),
              empty(2048, 3000), empty(2048), 3000, 1e-5], dict(BLOCK=1024)))
def layer_norm(x, weight, bias, out, means, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * columns
    out += row * columns
    total = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + c, c < columns, other=0.0)
        total += v
        squares += v * v
    mean = tl.sum(total, 0) / columns
    scale = tl.rsqrt(tl.sum(squares, 0) / columns - mean * mean + eps)
    tl.store(means + row, mean)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        mask = c < columns
        v = tl.load(x + c, mask, other=0.0)
        w = tl.load(weight + c, mask)
        b = tl.load(bias + c, mask)
        tl.store(out + c, (v - mean) * scale * w + b, mask)


@case("rms_norm_bf16", lambda: (
    (4096,), [values(4096, 2048, kind=BF16), values(2048, kind=BF16),
              empty(4096, 2048, kind=BF16), 2048, 1e-6], dict(BLOCK=2048)),
    warps=8)
def rms_norm(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    mask = c < columns
    at = tl.program_id(0) * columns + c
    v = tl.load(x + at, mask, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / columns + eps)
    w = tl.load(weight + c, mask).to(tl.float32)
    tl.store(out + at, (v * scale * w).to(tl.bfloat16), mask)


@case("rotary", lambda: ((2048, 4), [
    values(2048, 16, 128, kind=BF16), values(2048, 64), values(2048, 64),
    empty(2048, 16, 128, kind=BF16)], {}))
def rotary(x, cosines, sines, out):
    token = tl.program_id(0)
    heads = tl.program_id(1) * 4 + tl.arange(0, 4)
    d = tl.arange(0, 64)
    c = tl.load(cosines + token * 64 + d)[None, :]
    s = tl.load(sines + token * 64 + d)[None, :]
    at = (token * 16 + heads[:, None]) * 128 + d[None, :]
    a = tl.load(x + at).to(tl.float32)
    b = tl.load(x + at + 64).to(tl.float32)
    tl.store(out + at, (a * c - b * s).to(tl.bfloat16))
    tl.store(out + at + 64, (b * c + a * s).to(tl.bfloat16))


@case("row_sum", lambda: ((4096,), [values(4096, 2048), empty(4096), 2048],
                          dict(BLOCK=2048)))
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + c, c < columns, other=0.0)
    tl.store(out + row, tl.sum(v, 0))


@case("column_sum", lambda: ((64,), [values(2048, 4096), empty(4096), 2048,
                                     4096], dict(ROWS=32, COLUMNS=64)))
def column_sum(x, out, rows, columns, ROWS: tl.constexpr,
               COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros([ROWS, COLUMNS], tl.float32)
    for start in range(0, rows, ROWS):
        r = start + tl.arange(0, ROWS)
        total += tl.load(x + r[:, None] * columns + c[None, :])
    tl.store(out + c, tl.sum(total, 0))


@case("argmax", lambda: ((4096,), [values(4096, 1024), empty(4096, kind=S32)],
                         dict(BLOCK=1024)))
def argmax(x, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row, tl.argmax(v, 0))


@case("cumsum", lambda: ((4096,), [values(4096, 1024), empty(4096, 1024)],
                         dict(BLOCK=1024)))
def cumsum(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), 0))


@case("quantize", lambda: ((4096,), [values(4096, 2048, kind=BF16),
                                     empty(4096, 2048, kind=S8), empty(4096)],
                           dict(BLOCK=2048)))
def quantize(x, out, scales, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = row * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at).to(tl.float32)
    scale = tl.max(tl.abs(v), 0) / 127
    tl.store(scales + row, scale)
    tl.store(out + at, (v / scale).to(tl.int8))


# Other places: transposes, indices, atomics.


@case("transpose_tile", lambda: ((32, 64), [values(2048, 4096),
                                            empty(4096, 2048), 2048, 4096],
                                 dict(TILE=64)))
def transpose_tile(x, out, rows, columns, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    v = tl.load(x + r[:, None] * columns + c[None, :])
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v))


@case("transpose_direct", lambda: ((64, 128), [values(2048, 4096),
                                               empty(4096, 2048), 2048, 4096],
                                   dict(TILE=32)))
def transpose_direct(x, out, rows, columns, TILE: tl.constexpr):
    r = tl.program_id(0) * TILE + tl.arange(0, TILE)
    c = tl.program_id(1) * TILE + tl.arange(0, TILE)
    v = tl.load(x + r[:, None] * columns + c[None, :])
    tl.store(out + r[:, None] + c[None, :] * rows, v)


def scattered(n, size, factor=1021):
    return (torch.arange(n, device="cuda") * factor % size).to(S32)


# Program b has the indices of 1024 b + t.
@case("gather", lambda: ((1024,), [values(1 << 22),
                                   scattered(1 << 20, 1 << 22),
                                   empty(1 << 20)], dict(BLOCK=1024)),
      runtime=["loaded0=(bl_x * 1024 + t0) * 1021 mod 4194304"])
def gather(table, index, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(table + tl.load(index + at)))


@case("scatter", lambda: ((1024,), [values(1 << 20),
                                    scattered(1 << 20, 1 << 22),
                                    empty(1 << 22)], dict(BLOCK=1024)),
      runtime=["loaded0=(bl_x * 1024 + t0) * 1021 mod 4194304"])
def scatter(x, index, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + tl.load(index + at), tl.load(x + at))


@case("embedding", lambda: ((8192,), [
    values(16000, 768, kind=F16), scattered(8192, 16000),
    empty(8192, 768, kind=F16), 768], dict(BLOCK=1024)),
    runtime=["loaded0=bl_x * 1021 mod 16000"])
def embedding(table, tokens, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    token = tl.load(tokens + row)
    c = tl.arange(0, BLOCK)
    mask = c < width
    tl.store(out + row * width + c, tl.load(table + token * width + c, mask),
             mask)


@case("histogram_atomic", lambda: (
    (1024,), [scattered(1 << 20, 4096), torch.zeros(4096, device="cuda",
                                                     dtype=S32)],
    dict(BLOCK=1024)), runtime=["loaded0=(bl_x * 1024 + t0) * 1021 mod 4096"])
def histogram_atomic(x, counts, BLOCK: tl.constexpr):
    bucket = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(counts + bucket, 1)


@case("row_sum_atomic", lambda: (
    (2048, 4), [values(2048, 4096), torch.zeros(2048, device="cuda"), 4096],
    dict(BLOCK=1024)))
def row_sum_atomic(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + row, tl.sum(tl.load(x + row * columns + c), 0))


# Which layout a load of few elements takes; what decides about vectors.


def tiled(rows, columns):
    return lambda: ((rows // 64, columns // 128), [
        values(rows, columns), values(rows), values(columns),
        empty(rows, columns), columns], dict(R=64, C=128))


@case("small_rows_and_columns", tiled(2048, 2048))
def small_rows_and_columns(x, scale, bias, out, columns, R: tl.constexpr,
                           C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    at = r[:, None] * columns + c[None, :]
    tl.store(out + at, tl.load(x + at) * tl.load(scale + r)[:, None]
             + tl.load(bias + c)[None, :])


@case("small_masked", tiled(2048, 2048), warps=8)
def small_masked(x, scale, bias, out, columns, R: tl.constexpr,
                 C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    at = r[:, None] * columns + c[None, :]
    s = tl.exp(tl.load(scale + r, r < 2000, other=1.0))
    b = tl.load(bias + c, c < columns, other=0.0)
    tl.store(out + at, tl.load(x + at) * s[:, None] + b[None, :])


# The scale is used with a tile, and is stored alone.
@case("small_twice", tiled(2048, 2048))
def small_twice(x, scale, copied, out, columns, R: tl.constexpr,
                C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    at = r[:, None] * columns + c[None, :]
    s = tl.load(scale + r)
    tl.store(copied + r, s)
    tl.store(out + at, tl.load(x + at) * s[:, None])


@case("small_outer", lambda: ((64, 64), [
    values(4096), values(4096), empty(4096, 4096)], dict(T=64)))
def small_outer(a, b, out, T: tl.constexpr):
    r = tl.program_id(0) * T + tl.arange(0, T)
    c = tl.program_id(1) * T + tl.arange(0, T)
    tl.store(out + r[:, None] * 4096 + c[None, :],
             tl.load(a + r)[:, None] * tl.load(b + c)[None, :])


@case("small_index", lambda: ((512,), [
    values(16000, 128), scattered(16384, 16000), empty(16384, 128)],
    dict(R=32)), runtime=["loaded0=(bl_x * 32 + t0) * 1021 mod 16000"])
def small_index(table, tokens, out, R: tl.constexpr):
    """Rows of a table by 32 numbers, which are loaded at once."""
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, 128)
    token = tl.load(tokens + r)
    tl.store(out + r[:, None] * 128 + c[None, :],
             tl.load(table + token[:, None] * 128 + c[None, :]))


@case("gather_rows", lambda: ((64,), [
    values(16000, 64, kind=F16), scattered(16384, 16000),
    empty(16384, 64, kind=F16), 64], dict(R=256)),
    runtime=["loaded0=(bl_x * 256 + t0) * 1021 mod 16000"])
def gather_rows(table, tokens, out, width, R: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, 64)
    token = tl.load(tokens + r)
    tl.store(out + r[:, None] * width + c[None, :],
             tl.load(table + token[:, None] * width + c[None, :]))


# The row's number is made of a float: no analysis knows its divisor.
@case("float_row", lambda: ((8192,), [
    values(16000, 768, kind=F16), (torch.arange(
        8192, device="cuda") * 1021 % 16000).to(F32),
    empty(8192, 768, kind=F16), 768], dict(BLOCK=1024)))
def float_row(table, tokens, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    token = tl.load(tokens + row).to(tl.int32)
    c = tl.arange(0, BLOCK)
    tl.store(out + row * width + c,
             tl.load(table + token * width + c, c < width), c < width)


@case("select_vector", vectors(1 << 22, 1024, count=2))
def select_vector(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.where(tl.program_id(0) % 2 == 0, at, n - BLOCK + at % BLOCK)
    tl.store(out + at, tl.load(x + at) + 1)


@case("loop_step", lambda: ((264,), [values(4000000), empty(4000000), 4000000,
                                     264], dict(BLOCK=1024)))
def loop_step(x, out, n, step, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(n, BLOCK), step):
        at = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)


@case("early_return", vectors(3999744, 1024, count=2))
def early_return(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if tl.program_id(0) % 3 == 0:
        return
    tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)


@case("barrier_and_branch", vectors(3999744, 1024, count=2))
def barrier_and_branch(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, at < n)
    tl.debug_barrier()
    if tl.program_id(0) % 3 == 0:
        v = v + tl.load(x + at + 1024, at + 1024 < n, other=0.0)
    tl.store(out + at, v, at < n)


@case("histogram_masked", lambda: ((256,), [
    scattered(1 << 18, 128), empty(256, 128, kind=S32)], dict(BLOCK=1024)))
def histogram_masked(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * BLOCK + at)
    counts = tl.histogram(v, 128, v > 3)
    tl.store(out + tl.program_id(0) * 128 + tl.arange(0, 128), counts)


@case("gather_in_tile", lambda: ((1024,), [values(1 << 20), empty(1 << 20)],
                                 dict(BLOCK=1024)))
def gather_in_tile(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    v = tl.load(x + base + at)
    tl.store(out + base + at, tl.gather(v, (at * 5) % BLOCK, 0))


@case("interleave", lambda: ((1024,), [values(1 << 20), values(1 << 20),
                                       empty(1 << 21)], dict(BLOCK=1024)))
def interleave(x, y, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    both = tl.interleave(tl.load(x + at), tl.load(y + at))
    tl.store(out + tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK),
             both)


# Atomics: sectors that lanes share, types, and forms.


def summed(kind=F32, size=1 << 20):
    return lambda: ((1024,), [
        values(1 << 20, kind=kind),
        torch.zeros(size, device="cuda", dtype=kind)], dict(BLOCK=1024))


@case("atomic_row", summed())
def atomic_row(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + at, tl.load(x + at))


@case("atomic_masked", summed())
def atomic_masked(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + at, tl.load(x + at), at % 7 < 3, sem="relaxed")


@case("atomic_strided", summed(size=1 << 22))
def atomic_strided(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + at * 3, tl.load(x + at), sem="relaxed")


@case("atomic_shared", summed(kind=S32))
def atomic_shared(x, out, BLOCK: tl.constexpr):
    """Sixteen lanes add to each element."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + at // 16, tl.load(x + at))


@case("atomic_max", summed(kind=S32))
def atomic_max(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_max(out + at, tl.load(x + at))


@case("atomic_f16", summed(kind=F16))
def atomic_f16(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + at, tl.load(x + at), sem="relaxed")


@case("atomic_small", summed())
def atomic_small(x, out, BLOCK: tl.constexpr):
    """Fewer elements than threads, and an old value that is used."""
    at = tl.program_id(0) * 64 + tl.arange(0, 64)
    old = tl.atomic_add(out + at, tl.load(x + at))
    tl.store(x + at, old)


@case("atomic_swap", summed(kind=S32))
def atomic_swap(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.atomic_cas(out + at, tl.zeros([BLOCK], tl.int32),
                                   tl.load(x + at)))


# Products.


def product(m, n, k, kind, tile, transposed=False):
    def make():
        a = values(m, k, kind=kind)
        b = values(n, k, kind=kind).t() if transposed else values(k, n,
                                                                  kind=kind)
        c = empty(m, n, kind=kind)
        return ((up(m, tile[0]) * up(n, tile[1]),),
                [a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride()],
                dict(M=tile[0], N=tile[1], K=tile[2], GROUP=8))
    return make


@case("matmul_f16", product(1024, 1024, 1024, F16, (64, 64, 32)))
def matmul(a, b, c, m, n, k, stride_am, stride_ak, stride_bk, stride_bn,
           stride_cm, stride_cn, M: tl.constexpr, N: tl.constexpr,
           K: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(m, M), tl.cdiv(n, N)
    group = pid // (GROUP * columns)
    size = min(rows - group * GROUP, GROUP)
    pm = group * GROUP + (pid % (GROUP * columns)) % size
    pn = (pid % (GROUP * columns)) // size
    am = (pm * M + tl.arange(0, M)) % m
    bn = (pn * N + tl.arange(0, N)) % n
    ks = tl.arange(0, K)
    pa = a + am[:, None] * stride_am + ks[None, :] * stride_ak
    pb = b + ks[:, None] * stride_bk + bn[None, :] * stride_bn
    total = tl.zeros([M, N], tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        va = tl.load(pa, ks[None, :] < k - step * K, other=0.0)
        vb = tl.load(pb, ks[:, None] < k - step * K, other=0.0)
        total = tl.dot(va, vb, total)
        pa += K * stride_ak
        pb += K * stride_bk
    cm = pm * M + tl.arange(0, M)
    cn = pn * N + tl.arange(0, N)
    pc = c + cm[:, None] * stride_cm + cn[None, :] * stride_cn
    tl.store(pc, total.to(c.dtype.element_ty),
             (cm[:, None] < m) & (cn[None, :] < n))


also("matmul_f16_plain", matmul, product(1024, 1024, 1024, F16, (64, 64, 32)),
     stages=1)
also("matmul_f16_odd", matmul, product(1000, 776, 1032, F16, (128, 64, 64)),
     warps=8)
also("matmul_f32", matmul, product(1024, 1024, 512, F32, (64, 64, 32)))
also("matmul_f32_plain", matmul, product(1024, 1024, 512, F32, (64, 64, 32)),
     stages=1)
also("matmul_transposed", matmul,
     product(1024, 1024, 1024, BF16, (128, 128, 64), transposed=True), warps=8)


also("matmul_f8", matmul, product(1024, 1024, 1024, torch.float8_e4m3fn,
                                  (64, 64, 64)))
# A stride that 16 does not divide: copies of 4 bytes.
also("matmul_f32_unaligned", matmul, product(1024, 1022, 512, F32,
                                             (64, 64, 32)))


@case("matmul_assume", lambda: ((256,), [
    values(1024, 1024, kind=F16), values(1024, 1024, kind=F16),
    empty(1024, 1024, kind=F16), 1024], dict(T=64)))
def matmul_assume(a, b, c, size, T: tl.constexpr):
    tl.assume(size > 0)
    tiles = tl.cdiv(size, T)
    rows = tl.program_id(0) // tiles * T + tl.arange(0, T)
    columns = tl.program_id(0) % tiles * T + tl.arange(0, T)
    ks = tl.arange(0, T)
    total = tl.zeros([T, T], tl.float32)
    for start in range(0, size, T):
        va = tl.load(a + rows[:, None] * size + (start + ks)[None, :])
        vb = tl.load(b + (start + ks)[:, None] * size + columns[None, :])
        total = tl.dot(va, vb, total)
    tl.store(c + rows[:, None] * size + columns[None, :], total.to(tl.float16))


@case("matmul_block_pointer", lambda: ((16, 16), [
    values(1024, 1024, kind=F16), values(1024, 1024, kind=F16),
    empty(1024, 1024), 1024], dict(T=64)))
def matmul_block_pointer(a, b, c, size, T: tl.constexpr):
    row, column = tl.program_id(0) * T, tl.program_id(1) * T
    pa = tl.make_block_ptr(a, (size, size), (size, 1), (row, 0), (T, T), (1, 0))
    pb = tl.make_block_ptr(b, (size, size), (size, 1), (0, column), (T, T),
                           (1, 0))
    pc = tl.make_block_ptr(c, (size, size), (size, 1), (row, column), (T, T),
                           (1, 0))
    total = tl.zeros([T, T], tl.float32)
    for _ in range(0, size, T):
        total = tl.dot(tl.load(pa, boundary_check=(0, 1)),
                       tl.load(pb, boundary_check=(0, 1)), total)
        pa = tl.advance(pa, (0, T))
        pb = tl.advance(pb, (T, 0))
    tl.store(pc, total, boundary_check=(0, 1))


@case("copy_descriptor", lambda: ((32, 32), [values(2048, 2048, kind=F16),
                                             empty(2048, 2048, kind=F16),
                                             2048, 2048], dict(T=64)))
def copy_descriptor(x, out, rows, columns, T: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [T, T])
    target = tl.make_tensor_descriptor(out, [rows, columns], [columns, 1],
                                       [T, T])
    r, c = tl.program_id(0) * T, tl.program_id(1) * T
    target.store([r, c], source.load([r, c]) * 2)


@case("matmul_descriptor", lambda: ((16, 8), [
    values(1024, 1024, kind=F16), values(1024, 1024, kind=F16),
    empty(1024, 1024, kind=F16), 1024], dict(M=64, N=128, K=64)))
def matmul_descriptor(a, b, c, size, M: tl.constexpr, N: tl.constexpr,
                      K: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [size, size], [size, 1], [M, K])
    db = tl.make_tensor_descriptor(b, [size, size], [size, 1], [K, N])
    dc = tl.make_tensor_descriptor(c, [size, size], [size, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros([M, N], tl.float32)
    for k in range(0, size, K):
        total = tl.dot(da.load([row, k]), db.load([k, column]), total)
    dc.store([row, column], total.to(tl.float16))


@case("attention", lambda: ((16, 16), [
    *(values(16, 1024, 64, kind=F16) for _ in range(3)),
    empty(16, 1024, 64, kind=F16), 1024, 0.125],
    dict(M=64, N=64, D=64)), stages=2)
def attention(q, k, v, out, length, scale, M: tl.constexpr, N: tl.constexpr,
              D: tl.constexpr):
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * M + tl.arange(0, M)
    keys, d = tl.arange(0, N), tl.arange(0, D)
    vq = tl.load(q + head + rows[:, None] * D + d[None, :])
    most = tl.full([M], -float("inf"), tl.float32)
    total = tl.zeros([M], tl.float32)
    result = tl.zeros([M, D], tl.float32)
    for start in range(0, length, N):
        at = start + keys
        vk = tl.load(k + head + at[None, :] * D + d[:, None])
        s = tl.dot(vq, vk) * scale
        higher = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - higher[:, None])
        less = tl.exp(most - higher)
        total = total * less + tl.sum(p, 1)
        vv = tl.load(v + head + at[:, None] * D + d[None, :])
        result = tl.dot(p.to(tl.float16), vv, result * less[:, None])
        most = higher
    tl.store(out + head + rows[:, None] * D + d[None, :],
             (result / total[:, None]).to(tl.float16))


def described(each, grid, arguments, constants, compiled):
    """What kernels.json says of a launch."""
    names = [p.name for p in each.kernel.params]
    listed = []
    for name, value in zip(names, arguments):
        entry = dict(name=name)
        if isinstance(value, torch.Tensor):
            # An array has the memory that its strides reach.
            entry.update(shape=list(value.shape), stride=list(value.stride()),
                         type=SHAPE_NAMES[value.dtype], elements=value.numel(),
                         address=value.data_ptr() % 128)
        else:
            entry.update(value=value)
        listed.append(entry)
    metadata = compiled.metadata
    return dict(name=each.name, grid=[*grid, *[1] * (3 - len(grid))],
                num_warps=metadata.num_warps, num_stages=metadata.num_stages,
                shared=metadata.shared, function=metadata.name,
                registers=getattr(compiled, "n_regs", 0), arguments=listed,
                constants=constants, runtime=each.runtime)


def run(each, folder, once):
    grid, arguments, constants = each.make()

    def launch():
        return each.kernel[grid](*arguments, **constants,
                                 num_warps=each.warps, num_stages=each.stages)

    compiled = launch()
    torch.cuda.synchronize()
    if once:
        torch.cuda.cudart().cudaProfilerStart()
        launch()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
        return None
    for what in ("ttir", "ttgir", "ptx"):
        with open(os.path.join(folder, f"{each.name}.{what}"), "w") as out:
            out.write(str(compiled.asm[what]))
    entry = described(each, grid, arguments, constants, compiled)
    # Fills the L2 cache with something else before each run.
    entry["us"] = 1000 * triton.testing.do_bench(
        launch, warmup=10, rep=50, return_mode="median")
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    torch.manual_seed(0)
    # Descriptors that a kernel makes lie in memory of the host's.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(
        size, dtype=torch.int8, device="cuda"))
    path = os.path.join(options.folder, "kernels.json")
    skipped = [name for name in options.skip.split(",") if name]
    part, parts = map(int, options.part.split("/"))
    kernels = []
    # A second process goes on where a kernel ended the first one's context.
    if skipped and not options.once and os.path.exists(path):
        with open(path) as file:
            kernels = json.load(file)["kernels"]
    for number, each in enumerate(CASES):
        if (options.only not in each.name or each.name in skipped
                or number % parts != part):
            continue
        try:
            entry = run(each, options.folder, options.once)
            if entry:
                kernels.append(entry)
        except Exception:  # The others go on.
            print(each.name, traceback.format_exc(), file=sys.stderr)
        if not options.once:
            with open(path, "w") as out:
                json.dump(dict(device=torch.cuda.get_device_name(),
                               triton=triton.__version__,
                               torch=torch.__version__, kernels=kernels), out,
                          indent=1)
        try:
            torch.cuda.synchronize()
        except Exception:
            done = ",".join(c.name for c in CASES[:number + 1])
            os.execv(sys.executable, [
                sys.executable, __file__, options.folder,
                "--only=" + options.only, "--skip=" + done,
                "--part=" + options.part,
                *(["--once"] if options.once else [])])
        torch.cuda.empty_cache()
    print(len(kernels) if not options.once else "once", "kernels")


main()
