#!/usr/bin/env python3
"""The tables of docs/keys.md as data classes of Python.

  write_answers.py KEYS.md [FOLDER]

keys.md is the one place that says what a document of the command holds; the
JSON Schema is written from it, and so are these classes, one for each table
that a call of indexical/_calls.py returns. They are written into modules by
subject, _answers_SUBJECT.py, and answers.py has all of them. FOLDER is
python/indexical of the checkout if it is left out.
"""

import keyword
import os
import re
import sys
import textwrap

# `bazel run` starts a link to this file, beside which there is no docs/.
for own in (os.path.realpath(__file__), os.path.abspath(__file__)):
    sys.path.insert(0, os.path.join(os.path.dirname(own), "..", "docs"))
import formats_schema  # noqa: E402

# The documents that calls return, and the names of their classes.
DOCUMENTS = {
    "what-kernels-move": "Report",
    "which-tiles": "Tiles",
    "which-sizes": "TileSearch",
    "what-is-used": "Utilization",
    "where-is-a-jacobian-not-zero": "Sparsity",
    "which-arrays-share-memory": "Hazards",
    "is-it-equal": "Equality",
    "is-it-partitioned-rightly": "PartitionedEquality",
    "what-passes-change": "Passes",
    "how-to-reshard": "ReshardPlans",
}
# Documents that have methods: the module of their base, and its name.
BASES = {"is-it-equal": ("_document", "Verdict"),
         "is-it-partitioned-rightly": ("_document", "Verdict"),
         "what-kernels-move": ("_document", "ReportDocument"),
         "where-is-a-jacobian-not-zero": ("_matrix", "SparseDocument")}
# The modules, those that others import first, and the classes for which each is
# there. A class that these are made of is in the first module that needs it.
MODULES = {
    "profile": ("A profile, and uses of time",
                ["a-profile", "a-kernel-without-an-instruction",
                 "uses-of-time"]),
    "kernels": ("Kernels, and what they read and write",
                ["a-kernel", "a-group", "a-kernel-that-is-gone"]),
    "report": ("What kernels and collectives move", ["what-kernels-move"]),
    "tiles": ("Tiles, and what is used of operands",
              ["which-tiles", "which-sizes", "what-is-used"]),
    "sparsity": ("Sparsity of Jacobians", ["where-is-a-jacobian-not-zero"]),
    "hazards": ("Memory that results and operands share",
                ["which-arrays-share-memory"]),
    "equality": ("Equality of modules, also partitioned and along passes",
                 ["is-it-equal", "is-it-partitioned-rightly",
                  "what-passes-change"]),
    "reshard": ("Plans between shardings", ["how-to-reshard"]),
}
# Documents whose headings are no names of classes.
NAMES = {
    **DOCUMENTS,
    "sizes-that-are-exact": "ExactSizes",
    "sizes-that-are-left-out": "SizesLeftOut",
    "the-reason-of-a-box": "BoxReason",
    "use-inside": "UseInside",
    "use-of-an-operand": "OperandUse",
    "a-witness": "PairWitness",
    "a-place-in-memory": "MemoryPlace",
    "who-overwrites-or-reads": "MemoryAccess",
    "the-input": "ProgramInput",
    "two-ways": "Ways",
    "a-result-by-its-values": "ResultValues",
    "a-plan-of-a-reshard": "ReshardPlan",
    "a-step-of-a-plan": "ReshardStep",
}
SCALARS = {"boolean": "bool", "integer": "int", "number": "float",
           "string": "str", "null": "None"}


def name_of(anchor, tables):
    if anchor in NAMES:
        return NAMES[anchor]
    words = [word for word in tables[anchor][0].split()
             if word.lower() not in ("a", "an", "the", "that", "is")]
    return "".join(word.capitalize() for word in words)


