"""Runs a module on memory: which values share a buffer is given.

A value is named by (context, instruction, path): the context is the chain of
calls and loops that it stands in. Buffers are classes of values.

   Sharing(program).join(((), "d", ()), ((), "n", ()))     d lies where n does

Tuples, their elements, bitcasts, parameters of calls and their roots share
what they name without being asked. A carry of a loop is one memory in which
each turn finds it: unless the carry is joined with its first value and with
the root of the body, both are copied into it.
"""

import itertools

from element_values import literal_element
from hlo_text import leaves_of
from kernel_threads import Kernel, read, write

VIEWS = {"tuple", "get-tuple-element", "bitcast", "parameter", "constant",
         "optimization-barrier", "copy-done", "after-all", "partition-id",
         "replica-id"}


class Context:
    """A computation that is executed, within the contexts that call it."""

    def __init__(self, key, computation):
        self.key, self.computation = key, computation


class Sharing:
    """Classes of values that lie in one buffer."""

    def __init__(self, module):
        self.module = module
        self.above = {}
        self.contexts = {}
        self.joined = []
        self.too_big = None
        self.enter((), module.entry)

    def find(self, value):
        while value in self.above:
            value = self.above[value]
        return value

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.above[a] = b

    def put(self, result, operand):
        """Lets a result lie where an operand does, as a place asks."""
        if self.leaf(result).bytes() * self.leaf(result).size() > (
                self.leaf(operand).bytes() * self.leaf(operand).size()):
            self.too_big = (result, operand)
        self.join(result, operand)
        self.joined.append(operand)

    def leaf(self, value):
        key, name, path = value
        return self.contexts[key].computation.by_name[name].leaf(path)

    def enter(self, key, computation):
        self.contexts[key] = Context(key, computation)
        for i in computation.instructions:
            self.views(key, computation, i)

    def each(self, key, i, operand, prefix=(), inner=()):
        """Joins the leaves of a result with those of an operand's part."""
        for path, _ in leaves_of(i.leaf(prefix)):
            self.join((key, i.name, prefix + path),
                      (key, operand, inner + path))

    def callee(self, key, i, attribute):
        return self.module.computations[i.attributes[attribute].lstrip("%")]

    def bind(self, inner, computation, arguments, i, key):
        """Joins the parameters of a call with what is passed."""
        self.enter(inner, computation)
        for parameter, name in zip(computation.parameters(), arguments):
            for path, _ in parameter.leaves():
                self.join((inner, parameter.name, path), (key, name, path))

    def views(self, key, computation, i):
        op = i.opcode
        if op == "tuple":
            for k, operand in enumerate(i.operands):
                self.each(key, i, operand, (k,))
        elif op == "get-tuple-element":
            self.each(key, i, i.operands[0], (), (int(i.attributes["index"]),))
        elif op in ("bitcast", "optimization-barrier"):
            self.each(key, i, i.operands[0])
        elif op == "copy-start":
            self.join((key, i.name, (1,)), (key, i.operands[0], ()))
        elif op == "copy-done":
            self.join((key, i.name, ()), (key, i.operands[0], (0,)))
        elif op == "call":
            inner = key + (i.name,)
            callee = self.callee(key, i, "to_apply")
            self.bind(inner, callee, i.operands, i, key)
            for path, _ in i.leaves():
                self.join((key, i.name, path), (inner, callee.root.name, path))
        elif op == "while":
            for part in ("condition", "body"):
                inner = key + (i.name, part)
                callee = self.callee(key, i, part)
                self.bind(inner, callee, [i.name], i, key)
        elif op == "conditional":
            for n, callee in enumerate(branches(self.module, i)):
                inner = key + (i.name, n)
                self.bind(inner, callee, [i.operands[1 + n]], i, key)
                for path, _ in i.leaves():
                    self.join((key, i.name, path),
                              (inner, callee.root.name, path))

    def carry(self, key, i, path):
        """Lets a carry, its first value and the body's root be one memory."""
        body = key + (i.name, "body")
        root = self.contexts[body].computation.root
        self.put((key, i.name, path), (key, i.operands[0], path))
        self.put((body, root.name, path), (key, i.name, path))

    def is_touched(self, value):
        """Returns whether the buffer is one that a place asked to share."""
        return any(self.find(value) == self.find(v) for v in self.joined)


