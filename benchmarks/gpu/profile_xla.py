#!/usr/bin/env python3
"""Kernels that XLA makes and launches itself: their modules, launches, times.

    profile_xla.py FOLDER [--only=TEXT] [--skip=TEXT] [--runs=N] [--once]

Needs an NVIDIA GPU and JAX. Each program below is compiled and run. FOLDER
gets, for each one, NAME.hlo (the module after optimisation) and one file
`kernels.json` for all: for each kernel its module, instruction, grid, block,
and microseconds (the median of the runs, memory last touched by something
else). `compare_xla.py` sets them beside what `indexical report` predicts.

--once runs each program once between cudaProfilerStart and -Stop, for a
profiler that reads hardware counters (`ncu --profile-from-start off`).
"""

import argparse
import collections
import ctypes
import glob
import json
import os
import re
import statistics
import sys
import tempfile
import traceback

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
# Command buffers hide which kernel belongs to which instruction.
os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "")
                           + " --xla_gpu_enable_command_buffer=")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

F32, BF16, F16, F64 = jnp.float32, jnp.bfloat16, jnp.float16, jnp.float64
S8, S32 = jnp.int8, jnp.int32

PROGRAMS = {}


def program(name, *shapes):
    """Registers a function of arrays: (dimensions, type) or, for indices,
    (dimensions, greatest value)."""
    def keep(function):
        PROGRAMS[name] = (function, shapes)
        return function
    return keep


def simple(name, function, *shapes):
    PROGRAMS[name] = (function, shapes)


# Elementwise, broadcasts, slices.
for n in (1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26):
    simple(f"copy_f32_{n}", lambda x: -x, ((n,), F32))
simple("copy_bf16", lambda x: -x, ((1 << 26,), BF16))
simple("copy_s8", lambda x: -x, ((1 << 27,), S8))
simple("add_f32", lambda x, y: x + y, ((1 << 25,), F32), ((1 << 25,), F32))
simple("odd_f32", lambda x: jnp.exp(x), ((33554431,), F32))
simple("to_bf16", lambda x: x.astype(BF16), ((1 << 25,), F32))
simple("tanh_gelu", lambda x: jax.nn.gelu(x), ((8192, 4096), BF16))
simple("bias", lambda x, b: x + b, ((8192, 4096), F32), ((4096,), F32))
simple("bias_rows", lambda x, b: x + b[:, None], ((8192, 4096), F32),
       ((8192,), F32))
simple("stride_2", lambda x: x[::2] + 1, ((1 << 26,), F32))
simple("stride_32", lambda x: x[::32] + 1, ((1 << 27,), F32))
simple("column", lambda x: x[:, 7] + 1, ((1 << 20, 64), F32))
simple("reverse", lambda x: x[:, ::-1] * 2, ((4096, 4096), F32))
simple("roll", lambda x: jnp.roll(x, 3, axis=1) * 2, ((4096, 4096), F32))
simple("pad", lambda x: jnp.pad(x, ((3, 5), (7, 9))), ((4096, 4096), F32))
simple("pad_interior", lambda x: lax.pad(x, jnp.float32(0), ((1, 1, 1), (2, 2, 1))),
       ((2048, 2048), F32))
simple("slice_odd", lambda x: x[1:, 3:] * 2, ((4096, 4099), F32))
simple("iota_mask", lambda x: jnp.where(
    jnp.arange(4096)[:, None] >= jnp.arange(4096)[None], x, 0.0),
    ((4096, 4096), F32))
simple("reshape_broadcast", lambda x: jnp.repeat(x, 8, axis=1) + 1,
       ((4096, 1024), F32))

# Transposes.
for name, dims, perm, kind in (
        ("10_f32", (8192, 8192), (1, 0), F32),
        ("10_bf16", (8192, 8192), (1, 0), BF16),
        ("10_s8", (8192, 8192), (1, 0), S8),
        ("10_f64", (4096, 4096), (1, 0), F64),
        ("10_odd", (4099, 5003), (1, 0), F32),
        ("021_f32", (64, 512, 1024), (0, 2, 1), F32),
        ("210_f32", (64, 512, 1024), (2, 1, 0), F32),
        ("102_f32", (64, 512, 1024), (1, 0, 2), F32),
        ("120_f32", (64, 512, 1024), (1, 2, 0), F32),
        ("102_small", (2048, 2048, 4), (1, 0, 2), F32),
        ("0213_bf16", (8, 1024, 16, 128), (0, 2, 1, 3), BF16),
        ("nhwc_nchw", (32, 56, 56, 256), (0, 3, 1, 2), BF16),
        ("narrow", (1 << 20, 12), (1, 0), F32)):
    simple("transpose_" + name,
           lambda x, perm=perm: jnp.transpose(x, perm) * 2, (dims, kind))