class Types:
    """Annotations of the types of a page, and the classes in them."""

    def __init__(self, tables):
        self.tables = tables

    def annotation(self, text):
        """(annotation, anchor of the class in it or None)"""
        text = text.strip()
        outer = text.split(", or ")
        if len(outer) > 1:
            return self.union([self.annotation(part) for part in outer])
        if match := re.match(r"lists? of (two )?", text):
            inner, anchor = self.annotation(text[match.end():])
            return "list[%s]" % inner, anchor
        return self.union(
            [self.atom(part) for part in re.split(r", | or ", text)])

    def atom(self, text):
        if re.fullmatch(r"`(.*)`", text):
            literal = text.strip("`")
            return {"true": "bool", "false": "bool"}.get(literal, "str"), None
        if match := formats_schema.LINK.fullmatch(text):
            anchor = match.group(2)
            rows = self.tables[anchor][1]
            if rows[0][0] == "type":  # an alternative of plain types
                return self.union([self.annotation(cells[0])
                                   for cells in rows[2:]])
            return name_of(anchor, self.tables), anchor
        if text.endswith(" by name"):
            inner, anchor = self.atom(text.removesuffix(" by name"))
            return "dict[str, %s]" % inner, anchor
        name = text.partition(" >= ")[0].removesuffix("s")
        return SCALARS[name], None

    @staticmethod
    def union(parts):
        names = list(dict.fromkeys(name for name, _ in parts))
        anchors = [anchor for _, anchor in parts if anchor]
        assert len(anchors) <= 1, parts
        return " | ".join(names), anchors[0] if anchors else None


def meaning_of(key, anchor, tables):
    """What the page says of a key of that table, or of one that it takes in."""
    for cells in tables[anchor][1][2:]:
        if cells[0].strip("`") == key:
            return cells[3]
    for cells in tables[anchor][1][2:]:
        if match := re.match(r"keys of " + formats_schema.LINK.pattern,
                             cells[0]):
            if found := meaning_of(key, match.group(2), tables):
                # What the row says of all of the keys.
                return found + (": " + cells[3] if cells[3] else "")
    return ""


def fields_of(anchor, tables):
    """(key, annotation, is optional, anchor of its class, what it means)"""
    types = Types(tables)
    for key, text, absent in formats_schema.keys_of(tables, anchor):
        assert key.isidentifier(), key
        annotation, inner = types.annotation(text)
        yield (key, annotation, absent != "never", inner,
               meaning_of(key, anchor, tables))


def classes_of(tables):
    """module -> the anchors of its classes, those that others hold first"""
    seen = set()

    def visit(anchor, ordered):
        if anchor in seen:
            return
        seen.add(anchor)
        for _, _, _, inner, _ in fields_of(anchor, tables):
            if inner:
                visit(inner, ordered)
        ordered.append(anchor)

    modules = {}
    for module, (_, anchors) in MODULES.items():
        ordered = modules[module] = []
        for anchor in anchors:
            visit(anchor, ordered)
    assert seen.issuperset(DOCUMENTS), set(DOCUMENTS) - seen
    return modules


def plain(text):
    """A cell without Markdown."""
    return formats_schema.LINK.sub(r"\1", text).replace("`", "")


def base_of(anchor):
    return BASES.get(anchor, ("_document",
                              "Document" if anchor in DOCUMENTS else "Answer"))


def docstring_of(anchor, tables):
    """What the class is, and what each of its fields means."""
    lines = ['    """%s (docs/keys.md)' % plain(tables[anchor][0]), ""]
    for key, _, _, _, meaning in fields_of(anchor, tables):
        said = key + ("_" if keyword.iskeyword(key) else "")
        said += ": " + plain(meaning) if meaning else ""
        lines += textwrap.wrap(said, 79, initial_indent="    ",
                               subsequent_indent="        ",
                               break_long_words=False,
                               break_on_hyphens=False)
    return [line.replace("\\", "\\\\") for line in lines] + ['    """', ""]


