"""Random kernels in LLVM IR whose threads share memory, and their races by execution.

   entry   store s[4 t + 8]
   loop    barrier, load s[4 t + 4 i], 3 turns
   exit    store s[156 - 4 t], if t < 5

A kernel is a list of steps. Its text and its races are both made of that list: the
threads of a block are executed one by one, and the epoch of an access is the number
of barriers that its thread has passed before. Two accesses of different threads in
one epoch have no order, and all others have one. Nothing of Indexical reads here.
"""

import dataclasses

THREADS = 40  # of a block: two warps, the second one not full


@dataclasses.dataclass
class Step:
    """A load or a store of `width` bytes at a sum of turns, thread and a constant, a
    barrier, an exchange of lanes, a loop, a branch that the block decides, or an end
    for the threads from `most` on."""
    kind: str
    at: tuple = (0, 0, 0)  # the factors of the innermost turn and of the thread, and what is added
    width: int = 4
    most: int = THREADS    # threads below this one make it, or go on
    body: tuple = ()       # of a loop or a branch
    turns: int = 1         # of a loop
    by_block: bool = False  # the loop has as many turns more as the block's number
    rotated: bool = True   # the loop's condition stands behind its body


def random_access(r, in_loop):
    kind = r.choice(["load", "store"])
    width = r.choice([4, 4, 4, 4, 2])
    by = r.choice([1, 1, 1, -1, 0, 2]) if kind == "load" else r.choice([1, 1, 1, -1])
    add = r.choice([0, 0, 1, 2, -1, THREADS // 2, THREADS])
    if by < 0:
        add += THREADS - 1
    turn = r.choice([0, 0, 1, THREADS]) if in_loop else 0
    return Step(kind, (4 * turn, 4 * by, 4 * add + 64 + r.choice([0, 0, 0, 2])), width,
                r.choice([THREADS, THREADS, THREADS, 1, 5, 33]))


def random_steps(r, count, depth, in_loop):
    steps = []
    for _ in range(count):
        chance = r.random()
        if chance < 0.3:
            steps.append(Step("barrier"))
        elif chance < 0.4 and depth < 2:
            steps.append(Step("loop", body=tuple(random_steps(r, r.randint(1, 4), depth + 1, True)),
                              turns=r.randint(0 if r.random() < 0.2 else 1, 3), by_block=r.random() < 0.2,
                              rotated=r.random() < 0.7))
        elif chance < 0.46 and depth < 2:
            steps.append(Step("branch", body=tuple(random_steps(r, r.randint(1, 3), depth + 1, in_loop))))
        else:
            steps.append(random_access(r, in_loop))
    return steps


def random_kernel(r):
    steps = random_steps(r, r.randint(2, 6), 0, False)
    if r.random() < 0.1:
        steps.insert(r.randrange(len(steps) + 1), Step("exchange"))
    if r.random() < 0.06:
        steps.insert(r.randrange(len(steps) + 1), Step("return", most=r.choice([1, 32, 39, THREADS])))
    return steps


class Writer:
    """The text of a kernel."""

    def __init__(self, memory):
        self.lines, self.names, self.memory = [], 0, memory

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def op(self, text):
        name = self.name()
        self.lines.append(f"  %{name} = {text}")
        return f"%{name}"

    def label(self, name):
        self.lines.append(f"{name}:")
        self.block = name

    def jump(self, name):
        self.lines.append(f"  br label %{name}")

    def access(self, step, turn):
        skip = None
        if step.most < THREADS:
            make, skip = self.name(), self.name()
            is_below = self.op(f"icmp slt i32 %tid, {step.most}")
            self.lines.append(f"  br i1 {is_below}, label %{make}, label %{skip}")
            self.label(make)
        a = self.op(f"mul i32 {turn}, {step.at[0]}")
        b = self.op(f"mul i32 %tid, {step.at[1]}")
        c = self.op(f"add i32 {a}, {b}")
        d = self.op(f"add i32 {c}, {step.at[2]}")
        pointer = self.op(f"getelementptr i8, {self.memory}, i32 {d}")
        kind = f"i{8 * step.width}"
        space = "addrspace(3)" if "@s" in self.memory else "addrspace(1)"
        if step.kind == "load":
            self.op(f"load {kind}, ptr {space} {pointer}, align 2")
        else:
            self.lines.append(f"  store {kind} 1, ptr {space} {pointer}, align 2")
        if skip:
            self.jump(skip)
            self.label(skip)

    def steps(self, steps, turn):
        for step in steps:
            if step.kind in ("load", "store"):
                self.access(step, turn)
            elif step.kind == "barrier":
                self.lines.append("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
            elif step.kind == "exchange":
                self.op("call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)")
            elif step.kind == "return":
                more = self.name()
                is_below = self.op(f"icmp slt i32 %tid, {step.most}")
                self.lines.append(f"  br i1 {is_below}, label %{more}, label %end")
                self.label(more)
            elif step.kind == "branch":
                make, skip = self.name(), self.name()
                is_first = self.op("icmp eq i32 %bid, 0")
                self.lines.append(f"  br i1 {is_first}, label %{make}, label %{skip}")
                self.label(make)
                self.steps(step.body, turn)
                self.jump(skip)
                self.label(skip)
            else:
                self.loop(step)

    def loop(self, step):
        before = self.block
        begin, leave = self.name(), self.name()
        most = self.op(f"add i32 %bid, {step.turns}") if step.by_block else str(step.turns)
        turn, after = self.name(), self.name()
        if step.rotated:
            is_run = self.op(f"icmp sgt i32 {most}, 0")
            self.lines.append(f"  br i1 {is_run}, label %{begin}, label %{leave}")
        else:
            self.jump(begin)
        self.label(begin)
        at = len(self.lines)
        if not step.rotated:
            body = self.name()
            is_more = self.op(f"icmp slt i32 %{turn}, {most}")
            self.lines.append(f"  br i1 {is_more}, label %{body}, label %{leave}")
            self.label(body)
        self.steps(step.body, f"%{turn}")
        self.lines.append(f"  %{after} = add i32 %{turn}, 1")
        self.lines.insert(at, f"  %{turn} = phi i32 [ 0, %{before} ], [ %{after}, %{self.block} ]")
        if step.rotated:
            is_more = self.op(f"icmp slt i32 %{after}, {most}")
            self.lines.append(f"  br i1 {is_more}, label %{begin}, label %{leave}")
        else:
            self.jump(begin)
        self.label(leave)


def text_of(steps, is_shared):
    """Returns the kernel's text, which accesses shared memory or its argument."""
    writer = Writer("ptr addrspace(3) @s" if is_shared else "ptr addrspace(1) %x")
    writer.label("entry")
    writer.lines += ["  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
                     "  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()"]
    writer.steps(steps, "0")
    return "\n".join([
        'target triple = "nvptx64-nvidia-cuda"', "@s = internal addrspace(3) global [4096 x i8] poison, align 16",
        "define ptx_kernel void @k(ptr addrspace(1) %x) {", *writer.lines, "  br label %end", "end:", "  ret void", "}",
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)",
        "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)", ""])


def executed(steps, block, thread):
    """Yields the accesses of a thread: the step, the byte, its epoch and its turns."""
    epoch = 0

    def run(steps, turns):
        nonlocal epoch
        for step in steps:
            if step.kind == "barrier":
                epoch += 1
            elif step.kind == "return":
                if thread >= step.most:
                    return
            elif step.kind == "branch":
                if block == 0:
                    yield from run(step.body, turns)
            elif step.kind == "loop":
                for turn in range(step.turns + (block if step.by_block else 0)):
                    yield from run(step.body, turns + (turn,))
            elif step.kind in ("load", "store") and thread < step.most:
                a, b, c = step.at
                yield step, a * (turns[-1] if turns else 0) + b * thread + c, epoch, turns

    yield from run(steps, ())


def races(steps, blocks):
    """Returns the pairs of a load and a store, and those of two stores, of different
    threads of one block in one epoch that have a byte in common: each is (block, byte of
    the first, thread and turns of the first, byte of the second, its thread and turns)."""
    loads_stores, stores = set(), set()
    for block in range(blocks):
        at = {}
        for thread in range(THREADS):
            for step, byte, epoch, turns in executed(steps, block, thread):
                for k in range(step.width):
                    at.setdefault((epoch, byte + k), []).append((step.kind, byte, thread, turns))
        for accesses in at.values():
            for kind, byte, thread, turns in accesses:
                if kind != "store":
                    continue
                for other, by, thread2, turns2 in accesses:
                    if thread2 != thread:
                        (loads_stores if other == "load" else stores).add(
                            (block, byte, thread, turns, by, thread2, turns2))
    return loads_stores, stores


def has_exchange(steps):
    return any(step.kind == "exchange" for step in steps)
