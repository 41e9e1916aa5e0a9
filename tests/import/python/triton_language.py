"""Runs a kernel in Triton's language, as its text means, program by program.

    run(text, "k", (2, 1, 1), {"x": ("*f32", [...]), "n": ("i32", 5), "B": 8})
      Memory.touched   [(line, "load", program, argument, element), ...]

The text is read with `ast`; types follow the rules of Triton's front end. It
shares no code with the library, and reads only what random kernels hold.
"""

import ast

from scalars import fit, is_float
from triton_functions import Functions
from triton_types import Outside, Tensor, Types, wider

NAMES = {"int1": "i1", "int8": "i8", "int16": "i16", "int32": "i32",
         "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
         "uint64": "u64", "float16": "f16", "bfloat16": "bf16",
         "float32": "f32", "float64": "f64"}


class Run(Types, Functions):
    def __init__(self, function, grid, program, arguments, memory, touched):
        self.function, self.grid, self.program = function, grid, program
        self.memory, self.touched = memory, touched
        self.names, self.line = {}, function.lineno
        for argument in function.args.args:
            kind_or_value = arguments[argument.arg]
            if isinstance(kind_or_value, tuple):
                kind, value = kind_or_value
                data = [(argument.arg, 0)] if kind[0] == "*" else [value]
                self.names[argument.arg] = Tensor(kind, (), data)
            else:
                self.names[argument.arg] = kind_or_value

    # Expressions

    def value(self, node):
        before = self.line
        self.line = node.lineno
        made = self.value_of(node)
        self.line = before
        return made

    def value_of(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id not in self.names:
                self.refuse("name")
            return self.names[node.id]
        if isinstance(node, ast.BinOp):
            a, b = self.value(node.left), self.value(node.right)
            return self.binary(SIGNS[type(node.op)], a, b)
        if isinstance(node, ast.BoolOp):
            a = self.value(node.values[0])
            sign = "and" if isinstance(node.op, ast.And) else "or"
            if not isinstance(a, Tensor) and bool(a) != (sign == "and"):
                return a
            return self.binary(sign, a, self.value(node.values[1]))
        if isinstance(node, ast.Compare):
            a, b = self.value(node.left), self.value(node.comparators[0])
            return self.compared(SIGNS[type(node.ops[0])], a, b)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.Subscript):
            return self.indexed(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Attribute):
            return NAMES[node.attr]
        if isinstance(node, ast.List):
            return [self.value(item) for item in node.elts]
        raise NotImplementedError(ast.dump(node))

    def unary(self, node):
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub):
            if not isinstance(value, Tensor):
                return -value
            if value.kind[0] == "*":
                self.refuse("type")
            if is_float(value.kind):
                return value.map(value.kind, lambda x: -x)
            return value.map(value.kind, lambda x: fit(value.kind, -x))
        if isinstance(node.op, ast.Not):
            if not isinstance(value, Tensor):
                return not value
            if value.kind != "i1":
                self.refuse("type")
            return value.map("i1", lambda x: 1 - x)
        if not isinstance(value, Tensor):
            return ~value
        if is_float(value.kind) or value.kind[0] == "*":
            self.refuse("type")
        return value.map(value.kind, lambda x: fit(value.kind, ~x))

    def indexed(self, node):
        value = self.value(node.value)
        shape, sides = [], list(value.shape)
        for index in node.slice.elts:
            if isinstance(index, ast.Constant):
                shape.append(1)
            else:
                if not sides:
                    self.refuse("shape")
                shape.append(sides.pop(0))
        return Tensor(value.kind, shape + sides, value.data)

    def call(self, node):
        args = [self.value(arg) for arg in node.args]
        named = {k.arg: self.value(k.value) for k in node.keywords}
        if isinstance(node.func, ast.Name):  # float("inf")
            return float(args[0])
        name = node.func.attr
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "tl":
            return getattr(self, "tl_" + name)(*args, **named)
        return getattr(self, "tl_" + name)(self.value(node.func.value), *args,
                                           **named)

    # Statements

    def decayed(self, value):
        return self.tensor(value) if isinstance(value, (bool, int, float)) else (
            value)

    def block(self, statements):
        for statement in statements:
            self.line = statement.lineno
            self.statement(statement)

    def statement(self, node):
        if isinstance(node, ast.Assign):
            self.names[node.targets[0].id] = self.decayed(self.value(node.value))
        elif isinstance(node, ast.AnnAssign):
            self.names[node.target.id] = self.value(node.value)
        elif isinstance(node, ast.AugAssign):
            before = self.names[node.target.id]
            self.names[node.target.id] = self.decayed(self.binary(
                SIGNS[type(node.op)], before, self.value(node.value)))
        elif isinstance(node, ast.Expr):
            self.value(node.value)
        elif isinstance(node, ast.If):
            self.branch(node)
        elif isinstance(node, ast.For):
            self.loop(node)
        else:
            raise NotImplementedError(ast.dump(node))

    def branch(self, node):
        test = self.value(node.test)
        if not isinstance(test, Tensor):
            self.block(node.body if test else node.orelse)
            return
        if test.shape:
            self.refuse("type")
        # Types of both branches have to agree: both run, one on a copy.
        taken = bool(test.data[0])
        before, memory, touched = self.names, self.memory, self.touched
        ends = []
        for body, is_taken in ((node.body, taken), (node.orelse, not taken)):
            self.names = dict(before)
            if not is_taken:
                self.memory = {k: list(v) for k, v in memory.items()}
                self.touched = set()
            self.block_quietly(body, is_taken)
            ends.append(self.names)
            self.memory, self.touched = memory, touched
        self.line = node.lineno
        after = {}
        for name in ends[0]:
            if name not in ends[1]:
                continue
            a, b = ends[0][name], ends[1][name]
            if a is not b:
                a, b = self.decayed(a), self.decayed(b)
                if isinstance(a, Tensor) and (
                        a.kind != b.kind or a.shape != b.shape):
                    self.refuse("type")
            after[name] = a if taken else b
        self.names = after

    def block_quietly(self, body, is_taken):
        try:
            self.block(body)
        except Outside:
            if is_taken:
                raise

    def loop(self, node):
        bounds = [self.value(arg) for arg in node.iter.args]
        if len(bounds) == 1:
            bounds.insert(0, 0)
        if len(bounds) == 2:
            bounds.append(1)
        if node.iter.func.__class__ is ast.Attribute:  # tl.static_range
            for k in range(*bounds):
                self.names[node.target.id] = k
                self.block(node.body)
            return
        kind = "i32"
        numbers = []
        for bound in bounds:
            held = self.tensor(bound)
            if held.shape or is_float(held.kind):
                self.refuse("type")
            kind = wider(kind, held.kind)
            numbers.append(held.data[0])
        before = dict(self.names)
        for name, value in before.items():
            if name in assigned(node.body):
                before[name] = self.decayed(value)
        self.names = dict(before)
        for k in list(range(*numbers)) or [None]:
            empty = k is None
            memory, touched = self.memory, self.touched
            if empty:  # types are looked at all the same
                self.memory = {n: list(v) for n, v in memory.items()}
                self.touched, k = set(), 0
            self.names[node.target.id] = Tensor(kind, (), [k])
            self.block_quietly(node.body, not empty)
            self.line = node.lineno
            for name, value in before.items():
                after = self.decayed(self.names[name])
                if isinstance(after, Tensor) and isinstance(value, Tensor) and (
                        after.kind != value.kind or after.shape != value.shape):
                    self.refuse("type")
                self.names[name] = after if isinstance(value, Tensor) else (
                    self.names[name])
            if empty:
                self.memory, self.touched = memory, touched
                self.names = dict(before)
        self.names = {name: self.names[name] for name in before
                      if name != node.target.id}


def assigned(body):
    return {node.id for statement in body for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
         ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|",
         ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**",
         ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
         ast.Eq: "==", ast.NotEq: "!="}


def run(text, name, grid, arguments, memory):
    """Runs all programs; returns what they touched. Arrays are changed."""
    tree = ast.parse(text)
    function = next(node for node in tree.body
                    if isinstance(node, ast.FunctionDef) and node.name == name)
    touched = set()
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                Run(function, grid, (x, y, z), arguments, memory,
                    touched).block(function.body)
    return touched
