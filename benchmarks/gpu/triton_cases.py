"""Kernels of Triton as people write them."""

import torch
import triton.language as tl

from triton_case import (BF16, F16, F32, S8, S32, also, case, empty, scattered,
                         up, values, vectors)


# Elementwise.


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
