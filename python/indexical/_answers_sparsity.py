"""Sparsity of Jacobians, as data classes.

Written from the tables of docs/formats.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._matrix import SparseDocument


@dataclass(kw_only=True)
class Sparsity(SparseDocument):
    """Where is a Jacobian not zero? (docs/formats.md)"""

    schema: str
    #: the version of the program
    version: str
    #: the file that the document or the line is about
    file: str | None = None
    #: the computation
    computation: str
    #: the array of the root whose elements are the rows
    result: int
    #: its shape, without a layout
    result_shape: str
    #: the array, of all arrays of the parameters, whose elements are the
    #: columns
    parameter: int
    #: the parameter that it is in
    parameter_name: str
    #: its shape, without a layout
    parameter_shape: str
    #: elements of the result
    rows: int
    #: elements of the parameter
    columns: int
    #: entries that can be other than zero
    entries: int | None
    #: entries, divided by all places of the matrix
    density: float | None
    #: diagonals below the main one that hold all entries there: the largest
    #: row minus column, at least 0
    lower: int | None
    #: likewise above it
    upper: int | None
    #: whether each of these entries is there; false: they are a cover, and
    #: others than these are zero
    exact: bool
    #: why it is a cover
    reason: str | None = None
    #: the largest height of blocks, full or empty, of which the matrix is made
    block_rows: int | None = None
    #: their largest width
    block_columns: int | None = None
    #: groups of entries that share no row and no column with others
    parts: int | None = None
    #: colours of the columns, no two of one colour in one row: products of the
    #: Jacobian with a vector (JVPs) that find all entries; null: no colours
    #: were found
    colors_columns: int | None
    #: likewise of the rows: products of a vector with it (VJPs)
    colors_rows: int | None
    #: colours of the columns if each gets the first that is free, from first
    #: to last
    greedy: int | None
    #: no colouring of the columns has fewer: the largest row
    least: int | None
    #: as greedy, of the rows
    greedy_rows: int | None
    #: no colouring of the rows has fewer: the largest column
    least_rows: int | None
    #: the columns of each colour: those whose entries are 1 in the vector
    seeds_columns: list[list[int]] | None = None
    #: the rows of each colour
    seeds_rows: list[list[int]] | None = None
    #: the row of each entry, row by row
    entry_rows: list[int] | None = None
    #: the column of each entry, likewise
    entry_columns: list[int] | None = None
    _parts: ClassVar[dict[str, type]] = {}
