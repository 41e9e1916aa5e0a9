"""Sparsity of Jacobians, as data classes.

Written from the tables of docs/keys.md by python/write_answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indexical._matrix import SparseDocument


@dataclass(kw_only=True)
class Sparsity(SparseDocument):
    """Where is a Jacobian not zero? (docs/keys.md)

    schema
    version: the version of the program
    file: the file that the document or the line is about
    computation: the computation
    result: the array of the root whose elements are the rows
    result_shape: its shape, without a layout
    parameter: the array, of all arrays of the parameters, whose elements are
        the columns
    parameter_name: the parameter that it is in
    parameter_shape: its shape, without a layout
    rows: elements of the result
    columns: elements of the parameter
    entries: entries that can be non-zero
    density: entries, divided by all places of the matrix
    lower: diagonals below the main one that hold all entries there: the
        largest row minus column, at least 0
    upper: diagonals above the main one that hold all entries there: the
        largest column minus row, at least 0
    exact: whether each of these entries is a structural non-zero; false: they
        are a cover, and all others are zero
    reason: why it is a cover
    block_rows: the largest height of blocks, full or empty, of which the
        matrix is made
    block_columns: their largest width
    parts: groups of entries that share no row and no column with others
    colors_columns: colours of the columns, where no row has entries in two
        columns of one colour: this many products of the Jacobian with a vector
        (JVPs) find all entries; null: no colours were found
    colors_rows: colours of the rows, where no column has entries in two rows
        of one colour: this many products of a vector with the Jacobian (VJPs)
        find all entries; null: no colours were found
    greedy: colours of the columns if each gets the first that is free, from
        first to last
    least: no colouring of the columns has fewer: the largest row
    greedy_rows: as greedy, of the rows
    least_rows: no colouring of the rows has fewer: the largest column
    seeds_columns: the columns of each colour: those whose entries are 1 in the
        vector
    seeds_rows: the rows of each colour
    entry_rows: the row of each entry, row by row
    entry_columns: the column of each entry, row by row
    """

    schema: str
    version: str
    file: str | None = None
    computation: str
    result: int
    result_shape: str
    parameter: int
    parameter_name: str
    parameter_shape: str
    rows: int
    columns: int
    entries: int | None
    density: float | None
    lower: int | None
    upper: int | None
    exact: bool
    reason: str | None = None
    block_rows: int | None = None
    block_columns: int | None = None
    parts: int | None = None
    colors_columns: int | None
    colors_rows: int | None
    greedy: int | None
    least: int | None
    greedy_rows: int | None
    least_rows: int | None
    seeds_columns: list[list[int]] | None = None
    seeds_rows: list[list[int]] | None = None
    entry_rows: list[int] | None = None
    entry_columns: list[int] | None = None
    _parts: ClassVar[dict[str, type]] = {}
