"""Exact indexing maps of HLO and StableHLO.

    >>> import indexical
    >>> reshape = indexical.Map("(d0) -> (d0 floordiv 8, d0 mod 8), "
    ...                         "domain: d0 in [0, 31]")
    >>> reshape(13)
    (1, 5)

`Map` and `Relation` are what an element depends on; `Program` is HLO or
StableHLO, with the maps of its instructions. `Sharding` and `ShardedRelation`
say which device holds which elements of an array, `Layout` and `move` which lane
and register, or which place of memory. `report`, `coalescing`,
`tile`, `utilization`, `sparsity`, `hazards`, `equal`, `compare_partitioned`,
`reshard` and `passes` are the
analyses of the command, as data classes, and `draw` makes its pictures.
`TileSpace` is the iteration space of tiles, both ways.
"""

from indexical._errors import Error, Unanswered
from indexical._indexical import (Bounds, Computation, Counts, Decision,
                                  Elements, Holding, Instruction, Layout, Map,
                                  Module,
                                  Program, Relation, ReshardNeeds,
                                  ShardedRelation, Sharding, SizeAnswer,
                                  Witness, __version__, follows, needs_of,
                                  parse_maps)
from indexical._calls import (Picture, TileSpace, coalescing,
                              compare_partitioned, draw, equal, hazards,
                              passes, report, reshard, sparsity, tile,
                              utilization)
from indexical._kernels import Judgement, Kernel, judge, kernels
from indexical._layouts import LayoutMove, move
from indexical._reports import Report

__all__ = [
    "Bounds", "Computation", "Counts", "Decision", "Elements", "Error",
    "Holding", "Instruction", "Judgement", "Kernel", "Layout", "LayoutMove", "Map",
    "Module", "Picture", "Program",
    "Relation", "Report", "ReshardNeeds", "ShardedRelation", "Sharding",
    "SizeAnswer", "TileSpace", "Unanswered", "Witness", "__version__", "answers",
    "coalescing", "compare_partitioned", "draw", "equal", "follows",
    "hazards", "judge", "kernels", "move", "needs_of",
    "parse_maps", "passes", "report", "reshard", "sparsity", "tile",
    "utilization",
]


def __getattr__(name):
    # Importing the data classes takes longer than importing all the rest.
    if name == "answers":
        import importlib

        return importlib.import_module("indexical.answers")
    raise AttributeError("module 'indexical' has no attribute %r" % name)
