"""Holds what `indexical hazards` says of a module to what the simulator tries.

A place's word is that of the place alone, or together with the other places of
its memory: which of two updates of one array has to copy is the compiler's to
choose. So three laws are checked of each answer:

1. A word is one of these two. `safe if` has the same values, and no order that
   its `order` admits is wrong.
2. All places that are called safe, and all copies that are called needless,
   are right together, for the values and orders that they name.
3. There is an answer for each place that the simulator knows.
"""

import re
from dataclasses import dataclass, field

from element_values import Frame, called, clamp
from hlo_text import path_of
from simulator import Place, Simulator

WRONG = {"hazard", "must copy"}
SAFE = {"safe in place", "safe if", "needless copy"}


class NotEvaluated(Exception):
    """A condition speaks of something that the simulator does not evaluate."""


@dataclass
class Found:
    """What is found about one module."""
    problems: list = field(default_factory=list)
    words: list = field(default_factory=list)    # of the tool
    tried: list = field(default_factory=list)    # of the simulator
    counts: dict = field(default_factory=dict)

    def add(self, text):
        self.problems.append(text)

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1


class Values:
    """The values of runtime variables, for values of parameters."""

    def __init__(self, simulator, given):
        self.simulator = simulator
        parameters = {key: dict(elements) for key, elements in
                      simulator.parameters(given).items()}
        module = simulator.module
        entry = Frame(module, module.entry,
                      lambda n, path, index: parameters[n, path][index])
        self.frames = {module.entry.name: entry}
        waiting = [entry]
        while waiting:
            frame = waiting.pop()
            for i in frame.computation.instructions:
                if i.opcode in ("fusion", "call"):
                    inner = called(frame, i)
                    self.frames[inner.computation.name] = inner
                    waiting.append(inner)

    def of(self, variable):
        """Returns the value of a runtime variable of a document."""
        source = variable.get("source") or {}
        frame = self.frames.get(source.get("computation"))
        name = source.get("instruction")
        if frame is None or name not in frame.computation.by_name:
            raise NotEvaluated(str(source)[:80])
        i = frame.computation.by_name[name]
        path = i.leaves()[source.get("result", 0)][0]
        results = source.get("map", {}).get("results", [])
        if not all(re.fullmatch(r"-?\d+", x) for x in results):
            raise NotEvaluated(str(results))
        value = frame.element(name, path, tuple(int(x) for x in results))
        low, high = variable.get("lower"), variable.get("upper")
        if variable.get("clamped"):
            value = clamp(value, low if low is not None else value,
                          high if high is not None else value)
        return value


def holds(constraint, values):
    """Returns whether a constraint holds for values of names."""
    text = constraint["expression"].replace("floordiv", "//")
    text = re.sub(r"\bmod\b", "%", text)
    if not re.fullmatch(r"[\w\s+*/%()-]*", text):
        raise NotEvaluated(text)
    try:
        value = eval(text, {"__builtins__": {}}, dict(values))
    except NameError as e:
        raise NotEvaluated(str(e)) from e
    low, high = constraint.get("lower"), constraint.get("upper")
    return ((low is None or value >= low) and (high is None or value <= high))


def condition_of(simulator, place):
    """Returns the values of parameters for which the conditions hold."""
    conditions = place.get("conditions")
    found = set()
    for given in simulator.givens:
        key = tuple(given.items())
        if not conditions:
            found.add(key)
            continue
        values = Values(simulator, given)
        names = {v["name"]: values.of(v) for v in place.get("runtime", [])}
        if any(all(holds(c, names) for c in every) for every in conditions):
            found.add(key)
    return found


def admits(order, steps):
    """Returns whether an order of steps is one that the pairs admit."""
    for pair in order or []:
        for _, names in steps:
            if pair["first"] in names and pair["then"] in names:
                if names.index(pair["first"]) > names.index(pair["then"]):
                    return False
    return True


def place_of(simulator, said):
    """Returns the Place that the document's place names, or None."""
    operand, inner = said.get("operand", 0), said.get("operand_result", 0)
    module = simulator.module
    if said["kind"] == "alias":
        leaf = module.entry.root.leaves()[said["result"]][0]
        p = module.entry.parameters()[operand]
        return Place("alias", (), "", leaf, p.name, p.leaves()[inner][0], True)
    contexts = [(key, c.computation) for key, c in
                simulator.plain.contexts.items()
                if c.computation.name == said["computation"]]
    if len(contexts) != 1:
        return None
    key, computation = contexts[0]
    i = computation.by_name[said["instruction"]]
    if i.opcode in ("call", "conditional", "copy-start", "copy-done", "tuple",
                    "get-tuple-element", "bitcast", "parameter", "constant"):
        return None
    path = i.leaves()[said.get("result", 0)][0]
    name = i.operands[operand]
    operand_path = computation.by_name[name].leaves()[inner][0]
    kind = said["kind"]
    return Place(kind, key, i.name, path, name, operand_path,
                 kind == "share" or said.get("mark") in ("must", "may"))


def same_place(simulator, a, b):
    """Returns whether two places are of one result and one operand: an alias
    and the update that makes the result may be one answer."""
    def memory(p):
        name = p.name or simulator.module.entry.root.name
        return [simulator.plain.find(v) for v in (
            (p.context, name, p.path), (p.context, p.operand, p.operand_path))]
    return memory(a) == memory(b)


