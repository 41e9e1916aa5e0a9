"""Runs the calls of a table, and asks for their status and for what they say.

    mistakes.py INDEXICAL TABLE

A line of the table is `WORDS | STATUS | TEXT`; words are quoted as in a shell.
"""

import shlex
import subprocess
import sys


def main():
    tool, table = sys.argv[1:]
    count, wrong = 0, 0
    for line in open(table, encoding="utf-8"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        words, status, wanted = (part.strip() for part in line.split(" | ", 2))
        call = subprocess.run(
            [tool] + shlex.split(words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        count += 1
        # Messages wrap where the terminal ends.
        said = " ".join(call.stderr.split())
        if call.returncode == int(status) and wanted in said:
            continue
        wrong += 1
        print(f"indexical {words}\n  wanted {status}: {wanted}")
        print(f"  got {call.returncode}: {said or call.stdout[:200]}\n")
    print(f"{count} mistakes, {wrong} without the right answer")
    return 1 if wrong or not count else 0


sys.exit(main())
