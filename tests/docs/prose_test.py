#!/usr/bin/env python3
"""Refuses constructions that make a sentence hard to read.

  prose_test.py INDEXICAL PAGE... [--of HEADER...]

The rules are few, and each names the sentence to write instead. They are asked
of every sentence of a page outside of code, and, for each HEADER that includes
others, of the first line of every comment of these, and of the help of every
command of INDEXICAL. The tables of keys.md are left out, because they are
written from the code.

A user has little to read: the README, and together with it the pages of
docs/ without keys.md and the internals, stay below a number of words.
"""

import os
import re
import subprocess
import sys

# (name, pattern, what to write)
RULES = [
    ("a relative clause as the subject",
     r"(?:^|[.:;!?] |\| |- |\*\* )(?:What|Who) (?![^.|]*\?)[^.?|]*[.|;]",
     "begin with a noun: `The moved bytes are…`, not `What is moved is…`"),
    ("`is no` and a noun",
     r"(?<!there )(?<!There )\b(?:is|are|was|were|be) (?:no(?! longer| more| less|"
     r" fewer| larger| smaller| later| doubt)|none)\b(?! of\b)",
     "`is not a…`"),
    ("nobody, somebody", r"\b(?:[Nn]o|[Ss]ome)body\b", "`symbolic`, `unknown`"),
    ("likewise", r"\b[Ll]ikewise\b", "say it: a cell is read alone"),
    ("those of which", r"\b(?:[Tt]hose|[Tt]hat) of which\b", "a noun"),
    ("held against", r"\bh(?:eld|olds?) (?:\w+ ){0,4}against\b",
     "`compared with`, `validated against`"),
    ("to mend", r"\b[Mm]end(?:s|ed)?\b", "`fix`; `recommendation`"),
    ("`Of a…` before the verb", r"(?:^|[.:;!] |- )Of an? ", "`For a…`"),
    ("to turn around", r"\bturn(?:s|ed)? (?:\w+ )?around\b",
     "`invert`, `transpose`"),
    ("for all trips", r"\bfor all trips\b", "`all launches`"),
    ("as good as none", r"\bas good as none\b", "`ignored`"),
]
MOST_OF_README, MOST_OF_USERS = 900, 30000  # words
CODE = re.compile(r"``.*?``|`[^`]*`")
INCLUDE = re.compile(r'^#include "indexical/([^"]+)"', re.M)


def lines_of_page(text, tables=True):
    """(number, line without code) outside of fenced blocks."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and (tables or not line.startswith("|")):
            yield number, CODE.sub("X", line)


def lines_of_header(text):
    """(number, line) of the first lines of comments that stand alone."""
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        match = re.match(r"///? ?(.*)", line)
        if match and not before.startswith("//") and not match[1].startswith("="):
            yield number, CODE.sub("X", match[1])
        before = line


def problems_of(name, lines):
    for number, line in lines:
        for rule, pattern, advice in RULES:
            if match := re.search(pattern, line):
                yield "%s:%d: %s: \"%s\"; write %s" % (
                    name, number, rule, match[0].strip(), advice)


def problems_of_lengths(pages):
    """The README and the pages of a user are short enough."""
    words = {page: len(read(page).split())
             for page in map(os.path.normpath, pages)
             if os.path.dirname(page) in ("", "docs") and
             page not in ("docs/keys.md", "CONTRIBUTING.md", "SECURITY.md")}
    if words["README.md"] > MOST_OF_README:
        yield "README.md has %d words, and %d would do" % (
            words["README.md"], MOST_OF_README)
    if sum(words.values()) > MOST_OF_USERS:
        yield "users' pages have %d words, and %d would do: %s" % (
            sum(words.values()), MOST_OF_USERS, words)


def lines_of_help(tool):
    """(command, line) of the help of all commands."""
    def say(*words):
        return subprocess.run([tool, "help", *words], check=True,
                              stdout=subprocess.PIPE).stdout.decode("utf-8")
    commands = set(re.findall(r"^  ([a-z]+)  +\w", say(), re.M))
    if len(commands) < 10:
        sys.exit("prose_test: the help lists %s" % commands)
    for command in sorted(commands):
        # A word of a report's text, which the help explains.
        text = say(command).replace("would mend it", "")
        for line in text.split("\n"):
            yield command, line


def check_itself():
    """Each rule sees its construction, and no other sentence."""
    wrong = [
        "What is moved is what is used.", "It is so. Who knows it finds it.",
        "A constant is no parent.", "Tokens are none.",
        "Sizes that nobody knows are open.", "| `x` | likewise |",
        "Kernels, those of which most is avoidable, come first.",
        "It was held by a test against the code.",
        "That would mend it.", "Of a sort, keys count.",
        "It is turned around.", "It is as good as none.",
        "12.7 ms for all trips.",
    ]
    right = [
        "**What is wasted?** Partial sectors.", "There is no end.",
        "The figure is no longer exact.", "`is no` is code.",
        "None of the kernels moves more.", "The rule says what it does.",
        "Of the 17 kernels, 16 are within 25%.", "There are none.",
        "It states what is read. Those that read it are users.",
        "They are no larger than 400 kB.",
    ]
    for line in wrong:
        if not list(problems_of("", lines_of_page(line))):
            sys.exit("prose_test itself does not see what is wrong in\n" + line)
    for line in right:
        if found := list(problems_of("", lines_of_page(line))):
            sys.exit("prose_test itself: " + found[0])
    header = "// A map.\n// What follows is its text.\n\n/// What a map is.\nint f();\n"
    if [n for n, _ in lines_of_header(header)] != [1, 4]:
        sys.exit("prose_test itself: first lines of comments")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(tool, *arguments):
    check_itself()
    arguments = list(arguments)
    pages, umbrellas = arguments, []
    if "--of" in arguments:
        pages = arguments[:arguments.index("--of")]
        umbrellas = arguments[len(pages) + 1:]
    problems = []
    for command, line in lines_of_help(tool):
        problems += problems_of("help " + command, [(0, line)])
    for page in pages:
        tables = os.path.basename(page) != "keys.md"
        problems += problems_of(page, lines_of_page(read(page), tables))
    problems += problems_of_lengths(pages)
    headers = set(umbrellas)
    for umbrella in umbrellas:
        headers |= set(INCLUDE.findall(read(umbrella)))
    for header in sorted(headers):
        problems += problems_of(header, lines_of_header(read(header)))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
