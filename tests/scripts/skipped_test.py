#!/usr/bin/env python3
"""Holds scripts/skipped.py to events and logs that are written here."""

import json
import os
import subprocess
import sys
import tempfile

GTEST = """[ RUN      ] CorpusTest.One
tests/a_test.cc:7: Skipped
the corpus is not there
[  SKIPPED ] CorpusTest.One (0 ms)
[ RUN      ] CorpusTest.Two
tests/a_test.cc:9: Skipped
the corpus is not there
[  SKIPPED ] CorpusTest.Two (0 ms)
[       OK ] CorpusTest.Three (0 ms)
"""
SCRIPT = "SKIPPED: there is no chromium\n"


def said(folder, logs):
    path = os.path.join(folder, "events.json")
    with open(path, "w", encoding="utf-8") as events:
        events.write(json.dumps({"id": {"started": {}}}) + "\n")
        for number, (target, text) in enumerate(logs):
            log = os.path.join(folder, f"a log {number}")
            with open(log, "w", encoding="utf-8") as file:
                file.write(text)
            events.write(json.dumps({
                "id": {"testResult": {"label": target}},
                "testResult": {"testActionOutput": [
                    {"name": "test.log",
                     "uri": "file://" + log.replace(" ", "%20")}]}}) + "\n")
    return subprocess.run([sys.executable, sys.argv[1], path], check=True,
                          text=True, stdout=subprocess.PIPE).stdout


def same(found, wanted):
    if found != wanted:
        sys.exit(f"{found!r}\n  not {wanted!r}")


with tempfile.TemporaryDirectory() as folder:
    same(said(folder, [("//a:a_test", GTEST), ("//b:b_test", GTEST),
                       ("//c:c_test", SCRIPT), ("//d:d_test", "all is well")]),
         "skipped: 4 cases of 2 targets, the corpus is not there: "
         "//a:a_test, //b:b_test\n"
         "skipped: 1 cases of 1 targets, there is no chromium: //c:c_test\n")
    same(said(folder, [("//d:d_test", "all is well")]), "skipped: none\n")
    same(said(folder, []), "")
