#!/usr/bin/env python3
"""Holds the checks of a status to their macros (indexing/status_macros.h).

  status_macros_test.py FILE…

No header includes the macros. No file says by hand what INDEXICAL_RETURN_IF_ERROR
says.
"""

import re
import sys

INCLUDE = '#include "indexical/indexing/status_macros.h"'
BY_HAND = re.compile(
    r"if \((?:auto|absl::Status) (\w+) =[^;{}]*;\s*!\1\.ok\(\)\)\s*"
    r"\{?\s*return \1;")


def problems_of(name, text):
    """Returns what is wrong in a file."""
    problems = []
    if name.endswith(".h") and INCLUDE in text:
        problems.append("%s: a header includes the macros" % name)
    if name.endswith(".cc"):
        for match in BY_HAND.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            problems.append("%s:%d: INDEXICAL_RETURN_IF_ERROR says this" %
                            (name, line))
    return problems


def check_itself():
    """What is right passes, and each kind of mistake is seen."""
    check = "if (auto s = f(a,\n    b);\n  !s.ok())\n  return s;\n"
    for name, text in [("a.cc", INCLUDE), ("a.h", check),
                       ("a.cc", "if (auto s = f(); !s.ok()) return g(s);")]:
        assert not problems_of(name, text), text
    for name, text in [("a.h", INCLUDE), ("a.cc", check)]:
        assert problems_of(name, text), text


def main(names):
    check_itself()
    problems = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            problems += problems_of(name, file.read())
    print("\n".join(problems + ["%d files" % len(names)]))
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
