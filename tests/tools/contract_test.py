#!/usr/bin/env python3
"""Holds what every command prints to docs/formats.md.

  contract_test.py INDEXICAL FORMATS_MD FORMATS_SCHEMA_JSON MODULE...

The page's tables are a JSON Schema (docs/formats_schema.py). Every command runs
on every module, and on modules of the corpus where INDEXICAL_CORPUS names one;
each document, and each of the JSON lines, has to be as the tables say: the
keys, their order, their types, and which of them may be absent. Beyond the
schema:

- a map's text is what its other keys say, and its variables and results fit the
  arrays that it is between;
- JSON lines hold what the document holds;
- every key of the page is in some document, so that none is described in vain;
- every command has a row in the table of formats, and refuses the formats that
  the row does not have;
- every exit status of the page is that of some call.
"""

import collections
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

CORPUS_FILES = 60
# Larger ones take long, and hold the same keys.
MOST_BYTES = 6000
TIMEOUT = 30

# Keys that no module here shows.
NOT_SHOWN = {
}

Call = collections.namedtuple("Call", "command arguments")


class Contract:
    """The schema, and what of it was seen."""

    def __init__(self, schema, formats):
        self.definitions = schema["$defs"]
        self.formats = formats
        self.validators = {}
        self.seen = set()  # (definition, key)
        self.documents = collections.Counter()  # of a command and a format

    def definition_of(self, schema, value):
        """The definition that an object's schema is, and its name."""
        for each in [schema] + schema.get("anyOf", []):
            name = each.get("$ref", "").removeprefix("#/$defs/")
            found = self.definitions.get(name)
            if found and "anyOf" in found:
                return self.definition_of(found, value)
            if found and found.get("type") == "object":
                return name, found
        return None, None

    def objects(self, value, schema):
        """Every object in a value, with its definition's name."""
        if isinstance(value, dict):
            name, definition = self.definition_of(schema, value)
            yield name, definition, value
            for key, each in value.items():
                yield from self.objects(each, definition["properties"][key])
        elif isinstance(value, list):
            if "$ref" in schema:
                schema = self.definitions[schema["$ref"].split("/")[-1]]
            for each in value:
                yield from self.objects(each, schema.get("items", {}))

    def validator(self, name):
        if name not in self.validators:
            self.validators[name] = jsonschema.Draft202012Validator(
                {"$ref": "#/$defs/" + name, "$defs": self.definitions})
        return self.validators[name]

    def problems(self, value, name):
        """What is wrong with a document or line of this definition."""
        for error in self.validator(name).iter_errors(value):
            # The branch of `if` says it better than the branch itself.
            while error.context:
                error = error.context[0]
            yield "%s: %s" % (error.json_path, error.message[:300])
            return
        for found, definition, each in self.objects(
                value, {"$ref": "#/$defs/" + name}):
            self.seen.update((found, key) for key in each)
            wanted = [k for k in definition["properties"] if k in each]
            # The two lists of answers begin with what they are asked from.
            if found != "an-answer" and list(each) != wanted:
                yield "%s: the order of keys is %s, not %s" % (
                    found, list(each), wanted)
            if found in LAWS:
                yield from ("%s: %s" % (found, problem)
                            for problem in LAWS[found](each))


def bounds(entry):
    return "[%s, %s]" % (
        "-inf" if entry["lower"] is None else entry["lower"],
        "inf" if entry["upper"] is None else entry["upper"])


def text_of(entry):
    """A map's text, from its parts."""
    if entry["empty"]:
        return "KNOWN EMPTY"
    lists = ["(%s)", "[%s]", "{%s}"]
    text, domain = "", []
    for key, braces in zip(("dimensions", "ranges", "runtime"), lists):
        names = [variable["name"] for variable in entry[key]]
        if names or key == "dimensions":
            text += braces % ", ".join(names)
        domain += ["%s in %s" % (v["name"], bounds(v)) for v in entry[key]]
    for constraint in entry["constraints"]:
        expression = constraint["expression"]
        if re.fullmatch(r"[A-Za-z_][\w.]*", expression):
            expression = "(%s)" % expression
        domain.append("%s in %s" % (expression, bounds(constraint)))
    # The text sorts its lines, the list its expressions.
    variables = len(domain) - len(entry["constraints"])
    domain[variables:] = sorted(domain[variables:])
    text += " -> (%s)" % ", ".join(entry["results"])
    return text + (", domain: " + ", ".join(domain) if domain else "")


def check_map(entry):
    expressions = [each["expression"] for each in entry["constraints"]]
    if expressions != sorted(expressions):
        yield "the constraints are not sorted: %s" % expressions
    if entry["text"] != text_of(entry):
        yield "the text is `%s`, and its parts are `%s`" % (
            entry["text"], text_of(entry))


