"""Random kernels that load and store one array, and their races by enumeration.

   pre   load x[8 * pid + t]
   loop  store y[8 * pid + 8 * i + 7 - t], the sum of what was loaded
         barrier

Pointers are sums of the program, the turn and the coordinate, so that the text
of the kernel and the pairs of its accesses are both made of one list of steps.
Nothing of Indexical reads here.
"""

import dataclasses

TILE = 8


@dataclasses.dataclass
class Step:
    """A load, a store or a barrier. `at` has the factors of the program, the
    turn and the coordinate, and what is added."""
    kind: str
    argument: str = "x"
    at: tuple = (0, 0, 0, 0)
    value: int = -1      # of a store: the number of the load
    is_sum: bool = False
    most: int = TILE     # of a store: coordinates below this one


@dataclasses.dataclass
class Kernel:
    before: list
    body: list           # empty: there is no loop
    after: list
    grid: int = 1
    turns: int = 1
    stages: int = 1


def random_step(r, kinds, turns, loads):
    kind = r.choice(kinds)
    if kind == "store" and not loads:
        kind = "load"
    by = r.choice([1, 1, 1, 1, -1, 2, 0]) if kind == "load" else \
        r.choice([1, 1, 1, 1, -1])
    add = r.choice([0, 0, 0, 1, TILE, -1, TILE - 1, 2 * TILE])
    if by < 0:
        add += TILE - 1
    step = Step(kind, r.choice("xxy"),
                (r.choice([TILE, TILE, 4 * TILE, 0]),
                 r.choice([TILE, TILE, 0, 1]) if turns else 0, by, add + 16))
    if kind == "store":
        step.value = r.choice(loads)
        step.is_sum = r.random() < 0.25
        step.most = r.choice([TILE, TILE, TILE, 5])
    return step


def random_kernel(r):
    kernel = Kernel([], [], [], r.choice([1, 1, 2, 3]))
    if r.random() < 0.6:
        kernel.turns = r.randint(1, 4)
        kernel.stages = r.choice([1, 1, 2, 3])
    loops = kernel.turns > 1 or r.random() < 0.2
    number, loads = 0, []
    parts = [(kernel.before, 0, r.randint(0, 1) if loops else r.randint(2, 4)),
             (kernel.body, 1, r.randint(1, 4) if loops else 0),
             (kernel.after, 0, r.randint(0, 1) if loops else 0)]
    for part, turns, count in parts:
        own = list(loads)
        for _ in range(count):
            step = random_step(r, ["load", "load", "store", "store",
                                   "barrier"], turns, own)
            part.append(step)
            if step.kind == "load":
                own.append(number)
                # What a loop loads is not seen behind it.
                loads += [number] if not turns else []
            number += 1
    return kernel


def text_of(kernel):
    """Returns the kernel in Triton's IR."""
    f, p, i = "tensor<8xf32>", "tensor<8x!tt.ptr<f32>>", "tensor<8xi32>"
    lines = ["%pid = tt.get_program_id x : i32",
             f"%t = tt.make_range {{end = 8 : i32, start = 0 : i32}} : {i}",
             f"%xs = tt.splat %x : !tt.ptr<f32> -> {p}",
             f"%ys = tt.splat %y : !tt.ptr<f32> -> {p}",
             "%c0 = arith.constant 0 : i32", "%c1 = arith.constant 1 : i32",
             f"%n = arith.constant {kernel.turns} : i32"]

    def add(step, k, turn):
        if step.kind == "barrier":
            lines.append("gpu.barrier")
            return
        a, b, c, d = step.at
        lines.extend([
            f"%a{k} = arith.constant {a} : i32",
            f"%b{k} = arith.constant {b} : i32",
            f"%d{k} = arith.constant {d} : i32",
            f"%e{k} = arith.muli %pid, %a{k} : i32",
            f"%f{k} = arith.muli {turn}, %b{k} : i32",
            f"%g{k} = arith.addi %e{k}, %f{k} : i32",
            f"%h{k} = arith.addi %g{k}, %d{k} : i32",
            f"%i{k} = tt.splat %h{k} : i32 -> {i}",
            f"%c{k}x = arith.constant dense<{c}> : {i}",
            f"%j{k} = arith.muli %t, %c{k}x : {i}",
            f"%k{k} = arith.addi %i{k}, %j{k} : {i}",
            f"%p{k} = tt.addptr %{step.argument}s, %k{k} : {p}, {i}"])
        if step.kind == "load":
            lines.append(f"%v{k} = tt.load %p{k} : {p}")
            return
        value = f"%v{step.value}"
        if step.is_sum:
            lines.extend([
                f'%s{k} = "tt.reduce"({value}) <{{axis = 0 : i32}}> ({{',
                f"^bb0(%u{k}: f32, %w{k}: f32):",
                f"%z{k} = arith.addf %u{k}, %w{k} : f32",
                f"tt.reduce.return %z{k} : f32",
                f"}}) : ({f}) -> f32",
                f"%q{k} = tt.splat %s{k} : f32 -> {f}"])
            value = f"%q{k}"
        else:
            lines.append(f"%q{k} = arith.mulf {value}, {value} : {f}")
            value = f"%q{k}"
        if step.most < TILE:
            lines.extend([
                f"%l{k} = arith.constant dense<{step.most}> : {i}",
                f"%m{k} = arith.cmpi slt, %t, %l{k} : {i}",
                f"tt.store %p{k}, {value}, %m{k} : {p}"])
        else:
            lines.append(f"tt.store %p{k}, {value} : {p}")

    number = 0
    for step in kernel.before:
        add(step, number, "%c0")
        number += 1
    if kernel.body:
        lines.append("scf.for %turn = %c0 to %n step %c1 : i32 {")
        for step in kernel.body:
            add(step, number, "%turn")
            number += 1
        lines.append("}" if kernel.stages == 1 else
                     f"}} {{tt.num_stages = {kernel.stages} : i32}}")
    for step in kernel.after:
        add(step, number, "%c0")
        number += 1
    return ("tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {\n  " +
            "\n  ".join(lines) + "\n  tt.return\n}\n")


