#!/usr/bin/env python3
"""Holds what every command prints to docs/keys.md.

  contract_test.py INDEXICAL FORMATS_MD FORMATS_SCHEMA_JSON MODULE...

The page's tables are a JSON Schema (docs/formats_schema.py). Every command runs
on every module, and on modules of the corpus where INDEXICAL_CORPUS names one;
each document, and each of the JSON lines, has to be as the tables say: the
keys, their order, their types, and which of them may be absent. Beyond the
schema:

- a map's text is what its other keys say, and its variables and results fit the
  arrays that it is between;
- JSON lines and CSV hold what the document holds;
- every key of the page is in some document, so that none is described in vain;
- every command has a row in the table of formats, and refuses the formats that
  the row does not have;
- every exit status of the page is that of some call.
"""

import collections
import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from contract_calls import (HARD, check_passes, check_special, check_values,
                            module, write)
from contract_kernels import KERNEL, WARPS, check_kernels, check_layouts
from contract_places import check_hazards, check_local
from contract_rules import Contract

CORPUS_FILES = 60
# Larger ones take long, and hold the same keys.
MOST_BYTES = 6000
TIMEOUT = 30
# The key of a report of several files as one: Python's, which has a test of its
# own, and a page's. And of a write, whose map only a caller can make so long.
# `assumed`: what is the same in a kernel or on devices draws nothing here, and
# calls nothing that is not known. The help is about no file.
IN_NO_DOCUMENT = {("what-help-says", "file"), ("a-write", "not_shown"),
                  ("a-kernel-and-its-fusion", "assumed"),
                  ("is-it-partitioned-rightly", "assumed")}