def branches(module, i):
    names = [i.attributes[k] for k in ("true_computation",
                                       "false_computation")
             if k in i.attributes]
    if not names:
        names = i.attributes["branch_computations"].strip("{}").split(",")
    return [module.computations[n.strip().lstrip("%")] for n in names]


class Machine:
    """One execution of a module."""

    MOST_TURNS = 9

    def __init__(self, module, sharing, orders, parameters, turns=None,
                 late=False, checked=True):
        self.module, self.sharing = module, sharing
        self.orders, self.parameters = orders, parameters
        self.turns, self.late, self.checked = turns, late, checked
        self.cells = {}
        self.is_endless = False

    def buffer(self, key, name, path):
        return self.sharing.find((key, name, path))

    def element(self, key, name, path, index):
        leaf = self.sharing.leaf((key, name, path))
        return read(self.cells, self.buffer(key, name, path), leaf, index)

    def put(self, key, name, path, values):
        leaf = self.sharing.leaf((key, name, path))
        buffer = self.buffer(key, name, path)
        for index, value in values:
            write(self.cells, buffer, leaf, index, value)

    def array(self, key, name, path):
        leaf = self.sharing.leaf((key, name, path))
        return [(index, self.element(key, name, path, index))
                for index in leaf.indices()]

    def run(self):
        """Returns the arrays of all results, then those of all parameters."""
        for key, context in self.sharing.contexts.items():
            for i in context.computation.instructions:
                if i.opcode == "constant":
                    self.put(key, i.name, (), constant(i))
        for number, p in enumerate(self.module.entry.parameters()):
            for path, _ in p.leaves():
                self.put((), p.name, path, self.parameters[number, path])
        self.execute((), self.module.entry)
        root = self.module.entry.root
        results = [self.array((), root.name, path)
                   for path, _ in root.leaves()]
        return results, {(n, path): self.array((), p.name, path) for n, p in
                         enumerate(self.module.entry.parameters())
                         for path, _ in p.leaves()}

    def execute(self, key, computation):
        for name in self.orders[computation.name]:
            self.step(key, computation, computation.by_name[name])

    def step(self, key, computation, i):
        op = i.opcode
        if op == "copy-start":
            if not self.late:
                self.put(key, i.name, (0,), self.array(key, i.operands[0], ()))
        elif op == "copy-done":
            if self.late:
                start = computation.by_name[i.operands[0]]
                self.put(key, i.name, (),
                         self.array(key, start.operands[0], ()))
        elif op == "call":
            self.execute(key + (i.name,),
                         self.sharing.contexts[key + (i.name,)].computation)
        elif op == "conditional":
            n = self.element(key, i.operands[0], (), ())
            leaf = self.sharing.leaf((key, i.operands[0], ()))
            if leaf.dtype == "pred":
                n = 0 if n else 1
            inner = key + (i.name, min(max(n, 0), len(i.operands) - 2))
            self.execute(inner, self.sharing.contexts[inner].computation)
        elif op == "while":
            self.loop(key, i)
        elif op in VIEWS:
            pass
        else:
            Kernel(self.module, computation, i,
                   lambda name, path: self.buffer(key, name, path)).run(
                       self.cells, self.checked)

    def loop(self, key, i):
        """Runs a loop. What is not joined with its carry is copied to it."""
        body, condition = key + (i.name, "body"), key + (i.name, "condition")
        root = self.sharing.contexts[body].computation.root
        self.copy_all(key, [((key, i.operands[0], path), (key, i.name, path))
                            for path, _ in i.leaves()])
        for turn in itertools.count():
            if self.turns is not None and turn == self.turns:
                break
            self.execute(condition,
                         self.sharing.contexts[condition].computation)
            last = self.sharing.contexts[condition].computation.root
            goes_on = self.element(condition, last.name, (), ())
            if self.turns is None and not goes_on:
                break
            if turn > self.MOST_TURNS:
                self.is_endless = True
                break
            self.execute(body, self.sharing.contexts[body].computation)
            self.copy_all(key, [((body, root.name, path), (key, i.name, path))
                                for path, _ in i.leaves()])

    def copy_all(self, key, pairs):
        """Copies arrays to others at once, if they lie elsewhere."""
        moved = [(to, self.array(*value)) for value, to in pairs
                 if self.buffer(*value) != self.buffer(*to)]
        for to, values in moved:
            self.put(*to, values)


