#!/usr/bin/env python3
"""Sets what `indexical kernel` says of kernels of Triton beside what a GPU did.

    compare_triton.py FOLDER [--indexical=COMMAND] [--device=h100] [--all]
    compare_triton.py --metrics=NAMES

FOLDER has what profile_triton.py wrote, and perhaps `ncu.csv`: the raw page of
Nsight Compute with hardware counters. Prints a line for each kernel, what
differs of it, and sums: the kernels whose figures are equal to the last sector,
with the layouts of the TTGIR and with those that are chosen for the TTIR.
Predicted times are compared with that of the profiler (`gpu__time_duration`,
the kernel alone), and where there is none with `us` of kernels.json, the time
between two events, which has the launch as well.

--metrics prints the counters to ask for, of those that a GPU has:

    ncu --query-metrics --chip gh100 | awk '{print $1}' > NAMES
    ncu --profile-from-start off --csv --page raw --print-units base \\
        --metrics "$(compare_triton.py --metrics=NAMES)" \\
        python3 profile_triton.py FOLDER --once > FOLDER/ncu.csv
"""

import argparse
import collections
import csv
import json
import os
import re
import statistics
import subprocess

KINDS = ("load", "copy", "store", "atomic")
# `ld` counts the copies to shared memory (LDGSTS), too; only those that take
# less than 16 bytes a lane have a counter of the cache for themselves.
WAYS = {"load": ("ld",), "store": ("st",), "atomic": ("red", "atom")}
PATTERNS = ("l1tex__t_{}_pipe_lsu_mem_global_op_{}",
            "smsp__sass_l1tex_t_{}_pipe_lsu_mem_global_op_{}")
OTHERS = ("gpu__time_duration", "lts__t_sectors_srcunit_tex_op_read",
          "lts__t_sectors_srcunit_tex_op_write", "dram__bytes_read",
          "dram__bytes_write",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access",
          "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access")


def metrics(path):
    """The counters among the names of a file, separated by commas."""
    with open(path) as file:
        there = set(file.read().split())
    names = list(OTHERS)
    for what in ("sectors", "requests"):
        for ways in WAYS.values():
            # The first pattern that the GPU has suffices: others need more
            # passes.
            for pattern in PATTERNS:
                found = [n for way in ways
                         if (n := pattern.format(what, way)) in there]
                names += found
                if found:
                    break
    return ",".join(name + ".sum" for name in names if name in there)


def counted(row, what, kind):
    """The counter of a kind of access, or None where there is none."""
    for pattern in PATTERNS:
        found = {way: row[pattern.format(what, way)] for way in WAYS[kind]
                 if pattern.format(what, way) in row}
        if found:
            return sum(found.values())
    return None


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def counters(path):
    """Function -> the counters of its launches, without the suffix `.sum`."""
    found = collections.defaultdict(list)
    if not os.path.exists(path):
        return found
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    rows = csv.reader(lines)
    header = next(rows, [])
    for row in rows:
        named = dict(zip(header, row))
        if not number(named.get("ID", "")) and named.get("ID") != "0":
            continue  # The row of units.
        values = {name.removesuffix(".sum"): number(text)
                  for name, text in named.items() if "__" in name}
        found[named["Kernel Name"].split("(")[0]].append(
            {name: value for name, value in values.items()
             if value is not None})
    return found


def arguments_of(path):
    """The names of the kernel's arguments in a text: `a_ptr` or `arg0`, and
    the names that their locations give."""
    with open(path) as file:
        text = file.read()
    line = re.search(r"tt\.func (?:public )?@[^(]*\((.*)", text)
    if not line:
        return []
    named = dict(re.findall(r'^(#loc\d*) = loc\("([^"]*)"\(', text, re.M))
    listed = []
    for piece in re.split(r", (?=%)", line.group(1)):
        name = re.match(r"%([\w$.]+):", piece)
        if not name:
            continue
        inner = re.search(r'loc\("([^"]*)"\(', piece)
        outer = re.search(r"loc\((#loc\d*)\)", piece)
        said = (inner.group(1) if inner
                else named.get(outer.group(1)) if outer else None)
        listed.append((name.group(1), said))
    return listed


