#!/usr/bin/env python3
"""Finds what starts, splits or ends a process.

    pid_t child = fork();          refused everywhere
    posix_spawn(&process, …);      refused, but in a file of ALLOWED

The library lives in somebody's process, with threads and locks of theirs: one
that runs JAX, say, does not survive a fork. The command and the module for
Python start one program, which reads bytecode (answers/inputs/bytecode.h).
"""

import re
import sys

ALLOWED = {"answers/inputs/bytecode.cc": {"posix_spawn", "waitpid"},
           # The command's own process, when there is no memory.
           "tools/main.cc": {"_exit"}}
CALL = re.compile(
    r"\b(v?fork|clone3?|posix_spawnp?|exec[lv]p?e?|popen|system|wait(?:pid|id|[34])|"
    r"daemon|_?_?exit|_Exit|quick_exit|abort|Execute(?:AndWait|NoWait))\s*\(")
METHOD = re.compile(r"(\.|->|\b(?!std\b)\w+::)\s*$")


def problems(text):
    """The line and the name of each call."""
    plain = re.sub(r"//[^\n]*", "", text)
    for call in CALL.finditer(plain):
        before = plain[:call.start()]
        # A function of ours, or a method, may have such a name.
        if (call[1].startswith("Execute") or
                not METHOD.search(before[-80:]) or before.endswith(" ::")):
            yield plain.count("\n", 0, call.start()) + 1, call[1]


def self_check():
    """The test sees what it is for."""
    refused = ["pid_t child = fork();", "if (int p = vfork ()) {",
               "while (waitpid(child, &status, 0) < 0)", "std::system(text);",
               "llvm::sys::ExecuteAndWait(name, words);", "_exit(1);",
               "return ::fork();"]
    allowed = ["// fork() is not used", "pitchfork(1);", "clone->clone();",
               "builder.clone(*op);", "fork_(x);"]
    return ([each for each in refused if not list(problems(each))] +
            [each for each in allowed if list(problems(each))])


def main(files):
    wrong = [f"the test itself: {each}" for each in self_check()]
    for path in files:
        with open(path, encoding="utf-8") as file:
            wrong += [f"{path}:{line}: {called}() is nothing that a library does"
                      for line, called in problems(file.read())
                      if called not in ALLOWED.get(path, ())]
    print("\n".join(wrong) or f"{len(files)} files")
    return 1 if wrong or len(files) < 300 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