class Test:
    """Runs calls; `problems` says what is wrong with what they print."""

    def __init__(self, tool, contract):
        self.tool, self.contract = tool, contract
        self.problems = []
        self.refused = collections.Counter()

    def problem(self, call, text):
        self.problems.append("indexical %s: %s" % (" ".join(call), text))

    def run(self, call, text=None):
        """The status of a call, and its two outputs. A report shows all that it
        has, unless the call says how much."""
        call = list(call)
        if call[:1] == ["report"] and {"--format=json", "--format=jsonl"} & set(call):
            call += ["--maps"] + ["--top=all"] * (
                not any(word.startswith("--top") for word in call))
        done = subprocess.run(
            [self.tool] + call, input=text, capture_output=True,
            timeout=TIMEOUT, check=False, encoding="utf-8", errors="replace")
        return done.returncode, done.stdout, done.stderr

    def check(self, command, arguments, form):
        """Runs a call, and holds what it prints to the contract.

        Returns the document or lines; None where the input is refused, as a
        module without an array is by `tile`.
        """
        call = [command] + arguments + ["--format=" + form]
        try:
            status, output, errors = self.run(call)
        except subprocess.TimeoutExpired:
            self.refused[command] += 1  # the machine is busy
            return None
        if status == 1:
            self.check_error(call, output)
            if "error: " not in errors:
                self.problem(call, "status 1, and no message:\n" + errors)
            self.refused[command] += 1
            return None
        if status not in (0, 3, 4):
            self.problem(call, "status %d:\n%s" % (status, errors))
            return None
        documents, lines = self.contract.formats[command]
        try:
            if form == "json":
                values, names = [json.loads(output)], documents
            else:
                values, names = list(map(json.loads, output.splitlines())), lines
        except ValueError as error:
            self.problem(call, "not JSON: %s" % error)
            return None
        for value in values:
            name = self.definition_of_line(value, names)
            for problem in self.contract.problems(value, name):
                self.problem(call, problem)
                break
        self.contract.documents[command, form] += 1
        return values

    def check_error(self, call, output):
        """The document of a call that failed."""
        try:
            value = json.loads(output)
        except ValueError as error:
            self.problem(call, "not JSON: %s\n%s" % (error, output))
            return
        for problem in self.contract.problems(value, "a-file-that-failed"):
            self.problem(call, problem)

    def definition_of_line(self, value, names):
        """Lines say what they are; documents have what theirs must have."""
        alike = [name for name in names
                 if self.contract.definitions[name]["properties"].get(
                     "kind", {}).get("const") == value.get("kind")]
        for name in alike:
            if set(self.contract.definitions[name]["required"]) <= set(value):
                return name
        return (alike or names)[0]

    def check_both(self, command, arguments):
        """The document, and the lines, which hold the same items."""
        document = self.check(command, arguments, "json")
        documents, lines = self.contract.formats[command]
        if document and lines and lines == documents:
            if self.check(command, arguments, "jsonl") != document:
                self.problem([command] + arguments, "jsonl is not json")
        elif document and lines:
            lines = self.check(command, arguments, "jsonl") or []
            items = list(items_of(document[0]))
            lines = [each for each in lines if each["kind"] != "summary"]
            heads = {"schema", "version", "file", "kind", "module", "computation", "entry",
                     "index", "of", "root", "element", "direction",
                     "of_result"}
            for item, line in zip(items, lines):
                # `computation` and the like are keys of the head alone.
                wanted = {k: v for k, v in item.items() if k not in heads}
                found = {k: v for k, v in line.items() if k not in heads}
                if wanted != found:
                    self.problem([command] + arguments, "jsonl is not json:\n"
                                 "%s\n%s" % (wanted, found))
            if len(items) != len(lines):
                self.problem([command] + arguments, "%d items and %d lines" % (
                    len(items), len(lines)))
        if document and command in self.contract.row_columns:
            self.check_rows([command] + arguments, document)
        return document and document[0]

    def check_rows(self, call, documents):
        """The table has the columns of the page, and the cells of the items."""
        columns = self.contract.row_columns[call[0]]
        _, output, _ = self.run(call + ["--format=csv"])
        header, *rows = csv.reader(output.splitlines())
        if call[0] == "passes":
            columns = ["chain"] + columns
        wanted = [[row_cell_of(row.get(key)) for key in columns]
                  for document in documents for row in rows_of(document)]
        if header != columns or rows != wanted:
            self.problem(call, "the table is\n%s\n%s\nand the items\n%s" % (
                header, rows, wanted))

    def check_module(self, path, folder):
        """Every command on one module; false where it is refused."""
        dump = self.check_both("dump", [path, "--direction=both"])
        if dump is None:
            return False
        for command in ("report", "coalescing"):
            self.check_both(command, [path])
        self.check_both("utilization", [path, "--inside"])
        self.check_both("tile", [path])
        self.check_both("sharding", [path])
        self.check_both("equal", [path, path])
        maps = [text for text in maps_of(dump) if text != "KNOWN EMPTY"]
        if maps:
            self.check_maps(maps, folder)
        return True

    def check_maps(self, maps, folder):
        path = os.path.join(folder, "some.maps")
        write(path, "\n".join(maps[:6]) + "\n")
        for command in ("simplify", "inverse", "count"):
            self.check_both(command, [path])
        write(path, maps[0] + "\n")
        self.check_both("compose", [path])
        write(path, maps[0] + "\n" + maps[0] + "\n")
        self.check_both("equal", [path])


def items_of(document):
    """What has a line, in order."""
    for module in document.get("modules", []):
        for computation in module["computations"]:
            yield {k: v for k, v in computation.items() if k != "instructions"}
            yield from computation["instructions"]
    for key in ("maps", "counts", "operands", "inside", "tiles", "found",
                "left_out", "ranking", "kernels", "groups", "gone", "collectives",
                "reshards", "communication_groups", "shardings",
                "conditions", "cancels", "peaks", "places", "plans"):
        # The counts of `hazards` are numbers by name.
        if isinstance(document.get(key), list):
            yield from document[key]


def rows_of(document):
    """What has a row in the table of a command that is not of kernels."""
    if "places" not in document:
        for number, count in enumerate(document.get("counts", [])):
            yield {"index": number, **count}
    for pair in document.get("pairs", []):
        yield {"level": document.get("level"), "verdict": document["answer"],
               **pair}
    for each in document.get("passes", []):
        yield {"chain": document["chain"], **each}
    # A partitioned answer has the shardings that were used beside its pairs.
    for key in () if "pairs" in document else ("operands", "inside",
                                               "shardings", "plans"):
        yield from document.get(key, [])


def maps_of(dump):
    """The texts of a few maps, each once."""
    texts = {}
    for item in items_of(dump):
        for answer in item.get("output_to_input", []):
            texts.update((entry["text"], None) for entry in answer["maps"])
    return list(texts)


