#!/usr/bin/env python3
"""A report says one thing in every form: the same numbers in the same order.

    one_answer_test.py INDEXICAL MODULE...

Each module, and all of them as a folder, are reported as text, JSON, JSON lines,
CSV and a page.

- The sums (predicted, avoidable, moved, wasted) are those of `totals` in each
  form, and what the kernels add up to.
- The ranking holds each kernel once in the page; its rows add up to the sums;
  none of it takes less than 1% of the time elsewhere. Text has its rows, in its
  order, with its numbers.
- Kernels stand in the order of what is avoidable, in JSON, CSV, lines and page.
- A folder is one document, whose sums are those of its files.
"""

import base64
import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
SUMS = ("predicted_us", "avoidable_us", "moved_bytes", "wasted_bytes")
PROBLEMS = []


def problem(*words):
    PROBLEMS.append(" ".join(map(str, words)))


def run(tool, words):
    call = subprocess.run([tool, "report"] + words, capture_output=True,
                          text=True, env={**os.environ, "COLUMNS": "4000"},
                          check=False)
    if call.returncode != 0:
        problem(words, "has status", call.returncode, call.stderr[:300])
    return call.stdout


def is_close(a, b, digits=1e-6):
    return abs(a - b) <= digits * max(1, abs(a), abs(b))


def microseconds(text):
    """`11.4 ms` in microseconds, and the half of its last digit."""
    number, unit = text.split()
    digits = len(number.partition(".")[2])
    return float(number) * UNITS[unit], 0.51 * 10 ** -digits * UNITS[unit]


def is_shown_as(number, text):
    shown, half = microseconds(text)
    return abs(number - shown) <= half + 1e-6


def page_of(text):
    """The data of a page, unpacked."""
    packed = re.search(r'id="data">([^<]*)<', text).group(1)
    data = json.loads(zlib.decompress(base64.b64decode(html.unescape(packed))))

    def restored(value):
        if not isinstance(value, list):
            return value
        if value[0] < 0:
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

    return data["totals"], [restored(each) for each in data["documents"]]


def place(kernel):
    return (kernel.get("file"), kernel["module"], kernel["computation"],
            kernel["instruction"])


def time_of(kernel):
    return kernel.get("predicted_us", 0) * kernel["trips"]


def check_order(what, kernels):
    order = [kernel.get("avoidable_us", 0) for kernel in kernels]
    if order != sorted(order, reverse=True):
        problem(what, "is not in the order of what is avoidable:", order[:20])


def check_totals(words, document, lines, rows, page):
    """The sums are the same everywhere, and what the kernels add up to."""
    totals, kernels = document["totals"], document["kernels"]
    for key, of in (("predicted_us", time_of),
                    ("avoidable_us", lambda k: k.get("avoidable_us", 0)),
                    ("moved_bytes", lambda k: k["moved_bytes"]),
                    ("wasted_bytes", lambda k: k["wasted_bytes"])):
        sum_ = sum(map(of, kernels))
        if not is_close(totals.get(key, 0), sum_):
            problem(words, key, "is", totals.get(key), "and the kernels are",
                    sum_)
    last = [line for line in lines if line["kind"] in ("summary", "total")][-1]
    for name, found in (("lines", last), ("the table", rows[-1]),
                        ("the page", page)):
        for key in SUMS:
            value = found.get(key) or 0
            if not is_close(float(value), totals.get(key, 0), 1e-9):
                problem(words, name, "has", key, value, "and JSON",
                        totals.get(key))
    if rows[-1]["access"] != "total":
        problem(words, "the table does not end with its sums:", rows[-1])


def check_kernels(words, document, lines, rows, pages):
    """The order of kernels is one."""
    check_order(words, document["kernels"])
    order = [place(kernel) for kernel in document["kernels"]]
    if order != [place(kernel) for kernel in pages[0]["kernels"]]:
        problem(words, "the page has another order")
    table = []
    for row in rows[:-1]:
        own = (row.get("file"), int(row["module"]), row["computation"],
               row["kernel"])
        if not table or table[-1] != own:
            table.append(own)
    accessed = [place(kernel) for kernel in document["kernels"]
                if kernel["reads"] or kernel["writes"]]
    once = [own for k, own in enumerate(accessed)
            if k == 0 or own != accessed[k - 1]]
    if table != once:
        problem(words, "the table has another order")
    lined = [line for line in lines if line["kind"] == "kernel"]
    if len({line.get("file") for line in lined}) < 2:
        if [line["instruction"] for line in lined] != [own[3] for own in order]:
            problem(words, "the lines have another order")