def class_of(anchor, tables):
    lines = ["@dataclass(kw_only=True)",
             "class %s(%s):" % (name_of(anchor, tables), base_of(anchor)[1]),
             *docstring_of(anchor, tables)]
    parts = []
    for key, annotation, optional, inner, _ in fields_of(anchor, tables):
        if optional and "None" not in annotation.split(" | "):
            annotation += " | None"
        key += "_" if keyword.iskeyword(key) else ""
        lines.append("    %s: %s%s" % (key, annotation,
                                       " = None" if optional else ""))
        if inner:
            assert not key.endswith("_"), key
            parts.append("%r: %s" % (key, name_of(inner, tables)))
    if parts:
        lines += ["    _parts: ClassVar[dict[str, type]] = {"]
        lines += ["        %s," % part for part in parts] + ["    }"]
    else:
        lines.append("    _parts: ClassVar[dict[str, type]] = {}")
    return "\n".join(lines)


WRITTEN = ("Written from the tables of docs/keys.md by "
           "python/write_answers.py.\n")


def import_of(module, names):
    """An import of the names from indexical.MODULE, within 79 columns."""
    line = "from indexical.%s import " % module
    one = line + ", ".join(names)
    if len(one) <= 79:
        return one
    return textwrap.fill(", ".join(names) + ")", 79, initial_indent=line + "(",
                         subsequent_indent=" " * (len(line) + 1))


def module_of(module, modules, tables):
    """The text of one module."""
    own = modules[module]
    homes = {anchor: other for other in modules for anchor in modules[other]}
    used = {}
    for anchor in own:
        for _, _, _, inner, _ in fields_of(anchor, tables):
            if inner and homes[inner] != module:
                used.setdefault(homes[inner], set()).add(name_of(inner, tables))
    imports = [import_of("_answers_" + other, sorted(used[other]))
               for other in modules if other in used]
    bases = {}
    for home, name in sorted({base_of(anchor) for anchor in own}):
        bases.setdefault(home, []).append(name)
    imports += [import_of(home, names) for home, names in bases.items()]
    head = ('"""%s, as data classes.\n\n%s"""\n\n'
            "from __future__ import annotations\n\n"
            "from dataclasses import dataclass\n"
            "from typing import ClassVar" % (MODULES[module][0], WRITTEN))
    if imports:
        head += "\n\n" + "\n".join(imports)
    classes, later = [], []
    for number, anchor in enumerate(own):
        text = class_of(anchor, tables)
        # A class that stands below, as maps that have sources with maps do.
        if any(inner in own[number:]
               for _, _, _, inner, _ in fields_of(anchor, tables)):
            text, parts = text.split(" = {\n        ", 1)
            text += " = {}"
            later.append("%s._parts.update({\n    %s})" % (
                name_of(anchor, tables),
                parts.replace("\n    }", "").replace("\n    ", "\n")))
        classes.append(text)
    return "\n\n\n".join([head, *classes, *(
        ["\n".join(later)] if later else [])]) + "\n"


def pages_of(text):
    """file name -> its text, for all that is written from the page"""
    tables = formats_schema.tables_of(text)
    modules = classes_of(tables)
    names = {module: sorted(name_of(anchor, tables) for anchor in anchors)
             for module, anchors in modules.items()}
    every = sorted(name for each in names.values() for name in each)
    assert len(set(every)) == len(every), every
    pages = {"_answers_%s.py" % module: module_of(module, modules, tables)
             for module in modules}
    pages["answers.py"] = (
        '"""What analyses answer, as data classes.\n\n' + WRITTEN +
        "A field that a document may leave out is None then. A key that Python "
        "keeps for\nitself has `_` behind it: `from_`.\n\"\"\"\n\n" +
        "\n".join(import_of("_answers_" + module, names[module])
                  for module in modules) +
        "\n\n__all__ = [\n%s]\n" % "".join(
            "    %r,\n" % name for name in every))
    return pages


def main(path, folder=None):
    folder = folder or os.path.join(
        os.environ.get("BUILD_WORKSPACE_DIRECTORY", ""), "python", "indexical")
    with open(path, encoding="utf-8") as page:
        pages = pages_of(page.read())
    for name, text in pages.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
