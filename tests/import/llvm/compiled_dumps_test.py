#!/usr/bin/env python3
"""What a thread of a compiled kernel accesses: the same by its LLVM IR and PTX.

  compiled_dumps_test.py INDEXICAL [FOLDER...] [--kernels=N] [--seed=S]

A folder is a dump of XLA: *.ir-with-opt.ll, each with a *.ptx of the same name
beside it. `kernel --at` reads the IR, ptx.py runs the PTX. Some threads of some
blocks of each kernel (or of N that are drawn) have to access the same bytes,
equally often. Without a folder it is vllm/ beside INDEXICAL_CORPUS.

What one of both does not know is counted apart and by its reason, and is no
agreement. Even then what one side is sure of has to be in the other's list,
where that one is complete.
"""

import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import ptx

LAST = {"ll": ".ir-with-opt.ll", "ptx": ".ptx"}
# The least that has to be compared to the end, in percent: of kernels (at least
# a thread of each) and of threads.
KERNELS, THREADS = 90, 75
NO_GRID = "does not say how many blocks"
# Threads at which conditions of reductions change: of a pair, of a warp.
FIRST = (0, 1, 2, 31, 32)
SHOWN = 5  # ranges of bytes of a difference
# So many threads are run by the PTX alone, to find those that take another way.
SOUGHT = 100


