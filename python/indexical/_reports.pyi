"""`Report(path)`, which is `report(path)` now."""

import os
from typing import Any

from indexical import answers

def Report(path: str | os.PathLike[str], **options: Any) -> answers.Report: ...