def choices(kernel, path):
    """What the call has to say of the arguments that the text has: of those
    that were 1, and constants, it has none."""
    given = kernel["arguments"]
    texts = arguments_of(path)
    by_name = {a["name"]: a for a in given}
    if all(name in by_name or said in by_name for name, said in texts):
        pairs = [(name, by_name.get(name) or by_name[said])
                 for name, said in texts]
    else:
        left = [a for a in given if a.get("value") != 1]
        pairs = list(zip((name for name, _ in texts), left))
    words = []
    for name, argument in pairs:
        if "type" in argument:
            words.append(f"--shape={name}={argument['type']}"
                         f"[{argument['elements']}]")
        elif isinstance(argument["value"], int):
            words.append(f"--arg={name}={argument['value']}")
    return words


def asked(options, kernel, ending):
    """What the command answers, or a sentence why it does not."""
    path = os.path.join(options.folder, f"{kernel['name']}.{ending}")
    words = [options.indexical, "kernel", path, "--format=json",
             "--device=" + options.device,
             "--grid=" + ",".join(map(str, kernel["grid"])),
             *choices(kernel, path),
             *("--runtime=" + text for text in kernel.get("runtime", []))]
    if ending == "ttir":
        words.append(f"--num-warps={kernel['num_warps']}")
    run = subprocess.run(words, capture_output=True, text=True)
    # 3 and 4 are answers about bounds and writes.
    if run.returncode not in (0, 3, 4):
        message = [line for line in run.stderr.splitlines() if line.strip()]
        return message[0] if message else f"status {run.returncode}"
    return json.loads(run.stdout)


def kind_of(access):
    if "async_copy" in access["op"]:
        return "copy"
    if "atomic" in access["op"]:
        return "atomic"
    return "load" if access["op"].endswith("load") else "store"


def predicted(answer):
    """Kind -> (sectors, requests), each a pair of bounds; None without
    figures. TMA's copies are no loads of threads."""
    found = {kind: [[0, 0], [0, 0]] for kind in KINDS}
    for access in (*answer.get("reads", []), *answer.get("writes", []),
                   *answer.get("atomics", [])):
        if "descriptor" in access["op"] or "tma" in access["op"]:
            continue
        kind = kind_of(access)
        for slot, key in enumerate(("sectors", "accesses")):
            if found[kind] is None or access.get(key) is None:
                found[kind] = None
                break
            figure = access[key]
            least, most = figure if isinstance(figure, list) else (figure,) * 2
            found[kind][slot][0] += least
            found[kind][slot][1] += most
    return found


def shown(bounds):
    least, most = bounds
    return str(least) if least == most else f"{least}..{most}"


def compared(figures, row):
    """Pairs of (how it agrees, what differs): `same`, `within`, `other`, or
    `none` where one side has no figure."""
    # The counters of loads have the copies as well.
    figures = merged(figures)
    verdicts = []
    for kind in WAYS:
        for slot, what in enumerate(("sectors", "requests")):
            measured = counted(row, what, kind)
            if figures[kind] is None or measured is None:
                # A kind of which there is nothing says nothing.
                if measured or figures[kind] is None:
                    verdicts.append((what, "none", f"{kind} {what}: none, "
                                     f"{shown_count(measured)} counted"))
                continue
            least, most = figures[kind][slot]
            if not most and not measured:
                continue
            verdict = ("same" if least == most == measured else
                       "within" if least <= measured <= most else "other")
            note = "" if verdict == "same" else (
                f"{kind} {what} {shown((least, most))}, {measured:.0f} counted")
            verdicts.append((what, verdict, note))
    return verdicts


def shown_count(measured):
    return "nothing" if measured is None else f"{measured:.0f}"


def worst(verdicts, what=None):
    found = {v for w, v, _ in verdicts if what in (None, w)}
    for verdict in ("other", "none", "within", "same"):
        if verdict in found:
            return verdict
    return "-"


def merged(figures):
    """The figures with copies to shared memory among the loads."""
    if not figures["load"] or not figures["copy"]:
        return figures
    return dict(figures, copy=None, load=[
        [a + b for a, b in zip(x, y)]
        for x, y in zip(figures["load"], figures["copy"])])


def same_figures(one, other):
    """Whether two answers move the same sectors by the same accesses. A TTIR
    has loads where the TTGIR may have copies."""
    return merged(predicted(one)) == merged(predicted(other))


