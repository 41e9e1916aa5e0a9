"""Kernels of Triton or in LLVM's IR, as what they read and write."""

from __future__ import annotations

import os

from indexical import _indexical
from indexical._keywords import documented


def _fusion(of):
    """What a kernel is compared with: the name of a fusion in a file, or the
    bytes of a module, whose entry is meant."""
    if hasattr(of, "as_text"):
        of = of.as_text()
    elif hasattr(of, "mlir_module_serialized"):
        of = bytes(of.mlir_module_serialized)
    if isinstance(of, str) and "\n" in of:
        return of.encode()
    return of if of is None or isinstance(of, bytes) else os.fspath(of)


def _place(at):
    """A block and a thread, each of up to three numbers, as a text."""
    if at is None or isinstance(at, str):
        return at
    return ":".join(str(part) if isinstance(part, int) else
                    ",".join(str(number) for number in part) for part in at)


def _bytes_of(source):
    """The bytes of a text, or of the file at a path."""
    if isinstance(source, os.PathLike):
        with open(source, "rb") as file:
            return file.read()
    return source.encode() if isinstance(source, str) else bytes(source)


class Kernel:
    """A kernel: what each of its accesses touches and moves.

    `text` is TTIR or TTGIR, as `compiled.asm["ttgir"]` of a kernel that Triton
    compiled, or LLVM's IR as text or bitcode, as `compiled.asm["llir"]`, or the
    source of a kernel in Python, as text or as the path of a file
    (`pathlib.Path("softmax.py")`). `function` names one of several kernels of
    LLVM's IR. For a source, `types` gives arguments
    their types, `constants` the values of `tl.constexpr`s, as numbers or as
    texts of Python, and `assume` bounds of arguments without a value:

        kernel = indexical.Kernel(
            pathlib.Path("softmax.py"), grid="R", types={"x": "*fp16"},
            constants={"B": 1024, "T": "tl.float16"}, args={"R": 8},
            assume=["C <= 1024"])

    `grid` is the number of programs, or up to three of them;
    `num_warps` the warps of a program where the text does not say, or `block`
    its threads. `args` gives integers and floats their values, `shapes` pointer
    arguments their arrays, as `{"x": "f32[98432]"}`, both by name or number:

        kernel = indexical.Kernel(text, grid=97, num_warps=4,
                                  args={"n": 98432})
        for access in kernel:
            print(access["line"], access["pattern"], access["wasted_bytes"])

    `accesses` are dictionaries with the keys of docs/keys.md, in the order
    of the text, each with its `access`: `load`, `store` or `atomic`. `document`
    is the whole answer. `in_bounds` and `written_once` are `proved`,
    `violated` or `undecided`, and so is `overwritten`, or None if no array is
    both loaded and stored; `shared_overwritten` is the same of shared memory.
    `aliases` (`[["x", "y"]]`) are lists of pointers
    that name one array, as of a kernel that works in place. `of` (`"module.hlo#fusion.9"`) compares the
    kernel with a fusion, by the `float_laws` of `equal`: `verdict` then is
    `same values`, `same elements`, `same tiles`, `different` or `undecided`,
    and `answer`, about tiles alone, `equal`, `more`, `less`, `different` or
    `undecided`. `of` may also be the text of a module, or what JAX lowers to,
    as `jax.jit(f).lower(x)`: its entry is what the kernel has to compute.
    `at` (`((3, 0, 0), (17, 0, 0))`, a block and a thread) fills
    `thread_accesses` with what that thread accesses, in order, and `runtime`
    gives integers that are loaded values (`{"loaded0": "t0 * 2"}`) or bounds
    (`{"loaded0": "0..63"}`).
    `equals` compares it with another one. `report` and `draw` take a kernel,
    with its launch. An `indexical.Error` says what is wrong with the text.
    """

    def __init__(self, text, *, grid=None, num_warps=None, block=None,
                 function=None, args=None, shapes=None, of=None, tiles=None,
                 device=None, budget=None, float_laws=None, aliases=None,
                 types=None, constants=None, assume=None, at=None,
                 runtime=None):
        launch = dict(grid=grid, num_warps=num_warps, block=block, arg=args,
                      shape=shapes, types=types, constants=constants,
                      assume=assume)
        data = _bytes_of(text)
        found = _indexical.kernels(data, dict(
            launch, function=function, of=_fusion(of), tiles=tiles,
            device=device, budget=budget, float_laws=float_laws,
            aliases=aliases, at=_place(at), runtime=runtime))
        if len(found) != 1:
            raise ValueError("the text holds %d kernels; `function` names one, "
                             "and kernels() reads all" % len(found))
        self._take(found[0], data, dict(launch, function=function))

    def equals(self, fusion, *, float_laws=None, budget=None):
        """Whether the kernel computes what the fusion says, named as by `of`:
        True where the values are the same, False where they are different, and
        None where that is not decided."""
        launch = {{"arg": "args", "shape": "shapes"}.get(key, key): value
                  for key, value in self._launch.items()}
        found = Kernel(self._text, of=fusion, float_laws=float_laws,
                       budget=budget, **launch)
        return {"same values": True, "different": False}.get(found.verdict)

    def _take(self, document, text, launch):
        self.document = document
        # The arguments of report() and draw().
        if document["form"] == "llvm":  # Its text may hold others.
            launch = dict(launch, function=document["function"])
        self._text, self._launch = text, launch
        self._where = {"computation": "launch.%d" % document["launch"]} \
            if "launch" in document else {
                key: document[key] for key in ("computation", "instruction")
                if key in document}
        kinds = (("load", "reads"), ("store", "writes"), ("atomic", "atomics"))
        self.accesses = sorted(
            (dict(each, access=kind) for kind, key in kinds
             for each in document[key]),
            key=lambda each: (each.get("line", 0), each.get("column", 0)))

    @property
    def function(self):
        return self.document["function"]

    @property
    def in_bounds(self):
        return self.document["in_bounds"]["answer"]

    @property
    def written_once(self):
        return self.document["written_once"]["answer"]

    @property
    def overwritten(self):
        return self.document.get("overwritten", {}).get("answer")

    @property
    def shared_overwritten(self):
        return self.document.get("shared_overwritten", {}).get("answer")

    @property
    def thread_accesses(self):
        return self.document.get("thread_accesses")

    @property
    def verdict(self):
        return self.document["of"]["verdict"] if "of" in self.document else None

    @property
    def answer(self):
        return self.document["of"]["answer"] if "of" in self.document else None

    def __iter__(self):
        return iter(self.accesses)

    def __len__(self):
        return len(self.accesses)

    def __getitem__(self, number):
        return self.accesses[number]

    def __repr__(self):
        return "<Kernel %s, %d accesses>" % (self.function, len(self))


