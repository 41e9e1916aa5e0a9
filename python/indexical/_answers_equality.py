"""Equality of modules, also partitioned and along passes, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Document


@dataclass(kw_only=True)
class ResultValues:
    """A result by its values (docs/formats.md)"""

    #: the array of the result
    result: int
    #: why its values are not known to be equal
    reason: str | None = None
    #: the first term of the first module that is not that of the second;
    #: parameters have the first one's names, indices are i, j, k…
    first: str | None = None
    #: the one of the second module
    second: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Law:
    """A law (docs/formats.md)"""

    #: the law, by name
    law: str
    computation: str
    #: the instruction to which it applies
    instruction: str
    #: where it stands in its file
    line: int
    #: its op
    opcode: str
    #: those that its operands read and its result does not
    parameters: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ValueDiverges:
    """A value that diverges (docs/formats.md)"""

    computation: str
    instruction: str
    #: where it stands in its file
    line: int
    #: its element; parameters have the first module's names, indices are i, j,
    #: k…
    term: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Divergence:
    """A divergence (docs/formats.md)"""

    #: the array of the result; the first that is not decided
    result: int
    #: the value of the first module
    first: ValueDiverges | None = None
    #: the value of the second
    second: ValueDiverges
    _parts: ClassVar[dict[str, type]] = {
        'first': ValueDiverges,
        'second': ValueDiverges,
    }


@dataclass(kw_only=True)
class Obstacle:
    """An obstacle (docs/formats.md)"""

    #: 0: it is one of the first module, 1: of the second
    module: int
    computation: str
    instruction: str
    #: where it stands in its file
    line: int
    #: what is not known of it
    reason: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Input:
    """An input (docs/formats.md)"""

    #: its name in the first module
    parameter: str
    element: list[int]
    value: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class NumbersDiffer:
    """Numbers that differ (docs/formats.md)"""

    #: the array of the result
    result: int
    #: its element
    index: list[int]
    #: the elements of parameters that both were computed of, at most 16
    inputs: list[Input]
    #: the number of all other elements that both were computed of
    others: int | None = None
    #: what the first module computes; of a float it may be one of the numbers
    #: that are allowed
    first: str
    #: what the second computes
    second: str
    _parts: ClassVar[dict[str, type]] = {
        'inputs': Input,
    }


@dataclass(kw_only=True)
class VerdictOfTerms:
    """A verdict of terms (docs/formats.md)"""

    #: equal, fewer reads, equal, other reads, different or undecided; the key
    #: answer does not tell the third from the first
    verdict: str
    #: the laws by which terms were made, of either module
    laws: list[str] | None = None
    #: the instructions of the first module at which a law drops an operand
    lost: list[Law] | None = None
    #: the earliest values of both modules that are not known to be equal,
    #: although all that they are made of is
    first: Divergence | None = None
    #: an op with effects of one module that has no counterpart in the other
    effect: Obstacle | None = None
    witness: NumbersDiffer | None = None
    _parts: ClassVar[dict[str, type]] = {
        'lost': Law,
        'first': Divergence,
        'effect': Obstacle,
        'witness': NumbersDiffer,
    }


@dataclass(kw_only=True)
class PairWitness:
    """A witness (docs/formats.md)"""

    #: the values of the dimensions
    index: list[int]
    #: the values of the runtime variables
    runtime: list[int]
    #: what these are values of: of modules, parameters of the first one, as i,
    #: indices(2, 0) (an element) and size 0 of x; of maps, their names. Where
    #: sizes are open, all that are given and all elements that say sizes are
    #: here: both modules run with these numbers
    runtime_names: list[str] | None = None
    #: the index of the element
    element: list[int]
    #: the side that reads it
    only_in: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class TwoPaths:
    """Two paths (docs/formats.md)"""

    #: the instructions of the first module, from the root to the parameter
    first: list[str]
    #: those of the second module
    second: list[str]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Pair:
    """A pair (docs/formats.md)"""

    #: the array of the result
    result: int
    #: the array of the parameters, counted through all of them
    parameter: int
    answer: str
    #: the strongest engine that was needed; terms: no map was made, for both
    #: modules read the parameter by the same movements of elements; what is
    #: computed of the elements in between may differ
    engine: str
    #: the ops and literals of unknown meaning that the answer rests on, and
    #: the ops that give something new in every execution (rng, infeed): it
    #: holds for any meaning of them
    for_any: list[str] | None = None
    #: those beside which a difference was found: it is one for some meaning of
    #: them
    for_some: list[str] | None = None
    #: the instruction that stands in the way
    because: Obstacle | None = None
    #: why it was not
    reason: str | None = None
    #: an element that one side reads and the other does not
    witness: PairWitness | None = None
    #: the instructions on the way
    paths: TwoPaths | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': Obstacle,
        'witness': PairWitness,
        'paths': TwoPaths,
    }


@dataclass(kw_only=True)
class Equality(Document):
    """Is it equal? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: of all pairs together: different where one is, else undecided where one
    #: is. Modules that compute the same by laws that hold for all values are
    #: no difference, whatever they read
    answer: str
    #: what the answer is about: which elements are read, or also what is
    #: computed of them (--values, or where the reads differ)
    level: str | None = None
    #: the strongest engine that was needed; terms: no map was made, for both
    #: modules read the parameter by the same movements of elements; what is
    #: computed of the elements in between may differ
    engine: str
    #: the results whose values are not known to be equal
    values: list[ResultValues] | None = None
    #: the verdict in full, the laws, and numbers that show a difference
    terms: VerdictOfTerms | None = None
    #: options that would decide it (--float-laws=reassociate: with it both are
    #: equal; --ops with the line lib.norm (d0, d1)[s0] -> (d0, s0): if the op
    #: reads that, both are equal), or may: --ops with a line for
    #: lib.norm{axis=1} (an op that is not known, and what its line begins
    #: with), --budget (it did not suffice)
    decided_by: list[str] | None = None
    #: what the ops of either module force open sizes of parameters to be, in
    #: the names of the first: the modules are compared where all of it holds
    where: list[str] | None = None
    #: by result, then by parameter
    pairs: list[Pair]
    #: the pairs that are not listed: of these neither module reads anything,
    #: so they are equal
    not_listed: int | None = None
    _parts: ClassVar[dict[str, type]] = {
        'values': ResultValues,
        'terms': VerdictOfTerms,
        'pairs': Pair,
    }


