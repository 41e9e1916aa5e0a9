"""Says by trying whether results may lie in the memory of operands.

   s = Simulator(text, {(1, ()): [0, 1, 2]})      values of parameter 1
   s.word([Place("share", (), "f", (), "p", ())])  'hazard'

A place is right if every element of every result, and every parameter that is
not given away, is what it is with each value in memory of its own. All values
of runtime parameters, all orders that data and control allow, all orders of
threads and several numbers of turns are tried.
"""

import itertools
import zlib
from dataclasses import dataclass

from element_values import PRIME
from hlo_text import path_of, read_aliasing, read_module
from kernel_threads import Race
from machine import Machine, Sharing, all_orders, is_step, touched

DEMANDED = {"share", "alias"}


@dataclass(frozen=True)
class Place:
    """A result that lies where an operand does: `name` is the instruction in
    its context, or "" for the root of a module's entry."""
    kind: str
    context: tuple
    name: str
    path: tuple
    operand: str
    operand_path: tuple
    demanded: bool = False


@dataclass(frozen=True)
class Run:
    """What tells executions apart."""
    values: tuple   # pairs of parameter and its value
    order: tuple    # pairs of computation and its steps
    turns: object
    late: bool


class Simulator:
    MOST_TURNS = (0, 1, 2, 3)

    def __init__(self, text, values=None):
        self.module = read_module(text)
        self.values = values or {}
        self.plain = Sharing(self.module)
        self.right, self.tried = {}, {}
        self.givens = [dict(zip(self.values, v))
                       for v in itertools.product(*self.values.values())]
        operations = [i.opcode for c in self.plain.contexts.values()
                      for i in c.computation.instructions]
        self.lates = ([False, True] if "copy-start" in operations
                      else [False])
        self.loops = "while" in operations
        self.is_complete = True

    def parameters(self, given):
        """Returns the elements of all leaves of parameters."""
        found = {}
        for number, p in enumerate(self.module.entry.parameters()):
            for path, leaf in p.leaves():
                fixed = given.get((number, path))
                if fixed is not None and not isinstance(fixed, (list, tuple)):
                    fixed = [fixed]
                found[number, path] = [
                    (index, fixed[k] if fixed is not None
                     else first_value(number, path, leaf, k))
                    for k, index in enumerate(leaf.indices())]
        return found

    def expected(self, given, turns):
        """Returns what is right, with each value in memory of its own."""
        key = (tuple(given.items()), turns)
        if key not in self.right:
            orders = {c.computation.name: [
                i.name for i in c.computation.instructions]
                for c in self.plain.contexts.values()}
            machine = Machine(self.module, self.plain, orders,
                              self.parameters(given), turns, False, False)
            results, _ = machine.run()
            self.right[key] = None if machine.is_endless else results
        return self.right[key]

    def turns_of(self, given):
        """Returns the numbers of turns to try: None lets conditions say it."""
        if not self.loops:
            return [None]
        if self.expected(given, None) is not None:
            return [None]
        return self.MOST_TURNS

    def sharing(self, places):
        sharing = Sharing(self.module)
        for p in places:
            if p.kind == "carry":
                i = sharing.contexts[p.context].computation.by_name[p.name]
                sharing.carry(p.context, i, p.path)
            elif p.kind == "alias":
                sharing.put(((), self.module.entry.root.name, p.path),
                            ((), p.operand, p.operand_path))
            else:
                sharing.put((p.context, p.name, p.path),
                            (p.context, p.operand, p.operand_path))
        return sharing

    def given_away(self, places, sharing):
        """Returns the leaves of parameters that may change."""
        found = {(n, path) for _, n, path, _ in self.module.aliases}
        for p in places:
            if p.kind != "share":
                continue
            operand = sharing.find((p.context, p.operand, p.operand_path))
            for n, q in enumerate(self.module.entry.parameters()):
                found |= {(n, path) for path, _ in q.leaves()
                          if self.plain.find(((), q.name, path)) ==
                          self.plain.find((p.context, p.operand,
                                           p.operand_path))
                          or sharing.find(((), q.name, path)) == operand}
        return found

    def ends(self, sharing, given_away):
        """Returns the results that lie where none may."""
        root = self.module.entry.root
        leaves = [(path, sharing.find(((), root.name, path)))
                  for path, _ in root.leaves()]
        found = {(a, b) for (a, x), (b, y) in itertools.combinations(leaves, 2)
                 if x == y}
        for n, p in enumerate(self.module.entry.parameters()):
            for path, _ in p.leaves():
                if (n, path) not in given_away:
                    buffer = sharing.find(((), p.name, path))
                    found |= {(a, n, path) for a, x in leaves if x == buffer}
        return found

    def outcomes(self, places):
        """Returns a dictionary from Run to a witness, or None if it is right:
        the number of a leaf and of its element. Leaves of parameters follow
        those of results."""
        key = frozenset(places)
        if key not in self.tried:
            self.tried[key] = self.try_all(places)
        return self.tried[key]

    def try_all(self, places):
        sharing = self.sharing(places)
        given_away = self.given_away(places, sharing)
        orders, complete = all_orders(self.module, sharing)
        self.is_complete &= complete
        wrong = None
        if sharing.too_big:
            leaf = sharing.leaf(sharing.too_big[1])
            wrong = (0, leaf.size())
        elif self.ends(sharing, given_away) - self.ends(self.plain,
                                                        given_away):
            wrong = (0, 0)
        found = {}
        for given in self.givens:
            for turns in self.turns_of(given):
                for order in orders:
                    for late in self.lates:
                        run = Run(tuple(given.items()),
                                  tuple((c, tuple(o)) for c, o in
                                        order.items()), turns, late)
                        found[run] = wrong or self.try_run(
                            sharing, order, given, turns, late, given_away)
        return found

    def try_run(self, sharing, order, given, turns, late, given_away):
        """Returns the first element that is wrong, or None."""
        parameters = self.parameters(given)
        machine = Machine(self.module, sharing, order, parameters, turns, late)
        try:
            results, kept = machine.run()
        except Race as race:
            return race
        if machine.is_endless:
            return (0, 0)
        for k, (a, b) in enumerate(zip(results, self.expected(given, turns))):
            for e, (x, y) in enumerate(zip(a, b)):
                if x != y:
                    return (k, e)
        for k, (leaf, array) in enumerate(kept.items(), len(results)):
            if leaf in given_away:
                continue
            for e, (x, y) in enumerate(zip(array, parameters[leaf])):
                if x != y:
                    return (k, e)
        return None

    def answer(self, places, kind=None, demanded=False):
        """Returns the word of places that share together."""
        return Answer(self, places, self.outcomes(places),
                      kind or places[0].kind,
                      demanded or places[0].demanded)

    def defaults(self):
        """Returns the places that a compiler takes for granted: updates,
        scatters, fusions of them, carries, and what the module says."""
        found = []
        entry = self.module.entry
        for path, n, inner, _ in self.module.aliases:
            found.append(Place("alias", (), "", path,
                               entry.parameters()[n].name, inner, True))
        for key, context in self.plain.contexts.items():
            for i in context.computation.instructions:
                found += self.places_of(key, context.computation, i)
        return found

    def places_of(self, key, computation, i):
        if i.opcode == "dynamic-update-slice":
            return [Place("update", key, i.name, (), i.operands[0], ())]
        if i.opcode == "scatter":
            return [Place("scatter", key, i.name, path,
                          i.operands[path[0] if path else 0], ())
                    for path, _ in i.leaves()]
        if i.opcode in ("custom-call", "fusion"):
            found = [Place("fusion" if i.opcode == "fusion" else "call", key,
                           i.name, path, i.operands[n], inner, True)
                     for path, n, inner in read_aliasing(i)]
            taken = {p.path for p in found}
            if i.opcode == "fusion":
                found += [p for p in self.updates_of(key, i)
                          if p.path not in taken]
            return found
        if i.opcode == "while":
            root = computation.by_name[i.operands[0]]
            return [Place("carry", key, i.name, path, i.operands[0], path)
                    for path, leaf in i.leaves()
                    if leaf.dims and not is_constant(computation, root, path)]
        return []

    def updates_of(self, key, i):
        """Returns the places of updates and scatters that end a fusion."""
        inner = self.module.computations[i.attributes["calls"].lstrip("%")]
        found = []
        for path, _ in i.leaves():
            now, rest = inner.root, path
            while now.opcode in ("tuple", "bitcast"):
                k, rest = (rest[0], rest[1:]) if now.opcode == "tuple" else (
                    0, rest)
                now = inner.by_name[now.operands[k]]
            if now.opcode not in ("dynamic-update-slice", "scatter"):
                continue
            now = inner.by_name[now.operands[rest[0] if rest else 0]]
            rest = ()
            while now.opcode in ("bitcast", "get-tuple-element"):
                if now.opcode == "get-tuple-element":
                    rest = (int(now.attributes["index"]),) + rest
                now = inner.by_name[now.operands[0]]
            if now.opcode == "parameter":
                found.append(Place("fusion", key, i.name, path,
                                   i.operands[int(now.literal)], rest))
        return found

    def group(self, place):
        """Returns the place with all places whose memory meets its own: it is
        the same or, without a schedule, some step uses both."""
        all_places = [place] + [p for p in self.defaults() if p != place]
        sharing = self.sharing(all_places)
        memory = [sharing.find((p.context, p.operand, p.operand_path))
                  for p in all_places]
        meetings = [] if self.module.scheduled else [
            {sharing.find(v) for v in touched(sharing, key, i)}
            for key, c in sharing.contexts.items()
            for i in c.computation.instructions if is_step(i)]
        wanted, size = {memory[0]}, 0
        while len(wanted) > size:
            size = len(wanted)
            for used in meetings:
                if used & wanted:
                    wanted |= used & set(memory)
        return [p for p, m in zip(all_places, memory) if m in wanted]

    def place(self, kind, name):
        """Returns the places of a kind at an instruction."""
        for key, context in self.plain.contexts.items():
            i = context.computation.by_name.get(name)
            if i is not None and kind == "copy":
                return [Place("copy", key, name, (), i.operands[0], ())]
        return [p for p in self.defaults()
                if p.name == name and p.kind == kind]

    def share(self, name, path, number, inner):
        i = self.module.entry.by_name[name]
        return Place("share", (), name, path, i.operands[number], inner, True)


