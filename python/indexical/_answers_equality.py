"""Equality of modules, also partitioned and along passes, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Answer, Document, Verdict


@dataclass(kw_only=True)
class ResultValues(Answer):
    """A result by its values (docs/keys.md)

    result: the array of the result
    reason: why its values are not known to be equal
    first: the first term of the first module that differs from the second
        module's; parameters have the first module's names, indices are i, j,
        k…
    second: the corresponding term of the second module
    """

    result: int
    reason: str | None = None
    first: str | None = None
    second: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Law(Answer):
    """A law (docs/keys.md)

    law: the law, by name
    computation
    instruction: the instruction to which it applies
    line: its line in its file
    opcode: its op
    parameters: those that its operands read and its result does not
    """

    law: str
    computation: str
    instruction: str
    line: int
    opcode: str
    parameters: list[str] | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ValueDiverges(Answer):
    """A value that diverges (docs/keys.md)

    computation
    instruction
    line: its line in its file
    term: its element as a term; parameters have the first module's names,
        indices are i, j, k…
    """

    computation: str
    instruction: str
    line: int
    term: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Divergence(Answer):
    """A divergence (docs/keys.md)

    result: the array of the result; the first that is not decided
    first: the value of the first module
    second: the value of the second
    """

    result: int
    first: ValueDiverges | None = None
    second: ValueDiverges
    _parts: ClassVar[dict[str, type]] = {
        'first': ValueDiverges,
        'second': ValueDiverges,
    }


@dataclass(kw_only=True)
class Obstacle(Answer):
    """An obstacle (docs/keys.md)

    module: 0: it is one of the first module, 1: of the second
    computation
    instruction
    line: its line in its file
    reason: what is not known of it
    """

    module: int
    computation: str
    instruction: str
    line: int
    reason: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Input(Answer):
    """An input (docs/keys.md)

    parameter: its name in the first module
    element
    value
    device: the device that has this parameter
    """

    parameter: str
    element: list[int]
    value: str
    device: int | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class NumbersDiffer(Answer):
    """Numbers that differ (docs/keys.md)

    result: the array of the result
    index: its element
    inputs: the elements of parameters that both were computed of, at most 16
    others: the number of all other elements that both were computed of
    first: the value that the first module computes; for a float it may be one
        of several allowed values
    second: the value that the second module computes
    """

    result: int
    index: list[int]
    inputs: list[Input]
    others: int | None = None
    first: str
    second: str
    _parts: ClassVar[dict[str, type]] = {
        'inputs': Input,
    }


@dataclass(kw_only=True)
class VerdictOfTerms(Answer):
    """A verdict of terms (docs/keys.md)

    verdict: equal, fewer reads, equal, other reads, different or undecided;
        the key answer does not tell the third from the first
    laws: the laws that were applied to terms of either module
    lost: the instructions of the first module at which a law drops an operand
    first: the earliest values of both modules that are not known to be equal,
        although all their operands are
    effect: an op with effects of one module that has no counterpart in the
        other
    witness
    """

    verdict: str
    laws: list[str] | None = None
    lost: list[Law] | None = None
    first: Divergence | None = None
    effect: Obstacle | None = None
    witness: NumbersDiffer | None = None
    _parts: ClassVar[dict[str, type]] = {
        'lost': Law,
        'first': Divergence,
        'effect': Obstacle,
        'witness': NumbersDiffer,
    }


@dataclass(kw_only=True)
class PairWitness(Answer):
    """A witness (docs/keys.md)

    index: the values of the dimensions
    runtime: the values of the runtime variables
    runtime_names: the names of these values. For modules: parameters of the
        first one, as i, indices(2, 0) (an element) and size 0 of x; for maps:
        the runtime variables. With open sizes, the list has all sizes that are
        given and all elements that state sizes: both modules run with these
        numbers
    element: the index of the element
    only_in: the side that reads it
    """

    index: list[int]
    runtime: list[int]
    runtime_names: list[str] | None = None
    element: list[int]
    only_in: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class TwoPaths(Answer):
    """Two paths (docs/keys.md)

    first: the instructions of the first module, from the root to the parameter
    second: those of the second module
    """

    first: list[str]
    second: list[str]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Pair(Answer):
    """A pair (docs/keys.md)

    result: the array of the result
    parameter: the array of the parameters, counted through all of them
    answer
    engine: the strongest engine that was needed; terms: no map was made, for
        both modules read the parameter by the same movements of elements; the
        values computed in between may differ
    for_any: the ops and literals of unknown meaning that the answer rests on,
        and the ops that give new values in every execution (rng, infeed): the
        answer holds for any meaning of these
    for_some: the ops and literals of unknown meaning in whose presence a
        difference was found: it is a difference for some meaning of them
    because: the instruction that prevents an answer
    reason: why it is undecided
    witness: an element that one side reads and the other does not
    paths: the instructions on the way
    """

    result: int
    parameter: int
    answer: str
    engine: str
    for_any: list[str] | None = None
    for_some: list[str] | None = None
    because: Obstacle | None = None
    reason: str | None = None
    witness: PairWitness | None = None
    paths: TwoPaths | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': Obstacle,
        'witness': PairWitness,
        'paths': TwoPaths,
    }


@dataclass(kw_only=True)
class Equality(Verdict):
    """Is it equal? (docs/keys.md)

    schema
    version: the version of the program
    answer: of all pairs together: different if one pair is different, else
        undecided if one is undecided. Modules that compute the same by laws
        that hold for all values are not different, whatever they read
    level: what the answer is about: which elements are read, or also what is
        computed of them (--values, or where the reads differ)
    engine: the strongest engine that was needed; terms: no map was made, for
        both modules read the parameter by the same movements of elements; the
        values computed in between may differ
    values: the results whose values are not known to be equal
    terms: the verdict in full, the laws, and numbers that show a difference
    decided_by: options that would decide it (--float-laws=reassociate: with it
        both are equal; --ops with the line lib.norm (d0, d1)[s0] -> (d0, s0):
        if the op reads that, both are equal), or may: --ops with a line for
        lib.norm{axis=1} (an op that is not known, and what its line begins
        with), --budget (it did not suffice)
    assumed: the assumptions of the verdict, each a condition: both modules
        draw the same random numbers (draws have no order; each draw of one
        module is paired with one of the other), or an unknown op, or a
        function that is not in the file, has no effects
    where: constraints that the ops of either module put on open sizes of
        parameters, in the names of the first module: the modules are compared
        where all of them hold
    pairs: by result, then by parameter
    not_listed: the number of pairs that are not listed: neither module reads
        anything for them, so they are equal
    """

    schema: str
    version: str
    answer: str
    level: str | None = None
    engine: str
    values: list[ResultValues] | None = None
    terms: VerdictOfTerms | None = None
    decided_by: list[str] | None = None
    assumed: list[str] | None = None
    where: list[str] | None = None
    pairs: list[Pair]
    not_listed: int | None = None
    _parts: ClassVar[dict[str, type]] = {
        'values': ResultValues,
        'terms': VerdictOfTerms,
        'pairs': Pair,
    }


@dataclass(kw_only=True)
class UsedSharding(Answer):
    """A used sharding (docs/keys.md)

    parameter: the array of the parameters, counted through all of them
    result: the array of the result
    text: as it stands
    source: where it stands
    """

    parameter: int | None = None
    result: int | None = None
    text: str
    source: str
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ObstacleOfDevice(Answer):
    """An obstacle of a device (docs/keys.md)

    module: 0: it is one of the first module, 1: of the second
    computation
    instruction
    line: its line in its file
    reason: what is not known of it
    device
    """

    module: int
    computation: str
    instruction: str
    line: int
    reason: str
    device: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class WitnessOfDevice(Answer):
    """A witness of a device (docs/keys.md)

    device: the device; for a sum over devices, the first one
    index: the index on that device
    global_index: the index in the whole
    runtime: the values of those of the inputs that decide what is read
    element: the element of the whole parameter that one side reads
    element_device: the device that has the parameter of which element is
    only_in: the side that reads it; first is the module before
    padding: the second module reads padding, which may be any number
    counted: how often a summand is counted, if nothing else differs
    inputs: numbers of the whole parameters that show it, at most 16
    others: the number of all other elements that are read
    first: the value that the first module computes from them; for a float it
        may be one of several allowed values
    second: the value that the device computes in the second module
    """

    device: int
    index: list[int]
    global_index: list[int] | None = None
    runtime: list[int]
    element: list[int] | None = None
    element_device: int | None = None
    only_in: str | None = None
    padding: bool | None = None
    counted: int | None = None
    inputs: list[Input]
    others: int | None = None
    first: str
    second: str
    _parts: ClassVar[dict[str, type]] = {
        'inputs': Input,
    }


@dataclass(kw_only=True)
class PartitionedResult(Answer):
    """A partitioned result (docs/keys.md)

    result: the array of the result
    parameter: the array of the parameters that the element is of
    answer
    reason: why it is undecided
    decided_by: the option with which it would be decided
    because: the instruction that prevents the answer equal. If undecided: the
        first one of the second module that is not followed. If different, in
        small modules: the first one whose value is not a value of the first
        module, although its operands are; otherwise possibly the first
        collective for which this is not known
    witness: an element that differs, with numbers that show it: of small
        arrays the first one by device and index
    """

    result: int
    parameter: int | None = None
    answer: str
    reason: str | None = None
    decided_by: list[str] | None = None
    because: ObstacleOfDevice | None = None
    witness: WitnessOfDevice | None = None
    _parts: ClassVar[dict[str, type]] = {
        'because': ObstacleOfDevice,
        'witness': WitnessOfDevice,
    }


@dataclass(kw_only=True)
class PartitionedEquality(Verdict):
    """Is it partitioned rightly? (docs/keys.md)

    schema
    version: the version of the program
    answer: of all arrays of the result: different if one is different, else
        undecided if one is undecided
    engine: terms: terms of all devices are compared, and nothing is run;
        enumeration was said by earlier versions
    partitioned
    devices: partitions times replicas
    replicas
    local: both modules are what one device runs, and are compared on all
        devices
    devices_from: what devices is known from: the groups and pairs of
        collectives
    shardings: those that were used; with local, those by which devices have
        the same parameter
    for_any: the ops whose values the answer holds for, whatever they are
    assumed: the assumptions of the verdict, each a condition: both modules
        draw the same random numbers (draws have no order; each draw of one
        module is paired with one of the other), or an unknown op, or a
        function that is not in the file, has no effects
    pairs: one for each array of the result
    """

    schema: str
    version: str
    answer: str
    engine: str
    partitioned: bool
    devices: int
    replicas: int
    local: bool | None = None
    devices_from: str | None = None
    shardings: list[UsedSharding]
    for_any: list[str] | None = None
    assumed: list[str] | None = None
    pairs: list[PartitionedResult]
    _parts: ClassVar[dict[str, type]] = {
        'shardings': UsedSharding,
        'pairs': PartitionedResult,
    }


@dataclass(kw_only=True)
class CompiledKernel(Answer):
    """A compiled kernel (docs/keys.md)

    kernel: its name in the compiled module
    instruction: the instruction that runs it
    verdict: as of kernel --of
    reason: why it is not
    """

    kernel: str
    instruction: str | None = None
    verdict: str
    reason: str | None = None
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Ways(Answer):
    """Two ways (docs/keys.md)

    first: the instructions before the pass that lead to the difference, from
        the root on
    second: those after it
    """

    first: list[list[str | int]]
    second: list[list[str | int]]
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class PairOfDumps(Answer):
    """A pair of dumps (docs/keys.md)

    from_: the file of the dump before the pass
    to: the file of the dump after it
    pass_: the pass that ran between them; empty where no name says
    pipeline: the pipeline of that pass, or empty
    answer: different if one pair of a result and a parameter is different,
        else undecided if one is undecided
    level: what is compared: which elements are read, or also what is computed
        of them (--values, or where the reads differ)
    engine: the strongest engine that was needed for the reads; text: both are
        the same text
    reason: why they cannot be
    laws: the instructions of the dump before at which a law drops an operand
    values: the results whose values are not known to be equal
    terms: the verdict in full, the laws, and numbers that show a difference
    decided_by: options that would decide it (--float-laws=reassociate: with it
        both are equal; --ops with the line lib.norm (d0, d1)[s0] -> (d0, s0):
        if the op reads that, both are equal), or may: --ops with a line for
        lib.norm{axis=1} (an op that is not known, and what its line begins
        with), --budget (it did not suffice)
    assumed: the assumptions of the verdict, each a condition: both modules
        draw the same random numbers (draws have no order; each draw of one
        module is paired with one of the other), or an unknown op, or a
        function that is not in the file, has no effects
    devices: the dump after the pass is compared as the dump before it,
        partitioned for this many devices
    partitioned: those that are not equal
    pairs: those that are not equal
    kernels: each kernel against the instruction that runs it
    path: the instructions of the first difference
    """

    from_: str
    to: str
    pass_: str
    pipeline: str
    answer: str
    level: str
    engine: str | None = None
    reason: str | None = None
    laws: list[Law] | None = None
    values: list[ResultValues] | None = None
    terms: VerdictOfTerms | None = None
    decided_by: list[str] | None = None
    assumed: list[str] | None = None
    devices: int | None = None
    partitioned: list[PartitionedResult] | None = None
    pairs: list[Pair] | None = None
    kernels: list[CompiledKernel] | None = None
    path: Ways | None = None
    _parts: ClassVar[dict[str, type]] = {
        'laws': Law,
        'values': ResultValues,
        'terms': VerdictOfTerms,
        'partitioned': PartitionedResult,
        'pairs': Pair,
        'kernels': CompiledKernel,
        'path': Ways,
    }


@dataclass(kw_only=True)
class FiguresOfChain(Answer):
    """Figures of a chain (docs/keys.md)

    dumps
    changed: the number of dumps whose text differs from the one before
    equal: the number of equal pairs, including pairs of one text
    fewer_reads: the number of pairs in which a law drops what is no longer
        read
    different
    undecided
    """

    dumps: int
    changed: int
    equal: int
    fewer_reads: int
    different: int
    undecided: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class Passes(Document):
    """What passes change (docs/keys.md)

    schema
    version: the version of the program
    chain: the name of the module, or of the function, or of the first file
    passes: in the chain's order; with --only, those
    first: the pass of the first pair that is different
    totals
    """

    schema: str
    version: str
    chain: str
    passes: list[PairOfDumps]
    first: str | None = None
    totals: FiguresOfChain
    _parts: ClassVar[dict[str, type]] = {
        'passes': PairOfDumps,
        'totals': FiguresOfChain,
    }