def check_answers(item):
    """The answers of a computation or an instruction fit its arrays."""
    for key in ("output_to_input", "input_to_output"):
        for answer in item.get(key, []):
            if (answer["result"] >= len(item["results"]) or
                    answer["operand"] >= len(item["operands"])):
                yield "an answer about no array"
                continue
            first = key == "output_to_input"
            if list(answer)[:2] != sorted(list(answer)[:2], reverse=first):
                yield "%s begins with %s" % (key, list(answer)[:2])
            rank = len(item["results"][answer["result"]]["dimensions"])
            for entry in answer["maps"]:
                own = entry["dimensions" if first else "results"]
                if not entry["empty"] and len(own) != rank:
                    yield "the rank is %d, and the map `%s`" % (
                        rank, entry["text"])
            if not answer["maps"] and answer["precision"] != "exact":
                yield "no piece, and not exact"
        if key in item and len(item["results"]) == 1:
            if len(item[key]) != len(item["operands"]):
                yield "not every operand has an answer"


LAWS = {
    "a-map": check_map,
    "a-line-of-a-map": check_map,
    "a-computation": check_answers,
    "an-instruction": check_answers,
    "a-line-of-a-computation": check_answers,
    "a-line-of-an-instruction": check_answers,
}


class Test:
    def __init__(self, tool, contract):
        self.tool, self.contract = tool, contract
        self.problems = []
        self.refused = collections.Counter()

    def problem(self, call, text):
        self.problems.append("indexical %s: %s" % (" ".join(call), text))

    def run(self, call, text=None):
        """The status of a call, and its two outputs."""
        done = subprocess.run(
            [self.tool] + list(call), input=text, capture_output=True,
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
            if output or "error: " not in errors:
                self.problem(call, "status 1, and no error alone:\n" + errors)
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

    def definition_of_line(self, value, names):
        """Lines say what they are."""
        for name in names:
            properties = self.contract.definitions[name]["properties"]
            if properties.get("kind", {}).get("const") == value.get("kind"):
                return name
        return names[0]

    def check_both(self, command, arguments):
        """The document, and the lines, which hold the same items."""
        document = self.check(command, arguments, "json")
        documents, lines = self.contract.formats[command]
        if document and lines and lines == documents:
            if self.check(command, arguments, "jsonl") != document:
                self.problem([command] + arguments, "jsonl is not json")
        elif document and lines:
            lines = [line for line in self.check(command, arguments, "jsonl") or []
                     if line["kind"] != "summary"]
            items = list(items_of(document[0]))
            heads = {"schema", "version", "kind", "module", "computation", "entry",
                     "index", "of", "root"}
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
        return document and document[0]

    def check_module(self, path, folder):
        """Every command on one module; false where it is refused."""
        dump = self.check_both("dump", [path, "--direction=both"])
        if dump is None:
            return False
        for command in ("report", "coalescing"):
            self.check_both(command, [path])
        self.check_both("utilization", [path, "--inside"])
        self.check_both("tile", [path])
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


    def check_files(self, command, paths):
        """Several files, of which one is wrong: `file`, and all but that one."""
        for form in ("json", "jsonl"):
            call = [command] + paths + ["--format=" + form]
            if command == "utilization":
                call.append("--inside")
            status, output, _ = self.run(call)
            if status != 1:
                self.problem(call, "status %d" % status)
            values = list(values_of(output))
            names = self.contract.formats[command][form == "jsonl"]
            for value in values:
                name = ("a-file-that-is-wrong" if "error" in value
                        else self.definition_of_line(value, names))
                for problem in self.contract.problems(value, name):
                    self.problem(call, problem)
                    break
            files = [value["file"] for value in values if "file" in value]
            if list(dict.fromkeys(files)) != paths:
                self.problem(call, "the files are %s" % files)


def values_of(text):
    """The JSON values that stand one after another."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def items_of(document):
    """What has a line, in order."""
    for module in document.get("modules", []):
        for computation in module["computations"]:
            yield {k: v for k, v in computation.items() if k != "instructions"}
            yield from computation["instructions"]
    for key in ("maps", "counts", "operands", "inside", "tiles", "kernels"):
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


def module(name):
    """The path of a module of contract/."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(here, "contract", name)


def check_special(test, folder):
    """Calls for what only some option or some input shows."""
    for arguments in (
            ["dump", module("kernels.hlo"), "--from=k", "--to=p"],
            ["dump", module("kernels.hlo"), "--instruction=k"],
            ["dump", module("kernels.hlo"), "--layout=physical"],
            ["dump", module("places.hlo"), "--precision=cover"],
            ["tile", module("tiles.hlo"), "--instruction=r", "--tile=a,b",
             "--try=2,4", "--try=2,8"],
            ["tile", module("tiles.hlo"), "--instruction=r", "--tile=2,8"],
            ["tile", module("tiles.hlo"), "--instruction=boxes",
             "--tile=4,4"],
            ["utilization", module("kernels.hlo"), "--tile=8,8", "--at=8,8"],
            ["equal", module("tiles.hlo"), module("other.hlo")],
            ["equal", module("kernels.hlo"), module("kernels.hlo")],
            ["report", module("kernels.hlo"), "--device=mi300x", "--top=2"],
    ):
        if test.check_both(arguments[0], arguments[1:]) is None:
            test.problem(arguments, "refused")
    maps = {
        "equal": "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 4]"
                 "\n(d0) -> (d0), domain: d0 in [0, 3]",
        "count": HARD,
        "simplify": "(d0) -> (d0), domain: d0 in [0, inf]\nKNOWN EMPTY",
        "inverse": "(d0, d1)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 3], "
                   "d1 in [0, 1], s0 in [0, 3], d0 + s0 in [0, 5]",
    }
    for command, text in maps.items():
        path = os.path.join(folder, command + ".maps")
        write(path, text + "\n")
        if test.check_both(command, [path]) is None:
            test.problem([command], "refused")


def check_several(test, folder):
    """Every command that takes several files, one of them wrong."""
    programs = [module("kernels.hlo"), os.path.join(folder, "wrong"),
                os.path.join(folder, "missing"), module("tiles.hlo")]
    maps = [os.path.join(folder, name)
            for name in ("a.maps", "wrong", "missing", "b.maps")]
    write(programs[1], "f {")
    for path in (maps[0], maps[3]):
        write(path, "(d0) -> (d0), domain: d0 in [0, 3]\n")
    for command in test.contract.formats:
        if command in ("simplify", "compose", "inverse", "count"):
            test.check_files(command, maps)
        elif command not in ("equal", "help", "completion"):
            test.check_files(command, programs)


# The distinct elements of this are not found within the budget.
HARD = ("(d0, d1, d2, d3, d4) -> ((d0 * d1 * d2 * d3 + d4 * d1) mod 1000003), "
        "domain: d0 in [0, 1000], d1 in [0, 1000], d2 in [0, 1000], "
        "d3 in [0, 1000], d4 in [0, 1000000]")


def check_commands(test):
    """Every command has a row, and only the formats of its row."""
    _, _, errors = test.run([])
    commands = re.search("there are (.*)", errors).group(1).split(", ")
    rows = list(test.contract.formats)
    if sorted(commands) != sorted(rows):
        test.problem([], "the commands are %s, and the page's %s" % (
            commands, rows))
    for command, forms in test.contract.formats.items():
        for form, definitions in zip(("json", "jsonl"), forms):
            if not definitions:
                call = [command, "-", "--format=" + form]
                status, output, _ = test.run(call, "")
                if status != 2 or output:
                    test.problem(call, "a format that the page does not give "
                                 "it ends with status %d, not 2" % status)


def check_statuses(test, page):
    """Each status of the page's table is that of a call."""
    with open(module("kernels.hlo"), encoding="utf-8") as file:
        kernels = file.read()
    table = page[page.index("### Exit status"):]
    listed = [int(n) for n in re.findall(r"^\| (\d+) \|", table, re.M)]
    one = "(d0) -> (d0), domain: d0 in [0, 3]\n"
    other = "(d0) -> (d0), domain: d0 in [0, 4]\n"
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
        (4, ["count"], HARD),
        (4, ["equal", "-", module("kernels.hlo")], kernels),
    ]
    for expected, call, text in calls:
        status, _, errors = test.run(call, text)
        if status != expected:
            test.problem(call, "status %d, not %d:\n%s" % (
                status, expected, errors))
        if (status in (1, 2)) != bool(errors):
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
        ["accesses", "active_lanes", "bytes_used", "sectors", "sectors_fewest",
         "lines", "distinct_sectors", "wasted_bytes"], [0, 2])
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
        (True, "a-read", {"operand": 0, "instruction": "p", "bytes": 4,
                          "reason": "x"}),
        (False, "a-read", {"operand": 0, "instruction": "p", "bytes": 4}),
        (False, "a-read", {"operand": 0, "instruction": "p", "bytes": 4,
                           **access, "reason": "x"}),
        (False, "a-read", {"operand": 0, "instruction": "p", "bytes": 4,
                           "accesses": 1}),
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
    contract = Contract(
        schema, formats_schema.formats_of(formats_schema.tables_of(page)))
    check_itself(contract)
    test = Test(tool, contract)
    with open(schema_path, encoding="utf-8") as file:
        if file.read() != formats_schema.schema_text(page):
            test.problem([], "%s is not what the page's tables say; write it: "
                         "bazel run //docs:write_formats_schema" % schema_path)
    check_statuses(test, page)
    check_commands(test)
    with tempfile.TemporaryDirectory() as folder:
        for path in modules:
            if not test.check_module(path, folder):
                test.problem(["dump", path], "refused")
        check_special(test, folder)
        check_several(test, folder)
        unseen = {(name, key) for name, definition in contract.definitions.items()
                  for key in definition.get("properties", {})} - contract.seen
        if unseen != set(NOT_SHOWN):
            test.problem([], "keys of the page that no document has, or that "
                         "one has after all: %s" %
                         sorted(unseen ^ set(NOT_SHOWN)))
        for command, forms in contract.formats.items():
            for form, definitions in zip(("json", "jsonl"), forms):
                if definitions and contract.documents[command, form] < 5:
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
        "SKIPPED, INDEXICAL_CORPUS is not set"))
    for problem in test.problems[:40]:
        print(problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
