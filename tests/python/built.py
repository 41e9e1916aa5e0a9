"""The package around the module that was built, on Python's path.

    use(sys.argv[1])

A module that was built with sanitizers needs their runtime before anything
else is loaded. The test then starts once more, with the runtime in LD_PRELOAD.
What Python itself leaks is not ours to find."""

import mmap
import os
import subprocess
import sys

RUNTIMES = {b"__asan_init": "asan", b"__tsan_init": "tsan"}


def runtime_of(module):
    """The library that the module needs first, or None."""
    with open(module, "rb") as file, mmap.mmap(
            file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        names = [name for symbol, name in RUNTIMES.items()
                 if text.find(b"\0" + symbol + b"\0") >= 0]
    if not names:
        return None
    clang = os.environ.get("CC", "clang-22")
    return subprocess.run(
        [clang, "-print-file-name=libclang_rt.%s-x86_64.so" % names[0]],
        check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def use(module):
    runtime = runtime_of(module)
    if runtime and os.environ.get("LD_PRELOAD") != runtime:
        options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        os.execve(sys.executable, [sys.executable, *sys.argv],
                  {**os.environ, "LD_PRELOAD": runtime,
                   "ASAN_OPTIONS": options})
    # Not for the program that reads bytecode, which has a runtime of its own.
    os.environ.pop("LD_PRELOAD", None)
    sys.path.insert(0, os.path.dirname(os.path.dirname(module)))
