#!/usr/bin/env python3
"""Holds the numbers of docs/internals/limits.md to the code.

Each row of the tables under "Maps" and "Inputs" ends with a file and the name
of a constant, whose value must be the number in the row.
"""

import re
import sys

ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<number>[\d,]+) \|.*"
                 r"\| `(?P<file>[^`]+)` (?P<name>\w+) \|$")
LITERALS = re.compile(r"(?:size_t|int64_t|uint64_t)(?=[({])|static_cast<\w+>")


def value_of(expression):
    """The value of `1 << 20`, `int64_t{1} << 27`, `2'000'000`."""
    plain = LITERALS.sub("", expression).replace("'", "")
    plain = plain.replace("{", "(").replace("}", ")")
    if not re.fullmatch(r"[\d\s()<*+-]+", plain):
        raise ValueError(f"no number: {expression}")
    return eval(plain)  # digits, brackets and signs alone


def check(row, read):
    text = read(row["file"])
    found = re.search(rf"\b{row['name']} = ([^;,]+)[;,]", text)
    if not found:
        return f"{row['file']} has no {row['name']}"
    number = int(row["number"].replace(",", ""))
    value = value_of(found.group(1))
    if value != number:
        return f"{row['file']}: {row['name']} is {value}, the page says {number}"
    return None


def main(page):
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    lines = read(page).splitlines()
    rows = [match for match in map(ROW.match, lines) if match]
    wrong = [problem for problem in (check(row, read) for row in rows) if problem]
    # A row that the pattern does not see would be held to nothing.
    tables = [line for line in lines if line.startswith("|") and "`" in line]
    if len(rows) < len([line for line in tables if "/" in line.split("|")[-2]]):
        wrong.append("a row does not end with a file and a constant")
    print("\n".join(wrong) or f"{len(rows)} limits")
    return 1 if wrong or len(rows) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