def executed(kernel):
    """Returns the steps of one program in order, with their numbers, turns and
    whether they are of the loop."""
    found, number = [], 0
    for step in kernel.before:
        found.append((step, number, 0, False))
        number += 1
    for turn in range(kernel.turns if kernel.body else 0):
        for k, step in enumerate(kernel.body):
            found.append((step, number + k, turn, True))
    number += len(kernel.body)
    for step in kernel.after:
        found.append((step, number, 0, False))
        number += 1
    return found


def element(step, program, turn, coordinate):
    a, b, c, d = step.at
    return a * program + b * turn + c * coordinate + d


def is_vague(kernel, first, second, between):
    """Returns whether the turns of a loop decide that a barrier is between two
    steps: both are out of the loop, or the first one is in it and the barrier
    in front of it. How often a loop runs is not asked."""
    if second[3] or not any(s.kind == "barrier" for s in kernel.body):
        return False
    if any(s.kind == "barrier" and not in_loop
           for s, _, _, in_loop in between):
        return False
    if not first[3]:
        return any(in_loop for _, _, _, in_loop in between)
    behind = kernel.body[first[1] - len(kernel.before):]
    return not any(s.kind == "barrier" for s in behind)


def races(kernel, alias):
    """Returns the pairs of a load and a store without an order, and those of
    which it is not said: of pipelined loops, and where is_vague. Each is (element, program and coordinate of the
    store, the same of the load)."""
    steps = executed(kernel)
    certain, open_ = set(), set()
    has_barrier = any(s.kind == "barrier" for s in kernel.body)
    for i, (load, number, turn, in_loop) in enumerate(steps):
        if load.kind != "load":
            continue
        for j, (store, _, other, other_in) in enumerate(steps):
            if store.kind != "store" or not (
                    alias or load.argument == store.argument):
                continue
            low, high = min(i, j), max(i, j)
            barrier = any(s[0].kind == "barrier" for s in steps[low:high])
            vague = is_vague(kernel, steps[low], steps[high],
                             steps[low:high])
            same_turn = turn == other or not in_loop
            is_needed = store.value == number and same_turn
            moved = (kernel.stages > 1 and in_loop and other_in and j < i
                     and turn - other < kernel.stages)
            for p in range(kernel.grid):
                for q in range(kernel.grid):
                    for s in range(TILE):
                        for t in range(store.most):
                            at = element(load, p, turn, s)
                            if at != element(store, q, other, t):
                                continue
                            pair = (at, q, t, p, s)
                            if p != q:
                                certain.add(pair)
                            elif moved:
                                is_open = has_barrier or turn == other
                                (open_ if is_open else certain).add(pair)
                            elif s == t or (i < j and is_needed and
                                            store.is_sum):
                                pass
                            elif vague:
                                open_.add(pair)
                            elif barrier:
                                pass
                            else:
                                certain.add(pair)
    return certain, open_ - certain
