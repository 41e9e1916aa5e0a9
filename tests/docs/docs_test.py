#!/usr/bin/env python3
"""Runs the examples of the documentation.

  docs_test.py [--update] INDEXICAL SNIPPETS DOC...

Every fenced block of a document is of one of these kinds:

  ```hlo file=a.hlo   is written to that file, in a folder of the document's
  ```maps file=a.maps own; `indexical dump` or `simplify` reads it, or, where
                      the word `wrong` follows, refuses it
  ```python file=k.py is written likewise; `indexical kernel --print=ttir` reads
                      it, or, where the word `wrong` follows, refuses it
  ```hlo, ```maps     likewise, without a name for later calls; ```mlir too
  ```console          lines `$ CALL`, each followed by exactly what the call
                      prints, standard output and standard error together
  ```json of="CALL"   is the JSON value that the call prints, however laid out
  ```c++              stands, up to its indentation, in SNIPPETS, which is
                      compiled and run as a test of its own
  ```c++ of=FILE      stands in that file of the repository, likewise tablegen
  ```pycon            is run by //tests/python:surface_test
  ```                 is a picture

A picture of a page, `![…](pictures/NAME.svg)` or docs/pictures/NAME.svg, is what
a call of the page writes to a file NAME.svg. rooms.svg is made from the build
graph, and rooms_test compares it.

Calls run in the document's folder, where examples/ is the repository's, and
measured/ is tests/cost/launch/measured. With --update, console blocks and pictures
that differ are rewritten:

  bazel run //tests/docs:docs_test -- --update
"""

import difflib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

FENCE = "```"
PICTURE = re.compile(r"!\[[^\]\n]*\]\(([^)\s]*pictures/([\w.-]+\.svg))\)")


class Block:
    """A fenced block: kind, options, lines, the number of its first line."""

    def __init__(self, info, number):
        words = shlex.split(info)
        self.kind = words[0] if words else ""
        self.options = {}
        for word in words[1:]:
            name, _, value = word.partition("=")
            self.options[name] = value
        self.lines = []
        self.number = number

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks_of(text):
    """The fenced blocks of a document."""
    blocks, block = [], None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(FENCE):
            if block:
                blocks.append(block)
                block = None
            else:
                block = Block(line[len(FENCE):], number + 1)
        elif block:
            block.lines.append(line)
    if block:
        raise ValueError("the block at line %d does not end" % block.number)
    return blocks


