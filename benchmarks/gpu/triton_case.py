"""A kernel of Triton, and how it is launched (profile_triton.py)."""

import torch
import triton

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


def vectors(n, block, kind=F32, count=3):
    return lambda: ((up(n, block),),
                    [values(n, kind=kind) for _ in range(count)] + [n],
                    dict(BLOCK=block))


def scattered(n, size, factor=1021):
    return (torch.arange(n, device="cuda") * factor % size).to(S32)
