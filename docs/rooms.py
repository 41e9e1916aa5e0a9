#!/usr/bin/env python3
"""The rooms of the house, and who uses whom, from the build graph.

    rooms.py GRAPH                    writes docs/pictures/rooms.svg
    rooms.py GRAPH --check SVG PAGE   fails where it is old, or an arrow runs up

GRAPH is what `bazel query --output=graph` prints (//docs:room_graph). A room is
a folder of the checkout; of import/ it is a folder below. The order of the rooms
stands in the first rule of CONTRIBUTING.md's section "Design": a room uses only
rooms before it. The picture leaves out an arrow that follows from two others.
"""

import re
import sys

# What a room is for, in the fewest words.
WORDS = {
    "indexing": "intervals, expressions, maps, their text",
    "simplifier": "the canonical form, composition, sizes",
    "exact": "proofs: empty, equal, inverse, count",
    "layout": "layouts of CuTe, Triton and XLA",
    "ops": "descriptors of ops, and their maps",
    "program": "modules, values, shardings, maps through them",
    "import": "HLO, StableHLO, Triton, profiles",
    "same": "what is the same: terms, laws, verdicts",
    "cost": "what things cost: launches, memory, tiles",
    "answers": "the questions, as plain values; pictures",
    "writers": "text, JSON, CSV, pages",
    "command": "words, exit statuses",
    "python": "the module for Python",
    "tools": "the binaries",
}
LABEL = re.compile(r'"//([\w/]*):[^"]*" -> "//([\w/]*):[^"]*"')


def room_of(package):
    return package.split("/")[0]


def edges_of(graph):
    """The pairs of rooms of which the first uses the second."""
    pairs = {(room_of(a), room_of(b)) for a, b in LABEL.findall(graph)}
    return {(a, b) for a, b in pairs if a != b and a in WORDS and b in WORDS}


def order_of(page):
    """The rooms in their order, the lowest first."""
    rule = next(line for line in page.splitlines()
                if line.startswith("- Arrows run one way."))
    sentence = rule.split("in this order:")[1].split(". ")[0]
    return [n for n in re.findall(r"`(\w+)/`", sentence) if n in WORDS]


def reduced(edges):
    """The edges that do not follow from others."""
    below = {a: {b for x, b in edges if x == a} for a, _ in edges}

    def reaches(a, b, seen):
        return any(c == b or (c not in seen and
                              (seen.add(c) or reaches(c, b, seen)))
                   for c in below.get(a, ()))
    return sorted((a, b) for a, b in edges
                  if not any(c != b and reaches(c, b, set())
                             for c in below[a]))


def picture(order, edges):
    """The rooms in one column, the lowest at the bottom, arrows beside it."""
    step, width, top = 46, 430, 14
    place = {room: top + step * (len(order) - 1 - k)
             for k, room in enumerate(order)}
    arrows = reduced(edges)
    reach = max((abs(place[a] - place[b]) // step for a, b in arrows),
                default=1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 60 + 22 * reach}" '
           f'height="{top * 2 + step * len(order)}" font-family="sans-serif">',
           '<title>The rooms of Indexical: a room uses those its arrows lead to,'
           ' and what these use</title>',
           '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" '
           'markerWidth="7" markerHeight="7" orient="auto">'
           '<path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>']
    for room in reversed(order):
        y = place[room]
        out.append(f'<rect x="10" y="{y}" width="{width}" height="34" rx="6" '
                   'fill="#eef2f7" stroke="#889"/>')
        out.append(f'<text x="22" y="{y + 22}" font-size="14" '
                   f'font-weight="bold" fill="#222">{room}/</text>')
        out.append(f'<text x="118" y="{y + 22}" font-size="13" '
                   f'fill="#333">{WORDS[room]}</text>')
    for a, b in arrows:
        x, bend = width + 10, 22 * (abs(place[a] - place[b]) // step)
        out.append(f'<path d="M{x} {place[a] + 20}C{x + 14 + bend} '
                   f'{place[a] + 20} {x + 14 + bend} {place[b] + 12} {x + 2} '
                   f'{place[b] + 12}" fill="none" stroke="#555" '
                   'marker-end="url(#end)"/>')
    return "\n".join(out + ["</svg>"]) + "\n"


def upward(order, edges):
    """The arrows that run against the order."""
    return sorted((a, b) for a, b in edges if order.index(a) < order.index(b))


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        edges = edges_of(file.read())
    check = "--check" in arguments
    page = arguments[-1] if check else "CONTRIBUTING.md"
    with open(page, encoding="utf-8") as file:
        order = order_of(file.read())
    wrong = [f"{name}/ has no place in the order of CONTRIBUTING.md"
             for name in sorted(set(WORDS) - set(order))]
    if len(edges) < 2 * len(WORDS):
        wrong.append(f"the graph has only {len(edges)} arrows")
    # The check sees what it is for.
    if not wrong and not upward(order, edges | {(order[0], order[-1])}):
        wrong.append("an arrow from the lowest room to the highest is not seen")
    if not wrong:
        wrong = [f"{a}/ uses {b}/, which is above it"
                 for a, b in upward(order, edges)]
    if wrong:
        print("\n".join(wrong))
        return 1
    text = picture(order, edges)
    path = arguments[2] if check else "docs/pictures/rooms.svg"
    if not check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    with open(path, encoding="utf-8") as file:
        if file.read() != text:
            print("docs/pictures/rooms.svg is old: bazel run //docs:write_rooms")
            return 1
    print(f"{len(order)} rooms, {len(edges)} arrows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
