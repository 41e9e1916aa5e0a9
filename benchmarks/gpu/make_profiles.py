#!/usr/bin/env python3
"""Profiles of small programs on an NVIDIA GPU, and what is in them.

    make_profiles.py FOLDER names|graphs|streams...

Needs an NVIDIA GPU and JAX. FOLDER gets, for each name, NAME.xplane.pb (what
`jax.profiler.trace` writes) and NAME.json: the groups of its kernels as JAX's
own reader (`jax.profiler.ProfileData`) finds them, which shares no code with
`indexical report`. Times are picoseconds.

  names    several programs of one name, loops, libraries, a sort, copies
  graphs   command buffers that stay command buffers under the profiler
  streams  two streams, and copies between host and device beside kernels

Each name is run in a process of its own, for flags are read once.
"""

import collections
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

FLAGS = {
    "names": "--xla_gpu_enable_command_buffer= "
             "--xla_gpu_enable_triton_gemm=false",
    "graphs": "--xla_enable_command_buffers_during_profiling=true "
              "--xla_gpu_graph_min_graph_size=2",
    "streams": "--xla_gpu_enable_command_buffer= "
               "--xla_gpu_experimental_stream_annotation=true",
}
RUNS = 5


def normal(*shape, kind="float32"):
    """Made on the host, so that no program of JAX's own is in the profile."""
    import jax
    import ml_dtypes  # noqa: F401, for bfloat16
    import numpy
    return jax.device_put(numpy.random.default_rng(0).standard_normal(
        shape, "float32").astype(kind))