@dataclass(kw_only=True)
class UsedSharding:
    """A used sharding (docs/formats.md)"""

    #: the array of the parameters, counted through all of them
    parameter: int | None = None
    #: the array of the result
    result: int | None = None
    #: as it stands
    text: str
    #: where it stands
    source: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ObstacleOfDevice:
    """An obstacle of a device (docs/formats.md)"""

    #: 0: it is one of the first module, 1: of the second
    module: int
    computation: str
    instruction: str
    #: where it stands in its file
    line: int
    #: what is not known of it
    reason: str
    device: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class WitnessOfDevice:
    """A witness of a device (docs/formats.md)"""

    #: with inputs, of a sum over devices the first one
    device: int
    #: the index on that device
    index: list[int]
    #: the index in the whole
    global_index: list[int]
    #: the values of parameters that decide what is read
    runtime: list[int]
    #: the element of the whole parameter that one side reads
    element: list[int] | None = None
    #: the side that reads it; first is the module before
    only_in: str | None = None
    #: the second module reads padding
    padding: bool | None = None
    #: how often, where only that differs
    counted: int | None = None
    #: numbers of the whole parameters that show it, at most 16
    inputs: list[Input] | None = None
    #: the number of all other elements that are read
    others: int | None = None
    #: what the whole module computes of them; of a float it may be one of the
    #: numbers that are allowed
    first: str | None = None
    #: what the device computes
    second: str | None = None
    _parts: ClassVar[dict[str, type]] = {
        'inputs': Input,
    }