def corpus_files():
    """About CORPUS_FILES of those that are not large, evenly spread."""
    root = os.environ.get("INDEXICAL_CORPUS")
    if not root:
        return []
    files = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(root)
        for name in names if name.endswith((".hlo", ".txt", ".mlir")))
    files = [file for file in files if os.path.getsize(file) <= MOST_BYTES]
    step = max(1, len(files) // CORPUS_FILES)
    return files[::step]


# The distinct elements of this are not found within the budget.
def check_commands(test):
    """Every command has a row, and the formats of its row, no others."""
    _, _, errors = test.run([])
    commands = re.search("there are (.*)", errors).group(1).split(", ")
    rows = test.contract.format_names
    if sorted(commands) != sorted(rows):
        test.problem([], "the commands are %s, and the page's %s" % (
            commands, list(rows)))
    every = {form for row in rows.values() for form in row}
    for command, row in rows.items():
        for form in sorted(every | {"nothing"}):
            if form in row and form != "nothing":
                continue
            call = [command, "--format=" + form]
            status, output, errors = test.run(call, "")
            if status != 2 or (output and form not in ("json", "jsonl")):
                test.problem(call, "the page does not give it this format, and "
                             "the status is %d, not 2" % status)
            if form in ("json", "jsonl"):
                test.check_error(call, output)
            known = re.search("(?:it has|but one of) (.*)", errors)
            if not known or sorted(known[1].split(", ")) != sorted(row):
                test.problem(call, "the page gives it %s, and the message is:\n"
                             "%s" % (row, errors))


def check_help(test):
    """Commands, words, a command that is a word, and mistakes."""
    for arguments in ([], ["report"], ["wasted"], ["equal"], ["few", "lanes"]):
        test.check_both("help", arguments)
    for call in (["hlep", "--format=json"], ["report", "x", "--format=jsonl"],
                 ["count", "--budget=much", "--format=json"]):
        status, output, _ = test.run(call)
        if status not in (1, 2):
            test.problem(call, "status %d" % status)
        test.check_error(call, output)


def check_several_files(test, folder):
    """Documents, lines and tables of several files, one of them wrong."""
    wrong = os.path.join(folder, "wrong.hlo")
    write(wrong, "f { oops }\n")
    right = module("kernels.hlo")
    files = [right, wrong, os.path.join(folder, "missing.hlo"), right]
    some = os.path.join(folder, "several.maps")
    write(some, "(d0) -> (d0), domain: d0 in [0, 3]\n")
    maps = [some, wrong, some]
    calls = [(command, files) for command in (
        "dump", "utilization", "tile", "coalescing", "report")]
    calls += [(command, maps) for command in (
        "simplify", "compose", "inverse", "count")]
    old = os.path.join(folder, "gone.json")
    _, text, _ = test.run(["report", right, "--format=json"])
    write(old, text.replace('"shapes":["', '"shapes":["f32[7]","'))
    special = {len(calls): ["--group=pattern"],
               len(calls) + 1: ["--baseline=" + old],
               len(calls) + 2: ["--element=1,2"],
               len(calls) + 3: ["--search", "--instruction=r"],
               len(calls) + 5: ["--grid=4"] + WARPS,
               len(calls) + 7: ["--launch=xla"],
               len(calls) + 8: ["--group=op_name"],
               len(calls) + 9: ["--constraints"],
               len(calls) + 10: ["--cancels", "--live"]}
    tiles, between = module("tiles.hlo"), module("between.hlo")
    opened = module("open_tiles.mlir")
    turned, jacobian = module("turned.hlo"), module("jacobian.hlo")
    step = module("step.sm_8.0.hlo")
    calls += [("report", files), ("report", files), ("dump", files),
              ("tile", [tiles, wrong, tiles]),
              ("sharding", [module("sharded.hlo"), wrong,
                            module("sharded.hlo")]),
              ("kernel", [module("kernel.ttir"), wrong,
                          module("kernel.ttir")]),
              ("tile", [opened, wrong, opened]),
              ("report", [opened, wrong, opened]),
              ("report", [between, wrong, between]),
              ("dump", [opened, wrong, opened]),
              ("report", [turned, wrong, turned]),
              ("sparsity", [jacobian, wrong, jacobian]),
              ("report", [step, wrong, step]), ("hazards", files)]
    for each, (command, named) in enumerate(calls):
        for number, form in enumerate(("json", "jsonl")):
            call = [command] + named + ["--format=" + form]
            if command == "utilization":
                call.append("--inside")
            call += special.get(each, [])
            status, output, _ = test.run(call)
            if status != 1:
                test.problem(call, "status %d, not 1" % status)
            names = test.contract.formats[command][number]
            seen = []
            for value in documents_of(output):
                name = ("a-file-that-failed" if "error" in value else
                        test.definition_of_line(value, names))
                for problem in test.contract.problems(value, name):
                    test.problem(call, problem)
                if value.get("kind") != "total" and value.get("file") not in seen[-1:]:
                    seen.append(value.get("file"))
            if form == "json" and command == "report" and not any(
                    word.startswith("--baseline") for word in call):
                seen = joined_files(test, call, output, wrong, named)
            if seen != named:
                test.problem(call, "the answers are of %s" % seen)
    for command in ("coalescing", "report"):
        check_table(test, [command, right], test.contract.columns[1:])
        check_table(test, [command, right, "--launch=xla"],
                    test.contract.columns[1:])
        check_table(test, [command] + files, test.contract.columns)
    check_sizes(test, ["tile", module("tiles.hlo"), "--instruction=r",
                       "--search"])
    for options in (["--group=pattern"], ["--group=array"]):
        check_groups(test, ["report", module("moved.hlo")] + options)


def joined_files(test, call, output, wrong, named):
    """Several modules are one report, which names those that failed. Returns
    `named` if they are so."""
    documents = list(documents_of(output))
    failed = [each["file"] for each in documents[0].get("failed", [])]
    wanted = [name for name in named if name == wrong or
              not os.path.exists(name)]
    kernels = {kernel["file"] for kernel in documents[0].get("kernels", [])}
    if len(documents) != 1 or failed != wanted or not kernels <= set(named):
        return [len(documents), failed, sorted(kernels)]
    return named


def check_table(test, call, columns):
    """The table has the columns of the page, and the cells of the document."""
    _, output, _ = test.run(call + ["--format=csv"])
    _, document, _ = test.run(call + ["--format=json"])
    header, *rows = csv.reader(output.splitlines())
    if header != columns:
        test.problem(call, "the columns are %s, and the page's %s" % (
            header, columns))
        return
    wanted = []
    for each in documents_of(document):
        for kernel in each.get("kernels", []):
            for key, access in (("reads", "read"), ("writes", "write")):
                for entry in kernel[key]:
                    own = {key: kernel[key] for key in (
                        "module", "computation", "opcode", "line", "trips",
                        "time_use", "work", "alike", "predicted_us", "share",
                        "share_of_all",
                        "limited_by", "launch", "emitter", "device", "needed_bytes",
                        "ideal_us", "lost_us", "avoidable_us", "avoid_by",
                        "avoid_with") if key in kernel}
                    cells = {**own, **entry,
                             "file": kernel.get("file", each.get("file")),
                             "access": access,
                             "kernel": kernel["instruction"]}
                    wanted.append([cell_of(cells.get(c, "")) for c in columns])
        # The sums of a report are the last line.
        sums = each.get("totals", {}) if call[0] == "report" else {}
        if sums:
            cells = {key: sums[key] for key in (
                "predicted_us", "avoidable_us", "moved_bytes", "wasted_bytes")
                if key in sums}
            cells["access"] = "total"
            wanted.append([cell_of(cells.get(c, "")) for c in columns])
    if rows != wanted:
        test.problem(call, "the table is\n%s\nand the document\n%s" % (
            rows, wanted))


def check_groups(test, call):
    """The table of groups has the columns of the page, and the cells of the
    document."""
    columns = test.contract.group_columns[1:]
    _, output, _ = test.run(call + ["--format=csv"])
    _, document, _ = test.run(call + ["--format=json"])
    header, *rows = csv.reader(output.splitlines())
    wanted = [[row_cell_of(group.get(column)) for column in columns]
              for group in json.loads(document)["groups"]]
    if header != columns or not rows or rows != wanted:
        test.problem(call, "the table is\n%s\n%s\nand the document\n%s" % (
            header, rows, wanted))


def check_sizes(test, call):
    """The table of sizes has the keys of the document's."""
    _, output, _ = test.run(call + ["--format=csv"])
    _, document, _ = test.run(call + ["--format=json"])
    header, *rows = csv.reader(output.splitlines())
    keys = list(
        test.contract.definitions["sizes-that-are-exact"]["properties"])
    found = json.loads(document)["found"]
    if header != keys or not rows or rows != [
            ["" if each.get(key) is None else cell_of(each[key]) for key in keys]
            for each in found]:
        test.problem(call, "the table is\n%s\n%s" % (header, rows))


def row_cell_of(value):
    if isinstance(value, float):
        return "%.10g" % value
    return "" if value is None else cell_of(value)


def cell_of(value):
    return value if isinstance(value, str) else json.dumps(
        value, separators=(",", ":"))


def documents_of(text):
    """JSON values that follow one another."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at += 1  # the end of the line


def check_statuses(test, page):
    """Each status of the page's table is that of a call."""
    table = page[page.index("## Exit status"):]
    listed = [int(n) for n in re.findall(r"^\| (\d+) \|", table, re.M)]
    one = "(d0) -> (d0), domain: d0 in [0, 3]\n"
    other = "(d0) -> (d0), domain: d0 in [0, 4]\n"
    turned = ("f { p = f32[64,64] parameter(0) ROOT t = f32[64,64] "
              "transpose(p), dimensions={1,0} }")
    opaque = ("f { p = f32[2] parameter(0) ROOT r = f32[2] "
              "custom-call(p), custom_call_target=\"x\" }")
    calls = [
        (0, ["simplify"], one), (0, ["equal"], one + one),
        (1, ["simplify"], "(d0) -> (d1)"), (1, ["dump", "no such file"], ""),
        (1, ["dump", "--strict"], opaque), (0, ["dump"], opaque),
        (1, ["simplify", "-o", "/no such folder/file"], one),
        (2, ["simplify", "--format=yaml"], one), (2, ["simplfy"], one),
        (2, ["dump", "--top=1"], opaque), (2, [], ""),
        (3, ["equal"], one + other),
        (3, ["report", "--fail-above=0"], turned),
        (0, ["report", "--fail-above=1GB"], turned),
        (2, ["report", "--fail-above=much"], turned),
        (4, ["count"], HARD),
        (4, ["equal", "-", module("unknown.hlo")], opaque),
        (0, ["kernel", "--grid=4", "--shape=arg0=f32[256]"] + WARPS, KERNEL),
        (3, ["kernel", "--grid=5", "--shape=arg0=f32[256]"] + WARPS, KERNEL),
        (4, ["kernel", "--grid=4"] + WARPS, KERNEL),
        (4, ["kernel", "--grid=4"], KERNEL), (1, ["kernel"], KERNEL),
    ]
    for expected, call, text in calls:
        status, _, errors = test.run(call, text)
        if status != expected:
            test.problem(call, "status %d, not %d:\n%s" % (
                status, expected, errors))
        has_message = status in (1, 2) or (status == 3 and call[0] == "report")
        if has_message != bool(errors):
            test.problem(call, "status %d, and the message is `%s`" % (
                status, errors))
    if sorted(set(call[0] for call in calls)) != listed:
        test.problem([], "the page lists the statuses %s" % listed)


def check_itself(contract):
    """What is right passes, and each kind of mistake is seen."""
    right = {"schema": "indexical/1", "version": "1", "root": "r", "tiles": [
        {"instruction": "p", "path": [], "exact": True, "offsets": ["o0"],
         "sizes": ["2"], "strides": ["1"], "conditions": []}]}
    access = dict.fromkeys(
        ["moved_bytes", "accesses", "active_lanes", "bytes_used", "sectors", "sectors_fewest",
         "lines", "distinct_sectors", "wasted_bytes"], [0, 2])
    array = {"operand": 0, "instruction": "p", "shape": "f32[1]", "bytes": 4}
    measured = {**array, **access, "exact": True, "vector": 1,
                "coalesced": True, "pattern": "contiguous"}
    def with_tile(**changes):
        return {**right, "tiles": [{**right["tiles"][0], **changes}]}
    def without(key):
        tile = {k: v for k, v in right["tiles"][0].items() if k != key}
        return {**right, "tiles": [tile]}
    text = "(d0) -> (d0), domain: d0 in [0, 1]"
    entry = {"text": text, "dimensions": [{"name": "d0", "lower": 0, "upper": 1}],
             "ranges": [], "runtime": [], "results": ["d0"], "constraints": [],
             "empty": False}
    cases = [
        (True, "which-tiles", right),
        (False, "which-tiles", with_tile(more=1)),
        (False, "which-tiles", without("strides")),
        (False, "which-tiles", with_tile(exact=1)),
        (False, "which-tiles", with_tile(least=True)),
        (False, "which-tiles", {**right, "schema": "indexical/2"}),
        (False, "which-tiles", dict(reversed(right.items()))),
        (True, "a-map", entry),
        (False, "a-map", {**entry, "results": ["d0 + 1"]}),
        (False, "a-map", {**entry, "empty": True}),
        (True, "a-read", {**array, "reason": "x"}),
        (False, "a-read", array),
        (True, "a-read", {**measured, "pattern": "rows", "pattern_bits": 64,
                          "halo": True}),
        (False, "a-read", {**measured, "pattern": "rows of 8 B"}),
        (False, "a-read", {**measured, "halo": False}),
        (False, "a-read", {**measured, "remedy": "another machine"}),
        (False, "a-read", {**array, **access, "reason": "x"}),
        (False, "a-read", {**array, "accesses": 1}),
        (True, "a-source", {"computation": "f", "instruction": "p", "result": 0}),
        (False, "a-source", {"instruction": "p", "result": 0}),
        (False, "a-source", {"computation": "f", "result": 0}),
    ]
    for passes, name, value in cases:
        problems = list(contract.problems(value, name))
        if passes != (not problems):
            sys.exit("contract_test itself: %s %s\n%s" % (name, value, problems))
    contract.seen.clear()


def main(tool, page_path, schema_path, *modules):
    path = os.path.join(os.path.dirname(page_path), "formats_schema.py")
    spec = importlib.util.spec_from_file_location("formats_schema", path)
    formats_schema = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(formats_schema)
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    schema = formats_schema.schema_of(page)
    jsonschema.Draft202012Validator.check_schema(schema)
    tables = formats_schema.tables_of(page)
    contract = Contract(
        schema, formats_schema.formats_of(tables),
        formats_schema.format_names_of(tables), formats_schema.columns_of(tables),
        formats_schema.columns_of(tables, "csv-of-groups"),
        formats_schema.columns_of_rows(tables),
        [formats_schema.words_of(tables, name)
         for name in ("patterns", "remedies")])
    check_itself(contract)
    test = Test(tool, contract)
    with open(schema_path, encoding="utf-8") as file:
        if file.read() != formats_schema.schema_text(page):
            test.problem([], "%s is not what the page's tables say; write it: "
                         "bazel run //docs:write_formats_schema" % schema_path)
    with open(os.path.join(os.path.dirname(page_path), "formats.md"),
              encoding="utf-8") as file:
        check_statuses(test, file.read())
    check_commands(test)
    with tempfile.TemporaryDirectory() as folder:
        for path in modules:
            if path.endswith((".ttir", ".ttgir", ".ll")):  # no module
                continue
            if not test.check_module(path, folder):
                test.problem(["dump", path], "refused")
        check_special(test, folder)
        check_kernels(test, folder)
        check_hazards(test, folder)
        check_local(test, folder)
        check_layouts(test)
        check_help(test)
        check_several_files(test, folder)
        with tempfile.TemporaryDirectory() as dumps:
            check_passes(test, dumps)
            check_values(test, dumps)
        unseen = {(name, key) for name, definition in contract.definitions.items()
                  for key in definition.get("properties", {})}
        unseen -= contract.seen | IN_NO_DOCUMENT
        if unseen:
            test.problem([], "keys of the page that no document has: %s" %
                         sorted(unseen))
        for command, forms in contract.formats.items():
            for form, definitions in zip(("json", "jsonl"), forms):
                if (definitions and command in contract.format_names and
                        contract.documents[command, form] < 5):
                    test.problem([command], "only %d documents in %s" % (
                        contract.documents[command, form], form))
        files = corpus_files()
        done = sum(test.check_module(path, folder) for path in files)
        if files and done < len(files) * 3 / 4:
            test.problem([], "of %d modules of the corpus only %d were read" % (
                len(files), done))
    print("contract_test: %d documents; the corpus: %s" % (
        sum(contract.documents.values()),
        "%d of %d modules" % (done, len(files)) if files else
        "none"))
    if not files:
        print("SKIPPED: INDEXICAL_CORPUS is not set")
    for problem in test.problems[:40]:
        print(problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
