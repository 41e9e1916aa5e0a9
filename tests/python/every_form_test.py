#!/usr/bin/env python3
"""One answer in every form: every command that answers as JSON says the same
numbers, in the same order, as text, JSON, JSON lines, CSV, a page and in Python.

    every_form_test.py MODULE INDEXICAL CONTRACT_FOLDER

The commands and their forms are those that `indexical help` lists, so that a
new one without a call here fails. The document of JSON is the measure:

lines   Each item of the document's lists is a line, with the same values, in
        the same order.
CSV     Each row is an item of the document: the cells that both have are equal,
        and rows are in the order of items.
page    Each item of the document is in the page's data, in the same order.
text    Items are named in the same order. Each number is one of the document:
        itself, rounded, in another unit, as a part of a whole, or how many
        items a list has.
Python  The object, turned back, is the document, and its text is the text.
"""

import base64
import csv
import html
import io
import json
import os
import re
import subprocess
import sys
import zlib

import built

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
         "ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6, "%": 0.01}
PROBLEMS = []


def problem(words, *what):
    PROBLEMS.append("indexical %s: %s" % (
        " ".join(words), " ".join(map(str, what))))


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def __call__(self, words, form="text"):
        call = [self.path] + list(words) + ["--format=" + form]
        done = subprocess.run(
            call, capture_output=True, text=True, check=False, cwd=self.folder,
            env={**os.environ, "COLUMNS": "4000"})
        if done.returncode not in (0, 3, 4):
            problem(words, "as", form, "has status", done.returncode,
                    done.stderr[:300])
        return done.stdout


# --- Parts of a document ----------------------------------------------------


def objects_of(value):
    """Every object in it, in order, the outer one first."""
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from objects_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from objects_of(member)


def leaves_of(value):
    if isinstance(value, dict):
        for member in value.values():
            yield from leaves_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from leaves_of(member)
    else:
        yield value


def lists_of(value):
    """Each list of objects that is a member of the document."""
    return {key: member for key, member in value.items()
            if isinstance(member, list) and member
            and all(isinstance(each, dict) for each in member)}


def plain(item):
    """What an object says itself, without the objects in it."""
    return {key: value for key, value in item.items()
            if next(objects_of(value), None) is None}


def within(value, around):
    """Every object in it, in order, with what the objects around it say."""
    if isinstance(value, dict):
        own = {**around, **plain(value)}
        yield own
        for member in value.values():
            yield from within(member, own)
    elif isinstance(value, list):
        for member in value:
            yield from within(member, around)


# --- Lines, tables, pages -----------------------------------------------------


def check_lines(words, document, text):
    """Items in order, for each list of the document."""
    lines = [json.loads(line) for line in text.splitlines()]
    if lines == [document]:
        return
    # The summary has the lists that are not lines of their own.
    objects = list(objects_of(lines))
    for key, items in lists_of(document).items():
        if key == "modules":  # a line says of which module it is
            items = [each for each in objects_of(items) if "instruction" in each]
        at = 0
        for item in items:
            # A line has the keys of its head besides, and `kind`.
            wanted = {name: value for name, value in plain(item).items()
                      if name not in ("kind", "index")}
            while at < len(objects) and not all(
                    objects[at].get(name) == value
                    for name, value in wanted.items()):
                at += 1
            if at == len(objects):
                problem(words, "no line of", key, "is, in order,", wanted)
                return
            at += 1


