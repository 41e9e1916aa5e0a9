"""`Report(path)`, which is `report(path)` now."""

from __future__ import annotations

import pathlib
import warnings

from indexical._calls import report
from indexical._renamed import renamed


@renamed(program="program_id")
def Report(path, **options):
    """`report` of the file or folder at that path. Works until 1.0."""
    warnings.warn("`Report(path)` is `report(path)` now; the old name works "
                  "until 1.0", FutureWarning, stacklevel=3)
    return report(pathlib.Path(path), **options)