def check_ranking(words, document, text, pages):
    """The rows are those of people."""
    kernels, totals = document["kernels"], document["totals"]
    by_place = {}
    for kernel in kernels:
        by_place.setdefault(place(kernel), []).append(kernel)
    check_order(words, document["ranking"])
    for row in document["ranking"]:
        own = [by_place[place(each)][0] for each in row["kernels"]]
        for key, of in (("predicted_us", time_of),
                        ("avoidable_us", lambda k: k.get("avoidable_us", 0)),
                        ("wasted_bytes", lambda k: k["wasted_bytes"])):
            if not is_close(row.get(key, 0), sum(map(of, own))):
                problem(words, row["instruction"], key, "is", row.get(key),
                        "and its kernels are", sum(map(of, own)))
        if row.get("predicted_us", 0) < 0.01 * totals["predicted_us"] * (1 - 1e-9):
            problem(words, row["instruction"], "takes less than 1%")
        if ("advice" in row) == ("why" in row):
            problem(words, row["instruction"], "says neither or both of "
                    "advice and why")
        if "advice" in row and len(row["kernels"]) == 1 and \
                row["advice"] != own[0]["advice"]:
            problem(words, row["instruction"], "has two advices")
    ranked = pages[0]["ranking"]
    everyone = sorted((place(each) for row in ranked for each in row["kernels"]),
                      key=str)
    if everyone != sorted(map(place, kernels), key=str):
        problem(words, "the page's rows do not hold each kernel once")
    listed = len(document["ranking"])
    for a, b in zip(document["ranking"], ranked):
        if a != b:
            problem(words, "the page's row is", b, "and that of JSON", a)
            break
    # JSON lists ten rows at most, as text does.
    for row in ranked[listed:] if listed < 10 else []:
        if row.get("predicted_us", 0) >= 0.01 * totals["predicted_us"]:
            problem(words, row["instruction"], "is not listed")
    # Text: rank, avoidable, …, name, and its words.
    rows = re.findall(r"^ +(\d+) +([\d.]+ [num]?s) (.*)$", text, re.M)
    wanted = document["ranking"][:10]
    if len(rows) != len(wanted):
        problem(words, "text has", len(rows), "rows and JSON", len(wanted))
    for (number, avoidable, rest), row in zip(rows, wanted):
        if int(number) != row["rank"] or not is_shown_as(
                row["avoidable_us"], avoidable):
            problem(words, "text has", number, avoidable, "and JSON",
                    row["rank"], row["avoidable_us"])
        name = row["instruction"]
        others = len(row["kernels"]) - 1
        if "  %s  " % name not in rest:
            problem(words, "text has no", name, "in", rest[:100])
        if others and not re.search(r"and %d (alike|more)" % others, rest):
            problem(words, "text does not say", others, "more:", rest[:100])
        for said in (row.get("advice"), row.get("why")):
            if said and said not in rest:
                problem(words, "text does not say", said, "in", rest)
    sums = re.search(r"predicted GPU time: (?:at least )?([\d.]+ [num]?s) "
                     r"\(all launches\)"
                     r"(?:; estimated speedup: up to \d+% "
                     r"\(([\d.]+ [num]?s)\))?", text)
    if totals.get("predicted_us"):
        if not sums or not is_shown_as(totals["predicted_us"], sums.group(1)):
            problem(words, "text has other sums:", sums and sums.group(0))
        elif sums.group(2) and not is_shown_as(totals["avoidable_us"],
                                               sums.group(2)):
            problem(words, "text has other sums:", sums.group(0))


def check(tool, words):
    text = run(tool, words)
    documents = run(tool, words + ["--format=json", "--top=all"]).splitlines()
    if len(documents) != 1:
        problem(words, "has", len(documents), "documents")
        return None
    document = json.loads(documents[0])
    # The ranking of a text ends at 1%, and with --top it does not.
    document["ranking"] = json.loads(
        run(tool, words + ["--format=json"])).get("ranking")
    if document["ranking"] is None:
        del document["ranking"]
    lines = [json.loads(line) for line in
             run(tool, words + ["--format=jsonl", "--top=all"]).splitlines()]
    rows = list(csv.DictReader(io.StringIO(
        run(tool, words + ["--format=csv"]))))
    page, pages = page_of(run(tool, words + ["--format=html"]))
    check_totals(words, document, lines, rows, page)
    check_kernels(words, document, lines, rows, pages)
    check_ranking(words, document, text, pages)
    return document


def check_folder(tool, modules, alone):
    """One document, whose sums are those of the files."""
    with tempfile.TemporaryDirectory() as folder:
        for number, module in enumerate(modules):
            shutil.copy(module, os.path.join(folder, f"m{number}.hlo"))
        document = check(tool, [folder, "--device=a100"])
        if not document:
            return
        for key in SUMS:
            sum_ = sum(each["totals"].get(key, 0) for each in alone)
            if not is_close(document["totals"][key], sum_):
                problem("the folder has", key, document["totals"][key],
                        "and its files", sum_)
        shares = sum(kernel.get("share_of_all", 0) * 1
                     for kernel in document["kernels"])
        if not is_close(shares, 1, 1e-4):
            problem("the shares of all kernels add up to", shares)


def main():
    tool, *modules = sys.argv[1:]
    alone = [check(tool, [module, "--device=a100"]) for module in modules]
    alone = [each for each in alone if each]
    check_folder(tool, modules, alone)
    for each in PROBLEMS[:20]:
        print(each)
    print(f"{len(alone)} modules, and one folder of them")
    if len(alone) != len(modules):
        return 1
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