def near(ratios):
    return (f"least {min(ratios):.2f}, median {statistics.median(ratios):.2f}, "
            f"most {max(ratios):.2f}; "
            f"{sum(0.8 <= r <= 1.25 for r in ratios)} of {len(ratios)} within "
            f"25%, {sum(0.5 <= r <= 2 for r in ratios)} within a factor of 2")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--indexical", default="bazel-bin/tools/indexical")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--all", action="store_true",
                        help="figures that are equal, too")
    parser.add_argument("--metrics")
    options = parser.parse_args()
    if options.metrics:
        print(metrics(options.metrics))
        return
    if options.folder is None:
        parser.error("FOLDER is missing")
    with open(os.path.join(options.folder, "kernels.json")) as file:
        kernels = json.load(file)["kernels"]
    counts = counters(os.path.join(options.folder, "ncu.csv"))
    there = sum(map(len, counts.values()))
    sums = collections.defaultdict(collections.Counter)
    ratios, by_events = [], []
    print(f"{'kernel':22} {'loads':>9} {'copies':>9} {'stores':>9} "
          f"{'atomics':>9}  {'sectors':7} {'requests':8} {'TTIR':9} "
          f"{'us':>7} {'of it':>5}")
    for kernel in kernels:
        name = kernel["name"]
        answers = {ending: asked(options, kernel, ending)
                   for ending in ("ttgir", "ttir")}
        # Two cases may share what is compiled, and so the function's name.
        rows = counts.get(kernel.get("function", name))
        row = rows.pop(0) if rows else {}
        notes = [f"{ending} is not read: {answer}"
                 for ending, answer in answers.items()
                 if isinstance(answer, str)]
        if isinstance(answers["ttgir"], str):
            sums["ttgir"]["not read"] += 1
            sums["ttir"]["not read"] += isinstance(answers["ttir"], str)
            print(f"{name:22}", *notes, sep="\n    ")
            continue
        answer = answers["ttgir"]
        if answer.get("complete") is False:
            sums["ttgir"]["incomplete"] += 1
            notes.append(f"incomplete: {answer.get('reason')}, line "
                         f"{answer.get('line')}")
        for check in ("in_bounds", "written_once"):
            if answer[check]["answer"] != "proved":
                notes.append(f"{check} {answer[check]['answer']} "
                             f"{answer[check].get('reason', '')}".rstrip())
        figures = predicted(answer)
        verdicts = compared(figures, row) if row else []
        notes += [note for _, verdict, note in verdicts
                  if note and verdict != "same"]
        if verdicts:
            sums["ttgir"][worst(verdicts)] += 1
            for what in ("sectors", "requests"):
                sums[what][worst(verdicts, what)] += 1
        twin = "not read"
        if not isinstance(answers["ttir"], str):
            twin = ("same" if same_figures(answer, answers["ttir"])
                    else "other")
            if row:
                by_it = compared(predicted(answers["ttir"]), row)
                sums["ttir"][worst(by_it)] += 1
                if twin == "other":
                    notes += ["by the TTIR: " + note for _, verdict, note
                              in by_it if note and verdict != "same"]
        sums["twin"][twin] += 1
        counted_ns = row.get("gpu__time_duration")
        time = counted_ns / 1000 if counted_ns else kernel.get("us")
        ratio = (answer["predicted_us"] / time
                 if time and answer.get("predicted_us") else None)
        if ratio:
            ratios.append(ratio)
            if kernel.get("us"):
                by_events.append(answer["predicted_us"] / kernel["us"])
        cells = [shown(figures[kind][0]) if figures[kind] else "?"
                 for kind in KINDS]
        print(f"{name:22} " + " ".join(f"{cell:>9}" for cell in cells)
              + f"  {worst(verdicts, 'sectors'):7} "
              f"{worst(verdicts, 'requests'):8} {twin:9} "
              + (f"{time:7.1f} " if time else f"{'-':>7} ")
              + (f"{ratio:5.2f}" if ratio else f"{'-':>5}"))
        for note in notes:
            print("    " + note)
        if options.all:
            for metric, value in sorted(row.items()):
                print(f"    {metric} {value:.0f}")
    print(f"\n{len(kernels)} kernels, {there} with counters")
    for what, title in (
            ("ttgir", "all figures, with the layouts of the TTGIR"),
            ("sectors", "  sectors"), ("requests", "  requests"),
            ("ttir", "all figures, with layouts chosen for the TTIR"),
            ("twin", "figures of the TTIR, by those of the TTGIR")):
        if sums[what]:
            print(f"{title}: " + ", ".join(
                f"{count} {verdict}"
                for verdict, count in sorted(sums[what].items()) if count))
    if ratios:
        print("predicted by the profiler's time: " + near(ratios))
    if by_events:
        print("predicted by the time between events: " + near(by_events))


main()
