"""Runs one kernel on bytes, and says if the order of its threads matters.

Memory is a dictionary from a buffer and a byte to a cell: the value whose byte
it is, and which of its bytes. A value that is read from bytes of several
writes is none of theirs.

A kernel has threads, each with outputs. A thread reads all that it needs, then
writes. Between threads there is no order, so a kernel is right only if no
thread reads a byte that another one changes:

   p[1:6] -> p[0:5]     thread 0 reads byte 4, which thread 1 changes: a Race

What changes means: the thread's own values are other ones if the other thread
has run before. This is tried, and not concluded from the bytes alone.
"""

import itertools

from element_values import Frame, Scatter, evaluate, term
from hlo_text import read_aliasing


class Race(Exception):
    """An order of threads gives another result. `writer` and `reader` are the
    indices of the threads, `byte` is the buffer and the byte."""

    def __init__(self, kernel, writer, reader, byte):
        super().__init__(kernel)
        self.kernel, self.writer = kernel, writer
        self.reader, self.byte = reader, byte


def bytes_of(buffer, leaf, index):
    first = leaf.offset(index) * leaf.bytes()
    return [(buffer, first + k) for k in range(leaf.bytes())]


def read(cells, buffer, leaf, index):
    found = [cells.get(b) for b in bytes_of(buffer, leaf, index)]
    if found[0] is not None:
        value = found[0][0]
        if found == [(value, k) for k in range(leaf.bytes())]:
            return value
    return term("bytes", *found)


def write(cells, buffer, leaf, index, value):
    for k, b in enumerate(bytes_of(buffer, leaf, index)):
        cells[b] = (value, k)


class Overlay:
    """Cells over others, which stay as they are."""

    def __init__(self, below, changed):
        self.below, self.changed = below, changed

    def get(self, byte):
        if byte in self.changed:
            return self.changed[byte]
        return self.below.get(byte)


class OperandFrame(Frame):
    """The frame of a kernel that is one instruction: all others are memory."""

    def __init__(self, module, computation, i, operand):
        super().__init__(module, computation, None)
        self.i, self.read_operand = i, operand

    def element(self, name, path, index):
        if name != self.i.name:
            return self.read_operand(name, path, index)
        key = (path, index)
        if key not in self.known:
            self.known[key] = evaluate(self, self.i, path, index)
        return self.known[key]

    def root(self, path, index):
        return self.element(self.i.name, path, index)


class Thread:
    def __init__(self, label, outputs, held=()):
        self.label = label      # the index, for a witness
        self.outputs = outputs  # pairs of path and index
        self.held = held        # pairs of instruction and index, not stored


