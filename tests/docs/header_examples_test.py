#!/usr/bin/env python3
"""Holds the examples in headers against code that is compiled and run.

  header_examples_test.py SNIPPETS.cc… -- HEADER.h…

An example is a run of comment lines that are indented by three spaces and
more, with an empty line before it. It is C++ where a line of it ends with a
semicolon (a comment behind it aside); others are maps, tables and texts of
other languages. Each C++ example must stand in one of the snippets, which are
tests of their own:

  - white space and the marks of comments do not count;
  - statements EXPECT_… and ASSERT_… may stand between its lines;
  - a line `...` in it stands for any lines.
"""

import os
import re
import sys

COMMENT = re.compile(r"\s*//+(.*)")
EXPECTATION = re.compile(
    r"^[ \t]*(?:EXPECT|ASSERT)_\w+\(.*?;[ \t]*$", re.DOTALL | re.MULTILINE)


def examples_of(header):
    """The examples of a header: the number of the first line, the lines."""
    examples, lines = [], []
    after_prose = False
    for number, line in enumerate(header.split("\n") + [""], 1):
        comment = COMMENT.fullmatch(line)
        if comment and re.match(r" {3,}\S", comment[1]):
            if not after_prose:
                lines.append(comment[1])
            continue
        if lines:
            examples.append((number - len(lines), lines))
            lines = []
        after_prose = bool(comment and comment[1].strip())
    return examples


def is_cpp(lines):
    return any(re.sub(r"\s+//.*", "", line).endswith(";") for line in lines)


def squeezed(text):
    return re.sub(r"\s|//", "", text)


def stands_in(lines, snippets):
    """Whether the parts between the lines `...` follow one another there."""
    parts = re.split(r"^\s*\.\.\.\s*$", "\n".join(lines), flags=re.MULTILINE)
    for snippet in snippets:
        place = 0
        for part in parts:
            place = snippet.find(squeezed(part), place)
            if place < 0:
                break
            place += len(squeezed(part))
        if place >= 0:
            return True
    return False


def check(headers, snippets):
    """What is wrong, and the number of C++ examples."""
    snippets = [squeezed(EXPECTATION.sub("", text)) for text in snippets]
    problems, count = [], 0
    for name, text in headers:
        for number, lines in examples_of(text):
            if not is_cpp(lines):
                continue
            count += 1
            if not stands_in(lines, snippets):
                problems.append("%s:%d: no snippet has this example:\n%s" %
                                (name, number, "\n".join(lines)))
    return problems, count


def check_itself():
    """What is right passes, and each kind of mistake is seen."""
    snippet = "void f() {\n  int a = g(1,\n        2);  // 3\n" \
              "  EXPECT_EQ(a,\n            3);\n  h(a);\n  int b = a;\n}\n"
    right = [
        "//   int a = g(1, 2);  // 3\n//   h(a);\n",
        "///   h(a);\n",
        "//   int a =\n//       g(1, 2);\n//\n//   h(a);\n",
        "//   int a = g(1, 2);\n//   ...\n//   int b = a;\n",
        "//   (d0) -> (d0), d0 in [0, 3]\n",
        "// one; two;\nint c;\n",
        "// - a list:\n//   one item;\n",
    ]
    wrong = [
        "//   int a = g(1, 2); h();\n",
        "//   int a = g(1, 2);  // 4\n//   h(a);\n",
        "//   int a = g(1, 2);\n//   int b = a;\n",
        "//   h(a);\n//   ...\n//   int a = g(1, 2);\n",
        "int c;\n  //   i(a);  // in a class\n",
    ]
    for text in right:
        if check([("right.h", text)], [snippet])[0]:
            sys.exit("header_examples_test itself refuses\n" + text)
    for text in wrong:
        if not check([("wrong.h", text)], [snippet])[0]:
            sys.exit("header_examples_test itself does not see that no snippet "
                     "has\n" + text)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def main(arguments):
    check_itself()
    middle = arguments.index("--")
    snippets = [read(name) for name in arguments[:middle]]
    headers = [(name, read(name)) for name in arguments[middle + 1:]]
    problems, count = check(headers, snippets)
    if not count:
        problems.append("no header has an example")
    for problem in problems:
        print(problem)
    print("%d headers, %d examples in C++" % (len(headers), count))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
