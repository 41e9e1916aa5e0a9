"""The functions of `tl` that random kernels call.

`self` has the operators of triton_types.py, `memory`, `touched` and `program`.
"""

from scalars import BITS, bits_of, fit, from_bits, is_float, is_signed
from triton_types import (Outside, Tensor, folded, indices_of, size_of,
                          strides_of)


class Functions:
    def tl_program_id(self, axis):
        return Tensor("i32", (), [self.program[axis]])

    def tl_num_programs(self, axis):
        return Tensor("i32", (), [self.grid[axis]])

    def tl_arange(self, start, end):
        if isinstance(start, Tensor) or isinstance(end, Tensor):
            self.refuse("triton")
        size = end - start
        if size <= 0 or size & (size - 1):
            self.refuse("triton")
        return Tensor("i32", (size,), list(range(start, end)))

    def tl_full(self, shape, value, dtype):
        number = fit("f32", value) if dtype in ("f16", "bf16") else value
        return Tensor(dtype, tuple(shape), [fit(dtype, number)] * size_of(shape))

    def tl_zeros(self, shape, dtype):
        return self.tl_full(shape, 0, dtype)

    def tl_to(self, value, dtype, bitcast=False):
        value = self.tensor(value)
        if not bitcast:
            return self.cast(value, dtype)
        if BITS[value.kind] != BITS[dtype]:
            self.refuse("type")
        return value.map(dtype,
                         lambda x: from_bits(dtype, bits_of(value.kind, x)))

    def tl_where(self, condition, a, b):
        return self.chosen(condition, a, b)

    def tl_minimum(self, a, b):
        return self.extreme("min", a, b)

    def tl_maximum(self, a, b):
        return self.extreme("max", a, b)

    def tl_abs(self, value):
        value = self.tensor(value)
        return value.map(value.kind, lambda x: fit(value.kind, abs(x)))

    def tl_cdiv(self, a, b):
        made = self.binary("//", self.binary("-", self.binary("+", a, b), 1), b)
        return self.tensor(made)

    def lanes(self, value, axis):
        """The rows along an axis, and the shape without it."""
        shape = value.shape
        if not shape:
            self.refuse("shape")
        if axis is None:
            return [list(value.data)], ()
        rest = shape[:axis] + shape[axis + 1:]
        strides = strides_of(shape)
        outer = [s for k, s in enumerate(strides) if k != axis]
        rows = []
        for index in indices_of(rest):
            at = sum(s * k for s, k in zip(outer, index))
            rows.append([value.data[at + strides[axis] * k]
                         for k in range(shape[axis])])
        return rows, rest

    def summed(self, value):
        value = self.tensor(value)
        if not is_float(value.kind) and BITS[value.kind] < 32:
            return self.cast(value, "i32" if is_signed(value.kind) else "u32")
        return value

    def tl_sum(self, value, axis=None):
        value = self.summed(value)
        rows, shape = self.lanes(value, axis)
        made = []
        for row in rows:
            total = row[0]
            for x in row[1:]:
                total = fit(value.kind, total + x)
            made.append(total)
        return Tensor(value.kind, shape, made)

    def widest(self, value):
        value = self.tensor(value)
        if BITS[value.kind] < 32:
            value = self.cast(value, "f32" if is_float(value.kind) else "i32")
        return value

    def tl_max(self, value, axis=None):
        value = self.widest(value)
        rows, shape = self.lanes(value, axis)
        return Tensor(value.kind, shape, [folded("max", row) for row in rows])

    def tl_min(self, value, axis=None):
        value = self.widest(value)
        rows, shape = self.lanes(value, axis)
        return Tensor(value.kind, shape, [folded("min", row) for row in rows])

    def tl_argmax(self, value, axis):
        value = self.tensor(value)
        rows, shape = self.lanes(value, axis)
        made = []
        for row in rows:
            best = 0
            for k, x in enumerate(row):
                if x > row[best]:
                    best = k
            made.append(best)
        return Tensor("i32", shape, made)

    def tl_cumsum(self, value, axis=0):
        value = self.tensor(value)
        value = self.cast(value, "f32") if value.kind == "bf16" else (
            self.summed(value))
        if len(value.shape) != 1:
            self.refuse("shape")
        total, made = None, []
        for x in value.data:
            total = x if total is None else fit(value.kind, total + x)
            made.append(total)
        return Tensor(value.kind, value.shape, made)

    # Memory

    def masked(self, pointer, mask):
        mask = self.tensor(True if mask is None else mask)
        if mask.kind != "i1":
            self.refuse("type")
        return mask

    def tl_load(self, pointer, mask=None, other=None):
        if not isinstance(pointer, Tensor) or pointer.kind[0] != "*":
            self.refuse("type")
        if mask is None and other is not None:
            self.refuse("type")
        kind = pointer.kind[1:]
        held = self.masked(pointer, mask)
        if other is not None:
            other = self.cast(self.tensor(other), kind)
        if not pointer.shape and (held.shape or (other is not None
                                                 and other.shape)):
            self.refuse("shape")
        pointer, held = self.joined(pointer, held)
        if other is not None:
            pointer, other = self.joined(pointer, other)
            pointer, held = self.joined(pointer, held)
        data = []
        for k, ((name, at), on) in enumerate(zip(pointer.data, held.data)):
            if on:
                data.append(self.at("load", name, at))
            else:
                data.append(self.masked_lane(kind, k) if other is None
                            else other.data[k])
        return Tensor(kind, pointer.shape, data)

    def masked_lane(self, kind, lane):
        """What a lane holds that a mask leaves out, without `other`."""
        return fit(kind, 77)

    def at(self, access, name, element):
        self.touched.add((self.line, access, self.program, name, element))
        array = self.memory[name]
        if not 0 <= element < len(array):
            raise Outside(self.line, access, name, element)
        return array[element]

    def tl_store(self, pointer, value, mask=None):
        if not isinstance(pointer, Tensor) or pointer.kind[0] != "*":
            self.refuse("type")
        value, held = self.tensor(value), self.masked(pointer, mask)
        if value.kind[0] == "*":
            self.refuse("type")
        if not pointer.shape and (value.shape or held.shape):
            self.refuse("shape")
        for _ in range(2):
            pointer, value = self.joined(pointer, value)
            pointer, held = self.joined(pointer, held)
        value = self.cast(value, pointer.kind[1:])
        for (name, at), x, on in zip(pointer.data, value.data, held.data):
            if on:
                self.at("store", name, at)
                self.memory[name][at] = x

    def tl_atomic_add(self, pointer, value, mask=None):
        """Adds, one element after the other; what was there is not returned."""
        if not isinstance(pointer, Tensor) or pointer.kind[0] != "*":
            self.refuse("type")
        value, held = self.tensor(value), self.masked(pointer, mask)
        for _ in range(2):
            pointer, value = self.joined(pointer, value)
            pointer, held = self.joined(pointer, held)
        kind = pointer.kind[1:]
        value = self.cast(value, kind)
        for (name, at), x, on in zip(pointer.data, value.data, held.data):
            if on:
                before = self.at("atomic", name, at)
                list.__setitem__(self.memory[name], at, fit(kind, before + x))