class Judgement:
    """What judge() says of a kernel: `verdict` is `same`, `same_where`,
    `different` or `undecided`.

    `same` is proved for all numbers in the arrays. Of `different`, `witness` is
    a dictionary with the keys of docs/keys.md: an element of an array, what
    both kernels leave there, and the numbers that the arrays hold before.
    `inputs(name, size)` has those of one array, to run both kernels on:

        found = indexical.judge(new, old, grid=4, args={"n": 1000})
        if found.verdict == "different":
            x = numpy.array(found.inputs("x", 1000), numpy.float32)

    Sizes without a value are all sizes: `where` is then the condition under
    which both are proved to be the same, if one is known, as `n mod 128 = 0`,
    and `document["sizes"]` says more.

    `reason` says why a verdict is undecided, and `laws` names laws of floats on
    which it rests, or with which it would be `same`. `kernel` is all that is
    said of the new kernel, `document` all of the comparison.
    """

    def __init__(self, kernel):
        self.kernel = kernel
        self.document = kernel.document["judge"]

    @property
    def verdict(self):
        return self.document["verdict"]

    @property
    def witness(self):
        return self.document.get("witness")

    @property
    def reason(self):
        return self.document.get("reason")

    @property
    def where(self):
        return self.document["sizes"].get("where")

    @property
    def laws(self):
        return self.document.get("laws", [])

    def inputs(self, name, size):
        """The numbers of an array, or of a scalar with size None, with which
        the two differ; 0 where any will do."""
        witness = self.witness
        if witness is None:
            raise ValueError("the verdict is %s, without numbers" %
                             self.verdict)
        given = {each.get("element"): float(each["value"])
                 for each in witness.get("inputs", [])
                 if each.get("argument") == name}
        other = float(witness.get("others", 0))
        if size is None:
            return given.get(None, other)
        return [given.get(k, other) for k in range(size)]

    def __bool__(self):
        return self.verdict == "same"

    def __repr__(self):
        return "<Judgement %s>" % self.verdict