def names(jax):
    """Functions to run, each with its operands."""
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def step(x):
        return x.T * 2 + 1

    @jax.jit
    def walk(x):
        return lax.fori_loop(
            0, 6, lambda i, c: c + jnp.flip(jnp.cumsum(c, 1), 0) * 1e-3, x)

    @jax.jit
    def rows(x):
        return lax.scan(lambda c, r: (c + r, jnp.sum(c * r)), x[0], x)

    @jax.jit
    def product(x, y):
        return x @ y + 1

    @jax.jit
    def convolution(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME")

    @jax.jit
    def order(x):
        return jnp.sort(x, 1)

    @jax.jit
    def solve(a, b):
        return jax.scipy.linalg.solve_triangular(a, b, lower=True,
                                                  unit_diagonal=True)

    @jax.jit
    def normalized(x):
        return (x - jnp.mean(x, 0)) / jnp.sqrt(jnp.var(x, 0) + 1e-5)

    return [(step, normal(2048, 4096)), (step, normal(4096, 1024)),
            (step, normal(4096, 2048, kind="bfloat16")),
            (walk, normal(512, 1024)), (rows, normal(12, 65536)),
            (product, normal(1024, 2048), normal(2048, 512)),
            (product, normal(512, 512), normal(512, 512)),
            (convolution, normal(8, 16, 64, 64), normal(32, 16, 3, 3)),
            (order, normal(256, 4096)),
            (solve, normal(512, 512), normal(512, 64)),
            (normalized, normal(65536, 64))]


def graphs(jax):
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def layer(x, w, v):
        h = x - jnp.mean(x, -1, keepdims=True)
        h = jax.nn.gelu(h.astype(jnp.bfloat16) @ w) @ v
        return x + jax.nn.softmax(h.astype(jnp.float32), 0).T.reshape(x.shape)

    @jax.jit
    def columns(x):
        a, b = jnp.sum(x, 0), jnp.sum(x * x, 0)
        return (x.T * a[:, None] + b[:, None]), jnp.max(x.T + 1, 0)

    @jax.jit
    def walk(x):
        return lax.fori_loop(
            0, 5, lambda i, c: jnp.sin(c).T + jnp.sum(c, 0), x)

    x = normal(1024, 1024)
    return [(layer, x, normal(1024, 2048, kind="bfloat16"),
             normal(2048, 1024, kind="bfloat16")),
            (columns, normal(4096, 1024)), (walk, x)]


def streams(jax):
    jnp = jax.numpy
    x = normal(4096, 2048)
    device = jax.devices()[0]
    host = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
    here = jax.sharding.SingleDeviceSharding(device)

    # What is kept goes to the host while the rest is worked out.
    offloaded = jax.jit(lambda x: (x * 2, jnp.sin(x).T + 1),
                        out_shardings=(host, here))
    fetched = jax.jit(lambda kept, x: jax.device_put(kept, here).T +
                      jnp.cos(x).T)
    functions = [(offloaded, x), (fetched, jax.device_put(x, host), x)]
    try:
        from jax.experimental.compute_on import compute_on
        on = compute_on(compute_type="gpu_stream:1",
                        out_memory_spaces=jax.memory.Space.Device)
        left = on(jax.jit(lambda x: jnp.cos(x) @ x.T))
        functions.append((jax.jit(lambda x: (left(x + 1),
                                             jnp.tanh(x - 1).T + 3)), x))
        jax.block_until_ready(functions[-1][0](x))
    except Exception as error:  # The first programs have streams of their own.
        print("no stream annotations:", error, file=sys.stderr)
        functions = functions[:2]
    return functions


def picoseconds(nanoseconds):
    return round(nanoseconds * 1000)


def groups_of(jax, path):
    """The groups of each GPU, and the sums of what they ran."""
    devices = []
    for plane in jax.profiler.ProfileData.from_file(path).planes:
        if not plane.name.startswith("/device:GPU:"):
            continue
        found = collections.defaultdict(list)
        copies = 0
        for line in plane.lines:
            for event in line.events:
                stats = dict(event.stats)
                copies += "memcpy_details" in stats
                if "kernel_details" not in stats:
                    continue
                key = tuple(stats.get(s) for s in (
                    "hlo_module", "program_id", "hlo_op")) + (
                        event.name, stats["kernel_details"])
                found[key].append(picoseconds(event.duration_ns))
        devices.append(dict(
            device=int(plane.name.rsplit(":", 1)[1]),
            kernel_events=sum(map(len, found.values())),
            kernel_total_ps=sum(map(sum, found.values())), copies=copies,
            kernels=[dict(hlo_module=module, program_id=program, hlo_op=op,
                          kernel=kernel, kernel_details=details,
                          count=len(times), min_ps=min(times),
                          median_ps=statistics.median(times),
                          max_ps=max(times), total_ps=sum(times))
                     for (module, program, op, kernel, details), times in
                     sorted(found.items(), key=str)]))
    return devices


def make(folder, name):
    import jax
    functions = globals()[name](jax)
    for function, *operands in functions:
        jax.block_until_ready(function(*operands))
    options = jax.profiler.ProfileOptions()
    options.host_tracer_level = 1
    options.python_tracer_level = 0
    with tempfile.TemporaryDirectory() as trace:
        jax.profiler.start_trace(trace, profiler_options=options)
        for function, *operands in functions:
            for _ in range(RUNS):
                jax.block_until_ready(function(*operands))
        jax.profiler.stop_trace()
        [path] = glob.glob(trace + "/**/*.xplane.pb", recursive=True)
        out = os.path.join(folder, name + ".xplane.pb")
        shutil.copy(path, out)
    devices = groups_of(jax, out)
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump(dict(file=name + ".xplane.pb", jax=jax.__version__,
                       gpu=jax.devices()[0].device_kind, devices=devices),
                  file, indent=1)
    print(name, os.path.getsize(out), "bytes", [
        (d["kernel_events"], d["copies"], len(d["kernels"])) for d in devices])


def main():
    if len(sys.argv) < 3 or any(n not in FLAGS for n in sys.argv[2:]):
        sys.exit(__doc__)
    folder, *wanted = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    if os.environ.get("INDEXICAL_PROFILE") == wanted[0]:
        return make(folder, wanted[0])
    for name in wanted:
        flags = os.environ.get("XLA_FLAGS", "") + " " + FLAGS[name]
        done = subprocess.run(
            [sys.executable, __file__, folder, name],
            env=dict(os.environ, INDEXICAL_PROFILE=name, XLA_FLAGS=flags,
                     XLA_PYTHON_CLIENT_PREALLOCATE="false"))
        if done.returncode:
            print(name, "ended with", done.returncode, file=sys.stderr)


main()
