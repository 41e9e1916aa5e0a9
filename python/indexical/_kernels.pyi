"""Kernels of Triton or in LLVM's IR, as what they read and write."""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

from indexical._indexical import _HasText, _Serialized

_Fusion = str | bytes | PathLike[str] | _HasText | _Serialized
_Answer = Literal["proved", "undecided", "violated"]
_Place = str | Sequence[int | Sequence[int]]
_Constant = int | float | bool | str | None

class Kernel:
    """A kernel: what each of its accesses touches and moves."""

    document: dict[str, Any]
    accesses: list[dict[str, Any]]
    def __init__(self, text: str | bytes | PathLike[str], *,
                 grid: int | str | Sequence[int] | None = None,
                 num_warps: int | None = None,
                 block: int | Sequence[int] | None = None,
                 function: str | None = None,
                 args: Mapping[str, int | float] | None = None,
                 shapes: Mapping[str, str] | None = None,
                 of: _Fusion | None = None, tiles: Sequence[int] | None = None,
                 device: str | None = None,
                 budget: int | None = None,
                 float_laws: str | None = None,
                 aliases: Sequence[Sequence[str]] | None = None,
                 types: Mapping[str, str] | None = None,
                 constants: Mapping[str, _Constant] | None = None,
                 assume: str | Sequence[str] | None = None,
                 at: _Place | None = None,
                 runtime: Mapping[str, int | str] | None = None) -> None: ...
    def equals(self, fusion: _Fusion, *, float_laws: str | None = None,
               budget: int | None = None) -> bool | None: ...
    @property
    def function(self) -> str: ...
    @property
    def in_bounds(self) -> _Answer: ...
    @property
    def written_once(self) -> _Answer: ...
    @property
    def overwritten(self) -> _Answer | None: ...
    @property
    def shared_overwritten(self) -> _Answer | None: ...
    @property
    def thread_accesses(self) -> list[dict[str, Any]] | None: ...
    @property
    def verdict(self) -> Literal["same values", "same elements", "same tiles",
                                 "different", "undecided"] | None: ...
    @property
    def answer(self) -> Literal["equal", "more", "less", "different",
                                "undecided"] | None: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> dict[str, Any]: ...

class Judgement:
    """What judge() says of a kernel."""

    kernel: Kernel
    document: dict[str, Any]
    def __init__(self, kernel: Kernel) -> None: ...
    @property
    def verdict(self) -> Literal["same", "same_where", "different",
                                 "undecided"]: ...
    @property
    def witness(self) -> dict[str, Any] | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def where(self) -> str | None: ...
    @property
    def laws(self) -> list[str]: ...
    def inputs(self, name: str, size: int | None) -> Any: ...
    def __bool__(self) -> bool: ...

def judge(new: str | bytes, old: str | bytes | PathLike[str], *,
          grid: int | Sequence[int] | str | None = None,
          of_grid: int | Sequence[int] | str | None = None,
          num_warps: int | None = None, function: str | None = None,
          types: Mapping[str, str] | None = None,
          constants: Mapping[str, Any] | None = None,
          of_constants: Mapping[str, Any] | None = None,
          args: Mapping[str, int | float] | None = None,
          of_args: Mapping[str, int | float] | None = None,
          shapes: Mapping[str, str] | None = None,
          pairs: Mapping[str, str] | None = None,
          outputs: Sequence[str] | None = None,
          zeros: Sequence[str] | None = None,
          aliases: Sequence[Sequence[str]] | None = None,
          assume: str | Sequence[str] | None = None,
          device: str | None = None, budget: int | None = None,
          float_laws: str | None = None) -> Judgement: ...

def kernels(source: str | bytes | PathLike[str], *,
            num_warps: int | None = None, device: str | None = None,
            budget: int | None = None, jobs: int | None = None,
            grid: int | str | Sequence[int] | None = None,
            block: int | Sequence[int] | None = None,
            args: Mapping[str, int | float] | None = None,
            shapes: Mapping[str, str] | None = None,
            types: Mapping[str, str] | None = None,
            constants: Mapping[str, _Constant] | None = None,
            assume: str | Sequence[str] | None = None,
            at: _Place | None = None,
            runtime: Mapping[str, int | str] | None = None) -> list[Kernel]: ...