def check(question, document):
    """Returns what is found about a module and the document about it."""
    simulator = Simulator(question.text, {(n, ()): v for n, v in
                                          question.values.items()})
    found, together = Found(), []
    known = ([share_of(simulator, question.share)] if question.share
             else simulator.defaults())
    for said in document["places"]:
        place = place_of(simulator, said)
        if place is None:
            found.count("not compared")
            continue
        known = [k for k in known if not same_place(simulator, k, place)]
        together.append((place, said))
    for place, said in together:
        check_word(simulator, place, said, found, together)
    for place in known:
        found.add(f"no answer for {place}")
    if not question.share:
        check_together(simulator, together, found)
    if not simulator.is_complete:
        found.count("not all orders tried")
    return found


def share_of(simulator, text):
    m = re.match(r"(\w+)\{([\d,]*)\}=(\d+)\{([\d,]*)\}", text)
    return simulator.share(m[1], path_of(m[2]), int(m[3]), path_of(m[4]))


def check_word(simulator, place, said, found, together):
    word = said["answer"]
    found.words.append(word)
    alone = simulator.answer([place])
    answers = [alone]
    if place.kind != "share":
        group = simulator.group(place)
        answers.append(simulator.answer(group, place.kind, place.demanded))
        # A compiler copies at the others that must copy.
        copied = [p for p, s in together if s["answer"] == "must copy"
                  and not same_place(simulator, p, place)]
        kept = [p for p in group if not any(same_place(simulator, p, c)
                                            for c in copied)]
        if len(kept) < len(group):
            answers.append(simulator.answer(kept, place.kind, place.demanded))
    words = [a.word() for a in answers]
    found.tried.append(words[-1])
    label = f"{place.kind} {place.name or place.path}"
    if word == "undecided":
        found.count("undecided")
        if not said.get("reason"):
            found.add(f"{label}: undecided without a reason")
        return
    found.count("decided")
    if place.kind == "copy" and changes_layout(simulator, place):
        if word == "needless copy":
            found.add(f"{label}: a copy to another layout is not needless")
        return
    if place.kind == "copy":
        # With an order, a copy is needless, or stays for want of that order.
        if "safe if" in words:
            return
        # Of two copies one may go: the other one stays then.
        if word == "must copy" and word not in words:
            others = [p for p, s in together if s["answer"] in SAFE]
            words.append(simulator.answer([place] + others).word())
            # With the needless ones gone, it stays for want of an order.
            if words[-1] == "safe if":
                return
    if word in WRONG and WRONG & set(words) and is_either(simulator, place):
        return
    if (word == "safe if" and "safe in place" in words
            and not said.get("conditions")):
        # What the order changes is clamped, or overwritten.
        found.count("orders that are not needed")
        return
    if word not in words:
        kind = ("FALSE SAFE" if word in SAFE and not SAFE & set(words) else
                "false hazard" if word in WRONG and not WRONG & set(words)
                else "another word")
        found.add(f"{label}: {kind}: {word}, tried: {' or '.join(words)}")
    elif word == "safe if":
        check_condition(simulator, label, said, answers, found)


def is_either(simulator, place):
    """Returns whether it is open who demands the overwriting: `hazard` and
    `must copy` are both right."""
    if place.kind in ("share", "alias"):
        return False
    return place.kind not in ("update", "scatter", "carry") or any(
        p.demanded for p in simulator.group(place))


def changes_layout(simulator, place):
    leaf = simulator.plain.leaf((place.context, place.name, place.path))
    operand = simulator.plain.leaf((place.context, place.operand,
                                    place.operand_path))
    return leaf != operand


def check_condition(simulator, label, said, answers, found):
    try:
        values = condition_of(simulator, said)
    except NotEvaluated as e:
        found.count("conditions not evaluated")
        found.add(f"{label}: the condition is not evaluated: {e}")
        return
    found.count("conditions")
    wanted = [a for a in answers if a.word() == "safe if"]
    if all(a.safe_values() != values for a in wanted):
        found.add(f"{label}: its conditions hold for {sorted(values)}, tried: "
                  f"{sorted(wanted[-1].safe_values())}")
        return
    order = said.get("order")
    for answer in wanted:
        wrong = [o for v, right in answer.by_values().items() if v in values
                 for o in answer.orders() - right if admits(order, o)]
        lost = [o for v, right in answer.by_values().items() if v in values
                for o in right if not admits(order, o)]
        if not wrong:
            found.count("orders that are not needed" if lost else
                        "exact orders")
            return
    found.add(f"{label}: an order that is admitted is wrong: {wrong[0]}, "
              f"order {order}")


def check_together(simulator, together, found):
    """Checks that all that is called safe is right together."""
    safe = [(p, s) for p, s in together if s["answer"] in SAFE]
    if not safe:
        return
    answer = simulator.answer([p for p, _ in safe])
    try:
        held = [condition_of(simulator, said) for _, said in safe]
    except NotEvaluated:
        return
    values = set.intersection(*held)
    order = [pair for _, said in safe for pair in said.get("order") or []]
    for v, right in answer.by_values().items():
        wrong = [o for o in answer.orders() - right if admits(order, o)]
        if v in values and wrong:
            found.add("FALSE SAFE: these are not right together: " + ", ".join(
                f"{p.kind} {p.name or p.path}" for p, _ in safe) +
                f"; values {v}, order {wrong[0]}")
            return