@dataclass(kw_only=True)
class PartitionedResult:
    """A partitioned result (docs/formats.md)"""

    #: the array of the result
    result: int
    #: the array of the parameters that the element is of
    parameter: int | None = None
    answer: str
    #: why it was not
    reason: str | None = None
    #: the instruction that stands in the way; where both modules ran, the
    #: first of the second one whose value is none of the first one's, though
    #: its operands are
    because: ObstacleOfDevice | None = None
    #: an element that differs: by terms of all devices, with numbers; else the
    #: least one in a run on random numbers, by device, index, parameter and
    #: element
    witness: WitnessOfDevice | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': ObstacleOfDevice,
        'witness': WitnessOfDevice,
    }


@dataclass(kw_only=True)
class PartitionedEquality(Document):
    """Is it partitioned rightly? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: of all arrays of the result: different where one is, else undecided
    #: where one is
    answer: str
    #: terms: nothing was run, for terms of all devices say it, or for that is
    #: too large
    engine: str
    partitioned: bool
    #: partitions times replicas
    devices: int
    replicas: int
    #: those that were used
    shardings: list[UsedSharding]
    #: the ops whose values the answer holds for, whatever they are
    for_any: list[str] | None = None
    #: one for each array of the result
    pairs: list[PartitionedResult]
    _parts: ClassVar[dict[str, type]] = {
        'shardings': UsedSharding,
        'pairs': PartitionedResult,
    }


@dataclass(kw_only=True)
class Ways:
    """Two ways (docs/formats.md)"""

    #: the instructions before the pass that lead to the difference, from the
    #: root on
    first: list[list[str | int]]
    #: those after it
    second: list[list[str | int]]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PairOfDumps:
    """A pair of dumps (docs/formats.md)"""

    #: the file of the dump before the pass
    from_: str
    #: the file of the dump after it
    to: str
    #: the pass that ran between them; empty where no name says
    pass_: str
    #: the pipeline of that pass, or empty
    pipeline: str
    #: different where one pair of a result and a parameter is, else undecided
    #: where one is
    answer: str
    #: what is compared: which elements are read, or also what is computed of
    #: them (--values, or where the reads differ)
    level: str
    #: the strongest engine that was needed for the reads; text: both are the
    #: same text
    engine: str | None = None
    #: why they cannot be
    reason: str | None = None
    #: the instructions of the dump before at which a law drops an operand
    laws: list[Law] | None = None
    #: the results whose values are not known to be equal
    values: list[ResultValues] | None = None
    #: the verdict in full, the laws, and numbers that show a difference
    terms: VerdictOfTerms | None = None
    #: options that would decide it (--float-laws=reassociate: with it both are
    #: equal; --ops with the line lib.norm (d0, d1)[s0] -> (d0, s0): if the op
    #: reads that, both are equal), or may: --ops with a line for
    #: lib.norm{axis=1} (an op that is not known, and what its line begins
    #: with), --budget (it did not suffice)
    decided_by: list[str] | None = None
    #: the dump after is compared as the one before, partitioned for so many
    #: devices
    devices: int | None = None
    #: those that are not equal
    partitioned: list[PartitionedResult] | None = None
    #: those that are not equal
    pairs: list[Pair] | None = None
    #: the instructions of the first difference
    path: Ways | None = None
    _parts: ClassVar[dict[str, type]] = {
        'laws': Law,
        'values': ResultValues,
        'terms': VerdictOfTerms,
        'partitioned': PartitionedResult,
        'pairs': Pair,
        'path': Ways,
    }


@dataclass(kw_only=True)
class FiguresOfChain:
    """Figures of a chain (docs/formats.md)"""

    dumps: int
    #: dumps that are another text than the one before
    changed: int
    #: pairs, those of one text counted
    equal: int
    #: pairs where a law drops what is no longer read
    fewer_reads: int
    different: int
    undecided: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Passes(Document):
    """What passes change (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the name of the module, or of the function, or of the first file
    chain: str
    #: in the chain's order; with --only, those
    passes: list[PairOfDumps]
    #: the pass of the first that is
    first: str | None = None
    totals: FiguresOfChain
    _parts: ClassVar[dict[str, type]] = {
        'passes': PairOfDumps,
        'totals': FiguresOfChain,
    }