simple("transpose_exp", lambda x, y: jnp.exp(x).T + y, ((4096, 8192), F32),
       ((8192, 4096), F32))
simple("transpose_two", lambda x: (x.T, x + 1), ((4096, 8192), F32))

# Reductions.
for name, dims, axes, kind in (
        ("rows", (8192, 8192), (1,), F32),
        ("rows_bf16", (8192, 8192), (1,), BF16),
        ("rows_1000", (65536, 1000), (1,), F32),
        ("rows_16", (1 << 21, 16), (1,), F32),
        ("rows_64_bf16", (1 << 20, 64), (1,), BF16),
        ("rows_33", (1 << 20, 33), (1,), F32),
        ("columns", (8192, 8192), (0,), F32),
        ("columns_bf16", (8192, 8192), (0,), BF16),
        ("columns_tall", (1 << 17, 256), (0,), F32),
        ("columns_8", (1 << 20, 8), (0,), F32),
        ("columns_small", (65536, 64, 4), (1,), F32),
        ("middle", (256, 512, 512), (1,), F32),
        ("outer_two", (64, 256, 2048), (0, 1), F32),
        ("all", (1 << 26,), (0,), F32),
        ("nhwc", (32, 56, 56, 256), (0, 1, 2), BF16)):
    simple("sum_" + name, lambda x, axes=axes: jnp.sum(x * 2, axes),
           (dims, kind))
simple("argmax", lambda x: jnp.argmax(x, 1), ((8192, 4096), F32))
simple("mean_var", lambda x: (jnp.mean(x, 1), jnp.var(x, 1)),
       ((8192, 4096), F32))
