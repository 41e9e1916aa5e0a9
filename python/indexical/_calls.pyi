"""The analyses. Options are those of the command (docs/command.md): `tile` and
`at` are lists of numbers, `runtime` a dictionary, `thread_map` a map."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

from indexical import answers
from indexical._indexical import Instruction, Map, Program, Relation
from indexical._kernels import Kernel

# A program, or what `Program(…)` takes.
_Source = Any
_Extents: TypeAlias = Sequence[int | str] | Sequence[Sequence[int | str]]

def report(source: Kernel | _Source | str | os.PathLike[str], *, top: int | None = None,
           sort: str | None = None, filter: Iterable[str] = (),
           min: int | str | None = None,
           baseline: answers.Report | str | os.PathLike[str] | None = None,
           group: str | None = None,
           device: str | None = None,
           launch: Literal["xla", "linear"] | None = None,
           thread_map: Map | str | None = None,
           partitions: int | None = None, replicas: int | None = None,
           topology: str | None = None, jobs: int | None = None,
           budget: int | None = None, deadline: int | None = None,
           memory: int | None = None,
           size: Mapping[str, int] | None = None,
           arguments: str | None = None, cancels: bool = False,
           live: bool = False, gpu: Sequence[int] | None = None,
           program_id: int | None = None,
           hlo: Iterable[str | os.PathLike[str]] = (),
           first: int | None = None,
           args: Mapping[str, int | float] | None = None,
           constants: Mapping[str, int | float | bool | str | None] | None
           = None) -> answers.Report: ...

def coalescing(program: _Source, *, computation: str | None = None,
               instruction: str | None = None, space: str | None = None,
               runtime: Mapping[str, int | str] | None = None,
               device: str | None = None,
               launch: Literal["xla", "linear"] | None = None,
               thread_map: Map | str | None = None, jobs: int | None = None,
               budget: int | None = None, deadline: int | None = None,
               memory: int | None = None,
               size: Mapping[str, int] | None = None,
               arguments: str | None = None) -> answers.Report: ...

@overload
def tile(program: _Source, *, computation: str | None = None,
         instruction: str | None = None,
         tile: _Extents | None = None,
         strides: _Extents | None = None,
         steps: int | Mapping[str, int] | None = None, forward: bool = False,
         tries: Iterable[Sequence[int]] = (), one_operand: bool = False,
         search: Literal[False] = False,
         sizes: Sequence[int] | None = None, shared: int | str | None = None,
         top: int | None = None, device: str | None = None,
         jobs: int | None = None, budget: int | None = None,
         deadline: int | None = None,
         memory: int | None = None,
         size: Mapping[str, int] | None = None,
         arguments: str | None = None) -> answers.Tiles: ...
@overload
def tile(program: _Source, *, computation: str | None = None,
         instruction: str | None = None,
         tile: _Extents | None = None,
         strides: _Extents | None = None,
         steps: int | Mapping[str, int] | None = None, forward: bool = False,
         tries: Iterable[Sequence[int]] = (), one_operand: bool = False,
         search: Literal[True],
         sizes: Sequence[int] | None = None, shared: int | str | None = None,
         top: int | None = None, device: str | None = None,
         jobs: int | None = None, budget: int | None = None,
         deadline: int | None = None,
         memory: int | None = None,
         size: Mapping[str, int] | None = None,
         arguments: str | None = None) -> answers.TileSearch: ...

class TileSpace:
    def __init__(self, program: _Source, instruction: str | None = None,
                 computation: str | None = None) -> None: ...
    def sizes(self, *sizes: int | str) -> TileSpace: ...
    def strides(self, *strides: int | str) -> TileSpace: ...
    def step(self, instruction: str, dimension: int,
             size: int) -> TileSpace: ...
    def behind(self) -> answers.Tiles: ...
    def forward(self) -> answers.Tiles: ...
    def search(self, *, device: str | None = None,
               sizes: Sequence[int] | None = None,
               shared: int | str | None = None,
               top: int | None = None) -> answers.TileSearch: ...

def utilization(program: _Source, *, computation: str | None = None,
                instruction: str | None = None,
                tile: Sequence[int] | None = None,
                at: Sequence[int] | None = None,
                thread_map: Map | str | None = None,
                at_block: Sequence[int] | None = None,
                runtime: Mapping[str, int] | None = None,
                inside: bool = False, jobs: int | None = None,
                budget: int | None = None, deadline: int | None = None,
                memory: int | None = None,
                size: Mapping[str, int] | None = None,
                arguments: str | None = None) -> answers.Utilization: ...

def hazards(program: _Source, *, shares: str | Sequence[str] | None = None,
            device: str | None = None, jobs: int | None = None,
            budget: int | None = None, deadline: int | None = None,
            memory: int | None = None,
            size: Mapping[str, int] | None = None,
            arguments: str | None = None) -> answers.Hazards: ...

def sparsity(program: _Source, *, computation: str | None = None,
             result: int | None = None, parameter: int | None = None,
             jobs: int | None = None, budget: int | None = None,
             deadline: int | None = None, memory: int | None = None,
             size: Mapping[str, int] | None = None,
             arguments: str | None = None) -> answers.Sparsity: ...

def equal(first: _Source, second: _Source, *,
          map_parameters: Sequence[int] | None = None,
          values: bool = False,
          float_laws: Literal["none", "real"] | None = None,
          budget: int | None = None, deadline: int | None = None,
          memory: int | None = None,
          size: Mapping[str, int] | None = None,
          arguments: str | None = None) -> answers.Equality: ...

def compare_partitioned(
        whole: _Source, local: _Source, *,
        parameter_shardings: Mapping[int, str] | None = None,
        result_shardings: Mapping[int, str] | None = None,
        partitions: int | None = None, replicas: int | None = None,
        map_parameters: Sequence[int] | None = None,
        budget: int | None = None, deadline: int | None = None,
        memory: int | None = None) -> answers.PartitionedEquality: ...

def reshard(
        source: str, target: str, global_shape: str, *,
        mesh: str | Sequence[str] | Mapping[str, str] | None = None,
        from_mesh: str | Sequence[str] | Mapping[str, str] | None = None,
        partitions: int | None = None, device_memory: int | str | None = None,
        latency: int | str | None = None,
        emit: Literal["hlo", "stablehlo", "sdy"] | None = None,
        budget: int | None = None, deadline: int | None = None,
        memory: int | None = None) -> answers.ReshardPlans: ...

def passes(*paths: str | os.PathLike[str],
           only: Sequence[str] | None = None, values: bool = False,
           float_laws: Literal["none", "real"] | None = None,
           jobs: int | None = None, budget: int | None = None,
           deadline: int | None = None, memory: int | None = None,
           size: Mapping[str, int] | None = None,
           arguments: str | None = None) -> list[answers.Passes]: ...

class Picture:
    """An SVG. A notebook shows it; `str` is its text."""

    def __init__(self, svg: str) -> None: ...
    def _repr_svg_(self) -> str: ...
    def png(self, scale: float = 2.0) -> bytes: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...

def draw(source: Map | Relation | Instruction | Kernel | _Source | None = None,
         *,
         computation: str | None = None, instruction: str | None = None,
         element: Sequence[int] | None = None,
         tile: Sequence[int] | None = None,
         steps: int | Mapping[str, int] | None = None, at: Sequence[int] | None = None,
         dims: Sequence[int] | None = None,
         operand_dims: Sequence[int] | None = None, warp: int | None = None,
         device: str | None = None,
         launch: Literal["xla", "linear"] | None = None,
         runtime: Mapping[str, int] | None = None, budget: int | None = None,
         deadline: int | None = None, memory: int | None = None,
         size: Mapping[str, int] | None = None,
         arguments: str | None = None,
         sharding: str | None = None, global_shape: str | None = None,
         partitions: int | None = None, mesh: str | None = None) -> Picture: ...

def picture_or_none(source: Map | Relation | Instruction) -> str | None: ...
