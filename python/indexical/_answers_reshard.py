"""Plans between shardings, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._document import Answer, Document


@dataclass(kw_only=True)
class ReshardStep(Answer):
    """A step of a plan (docs/keys.md)

    op: slice (which moves nothing), all-gather, all-to-all,
        collective-permute, reduce-scatter or all-reduce
    groups: the devices of each group, in the order of their parts
    pairs: the source and the target of each message
    dimension: the dimension along which an all-gather joins, or which another
        step cuts
    sharding: the sharding after the step, in HLO's form
    all_bytes: the bytes that all devices receive in this step
    """

    op: str
    groups: list[list[int]] | None = None
    pairs: list[list[int]] | None = None
    dimension: int | None = None
    sharding: str | None = None
    all_bytes: int
    _parts: ClassVar[dict[str, type]] = {}


@dataclass(kw_only=True)
class ReshardPlan(Answer):
    """A plan of a reshard (docs/keys.md)

    steps: what devices do, in order; empty: nothing
    all_bytes: the bytes that all devices receive
    most_bytes: the bytes that one device receives at most
    collectives: the number of steps that are collectives
    peak_bytes: the most bytes of arrays that live at once on a device
    answer: equal: it is proved that each device ends with its elements; a plan
        that is not proved comes after all that are
    reason: why the plan is not proved
    text: what each device runs: a module of HLO, or of StableHLO with
        --emit=stablehlo; with --emit=sdy, a function over whole arrays
    """

    steps: list[ReshardStep]
    all_bytes: int
    most_bytes: int
    collectives: int
    peak_bytes: int
    answer: str
    reason: str | None = None
    text: str | None = None
    _parts: ClassVar[dict[str, type]] = {
        'steps': ReshardStep,
    }


@dataclass(kw_only=True)
class ReshardPlans(Document):
    """How to reshard? (docs/keys.md)

    schema
    version: the version of the program
    from_: the first sharding, as it was given
    to: the second sharding, as it was given
    shape: the shape of the whole array
    devices
    needed_bytes: the fewest bytes that all devices must receive
    replication_bytes: what all devices receive if each of them gets the whole
        array first
    plans: the plans that no other one beats in bytes, collectives and memory;
        the best one first
    """

    schema: str
    version: str
    from_: str
    to: str
    shape: str
    devices: int
    needed_bytes: int
    replication_bytes: int
    plans: list[ReshardPlan]
    _parts: ClassVar[dict[str, type]] = {
        'plans': ReshardPlan,
    }
