"""Reports of files, as rows."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

class Report:
    """The report of a file: a profile, or a module. Rows are dictionaries."""

    document: dict[str, Any]
    rows: list[dict[str, Any]]
    profile: dict[str, Any] | None
    unattributed: list[dict[str, Any]]
    def __init__(self, path: str | os.PathLike[str], *,
                 device: str | None = None, gpu: Sequence[int] | None = None,
                 program_id: int | None = None,
                 hlo: Iterable[str | os.PathLike[str]] = (),
                 first: int | None = None, sort: str | None = None,
                 top: int | None = None,
                 baseline: str | os.PathLike[str] | None = None,
                 launch: Literal["xla", "linear"] | None = None,
                 jobs: int | None = None) -> None: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> dict[str, Any]: ...
