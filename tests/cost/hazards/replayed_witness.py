"""Runs two threads of one kernel as a witness says, the writer first.

   {"writer": {"instruction": "f", "index": [0]},
    "reader": {"instruction": "f", "index": [1]}}

Element 1 of f is found once from memory as it was, and once after the thread
of element 0 has written: a witness is right if these differ.
"""

from kernel_threads import Kernel, Overlay
from machine import Machine, constant
from hazard_answers import place_of
from simulator import Simulator


def replay(question, place):
    """Returns whether the reader reads something else, or None for a witness
    that is not of one kernel whose operands are parameters and constants."""
    witness = place.get("witness")
    if not witness or not witness.get("writer") or not witness.get("reader"):
        return None
    writer, reader = witness["writer"], witness["reader"]
    simulator = Simulator(question.text, {(n, ()): v for n, v in
                                          question.values.items()})
    at = place_of(simulator, place)
    module = simulator.module
    if at is None or at.kind == "alias" or at.context:
        return None
    i = module.entry.by_name.get(at.name)
    if not ({writer["instruction"], reader["instruction"]} <= {i.name}
            and i.opcode == "fusion"):
        return None
    if any(module.entry.by_name[n].opcode not in ("parameter", "constant")
           for n in i.operands):
        return None
    return any(differs(simulator, given, at, i, writer, reader)
               for given in simulator.givens)


def differs(simulator, given, at, i, writer, reader):
    sharing = simulator.sharing([at])
    machine = Machine(simulator.module, sharing, {}, {})
    for c in simulator.module.entry.instructions:
        if c.opcode == "constant":
            machine.put((), c.name, (), constant(c))
    for (n, path), elements in simulator.parameters(given).items():
        name = simulator.module.entry.parameters()[n].name
        machine.put((), name, path, elements)
    kernel = Kernel(simulator.module, simulator.module.entry, i,
                    lambda name, path: sharing.find(((), name, path)))
    if kernel.root_of(()).opcode == "scatter":
        return True
    paths = [path for path, _ in kernel.leaves]
    first, second = tuple(writer["index"]), tuple(reader["index"])
    for path in paths:
        if len(first) != len(i.leaf(path).dims):
            continue
        frame = kernel.frame(machine.cells)
        changed = {}
        kernel.store(changed, [(path, first, frame.root(path, first))])
        after = kernel.frame(Overlay(machine.cells, changed))
        for other in paths:
            if len(second) != len(i.leaf(other).dims):
                continue
            before = kernel.frame(machine.cells).root(other, second)
            if before != after.root(other, second):
                return True
    return False
