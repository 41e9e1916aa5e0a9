"""What analyses answer, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
A field that a document may leave out is None then. A key that Python keeps for
itself has `_` behind it: `from_`.
"""

from indexical._answers_profile import (GpuOfProfile, KernelWithoutInstruction,
                                        ModuleOfProfile, Profile, UseOfTime,
                                        UsesOfTime)
from indexical._answers_kernels import (EarlierKernel, Group, Kernel,
                                        KernelGone, KernelRan, Read,
                                        SharedTile, WorstKernel, Write)
from indexical._answers_report import (Collective, Device, GroupOfReshards,
                                       Report, Reshard, Totals)
from indexical._answers_tiles import (BoxReason, ExactSizes,
                                      FormulasOfFootprint, OpenSize,
                                      OperandUse, SizeOfTensor, SizesLeftOut,
                                      Tile, TileSearch, Tiles, UseInside,
                                      Utilization)
from indexical._answers_equality import (Equality, FiguresOfChain, Law,
                                         Obstacle, ObstacleOfDevice, Pair,
                                         PairOfDumps, PairWitness,
                                         PartitionedEquality,
                                         PartitionedResult, Passes,
                                         ResultValues, TwoPaths, UsedSharding,
                                         Ways, WitnessOfDevice)

__all__ = [
    'BoxReason',
    'Collective',
    'Device',
    'EarlierKernel',
    'Equality',
    'ExactSizes',
    'FiguresOfChain',
    'FormulasOfFootprint',
    'GpuOfProfile',
    'Group',
    'GroupOfReshards',
    'Kernel',
    'KernelGone',
    'KernelRan',
    'KernelWithoutInstruction',
    'Law',
    'ModuleOfProfile',
    'Obstacle',
    'ObstacleOfDevice',
    'OpenSize',
    'OperandUse',
    'Pair',
    'PairOfDumps',
    'PairWitness',
    'PartitionedEquality',
    'PartitionedResult',
    'Passes',
    'Profile',
    'Read',
    'Report',
    'Reshard',
    'ResultValues',
    'SharedTile',
    'SizeOfTensor',
    'SizesLeftOut',
    'Tile',
    'TileSearch',
    'Tiles',
    'Totals',
    'TwoPaths',
    'UseInside',
    'UseOfTime',
    'UsedSharding',
    'UsesOfTime',
    'Utilization',
    'Ways',
    'WitnessOfDevice',
    'WorstKernel',
    'Write',
]
