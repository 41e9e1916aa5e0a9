#!/usr/bin/env python3
"""indexical.h includes few headers of ours: who includes it waits for them all.
And the names in the tables of its comment, and of answers.h', are declared.

  umbrella_test.py INDEXICAL.H MOST ANSWERS.H

A row of a table lists names, with `, ` between; what follows a colon explains
the last one, and several words are no name:

    maps       parseMap, simplify, compose
    ops        Op, verify: an op without a program
"""

import os
import re
import sys

INCLUDE = re.compile(r'^#include "indexical/([^"]+)"', re.M)
NAME = re.compile(r"(?:\w+::)*\w+")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def headers_of(header, root, found):
    """Adds the header, and all that it includes, with the one that includes it."""
    with open(os.path.join(root, header), encoding="utf-8") as file:
        for each in INCLUDE.findall(file.read()):
            if each not in found:
                found[each] = header
                headers_of(each, root, found)
    return found


def table_of(text):
    """The names in the rows of the tables in front of the header's guard."""
    rows = []
    for line in text.split("#ifndef")[0].splitlines():
        if row := re.match(r"//   \S(?:.*?\S)?  +(\S.*)", line):
            rows.append(row[1])
        elif (more := re.match(r"//  {10,}(\S.*)", line)) and rows:
            rows[-1] += " " + more[1]
        elif rows and not line.startswith("//   "):
            rows.append("")
    names = []
    for row in rows:
        names += [name for name in row.split(": ")[0].split(", ")
                  if NAME.fullmatch(name)]
    return names


def undeclared(names, headers, root):
    """The names that no header has outside of comments."""
    words = set()
    for header in headers:
        with open(os.path.join(root, header), encoding="utf-8") as file:
            words |= set(re.findall(r"\w+", COMMENT.sub("", file.read())))
    return [name for name in names if name.split("::")[-1] not in words]


def self_check():
    """The test sees what it is for."""
    text = ("//   maps       parseMap, layouts::compose, several words,\n"
            "//              goesOn\n//   ops        Op, verify: a: b, c\n"
            "#ifndef X")
    assert table_of(text) == ["parseMap", "layouts::compose", "goesOn", "Op",
                              "verify"], table_of(text)


def main(umbrella, most, answers):
    self_check()
    root, name = os.path.split(umbrella)
    found = headers_of(name, root, {})
    print("%s includes %d headers, at most %s" % (name, len(found), most))
    if not found:
        return 1
    if len(found) > int(most):
        print("\n".join("  %s, by %s" % each for each in found.items()))
        return 1
    failed = 0
    for header in (name, answers):
        with open(os.path.join(root, header), encoding="utf-8") as file:
            names = table_of(file.read())
        missing = undeclared(names, headers_of(header, root, {}), root)
        print("%s names %d, of which are not declared: %s" % (
            header, len(names), ", ".join(missing) or "none"))
        failed |= bool(missing) or len(names) < 5
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
