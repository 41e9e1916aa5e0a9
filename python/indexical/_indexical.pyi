"""The classes of the extension module, with what each function promises."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, overload

import numpy
from numpy.typing import NDArray

__version__: str

class Bounds:
    """A variable, or an expression, and its bounds; both are in it, and an
    open side is None."""

    @property
    def name(self) -> str: ...
    @property
    def lower(self) -> int | None: ...
    @property
    def upper(self) -> int | None: ...
    def __eq__(self, other: object) -> bool: ...

class Counts:
    """Numbers of points, of different elements, and of different (index,
    element) pairs; what was not found is None, and so is a relation's
    domain."""

    @property
    def domain(self) -> int | None: ...
    @property
    def image(self) -> int | None: ...
    @property
    def pairs(self) -> int | None: ...
    @property
    def engine(self) -> Literal["closed form", "sizes", "enumeration", "isl"]: ...

class Witness:
    """Why an answer is no: a pair of an index and an element."""

    @property
    def index(self) -> tuple[int, ...]: ...
    @property
    def element(self) -> tuple[int, ...]: ...
    @property
    def other_index(self) -> tuple[int, ...]:
        """Of `is_injective`: another index that reads the element."""
    @property
    def runtime(self) -> dict[str, int]: ...
    @property
    def only_in(self) -> Literal["first", "second"]: ...

class Decision:
    """yes, no or undecided. As a condition: whether it is yes; an undecided
    one raises `Unanswered`."""

    @property
    def answer(self) -> Literal["yes", "no", "undecided"]: ...
    @property
    def engine(self) -> Literal["closed form", "sizes", "enumeration", "isl"]: ...
    @property
    def reason(self) -> str: ...
    @property
    def witness(self) -> Witness | None: ...
    def __bool__(self) -> bool: ...

class SizeAnswer:
    """Whether a relation of sizes is proven, and the proof. As a condition:
    whether it is."""

    @property
    def follows(self) -> bool: ...
    @property
    def certificate(self) -> list[str]:
        """A line for each step of the proof; empty if there is none."""
    def __bool__(self) -> bool: ...

def follows(givens: Sequence[str], claim: str) -> SizeAnswer:
    """Whether the claim, `x floordiv b <= a - 1`, is proven wherever the
    givens hold. A relation is `<`, `<=`, `==`, `>=` or `>` between two
    expressions of maps, or `x in [1, inf]`."""

class Elements:
    """The elements that one index reads: sorted, each once; None where values
    that are not known decide."""

    @property
    def listed(self) -> tuple[tuple[int, ...], ...] | None: ...
    @property
    def more(self) -> bool: ...
    @property
    def count(self) -> int | None: ...
    @property
    def exact(self) -> bool: ...

class Map:
    """From an index to the elements that it depends on: expressions of
    dimensions, ranges and runtime variables, on a domain."""

    def __init__(self, text: str) -> None: ...
    @property
    def dimensions(self) -> tuple[Bounds, ...]: ...
    @property
    def ranges(self) -> tuple[Bounds, ...]: ...
    @property
    def runtime(self) -> tuple[Bounds, ...]: ...
    @property
    def results(self) -> tuple[str, ...]: ...
    @property
    def constraints(self) -> tuple[Bounds, ...]: ...
    @property
    def is_known_empty(self) -> bool: ...
    @overload
    def __call__(self, *index: int, **variables: int) -> tuple[int, ...]: ...
    @overload
    def __call__(
        self, points: NDArray[numpy.integer], /,
        **variables: int | NDArray[numpy.integer]
    ) -> NDArray[numpy.int64]:
        """The results at a point, or at each row of an array of points. Every
        range and runtime variable has to be given, by its name; in an array
        one value for all points, or one each. A point outside of the domain is
        an `Error`, which is a ValueError."""
    def contains(self, *index: int, **variables: int) -> bool: ...
    def __matmul__(self, inner: Map) -> Map:
        """`(outer @ inner)(x)` is `outer(*inner(x))`."""
    def then(self, second: Map) -> Map:
        """`second @ self`"""
    def simplify(self) -> Map: ...
    def inverse(self) -> Relation: ...
    def equal(self, other: Map | Relation, *,
              budget: int | None = None) -> Decision:
        """Whether both read the same elements. `==` compares the text's
        meaning: the same expressions on the same domain."""
    def count(self, *, budget: int | None = None, **runtime: int) -> Counts:
        """Runtime variables that are not given have their lower bounds."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str | None: ...

