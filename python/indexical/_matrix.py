"""Documents that hold the entries of a sparse matrix."""

from __future__ import annotations

from indexical._document import Document
from indexical._errors import Unanswered


class SparseDocument(Document):
    """The entries, in the forms that libraries take.

    Without a list of the entries, which may be too many, the methods raise
    `Unanswered`.
    """

    rows: int
    columns: int
    entry_rows: list[int] | None
    entry_columns: list[int] | None

    def coo(self) -> tuple[list[int], list[int]]:
        """The row and the column of each entry, row by row."""
        if self.entry_rows is None or self.entry_columns is None:
            raise Unanswered("the entries are too many to be listed one by one")
        return self.entry_rows, self.entry_columns

    def csr(self) -> tuple[list[int], list[int]]:
        """How many entries there are before each row and behind the last, and
        the column of each entry: `indptr` and `indices`."""
        rows, columns = self.coo()
        first = [0] * (self.rows + 1)
        for row in rows:
            first[row + 1] += 1
        for row in range(self.rows):
            first[row + 1] += first[row]
        return first, columns

    def scipy(self):
        """A `scipy.sparse.csr_matrix` with `True` for each entry."""
        import numpy
        from scipy.sparse import csr_matrix

        first, columns = self.csr()
        return csr_matrix((numpy.ones(len(columns), dtype=bool), columns, first),
                          shape=(self.rows, self.columns))
