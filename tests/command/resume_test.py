#!/usr/bin/env python3
"""Calls over many files: on several threads, and after an interrupt.

  resume_test.py INDEXICAL

Whatever --jobs is, and wherever an earlier call was cut, the output is that of
one call on one thread, byte for byte.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

FILES = 60
SEED = int(os.environ.get("INDEXICAL_SEED", "20261122"))


def module(number):
    if number % 13 == 5:
        return "f { p = f32[ parameter(0) }\n"  # wrong
    rows, columns = 8 + number, 16 + 3 * number
    return (
        "HloModule m%d%s\nENTRY e {\n p = f32[%d,%d] parameter(0)\n"
        " t = f32[%d,%d] transpose(p), dimensions={1,0}\n"
        " ROOT s = f32[%d,%d] slice(t), slice={[1:%d], [0:%d]}\n}\n" % (
            number, ", is_scheduled=true" if number % 2 else "", rows, columns,
            columns, rows, columns - 1, rows, columns,
            rows))


def large_module(fusions):
    """Fusions of two kinds, one of which a call runs again; between them what
    calls nothing, and an op whose meaning is not known."""
    text = ["HloModule large\n",
            "inner { p = f32[8,16] parameter(0)\n"
            " ROOT n = f32[8,16] reverse(p), dimensions={1} }\n"]
    for i in range(fusions):
        text.append(
            "f%d { p = f32[8,16] parameter(0)\n i = s32[] parameter(1)\n"
            " c = f32[8,16] call(p), to_apply=inner\n"
            " s = f32[%d,16] dynamic-slice(c, i, i), "
            "dynamic_slice_sizes={%d,16}\n"
            " ROOT b = f32[%d,16] negate(s) }\n"
            % (i, i % 8 + 1, i % 8 + 1, i % 8 + 1))
    text.append("ENTRY e {\n x = f32[8,16] parameter(0)\n"
                " i = s32[] parameter(1)\n")
    for i in range(fusions):
        rows = i % 8 + 1
        text.append(
            " g%d = f32[%d,16] fusion(x, i), kind=kLoop, calls=f%d\n"
            " t%d = f32[16,%d] transpose(g%d), dimensions={1,0}\n"
            " o%d = f32[16,%d] custom-call(t%d), custom_call_target=\"?\"\n"
            % (i, rows, i, i, rows, i, i, rows, i))
    text.append(" ROOT r = f32[8,16] call(x), to_apply=inner\n}\n")
    return "".join(text)


def many_results(count, changed=(), name="x"):
    """A tuple of so many results, each of its own slice, at an index that is
    computed; those that are changed begin one row further."""
    text = ["HloModule many\nENTRY e {\n " + name +
            " = f32[64,8] parameter(0)\n"
            " i = s32[] parameter(1)\n z = s32[] constant(0)\n"]
    for i in range(count):
        text.append(
            " m%d = s32[] constant(%d)\n a%d = s32[] minimum(i, m%d)\n"
            " d%d = f32[2,8] dynamic-slice(%s, a%d, z), "
            "dynamic_slice_sizes={2,8}\n"
            " s%d = f32[1,8] slice(d%d), slice={[%s], [0:8]}\n"
            " r%d = f32[2,4] reshape(s%d)\n" % (
                i, i % 50, i, i, i, name, i, i, i,
                "1:2" if i in changed else "0:1", i, i))
    text.append(" ROOT t = (%s) tuple(%s)\n}\n" % (
        ", ".join(["f32[2,4]"] * count),
        ", ".join("r%d" % i for i in range(count))))
    return "".join(text)


class Test:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.problems = []

    def call(self, *words):
        done = subprocess.run([self.tool, *words], cwd=self.folder,
                              capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def expect(self, what, got, wanted):
        if got != wanted:
            self.problems.append("%s: %r instead of %r" % (
                what, got[-300:] if isinstance(got, bytes) else got,
                wanted[-300:] if isinstance(wanted, bytes) else wanted))

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def check_jobs(self):
        for words in (["dump", "in"], ["dump", "in", "--format=json"],
                      ["dump", "in", "--format=jsonl"], ["report", "in"],
                      ["report", "in", "--format=jsonl"],
                      ["report", "in", "--format=csv"],
                      ["utilization", "in", "--format=json"],
                      ["tile", "in", "--tile=4,4", "--format=jsonl"]):
            alone = self.call(*words, "--jobs=1")
            self.expect("status of %s" % words, alone[0], 1)
            for jobs in (2, 3, 8, 100):
                self.expect("%s --jobs=%d" % (words, jobs),
                            self.call(*words, "--jobs=%d" % jobs), alone)

    def check_one_module(self):
        self.write("large.hlo", large_module(300).encode())
        for words in (["dump", "--direction=both"],
                      ["dump", "--strict"],
                      ["dump", "--format=json", "--precision=cover"],
                      ["dump", "--format=jsonl", "--index-order=physical"],
                      ["dump", "--format=attribute", "--computation=e"],
                      ["report", "--top=400"], ["report", "--format=json"],
                      ["report", "--format=jsonl", "--launch=xla"],
                      ["report", "--format=csv"],
                      ["report", "--group=pattern", "--format=json"]):
            call = [words[0], "large.hlo", *words[1:]]
            alone = self.call(*call, "--jobs=1")
            self.expect("status of %s" % call, alone[0],
                        1 if "--strict" in call else 0)
            for jobs in (2, 3, 8, 100):
                self.expect("%s --jobs=%d" % (call, jobs),
                            self.call(*call, "--jobs=%d" % jobs), alone)

    def check_many_results(self):
        """What one module says of its results is shared out, too."""
        self.write("many.hlo", many_results(90).encode())
        self.write("same.hlo", many_results(90, name="y").encode())
        self.write("other.hlo", many_results(90, {7, 8, 60}).encode())
        for status, call in (
                (0, ["equal", "many.hlo", "same.hlo"]),
                (3, ["equal", "many.hlo", "other.hlo"]),
                (3, ["equal", "many.hlo", "other.hlo", "--format=json"]),
                (0, ["utilization", "many.hlo"]),
                (0, ["utilization", "many.hlo", "--format=json"])):
            alone = self.call(*call, "--jobs=1")
            self.expect("status of %s" % call, alone[0], status)
            for jobs in (2, 3, 8, 100):
                self.expect("%s --jobs=%d" % (call, jobs),
                            self.call(*call, "--jobs=%d" % jobs), alone)

    def check_resume(self, whole, cut, jobs):
        self.write("out", whole[:cut])
        done = self.call("report", "in", "--format=jsonl", "-o", "out",
                         "--resume", "--jobs=%d" % jobs)
        self.expect("status after %d bytes" % cut, done[0], 1)
        self.expect("resumed after %d bytes" % cut, self.read("out"), whole)

    def check_cuts(self, seed):
        whole = self.call("report", "in", "--format=jsonl")[1]
        draw = random.Random(seed)
        ends = [i + 1 for i, c in enumerate(whole) if c == ord("\n")]
        cuts = [0, 1, len(whole), len(whole) - 1, *ends[:4], *ends[-4:]]
        cuts += [draw.randrange(len(whole)) for _ in range(60)]
        for cut in cuts:
            self.check_resume(whole, cut, draw.choice([1, 2, 5]))
        # None yet.
        os.remove(os.path.join(self.folder, "out"))
        self.call("report", "in", "--format=jsonl", "-o", "out", "--resume")
        self.expect("resumed without a file", self.read("out"), whole)

    def check_interrupt(self):
        """Ends a call while it works; what it has written is a beginning."""
        words = ["report", "in", "in", "in", "in", "in", "in", "in", "in",
                 "--format=jsonl"]
        whole = self.call(*words)[1]
        for delay in (0.01, 0.03, 0.1):
            # The output of an earlier call is no beginning of this one's.
            if os.path.exists(os.path.join(self.folder, "out")):
                os.remove(os.path.join(self.folder, "out"))
            process = subprocess.Popen(
                [self.tool, *words, "-o", "out"], cwd=self.folder,
                stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            process.wait()
            left = self.read("out") if os.path.exists(
                os.path.join(self.folder, "out")) else b""
            if b'"kind":"total"' in left:
                self.expect("ended after its end", left, whole)
                continue
            self.expect("status of an interrupted call",
                        process.returncode in (1, -signal.SIGINT), True)

    def check_refused(self):
        for words in (["--format=json", "-o", "out"], ["--format=jsonl"],
                      ["--format=jsonl", "-o", "out", "--fail-above=1"]):
            self.expect("status of %s" % words,
                        self.call("report", "in", "--resume", *words)[0], 2)
        self.expect("status of one file", self.call(
            "report", "in/a00.hlo", "--resume", "--format=jsonl", "-o", "out")[0],
                    2)
        self.expect("status of no thread",
                    self.call("report", "in", "--jobs=0")[0], 2)
        for content in (b"something else\n", b'{"schema":1}\n',
                        b'{"schema":"indexical/1","file":"other.hlo"}\n'):
            self.write("out", content)
            done = self.call("report", "in", "--format=jsonl", "-o", "out",
                             "--resume")
            self.expect("status after %r" % content, done[0], 1)
            self.expect("a file of somebody else", self.read("out"), content)


def main():
    print("seed", SEED)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "in"))
        for i in range(FILES):
            with open(os.path.join(folder, "in", "a%02d.hlo" % i), "w") as file:
                file.write(module(i))
        test = Test(os.path.abspath(sys.argv[1]), folder)
        test.check_jobs()
        test.check_one_module()
        test.check_many_results()
        test.check_cuts(SEED)
        test.check_interrupt()
        test.check_refused()
    for problem in test.problems:
        print("FAILED", problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