def parse_maps(text: str) -> list[Map]: ...

class Relation:
    """What a result reads of an operand: a union of maps, and whether that is
    all (exact), at most (cover) or not known (opaque)."""

    @overload
    def __init__(self, pieces: Iterable[Map], *,
                 precision: Literal["exact", "cover", "opaque"] = "exact"
                 ) -> None: ...
    @overload
    def __init__(self, map: Map) -> None: ...
    @property
    def pieces(self) -> tuple[Map, ...]: ...
    @property
    def precision(self) -> Literal["exact", "cover", "opaque"]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Map]: ...
    def __call__(self, *index: int, most: int = 1000,
                 **runtime: int) -> Elements: ...
    def __matmul__(self, inner: Map | Relation) -> Relation:
        """`outer @ inner`: through `inner` first."""
    def __rmatmul__(self, outer: Map) -> Relation: ...
    def then(self, second: Map | Relation) -> Relation: ...
    def inverse(self) -> Relation: ...
    def image(self) -> Relation: ...
    def __and__(self, other: Map | Relation) -> Relation: ...
    def __or__(self, other: Map | Relation) -> Relation: ...
    def __sub__(self, other: Map | Relation) -> Relation: ...
    def equal(self, other: Map | Relation, *,
              budget: int | None = None) -> Decision: ...
    def is_subset(self, other: Map | Relation, *,
                  budget: int | None = None) -> Decision: ...
    def is_disjoint(self, other: Map | Relation, *,
                    budget: int | None = None) -> Decision: ...
    def is_empty(self, *, budget: int | None = None) -> Decision: ...
    def is_identity(self, *, budget: int | None = None) -> Decision: ...
    def is_injective(self, *, budget: int | None = None) -> Decision: ...
    def count(self, *, budget: int | None = None) -> Counts: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_svg_(self) -> str | None: ...

