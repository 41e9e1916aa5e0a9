#!/usr/bin/env python3
"""Follows the links of the documentation.

  links_test.py README.md PAGE...

`[text](path#anchor)`: the path exists, relative to the page, and the page that
it leads to has a heading with that anchor. Links to other sites are not
followed. The list of contents at the head of a page names all of its sections,
in order, and a README, that of the project or one of the pages, leads to every
page.
"""

import os
import re
import sys
import tempfile

LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`]*`")


def prose_of(text):
    """The lines outside of fenced blocks, numbered from 1."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def headings_of(text):
    """(level, anchor) of each heading; a second one of a name is `name-1`."""
    seen, headings = {}, []
    for _, line in prose_of(text):
        if match := re.match(r"(#+) (.*)", line):
            name = re.sub(r"[^\w\- ]", "", match[2].strip().lower())
            name = name.replace(" ", "-")
            count = seen[name] = seen.get(name, -1) + 1
            anchor = "%s-%d" % (name, count) if count else name
            headings.append((len(match[1]), anchor))
    return headings


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def links_of(text):
    """(line, target) of each link; code holds none, the text of a link may."""
    for number, line in prose_of(text):
        bare = CODE.sub(lambda code: "`" + "x" * (len(code[0]) - 2) + "`", line)
        for match in LINK.finditer(bare):
            yield number, match[1]


def problems_of(page):
    text = read(page)
    own = headings_of(text)
    contents = []
    for number, target in links_of(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        if not path and text.split("\n")[number - 1].startswith("- ["):
            contents.append(anchor)
        path = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(path):
            yield "%s:%d: there is no %s" % (page, number, target)
        elif anchor and anchor not in [a for _, a in headings_of(read(path))]:
            yield "%s:%d: no heading is #%s in %s" % (page, number, anchor, path)
    sections = [anchor for level, anchor in own if level == 2]
    if contents and contents != sections:
        yield "%s: the contents list %s, and the sections are %s" % (
            page, contents, sections)


def check_itself():
    """What is right passes, and each kind of mistake is seen."""
    right = "- [B](#b-c)\n\n## B, `c`\n\n[x](other.md) [`y[0]`](other.md#x)\n"
    wrong = [
        right.replace("other.md)", "nothing.md)"),
        right.replace("#x", "#y"),
        right + "\n## Not in the list\n",
        right.replace("#b-c", "#b"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        pages = {"other.md": "# X\n\n```\n## No heading, [no](link.md)\n```\n"}
        for number, text in enumerate([right] + wrong):
            pages["%d.md" % number] = text
        for name, text in pages.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for name in sorted(pages):
            passes = name in ("other.md", "0.md")
            problems = list(problems_of(os.path.join(folder, name)))
            if passes != (not problems):
                sys.exit("links_test itself: %s: %s" % (pages[name], problems))


def main(readme, *pages):
    check_itself()
    problems = [problem for page in (readme,) + pages
                for problem in problems_of(page)]
    leading = [readme] + [page for page in pages
                          if os.path.basename(page) == "README.md"]
    led_to = {os.path.normpath(os.path.join(os.path.dirname(page),
                                            target.partition("#")[0]))
              for page in leading for _, target in links_of(read(page))}
    problems += ["no README leads to %s" % page
                 for page in pages if os.path.normpath(page) not in led_to]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
