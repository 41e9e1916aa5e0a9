#!/usr/bin/env python3
"""What the system refuses: room on a device, memory, a folder to write to.

  failures_test.py INDEXICAL MODULE...

A call then ends with status 1 and a message, whatever it was doing.
"""

import os
import resource
import subprocess
import sys
import tempfile

MAPS = "(d0, d1) -> (d0 * 7 + d1), domain: d0 in [0, 99], d1 in [0, 99]\n"
FORMATS = ("text", "json", "jsonl")
# Megabytes of private memory: from less than it takes to begin, to enough.
LIMITS = (12, 16, 20, 24, 28, 32, 40, 50, 64, 80, 100, 150, 250, 500)


class Test:
    def __init__(self, tool, modules):
        self.tool, self.modules = tool, modules
        self.problems = []

    def problem(self, call, text):
        self.problems.append("indexical %s: %s" % (" ".join(call), text))

    def run(self, call, megabytes=None, **where):
        def limit():
            if megabytes:
                size = megabytes << 20
                resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        where.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([self.tool, *call], stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace", check=False,
                              preexec_fn=limit, **where)

    def check_refused(self, call, done, wanted):
        if done.returncode != 1:
            self.problem(call, "status %d: %s" % (done.returncode, done.stderr))
        elif wanted not in done.stderr:
            self.problem(call, "no `%s` in `%s`" % (wanted, done.stderr))

    def calls(self, maps):
        for form in FORMATS:
            for command in ("dump", "report", "utilization"):
                yield [command, self.modules[0], "--format=" + form]
            for command in ("simplify", "count"):
                yield [command, maps, "--format=" + form]
        yield ["report", *self.modules, "--format=jsonl"]
        yield ["report", *self.modules, "--format=csv", "--jobs=2"]
        yield ["help"]

    def check_full(self, maps):
        """A device without room."""
        for call in self.calls(maps):
            with open("/dev/full", "w") as full:
                done = self.run(call, stdout=full)
            self.check_refused(call, done, "No space left on device")
            if call[0] == "help":
                continue
            done = self.run(call + ["-o", "/dev/full"])
            self.check_refused(call, done, "No space left on device")

    def check_nowhere(self, maps):
        for call in self.calls(maps):
            if call[0] == "help":
                continue
            done = self.run(call + ["-o", "/nowhere/out"])
            self.check_refused(call, done, "`/nowhere/out` cannot be written")

    def check_memory(self, large):
        """An answer, or status 1 and a message: for every limit."""
        for call in (["dump", large, "--format=jsonl"],
                     ["report", large, "--format=json"],
                     ["report", *self.modules, "--jobs=2"],
                     ["dump", self.modules[-1]]):
            whole = self.run(call).stdout
            ended = 0
            for megabytes in LIMITS:
                done = self.run(call, megabytes)
                # The dynamic linker speaks for itself.
                if "error while loading shared libraries" in done.stderr:
                    continue
                if done.returncode == 0:
                    if done.stdout != whole:
                        self.problem(call, "%d MB change the answer" % megabytes)
                    continue
                ended += 1
                if done.returncode != 1:
                    self.problem(call, "status %d with %d MB: %s" % (
                        done.returncode, megabytes, done.stderr[-300:]))
                elif "error: " not in done.stderr:
                    self.problem(call, "no message with %d MB" % megabytes)
            print(" ".join(call)[:60], ended, "of", len(LIMITS), "ended")


def main():
    modules = [os.path.abspath(path) for path in sys.argv[2:]]
    test = Test(os.path.abspath(sys.argv[1]), modules)
    with tempfile.TemporaryDirectory() as folder:
        maps = os.path.join(folder, "a.maps")
        with open(maps, "w") as file:
            file.write(MAPS)
        large = os.path.join(folder, "large.hlo")
        with open(large, "w") as file:
            file.write("HloModule m\nENTRY e {\n p0 = f32[64,32] parameter(0)\n")
            for i in range(30000):
                file.write(" p%d = f32[%s] transpose(p%d), dimensions={1,0}\n" % (
                    i + 1, "32,64" if i % 2 == 0 else "64,32", i))
            file.write(" ROOT r = f32[64,32] negate(p30000)\n}\n")
        test.check_full(maps)
        test.check_nowhere(maps)
        test.check_memory(large)
    for problem in test.problems:
        print("FAILED", problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
