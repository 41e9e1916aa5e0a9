"""Random texts of a host: lists of configurations, and launches."""

import random

HEAD = "import triton\nimport triton.language as tl\nimport torch\n"
KERNEL = """@triton.jit
def k(x, n, m, B: tl.constexpr = 16, C: tl.constexpr = 16, E: tl.constexpr = 16):
    o = tl.program_id(0) * 16 + tl.arange(0, 16)
    tl.store(x + o, 1.0)
"""
TUNED = "@triton.autotune(configs=L, key=[])\n" + KERNEL


class Writer:
    """A random text: names of numbers, lists of numbers, and of Configs."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers, self.lists, self.configs = ["n0"], ["l0"], ["L"]
        self.functions = []
        self.fresh = 0

    def new(self, letter):
        self.fresh += 1
        return letter + str(self.fresh)

    def number(self, depth=2):
        pick = self.random.choice
        kind = pick(["name", "name", "literal", "sum", "choice", "item", "call"])
        if depth == 0 or kind == "literal":
            return str(pick([1, 2, 3, 8, 16]))
        if kind == "name":
            return pick(self.numbers)
        if kind == "sum":
            return "(%s %s %s)" % (self.number(depth - 1),
                                   pick(["+", "*", "-", "//", "%"]),
                                   pick(["2", "3", self.number(0)]))
        if kind == "choice":
            return "(%s if %s else %s)" % (self.number(depth - 1),
                                           self.test(), self.number(depth - 1))
        if kind == "item":
            return "%s[%s]" % (pick(self.lists), pick(["0", "-1"]))
        return pick(["len(%s)", "max(%s)", "sum(%s)"]) % pick(self.lists)

    def test(self):
        if self.random.random() < 0.1:
            return "torch.has_it()"
        return "%s %s %s" % (self.number(1),
                             self.random.choice(["<", "==", ">=", "!="]),
                             self.number(1))

    def items(self):
        pick = self.random.choice
        return pick([
            pick(self.lists), "[%s, %s]" % (self.number(1), self.number(1)),
            "range(1, 4)", "%s[:2]" % pick(self.lists),
            "list(reversed(%s))" % pick(self.lists),
            "sorted(%s)" % pick(self.lists),
            "[q + %s for q in %s if q < 9]" % (self.number(0),
                                               pick(self.lists))])

    def config(self):
        pick = self.random.choice
        keys = pick([["B"], ["C", "B"], ["B", "E"]])
        dictionary = "{%s}" % ", ".join(
            "'%s': %s" % (key, self.number(1)) for key in keys)
        warps = "(1, 2, 4, 8)[%s %% 4]" % self.number(1)
        return pick(["triton.Config(%s, num_warps=%s)", "triton.Config(%s, %s)",
                     "triton.Config(%s, **{'num_warps': %s})"]) % (dictionary,
                                                                  warps)

    def statement(self, indent, depth, isWithin):
        pick, pad = self.random.choice, "    " * indent
        kinds = ["number", "again", "alias", "append", "append", "grow",
                 "change", "config", "config", "config", "kept", "extend"]
        if depth:
            kinds += ["for", "for", "if", "if", "try", "while", "function"]
        kind = pick(kinds)
        if kind == "number":
            name, value = self.new("n"), self.number()
            self.numbers.append(name)
            return ["%s%s = %s" % (pad, name, value)]
        if kind == "again" and not isWithin:
            return ["%s%s %s %s" % (pad, pick(self.numbers),
                                    pick(["=", "+=", "*="]), self.number(1))]
        if kind == "alias":
            name, value = self.new("l"), pick(
                [pick(self.lists), "list(%s)" % self.items(), "[7]",
                 "{'a': %s}['a']" % pick(self.lists)])
            self.lists.append(name)
            return ["%s%s = %s" % (pad, name, value)]
        if kind == "append":
            return ["%s%s.append(%s)" % (pad, pick(self.lists), self.number(1))]
        if kind == "grow":
            return ["%s%s.extend(%s)" % (pad, pick(self.lists),
                                         "list(%s)" % self.items())]
        if kind == "change":
            return ["%s%s[0] = %s" % (pad, pick(self.lists), self.number(1))]
        if kind == "config":
            return ["%sL.append(%s)" % (pad, self.config())]
        if kind == "kept":
            name = self.new("c")
            return ["%s%s = %s" % (pad, name, self.config()),
                    "%sL.append(%s)" % (pad, name),
                    pick(["%s%s.num_warps = 2", "%s%s.kwargs['C'] = 5"]) %
                    (pad, name)]
        if kind == "extend":
            return ["%sL.extend([triton.Config({'B': q}) for q in %s][:3])" %
                    (pad, self.items())]
        names = [list(each) for each in (self.numbers, self.lists)]
        lines = []
        if kind == "for":
            counter = self.new("i")
            lines = ["%sfor %s in list(%s)[:3]:" % (pad, counter, self.items())]
            self.numbers.append(counter)
            lines += self.block(indent + 1, depth - 1, isWithin)
        elif kind == "if":
            lines = ["%sif %s:" % (pad, self.test())]
            lines += self.block(indent + 1, depth - 1, isWithin)
            self.numbers, self.lists = (list(each) for each in names)
            if self.random.random() < 0.5:
                lines += ["%selse:" % pad]
                lines += self.block(indent + 1, depth - 1, isWithin)
        elif kind == "try":
            lines = ["%stry:" % pad]
            lines += self.block(indent + 1, depth - 1, isWithin)
            if self.random.random() < 0.5:
                lines += ["%s    %s // (%s - %s)" %
                          (pad, self.number(0), self.numbers[0],
                           pick(self.numbers))]
                lines += self.block(indent + 1, depth - 1, isWithin)
            self.numbers, self.lists = (list(each) for each in names)
            lines += ["%sexcept ZeroDivisionError:" % pad, "%s    pass" % pad]
        elif kind == "while":
            name = self.new("n")
            lines = ["%s%s = 0" % (pad, name),
                     "%swhile %s < %s:" % (pad, name, pick(["1", "2", "n0"])),
                     "%s    %s += 1" % (pad, name),
                     "%s    if %s > 3: break" % (pad, name)]
            lines += self.block(indent + 1, depth - 1, isWithin)
        elif kind == "function":
            name, given = self.new("f"), self.new("p")
            start = "%sdef %s(%s, d=%s):" % (pad, name, given, pick(self.lists))
            self.numbers.append(given)
            self.lists.append("d")
            lines = [start] + self.block(indent + 1, depth - 1, True)
            lines += ["%s    return %s" % (pad, self.number(1))]
            self.numbers, self.lists = (list(each) for each in names)
            result = self.new("n")
            lines += ["%s%s = %s(%s)" % (pad, result, name, self.number(1))]
            self.numbers.append(result)
            return lines
        self.numbers, self.lists = names
        return lines or [pad + "pass"]

    def block(self, indent, depth, isWithin):
        return [line for _ in range(self.random.randint(1, 3))
                for line in self.statement(indent, depth, isWithin)]

    def launched(self):
        """A text with a function that launches the kernel."""
        pick = self.random.choice
        self.numbers, self.lists = ["n0", "n", "m", "q"], ["l0"]
        lines = ["n0 = %d" % self.random.randint(1, 4), "l0 = [1, 2]"]
        body = []
        for _ in range(self.random.randint(1, 4)):
            kind = pick(["local", "again", "if", "for", "append", "try"])
            value = self.number(1)
            if kind == "local":
                name = self.new("v")
                self.numbers.append(name)
                body.append("%s = %s" % (name, value))
            elif kind == "again":
                body.append("%s = %s" % (pick(self.numbers[3:]), value))
            elif kind == "if":
                body += ["if %s:" % self.test(),
                         "    %s = %s" % (pick(self.numbers[3:]), value)]
            elif kind == "for":
                body += ["for i in (1, 2):",
                         "    %s = %s + i" % (pick(self.numbers[3:]), value)]
            elif kind == "append":
                body.append("l0.append(%s)" % value)
            else:
                body += ["try:", "    %s = %s" % (pick(self.numbers[3:]), value),
                         "    1 // (n0 - 2)", "except ZeroDivisionError:",
                         "    pass"]
        if "n0" in "".join(body).replace(" = n0", ""):
            body = [line.replace("n0 = ", "l9 = ") for line in body]
        given = ["x", "n", "m"]
        if self.random.random() < 0.7:
            given.append("B=%s" % self.number(1))
        if self.random.random() < 0.4:
            given.append(pick(["**{'C': %s}", "C=%s", "**dict(C=%s)"]) %
                         self.number(1))
        if self.random.random() < 0.5:
            given.append(pick(["num_warps=%s", "**{'num_warps': %s}"]) %
                         ("(1, 2, 4, 8)[%s %% 4]" % self.number(1)))
        side = pick(["triton.cdiv(n, %s)", "max(1, %s)", "abs(%s) + 1",
                     "triton.cdiv(m, 8) + abs(%s)"]) % self.number(0)
        grid = pick(["(%s,)", "lambda meta: (%s, 2)",
                     "lambda meta: (abs(meta['m']) + 1, %s)"]) % side
        launch = ["grid = " + grid] * (self.random.random() < 0.6)
        late = ["%s = %s" % (pick(self.numbers[3:]), self.number(1))
                ] * (self.random.random() < 0.3)
        form = pick(["k[%s](%s)"] * 5 + ["k.run(%s)", "[k][0][%s](%s)"])
        sides = "grid" if launch else grid
        launch += late + [
            form % (", ".join(given + ["grid=" + sides]),)
            if "run" in form else form % (sides, ", ".join(given))]
        place = self.random.random()
        if place < 0.2:
            body += ["if %s:" % self.test()] + ["    " + line for line in
                                                launch] + ["else:"] + [
                                                    "    " + line
                                                    for line in launch]
        elif place < 0.3:
            body += ["for q in (1, 2):"] + ["    " + line for line in launch]
        elif place < 0.4:
            body += ["def inner():"] + ["    " + line for line in launch
                                        if line not in late] + ["inner()"]
        else:
            body += launch
        lines += [KERNEL + "def run(x, n, m, q):"]
        lines += ["    " + line for line in body]
        if self.random.random() < 0.3:
            lines.append("n0 = %s" % pick(["3", "n0 + 1", "len(l0)"]))
        return "\n".join(lines) + "\n"

    def text(self):
        lines = ["n0 = %d" % self.random.randint(1, 4), "l0 = [1, 2]",
                 "L = [triton.Config({'B': 1})]"]
        for _ in range(self.random.randint(2, 6)):
            lines += self.statement(0, 2, False)
        lines += ["L = L[:20]"]
        text = "\n".join(lines) + "\n" + TUNED
        if self.random.random() < 0.3:
            text += "L.append(%s)\n" % self.config()
        if self.random.random() < 0.4:
            text = text.replace("@triton.jit", "@triton.heuristics({'E': lambda "
                                "a: a['B'] + a['n'] %% %s})\n@triton.jit" %
                                self.number(0))
        return text