simple("cumsum", lambda x: jnp.cumsum(x, 1), ((1024, 4096), F32))
simple("max_pool", lambda x: lax.reduce_window(
    x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    ((32, 112, 112, 64), F32))


# Normalisations, attention, losses.
@program("softmax_f32", ((8192, 4096), F32))
def _(x):
    return jax.nn.softmax(x, -1)


@program("softmax_bf16_mask", ((16, 1024, 1024), BF16), ((1024, 1024), S32, 2))
def _(x, mask):
    return jax.nn.softmax(jnp.where(mask > 0, x, -1e9).astype(F32), -1
                          ).astype(BF16)


def layer_norm(x, g, b):
    mean = jnp.mean(x, -1, keepdims=True)
    v = jnp.mean((x - mean) ** 2, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(v + 1e-6) * g + b


simple("layer_norm", layer_norm, ((8192, 4096), F32), ((4096,), F32),
       ((4096,), F32))
simple("layer_norm_grad", jax.grad(
    lambda x, g, b, y: jnp.sum(layer_norm(x, g, b) * y), (0, 1, 2)),
    ((8192, 4096), F32), ((4096,), F32), ((4096,), F32), ((8192, 4096), F32))
simple("rms_norm_bf16", lambda x, g: (x * lax.rsqrt(jnp.mean(
    x.astype(F32) ** 2, -1, keepdims=True) + 1e-6)).astype(BF16) * g,
    ((8192, 4096), BF16), ((4096,), BF16))
simple("cross_entropy", lambda x, y: -jnp.mean(jnp.take_along_axis(
    jax.nn.log_softmax(x, -1), y[:, None], 1)), ((4096, 32000), F32),
    ((4096,), S32, 32000))
simple("rope", lambda x, c, s: jnp.concatenate(
    [x[..., :64] * c - x[..., 64:] * s, x[..., 64:] * c + x[..., :64] * s], -1),
    ((8, 1024, 16, 128), BF16), ((1024, 1, 64), BF16), ((1024, 1, 64), BF16))

# Concatenates, gathers, scatters, slices in place.
simple("concat_2", lambda x, y: jnp.concatenate([x, y * 2], 1),
       ((4096, 2048), F32), ((4096, 4096), F32))
simple("concat_3_rows", lambda x, y, z: jnp.concatenate([x, y, z]) * 2,
       ((4096, 2048), F32), ((2048, 2048), F32), ((1024, 2048), F32))
simple("concat_12", lambda x: jnp.concatenate([x * i for i in range(12)], 1),
       ((4096, 512), F32))
simple("embed", lambda t, i: t[i], ((32000, 1024), F32), ((16384,), S32, 32000))
simple("embed_clip", lambda t, i: jnp.take(t, i, axis=0, mode="clip") * 2,
       ((32000, 1024), BF16), ((16384,), S32, 32000))
simple("gather_scalars", lambda t, i: t[i] + 1, ((1 << 24,), F32),
       ((1 << 22,), S32, 1 << 24))
simple("gather_columns", lambda t, i: t[:, i] + 1, ((4096, 4096), F32),
       ((1024,), S32, 4096))
simple("embed_grad", lambda g, i: jnp.zeros((32000, 1024), F32).at[i].add(g),
       ((16384, 1024), F32), ((16384,), S32, 32000))
simple("scatter_set", lambda t, g, i: t.at[i].set(g, unique_indices=True),
       ((1 << 22,), F32), ((1 << 20,), F32), ((1 << 20,), S32, 1 << 22))
for name, unique in (("sorted", False), ("sorted_unique", True)):
    simple("scatter_" + name, lambda t, g, i, unique=unique: t.at[
        jnp.sort(i)].add(g, indices_are_sorted=True, unique_indices=unique,
                         mode="promise_in_bounds"),
        ((32000, 1024), F32), ((16384, 1024), F32), ((16384,), S32, 32000))
simple("update_slice", lambda c, u, i: lax.fori_loop(
    0, 4, lambda k, c: lax.dynamic_update_slice(
        c, u + k.astype(F32), (i[0] + k.astype(S32), jnp.int32(0))), c),
    ((8192, 4096), F32), ((512, 4096), F32), ((1,), S32, 100))
simple("dynamic_slice", lambda c, i: lax.dynamic_slice(
    c, (i[0], i[0]), (2048, 2048)) * 2, ((8192, 4096), F32), ((1,), S32, 100))
simple("sort", lambda x: jnp.sort(x, 1), ((1024, 4096), F32))
simple("top_k", lambda x: lax.top_k(x, 8), ((1024, 4096), F32))
simple("one_hot", lambda i: jax.nn.one_hot(i, 4096), ((8192,), S32, 4096))
simple("random", lambda k: jax.random.normal(
    jax.random.wrap_key_data(k.astype(jnp.uint32)), (4096, 4096)),
    ((2,), S32, 100))

# Products and convolutions.
for n, kind in ((512, F32), (4096, F32), (512, BF16), (4096, BF16),
                (8192, BF16)):
    simple(f"dot_{n}_{jnp.dtype(kind).name}", lambda x, y: x @ y,
           ((n, n), kind), ((n, n), kind))
simple("dot_thin", lambda x, y: x @ y, ((16, 4096), BF16), ((4096, 8192), BF16))
simple("dot_batch", lambda x, y: jnp.einsum("bhqd,bhkd->bhqk", x, y),
       ((8, 16, 1024, 64), BF16), ((8, 16, 1024, 64), BF16))
simple("conv_3x3", lambda x, w: lax.conv_general_dilated(
    x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
    ((32, 56, 56, 64), BF16), ((3, 3, 64, 64), BF16))
simple("conv_7x7", lambda x, w: lax.conv_general_dilated(
    x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
    ((32, 224, 224, 3), BF16), ((7, 7, 3, 64), BF16))


# A layer of a transformer, and its training step.
def block(p, x):
    h = layer_norm(x, p["g1"], p["b1"]).astype(BF16)
    q, k, v = [jnp.reshape(h @ p[w], (*h.shape[:2], 16, 64)) for w in
               ("wq", "wk", "wv")]
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(F32) / 8
    mask = jnp.tril(jnp.ones(s.shape[2:], bool))
    a = jax.nn.softmax(jnp.where(mask, s, -1e9), -1).astype(BF16)
    o = jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(h.shape)
    x = x + (o @ p["wo"]).astype(F32)
    h = layer_norm(x, p["g2"], p["b2"]).astype(BF16)
    return x + (jax.nn.gelu(h @ p["w1"]) @ p["w2"]).astype(F32)


WEIGHTS = dict(g1=((1024,), F32), b1=((1024,), F32), g2=((1024,), F32),
               b2=((1024,), F32), wq=((1024, 1024), BF16),
               wk=((1024, 1024), BF16), wv=((1024, 1024), BF16),
               wo=((1024, 1024), BF16), w1=((1024, 4096), BF16),
               w2=((4096, 1024), BF16))


@program("transformer_step", ((8, 1024), S32, 32000), ((32000, 1024), F32),
         *WEIGHTS.values())
def _(tokens, table, *weights):
    def loss(table, weights):
        x = block(dict(zip(WEIGHTS, weights)), table[tokens])
        logits = x.astype(BF16) @ table.astype(BF16).T
        wanted = jnp.roll(tokens, -1, 1)[..., None]
        return -jnp.mean(jnp.take_along_axis(
            jax.nn.log_softmax(logits.astype(F32), -1), wanted, -1))
    grads = jax.grad(loss, (0, 1))(table, weights)
    return jax.tree.map(lambda p, g: (p - 1e-3 * g).astype(p.dtype),
                        (table, weights), grads)


@program("adam", ((4096, 4096), F32), ((4096, 4096), F32), ((4096, 4096), F32),
         ((4096, 4096), BF16))
def _(p, m, v, g):
    g = g.astype(F32)
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v


@program("residual_step", ((32, 56, 56, 64), F32), ((3, 3, 64, 64), F32),
         ((64,), F32), ((64,), F32), ((32, 56, 56, 64), F32))
def _(x, w, g, b, y):
    def loss(x, w, g, b):
        h = lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean = jnp.mean(h, (0, 1, 2))
        v = jnp.var(h, (0, 1, 2))
        h = (h - mean) * lax.rsqrt(v + 1e-5) * g + b
        return jnp.sum((jax.nn.relu(h) + x - y) ** 2)
    return jax.grad(loss, (0, 1, 2, 3))(x, w, g, b)


def operand(shape, seed):
    dimensions, kind, *below = shape
    key = jax.random.PRNGKey(seed)
    if below:
        return jax.random.randint(key, dimensions, 0, below[0], kind)
    if jnp.issubdtype(kind, jnp.integer):
        return jax.random.randint(key, dimensions, -100, 100, S32).astype(kind)
    return jax.random.normal(key, dimensions, F32).astype(kind)


def profiler():
    for name in ("libcudart.so.13", "libcudart.so.12", "libcudart.so"):
        for path in [name] + glob.glob(
                os.path.join(sys.prefix, "lib/python*/site-packages/nvidia/*/lib",
                             name)):
            try:
                return ctypes.CDLL(path)
            except OSError:
                pass
    raise OSError("there is no libcudart")


def kernels_of(folder, name):
    """(instruction, grid, block) -> durations in microseconds, of one trace."""
    found = collections.defaultdict(list)
    for path in glob.glob(folder + "/**/*.xplane.pb", recursive=True):
        for plane in jax.profiler.ProfileData.from_file(path).planes:
            if "GPU" not in plane.name:
                continue
            for line in plane.lines:
                for event in line.events:
                    stats = dict(event.stats)
                    if "hlo_op" not in stats and "kernel_details" not in stats:
                        continue
                    if name not in str(stats.get("hlo_module", "")):
                        continue
                    details = str(stats.get("kernel_details", ""))
                    sizes = tuple(
                        tuple(int(v) for v in m.group(1).split(","))
                        if (m := re.search(what + r":([\d,]+)", details))
                        else None for what in ("grid", "block"))
                    shared = sum(int(v) for v in re.findall(
                        r"(?:static_shared|dynamic_shared):(\d+)", details))
                    regs = re.search(r"regs:(\d+)", details)
                    key = (str(stats.get("hlo_op", "")), event.name, *sizes,
                           shared, int(regs.group(1)) if regs else None)
                    found[key].append(event.duration_ns / 1000)
    return found


def run(name, folder, runs, once, scratch, flush):
    function, shapes = PROGRAMS[name]
    function.__name__ = name
    operands = [operand(s, i) for i, s in enumerate(shapes)]
    jitted = jax.jit(function)
    compiled = jitted.lower(*operands).compile()
    with open(os.path.join(folder, name + ".hlo"), "w") as out:
        out.write(compiled.runtime_executable().hlo_modules()[0].to_string())
    jax.block_until_ready(compiled(*operands))
    if once:
        cudart = profiler()
        flush(scratch).block_until_ready()
        cudart.cudaProfilerStart()
        jax.block_until_ready(compiled(*operands))
        cudart.cudaProfilerStop()
        return []
    with tempfile.TemporaryDirectory() as trace:
        jax.profiler.start_trace(trace)
        for _ in range(runs):
            flush(scratch).block_until_ready()
            jax.block_until_ready(compiled(*operands))
        jax.profiler.stop_trace()
        found = kernels_of(trace, name)
    return [dict(module=name, instruction=op, kernel=kernel, grid=grid,
                 block=block, shared=shared, registers=registers,
                 launches=len(times) / runs, us=statistics.median(times),
                 least_us=min(times))
            for (op, kernel, grid, block, shared, registers), times in
            found.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", default="/")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    os.makedirs(options.folder, exist_ok=True)
    scratch = jnp.zeros((1 << 26,), F32)
    flush = jax.jit(lambda x: x + 1)
    flush(scratch).block_until_ready()
    kernels = []
    for name in PROGRAMS:
        if options.only not in name or options.skip in name:
            continue
        try:
            kernels += run(name, options.folder, options.runs, options.once,
                           scratch, flush)
        except Exception:  # The others go on.
            print(name, traceback.format_exc(), file=sys.stderr)
        # Keeps the kernels so far, in case a program ends the process.
        with open(os.path.join(options.folder, "kernels.json"), "w") as out:
            json.dump(dict(device=jax.devices()[0].device_kind,
                           jax=jax.__version__, kernels=kernels), out, indent=1)
    print(len(kernels), "kernels")


main()