def _grid(grid, name):
    """Numbers of programs, or sizes with names as `cdiv(n, B)`."""
    if isinstance(grid, str) and any(c.isalpha() for c in grid):
        return {name + "_sizes": grid}
    return {name: grid}


@documented
def judge(new, old, *, grid=None, of_grid=None, num_warps=None, function=None,
          types=None, constants=None, of_constants=None, args=None,
          of_args=None, shapes=None, pairs=None, outputs=None, zeros=None,
          aliases=None, assume=None, device=None, budget=None, float_laws=None):
    """Whether a kernel leaves in memory what another one leaves there.

    `new` is a text in Python, TTIR or TTGIR; `old` is such a text, or the path
    of a file (`old.py#add`). Grids are numbers, or texts as `cdiv(n, B), H`.
    `types` are those of arguments in Python (`{"x": "*fp16"}`), `constants`
    those of `tl.constexpr`. What is given holds of both kernels, but for
    `of_grid`, `of_constants` and `of_args`. Sizes without a value are all
    sizes that `assume` leaves (`C <= 1024`). `pairs` names the arguments of
    `old` that those of `new` stand for, and `outputs` the arrays that count;
    those of `zeros` hold 0 before the launch, as those that atomic operations
    add to.
    """
    data = new.encode() if isinstance(new, str) else bytes(new)
    launch = dict(num_warps=num_warps, grid=grid, arg=args, shape=shapes,
                  types=types, constants=constants, assume=assume)
    found = _indexical.kernels(data, dict(
        launch, function=function, of=_fusion(old), of_constants=of_constants,
        of_arg=of_args, pairs=pairs, outputs=outputs, zeros=zeros,
        aliases=aliases, device=device, budget=budget, float_laws=float_laws,
        **_grid(of_grid, "of_grid")))
    if len(found) != 1:
        raise ValueError("the text holds %d kernels; `function` names one"
                         % len(found))
    if "judge" not in found[0]:
        raise ValueError("`old` holds no kernel; Kernel(of=…) compares with a "
                         "fusion")
    kernel = Kernel.__new__(Kernel)
    kernel._take(found[0], data, launch)
    return Judgement(kernel)


@documented
def kernels(source, *, num_warps=None, device=None, budget=None, jobs=None,
            grid=None, block=None, args=None, shapes=None, types=None,
            constants=None, assume=None, at=None, runtime=None):
    """All kernels that a text, or the file at a path, holds: those that a record
    of tritonparse launched, those of a module's custom calls, those of a source
    in Python, each once a configuration, those in LLVM's IR, or the launches of
    a file that Inductor wrote."""
    data = _bytes_of(source)
    launch = dict(num_warps=num_warps, grid=grid, block=block, arg=args,
                  shape=shapes, types=types, constants=constants, assume=assume)
    found = []
    for document in _indexical.kernels(data, dict(
            launch, device=device, budget=budget, jobs=jobs, at=_place(at),
            runtime=runtime)):
        kernel = Kernel.__new__(Kernel)
        kernel._take(document, data, launch)
        found.append(kernel)
    return found