def plain(name):
    """A symbol's name as both forms have it: PTX has no dots."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name)


def bytes_of(accesses):
    """How often each (kind, array, byte) is accessed."""
    found = collections.Counter()
    for kind, array, offset, count in accesses:
        space, colon, symbol = array.partition(":")
        for byte in range(offset, offset + count):
            found[kind, space + colon + plain(symbol), byte] += 1
    return found


def some(counter):
    """Bytes that stand in a row as one range, the first few."""
    ranges = []
    for (kind, array, byte), times in sorted(counter.items()):
        if ranges and ranges[-1][:3] + ranges[-1][4:] == [kind, array, times,
                                                          byte]:
            ranges[-1][4] += 1
        else:
            ranges.append([kind, array, times, byte, byte + 1])
    text = ["%s %s[%d..%d]%s" % (kind, array, first, end - 1,
                                 " %d times" % times if times > 1 else "")
            for kind, array, times, first, end in ranges[:SHOWN]]
    return ", ".join(text) + (", …" if len(ranges) > SHOWN else "")


def spread(count, rng, fixed, drawn):
    """Places in range(count): those of fixed in it, and some at random."""
    found = {place for place in fixed if 0 <= place < count}
    found.update(rng.randrange(count) for _ in range(drawn))
    return sorted(found)


def point(place, sizes):
    return (place % sizes[0], place // sizes[0] % sizes[1],
            place // (sizes[0] * sizes[1]))


def alone(text, name):
    """The text with one kernel alone; a whole dump takes a second to read."""
    parts = re.split(r"^(define .*?^\}\n)", text, flags=re.M | re.S)
    dropped = []
    for k in range(1, len(parts), 2):
        symbol = re.match(r"define [^@]*@\"?([\w.$-]+)", parts[k])[1]
        if symbol != name:
            dropped.append(symbol)
            parts[k] = ""
    rest = "".join(parts)
    mentioned = set(re.findall(r"@\"?([\w.$-]+)", rest))
    return text if mentioned & set(dropped) else rest


class Tally:
    """What was compared, and what was found."""

    def __init__(self):
        self.kernels = self.threads = self.accesses = self.compared = 0
        self.wrong, self.settled = [], set()
        self.code = self.code_run = 0  # instructions of the PTX
        self.undecided = collections.Counter()
        self.left_out = collections.Counter()  # kernels, by reason

    def fail(self, text):
        self.wrong.append(text)
        print("WRONG: " + text, flush=True)


class Pair:
    """A kernel in both forms."""

    def __init__(self, tool, tally, path, name, compiled):
        self.tool, self.tally = tool, tally
        self.path, self.name, self.compiled = path, name, compiled
        self.read, self.words, self.seen = path, [], set()

    def called(self):
        return "%s, %s" % (os.path.basename(self.path), self.name)

    def ask(self, block, thread):
        """The document of the command, or why there is none."""
        words = [self.tool, "kernel", self.read, "--function=" + self.name,
                 "--at=%d,%d,%d:%d,%d,%d" % (*block, *thread), "--loads=hash8",
                 "--format=json"] + self.words
        try:
            done = subprocess.run(words, capture_output=True, text=True,
                                  timeout=300)
        except subprocess.TimeoutExpired:
            self.tally.fail("%s: no answer in 300 s\n  %s" % (
                self.called(), " ".join(words)))
            return None, "no answer"
        if done.returncode not in (0, 3, 4):
            if done.returncode != 1:
                self.tally.fail("%s: status %d\n  %s\n%s" % (
                    self.called(), done.returncode, " ".join(words),
                    done.stderr[-2000:]))
            message = re.search(r"error: (.*)", done.stderr)
            return None, message[1] if message else done.stderr[:200]
        return json.loads(done.stdout), ""

    def check(self, rng, folder):
        self.tally.kernels += 1
        if isinstance(self.compiled, ptx.Unsupported):
            return self.leave_out("PTX: %s" % self.compiled)
        document, refused = self.ask((0, 0, 0), (0, 0, 0))
        if document is None and NO_GRID in refused:
            # Only Triton's kernels: their IR has no ranges of block numbers.
            self.words.append("--grid=3")
            document, refused = self.ask((0, 0, 0), (0, 0, 0))
        if document is None:
            return self.leave_out(refused)
        grid, sizes = document["grid"], document["block"]
        required = self.compiled.required
        if required and tuple(sizes) != required:
            self.tally.fail("%s: a block of %s, in the PTX of %s" % (
                self.called(), sizes, required))
            return None
        blocks = grid[0] * grid[1] * grid[2]
        threads = sizes[0] * sizes[1] * sizes[2]
        self.compare((0, 0, 0), (0, 0, 0), grid, sizes, document)
        with open(self.path, encoding="utf-8") as text:
            part = alone(text.read(), self.name)
        self.read = os.path.join(folder, "kernel.ll")
        with open(self.read, "w", encoding="utf-8") as text:
            text.write(part)
        for block in spread(blocks, rng, (0, blocks // 2, blocks - 1), 1):
            for thread in spread(threads, rng, FIRST + (threads - 1,), 2):
                self.compare(point(block, grid), point(thread, sizes), grid,
                             sizes)
        for _ in range(SOUGHT):
            if len(self.seen) == len(self.compiled.code):
                break
            ran = set()
            block = point(rng.randrange(blocks), grid)
            thread = point(rng.randrange(threads), sizes)
            self.compiled.run(block, thread, sizes, grid, seen=ran)
            if not ran <= self.seen:
                self.compare(block, thread, grid, sizes)
        self.tally.code += len(self.compiled.code)
        self.tally.code_run += len(self.seen)
        return None

    def leave_out(self, reason):
        self.tally.left_out[reason.replace(self.name, "…")] += 1

    def compare(self, block, thread, grid, sizes, document=None):
        tally = self.tally
        tally.threads += 1
        accesses, doubts = self.compiled.run(block, thread, sizes, grid,
                                             seen=self.seen)
        refused = ""
        if document is None:
            document, refused = self.ask(block, thread)
        if document is None:
            tally.undecided[refused] += 1
            return
        told = document["thread_accesses"]
        reasons = [each["reason"] for each in told if "reason" in each]
        known = bytes_of([(each["kind"], each["array"], each["offset_bytes"],
                           each["bytes"])
                          for each in told if "reason" not in each])
        wanted = bytes_of(accesses)
        missing, added = wanted - known, known - wanted
        where = "%s, block %s, thread %s" % (self.called(), block, thread)
        if missing and not reasons:
            tally.fail("%s: the PTX also has %s" % (where, some(missing)))
        if added and not doubts:
            tally.fail("%s: the PTX has no %s" % (where, some(added)))
        for reason in set(reasons):
            tally.undecided["the command: " + reason] += 1
        for doubt in set(doubts):
            tally.undecided["the PTX alone: " + doubt] += 1
        if not reasons and not doubts:
            tally.compared += 1
            tally.accesses += len(accesses)
            if accesses:
                tally.settled.add((self.path, self.name))


def pairs_of(folders, tool, tally):
    """The kernels of all files, each with its PTX."""
    found = []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "*" + LAST["ll"]))):
            other = path[:-len(LAST["ll"])] + LAST["ptx"]
            if not os.path.exists(other):
                print("no PTX beside " + os.path.basename(path))
                continue
            with open(other, encoding="utf-8") as text:
                for name, kernel in ptx.read(text.read()).items():
                    found.append(Pair(tool, tally, path, name, kernel))
    return found


def report(tally, seconds):
    print("%d kernels, %d of them settled; %d threads, %d of them compared to "
          "the end, with %d accesses; %d wrong; %.0f s" % (
              tally.kernels, len(tally.settled), tally.threads, tally.compared,
              tally.accesses, len(tally.wrong), seconds))
    print("%d of %d instructions of the PTX were run" % (tally.code_run,
                                                         tally.code))
    for what, counted in (("kernels left out", tally.left_out),
                          ("threads undecided", tally.undecided)):
        for reason, times in counted.most_common():
            print("%s: %d: %s" % (what, times, reason))
    few = (len(tally.settled) * 100 < KERNELS * tally.kernels or
           tally.compared * 100 < THREADS * tally.threads or
           not tally.kernels)
    if few:
        print("too little was compared: at least %d %% of kernels and %d %% of "
              "threads are asked for" % (KERNELS, THREADS))
    return 1 if tally.wrong or few else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--kernels", type=int, default=0,
                        help="how many are drawn (default: all)")
    parser.add_argument("--seed", type=int, default=93)
    asked = parser.parse_intermixed_args()
    folders = asked.folders
    if not folders:
        corpus = os.environ.get("INDEXICAL_CORPUS")
        beside = os.path.join(corpus or "", "..", "vllm")
        if not corpus or not os.path.isdir(beside):
            print("SKIPPED: the folder vllm/ is not beside INDEXICAL_CORPUS")
            return 0
        folders = [beside]
    print("seed %d" % asked.seed)
    rng, tally, started = random.Random(asked.seed), Tally(), time.time()
    pairs = pairs_of(folders, asked.tool, tally)
    if asked.kernels and asked.kernels < len(pairs):
        pairs = rng.sample(pairs, asked.kernels)
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            pair.check(rng, folder)
    return report(tally, time.time() - started)


if __name__ == "__main__":
    sys.exit(main())
