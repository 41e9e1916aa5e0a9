"""Reports of files, as rows."""

from __future__ import annotations

from indexical import _indexical
from indexical._calls import _words
from indexical._renamed import renamed


class Report:
    """The report of a file: a profile (`*.xplane.pb`), or a module.

    Rows are dictionaries, one a kernel, with the keys of docs/formats.md; a
    list of them is what `pandas.DataFrame` takes:

        report = indexical.Report("HOST.xplane.pb")
        for row in report:
            print(row["instruction"], row.get("lost_us"))

    `document` is all of it, `profile` and `unattributed` are its parts of these
    names (of a module: None, and an empty list). Options are those of the
    command: `device`, `gpu` (a list), `program_id`, `hlo` (a list of paths),
    `first`, `sort`, `top`, `baseline` (a path), `launch`, `jobs`. An
    `indexical.Error` says what is wrong with the file.
    """

    @renamed(program="program_id")
    def __init__(self, path, *, device=None, gpu=None, program_id=None, hlo=(),
                 first=None, sort=None, top=None, baseline=None, launch=None,
                 jobs=None):
        import json
        import os

        with open(path, "rb") as file:
            data = file.read()
        words = _words("report", dict(
            device=device, gpu=gpu, program_id=program_id, first=first,
            sort=sort, top=top, baseline=None if baseline is None else os.fspath(baseline),
            launch=launch, jobs=jobs))
        words += ["--hlo=" + os.fspath(each) for each in hlo]
        self.document = json.loads(
            _indexical.call(words + ["--format=json"], data))
        self.rows = self.document["kernels"]
        self.profile = self.document.get("profile")
        self.unattributed = self.document.get("unattributed", [])

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]

    def __repr__(self):
        return "<Report of %d kernels>" % len(self.rows)