def cell_of(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " to ".join(map(cell_of, value))
    return str(value)


def is_cell(cell, value):
    try:
        number = float(cell)
    except ValueError:
        return cell == cell_of(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return abs(number - value) <= 1e-9 * max(1, abs(value))
    return cell == cell_of(value)


def check_table(words, document, text):
    rows = list(csv.DictReader(io.StringIO(text)))
    if not rows:
        problem(words, "the table has no row")
    if rows and rows[-1].get("access") == "total":
        total = rows.pop()
        for key, value in document["totals"].items():
            if total.get(key) and not is_cell(total[key], value):
                problem(words, "the table's total has", key, total[key],
                        "and JSON", value)
    items, at = list(within(document, {})), 0
    for row in rows:
        cells = {key: cell for key, cell in row.items() if cell != ""}

        def shared(item, cells=cells):
            return {key for key, cell in cells.items()
                    if key in item and (isinstance(item[key], list)
                                        or is_cell(cell, item[key]))}

        # The item that has most of the row's cells, at or behind the last one.
        best = max(range(at, len(items)), default=None,
                   key=lambda k: (len(shared(items[k])), -k))
        if best is None or len(shared(items[best])) < 2:
            problem(words, "no item, in order, has the row", cells)
            return
        other = [key for key, cell in cells.items()
                 if key in items[best] and key not in shared(items[best])]
        if other:
            problem(words, "the row", cells, "has other", sorted(other), "than",
                    items[best])
            return
        at = best


def page_data(text):
    packed = re.search(r'id="data">([^<]*)<', text).group(1)
    data = json.loads(zlib.decompress(base64.b64decode(html.unescape(packed))))

    def restored(value):
        if not isinstance(value, list):
            return value
        if value and isinstance(value[0], int) and value[0] < 0:
            return [restored(each) for each in value[1:]]
        made = {}
        for key, member in zip(data["shapes"][value[0]], value[1:]):
            if isinstance(member, int) and key in data["keys"]:
                made[key] = data["strings"][member]
            elif isinstance(member, int) and key in data["list_keys"]:
                made[key] = [data["strings"][k] for k in data["lists"][member]]
            else:
                made[key] = restored(member)
        return made

    return [restored(each) for each in data["documents"]]


def check_page(words, document, text):
    if 'id="data">' not in text:
        # A page of sections is the text, and what it draws.
        shown = html.unescape(re.sub(r"<[^>]*>", " ", text))
        for name in names_of(document):
            if name not in shown:
                problem(words, "the page does not name", name)
        return
    pages = page_data(text)
    for key, items in lists_of(document).items():
        found = [each for page in pages for each in page.get(key, [])]
        if [plain(each) for each in items] != [
                {name: value for name, value in plain(each).items()
                 if name in items[k]}
                for k, each in enumerate(found[:len(items)])]:
            problem(words, "the page has other", key)


# --- Text ---------------------------------------------------------------------

NAMES = ("instruction", "name", "after", "kernel")


def names_of(document):
    """The names of the items of the main list, in order."""
    best = []
    for key, items in lists_of(document).items():
        if key == "ranking":
            return [each["instruction"] for each in items]
        if key == "arguments":  # of a kernel, whose accesses are the items
            continue
        for name in NAMES:
            if all(name in each for each in items) and len(items) > len(best):
                best = [str(each[name]) for each in items]
    return best


def numbers_of(document):
    """Every number that the document says, and how long its lists are."""
    found = set()
    for leaf in leaves_of(document):
        if isinstance(leaf, bool):
            continue
        if isinstance(leaf, (int, float)):
            found.update((float(leaf), leaf / 8))  # bits, in bytes
        elif isinstance(leaf, str):
            found.update(map(float, re.findall(r"\d+(?:\.\d+)?", leaf)))
    found.update(bound_of(document))
    for each in objects_of(document):
        for member in each.values():
            if isinstance(member, list):
                found.add(float(len(member)))
                found.add(float(len(member) - 1))
    return found


def bound_of(document):
    """The roofline bound of a report: what is predicted without what is lost."""
    totals = document.get("totals", {})
    if "predicted_us" not in totals:
        return []
    return [totals["predicted_us"] - sum(
        each.get("lost_us", 0) for each in document["kernels"])]


def is_said(number, digits, unit, known, parts):
    """Whether a number of the text is one of the document's."""
    half = 0.51 * 10.0 ** -digits
    factor = UNITS.get(unit, 1)
    if any(abs(number * factor - each) <= half * factor + 1e-9
           for each in known):
        return True
    factor = {"%": 100, None: 1}.get(unit, 0)
    return factor > 0 and digits < 3 and any(
        abs(number - factor * each) <= half + 1e-9 for each in parts)


def parts_of(document):
    """Every number of an object as a part of another one there, or of the one
    of the same name in the totals."""
    found = set()
    totals = document.get("totals", {})
    for each in objects_of(document):
        numbers = {key: value for key, value in each.items()
                   if isinstance(value, (int, float)) and value > 0
                   and not isinstance(value, bool)}
        for key, value in numbers.items():
            wholes = list(numbers.values())
            wholes += [of for of in [totals.get(key), totals.get("predicted_us")]
                       if isinstance(of, (int, float)) and of > 0]
            found.update(value / of for of in wholes)
    found.update(bound / totals["predicted_us"] for bound in bound_of(document))
    return found


def check_text(words, document, text, free):
    """`free`: expressions of what text says beside the document."""
    at = 0
    for name in names_of(document):
        place = re.search(r"(?<![\w.])%s(?![\w])" % re.escape(name), text[at:])
        if not place:
            problem(words, "text does not name", name, "in order")
            break
        at += place.start()
    known, parts = numbers_of(document), parts_of(document)
    rest = text
    for each in free:
        rest = re.sub(each, " ", rest)
    missing = []
    for match in re.finditer(
            r"(?<![\w.])(\d+(?:,\d{3})*(?:\.(\d+))?) ?(%|[kMGT]?B\b|[num]?s\b)?",
            rest):
        digits = len(match.group(2) or "")
        # `131,072`, or sizes in a row.
        readings = [[match.group(1).replace(",", "")],
                    match.group(1).split(",")]
        if not any(all(is_said(float(each), digits, match.group(3), known, parts)
                       for each in reading) for reading in readings):
            missing.append(rest[max(0, match.start() - 30):match.end() + 10])
    if missing:
        problem(words, "JSON does not have the numbers in",
                [each.replace("\n", "|") for each in missing[:4]])
    return sum(1 for _ in re.finditer(r"\d+", rest))


# --- The calls ----------------------------------------------------------------

# What text says beside the document, of every command: indices of maps and
# shapes, versions, steps of names.
FREE = [r"[\w/.-]+\.(?:hlo|mlir|ttir|ttgir|maps|py)(?::\d+)*",  # files, lines
        r"\([^()\n]*\) -> \([^\n]*",  # maps
        r"--[\w=.]+"]
# What text says of a command that is a number of the tool and not of the answer.
OF_COMMAND = {
    "report": [r"\(--top=N shows N\)", r"less than 1%", r"\d+ more",
               r"\d+ x \d+ x \d+"],
    # The parts of the predicted time, of which JSON has the sum.
    "coalescing": [r"then what takes longest of [^\n]*"],
    "help": [r".*"],  # it is about numbers that a user gives
}

MAP = "(d0, d1) -> (d0 * 4 floordiv 4, d1 + 3), domain: d0 in [0, 7], d1 in [0, 4]"


def calls(indexical, folder):
    """Words of each command, and what makes the same answer in Python."""
    at = lambda name: os.path.join(folder, name)
    maps = at("some.maps")

    def program(name):
        import pathlib
        return indexical.Program(pathlib.Path(at(name)))

    return [
        (["report", at("launches.hlo"), "--top=1000", "--maps"],
         lambda: indexical.report(program("launches.hlo"), top=1000)),
        (["report", at("between.hlo"), "--top=1000", "--maps"],
         lambda: indexical.report(program("between.hlo"), top=1000)),
        (["coalescing", at("kernels.hlo"), "--instruction=k"],
         lambda: indexical.coalescing(program("kernels.hlo"),
                                      instruction="k")),
        (["utilization", at("cut.hlo"), "--inside"],
         lambda: indexical.utilization(program("cut.hlo"), inside=True)),
        (["tile", at("tiles.hlo")],
         lambda: indexical.tile(program("tiles.hlo"))),
        (["tile", at("cut.hlo"), "--search", "--top=3"],
         lambda: indexical.tile(program("cut.hlo"), search=True, top=3)),
        (["kernel", at("kernel.ttir"), "--grid=4", "--arg=n=400",
          "--shape=x=f32[400]"], None),
        (["hazards", at("moved.hlo")],
         lambda: indexical.hazards(program("moved.hlo"))),
        (["equal", at("meanings.hlo"), at("meanings_after.hlo")],
         lambda: indexical.equal(program("meanings.hlo"),
                                 program("meanings_after.hlo"))),
        (["passes", at("meanings.hlo"), at("meanings_after.hlo")], None),
        (["dump", at("cut.hlo"), "--direction=both"], None),
        (["simplify", maps], None),
        (["compose", maps], None),
        (["inverse", maps], None),
        (["count", maps], None),
        (["sparsity", at("jacobian.hlo"), "--seeds", "--entries"],
         lambda: indexical.sparsity(program("jacobian.hlo"))),
        (["layout", at("layouts.ttgir")], None),
        (["sharding", at("sharded.hlo")], None),
        (["reshard", "--from={devices=[4,1]<=[4]}", "--to={devices=[1,4]<=[4]}",
          "--global-shape=f32[8,8]"], None),
        (["help", "wasted"], None),
    ]


def main():
    built.use(sys.argv[1])
    import indexical
    tool_path, folder = map(os.path.abspath, sys.argv[2:4])
    work = os.environ.get("TEST_TMPDIR", "/tmp")
    with open(os.path.join(work, "some.maps"), "w", encoding="utf-8") as file:
        file.write(MAP + "\n")
    tool = Tool(tool_path, work)
    for name in os.listdir(folder):
        link = os.path.join(work, name)
        if not os.path.exists(link):
            os.symlink(os.path.join(folder, name), link)
    known = json.loads(tool(["help"], "json"))["commands"]
    forms = {each["name"]: each["formats"] for each in known}
    asked, numbers, checked = set(), 0, 0
    for words, made in calls(indexical, work):
        command = words[0]
        asked.add(command)
        output = tool(words, "json")
        try:
            document = json.loads(output)
        except ValueError:
            problem(words, "is no document:", output[:200])
            continue
        text = tool(words)
        numbers += check_text(words, document, text,
                              FREE + OF_COMMAND.get(command, []))
        for form, check in (("jsonl", check_lines), ("csv", check_table),
                            ("html", check_page)):
            if form == "csv" and words[0] == "tile" and "--search" not in words:
                continue  # only a search has a table
            if form in forms[command]:
                check(words, document, tool(words, form))
                checked += 1
        if made is None:
            continue
        answer = made()
        if answer.to_dict() != document:
            problem(words, "Python has another document")
        if command == "sparsity":  # an object has all, and its text the sums
            text = tool(words[:2])
        if str(answer).split() != text.split():
            problem(words, "Python has another text:", str(answer)[:300])
    for name, own in forms.items():
        if "json" in own and name not in asked:
            problem([name], "is not asked: no call is for it")
    for each in PROBLEMS[:20]:
        print(each)
    print("%d commands, %d other forms, %d numbers of texts" % (
        len(asked), checked, numbers))
    return 1 if PROBLEMS or numbers < 300 else 0


sys.exit(main())
