import triton
import triton.language as tl


@triton.jit
def step(a, b, UP: tl.constexpr = True):
    if UP:
        return a + b
    return a - b


@triton.jit
def k(x, y, n, s: tl.float32, B: tl.constexpr = 8):
    o = tl.program_id(0) * B + tl.arange(0, B)
    if o is None or n > 100:
        return
    a = tl.zeros([B], dtype=tl.float32)
    i = 0
    while i < n:
        a += tl.load(x + o + i, mask=o + i < n, other=0)
        i += B
    for j in tl.static_range(2):
        a = step(a, j * 0.5, UP=j == 0)
    for j in range(n, 0, -1):
        b = a[:, None] + tl.trans(a[None, :])
        a = tl.sum(b, 1) if n > 2 else a
    v, w = tl.reduce((a, o), 0, pick)
    tl.atomic_add(y + tl.arange(0, B), a.to(tl.float16).to(tl.float32))
    tl.store(y, tl.where(v > s, v, s))


@triton.jit
def pick(v1, i1, v2, i2):
    return tl.where(v1 > v2, v1, v2), tl.where(v1 > v2, i1, i2)
