#!/usr/bin/env python3
"""Writes compile_commands.json, with which an editor finds definitions.

    scripts/compile_commands.py               every C++ file of the checkout
    scripts/compile_commands.py //cost/...    those of some targets

The file lists, for each C++ file, the command that Bazel compiles it with.
Headers that Bazel writes (dialects) exist after a build. Paths under external/
become the folders of the system that third_party/ names, so that clangd finds
headers of LLVM and MLIR without Bazel's output folder. `#include "indexical/…"`
is found through .cache/include/indexical, a link to the checkout, so that a
definition opens in the checkout itself.
"""
import json
import os
import subprocess
import sys

INCLUDES = ".cache/include"
SOURCES = (".cc", ".cpp", ".c")
# Clang does not know these options of GCC.
UNKNOWN = {"-fno-canonical-system-headers", "-Wunused-but-set-parameter",
           "-Wno-free-nonheap-object"}


def bazel(*arguments):
    return subprocess.run(["bazel", *arguments], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def commands_of(targets):
    """Returns the argument lists of all compile actions of `targets`."""
    query = 'mnemonic("CppCompile", %s)' % " union ".join(targets)
    found = json.loads(bazel("aquery", "--config=apart", "--output=jsonproto",
                             query))
    return [action["arguments"] for action in found.get("actions", [])]


def source_of(arguments):
    """Returns the file that a command compiles, or None if it is a header."""
    after = arguments.index("-c") + 1 if "-c" in arguments else len(arguments)
    path = arguments[after] if after < len(arguments) else ""
    return path if path.endswith(SOURCES) else None


def entries(commands, root, output_base):
    """Returns one entry for each file; the first command of a file counts."""
    seen = {}
    for arguments in commands:
        source = source_of(arguments)
        if source is None or source in seen:
            continue
        kept = [arguments[0], f"-I{INCLUDES}"]
        kept += [each for each in arguments[1:] if each not in UNKNOWN]
        resolved = [
            os.path.join(output_base, each) if each.startswith("external/")
            else each for each in kept
        ]
        seen[source] = {"directory": root, "file": source,
                        "arguments": resolved}
    return [seen[source] for source in sorted(seen)]


def link_checkout(root):
    """Makes `indexical/` a name of the checkout's root for includes."""
    os.makedirs(INCLUDES, exist_ok=True)
    link = os.path.join(INCLUDES, "indexical")
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.relpath(root, INCLUDES), link)


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.chdir(root)
    link_checkout(root)
    targets = sys.argv[1:] or ["//..."]
    output_base = bazel("info", "output_base").strip()
    written = entries(commands_of(targets), root, output_base)
    with open("compile_commands.json", "w", encoding="utf-8") as file:
        json.dump(written, file, indent=1)
        file.write("\n")
    print(f"compile_commands.json: {len(written)} files")


if __name__ == "__main__":
    main()