class Kernel:
    """One run of a kernel: `buffer(name, path)` returns where a value lies."""

    def __init__(self, module, computation, i, buffer):
        self.module, self.computation = module, computation
        self.i, self.buffer = i, buffer
        self.leaves = i.leaves()
        self.inner = None
        if i.opcode == "fusion":
            self.inner = module.computations[
                i.attributes["calls"].lstrip("%")]

    def frame(self, cells, log=None):
        """Returns a frame whose parameters are read from memory."""
        def operand(name, path, index):
            leaf = self.computation.by_name[name].leaf(path)
            buffer = self.buffer(name, path)
            if log is not None:
                log.update(bytes_of(buffer, leaf, index))
            return read(cells, buffer, leaf, index)
        if self.inner is None:
            return OperandFrame(self.module, self.computation, self.i, operand)
        return Frame(self.module, self.inner, lambda n, path, index: operand(
            self.i.operands[n], path, index))

    def result_buffer(self, path):
        return self.buffer(self.i.name, path)

    def overlaps(self):
        """Returns whether a result lies in memory that the kernel reads."""
        own = {self.result_buffer(path) for path, _ in self.leaves}
        if len(own) < len(self.leaves):
            return True
        return any(self.buffer(name, path) in own
                   for name in self.i.operands
                   for path, _ in self.computation.by_name[name].leaves())

    def root_of(self, path):
        """Returns the root of a leaf within a fusion, or the instruction."""
        if self.inner is None:
            return self.i
        root = self.inner.root
        for k in path:
            if root.opcode != "tuple":
                break
            root = self.inner.by_name[root.operands[k]]
        return root

    def run(self, cells, checked=True):
        """Runs the kernel. Raises Race if it is checked and orders differ."""
        if self.i.opcode == "custom-call":
            return self.run_library(cells, checked)
        if self.root_of(()).opcode == "scatter":
            return self.run_scatter(cells, checked)
        if not self.overlaps():
            frame = self.frame(cells)
            values = [(path, index, frame.root(path, index))
                      for path, leaf in self.leaves for index in leaf.indices()]
            return self.store(cells, values)
        reduced = self.reduced_roots()
        if not reduced:
            return self.store(cells, self.results(
                cells, self.threads(), checked))
        # The reduced results come last: what they sum was read by then.
        threads = self.reducing_threads(reduced)
        frame = self.frame(cells)
        last = [(path, index, frame.root(path, index))
                for path, leaf in self.leaves if path in reduced
                for index in leaf.indices()]
        self.store(cells, self.results(cells, threads, checked))
        self.store(cells, last)

    def store(self, cells, values):
        for path, index, value in values:
            write(cells, self.result_buffer(path), self.i.leaf(path), index,
                  value)

    def threads(self):
        """Returns one thread for each index if one computes all roots, else
        one for each element of each result."""
        dims = {leaf.dims for _, leaf in self.leaves}
        is_loop = self.i.attributes.get("kind", "kLoop") == "kLoop"
        if is_loop and len(dims) == 1:
            return [Thread(index, [(path, index) for path, _ in self.leaves])
                    for index in self.leaves[0][1].indices()]
        return [Thread(index, [(path, index)])
                for path, leaf in self.leaves for index in leaf.indices()]

    def reduced_roots(self):
        """Returns the paths of the reductions of a kernel that has results of
        the reduced array's size besides, or none."""
        if self.i.attributes.get("kind") != "kInput" or len(self.leaves) < 2:
            return {}
        reduced = {path: self.root_of(path) for path, _ in self.leaves
                   if self.root_of(path).opcode == "reduce"}
        if not reduced or len(reduced) == len(self.leaves):
            return {}
        dims = {self.inner.by_name[r.operands[0]].shape.dims
                for r in reduced.values()}
        others = {leaf.dims for path, leaf in self.leaves
                  if path not in reduced}
        return reduced if len(dims | others) == 1 else {}

    def reducing_threads(self, reduced):
        extra = [path for path, _ in self.leaves if path not in reduced]
        names = [r.operands[0] for r in reduced.values()]
        return [Thread(index, [(path, index) for path in extra],
                       [(name, index) for name in names])
                for index in self.i.leaf(extra[0]).indices()]

    def values(self, thread, cells, log=None):
        frame = self.frame(cells, log)
        found = [(path, index, frame.root(path, index))
                 for path, index in thread.outputs]
        held = [frame.element(name, (), index) for name, index in thread.held]
        return found, held

    def results(self, cells, threads, checked, values=None):
        """Returns what all threads write. Raises Race if orders differ."""
        values = values or self.values
        runs, writers = [], {}
        for thread in threads:
            log, changed = set(), {}
            found, held = values(thread, cells, log)
            self.store(changed, found)
            changed = {b: c for b, c in changed.items() if cells.get(b) != c}
            runs.append((thread, log, changed, found, held))
            for b in changed:
                writers.setdefault(b, []).append(len(runs) - 1)
        for k, (thread, log, _, found, held) in enumerate(runs):
            if not checked:
                break
            for byte in sorted(log):
                for other in writers.get(byte, ()):
                    if other == k:
                        continue
                    after = Overlay(cells, runs[other][2])
                    if values(thread, after) != (found, held):
                        raise Race(self.i.name, runs[other][0].label,
                                   thread.label, byte)
        for byte, those in writers.items():
            if checked and len({runs[k][2][byte] for k in those}) > 1:
                raise Race(self.i.name, runs[those[0]][0].label,
                           runs[those[1]][0].label, byte)
        return [value for run in runs for value in run[3]]

    def run_library(self, cells, checked):
        """Runs a custom call, of which any element may read any byte at any
        time. Its own overwriting is right if it says so."""
        declared = set(read_aliasing(self.i))
        read_values = []
        for n, name in enumerate(self.i.operands):
            for path, leaf in self.computation.by_name[name].leaves():
                buffer = self.buffer(name, path)
                for result, _ in self.leaves:
                    if (checked and self.result_buffer(result) == buffer
                            and (result, n, path) not in declared):
                        raise Race(self.i.name, (), (), (buffer, 0))
                read_values += [read(cells, buffer, leaf, index)
                                for index in leaf.indices()]
        target = self.i.attributes["custom_call_target"]
        self.store(cells, [
            (path, index, term(target, path, index, *read_values))
            for path, leaf in self.leaves for index in leaf.indices()])

    def run_scatter(self, cells, checked):
        """Runs a scatter: what it does not combine is written first, then
        each update reads, combines and writes its target at once."""
        i = self.root_of(())
        fill = [Thread(index, [(path, index) for path, _ in self.leaves])
                for index in self.leaves[0][1].indices()]

        def values(thread, at, log=None):
            frame = self.frame(at, log)
            return [(path, index, frame.operand(i, path[0] if path else 0,
                                                index))
                    for path, index in thread.outputs], []
        self.store(cells, self.results(cells, fill, checked, values))
        updates = []
        for index in Scatter(self.frame(cells), i).updates.indices():
            log = set()
            updates.append((index, log, self.update(cells, i, index, log)))
        if checked:
            self.check_updates(cells, i, updates)
        for index, _, (target, _) in updates:
            if target is not None:
                self.combine(cells, i, index, target, cells)

    def update(self, cells, i, index, log=None):
        """Returns the target of an update and what it makes of numbers."""
        scatter = Scatter(self.frame(cells, log), i)
        target = scatter.target(index)
        if target is None:
            return None, None
        return target, scatter.combined(
            [7919 + n for n in range(scatter.count)], index)

    def combine(self, cells, i, index, target, into):
        old = [read(cells, self.result_buffer(path), leaf, target)
               for path, leaf in self.leaves]
        new = Scatter(self.frame(cells), i).combined(old, index)
        self.store(into, [(path, target, value) for (path, _), value in
                          zip(self.leaves, new)])

    def check_updates(self, cells, i, updates):
        targets = {}
        for index, _, (target, _) in updates:
            if target is not None:
                targets.setdefault(target, []).append(index)
        for other, _, (target, _) in updates:
            if target is None:
                continue
            changed = {}
            self.combine(cells, i, other, target, changed)
            changed = {b: c for b, c in changed.items() if cells.get(b) != c}
            for index, log, found in updates:
                if index == other or log.isdisjoint(changed):
                    continue
                after = Overlay(cells, changed)
                if self.update(after, i, index) != found:
                    raise Race(self.i.name, other, index,
                               min(log & set(changed)))
        for target, those in targets.items():
            ends = set()
            for order in itertools.islice(itertools.permutations(those), 24):
                now = dict(cells)
                for index in order:
                    self.combine(now, i, index, target, now)
                ends.add(tuple(read(now, self.result_buffer(path), leaf,
                                    target) for path, leaf in self.leaves))
            if len(ends) > 1:
                path, leaf = self.leaves[0]
                raise Race(self.i.name, those[0], those[1], bytes_of(
                    self.result_buffer(path), leaf, target)[0])