def constant(i):
    """Returns the elements of a constant with their indices."""
    return [(index, literal_element(i, index)) for index in i.shape.indices()]


def is_step(i):
    """Returns whether an instruction does something when it runs."""
    return i.opcode == "copy-done" or i.opcode not in VIEWS


def predecessors(computation):
    """Returns the steps that each step needs, by name."""
    needs, behind = {}, {}
    for i in computation.instructions:
        found = set()
        controls = i.attributes.get("control-predecessors", "{}")
        others = [n.strip().lstrip("%") for n in
                  controls.strip("{}").split(",") if n.strip()]
        for name in i.operands + others:
            found |= behind[name]
        needs[i.name] = found
        behind[i.name] = {i.name} if is_step(i) else found
    return {i.name: needs[i.name] for i in computation.instructions
            if is_step(i)}


def orders_of(computation, scheduled, sharing, most):
    """Returns the orders of a computation's steps that differ in memory.

    Steps that touch no shared buffer run as early as they can: where they
    stand changes nothing. Returns at most `most` orders, and whether these are
    all.
    """
    names = [i.name for i in computation.instructions if is_step(i)]
    if scheduled:
        return [names], True
    needs = predecessors(computation)
    keys = [k for k, c in sharing.contexts.items()
            if c.computation is computation]
    touches = {n for n in names if any(
        sharing.is_touched(v) for key in keys
        for v in touched(sharing, key, computation.by_name[n]))}
    found, stack = [], [()]
    while stack and len(found) < most:
        done = stack.pop()
        if len(done) == len(names):
            found.append(list(done))
            continue
        ready = [n for n in names if n not in done
                 and needs[n] <= set(done)]
        free = [n for n in ready if n not in touches]
        stack += [done + (n,) for n in reversed(free[:1] or ready)]
    return found, not stack


def touched(sharing, key, i):
    """Returns the values that a step reads or writes, with those of what it
    calls."""
    values = [(key, i.name, path) for path, _ in i.leaves()]
    for name in i.operands:
        operand = sharing.contexts[key].computation.by_name[name]
        values += [(key, name, path) for path, _ in operand.leaves()]
    if i.opcode in ("while", "call", "conditional"):
        for inner, context in sharing.contexts.items():
            if inner[:len(key) + 1] == key + (i.name,):
                values += [(inner, j.name, path)
                           for j in context.computation.instructions
                           for path, _ in j.leaves()]
    return values


def reachable(module, sharing):
    return {c.computation.name: c.computation
            for c in sharing.contexts.values()}.values()


def all_orders(module, sharing, most=150):
    """Returns orders of all computations, and whether these are all."""
    lists, complete = [], True
    computations = list(reachable(module, sharing))
    for c in computations:
        found, whole = orders_of(c, module.scheduled, sharing, most)
        lists.append(found)
        complete &= whole
    products = itertools.product(*lists)
    found = [dict(zip([c.name for c in computations], p))
             for p in itertools.islice(products, most)]
    return found, complete and next(products, None) is None