class Holding:
    """The place of what a device holds: the number of its tile in each
    dimension; its part, if an element is a sum of parts; and its group of
    manual axes."""

    @property
    def tile(self) -> tuple[int, ...]: ...
    @property
    def part(self) -> int: ...
    @property
    def group(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Layout:
    """A layout: the text of one of CuTe, Triton or XLA, of bases or a map, or
    an operation of these. `a(3, 5)` is the value at a point, `a(17)` that of
    the point with this number, `a @ b` the composition A(B(i)). `a == b`
    raises `Unanswered` where it is undecided."""

    def __init__(self, text: str) -> None: ...
    @property
    def inputs(self) -> tuple[tuple[str, int], ...]:
        """The name and the size of each."""
    @property
    def outputs(self) -> tuple[tuple[str, int | None], ...]:
        """The name of each, and its size, or None of an offset."""
    @property
    def form(self) -> tuple[dict[str, Any], ...] | None:
        """A sum of each output, with the keys of docs/keys.md."""
    @property
    def reason(self) -> str | None:
        """Why there is no form."""
    @property
    def points(self) -> int: ...
    def map(self) -> Map: ...
    def print(self, notation: Literal["cute", "linear", "bases", "xla", "map"],
              type: str = "") -> str | None:
        """The text in that notation; None if it has no equal there."""
    def named(self, inputs: Sequence[str], outputs: Sequence[str]) -> Layout:
        """The layout with these names, in this order."""
    def inverse(self) -> Layout: ...
    def holders(self, *element: int) -> tuple[dict[str, int], ...]:
        """All points that have the value: the number of each input."""
    def __call__(self, *point: int) -> tuple[int, ...]: ...
    def __matmul__(self, inner: Layout) -> Layout: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_svg_(self) -> str: ...
    def _moved_svg(self, after: Layout) -> str: ...

def move_of(before: Layout, after: Layout, type: str = "",
            through: Layout | None = None) -> dict[str, object]: ...

class Sharding:
    """Which device has which tile of an array of that rank: the normal form
    of a text of HLO or Shardy. Two are equal if every device holds the same.
    `meshes` are those that the text names: `{"m": '<["x"=2]>'}`."""

    def __init__(self, text: str, rank: int, *, devices: int | None = None,
                 meshes: dict[str, str] = {}) -> None: ...
    @staticmethod
    def replicated(rank: int, devices: int) -> Sharding: ...
    @property
    def rank(self) -> int: ...
    @property
    def devices(self) -> int | None:
        """None if it is replicated, and nothing says over how many."""
    @property
    def tiles(self) -> tuple[int, ...]:
        """The number of tiles of each dimension."""
    @property
    def parts(self) -> int:
        """The number of parts of which an element is the sum."""
    @property
    def groups(self) -> int: ...
    @property
    def reduction(self) -> str:
        """How parts are combined: empty for a sum, else max, min and so on."""
    @property
    def reason(self) -> Literal["manual", "unknown"] | None:
        """Why there are no global elements; None if there are."""
    @property
    def is_replicated(self) -> bool: ...
    def holding(self, device: int) -> Holding | None:
        """None if the device holds no element whatever the sizes are."""
    def __eq__(self, other: object) -> bool: ...

class ShardedRelation:
    """An array of these sizes and its sharding. A device's last elements may
    be padding, which has no global index."""

    def __init__(self, sizes: Iterable[int], sharding: Sharding) -> None: ...
    @property
    def sharding(self) -> Sharding: ...
    @property
    def global_sizes(self) -> tuple[int, ...]: ...
    @property
    def local_sizes(self) -> tuple[int, ...]: ...
    def box(self, device: int) -> tuple[tuple[int, int], ...] | None:
        """The begin and the end of what the device holds in each dimension."""
    def global_of(self, device: int,
                  local: Iterable[int]) -> tuple[int, ...] | None:
        """None for padding, or if the index is out of range."""
    def local_of(self, device: int,
                 element: Iterable[int]) -> tuple[int, ...] | None:
        """None if the device does not hold the element."""
    def copies_of(self, element: Iterable[int]
                  ) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """A device, its part and its local index, for each that holds it."""
    def map(self) -> Relation:
        """(device, local) -> global."""
    def inverse(self) -> Relation:
        """(global) -> (device, local)."""

class ReshardNeeds:
    """The elements that must move from one sharding to another one."""

    @property
    def receives(self) -> tuple[int, ...]:
        """The least number, by device."""
    @property
    def all(self) -> int:
        """The least number over all devices."""
    @property
    def sends_once(self) -> tuple[int, ...]:
        """By device, those that it alone holds and another one needs."""
    @property
    def through_replication(self) -> int:
        """Those that all receive if each of them gets the whole array."""

def needs_of(before: ShardedRelation,
             after: ShardedRelation) -> ReshardNeeds: ...

class Instruction:
    """An instruction, and its maps. `operand` and `result` count arrays: a
    tuple is taken apart into its arrays, depth first."""

    @property
    def name(self) -> str: ...
    @property
    def opcode(self) -> str: ...
    @property
    def op_name(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def shapes(self) -> tuple[str, ...]: ...
    @property
    def operands(self) -> tuple[Instruction, ...]: ...
    @property
    def computation(self) -> Computation: ...
    def reads(self, operand: int = 0, *, result: int = 0) -> Relation:
        """From an index of the result to the elements of the operand that it
        depends on."""
    def users(self, operand: int = 0, *, result: int = 0) -> Relation:
        """From an element of the operand to the indices that depend on it."""
    def reads_through(self, to: Instruction, *, result: int = 0,
                      to_result: int = 0) -> Relation:
        """What is read of an instruction behind it, through all ways."""
    def ways_through(self, to: Instruction, *, result: int = 0,
                     to_result: int = 0) \
            -> tuple[tuple[tuple[str, ...], Relation], ...]:
        """Each of these ways: the names of its instructions, from this one to
        `to`, and what is read by it. A `RuntimeWarning` says that there may be
        more than the 256 that are returned."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str | None: ...

class Computation:
    """Instructions, and the maps between the root and the parameters."""

    @property
    def name(self) -> str: ...
    @property
    def module(self) -> Module: ...
    @property
    def instructions(self) -> tuple[Instruction, ...]: ...
    @property
    def parameters(self) -> tuple[Instruction, ...]: ...
    @property
    def root(self) -> Instruction: ...
    def __getitem__(self, name: str) -> Instruction: ...
    def reads(self, parameter: int = 0, *, leaf: int = 0,
              result: int = 0) -> Relation: ...
    def users(self, parameter: int = 0, *, leaf: int = 0,
              result: int = 0) -> Relation: ...
    def ways(self, parameter: int = 0, *, leaf: int = 0, result: int = 0) \
            -> tuple[tuple[tuple[str, ...], Relation], ...]:
        """Each way from the root to the parameter, as
        `Instruction.ways_through` returns them."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Module:
    """Computations."""

    @property
    def name(self) -> str: ...
    @property
    def program(self) -> Program: ...
    @property
    def computations(self) -> tuple[Computation, ...]: ...
    @property
    def entry(self) -> Computation: ...
    @property
    def is_scheduled(self) -> bool: ...
    def __getitem__(self, name: str) -> Computation: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class _HasText(Protocol):
    def as_text(self) -> str: ...

class _Serialized(Protocol):
    @property
    def mlir_module_serialized(self) -> bytes: ...

class Program:
    """HLO or StableHLO: text, bytes, a file, or what JAX lowers to
    (`jax.jit(f).lower(x)`, `jax.export.export(…)(x)`)."""

    def __init__(
        self,
        source: str | bytes | os.PathLike[str] | _HasText | _Serialized, *,
        path: str = "",
        format: Literal["auto", "hlo", "stablehlo"] = "auto",
        elementwise: Sequence[str] = (),
        ops: str = "") -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def format(self) -> Literal["hlo", "stablehlo"]: ...
    @property
    def modules(self) -> tuple[Module, ...]: ...
    @property
    def module(self) -> Module: ...
    @property
    def entry(self) -> Computation: ...
    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings and notes about the text."""
    def __getitem__(self, name: str) -> Computation: ...

def call(words: list[str], *sources: Program | str) -> bytes: ...
# The document of an answer, and the function that writes its text.
def equality(first: Program, second: Program,
             options: dict[str, object]) -> tuple[
                 dict[str, object], Callable[[], str]]: ...
def partitioned_equality(whole: Program, local: Program,
                         options: dict[str, object]) -> tuple[
                             dict[str, object], Callable[[], str]]: ...
def reshard(options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str]]: ...
def hazards(program: Program, options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str]]: ...
# Also the functions that draw it, or write its page.
def sparsity(program: Program, options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str], Callable[[], str]]: ...
def report(options: dict[str, object],
           *sources: Program | bytes | os.PathLike[str]) -> tuple[
               dict[str, object], Callable[[], str],
               Callable[[], str] | None]: ...
def coalescing(program: Program, options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str]]: ...
def tiles(program: Program, options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str]]: ...
def uses(program: Program, options: dict[str, object]) -> tuple[
    dict[str, object], Callable[[], str]]: ...
def draw(source: Program | Map | Relation | bytes | None,
         options: dict[str, object]) -> str: ...
def kernels(text: bytes, options: dict[str, object]) -> list[
    dict[str, object]]: ...
def passes(paths: list[str], options: dict[str, object]) -> list[tuple[
    dict[str, object], Callable[[], str]]]: ...