@dataclass
class Answer:
    """The word of places, from all that was tried."""
    simulator: Simulator
    places: list
    outcomes: dict
    kind: str
    demanded: bool

    def by_values(self):
        """Returns, by values of parameters, the orders that are right."""
        found = {}
        for run, wrong in self.outcomes.items():
            orders = found.setdefault(run.values, {})
            orders[run.order] = orders.get(run.order, True) and not wrong
        return {v: {o for o, fine in orders.items() if fine}
                for v, orders in found.items()}

    def right_everywhere(self):
        """Returns the orders that are right for all values."""
        return set.intersection(*self.by_values().values())

    def orders(self):
        return {run.order for run in self.outcomes}

    def safe_values(self):
        """Returns the values for which some order is right."""
        return {v for v, orders in self.by_values().items() if orders}

    def word(self):
        if not any(self.outcomes.values()):
            return "needless copy" if self.kind == "copy" else "safe in place"
        if self.safe_values():
            return "safe if"
        is_demand = self.demanded or self.kind in DEMANDED
        return "hazard" if is_demand else "must copy"

    def witness(self):
        return next((w for w in self.outcomes.values() if w), None)


def is_constant(computation, i, path):
    """Returns whether a leaf comes from a constant."""
    for k in path:
        if i.opcode != "tuple":
            return False
        i = computation.by_name[i.operands[k]]
    return i.opcode == "constant"


def first_value(number, path, leaf, k):
    """Returns the value of an element of a parameter."""
    seed = zlib.crc32(repr((number, path, k)).encode())
    if leaf.dtype == "pred":
        return seed & 1
    if leaf.is_integer():
        return 1000 + 100 * number + k if leaf.dims else 0
    return (seed * 2654435761 + 97) % PRIME


def read_values(text, module):
    """Reads `k=0..7 p1=[0,1];[2,0] p1.1=0..6`: values of parameters."""
    found = {}
    parameters = module.entry.parameters()
    for word in text.split():
        name, _, values = word.partition("=")
        name, *path = name.split(".")
        number = [p.name for p in parameters].index(name)
        key = (number, tuple(int(k) for k in path))
        if ".." in values:
            low, high = values.split("..")
            found[key] = list(range(int(low), int(high) + 1))
        else:
            found[key] = [path_of(v) for v in values.split(";")]
    return found

