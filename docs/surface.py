#!/usr/bin/env python3
"""The public signatures, and whether they changed without the version.

  surface.py RECORD INDEXICAL.H           fails where they differ
  surface.py RECORD INDEXICAL.H --write   writes the record anew

The surface are the headers that indexical/indexical.h, and indexical/answers.h
beside it, name, and two for kernels in LLVM's IR: their functions,
types, public members and constants, without bodies, comments and what is
private. RECORD (docs/surface.txt) has those of one version. What goes or
changes needs another MAJOR.MINOR in version.h (docs/install.md); what is
added needs the record alone.
"""

import os
import re
import sys

# Headers of docs/cpp.md that neither of the two can name: they link LLVM's
# analyses of IR, as MLIR's parts of the library do.
ALONE = ["cost/kernel/thread_accesses.h", "import/llvm/read.h"]
INCLUDE = re.compile(r'^#include "indexical/([^"]+)"', re.M)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
LABELS = ("public", "private", "protected")
TYPE = re.compile(r"(?:template *<.*> *)?(class|struct|union)\b(?!.*\()")
# The list of initializers of a constructor, behind its parameters.
INITIALIZERS = re.compile(r"\)(?: *(?:const|noexcept|override))* *:(?!:).*")


class Reader:
    """Declarations of one header, in order."""

    def __init__(self, text):
        self.text = DIRECTIVE.sub("", COMMENT.sub("", text))
        self.found = []
        self.scopes = []  # [name, whether what stands here is public]
        self.i = 0

    def is_public(self):
        return all(public for _, public in self.scopes)

    def record(self, statement):
        line = " ".join(statement.split()).replace("( ", "(")
        if (not line or not self.is_public() or
                line.startswith(("friend ", "static_assert", "using namespace"))):
            return
        scope = "::".join(name for name, _ in self.scopes if name)
        self.found.append(scope + (": " if scope else "") + line)

    def skip_braces(self):
        """What stands from the brace here to the one that closes it."""
        begin, depth = self.i, 0
        while True:
            depth += {"{": 1, "}": -1}.get(self.text[self.i], 0)
            self.i += 1
            if depth == 0:
                return self.text[begin:self.i]

    def open_brace(self, statement):
        """What a brace begins; what the statement is from here on."""
        line = " ".join(statement.split())
        if line.startswith("namespace"):
            self.scopes.append(["", True])
        elif line.startswith("enum"):
            self.record(line + " " + self.skip_braces())
            return ""
        elif TYPE.match(line):
            self.record(line)
            head = re.sub(r"^template *<.*?> *", "", line)
            name = re.sub(r" *(?:final)? *:(?!:).*", "", head).split()[1:]
            self.scopes.append([name[0] if name else "",
                                head.split()[0] != "class"])
        elif "(" not in line or re.search(INITIALIZERS.pattern + r"\w$", line):
            return statement + self.skip_braces()
        else:
            self.skip_braces()
            self.record(INITIALIZERS.sub(")", line))
            return ""
        self.i += 1
        return ""

    def read(self):
        statement, depth = "", 0
        while self.i < len(self.text):
            c = self.text[self.i]
            if depth == 0 and c == "{":
                statement = self.open_brace(statement)
                continue
            self.i += 1
            depth += (c == "(") - (c == ")")
            if depth == 0 and c == ";":
                self.record(statement)
                statement = ""
            elif depth == 0 and c == "}":
                self.scopes.pop()
                statement = ""
            elif c == ":" and statement.strip() in LABELS:
                self.scopes[-1][1] = statement.strip() == "public"
                statement = ""
            else:
                statement += c
        return self.found


def version_of(text):
    return ".".join(re.findall(r"_VERSION_(?:MAJOR|MINOR) (\d+)$", text, re.M))


def surface(umbrella):
    """(version, lines) of what the two headers name."""
    root = os.path.dirname(umbrella) or "."
    lines, version = [], None
    names = [os.path.basename(umbrella), "answers.h"]
    headers = []
    for name in names:
        path = os.path.join(root, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                headers += INCLUDE.findall(file.read())
    headers += [each for each in ALONE if os.path.exists(os.path.join(root, each))]
    for header in sorted(set(headers) - set(names)):
        with open(os.path.join(root, header), encoding="utf-8") as file:
            text = file.read()
        version = version_of(text) or version
        lines += ["%s  %s" % (header, each) for each in Reader(text).read()]
    return version, lines


def is_extended(line, lines):
    """Whether the line is an enum to which only last values were added."""
    values = re.fullmatch(r"(.*\benum\b.*\{.*?),? *\}", line)
    return bool(values) and any(
        each.startswith(values.group(1) + ",") for each in lines)


def main(record, umbrella, *options):
    version, lines = surface(umbrella)
    before, known = "", []
    if os.path.exists(record):
        with open(record, encoding="utf-8") as file:
            before, *known = file.read().splitlines() or [""]
    gone = sorted(line for line in set(known) - set(lines)
                  if not is_extended(line, lines))
    if gone and before == "version " + version:
        print("gone or changed, and version.h still says %s:" % version)
        print("\n".join("  " + line for line in gone))
        return 1
    if "--write" in options:
        with open(record, "w", encoding="utf-8") as file:
            file.write("\n".join(["version " + version] + lines) + "\n")
        return 0
    if before != "version " + version or known != lines:
        print("the record is old: bazel run //docs:write_surface")
        print("\n".join("+ " + line for line in sorted(set(lines) - set(known))))
        return 1
    print("%d signatures of %s" % (len(lines), version))
    return 0 if lines else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
