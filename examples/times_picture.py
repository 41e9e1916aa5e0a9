#!/usr/bin/env python3
"""Draws predicted against measured times of kernels, as an SVG.

  indexical report HOST.xplane.pb --format=jsonl | times_picture.py > times.svg
  indexical report DIR --format=jsonl | times_picture.py TIMES > times.svg

A report of a profile has the times that were measured. For others TIMES is a
file of JSON lines: {"module": "copy", "instruction": "negate", "us": 1.28}, for
the kernel `negate` of DIR/copy.hlo.

Both axes are logarithmic. The line in the middle is what a model without error
gives; the inner band is 25% from it, the outer one a factor of two.
"""

import html
import json
import math
import os
import sys

SIDE, LEFT, BELOW, ABOVE, RIGHT = 420, 64, 48, 16, 180
# Of emitters, in the order of their counts: blue, orange, green, pink, grey.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c8c8c"]
STYLE = """
.ix{--ink:#1a1a1a;--paper:#fff;--soft:#595959;--edge:#d9d9d9;--band:#8c8c8c22;
background:var(--paper);font:12px sans-serif}
@media (prefers-color-scheme:dark){
.ix{--ink:#ececec;--paper:#161616;--soft:#b0b0b0;--edge:#3d3d3d}}
.ix text{fill:var(--soft)}.ix .name{fill:var(--ink)}
.ix .grid{stroke:var(--edge)}.ix .middle{stroke:var(--ink)}
.ix .band{fill:var(--band)}.ix circle{fill-opacity:.7}
"""


def rows_of(lines, measured):
    """(emitter, label, measured, predicted) of each kernel that has both."""
    rows = []
    for line in lines:
        row = json.loads(line)
        if row.get("kind") != "kernel" or "predicted_us" not in row:
            continue
        module = os.path.splitext(os.path.basename(row.get("file", "")))[0]
        time = row.get("measured_us",
                       measured.get((module, row["instruction"])))
        if time and row["predicted_us"]:
            label = " of ".join(filter(None, (row["instruction"], module)))
            rows.append((row.get("emitter", "other"), label, time,
                         row["predicted_us"]))
    return rows


def times_of(path):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {(row["module"], row["instruction"]): row["us"] for row in rows}


def drawn(rows):
    times = [time for row in rows for time in row[2:]]
    low, high = math.floor(math.log10(min(times))), math.ceil(
        math.log10(max(times)))
    high = max(high, low + 1)

    def x(time):
        return LEFT + SIDE * (math.log10(time) - low) / (high - low)

    def y(time):
        return ABOVE + SIDE - (x(time) - LEFT)

    counts = {}
    for emitter, *_ in rows:
        counts[emitter] = counts.get(emitter, 0) + 1
    named = sorted(counts, key=lambda name: (-counts[name], name))
    few = named[:len(COLOURS) - 1]
    colour = {name: COLOURS[min(k, len(few))] for k, name in enumerate(named)}

    first, last = 10.0**low, 10.0**high
    out = ['<svg xmlns="http://www.w3.org/2000/svg" class="ix" width="%d" '
           'height="%d" role="img">' % (LEFT + SIDE + RIGHT,
                                        ABOVE + SIDE + BELOW),
           "<title>predicted against measured times of %d kernels</title>" %
           len(rows), "<style>%s</style>" % STYLE,
           '<clipPath id="inside"><rect x="%d" y="%d" width="%d" height="%d"/>'
           "</clipPath>" % (LEFT, ABOVE, SIDE, SIDE)]
    for power in range(low, high + 1):
        at, text = 10.0**power, "%g" % 10.0**power
        out.append('<path class="grid" d="M%.1f %dv%dM%d %.1fh%d"/>' %
                   (x(at), ABOVE, SIDE, LEFT, y(at), SIDE))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' %
                   (x(at), ABOVE + SIDE + 18, text))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' %
                   (LEFT - 8, y(at) + 4, text))
    for factor in (2, 1.25):
        out.append('<path class="band" clip-path="url(#inside)" '
                   'd="M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fz"/>' %
                   (x(first), y(first * factor), x(last), y(last * factor),
                    x(last), y(last / factor), x(first), y(first / factor)))
    out.append('<path class="middle" d="M%.1f %.1fL%.1f %.1f"/>' %
               (x(first), y(first), x(last), y(last)))
    for emitter, label, measured, predicted in rows:
        out.append('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s: '
                   "measured %g us, predicted %g</title></circle>" %
                   (x(measured), y(predicted), colour[emitter],
                    html.escape(label), measured, predicted))
    out.append('<text x="%d" y="%d" text-anchor="middle">measured, us</text>' %
               (LEFT + SIDE // 2, ABOVE + SIDE + 38))
    out.append('<text transform="translate(16 %d) rotate(-90)" '
               'text-anchor="middle">predicted, us</text>' %
               (ABOVE + SIDE // 2))
    others = sum(counts[name] for name in named[len(few):])
    for k, (name, count) in enumerate([(each, counts[each]) for each in few] +
                                      ([("others", others)] if others else [])):
        at = ABOVE + 12 + 20 * k
        out.append('<circle cx="%d" cy="%d" r="4" fill="%s"/>'
                   '<text class="name" x="%d" y="%d">%s (%d)</text>' %
                   (LEFT + SIDE + 16, at - 4, COLOURS[k], LEFT + SIDE + 28, at,
                    html.escape(name), count))
    return "\n".join(out + ["</svg>"])


def main():
    measured = times_of(sys.argv[1]) if len(sys.argv) > 1 else {}
    rows = rows_of(sys.stdin, measured)
    if not rows:
        sys.exit("times_picture: no kernel has both times")
    print(drawn(rows))
    ratios = [predicted / time for _, _, time, predicted in rows]
    for factor in (1.25, 2):
        within = sum(1 / factor <= ratio <= factor for ratio in ratios)
        print("%d of %d kernels are within a factor of %g" %
              (within, len(rows), factor), file=sys.stderr)


if __name__ == "__main__":
    main()