class Checker:
    """Checks one document; `problems` says what is wrong with it."""

    def __init__(self, name, text, tool, snippets, folder):
        self.name, self.text = name, text
        self.snippets = snippets.split("\n")
        self.folder = folder
        self.problems = []
        self.updates = []  # (block, its lines as they should be)
        self.pictures = []  # (path, its bytes as they should be)
        self.environment = {
            "PATH": os.pathsep.join([
                os.path.dirname(os.path.abspath(tool)),
                os.path.abspath("examples"), "/usr/bin", "/bin"]),
            "LC_ALL": "C.UTF-8",
            "HOME": folder,
            # The options of sanitizers.
            **{name: value for name, value in os.environ.items()
               if name.endswith("SAN_OPTIONS")},
        }

    def check(self):
        kinds = {
            "": lambda block: None,
            "hlo": self.check_input,
            "mlir": self.check_input,
            "maps": self.check_input,
            "python": self.check_input,
            "console": self.check_console,
            "json": self.check_json,
            "c++": self.check_snippet,
            "tablegen": self.check_snippet,
            "pycon": lambda block: None,
        }
        for block in blocks_of(self.text):
            if block.kind in kinds:
                kinds[block.kind](block)
            else:
                self.problem(block, "unknown kind `%s`" % block.kind)
        self.check_pictures()
        return self.problems

    def check_pictures(self):
        for match in PICTURE.finditer(self.text):
            if match[2] == "rooms.svg":
                continue
            path = os.path.join(os.path.dirname(self.name), match[1])
            drawn = os.path.join(self.folder, match[2])
            if not os.path.exists(drawn):
                self.problems.append("%s: no call writes %s" % (
                    self.name, match[2]))
                continue
            with open(drawn, "rb") as file:
                wanted = file.read()
            found = None
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found = file.read()
            if found != wanted:
                self.problems.append("%s: %s is not what the call draws" % (
                    self.name, path))
                self.pictures.append((path, wanted))

    def problem(self, block, text):
        self.problems.append("%s:%d: %s" % (self.name, block.number, text))

    def call(self, command, status=0):
        """The call's status, and its outputs in one; `status` is its `$?`."""
        done = subprocess.run(
            ["bash", "-c", "(exit %d); %s" % (status, command)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def check_input(self, block):
        name = block.options.get("file", "unnamed." + block.kind)
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block.text())
        command = {"maps": "simplify", "python": "kernel --print=ttir"}.get(
            block.kind, "dump")
        call = "indexical %s %s" % (command, shlex.quote(name))
        status, output = self.call(call)
        if (status != 0) != ("wrong" in block.options):
            self.problem(block, "%s says:\n%s" % (call, output))

    def check_console(self, block):
        expected, actual = block.lines, []
        status = 0
        index = 0
        while index < len(expected):
            if not expected[index].startswith("$ "):
                if not actual:
                    self.problem(block, "a console block begins with `$ `")
                index += 1  # the output of the call before
                continue
            command = [expected[index][2:]]
            actual.append(expected[index])
            while command[-1].endswith("\\") and index + 1 < len(expected):
                index += 1
                command.append(expected[index])
                actual.append(expected[index])
            index += 1
            status, output = self.call("\n".join(command), status)
            actual += output.removesuffix("\n").split("\n") if output else []
        if actual != expected:
            difference = difflib.unified_diff(
                expected, actual, "the document", "the calls", lineterm="")
            self.problem(block, "the output differs:\n" + "\n".join(difference))
            self.updates.append((block, actual))

    def check_json(self, block):
        status, output = self.call(block.options["of"])
        def parse(text):
            return json.loads(text, object_pairs_hook=list)  # keys in order
        try:
            if status != 0 or parse(block.text()) != parse(output):
                self.problem(block, "the call prints another value:\n" + output)
        except ValueError as error:
            self.problem(block, "not JSON: %s\n%s" % (error, output))

    def check_snippet(self, block):
        wanted, snippets = block.lines, self.snippets
        if "of" in block.options:
            with open(block.options["of"], encoding="utf-8") as file:
                snippets = file.read().split("\n")
        for start, line in enumerate(snippets):
            if line.strip() != wanted[0]:
                continue
            indent = line[:len(line) - len(wanted[0])]
            found = snippets[start:start + len(wanted)]
            if found == [indent + w if w else "" for w in wanted]:
                return
        self.problem(block, "the snippets' file does not have this")

    def updated(self):
        lines = self.text.split("\n")
        for block, actual in reversed(self.updates):
            first = block.number - 1
            lines[first:first + len(block.lines)] = actual
        return "\n".join(lines)


def check(name, text, tool, snippets):
    with tempfile.TemporaryDirectory() as folder:
        for linked in ("examples", "tests/cost/launch/measured"):
            os.symlink(os.path.abspath(linked),
                       os.path.join(folder, os.path.basename(linked)))
        checker = Checker(name, text, tool, snippets, folder)
        checker.check()
        return checker


def check_itself(tool):
    """What is right passes, and each kind of mistake is seen."""
    snippets = "void f() {\n  int a = 1;\n\n  int b = 2;\n}\n"
    right = [
        "```console\n$ echo a; false\na\n$ echo $?\n1\n```",
        "```console\n$ echo a \\\n     b\na b\n```",
        "```hlo file=a.hlo\nf { ROOT p = f32[2] parameter(0) }\n```\n"
        "```console\n$ cat a.hlo\nf { ROOT p = f32[2] parameter(0) }\n```",
        "```json of=\"echo '[1, 2]'\"\n[1,\n 2]\n```",
        "```c++\nint a = 1;\n\nint b = 2;\n```",
    ]
    wrong = [
        "```console\n$ echo a\nb\n```",
        "```console\n$ echo a\n```",
        "```console\n$ true\na\n```",
        "```console\na\n$ echo a\na\n```",
        "```console\n$ echo a >&2\n```",
        "```hlo\nf { oops }\n```",
        "```hlo file=a.hlo wrong\nf { ROOT p = f32[2] parameter(0) }\n```",
        "```maps\n(d0) -> (d1)\n```",
        "```json of=\"echo '[2, 1]'\"\n[1, 2]\n```",
        """```json of="echo '{\\"a\\": 1, \\"b\\": 1}'"\n"""
        """{"b": 1, "a": 1}\n```""",
        "```c++\nint a = 1;\nint b = 2;\n```",
        "```python\nprint()\n```",
        "![none](pictures/none.svg)",
        "```console\n$ echo a > a.svg\n```\n![a](pictures/a.svg)",
    ]
    for text in right:
        if problems := check("right", text, tool, snippets).problems:
            sys.exit("docs_test itself:\n%s\n%s" % (text, "\n".join(problems)))
    for text in wrong:
        if not check("wrong", text, tool, snippets).problems:
            sys.exit("docs_test itself does not see what is wrong in\n" + text)


def main(arguments):
    update = "--update" in arguments
    tool, snippets, *documents = [a for a in arguments if a != "--update"]
    check_itself(tool)
    with open(snippets, encoding="utf-8") as file:
        snippets = file.read()
    problems = []
    for name in documents:
        with open(name, encoding="utf-8") as file:
            checker = check(name, file.read(), tool, snippets)
        if update and checker.updates:
            with open(os.path.realpath(name), "w", encoding="utf-8") as file:
                file.write(checker.updated())
            print("docs_test: %s is updated" % name)
        if update and checker.pictures:
            folder = os.path.dirname(os.path.realpath(name))
            for path, drawn in checker.pictures:
                path = os.path.join(
                    folder, os.path.relpath(path, os.path.dirname(name) or "."))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(drawn)
                print("docs_test: %s is drawn" % path)
        problems += checker.problems
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
