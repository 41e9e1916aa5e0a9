#!/usr/bin/env python3
"""Finds loops over a view of a temporary.

    for (int32_t i : llvm::reverse(calleesOf(instruction)))   refused
    for (int32_t i : llvm::reverse(instruction.operands))     a list with a name

A view, as llvm::reverse() returns it, holds two iterators and not the list. In
C++17 the body of the loop keeps the view alive, not a list that a call
returned by value. A text does not say which calls return a reference, so that
every call inside of the view is refused, but for views of views and the
methods in LASTING, which hand out what lasts. Name the list before the loop.
"""

import re
import sys

VIEWS = ("reverse", "drop_begin", "drop_end", "make_early_inc_range",
         "make_filter_range", "make_first_range", "make_second_range",
         "map_range")
# Return a reference to what their object holds.
LASTING = {"frames"}
LOOP = re.compile(r"\bfor \((?P<head>[^;{}]*?[^:]):(?!:)\s*(?P<range>llvm::\w+\()")
CALL = re.compile(r"([\w:]+)(?:<[\w:, ]*>)?\(")


def inside(text, at):
    """What stands between the bracket before `at` and its partner."""
    depth, end = 1, at
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[at:end - 1]


def first_argument(text):
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            return text[:at]
    return text


def problems(text):
    """The line and the call of each loop over a view of what a call returns."""
    plain = re.sub(r"//[^\n]*", "", text)
    for loop in LOOP.finditer(plain):
        name = loop["range"][len("llvm::"):-1]
        if name not in VIEWS:
            continue
        viewed = first_argument(inside(plain, loop.end()))
        for call in CALL.finditer(viewed):
            called = call[1].split("::")[-1]
            if called not in VIEWS and called not in LASTING:
                yield plain.count("\n", 0, loop.start()) + 1, called


def self_check():
    """The test sees what it is for."""
    refused = ["for (int i : llvm::reverse(calleesOf(x))) {",
               "for (const auto &[a, b] :\n     llvm::drop_begin(x.list(), 1))",
               "for (int i : llvm::reverse(llvm::drop_begin(f(x), 2)))",
               "for (auto x : llvm::map_range(std::vector<int>(3), g))"]
    allowed = ["for (int i : llvm::reverse(x.operands))",
               "for (int i : llvm::reverse(llvm::drop_begin(steps_, from)))",
               "for (auto x : llvm::drop_begin(list, f(y)))",
               "// for (int i : llvm::reverse(f(x)))",
               "for (int i : calleesOf(x))"]
    return ([each for each in refused if not list(problems(each))] +
            [each for each in allowed if list(problems(each))])


def main(files):
    wrong = [f"the test itself: {each}" for each in self_check()]
    for path in files:
        with open(path, encoding="utf-8") as file:
            wrong += [f"{path}:{line}: the loop views what {called}() returns; "
                      "name it before the loop"
                      for line, called in problems(file.read())]
    print("\n".join(wrong) or f"{len(files)} files")
    return 1 if wrong or len(files) < 300 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
