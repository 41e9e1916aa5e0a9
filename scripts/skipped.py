#!/usr/bin/env python3
"""Says which cases of a run of tests were skipped, and why.

    bazel test --build_event_json_file=events.json //...
    skipped.py events.json

Prints a line for each reason, with the number of its cases and their targets:

    skipped: 43 cases of 24 targets, INDEXICAL_CORPUS is not set: //tests/…
"""

import collections
import json
import re
import sys
import urllib.parse

# The messages of googletest, and of the project's scripts.
CASE = re.compile(r"^.*: Skipped\n(.+)$", re.M)
WHOLE = re.compile(r"^SKIPPED: (.+)$", re.M)
SHOWN = 3


def logs(events):
    """target -> the path of its log, of the events of one run."""
    found = {}
    for line in events:
        event = json.loads(line)
        result = event.get("testResult")
        if not result:
            continue
        for output in result.get("testActionOutput", []):
            if output["name"] == "test.log" and "uri" in output:
                path = urllib.parse.urlparse(output["uri"]).path
                found[event["id"]["testResult"]["label"]] = path
    return found


def main(path):
    with open(path, encoding="utf-8") as events:
        paths = logs(events)
    cases, targets = collections.Counter(), collections.defaultdict(set)
    for target, log in paths.items():
        with open(urllib.parse.unquote(log), encoding="utf-8",
                  errors="replace") as file:
            text = file.read()
        for reason in CASE.findall(text) + WHOLE.findall(text):
            cases[reason.strip()] += 1
            targets[reason.strip()].add(target)
    for reason, count in cases.most_common():
        names = sorted(targets[reason])
        more = "" if len(names) <= SHOWN else ", …"
        print(f"skipped: {count} cases of {len(names)} targets, {reason}: "
              + ", ".join(names[:SHOWN]) + more)
    if paths and not cases:
        print("skipped: none")


if __name__ == "__main__":
    main(sys.argv[1])
