"""Kernels of Triton that each test a rule of `indexical kernel`."""

import torch
import triton.language as tl

from triton_case import (F16, F32, S32, case, empty, scattered, values,
                         vectors)


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
